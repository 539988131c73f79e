/**
 * One press of 'Credit User', asked once; the admin slice says how it went. A press of a credit whose answer never came
 * repeats that credit's key, so that it cannot be made twice.
 */
import type * as z from 'zod/mini';
import type { Credit } from '#contract/admin.ts';
import type { Transaction } from '#contract/entities.ts';
import { type Outcome, sendKeyed } from '#web/base/keyedPress.ts';
import { selectAdmin } from '#web/base/session.ts';
import type { AppDispatch, RootState } from '#web/base/store.ts';
import { adminCalls } from '../adminCalls.ts';
import { adminSlice, creditAnswered, creditPressed } from '../adminSlice.ts';

/** What a credit says, as it travels. */
export type CreditBody = z.input<typeof Credit>;

/** A press of 'Credit User': whose it was, what it said, the key it went with. */
export type PressedCredit = { key: string; adminId: string; body: CreditBody };

/** How the press of a credit ended, and whose account it was about. */
export type CreditOutcome = Outcome<Transaction> & { userAccountNumber: string };

/** The press among `unknown` that said just this. */
export function sameCredit(unknown: readonly PressedCredit[], body: CreditBody): PressedCredit | undefined {
  return unknown.find(
    pressed =>
      pressed.body.userAccountNumber === body.userAccountNumber &&
      pressed.body.amount === body.amount &&
      pressed.body.description === body.description,
  );
}

/** The press that says `body`: with a key of its own, or the same once more if its answer never came. */
export function pressCredit(
  unknown: readonly PressedCredit[],
  adminId: string,
  body: CreditBody,
): PressedCredit {
  return sameCredit(unknown, body) ?? { key: crypto.randomUUID(), adminId, body };
}

/** Resolves when the slice knows how it ended. Does nothing while another press is under way. */
export function creditCustomer(body: CreditBody) {
  return async (dispatch: AppDispatch, getState: () => RootState): Promise<void> => {
    const admin = selectAdmin(getState());
    const { asking, unknown } = adminSlice.selectors.credit(getState());
    if (!admin || asking) return;
    const pressed = pressCredit(unknown, admin._id, body);
    dispatch(creditPressed(pressed));
    const outcome = await sendKeyed(
      keyed => dispatch(adminCalls.endpoints.credit.initiate({ ...keyed, body })),
      { idempotencyKey: pressed.key, onlyFor: admin._id },
      unknown.includes(pressed),
    );
    const isPresent = selectAdmin(getState())?._id === admin._id;
    const { userAccountNumber } = body;
    dispatch(creditAnswered({ key: pressed.key, outcome: { ...outcome, userAccountNumber }, isPresent }));
  };
}
