/** The hourly task `clean-up`: deletes data and files that are no longer needed. */
import { readBankState } from '../db/bankState.ts';
import { type Database, reasonOf } from '../db/database.ts';
import { deleteOldNotifications } from '../db/notifications.ts';
import { endLostProofs } from '../ledger/dayEnd.ts';
import { deleteExpiredRefusals } from '../ledger/refusedRequests.ts';
import { summarizeReferences } from '../ledger/searchTexts.ts';
import { foldTotals } from '../ledger/statistics.ts';
import type { Parts } from '../parts.ts';
import { deleteExpired, findOrphanedFiles, purgeTraces } from '../people/expiry.ts';
import { recordCountedAttempts } from '../people/failedAttempts.ts';
import { eraseRetained } from '../people/retention.ts';
import { removeOldExports } from './exportData.ts';
import { finishErasures } from './finishErasures.ts';
import { deleteFailedJobs } from './queueRunner.ts';
import { cleanUpRail } from './railCleanUp.ts';
import { removeExpiredRegistrations } from './registrations.ts';
import { endRequestsAboutClosed, expireRequests } from './requestMails.ts';

export type CleanUpParts = {
  database: Database;
  files: Pick<
    Parts['files'],
    'listBefore' | 'remove' | 'quarantine' | 'release' | 'listQuarantinedBefore' | 'belongsTo'
  >;
  keys: Pick<Parts['keys'], 'erase'>;
  exportFiles: Parts['exportFiles'];
  rail: Pick<Parts['rail'], 'deleteBefore' | 'confirmsDeposits'>;
  secrets: Parts['secrets'];
  log: Parts['log'];
};

/**
 * Cleans up step by step until done or until `signal` aborts, and logs the counts. A step that fails is logged and must not
 * stop the others, because the last steps erase personal data.
 */
export async function cleanUp(
  { database, files, keys, exportFiles, rail, secrets, log }: CleanUpParts,
  signal?: AbortSignal,
): Promise<void> {
  const steps: Record<string, () => Promise<unknown>> = {
    rows: () => deleteExpired(database, signal),
    refusals: () => deleteExpiredRefusals(database, signal),
    requests: () => expireRequests(database, signal),
    requestsAboutClosed: () => endRequestsAboutClosed(database, signal),
    attempts: () => recordCountedAttempts(database, signal),
    registrations: () => removeExpiredRegistrations({ database, files, keys, secrets, log }, signal),
    notifications: () => deleteOldNotifications(database, signal),
    pictures: () => cleanUpFiles({ database, files }, signal),
    copies: () => removeOldExports({ database, exportFiles }),
    railFiles: () => cleanUpRail({ database, rail }),
    proofs: () => database.inTransaction(endLostProofs),
    failedJobs: () => deleteFailedJobs(database),
    totals: () => foldTotals(database),
    references: () => summarizeReferences(database),
    erasures: () => finishErasures({ database, files, keys }, signal),
    retained: () => eraseRetained(database, keys, signal),
    traces: () => purgeTraces(database, signal),
  };
  const done: Record<string, unknown> = {};
  for (const [step, work] of Object.entries(steps)) {
    if (signal?.aborted) break;
    try {
      done[step] = await work();
    } catch (error) {
      if (signal?.aborted) break;
      log.error({ reason: reasonOf(error as Error) }, `the ${step} were not cleaned up`);
    }
  }
  log.info(done, 'cleaned up');
}

const batchSize = 1_000;
/** A file is stored before the row that names it is committed. For a file this old, no row will follow. */
const orphanAgeMs = 60 * 60 * 1000;
const quarantineMs = 30 * 24 * 60 * 60 * 1000;
/**
 * A clean-up moves at most this share of the files. If more have no row, the database is older than the files (after a
 * restore) or belongs to another bank.
 */
const maxOrphanShare = 0.05;
/** Up to this many files are always moved, so that a small bank is cleaned up too. */
const alwaysMoved = 10;

/**
 * Moves stored files to the quarantine if no row names them, and deletes them 30 days later unless a row names them again.
 * Returns how many were moved and deleted. Throws, with nothing moved or deleted, if the folder belongs to another bank or if
 * too many files have no row.
 */
export async function cleanUpFiles(
  { database, files }: Pick<CleanUpParts, 'database' | 'files'>,
  signal?: AbortSignal,
): Promise<{ moved: number; deleted: number }> {
  const { reader } = database;
  const { bankId } = await readBankState(reader);
  if (!(await files.belongsTo(bankId))) throw new Error(foreignFolder);

  const orphans: string[] = [];
  let total = 0;
  for await (const names of inBatches(files.listBefore(new Date(Date.now() - orphanAgeMs)))) {
    signal?.throwIfAborted();
    total += names.length;
    orphans.push(...(await findOrphanedFiles(reader, names)));
  }
  if (orphans.length > Math.max(alwaysMoved, total * maxOrphanShare))
    throw new Error(
      `${orphans.length} of ${total} stored pictures belong to no customer of this database. Is the database older than the pictures, or another one? No picture was moved.`,
    );
  for (const name of orphans) await files.quarantine(name);

  let deleted = 0;
  for await (const names of inBatches(files.listQuarantinedBefore(new Date(Date.now() - quarantineMs)))) {
    signal?.throwIfAborted();
    const unnamed = new Set(await findOrphanedFiles(reader, names));
    for (const name of names) await (unnamed.has(name) ? files.remove(name) : files.release(name));
    deleted += unnamed.size;
  }
  return { moved: orphans.length, deleted };
}

/** What the log says if the folder of pictures belongs to another bank's database. */
export const foreignFolder =
  'The stored pictures belong to another bank: their file bank-id names another database. No picture is cleaned up.';

async function* inBatches(names: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const name of names) {
    batch.push(name);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
