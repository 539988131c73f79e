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
 * see `listIncoming`. Throws at the end if a file or a line failed: a file that cannot be opened must not stop the others.
 */
export async function readRailFolder(
  parts: IncomingParts,
  { settledMs, signal }: { settledMs?: number; signal?: AbortSignal | undefined } = {},
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
  await applyLines(parts, signal, () =>
    storeNew().catch((error: unknown) => {
      failures.set('', error);
    }),
  );
  throwFirst(failures, signal);
}

/** Stores the files with these names and applies all waiting lines. Throws like `readRailFolder`. */
export async function readRailFiles(
  parts: IncomingParts,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const failures = new Map<string, unknown>();
  await storeFiles(parts, names, failures, signal);
  await applyLines(parts, signal);
  throwFirst(failures, signal);
}

/** Adds the errors to `failures`. Calls `onStored` for each file that did not fail. */
async function storeFiles(
  parts: IncomingParts,
  names: readonly string[],
  failures: Map<string, unknown>,
  signal: AbortSignal | undefined,
  onStored?: () => void,
): Promise<void> {
  for (const name of names) {
    if (signal?.aborted) return;
    await readIncoming(parts, name, signal).then(onStored, (error: unknown) => failures.set(name, error));
  }
}

function throwFirst(failures: Map<string, unknown>, signal: AbortSignal | undefined): void {
  const [first] = failures.values();
  if (failures.size > 0 && !signal?.aborted) throw first;
}

/** Stores a file of the folder and moves it away. */
async function readIncoming(
  { database, rail, log }: IncomingParts,
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const bytes = await rail.readIncoming(name);
  if (!bytes) return;
  const receipt = await storeFile({ database, rail }, name, bytes, signal);
  await rail.fileAway(name, receipt.status === 'refused' ? 'refused' : 'archive', bytes);
  // Repeats the answers only after the move: a file that cannot be moved is read again every two seconds.
  if (receipt.status === 'duplicate') await repeatAnswersTo(database, bytes);
  if (receipt.status === 'refused')
    log?.warn({ file: name, reason: receipt.reason }, 'a rail file was refused');
  else log?.info({ file: name, status: receipt.status }, 'a rail file was read');
}
