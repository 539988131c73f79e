/** A round 44 px button with only an icon; its label is its accessible name and tooltip. */
import type { ComponentProps } from 'react';
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
} & Omit<ComponentProps<'button'>, 'children' | 'aria-label'>;

export function IconButton({ icon, label, count = 0, className, ...native }: IconButtonProps) {
  return (
    <button
      type="button"
      {...native}
      className={classNames('IconButton', className)}
      aria-label={label}
      title={label}
    >
      <Icon name={icon} />
      {count > 0 && <Count value={count} max={99} decorative className="IconButton-count" />}
    </button>
  );
}
