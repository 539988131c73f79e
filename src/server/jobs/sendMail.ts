/** The task `mail`: draws what was ordered and hands it to the mail server, once per job as far as SMTP can promise. */
import { sql } from 'kysely';
import { bank, code } from '#contract/constants.ts';
import { withDeadline } from '../base/deadline.ts';
import type { Database, Reader } from '../db/database.ts';
import type { Parts } from '../parts.ts';
import { openAddressee } from '../people/addressee.ts';
import { openSealedCode } from '../people/codes.ts';
import {
  type ContactMessage,
  drawAccountMail,
  drawCodeMail,
  drawHelpDeskMail,
  drawNewLoginMail,
} from './mails/accountMails.ts';
import type { Letter } from './mails/letter.ts';
import type { MailOrder } from './queue.ts';

/** A mail as the mail server gets it; `id` is the same for every try. */
export type OutgoingMail = Letter & { to: string; replyTo?: string; id: string };

/** Whatever delivers mail. Throws where a mail was not taken, with SMTP's `responseCode` if the server answered. */
export type Sender = { send(mail: OutgoingMail): Promise<void> };

export type MailParts = {
  database: Database;
  mailer: Sender;
  publicUrl: string;
  secrets: Pick<Parts['secrets'], 'codeKey'>;
};

/** Long enough for a slow server; past it the attempt counts as failed. */
const patienceMs = 60_000;

/** Sends the mail of a job; not to somebody who left, and no code that is no longer valid. Throws to be tried again. */
export async function sendMail(
  parts: MailParts,
  job: { id: string; createdAt: Date },
  order: MailOrder,
): Promise<'sent' | 'too late' | 'refused' | 'gone'> {
  const isCode = order.template === 'login-code' || order.template === 'reset-code';
  if (isCode && Date.now() - job.createdAt.getTime() > code.lifeSeconds * 1000) return 'too late';
  const drawn = await draw(order, parts);
  return drawn ? await deliver(parts.mailer, { ...drawn, id: `mail-${job.id}` }) : 'gone';
}

/**
 * Hands a mail to the server. 'refused' where the server said that it never will take it (SMTP 5xx): to ask again would
 * not help. Throws for everything else, in words that may be stored and logged.
 */
export async function deliver(mailer: Sender, mail: OutgoingMail): Promise<'sent' | 'refused'> {
  try {
    await withDeadline(mailer.send(mail), patienceMs, () => {
      throw new Error('The mail server did not answer in time.');
    });
    return 'sent';
  } catch (error) {
    const { responseCode } = error as { responseCode?: number };
    if (responseCode !== undefined && responseCode >= 500) return 'refused';
    throw isOfSmtp(error) ? withoutWords(error) : error;
  }
}

/** Whether an error tells of a mail server or the way there, and is none of our own: SMTP's answer, a line that broke. */
function isOfSmtp(error: unknown): boolean {
  const { code, response, responseCode } = error as {
    code?: unknown;
    response?: unknown;
    responseCode?: unknown;
  };
  // `ERR_…` are Node's words for a wrong argument.
  return (
    response !== undefined ||
    responseCode !== undefined ||
    (typeof code === 'string' && !code.startsWith('ERR_'))
  );
}

/**
 * A failure as the queue keeps it and the log tells it: its code and SMTP's status. What a mail server says may repeat
 * an address or a mail.
 */
function withoutWords(error: unknown): Error {
  const { code, responseCode } = error as { code?: unknown; responseCode?: number };
  const known = typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,30}$/.test(code) ? code : undefined;
  const told = [known, responseCode].filter(part => part !== undefined).join(' ');
  const scrubbed = new Error(`The mail server did not take a mail (${told || 'no answer'}).`);
  return Object.assign(scrubbed, { code: known, responseCode });
}

/** Where to write to a customer or an administrator now; undefined where the person is gone. */
async function findRecipient(
  reader: Reader,
  personId: string,
): Promise<{ to: string; name: string } | undefined> {
  const found = await sql<{ to: string; name: string }>`
    SELECT email AS to, first_name AS name FROM customers WHERE id = ${personId} AND deleted_at IS NULL
    UNION ALL
    SELECT email, name FROM admins WHERE id = ${personId} AND disabled_at IS NULL`.execute(reader);
  return found.rows[0];
}

/** A message of the contact form; undefined where it went with its writer. */
async function findMessage(reader: Reader, id: string): Promise<ContactMessage | undefined> {
  const found = await sql<ContactMessage>`
    SELECT name, email, subject, message FROM contact_messages WHERE id = ${id}`.execute(reader);
  return found.rows[0];
}

async function draw(
  order: MailOrder,
  { database, publicUrl, secrets: { codeKey } }: MailParts,
): Promise<Omit<OutgoingMail, 'id'> | undefined> {
  if (order.template === 'help-desk') {
    const message = await findMessage(database.reader, order.messageId);
    return message && { to: bank.supportEmail, replyTo: message.email, ...drawHelpDeskMail(message) };
  }
  if (order.template === 'account-closed') {
    const addressee = openAddressee(order.sealedAddressee, codeKey);
    return { to: addressee.to, ...drawAccountMail(order.template, addressee, publicUrl) };
  }
  const recipient = await findRecipient(database.reader, order.personId);
  if (!recipient) return undefined;
  const { to, name } = recipient;
  if (order.template === 'login-code' || order.template === 'reset-code') {
    return {
      to,
      ...drawCodeMail(order.template, { name, digits: openSealedCode(order.sealedCode, codeKey) }),
    };
  }
  if (order.template === 'new-login') {
    return { to, ...drawNewLoginMail({ ...order, name, at: new Date(order.at) }, publicUrl) };
  }
  return { to, ...drawAccountMail(order.template, recipient, publicUrl) };
}
