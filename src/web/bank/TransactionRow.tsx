/**
 * One of a customer's transactions as a row. On the overview (`short`) it shows the status until the transaction is completed,
 * then the date. In the full list (`wide`) it shows both. A click opens the transaction. Its texts are from
 * `transactionReading.ts`.
 */

import { Fragment } from 'react';
import { shortDay } from '#contract/bankTime.ts';
import type { Transaction } from '#contract/entities.ts';
import { Link } from '#web/router/Link.tsx';
import { Ranges } from '#web/ui/Ranges.tsx';
import { Status } from '#web/ui/Status.tsx';
import { EntryRow } from './EntryRow.tsx';
import { Money } from './Money.tsx';
import { fromRow } from './openedRow.ts';
import { readTransaction } from './transactionReading.ts';
import * as words from './words.ts';
import './TransactionRow.css';

export type TransactionRowProps = {
  transaction: Transaction;
  /** The id of the customer who views it. */
  customerId: string;
  layout: 'short' | 'wide';
  /** The list URL's query string: its filters stay while the transaction is open. */
  search?: string | undefined;
  /** Hides the amount. */
  hidden?: boolean | undefined;
};

export function TransactionRow(props: TransactionRowProps) {
  const { transaction, customerId, layout, search = '', hidden } = props;
  const reading = readTransaction(transaction, customerId);
  const status = <Status status={transaction.status}>{reading.statusText}</Status>;
  const day = <time dateTime={transaction.timestamp}>{shortDay(transaction.timestamp)}</time>;
  const short = layout === 'short';
  return (
    <EntryRow
      className="TransactionRow"
      direction={reading.direction}
      title={
        <Link
          to={{ pathname: `/dashboard/transactions/${transaction._id}`, search }}
          state={fromRow}
          preventScrollReset
        >
          {reading.title}
        </Link>
      }
      party={<Party text={reading.party} />}
      description={!short && reading.note && <Ranges>{reading.note}</Ranges>}
      status={short ? undefined : status}
      when={short && transaction.status !== 'completed' ? status : day}
      amount={
        <Money
          dollars={transaction.amount}
          direction={reading.received ? 'in' : 'out'}
          returned={reading.void}
          hidden={hidden}
          hiddenLabel={words.amountHidden}
        />
      }
    />
  );
}

/** The other party. The account number at the end breaks only if it is too long for a line, and then between groups of four. */
function Party({ text }: { text: string }) {
  const number = /\(\w+\)$/.exec(text)?.[0] ?? '';
  return (
    <>
      {text.slice(0, text.length - number.length)}
      {number && (
        <span className="TransactionRow-number">
          {number.split(/(?<=^\((?:\w{4})+)(?=\w)/).map((group, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the groups keep their order
            <Fragment key={place}>
              {place > 0 && <wbr />}
              {group}
            </Fragment>
          ))}
        </span>
      )}
    </>
  );
}
