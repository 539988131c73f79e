/** Days and times of the bank, by the clock of its database. */
import type pg from 'pg';

/** The calendar day `days` days after `day`. Calculated in UTC, where every day has 24 hours; in New York a day can have 25. */
export const daysLater = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

export const bankDays = (owner: () => pg.Pool) => ({
  /** The day that is `days` days after today in the bank's time zone, as `YYYY-MM-DD`. */
  dayFromNow: async (days: number): Promise<string> => {
    const found = await owner().query('SELECT (bank_day(now()) + $1::int)::text AS day', [days]);
    return found.rows[0].day;
  },
  /** The moment at which it is `time` on `day` in New York. */
  newYork: async (day: string, time: string): Promise<Date> => {
    const text = "SELECT ($1::date + $2::time) AT TIME ZONE 'America/New_York' AS at";
    return (await owner().query(text, [day, time])).rows[0].at;
  },
});
