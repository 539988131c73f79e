/** The jobs that apply resets of second factors after their waiting times. */
import { recordAudit } from '../db/audit.ts';
import type { Database } from '../db/database.ts';
import { applyReset, findDueResets } from '../people/factorResets.ts';
import { enqueueJob } from './queue.ts';

/** A reset to apply. It was canceled if its row is gone. */
export type ResetOrder = { personId: string; resetId: string };

/** Applies the reset unless it was canceled. Running it again has no effect. */
export async function resetFactors(
  { database }: { database: Database },
  { personId, resetId }: ResetOrder,
): Promise<void> {
  await database.inTransaction(async tx => {
    if (!(await applyReset(tx, { personId, resetId }))) return;
    await recordAudit(tx, { actor: { kind: 'system' }, action: 'factors.reset', subject: personId });
    await enqueueJob(tx, 'mail', { template: 'factors-reset', personId });
  });
}

/** Enqueues every reset that is due. Its earlier job was lost, or was deferred by a clock that was ahead. */
export async function resumeResets({ database }: { database: Database }): Promise<void> {
  await database.inTransaction(async tx => {
    for (const due of await findDueResets(tx))
      await enqueueJob(tx, 'reset-factors', due, { key: `reset-factors:${due.resetId}` });
  });
}
