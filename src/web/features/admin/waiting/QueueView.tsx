/**
 * A queue of customers who each wait for one decision: paged, searched, sorted. A decided customer leaves the list when it
 * is reloaded; the focus then moves to the row that takes its place, so that the next customer is a key press away.
 */

import { type ReactNode, useRef, useState } from 'react';
import { adminApi } from '#contract/admin.ts';
import { formatCount } from '#contract/count.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { queueLists, queueSorts, type WaitingCustomer } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { PrintedFilters } from '#web/bank/PrintedFilters.tsx';
import { pagerTexts } from '#web/bank/pagerTexts.ts';
import { ResultDialog } from '#web/bank/ResultDialog.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import { useLastPage } from '#web/bank/useLastPage.ts';
import { isOutOfDate } from '#web/base/callError.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Pager } from '#web/ui/Pager.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { SelectField } from '#web/ui/SelectField.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import type { useApprovalQueueQuery } from '../adminCalls.ts';
import { actionsColumn } from '../panel/actionsColumn.ts';
import { applicationRefusalText, isUnknown } from '../panel/actRefusalText.ts';
import { CustomerName } from '../panel/CustomerName.tsx';
import { DecidedCustomer } from '../panel/DecidedCustomer.tsx';
import { DoneLine } from '../panel/DoneLine.tsx';
import { EmailText } from '../panel/EmailText.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { RowButton } from '../panel/RowButton.tsx';
import { useNextRow } from '../panel/useNextRow.ts';
import { usePagedSearch } from '../panel/usePagedSearch.ts';
import { useMay } from '../panel/useRole.ts';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { words } from '../words.ts';
import { ApplicationReview, type Decision } from './ApplicationReview.tsx';
import { BulkApproval } from './BulkApproval.tsx';
import './QueueView.css';

export type QueueViewProps = ViewProps & {
  /** The view's key in the URL. */
  view: string;
  title: string;
  useQueue: typeof useApprovalQueueQuery;
  /** Columns between the email and the buttons. */
  columns: readonly Column<WaitingCustomer>[];
  /** The decision that takes a customer out of this queue. */
  decision: Decision;
  /** The buttons of a row. `review` opens everything that the decision needs. */
  buttons: readonly {
    label: string;
    describe: (name: string) => string;
    /** Why the button is off for a customer; undefined if it is on. */
    waitsFor?: (customer: WaitingCustomer) => string | undefined;
    /** Whether a customer's row has the button; by default, every row has it. */
    isFor?: (customer: WaitingCustomer) => boolean;
    does: 'review' | 'decide';
    /** The call that the button makes. */
    call: Endpoint;
  }[];
  /** Several viewed applications can be selected and approved with one press. */
  inBulk?: boolean;
  /** What a button that decides does. Only for a row without a request for a document. */
  decide?: (id: string) => Promise<{ data?: { message: string } | undefined; error?: unknown }>;
  failed: (name: string) => string;
  /** Says that the result of the decision is unknown. */
  unknown: (name: string) => string;
  loadingLabel: string;
  none: { title: string; text: string };
};

/** The review shows a warning that the row has no room for. */
const needsReview = ({ isIdRequested, isProvenByReset }: WaitingCustomer) =>
  isIdRequested === true || isProvenByReset === true;

export function QueueView(props: QueueViewProps) {
  const { menu, view, title, useQueue, decision, buttons, decide, none } = props;
  const [address] = useSearchParams();
  const sort = queueSorts.find(name => name === address.get('sort')) ?? 'oldest';
  const shown = queueLists.find(name => name === address.get('list')) ?? 'all';
  const parts = (chosen: { sort: string; list: string }) =>
    Object.entries(chosen).filter(([, value]) => value !== 'oldest' && value !== 'all');
  const paged = usePagedSearch(view, parts({ sort, list: shown }));
  const { page, search } = paged.settled;
  const isFirst = page === 1 && search === '' && sort === 'oldest' && shown === 'all';
  const query = {
    page,
    ...(search && { search }),
    ...(sort !== 'oldest' && { sort }),
    ...(shown !== 'all' && { list: shown }),
  };
  const list = useQueue(isFirst ? undefined : { query }, pollingOptions);
  const { data, currentData, isFetching, error } = list;
  const lastPage = useLastPage(paged, { totalPages: data?.totalPages, isFetching });
  const rows = data?.customers ?? [];
  // `ready` counts the whole queue, so the footer does not use it while the result of a search is shown.
  const isSplit = decision === 'verify' && search === '' && currentData !== undefined;
  const footer = isSplit ? words.verificationFooter : words.queueFooter;

  const choice = {
    label: words.queueList,
    value: shown,
    options: queueLists.map(value => ({ value, label: adminMessages.queueLists[value] })),
  };

  const may = useMay();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const viewed = rows.filter(row => props.inBulk && row.isViewed && may(adminApi.approve));
  const canSelect = (row: WaitingCustomer) => viewed.includes(row) && !needsReview(row) && !row.screening;
  const hasPicks = rows.some(canSelect);
  const toggle = (id: string, isOn: boolean) =>
    setSelected(before => new Set(isOn ? [...before, id] : [...before].filter(other => other !== id)));
  const [done, setDone] = useState<ReactNode>();
  // Shown in a dialog: a message above the list would move another customer's button under the pointer.
  const [failed, setFailed] = useState<{ name: string; error: unknown }>();
  const refused = useLastKnown(failed);
  const [reviewed, setReviewed] = useState<WaitingCustomer>();
  const line = useRef<HTMLParagraphElement>(null);
  const { place, decide: leave } = useNextRow(rows, reviewed !== undefined || failed !== undefined, line);

  const settle = (customer: WaitingCustomer, message: string, isErased = false) => {
    leave(customer._id);
    setFailed(undefined);
    // Show the bank's answer: a colleague may have acted first.
    setDone(
      <DecidedCustomer id={isErased ? undefined : customer._id} name={nameOf(customer) ?? ''}>
        {message}
      </DecidedCustomer>,
    );
  };
  const press = async (customer: WaitingCustomer) => {
    setFailed(undefined);
    const answer = await decide!(customer._id);
    if (answer.data) settle(customer, answer.data.message);
    else {
      const { error } = answer;
      // The customer may have left the list: a colleague acted first, or only the answer was lost.
      if (isOutOfDate(error) || isUnknown(error)) leave(customer._id);
      setFailed({ name: nameOf(customer) ?? '', error });
    }
  };

  const columns: Column<WaitingCustomer>[] = [
    {
      key: 'name',
      head: words.name,
      place: 'title',
      cell: row => (
        <span className="QueueView-name">
          {canSelect(row) ? (
            <label className="QueueView-pick screen-only">
              <input
                type="checkbox"
                aria-label={words.select(nameOf(row) ?? '')}
                checked={selected.has(row._id)}
                onChange={event => toggle(row._id, event.target.checked)}
              />
            </label>
          ) : (
            hasPicks && <span className="QueueView-pick screen-only" />
          )}
          <CustomerName {...row} src={row.avatar.url} roomy />
        </span>
      ),
    },
    { key: 'email', head: words.email, place: 'detail', cell: row => <EmailText value={row.email} roomy /> },
    ...props.columns,
    actionsColumn(row =>
      buttons
        .filter(({ call, isFor }) => may(call) && (!isFor || isFor(row)))
        .map(({ label, describe, waitsFor, does }) => (
          <RowButton
            key={label}
            name={describe(nameOf(row) ?? '')}
            waitsFor={waitsFor?.(row)}
            onPress={() => (does === 'review' || needsReview(row) ? setReviewed(row) : press(row))}
          >
            {label}
          </RowButton>
        )),
    ),
  ];

  return (
    <>
      <ViewHead menu={menu} title={title}>
        <DoneLine ref={line} text={done} />
      </ViewHead>
      <search className="QueueView-bar screen-only">
        <TextField
          label={words.searchWaiting}
          hideLabel
          icon="search"
          type="search"
          autoComplete="off"
          placeholder={words.searchWaiting}
          value={paged.search}
          onChange={paged.setSearch}
        />
        <SelectField
          label={words.sort}
          hideLabel
          value={sort}
          onChange={next => paged.replace(1, parts({ sort: next, list: shown }))}
          options={queueSorts.map(value => ({ value, label: adminMessages.queueSorts[value] }))}
        />
        <SelectField hideLabel onChange={next => paged.replace(1, parts({ sort, list: next }))} {...choice} />
      </search>
      <PrintedFilters search={paged.search} choices={[choice]} />
      {error && rows.length === 0 ? (
        <ListFailed error={error} onRetry={list.refetch} />
      ) : (
        <div ref={place}>
          {props.inBulk && may(adminApi.approve) && (
            <BulkApproval
              selectable={viewed.filter(canSelect)}
              apart={viewed.filter(row => !canSelect(row)).length}
              selected={rows.filter(row => canSelect(row) && selected.has(row._id))}
              waiting={isFirst && !isFetching && data?.totalPages === 1 ? data.customers : undefined}
              readAt={list.fulfilledTimeStamp}
              hasRows={rows.length > 0}
              onSelect={ids =>
                setSelected(before => {
                  const others = [...before].filter(id => rows.every(row => row._id !== id));
                  return new Set([...others, ...ids]);
                })
              }
            />
          )}
          <Panel pad={false} label={title}>
            <Table
              caption={title}
              columns={columns}
              rows={rows}
              rowKey={row => row._id}
              loading={isFetching && !currentData}
              loadingLabel={props.loadingLabel}
              loadingRows={10}
              empty={
                <EmptyState title={search || shown !== 'all' ? words.noneWaiting : none.title} level={2}>
                  {search ? words.noUsersText : shown === 'all' && none.text}
                </EmptyState>
              }
            />
          </Panel>
        </div>
      )}
      {data && (
        <Pager
          texts={pagerTexts}
          jump
          page={Math.min(paged.page, lastPage)}
          pageCount={lastPage}
          onPage={paged.showPage}
          text={footer(
            formatCount(Math.min(paged.page, lastPage)),
            formatCount(lastPage),
            formatCount(isSplit ? data.ready : data.totalCustomers),
            formatCount(data.totalCustomers - data.ready),
          )}
        />
      )}
      <ResultDialog
        open={failed !== undefined}
        onClose={() => setFailed(undefined)}
        {...(refused && isUnknown(refused.error)
          ? {
              kind: 'warning',
              title: words.unknown,
              message: props.unknown(refused.name),
              subtitle: words.stillListed(refused.name),
            }
          : {
              kind: 'error',
              title: props.failed(refused?.name ?? ''),
              message: refused && applicationRefusalText(refused.error),
            })}
      />
      <ApplicationReview
        customer={reviewed}
        decision={decision}
        onDecided={(message, isErased) => {
          if (reviewed) settle(reviewed, message, isErased);
          setReviewed(undefined);
        }}
        onClose={() => {
          setReviewed(undefined);
          // The customer may have been deleted, so read the list again.
          void list.refetch();
        }}
      />
    </>
  );
}
