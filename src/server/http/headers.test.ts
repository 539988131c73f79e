/** The headers that the responses of a running bank must have, and headers that they must not have. */
import { request as ask } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authApi } from '#contract/auth.ts';
import { leakPattern } from '../../../tests/expectRefused.ts';
import { type RawAnswer, sendRaw } from '../../../tests/rawRequest.ts';
import type { SeededCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { pagePolicy, standardHeaders } from './headers.ts';
import { policyReportsPath } from './policyReports.ts';

let bank: TestBank;
let anna: SeededCustomer;
beforeAll(async () => {
  bank = await openTestBank();
  anna = await bank.seeded({ firstName: 'Anna' });
});
afterAll(() => bank.close());

const everywhere = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy':
    'accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-permitted-cross-domain-policies': 'none',
};
const onAnswers = {
  ...everywhere,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cache-control': 'no-store',
  vary: 'Authorization, Origin',
};
const neverSent = ['server', 'x-powered-by', 'x-xss-protection', 'strict-transport-security', 'set-cookie'];

function expectGuarded(
  what: string,
  headers: Record<string, unknown>,
  expected: Record<string, string>,
): void {
  const seen = Object.fromEntries(Object.keys(expected).map(name => [name, headers[name]]));
  expect(seen, what).toEqual(expected);
  for (const name of Object.keys(headers)) {
    expect(neverSent, what).not.toContain(name);
    expect(name, what).not.toMatch(/^access-control-/);
  }
}

const balancePath = '/api/v1/user/balance';
const authorized = () => ({ authorization: `Bearer ${anna.token}` });
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${bank.url}${path}`, { headers });
const raw = (lines: string[]): Promise<RawAnswer> => sendRaw(bank.url, [...lines, 'Connection: close']);

describe('every response', () => {
  test('from the API has the same headers: successes, each kind of refusal, the OpenAPI document', async () => {
    const large = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `"${'x'.repeat(70_000)}"`,
    };
    const answers: Record<string, Promise<Response>> = {
      'a success': get(balancePath, authorized()),
      'no session': get(balancePath),
      'a bad query': get(`${balancePath}?x=1`, authorized()),
      'an unknown path': get('/api/v1/nothing'),
      'a percent-encoded path': get('/%61pi/v1/user/balance', authorized()),
      'an unknown percent-encoded path': get('/%61p%69/v1/nothing'),
      'an unknown path outside the version': get('/api/nothing'),
      'the wrong method': fetch(`${bank.url}${balancePath}`, { method: 'DELETE' }),
      'a body that is too large': fetch(`${bank.url}${authApi.initiateLogin.path}`, large),
      'a path that is not UTF-8': get('/api/v1/user/verify-account/%E0%A4%A'),
      'a parameter that is too long': get(`/api/v1/admin/users/${'a'.repeat(300)}`),
      'a picture that does not exist': get('/files/avatar/nothing'),
      'the document': get('/api/openapi.json'),
      'the documentation page': get('/api/docs'),
    };
    for (const [what, asked] of Object.entries(answers)) {
      const answer = await asked;
      await answer.arrayBuffer();
      expectGuarded(what, Object.fromEntries(answer.headers), onAnswers);
      expect(answer.headers.get('x-request-id'), what).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('from the health endpoints has the same headers and is not cached', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expectGuarded(path, Object.fromEntries(answer.headers), { ...everywhere, 'cache-control': 'no-store' });
    }
  });

  /** Empty headers. */
  const many = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}:`);

  test('to malformed HTTP or oversized headers is the failure envelope with the same headers', async () => {
    const broken: Record<string, [string[], number]> = {
      'headers of 20 kilobytes': [['GET / HTTP/1.1', 'Host: bank', `X: ${'x'.repeat(20_000)}`], 431],
      'a URL of 20 kilobytes': [[`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Host: bank'], 431],
      '129 headers': [['GET / HTTP/1.1', 'Host: bank', ...many(128)], 431],
      '900 headers and a malformed URL': [['GET /%zz HTTP/1.1', 'Host: bank', ...many(899)], 431],
      'a body after 129 headers': [['POST / HTTP/1.1', ...many(129), 'Transfer-Encoding: chunked'], 431],
      'no method': [['/ HTTP/1.1', 'Host: bank'], 400],
      'a space before the colon': [['GET / HTTP/1.1', 'Host: bank', 'X : y'], 400],
      'a NUL in a header': [['GET / HTTP/1.1', 'Host: bank', 'X: a\u0000b'], 400],
      'two lengths': [['POST / HTTP/1.1', 'Host: bank', 'Content-Length: 1', 'Content-Length: 2'], 400],
      'a negative length': [['POST / HTTP/1.1', 'Host: bank', 'Content-Length: -1'], 400],
      'a length and chunks': [
        ['POST / HTTP/1.1', 'Host: bank', 'Content-Length: 5', 'Transfer-Encoding: chunked'],
        400,
      ],
      'chunks that are not last': [
        ['POST / HTTP/1.1', 'Host: bank', 'Transfer-Encoding: chunked, identity'],
        400,
      ],
    };
    for (const [what, [lines, status]] of Object.entries(broken)) {
      const answer = await sendRaw(bank.url, lines);
      expect(answer.status, what).toBe(status);
      expectGuarded(what, answer.headers, onAnswers);
      expect(answer.headers['content-type'], what).toBe('application/json; charset=utf-8');
      expect(JSON.parse(answer.body), what).toEqual({
        success: false,
        code: 'VALIDATION',
        message: 'Please check what you entered and try again.',
      });
    }
  });

  test('reaches a client behind proxies that sends 128 headers; a request with more is refused, and nothing after it on its connection is answered [RC-96]', async () => {
    const ask = (others: number) => ['GET /healthz HTTP/1.1', 'Host: bank', ...many(others)];
    expect((await sendRaw(bank.url, [...ask(126), 'Connection: close'])).status).toBe(200);
    const { status, body } = await sendRaw(bank.url, [...ask(128), '', ...ask(0), 'Connection: close']);
    expect(status).toBe(431);
    expect(body).not.toContain('HTTP/1.1');
    expect((await get('/healthz')).status).toBe(200);
  });

  test('requires https for two years, but only if the bank is served over https', () => {
    expect(standardHeaders(false, true)['strict-transport-security']).toBe(
      'max-age=63072000; includeSubDomains; preload',
    );
    expect(standardHeaders(true, false)['strict-transport-security']).toBeUndefined();
    expect(pagePolicy({ scripts: [], styles: [] }, true)).toMatch(
      /; report-to csp; upgrade-insecure-requests$/,
    );
    expect(pagePolicy({ scripts: [], styles: [] }, false)).not.toContain('upgrade-insecure-requests');
  });
});

test('a browser’s report of a policy violation gets an empty response', async () => {
  const report = { 'csp-report': { 'effective-directive': 'img-src', 'document-uri': `${bank.url}/` } };
  const answer = await fetch(`${bank.url}${policyReportsPath}`, {
    method: 'POST',
    headers: { 'content-type': 'application/csp-report' },
    body: JSON.stringify(report),
  });
  expect(answer.status).toBe(204);
  expectGuarded('a report', Object.fromEntries(answer.headers), onAnswers);
});

describe('the host', () => {
  test('must be named exactly once', async () => {
    const twice = await raw([
      `GET ${balancePath} HTTP/1.1`,
      'Host: bank',
      'Host: evil.example',
      `Authorization: Bearer ${anna.token}`,
    ]);
    expect(twice.status).toBe(400);
    expect(JSON.parse(twice.body)).toMatchObject({ success: false, code: 'VALIDATION' });
    expect((await raw([`GET ${balancePath} HTTP/1.1`])).status).toBe(400);
  });

  test('that a request header names never appears in a response or a mail [RC-32]', async () => {
    const evil = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
      'x-original-url': '/api/v1/admin/users',
      'x-rewrite-url': '/api/v1/admin/users',
    };
    for (const path of ['/', '/api/openapi.json', '/api/docs', balancePath, '/nothing', '/dev/inbox']) {
      const answer = await new Promise<{ headers: unknown; text: string }>((resolve, reject) => {
        const { hostname, port } = new URL(bank.url);
        const sent = ask({ hostname, port, path, headers: { ...evil, host: 'evil.example' } }, got => {
          let text = '';
          got.setEncoding('utf8').on('data', chunk => {
            text += chunk;
          });
          got.once('end', () => resolve({ headers: got.headers, text }));
        });
        sent.once('error', reject).end();
      });
      expect(JSON.stringify(answer), path).not.toContain('evil.example');
    }
    const { email } = await bank.customer();
    await bank.call(authApi.forgotPassword, { body: { email }, headers: evil });
    await bank.mailedCode(email, 1);
    const mails = bank.bank.parts.inbox!.list(email);
    expect(mails.length).toBeGreaterThan(1);
    for (const { text, html } of mails) expect(`${text}${html}`).not.toContain('evil.example');
  });
});

describe('another site', () => {
  test('cannot read the development inbox or the metrics by DNS rebinding', async () => {
    const mail = { to: 'rebound@example.com', subject: 'Your code', text: '123456', html: '<p>123456</p>' };
    await bank.bank.parts.mailer.send(mail);
    const { id } = bank.bank.parts.inbox!.list(mail.to)[0]!;
    const paths = ['/dev/inbox', '/dev/inbox.json', '/dev/inbox.css', `/dev/inbox/${id}`, '/metrics'];
    for (const path of paths) {
      expect((await raw([`GET ${path} HTTP/1.1`, 'Host: localhost:3000'])).status, path).toBe(200);
      const { status, body } = await raw([`GET ${path} HTTP/1.1`, 'Host: evil.example']);
      expect({ status, code: JSON.parse(body).code }, path).toEqual({ status: 404, code: 'NOT_FOUND' });
    }
  });

  test('gets no CORS permission, neither in a preflight nor with the request', async () => {
    for (const origin of ['https://evil.example', 'null', 'https://bank.evil.example']) {
      const preflight = await fetch(`${bank.url}${balancePath}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      });
      const asked = await get(balancePath, { ...authorized(), origin });
      for (const answer of [preflight, asked])
        for (const [name] of answer.headers) expect(name).not.toMatch(/^access-control-/);
      expect(preflight.status).toBe(404);
    }
  });

  test('cannot send an HTML form to the API, because its content type is refused', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const answer = await fetch(`${bank.url}${authApi.initiateLogin.path}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: '{"email":"a@b.example","password":"123456"}',
      });
      expect(answer.status).toBe(415);
    }
  });
});

describe('a call', () => {
  test('is reached only by its exact path and method', async () => {
    const hidden = [
      '//api/v1/user/balance',
      '/API/v1/user/balance',
      '/api/V1/user/balance',
      '/api/v1/user/balance/',
      '/api/v1/user/balance;a=b',
      '/api//v1/user/balance',
      '/api/v1/./user/balance',
      '/api/v1/admin/../user/balance',
      '/api/v1/admin/%2e%2e/user/balance',
      '/api%2Fv1%2Fuser%2Fbalance',
      '/api/v1/user\\balance',
      '/api/v1/user/balance%00',
    ];
    for (const path of hidden) {
      const { status, body } = await raw([
        `GET ${path} HTTP/1.1`,
        'Host: bank',
        `Authorization: Bearer ${anna.token}`,
      ]);
      expect([400, 404], `${path} ${status}`).toContain(status);
      expect(body).not.toContain('"balance"');
    }
    for (const method of ['TRACE', 'PROPFIND', 'PATCH', 'LOCK', 'POST', 'DELETE']) {
      const { status, body } = await raw([
        `${method} ${balancePath} HTTP/1.1`,
        'Host: bank',
        'X-Secret: echo-me-not',
        'Content-Length: 0',
      ]);
      expect([400, 404], `${method} ${status}`).toContain(status);
      expect(body).not.toContain('echo-me-not');
      expect(body).not.toMatch(leakPattern);
    }
  });

  test('cannot change its method by a header', async () => {
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const answer = await get(balancePath, { ...authorized(), [name]: 'DELETE' });
      expect(answer.status).toBe(200);
    }
  });

  test('with two Authorization headers is refused', async () => {
    const { status } = await raw([
      `GET ${balancePath} HTTP/1.1`,
      'Host: bank',
      `Authorization: Bearer ${anna.token}`,
      'Authorization: Bearer x',
    ]);
    expect(status).toBe(400);
  });

  test('to an unknown path does not repeat the path [C-31]', async () => {
    const answer = await get('/api/v1/user/%3Cscript%3Ealert(1)%3C/script%3E');
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toMatch(/script|alert/);
  });
});
