/**
 * The code step of a login or reset. The answer is the same whether the email is unknown, there is no live code, the code is
 * wrong, or the login is locked.
 */
import type { LoginMethod } from '#contract/auth.ts';
import type { Key } from '../base/keys.ts';
import { recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import type { PersonKind } from '../db/personKind.ts';
import { countUnknownAttempt } from './addressKey.ts';
import { type CodePurpose, checkCode } from './codes.ts';
import { recordFailedAttempt } from './failedAttempts.ts';
import type { Browser } from './knownDevices.ts';
import { claimLockMail, countWrongCode, lockCredentials, writeCounts } from './lockout.ts';
import { checkAppOrRecovery, type FactorKeys, hasApp, type MayRepeat } from './secondFactors.ts';

/** The keys for mailed codes and for codes of an app. */
export type CodeContext = { secrets: { codeKey: Key }; keys: FactorKeys };

/** `personId`: undefined for an unknown email. `address`: the IP address of the request. */
export type CodeGuess = {
  kind: PersonKind;
  personId: string | undefined;
  addressKey: Buffer;
  purpose: CodePurpose;
  browser: Browser;
  code: string;
  address: string;
};

/** `notifiesOwner`: this wrong code locked the login or the reset, and the owner must get a mail about it. */
export type CodeAnswer =
  | { isRight: true; personId: string; method: LoginMethod }
  | { isRight: false; notifiesOwner: boolean };

/**
 * Checks a code. The caller does what the code allows in the same transaction, and must commit after a wrong code too, because
 * the transaction counts the attempt.
 */
export async function tryCode(
  tx: Tx,
  { secrets: { codeKey }, keys }: CodeContext,
  guess: CodeGuess,
): Promise<CodeAnswer> {
  const { personId, purpose, browser, code } = guess;
  const held = personId === undefined ? undefined : await lockCredentials(tx, personId, browser);
  if (personId === undefined || !held) {
    await countUnknownAttempt(tx, guess.addressKey);
    return await refuse(tx, guess, 'unknown');
  }
  if (purpose === 'login' ? held.isLocked : held.isResetLocked) {
    await writeCounts(tx, held);
    return await refuse(tx, guess, 'locked');
  }
  let method: LoginMethod | undefined = 'email';
  // `hasApp` is read under the lock of the credentials. A password reset always uses the mailed code; the login after the reset
  // asks for the app's code. Administrators are mailed no code: their stored code is the ticket. Anyone who knows the password
  // gets the ticket, so it must not count as a code.
  const usesApp = purpose === 'login' && (guess.kind === 'admin' || (await hasApp(tx, personId)));
  const compare = async () => {
    method = await checkAppOrRecovery(tx, keys, personId, code);
    return method !== undefined;
  };
  const found = await checkCode(
    tx,
    codeKey,
    { personId, purpose, browser, code },
    usesApp ? compare : undefined,
  );
  if (found === 'right') return { isRight: true, personId, method };
  if (found === 'wrong') {
    const { locks } = await countWrongCode(tx, held, purpose);
    const answer = await refuse(tx, guess, 'wrong-code', locks);
    return { ...answer, notifiesOwner: locks && (await claimLockMail(tx, personId, held)) };
  }
  // Nothing was compared, so nothing is counted. Otherwise anyone could lock a login without knowing its password.
  await writeCounts(tx, held);
  return await refuse(tx, guess, 'no-code');
}

/** A code that is typed in a session to confirm a change. */
export type Confirmation = Omit<CodeGuess, 'personId' | 'addressKey' | 'purpose'> & { personId: string };

/**
 * Checks a code from the app or a recovery code. A wrong code counts as a wrong login code. The caller does what the code
 * allows in the same transaction, and must commit after a wrong code too, because the transaction counts the attempt.
 */
export async function tryAppCode(
  tx: Tx,
  keys: FactorKeys,
  confirmation: Confirmation,
  mayRepeat?: MayRepeat,
): Promise<CodeAnswer> {
  const { personId, browser, code } = confirmation;
  const held = await lockCredentials(tx, personId, browser);
  const guess = { ...confirmation, purpose: 'login' } as const;
  if (!held || held.isLocked) return await refuse(tx, guess, 'locked');
  const method = await checkAppOrRecovery(tx, keys, personId, code, mayRepeat);
  if (method) return { isRight: true, personId, method };
  const { locks } = await countWrongCode(tx, held, 'login');
  const answer = await refuse(tx, guess, 'wrong-code', locks);
  return { ...answer, notifiesOwner: locks && (await claimLockMail(tx, personId, held)) };
}

/** Records a refused code. */
async function refuse(
  tx: Tx,
  guess: Omit<CodeGuess, 'addressKey'>,
  reason: string,
  locks = false,
): Promise<{ isRight: false; notifiesOwner: false }> {
  const { kind, personId, purpose, address } = guess;
  if (locks && personId !== undefined) {
    await recordAudit(tx, {
      actor: { kind, id: personId },
      action: `${purpose}.locked`,
      subject: personId,
      address,
      data: { reason, purpose },
    });
  } else {
    const action = `${purpose}.failed` as const;
    await recordFailedAttempt(tx, { kind, personId, action, address, reason, purpose });
  }
  return { isRight: false, notifiesOwner: false };
}
