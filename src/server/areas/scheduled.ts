/**
 * Handlers of the scheduled area. Each change is audited in the transaction that makes it. The customer is notified and mailed
 * if a schedule is added or resumed, or if a change can send more, sooner or on other days.
 */
import { nameOfDay } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { invalidField, Refusal } from '#contract/errors.ts';
import * as scheduledMessages from '#contract/messages/scheduled.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { describeRule } from '#contract/ruleText.ts';
import type { DecodedScheduledTransfer, scheduledApi } from '#contract/scheduled.ts';
import { fingerprint } from '../base/uuid.ts';
import type { Tx } from '../db/database.ts';
import type { Handlers } from '../http/serve.ts';
import type { CustomerSession } from '../http/session.ts';
import { payDate } from '../jobs/scheduledTransfers.ts';
import { findScheduledRun } from '../ledger/ledger.ts';
import type { Parts } from '../parts.ts';
import { readSchedule, readSchedules } from '../people/scheduledList.ts';
import {
  changeSchedule,
  decideMissedRun,
  deleteSchedule,
  insertSchedule,
  lockMissed,
  lockSchedule,
  recordRuns,
} from '../people/scheduledTransfers.ts';
import { needsStepUp, requireStepUp } from '../people/stepUp.ts';
import { announceOwn, recordCustomerAct } from './recordAct.ts';

export function scheduledHandlers({
  database,
  ledger,
  rail,
  config,
}: Pick<Parts, 'database' | 'ledger' | 'rail' | 'config'>): Handlers<typeof scheduledApi> {
  /** Requires a step-up in this transaction if a transfer of the schedule's amount would need one. */
  const confirmAmount = async (
    tx: Tx,
    customer: CustomerSession,
    act: 'scheduled-transfer' | 'change-scheduled-transfer',
    schedule: DecodedScheduledTransfer,
    proof: string | undefined,
  ) => {
    const { amount: amountCents, name, bankName = bank.name, accountNumber } = schedule;
    if (!(await needsStepUp(tx, customer.accountId, amountCents, config.stepUpFromCents))) return;
    const receiver = `${name}, ${bankName}, account ${accountNumber}, ${describeDates(schedule)}`;
    await requireStepUp(tx, { customer, act, amountCents, receiver, proof });
  };

  return {
    async listScheduled({ customer }) {
      return { data: await readSchedules(database.reader, customer.accountId) };
    },

    async addScheduled({ body, customer, idempotencyKey, stepUpProof, address }) {
      const { customerId, accountId } = customer;
      const { amount, description, startDate, frequency, endDate, count } = body;
      const to =
        body.kind === 'internal'
          ? { bankName: '', accountName: '', accountNumber: body.receiverAccountNumber! }
          : { bankName: body.bankName!, accountName: body.accountName!, accountNumber: body.accountNumber! };
      const schedule = { ...to, amount, description, startDate, frequency, endDate, count };
      const request = fingerprint(...Object.values(schedule).map(String));
      const key = idempotencyKey === undefined ? null : fingerprint('schedule', customerId, idempotencyKey);
      const data = await database.inTransaction(async tx => {
        const { id, isNew } = await insertSchedule(tx, customer, schedule, { key, request });
        const made = await readSchedule(tx, accountId, id);
        if (isNew) {
          if (body.kind === 'external' && rail.routeTo(to.bankName) === undefined)
            throw invalidField('bankName', transferMessages.unreachableBank);
          await confirmAmount(tx, customer, 'scheduled-transfer', made, stepUpProof);
          // The notification has the schedule's id, so that its text can name the receiver when it is read.
          await announceOwn(tx, customer, 'scheduled-added', { payeeOrScheduleId: id, notificationId: id });
          await recordCustomerAct(tx, { customer, address }, 'scheduled.added', { schedule: id });
        }
        return made;
      });
      return { data };
    },

    async changeScheduled({ params: { id }, body, customer, stepUpProof, address }) {
      const data = await database.inTransaction(async tx => {
        const { nextDate } = await lockSchedule(tx, customer.accountId, id);
        if (nextDate !== null && (await findScheduledRun(tx, id, nextDate)))
          throw new Refusal('CONFLICT', { message: scheduledMessages.alreadySent });
        const { sendsMore, resumes } = await changeSchedule(tx, customer.accountId, id, body);
        const changed = await readSchedule(tx, customer.accountId, id);
        // If no date is left, the schedule sends nothing. A later change that adds a date confirms the amount.
        const isOver = changed.nextDate === null;
        if (sendsMore && !isOver)
          await confirmAmount(tx, customer, 'change-scheduled-transfer', changed, stepUpProof);
        if ((sendsMore || resumes) && !isOver) {
          const event = sendsMore ? 'schedule-changed' : 'schedule-resumed';
          await announceOwn(tx, customer, event, { payeeOrScheduleId: id });
        }
        await recordCustomerAct(tx, { customer, address }, 'scheduled.changed', { schedule: id });
        return changed;
      });
      return { data };
    },

    async removeScheduled({ params: { id }, customer, address }) {
      await database.inTransaction(async tx => {
        await deleteSchedule(tx, customer.accountId, id);
        await recordCustomerAct(tx, { customer, address }, 'scheduled.removed', { schedule: id });
      });
    },

    async skipScheduled({ params: { id }, body, customer, address }) {
      const data = await database.inTransaction(async tx => {
        const { nextDate, amount } = await lockSchedule(tx, customer.accountId, id);
        const date = body?.date ?? nextDate;
        if (date === null) throw new Refusal('CONFLICT', { message: scheduledMessages.ended });
        if (await findScheduledRun(tx, id, date))
          throw new Refusal('CONFLICT', { message: scheduledMessages.alreadySent });
        if (date !== nextDate) {
          const schedule = await readSchedule(tx, customer.accountId, id);
          // An earlier request may have skipped this date without the customer getting the answer.
          if (schedule.lastRun?.date === date && schedule.lastRun.result === 'skipped') return schedule;
          throw new Refusal('CONFLICT', { message: scheduledMessages.notNext });
        }
        await recordRuns(tx, [{ id, date, amount, result: 'skipped' }]);
        await recordCustomerAct(tx, { customer, address }, 'scheduled.skipped', { schedule: id });
        return await readSchedule(tx, customer.accountId, id);
      });
      return { data };
    },

    async decideMissed({ params: { id }, body: { date, isSent }, customer, address }) {
      return await database.inTransaction(async tx => {
        const missed = await lockMissed(tx, customer.accountId, id, date);
        // An earlier request may have paid this date without the customer getting the answer. A paid date cannot be skipped.
        const isPaid = isSent || (await findScheduledRun(tx, id, date)) !== undefined;
        if (isPaid) {
          const { _id: transactionId, amount } = await payDate(ledger, missed);
          await decideMissedRun(tx, { id, date, transactionId, amount });
        } else {
          await decideMissedRun(tx, { id, date, transactionId: null, amount: missed.amount });
          await recordCustomerAct(tx, { customer, address }, 'scheduled.skipped', { schedule: id });
        }
        const data = await readSchedule(tx, customer.accountId, id);
        return { data, message: isPaid ? scheduledMessages.sent : scheduledMessages.left };
      });
    },
  };
}

/** Describes the dates that are left for the step-up that confirms them. */
function describeDates(schedule: DecodedScheduledTransfer): string {
  const { frequency, startDate, nextDate, datesPast, count } = schedule;
  const from = nameOfDay(nextDate ?? startDate);
  if (frequency === 'once') return `once, on ${from}`;
  const left = count === undefined ? undefined : count - datesPast;
  return `${describeRule({ ...schedule, count: left })}, starting ${from}`;
}
