/**
 * Measures how long the bank takes to send 100,000 scheduled transfers that are due at once, half of them to other banks, and
 * how long a customer's own transfers take in the meantime. Fails if a goal is missed, or if other programs used the machine
 * just before.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '#server/base/uuid.ts';
import { readCommandLine, refuseCommandLine } from '#server/commands/commandLine.ts';
import { openServerDatabase } from '#server/db/migrate.ts';
import { openInbox } from '#server/outside/inbox.ts';
import { deriveSecrets } from '#server/secrets.ts';
import {
  addCustomers,
  appSecret,
  countMissed,
  environmentOf,
  fund,
  logIn,
  report,
  reportHead,
  say,
  startCluster,
  startServer,
} from './bank.ts';
import { becomesQuiet } from './quiet.ts';

const usage = `Usage: npm run bench:schedules [-- --schedules N]

Measures how long it takes to send 100,000 scheduled transfers that are due at once, and how long a customer's own
transfers take in the meantime. Takes about a minute. Run it after 6:00 AM in New York: before that, none are due. Fails
if a goal is missed, or if other programs used the machine just before.
  --schedules  how many to measure with (100,000 by default); with fewer, the goals prove nothing
`;
const { values } = readCommandLine(usage, { options: { schedules: { type: 'string', default: '100000' } } });
const schedules = Number(values.schedules);
if (!Number.isInteger(schedules) || schedules < 1) refuseCommandLine(usage, '--schedules must be 1 or more.');
const people = Math.max(2, Math.ceil(schedules / 5));
const pauseMs = 100;

const folder = mkdtempSync(join(tmpdir(), 'larkspur-schedules-'));
const cluster = await startCluster(folder);
const database = await openServerDatabase(cluster.connection, deriveSecrets(appSecret));
const owner = database.ownerPool;

say('Preparing the bank …');
const { ids, numbers } = await addCustomers(owner, people);
const [token] = await logIn(owner, 'customer', ids.slice(0, 1));
await fund(database, numbers);
await owner.query(
  `INSERT INTO scheduled_transfers (id, customer_id, account_id, bank_name, account_name, account_number, amount, description,
                                    start_date, frequency, next_date, request_hash)
   SELECT gen_random_uuid(), c.id, c.account_id, CASE WHEN g % 2 = 0 THEN '' ELSE 'Other Bank' END,
          CASE WHEN g % 2 = 0 THEN '' ELSE 'A Landlord' END,
          CASE WHEN g % 2 = 0 THEN ($1::text[])[1 + (g * 7 + 1) % $2] ELSE '987654321' END,
          100, 'rent', bank_day(now()), 'monthly', bank_day(now()), gen_random_uuid()
     FROM generate_series(1, $3::int) g JOIN customers c ON c.id = ($4::uuid[])[1 + g % $2]`,
  [numbers, people, schedules, ids],
);
await owner.query('TRUNCATE transfer_mails');
await owner.query('VACUUM ANALYZE');
await owner.query('CHECKPOINT');
const wasQuiet = await becomesQuiet();

const inbox = await openInbox();
const { url, server } = await startServer({
  ...environmentOf(cluster, join(folder, 'server')),
  SMTP_URL: inbox.smtpUrl,
});
const startedAt = performance.now();
const countDue = async () =>
  (
    await owner.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM scheduled_transfers WHERE next_date <= bank_day(now()) AND NOT is_paused',
    )
  ).rows[0]!.n;

async function sendOwn(): Promise<number> {
  const sentAt = performance.now();
  const answer = await fetch(`${url}/api/v1/user/transfer`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': newId(),
    },
    body: JSON.stringify({ receiverAccountNumber: numbers[1], amount: 1, description: 'own' }),
  });
  if (!answer.ok) throw new Error(`A transfer was answered with ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  return performance.now() - sentAt;
}

const waits: number[] = [];
for (let due = await countDue(); due > 0; due = await countDue()) {
  if (performance.now() - startedAt > 400_000) throw new Error(`${due} transfers are still due.`);
  for (let n = 0; n < 10; n++) {
    waits.push(await sendOwn());
    await sleep(pauseMs);
  }
}
const seconds = (performance.now() - startedAt) / 1000;
const sent = (
  await owner.query<{ n: number }>(`SELECT count(*)::int AS n FROM scheduled_runs WHERE result = 'sent'`)
).rows[0]!.n;
if (sent !== schedules) throw new Error(`${sent} of ${schedules} were sent.`);

const inOrder = waits.toSorted((a, b) => a - b);
if (!wasQuiet) say('Other programs used the machine before the measurement.');
reportHead();
report(`${schedules} scheduled transfers, seconds`, [seconds], { atMost: 120 }, 0);
report(`a customer's own transfer in the meantime, median of ${waits.length}, ms`, waits, undefined, 0);
report('the same, 99th percentile, ms', [inOrder[Math.floor(0.99 * (inOrder.length - 1))]!], undefined, 0);
report('the same, longest, ms', [inOrder.at(-1)!], { atMost: 300 }, 0);

server.kill('SIGTERM');
await once(server, 'exit');
await database.close();
await inbox.close();
await cluster.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(countMissed() === 0 && wasQuiet ? 0 : 1);
