/** The columns of the table of all transactions. */

import type { Transaction } from '#contract/entities.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { Money } from '#web/bank/Money.tsx';
import { fromRow } from '#web/bank/openedRow.ts';
import { statusTexts, typeTexts } from '#web/bank/transactionReading.ts';
import { Link } from '#web/router/Link.tsx';
import { Status } from '#web/ui/Status.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { Moment } from '../panel/Moment.tsx';
import { OtherBank } from '../panel/OtherBank.tsx';
import { PartyName } from '../panel/PartyName.tsx';
import { words } from '../words.ts';
import { payeeOf, payerOf, railText, reversedText } from './transactionSides.ts';
import './TransactionTable.css';

/** `addressOf` returns the URL that opens one transaction over the current list. */
export function transactionColumns(addressOf: (id: string) => { search: string }): Column<Transaction>[] {
  return [
    {
      key: 'reference',
      head: words.reference,
      place: 'title',
      cell: row => (
        <Link
          className="link TransactionTable-open"
          to={addressOf(row._id)}
          state={fromRow}
          preventScrollReset
        >
          {row.reference}
        </Link>
      ),
    },
    {
      key: 'type',
      head: words.type,
      cell: row => <span className="TransactionTable-type">{typeTexts[row.type]}</span>,
    },
    { key: 'from', head: words.from, cell: row => <PartyName name={payerOf(row)} /> },
    { key: 'to', head: words.to, cell: row => <PartyName name={payeeOf(row)} /> },
    {
      key: 'amount',
      head: words.amount,
      align: 'end',
      place: 'figure',
      cell: row => <Money dollars={row.amount} returned={row.status === 'failed'} />,
    },
    {
      key: 'status',
      head: words.status,
      cell: row => (
        <span>
          <Status status={row.status}>
            {row.isHeld ? transactionsMessages.held : statusTexts[row.status]}
          </Status>
          {row.type === 'external-transfer' && !row.isHeld && (
            <span className="TransactionTable-note">{railText(row.status)}</span>
          )}
          {row.reversedBy && <span className="TransactionTable-note">{reversedText}</span>}
        </span>
      ),
    },
    {
      key: 'date',
      head: words.date,
      cell: row => <Moment small iso={row.timestamp} withTime />,
    },
    { key: 'bank', head: words.bankDetails, cell: row => <OtherBank transaction={row} /> },
  ];
}
