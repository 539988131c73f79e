/** What is kept about people no longer than a rule reads it. Evidence is never touched here. */
import { type RawBuilder, sql } from 'kysely';
import type { Database, Reader } from '../db/database.ts';

/** Rows a transaction takes: few enough that none comes near the longest a statement may take. */
const atOnce = 2_000;

/** What goes, and when: codes and asked addresses after a day, sessions a month after their end. */
const expired: RawBuilder<unknown>[] = [
  sql`DELETE FROM codes WHERE id IN (
        SELECT id FROM codes WHERE created_at < now() - interval '1 day'
         ORDER BY created_at LIMIT ${atOnce} FOR UPDATE SKIP LOCKED)`,
  sql`DELETE FROM asked_addresses WHERE address_key IN (
        SELECT address_key FROM asked_addresses WHERE touched_at < now() - interval '1 day'
         ORDER BY touched_at LIMIT ${atOnce} FOR UPDATE SKIP LOCKED)`,
  sql`DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE expires_at < now() - interval '30 days'
         ORDER BY expires_at LIMIT ${atOnce} FOR UPDATE SKIP LOCKED)`,
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
