/** Calls of the scheduled area: transfers that run by themselves on the dates that a customer chose. */
import * as z from 'zod/mini';
import { calendarDay } from './bankTime.ts';
import { maxLength, scheduled } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { accountNumberText, amount, day, id, line, moment, money, requiredLine } from './fields.ts';
import { fill } from './messages/fill.ts';
import * as scheduledMessages from './messages/scheduled.ts';
import * as transactionsMessages from './messages/transactions.ts';
import * as transferMessages from './messages/transfer.ts';
import { externalAccountNumberText } from './transfer.ts';

/** Whether the account is at this bank or at another one. */
const scheduledKinds = ['internal', 'external'] as const;
export const frequencies = ['once', 'weekly', 'biweekly', 'monthly', 'yearly'] as const;
export type Frequency = (typeof frequencies)[number];
/** `paused` by the customer, or because the account is frozen. `ended`: there is no date left. */
const scheduledStatuses = ['active', 'paused', 'ended'] as const;
/** Why a date was not paid. `balance`: there was too little money, or the daily limit was used up. */
const failureReasons = ['balance', 'frozen', 'paused', 'receiver', 'refused'] as const;
export type FailureReason = (typeof failureReasons)[number];

const ScheduledTransfer = z.object({
  _id: z.string(),
  kind: z.enum(scheduledKinds),
  /** The receiver's current name at this bank; at another bank the name that was typed. */
  name: z.string(),
  accountNumber: z.string(),
  bankName: z.optional(z.string()),
  amount: money,
  description: z.string(),
  /** Days are `YYYY-MM-DD` in the bank's time zone. */
  startDate: z.string(),
  frequency: z.enum(frequencies),
  endDate: z.optional(z.string()),
  /** How many dates it has in total. */
  count: z.optional(z.number()),
  /**
   * How many of its dates are past: sent, failed, missed, skipped or left out. A new first date or frequency resets it to 0.
   */
  datesPast: z.number(),
  status: z.enum(scheduledStatuses),
  /** Whether the customer paused it, even if the account is frozen too. */
  isPaused: z.boolean(),
  /** The date that runs next; null if it has ended, or if its last date passed while it was paused. */
  nextDate: z.nullable(z.string()),
  /** The next dates, at most three. While it is paused, without those that have passed. */
  nextDates: z.array(z.string()),
  /** When the next date is tried again, after there was too little money. */
  retriesAt: z.optional(moment),
  /** The last date that was sent, failed or skipped. */
  lastRun: z.optional(
    z.object({
      date: z.string(),
      result: z.enum(['sent', 'failed', 'skipped']),
      reason: z.optional(z.enum(failureReasons)),
      transactionId: z.optional(z.string()),
    }),
  ),
  /** Dates that the bank could not run within three days. The customer decides whether to send them. */
  missed: z.array(z.string()),
  /** If there are missed dates, the amount that was due on each. A server of version 1.0.0 does not return it. */
  missedAmounts: z.optional(z.array(money)),
  createdAt: moment,
});
export type ScheduledTransfer = z.input<typeof ScheduledTransfer>;
export type DecodedScheduledTransfer = z.output<typeof ScheduledTransfer>;

/** The last date that can be chosen: a later year is a typing error. */
export const lastDate = () => `${Number(calendarDay(new Date()).slice(0, 4)) + scheduled.maxYears}-12-31`;
const tooFar = fill(scheduledMessages.tooFar, { years: scheduled.maxYears });
/** A day that is at most `lastDate`. `broken`: the error of a text that is no day. */
export const soon = (broken: string) => day(broken).check(z.refine(date => date <= lastDate(), tooFar));
const startDate = soon(transactionsMessages.startDate);
const endDate = soon(transactionsMessages.endDate);
/** A date of an existing schedule. */
const date = day(transactionsMessages.startDate);
const frequency = z.enum(frequencies, { error: 'Please choose once, weekly, biweekly, monthly or yearly' });
export const countUpTo = (max: number) => fill('Enter how many times, from 1 to {max}', { max });
const countMessage = countUpTo(scheduled.maxCount);
const count = z
  .number({ error: countMessage })
  .check(z.int(countMessage), z.gte(1, countMessage), z.lte(scheduled.maxCount, countMessage));
const description = line(maxLength.description);
const needs = (field: string, error: string) => ({ path: [field], error });

const NewScheduledTransfer = z
  .strictObject({
    kind: z.enum(scheduledKinds),
    receiverAccountNumber: z.optional(accountNumberText),
    bankName: z.optional(requiredLine(maxLength.bankName, transferMessages.bankName)),
    accountNumber: z.optional(externalAccountNumberText),
    accountName: z.optional(requiredLine(maxLength.accountName, transferMessages.accountName)),
    amount,
    description: z._default(description, ''),
    startDate,
    frequency,
    endDate: z.optional(endDate),
    count: z.optional(count),
  })
  .check(
    z.refine(
      body => body.kind === 'external' || body.receiverAccountNumber !== undefined,
      needs('receiverAccountNumber', transferMessages.accountNumberFormat),
    ),
    z.refine(
      body => body.kind === 'internal' || body.bankName !== undefined,
      needs('bankName', transferMessages.bankName),
    ),
    z.refine(
      body => body.kind === 'internal' || body.accountNumber !== undefined,
      needs('accountNumber', transferMessages.externalAccountNumber),
    ),
    z.refine(
      body => body.kind === 'internal' || body.accountName !== undefined,
      needs('accountName', transferMessages.accountName),
    ),
    z.refine(
      body => body.endDate === undefined || body.startDate <= body.endDate,
      needs('endDate', scheduledMessages.endDate),
    ),
  );

/** Only the fields that change. A null removes the last day or the number of times. */
const ScheduledChange = z.strictObject({
  amount: z.optional(amount),
  description: z.optional(description),
  startDate: z.optional(startDate),
  frequency: z.optional(frequency),
  endDate: z.optional(z.nullable(endDate)),
  /**
   * The total number of dates, as in a response. If the first date or the frequency changes, the dates start over, and this is
   * the number of new dates. If the request repeats the next date as its first date, or the current frequency, this is the
   * number of dates still to come, unless it equals the current total: then nothing changes.
   */
  count: z.optional(z.nullable(count)),
  isPaused: z.optional(z.boolean()),
});
export type ScheduledChange = z.output<typeof ScheduledChange>;

const path = '/api/v1/user/scheduled-transfers';
const onePath = '/api/v1/user/scheduled-transfers/{id}';
const params = z.strictObject({ id });

export const scheduledApi = {
  listScheduled: endpoint({
    method: 'GET',
    path,
    access: 'customer',
    data: z.array(ScheduledTransfer),
    message: scheduledMessages.list,
    summary: 'The scheduled transfers, the next date first and ended ones last',
  }),
  addScheduled: endpoint({
    method: 'POST',
    path,
    access: 'customer',
    quota: 'additions',
    notWhileFrozen: true,
    findsReceiver: true,
    body: NewScheduledTransfer,
    idempotent: true,
    status: 201,
    data: ScheduledTransfer,
    message: 'Transfer scheduled',
    stepUp: true,
    refusals: ['NOT_FOUND', 'CONFLICT', 'SAME_ACCOUNT', 'IDEMPOTENCY_MISMATCH', 'STEP_UP_REQUIRED'],
    summary: 'Schedule a transfer: once, or every week, two weeks, month or year',
  }),
  changeScheduled: endpoint({
    method: 'PUT',
    path: onePath,
    access: 'customer',
    quota: 'changes',
    notWhileFrozen: true,
    params,
    body: ScheduledChange,
    data: ScheduledTransfer,
    message: 'Scheduled transfer saved',
    stepUp: true,
    refusals: ['NOT_FOUND', 'CONFLICT', 'STEP_UP_REQUIRED'],
    summary:
      'Change the amount, description or dates of a scheduled transfer, or pause or resume it; a new count beside a first date or frequency counts from the next date',
  }),
  removeScheduled: endpoint({
    method: 'DELETE',
    path: onePath,
    access: 'customer',
    quota: 'changes',
    params,
    message: 'Scheduled transfer deleted',
    refusals: ['NOT_FOUND'],
    summary: 'Delete a scheduled transfer',
  }),
  skipScheduled: endpoint({
    method: 'POST',
    path: '/api/v1/user/scheduled-transfers/{id}/skip',
    access: 'customer',
    quota: 'changes',
    params,
    /** The next date, as the screen shows it. If this date was already skipped, the call skips no other date. */
    body: z.optional(z.strictObject({ date })),
    data: ScheduledTransfer,
    message: 'Next date skipped',
    refusals: ['NOT_FOUND', 'CONFLICT'],
    summary: 'Leave out the next date of a scheduled transfer; with `date`, only that one, and once',
  }),
  decideMissed: endpoint({
    method: 'POST',
    path: '/api/v1/user/scheduled-transfers/{id}/missed',
    access: 'customer',
    quota: 'changes',
    notWhileFrozen: true,
    params,
    body: z.strictObject({ date, isSent: z.boolean() }),
    data: ScheduledTransfer,
    message: scheduledMessages.left,
    refusals: ['NOT_FOUND', 'CONFLICT', 'INSUFFICIENT_BALANCE', 'LIMIT_EXCEEDED'],
    summary: 'Send the transfer of a date that the bank missed, or leave it out',
  }),
};
