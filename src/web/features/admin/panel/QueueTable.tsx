/** A table of work that staff take and close with a note: alerts, and exceptions of the payment rail. */
import { useState } from 'react';
import { formatCount } from '#contract/count.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { ResultDialog } from '#web/bank/ResultDialog.tsx';
import { type CallError, isOutOfDate, isUncertain } from '#web/base/callError.ts';
import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Status, type StatusProps } from '#web/ui/Status.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { words } from '../words.ts';
import { actionsColumn } from './actionsColumn.ts';
import { staffRefusalText } from './actRefusalText.ts';
import { CellLines } from './CellLines.tsx';
import { Moment } from './Moment.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';
import { RowButton } from './RowButton.tsx';
import { useNextRow } from './useNextRow.ts';
import { useMay } from './useRole.ts';
import './QueueTable.css';

type Queued = {
  _id: string;
  at: string;
  assignedTo?: { _id: string; name: string } | undefined;
  note?: string | undefined;
};
type Answer = PromiseLike<{ data?: { message: string } | undefined; error?: unknown }>;

export type QueueTableProps<Row> = {
  caption: string;
  /** Columns before the age, the person and the buttons. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  loading: boolean;
  empty: { title: string; text: string };
  words: {
    loading: string;
    close: string;
    closeTitle: string;
    closeText: string;
    closeHint: string;
    failed: string;
  };
  /** Describes a row, for the accessible names of its buttons. */
  nameOf: (row: Row) => string;
  /** When and by whom a row was closed; undefined while it is open. */
  closedOf: (row: Row) => { at: string; by: string | undefined } | undefined;
  statusOf?: (row: Row) => StatusProps;
  /** The call of `onClose`. Roles that may not make it see no buttons. */
  call: Endpoint;
  onTake: (call: { params: { id: string } }) => Answer;
  onClose: (call: { params: { id: string }; body: { note: string } }) => Answer;
  /** Called with the bank's answer to an act. */
  onDone?: ((message: string) => void) | undefined;
};

export function QueueTable<Row extends Queued>(props: QueueTableProps<Row>) {
  const { caption, rows, empty, words: texts, nameOf, closedOf, statusOf, onDone } = props;
  const [closing, setClosing] = useState<Row>();
  // Shown in a dialog, because a message above the rows would move them under the pointer.
  const [failed, setFailed] = useState('');
  const refusal = useLastKnown(failed || undefined);
  const mayAct = useMay()(props.call);
  const own = useAppSelector(selectAdmin)?._id;
  const { place, decide } = useNextRow(rows, closing !== undefined || failed !== '');

  /** Resolves to the reason why the act failed. */
  const settle = async (id: string, answer: Answer) => {
    const { data, error } = await answer;
    // A refusal can also take the row out of the list: a colleague acted first.
    if (data || isOutOfDate(error) || isUncertain(error as CallError)) decide(id);
    if (!data) return staffRefusalText(error);
    setClosing(undefined);
    onDone?.(data.message);
    return undefined;
  };
  const take = async ({ _id: id }: Row) =>
    setFailed((await settle(id, props.onTake({ params: { id } }))) ?? '');
  const areClosed = rows.length > 0 && rows.every(row => closedOf(row) !== undefined);
  const columns: Column<Row>[] = [
    ...props.columns,
    {
      key: 'age',
      head: areClosed ? words.when : words.age,
      cell: row => (
        <CellLines>
          {!closedOf(row) && <span>{ageOf(row.at)}</span>}
          <Moment iso={closedOf(row)?.at ?? row.at} withTime />
        </CellLines>
      ),
    },
    {
      key: 'assigned',
      head: areClosed ? words.closedBy : words.assignedTo,
      cell: row => (
        <CellLines>
          {statusOf && (
            <span>
              <Status {...statusOf(row)} />
            </span>
          )}
          <span>{closedOf(row)?.by ?? row.assignedTo?.name ?? words.notAssigned}</span>
          {row.note && <span>{row.note}</span>}
        </CellLines>
      ),
    },
    actionsColumn(
      row =>
        mayAct &&
        !closedOf(row) && (
          <span className="QueueTable-acts">
            {row.assignedTo?._id !== own && (
              <RowButton name={`${words.assignToMe}: ${nameOf(row)}`} onPress={() => take(row)}>
                {words.assignToMe}
              </RowButton>
            )}
            <RowButton name={`${texts.close}: ${nameOf(row)}`} onPress={() => setClosing(row)}>
              {texts.close}
            </RowButton>
          </span>
        ),
    ),
  ];
  return (
    <>
      <div ref={place}>
        <Table
          caption={caption}
          columns={columns}
          rows={rows}
          rowKey={row => row._id}
          loading={props.loading}
          loadingLabel={texts.loading}
          empty={
            <EmptyState title={empty.title} level={2}>
              {empty.text}
            </EmptyState>
          }
        />
      </div>
      <ResultDialog
        open={failed !== ''}
        onClose={() => setFailed('')}
        kind="error"
        title={texts.failed}
        message={refusal}
      />
      <ReasonDialog
        open={closing !== undefined}
        title={texts.closeTitle}
        hint={texts.closeHint}
        confirmLabel={texts.close}
        onConfirm={note =>
          settle(closing!._id, props.onClose({ params: { id: closing!._id }, body: { note } }))
        }
        onClose={() => setClosing(undefined)}
      >
        {texts.closeText}
      </ReasonDialog>
    </>
  );
}

/** How long ago: '5 min', '3 h', '2 days'. */
function ageOf(at: string): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(at)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${formatCount(Math.floor(hours / 24))} days`;
}
