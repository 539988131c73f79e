/**
 * The customer's overview: the balance, the totals, what is left to spend, upcoming payments, savings goals, the months
 * and the five latest transactions. Each panel keeps the space of its data, so that nothing moves when it arrives.
 */
import { paging } from '#contract/constants.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import * as bankWords from '#web/bank/words.ts';
import { hideAmounts, useAmountsHidden } from '#web/base/hiddenAmounts.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import {
  useBalanceQuery,
  useListTransactionsQuery,
  useMonthsQuery,
} from '#web/features/transactions/transactionsCalls.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { BalanceSheet } from './BalanceSheet.tsx';
import { GoalsPanel } from './GoalsPanel.tsx';
import { IdWantedBanner } from './IdWantedBanner.tsx';
import { InstallHint } from './InstallHint.tsx';
import { MonthsPanel } from './MonthsPanel.tsx';
import { OutlookPanel } from './OutlookPanel.tsx';
import { RecentPanel } from './RecentPanel.tsx';
import { StatsRow } from './StatsRow.tsx';
import { UpcomingPanel } from './UpcomingPanel.tsx';
import { words } from './words.ts';
import './OverviewScreen.css';

/** The section of the settings with the upload. */
const idUpload = '/dashboard/settings#id-document';

export function OverviewScreen() {
  const customer = useAppSelector(selectCustomer);
  const balance = useBalanceQuery();
  const recent = useListTransactionsQuery({ query: { limit: paging.recentTransactions } });
  const months = useMonthsQuery();
  const hidden = useAmountsHidden();
  if (!customer) return null;
  return (
    <>
      {customer.idCard === null && !customer.isVerified && !customer.isIdRequested && !customer.isFrozen && (
        <Banner
          className="OverviewScreen-id"
          kind="info"
          title={bankWords.idNone}
          action={
            <Button kind="quiet" size="s" to={idUpload}>
              {words.addId}
            </Button>
          }
        >
          {words.idMissing}
        </Banner>
      )}
      {customer.isIdRequested && !customer.isVerified && !customer.isFrozen && (
        <IdWantedBanner
          which={customer.idCard ? 'better' : 'first'}
          className="OverviewScreen-id"
          action={
            <Button kind="quiet" size="s" to={idUpload}>
              {words.toUpload}
            </Button>
          }
        />
      )}
      <section aria-label={words.balanceSection}>
        <BalanceSheet
          balance={balance.data?.balance}
          isFrozen={customer.isFrozen ?? false}
          failed={balance.isError && !balance.data}
          onRetry={balance.refetch}
          accountNumber={customer.accountNumber}
          holder={nameOf(customer) ?? ''}
          hidden={hidden}
          onHide={hideAmounts}
        />
        <StatsRow stats={recent.data?.stats} failed={recent.isError && !recent.data} hidden={hidden} />
      </section>
      <OutlookPanel hidden={hidden} />
      <div className="OverviewScreen-columns">
        <UpcomingPanel hidden={hidden} />
        <GoalsPanel hidden={hidden} />
      </div>
      <div className="OverviewScreen-columns">
        <MonthsPanel
          months={months.data?.months}
          failed={months.isError && !months.data}
          onRetry={months.refetch}
          hidden={hidden}
        />
        <RecentPanel
          transactions={recent.data?.transactions}
          customerId={customer._id}
          accountNumber={customer.accountNumber}
          failed={recent.isError && !recent.data}
          onRetry={recent.refetch}
          hidden={hidden}
        />
      </div>
      <InstallHint />
    </>
  );
}
