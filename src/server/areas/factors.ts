/**
 * Handlers of the second factors, for customers and administrators alike. Each change is audited and mailed in the transaction
 * that makes it. A wrong code is refused after the commit, because the transaction counts the attempt. The exception is a wrong
 * code for an app that is not confirmed yet: it is not counted.
 */
import { factorReset } from '#contract/constants.ts';
import { invalidField, Refusal } from '#contract/errors.ts';
import type { adminFactorsApi, FactorConfirmation, factorsApi } from '#contract/factors.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as factorsMessages from '#contract/messages/factors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import type { Credential } from '#contract/webAuthn.ts';
import { type AuditAction, type AuditData, recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { PersonKind } from '../db/personKind.ts';
import type { Caller, Handlers } from '../http/serve.ts';
import type { AdminSession, CustomerSession } from '../http/session.ts';
import type { factorMails } from '../jobs/mails/factorMails.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { Parts } from '../parts.ts';
import { readAdmin } from '../people/admins.ts';
import { tryAppCode } from '../people/codeAttempt.ts';
import { readCustomer } from '../people/customers.ts';
import { cancelReset, requestReset } from '../people/factorResets.ts';
import { lockCredentials } from '../people/lockout.ts';
import {
  finishPasskeyCheck,
  readPasskeys,
  removePasskey,
  savePasskey,
  startPasskey,
  startPasskeyCheck,
} from '../people/passkeys.ts';
import { attemptPassword } from '../people/passwordAttempt.ts';
import {
  confirmApp,
  hasApp,
  listMethods,
  type MayRepeat,
  readApp,
  removeApp,
  replaceRecoveryCodes,
  startApp,
} from '../people/secondFactors.ts';
import { endSessions, lockSession, revokeSessions } from '../people/sessions.ts';
import { requireStepUp, usedUpStep } from '../people/stepUp.ts';
import { announceCanceledReset } from './factorProtection.ts';
import { mailLoginLocked } from './openLogin.ts';
import { lockActor, recordAdminAct } from './recordAct.ts';

type FactorParts = Pick<Parts, 'config' | 'publicUrl' | 'database' | 'secrets' | 'keys'>;

/** A customer's or an administrator's request. */
type Own = Caller & ({ customer: CustomerSession } | { admin: AdminSession });

/** A request that removes a factor. */
type Removing = Own & { stepUpProof?: string | undefined };

/** A change that an administrator confirms with a factor. */
type Confirmed = { confirmation?: FactorConfirmation | undefined };

const personOf = (request: Own): { kind: PersonKind; personId: string; sessionId: string } =>
  'admin' in request
    ? { kind: 'admin', personId: request.admin.adminId, sessionId: request.admin.sessionId }
    : { kind: 'customer', personId: request.customer.customerId, sessionId: request.customer.sessionId };

/**
 * What an administrator's passkey confirms. The purpose contains the session's id, so the passkey confirms nothing in other
 * sessions.
 */
const changeOf = (request: Own) => {
  const { personId, sessionId } = personOf(request);
  return { personId, purpose: `change factors ${sessionId}`, onlyTrusted: false };
};

/** What a customer confirms to remove a factor, and the proof. */
const removalOf = (
  { customer, stepUpProof: proof }: Removing & { customer: CustomerSession },
  receiver: string,
) => ({ customer, act: 'remove-factor', receiver, proof }) as const;

type FactorMail = keyof typeof factorMails;

/** Refuses a wrong code as an invalid field, because a 401 would log the person out. */
const wrongCode = () => invalidField('code', authMessages.badCode);

/** Audits a change of a person's factors, and mails the person about it. */
async function announce(
  tx: Tx,
  request: Own,
  action: AuditAction,
  template: FactorMail,
  data?: AuditData,
): Promise<void> {
  const { kind, personId } = personOf(request);
  const { address } = request;
  await recordAudit(tx, { actor: { kind, id: personId }, action, subject: personId, address, data });
  await enqueueJob(tx, 'mail', { template, personId });
}

/** The calls with which customers and administrators manage their own factors. */
function ownFactorsHandlers(parts: FactorParts) {
  const { database, keys, config } = parts;

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

  /** Locks the person's credentials and the session. Refuses `NOT_AUTHORIZED` if the session ended while the request waited. */
  async function lockOwn(tx: Tx, request: Own): Promise<void> {
    const { personId, sessionId } = personOf(request);
    if (!(await lockCredentials(tx, personId, undefined)) || !(await lockSession(tx, personId, sessionId)))
      throw new Refusal('NOT_AUTHORIZED');
  }

  /** Logs out the person's other devices. Turns a customer's push notifications off, on this device too. */
  const endOthers = async (tx: Tx, request: Own): Promise<void> => {
    const { kind, personId, sessionId } = personOf(request);
    await (kind === 'customer' ? revokeSessions : endSessions)(tx, personId, { sessionId });
  };

  /**
   * Ends an administrator's other sessions before the first factor is added. One of them may belong to a thief who knows the
   * password, and the factor would open the rest of the bank to that session.
   */
  async function endOthersBeforeFirst(tx: Tx, request: Own): Promise<void> {
    const { kind, personId } = personOf(request);
    if (kind === 'admin' && (await listMethods(tx, personId)).length === 0) await endOthers(tx, request);
  }

  /** Checks a code from the app or a recovery code, then does `change`. A wrong code is counted, then refused. */
  async function withCode<T>(
    request: Own,
    code: string,
    change: (tx: Tx) => Promise<T>,
    mayRepeat?: MayRepeat,
  ): Promise<T> {
    const { kind, personId } = personOf(request);
    const { address, browser } = request;
    const done = await database.inTransaction(async tx => {
      await lockOwn(tx, request);
      if (!(await hasApp(tx, personId)))
        throw new Refusal('NOT_FOUND', { message: factorsMessages.appMissing });
      const answer = await tryAppCode(tx, keys, { kind, personId, code, address, browser }, mayRepeat);
      if (answer.isRight) {
        if (answer.method === 'recovery')
          await announce(tx, request, 'factor.recovery-used', 'recovery-changed');
        return { result: await change(tx) };
      }
      if (answer.notifiesOwner) await mailLoginLocked(tx, personId);
      return undefined;
    });
    if (!done) throw wrongCode();
    return done.result;
  }

  /** Checks a password that is typed in a session. A wrong one is counted, then refused. */
  async function requirePassword(request: Own, password: string): Promise<void> {
    const { kind, personId, sessionId } = personOf(request);
    const { address, browser } = request;
    const attempt = { kind, who: { personId, sessionId }, password, address, browser };
    const recognized = await attemptPassword(parts, attempt, mailLoginLocked);
    if (!recognized) throw new Refusal('BAD_PASSWORD', { message: settingsMessages.wrongPassword });
  }

  /**
   * Does `change` in a transaction. An administrator who already has a factor must confirm the change with the password and a
   * factor: neither a stolen session nor a password alone may change the factors. Without that confirmation, refuses
   * `STEP_UP_REQUIRED`.
   */
  async function withFactor<T>(
    request: Own,
    confirmation: FactorConfirmation | undefined,
    change: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const { personId } = personOf(request);
    if (!('admin' in request) || !confirmation) {
      return await database.inTransaction(async tx => {
        await lockOwn(tx, request);
        if ('admin' in request && (await listMethods(tx, personId)).length > 0)
          throw new Refusal('STEP_UP_REQUIRED', { message: factorsMessages.confirmChange });
        return await change(tx);
      });
    }
    const { password, code, credential } = confirmation;
    await requirePassword(request, password);
    if (code !== undefined) return await withCode(request, code, change);
    return await database.inTransaction(async tx => {
      await lockOwn(tx, request);
      if (!credential || !(await finishPasskeyCheck(tx, parts, changeOf(request), credential)))
        throw new Refusal('VALIDATION', { message: factorsMessages.passkeyInvalid });
      return await change(tx);
    });
  }

  /**
   * A customer must confirm the removal of a factor with a step-up. `factor`: a text that is different for each of the
   * customer's factors.
   */
  async function requireConfirmation(tx: Tx, request: Removing, factor: string): Promise<void> {
    if ('customer' in request) await requireStepUp(tx, removalOf(request, factor));
  }

  return {
    app: async (request: Own) => {
      const app = await readApp(database.reader, personOf(request).personId);
      const mustEnroll =
        'admin' in request && config.adminSecondFactor === 'required' && !request.admin.hasFactor;
      return { data: { ...app, mustEnroll } };
    },

    startApp: async (request: Own) => {
      const { email } = await emailAndName(request);
      const { personId } = personOf(request);
      const data = await database.inTransaction(async tx => {
        await lockOwn(tx, request);
        return await startApp(tx, keys, { personId, email });
      });
      return { data };
    },

    confirmApp: async (request: Own & { body: { code: string } & Confirmed }) => {
      const { personId, sessionId } = personOf(request);
      const recoveryCodes = await withFactor(request, request.body.confirmation, async tx => {
        await endOthersBeforeFirst(tx, request);
        const codes = await confirmApp(tx, keys, { personId, sessionId, code: request.body.code });
        if (!codes) throw wrongCode();
        await announce(tx, request, 'factor.app-added', 'app-added');
        return codes;
      });
      return { data: { recoveryCodes } };
    },

    removeApp: async (request: Removing & { body: { password: string; code: string } }) => {
      const { personId } = personOf(request);
      const { password, code } = request.body;
      await requirePassword(request, password);
      // Called after the code is checked, so that a wrong code leaves the proof for another try.
      const remove = async (tx: Tx) => {
        await requireConfirmation(tx, request, factorsMessages.app);
        await removeApp(tx, personId);
        await endOthers(tx, request);
        await announce(tx, request, 'factor.app-removed', 'app-removed');
      };
      // If the customer confirmed the step-up with the same code from the app, or with a later one, the code is already used
      // up.
      const mayRepeat: MayRepeat = async (tx, step) =>
        'customer' in request && (await usedUpStep(tx, removalOf(request, factorsMessages.app), step));
      await withCode(request, code, remove, mayRepeat);
    },

    renewRecoveryCodes: async (request: Own & { body: { code: string } }) => {
      const { personId } = personOf(request);
      const recoveryCodes = await withCode(request, request.body.code, async tx => {
        await announce(tx, request, 'factor.recovery-renewed', 'recovery-renewed');
        return await replaceRecoveryCodes(tx, keys, personId);
      });
      return { data: { recoveryCodes } };
    },

    passkeys: async (request: Own) => {
      return { data: await readPasskeys(database.reader, personOf(request).personId) };
    },

    passkeyOptions: async (request: Own) => {
      const person = { personId: personOf(request).personId, ...(await emailAndName(request)) };
      return { data: await startPasskey(database.reader, parts, person) };
    },

    addPasskey: async (request: Own & { body: { credential: Credential; name: string } & Confirmed }) => {
      const { personId, sessionId } = personOf(request);
      const { credential, name, confirmation } = request.body;
      const data = await withFactor(request, confirmation, async tx => {
        await endOthersBeforeFirst(tx, request);
        const passkey = await savePasskey(tx, parts, { personId, sessionId, credential, name });
        await announce(tx, request, 'factor.passkey-added', 'passkey-added', { passkey: passkey._id });
        return passkey;
      });
      return { data };
    },

    removePasskey: async (request: Removing & { params: { id: string }; body?: Confirmed | undefined }) => {
      const { id } = request.params;
      const { personId } = personOf(request);
      // Check first that the passkey exists, because the confirmation uses up a code.
      if (!(await readPasskeys(database.reader, personId)).some(({ _id }) => _id === id))
        throw new Refusal('NOT_FOUND');
      await withFactor(request, request.body?.confirmation, async tx => {
        const name = await removePasskey(tx, personId, id);
        await requireConfirmation(tx, request, `${name} (passkey ${id.slice(-8)})`);
        // The passkey may be a thief's. The thief may be logged in with it, and would add another one.
        await endOthers(tx, request);
        await announce(tx, request, 'factor.passkey-removed', 'passkey-removed', { passkey: id });
      });
    },
  };
}

export function factorsHandlers(parts: FactorParts): Handlers<typeof factorsApi> {
  return ownFactorsHandlers(parts);
}

export function adminFactorsHandlers(parts: FactorParts): Handlers<typeof adminFactorsApi> {
  const { database } = parts;
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

    async adminConfirmOptions(request) {
      return { data: await startPasskeyCheck(database.reader, parts, changeOf(request)) };
    },

    async resetFactors({ params: { id }, body: { reason }, admin, address }) {
      const effectiveAt = await database.inTransaction(async tx => {
        const requested = await requestReset(tx, { customerId: id, adminId: admin.adminId });
        const order = { personId: id, resetId: requested.resetId };
        await enqueueJob(tx, 'reset-factors', order, { runAt: requested.effectiveAt });
        // A thief who reads the customer's mail can delete the mail, but not the notification.
        await notify(tx, requested.accountId, 'factor-reset-requested');
        await enqueueJob(tx, 'mail', { template: 'factor-reset-requested', personId: id });
        await recordAdminAct(tx, { admin, address }, 'factors.reset-requested', id, { reason });
        return requested.effectiveAt;
      });
      const message = fill(factorsMessages.resetStarted, { hours: factorReset.waitHours });
      return { data: { effectiveAt }, message };
    },

    async cancelFactorReset({ params: { id }, admin, address }) {
      await database.inTransaction(async tx => {
        await lockActor(tx, admin);
        if (!(await cancelReset(tx, id)))
          throw new Refusal('NOT_FOUND', { message: factorsMessages.resetMissing });
        await announceCanceledReset(tx, id, { actor: { kind: 'admin', id: admin.adminId }, address });
      });
    },
  };
}
