/** Handlers of the day-end area. */
import type { dayEndApi } from '#contract/dayEnd.ts';
import { Refusal } from '#contract/errors.ts';
import * as dayEndMessages from '#contract/messages/dayEnd.ts';
import { inSnapshot } from '../db/database.ts';
import type { Handlers } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { insertProof, readBalances, readOnTheWay, readProof, readProofs } from '../ledger/dayEnd.ts';
import type { Parts } from '../parts.ts';
import { recordAdminAct } from './recordAct.ts';

export function dayEndHandlers({
  database,
  clock,
}: Pick<Parts, 'database' | 'clock'>): Handlers<typeof dayEndApi> {
  return {
    async dayEnd() {
      const data = await inSnapshot(database.reader, async snapshot => {
        const { balances, accounts } = await readBalances(snapshot);
        const onTheWay = await readOnTheWay(snapshot);
        const { newest, days } = await readProofs(snapshot);
        return { at: clock.now(), accounts, balances, onTheWay, ...(newest && { proof: newest }), days };
      });
      return { data };
    },

    async proof({ params: { id } }) {
      const data = await readProof(database.reader, id);
      if (!data) throw new Refusal('NOT_FOUND', { message: dayEndMessages.noSuchProof });
      return { data };
    },

    async startProof({ admin, address }) {
      return await database.inTransaction(async tx => {
        const proofId = await insertProof(tx, admin.adminId);
        if (proofId === undefined) throw new Refusal('CONFLICT', { message: dayEndMessages.running });
        await enqueueJob(tx, 'prove-books', { proofId });
        await recordAdminAct(tx, { admin, address }, 'proof.started', proofId);
        return { data: (await readProof(tx, proofId))! };
      });
    },
  };
}
