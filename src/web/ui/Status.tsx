/** The status of a transaction or a loan, in muted text with its icon; only a status that is not final has a color. */
import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';
import { Icon, type IconName } from './Icon.tsx';
import './Status.css';

export type StatusKind = 'completed' | 'active' | 'pending' | 'failed';
export type StatusProps = { status: StatusKind; children: ReactNode; className?: string | undefined };

const icons: Record<StatusKind, IconName> = {
  completed: 'check',
  active: 'calendar',
  pending: 'clock',
  failed: 'back',
};

export function Status({ status, children, className }: StatusProps) {
  return (
    <span className={classNames('Status', `Status--${status}`, className)}>
      <Icon name={icons[status]} size={16} />
      {children}
    </span>
  );
}
