/**
 * The dashboard's charts: volume by day, volume by transaction type, and balances of the bank's own accounts. Placeholders
 * keep the space of the charts until they are loaded.
 */

import { nameOfDay } from '#contract/bankTime.ts';
import { formatCount } from '#contract/count.ts';
import type { AdminFigures } from '#contract/entities.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars, sumDollars } from '#contract/money.ts';
import { typeTexts } from '#web/bank/transactionReading.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { BarRows } from '#web/ui/BarRows.tsx';
import { ChartTable } from '#web/ui/ChartTable.tsx';
import { useFiguresQuery } from '../adminCalls.ts';
import { ListFailed } from '../panel/ListFailed.tsx';
import { words } from '../words.ts';
import { DaysChart } from './DaysChart.tsx';
import { rateText, sumOf } from './daySpans.ts';
import { FigurePanel } from './FigurePanel.tsx';
import { figureWords } from './figureWords.ts';
import './BankFigures.css';

export function BankFigures() {
  const { data, error, refetch } = useFiguresQuery(undefined, pollingOptions);
  if (error && !data) return <ListFailed error={error} onRetry={refetch} />;
  if (!data) return <Wait />;
  return (
    <>
      <DaysPanel days={data.days} />
      <div className="BankFigures-pair">
        <TypesPanel types={data.types} />
        <AccountsPanel accounts={data.accounts} />
      </div>
    </>
  );
}

function Wait() {
  return (
    <div role="status">
      <span className="sr-only">{figureWords.loading}</span>
      <div className="FigurePanel-wait" />
      <div className="BankFigures-pair">
        <div className="FigurePanel-wait FigurePanel-wait--rows" />
        <div className="FigurePanel-wait FigurePanel-wait--rows" />
      </div>
    </div>
  );
}

function DaysPanel({ days }: { days: AdminFigures['days'] }) {
  const all = sumOf(days);
  const isEmpty = all.count === 0;
  return (
    <FigurePanel
      title={figureWords.daysTitle}
      finding={fill(isEmpty ? figureWords.daysNothing : figureWords.daysFinding, {
        amount: formatDollars(all.volume),
        n: days.length,
      })}
      note={isEmpty ? figureWords.daysNothingText : undefined}
    >
      {!isEmpty && (
        <>
          <DaysChart days={days} />
          <ChartTable
            summary={appMessages.showAsTable}
            caption={figureWords.daysTitle}
            heads={[figureWords.day, figureWords.completed, figureWords.successRate, figureWords.volume]}
            rows={days.toReversed().map(day => ({
              key: day.day,
              name: nameOfDay(day.day),
              figures: [
                fill(day.pending ? figureWords.ofAllPending : figureWords.ofAll, {
                  completed: formatCount(day.completed),
                  count: formatCount(day.count),
                  pending: formatCount(day.pending ?? 0),
                }),
                rateText(day),
                formatDollars(day.volume),
              ],
            }))}
          />
        </>
      )}
    </FigurePanel>
  );
}

function TypesPanel({ types }: { types: AdminFigures['types'] }) {
  const all = types.reduce((sum, { volume }) => sum + volume, 0);
  const largest = types.reduce((best, type) => (best && best.volume >= type.volume ? best : type), types[0]);
  return (
    <FigurePanel
      title={figureWords.typesTitle}
      finding={
        largest && all > 0
          ? fill(figureWords.typesFinding, {
              type: typeTexts[largest.type],
              percent: Math.round((largest.volume / all) * 100),
            })
          : figureWords.typesNothing
      }
    >
      <BarRows
        label={figureWords.typesTitle}
        rows={types.map(({ type, count, completed, volume }) => ({
          key: type,
          name: typeTexts[type],
          value: volume,
          figure: formatDollars(volume),
          detail: fill(figureWords.typeDetail, {
            completed: formatCount(completed),
            count: formatCount(count),
          }),
        }))}
      />
      <ChartTable
        summary={appMessages.showAsTable}
        caption={figureWords.typesTitle}
        heads={[figureWords.type, figureWords.count, figureWords.completed, figureWords.volume]}
        rows={types.map(({ type, count, completed, volume }) => ({
          key: type,
          name: typeTexts[type],
          figures: [formatCount(count), formatCount(completed), formatDollars(volume)],
        }))}
      />
    </FigurePanel>
  );
}

function AccountsPanel({ accounts }: { accounts: AdminFigures['accounts'] }) {
  // All accounts sum to zero, so the customers hold the negative of the bank's own balances.
  const customers = -sumDollars(...accounts.map(({ balance }) => balance));
  const rows = accounts.map(({ account, balance }) => ({
    key: account,
    name: words.bankAccounts[account],
    value: balance,
    figure: formatDollars(balance),
  }));
  return (
    <FigurePanel
      title={figureWords.accountsTitle}
      finding={fill(figureWords.accountsFinding, { amount: formatDollars(customers) })}
      note={figureWords.accountsText}
    >
      <BarRows label={figureWords.accountsTitle} rows={rows} />
      <ChartTable
        summary={appMessages.showAsTable}
        caption={figureWords.accountsTitle}
        heads={[figureWords.account, figureWords.balance]}
        rows={rows.map(({ key, name, figure }) => ({ key, name, figures: [figure] }))}
      />
    </FigurePanel>
  );
}
