/** The money of closed accounts: the balances that wait to be paid out, and the balances that were paid out. */

import { useState } from 'react';
import { formatAccountNumber } from '#contract/accountNumber.ts';
import * as unclaimedMessages from '#contract/messages/unclaimed.ts';
import { formatDollars } from '#contract/money.ts';
import { formatExternalNumber } from '#contract/transfer.ts';
import { type UnclaimedBalance, unclaimedApi, unclaimedLists } from '#contract/unclaimed.ts';
import { Money } from '#web/bank/Money.tsx';
import { PrintedFilters } from '#web/bank/PrintedFilters.tsx';
import { statusTexts } from '#web/bank/transactionReading.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { Segmented } from '#web/ui/Segmented.tsx';
import { Status } from '#web/ui/Status.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { useUnclaimedBalancesQuery } from '../deskCalls.ts';
import { actionsColumn } from '../panel/actionsColumn.ts';
import { CellLines } from '../panel/CellLines.tsx';
import { Moment } from '../panel/Moment.tsx';
import { PagedTable } from '../panel/PagedTable.tsx';
import { RowButton } from '../panel/RowButton.tsx';
import { usePagedSearch } from '../panel/usePagedSearch.ts';
import { useMay } from '../panel/useRole.ts';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { requestAddress, transactionAddress } from '../panel/viewAddress.ts';
import { type Notice, NoticeDialog } from '../users/NoticeDialog.tsx';
import { words as panelWords } from '../words.ts';
import { PayoutDialog } from './PayoutDialog.tsx';
import { unclaimedWords as words } from './unclaimedWords.ts';
import './UnclaimedView.css';

const options = unclaimedLists.map(value => ({ value, label: unclaimedMessages.lists[value] }));

export function UnclaimedView({ menu }: ViewProps) {
  const [address] = useSearchParams();
  const list = unclaimedLists.find(name => name === address.get('list')) ?? 'waiting';
  const parts: [string, string][] = list === 'waiting' ? [] : [['list', list]];
  const paged = usePagedSearch('unclaimed', parts);
  const { page, search } = paged.settled;
  const query = useUnclaimedBalancesQuery(
    { query: { list, page, ...(search && { search }) } },
    pollingOptions,
  );
  const { data } = query;
  const mayPay = useMay()(unclaimedApi.payOutUnclaimed);
  const [paying, setPaying] = useState<UnclaimedBalance>();
  const [notice, setNotice] = useState<Notice>();
  return (
    <>
      <ViewHead menu={menu} title={words.title}>
        <Segmented
          legend={words.show}
          value={list}
          onChange={value => paged.replace(1, value === 'waiting' ? [] : [['list', value]])}
          options={options}
        />
        <PrintedFilters choices={[{ label: words.show, value: list, options }]} search={paged.search} />
      </ViewHead>
      <div className="UnclaimedView-head">
        <TextField
          className="UnclaimedView-search screen-only"
          label={words.search}
          hideLabel
          type="search"
          icon="search"
          placeholder={words.search}
          value={paged.search}
          onChange={paged.setSearch}
        />
        {data && <p className="type-small">{words.total(data.unclaimed)}</p>}
      </div>
      <PagedTable
        label={words.title}
        list={query}
        page={paged.page}
        onPage={paged.showPage}
        countOf={data => data.totalBalances}
        footer={words.footer}
        columns={
          list === 'paid' ? paidColumns : [...waitingColumns, ...(mayPay ? [payColumn(setPaying)] : [])]
        }
        rows={query.currentData?.balances ?? []}
        loadingLabel={words.loading}
        none={{ title: words.none[list], text: search ? words.noneFound : words.noneText }}
      />
      <PayoutDialog
        balance={paying}
        listed={query.currentData?.balances}
        onClose={() => setPaying(undefined)}
        onDone={made => {
          setPaying(undefined);
          setNotice(made);
        }}
      />
      <NoticeDialog notice={notice} onClose={() => setNotice(undefined)} />
    </>
  );
}

const accountColumn: Column<UnclaimedBalance> = {
  key: 'account',
  head: words.account,
  place: 'title',
  cell: row => (
    <span className="num">
      {row.accountNumber ? formatAccountNumber(row.accountNumber) : panelWords.none}
    </span>
  ),
};

const referenceColumn: Column<UnclaimedBalance> = {
  key: 'reference',
  head: words.reference,
  cell: row => (
    <CellLines>
      <Link className="link num" to={transactionAddress(row._id)}>
        {row.reference}
      </Link>
    </CellLines>
  ),
};

const amountColumn: Column<UnclaimedBalance> = {
  key: 'amount',
  head: words.amount,
  align: 'end',
  place: 'figure',
  cell: row => <Money dollars={row.amount} />,
};

const waitingColumns: readonly Column<UnclaimedBalance>[] = [
  accountColumn,
  referenceColumn,
  { key: 'how', head: words.how, cell: row => words.origins[row.origin] },
  {
    key: 'at',
    head: words.since,
    cell: row => <Moment small iso={row.at} withTime />,
  },
  amountColumn,
];

const payColumn = (onPick: (balance: UnclaimedBalance) => void) =>
  actionsColumn<UnclaimedBalance>(row =>
    row.requestId ? (
      <CellLines>
        <Link className="link" to={requestAddress(row.requestId)}>
          {panelWords.waitingForSecond}
        </Link>
      </CellLines>
    ) : (
      <RowButton
        name={words.payOutName(formatDollars(row.amount), row.reference)}
        onPress={() => onPick(row)}
      >
        {words.payOut}
      </RowButton>
    ),
  );

const paidColumns: readonly Column<UnclaimedBalance>[] = [
  accountColumn,
  referenceColumn,
  {
    key: 'to',
    head: words.paidTo,
    cell: ({ paid }) =>
      paid?.bank ? (
        <CellLines>
          <span>{paid.bank.accountName}</span>
          <span>
            {paid.bank.bankName}, {formatExternalNumber(paid.bank.accountNumber)}
          </span>
        </CellLines>
      ) : (
        paid?.accountNumber && words.customerAccount(formatAccountNumber(paid.accountNumber))
      ),
  },
  {
    key: 'paid',
    head: words.paidAt,
    cell: ({ paid }) =>
      paid && (
        <CellLines>
          <Link className="link" to={transactionAddress(paid.transactionId)}>
            <Moment iso={paid.at} withTime />
          </Link>
          <span>{words.by(paid.by)}</span>
        </CellLines>
      ),
  },
  {
    key: 'status',
    head: panelWords.status,
    cell: ({ paid }) =>
      paid?.reversedBy ? (
        <CellLines>
          <Link className="link" to={transactionAddress(paid.reversedBy)}>
            <Status status="failed">{words.reversed}</Status>
          </Link>
        </CellLines>
      ) : (
        paid && <Status status={paid.status}>{statusTexts[paid.status]}</Status>
      ),
  },
  amountColumn,
];
