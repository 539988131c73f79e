/**
 * The task `export-data`: makes a copy of everything about a customer as an encrypted file. It locks nothing, and writes the
 * file while it reads the books. A process that dies leaves a draft; the job then makes the copy again.
 */
import type { Readable } from 'node:stream';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import type { Database } from '../db/database.ts';
import type { Parts } from '../parts.ts';
import {
  deleteExpiredExports,
  existingExports,
  findPendingExport,
  finishExport,
  recordProgress,
} from '../people/exportJobs.ts';
import { type CopyParts, writeEverything } from './everything.ts';
import { enqueueJob } from './queue.ts';

export type ExportOrder = { exportId: string };
export type ExportParts = CopyParts & Pick<Parts, 'exportFiles'>;

/** After this many bytes, the job yields to requests. On a busy server it continues after `maxYieldMs`. */
const yieldBytes = 512 * 1024;
const maxYieldMs = 100;
const progressMs = 500;

/** Makes the copy, unless it is ready or its customer is gone, and tells the customer by mail. */
export async function exportData(
  parts: ExportParts,
  { exportId }: ExportOrder,
  signal?: AbortSignal,
): Promise<void> {
  const { database, exportFiles } = parts;
  const pending = await findPendingExport(database.reader, exportId);
  if (!pending) return;
  let percent = 0;
  const content = await writeEverything(parts, pending, (done, all) => {
    // Only a copy that is ready shows 100 percent.
    percent = Math.min(99, Math.floor((done * 100) / all));
  });
  const report = () => database.inTransaction(tx => recordProgress(tx, exportId, percent));
  const size = await exportFiles.write({ id: exportId, ...pending }, paced(content, report, signal));
  const isWanted = await database.inTransaction(async tx => {
    if (!(await finishExport(tx, exportId, size))) return false;
    await enqueueJob(tx, 'mail', { template: 'data-copy-ready', personId: pending.customerId });
    return true;
  });
  if (!isWanted) await removeOldExports(parts);
}

/** The bytes of a stream, with pauses for requests and reports of progress. */
async function* paced(
  content: Readable,
  report: () => Promise<void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let [sinceYield, reportedAt] = [0, 0];
  for await (const piece of content as AsyncIterable<Uint8Array>) {
    signal?.throwIfAborted();
    yield piece;
    sinceYield += piece.length;
    if (sinceYield >= yieldBytes) {
      sinceYield = 0;
      await waitUntilIdle(signal, maxYieldMs);
    }
    if (performance.now() - reportedAt < progressMs) continue;
    reportedAt = performance.now();
    await report();
  }
}

/** Deletes expired copies, and every file without a row, such as those of erased customers. Returns the number of files. */
export async function removeOldExports({
  database,
  exportFiles,
}: Pick<Parts, 'exportFiles'> & { database: Database }): Promise<number> {
  // Files are listed before the rows are read: a listed file without a row belongs to an erased customer or has expired.
  const files = await exportFiles.list();
  await database.inTransaction(deleteExpiredExports);
  const existing = await existingExports(database.reader, files);
  const gone = files.filter(id => !existing.has(id));
  for (const id of gone) await exportFiles.remove(id);
  return gone.length;
}
