/** What is kept about people no longer than a rule reads it. Evidence is never touched here. */
import { type RawBuilder, sql } from 'kysely';
import type { Database, Reader } from '../db/database.ts';
import { tracedTables } from './erasureList.ts';

/** Rows a transaction takes: few enough that none comes near the longest a statement may take. */
const atOnce = 2_000;

/** What goes after a day: codes and asked addresses. */
const expired: RawBuilder<unknown>[] = [
  sql`DELETE FROM codes WHERE id IN (
        SELECT id FROM codes WHERE created_at < now() - interval '1 day'
         ORDER BY created_at LIMIT ${atOnce} FOR UPDATE SKIP LOCKED)`,
  sql`DELETE FROM asked_addresses WHERE address_key IN (
        SELECT address_key FROM asked_addresses WHERE touched_at < now() - interval '1 day'
         ORDER BY touched_at LIMIT ${atOnce} FOR UPDATE SKIP LOCKED)`,
];

/** Lets go of all that has expired, a transaction for each handful, until it is done or `signal` aborts. Returns how many rows went. */
export async function forgetExpired(database: Database, signal?: AbortSignal): Promise<number> {
  let forgotten = 0;
  for (const some of expired) {
    for (let gone = atOnce; gone === atOnce && !signal?.aborted; forgotten += gone) {
      const { numAffectedRows } = await database.inTransaction(tx => some.execute(tx));
      gone = Number(numAffectedRows ?? 0n);
    }
  }
  return forgotten + (await forgetSessions(database, signal));
}

/**
 * What PostgreSQL itself still knows of those who left within the week: samples of former values in its statistics, and
 * rows of before in the tables' pages. It is done with every call in that week, for a row that an older snapshot may still
 * read stays, and a table that somebody holds is passed over. Throws where a table failed, after the others are done.
 */
export async function forgetTraces({ ownerPool }: Database, signal?: AbortSignal): Promise<void> {
  const client = await ownerPool.connect();
  let failure: unknown;
  try {
    const { rows } = await client.query<{ pid: number }>(`
      SELECT pg_backend_pid() AS pid, set_config('lock_timeout', '2s', false), set_config('statement_timeout', '5min', false)`);
    const left = await client.query(
      "SELECT FROM customers WHERE deleted_at > now() - interval '7 days' LIMIT 1",
    );
    if (!left.rowCount) return;
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
    // The time limits go with the connection.
    client.release(true);
  }
  if (failure !== undefined && !signal?.aborted) throw failure;
}

/**
 * Sessions go a month after their end; the newest of each person stays, so that whoever comes back from somewhere else is
 * told of it however long nobody came. Those that stay are passed over, not looked at again by the next handful.
 */
async function forgetSessions(database: Database, signal?: AbortSignal): Promise<number> {
  let forgotten = 0;
  let [at, id] = ['-infinity', '00000000-0000-0000-0000-000000000000'];
  for (let seen = atOnce; seen === atOnce && !signal?.aborted; ) {
    const { rows } = await database.inTransaction(tx =>
      sql<{ at: string; id: string; is_gone: boolean }>`
        WITH few AS MATERIALIZED (
          SELECT id, person_id, expires_at FROM sessions
           WHERE expires_at < now() - interval '30 days' AND (expires_at, id) > (${at}::timestamptz, ${id}::uuid)
           ORDER BY expires_at, id LIMIT ${atOnce}
        ), gone AS (
          DELETE FROM sessions s USING few
           WHERE s.id = few.id AND EXISTS (
             SELECT FROM sessions n
              WHERE n.person_id = few.person_id AND (n.expires_at, n.id) > (few.expires_at, few.id))
          RETURNING s.id
        )
        SELECT few.expires_at::text AS at, few.id, gone.id IS NOT NULL AS is_gone
          FROM few LEFT JOIN gone USING (id) ORDER BY few.expires_at, few.id`.execute(tx),
    );
    forgotten += rows.filter(row => row.is_gone).length;
    seen = rows.length;
    ({ at, id } = rows.at(-1) ?? { at, id });
  }
  return forgotten;
}

/** Which of these stored files no customer's row names. */
export async function findUnnamedFiles(reader: Reader, names: string[]): Promise<string[]> {
  const found = await sql<{ name: string }>`
    SELECT name FROM unnest(${names}::text[]) AS name
     WHERE NOT EXISTS (SELECT FROM customers WHERE avatar_file = name)
       AND NOT EXISTS (SELECT FROM customers WHERE id_card_file = name)`.execute(reader);
  return found.rows.map(row => row.name);
}
