/** The head of the printed list: the account and the page. The screen does not show it. */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import { formatCount } from '#contract/count.ts';
import { fill } from '#contract/messages/fill.ts';
import { Logo } from '#web/bank/Logo.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import type { SessionCustomer } from '#web/base/session.ts';
import { words } from './words.ts';
import './PrintHead.css';

export type PrintHeadProps = {
  customer: SessionCustomer;
  page: number;
  pageCount: number;
};

export function PrintHead({ customer, page, pageCount }: PrintHeadProps) {
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
      </p>
    </header>
  );
}
