/**
 * Writes the notifications that the app lists, and deletes old ones. Their text is built when they are read. Notifications of
 * postings are not written: `db/migrations/0029_derived_notifications.sql` derives them from the transactions.
 */
import { sql } from 'kysely';
import type { NotificationKind } from '#contract/notifications.ts';
import { firstIdAt, newId } from '../base/uuid.ts';
import type { Database, Tx } from './database.ts';

/** Notifies the customer of this account, in the transaction of the event. */
export const notify = (tx: Tx, accountId: bigint, kind: NotificationKind): Promise<void> =>
  notifyAll(tx, [{ accountId, kind }]);

/** Notifies the customers of many accounts, as `notify` does. Opening a notification shows the transaction `transactionId`. */
export async function notifyAll(
  tx: Tx,
  events: readonly { accountId: bigint; kind: NotificationKind; transactionId?: string | undefined }[],
): Promise<void> {
  await sql`
    INSERT INTO notifications (account_id, id, kind, transaction_id)
    SELECT * FROM unnest(${events.map(each => each.accountId)}::bigint[], ${events.map(() => newId())}::uuid[],
                         ${events.map(each => each.kind)}::text[],
                         ${events.map(each => each.transactionId ?? null)}::uuid[])`.execute(tx);
}

/**
 * Adds a notification of what the customer just did, marked as read. `id`: the id of the payee or scheduled transfer that the
 * notification names, if it names one.
 */
export async function notifyOfOwnAct(
  tx: Tx,
  accountId: bigint,
  kind: NotificationKind,
  id = newId(),
): Promise<void> {
  await sql`
    INSERT INTO notifications (account_id, id, kind, read_at)
    VALUES (${accountId}, ${id}, ${kind}, now())`.execute(tx);
}

const accountsPerBatch = 500;
/** How many rows of an account one statement deletes at most, so that no statement comes near its timeout. */
const maxPerAccount = 100;
const keptMonths = 13;

/**
 * Deletes notifications older than 13 months, read or not, one batch of accounts at a time, until none is left or `signal`
 * aborts. Returns how many were deleted. `at`: the time from which their age is counted; by default the database's clock.
 */
export async function deleteOldNotifications(
  database: Database,
  signal?: AbortSignal,
  at: Date | null = null,
): Promise<number> {
  // If the month 13 months ago lacks today's day of the month, PostgreSQL uses its last day. A `Date` would overflow into the
  // next month, up to three days later.
  const { oldest } = (
    await sql<{ oldest: Date }>`
      SELECT coalesce(${at}::timestamptz, now()) - make_interval(months => ${keptMonths}) AS oldest`.execute(
      database.reader,
    )
  ).rows[0]!;
  const before = firstIdAt(oldest);
  let deleted = 0;
  for (let after: bigint | null = 0n; after !== null && !signal?.aborted; ) {
    const from: bigint = after;
    const { rows } = await database.inTransaction(tx =>
      sql<{ last: bigint | null; removed: bigint; mostOfOne: bigint | null }>`
        WITH batch AS MATERIALIZED (
          SELECT id FROM ledger_accounts WHERE id > ${from} ORDER BY id LIMIT ${accountsPerBatch}
        ), removed AS (
          DELETE FROM notifications n USING batch CROSS JOIN LATERAL (
            SELECT o.id FROM notifications o
             WHERE o.account_id = batch.id AND o.id < ${before} LIMIT ${maxPerAccount}
          ) old
           WHERE n.account_id = batch.id AND n.id = old.id
          RETURNING n.account_id
        ), counted AS (SELECT count(*) AS n FROM removed GROUP BY account_id)
        SELECT (SELECT max(id) FROM batch) AS last, (SELECT coalesce(sum(n), 0)::bigint FROM counted) AS removed,
               (SELECT max(n) FROM counted) AS "mostOfOne"`.execute(tx),
    );
    const { last, removed, mostOfOne } = rows[0]!;
    deleted += Number(removed);
    // An account that reached `maxPerAccount` may have more rows. Then the next batch has the same accounts.
    if (mostOfOne !== BigInt(maxPerAccount)) after = last;
  }
  return deleted;
}
