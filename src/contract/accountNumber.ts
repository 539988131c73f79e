/**
 * The bank's account numbers: 12 digits. The last is a Luhn check digit. It detects any single
 * wrong digit, and any swap of two neighboring digits except 09 and 90.
 */
import { accountNumber } from './constants.ts';

/** The check digit that, appended to `digits`, makes a valid number (ISO/IEC 7812-1 annex B). */
export function luhnCheckDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return String((10 - (sum % 10)) % 10);
}

/** Whether `text` is 12 ASCII digits with the right check digit. The account need not exist. */
export function isAccountNumber(text: string): boolean {
  return (
    text.length === accountNumber.digits &&
    /^\d+$/.test(text) &&
    luhnCheckDigit(text.slice(0, -1)) === text.slice(-1)
  );
}

/** Formats `482109375527` as `4821 0937 5527`. */
export function formatAccountNumber(text: string): string {
  return text.replace(/(\d{4})(?=\d)/g, '$1 ');
}
