/** Deletes many rows without a long transaction. */
import type { RawBuilder } from 'kysely';
import type { Database } from './database.ts';

/**
 * Runs a statement that deletes at most `batchSize` rows, each time in its own transaction, until it deletes fewer or `signal`
 * aborts. Calls `pause` before each batch. Returns the number of deleted rows.
 */
export async function deleteInBatches(
  database: Database,
  statement: RawBuilder<unknown>,
  {
    batchSize,
    signal,
    pause,
  }: { batchSize: number; signal?: AbortSignal | undefined; pause?: () => Promise<void> },
): Promise<number> {
  let deleted = 0;
  for (let count = batchSize; count === batchSize && !signal?.aborted; deleted += count) {
    await pause?.();
    const { numAffectedRows } = await database.inTransaction(tx => statement.execute(tx));
    count = Number(numAffectedRows ?? 0n);
  }
  return deleted;
}
