/**
 * A process that first sends some fixed mails as a control, and then the transfer mails of a test's database. It prints the
 * processor time of each.
 */
import { createTransport } from 'nodemailer';
import { pino } from 'pino';
import { openDatabase } from '#server/db/database.ts';
import { sendNextSummaries } from '#server/jobs/summaryMails.ts';
import { sendNextTransferMails } from '#server/jobs/transferMails.ts';
import { openMailer } from '#server/outside/mailer.ts';
import { deriveSecrets } from '#server/secrets.ts';
import { testAppSecret } from './cluster.ts';

/** What the test passes as the first argument, as JSON. */
export type MailSenderTask = {
  connection: { host: string; port: number; user: string; password: string; database: string };
  smtpUrl: string;
  /** How many fixed mails are sent, each of `controlBytes` in lines of 76 bytes. */
  controlMails: number;
  controlBytes: number;
};

const { connection, smtpUrl, controlMails, controlBytes } = JSON.parse(process.argv[2]!) as MailSenderTask;
const database = openDatabase(connection);
const mailer = openMailer({ smtpUrl, from: 'Larkspur Bank <no-reply@larkspur.example>' });
const parts = {
  database,
  mailer,
  publicUrl: 'https://bank.example',
  secrets: deriveSecrets(testAppSecret),
  log: pino({ level: 'silent' }),
};
const control = createTransport({ url: smtpUrl, pool: true, maxConnections: 20, maxMessages: 1_000 });

async function measure(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function sendControl(count: number): Promise<void> {
  const envelope = { from: 'no-reply@larkspur.example', to: ['control@harbour.example'] };
  const raw = `Message-ID: <control>\r\n\r\n${`${'x'.repeat(74)}\r\n`.repeat(controlBytes / 76)}`;
  let left = count;
  const sendNext = async () => {
    while (left-- > 0) await control.sendMail({ envelope, raw });
  };
  await Promise.all(Array.from({ length: 24 }, sendNext));
}

// Compiles the code that both measurements use.
await sendControl(controlMails / 5);
const controlMicros = await measure(() => sendControl(controlMails));
const mailMicros = await measure(async () => {
  while (await sendNextTransferMails(parts));
  while (await sendNextSummaries(parts));
});
process.stdout.write(JSON.stringify({ controlMicros, mailMicros }));
control.close();
mailer.close();
await database.close();
