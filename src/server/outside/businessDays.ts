/**
 * The payment rail's business days, by the calendar of the federal government: Monday to Friday but for federal holidays
 * (5 U.S.C. 6103), which are kept on the Friday before where they fall on a Saturday (the Federal Reserve's banks work on
 * that Friday) and on the Monday after where on a Sunday. A day is a `YYYY-MM-DD`.
 */
const dayMs = 86_400_000;
const [sunday, monday, thursday, friday, saturday] = [0, 1, 4, 5, 6];
const juneteenthSince = '2021-06-19';

const toDate = (day: string) => new Date(`${day}T00:00:00Z`);
const plus = (day: string, days: number) =>
  new Date(toDate(day).getTime() + days * dayMs).toISOString().slice(0, 10);
const weekdayOf = (day: string) => toDate(day).getUTCDay();

/** Holidays that have a date of their own, on whatever weekday it falls. */
function isDated(day: string): boolean {
  const date = day.slice(5);
  if (date === '06-19') return day >= juneteenthSince;
  return date === '01-01' || date === '07-04' || date === '11-11' || date === '12-25';
}

/** Holidays that are the so-manieth weekday of a month. */
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

/** Whether the rail works on this day. */
export function isBusinessDay(day: string): boolean {
  const weekday = weekdayOf(day);
  if (weekday === saturday || weekday === sunday || isDated(day) || isCounted(day)) return false;
  const isKept =
    (weekday === friday && isDated(plus(day, 1))) || (weekday === monday && isDated(plus(day, -1)));
  return !isKept;
}

/** The business day that is `count` of them after this day; what comes on a day of rest counts as come on the next business day. */
export function addBusinessDays(day: string, count: number): string {
  let reached = day;
  while (!isBusinessDay(reached)) reached = plus(reached, 1);
  for (let left = count; left > 0; ) {
    reached = plus(reached, 1);
    if (isBusinessDay(reached)) left--;
  }
  return reached;
}
