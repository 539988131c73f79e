/**
 * Handlers of the auth area. Only registration reveals whether an email has an account: for an unknown email, a wrong
 * password or code, and a locked login, the answers and the work are the same.
 */
import type { authApi } from '#contract/auth.ts';
import { code as codeRule } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import * as authMessages from '#contract/messages/auth.ts';
import { inConstantTime, refuseInConstantTime } from '../base/constantTime.ts';
import { recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { Handlers } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { Parts } from '../parts.ts';
import { toAddressKey } from '../people/addressKey.ts';
import { tryCode } from '../people/codeAttempt.ts';
import { resendLoginCode, type Sending, sendLoginCode, sendResetCode } from '../people/codeSending.ts';
import { encryptCode, voidCodes } from '../people/codes.ts';
import { lockCustomer, readCustomer } from '../people/customers.ts';
import { completeLogin, logOut } from '../people/logins.ts';
import { oneAtATime } from '../people/oneAtATime.ts';
import {
  attemptPassword,
  findPerson,
  isCurrentPassword,
  replacePassword,
  samePassword,
} from '../people/passwordAttempt.ts';
import { hashPassword } from '../people/passwords.ts';
import { endSessions } from '../people/sessions.ts';
import { mailNewDevice } from './newDeviceMail.ts';
import { registerCustomer } from './registration.ts';

type AuthParts = Pick<Parts, 'database' | 'secrets' | 'files' | 'tokens'>;

export function authHandlers(parts: AuthParts): Handlers<typeof authApi> {
  const { database, tokens } = parts;
  const { codeKey } = parts.secrets;

  const mailCode = (tx: Tx, template: 'login-code' | 'reset-code', personId: string, code: string) =>
    enqueueJob(tx, 'mail', { template, personId, encryptedCode: encryptCode(code, codeKey) });
  const mailLocked = (tx: Tx, personId: string) =>
    enqueueJob(tx, 'mail', { template: 'login-locked', personId });

  /** Code requests and attempts for one email run one at a time, so a flood of them uses one connection. */
  const inTransactionFor = <T>(email: string, work: (tx: Tx) => Promise<T>) =>
    oneAtATime(`code ${email}`, () => database.inTransaction(work));

  return {
    async register({ body, files, address }) {
      const id = await registerCustomer(parts, {
        form: body,
        avatar: files.avatar,
        idCard: files.idCard,
        address,
      });
      return { data: { _id: id, email: body.email, isApproved: false } };
    },

    async initiateLogin({ body: { email, password }, address }) {
      const attempt = { kind: 'customer', who: { email }, password, address } as const;
      const customer = await attemptPassword(parts, attempt, mailLocked);
      if (!customer) throw new Refusal('BAD_CREDENTIALS');
      const { personId } = customer;
      const sending = await inTransactionFor(email, async tx => {
        const addressKey = toAddressKey(codeKey, 'customer-login', email);
        const decided = await sendLoginCode(tx, codeKey, { personId, addressKey });
        if ('code' in decided) await mailCode(tx, 'login-code', personId, decided.code);
        return decided;
      });
      refuseToWait(sending);
      return { data: { email } };
    },

    verifyCode: ({ body: { email, otp }, address, userAgent }) =>
      refuseInConstantTime(async () => {
        const found = await findPerson(parts, 'customer', email);
        const opened = await inTransactionFor(email, async tx => {
          const addressKey = toAddressKey(codeKey, 'customer-login', email);
          const guess = { personId: found, addressKey, purpose: 'login', code: otp, address } as const;
          const answer = await tryCode(tx, codeKey, guess);
          if (!answer.isRight) {
            if (answer.locks && found !== undefined) await mailLocked(tx, found);
            return undefined;
          }
          const loginRequest = { personId: answer.personId, kind: 'customer', address, userAgent } as const;
          const completed = await completeLogin(tx, loginRequest);
          await mailNewDevice(tx, completed, address);
          return completed;
        });
        const customer = opened && (await readCustomer(database.reader, opened.personId));
        if (!opened || !customer) throw new Refusal('BAD_CODE');
        return { data: { ...customer, token: await tokens.issue({ kind: 'customer', ...opened }) } };
      }),

    resendCode: ({ body: { email } }) =>
      inConstantTime(async () => {
        const personId = await findPerson(parts, 'customer', email);
        const sending = await inTransactionFor(email, async tx => {
          const addressKey = toAddressKey(codeKey, 'customer-login', email);
          const decided = await resendLoginCode(tx, codeKey, { personId, addressKey });
          if ('code' in decided && personId !== undefined)
            await mailCode(tx, 'login-code', personId, decided.code);
          return decided;
        });
        refuseToWait(sending);
        return {};
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

    forgotPassword: ({ body: { email } }) =>
      inConstantTime(async () => {
        const personId = await findPerson(parts, 'customer', email);
        await inTransactionFor(email, async tx => {
          const addressKey = toAddressKey(codeKey, 'reset', email);
          const decided = await sendResetCode(tx, codeKey, { personId, addressKey });
          if ('code' in decided && personId !== undefined)
            await mailCode(tx, 'reset-code', personId, decided.code);
        });
        return {};
      }),

    resetPassword: ({ body: { email, otp, newPassword }, address }) =>
      refuseInConstantTime(async () => {
        const found = await findPerson(parts, 'customer', email);
        // Compare and hash in any case, and before the code is checked, so the response time reveals nothing about either.
        const isSame = await isCurrentPassword(parts, found, newPassword);
        const passwordHash = await hashPassword(parts.secrets, 'customer', found ?? email, newPassword);
        const isReset = await inTransactionFor(email, async tx => {
          const addressKey = toAddressKey(codeKey, 'reset', email);
          const guess = { personId: found, addressKey, purpose: 'reset', code: otp, address } as const;
          const answer = await tryCode(tx, codeKey, guess);
          if (!answer.isRight) {
            if (answer.locks && found !== undefined) await mailLocked(tx, found);
            return false;
          }
          // This rolls back: the code stays valid for another password.
          if (isSame) throw samePassword();
          const { personId } = answer;
          await replacePassword(tx, personId, passwordHash);
          await voidCodes(tx, personId);
          await endSessions(tx, personId);
          await notify(tx, (await lockCustomer(tx, personId)).accountId, 'password-changed');
          await enqueueJob(tx, 'mail', { template: 'password-changed', personId });
          await recordAudit(tx, {
            actor: { kind: 'customer', id: personId },
            action: 'password.reset',
            subject: personId,
            address,
          });
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
