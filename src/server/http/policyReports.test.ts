/** Reports of policy violations: each browser format, and invalid or forged reports. */
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { acceptJson } from './json.ts';
import { acceptPolicyReports, policyReportsPath } from './policyReports.ts';

const logged: Record<string, unknown>[] = [];
beforeEach(() => void logged.splice(0));

function open(): FastifyInstance {
  const log = pino({ base: null, level: 'warn' }, { write: line => void logged.push(JSON.parse(line)) });
  const app: FastifyInstance = Fastify({ loggerInstance: log as FastifyBaseLogger });
  acceptJson(app);
  acceptPolicyReports(app, 'https://bank.example');
  return app;
}

async function send(type: string, body: unknown): Promise<number> {
  const app = open();
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const { statusCode } = await app.inject({
    method: 'POST',
    url: policyReportsPath,
    headers: { 'content-type': type },
    payload,
  });
  await app.close();
  return statusCode;
}
const expectedLog = {
  msg: 'a page broke its policy',
  directive: 'style-src-elem',
  blocked: 'inline',
  page: 'https://bank.example/forgot-password',
  source: 'https://bank.example/assets/index.js',
  line: '12',
};

test('a report of the Reporting API is logged, without the query and fragment of its URLs', async () => {
  const body = {
    effectiveDirective: 'style-src-elem',
    blockedURL: 'inline',
    documentURL: 'https://bank.example/forgot-password?code=123456#now',
    sourceFile: 'https://bank.example/assets/index.js',
    lineNumber: 12,
  };
  expect(await send('application/reports+json', [{ type: 'csp-violation', age: 1, body }])).toBe(204);
  expect(logged).toEqual([expect.objectContaining(expectedLog)]);
});

test('credentials in URLs are removed, regardless of their length', async () => {
  const secret = `ann:s3cret@${'x'.repeat(300)}`;
  const report = {
    'effective-directive': 'img-src',
    'blocked-uri': `HTTPS://${secret}@other.example/a@b.png?token=1`,
    'document-uri': `https://${secret}@bank.example/loans`,
    'source-file': `http+x://${secret}@bank.example/assets/index.js#ann:s3cret@x`,
  };
  expect(await send('application/csp-report', { 'csp-report': report })).toBe(204);
  expect(logged).toEqual([
    expect.objectContaining({
      blocked: 'HTTPS://other.example/a@b.png',
      page: 'https://bank.example/loans',
      source: 'http+x://bank.example/assets/index.js',
    }),
  ]);
});

test('a report of an older browser is logged the same way', async () => {
  const report = {
    'violated-directive': 'style-src-elem',
    'blocked-uri': 'inline',
    'document-uri': 'https://bank.example/forgot-password?code=123456',
    'source-file': 'https://bank.example/assets/index.js',
    'line-number': 12,
  };
  expect(await send('application/csp-report', { 'csp-report': report })).toBe(204);
  expect(logged).toEqual([expect.objectContaining(expectedLog)]);
});

test('at most five reports of one body are logged, and long values are cut', async () => {
  const page = `https://bank.example/${'y'.repeat(300)}`;
  const body = { effectiveDirective: 'x'.repeat(300), documentURL: page };
  expect(await send('application/reports+json', Array(20).fill({ body }))).toBe(204);
  expect(logged).toHaveLength(5);
  expect(logged[0]).toMatchObject({ directive: 'x'.repeat(200), page: page.slice(0, 200) });
});

test('a flood of reports from one network does not keep the reports of others out of the log', async () => {
  const app = open();
  const report = (remoteAddress: string, page: string) =>
    app.inject({
      method: 'POST',
      url: policyReportsPath,
      remoteAddress,
      headers: { 'content-type': 'application/csp-report' },
      payload: JSON.stringify({
        'csp-report': { 'effective-directive': 'x', 'document-uri': `https://bank.example/${page}` },
      }),
    });
  for (let n = 0; n < 30; n++) await report(`2001:db8:0:${n}::1`, 'flood');
  expect(logged).toHaveLength(10);
  await report('192.0.2.1', 'loans');
  expect(logged.at(-1)).toMatchObject({ page: 'https://bank.example/loans' });
  for (let n = 0; n < 200; n++) await report(`198.51.100.${n}`, 'everyone');
  expect(logged).toHaveLength(100);
  await app.close();
});

test('a report about another site is not logged, and control characters are removed', async () => {
  for (const page of ['https://evil.example/', 'https://bank.example.evil.example/'])
    expect(
      await send('application/csp-report', {
        'csp-report': { 'effective-directive': 'x', 'document-uri': page },
      }),
    ).toBe(204);
  expect(logged).toEqual([]);
  const report = {
    'effective-directive': 'a\u009b31m\u202e\u2028\u007fb',
    'blocked-uri': '\u2066c',
    'document-uri': 'https://bank.example/',
  };
  expect(await send('application/csp-report', { 'csp-report': report })).toBe(204);
  expect(logged).toEqual([expect.objectContaining({ directive: 'a31mb', blocked: 'c' })]);
});

test('an invalid report is accepted silently, and one that is too large or of another type is refused', async () => {
  for (const body of ['', 'no json', 'null', '[]', '[null, 1, {"body": 2}]', '{}', '{"csp-report": "x"}'])
    expect(await send('application/csp-report', body), body).toBe(204);
  expect(await send('application/csp-report', 'x'.repeat(17_000))).toBe(413);
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x'])
    expect(await send(type, '"x"'), type).toBe(415);
  expect(logged).toEqual([]);
});
