/** The files of one direction, newest first. */
import { formatCount } from '#contract/count.ts';
import type { RailFile } from '#contract/rail.ts';
import { Money } from '#web/bank/Money.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Status } from '#web/ui/Status.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { pollingOptions } from '../adminCalls.ts';
import { CellLines } from '../panel/CellLines.tsx';
import { Moment } from '../panel/Moment.tsx';
import { PagedPanel } from '../panel/PagedPanel.tsx';
import { useRailFilesQuery } from './railCalls.ts';
import { railWords as words } from './railWords.ts';
import './RailFiles.css';

export type RailFilesProps = {
  direction: RailFile['direction'];
  page: number;
  onPage: (page: number) => void;
};

export function RailFiles({ direction, page, onPage }: RailFilesProps) {
  const list = useRailFilesQuery({ query: { direction, page } }, pollingOptions);
  const { data, currentData, isFetching } = list;
  return (
    <>
      {data && data.waiting > 0 && (
        <p className="type-small RailFiles-waiting">{words.waiting(data.waiting)}</p>
      )}
      <PagedPanel
        label={words.lists[direction]}
        list={list}
        page={page}
        onPage={onPage}
        countOf={data => data.totalFiles}
        footer={words.footer.files}
      >
        <Table
          caption={words.lists[direction]}
          columns={columns}
          rows={currentData?.files ?? []}
          rowKey={file => file._id}
          loading={isFetching && !currentData}
          loadingLabel={words.loading}
          empty={
            <EmptyState title={words.none[direction]} level={2}>
              {words.noneText[direction]}
            </EmptyState>
          }
        />
      </PagedPanel>
    </>
  );
}

const columns: Column<RailFile>[] = [
  {
    key: 'file',
    head: words.file,
    place: 'title',
    cell: ({ name, reason }) => (
      <CellLines>
        <b>{name}</b>
        {reason && <span>{reason}</span>}
      </CellLines>
    ),
  },
  { key: 'format', head: words.format, cell: ({ format }) => format || words.unreadable },
  {
    key: 'state',
    head: words.state,
    cell: ({ state, exceptions }) => (
      <CellLines>
        <span>
          <Status status={words.statuses[state]}>{words.states[state]}</Status>
        </span>
        {exceptions > 0 && <span>{words.exceptions(exceptions)}</span>}
      </CellLines>
    ),
  },
  {
    key: 'when',
    head: words.when,
    cell: ({ at }) => <Moment small iso={at} withTime />,
  },
  { key: 'lines', head: words.lines, align: 'end', cell: ({ lines }) => formatCount(lines) },
  {
    key: 'total',
    head: words.total,
    align: 'end',
    place: 'figure',
    cell: ({ total }) => <Money dollars={total} />,
  },
];
