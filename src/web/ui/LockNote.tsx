/** A note on a form that cannot be sent: why, and a link to what helps, such as the Help Desk. */
import type { ReactNode } from 'react';
import { Link } from '#web/router/Link.tsx';
import { classNames } from './classNames.ts';
import { Icon } from './Icon.tsx';
import './LockNote.css';

export type LockNoteProps = {
  children: ReactNode;
  /** The link's route and its text. */
  to: string;
  link: string;
  className?: string | undefined;
  /** For `aria-describedby` of the locked controls. */
  id?: string | undefined;
};

export function LockNote({ children, to, link, className, id }: LockNoteProps) {
  return (
    <p id={id} className={classNames('LockNote', className)}>
      <Icon name="lock" size={16} />
      <span>
        {children}{' '}
        <Link className="link" to={to}>
          {link}
        </Link>
      </span>
    </p>
  );
}
