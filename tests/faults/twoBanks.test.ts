/**
 * Two banks that settle with each other through the rail's files. A carrier moves each bank's files to the other bank: late,
 * out of order, some of them twice, some only when they are sent again. In every round both servers are killed at a random
 * moment while each bank's customers pay accounts at the other bank, some of which are closed or unknown there. In the end
 * every payment is settled or returned once, and each bank received exactly what the other sent.
 */
import { randomInt, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transferApi } from '#contract/transfer.ts';
import { type Database, openDatabase } from '#server/db/database.ts';
import { openEmbedded } from '#server/embedded/embedded.ts';
import { makeTokens, type Tokens } from '#server/http/tokens.ts';
import { compareFile } from '#server/jobs/railCompare.ts';
import { openLedger } from '#server/ledger/ledger.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { deriveSecrets } from '#server/secrets.ts';
import { closeForGood } from '../closeForGood.ts';
import { reportProgress } from '../faultRounds.ts';
import { creditCustomer, logInAgain, type SeededCustomer, seedCustomers } from '../seedCustomers.ts';
import {
  databasePid,
  removeFolder,
  run,
  type ServerProcess,
  type Settings,
  startServer,
  stopAll,
  testSettings,
} from '../serverProcess.ts';
import { eventually, waitLimitMs, waitUntil } from '../waiting.ts';
import { sendUntilAnswered } from './load.ts';

const rounds = Number(process.env.FAULT_ROUNDS ?? 1);
const paymentsPerRound = 60;
/** More than a customer sends in a thousand rounds. */
const startCents = 10_000_000_000n;
const customersOfBank = 8;

const root = mkdtempSync(join(tmpdir(), 'larkspur-two-banks-'));

type Bank = {
  name: string;
  settings: Settings;
  folder: string;
  server: ServerProcess;
  customers: SeededCustomer[];
  tokens: Tokens;
  /** The number of a closed account. */
  closedNumber: string;
};
let banks: [Bank, Bank];
const otherOf = (bank: Bank): Bank => banks.find(each => each !== bank)!;

/** Every payment that was sent, by its description. A payment that was not acknowledged may or may not be booked. */
const payments = new Map<
  string,
  { cents: bigint; to: string; isReturned: boolean; isAcknowledged: boolean }
>();
const acknowledgedBy = (bank: Bank) =>
  [...payments].filter(([, each]) => each.isAcknowledged && each.to !== bank.name);

async function openBank(
  [name, own, format]: readonly [string, string, string],
  [otherName, other]: readonly [string, string, string],
): Promise<Bank> {
  const folder = join(root, name);
  mkdirSync(folder);
  const directory = join(folder, 'banks.csv');
  writeFileSync(directory, `${other},${otherName}\n`);
  const settings = testSettings(folder, {
    ROUTING_NUMBER: own,
    RAIL_DIRECTORY: directory,
    RAIL_FORMAT: format,
    RAIL_DAY_SECONDS: '0.5',
  });
  const server = await startServer(settings);
  const appSecret = readFileSync(join(folder, 'secrets', 'app-secret'), 'utf8').trim();
  const tokens = makeTokens(deriveSecrets(appSecret));
  return await withDatabase(folder, async database => {
    const seeded = await seedCustomers(database, tokens, customersOfBank + 1);
    const [left, ...customers] = seeded as [SeededCustomer, ...SeededCustomer[]];
    await closeForGood(database, left.accountId);
    const ledger = openLedger(database);
    for (const customer of customers) await creditCustomer(ledger, customer, startCents);
    await ledger.close();
    return { name, settings, folder, server, customers, tokens, closedNumber: left.accountNumber };
  });
}

beforeAll(async () => {
  const [east, west] = [
    ['Larkspur East', '800000006', 'iso20022'],
    ['Larkspur West', '800000022', 'nacha'],
  ] as const;
  banks = [await openBank(east, west), await openBank(west, east)];
});

afterAll(async () => {
  await stopAll(banks.map(({ folder }) => folder));
  removeFolder(root);
});

async function withDatabase<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const { connection } = await openEmbedded({ dataDir });
  const database = openDatabase(connection, { size: 2 });
  return await work(database).finally(() => database.close());
}

const visible = (folder: string) => readdirSync(folder).filter(name => !name.endsWith('.draft'));

/**
 * Moves files from each bank to the other, until it is stopped and no file is waiting. Files are delayed and overtake others.
 * Some arrive twice, and some are lost the first time they are sent.
 */
function startCarrier() {
  const carried = { files: 0, again: 0 };
  const seen = new Set<string>();
  const waiting: { path: string; to: string; name: string; at: number }[] = [];
  let isStopped = false;

  function fetchFrom(bank: Bank): void {
    const [out, held, to] = [
      join(bank.folder, 'rail', 'out'),
      join(bank.folder, 'held'),
      join(otherOf(bank).folder, 'rail', 'in'),
    ];
    for (const each of [out, held, to]) mkdirSync(each, { recursive: true });
    for (const name of visible(out)) {
      const path = join(held, `${randomUUID()}-${name}`);
      const isLost = !seen.has(name) && seen.size % 5 === 1;
      seen.add(name);
      renameSync(join(out, name), path);
      if (isLost) continue;
      waiting.push({ path, to, name, at: Date.now() + randomInt(1_500) });
      // The first file always arrives twice, because a test without copies proves less.
      if (carried.again > 0 && randomInt(3) > 0) continue;
      const again = `${path}-again`;
      copyFileSync(path, again);
      carried.again++;
      waiting.push({ path: again, to, name, at: Date.now() + randomInt(3_000) });
    }
  }
  const working = (async () => {
    while (!isStopped || waiting.length > 0) {
      for (const bank of banks) fetchFrom(bank);
      for (const file of waiting.filter(({ at }) => at <= Date.now())) {
        waiting.splice(waiting.indexOf(file), 1);
        renameSync(file.path, join(file.to, file.name));
        carried.files++;
      }
      await sleep(20);
    }
  })();
  working.catch(() => {});
  return {
    carried,
    async stop() {
      isStopped = true;
      await working;
    },
  };
}

/** A customer pays an account at the other bank: every fifth is closed, every seventh unknown. */
async function pay(from: Bank, n: number): Promise<void> {
  const key = randomUUID();
  const to = otherOf(from);
  const [closed, unknown] = [n % 5 === 0, n % 7 === 0];
  const accountNumber = closed
    ? to.closedNumber
    : unknown
      ? '123456789015'
      : to.customers[n % to.customers.length]!.accountNumber;
  const payment = {
    cents: BigInt(100 + n),
    to: to.name,
    isReturned: closed || unknown,
    isAcknowledged: false,
  };
  payments.set(key, payment);
  const answer = await sendUntilAnswered(from.server.url, transferApi.sendExternal, {
    key,
    from: from.customers[n % from.customers.length]!,
    body: {
      bankName: to.name,
      accountName: 'Ines Caldeira',
      accountNumber,
      amount: Number(payment.cents) / 100,
      description: key,
    },
  }).catch(() => undefined);
  payment.isAcknowledged = answer?.status === 201;
}

type Booked = { id: string; key: string; status: string; amount: bigint; entries: string[]; answer: string };
/** The external transfers of a bank, with their entries and what the other bank answered. */
const readBooked = async ({ reader }: Database) =>
  (
    await sql<Booked>`
      SELECT t.id, t.description AS key, x.status, t.amount, x.return_reason AS answer,
             ARRAY(SELECT e.kind::text FROM journal_entries e WHERE e.transaction_id = t.id ORDER BY e.step) AS entries
        FROM transactions t JOIN external_transfers x ON x.transaction_id = t.id`.execute(reader)
  ).rows;

/** Waits until no payment is pending. Each answer restarts the time limit, because thousands of payments may be pending. */
async function waitForAnswers(database: Database): Promise<void> {
  for (let left = Number.POSITIVE_INFINITY; left > 0; )
    left = await waitUntil('a payment to be answered', waitLimitMs, async () => {
      // Jobs whose retry was delayed while the database was down become due now.
      await database.ownerPool.query(
        'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE attempts > 0 AND locked_at IS NULL AND run_at > now()',
      );
      await sleep(200);
      const booked = await readBooked(database);
      const pending = booked.filter(({ status }) => status === 'pending').length;
      return pending < left ? pending : undefined;
    });
}

const sum = (list: readonly { amount: bigint }[]) => list.reduce((total, { amount }) => total + amount, 0n);

test('two banks that are killed at random moments settle or return every payment between them once, even if files get lost [RF-24, RF-30]', async () => {
  const carrier = startCarrier();
  for (let round = 0; round < rounds; round++) {
    for (const { folder, tokens, customers } of banks)
      await withDatabase(folder, database => logInAgain(database, tokens, customers));
    const acknowledgedBefore = new Map(banks.map(bank => [bank, acknowledgedBy(bank).length]));
    const sending = Promise.all(
      Array.from({ length: paymentsPerRound }, async (_, n) => {
        await sleep(n * 50);
        await pay(banks[n % 2]!, round * paymentsPerRound + n);
      }),
    );
    await Promise.all(
      banks.map(async bank => {
        // Waits for a number of answers, not for a time, so that on a busy machine, too, the kill comes amid the payments.
        const enough = acknowledgedBefore.get(bank)! + randomInt(2, paymentsPerRound / 4);
        await eventually(() => acknowledgedBy(bank).length >= enough || undefined);
        await sleep(randomInt(500));
        process.kill(bank.server.pid, 'SIGKILL');
        // Sometimes its database dies with it.
        if (randomInt(3) === 0) process.kill(databasePid(bank.folder), 'SIGKILL');
        await bank.server.ended;
        bank.server = await startServer(bank.settings);
      }),
    );
    await sending;
    reportProgress(round + 1, rounds);
  }
  await Promise.all(banks.map(({ folder }) => withDatabase(folder, waitForAnswers)));
  await carrier.stop();
  expect(carrier.carried.again).toBeGreaterThan(0);

  const moved: Record<string, { sent: bigint; received: bigint }> = {};
  for (const bank of banks) {
    const { name, folder, settings } = bank;
    await withDatabase(folder, async database => {
      const booked = await readBooked(database);
      const known = booked.map(({ key }) => payments.get(key)!);
      expect(new Set(booked.map(({ key }) => key)).size).toBe(booked.length);
      const acknowledged = acknowledgedBy(bank);
      expect(acknowledged.length).toBeGreaterThan(rounds);
      expect(acknowledged.filter(([key]) => !booked.some(each => each.key === key))).toEqual([]);
      expect(
        booked.map(({ status, amount, entries, answer }) => ({ status, amount, entries, answer })),
      ).toEqual(
        known.map(({ cents, isReturned }) => ({
          amount: cents,
          status: isReturned ? 'failed' : 'completed',
          entries: ['post', isReturned ? 'return' : 'settle'],
          answer: isReturned
            ? expect.stringMatching(
                /^(The account is closed \((AC04|R02)\)|The other bank doesn’t know this account)$/,
              )
            : null,
        })),
      );
      const received = await sql<{ amount: bigint }>`
        SELECT amount FROM transactions WHERE type = 'deposit'`.execute(database.reader);
      const clearing = await sql<{ balance: bigint }>`
        SELECT balance FROM ledger_accounts WHERE kind = 'clearing'`.execute(database.reader);
      expect(clearing.rows).toEqual([{ balance: 0n }]);
      // A file that arrives twice is applied only once, so the staff have no exceptions to resolve.
      const exceptions = await sql`SELECT reason FROM rail_exceptions`.execute(database.reader);
      expect(exceptions.rows).toEqual([]);
      const refused = await sql`SELECT reason FROM rail_files WHERE state = 'refused'`.execute(
        database.reader,
      );
      expect(refused.rows).toEqual([]);
      expect((await verifyBooks(database.reader, { compareFile })).faults).toEqual([]);
      const verified = await run('npm', ['run', 'ledger', '--', 'verify'], settings);
      expect(verified.code, verified.output).toBe(0);
      moved[name] = {
        sent: sum(booked.filter(({ status }) => status === 'completed')),
        received: sum(received.rows),
      };
    });
  }
  const [east, west] = banks.map(({ name }) => moved[name]!) as [
    (typeof moved)[string],
    (typeof moved)[string],
  ];
  expect(east.sent).toBeGreaterThan(0n);
  expect([west.received, east.received]).toEqual([east.sent, west.sent]);
});
