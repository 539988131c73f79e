/** The hourly task `clean-up`: deletes data and files that are no longer needed. */
import type { Database } from '../db/database.ts';
import { deleteOldNotifications } from '../db/notifications.ts';
import { foldTotals } from '../ledger/statistics.ts';
import type { Parts } from '../parts.ts';
import { deleteExpired, findOrphanedFiles, purgeTraces } from '../people/expiry.ts';
import { recordCountedAttempts } from '../people/failedAttempts.ts';
import { deleteFailedJobs } from './queueRunner.ts';
import { removeExpiredRegistrations } from './registrations.ts';

export type CleanUpParts = {
  database: Database;
  files: Pick<Parts['files'], 'listBefore' | 'remove'>;
  secrets: Parts['secrets'];
  log: Parts['log'];
};

/** Cleans up step by step until done or until `signal` aborts, and logs the counts. */
export async function cleanUp(
  { database, files, secrets, log }: CleanUpParts,
  signal?: AbortSignal,
): Promise<void> {
  const rows = await deleteExpired(database, signal);
  await recordCountedAttempts(database, signal);
  const registrations = await removeExpiredRegistrations({ database, files, secrets, log }, signal);
  const notifications = await deleteOldNotifications(database, signal);
  const orphans = await removeOrphans({ database, files }, signal);
  const failed = await deleteFailedJobs(database);
  const folded = await foldTotals(database);
  await purgeTraces(database, signal).catch((error: Error) =>
    log.warn({ reason: error.message }, 'traces of erased customers stay until the next clean-up'),
  );
  log.info({ rows, registrations, notifications, orphans, failed, folded }, 'cleaned up');
}

const batchSize = 1_000;
/** A file is stored before the row that names it is committed. For a file this old, no row will follow. */
const orphanAgeMs = 60 * 60 * 1000;

/** Removes stored files that no row names. Returns their number. */
export async function removeOrphans(
  { database, files }: Pick<CleanUpParts, 'database' | 'files'>,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  const removeUnnamed = async (names: string[]): Promise<void> => {
    for (const name of await findOrphanedFiles(database.reader, names)) {
      await files.remove(name);
      removed++;
    }
  };
  let names: string[] = [];
  for await (const name of files.listBefore(new Date(Date.now() - orphanAgeMs))) {
    if (signal?.aborted) return removed;
    names.push(name);
    if (names.length === batchSize) {
      await removeUnnamed(names);
      names = [];
    }
  }
  await removeUnnamed(names);
  return removed;
}
