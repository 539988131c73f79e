/** A list of `EntryRow`s with hairlines between them: `short` next to a panel (amount over date), `wide` across a page. */
import type { ReactNode } from 'react';
import './EntryList.css';

export type EntryListProps = {
  label?: string | undefined;
  layout?: 'short' | 'wide' | undefined;
  children: ReactNode;
};

export function EntryList({ label, layout = 'short', children }: EntryListProps) {
  return (
    <ul className={`EntryList EntryList--${layout}`} aria-label={label}>
      {children}
    </ul>
  );
}
