/** Writing what the bank tells a customer inside the app, and letting go of it; the sentence is made when it is read. */
import { sql } from 'kysely';
import type { NotificationKind } from '#contract/notifications.ts';
import { newId } from '../base/uuid.ts';
import type { Database, Tx } from './database.ts';

/** Notes something for the customer of this account, in the transaction in which it happens. */
export async function notify(tx: Tx, accountId: bigint, kind: NotificationKind): Promise<void> {
  await sql`
    INSERT INTO notifications (account_id, id, kind)
    VALUES (${accountId}, ${newId()}, ${kind})`.execute(tx);
}

const accountsAtOnce = 500;
/** Of one account in one night: a first cleaning of a long history must not hold up the rest. */
const mostOfAccount = 1_000;
const yearMs = 365 * 24 * 60 * 60 * 1000;

/** Lets go of what was read and is older than a year, account by account, until it is done or `signal` aborts. Returns how many went. */
export async function forgetOldNotifications(database: Database, signal?: AbortSignal): Promise<number> {
  // Ids begin with their time: this one is older than all that were made within the year.
  const time = (Date.now() - yearMs).toString(16).padStart(12, '0');
  const before = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
  let forgotten = 0;
  for (let after: bigint | null = 0n; after !== null && !signal?.aborted; ) {
    const from: bigint = after;
    const { rows } = await database.inTransaction(tx =>
      sql<{ last: bigint | null; gone: bigint }>`
        WITH few AS MATERIALIZED (
          SELECT id FROM ledger_accounts WHERE id > ${from} ORDER BY id LIMIT ${accountsAtOnce}
        ), gone AS (
          DELETE FROM notifications n USING few CROSS JOIN LATERAL (
            SELECT o.id FROM notifications o
             WHERE o.account_id = few.id AND o.id < ${before} AND o.read_at IS NOT NULL
             LIMIT ${mostOfAccount}
          ) old
           WHERE n.account_id = few.id AND n.id = old.id
          RETURNING n.id
        )
        SELECT (SELECT max(id) FROM few) AS last, (SELECT count(*) FROM gone) AS gone`.execute(tx),
    );
    after = rows[0]!.last;
    forgotten += Number(rows[0]!.gone);
  }
  return forgotten;
}
