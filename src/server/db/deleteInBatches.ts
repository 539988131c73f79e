/** Deletes many rows without a long transaction. */
import type { RawBuilder } from 'kysely';
import type { Database } from './database.ts';

/** Rows per transaction: few enough that no statement comes near its timeout. */
export const batchSize = 2_000;

/**
 * Runs a statement that deletes at most `batchSize` rows, each time in its own transaction, until it deletes fewer or `signal`
 * aborts. Calls `pause` before each batch. Returns the number of deleted rows.
 */
export async function deleteInBatches(
  database: Database,
  statement: RawBuilder<unknown>,
  { signal, pause }: { signal?: AbortSignal | undefined; pause?: () => Promise<void> },
): Promise<number> {
  let deleted = 0;
  for (let count = batchSize; count === batchSize && !signal?.aborted; deleted += count) {
    await pause?.();
    const { numAffectedRows } = await database.inTransaction(tx => statement.execute(tx));
    count = Number(numAffectedRows ?? 0n);
  }
  return deleted;
}
