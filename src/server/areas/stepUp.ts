/** Handlers of the stepUp area. They mail a code for a challenge, and exchange a confirmation for a proof. */
import { invalidField } from '#contract/errors.ts';
import * as stepUpMessages from '#contract/messages/stepUp.ts';
import type { StepUpMethod, stepUpApi } from '#contract/stepUp.ts';
import type { Handlers } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { Parts } from '../parts.ts';
import { encryptCode } from '../people/codes.ts';
import { confirmStepUp, issueStepUpCode, overRefusal, startStepUpPasskey } from '../people/stepUp.ts';

const wrong: Record<StepUpMethod, string> = {
  email: stepUpMessages.wrongCode,
  totp: stepUpMessages.wrongAppCode,
  passkey: stepUpMessages.wrongPasskey,
};

export function stepUpHandlers(
  parts: Pick<Parts, 'database' | 'secrets' | 'keys' | 'publicUrl'>,
): Handlers<typeof stepUpApi> {
  const { database } = parts;
  const { codeKey } = parts.secrets;
  return {
    async sendStepUpCode({ params: { id }, customer }) {
      await database.inTransaction(async tx => {
        const digits = await issueStepUpCode(tx, codeKey, customer, id);
        await enqueueJob(tx, 'mail', {
          template: 'step-up-code',
          personId: customer.customerId,
          encryptedCode: encryptCode(digits, codeKey),
          stepUpId: id,
        });
      });
    },

    async stepUpPasskeyOptions({ params: { id }, customer }) {
      return { data: await database.inTransaction(tx => startStepUpPasskey(tx, parts, customer, id)) };
    },

    async verifyStepUp({ params: { id }, body, customer, address }) {
      const answer = await database.inTransaction(tx =>
        confirmStepUp(tx, parts, { ...customer, address }, { id, ...body }),
      );
      if ('refused' in answer) {
        if (answer.refused === 'used-up') throw overRefusal(stepUpMessages.usedUp);
        // A 401 `BAD_CODE` would make the client end the session, which is still valid.
        throw invalidField(
          'code',
          answer.refused === 'expired' ? stepUpMessages.expiredCode : wrong[body.method],
        );
      }
      return { data: answer };
    },
  };
}
