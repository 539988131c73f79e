/** Valid and malformed forms, against a listening server. */
import { createConnection, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../tests/waiting.ts';
import { limitBodies } from './bodies.ts';
import { sendRefusal, toRefusal } from './refusal.ts';
import { missingFile, readForm, registerUploads, releaseForm, uploadBytes } from './uploads.ts';

const expected = {
  avatar: { required: true, missing: 'Please upload a profile image' },
  idCard: { required: false },
};
const megabyte = 1024 * 1024;

let app: FastifyInstance;
let url: string;
/** A server that limits each address to a part of the budget and takes the person from a header. */
let limited: FastifyInstance;
let limitedUrl: string;
/** While this is set, handlers wait for it after they have read their form. */
let hold: Promise<void> | undefined;
/** Sets `hold`. Returns a function that lets the handlers continue. They also continue at the end of the test. */
function holdHandlers(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  hold = promise;
  onTestFinished(() => resolve());
  return resolve;
}
/** How many forms `limited` has read completely. */
let complete = 0;
/**
 * How many responses of `limited` are closed, because they were sent or their client disconnected, and the errors of the
 * requests that failed.
 */
let closed = 0;
const errors: Error[] = [];

beforeAll(async () => {
  app = Fastify({ bodyLimit: 64 * 1024, requestTimeout: 600_000 });
  limitBodies(app);
  app.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  await registerUploads(app, false);
  app.post('/form', async request => {
    try {
      const { fields, files } = await readForm(request, expected);
      await hold;
      const sizes = Object.fromEntries(
        Object.entries(files).map(([name, { bytes }]) => [name, bytes.length]),
      );
      return { fields, sizes, missing: missingFile(expected, files) };
    } finally {
      releaseForm(request);
    }
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  limited = Fastify({ bodyLimit: 64 * 1024, requestTimeout: 600_000, trustProxy: '127.0.0.1' });
  limited.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  limited.addHook('onRequest', async (_, reply) => void reply.raw.once('close', () => closed++));
  limited.addHook('onError', async (_, _reply, error) => void errors.push(error));
  await registerUploads(limited, true);
  limited.post('/form', async request => {
    try {
      await readForm(request, expected, request.headers['x-person'] as string | undefined);
      complete++;
      await hold;
      return {};
    } finally {
      releaseForm(request);
    }
  });
  limitedUrl = await limited.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => Promise.all([app.close(), limited.close()]));

type FormResponse = { status: number; body: Record<string, unknown> };

async function post(body: BodyInit, headers: Record<string, string> = {}): Promise<FormResponse> {
  const response = await fetch(`${url}/form`, { method: 'POST', body, headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const file = (size: number) => new Blob([new Uint8Array(size).fill(7)], { type: 'image/png' });

function form(...entries: [name: string, value: string | Blob, filename?: string][]): FormData {
  const made = new FormData();
  for (const [name, value, filename] of entries) {
    if (typeof value === 'string') made.append(name, value);
    else made.append(name, value, filename ?? 'me.png');
  }
  return made;
}

/** Posts a handwritten form. Each part contains its header lines and its body. */
function raw(parts: string[], end = '--b--\r\n'): Promise<FormResponse> {
  const body = parts.map(part => `--b\r\n${part}\r\n`).join('') + end;
  return post(body, { 'content-type': 'multipart/form-data; boundary=b' });
}
const part = (disposition: string, body: string, type = '') =>
  `Content-Disposition: form-data; ${disposition}\r\n${type && `Content-Type: ${type}\r\n`}\r\n${body}`;

const refused = { status: 400, body: { success: false, code: 'VALIDATION' } };

test('a form with text fields and both pictures is read exactly as sent', async () => {
  const response = await post(
    form(['firstName', 'Inés “ß” 花'], ['email', ''], ['avatar', file(3)], ['idCard', file(70_000)]),
  );
  expect(response).toEqual({
    status: 200,
    body: { fields: { firstName: 'Inés “ß” 花', email: '' }, sizes: { avatar: 3, idCard: 70_000 } },
  });
});

test('a missing picture is reported with its message, even if the browser sends an empty file', async () => {
  const missing = { field: 'avatar', message: 'Please upload a profile image' };
  expect((await post(form(['email', 'a']))).body).toMatchObject({ missing });
  const empty = await raw([
    part('name="avatar"; filename=""', '', 'application/octet-stream'),
    part('name="email"', 'a'),
  ]);
  expect(empty.body).toMatchObject({ missing, sizes: {} });
  expect((await post(form(['avatar', file(1)]))).body.missing).toBeUndefined();
});

test('a picture of exactly ten megabytes is accepted, and one byte more is too large [C-36, V-20]', async () => {
  expect(await post(form(['avatar', file(10 * megabyte)]))).toMatchObject({
    status: 200,
    body: { sizes: { avatar: 10 * megabyte } },
  });
  expect(await post(form(['avatar', file(10 * megabyte + 1)]))).toMatchObject({
    status: 413,
    body: { code: 'TOO_LARGE' },
  });
});

test('an unknown picture, two pictures with one name, and three pictures are refused', async () => {
  expect(await post(form(['picture', file(3)]))).toMatchObject({
    ...refused,
    body: { errors: [{ field: 'picture' }] },
  });
  expect(await post(form(['avatar', file(3)], ['avatar', file(3)]))).toMatchObject(refused);
  expect(await post(form(['avatar', file(3)], ['idCard', file(3)], ['more', file(3)]))).toMatchObject(
    refused,
  );
});

test('a text field sent as a file, and a file sent as a text field, are refused', async () => {
  expect(await post(form(['email', file(3)], ['avatar', file(3)]))).toMatchObject(refused);
  expect(await post(form(['avatar', 'http://169.254.169.254/latest']))).toMatchObject(refused);
});

test('duplicate text fields, too many text fields, and a text field that is too long are refused', async () => {
  expect(await post(form(['email', 'a'], ['email', 'b']))).toMatchObject(refused);
  const many = Array.from({ length: 31 }, (_, i): [string, string] => [`f${i}`, 'x']);
  expect(await post(form(...many))).toMatchObject(refused);
  expect(await post(form(['email', 'x'.repeat(4096)]))).toMatchObject({ status: 200 });
  expect(await post(form(['email', 'x'.repeat(4097)]))).toMatchObject(refused);
  expect(await post(form(['n'.repeat(101), 'x']))).toMatchObject(refused);
});

test('a thousand parts are refused, and the next form succeeds', async () => {
  expect(await raw(Array.from({ length: 1000 }, (_, i) => part(`name="f${i}"`, 'x')))).toMatchObject(refused);
  expect(
    await raw(Array.from({ length: 1000 }, () => part('name="avatar"; filename="x.png"', 'x'))),
  ).toMatchObject(refused);
  expect(await post(form(['avatar', file(3)]))).toMatchObject({ status: 200 });
});

test('field names such as `__proto__`, files without a field name, and parts with a JSON object are refused', async () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    expect(await raw([part(`name="${name}"`, 'x')]), name).toMatchObject(refused);
    expect(await raw([part(`name="${name}"; filename="x"`, 'x')]), name).toMatchObject(refused);
  }
  expect(await raw([part('name="email"', '{"$ne":null}', 'application/json')])).toMatchObject(refused);
  expect(await raw([part('name="email"', '"text"', 'application/json')])).toMatchObject({ status: 200 });
  expect(await raw([part('filename="x"', 'x')])).toMatchObject(refused);
});

test('a truncated, unterminated or empty form is refused or read as empty, and never hangs', async () => {
  const whole = part('name="avatar"; filename="x.png"', 'bytes', 'image/png');
  expect(await raw([whole], '')).toMatchObject(refused);
  expect(await raw([whole], '--b')).toMatchObject(refused);
  expect(await raw([part('name="email"', 'a')], '')).toMatchObject(refused);
  expect(await raw([], 'no form at all')).toMatchObject(refused);
  const heavy = part('name="email"', 'a', `text/plain\r\nX: ${'y'.repeat(100_000)}`);
  expect((await raw([heavy])).body).toMatchObject({ missing: { field: 'avatar' }, fields: {} });
  expect((await raw([], '')).status).toBe(200);
});

test('a content type other than a form’s, or without a boundary, is refused', async () => {
  expect((await post('{}', { 'content-type': 'application/json' })).status).toBe(415);
  expect((await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  expect((await post('x', { 'content-type': 'multipart/form-data' })).status).toBe(400);
  expect((await post('x', { 'content-type': 'multipart/mixed; boundary=b' })).status).toBeGreaterThanOrEqual(
    400,
  );
});

test('any file name is accepted', async () => {
  for (const name of ['../../etc/passwd', 'a\0.jpg', 'x'.repeat(300), 'CON', '\u202egnp.exe']) {
    expect((await post(form(['avatar', file(3), name]))).status, name).toBe(200);
  }
});

test('uploads beyond the memory budget are refused as busy, and the memory is released afterward', async () => {
  const release = holdHandlers();
  const uploads = Array.from({ length: 20 }, () => post(form(['avatar', file(9 * megabyte)])));
  let done = 0;
  for (const one of uploads) void one.then(() => done++);
  // Forms that got no memory are answered while the others still hold theirs.
  await waitFor(() => done >= 6);
  expect(uploadBytes()).toBeLessThanOrEqual(128 * megabyte);
  release();
  hold = undefined;
  const statuses = (await Promise.all(uploads)).map(({ status }) => status);
  expect(statuses.filter(status => status === 200).length).toBeGreaterThanOrEqual(10);
  expect(statuses.filter(status => status === 503).length).toBeGreaterThanOrEqual(6);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  await waitUntilReleased();
  expect((await post(form(['avatar', file(9 * megabyte)]))).status).toBe(200);
});

test('a client that disconnects in the middle of a picture releases its memory', async () => {
  const socket = startForm(url, 500_000);
  await waitFor(() => uploadBytes() > 400_000);
  socket.destroy();
  await waitUntilReleased();
});

test('a form does not fail if its client disconnects before the server reads the address of the client', async () => {
  [closed, errors.length] = [0, 0];
  const socket = createConnection(Number(new URL(limitedUrl).port), '127.0.0.1');
  const head = 'POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n';
  socket.write(head, () => socket.resetAndDestroy());
  await waitFor(() => closed === 1);
  expect(errors).toEqual([]);
});

/** Stops the timer that refuses slow forms, so that it does not fire on a busy machine. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}
const waitFor = (condition: () => boolean) => eventually(() => (condition() ? true : undefined));
const waitUntilReleased = () => waitFor(() => uploadBytes() === 0);

test('hundreds of slow senders do not keep others from uploading', async () => {
  stopClock();
  const slow = Array.from({ length: 200 }, () => startForm(url, 1));
  await waitFor(() => uploadBytes() >= 200 * 64 * 1024);
  expect((await post(form(['avatar', file(5 * megabyte)]))).status).toBe(200);
  for (const socket of slow) socket.destroy();
  await waitUntilReleased();
});

/** Sends a form with this many bytes of a picture and leaves it incomplete. `headers` end in a line break. */
function startForm(to: string, bytes: number, headers = ''): Socket {
  const socket = createConnection(Number(new URL(to).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => {});
  socket.write(
    `POST /form HTTP/1.1\r\nHost: x\r\n${headers}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 20000000\r\n\r\n` +
      `--b\r\n${part('name="avatar"; filename="x"', 'x'.repeat(bytes))}`,
  );
  return socket;
}
/** Collects the response on a connection. */
function collect(socket: Socket): () => string {
  let response = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    response += chunk;
  });
  return () => response;
}
/** Waits for at least this many responses. Expects each to be a refusal with a time to retry. */
async function expectRefusals(responses: (() => string)[], atLeast: number): Promise<void> {
  const refusals = () => responses.map(read => read()).filter(text => text.includes('"code"'));
  await waitFor(() => refusals().length >= atLeast);
  for (const refusal of refusals())
    expect(refusal).toMatch(/^HTTP\/1\.1 429 .*retry-after: 5\r\n.*"code":"TOO_MANY"/is);
}

test.each([
  ['one address', () => ''],
  ['one IPv6 /48', (n: number) => `X-Forwarded-For: 2001:db8:0:${n}::1\r\n`],
])(
  'twenty half-sent forms of %s take only half of the memory, and another address can upload',
  async (_, header) => {
    stopClock();
    const slow = Array.from({ length: 20 }, (_, n) => startForm(limitedUrl, 9 * megabyte, header(n)));
    // Each address has half of the 128 MB, so at most seven forms of 9 MB fit.
    await expectRefusals(slow.map(collect), 13);
    expect(uploadBytes()).toBeLessThanOrEqual(64 * megabyte);
    const elsewhere = { method: 'POST', headers: { 'x-forwarded-for': '203.0.113.9' } };
    const body = form(['avatar', file(10 * megabyte)], ['idCard', file(10 * megabyte)]);
    expect((await fetch(`${limitedUrl}/form`, { ...elsewhere, body })).status).toBe(200);
    for (const socket of slow) socket.destroy();
    await waitUntilReleased();
  },
);

test('half-sent forms of ten addresses cannot take all memory: another address can upload', async () => {
  stopClock();
  const slow = Array.from({ length: 20 }, (_, n) =>
    startForm(limitedUrl, 6 * megabyte, `X-Forwarded-For: 203.0.113.${n % 10}\r\n`),
  );
  await waitFor(() => uploadBytes() > 119 * megabyte);
  const elsewhere = { method: 'POST', headers: { 'x-forwarded-for': '203.0.113.20' } };
  const body = form(['avatar', file(10 * megabyte)]);
  expect((await fetch(`${limitedUrl}/form`, { ...elsewhere, body })).status).toBe(200);
  for (const socket of slow) socket.destroy();
  await waitUntilReleased();
});

test('a form that was sent completely keeps its memory until it is answered, even if another address needs it', async () => {
  const release = holdHandlers();
  complete = 0;
  const held = Array.from({ length: 7 }, async (_, n) => {
    const body = form(['avatar', file(9 * megabyte)], ['idCard', file(9 * megabyte)]);
    const headers = { 'x-forwarded-for': `203.0.113.${n}` };
    return (await fetch(`${limitedUrl}/form`, { method: 'POST', headers, body })).status;
  });
  await waitFor(() => complete === 7);
  hold = undefined;
  const elsewhere = { method: 'POST', headers: { 'x-forwarded-for': '203.0.113.20' } };
  const body = form(['avatar', file(9 * megabyte)]);
  expect((await fetch(`${limitedUrl}/form`, { ...elsewhere, body })).status).toBe(503);
  release();
  expect(await Promise.all(held)).toEqual(Array(7).fill(200));
  await waitUntilReleased();
});

test('a form that was read keeps its memory until it is handled, even if its client disconnects', async () => {
  const release = holdHandlers();
  complete = 0;
  const body = `--b\r\n${part('name="avatar"; filename="x"', 'x'.repeat(9 * megabyte))}\r\n--b--\r\n`;
  const socket = createConnection(Number(new URL(limitedUrl).port), '127.0.0.1');
  socket.write(
    `POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await waitFor(() => complete === 1);
  closed = 0;
  socket.destroy();
  await waitFor(() => closed === 1);
  expect(uploadBytes()).toBeGreaterThan(9 * megabyte);
  hold = undefined;
  release();
  await waitUntilReleased();
});

test('half-sent forms of one person, from any address, take only a quarter of the memory, and another person can upload', async () => {
  stopClock();
  const slow = Array.from({ length: 20 }, (_, n) =>
    startForm(limitedUrl, 9 * megabyte, `X-Person: wren\r\nX-Forwarded-For: 203.0.113.${n}\r\n`),
  );
  // Each person has a quarter of the 128 MB, so at most three forms of 9 MB fit.
  await expectRefusals(slow.map(collect), 17);
  expect(uploadBytes()).toBeLessThanOrEqual(32 * megabyte);
  const jun = { method: 'POST', headers: { 'x-person': 'jun', 'x-forwarded-for': '203.0.113.1' } };
  expect((await fetch(`${limitedUrl}/form`, { ...jun, body: form(['avatar', file(9)]) })).status).toBe(200);
  for (const socket of slow) socket.destroy();
  await waitUntilReleased();
});

test('a form that stops in the middle is refused within 20 seconds, and its memory is released', async () => {
  stopClock();
  const [stopped, going] = [startForm(url, megabyte), startForm(url, megabyte)];
  const [responseToStopped, responseToGoing] = [collect(stopped), collect(going)];
  // Bytes that arrive after the first check count as progress. So this waits until both forms have arrived, apart from a few
  // kB. Each form also reserves 64 kB.
  await waitFor(() => uploadBytes() > 2 * (megabyte + 60_000));
  // The first check of the timer counts the bytes so far, the second the bytes since then.
  vi.advanceTimersByTime(10_000);
  const before = uploadBytes();
  going.write('x'.repeat(100_000));
  await waitFor(() => uploadBytes() >= before + 100_000);
  vi.advanceTimersByTime(10_000);
  await waitFor(() => responseToStopped().includes('Upload taking too long'));
  await waitFor(() => uploadBytes() < 2 * megabyte);
  expect(responseToGoing()).toBe('');
  going.destroy();
  await waitUntilReleased();
});

const nineMegabytes = 'x'.repeat(9 * megabyte);
test.each([
  ['a picture', `--b\r\n${part('name="avatar"; filename="x"', nineMegabytes)}`, 200],
  ['what precedes the first part', nineMegabytes, 200],
  ['the rest of a refused form', `--b\r\n${part('name="other"; filename="x"', nineMegabytes)}`, 400],
  ['the body of a request to an unknown path', nineMegabytes, 404, '/unknown'],
])(
  'while %s arrives, the server gets to other work often, however fast the client sends',
  async (_, parts, status, path = '/form') => {
    const connected = new Promise<Socket>(resolve => app.server.once('connection', resolve));
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
    const response = collect(socket);
    const received = await connected;
    // The most bytes that the server read in one turn of the event loop.
    let [most, before] = [0, 0];
    const endTurn = () => {
      most = Math.max(most, received.bytesRead - before);
      before = received.bytesRead;
      if (!socket.destroyed) setImmediate(endTurn);
    };
    endTurn();
    const body = `${parts}\r\n--b--\r\n`;
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await waitFor(() => response().startsWith(`HTTP/1.1 ${status} `) && before > body.length);
    socket.destroy();
    expect(most).toBeLessThan(megabyte / 4);
    await waitUntilReleased();
  },
);
