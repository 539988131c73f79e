/**
 * Crash recovery under load: the server process and the database are killed while customers send money. Every acknowledged
 * transfer must be booked once, and a retry of a transfer without a response must return its real result.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { limitsApi } from '#contract/limits.ts';
import { recordsApi } from '#contract/records.ts';
import { stepUpApi } from '#contract/stepUp.ts';
import { transferApi } from '#contract/transfer.ts';
import { type Database, openDatabase } from '#server/db/database.ts';
import { isAlive, openEmbedded } from '#server/embedded/embedded.ts';
import { makeTokens, type Tokens } from '#server/http/tokens.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { readCustomer } from '#server/people/customers.ts';
import { deriveSecrets } from '#server/secrets.ts';
import { type ApiAnswer, type CallOptions, callAt } from '../call.ts';
import { reportProgress } from '../faultRounds.ts';
import { readZip } from '../readZip.ts';
import { logInAgain, type SeededCustomer, seedCustomers } from '../seedCustomers.ts';
import {
  databasePid,
  expectStopped,
  firstAdmin,
  removeFolder,
  type ServerProcess,
  startServer,
  stopAll,
  testSettings,
} from '../serverProcess.ts';
import { becomesReady, waitLimitMs, waitUntil } from '../waiting.ts';
import { checkBooks, readBookedTransfers } from './checkBooks.ts';
import { type Load, type RecordedPress, sendPress, startLoad } from './load.ts';

const minRounds = Number(process.env.FAULT_ROUNDS ?? 3);
const senderCount = 24;
/** The recovery time promised in docs/performance.md, for a bank on a machine without other load. */
const maxRecoveryMs = 10_000;
/** The promised time for an orderly stop. */
const maxStopMs = 10_000;
/** How long a stop waits for open requests. */
const drainMs = 3_000;
/** Some tests need a rare event: `runRounds` adds up to this many rounds; the SIGTERM test runs at most this many. */
const maxExtraRounds = 15;

const dataDir = mkdtempSync(join(tmpdir(), 'larkspur-crash-'));
let server: ServerProcess;
let customers: SeededCustomer[];
let tokens: Tokens;
/** The presses of 'Send Money' of all rounds, by idempotency key. */
const allPresses = new Map<string, RecordedPress>();

beforeAll(async () => {
  server = await startServer(testSettings(dataDir));
  const appSecret = readFileSync(join(dataDir, 'secrets', 'app-secret'), 'utf8').trim();
  tokens = makeTokens(deriveSecrets(appSecret));
  customers = await withDatabase(database => seedCustomers(database, tokens, senderCount * 2));
  const { token } = (await call(adminApi.adminLogin, { body: firstAdmin })).body.data;
  for (const { accountNumber } of customers) {
    const body = { userAccountNumber: accountNumber, amount: 10_000, description: 'start' };
    const headers = { 'idempotency-key': accountNumber };
    expect((await call(adminApi.credit, { token, body, headers })).status).toBe(201);
  }
});

/** Called before each round: many rounds take longer than a session lasts. */
const renewSessions = () => withDatabase(database => logInAgain(database, tokens, customers));

beforeEach(renewSessions);

afterAll(async () => {
  await stopAll([dataDir]);
  removeFolder(dataDir);
});

/** Calls the bank until it is not busy (503). It is busy right after a recovery, and can be at any time on a slow machine. */
const call = <E extends Endpoint>(endpoint: E, asked: CallOptions): Promise<ApiAnswer<E>> =>
  waitUntil('an answer other than busy', waitLimitMs, async () => {
    const answer = await callAt(server.url, endpoint, asked);
    return answer.status === 503 ? undefined : answer;
  });

/** Runs `work` on a new connection to the bank's database. */
async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const { connection } = await openEmbedded({ dataDir });
  const database = openDatabase(connection, { size: 4 });
  return await work(database).finally(() => database.close());
}

type Kill = { inFlight: number; at: number };

/** Waits until the load is running, then kills processes at a random moment. */
async function killUnderLoad(load: Load, pids: number[], signal: NodeJS.Signals = 'SIGKILL'): Promise<Kill> {
  const before = load.acknowledged();
  await waitUntil('customers to be served', waitLimitMs, () =>
    load.acknowledged() > before + 50 ? true : undefined,
  );
  await sleep(Math.random() * 300);
  await waitUntil('enough requests in flight', waitLimitMs, () => (load.inFlight() >= 16 ? true : undefined));
  const kill = { inFlight: load.inFlight(), at: Date.now() };
  for (const pid of pids) process.kill(pid, signal);
  return kill;
}

/** Sends a press until its outcome is known. */
const settle = (recorded: RecordedPress) =>
  waitUntil('a definite outcome', waitLimitMs, async () => {
    const outcome = await sendPress(server.url, recorded);
    return outcome.kind === 'acknowledged' || outcome.kind === 'refused' ? outcome : undefined;
  });

/**
 * Retries every press whose outcome is still unknown. Returns how many presses of the round had an unknown outcome at any time,
 * and how many of the retried presses were already booked.
 */
async function retryUnknown(load: Load): Promise<{ unknown: number; bookedUnknown: number }> {
  const unsettled = [...load.presses.values()].filter(({ outcome }) => outcome.kind === 'unknown');
  const booked = new Set(
    (await withDatabase(({ reader }) => readBookedTransfers(reader))).map(({ key }) => key),
  );
  await Promise.all(
    unsettled.map(async recorded => {
      recorded.outcome = await settle(recorded);
    }),
  );
  for (const recorded of load.presses.values()) allPresses.set(recorded.key, recorded);
  return {
    unknown: [...load.presses.values()].filter(({ wasUnknown }) => wasUnknown).length,
    bookedUnknown: unsettled.filter(({ key }) => booked.has(key)).length,
  };
}

/** Checks after each kill: the books match the recorded outcomes, the ledger verifies, and retries return the same outcomes. */
async function expectNothingLostOrDoubled(load: Load): Promise<void> {
  const { booked, verdict } = await withDatabase(async ({ reader }) => ({
    booked: await readBookedTransfers(reader),
    verdict: await verifyBooks(reader),
  }));
  expect(checkBooks(allPresses.values(), booked)).toEqual([]);
  expect(verdict.faults).toEqual([]);
  expect(verdict.checked.transactions).toBe(booked.length + customers.length);
  const latest = [...load.presses.values()].slice(-20);
  for (const recorded of latest) expect(await settle(recorded)).toEqual(recorded.outcome);
}

type Round = Kill & { recoveredMs: number; acknowledged: number; unknown: number; bookedUnknown: number };

/**
 * Runs `minRounds` rounds, and then up to `maxExtraRounds` more until `isComplete`. Each round kills the victims under load,
 * recovers, and checks that no transfer is lost or doubled.
 */
async function runRounds(
  victims: () => number[],
  recover: (load: Load) => Promise<void>,
  isComplete: (rounds: Round[]) => boolean = () => true,
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let n = 0; n < minRounds || (!isComplete(rounds) && n < minRounds + maxExtraRounds); n++) {
    await renewSessions();
    const load = startLoad(server.url, customers, senderCount);
    const kill = await killUnderLoad(load, victims());
    await recover(load);
    const recoveredMs = Date.now() - kill.at;
    await load.stop();
    const retried = await retryUnknown(load);
    await expectNothingLostOrDoubled(load);
    rounds.push({ ...kill, ...retried, recoveredMs, acknowledged: load.acknowledged() });
    reportProgress(rounds.length, minRounds);
  }
  return rounds;
}

/**
 * Measures the slowness of this machine (see `ServerProcess`) by an orderly restart, which has nothing to recover. Recoveries
 * may take that many times longer than promised.
 */
async function measureSlowness(): Promise<number> {
  server.signal('SIGTERM');
  await expectStopped(server);
  server = await startServer(testSettings(dataDir));
  return server.slowness;
}

/** Checks the recovery times, and that every round had enough load: a round without it proves nothing. */
async function expectValidRounds(rounds: Round[], slownessBefore: number): Promise<void> {
  const isLate = rounds.some(({ recoveredMs }) => recoveredMs > maxRecoveryMs * slownessBefore);
  // The machine may have become slower in the meantime.
  const slowness = isLate ? Math.max(slownessBefore, await measureSlowness()) : slownessBefore;
  const context = JSON.stringify({ slowness, rounds });
  expect(rounds.length).toBeGreaterThanOrEqual(minRounds);
  for (const round of rounds) {
    expect(round.inFlight, context).toBeGreaterThanOrEqual(16);
    expect(round.acknowledged, context).toBeGreaterThan(50);
    expect(round.recoveredMs, context).toBeLessThanOrEqual(maxRecoveryMs * slowness);
  }
}

/** Starts the server again after all customers have noticed that it is down. */
async function restartServer(load: Load): Promise<void> {
  await load.stop();
  await startAgain();
}

async function startAgain(): Promise<void> {
  server = await startServer(testSettings(dataDir));
  await becomesReady(server.url);
}

/** Whether enough rounds had a press with an unknown outcome. A round without one proves little. */
const hasUnknown = (rounds: Round[]) =>
  rounds.filter(({ unknown }) => unknown > 0).length >= Math.ceil(minRounds * 0.8);
/** Whether at least one transfer was booked although its response was lost. */
const hasBookedUnknown = (rounds: Round[]) => rounds.some(({ bookedUnknown }) => bookedUnknown > 0);

test('the comparison with the books finds a transfer that is lost, doubled, changed, booked though refused, or never requested', () => {
  const [from, to] = customers as [SeededCustomer, SeededCustomer];
  const outcome = { kind: 'acknowledged', status: 201, id: 'one' } as const;
  const recorded: RecordedPress = { key: 'k', from, to, amountCents: 5n, outcome, wasUnknown: false };
  const row = { id: 'one', key: 'k', amount: 5n, sender: from.accountId, receiver: to.accountId };
  expect(checkBooks([recorded], [row])).toEqual([]);
  expect(checkBooks([recorded], [])).toEqual(['k was acknowledged and is lost']);
  expect(checkBooks([recorded], [row, { ...row, id: 'two' }])).toEqual(['k is booked 2 times']);
  expect(checkBooks([recorded], [{ ...row, id: 'two' }])).toHaveLength(1);
  expect(checkBooks([recorded], [{ ...row, amount: 6n }])).toEqual([
    'k is booked with other values than requested',
  ]);
  expect(checkBooks([{ ...recorded, outcome: { ...outcome, status: 200 } }], [row])).toHaveLength(1);
  expect(checkBooks([{ ...recorded, outcome: { kind: 'refused', code: 'X' } }], [row])).toHaveLength(1);
  expect(checkBooks([{ ...recorded, outcome: { kind: 'unknown' } }], [row])).toEqual([
    'k was never answered',
  ]);
  expect(checkBooks([], [row])).toEqual(['k is booked but was never requested']);
});

test('the settings that make each commit durable are on in the embedded database', async () => {
  const settings = await withDatabase(async ({ pool }) => {
    const values = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'].map(async name => [
      name,
      Object.values((await pool.query(`SHOW ${name}`)).rows[0] as object)[0],
    ]);
    return Object.fromEntries(await Promise.all(values)) as Record<string, string>;
  });
  expect(new Set(Object.values(settings)), JSON.stringify(settings)).toEqual(new Set(['on']));
});

test('a killed database is restarted automatically, and the same server continues without losing a transfer', async () => {
  const slowness = await measureSlowness();
  const { pid } = server;
  const rounds = await runRounds(
    () => [databasePid(dataDir)],
    async load => {
      const before = load.acknowledged();
      await waitUntil('transfers after the kill', waitLimitMs, () =>
        load.acknowledged() > before + senderCount ? true : undefined,
      );
    },
  );
  expect(server.pid).toBe(pid);
  expect(isAlive(pid)).toBe(true);
  // The server retries transfers on the restarted database with the same keys, so customers only wait a little longer.
  await expectValidRounds(rounds, slowness);
});

test('after a killed server is started again on its running database, no transfer is lost or doubled', async () => {
  const slowness = await measureSlowness();
  const rounds = await runRounds(
    () => [server.pid],
    async load => {
      const postgres = databasePid(dataDir);
      await restartServer(load);
      expect(databasePid(dataDir), 'the orphaned database is taken over').toBe(postgres);
    },
    rounds => hasUnknown(rounds) && hasBookedUnknown(rounds),
  );
  await expectValidRounds(rounds, slowness);
  expect(hasUnknown(rounds), JSON.stringify(rounds)).toBe(true);
  expect(hasBookedUnknown(rounds), 'some transfers were booked although their responses were lost').toBe(
    true,
  );
});

test('after server and database are killed together, no transfer is lost or doubled', async () => {
  const slowness = await measureSlowness();
  const rounds = await runRounds(() => [server.pid, databasePid(dataDir)], restartServer, hasUnknown);
  await expectValidRounds(rounds, slowness);
  expect(hasUnknown(rounds), JSON.stringify(rounds)).toBe(true);
});

test('a server that gets SIGTERM under load answers all accepted requests and exits in time', async () => {
  const slowness = await measureSlowness();
  let isProven = false;
  for (let round = 0; !isProven && round < maxExtraRounds; round++) {
    await renewSessions();
    const load = startLoad(server.url, customers, senderCount);
    const { at } = await killUnderLoad(load, [server.pid], 'SIGTERM');
    const isOrderly = await expectStopped(server, at);
    const tookMs = Date.now() - at;
    await restartServer(load);
    expect(tookMs).toBeLessThanOrEqual(maxStopMs * Math.max(slowness, server.slowness));
    // A connection may break before its request is accepted. So a request without a response is a fault only if it was booked.
    const unanswered = [...load.presses.values()].filter(
      ({ outcome }) => outcome.kind === 'unknown' && !outcome.status,
    );
    const booked = new Set(
      (await withDatabase(({ reader }) => readBookedTransfers(reader))).map(({ key }) => key),
    );
    const lost = unanswered.filter(({ key }) => booked.has(key));
    // The stop cuts off requests that take longer than `drainMs`. If that may have happened, another round is needed.
    isProven = isOrderly && (lost.length === 0 || tookMs < drainMs);
    if (isProven) expect(lost).toEqual([]);
    await retryUnknown(load);
    await expectNothingLostOrDoubled(load);
  }
  expect(isProven).toBe(true);
});

/** The mails to a customer since the server was started, newest first. */
async function mailsTo(customerId: string): Promise<{ subject: string; text: string }[]> {
  const { email } = (await withDatabase(({ reader }) => readCustomer(reader, customerId)))!;
  const inbox = await fetch(`${server.url}/dev/inbox.json?to=${encodeURIComponent(email)}`);
  return (await inbox.json()) as { subject: string; text: string }[];
}

const mailedCode = (customerId: string): Promise<string> =>
  waitUntil('a mailed code', waitLimitMs, async () => {
    // The mail about the changed limits may arrive after the code.
    const mails = await mailsTo(customerId);
    return mails.map(({ text }) => /\b(\d{6})\b/.exec(text)?.[1]).find(code => code !== undefined);
  });

test('a step-up proof still sends its transfer once after server and database are killed, even if the kill comes during the transfer [BR-62]', async () => {
  const receiverAccountNumber = customers.at(-1)!.accountNumber;
  for (const [round, { token, customerId }] of customers.slice(0, 4).entries()) {
    const key = `confirmed-before-the-kill-${round}`;
    const transfer = (proof?: string, usedKey = key) =>
      call(transferApi.sendInternal, {
        token,
        body: { receiverAccountNumber, amount: 5, description: usedKey },
        headers: { 'idempotency-key': usedKey, ...(proof !== undefined && { 'step-up': proof }) },
      });
    await call(limitsApi.setLimits, { token, body: { stepUpFrom: 5, dailyOut: null } });
    const { _id: id } = (await transfer()).body.challenge!;
    await call(stepUpApi.sendStepUpCode, { token, params: { id } });
    const code = await mailedCode(customerId);
    const body = { method: 'email', code };
    const confirmed = await call(stepUpApi.verifyStepUp, { token, params: { id }, body });
    const { proof } = confirmed.body.data;

    // In every other round, the kill comes while the transfer is being posted.
    const sending = round % 2 === 1 ? transfer(proof).catch(() => undefined) : undefined;
    if (sending) await sleep(Math.random() * 20);
    for (const pid of [server.pid, databasePid(dataDir)]) process.kill(pid, 'SIGKILL');
    await sending;
    await startAgain();
    expect((await transfer(proof)).status).toBe(201);
    expect((await transfer(proof)).status).toBe(201);
    expect((await transfer(proof, `${key}-again`)).body.code).toBe('STEP_UP_REQUIRED');
    const booked = await withDatabase(({ reader }) => readBookedTransfers(reader));
    expect(booked.map(row => row.key).filter(name => name.startsWith(key))).toEqual([key]);
  }
  expect((await withDatabase(({ reader }) => verifyBooks(reader))).faults).toEqual([]);
});

test('if the server is killed while it makes a copy of a customer’s data, the copy is ready after the restart, and one mail says so [RX-31]', async () => {
  const { token, customerId } = customers[5]!;
  const headers = { authorization: `Bearer ${token}` };
  const folder = join(dataDir, 'exports');
  const files = (ending: string) =>
    existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith(ending)) : [];
  const { _id: id } = (await call(recordsApi.requestExport, { token })).body.data;
  await waitUntil('the copy to be written', waitLimitMs, () =>
    files('.draft').length > 0 ? true : undefined,
  );
  server.signal('SIGKILL');
  await server.ended;
  expect(files('.zip.enc')).toEqual([]);
  await startAgain();
  await waitUntil('the copy to be ready', waitLimitMs, async () => {
    const answer = await fetch(`${server.url}${recordsApi.exportJobs.path}`, { headers });
    const { data: copies } = (await answer.json()) as { data: { isReady: boolean }[] };
    return copies[0]!.isReady || undefined;
  });
  const answer = await fetch(`${server.url}${recordsApi.exportFile.path.replace('{id}', id)}`, { headers });
  const saved = readZip(Buffer.from(await answer.arrayBuffer()));
  expect([...saved.keys()]).toEqual(
    expect.arrayContaining(['README.txt', 'profile.json', 'transactions.json']),
  );
  expect(files('.zip.enc')).toEqual([`${id}.zip.enc`]);
  const subject = 'The copy of your data is ready';
  await waitUntil('the jobs to be done', waitLimitMs, async () => {
    const waiting = await withDatabase(({ ownerPool }) =>
      ownerPool.query("SELECT FROM graphile_worker.jobs WHERE task_identifier IN ('mail', 'export-data')"),
    );
    return waiting.rows.length === 0 ? true : undefined;
  });
  expect((await mailsTo(customerId)).map(mail => mail.subject).filter(each => each === subject)).toHaveLength(
    1,
  );
});
