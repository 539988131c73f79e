/** Deletes stored refusals whose idempotency key has expired. The database refuses to delete younger ones. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

const batchSize = 2_000;

/**
 * Deletes refusals older than 30 days, one transaction per batch, until none is left or `signal` aborts. Returns their number.
 */
export async function deleteExpiredRefusals(database: Database, signal?: AbortSignal): Promise<number> {
  let deleted = 0;
  for (let count = batchSize; count === batchSize && !signal?.aborted; deleted += count) {
    const { numAffectedRows } = await database.inTransaction(tx =>
      sql`
        DELETE FROM refused_requests WHERE key_hash IN (
          SELECT key_hash FROM refused_requests WHERE at < now() - interval '30 days'
           ORDER BY at LIMIT ${batchSize})`.execute(tx),
    );
    count = Number(numAffectedRows ?? 0n);
  }
  return deleted;
}
