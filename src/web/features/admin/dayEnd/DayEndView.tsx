/** The day end: what the bank holds and owes, what is on its way, the last proof of the books, and the proven days. */
import { dayAndTime } from '#contract/bankTime.ts';
import { formatCount } from '#contract/count.ts';
import type { Proof } from '#contract/dayEnd.ts';
import { formatDollars, sumDollars } from '#contract/money.ts';
import { Money } from '#web/bank/Money.tsx';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { Status } from '#web/ui/Status.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { useDayEndQuery } from '../deskCalls.ts';
import { ListFailed } from '../panel/ListFailed.tsx';
import { Moment } from '../panel/Moment.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { words as panelWords } from '../words.ts';
import { stateOf, dayEndWords as words } from './dayEndWords.ts';
import { ProofPanel } from './ProofPanel.tsx';
import './DayEndView.css';

type Balances = NonNullable<Proof['balances']>;

const sumOf = ({ customers, treasury, clearing, unclaimed }: Balances) =>
  sumDollars(customers, treasury, clearing, unclaimed);

export function DayEndView({ menu }: ViewProps) {
  const { data, error, refetch } = useDayEndQuery(undefined, pollingOptions);
  return (
    <>
      <ViewHead menu={menu} title={words.title} />
      {data ? (
        <>
          <div className="DayEndView">
            <div className="DayEndView-left">
              <Panel label={words.balances}>
                <h2 className="type-head">{words.balances}</h2>
                <p className="type-small DayEndView-note">{words.asOf(dayAndTime(data.at))}</p>
                <Slip
                  rows={[
                    {
                      label: words.accounts(formatCount(data.accounts)),
                      value: formatDollars(data.balances.customers),
                    },
                    { label: panelWords.bankAccounts.treasury, value: formatDollars(data.balances.treasury) },
                    { label: panelWords.bankAccounts.clearing, value: formatDollars(data.balances.clearing) },
                    {
                      label: panelWords.bankAccounts.unclaimed,
                      value: formatDollars(data.balances.unclaimed),
                    },
                    { label: words.sum, value: formatDollars(sumOf(data.balances)), total: true },
                  ]}
                />
                {sumOf(data.balances) !== 0 && (
                  <Banner kind="error" title={words.notZero}>
                    {words.notZeroText}
                  </Banner>
                )}
              </Panel>
              <Panel label={words.onTheWay}>
                <h2 className="type-head DayEndView-head">{words.onTheWay}</h2>
                <Slip
                  rows={(['pending', 'held', 'overdue'] as const).map(kind => ({
                    label: words.payments(words[kind], formatCount(data.onTheWay[kind].count)),
                    value: formatDollars(data.onTheWay[kind].amount),
                  }))}
                />
              </Panel>
            </div>
            <ProofPanel proof={data.proof} />
          </div>
          <h2 className="type-head DayEndView-title">{words.days}</h2>
          <Panel pad={false} label={words.days}>
            <Table
              caption={words.days}
              columns={columns}
              rows={data.days}
              rowKey={row => row._id}
              dense
              empty={
                <EmptyState title={words.noDays} level={3}>
                  {words.noDaysText}
                </EmptyState>
              }
            />
          </Panel>
        </>
      ) : error ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : (
        <Panel>
          <Skeleton kind="text" count={9} label={words.loading} />
        </Panel>
      )}
    </>
  );
}

const balanceColumn = (key: keyof Balances, head: string): Column<Proof> => ({
  key,
  head,
  align: 'end',
  cell: ({ balances }) => balances && <Money dollars={balances[key]} />,
});

const columns: readonly Column<Proof>[] = [
  {
    key: 'day',
    head: words.day,
    place: 'title',
    cell: row => <Moment iso={row.startedAt} withTime />,
  },
  balanceColumn('customers', words.allCustomers),
  balanceColumn('treasury', panelWords.bankAccounts.treasury),
  balanceColumn('clearing', panelWords.bankAccounts.clearing),
  balanceColumn('unclaimed', panelWords.bankAccounts.unclaimed),
  {
    key: 'sum',
    head: words.sum,
    align: 'end',
    place: 'figure',
    cell: ({ balances }) => balances && <Money dollars={sumOf(balances)} />,
  },
  {
    key: 'payments',
    head: words.unended,
    cell: ({ onTheWay }) => (
      <span className="type-small">
        {onTheWay &&
          (['pending', 'held', 'overdue'] as const)
            .filter(kind => kind === 'pending' || onTheWay[kind].count > 0)
            .map(kind => words.counted[kind](formatCount(onTheWay[kind].count)))
            .join(', ')}
      </span>
    ),
  },
  { key: 'state', head: panelWords.status, cell: row => <Status {...stateOf(row)} /> },
];
