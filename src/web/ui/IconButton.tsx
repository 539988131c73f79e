/** A round 44 px button (or route link) with only an icon; its label is its accessible name and tooltip. */
import type { ComponentProps } from 'react';
import { Link } from '#web/router/Link.tsx';
import { Count } from './Count.tsx';
import { classNames } from './classNames.ts';
import { Icon, type IconName } from './Icon.tsx';
import './IconButton.css';

export type IconButtonProps = {
  icon: IconName;
  /** The whole name, including the count: 'Notifications, 3 unread'. */
  label: string;
  /** Shown at the icon's upper right when above zero. */
  count?: number | undefined;
  to?: string | undefined;
} & Omit<ComponentProps<'button'>, 'children' | 'aria-label'>;

export function IconButton({ icon, label, count = 0, to, className, ...native }: IconButtonProps) {
  const look = classNames('IconButton', className);
  const inside = (
    <>
      <Icon name={icon} />
      {count > 0 && <Count value={count} max={99} decorative className="IconButton-count" />}
    </>
  );
  if (to !== undefined) {
    return (
      <Link className={look} to={to} aria-label={label} title={label}>
        {inside}
      </Link>
    );
  }
  return (
    <button type="button" {...native} className={look} aria-label={label} title={label}>
      {inside}
    </button>
  );
}
