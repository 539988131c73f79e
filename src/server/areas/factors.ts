/**
 * Handlers of the second factors, for customers and administrators alike. Each change is audited and mailed in the transaction
 * that makes it. A wrong code is committed, because the transaction counts the attempt; then it is refused.
 */
import { factorReset } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import type { adminFactorsApi, Credential, factorsApi } from '#contract/factors.ts';
import * as factorsMessages from '#contract/messages/factors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import { addressGroup } from '../base/addressGroup.ts';
import { refuseInConstantTime } from '../base/constantTime.ts';
import { type AuditAction, type AuditData, recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import type { PersonKind } from '../db/personKind.ts';
import type { Caller, Handlers } from '../http/serve.ts';
import type { AdminSession, CustomerSession } from '../http/session.ts';
import type { AccountMail } from '../jobs/mails/accountMails.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { Parts } from '../parts.ts';
import { toAddressKey } from '../people/addressKey.ts';
import { readAdmin } from '../people/admins.ts';
import { tryAppCode, tryCode } from '../people/codeAttempt.ts';
import { readTicket, voidCodes } from '../people/codes.ts';
import { lockCustomer, readCustomer } from '../people/customers.ts';
import { cancelReset, requestReset } from '../people/factorResets.ts';
import { recordFailedAttempt } from '../people/failedAttempts.ts';
import { lockCredentials } from '../people/lockout.ts';
import { oneAtATime } from '../people/oneAtATime.ts';
import {
  findPasskeyOwner,
  finishPasskeyLogin,
  readPasskeys,
  removePasskey,
  savePasskey,
  startPasskey,
  startPasskeyLogin,
} from '../people/passkeys.ts';
import { attemptPassword } from '../people/passwordAttempt.ts';
import {
  confirmApp,
  finishPasskeyCheck,
  hasApp,
  listMethods,
  readApp,
  removeApp,
  replaceRecoveryCodes,
  startApp,
} from '../people/secondFactors.ts';
import { endSessions, lockSession } from '../people/sessions.ts';
import { openLogin, secondStep } from './openLogin.ts';

type FactorParts = Pick<Parts, 'config' | 'publicUrl' | 'database' | 'secrets' | 'tokens'>;

/** A customer's or an administrator's request. */
type Own = Caller & ({ customer: CustomerSession } | { admin: AdminSession });

const personOf = (request: Own): { kind: PersonKind; personId: string; sessionId: string } =>
  'admin' in request
    ? { kind: 'admin', personId: request.admin.adminId, sessionId: request.admin.sessionId }
    : { kind: 'customer', personId: request.customer.customerId, sessionId: request.customer.sessionId };

type FactorMail = Extract<AccountMail, `${'app' | 'passkey'}-${string}` | `recovery-${string}`>;

/** Audits a change of a person's factors and mails it to them. */
async function announce(
  tx: Tx,
  request: Own,
  action: AuditAction,
  template: FactorMail,
  data?: AuditData,
): Promise<void> {
  const { kind, personId } = personOf(request);
  const actor = { kind, id: personId };
  await recordAudit(tx, {
    actor,
    action,
    subject: personId,
    address: request.address,
    ...(data && { data }),
  });
  await enqueueJob(tx, 'mail', { template, personId });
}

/** The calls with which people manage their own factors, for either kind of person. */
function ownFactorsHandlers(parts: FactorParts) {
  const { database, secrets, config } = parts;
  const { codeKey } = secrets;

  async function emailAndName(request: Own): Promise<{ email: string; name: string }> {
    const { kind, personId } = personOf(request);
    if (kind === 'admin') {
      const admin = await readAdmin(database.reader, personId);
      if (admin) return admin;
    } else {
      const customer = await readCustomer(database.reader, personId);
      if (customer) return { email: customer.email, name: `${customer.firstName} ${customer.lastName}` };
    }
    throw new Refusal('NOT_AUTHORIZED');
  }

  /** Locks the person's credentials and the session, which may have ended while the request waited. */
  async function lockOwn(tx: Tx, request: Own): Promise<void> {
    const { personId, sessionId } = personOf(request);
    if (!(await lockCredentials(tx, personId, undefined)) || !(await lockSession(tx, personId, sessionId)))
      throw new Refusal('NOT_AUTHORIZED');
  }

  /**
   * An administrator's other sessions may be those of a thief who knows the password: they end before the first factor opens
   * the rest of the bank to them.
   */
  async function endOthersBeforeFirst(tx: Tx, request: Own): Promise<void> {
    const { kind, personId, sessionId } = personOf(request);
    if (kind === 'admin' && (await listMethods(tx, personId)).length === 0)
      await endSessions(tx, personId, sessionId);
  }

  /** Checks a code of the app or a recovery code, then does `change`. Refuses `BAD_CODE` after it has counted a wrong one. */
  async function withCode<T>(request: Own, code: string, change: (tx: Tx) => Promise<T>): Promise<T> {
    const { kind, personId } = personOf(request);
    const { address, browser } = request;
    const done = await database.inTransaction(async tx => {
      await lockOwn(tx, request);
      if (!(await hasApp(tx, personId)))
        throw new Refusal('NOT_FOUND', { message: factorsMessages.appMissing });
      const answer = await tryAppCode(tx, codeKey, { kind, personId, code, address, browser });
      if (answer.isRight) {
        if (answer.method === 'recovery')
          await announce(tx, request, 'factor.recovery-used', 'recovery-used');
        return { result: await change(tx) };
      }
      if (answer.notifiesOwner) await enqueueJob(tx, 'mail', { template: 'login-locked', personId });
      return undefined;
    });
    if (!done) throw new Refusal('BAD_CODE');
    return done.result;
  }

  return {
    async app(request: Own) {
      const app = await readApp(database.reader, personOf(request).personId);
      const mustEnroll =
        'admin' in request && config.adminSecondFactor === 'required' && !request.admin.hasFactor;
      return { data: { ...app, mustEnroll } };
    },

    async startApp(request: Own) {
      const { email } = await emailAndName(request);
      const { personId } = personOf(request);
      const data = await database.inTransaction(async tx => {
        await lockOwn(tx, request);
        return await startApp(tx, codeKey, { personId, email });
      });
      return { data };
    },

    async confirmApp(request: Own & { body: { code: string } }) {
      const { personId } = personOf(request);
      const recoveryCodes = await database.inTransaction(async tx => {
        await lockOwn(tx, request);
        await endOthersBeforeFirst(tx, request);
        const codes = await confirmApp(tx, codeKey, { personId, code: request.body.code });
        await announce(tx, request, 'factor.app-added', 'app-added');
        return codes;
      });
      return { data: { recoveryCodes } };
    },

    async removeApp(request: Own & { body: { password: string; code: string } }) {
      const { kind, personId, sessionId } = personOf(request);
      const { address, browser } = request;
      const { password, code } = request.body;
      const attempt = { kind, who: { personId, sessionId }, password, address, browser };
      const recognized = await attemptPassword(parts, attempt, tx =>
        enqueueJob(tx, 'mail', { template: 'login-locked', personId }),
      );
      if (!recognized) throw new Refusal('BAD_PASSWORD', { message: settingsMessages.wrongPassword });
      await withCode(request, code, async tx => {
        await removeApp(tx, personId);
        await announce(tx, request, 'factor.app-removed', 'app-removed');
      });
    },

    async renewRecoveryCodes(request: Own & { body: { code: string } }) {
      const { personId } = personOf(request);
      const recoveryCodes = await withCode(request, request.body.code, async tx => {
        await announce(tx, request, 'factor.recovery-renewed', 'recovery-renewed');
        return await replaceRecoveryCodes(tx, codeKey, personId);
      });
      return { data: { recoveryCodes } };
    },

    async passkeys(request: Own) {
      return { data: await readPasskeys(database.reader, personOf(request).personId) };
    },

    async passkeyOptions(request: Own) {
      const person = { personId: personOf(request).personId, ...(await emailAndName(request)) };
      return { data: await startPasskey(database.reader, parts, person) };
    },

    async addPasskey(request: Own & { body: { credential: Credential; name: string } }) {
      const { personId } = personOf(request);
      const data = await database.inTransaction(async tx => {
        await lockOwn(tx, request);
        await endOthersBeforeFirst(tx, request);
        const passkey = await savePasskey(tx, parts, { personId, ...request.body });
        await announce(tx, request, 'factor.passkey-added', 'passkey-added', { passkey: passkey._id });
        return passkey;
      });
      return { data };
    },

    async removePasskey(request: Own & { params: { id: string } }) {
      const { id } = request.params;
      await database.inTransaction(async tx => {
        await lockOwn(tx, request);
        await removePasskey(tx, personOf(request).personId, id);
        await announce(tx, request, 'factor.passkey-removed', 'passkey-removed', { passkey: id });
      });
    },
  };
}

type LoginRequest = Caller & { body: { credential: Credential } };

/**
 * Logs a person in with a passkey alone. A locked login admits it, because a passkey cannot be guessed. Refuses `BAD_CODE`,
 * whatever is wrong and whether or not the passkey is known.
 */
async function logInWithPasskey(parts: FactorParts, kind: PersonKind, request: LoginRequest) {
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
  const opened = await oneAtATime(`passkey ${personId}`, inTransaction, { group: addressGroup(address) });
  if (!opened) throw new Refusal('BAD_CODE');
  return { personId, token: await tokens.issue({ kind, browser, ...opened }) };
}

export function factorsHandlers(parts: FactorParts): Handlers<typeof factorsApi> {
  return {
    ...ownFactorsHandlers(parts),

    passkeyLoginOptions: async () => ({ data: startPasskeyLogin(parts, 'customer') }),

    passkeyLogin: request =>
      refuseInConstantTime(async () => {
        const { personId, token } = await logInWithPasskey(parts, 'customer', request);
        const customer = await readCustomer(parts.database.reader, personId);
        if (!customer) throw new Refusal('BAD_CODE');
        return { data: { ...customer, token } };
      }),
  };
}

export function adminFactorsHandlers(parts: FactorParts): Handlers<typeof adminFactorsApi> {
  const { database, tokens, secrets } = parts;
  const own = ownFactorsHandlers(parts);
  return {
    adminApp: own.app,
    adminStartApp: own.startApp,
    adminConfirmApp: own.confirmApp,
    adminRemoveApp: own.removeApp,
    adminRenewRecoveryCodes: own.renewRecoveryCodes,
    adminPasskeys: own.passkeys,
    adminPasskeyOptions: own.passkeyOptions,
    adminAddPasskey: own.addPasskey,
    adminRemovePasskey: own.removePasskey,

    adminLoginSecond: ({ body: { ticket, code, credential }, address, userAgent, browser }) =>
      refuseInConstantTime(async () => {
        const personId = await readTicket(database.reader, secrets.codeKey, ticket);
        if (personId === undefined) throw new Refusal('BAD_CODE');
        const request = { personId, kind: 'admin', address, userAgent, browser } as const;

        /** Checks the second factor. Returns what it was; undefined if it is wrong, which is counted. */
        const check = async (tx: Tx) => {
          if (credential) {
            const isRight = await finishPasskeyCheck(tx, parts, personId, secondStep, credential);
            if (isRight) await voidCodes(tx, personId);
            return isRight ? 'passkey' : undefined;
          }
          const addressKey = toAddressKey(secrets.codeKey, 'admin-login', personId);
          const guess = { ...request, purpose: 'login', code: code!, addressKey } as const;
          const answer = await tryCode(tx, secrets.codeKey, guess);
          if (answer.isRight) return answer.method;
          if (answer.notifiesOwner) await enqueueJob(tx, 'mail', { template: 'login-locked', personId });
          return undefined;
        };
        const inTransaction = () =>
          database.inTransaction(async tx => {
            if (!(await lockCredentials(tx, personId, browser))) return undefined;
            const admin = await readAdmin(tx, personId);
            // A parallel request may have used the ticket, or a new password voided it, since it was read.
            if (!admin || (await readTicket(tx, secrets.codeKey, ticket)) === undefined) return undefined;
            const method = await check(tx);
            return method && { admin, opened: await openLogin(tx, { ...request, method }) };
          });
        const group = addressGroup(address);
        const done = await oneAtATime(`second ${personId}`, inTransaction, { group });
        if (!done) throw new Refusal('BAD_CODE');
        return {
          data: { ...done.admin, token: await tokens.issue({ kind: 'admin', browser, ...done.opened }) },
        };
      }),

    adminPasskeyLoginOptions: async () => ({ data: startPasskeyLogin(parts, 'admin') }),

    adminPasskeyLogin: request =>
      refuseInConstantTime(async () => {
        const { personId, token } = await logInWithPasskey(parts, 'admin', request);
        const admin = await readAdmin(database.reader, personId);
        if (!admin) throw new Refusal('BAD_CODE');
        return { data: { ...admin, token } };
      }),

    async resetFactors({ params: { id }, body: { reason }, admin: { adminId }, address }) {
      const effectiveAt = await database.inTransaction(async tx => {
        const requested = await requestReset(tx, { customerId: id, adminId });
        await lockCustomer(tx, id);
        const order = { personId: id, resetId: requested.resetId };
        await enqueueJob(tx, 'reset-factors', order, { runAt: requested.effectiveAt });
        await enqueueJob(tx, 'mail', { template: 'factor-reset-requested', personId: id });
        const actor = { kind: 'admin', id: adminId } as const;
        await recordAudit(tx, {
          actor,
          action: 'factors.reset-requested',
          subject: id,
          address,
          data: { reason },
        });
        return requested.effectiveAt;
      });
      const message = fill(factorsMessages.resetStarted, { hours: factorReset.waitHours });
      return { data: { effectiveAt }, message };
    },

    async cancelFactorReset({ params: { id }, admin: { adminId }, address }) {
      await database.inTransaction(async tx => {
        if (!(await cancelReset(tx, id)))
          throw new Refusal('NOT_FOUND', { message: factorsMessages.resetMissing });
        const actor = { kind: 'admin', id: adminId } as const;
        await recordAudit(tx, { actor, action: 'factors.reset-canceled', subject: id, address });
        await enqueueJob(tx, 'mail', { template: 'factor-reset-canceled', personId: id });
      });
    },
  };
}
