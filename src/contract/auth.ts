/** Calls of the auth area: registration, the two steps of a login, the profile, and password reset. */
import * as z from 'zod/mini';
import { emailPattern, maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { Customer, gender } from './entities.ts';
import {
  email,
  givenPassword,
  line,
  nameWithLetters,
  nameWithoutSymbols,
  newPassword,
  oneTimeCode,
  passwordPattern,
  phonePattern,
  secondCode,
  zipCodePattern,
} from './fields.ts';
import * as authMessages from './messages/auth.ts';
import * as factorsMessages from './messages/factors.ts';
import { fill } from './messages/fill.ts';
import * as registerMessages from './messages/register.ts';
import { CeremonyOptions, Credential } from './webAuthn.ts';

const field = (max: number) => z._default(line(max), '');
const name = line(maxLength.name).check(nameWithoutSymbols);

/** Required text fields of the registration, in the order in which the error message lists missing ones. */
export const requiredRegistrationFields = [
  'firstName',
  'lastName',
  'gender',
  'address',
  'region',
  'zipCode',
  'email',
  'phoneNumber',
  'password',
] as const;

/**
 * The registration form's text fields. Rules are checked in the order of the specification, chapter 5, and the first violation
 * gives the message. Missing fields come first, listed in one message. The other fields are checked too, so that one answer
 * names every error.
 */
export const Registration = z
  .strictObject({
    firstName: z._default(name.check(nameWithLetters), ''),
    middleName: z._default(name, ''),
    lastName: z._default(name.check(nameWithLetters), ''),
    gender: z._default(z.string({ error: registerMessages.gender }).check(z.trim()), ''),
    address: field(maxLength.address),
    region: field(maxLength.region),
    zipCode: field(maxLength.zipCode),
    email: z._default(z.string({ error: registerMessages.email }).check(z.trim(), z.toLowerCase()), ''),
    phoneNumber: z._default(z.string({ error: registerMessages.phone }).check(z.trim()), ''),
    password: z._default(z.string({ error: registerMessages.password }).check(z.trim()), ''),
  })
  .check(
    z.check(
      context => {
        const form = context.value;
        const refuse = (name: string, message: string, at = context.issues.length) =>
          context.issues.splice(at, 0, {
            code: 'custom',
            path: [name],
            input: form,
            message,
            continue: false,
          });
        const missing = requiredRegistrationFields.filter(name => form[name] === '');
        const message = fill(registerMessages.missing, { list: missing.join(', ') });
        for (const [at, name] of missing.entries()) refuse(name, message, at);
        const isUnrefused = (name: string) => !context.issues.some(({ path }) => path?.[0] === name);
        if (isUnrefused('email') && (form.email.length > maxLength.email || !emailPattern.test(form.email)))
          refuse('email', registerMessages.email);
        if (isUnrefused('phoneNumber') && !phonePattern.test(form.phoneNumber))
          refuse('phoneNumber', registerMessages.phone);
        if (isUnrefused('password') && !passwordPattern.test(form.password))
          refuse('password', registerMessages.password);
        if (isUnrefused('gender') && !(gender as readonly string[]).includes(form.gender))
          refuse('gender', registerMessages.gender);
        if (isUnrefused('zipCode') && !zipCodePattern.test(form.zipCode))
          refuse('zipCode', registerMessages.zipCode);
      },
      // Without this, no other field is checked after a broken name.
      { when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value) },
    ),
  );
export type Registration = z.output<typeof Registration>;

/** The token in the link of the welcome mail. */
const removalToken = z
  .string({ error: registerMessages.removalExpired })
  .check(z.regex(/^[\w-]{64}$/, registerMessages.removalExpired));

/** Where the code of the second step comes from: a mail, the authenticator app, or the list of recovery codes. */
const loginMethods = ['email', 'totp', 'recovery'] as const;
export type LoginMethod = (typeof loginMethods)[number];

export const LoggedInCustomer = z.extend(Customer, { token: z.string() });
export type LoggedInCustomer = z.input<typeof LoggedInCustomer>;

export const authApi = {
  register: endpoint({
    method: 'POST',
    path: '/api/v1/auth/register',
    access: 'none',
    addressQuota: 'register',
    body: Registration,
    files: { avatar: { required: true, missing: registerMessages.avatar }, idCard: { required: false } },
    status: 201,
    data: z.object({ _id: z.string(), email: z.string(), isApproved: z.boolean() }),
    message: registerMessages.done,
    refusals: ['CONFLICT', 'TOO_LARGE', 'UNSUPPORTED_TYPE'],
    summary: 'Register a customer, who then waits for approval',
  }),
  removeRegistration: endpoint({
    method: 'POST',
    path: '/api/v1/auth/remove-registration',
    access: 'none',
    addressQuota: 'login',
    body: z.strictObject({ token: removalToken }),
    message: registerMessages.removed,
    refusals: ['NOT_FOUND', 'CONFLICT', 'ACCOUNT_FROZEN'],
    summary:
      'Remove a registration that someone else made with this email, with the token of the welcome mail',
  }),
  initiateLogin: endpoint({
    method: 'POST',
    path: '/api/v1/auth/login/initiate',
    access: 'none',
    usesDeviceCookie: true,
    addressQuota: 'login',
    body: z.strictObject({ email, password: givenPassword }),
    data: z.object({ email: z.string(), methods: z.array(z.enum(loginMethods)) }),
    message: authMessages.codeSent,
    refusals: ['BAD_CREDENTIALS'],
    summary: 'First step of the login: credentials; a code is mailed unless an authenticator app is set up',
  }),
  verifyCode: endpoint({
    method: 'POST',
    path: '/api/v1/auth/login/verify-otp',
    access: 'none',
    usesDeviceCookie: true,
    addressQuota: 'login',
    body: z.strictObject({ email, otp: secondCode }),
    data: LoggedInCustomer,
    message: authMessages.loginDoneApi,
    refusals: ['BAD_CODE'],
    summary: 'Second step of the login: a code of one of the methods; opens a session',
  }),
  resendCode: endpoint({
    method: 'POST',
    path: '/api/v1/auth/login/resend-otp',
    access: 'none',
    usesDeviceCookie: true,
    addressQuota: 'login',
    body: z.strictObject({ email }),
    message: authMessages.codeResent,
    refusals: ['TOO_MANY'],
    summary: 'Send a new code for a login in progress; the former becomes invalid',
  }),
  passkeyLoginOptions: endpoint({
    method: 'POST',
    path: '/api/v1/auth/passkey/options',
    access: 'none',
    addressQuota: 'login',
    data: CeremonyOptions,
    message: factorsMessages.passkeyOptions,
    summary: 'Options with which a browser uses a passkey to log in; valid for five minutes',
  }),
  passkeyLogin: endpoint({
    method: 'POST',
    path: '/api/v1/auth/passkey/verify',
    access: 'none',
    usesDeviceCookie: true,
    addressQuota: 'login',
    body: z.strictObject({ credential: Credential }),
    data: LoggedInCustomer,
    message: authMessages.loginDoneApi,
    refusals: ['BAD_CODE'],
    summary: 'Log in with a passkey, which is both factors at once; opens a session',
  }),
  profile: endpoint({
    method: 'GET',
    path: '/api/v1/auth/profile',
    access: 'customer',
    whilePending: true,
    data: Customer,
    message: authMessages.profile,
    summary: 'The customer of this session',
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/v1/auth/logout',
    access: 'customer',
    outsidePersonLimit: true,
    whilePending: true,
    message: authMessages.loggedOut,
    summary: 'End this session',
  }),
  reportActivity: endpoint({
    method: 'POST',
    path: '/api/v1/auth/activity',
    access: 'customer',
    outsidePersonLimit: true,
    whilePending: true,
    message: authMessages.activity,
    summary: 'Keep this session alive: the customer is active without making other calls',
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/api/v1/auth/forgot-password',
    access: 'none',
    usesDeviceCookie: true,
    addressQuota: 'login',
    body: z.strictObject({ email }),
    message: authMessages.forgotAnswer,
    summary: 'Mail a code with which a new password can be set',
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/v1/auth/reset-password',
    access: 'none',
    usesDeviceCookie: true,
    addressQuota: 'login',
    body: z.strictObject({ email, otp: oneTimeCode, newPassword }),
    message: authMessages.resetDone,
    refusals: ['BAD_CODE'],
    summary: 'Set a new password with a mailed code; ends every session',
  }),
};
