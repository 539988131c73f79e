/** Arithmetic with months. Days are written as `2026-12-01`. */

/** Returns the same day `months` later, or the last day of that month if it is shorter. */
export function addMonths(day: string, months: number): string {
  const [year, month, dayOfMonth] = day.split('-').map(Number) as [number, number, number];
  const count = year * 12 + (month - 1) + months;
  const lastDay = new Date(Date.UTC(Math.floor(count / 12), (count % 12) + 1, 0)).getUTCDate();
  const parts = [(count % 12) + 1, Math.min(dayOfMonth, lastDay)].map(part => String(part).padStart(2, '0'));
  return [Math.floor(count / 12), ...parts].join('-');
}

/** The number of months from the month of one day to the month of another. */
export function monthsBetween(from: string, to: string): number {
  const [months, before] = [to, from].map(day => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
  return months! - before!;
}
