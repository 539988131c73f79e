/** Calls of the staff area: administrators and their roles, invitations, and an administrator's own profile and password. */
import * as z from 'zod/mini';
import { maxLength, password } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { email, id, moment, requiredLine } from './fields.ts';
import { reason } from './fourEyes.ts';
import * as adminMessages from './messages/admin.ts';
import * as settingsMessages from './messages/settings.ts';
import * as staffMessages from './messages/staff.ts';
import { auditors, everyRole, owners, roles } from './roles.ts';

/** An administrator's password: any characters; only its length is limited. */
export const adminPassword = z
  .string({ error: adminMessages.passwordLength })
  .check(
    z.minLength(password.adminMinCharacters, adminMessages.passwordLength),
    z.maxLength(password.adminMaxCharacters, { error: adminMessages.passwordLength, abort: true }),
  );

/** Common passwords of 12 characters or more, in lowercase, except those that repeat a part. */
const commonPasswords = new Set(
  `123456789012 1234567890123 12345678901234 123456789012345 1234567890123456 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc
  1qaz2wsx3edc4rfv abcdefghijkl abcdefghijklm admin1234567 admin12345678 administrator administrator1 asdfghjkl123
  changeme1234 changeme12345 correcthorsebatterystaple iloveyou1234 letmein12345 p@ssw0rd1234 passw0rd1234 password1234
  password12345 password123456 password@123 q1w2e3r4t5y6 qazwsxedcrfv qwerty123456 qwerty1234567
  qwertyuiop12 qwertyuiop123 qwertyuiop1234 qwertyuiopasdf welcome12345 welcome123456 zxcvbnm12345`.split(
    /\s+/,
  ),
);

/**
 * A password that an administrator chooses: it must not repeat one part, or be very common. The time to search for a repeated
 * part grows with the square of the length, so a password that is too long is refused first.
 */
const chosenPassword = adminPassword.check(
  z.refine(
    text => !/^(.+)\1+$/s.test(text) && !commonPasswords.has(text.toLowerCase()),
    adminMessages.passwordCommon,
  ),
);

const role = z.enum(roles, { error: staffMessages.role });

/** `invited`: the link to set the password was mailed and not used yet. */
const memberStates = ['active', 'invited', 'disabled'] as const;

export const StaffMember = z.object({
  _id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(roles),
  state: z.enum(memberStates),
  createdAt: moment,
  disabledAt: z.optional(moment),
  /** When the person last used one of their sessions. */
  lastSeenAt: z.optional(moment),
  /** How many sessions are live. */
  sessions: z.number(),
  /** Until when the mailed link works; absent if there is none or it was used. */
  linkExpiresAt: z.optional(moment),
});
export type StaffMember = z.input<typeof StaffMember>;

const path = '/api/v1/admin/staff';
const one = z.strictObject({ id });

/** An act of an owner on another administrator. */
const act = {
  method: 'POST',
  access: 'admin',
  roles: owners,
  params: one,
  data: StaffMember,
  refusals: ['NOT_FOUND', 'CONFLICT'],
} as const;
const withReason = z.optional(z.strictObject({ reason: z.optional(reason) }));

export const staffApi = {
  adminProfile: endpoint({
    method: 'GET',
    path: '/api/v1/admin/profile',
    access: 'admin',
    roles: everyRole,
    data: z.object({ _id: z.string(), email: z.string(), name: z.string(), role: z.enum(roles) }),
    message: 'Your profile',
    summary: "The administrator's own name, email and role",
  }),
  changeAdminPassword: endpoint({
    method: 'PUT',
    path: '/api/v1/admin/password',
    access: 'admin',
    roles: everyRole,
    addressQuota: 'login',
    usesDeviceCookie: true,
    body: z.strictObject({
      currentPassword: z
        .string({ error: settingsMessages.currentPasswordMissing })
        .check(
          z.minLength(1, settingsMessages.currentPasswordMissing),
          z.maxLength(password.adminMaxCharacters, settingsMessages.wrongCurrentPassword),
        ),
      newPassword: chosenPassword,
    }),
    message: 'Password changed. Your other sessions have ended.',
    refusals: ['BAD_PASSWORD'],
    summary: "Change the administrator's own password; every other session ends",
  }),
  setAdminPassword: endpoint({
    method: 'POST',
    path: '/api/v1/admin/set-password',
    access: 'none',
    addressQuota: 'login',
    body: z.strictObject({
      /** From the link of the mail: `/admin/set-password#<token>`. */
      token: z
        .string({ error: staffMessages.linkInvalid })
        .check(z.regex(/^[A-Za-z0-9_.-]{20,200}$/, staffMessages.linkInvalid)),
      password: chosenPassword,
    }),
    message: 'Your password is set. You can log in now.',
    refusals: ['NOT_FOUND'],
    summary: 'Set the password with the one-time link of an invitation or a reset',
  }),
  listStaff: endpoint({
    method: 'GET',
    path,
    access: 'admin',
    roles: auditors,
    data: z.array(StaffMember),
    message: staffMessages.staff,
    summary: 'All administrators, oldest first, including disabled ones',
  }),
  inviteMember: endpoint({
    method: 'POST',
    path,
    access: 'admin',
    roles: owners,
    fourEyes: true,
    body: z.strictObject({ email, name: requiredLine(maxLength.name, staffMessages.name), role }),
    status: 201,
    data: StaffMember,
    message: staffMessages.invited,
    refusals: ['CONFLICT'],
    summary: 'Invite an administrator by mail with a one-time link to set the password',
  }),
  changeRole: endpoint({
    method: 'PUT',
    path: `${path}/{id}/role`,
    access: 'admin',
    roles: owners,
    fourEyes: true,
    params: one,
    body: z.strictObject({ role }),
    data: StaffMember,
    message: 'Role changed',
    refusals: ['NOT_FOUND', 'CONFLICT'],
    summary: 'Change the role of another administrator; the last owner keeps theirs',
  }),
  disableMember: endpoint({
    ...act,
    path: `${path}/{id}/disable`,
    body: withReason,
    message: staffMessages.disabled,
    summary: 'Disable an administrator and end every session; the last owner cannot be disabled',
  }),
  enableMember: endpoint({
    ...act,
    path: `${path}/{id}/enable`,
    message: staffMessages.enabled,
    summary: 'Enable a disabled administrator, and mail a link to set a new password',
  }),
  resetMember: endpoint({
    ...act,
    path: `${path}/{id}/reset`,
    message: 'We emailed a link to set a new password.',
    summary: 'Mail an administrator a new one-time link to set the password; the former one stops working',
  }),
  endMemberSessions: endpoint({
    ...act,
    path: `${path}/{id}/end-sessions`,
    body: withReason,
    message: staffMessages.sessionsEnded,
    summary: 'End every session of an administrator, and the waiting requests they made',
  }),
};
