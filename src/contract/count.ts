/** Formats a count as `1,234`. */
import { bank } from './constants.ts';

const whole = new Intl.NumberFormat(bank.locale);

export function formatCount(count: number): string {
  return whole.format(count);
}
