/** A customer's loans as they stand today in the bank's calendar. They are samples and come from no server. */
import { calendarDay } from '#contract/bankTime.ts';
import { LoanHistory } from './LoanHistory.tsx';
import { loanOn } from './loanOn.ts';
import { sampleLoans } from './sampleLoans.ts';

export function LoansScreen() {
  const today = calendarDay(new Date());
  return <LoanHistory loans={sampleLoans.map(terms => loanOn(terms, today))} today={today} />;
}
