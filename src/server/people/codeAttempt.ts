/** The code step: one guess at a person's live code. No code, a wrong one, a locked login and nobody at all are one answer. */
import { login } from '#contract/constants.ts';
import { recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import { burnUnknown } from './addressKey.ts';
import { type CodePurpose, spendAttempt } from './codes.ts';
import { countWrongCode, type HeldCredentials, holdCredentials, writeCounts } from './lockout.ts';

/** `personId` is undefined for somebody unknown. `address` is where the guess came from. */
export type CodeGuess = {
  personId: string | undefined;
  addressKey: Buffer;
  purpose: CodePurpose;
  code: string;
  address: string;
};

/** `locks` is true for the one wrong guess that locks the login: its owner is to be told. */
export type CodeAnswer = { isRight: true; personId: string } | { isRight: false; locks: boolean };

/**
 * Tries a code inside the transaction that will do what the right code allows. The caller must let the transaction
 * commit on a wrong one too: the burnt attempt is in it.
 */
export async function tryCode(tx: Tx, codeKey: Uint8Array, guess: CodeGuess): Promise<CodeAnswer> {
  const { personId, purpose, code } = guess;
  const held = personId === undefined ? undefined : await holdCredentials(tx, personId);
  if (personId === undefined || !held) {
    await burnUnknown(tx, guess.addressKey);
    return await refuse(tx, guess, 'unknown', false);
  }
  if (isShut(held, purpose)) {
    await writeCounts(tx, held, false);
    return await refuse(tx, guess, 'locked', false);
  }
  const found = await spendAttempt(tx, codeKey, { personId, purpose, code });
  if (found === 'right') return { isRight: true, personId };
  if (found === 'wrong') {
    const { locks } = await countWrongCode(tx, held);
    return await refuse(tx, guess, 'wrong-code', locks);
  }
  // Nothing was compared, so nothing is counted: otherwise a stranger could lock a login without its password.
  await writeCounts(tx, held, false);
  return await refuse(tx, guess, 'no-code', false);
}

/** Wrong passwords must not shut out a customer who resets a forgotten one; wrong codes do. */
function isShut(held: HeldCredentials, purpose: CodePurpose): boolean {
  return held.isLocked && (purpose === 'login' || held.wrongCodes >= login.maxWrongCodes);
}

async function refuse(tx: Tx, guess: CodeGuess, reason: string, locks: boolean): Promise<CodeAnswer> {
  const { personId, purpose } = guess;
  await recordAudit(tx, {
    actor: personId === undefined ? { kind: 'customer' } : { kind: 'customer', id: personId },
    action: locks ? 'login.locked' : `${purpose}.failed`,
    ...(personId !== undefined && { subject: personId }),
    address: guess.address,
    data: { reason, purpose },
  });
  return { isRight: false, locks };
}
