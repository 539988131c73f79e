/**
 * Handlers of the auth area. Only registration reveals whether an email has an account: an unknown email, a wrong password or
 * code, and a locked login get the same answer after the same work.
 */
import type { authApi, LoginMethod } from '#contract/auth.ts';
import { code as codeRule, registrationPictures } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import * as authMessages from '#contract/messages/auth.ts';
import { inConstantTime, refuseInConstantTime } from '../base/constantTime.ts';
import { openRateLimit } from '../base/rateLimit.ts';
import type { Tx } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { Handlers } from '../http/serve.ts';
import { countGuess } from '../jobs/alerts.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { removeRegistration } from '../jobs/registrations.ts';
import type { Parts } from '../parts.ts';
import { type AddressUse, toAddressKey } from '../people/addressKey.ts';
import { tryCode } from '../people/codeAttempt.ts';
import { resendLoginCode, type Sending, sendLoginCode, sendResetCode } from '../people/codeSending.ts';
import { encryptCode, voidCodes } from '../people/codes.ts';
import { lockCustomer, markEmailProven, readCustomer } from '../people/customers.ts';
import { nameDevice } from '../people/device.ts';
import { type Browser, clearDevices, isKnownDevice } from '../people/knownDevices.ts';
import { logOut } from '../people/logins.ts';
import { oneAtATime } from '../people/oneAtATime.ts';
import { startPasskeyLogin } from '../people/passkeys.ts';
import {
  attemptPassword,
  findPerson,
  isCurrentPassword,
  replacePassword,
  samePassword,
} from '../people/passwordAttempt.ts';
import { byVisitor, hashPassword } from '../people/passwords.ts';
import { readRemovalToken } from '../people/removalToken.ts';
import { hasApp } from '../people/secondFactors.ts';
import { revokeSessions } from '../people/sessions.ts';
import { protectFactors } from './factorProtection.ts';
import { mailLoginLocked, openLogin } from './openLogin.ts';
import { logInWithPasskey } from './passkeyLogin.ts';
import { recordCustomerAct } from './recordAct.ts';
import { registerCustomer } from './registration.ts';

type AuthParts = Pick<
  Parts,
  'config' | 'publicUrl' | 'database' | 'secrets' | 'files' | 'keys' | 'tokens' | 'log'
>;

export function authHandlers(parts: AuthParts): Handlers<typeof authApi> {
  const { database, tokens } = parts;
  const { codeKey } = parts.secrets;
  const pictureBytes = parts.config.rateLimits
    ? openRateLimit(registrationPictures, 'pictures of registrations')
    : undefined;

  const mailCode = (tx: Tx, template: 'login-code' | 'reset-code', personId: string, code: string) =>
    enqueueJob(tx, 'mail', { template, personId, encryptedCode: encryptCode(code, codeKey) });

  /**
   * Runs one code request or attempt at a time for each email, so a flood of them uses one connection. A known device has a
   * queue and a cooldown of its own (`addressKey`), so requests from elsewhere do not delay it.
   */
  async function inTransactionFor<T>(
    { email, use, browser, address }: { email: string; use: AddressUse; browser: Browser; address: string },
    personId: string | undefined,
    work: (tx: Tx, client: { addressKey: Buffer; browser: Browser }) => Promise<T>,
  ): Promise<T> {
    const isKnown = await isKnownDevice(database.reader, personId, browser);
    const client = isKnown ? `${email} ${browser!.toString('hex')}` : email;
    const addressKey = toAddressKey(codeKey, use, client);
    const inTransaction = () => database.inTransaction(tx => work(tx, { addressKey, browser }));
    return await oneAtATime(`code ${client}`, address, inTransaction);
  }

  /**
   * Tries a code in the caller's transaction. If a wrong code locks the login or the reset, the customer gets a mail, as often
   * as `claimLockMail` allows.
   */
  async function tryCodeOf(
    tx: Tx,
    guess: Parameters<typeof tryCode>[2],
  ): Promise<{ personId: string; method: LoginMethod } | undefined> {
    const answer = await tryCode(tx, parts, guess);
    if (answer.isRight) return answer;
    const { personId, purpose } = guess;
    if (answer.notifiesOwner && personId !== undefined)
      await enqueueJob(tx, 'mail', { template: `${purpose}-locked`, personId });
    return undefined;
  }

  return {
    async register({ body, files, address }) {
      const id = await registerCustomer(parts, {
        form: body,
        avatar: files.avatar,
        idCard: files.idCard,
        address,
        pictureBytes,
      });
      return { data: { _id: id, email: body.email, isApproved: false } };
    },

    async removeRegistration({ body: { token }, address }) {
      await removeRegistration(parts, { customerId: readRemovalToken(token, codeKey), address });
    },

    async initiateLogin({ body: { email, password }, address, browser }) {
      const attempt = { kind: 'customer', who: { email }, password, address, browser } as const;
      const customer = await attemptPassword(parts, attempt, mailLoginLocked);
      if (!customer) {
        await database.inTransaction(tx => countGuess(tx, codeKey, { email, address, browser }));
        throw new Refusal('BAD_CREDENTIALS');
      }
      const { personId, passwordHash } = customer;
      const request = { email, use: 'customer-login', browser, address } as const;
      const sending = await inTransactionFor(request, personId, async (tx, client) => {
        const decided = await sendLoginCode(tx, codeKey, { personId, passwordHash, ...client });
        const usesApp = await hasApp(tx, personId);
        if ('code' in decided && !usesApp) await mailCode(tx, 'login-code', personId, decided.code);
        return { ...decided, usesApp };
      });
      refuseToWait(sending);
      const methods: LoginMethod[] = sending.usesApp ? ['totp', 'recovery'] : ['email'];
      return { data: { email, methods } };
    },

    verifyCode: ({ body: { email, otp }, address, userAgent, browser }) =>
      refuseInConstantTime(async () => {
        const found = await findPerson(parts, 'customer', email);
        const request = { email, use: 'customer-login', browser, address } as const;
        const opened = await inTransactionFor(request, found, async (tx, client) => {
          const guess = { personId: found, code: otp, address, ...client };
          const right = await tryCodeOf(tx, { kind: 'customer', purpose: 'login', ...guess });
          if (!right) return undefined;
          return await openLogin(tx, { ...right, kind: 'customer', address, userAgent, browser });
        });
        const customer = opened && (await readCustomer(database.reader, opened.personId));
        if (!opened || !customer) throw new Refusal('BAD_CODE');
        const token = await tokens.issue({ kind: 'customer', browser, ...opened });
        return { data: { ...customer, token } };
      }),

    resendCode: ({ body: { email }, address, browser }) =>
      inConstantTime(async () => {
        const personId = await findPerson(parts, 'customer', email);
        const request = { email, use: 'customer-login', browser, address } as const;
        const sending = await inTransactionFor(request, personId, async (tx, client) => {
          const decided = await resendLoginCode(tx, codeKey, { personId, ...client });
          if ('code' in decided && personId !== undefined && !(await hasApp(tx, personId)))
            await mailCode(tx, 'login-code', personId, decided.code);
          return decided;
        });
        refuseToWait(sending);
        return {};
      }),

    passkeyLoginOptions: async () => ({ data: startPasskeyLogin(parts, 'customer') }),

    passkeyLogin: request =>
      refuseInConstantTime(async () => {
        const { personId, token } = await logInWithPasskey(parts, 'customer', request);
        const customer = await readCustomer(database.reader, personId);
        if (!customer) throw new Refusal('BAD_CODE');
        return { data: { ...customer, token } };
      }),

    async profile({ customer }) {
      const data = await readCustomer(database.reader, customer.customerId);
      if (!data) throw new Refusal('NOT_AUTHORIZED');
      return { data };
    },

    async logout({ customer: { customerId, sessionId }, address }) {
      const session = { personId: customerId, kind: 'customer', sessionId, address } as const;
      await database.inTransaction(tx => logOut(tx, session));
      return {};
    },

    // The session check has recorded the activity.
    reportActivity: async () => ({}),

    forgotPassword: ({ body: { email }, address, browser }) =>
      inConstantTime(async () => {
        const personId = await findPerson(parts, 'customer', email);
        const request = { email, use: 'reset', browser, address } as const;
        await inTransactionFor(request, personId, async (tx, client) => {
          const decided = await sendResetCode(tx, codeKey, { personId, ...client });
          if ('code' in decided && personId !== undefined)
            await mailCode(tx, 'reset-code', personId, decided.code);
        });
        return {};
      }),

    resetPassword: ({ body: { email, otp, newPassword }, address, userAgent, browser }) =>
      refuseInConstantTime(async () => {
        const found = await findPerson(parts, 'customer', email);
        const isTrusted = await isKnownDevice(database.reader, found, browser);
        const hashing = byVisitor(address, isTrusted);
        // Always compare and hash, and do it before the code is checked, so that the response time reveals nothing.
        const isSame = await isCurrentPassword(parts, found, newPassword, hashing);
        const passwordHash = await hashPassword(
          parts.secrets,
          'customer',
          found ?? email,
          newPassword,
          hashing,
        );
        const request = { email, use: 'reset', browser, address } as const;
        const isReset = await inTransactionFor(request, found, async (tx, client) => {
          const guess = { personId: found, code: otp, address, ...client };
          const right = await tryCodeOf(tx, { kind: 'customer', purpose: 'reset', ...guess });
          if (!right) return false;
          const { personId } = right;
          // Throwing rolls back, so the code stays valid for another try with a different password.
          if (isSame) throw samePassword();
          await replacePassword(tx, personId, passwordHash);
          await voidCodes(tx, personId);
          const by = { actor: { kind: 'customer', id: personId }, address } as const;
          await protectFactors(tx, personId, 'mailbox-doubtful', by);
          await clearDevices(tx, personId, browser);
          await markEmailProven(tx, personId, { isReset: true });
          await revokeSessions(tx, personId, { origin: { address, device: nameDevice(userAgent) } });
          await notify(tx, (await lockCustomer(tx, personId)).accountId, 'password-changed');
          await enqueueJob(tx, 'mail', { template: 'password-reset', personId });
          await recordCustomerAct(tx, { customer: { customerId: personId }, address }, 'password.reset');
          return true;
        });
        if (!isReset) throw new Refusal('BAD_CODE');
        return {};
      }),
  };
}

/** Refuses with the seconds to wait, if there are any. */
function refuseToWait(sending: Sending): void {
  if (!('waitSeconds' in sending)) return;
  const { waitSeconds } = sending;
  const isCooldown = waitSeconds <= codeRule.resendCooldownSeconds;
  throw new Refusal('TOO_MANY', {
    message: isCooldown ? authMessages.codeTooSoon : authMessages.codeTooMany,
    waitTime: waitSeconds,
  });
}
