/** The totals over all loans: borrowed, active, due next. */
import { nameOfDay } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import * as loansMessages from '#contract/messages/loans.ts';
import { centsToDollars, formatDollars, sumDollars } from '#contract/money.ts';
import { SplitMoney } from '#web/bank/SplitMoney.tsx';
import { FigureRow } from '#web/ui/FigureRow.tsx';
import type { LoanHistoryProps } from './LoanHistory.tsx';
import { nextDue } from './loanOn.ts';
import { words } from './words.ts';
import './LoanSummary.css';

export function LoanSummary({ loans, today }: LoanHistoryProps) {
  const active = loans.filter(loan => loan.status === 'active');
  const next = nextDue(loans);
  const day = next && nameOfDay(next.due);
  return (
    <FigureRow
      className="LoanSummary"
      figures={[
        {
          icon: 'loan',
          name: loansMessages.totalBorrowed,
          value: <SplitMoney dollars={sumDollars(...loans.map(loan => loan.amount))} />,
          detail: fill(words.inLoans[loans.length === 1 ? 'one' : 'many'], { n: loans.length }),
        },
        {
          icon: 'document',
          name: loansMessages.activeLoans,
          value: active.length,
          detail:
            active.length > 0
              ? fill(words.stillOwed, {
                  amount: formatDollars(sumDollars(...active.map(loan => loan.remainingAmount))),
                })
              : words.allRepaid,
        },
        {
          icon: 'calendar',
          name: loansMessages.nextPaymentDue,
          value: next ? <SplitMoney dollars={centsToDollars(next.total)} /> : words.nothingDue,
          detail: day ? fill(next.due === today ? words.dueToday : words.dueOnDay, { day }) : words.noneIsDue,
        },
      ]}
    />
  );
}
