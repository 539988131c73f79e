/**
 * An amount, typeset: sign before the $, true minus, tabular figures; the balance and receipt forms set the cents smaller and
 * can carry the double rule. Colour only repeats what the sign (and the row's words and icon) already say.
 */
import { dollarsToCents, partsOfCents } from '#contract/money.ts';
import { classNames } from '#web/ui/classNames.ts';
import { HiddenMoney } from './HiddenMoney.tsx';
import './Money.css';

export type MoneyProps = {
  /** Dollars as they came over the wire. */
  dollars: number;
  /** Puts the sign there, whatever the number's own: money in '+', money out '−'. */
  direction?: 'in' | 'out' | undefined;
  /** Struck through: the money came back. */
  returned?: boolean | undefined;
  /** `row` in lists, `balance` 57 px, `receipt` 48 px, `plain` in the text's own size. */
  form?: 'row' | 'balance' | 'receipt' | 'plain' | undefined;
  /** The accountant's double rule: only for the balance, a total, a receipt. */
  ruled?: boolean | undefined;
  /** Six dots instead of figures. */
  hidden?: boolean | undefined;
  hiddenLabel?: string | undefined;
  className?: string | undefined;
};

const signs = { in: '+', out: '−' };

export function Money(props: MoneyProps) {
  const { dollars, direction, returned, form = 'row', ruled, hidden, hiddenLabel, className } = props;
  const cents = dollarsToCents(dollars) ?? BigInt(Math.round(dollars * 100));
  const parts = partsOfCents(cents);
  const large = form === 'balance' || form === 'receipt';
  const look = classNames(
    'Money',
    `Money--${form}`,
    direction && !returned && `Money--${direction}`,
    returned && 'Money--returned',
    // Nine figures and more are set smaller, so that they fit a phone.
    large && parts.dollars.length > 9 && 'Money--long',
    ruled && !hidden && 'ruled',
    className,
  );
  if (hidden) return <HiddenMoney label={hiddenLabel} className={look} />;
  const sign = direction ? signs[direction] : parts.sign;
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
