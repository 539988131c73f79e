/** The messages of the contact page: those that wait, or another list. A message opens over the list. */

import { calendarDay, nameOfDay } from '#contract/bankTime.ts';
import { type ListedMessage, messageLists, otherLoggedIn } from '#contract/contactQueue.ts';
import { formatCount } from '#contract/count.ts';
import * as contactMessages from '#contract/messages/contact.ts';
import { fromRow } from '#web/bank/openedRow.ts';
import { PrintedFilters } from '#web/bank/PrintedFilters.tsx';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { Segmented } from '#web/ui/Segmented.tsx';
import { Status } from '#web/ui/Status.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { useMessagesQuery, waitingMessages } from '../deskCalls.ts';
import { CellLines } from '../panel/CellLines.tsx';
import { EmailText } from '../panel/EmailText.tsx';
import { Moment } from '../panel/Moment.tsx';
import { PagedTable } from '../panel/PagedTable.tsx';
import { useShownList } from '../panel/useShownList.ts';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { daysBetween } from '../waiting/waitingTimes.ts';
import { words as panelWords } from '../words.ts';
import { MessageSheet } from './MessageSheet.tsx';
import { stateOf, messageWords as words } from './messageWords.ts';
import './MessagesView.css';

const options = messageLists.map(value => ({ value, label: contactMessages.lists[value] }));

export function MessagesView({ menu }: ViewProps) {
  const [address] = useSearchParams();
  const { shown: list, page, show, showPage, listAddress } = useShownList('messages', 'list', messageLists);
  const query = useMessagesQuery(
    list === 'waiting' && page === 1 ? waitingMessages : { query: { page, list } },
    pollingOptions,
  );
  return (
    <>
      <ViewHead menu={menu} title={words.title}>
        <Segmented legend={words.show} value={list} onChange={show} options={options} />
        <PrintedFilters choices={[{ label: words.show, value: list, options }]} />
      </ViewHead>
      <PagedTable
        label={words.title}
        list={query}
        page={page}
        onPage={showPage}
        countOf={data => data.totalMessages}
        footer={words.footer}
        columns={columns(list === 'closed', id => listAddress(['message', id]))}
        rows={query.currentData?.messages ?? []}
        loadingLabel={words.loading}
        none={{ title: words.none[list], text: words.noneText }}
      />
      <MessageSheet id={address.get('message') ?? undefined} listAddress={listAddress()} />
    </>
  );
}

const columns = (
  areClosed: boolean,
  addressOf: (id: string) => { search: string },
): Column<ListedMessage>[] => [
  {
    key: 'subject',
    head: words.subject,
    place: 'title',
    cell: row => (
      <CellLines>
        <b>
          <Link className="link" to={addressOf(row._id)} state={fromRow} preventScrollReset>
            {row.subject}
          </Link>
        </b>
      </CellLines>
    ),
  },
  {
    key: 'from',
    head: words.from,
    cell: row => {
      const other = otherLoggedIn(row);
      return (
        <CellLines>
          <b>{row.name}</b>
          <span>
            <EmailText value={row.email} />
          </span>
          <span className={other && 'MessagesView-other'}>
            {other ?? (row.isLoggedIn ? words.loggedIn : words.notLoggedIn)}
          </span>
        </CellLines>
      );
    },
  },
  {
    key: 'at',
    head: words.received,
    cell: row => (
      <span className="type-small">
        {areClosed ? (
          <Moment iso={row.at} withTime />
        ) : (
          <time dateTime={row.at}>
            {panelWords.daysAgo(
              nameOfDay(calendarDay(new Date(row.at))),
              daysBetween(calendarDay(new Date(row.at)), calendarDay(new Date())),
            )}
          </time>
        )}
      </span>
    ),
  },
  { key: 'owner', head: panelWords.assignedTo, cell: row => row.owner?.name ?? panelWords.notAssigned },
  {
    key: 'state',
    head: words.state,
    cell: row => <Status {...stateOf(row)} />,
  },
  {
    key: 'answers',
    head: words.answers,
    cell: row => formatCount(row.answers),
  },
];
