/** A table of alerts with their figures, age and owner, and the acts on those that are not closed. */
import { useState } from 'react';
import { type Alert, alertsApi } from '#contract/alerts.ts';
import * as alertsMessages from '#contract/messages/alerts.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Link } from '#web/router/Link.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Status } from '#web/ui/Status.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { staffRefusalText } from '../panel/actRefusalText.ts';
import { Moment } from '../panel/Moment.tsx';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { RowButton } from '../panel/RowButton.tsx';
import { useMay } from '../panel/useRole.ts';
import { customerPageAddress, transactionAddress } from '../panel/viewAddress.ts';
import { words as panelWords } from '../words.ts';
import { useAssignAlertMutation, useCloseAlertMutation } from './alertsCalls.ts';
import { ageOf, figuresOf, statuses, alertWords as words } from './alertWords.ts';
import './AlertTable.css';

export type AlertTableProps = {
  alerts: readonly Alert[];
  loading: boolean;
  /** On the page of a customer, whose name is not repeated. */
  ofCustomer?: boolean;
  empty: { title: string; text: string };
  /** Called with the bank's answer to an act. */
  onDone?: (message: string) => void;
};

export function AlertTable({ alerts, loading, ofCustomer, empty, onDone }: AlertTableProps) {
  const [assign] = useAssignAlertMutation();
  const [close] = useCloseAlertMutation();
  const [closing, setClosing] = useState<Alert>();
  const [failed, setFailed] = useState('');
  const may = useMay();
  const own = useAppSelector(selectAdmin)?._id;

  const take = async ({ _id: id }: Alert) => {
    setFailed('');
    const answer = await assign({ params: { id } });
    if (answer.data) onDone?.(answer.data.message);
    else setFailed(staffRefusalText(answer.error, errorMessages.fault));
  };
  const actions: Column<Alert> = {
    key: 'acts',
    head: panelWords.actions,
    hideHead: true,
    align: 'end',
    place: 'actions',
    cell: alert => {
      if (alert.status === 'closed' || !may(alertsApi.closeAlert)) return null;
      const what = [alertsMessages.rules[alert.rule], alert.customer?.name].filter(Boolean).join(', ');
      return (
        <span className="AlertTable-acts">
          {alert.assignedTo?._id !== own && (
            <RowButton name={words.takeNamed(what)} onPress={() => take(alert)}>
              {words.take}
            </RowButton>
          )}
          <RowButton name={words.closeNamed(what)} onPress={() => setClosing(alert)}>
            {words.close}
          </RowButton>
        </span>
      );
    },
  };
  return (
    <>
      {failed && (
        <Banner
          kind="error"
          className="AlertTable-failed"
          title={words.failed}
          dismiss={{ label: appMessages.dismiss, onPress: () => setFailed('') }}
        >
          {failed}
        </Banner>
      )}
      <Table
        caption={alertsMessages.alerts}
        columns={[...columns.filter(({ key }) => !ofCustomer || key !== 'customer'), actions]}
        rows={alerts}
        rowKey={alert => alert._id}
        loading={loading}
        loadingLabel={words.loading}
        empty={
          <EmptyState title={empty.title} level={2}>
            {empty.text}
          </EmptyState>
        }
      />
      <ReasonDialog
        open={closing !== undefined}
        title={words.closeTitle}
        hint={words.closeHint}
        confirmLabel={words.close}
        onConfirm={async note => {
          const answer = await close({ params: { id: closing!._id }, body: { note } });
          if (!answer.data) return staffRefusalText(answer.error, errorMessages.fault);
          setClosing(undefined);
          onDone?.(answer.data.message);
          return undefined;
        }}
        onClose={() => setClosing(undefined)}
      >
        {words.closeText}
      </ReasonDialog>
    </>
  );
}

const columns: Column<Alert>[] = [
  {
    key: 'what',
    head: words.what,
    place: 'title',
    cell: alert => (
      <span className="AlertTable-what">
        <b>{alertsMessages.rules[alert.rule]}</b>
        <span>{figuresOf(alert)}</span>
        {alert.transactionId && (
          <Link className="link" to={transactionAddress(alert.transactionId)}>
            {words.viewTransaction}
          </Link>
        )}
      </span>
    ),
  },
  {
    key: 'customer',
    head: words.customer,
    cell: ({ customer }) =>
      customer ? (
        <Link className="link AlertTable-customer" to={customerPageAddress(customer._id)}>
          {customer.name}
        </Link>
      ) : (
        words.many
      ),
  },
  {
    key: 'age',
    head: words.age,
    cell: ({ at, status }) => (
      <span className="type-small">
        {status !== 'closed' && <span className="AlertTable-age">{ageOf(at)}</span>}
        <Moment iso={at} withTime />
      </span>
    ),
  },
  {
    key: 'owner',
    head: words.owner,
    cell: ({ status, assignedTo, closedBy, note }) => (
      <span className="AlertTable-owner">
        <span>
          <Status status={statuses[status]}>{alertsMessages.states[status]}</Status>
        </span>
        <span>{(closedBy ?? assignedTo)?.name ?? words.noOwner}</span>
        {note && <span className="AlertTable-note">{note}</span>}
      </span>
    ),
  },
];
