/**
 * The task `finish-erasures`: erases in batches what is left of closed customers. Closing an account hides the person at once
 * and enqueues this task; the hourly clean-up runs it again for whatever an interruption left behind.
 */
import { nilId } from '../base/uuid.ts';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import type { Database } from '../db/database.ts';
import { eraseAccountNames } from '../ledger/closing.ts';
import type { Parts } from '../parts.ts';
import {
  eraseInBatches,
  listUnfinishedErasures,
  markErased,
  type UnfinishedErasure,
} from '../people/erasing.ts';

export type ErasureParts = {
  database: Database;
  files: Pick<Parts['files'], 'remove'>;
  keys: Pick<Parts['keys'], 'erase'>;
};

/** Finishes every unfinished erasure. Throws when `signal` aborts, or at the end if an erasure failed. */
export async function finishErasures(parts: ErasureParts, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  const list = (after: string) => listUnfinishedErasures(parts.database.reader, after);
  let page = await list(nilId);
  while (page.length > 0) {
    for (const erasure of page) {
      await finish(parts, erasure, signal).catch((error: unknown) => failures.push(error));
      signal?.throwIfAborted();
    }
    page = await list(page.at(-1)!.customerId);
  }
  if (failures.length > 0) throw failures[0];
}

async function finish(
  { database, files, keys }: ErasureParts,
  erasure: UnfinishedErasure,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pause = async (): Promise<void> => {
    signal?.throwIfAborted();
    await waitUntilIdle(signal);
  };
  await keys.erase(erasure.customerId);
  // The last pass finds nothing, which proves that everything is gone.
  for (let erased = 1; erased > 0; )
    erased =
      (await eraseInBatches(database, erasure, pause)) +
      (await eraseAccountNames(database, erasure.accountId, pause));
  for (const file of erasure.files) await files.remove(file);
  await database.inTransaction(tx => markErased(tx, erasure.customerId));
}
