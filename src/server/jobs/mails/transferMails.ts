/** Renders the transfer mails. They name the other side and never contain a balance. */

import { dayAndTime, shortDay, timeOfDay } from '#contract/bankTime.ts';
import { bank, mailedPayments, summaryMails } from '#contract/constants.ts';
import { formatCount } from '#contract/count.ts';
import { fill } from '#contract/messages/fill.ts';
import * as notificationsMessages from '#contract/messages/notifications.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { formatCents } from '#contract/money.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import type { Key } from '../../base/keys.ts';
import { freezeUrl } from '../../people/freezeLink.ts';
import type { PartyMail } from '../partyMails.ts';
import { breakLinks, freezePiece, type Piece, type RenderedMail, renderMail } from './mailLayout.ts';

/** A transfer from the view of one side. `otherName` is empty if that person has left the bank. */
export type TransferMail = {
  kind: keyof typeof kinds;
  name: string;
  amountCents: bigint;
  otherName: string;
  /** The bank an external transfer goes to. */
  bankName?: string;
  /** Why the money came back: the other bank's reason, or `canceledReason`. */
  reason?: string;
  description: string;
  /** Whether another bank sent it. */
  isDeposit?: boolean;
  /** Until this time, further payments from this sender, or further deposits, are not mailed. */
  silentUntil?: Date;
  /** The link that freezes the sender's account, if the transfer is large. */
  freezeUrl?: string;
  transactionId: string;
  reference: string;
  at: Date;
};

const moneyIsBack = 'The money was returned to your account.';

/** By kind of notification: the mail's title, the label of the other party, and for some kinds a sentence. */
const kinds = {
  'money-received': { title: transactionsMessages.titleReceived, other: 'From' },
  'money-sent': { title: transactionsMessages.titleSent, other: 'To' },
  credited: { title: transactionsMessages.titleAdminCredit, other: 'From' },
  'reversed-out': {
    title: 'Payment Reversed',
    other: 'To',
    text: 'We took back a payment that you had received.',
  },
  'reversed-in': { title: 'Payment Reversed', other: 'From', text: moneyIsBack },
  'external-settled': { title: 'External Transfer Arrived', other: 'To' },
  'external-returned': { title: 'External Transfer Returned', other: 'To', text: moneyIsBack },
} satisfies Partial<Record<NotificationKind, { title: string; other: string; text?: string }>>;
export const transferMailKinds = Object.keys(kinds) as TransferMail['kind'][];

export function renderTransferMail(mail: TransferMail, publicUrl: string): RenderedMail {
  const { other, text }: { other: string; text?: string } = kinds[mail.kind];
  const isInitiated = mail.kind === 'money-sent' && mail.bankName !== undefined;
  const isCanceled = mail.reason === transactionsMessages.canceledReason;
  const title = isInitiated
    ? transferMessages.initiatedTitle
    : isCanceled
      ? 'External Transfer Canceled'
      : kinds[mail.kind].title;
  const amount = formatCents(mail.amountCents);
  const otherName = nameOther(mail);
  const facts: [string, string][] = [[other, mail.bankName ? `${otherName}, ${mail.bankName}` : otherName]];
  if (mail.reason && !isCanceled) facts.push(['Reason', mail.reason]);
  if (mail.description) facts.push(describe(mail));
  facts.push(['When', dayAndTime(mail.at)], ['Reference', mail.reference]);
  const pieces: Piece[] = [
    ...(text ? [text] : []),
    isIncoming(mail) ? { figure: `+${amount}`, tone: 'in' } : { figure: amount },
    { facts },
  ];
  if (isInitiated) pieces.push(transferMessages.initiatedText);
  if (mail.silentUntil)
    pieces.push(
      `We won’t email you about more payments from ${mail.isDeposit ? 'other banks' : otherName} before ${dayAndTime(mail.silentUntil)}. You can see all of them in your account.`,
    );
  if (mail.kind === 'money-sent')
    pieces.push({ notice: `If you didn’t send this, call us right away: ${bank.phone}.` });
  pieces.push({
    link: 'View the transfer',
    url: `${publicUrl}/dashboard/transactions/${mail.transactionId}`,
  });
  if (mail.freezeUrl) pieces.push(freezePiece(mail.freezeUrl));
  return renderMail({ title, name: mail.name, preview: sentenceOf(mail), pieces });
}

/** Renders the mail about a transfer to one of its parties. */
export function renderPartyMail(
  { facts, isLarge, position, customerId, to }: PartyMail,
  { publicUrl, codeKey }: { publicUrl: string; codeKey: Key },
): RenderedMail {
  return renderTransferMail(
    {
      ...facts,
      ...(isLarge && { freezeUrl: freezeUrl(publicUrl, { customerId, email: to }, codeKey) }),
      ...(position === mailedPayments.perHour && { silentUntil: nextHour(facts.at) }),
    },
    publicUrl,
  );
}

/**
 * Renders several transfers of a customer as one mail, oldest first. It leaves out descriptions, because other people wrote
 * those of incoming payments.
 */
export function renderSummaryMail(
  mails: TransferMail[],
  { isDaily, publicUrl }: { isDaily: boolean; publicUrl: string },
): RenderedMail {
  const ordered = mails.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const listed = ordered.slice(0, summaryMails.listed);
  const more = ordered.length - listed.length;
  const count = formatCount(ordered.length);
  const pieces: Piece[] = [
    isDaily
      ? `Here are ${count} transfers that we haven’t emailed you about yet.`
      : `Your account had ${count} transfers in a short time, so we list them in one email.`,
    {
      facts: listed.map(mail => [
        `${shortDay(mail.at.toISOString())}, ${timeOfDay(mail.at)}`,
        sentenceOf(mail),
      ]),
    },
  ];
  if (more > 0) pieces.push(`${formatCount(more)} more ${more === 1 ? 'is' : 'are'} in your account.`);
  if (ordered.some(({ kind }) => kind === 'money-sent'))
    pieces.push({ notice: `If you see a transfer that you didn’t make, call us right away: ${bank.phone}.` });
  pieces.push({ link: 'View your transactions', url: `${publicUrl}/dashboard/transactions` });
  return renderMail({
    title: isDaily ? 'Your daily summary' : `${count} transfers on your account`,
    name: ordered[0]!.name,
    pieces,
  });
}

/**
 * The name that a mail shows for the other side: the bank for a credit, otherwise the other person. If that person has no name,
 * the mail shows the bank for a payment that was taken back from the customer, and otherwise 'Closed account'.
 */
const nameOther = ({ kind, otherName }: TransferMail) =>
  kind === 'credited' || (kind === 'reversed-out' && !otherName)
    ? bank.name
    : breakLinks(otherName) || transactionsMessages.closedAccount;

/** The sentence of the notification about the same event. */
const sentenceOf = (mail: TransferMail) =>
  fill(notificationsMessages.kinds[mail.kind], {
    amount: formatCents(mail.amountCents),
    name: nameOther(mail),
  });

const isIncoming = ({ kind }: TransferMail) =>
  !['money-sent', 'external-settled', 'reversed-out'].includes(kind);

const hourMs = 60 * 60 * 1000;

/** The start of the next clock hour. */
function nextHour(at: Date): Date {
  return new Date((Math.floor(at.getTime() / hourMs) + 1) * hourMs);
}

/** The description of a transfer. For the receiver it is marked as the sender's text. */
function describe({ kind, description }: TransferMail): [label: string, value: string] {
  return kind === 'money-received'
    ? ['The sender wrote', `“${breakLinks(description)}”`]
    : ['Description', description];
}
