/**
 * One of a customer's transactions as a row, the same on the overview (`short`: the date, or the status while it is not
 * completed) and in the list of all (`wide`: both). What it says is decided in `transactionReading.ts`.
 */
import type { Transaction } from '#contract/entities.ts';
import { shortDay } from './bankTime.ts';
import { EntryRow } from './EntryRow.tsx';
import { Money } from './Money.tsx';
import { Status } from './Status.tsx';
import { readTransaction } from './transactionReading.ts';
import './TransactionRow.css';

export type TransactionRowProps = {
  transaction: Transaction;
  /** The id of the customer who looks at it. */
  customerId: string;
  layout: 'short' | 'wide';
};

export function TransactionRow({ transaction, customerId, layout }: TransactionRowProps) {
  const reading = readTransaction(transaction, customerId);
  const status = <Status status={transaction.status}>{reading.statusText}</Status>;
  const day = <time dateTime={transaction.timestamp}>{shortDay(transaction.timestamp)}</time>;
  const short = layout === 'short';
  return (
    <EntryRow
      direction={reading.direction}
      title={reading.title}
      party={reading.party}
      description={short ? undefined : reading.note}
      status={short ? undefined : status}
      when={short && transaction.status !== 'completed' ? status : day}
      amount={
        <Money
          dollars={transaction.amount}
          direction={reading.received ? 'in' : 'out'}
          returned={reading.void}
        />
      }
    />
  );
}
