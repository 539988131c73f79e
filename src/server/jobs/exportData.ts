/**
 * The task `export-data`: makes a copy of everything about a customer as an encrypted file. It locks nothing, and writes the
 * file while it reads the books. A process that dies leaves a draft; the job then makes the copy again. A statement that cannot
 * be made is left out: on the last attempt for any reason, before that only if another attempt would not help. A copy that
 * cannot be made is given up after some hours, so that its customer can ask for another one.
 */
import type { Readable } from 'node:stream';
import * as recordsMessages from '#contract/messages/records.ts';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import type { Database, Tx } from '../db/database.ts';
import { openStatement, readMonthFigures, UnsoundStatement } from '../ledger/statements.ts';
import type { Parts } from '../parts.ts';
import {
  deleteExpiredExports,
  deletePendingExport,
  existingExports,
  findPendingExport,
  finishExport,
  type PendingExport,
  recordProgress,
} from '../people/exportJobs.ts';
import { type CopyParts, StatementFailed, writeEverything } from './everything.ts';
import { enqueueJob } from './queue.ts';

export type ExportOrder = { exportId: string };
export type ExportParts = CopyParts & Pick<Parts, 'exportFiles'> & { log: Pick<Parts['log'], 'error'> };

/** The queue makes this many attempts in about four hours. */
const maxAttempts = 10;

/** After this many bytes, the job yields to requests. On a busy server it continues after `maxYieldMs`. */
const yieldBytes = 512 * 1024;
const maxYieldMs = 100;
const progressMs = 500;

const lacks = 'a copy of all data lacks a statement';

/**
 * Makes the copy, unless it is ready or its customer is gone. Mails the customer when it is ready, or when the last attempt
 * failed. `attempt`: the number of this attempt, from 1.
 */
export async function exportData(
  parts: ExportParts,
  { exportId }: ExportOrder,
  signal?: AbortSignal,
  attempt = 1,
): Promise<void> {
  const { database, log } = parts;
  const pending = await findPendingExport(database.reader, exportId);
  if (!pending) return;
  const { customerId: personId } = pending;
  const end = (template: 'data-copy-ready' | 'data-copy-failed', change: (tx: Tx) => Promise<boolean>) =>
    database.inTransaction(async tx => {
      if (!(await change(tx))) return false;
      await enqueueJob(tx, 'mail', { template, personId });
      return true;
    });
  const giveUp = async (err?: unknown) => {
    log.error({ err, exportId, attempt }, 'a copy of all data could not be made; the customer gets a mail');
    await end('data-copy-failed', tx => deletePendingExport(tx, exportId));
  };
  // `attempt` also counts attempts whose process died, so it can exceed `maxAttempts`.
  if (attempt > maxAttempts) return await giveUp();
  try {
    const size = await writeCopy(parts, { exportId, pending, attempt, signal });
    if (!(await end('data-copy-ready', tx => finishExport(tx, exportId, size))))
      await removeOldExports(parts);
  } catch (error) {
    if (attempt < maxAttempts || signal?.aborted) throw error;
    await giveUp(error);
  }
}

type Copy = { exportId: string; pending: PendingExport; attempt: number; signal: AbortSignal | undefined };

/**
 * Writes the file. If a statement cannot be made, begins again without it and without later ones that cannot be made either.
 */
async function writeCopy(parts: ExportParts, copy: Copy): Promise<number> {
  const { database, exportFiles, log } = parts;
  const { exportId, pending, attempt, signal } = copy;
  const leftOut = new Map<string, string>();
  for (;;) {
    let percent = 0;
    const onFile = (done: number, all: number) => {
      // Only a copy that is ready shows 100 percent.
      percent = Math.min(99, Math.floor((done * 100) / all));
    };
    const report = () => database.inTransaction(tx => recordProgress(tx, exportId, percent));
    try {
      const content = await writeEverything(parts, pending, { onFile, leftOut });
      try {
        return await exportFiles.write({ id: exportId, ...pending }, paced(content, report, signal));
      } finally {
        // A refused write, as on a full disk, has not read it to its end.
        content.destroy();
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof StatementFailed)) throw error;
      const { accountId } = pending;
      for (const { month } of await readMonthFigures(database.reader, accountId, parts.clock.now())) {
        if (month < error.month || leftOut.has(month)) continue;
        const reason = await whyNotMade(parts, copy, month);
        if (reason) leftOut.set(month, reason);
        // Probably an outage: the statements of later months would fail too.
        else if (month === error.month && attempt < maxAttempts) throw error;
        await waitUntilIdle(signal, maxYieldMs);
      }
      if (leftOut.has(error.month)) continue;
      log.error({ err: error.cause, exportId, month: error.month }, lacks);
      leftOut.set(error.month, recordsMessages.failed);
    }
  }
}

/** Why a statement cannot be made. Undefined if it can be made now, or if an outage is possible and another attempt follows. */
async function whyNotMade(
  { database: { reader }, documents, clock, log }: ExportParts,
  { exportId, pending, attempt, signal }: Copy,
  month: string,
): Promise<string | undefined> {
  try {
    const statement = (await openStatement(reader, pending.accountId, month, clock.now()))!;
    for await (const _ of documents.statement(statement)) signal?.throwIfAborted();
    return undefined;
  } catch (err) {
    signal?.throwIfAborted();
    const reason = whyLeftOut(err as NodeJS.ErrnoException, attempt >= maxAttempts);
    if (reason) log.error({ err, exportId, month }, lacks);
    return reason;
  }
}

function whyLeftOut(error: NodeJS.ErrnoException, isLast: boolean): string | undefined {
  if (error instanceof UnsoundStatement) return recordsMessages.disagrees;
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return recordsMessages.notOneFile;
  return isLast ? recordsMessages.failed : undefined;
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
