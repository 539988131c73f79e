/**
 * Crash recovery of external and scheduled transfers: two servers share one database and its jobs. In every round one server is
 * killed at a random moment, in the last round together with the database. In the end every acknowledged external transfer is
 * settled or returned exactly once, as its account number determines, and its sender gets one notification of that. Every date
 * of a scheduled transfer is paid once.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transferApi } from '#contract/transfer.ts';
import { type Database, openDatabase } from '#server/db/database.ts';
import { openEmbedded } from '#server/embedded/embedded.ts';
import { makeTokens } from '#server/http/tokens.ts';
import { compareFile } from '#server/jobs/railCompare.ts';
import { openLedger } from '#server/ledger/ledger.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { type Inbox, openInbox } from '#server/outside/inbox.ts';
import { deriveSecrets } from '#server/secrets.ts';
import { creditCustomer, type SeededCustomer, seedCustomers } from '../seedCustomers.ts';
import {
  databasePid,
  databaseUrl,
  removeFolder,
  type ServerProcess,
  type Settings,
  startServer,
  stopAll,
  testSettings,
} from '../serverProcess.ts';
import { becomesReady, eventually, waitLimitMs, waitUntil } from '../waiting.ts';
import { sendUntilAnswered } from './load.ts';

/** Settlement takes 0.6 to 1.4 seconds, so that some transfers are due at the moment of every kill. */
const daySeconds = '0.2';
const startDollars = 10_000n;
const transfersPerRound = 60;

const folder = mkdtempSync(join(tmpdir(), 'larkspur-settlement-'));
const dataDir = join(folder, 'first');
/** The first process embeds the database, the second uses it through DATABASE_URL as in production. */
const first = testSettings(dataDir, { RAIL_DAY_SECONDS: daySeconds });
let second: Settings;
let servers: [ServerProcess, ServerProcess];
let inbox: Inbox;
let customers: SeededCustomer[];
/** Every sent transfer by key. A transfer that was not acknowledged may or may not be booked. */
const sentByKey = new Map<
  string,
  { from: SeededCustomer; cents: bigint; isReturned: boolean; isAcknowledged: boolean }
>();

beforeAll(async () => {
  const one = await startServer(first);
  inbox = await openInbox();
  const { connection } = await openEmbedded({ dataDir });
  const appSecret = readFileSync(join(dataDir, 'secrets', 'app-secret'), 'utf8').trim();
  second = testSettings(join(folder, 'second'), {
    ADMIN_SECOND_FACTOR: 'offered',
    DATABASE_URL: databaseUrl(connection),
    APP_SECRET: appSecret,
    PUBLIC_URL: 'https://bank.example',
    SMTP_URL: inbox.smtpUrl,
    RAIL_DAY_SECONDS: daySeconds,
  });
  servers = [one, await startServer(second)];
  customers = await withDatabase(async bank => {
    const seeded = await seedCustomers(bank, makeTokens(deriveSecrets(appSecret)), 12);
    const ledger = openLedger(bank);
    for (const customer of seeded) await creditCustomer(ledger, customer, startDollars * 100n);
    await ledger.close();
    return seeded;
  });
});

afterAll(async () => {
  await stopAll([dataDir]);
  await inbox.close();
  removeFolder(folder);
});

async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const { connection } = await openEmbedded({ dataDir });
  const database = openDatabase(connection, { size: 2 });
  return await work(database).finally(() => database.close());
}

/** Sends one transfer to another bank. Every third transfer goes to an account number that the other bank rejects. */
async function sendTransfer(server: ServerProcess, n: number): Promise<void> {
  const key = randomUUID();
  const from = customers[n % customers.length]!;
  const cents = BigInt(100 + n);
  const isReturned = n % 3 === 0;
  const transfer = { from, cents, isReturned, isAcknowledged: false };
  sentByKey.set(key, transfer);
  const body = {
    bankName: 'First Harbour',
    accountName: 'Ines Caldeira',
    accountNumber: isReturned ? '73120840000' : '40218836117',
    amount: Number(cents) / 100,
    description: key,
  };
  const answer = await sendUntilAnswered(server.url, transferApi.sendExternal, { key, from, body }).catch(
    () => undefined,
  );
  transfer.isAcknowledged = answer?.status === 201;
}

type BookedTransfer = {
  key: string;
  status: string;
  amount: bigint;
  entries: string[];
  notifications: string[];
  sender: bigint;
};

/** Returns every external transfer with its journal entries and notifications. */
async function readBooked({ reader }: Database): Promise<BookedTransfer[]> {
  const found = await sql<BookedTransfer>`
    SELECT t.description AS key, x.status, t.amount, t.sender_account AS sender,
           ARRAY(SELECT e.kind::text FROM journal_entries e WHERE e.transaction_id = t.id ORDER BY e.step) AS entries,
           ARRAY(SELECT n.kind FROM newest_notifications(t.sender_account, 100000) n
                  WHERE n.transaction_id = t.id ORDER BY n.id) AS notifications
      FROM transactions t JOIN external_transfers x ON x.transaction_id = t.id`.execute(reader);
  return found.rows;
}

const acknowledged = () => [...sentByKey].filter(([, { isAcknowledged }]) => isAcknowledged);

async function restart(which: 0 | 1): Promise<void> {
  servers[which] = await startServer(which === 0 ? first : second);
}

/**
 * The processes killed in each round. The first server restarts a killed database. When that server is restarted itself, it
 * takes over the running database.
 */
const rounds: { victims: () => number[]; recover: () => Promise<void> }[] = [
  {
    // The second server.
    victims: () => [servers[1].pid],
    recover: () => restart(1),
  },
  {
    // The first server.
    victims: () => [servers[0].pid],
    recover: () => restart(0),
  },
  {
    // The second server and the database.
    victims: () => [servers[1].pid, databasePid(dataDir)],
    recover: () => restart(1),
  },
];

test('after any kill, every transfer to another bank is settled or returned once, and its sender is notified of that once', async () => {
  for (const [round, { victims, recover }] of rounds.entries()) {
    const enough = acknowledged().length + randomInt(2, transfersPerRound / 4);
    const sending = Promise.all(
      Array.from({ length: transfersPerRound }, async (_, n) => {
        await sleep(n * 25);
        await sendTransfer(servers[n % 2]!, round * transfersPerRound + n);
      }),
    );
    // Waits for a number of answers, not for a time, so that on a busy machine, too, the kill comes amid the transfers.
    await withDatabase(database =>
      eventually(async () => {
        if (acknowledged().length < enough) return undefined;
        return (await readBooked(database)).some(({ status }) => status === 'pending') || undefined;
      }),
    );
    for (const pid of victims()) process.kill(pid, 'SIGKILL');
    await sending;
    await recover();
    for (const server of servers) await becomesReady(server.url);
  }
  // In two of the rounds the surviving server acknowledges its half of the transfers.
  expect(acknowledged().length).toBeGreaterThan(transfersPerRound / 2);

  await withDatabase(async database => {
    await waitUntil('every transfer to be decided', waitLimitMs, async () => {
      // Jobs whose retry was delayed while the database was down become due now.
      await database.ownerPool.query(
        'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE attempts > 0 AND locked_at IS NULL AND run_at > now()',
      );
      await sleep(250);
      return (await readBooked(database)).every(({ status }) => status !== 'pending') ? true : undefined;
    });
    const booked = await readBooked(database);
    expect(new Set(booked.map(({ key }) => key)).size).toBe(booked.length);
    expect(acknowledged().filter(([key]) => !booked.some(transfer => transfer.key === key))).toEqual([]);
    const spent = new Map<bigint, bigint>();
    for (const { key, sender, ...transfer } of booked) {
      const { cents, isReturned } = sentByKey.get(key)!;
      expect(transfer).toEqual({
        amount: cents,
        status: isReturned ? 'failed' : 'completed',
        entries: ['post', isReturned ? 'return' : 'settle'],
        notifications: ['money-sent', isReturned ? 'external-returned' : 'external-settled'],
      });
      if (!isReturned) spent.set(sender, (spent.get(sender) ?? 0n) + cents);
    }
    const balances = await sql<{ id: bigint; balance: bigint }>`
      SELECT id, balance FROM ledger_accounts WHERE kind IN ('customer', 'clearing')`.execute(
      database.reader,
    );
    for (const { id, balance } of balances.rows)
      expect(balance, `account ${id}`).toBe(id === 2n ? 0n : startDollars * 100n - (spent.get(id) ?? 0n));
    expect((await verifyBooks(database.reader, { compareFile })).faults).toEqual([]);
  });
});

test('scheduled transfers are paid once for each date, even if the servers are killed after posting and before recording them [SC-06]', async () => {
  const [from, to] = customers as [SeededCustomer, SeededCustomer];
  const count = 20;
  await withDatabase(async ({ ownerPool }) => {
    const numberOf = async (query: string) => (await ownerPool.query<{ n: number }>(query)).rows[0]!.n;
    const posted = () =>
      numberOf("SELECT count(*)::int AS n FROM transactions WHERE description = 'Paid before a kill'");
    const recorded = () => numberOf("SELECT count(*)::int AS n FROM scheduled_runs WHERE result = 'sent'");
    const lock = await ownerPool.connect();
    try {
      // Recording results waits for this lock. Posting transfers does not.
      await lock.query('BEGIN; LOCK TABLE scheduled_runs IN SHARE MODE');
      await ownerPool.query(
        `INSERT INTO scheduled_transfers (id, customer_id, account_id, account_number, amount, description, start_date, frequency,
                                          next_date, request_hash)
         SELECT gen_random_uuid(), $1, $2, $3, 100, 'Paid before a kill', bank_day(now()) - 1, 'once', bank_day(now()) - 1, gen_random_uuid()
           FROM generate_series(1, ${count})`,
        [from.customerId, from.accountId, to.accountNumber],
      );
      await waitUntil('the transfers', waitLimitMs, async () => (await posted()) === count || undefined);
      for (const { pid } of servers) process.kill(pid, 'SIGKILL');
      expect(await recorded()).toBe(0);
    } finally {
      await lock.query('ROLLBACK');
      lock.release();
    }
    await restart(0);
    await waitUntil('the results', waitLimitMs, async () => (await recorded()) === count || undefined);
    expect(await posted()).toBe(count);
  });
});
