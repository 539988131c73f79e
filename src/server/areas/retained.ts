/** Handlers of the retained area: identification data that is kept after an account is closed. */
import { Refusal } from '#contract/errors.ts';
import * as retainedMessages from '#contract/messages/retained.ts';
import type { retainedApi } from '#contract/retained.ts';
import type { Handlers } from '../http/serve.ts';
import type { Parts } from '../parts.ts';
import { readRetained } from '../people/retention.ts';
import { recordAdminAct } from './recordAct.ts';

export function retainedHandlers(
  parts: Pick<Parts, 'config' | 'database' | 'keys'>,
): Handlers<typeof retainedApi> {
  return {
    async retention() {
      return { data: { years: parts.config.retentionYears } };
    },

    async openRetained({ params: { id }, body: { reason }, admin, address }) {
      const data = await parts.database.inTransaction(async tx => {
        const retained = await readRetained(tx, parts.keys, id);
        if (!retained) throw new Refusal('NOT_FOUND', { message: retainedMessages.missing });
        await recordAdminAct(tx, { admin, address }, 'retained.opened', id, { reason });
        return retained;
      });
      return { data };
    },
  };
}
