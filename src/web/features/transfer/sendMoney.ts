/**
 * One press of 'Send Money': one idempotency key, asked with until the bank has truly answered, and the slice told how it
 * went. Goes on when the person looks at another screen meanwhile.
 */
import type * as z from 'zod/mini';
import type { Transaction } from '#contract/entities.ts';
import { messages } from '#contract/messages.ts';
import type { ExternalTransfer, InternalTransfer } from '#contract/transfer.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';
import type { AppDispatch } from '#web/base/store.ts';
import { askUntilAnswered, type Silence } from './askUntilAnswered.ts';
import { transferClient } from './transferCalls.ts';
import { transferDone, transferLate, transferRefused, transferStarted } from './transferSlice.ts';

/** What is sent: to another customer, or to an account at another bank. */
export type Sending =
  | { kind: 'internal'; body: z.input<typeof InternalTransfer> }
  | { kind: 'external'; body: z.input<typeof ExternalTransfer> };

type Answer = { transaction: Transaction; message: string } | { refusal: CallError };

/** Sends money once, whatever the line does. Resolves when the true result stands in the transfer slice. */
export function sendMoney(sending: Sending) {
  return async (dispatch: AppDispatch): Promise<void> => {
    const idempotencyKey = crypto.randomUUID();
    const { sendInternal, sendExternal } = transferClient.endpoints;
    const ask = async (timeoutMs: number, round: number): Promise<Answer | Silence> => {
      const call = { idempotencyKey, timeoutMs };
      const asked =
        sending.kind === 'internal'
          ? dispatch(sendInternal.initiate({ ...call, body: sending.body }))
          : dispatch(sendExternal.initiate({ ...call, body: sending.body }));
      const { data, error } = await asked;
      asked.reset();
      if (data) return { transaction: data.data, message: data.message };
      return judge(error as CallError, round);
    };
    dispatch(transferStarted());
    const answer = await askUntilAnswered(ask, () => dispatch(transferLate()));
    if ('transaction' in answer) dispatch(transferDone(answer));
    else dispatch(transferRefused({ message: refusalText(answer.refusal) }));
  };
}

// 'Too often' refuses one try and says nothing of an earlier one whose answer was lost. What bears no code of the bank
// comes from a proxy in between.
function judge(error: CallError, round: number): Answer | Silence {
  const { status, code, waitTime } = error;
  const unheard = typeof status !== 'number' || code === 'BUSY' || (!code && (status >= 500 || status < 400));
  const uncertain = code === 'TOO_MANY' && round > 0;
  return unheard || uncertain ? { silence: true, waitSeconds: waitTime } : { refusal: error };
}

/** A fault of the bank's own is told by the specification's fallback, a refusal by the bank's sentence. */
function refusalText(error: CallError): string {
  return error.code === 'FAULT'
    ? messages.transfer.fallback
    : errorMessage(error, messages.transfer.fallback);
}
