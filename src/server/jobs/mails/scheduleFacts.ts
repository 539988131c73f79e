/** Reads a scheduled transfer for the mails about it. */
import { sql } from 'kysely';
import type { MailPreference } from '#contract/preferences.ts';
import { describeRule } from '#contract/ruleText.ts';
import type { Frequency } from '#contract/scheduled.ts';
import type { Reader } from '../../db/database.ts';
import type { Piece } from './mailLayout.ts';
import {
  facts,
  notWhilePaused,
  type ScheduledMail,
  type ScheduleMail,
  sending,
  sendingOnce,
} from './scheduledMails.ts';

type FoundSchedule = Omit<ScheduledMail, 'name'> & {
  frequency: Frequency;
  startDate: string;
  nextDate: string | null;
  endDate: string | null;
  count: number | null;
  /** How many of `count` dates are left. */
  countLeft: number | null;
  isPaused: boolean;
  mail: MailPreference | null;
};

/**
 * The details of the mail which reports that a scheduled transfer was added, changed or resumed: what happens from now on, and
 * the facts of the transfer. After a change, the first date may be over or skipped, so the mail names the next one.
 */
export function detailsOfSchedule(schedule: FoundSchedule, mail: ScheduleMail): Piece[] {
  const promise = schedule.isPaused
    ? notWhilePaused
    : schedule.frequency === 'once'
      ? sendingOnce
      : sending[mail];
  return [...(schedule.nextDate === null ? [] : [promise]), ...factsOfSchedule(schedule, mail)];
}

function factsOfSchedule(schedule: FoundSchedule, mail: ScheduleMail): Piece[] {
  const { frequency, nextDate, countLeft } = schedule;
  if (frequency === 'once') return facts(schedule);
  // The rule keeps the day of the first date: the 31st, even if the next date is February 28.
  if (mail === 'scheduled-added') return facts(schedule, 'First date', [['Repeats', describeRule(schedule)]]);
  const rule = describeRule({ ...schedule, count: countLeft });
  return facts({ ...schedule, date: nextDate }, 'Next date', nextDate === null ? [] : [['Repeats', rule]]);
}

/**
 * Returns the receiver and the amount of a scheduled transfer on one of its dates, by default the first, and how the customer
 * wants to be mailed about it. Returns undefined if the scheduled transfer was erased.
 */
export async function findSchedule(
  reader: Reader,
  scheduleId: string,
  date: string | null = null,
): Promise<FoundSchedule | undefined> {
  const found = await sql<FoundSchedule>`
    SELECT p.mail, coalesce(${date}::date, s.start_date)::text AS date, coalesce(r.amount, s.amount) AS "amountCents",
           r.reason, s.frequency, s.start_date::text AS "startDate", s.next_date::text AS "nextDate",
           s.end_date::text AS "endDate", s.max_count AS count, s.max_count - s.next_index AS "countLeft",
           s.is_paused AS "isPaused", s.next_date IS NOT NULL AS "hasNext", o.daily_out IS NOT NULL AS "hasDailyLimit",
           CASE WHEN s.bank_name <> '' THEN s.account_name ELSE concat_ws(' ', c.first_name, c.last_name) END AS receiver
      FROM scheduled_transfers s
      JOIN ledger_accounts o ON o.id = s.account_id
      LEFT JOIN scheduled_runs r ON r.schedule_id = s.id AND r.date = ${date}
      LEFT JOIN ledger_accounts a ON s.bank_name = '' AND a.number = s.account_number
      LEFT JOIN customers c ON c.account_id = a.id AND c.deleted_at IS NULL
      LEFT JOIN notification_preferences p ON p.account_id = s.account_id AND p.kind = 'scheduled'
     WHERE s.id = ${scheduleId}`.execute(reader);
  return found.rows[0];
}
