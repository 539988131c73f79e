/**
 * Federal holidays (5 U.S.C. 6103). A holiday on a Sunday is observed on Monday, a holiday on a Saturday on Friday. A day is
 * `YYYY-MM-DD`.
 */
const dayMs = 86_400_000;
const [monday, thursday, friday] = [1, 4, 5];
const juneteenthSince = '2021-06-19';

const toDate = (day: string) => new Date(`${day}T00:00:00Z`);
/** The day `days` days after `day`. */
export const plusDays = (day: string, days: number) =>
  new Date(toDate(day).getTime() + days * dayMs).toISOString().slice(0, 10);
/** The weekday as a number: 0 is Sunday, 6 is Saturday. */
export const weekdayOf = (day: string) => toDate(day).getUTCDay();

/** Whether a day is a holiday with a fixed date. */
function isDated(day: string): boolean {
  const date = day.slice(5);
  if (date === '06-19') return day >= juneteenthSince;
  return date === '01-01' || date === '07-04' || date === '11-11' || date === '12-25';
}

/** Whether a day is a holiday that is the nth of a weekday in its month, or the last (Memorial Day). */
function isCounted(day: string): boolean {
  const month = day.slice(5, 7);
  const weekday = weekdayOf(day);
  const nth = Math.ceil(Number(day.slice(8)) / 7);
  if (weekday === thursday) return month === '11' && nth === 4;
  if (weekday !== monday) return false;
  if (month === '05') return plusDays(day, 7).slice(5, 7) === '06';
  return (
    ((month === '01' || month === '02') && nth === 3) ||
    (month === '09' && nth === 1) ||
    (month === '10' && nth === 2)
  );
}

/** Whether a day is a federal holiday, or a holiday is observed on it. */
export function isFederalHoliday(day: string): boolean {
  if (isDated(day) || isCounted(day)) return true;
  const weekday = weekdayOf(day);
  return (
    (weekday === friday && isDated(plusDays(day, 1))) || (weekday === monday && isDated(plusDays(day, -1)))
  );
}
