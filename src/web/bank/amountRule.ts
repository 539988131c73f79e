/** Why a form refuses a typed amount, or how to write it. Transfers and credits have the same limits. */
import { transfer } from '#contract/constants.ts';
import { fill } from '#contract/messages/fill.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { formatCents, typedToCents } from '#contract/money.ts';

const maxCents = BigInt(transfer.maxAmountDollars) * 100n;

/** The reason or a hint for an amount that the contract refuses; undefined if the field is empty or the amount is valid. */
export function whyNoAmount(
  text: string,
  tooLarge: string = transferMessages.amountTooLarge,
): string | undefined {
  const typed = text.trim().replace(/^\$\s*/, '');
  const cents = typedToCents(typed);
  if (typed === '') return undefined;
  if (cents === 0n) return transferMessages.amountZero;
  if (cents !== undefined)
    return cents > maxCents ? fill(tooLarge, { max: formatCents(maxCents) }) : undefined;
  const inCents = (plain: string) => formatCents(typedToCents(plain) ?? 0n).slice(1);
  if (/^\.\d{1,2}$/.test(typed)) return fill(transferMessages.amountWrite, { amount: inCents(`0${typed}`) });
  if (/^(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/.test(typed))
    return fill(transferMessages.amountComma, {
      amount: inCents(typed.replaceAll('.', '').replace(',', '.')),
    });
  if (/^[\d,]*\.\d{3,}$/.test(typed)) return transferMessages.amountDecimals;
  return transferMessages.amountDigits;
}
