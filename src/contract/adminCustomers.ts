/**
 * Calls of the admin customers area: the filtered list, the page of one customer (notes, sessions, mails, history), and lists
 * as files.
 */
import * as z from 'zod/mini';
import { maxLength, paging } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { AuditEntry, actorKinds, Identity, Picture, Transaction } from './entities.ts';
import {
  day,
  email,
  id,
  limit,
  line,
  moment,
  money,
  nameWithLetters,
  nameWithoutSymbols,
  pageQuery,
  pages,
  paragraph,
  requiredLine,
  search,
} from './fields.ts';
import { reason } from './fourEyes.ts';
import * as errorMessages from './messages/errors.ts';
import * as staffMessages from './messages/staff.ts';
import * as transactionsMessages from './messages/transactions.ts';
import { auditors, everyRole, exporters, operators, supporters } from './roles.ts';
import { BankFilter } from './transactions.ts';

export const customerStates = ['pending', 'active', 'frozen'] as const;
export const documentStates = ['missing', 'requested', 'review', 'verified'] as const;
export const customerSorts = ['joined', 'balance', 'last-login', 'name'] as const;

export const CustomerFilter = z.strictObject({
  search: z.optional(search),
  state: z.optional(z.enum(customerStates, { error: errorMessages.validation })),
  document: z.optional(z.enum(documentStates, { error: errorMessages.validation })),
  /** Customers who joined from `startDate` to `endDate`, both inclusive, in the bank's time zone. */
  startDate: z.optional(day(transactionsMessages.startDate)),
  endDate: z.optional(day(transactionsMessages.endDate)),
  sort: z.optional(z.enum(customerSorts, { error: errorMessages.validation })),
  direction: z.optional(z.enum(['up', 'down'], { error: errorMessages.validation })),
});

/** Whether the caller was shown a request for an ID document. If `false`, the act is refused while there is one. */
export const shownRequest = z.optional(z.boolean());

/** Whether the caller was shown `isProvenByReset`. If `false`, the act is refused if it is true by now. */
export const shownReset = z.optional(z.boolean());

/** A customer in the list. */
export const ListedCustomer = z.object({
  _id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
  accountNumber: z.string(),
  balance: money,
  state: z.enum(customerStates),
  isFrozen: z.boolean(),
  /** The customer froze the account; absent if only the bank did. */
  isFrozenByCustomer: z.optional(z.boolean()),
  /** Staff froze the account too; absent unless the customer did. */
  isFrozenByStaff: z.optional(z.boolean()),
  /** Why staff froze the account, if a reason was given. */
  frozenReason: z.optional(z.string()),
  document: z.enum(documentStates),
  avatar: Picture,
  joinedAt: moment,
  lastLoginAt: z.optional(moment),
});
export type ListedCustomer = z.input<typeof ListedCustomer>;

/** Everything about one customer at a glance. */
export const CustomerRecord = z.extend(ListedCustomer, {
  middleName: z.string(),
  gender: z.string(),
  address: z.string(),
  region: z.string(),
  zipCode: z.string(),
  ...Identity.shape,
  isEmailProven: z.boolean(),
  isApproved: z.boolean(),
  isVerified: z.boolean(),
  /** When the bank froze the account. If only the customer froze it, the time of that freeze. */
  frozenAt: z.optional(moment),
  /** The administrator who froze the account; absent if only the customer froze it. */
  frozenBy: z.optional(z.string()),
  /** Money in savings goals, which is not in the balance; absent if there is none. */
  inGoals: z.optional(money),
  /** The most that may leave the account in a day; absent if the customer set no limit. */
  dailyOut: z.optional(money),
  idCard: z.nullable(Picture),
  idCardAt: z.optional(moment),
  /** The request for an ID document that the customer has not answered yet. */
  idRequest: z.optional(z.object({ reason: z.string(), at: moment })),
  /** The second factors with which the customer logs in. */
  factors: z.object({ hasApp: z.boolean(), passkeys: z.number() }),
  /** A reset of the second factors that has not taken effect. */
  factorReset: z.optional(z.object({ effectiveAt: moment, requestedBy: z.string() })),
  /** How many requests for a second approval about this customer are waiting. */
  waitingRequests: z.number(),
});
export type CustomerRecord = z.input<typeof CustomerRecord>;

export const Note = z.object({ _id: z.string(), at: moment, authorName: z.string(), text: z.string() });
export type Note = z.input<typeof Note>;

const CustomerSessions = z.object({
  sessions: z.array(
    z.object({
      _id: z.string(),
      device: z.string(),
      address: z.string(),
      startedAt: moment,
      lastSeenAt: moment,
    }),
  ),
  /** The devices of the last 200 sessions that are still stored, the most recently used first. */
  devices: z.array(
    z.object({ device: z.string(), address: z.string(), firstSeenAt: moment, lastSeenAt: moment }),
  ),
});

/** A mail that was sent to a customer. Its text is not stored. */
const SentMail = z.object({
  _id: z.string(),
  at: moment,
  subject: z.string(),
  /** The mail has a code, or is about a login or an act that a thief would do (`securityMails` in `templates.ts`). */
  isSecurity: z.boolean(),
  canResend: z.boolean(),
});

export const changedFields = ['firstName', 'middleName', 'lastName', 'email'] as const;
export type ChangedField = (typeof changedFields)[number];

/** A change of a customer's name or email by staff, with the proof, as the administrator describes it. */
export const CustomerChange = z.object({
  _id: z.string(),
  at: moment,
  authorName: z.string(),
  field: z.enum(changedFields),
  former: z.string(),
  value: z.string(),
  reason: z.string(),
});
export type CustomerChange = z.input<typeof CustomerChange>;

const one = z.strictObject({ id });
const view = {
  method: 'GET',
  access: 'admin',
  roles: everyRole,
  params: one,
  refusals: ['NOT_FOUND'],
} as const;
const act = {
  method: 'POST',
  access: 'admin',
  params: one,
  refusals: ['NOT_FOUND', 'CONFLICT'],
} as const;

/** Which records of the audit log are shown or exported. */
export const AuditFilter = z.strictObject({
  actorKind: z.optional(z.enum(actorKinds, { error: errorMessages.validation })),
  action: z.optional(z.string().check(z.regex(/^[a-z.-]{1,60}$/, errorMessages.validation))),
  /** The id of an administrator, a customer or a transaction, as actor or subject of the record. */
  person: z.optional(id),
  startDate: z.optional(day(transactionsMessages.startDate)),
  endDate: z.optional(day(transactionsMessages.endDate)),
});

export const adminCustomersApi = {
  customers: endpoint({
    method: 'GET',
    path: '/api/v1/admin/customers',
    access: 'admin',
    roles: everyRole,
    query: z.extend(CustomerFilter, pageQuery()),
    data: z.object({
      customers: z.array(ListedCustomer),
      ...pages,
      totalCustomers: z.number(),
    }),
    message: staffMessages.customers,
    summary: 'Customers, filtered and sorted; the search also finds phone numbers and streets',
  }),
  customerRecord: endpoint({
    ...view,
    path: '/api/v1/admin/customers/{id}',
    data: CustomerRecord,
    message: staffMessages.customer,
    summary: 'Everything about one customer; every view is audited',
  }),
  reverse: endpoint({
    ...act,
    path: '/api/v1/admin/transactions/{id}/reverse',
    roles: operators,
    fourEyes: true,
    idempotent: true,
    body: z.strictObject({ reason }),
    status: 201,
    data: Transaction,
    message: staffMessages.reversed,
    refusals: ['NOT_FOUND', 'CONFLICT', 'INSUFFICIENT_BALANCE', 'IDEMPOTENCY_MISMATCH'],
    summary: 'Book the opposite of a credit or of a transfer between two customers, once',
  }),
  changeCustomer: endpoint({
    ...act,
    method: 'PUT',
    path: '/api/v1/admin/users/{id}/details',
    roles: operators,
    fourEyes: true,
    body: z.strictObject({
      firstName: z.optional(
        requiredLine(maxLength.name, 'Enter a first name').check(nameWithLetters, nameWithoutSymbols),
      ),
      middleName: z.optional(line(maxLength.name).check(nameWithoutSymbols)),
      lastName: z.optional(
        requiredLine(maxLength.name, 'Enter a last name').check(nameWithLetters, nameWithoutSymbols),
      ),
      email: z.optional(email),
      /** The document that proves the change, as the administrator describes it. */
      reason,
      note: z.optional(paragraph(maxLength.note, staffMessages.note)),
    }),
    data: CustomerRecord,
    message: 'Changes saved. We emailed the customer.',
    summary:
      "Change a customer's name or email with a reason. A new email needs a second person and ends every session; after a new name, staff must verify the ID document again",
  }),
  customerChanges: endpoint({
    ...view,
    path: '/api/v1/admin/users/{id}/changes',
    data: z.array(CustomerChange),
    message: 'Changes of name and email',
    summary:
      "Changes of a customer's name and email by staff, newest first, with the values before and after",
  }),
  rejectApplication: endpoint({
    ...act,
    path: '/api/v1/admin/users/{id}/reject',
    roles: operators,
    body: z.strictObject({ reason }),
    message: staffMessages.rejected,
    summary: 'Close an application with a mail that gives the reason, and erase its data',
  }),
  requestId: endpoint({
    ...act,
    path: '/api/v1/admin/users/{id}/request-id',
    roles: operators,
    body: z.strictObject({ reason, isIdRequested: shownRequest }),
    message: 'We emailed the customer and asked for an ID document.',
    summary:
      'Ask a customer by mail for an ID document, or for a better one; until it is uploaded, ID verifications leave the customer out',
  }),
  notes: endpoint({
    ...view,
    path: '/api/v1/admin/users/{id}/notes',
    data: z.array(Note),
    message: staffMessages.notes,
    summary: 'The notes on a customer, newest first, at most 200',
  }),
  addNote: endpoint({
    ...act,
    path: '/api/v1/admin/users/{id}/notes',
    roles: supporters,
    body: z.strictObject({ text: paragraph(maxLength.note, staffMessages.note) }),
    status: 201,
    data: Note,
    message: 'Note saved',
    summary: 'Write a note on a customer; only administrators see it',
  }),
  customerSessions: endpoint({
    ...view,
    path: '/api/v1/admin/users/{id}/sessions',
    data: CustomerSessions,
    message: staffMessages.sessions,
    summary: "A customer's live sessions and the devices they used",
  }),
  endCustomerSessions: endpoint({
    ...act,
    path: '/api/v1/admin/users/{id}/end-sessions',
    roles: supporters,
    body: z.optional(z.strictObject({ sessionId: z.optional(id), reason: z.optional(reason) })),
    message: staffMessages.sessionsEnded,
    summary: "End one of a customer's sessions, or without `sessionId` all of them",
  }),
  customerMails: endpoint({
    ...view,
    path: '/api/v1/admin/users/{id}/mails',
    data: z.array(SentMail),
    message: staffMessages.mails,
    summary: 'The last 100 mails to a customer: when and about what, without their text',
  }),
  resendMail: endpoint({
    ...act,
    path: '/api/v1/admin/users/{id}/resend-mail',
    roles: supporters,
    body: z.strictObject({ mailId: id }),
    message: 'We sent the email again.',
    summary: 'Send a mail to a customer again; refused for codes and most security mails',
  }),
  customerHistory: endpoint({
    ...view,
    path: '/api/v1/admin/users/{id}/history',
    query: z.strictObject({
      limit: limit(paging.queueDefault),
      /** Cursor: the `_id` of the last record of the previous page. */
      before: z.optional(z.string().check(z.regex(/^[0-9]{1,18}$/, errorMessages.validation))),
    }),
    data: z.object({
      records: z.array(z.extend(AuditEntry, { reason: z.optional(z.string()) })),
      hasMore: z.boolean(),
    }),
    message: staffMessages.history,
    summary: 'Every act on a customer, newest first: who, what, when and why; views are left out',
  }),
  exportCustomers: endpoint({
    method: 'GET',
    path: '/api/v1/admin/customers/export',
    access: 'admin',
    roles: exporters,
    query: CustomerFilter,
    answer: 'file',
    message: staffMessages.exportReady,
    summary: 'The customers of the list as CSV; the export is audited',
  }),
  exportAllTransactions: endpoint({
    method: 'GET',
    path: '/api/v1/admin/transactions/export',
    access: 'admin',
    roles: exporters,
    query: z.omit(BankFilter, { page: true, limit: true, search: true }),
    answer: 'file',
    message: staffMessages.exportReady,
    summary:
      'Transactions as CSV, oldest first, with the filters of the list but no search; the export is audited',
  }),
  exportAudit: endpoint({
    method: 'GET',
    path: '/api/v1/admin/audit/export',
    access: 'admin',
    roles: auditors,
    query: AuditFilter,
    answer: 'file',
    message: staffMessages.exportReady,
    summary:
      'The audit log as CSV, oldest first, with the filters of the list but no search; the export is audited',
  }),
};
