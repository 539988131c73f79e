/** Lines of incoming files that were not applied, and the acts on those that wait. */
import { useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as railMessages from '#contract/messages/rail.ts';
import { type RailException, railApi } from '#contract/rail.ts';
import { Money } from '#web/bank/Money.tsx';
import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Link } from '#web/router/Link.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { pollingOptions } from '../adminCalls.ts';
import { ageOf } from '../alerts/alertWords.ts';
import { staffRefusalText } from '../panel/actRefusalText.ts';
import { Moment } from '../panel/Moment.tsx';
import { PagedPanel } from '../panel/PagedPanel.tsx';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { RowButton } from '../panel/RowButton.tsx';
import { useMay } from '../panel/useRole.ts';
import { transactionAddress } from '../panel/viewAddress.ts';
import { words as panelWords } from '../words.ts';
import {
  openExceptions,
  useAssignRailExceptionMutation,
  useRailExceptionsQuery,
  useResolveRailExceptionMutation,
} from './railCalls.ts';
import { railWords as words } from './railWords.ts';
import './RailExceptions.css';

export type RailExceptionsProps = {
  list: 'open' | 'resolved';
  page: number;
  onPage: (page: number) => void;
  /** Called with the bank's answer to an act. */
  onDone: (message: string) => void;
};

export function RailExceptions({ list, page, onPage, onDone }: RailExceptionsProps) {
  const query = useRailExceptionsQuery(
    list === 'open' && page === 1 ? openExceptions : { query: { list, page } },
    pollingOptions,
  );
  const { data, currentData, isFetching } = query;
  const [assign] = useAssignRailExceptionMutation();
  const [resolve] = useResolveRailExceptionMutation();
  const [resolving, setResolving] = useState<RailException>();
  const [failed, setFailed] = useState('');
  const may = useMay();
  const own = useAppSelector(selectAdmin)?._id;

  const take = async ({ _id: id }: RailException) => {
    setFailed('');
    const answer = await assign({ params: { id } });
    if (answer.data) onDone(answer.data.message);
    else setFailed(staffRefusalText(answer.error, errorMessages.fault));
  };
  const actions: Column<RailException> = {
    key: 'acts',
    head: panelWords.actions,
    hideHead: true,
    align: 'end',
    place: 'actions',
    cell: row => {
      if (row.resolvedAt || !may(railApi.resolveRailException)) return null;
      const what = railMessages.exceptionReasons[row.reason];
      return (
        <span className="RailExceptions-acts">
          {row.assignedTo?._id !== own && (
            <RowButton name={words.takeNamed(what)} onPress={() => take(row)}>
              {words.take}
            </RowButton>
          )}
          <RowButton name={words.resolveNamed(what)} onPress={() => setResolving(row)}>
            {words.resolve}
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
          className="RailExceptions-failed"
          title={words.failed}
          dismiss={{ label: appMessages.dismiss, onPress: () => setFailed('') }}
        >
          {failed}
        </Banner>
      )}
      <PagedPanel
        label={words.lists[list]}
        list={query}
        page={page}
        onPage={onPage}
        countOf={data => data.totalExceptions}
        footer={words.footer.exceptions}
      >
        <Table
          caption={words.lists[list]}
          columns={[...columns, actions]}
          rows={data?.exceptions ?? []}
          rowKey={row => row._id}
          loading={isFetching && !currentData}
          loadingLabel={words.loading}
          empty={
            <EmptyState title={words.none[list]} level={2}>
              {words.noneText[list]}
            </EmptyState>
          }
        />
      </PagedPanel>
      <ReasonDialog
        open={resolving !== undefined}
        title={words.resolveTitle}
        hint={words.resolveHint}
        confirmLabel={words.resolve}
        onConfirm={async note => {
          const answer = await resolve({ params: { id: resolving!._id }, body: { note } });
          if (!answer.data) return staffRefusalText(answer.error, errorMessages.fault);
          setResolving(undefined);
          onDone(answer.data.message);
          return undefined;
        }}
        onClose={() => setResolving(undefined)}
      >
        {words.resolveText}
      </ReasonDialog>
    </>
  );
}

/** What the line says of the payment, as far as it does. */
function detailsOf({ kind, keys, accountNumber, partyName, code, text }: RailException): string[] {
  const said = [code, text].filter(Boolean).join(' ');
  return [
    words.kinds[kind] ?? kind,
    partyName,
    accountNumber && words.account(accountNumber),
    said,
    keys[0] ? words.id(keys[0]) : '',
  ].filter(Boolean);
}

const columns: Column<RailException>[] = [
  {
    key: 'what',
    head: words.what,
    place: 'title',
    cell: row => (
      <span className="RailExceptions-what">
        <b>{railMessages.exceptionReasons[row.reason]}</b>
        <span>{words.where(row.file, row.line)}</span>
        {row.transaction && (
          <Link className="link num" to={transactionAddress(row.transaction._id)}>
            {row.transaction.reference}
          </Link>
        )}
      </span>
    ),
  },
  {
    key: 'details',
    head: words.details,
    cell: row => (
      <span className="RailExceptions-what">
        {detailsOf(row).map(text => (
          <span key={text}>{text}</span>
        ))}
      </span>
    ),
  },
  {
    key: 'age',
    head: words.age,
    cell: ({ at, resolvedAt }) => (
      <span className="type-small">
        {!resolvedAt && <span className="RailExceptions-age">{ageOf(at)}</span>}
        <Moment iso={resolvedAt ?? at} withTime />
      </span>
    ),
  },
  {
    key: 'owner',
    head: words.owner,
    cell: ({ assignedTo, resolvedBy, note }) => (
      <span className="RailExceptions-what">
        <span>{resolvedBy ?? assignedTo?.name ?? words.noOwner}</span>
        {note && <span>{note}</span>}
      </span>
    ),
  },
  {
    key: 'amount',
    head: words.amount,
    align: 'end',
    place: 'figure',
    cell: ({ amount, currency }) =>
      currency === 'USD' ? <Money dollars={amount} /> : `${amount} ${currency}`,
  },
];
