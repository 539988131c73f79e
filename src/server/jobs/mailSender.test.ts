/**
 * The sender of transfer mails as a process of its own: how much processor time it takes, and what is lost when it is killed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { seedLongHistory } from '../../../tests/longHistory.ts';
import type { MailSenderTask } from '../../../tests/mailSender.ts';
import { eventually } from '../../../tests/waiting.ts';

const transactions = 800;
/** At a kill, fewer mails than this have arrived but are not recorded: up to 24 being sent and 64 that were accepted. */
const maxUnrecordedAtKill = 100;

let books: TestDatabase;
/** The Message-IDs that arrived, in order, and the bytes of all mails. */
let arrived: string[];
let bytes: number;
/** The number of transfers in each summary that arrived, by Message-ID. */
let summaries: Map<string, number>;
/** The receiver accepts this many mails and leaves the others without an answer. */
let maxAccepted: number;

const receiver = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onData(stream, _session, answer) {
    let mail = '';
    stream.setEncoding('latin1');
    stream.on('data', (part: string) => {
      mail += part;
    });
    stream.on('end', () => {
      const id = /^Message-ID: <([^>@]+)/m.exec(mail)![1]!;
      if (id !== 'control') {
        arrived.push(id);
        bytes += mail.length;
        const listed = /^Subject: (\d+) transfers/m.exec(mail)?.[1];
        if (listed !== undefined) summaries.set(id, Number(listed));
      }
      if (arrived.length <= maxAccepted) answer();
    });
  },
});
receiver.on('error', () => {});

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver.server, 'listening');
  books = await cloneDatabase();
  await seedLongHistory(books, transactions, 10);
  await books.database.ownerPool.query(
    `INSERT INTO customers (id, account_id, first_name, middle_name, last_name, gender, address, region, zip_code, email, phone_number)
     SELECT gen_random_uuid(), id, 'Nell', '', 'Number' || id, 'female', 'a', 'b', 'c', 'nell' || id || '@crowd.example', '2125550100'
       FROM ledger_accounts WHERE kind = 'customer'`,
  );
});
afterAll(async () => {
  await new Promise<void>(resolve => receiver.close(() => resolve()));
  await books.drop();
});

beforeEach(async () => {
  arrived = [];
  bytes = 0;
  summaries = new Map();
  maxAccepted = Number.POSITIVE_INFINITY;
  // Eight transactions per row, as a busy bank posts them. With `tries` = 1 the rows count as deferred, and deferred mails are
  // sent one by one instead of in a summary.
  await books.database.ownerPool.query(
    `INSERT INTO transfer_mails (transaction_ids, step, tries)
     SELECT array_agg(id ORDER BY n), 1, 1
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM transactions) t GROUP BY n / 8`,
  );
});

/** Starts the sender in a process of its own, which ends when everything is sent. `result` resolves to its output. */
function startSender(control: Pick<MailSenderTask, 'controlMails' | 'controlBytes'>) {
  const { port } = receiver.server.address() as AddressInfo;
  const task = { ...control, connection: books.connection, smtpUrl: `smtp://127.0.0.1:${port}` };
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../../tests/mailSender.ts', import.meta.url)), JSON.stringify(task)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', data => {
    output += data;
  });
  return { child, result: once(child, 'close').then(() => output) };
}

test('making and sending a mail takes less than three times the CPU time of sending a ready-made mail of the same size [M-44]', async () => {
  const controlMails = 1_000;
  const { result } = startSender({ controlMails, controlBytes: 11_400 });
  const { controlMicros, mailMicros } = JSON.parse(await result) as Record<string, number>;
  expect(new Set(arrived).size).toBe(arrived.length);
  expect(arrived.length).toBeGreaterThan(transactions);
  expect(bytes / arrived.length).toBeGreaterThan(9_000);
  const ratio = mailMicros! / arrived.length / (controlMicros! / controlMails);
  expect(ratio).toBeLessThan(3);
});

/** Waits for PostgreSQL, which may still finish the last statement of a killed process. */
const untilStatementsEnd = () =>
  eventually(async () => {
    const { rowCount } = await books.database.ownerPool.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user AND application_name = 'larkspur pool'`,
    );
    return rowCount === 0 ? true : undefined;
  });

/** The Message-IDs whose mails are not recorded as sent. `mailed` holds mails by `PartyMail.index`. */
async function listUnrecorded(): Promise<Set<string>> {
  const { rows } = await books.database.ownerPool.query<{ id: string }>(
    `SELECT 'money-' || u.id || '-' || side.name AS id
       FROM transfer_mails m, unnest(m.transaction_ids) WITH ORDINALITY AS u(id, ord),
            (VALUES (0, 'out'), (1, 'in')) AS side(n, name)
      WHERE NOT m.mailed @> ARRAY[(u.ord * 2 + side.n)::int]`,
  );
  return new Set(rows.map(row => row.id));
}

test('when the sender is killed, every mail still arrives, and only those in flight arrive twice [M-45]', async () => {
  const all = await listUnrecorded();
  const allowed = new Map<string, number>();
  for (const kill of [1, 2, 3]) {
    const before = arrived.length;
    const { child, result } = startSender({ controlMails: 0, controlBytes: 0 });
    await eventually(() => (arrived.length > before + 150 ? true : undefined));
    child.kill('SIGKILL');
    await result;
    await untilStatementsEnd();
    const unrecorded = await listUnrecorded();
    // Counts only mails that arrived since this start, because those of an earlier kill may still be unrecorded.
    const unrecordedNow = [...new Set(arrived.slice(before))].filter(id => unrecorded.has(id));
    expect(unrecordedNow.length, `kill ${kill}`).toBeLessThan(maxUnrecordedAtKill);
    for (const id of unrecordedNow) allowed.set(id, (allowed.get(id) ?? 0) + 1);
    // Ends the lease of the killed process, so that the next sender can claim its rows.
    await books.database.ownerPool.query('UPDATE transfer_mails SET due_at = now()');
  }
  await startSender({ controlMails: 0, controlBytes: 0 }).result;
  expect(await listUnrecorded()).toEqual(new Set());
  const counts = new Map<string, number>();
  for (const id of arrived) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [id, count] of counts) expect(count, id).toBeLessThanOrEqual(1 + (allowed.get(id) ?? 0));
  // Each sender, and each receiver of a credit, got a mail; receivers of transfers may get none. No other mail arrived.
  const { rows } = await books.database.ownerPool.query<{ id: string }>(
    `SELECT 'money-' || id || CASE WHEN type = 'admin-credit' THEN '-in' ELSE '-out' END AS id FROM transactions`,
  );
  expect(rows.filter(({ id }) => !counts.has(id))).toEqual([]);
  expect([...counts.keys()].filter(id => !all.has(id))).toEqual([]);
});

test('when the sender is killed, each waiting mail is in exactly one summary, and only summaries sent before the kill arrive twice [NP-06]', async () => {
  const run = (text: string) => books.database.ownerPool.query(text);
  const countWaiting = async () => (await run('SELECT FROM summary_mails')).rowCount ?? 0;
  await run('UPDATE transfer_mails SET tries = 0');
  const moving = startSender({ controlMails: 0, controlBytes: 0 });
  await eventually(async () => ((await countWaiting()) > 0 ? true : undefined));
  moving.child.kill('SIGKILL');
  await moving.result;
  await untilStatementsEnd();
  await run('UPDATE transfer_mails SET due_at = now()');
  await startSender({ controlMails: 0, controlBytes: 0 }).result;
  expect((await run('SELECT FROM transfer_mails')).rowCount).toBe(0);
  const moved = await countWaiting();
  // Each transaction has a mail, and a transfer between customers has two. Every account has enough mails for a summary.
  expect(moved).toBeGreaterThan(transactions);
  expect(arrived).toEqual([]);

  maxAccepted = 3;
  await run('UPDATE summary_mails SET due_at = now()');
  const sending = startSender({ controlMails: 0, controlBytes: 0 });
  await eventually(() => (arrived.length > 5 ? true : undefined));
  sending.child.kill('SIGKILL');
  await sending.result;
  await untilStatementsEnd();
  maxAccepted = Number.POSITIVE_INFINITY;
  const [before, left] = [arrived.length, await countWaiting()];
  expect(left).toBeGreaterThan(0);
  await run('UPDATE summary_mails SET due_at = now()');
  await startSender({ controlMails: 0, controlBytes: 0 }).result;
  expect(await countWaiting()).toBe(0);
  expect([...summaries.values()].reduce((sum, listed) => sum + listed, 0)).toBe(moved);
  // A mail that was sent again has the Message-ID of the first attempt.
  expect(new Set(arrived).size).toBe(summaries.size);
  expect(arrived.length - summaries.size).toBeLessThanOrEqual(before);
});
