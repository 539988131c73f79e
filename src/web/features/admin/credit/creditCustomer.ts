/**
 * Sends one press of 'Credit User' and records the outcome in the admin slice. Retrying a credit that was never answered
 * reuses its idempotency key, even after a reload, so that it cannot be made twice.
 */
import type * as z from 'zod/mini';
import type { adminApi, Credit } from '#contract/admin.ts';
import type { Data } from '#contract/endpoint.ts';
import { keepCredits } from '#web/base/keptCredits.ts';
import { type Outcome, sendKeyed } from '#web/base/keyedPress.ts';
import { selectAdmin } from '#web/base/session.ts';
import type { AppDispatch, RootState } from '#web/base/store.ts';
import { adminCalls } from '../adminCalls.ts';
import { adminSlice, creditAnswered, creditNotSent, creditPressed } from '../adminSlice.ts';

/** The request body of a credit. */
export type CreditBody = z.input<typeof Credit>;

/** A press of 'Credit User': the administrator, the request body and the idempotency key. */
export type PressedCredit = { key: string; adminId: string; body: CreditBody };

/** The outcome of a credit, with the account number. A credit that needs a second approval ends as a request for it. */
export type CreditOutcome = Outcome<Data<typeof adminApi.credit>> & { userAccountNumber: string };

/** Returns the credit in `unknown` with exactly this body, or undefined. */
export function sameCredit(unknown: readonly PressedCredit[], body: CreditBody): PressedCredit | undefined {
  return unknown.find(
    pressed =>
      pressed.body.userAccountNumber === body.userAccountNumber &&
      pressed.body.amount === body.amount &&
      pressed.body.description === body.description,
  );
}

const plain = (text = '') => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** What `readsAlike` compares. */
export type AlikeCredit = { amount?: number | undefined; description?: string | undefined };

/** Whether a person reads two credits of an account as the same: descriptions may differ in case and extra spaces. */
export const readsAlike = (one: AlikeCredit, other: AlikeCredit) =>
  one.amount === other.amount && plain(one.description) === plain(other.description);

/**
 * Returns the credit to send for `body`: the unanswered credit with the same body or, if there is none, a new credit with a
 * new key.
 */
export function pressCredit(
  unknown: readonly PressedCredit[],
  adminId: string,
  body: CreditBody,
): PressedCredit {
  const own = unknown.filter(pressed => pressed.adminId === adminId);
  return sameCredit(own, body) ?? { key: crypto.randomUUID(), adminId, body };
}

/**
 * Resolves when the slice has the outcome. If a newer credit like this one than `sameCreditId` was made, the bank refuses.
 * Sends nothing while another credit is being sent, if the view was left (`isOpen`), or after the session has ended.
 */
export function creditCustomer(body: CreditBody, sameCreditId: string | null, isOpen: boolean) {
  return async (dispatch: AppDispatch, getState: () => RootState): Promise<void> => {
    const admin = selectAdmin(getState());
    const { isSending, unknown } = adminSlice.selectors.credit(getState());
    // The login says so, unless an earlier press may have made the credit.
    if (!admin && !sameCredit(unknown, body)) dispatch(creditNotSent());
    if (!admin || !isOpen || isSending) return;
    const keep = () => keepCredits(adminSlice.selectors.credit(getState()).unknown);
    const pressed = pressCredit(unknown, admin._id, body);
    dispatch(creditPressed(pressed));
    keep();
    const isRepeat = unknown.includes(pressed);
    const first = await sendKeyed(
      keyed => dispatch(adminCalls.endpoints.credit.initiate({ ...keyed, body: { ...body, sameCreditId } })),
      { idempotencyKey: pressed.key, onlyFor: admin._id },
      isRepeat,
    );
    // A repeat gets the first answer. The transaction says whether the credit was reversed since.
    const made = isRepeat && 'data' in first && !('approval' in first.data) ? first.data : undefined;
    const read =
      made &&
      adminCalls.endpoints.adminTransaction.initiate(
        { params: { id: made._id } },
        { forceRefetch: true, subscribe: false },
      );
    const now = read && (await dispatch(read)).data;
    const outcome = now?.reversedBy ? { ...first, data: now } : first;
    const isPresent = selectAdmin(getState())?._id === admin._id;
    const { userAccountNumber } = body;
    dispatch(creditAnswered({ key: pressed.key, outcome: { ...outcome, userAccountNumber }, isPresent }));
    keep();
  };
}
