/** One loan: its terms, a chart of how far it is repaid, and its actions. */
import { nameOfDay } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import * as loansMessages from '#contract/messages/loans.ts';
import { formatCents, formatDollars } from '#contract/money.ts';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Slip, type SlipRows } from '#web/ui/Slip.tsx';
import { Status } from '#web/ui/Status.tsx';
import type { Loan } from './loanOn.ts';
import { RepaymentChart } from './RepaymentChart.tsx';
import { words } from './words.ts';
import './LoanCard.css';

export function LoanCard({ loan, onPay }: { loan: Loan; onPay: () => void }) {
  const name = words[loan.type];
  const active = loan.status === 'active';
  const rows: SlipRows = [
    { label: words.amount, value: formatDollars(loan.amount) },
    { label: words.rate, value: fill(words.perYear, { rate: loan.interestRate }) },
    { label: words.monthly, value: formatCents(loan.payments[0]?.total ?? 0n) },
    { label: words.start, value: nameOfDay(loan.startDate) },
    { label: words.end, value: nameOfDay(loan.endDate) },
    active && { label: words.remaining, value: formatDollars(loan.remainingAmount), total: true },
  ];
  return (
    <Panel as="article" className="LoanCard" label={name}>
      <p className="LoanCard-ribbon">{words.ribbon}</p>
      <div>
        <div className="LoanCard-top">
          <h2 className="type-head">{name}</h2>
          <Status status={loan.status}>{words[loan.status]}</Status>
        </div>
        <Slip rows={rows} />
      </div>
      <div className="LoanCard-progress">
        <RepaymentChart loan={loan} />
        <div className="LoanCard-actions">
          {active && (
            <Button
              aria-label={fill(words.detailsOf, { action: loansMessages.makePayment, loan: name })}
              onClick={onPay}
            >
              {loansMessages.makePayment}
            </Button>
          )}
          <Button
            kind="quiet"
            aria-label={fill(words.detailsOf, { action: loansMessages.viewDetails, loan: name })}
            to={`/dashboard/loans/${loan.id}`}
          >
            {loansMessages.viewDetails}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
