/** The values of the form that schedules a transfer or changes one. */
import { clockTime } from '#contract/bankTime.ts';
import { scheduled } from '#contract/constants.ts';
import { dollarsText } from '#contract/money.ts';
import type { Frequency, ScheduledTransfer } from '#contract/scheduled.ts';
import { words } from './words.ts';

export type Ends = 'never' | 'date' | 'count';
export type Form = {
  /** The id of a payee, or `internal` or `external` for a receiver who is typed in. */
  to: string;
  receiverAccountNumber: string;
  bankName: string;
  customBankName: string;
  accountName: string;
  amount: string;
  description: string;
  frequency: Frequency;
  startDate: string;
  ends: Ends;
  endDate: string;
  count: string;
};

export const emptyForm: Form = {
  to: '',
  receiverAccountNumber: '',
  bankName: '',
  customBankName: '',
  accountName: '',
  amount: '',
  description: '',
  frequency: 'monthly',
  startDate: '',
  ends: 'never',
  endDate: '',
  count: '12',
};

/** The fields for a receiver who is typed in, not chosen from the payees. */
export const receiverFields = ['bankName', 'customBankName', 'accountName', 'receiverAccountNumber'];

/** The values of the form that changes a schedule. */
export function formOf(schedule: ScheduledTransfer): Form {
  const { amount, description, frequency, nextDate, endDate, count } = schedule;
  return {
    ...emptyForm,
    amount: dollarsText(amount),
    description,
    frequency,
    startDate: nextDate ?? '',
    ends: endDate ? 'date' : count ? 'count' : 'never',
    endDate: endDate ?? '',
    count: count === undefined ? emptyForm.count : leftFrom(schedule, nextDate ?? ''),
  };
}

/** When a transfer that is dated today is sent: `now` if today's run has begun. */
export function whenToday(now: string): string {
  return Number.parseInt(clockTime(new Date()), 10) < scheduled.runHour ? words.atRunHour : now;
}

/** How many times are left from this next date on: one more if the date was skipped and is chosen again. */
export function leftFrom(schedule: ScheduledTransfer | undefined, date: string): string {
  const { count = 0, datesPast = 0, lastRun } = schedule ?? {};
  const isBack = lastRun?.result === 'skipped' && lastRun.date === date;
  return String(count - datesPast + (isBack ? 1 : 0));
}
