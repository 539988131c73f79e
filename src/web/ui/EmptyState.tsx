/** An empty list: a drawing of a seedling, what will appear here, and a button for the next step. */
import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';
import './EmptyState.css';

export type EmptyStateProps = {
  title: string;
  children?: ReactNode;
  /** A button or link. */
  action?: ReactNode;
  level?: 2 | 3 | undefined;
  className?: string | undefined;
};

export function EmptyState({ title, children, action, level = 3, className }: EmptyStateProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div className={classNames('EmptyState', className)}>
      <svg viewBox="0 0 120 112" width="120" height="112" aria-hidden="true">
        <path className="EmptyState-ground" d="M18 100h84" />
        <path className="EmptyState-stem" d="M60 100C58 76 62 56 60 30" />
        <path className="EmptyState-leaf" d="M60 86q-6-16-24-17 2 13 24 17zM60.5 76q7-14 23-13-3 12-23 13z" />
        <path className="EmptyState-bud" d="M60 44q-12-1-13-12 11 1 13 12zM60.5 52q12-2 13-13-12 2-13 13z" />
        <path className="EmptyState-flower" d="M60 34q-7-9 0-20 7 11 0 20z" />
      </svg>
      <Heading className="EmptyState-title">{title}</Heading>
      {children && <div className="EmptyState-text">{children}</div>}
      {action && <div className="EmptyState-action">{action}</div>}
    </div>
  );
}
