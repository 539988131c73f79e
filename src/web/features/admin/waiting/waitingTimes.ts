/** Ages and waiting times in whole years, days and hours. Days are `YYYY-MM-DD` in the bank's calendar. */
import { approvalHours } from '#contract/constants.ts';

/** The number of days from one day to a later one. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** The age in years on a day. */
export function ageOn(born: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(born.slice(0, 4));
  return day.slice(5) < born.slice(5) ? years - 1 : years;
}

/**
 * How long an application has waited, compared with the 24 to 48 hours that the registration promises. `state`: `new` in the
 * first 24 hours, `due` until 48 hours have passed, then `late`. `hours`: how many are left of the 48;
 * if `late`, how many have passed since then.
 */
export function describeWait(since: string, now: number): { state: 'new' | 'due' | 'late'; hours: number } {
  const waited = (now - Date.parse(since)) / 3_600_000;
  if (waited >= approvalHours.to) return { state: 'late', hours: Math.floor(waited - approvalHours.to) };
  const state = waited < approvalHours.from ? 'new' : 'due';
  return { state, hours: Math.ceil(approvalHours.to - waited) };
}
