/**
 * The plug is pulled while customers send money: the server process and the database, each killed without warning in the
 * middle of the work. Whoever was told "done" finds it done, once; whoever was told nothing asks again and finds out.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { type Database, openDatabase } from '#server/db/database.ts';
import { openEmbedded } from '#server/embedded/embedded.ts';
import { isAlive } from '#server/embedded/processes.ts';
import { makeTokens } from '#server/http/tokens.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { deriveSecrets } from '#server/secrets.ts';
import { type SeededCustomer, seedCustomers } from '../seedCustomers.ts';
import {
  databasePid,
  endAll,
  firstAdmin,
  ownSettings,
  type ServerProcess,
  startServer,
  until,
} from '../serverProcess.ts';
import { waitLimitMs } from '../waiting.ts';
import { checkBooks, readBookedTransfers } from './checkBooks.ts';
import { type Load, press, type Remembered, startLoad } from './load.ts';

const rounds = Number(process.env.CRASH_ROUNDS ?? 5);
const customers = 24;
/** The promise of docs/performance.md, for a bank that shares its machine with nobody. */
const recoveryMs = 10_000;
/** The promise for a stop. */
const stopMs = 10_000;
/** Rounds beyond these show nothing new, but the luck that a trial needs. */
const moreRounds = 15;

const dataDir = mkdtempSync(join(tmpdir(), 'larkspur-crash-'));
let server: ServerProcess;
let members: SeededCustomer[];
/** Every press of every round. */
const everything = new Map<string, Remembered>();

beforeAll(async () => {
  server = await startServer(ownSettings(dataDir));
  const appSecret = readFileSync(join(dataDir, 'secrets', 'app-secret'), 'utf8').trim();
  members = await withDatabase(database =>
    seedCustomers(database, makeTokens(deriveSecrets(appSecret)), customers * 2),
  );
  const login = await post(adminApi.adminLogin.path, firstAdmin);
  const { token } = (login.data as { token: string }) ?? {};
  for (const { accountNumber } of members) {
    const credit = { userAccountNumber: accountNumber, amount: 10_000, description: 'start' };
    expect((await post(adminApi.credit.path, credit, token)).success).toBe(true);
  }
});

afterAll(async () => {
  await endAll([dataDir]);
  rmSync(dataDir, { recursive: true, force: true });
});

async function post(path: string, body: unknown, token = ''): Promise<{ success: boolean; data?: unknown }> {
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as { success: boolean; data?: unknown };
}

/** Opens the bank's own database, as it is now. */
async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const { connection } = await openEmbedded({ dataDir });
  const database = openDatabase(connection, 4);
  return await work(database).finally(() => database.close());
}

type Kill = { inFlight: number; at: number };

/** Waits for the work to be in full swing, then kills processes at a moment nobody chose. */
async function killUnderLoad(load: Load, pids: number[], signal: NodeJS.Signals = 'SIGKILL'): Promise<Kill> {
  const before = load.acknowledged();
  await until('customers to be served', waitLimitMs, () =>
    load.acknowledged() > before + 50 ? true : undefined,
  );
  await sleep(Math.random() * 300);
  await until('enough to be under way', waitLimitMs, () => (load.inFlight() >= 16 ? true : undefined));
  const kill = { inFlight: load.inFlight(), at: Date.now() };
  for (const pid of pids) process.kill(pid, signal);
  return kill;
}

/** Asks about every press again that nobody was told the end of. Gives how many of them had been booked unseen. */
async function askAgain(load: Load): Promise<{ unknown: number; unseen: number }> {
  const open = [...load.presses.values()].filter(({ told }) => told.kind === 'unknown');
  const booked = new Set(
    (await withDatabase(({ reader }) => readBookedTransfers(reader))).map(({ key }) => key),
  );
  await Promise.all(
    open.map(async remembered => {
      remembered.told = await until('a true answer', waitLimitMs, async () => {
        const told = await press(server.url, remembered);
        return told.kind === 'acknowledged' || told.kind === 'refused' ? told : undefined;
      });
    }),
  );
  for (const remembered of load.presses.values()) everything.set(remembered.key, remembered);
  return {
    unknown: [...load.presses.values()].filter(({ wasUnknown }) => wasUnknown).length,
    unseen: open.filter(({ key }) => booked.has(key)).length,
  };
}

/** What must be true after each kill: the customers' memory, the books' own proofs, and replies that do not change. */
async function expectNothingLostOrDoubled(load: Load): Promise<void> {
  const { booked, verdict } = await withDatabase(async ({ reader }) => ({
    booked: await readBookedTransfers(reader),
    verdict: await verifyBooks(reader),
  }));
  expect(checkBooks(everything.values(), booked)).toEqual([]);
  expect(verdict.faults).toEqual([]);
  expect(verdict.checked.transactions).toBe(booked.length + members.length);
  const some = [...load.presses.values()].slice(-20);
  for (const remembered of some) expect(await press(server.url, remembered)).toEqual(remembered.told);
}

type Round = Kill & { recoveredMs: number; acknowledged: number; unknown: number; unseen: number };

/**
 * Kills and recovers as told under load, `rounds` times and then until chance has shown what the trial needs, and proves
 * after each that nothing is lost or doubled.
 */
async function tryOut(
  victims: () => number[],
  recover: (load: Load) => Promise<void>,
  hasShown: (trial: Round[]) => boolean = () => true,
): Promise<Round[]> {
  const trial: Round[] = [];
  for (let n = 0; n < rounds || (!hasShown(trial) && n < rounds + moreRounds); n++) {
    const load = startLoad(server.url, members, customers);
    const kill = await killUnderLoad(load, victims());
    await recover(load);
    const recoveredMs = Date.now() - kill.at;
    await load.stop();
    const lost = await askAgain(load);
    await expectNothingLostOrDoubled(load);
    trial.push({ ...kill, ...lost, recoveredMs, acknowledged: load.acknowledged() });
  }
  return trial;
}

/**
 * How slow this machine is now: what a bank takes to start that was stopped in order and has nothing to recover. Recoveries
 * may take as many times longer than promised.
 */
async function measureSlowness(): Promise<number> {
  server.signal('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
  server = await startServer(ownSettings(dataDir));
  return server.slowness;
}

/** A round in which nothing was under way proves nothing. */
function expectTrueTrial(trial: Round[], slowness: number): void {
  const says = JSON.stringify({ slowness, trial });
  expect(trial.length).toBeGreaterThanOrEqual(rounds);
  for (const round of trial) {
    expect(round.inFlight, says).toBeGreaterThanOrEqual(16);
    expect(round.acknowledged, says).toBeGreaterThan(50);
    expect(round.recoveredMs, says).toBeLessThanOrEqual(recoveryMs * slowness);
  }
}

/** Starts the server anew once all customers have noticed that it is gone. */
async function startAgain(load: Load): Promise<void> {
  await load.stop();
  server = await startServer(ownSettings(dataDir));
  await until('the bank to be ready', waitLimitMs, async () =>
    (await fetch(`${server.url}/readyz`)).ok ? true : undefined,
  );
}

/** Whether customers were left without an answer in most rounds that a trial has at least: others prove little. */
const hasUnknown = (trial: Round[]) =>
  trial.filter(({ unknown }) => unknown > 0).length >= Math.ceil(rounds * 0.8);
/** Whether a transfer was booked without its customer being told. */
const hasUnseen = (trial: Round[]) => trial.some(({ unseen }) => unseen > 0);

test('the judge sees a transfer that is lost, doubled, changed, refused and booked, or pressed by nobody', () => {
  const [from, to] = members as [SeededCustomer, SeededCustomer];
  const told = { kind: 'acknowledged', status: 201, id: 'one' } as const;
  const pressed: Remembered = { key: 'k', from, to, amountCents: 5n, told, wasUnknown: false };
  const row = { id: 'one', key: 'k', amount: 5n, sender: from.accountId, receiver: to.accountId };
  expect(checkBooks([pressed], [row])).toEqual([]);
  expect(checkBooks([pressed], [])).toEqual(['k was acknowledged and is lost']);
  expect(checkBooks([pressed], [row, { ...row, id: 'two' }])).toEqual(['k is booked 2 times']);
  expect(checkBooks([pressed], [{ ...row, id: 'two' }])).toHaveLength(1);
  expect(checkBooks([pressed], [{ ...row, amount: 6n }])).toEqual([
    'k is booked otherwise than it was pressed',
  ]);
  expect(checkBooks([{ ...pressed, told: { ...told, status: 200 } }], [row])).toHaveLength(1);
  expect(checkBooks([{ ...pressed, told: { kind: 'refused', code: 'X' } }], [row])).toHaveLength(1);
  expect(checkBooks([{ ...pressed, told: { kind: 'unknown' } }], [row])).toEqual(['k was never answered']);
  expect(checkBooks([], [row])).toEqual(['k is booked and nobody pressed it']);
});

test('the database writes through to the disk before it answers', async () => {
  const promised = await withDatabase(async ({ pool }) => {
    const shown = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'].map(async name => [
      name,
      Object.values((await pool.query(`SHOW ${name}`)).rows[0] as object)[0],
    ]);
    return Object.fromEntries(await Promise.all(shown)) as Record<string, string>;
  });
  expect(new Set(Object.values(promised)), JSON.stringify(promised)).toEqual(new Set(['on']));
});

test('a database that is killed comes back by itself, and the same server goes on without losing a transfer', async () => {
  const slowness = await measureSlowness();
  const { pid } = server;
  const trial = await tryOut(
    () => [databasePid(dataDir)],
    async load => {
      const before = load.acknowledged();
      await until('transfers after the kill', waitLimitMs, () =>
        load.acknowledged() > before + customers ? true : undefined,
      );
    },
  );
  expect(server.pid).toBe(pid);
  expect(isAlive(pid)).toBe(true);
  // The server itself asks the database again with the keys it holds: customers only wait a little longer.
  expectTrueTrial(trial, slowness);
});

test('a server that is killed is started again on the database it left, and no transfer is lost or doubled', async () => {
  const slowness = await measureSlowness();
  const trial = await tryOut(
    () => [server.pid],
    async load => {
      const postgres = databasePid(dataDir);
      await startAgain(load);
      expect(databasePid(dataDir), 'the orphaned database is taken over').toBe(postgres);
    },
    played => hasUnknown(played) && hasUnseen(played),
  );
  expectTrueTrial(trial, slowness);
  expect(hasUnknown(trial), JSON.stringify(trial)).toBe(true);
  expect(hasUnseen(trial), 'some transfers were booked without their customers being told').toBe(true);
});

test('server and database that are killed together come back with every acknowledged transfer', async () => {
  const slowness = await measureSlowness();
  const trial = await tryOut(() => [server.pid, databasePid(dataDir)], startAgain, hasUnknown);
  expectTrueTrial(trial, slowness);
  expect(hasUnknown(trial), JSON.stringify(trial)).toBe(true);
});

test('a server that is asked to stop under load answers all it has taken on, and ends in time', async () => {
  const slowness = await measureSlowness();
  const load = startLoad(server.url, members, customers);
  const { at } = await killUnderLoad(load, [server.pid], 'SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(Date.now() - at).toBeLessThanOrEqual(stopMs * slowness);
  await startAgain(load);
  // A line that went dead on its way in is nobody's fault; an answer that was owed would be found booked.
  const dead = [...load.presses.values()].filter(({ told }) => told.kind === 'unknown' && !told.status);
  const booked = new Set(
    (await withDatabase(({ reader }) => readBookedTransfers(reader))).map(({ key }) => key),
  );
  expect(dead.filter(({ key }) => booked.has(key))).toEqual([]);
  await askAgain(load);
  await expectNothingLostOrDoubled(load);
});
