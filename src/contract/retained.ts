/** Calls about the identification data that a bank with RETENTION_YEARS keeps after a customer's account is closed. */
import * as z from 'zod/mini';
import { maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { id, moment, paragraph } from './fields.ts';
import * as retainedMessages from './messages/retained.ts';

/** What identified a customer. */
export const RetainedIdentity = z.object({
  firstName: z.string(),
  middleName: z.string(),
  lastName: z.string(),
  gender: z.string(),
  dateOfBirth: z.optional(z.string()),
  /** Absent from data that was retained before this was recorded. */
  isDateOfBirthVerified: z.optional(z.boolean()),
  address: z.string(),
  city: z.optional(z.string()),
  region: z.string(),
  zipCode: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
  isVerified: z.boolean(),
  /** The picture of the ID document (WebP, base64). */
  idDocument: z.optional(z.string()),
});
export type RetainedIdentity = z.input<typeof RetainedIdentity>;

/** What identified a former customer when the account was closed. */
export const Retained = z.object({
  ...RetainedIdentity.shape,
  closedAt: moment,
  eraseAfter: moment,
  /** The verified identities whose ID document or name was replaced before, the oldest first; absent if none. */
  earlier: z.optional(z.array(z.object({ ...RetainedIdentity.shape, replacedAt: moment }))),
});

export const retainedApi = {
  retention: endpoint({
    method: 'GET',
    path: '/api/v1/user/retention',
    access: 'customer',
    data: z.object({ years: z.number() }),
    message: 'How long identification data is kept',
    summary:
      'For how many years the bank keeps identification data after the account is closed; 0: not at all',
  }),
  openRetained: endpoint({
    method: 'POST',
    path: '/api/v1/admin/retained/{id}/open',
    access: 'admin',
    roles: ['auditor'],
    params: z.strictObject({ id }),
    body: z.strictObject({ reason: paragraph(maxLength.reason, 'Say why you need this data') }),
    data: Retained,
    message: retainedMessages.opened,
    refusals: ['NOT_FOUND'],
    summary:
      'Open the retained identification data of a former customer, by the id; the audit log records who and why',
  }),
};
