/**
 * A network that cuts, delays or drops the traffic to the database, at many byte positions (`npm run faults` tries every byte).
 * If a transfer was booked, or may have been, the answer never says that it was not, and is never an internal error.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import { Refusal } from '#contract/errors.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { settingsApi } from '#contract/settings.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { callAt, customerPassword } from '../../../tests/call.ts';
import { cloneDatabase, type TestDatabase, testSecrets } from '../../../tests/database.ts';
import { reportProgress } from '../../../tests/faultRounds.ts';
import { type Fault, openFaultyProxy } from '../../../tests/faultyProxy.ts';
import { type SeededCustomer, seedCustomers } from '../../../tests/seedCustomers.ts';
import { openTestBank } from '../../../tests/server.ts';
import { eventually, retryWhileBusy } from '../../../tests/waiting.ts';
import { openBank } from '../bank.ts';
import { limitConcurrency } from '../base/concurrency.ts';
import { sleep } from '../base/deadline.ts';
import { newId } from '../base/uuid.ts';
import { openDatabase } from '../db/database.ts';
import { toConnection } from '../db/hosts.ts';
import { makeTokens } from '../http/tokens.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { openLane } from './postingLane.ts';
import type { PostRequest } from './postStatement.ts';
import { verifyBooks } from './verify.ts';

/** `npm run faults` says how far it is after this many trials. */
const trialsPerReport = 500;
const takesEveryByte = process.env.FAULT_ROUNDS !== undefined;
/** How many byte positions a short run tries for each direction and kind of fault. */
const sampleSize = 7;
const parallel = 24;

let books: TestDatabase;
let ledger: Ledger;
let customers: SeededCustomer[];
/** Connections without time limits. On a busy machine, a query of the test itself could time out on any other connection. */
let checks: pg.Pool;

beforeAll(async () => {
  books = await cloneDatabase();
  checks = books.database.openPool('checks', { max: 4, connectionTimeoutMillis: 0, query_timeout: 0 });
  ledger = openLedger(books.database);
  customers = await seedCustomers(books.database, makeTokens(testSecrets), parallel * 2);
  for (const { accountNumber } of customers) {
    const credit = {
      adminId: newId(),
      sessionId: null,
      amountCents: 100_000_000n,
      description: '',
      address: '',
    };
    const idempotencyKey = randomUUID();
    await retryWhileBusy(() => ledger.credit({ ...credit, accountNumber, idempotencyKey }));
  }
});
afterAll(async () => {
  await ledger.close();
  await checks.end();
  await books.drop();
});

const orderOf = (n: number, key: string) => ({
  customerId: customers[n * 2]!.customerId,
  sessionId: null,
  receiverAccountNumber: customers[n * 2 + 1]!.accountNumber,
  amountCents: 1n,
  description: key,
  idempotencyKey: key,
  address: '::1',
});

async function booked(key: string): Promise<string[]> {
  const { rows } = await checks.query<{ id: string }>('SELECT id FROM transactions WHERE description = $1', [
    key,
  ]);
  return rows.map(({ id }) => id);
}

/** Opens a separate ledger that reaches the database through a proxy. The first connection through the proxy has this fault. */
async function openBehindProxy(fault: Fault | undefined) {
  const { host, port } = books.connection;
  let isBroken = false;
  const proxy = await openFaultyProxy({ host, port }, () => {
    if (isBroken) return undefined;
    isBroken = true;
    return fault;
  });
  const { user, password } = books.database.pool.options as { user: string; password: string };
  const database = openDatabase(
    { ...toConnection(books.connection), host: proxy.host, port: proxy.port },
    { login: { user, password } },
  );
  const own = openLedger(database);
  const close = async () => {
    await own.close();
    await database.close();
    await proxy.close();
  };
  return { own, proxy, close };
}

/**
 * Sends a transfer through a proxy with this fault, then again over a working network. Returns what is wrong with the answers,
 * and how many bytes passed the proxy.
 */
async function tryTransfer(n: number, fault: Fault | undefined) {
  const { own, proxy, close } = await openBehindProxy(fault);
  const key = randomUUID();
  const answer = await own.transfer(orderOf(n, key)).then(
    ({ _id }) => _id,
    (error: unknown) => error,
  );
  // Delayed bytes arrive after the answer.
  await proxy.delivered();
  const found = await booked(key);
  const faults: string[] = [];
  const isBusy = answer instanceof Refusal && answer.code === 'BUSY';
  if (typeof answer === 'string' && found.join() !== answer)
    faults.push(`acknowledged ${answer}, booked ${found.join()}`);
  if (typeof answer !== 'string' && !isBusy) faults.push(`answered ${String(answer)}`);
  if (isBusy && answer.message !== transferMessages.unconfirmed && found.length > 0)
    faults.push('refused, and booked');
  // The customer tries again, now that the network works.
  const { _id } = await retryWhileBusy(() => ledger.transfer(orderOf(n, key)));
  if ((await booked(key)).join() !== _id || (found.length > 0 && found[0] !== _id))
    faults.push(`${found.join()} became ${_id}`);
  await close();
  return { faults, passed: proxy.passed, opened: proxy.connections.opened };
}

/** How many bytes a transfer takes. Measures again if the transfer needed a second connection, as on a busy machine. */
const measureTransfer = () =>
  eventually(async () => {
    const { faults, passed, opened } = await tryTransfer(0, undefined);
    expect(faults).toEqual([]);
    return opened === 1 ? passed : undefined;
  });

test("if a customer's session ends before the bank knows that their transfer was booked, they read that it may have been sent [RC-63]", async () => {
  const at = (await measureTransfer()).toClient - 10;
  // The session ends in the transaction that books the transfer, so it ends before the bank asks again, on any machine.
  const { ownerPool } = books.database;
  await ownerPool.query(`
    CREATE FUNCTION end_session() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$ BEGIN
      UPDATE sessions SET ended_at = now()
       WHERE person_id = (SELECT id FROM customers WHERE account_id = NEW.sender_account);
      RETURN NEW;
    END $$;
    CREATE TRIGGER end_session AFTER INSERT ON transactions FOR EACH ROW EXECUTE FUNCTION end_session()`);
  onTestFinished(async () => {
    await ownerPool.query('DROP TRIGGER end_session ON transactions; DROP FUNCTION end_session()');
  });
  let n = 0;
  await eventually(async () => {
    const { own, proxy, close } = await openBehindProxy({ direction: 'toClient', act: 'swallow', at });
    const [key, { sessionId }] = [randomUUID(), customers[n * 2]!];
    const answer = await own.transfer({ ...orderOf(n++, key), sessionId }).then(
      () => 'posted',
      (error: Refusal) => error.message,
    );
    await close();
    // A busy machine may have refused the transfer before it was booked.
    if (proxy.connections.broken === 0 || (await booked(key)).length === 0) return undefined;
    expect(answer).toBe(transferMessages.unconfirmed);
    return true;
  });
});

test('a transfer whose database traffic is cut, delayed or dropped is booked once; no answer says that a booked transfer was not sent [RC-63]', async () => {
  const passed = await measureTransfer();
  const trials = (['toServer', 'toClient'] as const).flatMap(direction =>
    (['cut', 'swallow', 'delay'] as const).flatMap(act => {
      const step = takesEveryByte ? 1 : Math.floor(passed[direction] / sampleSize);
      const first = takesEveryByte ? 0 : Math.floor(Math.random() * step);
      return Array.from({ length: Math.floor((passed[direction] - first) / step) }, (_, i) => {
        return { direction, act, at: first + i * step } satisfies Fault;
      });
    }),
  );
  const free = Array.from({ length: parallel }, (_, n) => n);
  const limit = limitConcurrency({ maxRunning: parallel, maxWaiting: trials.length, waitTime: 1 });
  let done = 0;
  const wrong = await Promise.all(
    trials.map(fault =>
      limit(async () => {
        const n = free.pop()!;
        const found = await tryTransfer(n, fault);
        free.push(n);
        if (++done % trialsPerReport === 0) reportProgress(done, trials.length);
        return found.faults.map(text => `${fault.act} at byte ${fault.at} ${fault.direction}: ${text}`);
      }),
    ),
  );
  expect(wrong.flat()).toEqual([]);
  expect((await verifyBooks(books.database.reader)).faults).toEqual([]);
}, 3_600_000);

test('a transfer that becomes too old while its group is checked is answered all the same [RC-63]', async () => {
  const lane = openLane(books.database, () => false);
  onTestFinished(() => lane.end());
  const { customerId, receiverAccountNumber, ...order } = orderOf(0, randomUUID());
  const since = performance.now();
  // Eight seconds pass between the first reading of the clock and the second.
  let readings = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => since + (readings++ === 0 ? 0 : 8_001));
  onTestFinished(() => clock.mockRestore());
  const answer = new Promise((resolve, reject) => {
    const request: PostRequest = {
      id: newId(),
      type: 'transfer',
      actor: customerId,
      session: null,
      receiver: receiverAccountNumber,
      amountCents: order.amountCents,
      description: '',
      reference: 'TX-1',
      keyHash: newId(),
      requestHash: '',
      isKeyed: false,
      address: '',
      bank: null,
      proofHash: null,
    };
    void lane.post([{ request, since, isUncertain: false, resolve, reject }]);
  });
  const isAnswered = await Promise.race([
    answer.then(
      () => true,
      () => true,
    ),
    sleep(5_000).then(() => false),
  ]);
  expect(isAnswered).toBe(true);
});

test('while connections of every kind break, no call answers 500, and a repeated transfer gets the result of the first [RC-63]', async () => {
  const bank = await openTestBank();
  const [from, to] = [await bank.customer({ dollars: 1_000 }), await bank.customer()];
  const adminToken = await bank.adminToken();
  let breaks = false;
  const randomFault = (): Fault => ({
    direction: Math.random() < 0.5 ? 'toServer' : 'toClient',
    act: (['cut', 'swallow', 'delay'] as const)[Math.floor(Math.random() * 3)]!,
    at: Math.floor(Math.random() * 12_000),
  });
  const proxy = await openFaultyProxy(bank.test.connection, () => (breaks ? randomFault() : undefined));
  const second = await openBank(
    { ...bank.bank.parts.config, jobs: false },
    { ...bank.test.connection, host: proxy.host, port: proxy.port },
    bank.bank.parts.publicUrl,
    pino({ level: 'silent' }),
  );
  const url = await second.app.listen({ port: 0, host: '127.0.0.1' });
  breaks = true;
  const { token } = from;
  const rounds = Number(process.env.FAULT_ROUNDS ?? 12);
  const pressed: { key: string; status: number; id: string }[] = [];
  const round = async (): Promise<void> => {
    const key = randomUUID();
    const body = { receiverAccountNumber: to.accountNumber, amount: 0.01, description: key };
    const press = { token, body, headers: { 'idempotency-key': key } };
    const [sent, ...others] = await Promise.all([
      callAt(url, transferApi.sendInternal, press),
      callAt(url, transactionsApi.balance, { token }),
      callAt(url, transactionsApi.listTransactions, { token }),
      callAt(url, notificationsApi.listNotifications, { token }),
      callAt(url, authApi.profile, { token }),
      callAt(url, settingsApi.listSessions, { token }),
      callAt(url, adminApi.adminStats, { token: adminToken }),
      callAt(url, authApi.initiateLogin, { body: { email: to.email, password: '1234567' } }),
    ]);
    const answers = [sent, ...others].map(({ status, body: { code } }) => `${status} ${code ?? ''}`);
    expect(answers.filter(answer => !/^(20[01] |503 BUSY|401 BAD_CREDENTIALS)$/.test(answer))).toEqual([]);
    pressed.push({ key, status: sent.status, id: sent.body.data?._id });
  };
  await Promise.all(Array.from({ length: rounds }, round));
  for (const { key, status, id } of pressed) {
    const body = { receiverAccountNumber: to.accountNumber, amount: 0.01, description: key };
    const again = await bank.call(transferApi.sendInternal, {
      token,
      body,
      headers: { 'idempotency-key': key },
    });
    expect(again.status).toBe(201);
    if (status === 201) expect(again.body.data._id).toBe(id);
  }
  const { rows } = await bank.test.database.pool.query<{ n: bigint }>(
    'SELECT count(*) AS n FROM transactions WHERE description = ANY ($1)',
    [pressed.map(({ key }) => key)],
  );
  expect(rows[0]!.n).toBe(BigInt(pressed.length));
  await second.stop();
  await proxy.close();
  await bank.close();
}, 3_600_000);

test('after an administrator made the database read-only for a while, transfers and logins work again [RC-66]', async () => {
  const bank = await openTestBank();
  const [nora, ben] = [await bank.customer({ dollars: 5_000 }), await bank.customer({ firstName: 'Ben' })];
  const body = { receiverAccountNumber: ben.accountNumber, amount: 1, description: '' };
  // Several at once, so that several connections are used.
  const answers = async () => [
    ...(await Promise.all(
      Array.from({ length: 6 }, () =>
        callAt(bank.url, transferApi.sendInternal, { token: nora.token, body }),
      ),
    )),
    ...(await Promise.all(
      [nora, ben, nora].map(({ email }) =>
        callAt(bank.url, authApi.initiateLogin, { body: { email, password: customerPassword } }),
      ),
    )),
  ];
  const owner = await bank.bank.parts.database.ownerPool.connect();
  const { rows } = await owner.query<{ name: string }>('SELECT current_database() AS name');
  const database = `ALTER DATABASE "${rows[0]!.name}"`;
  await owner.query(`${database} SET default_transaction_read_only = on`);
  // Connections that are opened from now on are read-only.
  await owner.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await eventually(async () => (await answers()).every(({ status }) => status === 503) || undefined);
  await owner.query(`${database} RESET default_transaction_read_only`);
  // A connection that has only read so far refuses its next write, and is replaced.
  await eventually(async () => (await answers()).every(({ status }) => status < 300) || undefined);
  owner.release();
  await bank.close();
});
