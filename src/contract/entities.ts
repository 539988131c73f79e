/** The entities of the API in the wire format: those of chapter 3 of the specification, and those that were added. */
import * as z from 'zod/mini';
import { id, moment, money, pages } from './fields.ts';
import { roles } from './roles.ts';

export const Picture = z.object({ url: z.string() });

export const gender = ['male', 'female'] as const;

/** A customer's own data. */
export const Customer = z.object({
  _id: z.string(),
  firstName: z.string(),
  middleName: z.string(),
  lastName: z.string(),
  gender: z.enum(gender),
  address: z.string(),
  region: z.string(),
  zipCode: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
  avatar: Picture,
  idCard: z.nullable(Picture),
  isApproved: z.boolean(),
  isVerified: z.boolean(),
  isFrozen: z.boolean(),
  accountNumber: z.string(),
  balance: money,
  /** True while the bank asks for an ID document; `idRequest` of the identity says why. Not returned by version 1.0.0. */
  isIdRequested: z.optional(z.boolean()),
});
export type Customer = z.input<typeof Customer>;

/** What a customer adds after the registration, on the pending screen or in Settings. Null until given. */
export const Identity = z.object({
  /** `YYYY-MM-DD`. */
  dateOfBirth: z.nullable(z.string()),
  city: z.nullable(z.string()),
});
export const OwnIdentity = z.object({
  ...Identity.shape,
  /** The date of birth was known when the ID document was verified, so it can no longer be changed. */
  isDateOfBirthVerified: z.boolean(),
  /** Why the bank asks for an ID document, or for a better one; null if it did not ask. */
  idRequest: z.nullable(z.string()),
});
export type OwnIdentity = z.input<typeof OwnIdentity>;

export const transactionTypes = [
  'transfer',
  'admin-credit',
  'external-transfer',
  'reversal',
  'deposit',
] as const;
export type TransactionType = (typeof transactionTypes)[number];
export const transactionStatuses = ['completed', 'pending', 'failed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** A business event. Without a sender, it is a deposit from another bank, or the bank itself is the sender ('System'). */
export const Transaction = z.object({
  _id: z.string(),
  reference: z.string(),
  type: z.enum(transactionTypes),
  status: z.enum(transactionStatuses),
  amount: money,
  timestamp: moment,
  sender: z.optional(z.object({ _id: z.string(), firstName: z.string(), lastName: z.string() })),
  receiver: z.optional(z.object({ _id: z.string(), firstName: z.string(), lastName: z.string() })),
  /** Where an external transfer goes, or where a deposit comes from. */
  externalBankDetails: z.optional(
    z.object({ bankName: z.string(), accountName: z.string(), accountNumber: z.string() }),
  ),
  description: z.string(),
  /** The scheduled transfer that made this payment. Receivers do not get this field. */
  scheduledTransferId: z.optional(z.string()),
  /** The transaction that this one reverses. */
  reverses: z.optional(z.string()),
  /** The transaction that reversed this one. */
  reversedBy: z.optional(z.string()),
  /** Why the money was returned: the other bank's reason, a cancellation by the sender, or a return by staff. */
  returnReason: z.optional(z.string()),
  /** The payment waits because its sender's account is frozen. Staff can return it. Lists of version 1.0.0 do not say so. */
  isHeld: z.optional(z.boolean()),
});
export type Transaction = z.input<typeof Transaction>;
export type DecodedTransaction = z.output<typeof Transaction>;

/** A credit that was made in the last `staff.sameCreditDays` days and not reversed. */
export const RecentCredit = z.pick(Transaction, {
  _id: true,
  reference: true,
  amount: true,
  timestamp: true,
  description: true,
});
export type RecentCredit = z.input<typeof RecentCredit>;
export type DecodedRecentCredit = z.output<typeof RecentCredit>;

/** The same credit that the caller was shown as already made; null: none. If a newer one was made, nothing is credited. */
export const shownCredit = z.optional(z.nullable(id));

/** The holder of an account that staff are about to pay. */
export const AccountHolder = z.object({
  accountName: z.string(),
  accountNumber: z.string(),
  isApproved: z.boolean(),
  isFrozen: z.boolean(),
  balance: money,
  screening: z.optional(z.enum(['match', 'open'])),
  /** Newest first, at most `staff.sameCreditsRead`. Equal credits are listed once. Servers of 1.0.0 do not send them. */
  recentCredits: z.optional(z.array(RecentCredit)),
});

/** The steps of a transaction's timeline; only an external transfer has a second step. */
const transactionSteps = ['posted', 'settled', 'returned'] as const;

const story = {
  timeline: z.array(z.object({ step: z.enum(transactionSteps), at: moment })),
  /** When `reversedBy` was posted. Servers of 1.0.0 do not send it. */
  reversedAt: z.optional(moment),
  /** The day by which a pending external transfer should have arrived, `YYYY-MM-DD` in the bank's time zone. */
  expectedBy: z.optional(z.string()),
};

/** One transaction with its timeline and the account numbers of its customers, for administrators. */
export const TransactionStory = z.extend(Transaction, {
  senderAccountNumber: z.optional(z.string()),
  receiverAccountNumber: z.optional(z.string()),
  /** The bank's own account that the money came from or went to. */
  bankAccount: z.optional(z.enum(['treasury', 'unclaimed'])),
  /**
   * The money was returned to the unclaimed balances, because the sender's account was closed or the money had been paid from
   * there.
   */
  returnedToUnclaimed: z.optional(z.boolean()),
  /** The pending request to reverse the transaction. */
  reversalRequestId: z.optional(z.string()),
  ...story,
});
export type TransactionStory = z.input<typeof TransactionStory>;

/** One transaction with its timeline, for a customer. `balanceAfter`: the customer's balance right after it was posted. */
export const TransactionDetail = z.extend(Transaction, {
  balanceAfter: z.optional(money),
  /** Until when the payment can be canceled; absent once it was sent to the rail. */
  cancelUntil: z.optional(moment),
  ...story,
});
export type TransactionDetail = z.input<typeof TransactionDetail>;

/** Statistics of a whole account. Sent counts completed and pending money out; received counts completed money in. */
export const Stats = z.object({ totalSent: money, totalReceived: money, totalTransactions: z.number() });
export type Stats = z.input<typeof Stats>;

export const TransactionPage = z.object({
  transactions: z.array(Transaction),
  stats: Stats,
  ...pages,
  totalTransactions: z.number(),
});

/** Money in and out of one account in one calendar month, with the month's largest payment out. */
export const Month = z.object({
  month: z.string(),
  in: money,
  out: money,
  largestOut: z.optional(z.object({ name: z.string(), amount: money })),
});
export type Month = z.input<typeof Month>;

/** Totals of the transactions of one month that match a filter: money in, money out and their number. */
export const MonthTotal = z.object({ month: z.string(), in: money, out: money, count: z.number() });
export type MonthTotal = z.input<typeof MonthTotal>;

/** A live session. `device` is derived from the User-Agent header. */
export const ActiveSession = z.object({
  _id: z.string(),
  device: z.string(),
  address: z.string(),
  startedAt: moment,
  lastSeenAt: moment,
  isCurrent: z.boolean(),
});
export type ActiveSession = z.input<typeof ActiveSession>;

/** A logged-in administrator. Browser storage holds all of it except `role`. */
export const Administrator = z.object({
  _id: z.string(),
  email: z.string(),
  name: z.string(),
  token: z.string(),
  role: z.optional(z.enum(roles)),
});
export type Administrator = z.input<typeof Administrator>;

export const PendingApproval = z.object({
  _id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  accountNumber: z.string(),
});
export type PendingApproval = z.input<typeof PendingApproval>;

export const UnverifiedId = z.object({
  _id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  idCard: z.nullable(Picture),
  createdAt: moment,
});

/** How a queue can be sorted. By default, customers with the longest wait come first. */
export const queueSorts = ['oldest', 'newest', 'name'] as const;
export type QueueSort = (typeof queueSorts)[number];

/** The lists of a queue. `confirmed`: only customers who confirmed their email, because anyone can register any email. */
export const queueLists = ['all', 'confirmed'] as const;
export type QueueList = (typeof queueLists)[number];

/** A customer who waits for approval or for the check of an ID document. */
export const WaitingCustomer = z.object({
  _id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  accountNumber: z.string(),
  avatar: Picture,
  idCard: z.nullable(Picture),
  /** The time of the registration, or of the upload of the ID document. */
  waitingSince: moment,
  /** Approvals only: this administrator has viewed the application, and it has not changed since. */
  isViewed: z.optional(z.boolean()),
  /** Approvals only: an ID document was requested and has not been uploaded yet. */
  isIdRequested: z.optional(z.boolean()),
  /** Approvals only: a match with the sanctions list, undecided (`open`) or confirmed (`match`). It prevents the approval. */
  screening: z.optional(z.enum(['open', 'match'])),
  /** Present only if the account is frozen. */
  isFrozen: z.optional(z.boolean()),
  /** As in `Application`. */
  isProvenByReset: z.optional(z.boolean()),
});
export type WaitingCustomer = z.input<typeof WaitingCustomer>;

/** What an administrator needs to approve a customer or verify the ID document. */
export const Application = z.object({
  _id: z.string(),
  firstName: z.string(),
  middleName: z.string(),
  lastName: z.string(),
  gender: z.string(),
  email: z.string(),
  /** The customer has logged in or reset the password with a code sent to this email. */
  isEmailProven: z.boolean(),
  /** The password was reset before that, without any login. The person who did so may not be the one who registered. */
  isProvenByReset: z.optional(z.boolean()),
  phoneNumber: z.string(),
  address: z.string(),
  region: z.string(),
  zipCode: z.string(),
  ...Identity.shape,
  accountNumber: z.string(),
  avatar: Picture,
  idCard: z.nullable(Picture),
  isApproved: z.boolean(),
  isVerified: z.boolean(),
  registeredAt: moment,
  /** When the ID document was uploaded; absent without one. */
  idCardAt: z.optional(moment),
  /** An ID document was requested and has not been uploaded yet. */
  isIdRequested: z.optional(z.boolean()),
  /** Why it was requested. */
  idRequest: z.optional(z.string()),
  /** Present only if the account is frozen. */
  isFrozen: z.optional(z.boolean()),
  /** As for a `User`. */
  isFrozenByCustomer: z.optional(z.boolean()),
  isFrozenByStaff: z.optional(z.boolean()),
  /** Why staff froze the account, if a reason was given. */
  frozenReason: z.optional(z.string()),
});
export type Application = z.input<typeof Application>;

/** A customer, for administrators. */
export const User = z.object({
  _id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  accountNumber: z.string(),
  balance: money,
  isVerified: z.boolean(),
  isFrozen: z.boolean(),
  /** The customer froze the account; absent if only the bank did. */
  isFrozenByCustomer: z.optional(z.boolean()),
  /** Staff froze the account too. Sent only together with `isFrozenByCustomer`. */
  isFrozenByStaff: z.optional(z.boolean()),
  /** Why staff froze the account, if a reason was given. */
  frozenReason: z.optional(z.string()),
  /** Present only if the request asked for it. */
  isApproved: z.optional(z.boolean()),
  profileImage: z.string(),
  avatar: Picture,
  phoneNumber: z.string(),
  address: z.string(),
  idCard: z.nullable(Picture),
  /** An ID document was requested and not uploaded yet. */
  isIdRequested: z.optional(z.boolean()),
  createdAt: moment,
});
export type User = z.input<typeof User>;

/** The bank's own accounts: source of credits, money on its way to other banks, balances of closed accounts. */
export const systemAccounts = ['treasury', 'clearing', 'unclaimed'] as const;

/**
 * The whole bank's transactions by calendar day and by type. `volume` is the sum of the completed transactions; `pending`
 * counts the transactions that have not ended.
 */
export const AdminFigures = z.object({
  days: z.array(
    z.object({
      day: z.string(),
      count: z.number(),
      completed: z.number(),
      /** Servers of 1.0.0 leave it out. */
      pending: z.optional(z.number()),
      volume: money,
    }),
  ),
  types: z.array(
    z.object({ type: z.enum(transactionTypes), count: z.number(), completed: z.number(), volume: money }),
  ),
  accounts: z.array(z.object({ account: z.enum(systemAccounts), balance: money })),
});
export type AdminFigures = z.input<typeof AdminFigures>;

export const actorKinds = ['customer', 'admin', 'system'] as const;

/** One record of the audit log. Names are current; `details` is the recorded data as a short text. */
export const AuditEntry = z.object({
  _id: z.string(),
  at: moment,
  actorKind: z.enum(actorKinds),
  /** Empty if the system acted or the actor is unknown. */
  actorId: z.string(),
  actorName: z.string(),
  action: z.string(),
  /** The id of the person or thing acted on. */
  subject: z.string(),
  /** Empty if the subject has no name. */
  subjectName: z.string(),
  address: z.string(),
  details: z.string(),
  isSealed: z.boolean(),
  /** Until when the identification data of a deleted customer is retained. */
  retainedUntil: z.optional(moment),
});
export type AuditEntry = z.input<typeof AuditEntry>;
