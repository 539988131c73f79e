/** Reminds customers of scheduled transfers for which their balance is too small. */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { localTime } from './runTimes.ts';

const remindHour = 9;
const remindedPerCall = 500;

/**
 * From 9:00 AM on, enqueues a mail about each scheduled transfer of tomorrow whose account has too small a balance for all its
 * scheduled transfers of tomorrow. Enqueues only one mail for each transfer and date, and none while the account is frozen.
 * Enqueues at most 500 mails per call and returns their number. `at`: the time to run it for; null: the database's clock.
 */
export async function remindOfTomorrow(tx: Tx, at: Date | null = null): Promise<number> {
  const local = localTime(at);
  const reminded = await sql`
    WITH short AS (
      SELECT s.id FROM scheduled_transfers s JOIN ledger_accounts a ON a.id = s.account_id
       WHERE s.next_date = ${local}::date + 1 AND NOT s.is_paused AND extract(hour FROM ${local}) >= ${remindHour}
         AND s.reminded_for IS DISTINCT FROM s.next_date AND NOT a.is_frozen
         AND a.balance < (SELECT sum(o.amount) FROM scheduled_transfers o
                           WHERE o.account_id = s.account_id AND o.next_date = s.next_date AND NOT o.is_paused)
       LIMIT ${remindedPerCall} FOR NO KEY UPDATE OF s SKIP LOCKED
    ), reminded AS (
      UPDATE scheduled_transfers s SET reminded_for = s.next_date FROM short WHERE s.id = short.id
      RETURNING s.id, s.customer_id, s.next_date
    )
    SELECT enqueue_job('mail', json_build_object('template', 'scheduled-reminder', 'personId', customer_id,
                                                 'scheduleId', id, 'date', next_date))
      FROM reminded`.execute(tx);
  return reminded.rows.length;
}
