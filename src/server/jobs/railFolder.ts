/** Stores the incoming files of the rail's folder `in`, and has their lines applied. */
import { Gauge } from 'prom-client';
import { applyLines, type IncomingParts, repeatAnswersTo } from './railIncoming.ts';
import { storeFile } from './railStoring.ts';

/** For `GET /metrics`: the database knows a file only after it is stored. */
export const filesUnread = new Gauge({
  name: 'larkspur_rail_files_unread',
  help: 'complete files in the folder `in` of the payment rail that are not read yet',
  registers: [],
  aggregator: 'max',
});

/**
 * Stores every file of the folder `in` and applies all waiting lines. Files that arrive meanwhile are stored too. `settledMs`:
 * see `listIncoming`. If a file or a line fails, logs it at once and throws its error at the end: a file that cannot be opened
 * must not stop the others. `retryMs`: see `applyLines`.
 */
export async function readRailFolder(
  parts: IncomingParts,
  {
    settledMs,
    signal,
    retryMs,
  }: { settledMs?: number; signal?: AbortSignal | undefined; retryMs?: number } = {},
): Promise<void> {
  const failures = new Map<string, unknown>();
  const storeNew = async () => {
    const names = await parts.rail.listIncoming(settledMs).catch((error: unknown) => {
      // The folder cannot be listed, so files may wait in it.
      filesUnread.set(1);
      throw error;
    });
    filesUnread.set(names.length);
    // Files that failed are read again in the next call.
    const others = names.filter(name => !failures.has(name));
    await storeFiles(parts, others, failures, signal, () => filesUnread.dec());
  };
  await storeNew();
  const storeNext = async () => {
    await storeNew().catch((error: unknown) => {
      parts.log?.warn({ err: error }, 'the folder of rail files could not be listed; retrying');
      failures.set('', error);
    });
    return failures.size > 0;
  };
  await applyLines(parts, signal, { storeNew: storeNext, retryMs });
  throwFirst(failures, signal);
}

/** How many calls of `readRailFiles` apply lines at a time. */
const mostApplying = 2;
let applying = 0;

/**
 * Stores the files with these names, and applies waiting lines for a fifth of a second at most, unless two other calls are
 * applying lines. The callers are jobs, and while a large file is applied, other jobs would wait for a slot. Returns false if
 * another call applies the lines, or another process is storing one of the files. Throws like `readRailFolder`.
 */
export async function readRailFiles(
  parts: IncomingParts,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<boolean> {
  const failures = new Map<string, unknown>();
  let read = 0;
  await storeFiles(parts, names, failures, signal, () => read++);
  const mayApply = applying < mostApplying;
  if (mayApply) {
    applying++;
    await applyLines(parts, signal, { mostMs: 200 }).finally(() => applying--);
  }
  throwFirst(failures, signal);
  return mayApply && read === names.length;
}

/** Logs the errors and adds them to `failures`. Calls `onRead` for each file that was read. */
async function storeFiles(
  parts: IncomingParts,
  names: readonly string[],
  failures: Map<string, unknown>,
  signal: AbortSignal | undefined,
  onRead: () => void,
): Promise<void> {
  for (const name of names) {
    if (signal?.aborted) return;
    try {
      if (await readIncoming(parts, name, signal)) onRead();
    } catch (error) {
      if (signal?.aborted) return;
      parts.log?.warn({ err: error, file: name }, 'a rail file could not be read; retrying');
      failures.set(name, error);
    }
  }
}

function throwFirst(failures: Map<string, unknown>, signal: AbortSignal | undefined): void {
  const [first] = failures.values();
  if (failures.size > 0 && !signal?.aborted) throw first;
}

/** Stores a file of the folder and moves it away. False if another process is storing it. */
async function readIncoming(
  { database, rail, log }: IncomingParts,
  name: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const bytes = await rail.readIncoming(name);
  if (!bytes) return true;
  const receipt = await storeFile({ database, rail }, name, bytes, signal);
  if (receipt.status === 'busy') return false;
  await rail.fileAway(name, receipt.status === 'refused' ? 'refused' : 'archive', bytes);
  // Repeats the answers only after the move: a file that cannot be moved is read again every two seconds.
  if (receipt.status === 'duplicate') await repeatAnswersTo(database, bytes);
  if (receipt.status === 'refused')
    log?.warn({ file: name, reason: receipt.reason }, 'a rail file was refused');
  else log?.info({ file: name, status: receipt.status }, 'a rail file was read');
  return true;
}
