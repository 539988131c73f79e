/** Calls of the rail area: the files of the payment rail, and the lines in them that could not be applied. */
import * as z from 'zod/mini';
import { maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { id, moment, money, pageQuery, pages, paragraph, takenFrom, takeOver } from './fields.ts';
import * as errorMessages from './messages/errors.ts';
import * as railMessages from './messages/rail.ts';
import { everyRole, operators } from './roles.ts';

/** The formats in which payments leave; the first is the default. */
export const railFormats = ['iso20022', 'nacha'] as const;
export type RailFormat = (typeof railFormats)[number];

const directions = ['out', 'in'] as const;
/** An outgoing file is made, sent, and ended after its last payment ends. An incoming file is read, applied, or refused. */
const fileStates = ['made', 'sent', 'ended', 'read', 'applied', 'refused'] as const;

const RailFile = z.object({
  _id: z.string(),
  name: z.string(),
  direction: z.enum(directions),
  /** `pacs.008`, `pacs.004`, `camt.054` or `nacha`; empty if the file could not be read. */
  format: z.string(),
  state: z.enum(fileStates),
  at: moment,
  /** The number of lines, and the sum of their amounts. */
  lines: z.number(),
  total: money,
  /** The currency of all its lines; null if they have several (no total then). Servers of 1.0.0 omit it: US dollars. */
  currency: z.optional(z.nullable(z.string())),
  /** How many of its lines are in the queue of exceptions. */
  exceptions: z.number(),
  /** How many of its deposits were sent back. */
  sentBack: z.number(),
  /** Why it was refused. */
  reason: z.optional(z.string()),
});
export type RailFile = z.input<typeof RailFile>;
export type DecodedRailFile = z.output<typeof RailFile>;

/** A deposit in an incoming file that the bank could not book and sent back. */
const SentBackDeposit = z.object({
  /** The payment's reference, which is also the subject of its audit record. */
  _id: z.string(),
  line: z.number(),
  at: moment,
  amount: money,
  /** As the file has it. */
  accountNumber: z.string(),
  /** The name of the sending bank, or its routing number if the file does not name it. */
  bankName: z.string(),
  reason: z.string(),
  /** The customer with this account number, if there is one. */
  customerId: z.optional(z.string()),
});
export type SentBackDeposit = z.input<typeof SentBackDeposit>;
export type DecodedSentBackDeposit = z.output<typeof SentBackDeposit>;

export const exceptionReasons = [
  'unknown',
  'amount',
  'account',
  'currency',
  'settled',
  'returned',
  'duplicate',
  'mismatch',
  'unannounced',
  'change',
  'unsupported',
  'failed',
] as const;
export const exceptionLists = ['open', 'resolved'] as const;

/** A line of an incoming file that was not applied. */
export const RailException = z.object({
  _id: z.string(),
  reason: z.enum(exceptionReasons),
  at: moment,
  file: z.string(),
  line: z.number(),
  kind: z.string(),
  amount: money,
  currency: z.string(),
  /** The ids by which the line names the payment. */
  keys: z.array(z.string()),
  accountNumber: z.string(),
  /** The customer to whose account a deposit was sent. */
  customerId: z.optional(z.string()),
  partyName: z.string(),
  /** The return or change code, and what the other bank wrote. */
  code: z.string(),
  text: z.string(),
  /** The payment that the line is about, if there is one. */
  transaction: z.optional(z.object({ _id: z.string(), reference: z.string() })),
  /** The routing numbers of the banks that sent this deposit and the earlier one with its ID, if they are two banks. */
  senders: z.optional(z.object({ line: z.string(), earlier: z.string() })),
  assignedTo: z.optional(z.object({ _id: z.string(), name: z.string() })),
  resolvedBy: z.optional(z.string()),
  resolvedAt: z.optional(moment),
  note: z.optional(z.string()),
});
export type RailException = z.input<typeof RailException>;
export type DecodedRailException = z.output<typeof RailException>;

const path = '/api/v1/admin/rail';
const act = {
  method: 'POST',
  access: 'admin',
  roles: operators,
  params: z.strictObject({ id }),
  data: RailException,
  refusals: ['NOT_FOUND', 'CONFLICT'],
} as const;

export const railApi = {
  railFiles: endpoint({
    method: 'GET',
    path: `${path}/files`,
    access: 'admin',
    roles: everyRole,
    query: z.strictObject({
      ...pageQuery(),
      direction: z.optional(z.enum(directions, { error: errorMessages.validation })),
    }),
    data: z.object({
      files: z.array(RailFile),
      ...pages,
      totalFiles: z.number(),
      /** Submitted payments and returns that are in no file yet. */
      waiting: z.number(),
    }),
    message: railMessages.files,
    summary: 'Files to the payment rail and files from it, newest first',
  }),
  sentBackDeposits: endpoint({
    method: 'GET',
    path: `${path}/files/{id}/sent-back`,
    access: 'admin',
    roles: everyRole,
    params: z.strictObject({ id }),
    query: z.strictObject(pageQuery()),
    data: z.object({ deposits: z.array(SentBackDeposit), ...pages, totalDeposits: z.number() }),
    refusals: ['NOT_FOUND'],
    message: railMessages.sentBack,
    summary: 'Deposits of an incoming file that were sent back, in the order of its lines',
  }),
  railExceptions: endpoint({
    method: 'GET',
    path: `${path}/exceptions`,
    access: 'admin',
    roles: everyRole,
    query: z.strictObject({
      ...pageQuery(),
      list: z._default(z.enum(exceptionLists, { error: errorMessages.validation }), 'open'),
    }),
    data: z.object({
      exceptions: z.array(RailException),
      ...pages,
      totalExceptions: z.number(),
      /** How many exceptions are open, whichever list was requested. */
      open: z.number(),
    }),
    message: 'Rail exceptions',
    summary:
      'Lines of incoming files that were not applied: those that wait, oldest first, or the resolved, newest first',
  }),
  assignRailException: endpoint({
    ...act,
    path: `${path}/exceptions/{id}/assign`,
    body: takeOver,
    message: 'The exception is assigned to you.',
    summary: 'Take an exception that is not resolved, also from the colleague `takenFrom`',
  }),
  retryRailException: endpoint({
    ...act,
    path: `${path}/exceptions/{id}/retry`,
    body: takeOver,
    message: railMessages.resolved,
    summary:
      'Try again to apply a line that could not be booked, as it would have been the first time; this resolves its exception',
  }),
  resolveRailException: endpoint({
    ...act,
    path: `${path}/exceptions/{id}/resolve`,
    body: z.strictObject({ note: paragraph(maxLength.reason, 'Enter what you did'), takenFrom }),
    message: railMessages.resolved,
    summary:
      'Resolve an exception with a note that says what was done; it moves no money. `takenFrom`: the colleague who has it, if any',
  }),
};
