/** The deposits of a file that the bank sent back: to which account, from which bank, and why. */
import { useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as railMessages from '#contract/messages/rail.ts';
import type { RailFile, SentBackDeposit } from '#contract/rail.ts';
import { Money } from '#web/bank/Money.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { CellLines } from '../panel/CellLines.tsx';
import { Moment } from '../panel/Moment.tsx';
import { PagedTable } from '../panel/PagedTable.tsx';
import { RailAccount } from './RailAccount.tsx';
import { useSentBackDepositsQuery } from './railCalls.ts';
import { railWords as words } from './railWords.ts';
import './SentBackSheet.css';

/** `file`: the dialog is open while it is set. */
export type SentBackSheetProps = { file: RailFile | undefined; onClose: () => void };

export function SentBackSheet({ file, onClose }: SentBackSheetProps) {
  const shown = useLastKnown(file);
  return (
    <Dialog
      open={file !== undefined}
      onClose={onClose}
      size="l"
      title={railMessages.sentBack}
      description={shown?.name}
      closeLabel={appMessages.close}
    >
      <div className="SentBackSheet">{shown && <Deposits key={shown._id} fileId={shown._id} />}</div>
    </Dialog>
  );
}

function Deposits({ fileId }: { fileId: string }) {
  const [page, setPage] = useState(1);
  const list = useSentBackDepositsQuery({ params: { id: fileId }, query: { page } });
  return (
    <PagedTable
      label={railMessages.sentBack}
      list={list}
      page={page}
      onPage={setPage}
      countOf={data => data.totalDeposits}
      footer={words.footer.deposits}
      columns={columns}
      rows={list.currentData?.deposits ?? []}
      loadingLabel={words.loading}
      none={{ title: words.noneSentBack, text: words.noneSentBackText }}
    />
  );
}

const columns: Column<SentBackDeposit>[] = [
  {
    key: 'account',
    head: words.accountHead,
    place: 'title',
    cell: ({ accountNumber, customerId, line }) => (
      <CellLines>
        <RailAccount accountNumber={accountNumber} customerId={customerId} />
        <span>{words.line(line)}</span>
      </CellLines>
    ),
  },
  { key: 'bank', head: words.sentBy, cell: ({ bankName }) => bankName },
  { key: 'reason', head: words.reason, cell: ({ reason }) => reason },
  { key: 'when', head: words.when, cell: ({ at }) => <Moment small iso={at} withTime /> },
  {
    key: 'amount',
    head: words.amount,
    align: 'end',
    place: 'figure',
    cell: ({ amount }) => <Money dollars={amount} />,
  },
];
