/** A moment as the bank's calendar and clock have it: the day, and the time of day beside it where it matters. */
import { bank } from '#contract/constants.ts';

const day = new Intl.DateTimeFormat('en-GB', {
  timeZone: bank.timeZone,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const clock = new Intl.DateTimeFormat(bank.locale, { timeZone: bank.timeZone, timeStyle: 'short' });

export type MomentProps = {
  /** ISO 8601 in UTC, as on the wire. */
  iso: string;
  withTime?: boolean;
};

export function Moment({ iso, withTime }: MomentProps) {
  const date = new Date(iso);
  return (
    <time dateTime={iso} className="whitespace-nowrap tabular-nums">
      {day.format(date)}
      {withTime && <span className="block text-ink-3 @max-[900px]:inline"> {clock.format(date)}</span>}
    </time>
  );
}
