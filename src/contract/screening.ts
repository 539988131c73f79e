/**
 * Calls of the screening area: customers whose name resembles an entry of the sanctions list, and the decision whether they
 * are the listed person. The list is imported with `npm run admin -- import-sanctions`.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { day, id, moment, pageQuery, pages } from './fields.ts';
import { reason } from './fourEyes.ts';
import * as errorMessages from './messages/errors.ts';
import * as screeningMessages from './messages/screening.ts';
import { everyRole, operators } from './roles.ts';

/** `outdated`: the list or the customer's name has changed, so the match, or the decision about it, no longer counts. */
export const hitStates = ['open', 'match', 'no-match', 'outdated'] as const;

const decision = {
  decidedBy: z.optional(z.string()),
  reason: z.optional(z.string()),
};

/** A customer who resembles an entry of the list. */
export const ScreeningHit = z.object({
  _id: z.string(),
  customer: z.object({
    _id: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    /** The whole name, with the middle name. */
    fullName: z.string(),
    accountNumber: z.string(),
    dateOfBirth: z.nullable(z.string()),
    /** Whether the date of birth was compared with the ID document; otherwise, the customer only entered it. */
    isDateOfBirthVerified: z.boolean(),
    isApproved: z.boolean(),
    hasIdDocument: z.boolean(),
    /** How many more entries the name resembles; absent if none. They appear when the customer's stored matches are decided. */
    moreMatches: z.optional(z.number()),
  }),
  /** The entry as the sanctions list has it. Its date of birth can be a day, a month, a year or empty. */
  listed: z.object({
    id: z.string(),
    name: z.string(),
    /** Present if `name` is an alias. */
    mainName: z.optional(z.string()),
    dateOfBirth: z.string(),
    program: z.string(),
  }),
  /** How alike the names are, in percent. */
  score: z.number(),
  state: z.enum(hitStates),
  foundAt: moment,
  /** True if the last screening did not find this match. */
  isGone: z.optional(z.boolean()),
  decidedAt: z.optional(moment),
  ...decision,
  /** The last decision about this entry that no longer counts. For an outdated match, the decision about that match. */
  earlier: z.optional(z.object({ state: z.enum(['match', 'no-match']), decidedAt: moment, ...decision })),
  /** For an open match: the last time this entry was confirmed, if it was cleared after that or staff took that back. */
  confirmed: z.optional(z.object({ decidedAt: moment, ...decision })),
});
export type ScreeningHit = z.input<typeof ScreeningHit>;

const path = '/api/v1/admin/screening';
const one = z.strictObject({ id });
const act = {
  method: 'POST',
  access: 'admin',
  roles: operators,
  params: one,
  data: ScreeningHit,
  refusals: ['NOT_FOUND', 'CONFLICT'],
} as const;

export const screeningApi = {
  screening: endpoint({
    method: 'GET',
    path,
    access: 'admin',
    roles: everyRole,
    query: z.strictObject({
      ...pageQuery(),
      state: z.optional(z.enum(hitStates, { error: errorMessages.validation })),
    }),
    data: z.object({
      hits: z.array(ScreeningHit),
      ...pages,
      totalHits: z.number(),
      /** How many matches are undecided; the filter does not change it. */
      open: z.number(),
      /** The list that was imported last, and how many customers were screened against it; absent until the first import. */
      list: z.optional(
        z.object({
          importedAt: moment,
          entries: z.number(),
          screened: z.number(),
          finishedAt: z.optional(moment),
        }),
      ),
    }),
    message: screeningMessages.screening,
    summary: 'Customers who resemble an entry of the sanctions list, longest wait first',
  }),
  customerScreening: endpoint({
    method: 'GET',
    path: '/api/v1/admin/users/{id}/screening',
    access: 'admin',
    roles: everyRole,
    params: one,
    data: z.array(ScreeningHit),
    message: screeningMessages.screening,
    refusals: ['NOT_FOUND'],
    summary: 'The matches of one customer with the sanctions list, undecided ones first, then the newest',
  }),
  decideHit: endpoint({
    ...act,
    path: `${path}/{id}/decide`,
    body: z.strictObject({
      isMatch: z.boolean({ error: errorMessages.validation }),
      reason,
      /** The date of birth of the customer that staff were shown, or null for none. If it is another one now: 409. */
      dateOfBirth: z.optional(z.nullable(day(errorMessages.validation))),
    }),
    message: screeningMessages.decided,
    summary: 'Decide whether a customer is the listed person; it changes no account',
  }),
  reopenHit: endpoint({
    ...act,
    path: `${path}/{id}/reopen`,
    body: z.strictObject({ reason }),
    message: 'This match is open again.',
    summary: 'Take back the decision about a match, which then waits for a new one',
  }),
};
