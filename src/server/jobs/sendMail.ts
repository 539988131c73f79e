/** The task `mail`: renders the mail of a job and submits it to the mail server, once per job as far as SMTP allows. */
import { Counter } from 'prom-client';
import type { Database, Tx } from '../db/database.ts';
import type { Parts } from '../parts.ts';
import { listEmailChanges, recordSentMail } from '../people/customerPage.ts';
import {
  type AddressedMail,
  goesToFormerEmail,
  type MailOrder,
  mailTemplates,
  type Template,
} from './mails/templates.ts';
import { enqueueJob } from './queue.ts';

/** A mail as it is submitted to the mail server. `id` is the same for every attempt. */
export type OutgoingMail = AddressedMail & { id: string; isBulk?: boolean };

/** Delivers mail in bounded time, as the `Mailer` does. */
export type Sender = { send(mail: OutgoingMail): Promise<void> };

export type MailParts = {
  database: Database;
  mailer: Sender;
  publicUrl: string;
  secrets: Pick<Parts['secrets'], 'codeKey'>;
};

/**
 * A mail that the server gets but does not confirm is sent this many times, with the same Message-ID. Then it is given up: the
 * receiver may have got every copy.
 */
export const maxCopies = 5;
const maxCopyPausePower = 12;

/** The pause after a copy that was not answered: half a minute, 17 minutes, 68 minutes, 68 minutes. */
export const toCopyPauseSeconds = (copies: number): number => toBackoffSeconds(copies * 5, maxCopyPausePower);

/** For `GET /metrics`: all mails, whatever they are about. */
export const mailMetrics = {
  attempts: new Counter({
    name: 'larkspur_mail_attempts_total',
    help: 'mails submitted to the mail server, by result: sent, refused permanently, deferred, unconfirmed (the server has the mail and did not answer), or failed for another reason',
    labelNames: ['result'],
    registers: [],
  }),
};
for (const result of ['sent', 'refused', 'deferred', 'unconfirmed', 'failed'])
  mailMetrics.attempts.inc({ result }, 0);

export type MailOutcome = 'sent' | 'too late' | 'refused' | 'gone' | 'unconfirmed' | 'sent again later';

/**
 * Sends the mail of a job, unless its recipient is gone or the mail is no longer useful. Throws if the job should be retried.
 */
export async function sendMail(
  { database, mailer, publicUrl, secrets }: MailParts,
  job: { id: string; createdAt: Date; startedAt: Date; attempts: number },
  order: MailOrder,
): Promise<MailOutcome> {
  const template: Template<never> = mailTemplates[order.template];
  const isUrgent = template.usefulSeconds !== undefined;
  // Both times are the database's: a process's own clock may be fast.
  const ageMs = job.startedAt.getTime() - job.createdAt.getTime();
  // The age is negative if the database's clock was ahead when the mail was enqueued.
  if (Math.abs(ageMs) > (template.usefulSeconds ?? Infinity) * 1000) return 'too late';
  const rendered = await template.render(order as never, {
    reader: database.reader,
    publicUrl,
    codeKey: secrets.codeKey,
  });
  if (!rendered) return 'gone';
  // A restored bank counts its jobs from the restored time, so the job's number alone would repeat a Message-ID. A receiver
  // drops a mail whose Message-ID it knows.
  const { copies = 1, copyOf = `${job.id}-${job.createdAt.getTime()}`, ...first } = order;
  const { changeId } = order;
  const result = await deliver(mailer, { ...rendered, id: `mail-${copyOf}` }).catch((error: Error) => {
    // A mail that is useful only for minutes is sent up to `maxCopies` times by the queue's own retries, which come sooner.
    if (!isUnconfirmed(error) || (isUrgent && job.attempts < maxCopies)) throw error;
    return 'unconfirmed' as const;
  });
  const personId = changeId === undefined && 'personId' in order ? order.personId : undefined;
  const mailFormerEmails = async (tx: Tx) => {
    if (personId === undefined || copies > 1 || !goesToFormerEmail(order.template)) return;
    for (const { id } of await listEmailChanges(tx, personId))
      await enqueueJob(tx, 'mail', { ...first, changeId: id });
  };
  if (result === 'unconfirmed' && !isUrgent && copies < maxCopies) {
    // Enqueues another job, because the queue's own retries are too many and come too soon. If the process dies now, this job
    // runs again, and the key prevents a second such job.
    const runAt = new Date(job.startedAt.getTime() + toCopyPauseSeconds(copies) * 1000);
    const next = { ...order, copies: copies + 1, copyOf };
    await database.inTransaction(async tx => {
      await enqueueJob(tx, 'mail', next, { runAt, key: `mail-${copyOf}-${next.copies}` });
      await mailFormerEmails(tx);
    });
    return 'sent again later';
  }
  if (personId !== undefined) {
    const { template } = order;
    const { subject } = rendered;
    // A failure here must not send the mail again.
    await database
      .inTransaction(async tx => {
        if (result === 'sent') await recordSentMail(tx, { personId, template, subject });
        await mailFormerEmails(tx);
      })
      .catch(() => {});
  }
  return result;
}

/**
 * Submits a mail to the server. Returns 'refused' if the server rejects this mail permanently (SMTP 5xx), so that a retry would
 * not help. Throws for every other failure, with a message that may be stored and logged, and with SMTP's `responseCode`
 * unless the server refuses the bank.
 */
export async function deliver(mailer: Sender, mail: OutgoingMail): Promise<'sent' | 'refused'> {
  let result: 'sent' | 'refused' | 'deferred' | 'unconfirmed' | 'failed' = 'failed';
  try {
    await mailer.send(mail);
    result = 'sent';
    return result;
  } catch (error) {
    const { responseCode } = error as { responseCode?: number };
    if (isUnconfirmed(error)) result = 'unconfirmed';
    if (responseCode !== undefined && !concernsBank(error))
      result = responseCode >= 500 && !isForbidden(error) ? 'refused' : 'deferred';
    if (result === 'refused') return result;
    throw isSmtpError(error) ? scrubError(error) : error;
  } finally {
    mailMetrics.attempts.inc({ result });
  }
}

/** Whether the server has the mail and did not answer, so that a retry may be a second copy. */
export function isUnconfirmed(error: unknown): boolean {
  return (error as { isUnconfirmed?: boolean }).isUnconfirmed === true;
}

/** The pause before the next attempt: exponential backoff. */
export function toBackoffSeconds(failures: number, maxPower: number): number {
  return 2 ** Math.min(failures, maxPower);
}

/** Whether the mail server refuses the bank's connection, login or own address, rather than a mail. */
function concernsBank(error: unknown): boolean {
  const { command } = error as { command?: string };
  return command !== undefined && command !== 'RCPT TO' && command !== 'DATA';
}

/**
 * Whether the mail server permanently refuses the bank. It then refuses every mail until that is repaired, so all mails are
 * retried. Temporary refusals (SMTP 4xx) defer single mails: a server that limits connections accepts the others.
 */
function refusesBank(error: unknown): boolean {
  const { responseCode = 0 } = error as { responseCode?: number };
  return responseCode >= 500 && concernsBank(error);
}

/**
 * Whether the mail server refuses a receiver by its policy (5.7, RFC 3463). By default, Postfix refuses the bank itself only
 * after the bank has named a receiver, for example because it does not relay for the bank's address. Such a mail is retried
 * like a deferred one, because the policy may also be about this receiver alone.
 */
function isForbidden(error: unknown): boolean {
  const { command, response } = error as { command?: string; response?: string };
  return command === 'RCPT TO' && response !== undefined && /^\d{3}[ -]5\.7\./.test(response);
}

/** Whether an error comes from the mail server or the connection to it, and not from our own code. */
function isSmtpError(error: unknown): boolean {
  const { code, response, responseCode } = error as {
    code?: unknown;
    response?: unknown;
    responseCode?: unknown;
  };
  // `ERR_…` are Node's codes for programming errors.
  return (
    response !== undefined ||
    responseCode !== undefined ||
    (typeof code === 'string' && !code.startsWith('ERR_'))
  );
}

/**
 * Returns the error with only its codes and SMTP's status, for the queue and the log. A mail server's message may contain an
 * address or a whole mail. `originalCode` is Node's, such as `CERT_HAS_EXPIRED`, where `code` is the library's `ESOCKET`.
 */
function scrubError(error: unknown): Error {
  const { code, originalCode, responseCode } = error as {
    code?: unknown;
    originalCode?: unknown;
    responseCode?: number;
  };
  const [known, original] = [code, originalCode].map(one =>
    typeof one === 'string' && /^[A-Z][A-Z0-9_]{0,39}$/.test(one) ? one : undefined,
  );
  const status = [known, original, responseCode].filter(part => part !== undefined).join(' ');
  const what = isUnconfirmed(error) ? 'has a mail and did not answer' : 'did not accept a mail';
  const scrubbed = new Error(`The mail server ${what} (${status || 'no answer'}).`);
  return Object.assign(scrubbed, {
    code: known,
    ...(isUnconfirmed(error) && { isUnconfirmed: true }),
    ...(!refusesBank(error) && { responseCode }),
  });
}
