/** A table of work that staff take and close with a note: alerts, and exceptions of the payment rail. */
import { useState } from 'react';
import { formatCount } from '#contract/count.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { fill } from '#contract/messages/fill.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { ResultDialog } from '#web/bank/ResultDialog.tsx';
import { isOutOfDate } from '#web/base/callError.ts';
import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Status, type StatusProps } from '#web/ui/Status.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { words } from '../words.ts';
import { actionsColumn } from './actionsColumn.ts';
import { type Failure, failureOf, isUnknown, takenBy } from './actRefusalText.ts';
import { CellLines } from './CellLines.tsx';
import { Moment } from './Moment.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';
import { RowButton } from './RowButton.tsx';
import { useNextRow } from './useNextRow.ts';
import { useMay } from './useRole.ts';
import './QueueTable.css';

type Member = { _id: string; name: string };
type Queued = {
  _id: string;
  at: string;
  assignedTo?: Member | undefined;
  note?: string | undefined;
};
type Answer = PromiseLike<{ data?: { message: string } | undefined; error?: unknown }>;
type Act = (call: { params: { id: string }; body?: { takenFrom: string } }) => Answer;

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
    closeConfirm: string;
    closeTitle: string;
    closeText: string;
    closeHint: string;
    /** Said if a row has left the list after the answer to closing it was lost. */
    left: string;
    failed: string;
  };
  /** Describes a row, for the accessible names of its buttons. */
  nameOf: (row: Row) => string;
  /** An additional sentence of the dialog that closes a row, before `words.closeText`. */
  noteOf?: (row: Row) => string | undefined;
  /** When and by whom a row was closed; undefined while it is open. */
  closedOf: (row: Row) => { at: string; by: string | undefined } | undefined;
  statusOf?: (row: Row) => StatusProps;
  /** The call of `onClose`. Roles that may not make it see no buttons. */
  call: Endpoint;
  onTake: Act;
  /** One more act, on the rows for which `isFor` is true. `onceClosed`: what closing such a row means for the act. */
  act?: { name: string; isFor: (row: Row) => boolean; run: Act; onceClosed: string };
  onClose: (call: { params: { id: string }; body: { note: string; takenFrom?: string } }) => Answer;
  /** Called with the bank's answer to an act. */
  onDone?: ((message: string) => void) | undefined;
};

export function QueueTable<Row extends Queued>(props: QueueTableProps<Row>) {
  const { caption, rows, empty, words: texts, nameOf, closedOf, statusOf, act, onDone } = props;
  const [closing, setClosing] = useState<Row>();
  const shownClosing = useLastKnown(closing);
  const note = shownClosing && props.noteOf?.(shownClosing);
  /** Who closed the row, or has it now. The bank itself closes rows too. */
  const personOf = (row: Row) => {
    const closed = closedOf(row);
    return closed ? (closed.by ?? transactionsMessages.system) : (row.assignedTo?.name ?? words.notAssigned);
  };
  /** The row whose last closing was not answered. */
  const [unsure, setUnsure] = useState<string>();
  const hasLeft =
    closing !== undefined &&
    closing._id === unsure &&
    !rows.some(row => row._id === unsure && closedOf(row) === undefined);
  // Shown in a dialog, because a message above the rows would move them under the pointer.
  const [failed, setFailed] = useState<Failure>();
  const refusal = useLastKnown(failed);
  /** A row that a colleague took first. */
  const [taken, setTaken] = useState<{ row: Row; owner: Member; run: Act }>();
  const shownTaken = useLastKnown(taken);
  const [isSending, setSending] = useState(false);
  const isActing = act !== undefined && shownTaken?.run === act.run;
  const mayAct = useMay()(props.call);
  const own = useAppSelector(selectAdmin)?._id;
  const { place, decide } = useNextRow(
    rows,
    closing !== undefined || failed !== undefined || taken !== undefined,
  );

  /** Shows what an answer means: closes the dialog and moves the focus on. Returns the reason if the act failed. */
  const settle = (id: string, { data, error }: Awaited<Answer>) => {
    // The row can leave the list even after an error: a colleague acted first, or the act took effect and its answer was lost.
    if (data || isOutOfDate(error) || isUnknown(error)) decide(id);
    if (!data) {
      // The message of an earlier act must not stand beside the failure of this one.
      onDone?.('');
      return failureOf(error);
    }
    setClosing(undefined);
    onDone?.(data.message);
    return undefined;
  };
  const send = async (run: Act, row: Row, from = row.assignedTo?._id) => {
    const { _id: id } = row;
    const answer = await run({ params: { id }, ...(from && { body: { takenFrom: from } }) });
    const owner = takenBy(answer.error);
    setTaken(owner && { row, owner, run });
    const refused = settle(id, answer);
    setFailed(owner ? undefined : refused);
  };
  const openClosing = (row: Row) => {
    setUnsure(undefined);
    setClosing(row);
  };
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
          <span>{personOf(row)}</span>
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
              <RowButton
                name={`${row.assignedTo ? words.takeFrom(row.assignedTo.name) : words.assignToMe}: ${nameOf(row)}`}
                onPress={() => send(props.onTake, row)}
              >
                {row.assignedTo ? words.takeOver : words.assignToMe}
              </RowButton>
            )}
            {act?.isFor(row) && (
              <RowButton name={`${act.name}: ${nameOf(row)}`} onPress={() => send(act.run, row)}>
                {act.name}
              </RowButton>
            )}
            <RowButton name={`${texts.close}: ${nameOf(row)}`} onPress={() => openClosing(row)}>
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
        open={failed !== undefined}
        onClose={() => setFailed(undefined)}
        kind={refusal?.isUnknown ? 'warning' : 'error'}
        title={refusal?.isUnknown ? words.unknown : texts.failed}
        message={refusal?.text}
      />
      <ResultDialog
        open={taken !== undefined}
        onClose={() => setTaken(undefined)}
        kind="pending"
        title={words.taken}
        message={
          shownTaken &&
          fill(isActing ? staffMessages.takenButPressAgain : staffMessages.takenBy, {
            name: shownTaken.owner.name,
          })
        }
        action={
          shownTaken && (
            <Button
              kind="text"
              wide
              busy={isSending}
              onClick={async () => {
                setSending(true);
                await send(shownTaken.run, shownTaken.row, shownTaken.owner._id);
                setSending(false);
              }}
            >
              {isActing ? act!.name : words.takeFrom(shownTaken.owner.name)}
            </Button>
          )
        }
      />
      <ReasonDialog
        open={closing !== undefined}
        title={texts.closeTitle}
        hint={texts.closeHint}
        confirmLabel={texts.closeConfirm}
        over={hasLeft && texts.left}
        onConfirm={async note => {
          const { _id: id, assignedTo } = closing!;
          const body = { note, ...(assignedTo && { takenFrom: assignedTo._id }) };
          const answer = await props.onClose({ params: { id }, body });
          const owner = takenBy(answer.error);
          // The dialog now names the colleague, so the next press closes the colleague's row.
          if (owner) setClosing({ ...closing!, assignedTo: owner });
          const failure = settle(id, answer);
          setUnsure(failure?.isUnknown ? id : undefined);
          // A colleague closed the row first, or an earlier press did and its answer was lost.
          return failure && { ...failure, isOver: !owner && isOutOfDate(answer.error) };
        }}
        onClose={() => setClosing(undefined)}
        facts={shownClosing && <b>{nameOf(shownClosing)}</b>}
      >
        {note && <p>{note}</p>}
        <p>
          {texts.closeText}
          {act && shownClosing && act.isFor(shownClosing) && ` ${act.onceClosed}`}
        </p>
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
