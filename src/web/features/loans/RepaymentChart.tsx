/**
 * Charts how far a loan is repaid: one bar per month, as high as the amount owed before that month's payment. The axis starts
 * at zero. Paid months are solid, future ones outlined. The payment schedule holds the same data as a table.
 */
import { nameOfDay } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import { dollarsToCents, formatCents, formatDollars } from '#contract/money.ts';
import type { Loan } from './loanOn.ts';
import { totalsOf } from './schedule.ts';
import { words } from './words.ts';
import './RepaymentChart.css';

export function RepaymentChart({ loan }: { loan: Loan }) {
  const { payments, made, amount } = loan;
  const progress = fill(words.madeOf, { made, count: payments.length });
  return (
    <figure className="RepaymentChart">
      <figcaption>
        <p className="type-small">{words.chartTitle}</p>
        <p className="type-note type-note--amounts">{findingOf(loan)}</p>
      </figcaption>
      <div className="RepaymentChart-plot">
        <p className="type-small">{progress}</p>
        <div className="RepaymentChart-bars" aria-hidden="true">
          {payments.map(payment => (
            <span
              key={payment.number}
              className={payment.number <= made ? 'RepaymentChart-paid' : 'RepaymentChart-coming'}
              style={{ height: `${shareOf(Number(payment.balance + payment.principal), amount)}%` }}
            />
          ))}
        </div>
      </div>
      <p className="RepaymentChart-ends">
        <span>{nameOfDay(loan.startDate)}</span>
        <span>{nameOfDay(loan.endDate)}</span>
      </p>
    </figure>
  );
}

/** What percentage `cents` are of `dollars`. Dividing by 100 for dollars and multiplying by 100 for percent cancel out. */
const shareOf = (cents: number, dollars: number) => cents / dollars;

function findingOf({ payments, made, amount, remainingAmount }: Loan): string {
  if (made === payments.length)
    return fill(words.findingAll, { interest: formatCents(totalsOf(payments).interest) });
  if (made === 0) return fill(words.findingNone, { day: nameOfDay(payments[0]?.due ?? '') });
  const repaid = (dollarsToCents(amount) ?? 0n) - (dollarsToCents(remainingAmount) ?? 0n);
  return fill(words.findingSome, { repaid: formatCents(repaid), amount: formatDollars(amount) });
}
