/** The mails about money that moved. They name the other side and never a balance. */
import { dayAndTime } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { fill } from '#contract/messages/fill.ts';
import * as notificationsMessages from '#contract/messages/notifications.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { formatCents } from '#contract/money.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import { asWords, drawLetter, type Letter, type Piece } from './letter.ts';

/** One movement as one of its two sides sees it. `otherName` is empty where that person has left the bank. */
export type MoneyMail = {
  kind: keyof typeof kinds;
  name: string;
  amountCents: bigint;
  otherName: string;
  /** The bank an external transfer goes to. */
  bankName?: string;
  /** Why that bank sent the money back. */
  reason?: string;
  description: string;
  /** Until when payments of this sender are not mailed any more. */
  silentUntil?: Date;
  transactionId: string;
  reference: string;
  at: Date;
};

/** By kind, which is also the kind of the notification: the title, and how the other side is introduced. */
const kinds = {
  'money-received': { title: transactionsMessages.titleReceived, other: 'From' },
  'money-sent': { title: transactionsMessages.titleSent, other: 'To' },
  credited: { title: transactionsMessages.titleAdminCredit, other: 'From' },
  'external-settled': { title: 'External Transfer Arrived', other: 'To' },
  'external-returned': { title: 'External Transfer Returned', other: 'To' },
} as const satisfies Partial<Record<NotificationKind, { title: string; other: string }>>;
export const moneyMailKinds = Object.keys(kinds) as MoneyMail['kind'][];

export function drawMoneyMail(mail: MoneyMail, publicUrl: string): Letter {
  const { other } = kinds[mail.kind];
  const isInitiated = mail.kind === 'money-sent' && mail.bankName !== undefined;
  const title = isInitiated ? transferMessages.initiatedTitle : kinds[mail.kind].title;
  const amount = formatCents(mail.amountCents);
  const otherName =
    mail.kind === 'credited' ? bank.name : asWords(mail.otherName) || transactionsMessages.closedAccount;
  const facts: [string, string][] = [[other, mail.bankName ? `${otherName}, ${mail.bankName}` : otherName]];
  if (mail.reason) facts.push(['Reason', mail.reason]);
  if (mail.description) facts.push(describe(mail));
  facts.push(['When', dayAndTime(mail.at)], ['Reference', mail.reference]);
  const said = fill(notificationsMessages.kinds[mail.kind], { amount, name: otherName });
  const isIn = mail.kind !== 'money-sent' && mail.kind !== 'external-settled';
  const pieces: Piece[] = [
    said.endsWith('.') ? said : `${said}.`,
    isIn ? { figure: `+${amount}`, tone: 'in' } : { figure: amount },
    { facts },
  ];
  if (isInitiated) pieces.push(transferMessages.initiatedText);
  if (mail.silentUntil)
    pieces.push(
      `Further payments from ${otherName} before ${dayAndTime(mail.silentUntil)} are not mailed. You find all of them in your account.`,
    );
  if (mail.kind === 'money-sent')
    pieces.push({ notice: `If you did not send this, please call us at once: ${bank.phone}.` });
  pieces.push({
    link: 'See it in your account',
    url: `${publicUrl}/dashboard/transactions/${mail.transactionId}`,
  });
  return drawLetter({ title, name: mail.name, pieces });
}

/** The text of a transfer. To its receiver it is a stranger's, and looks like it. */
function describe({ kind, description }: MoneyMail): [label: string, value: string] {
  return kind === 'money-received'
    ? ['The sender wrote', `“${asWords(description)}”`]
    : ['Description', description];
}
