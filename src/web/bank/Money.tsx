/**
 * An amount of money: the sign before the $, a true minus, tabular figures. The balance and receipt forms have smaller cents
 * and can have the double rule. Color only repeats what the sign (and the row's words and icon) already say.
 */
import { dollarsToCents, partsOfCents } from '#contract/money.ts';
import { classNames } from '#web/ui/classNames.ts';
import { HiddenMoney } from './HiddenMoney.tsx';
import './Money.css';

export type MoneyProps = {
  /** Dollars as in the API response. */
  dollars: number;
  /** Sets the sign and ignores the number's own: `in` is '+', `out` is '−'. Zero has no sign. */
  direction?: 'in' | 'out' | undefined;
  /** Struck through: the money was returned. */
  returned?: boolean | undefined;
  /** `row` in lists, `balance` 57 px, `receipt` 48 px, `plain` in the font size of the text. */
  form?: 'row' | 'balance' | 'receipt' | 'plain' | undefined;
  /** The accountant's double rule: only for the balance, a total, a receipt. */
  ruled?: boolean | undefined;
  /** Shows six dots instead of figures. */
  hidden?: boolean | undefined;
  hiddenLabel?: string | undefined;
};

const signs = { in: '+', out: '−' };

export function Money(props: MoneyProps) {
  const { dollars, direction, returned, form = 'row', ruled, hidden, hiddenLabel } = props;
  const cents = dollarsToCents(dollars) ?? BigInt(Math.round(dollars * 100));
  const parts = partsOfCents(cents);
  const large = form === 'balance' || form === 'receipt';
  const look = classNames(
    'Money',
    `Money--${form}`,
    direction && !returned && `Money--${direction}`,
    returned && 'Money--returned',
    // Amounts of ten million dollars or more are set in smaller type, so that they fit on a phone.
    large && parts.dollars.length > 9 && 'Money--long',
    ruled && !hidden && 'ruled',
  );
  if (hidden) return <HiddenMoney label={hiddenLabel} className={look} />;
  const sign = direction && cents !== 0n ? signs[direction] : parts.sign;
  if (!large) {
    const figure = `${sign}$${parts.dollars}.${parts.fraction}`;
    return returned ? <s className={look}>{figure}</s> : <span className={look}>{figure}</span>;
  }
  const Figure = returned ? 's' : 'span';
  return (
    <Figure className={look}>
      {sign}${parts.dollars}
      <span className="Money-cents">.{parts.fraction}</span>
    </Figure>
  );
}
