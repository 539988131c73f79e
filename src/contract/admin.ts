/** Calls of the admin area. Those that need a session refuse a customer's token. */
import * as z from 'zod/mini';
import { AuditFilter, shownRequest, shownReset } from './adminCustomers.ts';
import { maxLength, paging } from './constants.ts';
import { endpoint } from './endpoint.ts';
import {
  AccountHolder,
  AdminFigures,
  Administrator,
  Application,
  AuditEntry,
  PendingApproval,
  queueLists,
  queueSorts,
  shownCredit,
  Transaction,
  TransactionStory,
  UnverifiedId,
  User,
  WaitingCustomer,
} from './entities.ts';
import {
  accountNumberText,
  amount,
  email,
  givenAdminPassword,
  id,
  limit,
  moment,
  money,
  pageQuery,
  pages,
  requiredLine,
  search,
  secondCode,
} from './fields.ts';
import { reason } from './fourEyes.ts';
import * as adminMessages from './messages/admin.ts';
import * as authMessages from './messages/auth.ts';
import * as errorMessages from './messages/errors.ts';
import * as factorsMessages from './messages/factors.ts';
import * as transactionsMessages from './messages/transactions.ts';
import * as transferMessages from './messages/transfer.ts';
import { auditors, everyRole, operators } from './roles.ts';
import { BankFilter } from './transactions.ts';
import { CeremonyOptions, Credential } from './webAuthn.ts';

const customerId = z.strictObject({ id });
const ShownRequest = z.optional(z.strictObject({ isIdRequested: shownRequest }));
const ShownApplication = z.optional(
  z.strictObject({ isIdRequested: shownRequest, isProvenByReset: shownReset }),
);
const ticket = z.string({ error: errorMessages.validation }).check(z.regex(/^[\w.-]{1,100}$/));
const recordId = z.string().check(z.regex(/^[0-9]{1,18}$/, errorMessages.validation));

export const Credit = z.strictObject({
  userAccountNumber: accountNumberText,
  amount,
  description: requiredLine(maxLength.description, 'Please enter a description'),
  /** A credit that becomes a request is not refused for this: its answer says that the same credit was made. */
  sameCreditId: shownCredit,
});

const credit = {
  method: 'POST',
  access: 'admin',
  roles: operators,
  body: Credit,
  idempotent: true,
  fourEyes: true,
  status: 201,
  data: Transaction,
  message: adminMessages.credited,
  refusals: ['NOT_FOUND', 'ACCOUNT_PENDING', 'IDEMPOTENCY_MISMATCH'],
} as const;

/** The two queues. In the ID verifications, customers with an ID document precede those without; `sort` orders both groups. */
const queue = {
  method: 'GET',
  access: 'admin',
  roles: everyRole,
  query: z.strictObject({
    ...pageQuery(),
    search: z.optional(search),
    sort: z.optional(z.enum(queueSorts, { error: errorMessages.validation })),
    list: z.optional(z.enum(queueLists, { error: errorMessages.validation })),
  }),
  data: z.object({
    customers: z.array(WaitingCustomer),
    ...pages,
    totalCustomers: z.number(),
    /**
     * How many customers of the whole list can be approved or verified now. Customers without an ID document cannot be
     * verified. A search does not change this number.
     */
    ready: z.number(),
  }),
} as const;

export const adminApi = {
  adminLogin: endpoint({
    method: 'POST',
    path: '/api/v1/admin/login',
    access: 'none',
    usesDeviceCookie: true,
    addressQuota: 'login',
    body: z.strictObject({ email, password: givenAdminPassword }),
    data: Administrator,
    message: adminMessages.loggedIn,
    refusals: ['BAD_CREDENTIALS', 'SECOND_FACTOR'],
    summary: "Open an administrator's session",
  }),
  adminLoginSecond: endpoint({
    method: 'POST',
    path: '/api/v1/admin/login/second',
    access: 'none',
    usesDeviceCookie: true,
    addressQuota: 'login',
    body: z.strictObject({ ticket, code: z.optional(secondCode), credential: z.optional(Credential) }).check(
      z.refine(({ code: typed, credential }) => typed !== undefined || credential !== undefined, {
        path: ['code'],
        error: factorsMessages.secondFactor,
      }),
    ),
    data: Administrator,
    message: adminMessages.loggedIn,
    refusals: ['BAD_CODE'],
    summary: "Second step of an administrator's login, with the ticket of the first; opens a session",
  }),
  adminPasskeyLoginOptions: endpoint({
    method: 'POST',
    path: '/api/v1/admin/passkey/options',
    access: 'none',
    addressQuota: 'login',
    data: CeremonyOptions,
    message: factorsMessages.passkeyOptions,
    summary: 'Options with which a browser uses a passkey to log in; valid for five minutes',
  }),
  adminPasskeyLogin: endpoint({
    method: 'POST',
    path: '/api/v1/admin/passkey/verify',
    access: 'none',
    usesDeviceCookie: true,
    addressQuota: 'login',
    body: z.strictObject({ credential: Credential }),
    data: Administrator,
    message: adminMessages.loggedIn,
    refusals: ['BAD_CODE'],
    summary: 'Log in with a passkey, which is both factors at once; opens a session',
  }),
  adminLogout: endpoint({
    method: 'POST',
    path: '/api/v1/admin/logout',
    access: 'admin',
    roles: everyRole,
    whileEnrolling: true,
    message: authMessages.loggedOut,
    summary: "End this administrator's session",
  }),
  adminReportActivity: endpoint({
    method: 'POST',
    path: '/api/v1/admin/activity',
    access: 'admin',
    roles: everyRole,
    whileEnrolling: true,
    message: authMessages.activity,
    summary: 'Keep this session alive: the administrator is active without making other calls',
  }),
  pendingApprovals: endpoint({
    method: 'GET',
    path: '/api/v1/admin/pending-approvals',
    access: 'admin',
    roles: everyRole,
    data: z.array(PendingApproval),
    message: adminMessages.approvals,
    summary: 'The first 500 customers waiting for approval, longest wait first',
  }),
  approvalQueue: endpoint({
    ...queue,
    path: '/api/v1/admin/approvals',
    message: adminMessages.approvals,
    summary: 'A page of the customers waiting for approval',
  }),
  application: endpoint({
    method: 'GET',
    path: '/api/v1/admin/users/{id}/application',
    access: 'admin',
    roles: everyRole,
    params: customerId,
    data: Application,
    message: adminMessages.users,
    refusals: ['NOT_FOUND'],
    summary: 'Everything needed to approve a customer or verify the ID document; every view is audited',
  }),
  approve: endpoint({
    method: 'PUT',
    path: '/api/v1/admin/approve/{id}',
    access: 'admin',
    roles: operators,
    params: customerId,
    body: ShownApplication,
    message: adminMessages.approved,
    refusals: ['NOT_FOUND', 'CONFLICT'],
    summary: 'Approve a customer, who may then bank',
  }),
  adminTransactions: endpoint({
    method: 'GET',
    path: '/api/v1/admin/transactions',
    access: 'admin',
    roles: everyRole,
    query: BankFilter,
    data: z.object({
      transactions: z.array(Transaction),
      ...pages,
      totalTransactions: z.number(),
      /** Set only by a search: there are too many matches to list all, so only the newest are listed. */
      isCut: z.optional(z.boolean()),
      /** Set only by a search that did not cover everything: matches from before this time may be missing. */
      completeSince: z.optional(moment),
    }),
    message: adminMessages.transactions,
    summary: 'All transactions, newest first',
  }),
  adminStats: endpoint({
    method: 'GET',
    path: '/api/v1/admin/transactions/stats',
    access: 'admin',
    roles: everyRole,
    data: z.object({ totalTransactions: z.number(), totalAmount: money, successRate: z.number() }),
    message: adminMessages.transactions,
    summary: 'Number, completed volume and success rate (percent, one decimal) of all transactions',
  }),
  adminTransaction: endpoint({
    method: 'GET',
    path: '/api/v1/admin/transactions/{id}',
    access: 'admin',
    roles: everyRole,
    params: customerId,
    data: TransactionStory,
    message: transactionsMessages.one,
    refusals: ['NOT_FOUND'],
    summary: 'One transaction with the account numbers of its customers and its timeline',
  }),
  figures: endpoint({
    method: 'GET',
    path: '/api/v1/admin/figures',
    access: 'admin',
    roles: everyRole,
    data: AdminFigures,
    message: adminMessages.dashboard,
    summary: "The last ninety days by day, all time by type, and the balances of the bank's own accounts",
  }),
  accountHolder: endpoint({
    method: 'GET',
    path: '/api/v1/admin/accounts/{accountNumber}',
    access: 'admin',
    roles: everyRole,
    params: z.strictObject({ accountNumber: z.string() }),
    data: AccountHolder,
    message: transferMessages.accountFound,
    refusals: ['NOT_FOUND'],
    summary:
      'Holder, balance, sanctions match and recent credits of an account number; shown before and after a credit',
  }),
  auditLog: endpoint({
    method: 'GET',
    path: '/api/v1/admin/audit',
    access: 'admin',
    roles: auditors,
    query: z.strictObject({
      limit: limit(paging.auditDefault),
      /** Cursor: the `_id` of the last record of the previous page. */
      before: z.optional(recordId),
      ...AuditFilter.shape,
      /** Finds records by a person's name, email or number, a transaction's reference, the reason, or the IP address. */
      search: z.optional(search),
    }),
    data: z.object({
      records: z.array(AuditEntry),
      actions: z.array(z.string()),
      hasMore: z.boolean(),
      /** Set only by a search whose text matches more people than it covers: records may be missing. */
      isCut: z.optional(z.boolean()),
    }),
    message: adminMessages.audit,
    summary: 'The audit log, newest first, and the kinds of acts there are',
  }),
  credit: endpoint({
    ...credit,
    path: '/api/v1/admin/transactions/admin-credit',
    summary: "Credit a customer's account from the bank's treasury",
  }),
  creditOnUserPath: endpoint({
    ...credit,
    path: '/api/v1/user/transactions/admin-credit',
    summary: 'The same credit on the path older clients use; refused to every customer',
  }),
  unverifiedIds: endpoint({
    method: 'GET',
    path: '/api/v1/admin/unverified-ids',
    access: 'admin',
    roles: everyRole,
    data: z.array(UnverifiedId),
    message: adminMessages.idVerifications,
    summary: 'The first 500 customers whose ID is not verified, those with an ID document first',
  }),
  verificationQueue: endpoint({
    ...queue,
    path: '/api/v1/admin/verifications',
    message: adminMessages.idVerifications,
    summary: 'A page of the customers whose ID is not verified, those with an ID document first',
  }),
  verifyId: endpoint({
    method: 'PUT',
    path: '/api/v1/admin/verify-id/{id}',
    access: 'admin',
    roles: operators,
    params: customerId,
    body: ShownRequest,
    data: z.object({ userId: z.string() }),
    message: adminMessages.verified,
    refusals: ['NOT_FOUND', 'CONFLICT'],
    summary: "Mark a customer's ID document as checked",
  }),
  users: endpoint({
    method: 'GET',
    path: '/api/v1/admin/users',
    access: 'admin',
    roles: everyRole,
    query: z.strictObject({
      ...pageQuery(paging.usersDefault),
      search: z.optional(search),
      /** Adds `isApproved` to each customer. */
      withApproval: z.optional(z.literal('true')),
    }),
    data: z.object({
      users: z.array(User),
      totalPages: z.number(),
      currentPage: z.number(),
      totalUsers: z.number(),
    }),
    message: adminMessages.users,
    summary: 'Customers, searched by name, email or account number',
  }),
  user: endpoint({
    method: 'GET',
    path: '/api/v1/admin/users/{id}',
    access: 'admin',
    roles: everyRole,
    params: customerId,
    data: User,
    message: adminMessages.users,
    refusals: ['NOT_FOUND'],
    summary: 'One customer',
  }),
  userIdCard: endpoint({
    method: 'GET',
    path: '/api/v1/admin/users/{id}/id-card',
    access: 'admin',
    roles: everyRole,
    params: customerId,
    answer: 'picture',
    message: adminMessages.users,
    refusals: ['NOT_FOUND'],
    summary: "A customer's ID document; every view is audited",
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/api/v1/admin/users/{id}',
    access: 'admin',
    roles: operators,
    params: customerId,
    fourEyes: true,
    body: z.optional(z.strictObject({ reason: z.optional(reason) })),
    message: adminMessages.deleted,
    refusals: ['NOT_FOUND', 'CONFLICT'],
    summary: "Close a customer's account; a remaining balance goes to the unclaimed balances",
  }),
  freeze: endpoint({
    method: 'PUT',
    path: '/api/v1/admin/freeze/{id}',
    access: 'admin',
    roles: operators,
    params: customerId,
    body: z.strictObject({
      isFrozen: z.boolean({ error: errorMessages.validation }),
      reason: z.optional(reason),
      /** To unfreeze: who had frozen the account, as the caller was shown. If one who is `false` here has, all freezes stay. */
      isFrozenByStaff: z.optional(z.boolean()),
      isFrozenByCustomer: z.optional(z.boolean()),
    }),
    data: z.object({ userId: z.string(), isFrozen: z.boolean() }),
    message: adminMessages.frozen,
    refusals: ['NOT_FOUND', 'CONFLICT'],
    summary:
      "Freeze or unfreeze a customer's account; unfreezing a confirmed match of the sanctions list needs a reason",
  }),
};
