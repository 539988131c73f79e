/** Background jobs, on a real PostgreSQL and over real SMTP. */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { monthOf } from '#contract/bankTime.ts';
import type { MailPreference, PreferenceKind } from '#contract/preferences.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { aCustomer, anAdministrator, testKeys, testSecrets } from '../../../tests/person.ts';
import { countRowsRead } from '../../../tests/queryPlans.ts';
import { eventually, measureWithoutStalls, waitOptions } from '../../../tests/waiting.ts';
import { firstIdAt, newId } from '../base/uuid.ts';
import { recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import { deleteOldNotifications } from '../db/notifications.ts';
import { openDocuments } from '../documents/documents.ts';
import { approveAccount } from '../ledger/accounts.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { deleteExpiredRefusals } from '../ledger/refusedRequests.ts';
import { findAccountsWithout, monthBefore } from '../ledger/statements.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { systemClock } from '../outside/clock.ts';
import { openExportFiles } from '../outside/exportFiles.ts';
import { type FileStore, openFileStore } from '../outside/files.ts';
import { type Inbox, openInbox } from '../outside/inbox.ts';
import { type Mailer, openMailer } from '../outside/mailer.ts';
import { openFolderStore } from '../outside/objectStore.ts';
import { openPushSender } from '../outside/pushSender.ts';
import { openSandboxRail } from '../outside/rail/sandbox.ts';
import { encryptAddressee } from '../people/addressee.ts';
import { encryptCode } from '../people/codes.ts';
import { deleteExpired } from '../people/expiry.ts';
import { readPreferences, replacePreferences } from '../people/preferences.ts';
import { cleanUpFiles } from './cleanUp.ts';
import { checkClocks, jumpedAhead, seemsWrong } from './databaseClock.ts';
import { startHeartbeat, watchHeartbeats } from './heartbeat.ts';
import type { MailOrder } from './mails/templates.ts';
import { makeStatements, statementMetrics } from './makeStatements.ts';
import { enqueueJob, queueOf } from './queue.ts';
import { openQueuePool, startRunner } from './queueRunner.ts';
import type { OutgoingMail, Sender } from './sendMail.ts';
import { sendNextSummaries } from './summaryMails.ts';
import { sendNextTransferMails } from './transferMails.ts';
import { startJobs, stopTimeoutMs } from './worker.ts';

const publicUrl = 'https://bank.example';
const silent = pino({ level: process.env.TEST_LOG ?? 'silent' });

let bank: TestDatabase;
let ledger: Ledger;
let inbox: Inbox;
let mailer: Mailer;
let stops: (() => Promise<unknown>)[];
let dataDir: string;

beforeEach(async () => {
  bank = await cloneDatabase();
  ledger = openLedger(bank.database);
  inbox = await openInbox();
  mailer = openMailer({ smtpUrl: inbox.smtpUrl, from: 'Larkspur Bank <no-reply@larkspur.example>' });
  stops = [];
  dataDir = mkdtempSync(join(tmpdir(), 'larkspur-jobs-'));
});

afterEach(async () => {
  for (const stop of stops) await stop();
  mailer.close();
  await inbox.close();
  await ledger.close();
  await bank.drop();
  rmSync(dataDir, { recursive: true });
});

const noFiles = {
  async read(): Promise<Buffer | undefined> {
    return undefined;
  },
  async *listBefore() {},
  async *listQuarantinedBefore() {},
  async remove() {},
  async quarantine() {},
  async release() {},
  async belongsTo() {
    return true;
  },
};

async function start(
  sender: Sender = mailer,
  files = noFiles,
  log = silent,
): Promise<{ stop(): Promise<void> }> {
  const { database } = bank;
  const secrets = testSecrets;
  const jobs = await startJobs({
    database,
    ledger,
    // The three to seven business days of a payment take less than half a second.
    rail: openSandboxRail(systemClock, {
      railDaySeconds: 0.05,
      railFormat: 'iso20022',
      dataDir,
      routingNumber: '800000006',
    }),
    mailer: sender,
    files,
    keys: testKeys,
    exportFiles: openExportFiles(openFolderStore(dataDir), secrets.exportKey),
    documents: openDocuments('800000006'),
    clock: systemClock,
    pushSender: openPushSender([], secrets.pushKey),
    log,
    publicUrl,
    secrets,
    config: { dataDir, filesUrl: undefined, auditAnchorUrl: undefined },
    store: openFolderStore(dataDir),
  });
  stops.push(() => jobs.stop());
  return jobs;
}

const order = (mail: MailOrder) => bank.database.inTransaction(tx => enqueueJob(tx, 'mail', mail));
const owner = <Row extends object>(text: string, values: unknown[] = []) =>
  bank.database.ownerPool.query<Row>(text, values);
const waitingJobs = async () =>
  (
    await owner<{ id: string; attempts: number; locked_by: string | null }>(
      'SELECT * FROM graphile_worker.jobs',
    )
  ).rows;
/** Makes jobs that wait for their next attempt due now. */
const hurry = () => owner('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL');

/** A sender that calls `before` and then sends the mail over SMTP. */
function through(before: (mail: OutgoingMail) => unknown): Sender {
  return {
    async send(mail) {
      await before(mail);
      await mailer.send(mail);
    },
  };
}

async function customer(dollars = 0n) {
  const created = await aCustomer(bank.database);
  await bank.database.inTransaction(tx => approveAccount(tx, created.accountId));
  if (dollars > 0n) {
    await credit(created.accountNumber, dollars * 100n);
    await owner('DELETE FROM transfer_mails');
  }
  return created;
}

const credit = (accountNumber: string, amountCents: bigint) =>
  ledger.credit({
    adminId: newId(),
    sessionId: null,
    accountNumber,
    amountCents,
    description: 'A gift',
    address: '::1',
  });

type Customer = Awaited<ReturnType<typeof customer>>;
const pay = (from: Customer, to: Customer, amountCents: bigint, description = 'For lunch') =>
  ledger.transfer({
    customerId: from.id,
    sessionId: null,
    receiverAccountNumber: to.accountNumber,
    amountCents,
    description,
    address: '::1',
  });

const subjects = (recipient: Customer) => inbox.list(recipient.email).map(mail => mail.subject);
const countWaitingMails = async () =>
  Number((await owner<{ n: bigint }>('SELECT count(*) AS n FROM transfer_mails')).rows[0]!.n);
const sendMails = (sender: Sender = mailer) =>
  sendNextTransferMails({
    database: bank.database,
    mailer: sender,
    publicUrl,
    secrets: testSecrets,
    log: silent,
  });

test('a job that is enqueued in a transaction that is rolled back never runs', async () => {
  const recipient = await customer();
  await start();
  const work = async (tx: Tx) => {
    await enqueueJob(tx, 'mail', { template: 'approved', personId: recipient.id });
    throw new Error('no');
  };
  await expect(bank.database.inTransaction(work)).rejects.toThrow('no');
  await order({ template: 'registered', personId: recipient.id });
  await vi.waitFor(() => expect(subjects(recipient)).toEqual(['Welcome to Larkspur Bank']), waitOptions);
  await vi.waitFor(async () => expect(await waitingJobs()).toEqual([]), waitOptions);
  expect(subjects(recipient)).toHaveLength(1);
});

test('a customer is mailed the code, in the body and not in the subject, and the queue contains it only encrypted', async () => {
  const recipient = await customer();
  const encryptedCode = encryptCode('041973', testSecrets.codeKey);
  await order({ template: 'login-code', personId: recipient.id, encryptedCode });
  const queued = await owner<{ text: string }>('SELECT j::text AS text FROM graphile_worker._private_jobs j');
  expect(queued.rows[0]!.text).not.toContain('041973');
  await start();
  await vi.waitFor(() => expect(inbox.list(recipient.email)).toHaveLength(1), waitOptions);
  const [mail] = inbox.list(recipient.email);
  expect(mail!.subject).not.toMatch(/\d/);
  expect(mail!.text).toContain('041973');
  expect(mail!.html).toContain('041973');

  await order({ template: 'reset-code', personId: recipient.id, encryptedCode });
  await vi.waitFor(() => expect(inbox.list(recipient.email)).toHaveLength(2), waitOptions);
});

test('a mail is retried until the mail server accepts it, and then arrives once', async () => {
  const recipient = await customer();
  let tries = 0;
  let isAway = true;
  await start(
    through(() => {
      tries++;
      if (isAway) throw new Error('the mail server is away');
    }),
  );
  await order({ template: 'approved', personId: recipient.id });
  for (const failed of [1, 2]) {
    // On a busy machine the next attempt may run before this test checks.
    await vi.waitFor(async () => {
      expect(tries).toBeGreaterThanOrEqual(failed);
      expect(await waitingJobs()).toMatchObject([{ locked_by: null }]);
    }, waitOptions);
    expect(subjects(recipient)).toEqual([]);
    isAway = failed < 2;
    await hurry();
  }
  await vi.waitFor(() => expect(subjects(recipient)).toEqual(['Your account is approved']), waitOptions);
  await vi.waitFor(async () => expect(await waitingJobs()).toEqual([]), waitOptions);
  expect(tries).toBeGreaterThanOrEqual(3);
  expect(subjects(recipient)).toHaveLength(1);
});

test('a customer of a restored bank gets a mail whose Message-ID no mail sent before had, although its job has the same number [RC-47]', async () => {
  const [before, after] = [await customer(), await customer()];
  const sent: { to: string; id: string }[] = [];
  await start(through(({ to, id }) => sent.push({ to, id })));
  for (const { id } of [before, after]) {
    // A restore sets the numbers of jobs back.
    await owner('ALTER TABLE graphile_worker._private_jobs ALTER id RESTART WITH 7');
    await order({ template: 'approved', personId: id });
    await vi.waitFor(async () => expect(await waitingJobs()).toEqual([]), waitOptions);
  }
  expect(sent.map(({ to }) => to)).toEqual([before.email, after.email]);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
});

test('a mail that the server rejects permanently is given up, and others are sent', async () => {
  const [wrong, right] = [await customer(), await customer()];
  await start(
    through(({ to }) => {
      if (to === wrong.email) throw Object.assign(new Error('no such mailbox'), { responseCode: 550 });
    }),
  );
  await order({ template: 'approved', personId: wrong.id });
  await order({ template: 'approved', personId: right.id });
  await vi.waitFor(() => expect(subjects(right)).toHaveLength(1), waitOptions);
  await vi.waitFor(async () => expect(await waitingJobs()).toEqual([]), waitOptions);
  expect(subjects(wrong)).toEqual([]);
});

test('the text of a mail server’s error is neither stored nor logged, but its status is', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  let logged = '';
  let tries = 0;
  await start(
    through(({ to, subject, text }) => {
      tries++;
      // Mail servers answer like this, and the library passes the answer on.
      const response = `451 4.7.1 <${to}>: "${subject}" looks like spam: ${text}`;
      const said = { code: 'EENVELOPE', command: 'RCPT TO', response, rejected: [to], responseCode: 451 };
      throw Object.assign(new Error(`Can't send mail: ${response}`), said);
    }),
    noFiles,
    pino(
      { level: 'trace' },
      {
        write: (line: string) => {
          logged += line;
        },
      },
    ),
  );
  await order({ template: 'approved', personId: receiver.id });
  await pay(sender, receiver, 100n, 'For the lantern');
  const failed = async () =>
    (await owner<{ last_error: string | null }>('SELECT last_error FROM graphile_worker._private_jobs')).rows;
  await vi.waitFor(async () => expect((await failed())[0]?.last_error).toBeTruthy(), waitOptions);
  await vi.waitFor(() => expect(tries).toBeGreaterThanOrEqual(3), waitOptions);
  await vi.waitFor(() => expect(logged).toContain('Failed task'), waitOptions);
  const [{ last_error }] = (await failed()) as [{ last_error: string }];
  expect(last_error).toContain('EENVELOPE 451');
  expect(logged).toContain('EENVELOPE 451');
  for (const kept of [last_error, logged])
    expect(kept).not.toMatch(/@|approved|spam|lantern|4\.7\.1|Money Received/i);
});

test('a bug in the bank’s own code while sending is reported as a bug, not as an error of the mail server', async () => {
  await start(
    through(() => {
      throw new TypeError('mail.draw is not a function');
    }),
  );
  await order({ template: 'approved', personId: (await customer()).id });
  await vi.waitFor(async () => {
    const { rows } = await owner<{ last_error: string | null }>(
      'SELECT last_error FROM graphile_worker._private_jobs',
    );
    expect(rows[0]?.last_error).toContain('mail.draw is not a function');
  }, waitOptions);
});

test('a code that could not be sent while it was valid is not sent later', async () => {
  const recipient = await customer();
  const encryptedCode = encryptCode('041973', testSecrets.codeKey);
  await order({ template: 'login-code', personId: recipient.id, encryptedCode });
  await owner(`UPDATE graphile_worker._private_jobs SET created_at = created_at - interval '301 seconds'`);
  await start();
  await vi.waitFor(async () => expect(await waitingJobs()).toEqual([]), waitOptions);
  expect(subjects(recipient)).toEqual([]);
});

test('codes are sent first, then mails about acts that a thief would do, however many other mails wait [RC-86]', async () => {
  const [recipient, robbed, other] = [await customer(), await customer(), await customer()];
  for (let mails = 0; mails < 20; mails++) await order({ template: 'approved', personId: other.id });
  for (let mails = 0; mails < 6; mails++) await order({ template: 'password-changed', personId: robbed.id });
  const encryptedCode = encryptCode('041973', testSecrets.codeKey);
  await order({ template: 'login-code', personId: recipient.id, encryptedCode });
  const sentTo: string[] = [];
  // The runner takes five jobs at a time. The first five wait for each other, and so do the next. Otherwise, on a busy machine,
  // a mail could be sent after those of later jobs.
  const fives = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await start(
    through(({ to }) => {
      const count = sentTo.push(to);
      if (count % 5 === 0) fives[count / 5 - 1]?.resolve();
      return fives[Math.ceil(count / 5) - 1]?.promise;
    }),
  );
  await vi.waitFor(() => expect(sentTo.length).toBeGreaterThan(20), waitOptions);
  expect(sentTo.indexOf(recipient.email)).toBeLessThan(5);
  expect(sentTo.slice(0, 5)).not.toContain(other.email);
  expect(sentTo.lastIndexOf(robbed.email)).toBeLessThan(10);
});

test('a customer who closed the account gets no mail', async () => {
  const recipient = await customer();
  await owner(`UPDATE customers SET deleted_at = now(), email = '' WHERE id = $1`, [recipient.id]);
  await order({ template: 'approved', personId: recipient.id });
  await start();
  await vi.waitFor(async () => expect(await waitingJobs()).toEqual([]), waitOptions);
  expect(inbox.list()).toEqual([]);
});

test('an erased customer gets one mail that says so, and the queue does not show who gets it', async () => {
  const to = 'left@mail.example';
  const encryptedAddressee = encryptAddressee({ to, name: 'Lena' }, testSecrets.codeKey);
  await order({ template: 'account-closed', encryptedAddressee });
  const queued = await owner<{ text: string }>(
    `SELECT payload::text AS text FROM graphile_worker._private_jobs`,
  );
  expect(queued.rows.map(row => row.text).join()).not.toMatch(/left|Lena|mail\.example/);
  await start();
  await vi.waitFor(async () => expect(await waitingJobs()).toEqual([]), waitOptions);
  expect(inbox.list(to).map(mail => mail.subject)).toEqual(['Your account is closed']);
  expect(inbox.list(to)[0]!.text).toContain('Lena');
});

test('an administrator and the Help Desk get their mails too', async () => {
  const admin = await anAdministrator(bank.database);
  await start();
  await order({ template: 'login-locked', personId: admin.id });
  const messageId = newId();
  await owner(
    `INSERT INTO contact_messages (id, name, email, subject, message, address)
     VALUES ($1, 'Eve <b>', 'eve@mail.example', 'A question', $2, '::1')`,
    [messageId, 'Line 1\nLine 2 <script>'],
  );
  await order({ template: 'help-desk', messageId });
  await vi.waitFor(() => expect(inbox.list('help@larkspur.example')).toHaveLength(1), waitOptions);
  await vi.waitFor(() => expect(inbox.list(admin.email)).toHaveLength(1), waitOptions);
  const [mail] = inbox.list('help@larkspur.example');
  expect(mail).toMatchObject({ subject: 'Help Desk: A question' });
  expect(mail!.text).toContain('Line 1\nLine 2 <script>');
  expect(mail!.html).not.toContain('<script>');
});

test('stopping takes less than five seconds while a mail hangs, and the mail is sent after the next start', async () => {
  const recipient = await customer();
  let hasBegun = false;
  const first = await start({
    send() {
      hasBegun = true;
      return new Promise(() => {});
    },
  });
  await order({ template: 'approved', personId: recipient.id });
  await vi.waitFor(() => expect(hasBegun).toBe(true), waitOptions);
  expect(await measureWithoutStalls(() => first.stop())).toBeLessThan(stopTimeoutMs + 500);
  await vi.waitFor(async () => expect(await waitingJobs()).toMatchObject([{ locked_by: null }]), waitOptions);
  await hurry();
  await start();
  await vi.waitFor(() => expect(subjects(recipient)).toEqual(['Your account is approved']), waitOptions);
});

test('the jobs of a dead process are released within seconds, those of a live process never', async () => {
  const recipient = await customer();
  const alive = startHeartbeat(bank.database, 'a run that lives');
  stops.push(() => alive.end());
  await alive.held();
  await owner(`INSERT INTO job_runs VALUES ('a run that is gone')`);
  await order({ template: 'approved', personId: recipient.id });
  await order({ template: 'registered', personId: recipient.id });
  await owner(`UPDATE graphile_worker._private_jobs SET attempts = 1, locked_at = now() - interval '1 hour',
    locked_by = CASE payload ->> 'template' WHEN 'approved' THEN 'a run that is gone' ELSE 'a run that lives' END`);
  const began = performance.now();
  await start();
  await vi.waitFor(() => expect(subjects(recipient)).toEqual(['Your account is approved']), waitOptions);
  const takenBackMs = performance.now() - began;
  const held = [{ locked_by: 'a run that lives', attempts: 1 }];
  await vi.waitFor(async () => expect(await waitingJobs()).toMatchObject(held), waitOptions);
  // The time of an unblocked job shows how busy this machine is.
  const other = await customer();
  const ordered = performance.now();
  await order({ template: 'approved', personId: other.id });
  await vi.waitFor(() => expect(subjects(other)).toHaveLength(1), waitOptions);
  expect(takenBackMs).toBeLessThan(15_000 + 20 * (performance.now() - ordered));
});

test('a process that lost its heartbeat connection reconnects before it counts as dead', async () => {
  const alive = startHeartbeat(bank.database, 'a run that lives');
  stops.push(() => alive.end());
  await alive.held();
  await order({ template: 'approved', personId: newId() });
  const cut = () =>
    owner(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'larkspur heartbeat'`);
  // After three seconds without a connection, the process counts as dead. If a busy machine comes close to that limit, the
  // attempt is repeated.
  await eventually(async () => {
    await owner(`UPDATE graphile_worker._private_jobs SET locked_by = 'a run that lives', locked_at = now()`);
    const watch = watchHeartbeats(bank.database);
    const ends = performance.now() + 3_500;
    let cuts = 0;
    for (let check = 0; cuts < 8 || performance.now() < ends; check++) {
      const began = performance.now();
      if (check % 4 === 0) {
        await cut();
        cuts++;
      }
      // While the process reconnects, the watch keeps checking, and after three seconds it would release the process's job.
      await vi.waitFor(async () => {
        await watch.check();
        await alive.held();
      }, waitOptions);
      if (performance.now() - began > 2_500) return undefined;
    }
    expect(await waitingJobs()).toMatchObject([{ locked_by: 'a run that lives' }]);
    return true;
  });
});

test('jobs continue after the database closed every connection', async () => {
  const recipient = await customer();
  await start();
  await owner(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`);
  await vi.waitFor(() => order({ template: 'approved', personId: recipient.id }), waitOptions);
  await vi.waitFor(() => expect(subjects(recipient)).toEqual(['Your account is approved']), waitOptions);
});

test('sender and receiver of a transfer each get one mail, with amount, names and reference', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  await start();
  const { reference } = await pay(sender, receiver, 123_4n, 'Lunch & <b>cake</b>');
  await vi.waitFor(() => expect(subjects(receiver)).toEqual(['Money Received']), waitOptions);
  await vi.waitFor(() => expect(subjects(sender)).toEqual(['Money Sent']), waitOptions);
  const [got] = inbox.list(receiver.email);
  expect(got!.text).toContain('    +$12.34\n\nFrom: Iris Field');
  expect(got!.text).toContain('Lunch & <b>cake</b>');
  expect(got!.text).toContain(reference);
  expect(got!.html).not.toContain('<b>');
  await credit(receiver.accountNumber, 500n);
  await vi.waitFor(() => expect(subjects(receiver)).toEqual(['Admin Credit', 'Money Received']), waitOptions);
  await vi.waitFor(async () => expect(await countWaitingMails()).toBe(0), waitOptions);
  expect(subjects(sender)).toEqual(['Money Sent']);
});

test('only the first payments of a sender in an hour are mailed; all are notified in the app, and payments of other senders are mailed too', async () => {
  const [nagger, friend, receiver] = [await customer(100n), await customer(100n), await customer()];
  for (let n = 1; n <= 9; n++) await pay(nagger, receiver, 1n, `look at http://evil${n}.example now`);
  await pay(friend, receiver, 1n, 'For lunch');
  while (await sendMails());
  // A new hour may have begun during the payments.
  const hours = await owner<{ n: number }>(
    `SELECT count(*)::integer AS n FROM transactions WHERE sender_account = $1
      GROUP BY date_trunc('hour', created_at) ORDER BY 1`,
    [nagger.accountId],
  );
  const mailed = hours.rows.reduce((sum, { n }) => sum + Math.min(n, 5), 0);
  const mails = inbox.list(receiver.email);
  expect(mails.filter(({ text }) => text.includes('evil'))).toHaveLength(mailed);
  expect(mails.filter(({ text }) => text.includes('For lunch'))).toHaveLength(1);
  const last = mails.filter(({ text }) => /^We won’t email you about more payments /m.test(text));
  expect(last).toHaveLength(hours.rows.filter(({ n }) => n >= 5).length);
  expect(subjects(nagger)).toHaveLength(9);
  const notified = await owner<{ n: number }>(
    `SELECT count(*)::integer AS n FROM newest_notifications($1, 100) WHERE kind = 'money-received'`,
    [receiver.accountId],
  );
  expect(notified.rows[0]!.n).toBe(10);
});

test('only the first deposits in an hour are mailed, whatever names their senders have; payments of customers are mailed too [NP-10]', async () => {
  const [friend, receiver] = [await customer(100n), await customer()];
  for (let n = 1; n <= 9; n++)
    await owner('SELECT book_deposit_at(now(), $1, $2, $3, $4, 1, $5, $6)', [
      newId(),
      `LB-${n}`,
      `flood ${n}`,
      receiver.accountNumber,
      `evil${n}.example`,
      '',
    ]);
  await pay(friend, receiver, 1n);
  while (await sendMails());
  // A new hour may have begun during the deposits.
  const hours = await owner<{ n: number }>(
    `SELECT count(*)::integer AS n FROM transactions WHERE receiver_account = $1 AND type = 'deposit'
      GROUP BY date_trunc('hour', created_at)`,
    [receiver.accountId],
  );
  const mails = inbox.list(receiver.email);
  const mailed = hours.rows.reduce((sum, { n }) => sum + Math.min(n, 5), 0);
  expect(mails.filter(({ text }) => text.includes('evil'))).toHaveLength(mailed);
  expect(mails.filter(({ text }) => text.includes('For lunch'))).toHaveLength(1);
  const last = mails.filter(({ text }) =>
    /^We won’t email you about more payments from other banks /m.test(text),
  );
  expect(last).toHaveLength(hours.rows.filter(({ n }) => n >= 5).length);
});

test("a receiver sees which words are the sender's, and none of them is a link", async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  await pay(sender, receiver, 1n, 'Verify at https://evil.example/login or mail me@evil.example');
  while (await sendMails());
  const [mail] = inbox.list(receiver.email);
  for (const part of [mail!.text, mail!.html]) {
    expect(part).toContain('The sender wrote');
    expect(part.replaceAll('\u200b', '')).toContain(
      '“Verify at https://evil.example/login or mail me@evil.example”',
    );
    expect(part).not.toMatch(/evil\.example|https:\/\/evil|me@evil/);
  }
});

test('if one mail of many is deferred, only that one is sent again', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  await Promise.all(Array.from({ length: 5 }, () => pay(sender, receiver, 100n)));
  let isPutOff = true;
  const sent: string[] = [];
  const moody = through(mail => {
    if (isPutOff && mail.to === receiver.email && mail.id.endsWith('in') && sent.length === 3) {
      isPutOff = false;
      throw Object.assign(new Error('later'), { responseCode: 451 });
    }
    sent.push(mail.id);
  });
  while (await sendMails(moody));
  expect(isPutOff).toBe(false);
  expect(sent).toHaveLength(9);
  await owner('UPDATE transfer_mails SET due_at = now()');
  while (await sendMails(moody));
  expect(await countWaitingMails()).toBe(0);
  expect(new Set(sent).size).toBe(10);
  expect(sent).toHaveLength(10);
  expect(subjects(receiver)).toHaveLength(5);
});

test('while the mail server is unreachable, no transfer mail is lost', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  await pay(sender, receiver, 100n);
  const away = { send: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })) };
  for (let i = 0; i < 40; i++) {
    await expect(sendMails(away)).rejects.toThrow('ECONNREFUSED');
    expect(await sendMails(away)).toBe(false);
    await owner('UPDATE transfer_mails SET due_at = now()');
  }
  expect(await countWaitingMails()).toBe(1);
  // Attempts without an answer do not count as rejections: after one "later", the mail is still sent.
  const later = {
    send: () => Promise.reject(Object.assign(new Error('later'), { responseCode: 451 })),
  };
  expect(await sendMails(later)).toBe(true);
  await owner('UPDATE transfer_mails SET due_at = now()');
  expect(await sendMails()).toBe(true);
  expect(await countWaitingMails()).toBe(0);
  expect(subjects(receiver)).toEqual(['Money Received']);
});

test('a mail that crashes the mail server every time does not delay other mails', async () => {
  const [sender, receiver, other] = [await customer(100n), await customer(), await customer()];
  await pay(sender, receiver, 100n);
  await pay(sender, other, 100n);
  const moody = through(({ to }) => {
    if (to === receiver.email) throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
  });
  await expect(sendMails(moody)).rejects.toThrow('ECONNRESET');
  while (await sendMails(moody));
  expect(subjects(other)).toEqual(['Money Received']);
  expect(await countWaitingMails()).toBe(1);
});

test('a mail that is always deferred is given up after 25 attempts, no matter how many went unanswered before', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  await pay(sender, receiver, 100n);
  await owner('UPDATE transfer_mails SET unanswered = 100000');
  const later = through(({ to }) => {
    if (to === receiver.email) throw Object.assign(new Error('later'), { responseCode: 451 });
  });
  for (let tries = 1; tries < 25; tries++) {
    const before = await owner<{ now: Date }>('SELECT clock_timestamp() AS now');
    expect(await sendMails(later)).toBe(true);
    const put = await owner<{ tries: number; seconds: number }>(
      'SELECT tries, extract(epoch FROM due_at - $1)::float8 AS seconds FROM transfer_mails',
      [before.rows[0]!.now],
    );
    expect(put.rows[0]!.tries).toBe(tries);
    expect(put.rows[0]!.seconds).toBeGreaterThanOrEqual(2 ** Math.min(tries, 12));
    await owner('UPDATE transfer_mails SET due_at = now()');
  }
  expect(await sendMails(later)).toBe(true);
  expect(await countWaitingMails()).toBe(0);
  expect(subjects(sender)).toEqual(['Money Sent']);
});

const unconfirmed = () => Object.assign(new Error('timeout'), { code: 'ETIMEDOUT', isUnconfirmed: true });

test('a mail that the mail server gets but never confirms is sent five times at most, and the other mail of its transfer once', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  await pay(sender, receiver, 100n);
  const copies: string[] = [];
  const pauses: number[] = [];
  const silentOnce = through(({ to, id }) => {
    if (to !== receiver.email) return;
    copies.push(id);
    throw unconfirmed();
  });
  while ((await countWaitingMails()) > 0) {
    await sendMails(silentOnce).catch(({ message }: Error) =>
      expect(message).toBe('The mail server has a mail and did not answer (ETIMEDOUT).'),
    );
    const { rows } = await owner<{ pause: number }>(
      'SELECT extract(epoch FROM due_at - now())::float8 AS pause FROM transfer_mails',
    );
    for (const { pause } of rows) pauses.push(Math.round(pause / 10) * 10);
    await owner('UPDATE transfer_mails SET due_at = now()');
  }
  expect(copies).toEqual(Array(5).fill(copies[0]));
  expect(pauses).toEqual([30, 1_020, 4_100, 4_100]);
  expect(subjects(sender)).toEqual(['Money Sent']);
});

test('a summary that the mail server gets but never confirms is sent five times at most', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  await prefer(sender, 'moneyOut', 'daily');
  await pay(sender, receiver, 100n);
  while (await sendMails());
  const copies: string[] = [];
  const silentOnce: Sender = {
    send({ id }) {
      copies.push(id);
      return Promise.reject(unconfirmed());
    },
  };
  while ((await owner('SELECT FROM summary_mails')).rowCount! > 0) {
    await owner('UPDATE summary_mails SET due_at = now()');
    const parts = {
      database: bank.database,
      mailer: silentOnce,
      publicUrl,
      secrets: testSecrets,
      log: silent,
    };
    await sendNextSummaries(parts).catch(() => {});
  }
  expect(copies).toEqual(Array(5).fill(copies[0]));
});

/** Starts the jobs with a mail server that gets every mail but never confirms it. Returns the ids of the mails and the log. */
async function startWithSilentServer(): Promise<{ copies: string[]; lines: string[] }> {
  const copies: string[] = [];
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: line => void lines.push(line) });
  const silentServer: Sender = {
    send({ id }) {
      copies.push(id);
      return Promise.reject(unconfirmed());
    },
  };
  await start(silentServer, noFiles, log);
  return { copies, lines };
}

test('a mail of the queue that the mail server gets but never confirms is sent five times at most, and the log says so', async () => {
  const recipient = await customer();
  const { copies, lines } = await startWithSilentServer();
  await order({ template: 'approved', personId: recipient.id });
  for (let copy = 1; copy <= 5; copy++) {
    await vi.waitFor(() => expect(copies).toHaveLength(copy), waitOptions);
    await vi.waitFor(async () => {
      const waiting = await waitingJobs();
      expect(waiting.filter(({ locked_by }) => locked_by !== null)).toEqual([]);
      expect(waiting).toHaveLength(copy < 5 ? 1 : 0);
    }, waitOptions);
    await hurry();
  }
  expect(copies).toEqual(Array(5).fill(copies[0]));
  const outcomes = lines.map(line => JSON.parse(line)).map(({ msg, outcome }) => [msg, outcome]);
  const message = 'the mail server has a mail and did not answer';
  expect(outcomes).toEqual([...Array(4).fill([message, 'sent again later']), [message, 'unconfirmed']]);
});

test('a customer gets the mail with one code five times at most if the mail server never confirms it', async () => {
  const recipient = await customer();
  const { copies, lines } = await startWithSilentServer();
  const encryptedCode = encryptCode('041973', testSecrets.codeKey);
  await order({ template: 'login-code', personId: recipient.id, encryptedCode });
  await eventually(async () => {
    await hurry();
    return copies.length > 5 || (await waitingJobs()).length === 0 || undefined;
  });
  expect(copies).toEqual(Array(5).fill(copies[0]));
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({
    msg: 'the mail server has a mail and did not answer',
    outcome: 'unconfirmed',
  });
});

test('a transfer mail claimed by a dead process is sent by another process after the lease expires', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  await pay(sender, receiver, 100n);
  await owner(`UPDATE transfer_mails SET due_at = now() + interval '3 minutes'`);
  expect(await sendMails()).toBe(false);
  await owner('UPDATE transfer_mails SET due_at = now()');
  expect(await sendMails()).toBe(true);
  expect(subjects(receiver)).toEqual(['Money Received']);
});

test('concurrent senders never send the same transfer mail twice', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  for (let i = 0; i < 5; i++) await pay(sender, receiver, 100n);
  const work = async () => {
    while (await sendMails());
  };
  await Promise.all([work(), work(), work()]);
  expect(subjects(receiver)).toHaveLength(5);
  expect(subjects(sender)).toHaveLength(5);
});

test('a busy process pauses after eight transfer mails, so that requests go first [M-46]', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  await Promise.all(Array.from({ length: 5 }, () => pay(sender, receiver, 100n)));
  const sentAt: number[] = [];
  let isBusy = true;
  const work = () => {
    if (isBusy) setImmediate(work);
  };
  work();
  while (await sendMails({ send: async () => void sentAt.push(performance.now()) }));
  isBusy = false;
  expect(sentAt).toHaveLength(10);
  expect(sentAt[8]! - sentAt[7]!).toBeGreaterThan(19);
});

test('a mail about a transfer says "Closed account" instead of the name of a sender whose account is closed', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  await pay(sender, receiver, 100n);
  await owner(
    `UPDATE customers SET deleted_at = now(), email = '', first_name = '', last_name = '' WHERE id = $1`,
    [sender.id],
  );
  while (await sendMails());
  expect(inbox.list()).toHaveLength(1);
  expect(inbox.list(receiver.email)[0]!.text).toContain('    +$1.00\n\nFrom: Closed account');
});

const sendSummaries = async () => {
  await owner('UPDATE summary_mails SET due_at = now()');
  while (
    await sendNextSummaries({
      database: bank.database,
      mailer,
      publicUrl,
      secrets: testSecrets,
      log: silent,
    })
  );
};
const prefer = (customer: Customer, kind: PreferenceKind, mail: MailPreference) =>
  bank.database.inTransaction(async tx => {
    const choices = await readPreferences(tx, customer.accountId);
    await replacePreferences(tx, customer.accountId, {
      ...choices,
      [kind]: { bell: true, mail },
    });
  });

test('more than ten mails that wait for a customer are sent as one, which also lists what is posted in the next minute [NP-05]', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  const others = [await customer(100n), await customer(100n)];
  for (let cents = 101n; cents <= 112n; cents++) await pay(sender, receiver, cents);
  for (const other of others) await pay(other, receiver, 100n);
  while (await sendMails());
  expect(subjects(sender)).toEqual([]);
  expect(subjects(others[0]!)).toEqual(['Money Sent']);
  await pay(sender, receiver, 113n, 'evil.example');
  while (await sendMails());
  await sendSummaries();
  expect(subjects(sender)).toEqual(['13 transfers on your account']);
  const [mail] = inbox.list(sender.email);
  for (let cents = 101; cents <= 113; cents++)
    expect(mail!.text.split(`$${(cents / 100).toFixed(2)} to Iris Field`)).toHaveLength(2);
  expect(mail!.text).not.toContain('evil');
  // Only the first five payments of one sender in an hour are mailed, even in a summary.
  const [got] = inbox.list(receiver.email);
  expect(Number.parseInt(got!.subject, 10)).toBeLessThan(13);
  expect(await countWaitingMails()).toBe(0);
});

/**
 * The parts for sending mails, with a `codeKey` that throws. So a mail about a single transfer cannot be rendered: its link for
 * freezing the account needs the key.
 */
const unreadable = () => {
  const secrets = {
    ...testSecrets,
    get codeKey(): never {
      throw new Error('cannot be rendered');
    },
  };
  return { database: bank.database, mailer, publicUrl, secrets, log: silent };
};

test('a summary that cannot be rendered fails often enough to raise an alert [RC-69]', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  await prefer(sender, 'moneyOut', 'daily');
  await pay(sender, receiver, 100n);
  while (await sendMails());
  await owner('UPDATE summary_mails SET due_at = now()');
  await expect(sendNextSummaries(unreadable())).rejects.toThrow('cannot be rendered');
  const { rows } = await owner<{ seconds: number }>(
    'SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM summary_mails',
  );
  expect(rows[0]!.seconds).toBeLessThanOrEqual(5);
});

test('a summary that cannot be rendered does not slow down those of other customers', async () => {
  const [one, another, receiver] = [await customer(100n), await customer(200n), await customer()];
  for (const sender of [one, another]) await prefer(sender, 'moneyOut', 'daily');
  await pay(one, receiver, 100n);
  for (let n = 0; n < 2; n++) await pay(another, receiver, 100n);
  while (await sendMails());
  await owner('UPDATE summary_mails SET due_at = now()');
  expect(await sendNextSummaries(unreadable())).toBe(true);
  expect((await owner('SELECT FROM summary_mails')).rows).toHaveLength(1);
});

test('up to ten mails that wait for a customer at the same time are sent one by one [NP-01, NP-05]', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  for (let n = 0; n < 10; n++) await pay(sender, receiver, 100n);
  while (await sendMails());
  await pay(sender, receiver, 100n);
  while (await sendMails());
  await sendSummaries();
  expect(subjects(sender)).toEqual(Array(11).fill('Money Sent'));
});

test('a customer who wants one summary a day gets it at 6 PM in New York, with the transfers that were not mailed yet [NP-04]', async () => {
  const [sender, receiver] = [await customer(100_000n), await customer()];
  await prefer(sender, 'moneyOut', 'daily');
  await pay(sender, receiver, 100n);
  await pay(sender, receiver, 200n);
  await pay(sender, receiver, 2_500_000n);
  while (await sendMails());
  expect(subjects(sender)).toEqual(['Money Sent']);
  expect(subjects(receiver)).toHaveLength(3);
  const due = await owner<{ hour: number; hours: number }>(
    `SELECT extract(hour FROM due_at AT TIME ZONE 'America/New_York')::int AS hour,
            extract(epoch FROM due_at - now())::float8 / 3600 AS hours FROM summary_mails`,
  );
  expect(due.rows.map(({ hour }) => hour)).toEqual([18, 18]);
  for (const { hours } of due.rows) expect(hours).toBeLessThanOrEqual(25);
  await sendSummaries();
  expect(subjects(sender)).toEqual(['Your daily summary', 'Money Sent']);
  // The large transfer was mailed at once, and there was no summary before.
  expect(inbox.list(sender.email)[0]!.text).toContain(
    'Here are 2 transfers that we haven’t emailed you about yet.',
  );
  expect(inbox.list(sender.email)[0]!.text).toMatch(/\$1\.00 to Iris[\s\S]*\$2\.00 to Iris/);
  expect(inbox.list(sender.email)[0]!.text).toContain('If you see a transfer that you didn’t make, call us');
  // If a day has only one transfer, the customer gets the mail about that transfer instead of a summary.
  await pay(sender, receiver, 300n);
  while (await sendMails());
  await sendSummaries();
  expect(subjects(sender)[0]).toBe('Money Sent');
  expect(inbox.list(sender.email)[0]!.text).toContain('    $3.00\n\nTo: Iris');
});

test('mails that a customer has turned off are not sent, except about large transfers out [NP-03]', async () => {
  const [sender, receiver] = [await customer(100_000n), await customer()];
  await prefer(sender, 'moneyOut', 'off');
  await prefer(receiver, 'moneyIn', 'off');
  await pay(sender, receiver, 100n);
  await pay(sender, receiver, 2_500_000n);
  while (await sendMails());
  await sendSummaries();
  expect(subjects(receiver)).toEqual([]);
  expect(subjects(sender)).toEqual(['Money Sent']);
  expect(inbox.list(sender.email)[0]!.text).toContain('/freeze-account#');
  expect(await countWaitingMails()).toBe(0);
});

test('a posting that is rolled back leaves no transfer mail', async () => {
  const work = async (tx: Tx) => {
    await sql`SELECT enqueue_transfer_mails(ARRAY[${newId()}]::uuid[])`.execute(tx);
    throw new Error('no');
  };
  await expect(bank.database.inTransaction(work)).rejects.toThrow('no');
  expect(await countWaitingMails()).toBe(0);
});

test('more audit records than fit into one batch are sealed without a fault', async () => {
  await owner(`INSERT INTO audit_log (actor_kind, action, data)
    SELECT 'system', 'x', jsonb_build_object('n', n) FROM generate_series(1, 12000) n`);
  await start();
  await bank.database.inTransaction(tx => recordAudit(tx, { actor: { kind: 'system' }, action: 'logout' }));
  await vi.waitFor(async () => {
    const verdict = await verifyBooks(bank.database.reader, { sealKey: testSecrets.sealKey });
    expect(verdict).toMatchObject({ head: { position: 12_001n }, faults: [] });
  }, waitOptions);
});

test('a process whose clock is ahead makes no statement of a month that has not ended [RX-22, RC-65]', async () => {
  await customer();
  const documents = openDocuments('800000006');
  stops.push(() => documents.close());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 40 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  await makeStatements({ database: bank.database, documents, log: silent });
  expect((await owner('SELECT FROM statements')).rowCount).toBe(0);
});

test('a server that starts with a clock that is an hour off, or with an audit record from the future, logs it once [RC-95]', async () => {
  const error = vi.fn();
  const check = () => checkClocks({ database: bank.database, log: { error } as never });
  await check();
  expect(error).not.toHaveBeenCalled();
  await owner(
    "INSERT INTO audit_log (at, actor_kind, action) VALUES (now() + interval '1 hour', 'system', 'logout')",
  );
  await check();
  expect(error).toHaveBeenCalledTimes(1);
  await owner("INSERT INTO audit_log (actor_kind, action) VALUES ('system', 'logout')");
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  await check();
  expect(error.mock.calls[1]).toMatchObject([{ minutesAhead: -60 }, seemsWrong]);
});

test('after the database’s clock jumped ahead, nothing is paid, submitted, sealed or removed and no reminder is sent until the clock is right [RC-95, RC-97, SC-06, RX-22]', async () => {
  const [sender, receiver] = [await customer(100n), await customer()];
  await owner("UPDATE ledger_accounts SET opened_at = now() - interval '40 days'");
  const uptime = vi.spyOn(os, 'uptime');
  onTestFinished(() => uptime.mockRestore());
  const error = vi.fn();
  await start(mailer, noFiles, Object.assign(pino({ level: 'silent' }), { error }));
  await vi.waitFor(() => expect(uptime).toHaveBeenCalled(), waitOptions);
  // Compared with the uptime, the database's clock is now three days ahead.
  uptime.mockImplementation(() => performance.now() / 1000 - 3 * 86_400);
  const moreReadings = async (more: number) => {
    const before = uptime.mock.calls.length;
    await vi.waitFor(
      () => expect(uptime.mock.calls.length).toBeGreaterThanOrEqual(before + more),
      waitOptions,
    );
  };
  // Both loops read the uptime every second. After eight readings, the rounds that began before the jump have ended.
  await moreReadings(8);
  expect(error).toHaveBeenCalledWith({ minutes: expect.any(Number) }, jumpedAhead);
  await owner(
    `INSERT INTO scheduled_transfers (id, customer_id, account_id, account_number, amount, description, start_date, frequency,
                                      next_date, request_hash)
     SELECT new_id(), $1, $2, $3, 500, 'Rent', day, 'once', day, new_id() FROM (SELECT bank_day(now()) - 1 AS day) d`,
    [sender.id, sender.accountId, receiver.accountNumber],
  );
  const { _id: payment } = await ledger.sendExternal({
    customerId: sender.id,
    sessionId: null,
    amountCents: 700n,
    description: '',
    address: '::1',
    bank: { bankName: 'First Harbour', accountName: 'Ines', accountNumber: '40218836117' },
  });
  const resetId = newId();
  await owner(
    `INSERT INTO factor_resets (person_id, id, requested_by, effective_at) VALUES ($1, $2, new_id(), now())`,
    [sender.id, resetId],
  );
  const periodic = () =>
    bank.database.inTransaction(async tx => {
      for (const task of ['make-statements', 'seal-balances', 'remind-scheduled', 'resume-payments'] as const)
        await enqueueJob(tx, task, {});
    });
  const rename = (from: string, to: string) =>
    owner(`ALTER TABLE scheduled_transfers RENAME COLUMN ${from} TO ${to}`);
  const done = async () => {
    const { rows } = await owner<Record<'runs' | 'submitted' | 'statements' | 'days' | 'resets', number>>(
      `SELECT (SELECT count(*)::int FROM scheduled_runs) AS runs,
              (SELECT 1 - count(*)::int FROM factor_resets) AS resets,
              (SELECT count(*)::int FROM external_transfers WHERE submitted_at IS NOT NULL) AS submitted,
              (SELECT count(*)::int FROM statements) AS statements,
              (SELECT count(*)::int FROM sealed_days) AS days`,
    );
    return rows[0]!;
  };
  await bank.database.inTransaction(tx =>
    enqueueJob(tx, 'reset-factors', { personId: sender.id, resetId }, { key: 'reset' }),
  );
  // Without this column, sending a reminder would fail.
  await rename('reminded_for', 'hidden');
  const waited = async () => {
    const jobs = await waitingJobs();
    expect(jobs.map(job => (job as { key?: string | null }).key ?? '').sort()).toEqual([
      'reset',
      `submit-payment:${payment}`,
    ]);
    for (const job of jobs)
      expect(job).toMatchObject({ locked_by: null, last_error: expect.stringContaining(jumpedAhead) });
  };
  await vi.waitFor(waited, waitOptions);
  // Sets the jobs to their state after many attempts, the last of them while the clock was hours ahead.
  await owner("UPDATE graphile_worker._private_jobs SET run_at = now() + interval '6 hours', attempts = 9");
  await periodic();
  await vi.waitFor(waited, waitOptions);
  await moreReadings(6);
  // The log has no line for each waiting job.
  expect(error.mock.calls.filter(([line]) => String(line).includes(jumpedAhead))).toEqual([]);
  await waited();
  // Until the clock is right, the task `resume-payments` does not change these jobs.
  expect((await waitingJobs()).map(({ attempts }) => attempts)).toEqual([9, 9]);
  expect(await done()).toEqual({ runs: 0, submitted: 0, statements: 0, days: 0, resets: 0 });

  const session = newId();
  await owner(
    `INSERT INTO sessions (id, person_id, kind, expires_at, address, device, network)
     VALUES ($1, $2, 'customer', now() + interval '3 days', '::1', 'Firefox', '')`,
    [session, receiver.id],
  );
  uptime.mockRestore();
  await rename('hidden', 'reminded_for');
  await periodic();
  await vi.waitFor(async () => {
    expect(await done()).toEqual({
      runs: 1,
      submitted: 1,
      statements: expect.any(Number),
      days: 1,
      resets: 1,
    });
    expect((await done()).statements).toBeGreaterThan(0);
    // `resume-payments` also ends sessions from that time.
    expect(
      (await owner('SELECT FROM sessions WHERE id = $1 AND ended_at IS NOT NULL', [session])).rowCount,
    ).toBe(1);
  }, waitOptions);
});

test('an account whose figures cannot be read is reported and does not stop the statements of other accounts [RX-22]', async () => {
  const [first, second] = [await customer(), await customer()];
  await owner("UPDATE ledger_accounts SET opened_at = now() - interval '40 days' WHERE id = $1", [
    second.accountId,
  ]);
  await owner("UPDATE ledger_accounts SET opened_at = '-infinity' WHERE id = $1", [first.accountId]);
  const documents = openDocuments('800000006');
  stops.push(() => documents.close());
  const failed = async () => (await statementMetrics.failed.get()).values[0]!.value;
  const before = await failed();
  await makeStatements({ database: bank.database, documents, log: silent });
  const made = await owner<{ account_id: bigint }>('SELECT DISTINCT account_id FROM statements');
  expect(made.rows).toEqual([{ account_id: second.accountId }]);
  expect(await failed()).toBe(before + 1);
  await owner('UPDATE ledger_accounts SET opened_at = now() WHERE id = $1', [first.accountId]);
  await makeStatements({ database: bank.database, documents, log: silent });
  expect(await failed()).toBe(before + 1);
});

test('an interrupted run of monthly statements is finished without one query that reads all accounts with a statement [RX-22]', async () => {
  const last = await customer();
  await owner("UPDATE ledger_accounts SET opened_at = now() - interval '40 days'");
  // The other accounts got their statements before the interruption.
  await owner(`
    WITH opened AS (
      INSERT INTO ledger_accounts (number, is_approved)
      SELECT lpad(n::text, 12, '0'), true FROM generate_series(1, 4500) n RETURNING id)
    INSERT INTO statements (account_id, month, opening, closing, money_in, money_out, count, content_hash, file_hash)
    SELECT id, to_char((now() - interval '1 month') AT TIME ZONE 'America/New_York', 'YYYY-MM'), 0, 0, 0, 0, 0, sha256(''), sha256('')
      FROM opened;
    ANALYZE ledger_accounts, statements`);
  const month = monthBefore(monthOf(new Date()));
  const found: bigint[] = [];
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const from: bigint = after;
    const read = await countRowsRead(bank.database.pool, async reader => {
      const { accounts, last: end } = await findAccountsWithout(reader, month, from, 25);
      found.push(...accounts);
      after = end;
    });
    expect(read).toBeLessThan(4_200);
  }
  expect(found).toEqual([last.accountId]);
});

test('however long proofs, copies of data and periodic tasks take, mails find a free place in the queue [RC-86]', async () => {
  const { database } = bank;
  const started = new Set<string>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const long = Object.keys(queueOf) as (keyof typeof queueOf)[];
  const tasks = Object.fromEntries(
    long.map(task => [
      task,
      async () => {
        started.add(task);
        await ended;
      },
    ]),
  );
  await database.inTransaction(async tx => {
    for (const task of long) await enqueueJob(tx, task, {} as never);
  });
  const mail = () => void started.add('mail');
  const pool = openQueuePool(database);
  stops.push(() => pool.end());
  const runner = await startRunner({ database, pool, log: silent }, { ...tasks, mail });
  stops.unshift(async () => {
    end();
    await runner.stop();
  });
  const queues = new Set(Object.values(queueOf));
  await vi.waitFor(() => expect(started.size).toBe(queues.size), waitOptions);
  await owner("SELECT graphile_worker.add_job('mail', '{}')");
  await vi.waitFor(() => expect(started).toContain('mail'), waitOptions);
});

test('however many mails wait for a mail server that hangs, payments find a place in the queue [RC-86]', async () => {
  const recipient = await customer();
  let hanging = 0;
  await start({
    send() {
      hanging++;
      return new Promise(() => {});
    },
  });
  for (let mails = 0; mails < 8; mails++) await order({ template: 'approved', personId: recipient.id });
  await vi.waitFor(() => expect(hanging).toBe(5), waitOptions);
  await owner("SELECT enqueue_payment_jobs('submit-payment', ARRAY[gen_random_uuid()])");
  const payments = "SELECT FROM graphile_worker.jobs WHERE task_identifier = 'submit-payment'";
  await vi.waitFor(async () => expect((await owner(payments)).rows).toEqual([]), waitOptions);
  // Still five: an attempt to send a mail fails only after a minute, and then the next mail gets its place.
  expect(hanging).toBe(5);
});

test('codes and request counts per email are deleted after a day, sessions after a month', async () => {
  const { id } = await customer();
  for (const age of ['1 minute', '2 days', '40 days']) {
    await owner(
      `INSERT INTO codes (id, person_id, purpose, code_hash, created_at, expires_at, superseded_at)
      VALUES ($1, $2, 'login', '\\x00', now() - $3::interval, now() - $3::interval, now())`,
      [newId(), id, age],
    );
    await owner(
      `INSERT INTO sessions (id, person_id, kind, expires_at, address, device, network)
      VALUES ($1, $2, 'customer', now() - $3::interval, '::1', '', '')`,
      [newId(), id, age],
    );
    await owner('INSERT INTO address_attempts (address_key, touched_at) VALUES ($1, now() - $2::interval)', [
      randomBytes(32),
      age,
    ]);
  }
  expect(await deleteExpired(bank.database)).toBe(2 + 1 + 2);
  expect(await deleteExpired(bank.database)).toBe(0);
});

test('only the newest session of a person who has not logged in for a long time is kept', async () => {
  const quiet = [newId(), newId(), newId()];
  await owner(
    `INSERT INTO sessions (id, person_id, kind, expires_at, address, device, network)
     SELECT gen_random_uuid(), p, 'customer', now() - interval '31 days' - n * interval '1 hour', '::1', n::text, ''
       FROM unnest($1::uuid[]) p, generate_series(1, 1500) n`,
    [quiet],
  );
  expect(await deleteExpired(bank.database)).toBe(3 * 1499);
  const kept = await owner<{ person_id: string; device: string }>('SELECT person_id, device FROM sessions');
  expect(kept.rows).toHaveLength(3);
  for (const id of quiet) expect(kept.rows).toContainEqual({ person_id: id, device: '1' });
});

test('the request counts that a flood left are deleted in batches, and deletion stops when the bank stops', async () => {
  const statements = vi.spyOn(bank.database, 'inTransaction');
  expect(await deleteExpired(bank.database)).toBe(0);
  const whenNothingExpired = statements.mock.calls.length;
  await owner(`INSERT INTO address_attempts (address_key, touched_at)
    SELECT sha256(n::text::bytea), now() - interval '2 days' FROM generate_series(1, 4500) n`);
  expect(await deleteExpired(bank.database, AbortSignal.abort())).toBe(0);
  statements.mockClear();
  expect(await deleteExpired(bank.database)).toBe(4500);
  expect(statements).toHaveBeenCalledTimes(whenNothingExpired + 2);
  statements.mockRestore();
});

describe('the clean-up of pictures', () => {
  let folder: string;
  let root: string;
  let files: FileStore;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'larkspur-orphans-'));
    root = join(folder, 'files');
    files = openFileStore(openFolderStore(folder), testKeys);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const cleanUp = () => cleanUpFiles({ database: bank.database, files });
  const isThere = async (name: string) => (await files.read(name)) !== undefined;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const inQuarantine = () => readdirSync(join(root, 'quarantine'));

  /** Stores pictures that were uploaded two hours ago. */
  async function storeOld(count: number): Promise<string[]> {
    const names = await Promise.all(
      Array.from({ length: count }, () => files.put(randomBytes(8), 'avatar', newId())),
    );
    const before = new Date(Date.now() - 2 * 3_600_000);
    for (const name of names) utimesSync(join(root, name.slice(7, 9), name), before, before);
    return names;
  }

  async function customersWith(names: string[]): Promise<void> {
    await owner(
      `WITH names AS (
         SELECT name, (200000000000 + n)::text AS number FROM unnest($1::text[]) WITH ORDINALITY AS u(name, n)
       ), accounts AS (
         INSERT INTO ledger_accounts (number) SELECT number FROM names RETURNING id, number
       )
       INSERT INTO customers (id, account_id, first_name, middle_name, last_name, gender, address, region, zip_code, email,
                              phone_number, avatar_file)
       SELECT gen_random_uuid(), a.id, '', '', '', '', '', '', '', name, '', name FROM names JOIN accounts a USING (number)`,
      [names],
    );
  }

  test('after an hour, quarantines a file that belongs to no customer, and after 30 more days deletes it [AC-29]', async () => {
    const [kept, orphan] = await storeOld(2);
    const young = await files.put(randomBytes(8), 'avatar', newId());
    const person = await customer();
    await owner('UPDATE customers SET avatar_file = $2 WHERE id = $1', [person.id, kept]);
    expect(await cleanUp()).toEqual({ moved: 1, deleted: 0 });
    expect(inQuarantine()).toEqual([orphan]);
    for (const name of [kept!, orphan!, young]) expect(await isThere(name)).toBe(true);
    utimesSync(join(root, 'quarantine', orphan!), daysAgo(29), daysAgo(29));
    expect(await cleanUp()).toEqual({ moved: 0, deleted: 0 });
    utimesSync(join(root, 'quarantine', orphan!), daysAgo(31), daysAgo(31));
    expect(await cleanUp()).toEqual({ moved: 0, deleted: 1 });
    expect(await isThere(orphan!)).toBe(false);
    for (const name of [kept!, young]) expect(await isThere(name)).toBe(true);
  });

  test('moves a file back out of quarantine if it belongs to a customer after all, as after a restore', async () => {
    const [orphan] = await storeOld(1);
    await cleanUp();
    const person = await customer();
    await owner('UPDATE customers SET avatar_file = $2 WHERE id = $1', [person.id, orphan]);
    expect(await isThere(orphan!)).toBe(true);
    utimesSync(join(root, 'quarantine', orphan!), daysAgo(31), daysAgo(31));
    expect(await cleanUp()).toEqual({ moved: 0, deleted: 0 });
    expect(inQuarantine()).toEqual([]);
    expect(await isThere(orphan!)).toBe(true);
  });

  test('moves nothing if more than five percent of the files, and more than ten, have no customer [AC-30]', async () => {
    const names = await storeOld(240);
    await customersWith(names.slice(13));
    await expect(cleanUp()).rejects.toThrow('13 of 240 stored pictures belong to no customer');
    for (const name of names) expect(await isThere(name)).toBe(true);
    await owner('UPDATE customers SET id_card_file = $1, id_card_at = now() WHERE email = $2', [
      names[0],
      names[13],
    ]);
    expect(await cleanUp()).toEqual({ moved: 12, deleted: 0 });
  });

  test("refuses a folder that belongs to another bank's database [AC-30]", async () => {
    const [orphan] = await storeOld(1);
    expect(await files.belongsTo(randomUUID())).toBe(true);
    await expect(cleanUp()).rejects.toThrow('names another database');
    expect(existsSync(join(root, 'quarantine'))).toBe(false);
    expect(await isThere(orphan!)).toBe(true);
  });
});

test('a message of the contact form is deleted after 13 months [AC-28]', async () => {
  await owner(`INSERT INTO contact_messages (id, name, email, subject, message, address, at)
    SELECT gen_random_uuid(), 'Iris', 'iris@mail.example', 'Hello', n::text, '::1', now() - n * interval '1 month'
      FROM unnest(ARRAY[1, 12, 14]) n`);
  expect(await deleteExpired(bank.database)).toBe(1);
  const left = await owner<{ message: string }>('SELECT message FROM contact_messages ORDER BY at');
  expect(left.rows.map(row => row.message)).toEqual(['12', '1']);
});

test('notifications are deleted after 13 months, read or unread, however many there are [AC-28]', async () => {
  const person = await customer();
  const now = Date.now();
  const monthsAgo = (months: number, n = 0) => {
    const at = new Date(now);
    at.setUTCMonth(at.getUTCMonth() - months);
    return firstIdAt(new Date(at.getTime() - n));
  };
  const old = Array.from({ length: 250 }, (_, n) => monthsAgo(14, n));
  const kept = [monthsAgo(12), newId()].sort();
  for (const readAt of ['NULL', 'now()'])
    await owner(
      `INSERT INTO notifications (account_id, id, kind, read_at)
       SELECT $1, id, 'frozen', ${readAt} FROM unnest($2::uuid[]) AS id`,
      [person.accountId, readAt === 'NULL' ? [...old.slice(125), kept[0]] : [...old.slice(0, 125), kept[1]]],
    );
  expect(await deleteOldNotifications(bank.database)).toBe(250);
  const left = await owner<{ id: string }>('SELECT id FROM notifications WHERE account_id = $1 ORDER BY id', [
    person.accountId,
  ]);
  expect(left.rows.map(row => row.id)).toEqual(kept);
});

test('on the last days of a month, no notification is deleted before it is 13 months old [AC-28]', async () => {
  const person = await customer();
  const at = new Date('2026-03-31T12:00:00Z');
  // 13 months before `at` is the last day of February.
  const [young, old] = ['2025-03-01', '2025-02-27'].map(day => firstIdAt(new Date(day)));
  await owner(
    `INSERT INTO notifications (account_id, id, kind) SELECT $1, id, 'frozen' FROM unnest($2::uuid[]) AS id`,
    [person.accountId, [young, old]],
  );
  expect(await deleteOldNotifications(bank.database, undefined, at)).toBe(1);
  const left = await owner<{ id: string }>('SELECT id FROM notifications WHERE account_id = $1', [
    person.accountId,
  ]);
  expect(left.rows).toEqual([{ id: young }]);
});

test('a refusal that was stored for its idempotency key is deleted after 30 days, and the database refuses to delete it earlier [AC-27]', async () => {
  await owner(`INSERT INTO refused_requests (key_hash, request_hash, outcome, at)
    SELECT gen_random_uuid(), gen_random_uuid(), 23, now() - n * interval '1 day' FROM unnest(ARRAY[29, 31, 400]) n`);
  for (const pool of [bank.database.pool, bank.database.ownerPool]) {
    await expect(pool.query('DELETE FROM refused_requests')).rejects.toThrow('insert-only');
    await expect(pool.query('UPDATE refused_requests SET at = now()')).rejects.toThrow(
      /insert-only|permission denied/,
    );
  }
  expect(await deleteExpiredRefusals(bank.database)).toBe(2);
  expect((await owner('SELECT FROM refused_requests')).rowCount).toBe(1);
});
