/**
 * Calls of the factors area: authenticator app (RFC 6238), recovery codes and passkeys (WebAuthn). Customers and
 * administrators have the same calls under `/user` and `/admin`, but confirm changes in different ways. Staff can
 * also remove all factors of a customer.
 */
import * as z from 'zod/mini';
import { maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import {
  givenAdminPassword,
  givenPassword,
  id,
  moment,
  oneTimeCode,
  requiredLine,
  secondCode,
} from './fields.ts';
import * as factorsMessages from './messages/factors.ts';
import { everyRole, operators } from './roles.ts';
import { CeremonyOptions, Credential } from './webAuthn.ts';

/**
 * When a customer's new factor can confirm step-ups. Missing if it already can, if the account is frozen, or if staff will
 * remove the factor first.
 */
const confirmsFrom = z.optional(moment);

const App = z.object({
  isEnabled: z.boolean(),
  enabledAt: z.optional(moment),
  confirmsFrom,
  recoveryCodesLeft: z.number(),
  /** This session can only set up a second factor: the bank requires one, and the person has none yet. */
  mustEnroll: z.boolean(),
  /** When the removal of all factors takes effect, if staff requested one. */
  removalAt: z.optional(moment),
});
export type App = z.input<typeof App>;
export type DecodedApp = z.output<typeof App>;

const Passkey = z.object({
  _id: z.string(),
  name: z.string(),
  createdAt: moment,
  lastUsedAt: z.optional(moment),
  confirmsFrom,
});
export type Passkey = z.input<typeof Passkey>;
export type DecodedPasskey = z.output<typeof Passkey>;

/** Shown once. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

const code = z.strictObject({ code: oneTimeCode });

/** The calls with which people manage their own factors. */
function ownFactors<Base extends 'user' | 'admin', Given extends z.ZodMiniType>(base: Base, password: Given) {
  return {
    app: {
      method: 'GET',
      path: `/api/v1/${base}/totp` as const,
      whileEnrolling: true,
      data: App,
      message: factorsMessages.app,
      summary: 'Whether an authenticator app is set up, and how many recovery codes are left',
    },
    startApp: {
      method: 'POST',
      path: `/api/v1/${base}/totp` as const,
      whileEnrolling: true,
      quota: 'changes',
      data: z.object({ secret: z.string(), uri: z.string() }),
      message: 'Scan the QR code with your authenticator app, then enter its code',
      refusals: ['CONFLICT'],
      summary: 'Start to set up an authenticator app; nothing changes until its code confirms it',
    },
    confirmApp: {
      method: 'PUT',
      path: `/api/v1/${base}/totp` as const,
      whileEnrolling: true,
      addressQuota: 'login',
      body: code,
      data: RecoveryCodes,
      message: 'Authenticator app added',
      refusals: ['BAD_CODE', 'CONFLICT'],
      summary: 'Confirm the authenticator app with its code; returns ten recovery codes, once',
    },
    removeApp: {
      method: 'DELETE',
      path: `/api/v1/${base}/totp` as const,
      usesDeviceCookie: true,
      addressQuota: 'login',
      body: z.strictObject({ password, code: secondCode }),
      message: 'Authenticator app removed',
      refusals: ['BAD_PASSWORD', 'BAD_CODE', 'NOT_FOUND'],
      summary: 'Remove the authenticator app and its recovery codes',
    },
    renewRecoveryCodes: {
      method: 'POST',
      path: `/api/v1/${base}/totp/recovery-codes` as const,
      usesDeviceCookie: true,
      addressQuota: 'login',
      body: code,
      data: RecoveryCodes,
      message: 'Your old recovery codes no longer work. Here are the new ones.',
      refusals: ['BAD_CODE', 'NOT_FOUND'],
      summary: 'Replace the recovery codes; returns the new ones, once',
    },
    passkeys: {
      method: 'GET',
      path: `/api/v1/${base}/passkeys` as const,
      whileEnrolling: true,
      data: z.array(Passkey),
      message: factorsMessages.passkeys,
      summary: 'The saved passkeys, newest first',
    },
    passkeyOptions: {
      method: 'POST',
      path: `/api/v1/${base}/passkeys/options` as const,
      whileEnrolling: true,
      quota: 'changes',
      data: CeremonyOptions,
      message: factorsMessages.passkeyOptions,
      refusals: ['CONFLICT'],
      summary: 'Options with which a browser creates a passkey; valid for five minutes',
    },
    addPasskey: {
      method: 'POST',
      path: `/api/v1/${base}/passkeys` as const,
      whileEnrolling: true,
      quota: 'changes',
      body: z.strictObject({
        credential: Credential,
        name: requiredLine(maxLength.passkeyName, factorsMessages.passkeyNameMissing),
      }),
      status: 201,
      data: Passkey,
      message: 'Passkey added',
      refusals: ['CONFLICT'],
      summary: 'Save a passkey that the browser created',
    },
    removePasskey: {
      method: 'DELETE',
      path: `/api/v1/${base}/passkeys/{id}` as const,
      quota: 'changes',
      params: z.strictObject({ id }),
      message: 'Passkey removed',
      refusals: ['NOT_FOUND'],
      summary: 'Remove a passkey',
    },
  } as const;
}

/** Adds `access` and `roles` to each call: who may make it. */
function callsOf<Calls extends Readonly<Record<string, object>>, const Callers extends object>(
  calls: Calls,
  callers: Callers,
) {
  const named = Object.entries(calls).map(([name, call]) => [name, { ...call, ...callers }]);
  return Object.fromEntries(named) as { [Name in keyof Calls]: Calls[Name] & Callers };
}

const customers = callsOf(ownFactors('user', givenPassword), { access: 'customer' });

export const factorsApi = {
  ...customers,
  removeApp: endpoint({ ...customers.removeApp, stepUp: true }),
  removePasskey: endpoint({ ...customers.removePasskey, stepUp: true }),
};

const admins = callsOf(ownFactors('admin', givenAdminPassword), { access: 'admin', roles: everyRole });

/**
 * How administrators who have a factor confirm that they add one or remove a passkey: with the password, and with a code or a
 * passkey. The call that removes the app takes a password and a code of its own.
 */
const FactorConfirmation = z
  .strictObject({
    password: givenAdminPassword,
    code: z.optional(secondCode),
    credential: z.optional(Credential),
  })
  .check(
    z.refine(({ code: typed, credential }) => typed !== undefined || credential !== undefined, {
      path: ['code'],
      error: factorsMessages.secondFactor,
    }),
  );
export type FactorConfirmation = z.input<typeof FactorConfirmation>;

const confirmation = z.optional(FactorConfirmation);

/** A call that takes a confirmation checks a password and possibly a code, so it counts as an attempt to log in. */
const confirmed = { usesDeviceCookie: true, addressQuota: 'login' } as const;

export const adminFactorsApi = {
  adminApp: admins.app,
  adminStartApp: admins.startApp,
  adminConfirmApp: endpoint({
    ...admins.confirmApp,
    ...confirmed,
    body: z.strictObject({ code: oneTimeCode, confirmation }),
    refusals: [...admins.confirmApp.refusals, 'STEP_UP_REQUIRED', 'BAD_PASSWORD'],
  }),
  adminConfirmOptions: endpoint({
    method: 'POST',
    path: '/api/v1/admin/passkeys/confirm/options',
    access: 'admin',
    roles: everyRole,
    quota: 'changes',
    data: CeremonyOptions,
    message: 'Confirm with your passkey',
    summary:
      'Options with which a passkey confirms that another factor is added or removed; valid for five minutes',
  }),
  adminRemoveApp: admins.removeApp,
  adminRenewRecoveryCodes: admins.renewRecoveryCodes,
  adminPasskeys: admins.passkeys,
  adminPasskeyOptions: admins.passkeyOptions,
  adminAddPasskey: endpoint({
    ...admins.addPasskey,
    ...confirmed,
    body: z.strictObject({ ...admins.addPasskey.body.shape, confirmation }),
    refusals: [...admins.addPasskey.refusals, 'STEP_UP_REQUIRED', 'BAD_PASSWORD'],
  }),
  adminRemovePasskey: endpoint({
    ...admins.removePasskey,
    ...confirmed,
    body: z.optional(z.strictObject({ confirmation })),
    refusals: [...admins.removePasskey.refusals, 'STEP_UP_REQUIRED', 'BAD_PASSWORD'],
  }),
  resetFactors: endpoint({
    method: 'POST',
    path: '/api/v1/admin/users/{id}/reset-factors',
    access: 'admin',
    roles: operators,
    params: z.strictObject({ id }),
    body: z.strictObject({ reason: requiredLine(maxLength.reason, 'Please give a reason') }),
    status: 201,
    data: z.object({ effectiveAt: moment }),
    message: factorsMessages.resetStarted,
    refusals: ['NOT_FOUND', 'CONFLICT'],
    summary: 'Remove all second factors of a customer after a waiting time; the customer gets a mail at once',
  }),
  cancelFactorReset: endpoint({
    method: 'DELETE',
    path: '/api/v1/admin/users/{id}/reset-factors',
    access: 'admin',
    roles: operators,
    params: z.strictObject({ id }),
    message: 'The removal was canceled.',
    refusals: ['NOT_FOUND'],
    summary: 'Cancel a reset of second factors that has not taken effect',
  }),
};
