/** The page of one loan's payment schedule, which is computed from the loan's terms. It can be printed. */

import { calendarDay } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import * as loansMessages from '#contract/messages/loans.ts';
import { formatDollars } from '#contract/money.ts';
import { useParams } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { loanOn } from './loanOn.ts';
import { ScheduleTable } from './ScheduleTable.tsx';
import { sampleLoans } from './sampleLoans.ts';
import { words } from './words.ts';
import './LoanScheduleScreen.css';

export function LoanScheduleScreen() {
  const { loanId } = useParams();
  const terms = sampleLoans.find(loan => loan.id === loanId);
  if (!terms) {
    return (
      <EmptyState
        level={2}
        title={loansMessages.none}
        action={<Button to="/dashboard/loans">{words.backToLoans}</Button>}
      >
        {words.unknownText}
      </EmptyState>
    );
  }
  const loan = loanOn(terms, calendarDay(new Date()));
  return (
    <div className="LoanScheduleScreen">
      <Link className="LoanScheduleScreen-back" to="/dashboard/loans">
        <Icon name="left" size={16} />
        {loansMessages.title}
      </Link>
      <div className="LoanScheduleScreen-top">
        <div>
          <h1 className="type-title">
            {loansMessages.schedule}
            <Badge kind="sample">{words.sample}</Badge>
          </h1>
          <p className="type-note type-note--amounts LoanScheduleScreen-terms">
            {fill(words.terms, {
              loan: words[loan.type],
              amount: formatDollars(loan.amount),
              rate: loan.interestRate,
              count: loan.payments.length,
            })}
          </p>
        </div>
        <Button kind="quiet" icon="document" onClick={() => print()}>
          {words.print}
        </Button>
      </div>
      <Panel as="div" pad={false} className="LoanScheduleScreen-table">
        <ScheduleTable loan={loan} />
      </Panel>
      <p className="type-small LoanScheduleScreen-rounding">{words.roundingNote}</p>
    </div>
  );
}
