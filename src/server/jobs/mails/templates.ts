/**
 * Every mail that can be ordered, by name: what its order holds, to whom it goes and how it is drawn. An order waits in the
 * job queue, a table like any other, so it holds ids instead of people, and codes and addresses only encrypted.
 */
import { sql } from 'kysely';
import { bank, code } from '#contract/constants.ts';
import type { Reader } from '../../db/database.ts';
import { decryptAddressee } from '../../people/addressee.ts';
import { decryptCode } from '../../people/codes.ts';
import type { Secrets } from '../../secrets.ts';
import {
  type AccountMail,
  accountMails,
  type ContactMessage,
  drawAccountClosedMail,
  drawAccountMail,
  drawCodeMail,
  drawHelpDeskMail,
  drawNewLoginMail,
} from './accountMails.ts';
import type { Letter } from './letter.ts';

/** What drawing needs beside the order. */
export type MailContext = { reader: Reader; publicUrl: string; codeKey: Secrets['codeKey'] };

/** A mail that is drawn and addressed. */
export type AddressedMail = Letter & { to: string; replyTo?: string };

export type Template<Data> = {
  /** After so many seconds the mail is of no use and is not sent. Default: it always is. */
  usefulSeconds?: number;
  /** Draws the mail; undefined where nobody is left to get it. */
  draw(data: Data, context: MailContext): Promise<AddressedMail | undefined>;
};

/** A mail to a customer or an administrator, with the address and name that the person has when it is sent. */
function toPerson<Data>(
  draw: (data: Data & { name: string }, context: MailContext) => Letter,
): Template<Data & { personId: string }>['draw'] {
  return async (data, context) => {
    const recipient = await findRecipient(context.reader, data.personId);
    if (!recipient) return undefined;
    const { to, name } = recipient;
    return { to, ...draw({ ...data, name }, context) };
  };
}

const codeMail = (purpose: 'login-code' | 'reset-code') => ({
  usefulSeconds: code.lifeSeconds,
  draw: toPerson<{ encryptedCode: string }>(({ name, encryptedCode }, { codeKey }) =>
    drawCodeMail(purpose, { name, digits: decryptCode(encryptedCode, codeKey) }),
  ),
});

const accountTemplates = Object.fromEntries(
  (Object.keys(accountMails) as AccountMail[]).map(mail => [
    mail,
    { draw: toPerson((person, { publicUrl }) => drawAccountMail(mail, person, publicUrl)) },
  ]),
) as Record<AccountMail, Template<{ personId: string }>>;

export const mailTemplates = {
  ...accountTemplates,
  'login-code': codeMail('login-code'),
  'reset-code': codeMail('reset-code'),
  'new-login': {
    draw: toPerson<{ device: string; address: string; at: string }>((data, { publicUrl }) =>
      drawNewLoginMail({ ...data, at: new Date(data.at) }, publicUrl),
    ),
  },
  // The person is erased by the time it is sent.
  'account-closed': {
    async draw({ encryptedAddressee }: { encryptedAddressee: string }, { codeKey }: MailContext) {
      const addressee = decryptAddressee(encryptedAddressee, codeKey);
      return { to: addressee.to, ...drawAccountClosedMail(addressee) };
    },
  },
  // The message is read when it is sent, so that nothing of an erased person waits in the queue.
  'help-desk': {
    async draw({ messageId }: { messageId: string }, { reader }: MailContext) {
      const message = await findMessage(reader, messageId);
      return message && { to: bank.supportEmail, replyTo: message.email, ...drawHelpDeskMail(message) };
    },
  },
} satisfies Record<string, Template<never>>;

type Templates = typeof mailTemplates;
/** A mail to send: its template and what that needs. */
export type MailOrder = {
  [Name in keyof Templates]: { template: Name } & Parameters<Templates[Name]['draw']>[0];
}[keyof Templates];

/** The customer or administrator with this id; undefined where the person is gone. */
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

/** A message of the contact form; undefined where it was erased with its sender. */
async function findMessage(reader: Reader, id: string): Promise<ContactMessage | undefined> {
  const found = await sql<ContactMessage>`
    SELECT name, email, subject, message FROM contact_messages WHERE id = ${id}`.execute(reader);
  return found.rows[0];
}
