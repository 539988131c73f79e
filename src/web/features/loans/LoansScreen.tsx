/** The customer's loans as of today in the bank's time zone. They are sample data and do not come from a server. */
import { calendarDay } from '#contract/bankTime.ts';
import { LoanHistory } from './LoanHistory.tsx';
import { loanOn } from './loanOn.ts';
import { sampleLoans } from './sampleLoans.ts';

export function LoansScreen() {
  const today = calendarDay(new Date());
  return <LoanHistory loans={sampleLoans.map(terms => loanOn(terms, today))} today={today} />;
}
