/** A credit as it is pressed and as it ends, and which key a press carries: the former one exactly for the same credit again. */
import type * as z from 'zod/mini';
import type { Credit } from '#contract/admin.ts';
import type { Transaction } from '#contract/entities.ts';
import type { CallError } from '#web/base/callError.ts';

/** What a credit says, as it travels. */
export type CreditBody = z.input<typeof Credit>;

/** A press of 'Credit User': whose it was, what it said, the key it went with. */
export type PressedCredit = { key: string; adminId: string; body: CreditBody };

/** A credit that was made; or one that was refused; or one of which that `isUnknown`. */
export type CreditOutcome =
  | { credited: Transaction; userAccountNumber: string; isUnknown: false }
  | { error: CallError; isUnknown: boolean };

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
