/** Deletes data about people that is no longer needed. Deletes nothing from the ledger and the audit log. */
import { type RawBuilder, sql } from 'kysely';
import { freezeLink } from '#contract/constants.ts';
import { nilId } from '../base/uuid.ts';
import type { Database, Reader } from '../db/database.ts';
import { batchSize, deleteInBatches } from '../db/deleteInBatches.ts';
import { personalData } from './personalData.ts';

/**
 * The tables with erased values, except those that only `eraseInBatches` changes. PostgreSQL can still have the erased values:
 * as samples in its statistics, and in dead rows.
 */
export const tracedTables: readonly string[] = Object.entries(personalData)
  .filter(([, { erased, deletedWhere, erasedElsewhere }]) => erased || deletedWhere || erasedElsewhere)
  .map(([table]) => table);

/**
 * The statements that delete expired data. Codes, step-ups, guessed logins and the request counts per email address expire
 * after a day. Used freeze links, known devices and used challenges have an expiry of their own. Contact messages, closed
 * alerts, and the records of sent mails and of customers who were warned of guesses expire after 13 months.
 */
const expired: RawBuilder<unknown>[] = [
  sql`DELETE FROM codes WHERE id IN (
        SELECT id FROM codes WHERE created_at < now() - interval '1 day'
         ORDER BY created_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)`,
  sql`DELETE FROM step_ups WHERE id IN (
        SELECT id FROM step_ups WHERE created_at < now() - interval '1 day'
         ORDER BY created_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)`,
  sql`DELETE FROM used_freeze_links WHERE id IN (
        SELECT id FROM used_freeze_links WHERE used_at < now() - make_interval(days => ${freezeLink.days + 1})
         ORDER BY used_at LIMIT ${batchSize})`,
  sql`DELETE FROM used_challenges WHERE challenge IN (
        SELECT challenge FROM used_challenges WHERE expires_at < now() ORDER BY expires_at LIMIT ${batchSize})`,
  sql`DELETE FROM address_attempts WHERE address_key IN (
        SELECT address_key FROM address_attempts WHERE touched_at < now() - interval '1 day'
         ORDER BY touched_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)`,
  sql`DELETE FROM contact_messages WHERE id IN (
        SELECT id FROM contact_messages WHERE at < now() - interval '13 months' ORDER BY at LIMIT ${batchSize})`,
  sql`DELETE FROM sent_mails WHERE id IN (
        SELECT id FROM sent_mails WHERE at < now() - interval '13 months' ORDER BY at LIMIT ${batchSize})`,
  sql`DELETE FROM alerts WHERE id IN (
        SELECT id FROM alerts WHERE at < now() - interval '13 months' AND status = 'closed' ORDER BY at LIMIT ${batchSize})`,
  sql`DELETE FROM guessed_customers WHERE (customer_id, day) IN (
        SELECT customer_id, day FROM guessed_customers WHERE day < now() - interval '13 months' ORDER BY day LIMIT ${batchSize})`,
  sql`DELETE FROM login_guesses WHERE (network, address_key) IN (
        SELECT network, address_key FROM login_guesses WHERE at < now() - interval '1 day'
         ORDER BY at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)`,
  sql`DELETE FROM login_devices WHERE (person_id, browser) IN (
        SELECT person_id, browser FROM login_devices WHERE expires_at < now()
         ORDER BY expires_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)`,
];

/**
 * Deletes everything that has expired, one transaction per batch, until nothing is left or `signal` aborts. Returns the
 * number of deleted rows.
 */
export async function deleteExpired(database: Database, signal?: AbortSignal): Promise<number> {
  let deleted = 0;
  for (const statement of expired) {
    deleted += await deleteInBatches(database, statement, { signal });
  }
  return deleted + (await deleteOldSessions(database, signal));
}

/**
 * Purges what PostgreSQL itself still stores about erased people: sampled values in its statistics, and dead rows in the
 * tables' pages. Does nothing unless `wasErasedRecently`. Every call in the week after an erasure repeats the purge, because
 * VACUUM keeps rows that an older snapshot may still read, and skips locked tables. If a table fails, the others are purged
 * before the error is thrown.
 */
export async function purgeTraces({ reader, ownerPool }: Database, signal?: AbortSignal): Promise<void> {
  if (!(await wasErasedRecently(reader))) return;
  const client = await ownerPool.connect();
  let failure: unknown;
  try {
    const { rows } = await client.query<{ pid: number }>(`
      SELECT pg_backend_pid() AS pid, set_config('lock_timeout', '2s', false), set_config('statement_timeout', '5min', false)`);
    const cancel = () => {
      ownerPool.query('SELECT pg_cancel_backend($1)', [rows[0]!.pid]).catch(() => {});
    };
    signal?.addEventListener('abort', cancel, { once: true });
    for (const table of tracedTables) {
      if (signal?.aborted) break;
      await client.query(`VACUUM (ANALYZE, SKIP_LOCKED) ${table}`).catch((error: unknown) => {
        failure ??= error;
      });
    }
    signal?.removeEventListener('abort', cancel);
  } finally {
    // Destroys the connection, and its time limits with it.
    client.release(true);
  }
  if (failure !== undefined && !signal?.aborted) throw failure;
}

/**
 * Whether an erasure is incomplete or ended in the last seven days. A pending external transfer keeps its receiver's name until
 * the transfer ends. So the end of a transfer whose name is erased counts, too.
 */
export async function wasErasedRecently(reader: Reader): Promise<boolean> {
  const found = await sql`
    SELECT 1 FROM customers WHERE deleted_at IS NOT NULL AND (erased_at IS NULL OR erased_at > now() - interval '7 days')
     UNION ALL
    SELECT 1 FROM external_transfers WHERE account_name = '' AND decided_at > now() - interval '7 days'
     LIMIT 1`.execute(reader);
  return found.rows.length > 0;
}

/**
 * Deletes sessions a month after their expiry, except each person's newest one. That one stays, however old it is, because
 * the next login is compared with it to recognize a new device. The cursor moves past the sessions that stay, so the next batch
 * does not read them again.
 */
async function deleteOldSessions(database: Database, signal?: AbortSignal): Promise<number> {
  let deleted = 0;
  let [at, id] = ['-infinity', nilId];
  for (let seen = batchSize; seen === batchSize && !signal?.aborted; ) {
    const { rows } = await database.inTransaction(tx =>
      sql<{ at: string; id: string; is_deleted: boolean }>`
        WITH batch AS MATERIALIZED (
          SELECT id, person_id, expires_at FROM sessions
           WHERE expires_at < now() - interval '30 days' AND (expires_at, id) > (${at}::timestamptz, ${id}::uuid)
           ORDER BY expires_at, id LIMIT ${batchSize}
        ), removed AS (
          DELETE FROM sessions s USING batch
           WHERE s.id = batch.id AND EXISTS (
             SELECT FROM sessions n
              WHERE n.person_id = batch.person_id AND (n.expires_at, n.id) > (batch.expires_at, batch.id))
          RETURNING s.id
        )
        SELECT batch.expires_at::text AS at, batch.id, removed.id IS NOT NULL AS is_deleted
          FROM batch LEFT JOIN removed USING (id) ORDER BY batch.expires_at, batch.id`.execute(tx),
    );
    deleted += rows.filter(row => row.is_deleted).length;
    seen = rows.length;
    ({ at, id } = rows.at(-1) ?? { at, id });
  }
  return deleted;
}

/** Returns the stored files that no customer row refers to. */
export async function findOrphanedFiles(reader: Reader, names: string[]): Promise<string[]> {
  const found = await sql<{ name: string }>`
    SELECT name FROM unnest(${names}::text[]) AS name
     WHERE NOT EXISTS (SELECT FROM customers WHERE avatar_file = name)
       AND NOT EXISTS (SELECT FROM customers WHERE id_card_file = name)`.execute(reader);
  return found.rows.map(row => row.name);
}
