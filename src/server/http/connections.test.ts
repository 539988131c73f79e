/** Clients that open many connections, or send many requests on one without waiting for the responses. */
import { execFileSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { authApi } from '#contract/auth.ts';
import { transferApi } from '#contract/transfer.ts';
import { hungUp } from '../../../tests/rawRequest.ts';
import { eventually, openTestBank, type TestBank } from '../../../tests/server.ts';
import { openConnectionLimits } from './connections.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank();
});
afterAll(() => bank.close());

const get = (path: string, header = 'Host: bank') => `GET ${path} HTTP/1.1\r\n${header}\r\n\r\n`;

/** Opens a connection and sends requests. The connection is paused. */
async function send(requests: string[], url = bank.url): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) }).pause();
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(requests.join(''));
  return socket;
}

test('a visitor who sends very many requests on one connection and reads no answer does not make the bank refuse others', async () => {
  await send(Array<string>(1_500).fill(get('/api/openapi.json')));
  for (let n = 0; n < 20; n++) {
    expect((await fetch(`${bank.url}/api/docs`)).status).toBe(200);
    await sleep(50);
  }
});

test.each([
  ['for an API route', get(authApi.profile.path)],
  ['with malformed URLs', get('/%zz')],
  ['with an unknown expectation', get(authApi.profile.path, 'Host: bank\r\nExpect: cake')],
  ['without a host', get(authApi.profile.path, 'X: y')],
])('a client that pipelines more than 16 requests %s is disconnected', async (_, request) => {
  const hasty = await send([get(authApi.profile.path), ...Array<string>(16).fill(request)]);
  let answered = '';
  hasty.on('data', chunk => {
    answered += chunk;
  });
  await hungUp(hasty.resume());
  expect(answered).toBe('');
});

test('when a client sends thousands of requests at once, Node reports none after the connection was closed, and then serves other clients', async () => {
  let reported = 0;
  const count = () => void reported++;
  bank.bank.app.server.on('request', count);
  onTestFinished(() => void bank.bank.app.server.off('request', count));
  const hasty = await send(Array<string>(3_000).fill('GET / HTTP/1.1\r\n\r\n'));
  await hungUp(hasty.resume());
  expect(reported).toBeLessThanOrEqual(17);
  // Node reuses the parser of the closed connection.
  for (let n = 0; n < 5; n++) expect((await fetch(`${bank.url}/api/docs`)).status).toBe(200);
});

/** A server without anything but the limits. `/open` is not answered. */
async function limitedServer(byNetwork = true, onRequest?: (path: string) => void): Promise<string> {
  const { isAccepted, watch } = openConnectionLimits({ byNetwork });
  const server = createServer((request, response) => {
    onRequest?.(request.url!);
    if (isAccepted({ raw: request }, { raw: response }) && request.url !== '/open') response.end();
  });
  watch(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends requests, 16 at a time. Returns how many were answered before the connection was closed, or all were. */
async function ask(url: string, count: number): Promise<number> {
  const socket = await send(Array<string>(16).fill(get('/')), url);
  let answers = 0;
  for await (const chunk of socket) {
    answers += String(chunk).split('HTTP/1.1 200').length - 1;
    if (answers >= count) break;
    if (answers % 16 === 0) socket.write(get('/').repeat(16));
  }
  return answers;
}

/** A server whose connections have no socket of the system. */
function fakeServer() {
  const { isAccepted, watch } = openConnectionLimits({ byNetwork: true });
  const server = new EventEmitter();
  watch(server as Server);
  const open = (remoteAddress = '192.0.2.7') => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroyed: false, destroy() {} });
    socket.destroy = () => {
      socket.destroyed = true;
    };
    server.emit('connection', socket);
    return socket;
  };
  return { isAccepted, open };
}

/** A program that opens 50 connections to the port in its first argument, sends its second argument on each, and resets it. */
const resetConnections = `
  const [port, request] = process.argv.slice(1);
  for (let i = 0; i < 50; i++) {
    const socket = require('node:net').connect(Number(port), '127.0.0.1', () => {
      socket.write(request, () => socket.resetAndDestroy());
    });
  }`;

test('after 500 requests of one address in five seconds, each further one gets a connection of its own, unless it comes from a proxy', async () => {
  await eventually(async () => {
    const url = await limitedServer();
    const startedAt = performance.now();
    const answered = [await ask(url, 500), await ask(url, 500)];
    const answer = await fetch(url, { method: 'POST', body: 'x' });
    // A very busy machine needs more than the five seconds, and tries again.
    if (performance.now() - startedAt > 5_000) return undefined;
    // Requests are sent 16 at a time. The 501st is the last one on its connection.
    expect(answered).toEqual([501, 1]);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    return true;
  });
  expect(await ask(await limitedServer(false), 1_008)).toBe(1_008);
});

test.each([
  ['', (path: string) => get(path)],
  [' with bodies', (path: string) => `${get(path, 'Host: bank\r\nContent-Length: 1')}x`],
])(
  'of 960 requests%s that one address sends on 60 connections at the same moment, few are answered, unless it is a proxy [RC-96]',
  async (_, request) => {
    /** Sends the requests when the server has accepted all connections. */
    const burst = async (url: string) => {
      let answers = 0;
      const sockets = await Promise.all(
        Array.from({ length: 60 }, async () => {
          const socket = await send([get('/')], url);
          await once(socket.resume(), 'data');
          return socket
            .on('error', () => {})
            .on('data', chunk => {
              answers += String(chunk).split('HTTP/1.1 200').length - 1;
            });
        }),
      );
      for (const socket of sockets) socket.write(request('/').repeat(16));
      return () => answers;
    };
    const url = await limitedServer();
    const answers = await burst(url);
    // The first 100, and one more on each of the other 54 connections.
    await eventually(() => (answers() >= 154 ? true : undefined));
    await sleep(300);
    expect(answers()).toBeLessThan(300);
    // The address can connect again, and keeps that connection.
    expect(await ask(url, 32)).toBe(32);
    const ofProxy = await burst(await limitedServer(false));
    await eventually(() => (ofProxy() === 960 ? true : undefined));
  },
);

test('of more than 1,000 connections of one address, the one that has been idle for longest is closed', async () => {
  const url = await limitedServer();
  const [busy, idle] = [await send([get('/open')], url), await send([], url)];
  const used = await send([get('/')], url);
  await once(used.resume(), 'data');
  const closed = hungUp(idle.resume());
  await Promise.all(Array.from({ length: 998 }, () => send([], url)));
  await closed;
  expect([busy.destroyed, used.destroyed]).toEqual([false, false]);
  used.write(get('/'));
  await once(used, 'data');
});

test('connections that their client reset before the server accepted them are closed without an answer [RC-96]', async () => {
  const requested: string[] = [];
  const url = await limitedServer(true, path => requested.push(path));
  // While this runs, the server accepts nothing.
  execFileSync(process.execPath, ['-e', resetConnections, new URL(url).port, get('/reset')]);
  expect((await fetch(`${url}/next`)).status).toBe(200);
  expect(requested).toEqual(['/next']);
});

test('after 1,000 connections that one address opens in five seconds, only ten of its connections in 20 ms are accepted, and all of other addresses [RC-96]', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { open } = fakeServer();
  const openMany = (count: number) => Array.from({ length: count }, () => open());
  openMany(1_000);
  const flood = openMany(40).map(({ destroyed }) => destroyed);
  expect(flood).toEqual([...Array<boolean>(10).fill(false), ...Array<boolean>(30).fill(true)]);
  expect(open('192.0.2.8').destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(20);
  expect(open().destroyed).toBe(false);
});

test('while no connection of an address is idle, 3,000 more take hardly longer than the first 1,000, and the next idle one is closed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { isAccepted, open } = fakeServer();
  const openBusy = () => {
    const socket = open();
    isAccepted(
      { raw: { socket, headers: {} } as never },
      { raw: Object.assign(new EventEmitter(), { setHeader() {} }) as never },
    );
    return socket;
  };
  const openMany = (count: number) => {
    vi.advanceTimersByTime(5_000);
    const startedAt = process.cpuUsage();
    const sockets = Array.from({ length: count }, openBusy);
    return { sockets, cpu: process.cpuUsage(startedAt).user };
  };
  const first = openMany(1_000);
  const more = Array.from({ length: 3 }, () => openMany(1_000));
  expect(more.reduce((sum, { cpu }) => sum + cpu, 0)).toBeLessThan(20 * first.cpu);
  vi.advanceTimersByTime(5_000);
  const idle = open();
  expect([
    idle.destroyed,
    ...more.flatMap(({ sockets }) => sockets.map(({ destroyed }) => destroyed)),
  ]).not.toContain(true);
  open();
  expect(idle.destroyed).toBe(true);
});

test('a client that sends many requests with bodies at once is disconnected, although each is answered before the next', async () => {
  const request = `${get(authApi.profile.path, 'Host: bank\r\nContent-Length: 1')}x`;
  const hasty = await send(Array<string>(100).fill(request));
  let answered = '';
  hasty.on('data', chunk => {
    answered += chunk;
  });
  await hungUp(hasty.resume());
  expect(answered.split('HTTP/1.1 ').length - 1).toBeLessThanOrEqual(16);
});

test('a client may send 16 requests without waiting, and then more', async () => {
  const request = get(authApi.profile.path);
  const patient = await send(Array<string>(16).fill(request));
  const chunks: Buffer[] = [];
  patient.on('data', chunk => chunks.push(chunk));
  const answers = () =>
    Buffer.concat(chunks)
      .toString()
      .match(/HTTP\/1\.1 401 /g)?.length;
  patient.resume();
  await eventually(() => (answers() === 16 ? true : undefined));
  // The connection can still be used.
  patient.write(request);
  await eventually(() => (answers() === 17 ? true : undefined));
});

test('16 requests that were sent at once are no longer in flight when their client disconnects', async () => {
  const inFlight = async () =>
    Number(
      /^larkspur_requests_in_flight (\d+)$/m.exec(await (await fetch(`${bank.url}/metrics`)).text())?.[1],
    );
  await eventually(async () => (await inFlight()) === 0 || undefined);
  const connected = once(bank.bank.app.server, 'connection') as Promise<[Socket]>;
  // The client reads nothing, and the documents are too large for the buffers of the connection.
  const client = await send(Array<string>(16).fill(get('/api/openapi.json')));
  const [received] = await connected;
  await eventually(async () => (await inFlight()) > 1 || undefined);
  client.destroy();
  await eventually(() => received.destroyed || undefined);
  await eventually(async () => (await inFlight()) === 0 || undefined);
});

/** The head of a request whose body comes in chunks. */
const chunked = (line: string, type = 'application/json') =>
  `${line} HTTP/1.1\r\nHost: bank\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
const post = ({ path }: { path: string }) => `POST ${path}`;
const formType = 'multipart/form-data; boundary=b';
const formStart = '--b\r\nContent-Disposition: form-data; name="avatar"; filename="x"\r\n\r\n';
const formChunk = `${formStart.length.toString(16)}\r\n${formStart}\r\n`;

test.each([
  ['to a call without login', chunked(post(authApi.initiateLogin))],
  ['to a call that refuses it before the body is read', chunked(post(transferApi.sendInternal))],
  ['to an unknown call', chunked('POST /api/v1/unknown')],
  ['to a malformed URL', chunked('POST /%zz')],
  ['to a page', chunked('GET /')],
  ['of a form', `${chunked(post(authApi.register), formType)}${formChunk}`],
])('a client that sends a body %s in very small chunks is disconnected', async (_, head) => {
  const connected = once(bank.bank.app.server, 'connection') as Promise<[Socket]>;
  const client = await send([head, '1\r\nx\r\n'.repeat(500_000)]);
  const [received] = await connected;
  await hungUp(client.resume());
  await eventually(() => received.destroyed || undefined);
  expect(received.bytesRead).toBeLessThan(300_000);
});

test.each([
  ['100 chunks of one byte', 1, 100],
  ['60 chunks of a kilobyte', 1024, 60],
])('a client may send a body in %s', async (_, bytes, count) => {
  const chunk = `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;
  const client = await send([chunked(post(authApi.initiateLogin)), chunk.repeat(count), '0\r\n\r\n']);
  const [answer] = (await once(client.resume(), 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
});

test('after a refused request with a body in chunks, the connection serves the next request', async () => {
  const client = await send([chunked(post(transferApi.sendInternal)), '2\r\n{}\r\n0\r\n\r\n']);
  for (let n = 0; n < 2; n++) {
    const [answer] = (await once(client.resume(), 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
    client.write(get(authApi.profile.path));
  }
});
