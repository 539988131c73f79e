/**
 * The four-eyes API calls: requests for a second person's approval, and the amount from which approval is needed. A call that
 * needs a second person answers 202 with `data.approval` and takes effect when another operator or owner approves it.
 */
import * as z from 'zod/mini';
import { maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { RecentCredit, shownCredit } from './entities.ts';
import { amount, id, moment, money, pageQuery, pages, paragraph } from './fields.ts';
import * as errorMessages from './messages/errors.ts';
import * as staffMessages from './messages/staff.ts';
import { everyRole, operators, owners, roles } from './roles.ts';

const requestKinds = [
  'credit',
  'reversal',
  'deletion',
  'role',
  'invitation',
  'limit',
  'unclaimed',
  'email',
] as const;
export type RequestKind = (typeof requestKinds)[number];
/** `failed`: approved, but then refused by the ledger or by a rule. */
export const requestStates = ['pending', 'done', 'declined', 'withdrawn', 'expired', 'failed'] as const;
export type RequestState = (typeof requestStates)[number];

const Person = z.object({ _id: z.string(), name: z.string() });

/** A request for a second person's approval. The kind decides which of the optional fields it has. */
export const Approval = z.object({
  _id: z.string(),
  kind: z.enum(requestKinds),
  status: z.enum(requestStates),
  askedBy: Person,
  /** Of a waiting request: the person who asked was disabled or lost the role, so approving fails. */
  isAskerGone: z.optional(z.boolean()),
  askedAt: moment,
  expiresAt: moment,
  /** Why the request was made. */
  reason: z.optional(z.string()),
  decidedBy: z.optional(Person),
  decidedAt: z.optional(moment),
  /** Why the request was declined or failed. */
  outcome: z.optional(z.string()),
  /** The amount of a credit, reversal or payout. For a deletion, the customer's balance at the time of the request. */
  amount: z.optional(money),
  description: z.optional(z.string()),
  /** The customer to credit, pay, change or delete, with the current name. */
  customer: z.optional(z.object({ _id: z.string(), name: z.string(), accountNumber: z.string() })),
  /** The transaction to reverse. For a payout, the transaction that moved the money to the unclaimed balances. */
  transactionId: z.optional(z.string()),
  /** The reference of the transaction to reverse. */
  reference: z.optional(z.string()),
  /** The number of the closed account whose unclaimed balance is paid out. */
  closedAccount: z.optional(z.string()),
  /** Where an unclaimed balance is paid, if not to a customer. */
  bank: z.optional(z.object({ bankName: z.string(), accountName: z.string(), accountNumber: z.string() })),
  /** The customer's new email; absent after the customer was erased. */
  email: z.optional(z.string()),
  /** The transaction that was posted. */
  resultId: z.optional(z.string()),
  /** The administrator whose role changes, or (without an id) the person to invite. */
  member: z.optional(z.object({ _id: z.optional(z.string()), name: z.string(), email: z.string() })),
  role: z.optional(z.enum(roles)),
  formerRole: z.optional(z.enum(roles)),
  /**
   * Another waiting request for the same credit. Only in the answer to a new request, and in a request that is read by its id.
   */
  sameRequestId: z.optional(z.string()),
  /** Of a waiting credit: the newest equal credit (customer, amount, description). In the same answers as `sameRequestId`. */
  sameCredit: z.optional(RecentCredit),
  /** The new amount from which a second person is needed; null: never. */
  from: z.optional(z.nullable(money)),
});
export type Approval = z.input<typeof Approval>;
export type DecodedApproval = z.output<typeof Approval>;

/** Why something is done to a customer or a request. */
export const reason = paragraph(maxLength.reason, staffMessages.reason);

const FourEyes = z.object({
  /**
   * Dollars. Credits, reversals, and payouts to customers need a second person from this amount on; null: never. Payouts to
   * another bank always need one.
   */
  from: z.nullable(money),
  /** How many active operators and owners there are who have set a password. */
  approvers: z.number(),
  /**
   * Whether acts wait for a second person: true while there are two or more approvers. Approvers who were disabled less than
   * three days ago count too.
   */
  isOn: z.boolean(),
});

const path = '/api/v1/admin/requests';
const one = z.strictObject({ id });
const act = {
  method: 'POST',
  access: 'admin',
  roles: operators,
  params: one,
  data: Approval,
  refusals: ['NOT_FOUND', 'CONFLICT'],
} as const;

export const fourEyesApi = {
  requests: endpoint({
    method: 'GET',
    path,
    access: 'admin',
    roles: everyRole,
    query: z.strictObject({
      ...pageQuery(),
      status: z.optional(z.enum(requestStates, { error: errorMessages.validation })),
    }),
    data: z.object({
      requests: z.array(Approval),
      ...pages,
      totalRequests: z.number(),
      /** How many requests wait for approval; the filter does not change it. */
      waiting: z.number(),
      /** How many of the waiting requests this administrator may approve. */
      forYou: z.number(),
    }),
    message: staffMessages.requests,
    summary: 'Requests for a second approval, newest first',
  }),
  request: endpoint({
    method: 'GET',
    path: `${path}/{id}`,
    access: 'admin',
    roles: everyRole,
    params: one,
    data: Approval,
    message: staffMessages.requests,
    refusals: ['NOT_FOUND'],
    summary: 'One request for a second approval',
  }),
  approveRequest: endpoint({
    ...act,
    path: `${path}/{id}/approve`,
    body: z.optional(z.strictObject({ sameCreditId: shownCredit })),
    message: 'Request approved and carried out',
    summary: 'Approve a request of another administrator: it is checked again and done at once',
  }),
  declineRequest: endpoint({
    ...act,
    path: `${path}/{id}/decline`,
    body: z.strictObject({ reason }),
    message: 'Request declined',
    summary: 'Decline a request of another administrator',
  }),
  withdrawRequest: endpoint({
    ...act,
    path: `${path}/{id}/withdraw`,
    message: 'Request withdrawn',
    summary: 'Withdraw your own request',
  }),
  fourEyes: endpoint({
    method: 'GET',
    path: '/api/v1/admin/four-eyes',
    access: 'admin',
    roles: everyRole,
    data: FourEyes,
    message: 'The amount from which a second person must approve',
    summary: 'The amount from which a second person must approve, and how many could',
  }),
  changeFourEyes: endpoint({
    method: 'PUT',
    path: '/api/v1/admin/four-eyes',
    access: 'admin',
    roles: owners,
    fourEyes: true,
    body: z.strictObject({ from: z.nullable(amount) }),
    data: FourEyes,
    message: 'Amount changed',
    summary: 'Change the amount from which a second person must approve; null: no amount needs one',
  }),
};
