/** Handlers of the transfer area. The ledger sends the money; looking up a receiver reveals the name and nothing else. */
import { Refusal } from '#contract/errors.ts';
import type { StepUp } from '#contract/stepUp.ts';
import type { transferApi } from '#contract/transfer.ts';
import type { Handlers } from '../http/serve.ts';
import type { Parts } from '../parts.ts';
import { findReceiver } from '../people/customerLists.ts';
import { externalReceiver, hashProof } from '../people/stepUp.ts';

export function transferHandlers({
  database,
  ledger,
  rail,
}: Pick<Parts, 'database' | 'ledger' | 'rail'>): Handlers<typeof transferApi> {
  return {
    async sendInternal({ body, customer, idempotencyKey, stepUpProof, address }) {
      const { amount: amountCents, receiverAccountNumber: receiver } = body;
      const stepUp = { act: 'transfer', amountCents, receiver } as const;
      const posting = ledger.transfer({
        customerId: customer.customerId,
        sessionId: customer.sessionId,
        proofHash: hashProof(customer, stepUp, stepUpProof),
        receiverAccountNumber: receiver,
        amountCents,
        description: body.description,
        idempotencyKey,
        address,
      });
      return { data: await orStepUp(stepUp, posting) };
    },

    async sendExternal({ body, customer, idempotencyKey, stepUpProof, address }) {
      const { bankName, accountName, accountNumber, amount: amountCents, description } = body;
      const bank = { bankName, accountName, accountNumber };
      const stepUp = { act: 'external-transfer', amountCents, receiver: externalReceiver(bank) } as const;
      const posting = ledger.sendExternal({
        customerId: customer.customerId,
        sessionId: customer.sessionId,
        proofHash: hashProof(customer, stepUp, stepUpProof),
        bank,
        isUnreachable: rail.routeTo(bankName) === undefined,
        amountCents,
        description,
        idempotencyKey,
        address,
      });
      return { data: await orStepUp(stepUp, posting) };
    },

    async verifyAccount({ params }) {
      const { accountName, accountNumber } = await findReceiver(database.reader, params.accountNumber);
      return { data: { accountName, accountNumber } };
    },
  };
}

/** The ledger decides whether a step-up is needed. If it refuses for that reason, adds the act to confirm to the refusal. */
async function orStepUp<T>(stepUp: StepUp, posting: Promise<T>): Promise<T> {
  return await posting.catch((error: unknown) => {
    const isRequired = error instanceof Refusal && error.code === 'STEP_UP_REQUIRED';
    throw isRequired ? new Refusal('STEP_UP_REQUIRED', { stepUp }) : error;
  });
}
