/** The task `prove-books`: proves the books from the first record in a thread of its own, and stores progress and result. */
import type { Key } from '../base/keys.ts';
import { runThread } from '../base/runThread.ts';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import type { AuditHead } from '../db/audit.ts';
import { recordVerification } from '../db/bankState.ts';
import type { Connection } from '../db/hosts.ts';
import { finishProof, type Proven, readProof, updateProgress } from '../ledger/dayEnd.ts';
import { readStoredHeads } from './auditHeads.ts';
import type { SealParts } from './sealAudit.ts';

/** The payload of the task. */
export type ProofOrder = { proofId: string };

/** What the thread gets. */
export type ProofWork = { connection: Connection; sealKey: Key; noted: AuditHead[] };
/** What the thread sends. It waits for an answer to each `progress`. */
export type ProofMessage = { progress: { records: number; transactions: number } } | { proven: Proven };

const progressMs = 500;
/** A busy server pauses at most this long between batches: until the proof ends, VACUUM cannot remove old rows. */
const maxPauseMs = 200;

/**
 * Runs a proof that was requested in the back office, unless it has ended. If the process dies, the job is repeated and starts
 * again. Throws if `signal` aborts. If the thread fails, the proof ends as `unfinished`.
 */
export async function runProof(
  { database, secrets, config, store, log }: SealParts,
  { proofId }: ProofOrder,
  signal?: AbortSignal,
): Promise<void> {
  const proof = await readProof(database.reader, proofId);
  if (proof?.state !== 'running') return;
  const { host, port, hosts, user, password, database: name, ssl } = database.pool.options as Connection;
  const workerData: ProofWork = {
    connection: { host, port, hosts, user, password, database: name, ssl },
    sealKey: secrets.sealKey,
    noted: await readStoredHeads({ config, store }),
  };
  const proven = await prove(workerData, signal, progress =>
    database.inTransaction(tx => updateProgress(tx, proofId, progress)),
  ).catch((error: Error) => {
    signal?.throwIfAborted();
    log.error({ reason: error.message }, 'a proof of the books did not finish');
    return undefined;
  });
  for (const fault of proven?.faults ?? []) log.error({ fault }, "the books don't check out");
  await database.inTransaction(async tx => {
    await finishProof(tx, proofId, proven);
    if (proven?.faults.length === 0) await recordVerification(tx);
  });
}

/** Runs the thread. `onProgress` is called at most twice a second. */
function prove(
  workerData: ProofWork,
  signal: AbortSignal | undefined,
  onProgress: (progress: { records: number; transactions: number }) => Promise<void>,
): Promise<Proven> {
  let reportedAt = performance.now();
  return runThread(
    new URL('./proofThread.ts', import.meta.url),
    workerData,
    signal,
    async (message: ProofMessage, post) => {
      if ('proven' in message) return message.proven;
      if (performance.now() - reportedAt > progressMs) {
        reportedAt = performance.now();
        await onProgress(message.progress);
      }
      await waitUntilIdle(signal, maxPauseMs);
      post('continue');
      return undefined;
    },
  );
}
