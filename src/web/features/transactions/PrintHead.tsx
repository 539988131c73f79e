/** The head of the printed list: the account, the page, and the filters. The screen does not show it. */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { dayAndTime, nameOfDay } from '#contract/bankTime.ts';
import { formatCount } from '#contract/count.ts';
import { fill } from '#contract/messages/fill.ts';
import { Logo } from '#web/bank/Logo.tsx';
import type { Filters } from '#web/bank/transactionFilters.ts';
import { nameOf, statusTexts, typeTexts } from '#web/bank/transactionReading.ts';
import type { SessionCustomer } from '#web/base/session.ts';
import { words } from './words.ts';
import './PrintHead.css';

export type PrintHeadProps = {
  customer: SessionCustomer;
  filters: Filters;
  page: number;
  pageCount: number;
};

export function PrintHead({ customer, filters, page, pageCount }: PrintHeadProps) {
  return (
    <header className="PrintHead">
      <Logo />
      <p>
        <b>{nameOf(customer)}</b>
        <br />
        {fill(words.printAccount, { number: formatAccountNumber(customer.accountNumber) })}
        <br />
        {fill(words.printedOn, { date: dayAndTime(new Date()) })}
        {pageCount > 1 && <span>{fill(words.printPage, { page, count: formatCount(pageCount) })}</span>}
        {describe(filters).map(text => (
          <span key={text}>{text}</span>
        ))}
      </p>
    </header>
  );
}

/** The filters in words. */
function describe({ type, status, startDate, endDate, search }: Filters): string[] {
  const typeText = typeTexts[type as keyof typeof typeTexts];
  const statusText = statusTexts[status as keyof typeof statusTexts];
  return [
    ...(typeText ? [fill(words.printType, { type: typeText })] : []),
    ...(statusText ? [fill(words.printStatus, { status: statusText })] : []),
    ...(startDate ? [fill(words.printFrom, { day: nameOfDay(startDate) })] : []),
    ...(endDate ? [fill(words.printTo, { day: nameOfDay(endDate) })] : []),
    ...(search ? [fill(words.printSearch, { search })] : []),
  ];
}
