/**
 * The status of a transaction, a loan or a piece of the staff's work, with its icon. A completed status is muted. `failed` has
 * the arrow of a return and is only for transactions; `refused` and `fault` are for everything else.
 */
import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import './Status.css';

export type StatusKind = 'completed' | 'active' | 'pending' | 'failed' | 'refused' | 'fault';
export type StatusProps = { status: StatusKind; children: ReactNode };

const icons: Record<StatusKind, IconName> = {
  completed: 'check',
  active: 'calendar',
  pending: 'clock',
  failed: 'back',
  refused: 'close',
  fault: 'alert',
};

export function Status({ status, children }: StatusProps) {
  return (
    <span className={`Status Status--${status}`}>
      <Icon name={icons[status]} size={16} />
      {children}
    </span>
  );
}
