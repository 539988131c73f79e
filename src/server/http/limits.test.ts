/** Rate limits per IP address, the in-flight limit, and slow or endless request bodies. */
import { once } from 'node:events';
import { type AddressInfo, createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { areas } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { expectRefused } from '../../../tests/expectRefused.ts';
import { hungUp } from '../../../tests/rawRequest.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { addHeaders } from './headers.ts';
import { addLimits } from './limits.ts';
import { sendRefusal, toRefusal } from './refusal.ts';

const calls = Object.values(areas).flatMap<Endpoint>(api => Object.values(api));
/** The quota of each path that declares one. */
const declared = new Map(
  calls.flatMap(({ path, addressQuota }) => (addressQuota ? [[path as string, addressQuota] as const] : [])),
);
const loginPaths = [...declared.keys()].filter(path => declared.get(path) === 'login');

const opened: FastifyInstance[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map(app => app.close()));
});

/**
 * A server with the limits. Its calls answer immediately, except `/held`, which waits for a function in `held` to be called.
 */
async function serve(
  quotasOn: boolean,
  trustProxy: string[] | false = false,
  addMore: (app: FastifyInstance) => void = () => {},
) {
  const app = Fastify({ genReqId: () => crypto.randomUUID(), forceCloseConnections: true, trustProxy });
  opened.push(app);
  app.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  addHeaders(app, false);
  const inFlight = addLimits(app, quotasOn);
  const held: (() => void)[] = [];
  app.all('/api/v1/held', () => new Promise(resolve => held.push(() => resolve({ ok: true }))));
  for (const [path, addressQuota] of declared)
    app.all(path, { config: { addressQuota } }, async () => ({ ok: true }));
  for (const path of ['/files/avatars/x.webp', '/readyz', '/api/v1/user/balance', '/about'])
    app.all(path, async () => ({ ok: true }));
  addMore(app);
  await app.ready();
  const ask = async (url: string, remoteAddress = '203.0.113.7', sent: Record<string, string> = {}) => {
    const asked = { method: 'POST', url, remoteAddress, headers: sent } as const;
    const { statusCode, headers, body } = await app.inject(asked);
    return new Response(body, { status: statusCode, headers: headers as Record<string, string> });
  };
  return { app, inFlight, held, ask };
}

/** Stops the clock of the quotas, so that no window ends while a busy machine still makes thousands of requests. */
const stopClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });

type Ask = Awaited<ReturnType<typeof serve>>['ask'];

/** Sends up to `times` requests and returns how many succeed before the first refusal. */
async function countAllowed(ask: Ask, times: number, url: string, address?: string): Promise<number> {
  for (let n = 0; n < times; n++) if ((await ask(url, address)).status !== 200) return n;
  return times;
}

test('one address may log in 120 times a minute and is then told how long to wait; other addresses are not affected [C-11, C-41]', async () => {
  const { ask } = await serve(true);
  const login = '/api/v1/auth/login/initiate';
  expect(await countAllowed(ask, 200, login)).toBe(120);
  const answer = await ask(login);
  const waitTime = Number(answer.headers.get('retry-after'));
  expect(answer.status).toBe(429);
  expect(await answer.json()).toEqual({
    success: false,
    code: 'TOO_MANY',
    message: 'Too many attempts. Please try again later.',
    waitTime,
  });
  expect(waitTime).toBeGreaterThan(0);
  expect(waitTime).toBeLessThanOrEqual(60);
  expect((await ask(login, '203.0.113.8')).status).toBe(200);
  expect((await ask('/api/v1/user/balance')).status).toBe(200);
});

test('all calls that check a password or a code share one quota, including those of administration and settings', async () => {
  const { ask } = await serve(true);
  const count = loginPaths.length;
  expect(count).toBeGreaterThanOrEqual(14);
  for (let n = 0; n < 120; n++) expect((await ask(loginPaths[n % count]!)).status).toBe(200);
  for (const path of loginPaths) expect((await ask(path)).status, path).toBe(429);
});

test('one address may register 60 times in ten minutes', async () => {
  const { ask } = await serve(true);
  expect(await countAllowed(ask, 100, '/api/v1/auth/register')).toBe(60);
  expect(Number((await ask('/api/v1/auth/register')).headers.get('retry-after'))).toBeGreaterThan(60);
});

test('one address may write to the Help Desk 30 times in ten minutes, and can still log in after that', async () => {
  const { ask } = await serve(true);
  expect(await countAllowed(ask, 100, '/api/v1/contact')).toBe(30);
  expect((await ask(loginPaths[0]!)).status).toBe(200);
});

test('a client that keeps sending after the response is disconnected: a fast one once it has sent more than the largest form, a slow one after ten seconds', async () => {
  const { app } = await serve(false);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const began = performance.now();
  const sendOn = async (chunk: string, pause: () => Promise<unknown>) => {
    const socket = createConnection({ host: '127.0.0.1', port }).resume();
    const closed = hungUp(socket);
    let isOpen = true;
    void closed.then(() => {
      isOpen = false;
    });
    // This content type is refused before the body is read.
    socket.write(
      'POST /api/v1/held HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 9999999999\r\n\r\n',
    );
    while (isOpen) if (!socket.write(chunk) || chunk.length === 1) await pause();
    return { sent: socket.bytesWritten, ms: performance.now() - began };
  };
  const breath = () => new Promise(setImmediate);
  const [flood, drip, tenSeconds] = await Promise.all([
    sendOn('x'.repeat(65_536), breath),
    sendOn('x', () => new Promise(done => setTimeout(done, 200))),
    sleep(10_000).then(() => performance.now() - began),
  ]);
  expect(flood.ms).toBeLessThan(drip.ms - 1_000);
  expect(drip.ms).toBeGreaterThan(9_000);
  // Compares with a timer of ten seconds, which is just as late on a busy machine.
  expect(drip.ms).toBeLessThan(tenSeconds + 5_000);
});

test('one address may send 3000 requests a minute in total', async () => {
  const { ask } = await serve(true);
  stopClock();
  expect(await countAllowed(ask, 3100, '/api/v1/user/balance')).toBe(3000);
});

test('an IPv6 /64 counts as one address, and an IPv4-mapped address counts as the IPv4 address', async () => {
  const { ask } = await serve(true);
  const login = '/api/v1/auth/login/initiate';
  expect(await countAllowed(ask, 120, login, '2001:db8:1:2:3:4:5:6')).toBe(120);
  expect((await ask(login, '2001:db8:1:2:ffff::9')).status).toBe(429);
  expect((await ask(login, '2001:db8:1:3::1')).status).toBe(200);
  expect(await countAllowed(ask, 120, login, '2001:db8::1')).toBe(120);
  for (const address of ['2001:db8::2', '2001:db8:0:0:1::', '2001:db8::3:0:0:2'])
    expect((await ask(login, address)).status, address).toBe(429);
  expect(await countAllowed(ask, 120, login, '::ffff:203.0.113.9')).toBe(120);
  expect((await ask(login, '::ffff:203.0.113.10')).status).toBe(200);
});

test('a percent-encoded path is the same call: it counts against the same limits', async () => {
  const { ask, held, inFlight } = await serve(true);
  const login = '/api/v1/auth/login/initiate';
  const spellings = [
    login,
    '/%61pi/v1/auth/login/initiate',
    '/api/v1/auth/%6cogin/initiate',
    `${login}?x=/about`,
  ];
  for (let n = 0; n < 120; n++) expect((await ask(spellings[n % spellings.length]!)).status).toBe(200);
  for (const spelling of spellings) {
    const answer = await ask(spelling);
    expect(answer.status, spelling).toBe(429);
    expect(answer.headers.get('cache-control'), spelling).toBe('no-store');
  }
  const waiting = ask('/%61pi/v1/held');
  while (held.length < 1) await new Promise(setImmediate);
  expect(inFlight()).toBe(1);
  held[0]!();
  await waiting;
  expect((await ask('/%61pi/v1/nothing', '203.0.113.8')).headers.get('cache-control')).toBe('no-store');
});

test('a header sets the client address only if it comes from a trusted proxy', async () => {
  const login = '/api/v1/auth/login/initiate';
  const as = (address: string) => ({ 'x-forwarded-for': address });
  const alone = await serve(true);
  expect(await countAllowed(alone.ask, 120, login)).toBe(120);
  expect((await alone.ask(login, '203.0.113.7', as('198.51.100.1'))).status).toBe(429);

  const behind = await serve(true, ['10.0.0.0/8']);
  for (let n = 0; n < 120; n++) await behind.ask(login, '10.1.2.3', as('198.51.100.1'));
  expect((await behind.ask(login, '10.1.2.3', as('198.51.100.1'))).status).toBe(429);
  // Entries that the client wrote before the proxy appended the real address are ignored.
  expect((await behind.ask(login, '10.1.2.3', as('192.0.2.1, 198.51.100.1'))).status).toBe(429);
  expect((await behind.ask(login, '10.1.2.3', as('198.51.100.2'))).status).toBe(200);
  expect(await countAllowed(behind.ask, 120, login, '203.0.113.7')).toBe(120);
  expect((await behind.ask(login, '203.0.113.7', as('198.51.100.3'))).status).toBe(429);
});

test('a visitor has one quota however the proxies write the address, with a port or in brackets [RC-98]', async () => {
  const login = '/api/v1/auth/login/initiate';
  const { ask } = await serve(true, ['10.0.0.0/8', '2001:db8:1::/64']);
  const as = async (...addresses: string[]) =>
    (await ask(login, '10.1.2.3', { 'x-forwarded-for': addresses.join(', ') })).status;
  for (let port = 1; port <= 60; port++) {
    expect(await as(port % 2 ? `198.51.100.1:${port}` : `[::ffff:198.51.100.1]:${port}`)).toBe(200);
    expect(await as('198.51.100.1', `[2001:db8:1::1]:${port}`, `10.0.0.2:${port}`)).toBe(200);
    expect(await as(`[2001:db8::1]:${port}`)).toBe(200);
    expect(await as('2001:db8::1', '[2001:db8:1::1]')).toBe(200);
  }
  for (const address of [
    '198.51.100.1',
    '198.51.100.1:99',
    '2001:db8::1',
    '[2001:db8::1]',
    '[2001:db8::1]:99',
  ])
    expect(await as(address), address).toBe(429);
});

test('pictures and unknown paths count as calls, and readiness checks do not', async () => {
  const { ask } = await serve(true);
  stopClock();
  for (const path of ['/files/avatars/x.webp', '/api/v1/user/balance'])
    expect(await countAllowed(ask, 1000, path)).toBe(1000);
  for (let n = 0; n < 1000; n++) expect((await ask('/api/v1/nothing')).status).toBe(404);
  for (const path of ['/files/avatars/x.webp', '/api/v1/user/balance', '/api/v1/nothing', '/%66iles/nothing'])
    expect((await ask(path)).status, path).toBe(429);
  expect((await ask('/readyz')).status).toBe(200);
});

test('pages count against no quota, and without quotas no client is limited [RC-34]', async () => {
  const { ask } = await serve(true);
  expect(await countAllowed(ask, 3100, '/about')).toBe(3100);
  const open = await serve(false);
  expect(await countAllowed(open.ask, 200, '/api/v1/auth/login/initiate')).toBe(200);
});

test('concurrent requests beyond a thousand are refused as busy, and new ones are accepted when earlier ones end [C-11, C-42]', async () => {
  const { ask, held, inFlight } = await serve(false);
  const waiting = Array.from({ length: 1000 }, () => ask('/api/v1/held'));
  while (held.length < 1000) await new Promise(setImmediate);
  expect(inFlight()).toBe(1000);
  const answer = await ask('/api/v1/user/balance');
  expect(answer.headers.get('retry-after')).toBe('1');
  await expectRefused('one more', answer, 'BUSY');
  for (const release of held) release();
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  expect(inFlight()).toBe(0);
  expect((await ask('/api/v1/user/balance')).status).toBe(200);
});

test('one address may have 500 requests in flight, and other addresses can still send theirs', async () => {
  const { ask, held, inFlight } = await serve(true);
  const waiting = Array.from({ length: 500 }, () => ask('/api/v1/held'));
  while (held.length < 500) await new Promise(setImmediate);
  const balance = '/api/v1/user/balance';
  await expectRefused('one more', await ask(balance), 'BUSY');
  expect((await ask(balance, '203.0.113.8')).status).toBe(200);
  held[0]!();
  await waiting[0];
  expect((await ask(balance)).status).toBe(200);
  for (const release of held) release();
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  expect(inFlight()).toBe(0);
});

test('the networks of one IPv6 /48 together may have 500 requests in flight', async () => {
  const { ask, held } = await serve(true);
  const waiting = Array.from({ length: 500 }, (_, n) => ask('/api/v1/held', `2001:db8:48:${n}::1`));
  while (held.length < 500) await new Promise(setImmediate);
  const balance = '/api/v1/user/balance';
  await expectRefused('one more', await ask(balance, '2001:db8:48:ffff::1'), 'BUSY');
  expect((await ask(balance, '2001:db8:49::1')).status).toBe(200);
  for (const release of held) release();
  await Promise.all(waiting);
});

test('two addresses that do not read their responses cannot take all slots: a third one is served [C-42]', async () => {
  const body = Buffer.alloc(64 * 1024 * 1024);
  const { app, inFlight } = await serve(true, ['127.0.0.1'], app => {
    app.get('/api/v1/long', async () => body);
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const sockets = ['203.0.113.7', '203.0.113.8'].map(address => {
    const socket = createConnection({ host: '127.0.0.1', port }).pause();
    socket.write(`GET /api/v1/long HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`.repeat(500));
    return socket;
  });
  while (inFlight() < 1000) await new Promise(setImmediate);
  const ask = (address: string) =>
    fetch(`${url}/api/v1/user/balance`, { headers: { 'x-forwarded-for': address } });
  await expectRefused('one more of the same address', await ask('203.0.113.8'), 'BUSY');
  expect((await ask('203.0.113.9')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  while (inFlight() > 0) await new Promise(setImmediate);
});

test('one address may have 500 pages and files open that it does not read, and they take no slots of calls', async () => {
  const body = Buffer.alloc(64 * 1024 * 1024);
  const { app, inFlight } = await serve(true, ['127.0.0.1'], app => {
    app.get('/assets/long.js', async () => body);
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = createConnection({ host: '127.0.0.1', port: (app.server.address() as AddressInfo).port });
  const from = 'X-Forwarded-For: 203.0.113.7';
  socket.pause().write(`GET /assets/long.js HTTP/1.1\r\nHost: x\r\n${from}\r\n\r\n`.repeat(500));
  const statusOf = async (path: string, address: string) =>
    (await fetch(url + path, { headers: { 'x-forwarded-for': address } })).status;
  await vi.waitFor(async () => expect(await statusOf('/about', '203.0.113.7')).toBe(503), waitOptions);
  expect(inFlight()).toBe(0);
  expect(await statusOf('/readyz', '203.0.113.7')).toBe(200);
  expect(await statusOf('/api/v1/user/balance', '203.0.113.7')).toBe(200);
  expect(await statusOf('/about', '203.0.113.8')).toBe(200);
  socket.destroy();
  await vi.waitFor(async () => expect(await statusOf('/about', '203.0.113.7')).toBe(200), waitOptions);
});

test('a GET request counts as in flight, even if its headers say that it is a form', async () => {
  const { app, held, inFlight } = await serve(true);
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const answer = app
    .inject({ method: 'GET', url: '/api/v1/held', headers })
    .then(({ statusCode }) => statusCode);
  while (held.length < 1) await new Promise(setImmediate);
  expect(inFlight()).toBe(1);
  held[0]!();
  expect(await answer).toBe(200);
});

test('a client that disconnects before its request is admitted takes no slot', async () => {
  const { app, inFlight } = await serve(false, false, app => {
    app.get(
      '/api/v1/asked',
      { onRequest: () => new Promise<void>(resolve => asked.push(resolve)) },
      async () => ({}),
    );
  });
  const asked: (() => void)[] = [];
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const hangUp = new AbortController();
  const gone = Array.from({ length: 20 }, () =>
    fetch(`${url}/api/v1/asked`, { signal: hangUp.signal }).catch(() => 'hung up'),
  );
  while (asked.length < 20) await new Promise(setImmediate);
  const closed = new Promise<void>(resolve => {
    const poll = () => app.server.getConnections((_, open) => (open === 0 ? resolve() : setImmediate(poll)));
    poll();
  });
  hangUp.abort();
  await Promise.all(gone);
  await closed;
  for (const admit of asked) admit();
  // A later request that succeeds shows that the earlier ones are done.
  const last = fetch(`${url}/api/v1/user/balance`);
  expect((await last).status).toBe(200);
  while (inFlight() > 0) await new Promise(setImmediate);
});

test('a client that disconnects frees its slot', async () => {
  const { app, held, inFlight } = await serve(false);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const hangUp = new AbortController();
  const asked = Array.from({ length: 20 }, () =>
    fetch(`${url}/api/v1/held`, { signal: hangUp.signal }).catch(() => 'hung up'),
  );
  while (held.length < 20) await new Promise(setImmediate);
  expect(inFlight()).toBe(20);
  hangUp.abort();
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['hung up']));
  while (inFlight() > 0) await new Promise(setImmediate);
});

test('a client that sends its body slowly takes no slot and is disconnected after ten seconds, unlike one that waits for a response', async () => {
  const { app, held, inFlight } = await serve(false);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const waiting = fetch(`${url}/api/v1/held`);
  while (held.length < 1) await new Promise(setImmediate);
  const { port } = app.server.address() as AddressInfo;
  const began = performance.now();
  const tenSeconds = sleep(10_000).then(() => performance.now() - began);
  const sockets = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const socket = createConnection({ host: '127.0.0.1', port });
      await once(socket, 'connect');
      socket.write(
        'POST /api/v1/user/balance HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
      );
      return socket;
    }),
  );
  expect(inFlight()).toBe(1);
  await Promise.all(sockets.map(hungUp));
  const took = performance.now() - began;
  expect(took).toBeGreaterThan(9_000);
  // Compares with a timer of ten seconds, which is just as late on a busy machine.
  expect(took).toBeLessThan((await tenSeconds) + 5_000);
  held[0]!();
  expect((await waiting).status).toBe(200);
});
