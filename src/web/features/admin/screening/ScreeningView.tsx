/** The customers who resemble an entry of the sanctions list, the oldest match first. */
import { type ReactNode, useRef, useState } from 'react';
import * as screeningMessages from '#contract/messages/screening.ts';
import { hitStates, type ScreeningHit } from '#contract/screening.ts';
import { AccountNumber } from '#web/bank/AccountNumber.tsx';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Status, type StatusKind } from '#web/ui/Status.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { actionsColumn } from '../panel/actionsColumn.ts';
import { CustomerName } from '../panel/CustomerName.tsx';
import { DecidedCustomer } from '../panel/DecidedCustomer.tsx';
import { DoneLine } from '../panel/DoneLine.tsx';
import { Moment } from '../panel/Moment.tsx';
import { PagedTable } from '../panel/PagedTable.tsx';
import { RowButton } from '../panel/RowButton.tsx';
import { useNextRow } from '../panel/useNextRow.ts';
import { useShownList } from '../panel/useShownList.ts';
import { ViewFilter } from '../panel/ViewFilter.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { words as panelWords } from '../words.ts';
import { HitDialog } from './HitDialog.tsx';
import { openHits, useScreeningQuery } from './screeningCalls.ts';
import { describeList, listedName, screeningWords as words } from './screeningWords.ts';
import './ScreeningView.css';

const statusOf: Record<Exclude<ScreeningHit['state'], 'outdated'>, StatusKind> = {
  open: 'pending',
  match: 'fault',
  'no-match': 'completed',
};

const noRows: readonly ScreeningHit[] = [];
const lists = [...hitStates, 'all'] as const;

export function ScreeningView({ menu }: ViewProps) {
  const { shown, page, show, showPage } = useShownList('screening', 'state', lists);
  const list = useScreeningQuery(
    shown === 'open' && page === 1 ? openHits : { query: { page, ...(shown !== 'all' && { state: shown }) } },
    pollingOptions,
  );
  const { data } = list;
  const [opened, setOpened] = useState<ScreeningHit>();
  const [done, setDone] = useState<ReactNode>();
  const line = useRef<HTMLParagraphElement>(null);
  const rows = data?.hits ?? noRows;
  const { place, decide } = useNextRow(rows, opened !== undefined, line);

  return (
    <>
      <ViewHead menu={menu} title={screeningMessages.screening}>
        <DoneLine ref={line} text={done} />
        <ViewFilter
          label={words.state}
          value={shown}
          onChange={show}
          lists={lists}
          names={{ ...screeningMessages.states, all: words.allStates }}
        />
      </ViewHead>
      {data?.list && <p className="type-note ScreeningView-about">{describeList(data.list)}</p>}
      <PagedTable
        label={screeningMessages.screening}
        list={list}
        page={page}
        onPage={showPage}
        countOf={data => data.totalHits}
        footer={words.footer}
        place={place}
        columns={columns(setOpened)}
        rows={rows}
        loadingLabel={words.loading}
        none={
          data?.list?.entries
            ? { title: shown === 'open' ? words.none : words.noneAtAll, text: words.noneText[shown] }
            : words.noList
        }
      />
      <HitDialog
        hit={opened}
        onDecided={message => {
          if (!opened) return;
          const { _id: id, fullName } = opened.customer;
          setDone(
            <DecidedCustomer id={id} name={fullName}>
              {message}
            </DecidedCustomer>,
          );
          decide(opened._id);
          setOpened(undefined);
        }}
        onClose={() => setOpened(undefined)}
      />
    </>
  );
}

const columns = (onOpen: (hit: ScreeningHit) => void): Column<ScreeningHit>[] => [
  {
    key: 'customer',
    head: words.customer,
    place: 'title',
    cell: row => <CustomerName {...row.customer} />,
  },
  {
    key: 'account',
    head: panelWords.accountNumber,
    cell: row => <AccountNumber small value={row.customer.accountNumber} />,
  },
  { key: 'listed', head: words.listed, cell: row => listedName(row.listed) },
  { key: 'program', head: words.program, cell: row => row.listed.program || panelWords.none },
  { key: 'score', head: words.similarity, align: 'end', cell: row => `${row.score}%` },
  {
    key: 'found',
    head: words.found,
    cell: row => <Moment small iso={row.foundAt} />,
  },
  {
    key: 'state',
    head: words.state,
    cell: row => {
      const text = screeningMessages.states[row.state];
      return row.state === 'outdated' ? text : <Status status={statusOf[row.state]}>{text}</Status>;
    },
  },
  actionsColumn(row => (
    <RowButton name={words.openOf(row.customer.fullName)} onPress={() => onOpen(row)}>
      {words.open}
    </RowButton>
  )),
];
