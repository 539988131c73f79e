/**
 * The mails about scheduled transfers. They report that a transfer was scheduled, changed or resumed, that a date could not be
 * paid, or that the balance is too small for a date.
 */
import { nameOfDay } from '#contract/bankTime.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { formatCents } from '#contract/money.ts';
import type { FailureReason } from '#contract/scheduled.ts';
import { breakLinks, ifNotYou, type Piece, type RenderedMail, renderMail } from './mailLayout.ts';

/** The mails about what a customer did, by template name. Each gets the link that freezes the account: see `freezeMails`. */
export const scheduleMails = {
  'scheduled-added': publicUrl => ({
    title: 'You scheduled a transfer',
    pieces: [
      'A transfer from your account was just scheduled.',
      ifNotYou,
      { link: 'View your scheduled transfers', url: `${publicUrl}/dashboard/scheduled` },
    ],
  }),
  'schedule-changed': publicUrl => ({
    title: 'You changed a scheduled transfer',
    pieces: [
      'The amount or dates of a scheduled transfer from your account were just changed.',
      ifNotYou,
      { link: 'View your scheduled transfers', url: `${publicUrl}/dashboard/scheduled` },
    ],
  }),
  'schedule-resumed': publicUrl => ({
    title: 'You resumed a scheduled transfer',
    pieces: [
      'A scheduled transfer from your account was just resumed.',
      ifNotYou,
      { link: 'View your scheduled transfers', url: `${publicUrl}/dashboard/scheduled` },
    ],
  }),
} satisfies Record<string, (publicUrl: string) => { title: string; pieces: Piece[] }>;

export type ScheduleMail = keyof typeof scheduleMails;

/** What happens from now on, unless the scheduled transfer is paused or has ended. */
export const sending: Record<ScheduleMail, string> = {
  'scheduled-added': 'We’ll send it on its dates without asking again.',
  'schedule-changed': 'We send it like this from now on, without asking again.',
  'schedule-resumed': 'We’ll send it on its dates from now on.',
};
export const sendingOnce = 'We’ll send it on its date without asking again.';
export const notWhilePaused = 'It is paused: we send nothing until you resume it.';

export type ScheduledMail = {
  name: string;
  amountCents: bigint;
  receiver: string;
  date: string;
  reason: FailureReason | null;
  hasDailyLimit: boolean;
  /** Whether a later date is scheduled. */
  hasNext: boolean;
};

const balanceOrLimit =
  'You didn’t have enough money in your account, or your daily limit was used up. Nothing was sent.';
const reasons: Record<FailureReason, string> = {
  balance: 'You didn’t have enough money in your account. Nothing was sent.',
  frozen: 'Your account was frozen. Nothing was sent.',
  paused: 'It was paused. Nothing was sent.',
  receiver: 'The receiver’s account is closed. Nothing was sent, and this scheduled transfer has ended.',
  refused: 'Something went wrong on our side. Nothing was sent.',
};

export function renderScheduledFailedMail(mail: ScheduledMail, publicUrl: string): RenderedMail {
  const { reason, hasDailyLimit, hasNext } = mail;
  return renderMail({
    title: 'A scheduled transfer wasn’t sent',
    name: mail.name,
    pieces: [
      reason === 'balance' && hasDailyLimit ? balanceOrLimit : reasons[reason ?? 'refused'],
      ...facts(mail),
      reason === 'receiver'
        ? 'If you still owe this money, ask the receiver for another account.'
        : `You can send it yourself now. ${hasNext ? 'The next date is still scheduled.' : 'Nothing more is scheduled for it.'}`,
      link(publicUrl),
    ],
  });
}

export function renderScheduledReminderMail(mail: ScheduledMail, publicUrl: string): RenderedMail {
  return renderMail({
    title: 'Tomorrow’s scheduled transfer needs more money',
    name: mail.name,
    pieces: [
      'Your balance is too small for the transfers that are scheduled for tomorrow. They run at 6:00 AM New York time.',
      ...facts(mail),
      'Add money before then, or skip this date.',
      link(publicUrl),
    ],
  });
}

/** The pieces with the amount, the receiver and the date (null if the transfer has ended). `more`: facts to add. */
export const facts = (
  { amountCents, receiver, date }: Pick<ScheduledMail, 'amountCents' | 'receiver'> & { date: string | null },
  dateLabel = 'Date',
  more: readonly (readonly [label: string, value: string])[] = [],
): Piece[] => [
  { figure: formatCents(amountCents) },
  {
    facts: [
      ['To', breakLinks(receiver) || transactionsMessages.closedAccount],
      [dateLabel, date === null ? 'None. This scheduled transfer has ended.' : nameOfDay(date)],
      ...more,
    ],
  },
];

const link = (publicUrl: string): Piece => ({
  link: 'View your scheduled transfers',
  url: `${publicUrl}/dashboard/scheduled`,
});
