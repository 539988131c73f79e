/**
 * Conversion between dollars and cents. On the wire, money is a number of dollars with at most two decimals. Everywhere else it
 * is a whole number of cents in a `bigint`, which cannot be mixed with floating point by accident.
 */
import { bank } from './constants.ts';

/** A whole number of cents. */
export type Cents = bigint;

/** The largest exact amount: above 2^46 dollars, neighboring doubles are more than a cent apart. */
const mostExactDollars = 2 ** 46;

/**
 * Converts dollars to cents using their shortest decimal text, so nothing is rounded. Returns `undefined` for more than two
 * decimals, for non-finite numbers, and for numbers too large to be exact.
 */
export function dollarsToCents(dollars: number): Cents | undefined {
  if (!Number.isFinite(dollars) || Math.abs(dollars) > mostExactDollars) return undefined;
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(dollars));
  if (!match) return undefined;
  const cents = BigInt(match[2]!) * 100n + BigInt((match[3] ?? '').padEnd(2, '0'));
  return match[1] ? -cents : cents;
}

/** Converts cents to the dollar number of the wire format; exact up to 2^46 dollars, about 70 trillion. */
export function centsToDollars(cents: Cents): number {
  return Number(cents) / 100;
}

const nearestCents = (dollars: number): Cents => dollarsToCents(dollars) ?? BigInt(Math.round(dollars * 100));

/** Sums dollars of the wire format in whole cents, because floating-point sums of dollars are inexact. Returns dollars. */
export function sumDollars(...amounts: readonly (number | undefined)[]): number {
  return centsToDollars(amounts.reduce((sum, dollars = 0) => sum + nearestCents(dollars), 0n));
}

/**
 * Parses the text of an amount field: an optional dollar sign with or without a space after it, digits, optional thousands
 * commas in the right places, optional cents. Returns `undefined` for anything ambiguous (`1,5`, `10,50`, `1.234`, `1e3`).
 */
export function typedToCents(text: string): Cents | undefined {
  const match = /^(?:\$\s*)?(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{0,2}))?$/.exec(text.trim());
  if (!match || match[1]!.length > 20) return undefined;
  return BigInt(match[1]!.replaceAll(',', '')) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
}

/** Formats cents as `$1,234.00`; a negative amount starts with a minus sign (U+2212). */
export function formatCents(cents: Cents): string {
  const { sign, dollars, fraction } = partsOfCents(cents);
  return `${sign}$${dollars}.${fraction}`;
}

/** `formatCents` for a dollar number in the wire format. */
export function formatDollars(dollars: number): string {
  return formatCents(nearestCents(dollars));
}

/** `formatDollars` for an amount that can be in another currency: `25.00 EUR`. */
export function formatAmount(amount: number, currency: string): string {
  const text = formatDollars(amount);
  return currency === bank.currency ? text : `${text.replace('$', '')} ${currency}`;
}

/** Dollars of the wire format as the field of a form shows them, `1,234.00`; empty for none. */
export function dollarsText(dollars: number | null | undefined): string {
  return dollars == null ? '' : formatDollars(dollars).slice(1);
}

/** The parts of a formatted amount: sign, grouped whole dollars, two digits of cents. */
export function partsOfCents(cents: Cents): { sign: '' | '−'; dollars: string; fraction: string } {
  const absolute = cents < 0n ? -cents : cents;
  return {
    sign: cents < 0n ? '−' : '',
    dollars: (absolute / 100n).toLocaleString(bank.locale),
    fraction: String(absolute % 100n).padStart(2, '0'),
  };
}
