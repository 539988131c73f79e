/** Logging in with a passkey alone, for customers and administrators. */
import { Refusal } from '#contract/errors.ts';
import type { Credential } from '#contract/webAuthn.ts';
import type { PersonKind } from '../db/personKind.ts';
import type { Caller } from '../http/serve.ts';
import type { Parts } from '../parts.ts';
import { readAdmin } from '../people/admins.ts';
import { recordFailedAttempt } from '../people/failedAttempts.ts';
import { lockCredentials } from '../people/lockout.ts';
import { oneAtATime } from '../people/oneAtATime.ts';
import { findPasskeyOwner, finishPasskeyLogin } from '../people/passkeys.ts';
import { openLogin } from './openLogin.ts';

type LoginRequest = Caller & { body: { credential: Credential } };

/**
 * Logs a person in with a passkey alone. This works even while the login is locked, because a passkey cannot be guessed.
 * Refuses `BAD_CODE`, whatever is wrong and whether or not the passkey is known.
 */
export async function logInWithPasskey(
  parts: Pick<Parts, 'publicUrl' | 'database' | 'secrets' | 'keys' | 'tokens'>,
  kind: PersonKind,
  request: LoginRequest,
) {
  const { database, tokens } = parts;
  const { address, userAgent, browser } = request;
  const { credential } = request.body;
  const personId = await findPasskeyOwner(database.reader, kind, credential);
  if (personId === undefined) throw new Refusal('BAD_CODE');
  const inTransaction = () =>
    database.inTransaction(async tx => {
      if (!(await lockCredentials(tx, personId, browser))) return undefined;
      if (kind === 'admin' && !(await readAdmin(tx, personId))) return undefined;
      const result = await finishPasskeyLogin(tx, parts, { personId, kind, credential });
      if (result === 'right')
        return await openLogin(tx, { personId, kind, address, userAgent, browser, method: 'passkey' });
      const reason = result === 'counter' ? 'passkey-counter' : 'wrong-passkey';
      await recordFailedAttempt(tx, { kind, personId, action: 'login.failed', address, reason });
      return undefined;
    });
  const opened = await oneAtATime(`passkey ${personId}`, address, inTransaction);
  if (!opened) throw new Refusal('BAD_CODE');
  return { personId, token: await tokens.issue({ kind, browser, ...opened }) };
}
