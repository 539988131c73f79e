/**
 * Business days of the payment rail: Monday to Friday except federal holidays (5 U.S.C. 6103). A holiday on a Sunday is
 * observed on Monday, one on a Saturday on Friday (although the Federal Reserve Banks are open on that Friday). A day is
 * `YYYY-MM-DD`.
 */
const dayMs = 86_400_000;
const [sunday, monday, thursday, friday, saturday] = [0, 1, 4, 5, 6];
const juneteenthSince = '2021-06-19';

const toDate = (day: string) => new Date(`${day}T00:00:00Z`);
const plus = (day: string, days: number) =>
  new Date(toDate(day).getTime() + days * dayMs).toISOString().slice(0, 10);
const weekdayOf = (day: string) => toDate(day).getUTCDay();

/** Holidays on a fixed date. */
function isDated(day: string): boolean {
  const date = day.slice(5);
  if (date === '06-19') return day >= juneteenthSince;
  return date === '01-01' || date === '07-04' || date === '11-11' || date === '12-25';
}

/** Holidays on the nth weekday of a month. */
function isCounted(day: string): boolean {
  const month = day.slice(5, 7);
  const weekday = weekdayOf(day);
  const nth = Math.ceil(Number(day.slice(8)) / 7);
  if (weekday === thursday) return month === '11' && nth === 4;
  if (weekday !== monday) return false;
  if (month === '05') return plus(day, 7).slice(5, 7) === '06';
  return (
    ((month === '01' || month === '02') && nth === 3) ||
    (month === '09' && nth === 1) ||
    (month === '10' && nth === 2)
  );
}

/** Whether the rail processes payments on this day. */
export function isBusinessDay(day: string): boolean {
  const weekday = weekdayOf(day);
  if (weekday === saturday || weekday === sunday || isDated(day) || isCounted(day)) return false;
  const isObserved =
    (weekday === friday && isDated(plus(day, 1))) || (weekday === monday && isDated(plus(day, -1)));
  return !isObserved;
}

/** The day `count` business days after `day`. A day that is not a business day counts as the next business day. */
export function addBusinessDays(day: string, count: number): string {
  let reached = day;
  while (!isBusinessDay(reached)) reached = plus(reached, 1);
  for (let left = count; left > 0; ) {
    reached = plus(reached, 1);
    if (isBusinessDay(reached)) left--;
  }
  return reached;
}
