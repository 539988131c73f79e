/**
 * The plug is pulled while money is on its way to other banks: two server processes share one database and its jobs, and
 * in every round one of them, the database, or both are killed at a moment nobody chose. In the end every transfer that
 * was acknowledged is decided, once, as its account number says, and its sender was told once.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transferApi } from '#contract/transfer.ts';
import { newId } from '#server/base/uuid.ts';
import { type Database, openDatabase } from '#server/db/database.ts';
import { openEmbedded } from '#server/embedded/embedded.ts';
import { makeTokens } from '#server/http/tokens.ts';
import { openLedger } from '#server/ledger/ledger.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { type Inbox, openInbox } from '#server/outside/inbox.ts';
import { deriveSecrets } from '#server/secrets.ts';
import { type SeededCustomer, seedCustomers } from '../seedCustomers.ts';
import {
  databasePid,
  endAll,
  ownSettings,
  type ServerProcess,
  type Settings,
  startServer,
  until,
} from '../serverProcess.ts';
import { waitLimitMs } from '../waiting.ts';
import { send } from './load.ts';

/** Transfers take 0.6 to 1.4 seconds, so that every kill meets some that are due in that moment. */
const daySeconds = '0.2';
const startDollars = 10_000n;
const perRound = 60;

const folder = mkdtempSync(join(tmpdir(), 'larkspur-settlement-'));
const dataDir = join(folder, 'first');
/** One process embeds the database, the other uses it as production does. */
const first = ownSettings(dataDir, { RAIL_DAY_SECONDS: daySeconds });
let second: Settings;
let servers: [ServerProcess, ServerProcess];
let inbox: Inbox;
let members: SeededCustomer[];
/** What was pressed, by key; those that got no answer are not known to have been sent. */
const pressed = new Map<
  string,
  { from: SeededCustomer; cents: bigint; isReturned: boolean; isAcknowledged: boolean }
>();

beforeAll(async () => {
  const one = await startServer(first);
  inbox = await openInbox();
  const { connection } = await openEmbedded({ dataDir });
  const { host, port, user, password, database } = connection;
  const appSecret = readFileSync(join(dataDir, 'secrets', 'app-secret'), 'utf8').trim();
  second = ownSettings(join(folder, 'second'), {
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    APP_SECRET: appSecret,
    PUBLIC_URL: 'https://bank.example',
    SMTP_URL: inbox.smtpUrl,
    RAIL_DAY_SECONDS: daySeconds,
  });
  servers = [one, await startServer(second)];
  members = await withDatabase(async bank => {
    const gathered = await seedCustomers(bank, makeTokens(deriveSecrets(appSecret)), 12);
    const ledger = openLedger(bank, connection);
    const credit = {
      adminId: newId(),
      sessionId: null,
      amountCents: startDollars * 100n,
      description: '',
      address: '::1',
    };
    await Promise.all(gathered.map(({ accountNumber }) => ledger.credit({ ...credit, accountNumber })));
    await ledger.close();
    return gathered;
  });
});

afterAll(async () => {
  await endAll([dataDir]);
  await inbox.close();
  rmSync(folder, { recursive: true, force: true });
});

async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const { connection } = await openEmbedded({ dataDir });
  const database = openDatabase(connection, 2);
  return await work(database).finally(() => database.close());
}

/** Sends one transfer to another bank; every third will be returned. */
async function press(server: ServerProcess, n: number): Promise<void> {
  const key = randomUUID();
  const from = members[n % members.length]!;
  const cents = BigInt(100 + n);
  const isReturned = n % 3 === 0;
  const one = { from, cents, isReturned, isAcknowledged: false };
  pressed.set(key, one);
  const body = {
    bankName: 'First Harbour',
    accountName: 'Ines Caldeira',
    accountNumber: isReturned ? '73120840000' : '40218836117',
    amount: Number(cents) / 100,
    description: key,
  };
  const answer = await send(server.url, transferApi.sendExternal, { key, from, body }).catch(() => undefined);
  one.isAcknowledged = answer?.status === 201;
}

type Sent = {
  key: string;
  status: string;
  amount: bigint;
  entries: string[];
  told: string[];
  sender: bigint;
};

/** Every external transfer with all that was booked and told of it. */
async function readSent({ reader }: Database): Promise<Sent[]> {
  const found = await sql<Sent>`
    SELECT t.description AS key, x.status, t.amount, t.sender_account AS sender,
           ARRAY(SELECT e.kind::text FROM journal_entries e WHERE e.transaction_id = t.id ORDER BY e.step) AS entries,
           ARRAY(SELECT n.kind FROM notifications n WHERE n.transaction_id = t.id ORDER BY n.id) AS told
      FROM transactions t JOIN external_transfers x ON x.transaction_id = t.id`.execute(reader);
  return found.rows;
}

async function startAgain(which: 0 | 1): Promise<void> {
  servers[which] = await startServer(which === 0 ? first : second);
}

/** Who is killed in each round; the first server restarts the database, and takes it over when it comes back itself. */
const rounds: { name: string; victims: () => number[]; recover: () => Promise<void> }[] = [
  {
    name: 'the second server',
    victims: () => [servers[1].pid],
    recover: () => startAgain(1),
  },
  {
    name: 'the first server',
    victims: () => [servers[0].pid],
    recover: () => startAgain(0),
  },
  {
    name: 'the second server and the database',
    victims: () => [servers[1].pid, databasePid(dataDir)],
    recover: () => startAgain(1),
  },
];

test('whoever is killed, every transfer to another bank is settled or returned once, and its sender told once', async () => {
  for (const [round, { name, victims, recover }] of rounds.entries()) {
    const sending = Promise.all(
      Array.from({ length: perRound }, async (_, n) => {
        await sleep(n * 25);
        await press(servers[n % 2]!, round * perRound + n);
      }),
    );
    await sleep(400 + Math.random() * 1_000);
    for (const pid of victims()) process.kill(pid, 'SIGKILL');
    await sending;
    await recover();
    for (const server of servers)
      await until(`a ready bank after ${name} was killed`, waitLimitMs, async () =>
        (await fetch(`${server.url}/readyz`).catch(() => undefined))?.ok ? true : undefined,
      );
  }
  const acknowledged = [...pressed].filter(([, { isAcknowledged }]) => isAcknowledged);
  // In two of the rounds the server that lives answers its half.
  expect(acknowledged.length).toBeGreaterThan(perRound / 2);

  await withDatabase(async database => {
    await until('every transfer to be decided', waitLimitMs, async () => {
      // Nobody wants to wait for a try that was put off because the database was away.
      await database.ownerPool.query(
        'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE attempts > 0 AND locked_at IS NULL AND run_at > now()',
      );
      await sleep(250);
      return (await readSent(database)).every(({ status }) => status !== 'pending') ? true : undefined;
    });
    const sent = await readSent(database);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length);
    expect(acknowledged.filter(([key]) => !sent.some(one => one.key === key))).toEqual([]);
    const spent = new Map<bigint, bigint>();
    for (const { key, sender, ...one } of sent) {
      const { cents, isReturned } = pressed.get(key)!;
      expect(one).toEqual({
        amount: cents,
        status: isReturned ? 'failed' : 'completed',
        entries: ['post', isReturned ? 'return' : 'settle'],
        told: ['money-sent', isReturned ? 'external-returned' : 'external-settled'],
      });
      if (!isReturned) spent.set(sender, (spent.get(sender) ?? 0n) + cents);
    }
    const balances = await sql<{ id: bigint; balance: bigint }>`
      SELECT id, balance FROM ledger_accounts WHERE kind IN ('customer', 'clearing')`.execute(
      database.reader,
    );
    for (const { id, balance } of balances.rows)
      expect(balance, `account ${id}`).toBe(id === 2n ? 0n : startDollars * 100n - (spent.get(id) ?? 0n));
    expect((await verifyBooks(database.reader)).faults).toEqual([]);
  });
});
