/** Deletes stored refusals whose idempotency key has expired. The database refuses to delete younger ones. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { batchSize, deleteInBatches } from '../db/deleteInBatches.ts';

/** Deletes refusals older than 30 days until none is left or `signal` aborts. Returns their number. */
export function deleteExpiredRefusals(database: Database, signal?: AbortSignal): Promise<number> {
  const statement = sql`
    DELETE FROM refused_requests WHERE key_hash IN (
      SELECT key_hash FROM refused_requests WHERE at < now() - interval '30 days' ORDER BY at LIMIT ${batchSize})`;
  return deleteInBatches(database, statement, { signal });
}
