/** The things of the specification's chapter 3 as they travel. */
import * as z from 'zod/mini';
import { moment, money } from './fields.ts';

export const Picture = z.object({ url: z.string() });

export const gender = ['male', 'female'] as const;

/** A customer as that customer sees it; `token` comes with the login only. */
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
});
export type Customer = z.input<typeof Customer>;

export const transactionTypes = ['transfer', 'admin-credit', 'external-transfer'] as const;
export type TransactionType = (typeof transactionTypes)[number];
export const transactionStatuses = ['completed', 'pending', 'failed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** A business event. Without a sender it came from the bank itself and is shown as 'System'. */
export const Transaction = z.object({
  _id: z.string(),
  reference: z.string(),
  type: z.enum(transactionTypes),
  status: z.enum(transactionStatuses),
  amount: money,
  timestamp: moment,
  sender: z.optional(z.object({ _id: z.string(), firstName: z.string(), lastName: z.string() })),
  receiver: z.optional(z.object({ _id: z.string(), firstName: z.string(), lastName: z.string() })),
  externalBankDetails: z.optional(
    z.object({ bankName: z.string(), accountName: z.string(), accountNumber: z.string() }),
  ),
  description: z.string(),
});
export type Transaction = z.input<typeof Transaction>;
export type TransactionBehindTheEdge = z.output<typeof Transaction>;

/** What happened to a transaction, oldest first; only an external transfer has a second step. */
const transactionSteps = ['posted', 'settled', 'returned'] as const;

const story = {
  timeline: z.array(z.object({ step: z.enum(transactionSteps), at: moment })),
  /** The day by which a pending external transfer should have arrived, `YYYY-MM-DD` in the bank's time zone. */
  expectedBy: z.optional(z.string()),
  /** The other bank's words where it sent the money back. */
  returnReason: z.optional(z.string()),
};

/** One transaction with its story, as an administrator sees it. */
export const TransactionStory = z.extend(Transaction, story);
export type TransactionStory = z.input<typeof TransactionStory>;

/** One transaction with its story. `balanceAfter` is the asking customer's own, right after it was posted. */
export const TransactionDetail = z.extend(Transaction, {
  balanceAfter: z.optional(money),
  ...story,
});
export type TransactionDetail = z.input<typeof TransactionDetail>;

/** Figures of a whole account; sent counts completed and pending money out, received completed money in. */
export const Stats = z.object({ totalSent: money, totalReceived: money, totalTransactions: z.number() });
export type Stats = z.input<typeof Stats>;

export const TransactionPage = z.object({
  transactions: z.array(Transaction),
  stats: Stats,
  currentPage: z.number(),
  totalPages: z.number(),
  totalTransactions: z.number(),
});

/** Money in and out of one account in one month of the bank's calendar, with the month's largest payment out. */
export const Month = z.object({
  month: z.string(),
  in: money,
  out: money,
  largestOut: z.optional(z.object({ name: z.string(), amount: money })),
});
export type Month = z.input<typeof Month>;

/** One login that still stands. `device` is read from what the browser says about itself. */
export const ActiveSession = z.object({
  _id: z.string(),
  device: z.string(),
  address: z.string(),
  startedAt: moment,
  lastSeenAt: moment,
  isCurrent: z.boolean(),
});
export type ActiveSession = z.input<typeof ActiveSession>;

/** What browser storage keeps of an administrator. */
export const Administrator = z.object({
  _id: z.string(),
  email: z.string(),
  name: z.string(),
  token: z.string(),
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

/** A customer as an administrator sees it. */
export const User = z.object({
  _id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  accountNumber: z.string(),
  balance: money,
  isVerified: z.boolean(),
  isFrozen: z.boolean(),
  profileImage: z.string(),
  avatar: Picture,
  phoneNumber: z.string(),
  address: z.string(),
  idCard: z.nullable(Picture),
  createdAt: moment,
});
export type User = z.input<typeof User>;

/** The bank's own accounts: where credits come from, what is on its way to other banks, what nobody claims. */
export const systemAccounts = ['treasury', 'clearing', 'unclaimed'] as const;

/** The whole bank's figures by day of its calendar and by type; `volume` is of completed transactions. */
export const AdminFigures = z.object({
  days: z.array(z.object({ day: z.string(), count: z.number(), completed: z.number(), volume: money })),
  types: z.array(
    z.object({ type: z.enum(transactionTypes), count: z.number(), completed: z.number(), volume: money }),
  ),
  accounts: z.array(z.object({ account: z.enum(systemAccounts), balance: money })),
});
export type AdminFigures = z.input<typeof AdminFigures>;

export const actorKinds = ['customer', 'admin', 'system'] as const;

/** One record of the audit log. Names are as they are now; `details` is what was recorded with it, shortened. */
export const AuditEntry = z.object({
  _id: z.string(),
  at: moment,
  actorKind: z.enum(actorKinds),
  /** Empty where the bank itself acted, or nobody knows who. */
  actorId: z.string(),
  actorName: z.string(),
  action: z.string(),
  /** The id of whom or what was acted on, and a customer's name. */
  subject: z.string(),
  subjectName: z.string(),
  address: z.string(),
  details: z.string(),
  isSealed: z.boolean(),
});
export type AuditEntry = z.input<typeof AuditEntry>;
