/** Strict JSON parsing, on a server that echoes what it parsed. */
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefused } from '../../../tests/expectRefused.ts';
import { sendRaw } from '../../../tests/rawRequest.ts';
import { addHeaders } from './headers.ts';
import { acceptJson } from './json.ts';
import { sendRefusal, toRefusal } from './refusal.ts';

let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  app = Fastify({ genReqId: () => crypto.randomUUID() });
  app.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  addHeaders(app, false);
  acceptJson(app);
  app.post('/api/echo', async request => ({ got: request.body }));
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

const post = (body: BodyInit, type = 'application/json', more: Record<string, string> = {}) =>
  fetch(`${url}/api/echo`, { method: 'POST', body, headers: { 'content-type': type, ...more } });
const parsed = async (body: BodyInit, type?: string) => {
  const answer = await post(body, type);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { got: unknown }).got;
};

test('a number is parsed exactly or refused', async () => {
  for (const [text, value] of [
    ['1', 1],
    ['0.1', 0.1],
    ['-5', -5],
    ['1e3', 1000],
    ['1.10', 1.1],
    ['123456789012.345', 123456789012.345],
    ['999999999999999', 999999999999999],
    ['0.000000000000001', 1e-15],
    ['0', 0],
  ] as const)
    expect(await parsed(`{"n":${text}}`), text).toEqual({ n: value });
  for (const text of [
    '9007199254740993',
    '1000000000000001',
    '0.1000000000000000055',
    '1.0000000000000001',
    '12345678901234.567',
    '-0',
    '-0.0',
    '-0e9',
    '-1e-999',
    '-1E-999',
  ]) {
    for (const body of [`{"n":${text}}`, `{"n":[{"deep":${text}}]}`]) {
      const refused = await expectRefused(body, await post(body), 'VALIDATION');
      expect(refused.message).toBe('Please enter a valid amount');
    }
  }
});

test('names that could pollute prototypes are refused at any depth', async () => {
  for (const text of [
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
    '{"a":[{"b":{"__proto__":1}}]}',
    '{"\\u005f_proto__":1}',
    '{"prototype":1}',
  ])
    await expectRefused(text, await post(text), 'VALIDATION');
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

test('bytes must be UTF-8; a byte order mark and letters of any writing system are accepted', async () => {
  for (const bytes of [[0xff, 0xfe], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf0, 0x82, 0x82, 0xac], [0x80]]) {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    await expectRefused(String(bytes), await post(body), 'VALIDATION');
  }
  expect(await parsed('{"a":"José 李 Ò 🍜"}')).toEqual({ a: 'José 李 Ò 🍜' });
  expect(await parsed('\ufeff{"a":1}')).toEqual({ a: 1 });
});

test('a body that is not JSON is refused with a message, quickly even if it is long or deeply nested', async () => {
  const message = 'The request is not valid JSON.';
  for (const text of [
    '{"a":',
    '{a:1}',
    "{'a':1}",
    '{"a":1,}',
    'undefined',
    '{"a":01}',
    '{"a":.5}',
    '//x\n{}',
    '{"a":1}x',
  ])
    expect((await expectRefused(text, await post(text), 'VALIDATION')).message).toBe(message);
  const before = process.cpuUsage();
  await expectRefused('unclosed', await post('['.repeat(60_000)), 'VALIDATION');
  const deep = await post(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);
  expect([200, 400]).toContain(deep.status);
  await deep.text();
  // Measures processor time, so that a busy machine does not look like a slow parser.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(2000);
});

test('a body with far more values than any call needs is refused, because checking them all would take long', async () => {
  const values = (count: number) => `{"a":[${Array(count).fill(1).join()}]}`;
  expect(await parsed(values(900))).toEqual({ a: Array(900).fill(1) });
  const message = 'The request is not valid JSON.';
  expect((await expectRefused('many', await post(values(30_000)), 'VALIDATION')).message).toBe(message);
  const names = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, 1])));
  expect(Object.keys((await parsed(names(450))) as object)).toHaveLength(450);
  for (const count of [1_000, 6_000])
    expect((await expectRefused('names', await post(names(count)), 'VALIDATION')).message).toBe(message);
});

test('two equal names in one object are refused, because programs disagree about which one counts [C-22]', async () => {
  for (const text of [
    '{"amount":1,"amount":999}',
    '{"amount":1,"\\u0061mount":999}',
    '{"a":[{"b":"c","b" :"c"}]}',
    '{"a":"x: y","a":{}}',
  ])
    await expectRefused(text, await post(text), 'VALIDATION');
  for (const value of [
    { a: { b: 1 }, b: [{ b: 2 }, { b: 3 }] },
    { a: '"b":1,"b":2' },
    { a: '":"', b: 'a:' },
    ['":'],
    { a: ':)', b: ' : ' },
    'a',
  ])
    expect(await parsed(JSON.stringify(value))).toEqual(value);
});

test('an empty body is parsed as undefined', async () => {
  expect(await parsed('')).toBeUndefined();
});

test('the content type must be exactly JSON, with UTF-8 as the only charset', async () => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON; charset=utf-8',
  ])
    expect(await parsed('{"a":1}', type), type).toEqual({ a: 1 });
  for (const type of [
    'text/plain',
    'text/plain; application/json',
    'application/jsonx',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json garbage',
    'application/json, text/html',
    'application/json; x=y',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/vnd.api+json',
  ]) {
    const refused = await expectRefused(type, await post('{"a":1}', type), 'UNSUPPORTED_TYPE');
    expect(refused.message).toBe('The request is not valid JSON.');
  }
});

test('a content type with tabs or spaces around it does not bypass the parser', async () => {
  for (const type of [
    'application/json\ta',
    '\tapplication/json',
    ' application/json ',
    'application/json\t',
  ]) {
    const { status, body } = await sendRaw(
      url,
      [
        'POST /api/echo HTTP/1.1',
        'Host: bank',
        'Connection: close',
        `Content-Type:${type}`,
        'Content-Length: 5',
      ],
      '{"a":',
    );
    expect([400, 415], `${JSON.stringify(type)} ${body}`).toContain(status);
  }
});

test('64 kilobytes are accepted and one byte more is too large, with or without a declared length [C-89]', async () => {
  const sized = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
  expect(await parsed(sized(65_536))).toEqual({ a: 'x'.repeat(65_528) });
  await expectRefused('declared', await post(sized(65_537)), 'TOO_LARGE');
  const chunked = await sendRaw(
    url,
    [
      'POST /api/echo HTTP/1.1',
      'Host: bank',
      'Connection: close',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ],
    `${'10000\r\n'}${'x'.repeat(65_536)}\r\n1\r\nx\r\n0\r\n\r\n`,
  );
  expect(chunked.status).toBe(413);
});

test('a compressed body is refused, and the identity encoding is accepted', async () => {
  for (const coding of ['gzip', 'br', 'deflate', 'gzip, identity', 'x'])
    await expectRefused(
      coding,
      await post(gzipSync('{"a":1}'), 'application/json', { 'content-encoding': coding }),
      'UNSUPPORTED_TYPE',
    );
  const plain = await post('{"a":1}', 'application/json', { 'content-encoding': 'identity' });
  expect(await plain.json()).toEqual({ got: { a: 1 } });
});
