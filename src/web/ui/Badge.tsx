/** A tinted pill with a state: verified, pending, frozen, sample. Transactions and loans use `Status` instead. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import './Badge.css';

export type BadgeKind = 'verified' | 'pending' | 'frozen' | 'sample' | 'neutral';
export type BadgeProps = { kind: BadgeKind; children: ReactNode };

const icons: Record<BadgeKind, IconName | undefined> = {
  verified: 'check',
  pending: 'clock',
  frozen: 'lock',
  sample: 'info',
  neutral: undefined,
};

export function Badge({ kind, children }: BadgeProps) {
  const icon = icons[kind];
  return (
    <span className={`Badge Badge--${kind}`}>
      {icon && <Icon name={icon} size={16} />}
      {children}
    </span>
  );
}
