/** Calendar days of the bank's time zone in SQL. */
import { type RawBuilder, sql } from 'kysely';
import { bank } from '#contract/constants.ts';

/** SQL for the start of a calendar day (`YYYY-MM-DD`) in the bank's time zone, or of the day `daysLater` days after it. */
export function startOfDay(day: string, daysLater = 0): RawBuilder<unknown> {
  return sql`(${day}::date + ${daysLater}::int)::timestamp AT TIME ZONE ${bank.timeZone}`;
}
