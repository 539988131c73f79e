/** A table of alerts with their figures, and the acts on those that are not closed. */
import { type Alert, alertsApi } from '#contract/alerts.ts';
import * as alertsMessages from '#contract/messages/alerts.ts';
import { Link } from '#web/router/Link.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { CellLines } from '../panel/CellLines.tsx';
import { QueueTable, type QueueTableProps } from '../panel/QueueTable.tsx';
import { customerPageAddress, transactionAddress } from '../panel/viewAddress.ts';
import { words as panelWords } from '../words.ts';
import { useAssignAlertMutation, useCloseAlertMutation } from './alertsCalls.ts';
import { figuresOf, statuses, alertWords as words } from './alertWords.ts';

export type AlertTableProps = Pick<QueueTableProps<Alert>, 'rows' | 'loading' | 'empty' | 'onDone'> & {
  /** Whether the table is on a customer's page, where it does not repeat the name. */
  ofCustomer?: boolean;
};

export function AlertTable({ ofCustomer, ...rest }: AlertTableProps) {
  const [assign] = useAssignAlertMutation();
  const [close] = useCloseAlertMutation();
  return (
    <QueueTable
      caption={alertsMessages.alerts}
      columns={columns.filter(({ key }) => !ofCustomer || key !== 'customer')}
      words={words}
      nameOf={({ rule, customer }) => [alertsMessages.rules[rule], customer?.name].filter(Boolean).join(', ')}
      closedOf={({ closedAt: at, closedBy }) => (at === undefined ? undefined : { at, by: closedBy?.name })}
      statusOf={({ status }) => ({ status: statuses[status], children: alertsMessages.states[status] })}
      call={alertsApi.closeAlert}
      onTake={assign}
      onClose={close}
      {...rest}
    />
  );
}

const columns: Column<Alert>[] = [
  {
    key: 'what',
    head: words.what,
    place: 'title',
    cell: alert => (
      <CellLines>
        <b>{alertsMessages.rules[alert.rule]}</b>
        <span>{figuresOf(alert)}</span>
        {alert.transactionId && (
          <Link className="link" to={transactionAddress(alert.transactionId)}>
            {panelWords.viewTransaction}
          </Link>
        )}
      </CellLines>
    ),
  },
  {
    key: 'customer',
    head: words.customer,
    cell: ({ customer }) => (
      <CellLines>
        {customer ? (
          <Link className="link" to={customerPageAddress(customer._id)}>
            {customer.name}
          </Link>
        ) : (
          words.many
        )}
      </CellLines>
    ),
  },
];
