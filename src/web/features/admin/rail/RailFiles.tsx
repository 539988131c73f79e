/** The files of one direction, newest first. */
import { useState } from 'react';
import { bank } from '#contract/constants.ts';
import { formatCount } from '#contract/count.ts';
import type { RailFile } from '#contract/rail.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Status } from '#web/ui/Status.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { CellLines } from '../panel/CellLines.tsx';
import { Moment } from '../panel/Moment.tsx';
import { PagedTable } from '../panel/PagedTable.tsx';
import { RowButton } from '../panel/RowButton.tsx';
import { words as panelWords } from '../words.ts';
import { RailAmount } from './RailAmount.tsx';
import { useRailFilesQuery } from './railCalls.ts';
import { railWords as words } from './railWords.ts';
import { SentBackSheet } from './SentBackSheet.tsx';
import './RailFiles.css';

export type RailFilesProps = {
  direction: RailFile['direction'];
  page: number;
  onPage: (page: number) => void;
};

export function RailFiles({ direction, page, onPage }: RailFilesProps) {
  const list = useRailFilesQuery({ query: { direction, page } }, pollingOptions);
  const { data } = list;
  const [opened, setOpened] = useState<RailFile>();
  return (
    <>
      {data && data.waiting > 0 && (
        <p className="type-small RailFiles-waiting">{words.waiting(data.waiting)}</p>
      )}
      <PagedTable
        label={words.lists[direction]}
        list={list}
        page={page}
        onPage={onPage}
        countOf={data => data.totalFiles}
        footer={words.footer.files}
        columns={columnsOf(setOpened)}
        rows={list.currentData?.files ?? []}
        loadingLabel={words.loading}
        none={{ title: words.none[direction], text: words.noneText[direction] }}
      />
      <SentBackSheet file={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}

const columnsOf = (onSentBack: (file: RailFile) => void): Column<RailFile>[] => [
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
  { key: 'format', head: words.format, cell: ({ format }) => format || panelWords.none },
  {
    key: 'state',
    head: words.state,
    cell: row => (
      <CellLines>
        <span>
          <Status status={words.statuses[row.state]}>{words.states[row.state]}</Status>
        </span>
        {row.exceptions > 0 && <span>{words.exceptions(row.exceptions)}</span>}
        {row.sentBack > 0 && (
          <span className="RailFiles-back">
            <RowButton name={words.viewSentBack(row.sentBack, row.name)} onPress={() => onSentBack(row)}>
              {words.sentBack(row.sentBack)}
            </RowButton>
          </span>
        )}
      </CellLines>
    ),
  },
  {
    key: 'when',
    head: words.when,
    cell: ({ at }) => <Moment small iso={at} withTime />,
  },
  {
    key: 'lines',
    head: words.lines,
    align: 'end',
    cell: row => (isUnread(row) ? panelWords.none : formatCount(row.lines)),
  },
  {
    key: 'total',
    head: words.total,
    align: 'end',
    place: 'figure',
    cell: row => {
      const { total, currency = bank.currency } = row;
      if (isUnread(row)) return panelWords.none;
      return currency === null ? words.noTotal : <RailAmount amount={total} currency={currency} />;
    },
  },
];

/** Of a refused file, the bank stores only the name and the reason. */
const isUnread = ({ state, lines }: RailFile) => state === 'refused' && lines === 0;
