/**
 * The payments and files of the payment rail, in any format, and `PaymentRail`, which an adapter to a real rail implements. An
 * outgoing file is stored in the database before it is sent; an incoming file is read from the folder `in`.
 */
import type { RailFormat } from '#contract/rail.ts';

/** `id`: the transaction's id (UUIDv7). It identifies the payment on the rail. */
export type Payment = {
  id: string;
  /** When the customer sent it; in the demo's history, earlier than the time in the id. */
  sentAt: Date;
  /** When it is submitted. */
  submittedAt: Date;
  amountCents: bigint;
  bankName: string;
  accountName: string;
  accountNumber: string;
  reference: string;
};

/** A payment as a line of an outgoing file. */
export type PaymentLine = Omit<Payment, 'submittedAt'> & {
  senderName: string;
  /** Absent if the bank itself pays. */
  senderNumber?: string;
  description: string;
  /** The trace number in a Nacha file; unique among the last ten million entries. */
  trace: string;
};

/** What identifies a payment that another bank sent. A return repeats it. */
export type Original = Readonly<Record<string, string>>;

/**
 * The largest sum of a file that is read or written: 2^46 dollars, which ISO 20022, API answers and columns hold. Nacha files
 * hold less (`nachaLimits`). Several refused deposits of this size must not make a file of returns that cannot be written.
 */
export const maxFileCents = 2n ** 46n * 100n;

/** A line of the notice to another bank: a payment from that bank that was booked. */
export type SettledLine = { amountCents: bigint; endToEndId?: string; transactionId: string; trace?: string };

/** A payment from another bank that is returned, with the reason as a code of its format. */
export type ReturnLine = {
  original: Original;
  amountCents: bigint;
  accountNumber: string;
  code: string;
  trace: string;
};

export type FileHead = {
  /** A UUID, from which the ids in the file derive. */
  id: string;
  madeAt: Date;
  /** The calendar day on which the file settles. */
  settlesOn: string;
  /** Routing numbers. */
  from: string;
  to: string;
  /** The name of the bank that makes the file. */
  fromName?: string;
};

/** A file as its writer makes it. `messageId` identifies it on the rail. */
export type WrittenFile = { name: string; messageId: string; content: string };
export type OutgoingFile = WrittenFile & { madeAt: Date };

/**
 * One line of an incoming file. `settled` and `returned` are about a payment of ours. `deposit` is a payment to an account
 * here. `credit` is the notice of a deposit or a return that came in another file. `change` corrects the account details of a
 * payment. `other` is anything else; staff must look at it.
 */
export type IncomingLine = {
  kind: 'settled' | 'returned' | 'deposit' | 'credit' | 'change' | 'other';
  amountCents: bigint;
  currency: string;
  /** The ids by which the other side names the payment. */
  keys: string[];
  /** The receiver's account number, if the line has it. */
  accountNumber: string;
  partyName: string;
  bankName: string;
  /** The reason of a return or of a change. */
  code: string;
  text: string;
  /** Identifies a deposit; never used for another one. */
  ref: string;
  original: Original;
  /** The bank to which an entry of one of our own Nacha files goes. */
  routing?: string;
};

export type IncomingFile = {
  format: FileFormat;
  messageId: string;
  /** The routing number of the bank that made it; empty if the file does not have it. */
  from: string;
  lines: IncomingLine[];
};

export type FileFormat = 'pacs.008' | 'pacs.004' | 'camt.054' | 'nacha';

/** An incoming file that is refused as a whole. The message says why. */
export class RailFileError extends Error {}

export type PaymentRail = {
  /** The bank's own routing number. */
  routingNumber: string;
  /** Whether the other banks wait for a notice of each deposit that was booked. */
  confirmsDeposits: boolean;
  /** The routing number to which payments to this bank go; undefined if the rail does not reach it. */
  routeTo(bankName: string): string | undefined;
  /** The routing number to which answers to files from this routing number go; undefined if files from it are refused. */
  routeOf(routingNumber: string): string | undefined;
  /** The first cut-off after `at`: payments are submitted then, and can be canceled until then. */
  cutOff(at: Date): Date;
  /** The calendar day on which a file that is made at this time settles. */
  settlesOn(madeAt: Date): string;
  /** The day the customer can expect a payment to arrive. */
  expectedAt(payment: Payment): Date;
  /** When the outcome of a submitted payment should be known. */
  knownAt(payment: Payment): Date;
  /** The format in which a payment leaves. */
  formatOf(payment: Pick<Payment, 'accountNumber' | 'amountCents'>): RailFormat;
  /** Sends a file. May be called again with the same file. Throws if the rail is unavailable. */
  send(file: OutgoingFile): Promise<void>;
  /**
   * Asks for the answer to a payment that was sent in this file. Resolves to the names of complete files in the folder `in`, or
   * to the time to ask again if there is no answer yet. Throws if the rail is unavailable.
   */
  ask(payment: Payment, file: OutgoingFile): Promise<{ askAgainAt: Date } | { files: string[] }>;
  /** The names of the files that came in and are not read. `settledMs`: only files that did not change for this long. */
  listIncoming(settledMs?: number): Promise<string[]>;
  /** The content of an incoming file; undefined if another process has moved it. */
  readIncoming(name: string): Promise<Buffer | undefined>;
  /** Moves an incoming file that was read or refused, unless it no longer has this content. */
  fileAway(name: string, to: 'archive' | 'refused', content: Buffer): Promise<void>;
  /** Deletes archived and refused files older than this, and drafts of killed processes. Returns how many. */
  deleteBefore(time: Date): Promise<number>;
};
