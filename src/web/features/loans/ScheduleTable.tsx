/** A loan's payments, one per row: due date, paid or not, interest, principal and remaining balance; and the totals. */
import { nameOfDay } from '#contract/bankTime.ts';
import * as loansMessages from '#contract/messages/loans.ts';
import { type Cents, centsToDollars } from '#contract/money.ts';
import { Money } from '#web/bank/Money.tsx';
import { Status } from '#web/ui/Status.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import type { Loan } from './loanOn.ts';
import { type Payment, totalsOf } from './schedule.ts';
import { words } from './words.ts';
import './ScheduleTable.css';

const money = (cents: Cents) => <Money dollars={centsToDollars(cents)} form="plain" />;

export function ScheduleTable({ loan: { payments, next } }: { loan: Loan }) {
  const totals = totalsOf(payments);
  const statusOf = ({ number }: Payment) => {
    if (next === undefined || number < next.number) return <Status status="completed">{words.paid}</Status>;
    if (number === next.number) return <Status status="active">{words.next}</Status>;
    return <span className="type-small">{words.coming}</span>;
  };
  const columns: Column<Payment>[] = [
    {
      key: 'due',
      head: words.due,
      place: 'title',
      cell: row => <time dateTime={row.due}>{nameOfDay(row.due)}</time>,
      foot: words.total,
    },
    { key: 'status', head: words.status, place: 'detail', cell: statusOf },
    {
      key: 'interest',
      head: words.interest,
      align: 'end',
      cell: row => money(row.interest),
      foot: money(totals.interest),
    },
    {
      key: 'principal',
      head: words.principal,
      align: 'end',
      cell: row => money(row.principal),
      foot: money(totals.principal),
    },
    {
      key: 'total',
      head: words.payment,
      align: 'end',
      place: 'figure',
      cell: row => <Money dollars={centsToDollars(row.total)} />,
      foot: <span className="ruled ScheduleTable-total">{money(totals.total)}</span>,
    },
    { key: 'balance', head: words.balance, align: 'end', cell: row => money(row.balance) },
  ];
  return (
    <Table
      caption={loansMessages.schedule}
      columns={columns}
      rows={payments}
      rowKey={row => String(row.number)}
      stack="narrow"
      dense
    />
  );
}
