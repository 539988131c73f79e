/** The second step of an administrator's login: the ticket from the first step, and a code or a passkey. */
import type { adminApi } from '#contract/admin.ts';
import { Refusal } from '#contract/errors.ts';
import type { Tx } from '../db/database.ts';
import type { Request } from '../http/serve.ts';
import type { Parts } from '../parts.ts';
import { toAddressKey } from '../people/addressKey.ts';
import { readAdmin } from '../people/admins.ts';
import { tryCode } from '../people/codeAttempt.ts';
import { readTicket, voidCodes } from '../people/codes.ts';
import { lockCredentials } from '../people/lockout.ts';
import { oneAtATime } from '../people/oneAtATime.ts';
import { finishPasskeyCheck } from '../people/passkeys.ts';
import { mailLoginLocked, openLogin } from './openLogin.ts';

/** What a passkey confirms in the second step of a login. */
export const secondStepOf = (personId: string) =>
  ({ personId, purpose: 'second step', onlyTrusted: false }) as const;

/** Opens the session. Refuses `BAD_CODE`, whatever is wrong. A wrong code is counted. */
export async function finishAdminLogin(
  parts: Pick<Parts, 'publicUrl' | 'database' | 'secrets' | 'keys' | 'tokens'>,
  {
    body: { ticket, code, credential },
    address,
    userAgent,
    browser,
  }: Request<typeof adminApi.adminLoginSecond>,
) {
  const { database, tokens } = parts;
  const { codeKey } = parts.secrets;
  const personId = await readTicket(database.reader, codeKey, ticket);
  if (personId === undefined) throw new Refusal('BAD_CODE');
  const request = { personId, kind: 'admin', address, userAgent, browser } as const;

  /** Checks the second factor and returns its kind; undefined if it is wrong. Counts wrong codes, but not wrong passkeys. */
  const check = async (tx: Tx) => {
    if (credential) {
      const isRight = await finishPasskeyCheck(tx, parts, secondStepOf(personId), credential);
      if (isRight) await voidCodes(tx, personId);
      return isRight ? 'passkey' : undefined;
    }
    const addressKey = toAddressKey(codeKey, 'admin-login', personId);
    const guess = { ...request, purpose: 'login', code: code!, addressKey } as const;
    const answer = await tryCode(tx, parts, guess);
    if (answer.isRight) return answer.method;
    if (answer.notifiesOwner) await mailLoginLocked(tx, personId);
    return undefined;
  };
  const inTransaction = () =>
    database.inTransaction(async tx => {
      if (!(await lockCredentials(tx, personId, browser))) return undefined;
      const admin = await readAdmin(tx, personId);
      // Read the ticket again: a parallel request may have used it, or a new password may have voided it.
      if (!admin || (await readTicket(tx, codeKey, ticket)) === undefined) return undefined;
      const method = await check(tx);
      return method && { admin, opened: await openLogin(tx, { ...request, method }) };
    });
  const done = await oneAtATime(`second ${personId}`, address, inTransaction);
  if (!done) throw new Refusal('BAD_CODE');
  return {
    data: { ...done.admin, token: await tokens.issue({ kind: 'admin', browser, ...done.opened }) },
  };
}
