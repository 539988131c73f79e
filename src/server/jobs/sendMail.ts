/** The task `mail`: draws what was ordered and hands it to the mail server, once per job as far as SMTP can promise. */
import { withDeadline } from '../base/deadline.ts';
import type { Database } from '../db/database.ts';
import type { Parts } from '../parts.ts';
import { type AddressedMail, type MailOrder, mailTemplates, type Template } from './mails/templates.ts';

/** A mail as the mail server gets it; `id` is the same for every try. */
export type OutgoingMail = AddressedMail & { id: string };

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

/** Sends the mail of a job, unless its person has left or it came too late. Throws to be tried again. */
export async function sendMail(
  { database, mailer, publicUrl, secrets }: MailParts,
  job: { id: string; createdAt: Date },
  order: MailOrder,
): Promise<'sent' | 'too late' | 'refused' | 'gone'> {
  const { usefulSeconds = Infinity, draw }: Template<never> = mailTemplates[order.template];
  if (Date.now() - job.createdAt.getTime() > usefulSeconds * 1000) return 'too late';
  const drawn = await draw(order as never, {
    reader: database.reader,
    publicUrl,
    codeKey: secrets.codeKey,
  });
  return drawn ? await deliver(mailer, { ...drawn, id: `mail-${job.id}` }) : 'gone';
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
