/** Live updates reach a customer immediately, from any process, until the session ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { transferApi } from '#contract/transfer.ts';
import { type Bank, openBank } from '#server/bank.ts';
import { readConfig } from '#server/config.ts';
import { expectRefused } from '../../../tests/expectRefused.ts';
import { eventually, openTestBank, type TestBank, type TestCustomer } from '../../../tests/server.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { openLive } from './live.ts';
import type { CustomerSession } from './session.ts';

let bank: TestBank;
/** The bank of a second process, on the same database. */
let other: Bank;
let otherUrl: string;
const dataDir = mkdtempSync(join(tmpdir(), 'larkspur-live-'));
const ends: (() => void)[] = [];

beforeAll(async () => {
  const APP_SECRET = 'one secret for both processes, long enough';
  bank = await openTestBank({ APP_SECRET });
  const config = readConfig({
    DATA_DIR: dataDir,
    DEMO: '0',
    ADMIN_EMAIL: 'admin@bank.example',
    ADMIN_PASSWORD: 'correct horse battery',
    RATE_LIMITS: 'off',
    JOBS: 'off',
    APP_SECRET,
  });
  other = await openBank(config, bank.test.connection, 'http://other.example', pino({ level: 'silent' }));
  otherUrl = await other.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0)) end();
  await eventually(async () => ((await openStreams()) === 0 ? true : undefined));
});
afterAll(async () => {
  await other.stop();
  await bank.close();
  rmSync(dataDir, { recursive: true, force: true });
});

type Listener = { newest: string[]; text(): string; isOver: boolean; response: Response };

/** Listens as a browser does and collects the newest ids from the events. */
async function listen(customer: { token: string }, url = otherUrl): Promise<Listener> {
  const stop = new AbortController();
  ends.push(() => stop.abort());
  const response = await fetch(`${url}${notificationsApi.live.path}`, {
    headers: { authorization: `Bearer ${customer.token}` },
    signal: stop.signal,
  });
  let text = '';
  const listener: Listener = { newest: [], text: () => text, isOver: false, response };
  if (response.status !== 200) return listener;
  const read = async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      listener.newest = [...text.matchAll(/^event: changed\ndata: (.*)\n\n/gm)].map(
        ([, data]) => (JSON.parse(data!) as { newest: string }).newest,
      );
    }
  };
  void read().then(
    () => {
      listener.isOver = true;
    },
    () => {},
  );
  return listener;
}

/** Resolves when the listener has received `times` events. */
const received = (listener: Listener, times: number) =>
  eventually(() => (listener.newest.length >= times ? listener.newest : undefined));
const ended = (listener: Listener) => eventually(() => (listener.isOver ? true : undefined));

async function openStreams(url = otherUrl): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^larkspur_live_streams (\d+)$/m.exec(text)![1]);
}
const inFlight = async () =>
  Number(/^larkspur_requests_in_flight (\d+)$/m.exec(await (await fetch(`${otherUrl}/metrics`)).text())![1]);

const pay = async (from: TestCustomer, to: TestCustomer, amount = 1) => {
  const body = { receiverAccountNumber: to.accountNumber, amount, description: '' };
  const sent = await bank.call(transferApi.sendInternal, { token: from.token, body });
  expect(sent.status).toBe(201);
  return sent.body.data._id;
};

test('a transfer in one process notifies both parties through another process, and notifies no other customer [N-07]', async () => {
  const [wren, jun, noor] = [
    await bank.customer({ dollars: 9 }),
    await bank.customer(),
    await bank.customer(),
  ];
  const listeners = [await listen(wren), await listen(jun), await listen(noor)] as const;
  await Promise.all(listeners.map(listener => received(listener, 1)));
  const transaction = await pay(wren, jun);
  const [sender, receiver, bystander] = listeners;
  expect((await received(receiver, 2))[1]).toBe(transaction);
  expect((await received(sender, 2))[1]).toBe(transaction);
  expect(bystander.newest).toHaveLength(1);
  expect(bystander.text()).not.toContain(transaction);
});

test('a stream is not cached, transformed or buffered, and does not count as a request in flight', async () => {
  const customer = await bank.customer();
  const listener = await listen(customer);
  await received(listener, 1);
  expect(Object.fromEntries(listener.response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  expect(listener.response.headers.get('content-encoding')).toBeNull();
  expect(await openStreams()).toBe(1);
  expect(await inFlight()).toBe(0);
});

test('a change that happens between two streams of a customer is in the first event of the second stream [N-07]', async () => {
  const [wren, jun] = [await bank.customer({ dollars: 9 }), await bank.customer()];
  const before = await received(await listen(jun), 1);
  for (const end of ends.splice(0)) end();
  const transaction = await pay(wren, jun);
  expect(before).not.toContain(transaction);
  expect(await received(await listen(jun), 1)).toEqual([transaction]);
});

test('a notification that is committed after one with a higher id is reported too [N-07]', async () => {
  const [wren, jun] = [await bank.customer({ dollars: 9 }), await bank.customer()];
  // The next notification then has a lower id, like that of a process that made its id early and waited for the account.
  await bank.test.database.ownerPool.query(
    `INSERT INTO notifications (account_id, id, kind)
     SELECT id, 'ffffffff-ffff-7fff-bfff-ffffffffffff', 'frozen' FROM ledger_accounts WHERE number = $1`,
    [jun.accountNumber],
  );
  const listener = await listen(jun);
  await received(listener, 1);
  await pay(wren, jun);
  await received(listener, 2);
});

test('a stream ends when its session ends by a logout elsewhere, a deletion or expiry [ST-20, ST-23]', async () => {
  const customers = [await bank.customer(), await bank.customer(), await bank.customer()] as const;
  const [leaver, erased, expired] = customers;
  const listeners = await Promise.all(customers.map(customer => listen(customer)));
  await Promise.all(listeners.map(listener => received(listener, 1)));
  await bank.call(authApi.logout, { token: leaver.token });
  await ended(listeners[0]!);
  const { ownerPool } = bank.test.database;
  await ownerPool.query('UPDATE customers SET deleted_at = now() WHERE id = $1', [erased._id]);
  await ended(listeners[1]!);
  await ownerPool.query('UPDATE sessions SET expires_at = now() WHERE person_id = $1', [expired._id]);
  await ended(listeners[2]!);
  expect(await openStreams()).toBe(0);
  const again = await listen(leaver);
  await expectRefused('the ended session', again.response, 'NOT_AUTHORIZED');
});

test('the end of a session ends its stream but not the stream of the customer’s other session [ST-40]', async () => {
  const customer = await bank.customer();
  const elsewhere = { token: await bank.login(customer.email) };
  const [own, theirs] = [await listen(customer), await listen(elsewhere)];
  await Promise.all([received(own, 1), received(theirs, 1)]);
  await bank.test.database.ownerPool.query(
    `UPDATE sessions SET ended_at = now() WHERE person_id = $1
       AND id = (SELECT id FROM sessions WHERE person_id = $1 ORDER BY created_at DESC LIMIT 1)`,
    [customer._id],
  );
  await ended(theirs);
  expect(own.isOver).toBe(false);
});

test('an approval and a freeze are reported, even to a customer who is waiting for approval [N-04, ST-22]', async () => {
  const waiting = await bank.customer({ approved: false });
  const listener = await listen(waiting);
  await received(listener, 1);
  const [params, token] = [{ id: waiting._id }, await bank.adminToken()];
  await bank.call(adminApi.approve, { params, token });
  await received(listener, 2);
  await bank.call(adminApi.freeze, { params, token, body: { isFrozen: true } });
  await received(listener, 3);
  expect(listener.isOver).toBe(false);
});

test('one session has at most six streams, and can open another after one ends', async () => {
  const customer = await bank.customer();
  await Promise.all(Array.from({ length: 6 }, () => listen(customer)));
  const seventh = await listen(customer);
  await expectRefused('a seventh', seventh.response, 'TOO_MANY');
  ends.shift()!();
  await eventually(async () => ((await listen(customer)).response.status === 200 ? true : undefined));
});

test('one customer has at most twelve streams over all logins', async () => {
  const customer = await bank.customer();
  const tokens = [customer.token, await bank.login(customer.email), await bank.login(customer.email)];
  for (const token of tokens.slice(0, 2))
    for (let n = 0; n < 6; n++) expect((await listen({ token })).response.status).toBe(200);
  await expectRefused('a thirteenth', (await listen({ token: tokens[2]! })).response, 'TOO_MANY');
});

test('a stream survives a database outage and reports afterward what has changed [N-07]', async () => {
  const [wren, jun] = [await bank.customer({ dollars: 9 }), await bank.customer()];
  const listener = await listen(jun);
  await received(listener, 1);
  await bank.test.database.ownerPool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  const transaction = await eventually(() => pay(wren, jun).catch(() => undefined));
  expect(await eventually(() => (listener.newest.includes(transaction) ? true : undefined))).toBe(true);
  expect(listener.isOver).toBe(false);
});

test('a client that disconnects abruptly is removed', async () => {
  const { token } = await bank.customer();
  const { hostname, port } = new URL(otherUrl);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET ${notificationsApi.live.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await eventually(async () => ((await openStreams()) === 1 ? true : undefined));
  socket.destroy();
  await eventually(async () => ((await openStreams()) === 0 ? true : undefined));
});

test('a server that stops ends its streams and does not wait for them', async () => {
  const customer = await bank.customer();
  const config = readConfig({
    DATA_DIR: dataDir,
    DEMO: '0',
    ADMIN_EMAIL: 'admin@bank.example',
    ADMIN_PASSWORD: 'correct horse battery',
    JOBS: 'off',
    APP_SECRET: 'one secret for both processes, long enough',
  });
  const third = await openBank(
    config,
    bank.test.connection,
    'http://third.example',
    pino({ level: 'silent' }),
  );
  const url = await third.app.listen({ port: 0, host: '127.0.0.1' });
  const listener = await listen(customer, url);
  await received(listener, 1);
  await third.stop();
  // The stop must end the stream. An open stream would be cut off with an error after the drain time of the stop.
  await ended(listener);
});

/** Live updates from a fake database that returns `state`, on a fake clock. */
function openOnClock() {
  vi.useFakeTimers();
  let state = 'first';
  const rows = () => [{ session_id: 's', newest: state, state }];
  const live = openLive({ query: async () => ({ rows: rows() }) } as never, () => {});
  const stream = live.open({ sessionId: 's', accountId: 1n } as CustomerSession, '192.0.2.1');
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);
  return { live, stream, pass, change: (to: string) => (state = to) };
}

test('an idle stream sends a heartbeat every fifteen seconds', async () => {
  const { stream, pass } = openOnClock();
  let sent = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    sent += chunk;
  });
  await pass(2);
  sent = '';
  await pass(46);
  expect(sent).toBe(':\n\n'.repeat(3));
  stream.destroy();
});

test('the buffer of a client that does not read does not grow, and the client is disconnected', async () => {
  const { live, stream, pass, change } = openOnClock();
  // Reads one chunk and then no more.
  stream.once('data', () => stream.pause());
  await pass(1);
  for (let n = 0; n < 10; n++) {
    change(`state ${n}`);
    await pass(1);
  }
  expect(stream.readableLength).toBeLessThan(100);
  await pass(20);
  expect(stream.destroyed).toBe(true);
  expect(live.count()).toBe(0);
});

/** A server that streams large events, on a fake clock. The connections are real. */
async function serveOnClock() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  let polls = 0;
  const padding = 'x'.repeat(64 * 1024);
  const pool = {
    query: async () => {
      polls++;
      return { rows: [{ session_id: 's', newest: `${polls}${padding}`, state: String(polls) }] };
    },
  };
  const live = openLive(pool as never, () => {});
  const app = Fastify();
  const answers: ServerResponse[] = [];
  app.get('/live', (_, reply) => {
    answers.push(reply.raw);
    return reply
      .type('text/event-stream')
      .send(live.open({ sessionId: 's', accountId: 1n } as never, '192.0.2.1'));
  });
  // A Unix domain socket, because its kernel buffers are small and do not grow.
  const path = join(dataDir, 'socket');
  await app.listen({ path });
  const socket = connect({ path });
  onTestFinished(async () => {
    socket.destroy();
    live.stop();
    await app.close();
  });
  return { live, socket, answers };
}

test('a client that does not read is disconnected on a real connection, and the server holds only a few of its events in memory', async () => {
  const { live, socket, answers } = await serveOnClock();
  socket.pause();
  socket.on('error', () => {});
  socket.write('GET /live HTTP/1.1\r\nHost: x\r\n\r\n');
  await vi.waitFor(() => expect(live.count()).toBe(1), waitOptions);
  let mostHeld = 0;
  let seconds = 0;
  // The kernel's buffers fill up first; then nothing more is sent.
  for (; live.count() > 0 && seconds < 100; seconds++) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise(setImmediate);
    mostHeld = Math.max(mostHeld, answers[0]!.writableLength);
  }
  expect(live.count()).toBe(0);
  await vi.waitFor(() => expect(answers[0]!.destroyed).toBe(true), waitOptions);
  expect(seconds).toBeGreaterThan(15);
  expect(mostHeld).toBeLessThan(4 * 64 * 1024);
});

test('a process has at most five thousand streams over all customers, and accepts another after one ends; a network with most of them loses its newest to another network', async () => {
  const live = openLive({ query: async () => ({ rows: [] }) } as never, () => {});
  const open = (n: number, address = '2001:db8::1') =>
    live.open({ sessionId: `s${n}`, accountId: BigInt(n) } as CustomerSession, address);
  const streams = Array.from({ length: 5_000 }, (_, n) => open(n));
  expect(() => open(5_000)).toThrow(expect.objectContaining({ code: 'BUSY', waitTime: 60 }));
  streams[0]!.destroy();
  await vi.waitFor(() => expect(live.count()).toBe(4_999), waitOptions);
  const newest = open(5_000, '2001:db8:0:1::1');
  expect(live.count()).toBe(5_000);
  const others = [open(5_001, '192.0.2.1'), open(5_002, '192.0.2.2')];
  expect(live.count()).toBe(5_000);
  const isOpen = [streams[4_998], streams[4_999], newest, ...others].map(stream => !stream!.destroyed);
  expect(isOpen).toEqual([true, false, false, true, true]);
  live.stop();
  expect(live.count()).toBe(0);
});
