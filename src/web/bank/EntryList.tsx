/** A list of `EntryRow`s with hairlines between them: `short` next to a panel (amount over date), `wide` across a page. */
import type { ReactNode } from 'react';
import { classNames } from '#web/ui/classNames.ts';
import './EntryList.css';

export type EntryListProps = {
  label?: string | undefined;
  layout?: 'short' | 'wide' | undefined;
  children: ReactNode;
  className?: string | undefined;
};

export function EntryList({ label, layout = 'short', children, className }: EntryListProps) {
  return (
    <ul className={classNames('EntryList', `EntryList--${layout}`, className)} aria-label={label}>
      {children}
    </ul>
  );
}
