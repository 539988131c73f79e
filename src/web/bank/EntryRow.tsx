/**
 * One transaction, the same in every list: direction, title, other party, status, time, amount. Icon, words and the amount's
 * sign all show the direction. Used in an `EntryList`.
 */
import type { ReactNode } from 'react';
import { classNames } from '#web/ui/classNames.ts';
import { Icon, type IconName } from '#web/ui/Icon.tsx';
import './EntryRow.css';

export type EntryDirection = 'in' | 'out' | 'credit' | 'bank' | 'returned';

export type EntryRowProps = {
  direction: EntryDirection;
  /** 'Money Received'; if it is a link, the whole row is clickable. */
  title: ReactNode;
  /** 'From: Tobias Fenn' */
  party: ReactNode;
  /** The description; on its own line on phones. */
  description?: ReactNode;
  /** A `Status`. A short row can show it as `when` instead, in place of the date. */
  status?: ReactNode;
  /** A `<time>`, or in a short row a `Status`. */
  when: ReactNode;
  /** A `Money`. */
  amount: ReactNode;
  className?: string | undefined;
};

const icons: Record<EntryDirection, IconName> = {
  in: 'in',
  out: 'out',
  credit: 'credit',
  bank: 'bank',
  returned: 'back',
};

export function EntryRow(props: EntryRowProps) {
  const { direction, title, party, description, status, when, amount, className } = props;
  return (
    <li className={classNames('EntryRow', className)}>
      <span
        className={classNames(
          'EntryRow-way',
          (direction === 'in' || direction === 'credit') && 'EntryRow-way--in',
        )}
      >
        <Icon name={icons[direction]} size={18} />
      </span>
      <div className="EntryRow-what">
        <h3>{title}</h3>
        <p>
          {party}
          {description && (
            <>
              <span className="EntryRow-separator"> · </span>
              <span className="EntryRow-description">{description}</span>
            </>
          )}
        </p>
      </div>
      {status && <div className="EntryRow-status">{status}</div>}
      <div className="EntryRow-when">{when}</div>
      <div className="EntryRow-amount">{amount}</div>
    </li>
  );
}
