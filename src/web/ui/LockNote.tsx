/** At a form that cannot be sent: why, and the way to whoever can open it again. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { classNames } from './classNames.ts';
import { Icon } from './Icon.tsx';
import './LockNote.css';

export type LockNoteProps = {
  children: ReactNode;
  /** Where to ask, and the word for it. */
  to: string;
  link: string;
  className?: string | undefined;
  /** For the controls that it closes, which are described by it. */
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
