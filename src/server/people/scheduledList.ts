/** The scheduled transfers as their customer sees them: the next dates, and what happened last. */
import { sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import type { DecodedScheduledTransfer, FailureReason, Frequency } from '#contract/scheduled.ts';
import type { Reader } from '../db/database.ts';
import { openIndex } from './runTimes.ts';

const mostListed = 500;

type Row = {
  id: string;
  bank_name: string;
  name: string | null;
  account_number: string;
  amount: bigint;
  description: string;
  start_date: string;
  frequency: Frequency;
  end_date: string | null;
  max_count: number | null;
  next_index: number;
  index: number;
  has_ended: boolean;
  is_paused: boolean;
  is_frozen: boolean;
  next_dates: string[];
  retry_at: Date | null;
  created_at: Date;
  missed: string[];
  missed_amounts: string[];
  last_date: string | null;
  result: 'sent' | 'failed' | 'skipped' | null;
  reason: FailureReason | null;
  transaction_id: string | null;
};

/**
 * The customer's scheduled transfers, the next date first and ended ones last; or only the one with this id, even if deleted. A
 * transfer to a closed account is shown as ended. The job ends it only on its next date, and then notifies the customer. A
 * paused transfer is shown without its dates that have passed, because resuming leaves them out.
 */
export async function readSchedules(
  reader: Reader,
  accountId: bigint,
  id?: string,
): Promise<DecodedScheduledTransfer[]> {
  const found = await sql<Row>`
    SELECT s.id, s.bank_name, s.account_number, s.amount, s.description, s.start_date::text, s.frequency, s.end_date::text,
           s.max_count, s.next_index, n.index, s.is_paused, o.is_frozen, s.retry_at, s.created_at,
           s.next_date IS NULL OR a.is_closed IS TRUE AS has_ended,
           CASE WHEN s.bank_name <> '' THEN s.account_name ELSE concat_ws(' ', c.first_name, c.last_name) END AS name,
           ARRAY(SELECT d::text FROM generate_series(n.index, n.index + 2) i,
                        LATERAL scheduled_date_within(s.start_date, s.frequency, i, s.end_date, s.max_count) d
                  WHERE s.next_date IS NOT NULL AND a.is_closed IS NOT TRUE AND d IS NOT NULL ORDER BY i) AS next_dates,
           m.missed, m.missed_amounts, l.date::text AS last_date, l.result, l.reason, l.transaction_id
      FROM scheduled_transfers s
      JOIN ledger_accounts o ON o.id = s.account_id
     CROSS JOIN LATERAL (SELECT CASE WHEN s.is_paused AND s.next_date < bank_day(now()) THEN ${openIndex}
                                     -- OFFSET 0: computed once, although it is used three times.
                                     ELSE s.next_index END AS index OFFSET 0) n
      LEFT JOIN ledger_accounts a ON s.bank_name = '' AND a.number = s.account_number
      LEFT JOIN customers c ON c.account_id = a.id AND c.deleted_at IS NULL
     CROSS JOIN LATERAL (SELECT coalesce(array_agg(r.date::text ORDER BY r.date DESC), '{}') AS missed,
                                coalesce(array_agg(r.amount ORDER BY r.date DESC), '{}') AS missed_amounts
                           FROM (SELECT date, amount FROM scheduled_runs WHERE schedule_id = s.id AND result = 'missed'
                                  ORDER BY date DESC LIMIT 10) r) m
      LEFT JOIN LATERAL (SELECT * FROM scheduled_runs r WHERE r.schedule_id = s.id AND r.result <> 'missed'
                          ORDER BY r.date DESC LIMIT 1) l ON true
     WHERE s.account_id = ${accountId}
       AND CASE WHEN ${id ?? null}::uuid IS NULL THEN s.deleted_at IS NULL ELSE s.id = ${id ?? null} END
     ORDER BY a.is_closed IS TRUE, s.next_date NULLS LAST, s.id DESC LIMIT ${mostListed}`.execute(reader);
  return found.rows.map(row => ({
    _id: row.id,
    kind: row.bank_name === '' ? ('internal' as const) : ('external' as const),
    name: row.name || transactionsMessages.closedAccount,
    accountNumber: row.account_number,
    ...(row.bank_name !== '' && { bankName: row.bank_name }),
    amount: row.amount,
    description: row.description,
    startDate: row.start_date,
    frequency: row.frequency,
    ...(row.end_date !== null && { endDate: row.end_date }),
    ...(row.max_count !== null && { count: row.max_count }),
    datesPast: row.next_dates.length === 0 ? row.next_index : row.index,
    isPaused: row.is_paused,
    status: row.has_ended ? 'ended' : row.is_paused || row.is_frozen ? 'paused' : 'active',
    nextDate: row.next_dates[0] ?? null,
    nextDates: row.next_dates,
    ...(row.retry_at && { retriesAt: row.retry_at }),
    ...(row.result !== null && {
      lastRun: {
        date: row.last_date!,
        result: row.result,
        ...(row.reason !== null && { reason: row.reason }),
        ...(row.transaction_id !== null && { transactionId: row.transaction_id }),
      },
    }),
    missed: row.missed,
    ...(row.missed.length > 0 && { missedAmounts: row.missed_amounts.map(BigInt) }),
    createdAt: row.created_at,
  }));
}

/** One scheduled transfer, even if it was deleted. Refuses `NOT_FOUND` if this customer never had such a schedule. */
export async function readSchedule(
  reader: Reader,
  accountId: bigint,
  id: string,
): Promise<DecodedScheduledTransfer> {
  const [schedule] = await readSchedules(reader, accountId, id);
  if (!schedule) throw new Refusal('NOT_FOUND');
  return schedule;
}
