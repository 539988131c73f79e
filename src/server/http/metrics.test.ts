/** Metrics: who can read them, and what they contain. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authApi } from '#contract/auth.ts';
import { transferApi } from '#contract/transfer.ts';
import { callAt } from '../../../tests/call.ts';
import { missingIn } from '../../../tests/observability.ts';
import { eventually, openTestBank } from '../../../tests/server.ts';
import { serveMetrics } from './metrics.ts';
import { sendRefusal, toRefusal } from './refusal.ts';

let app: FastifyInstance;
let port: number;
let waiting = 0;
const publicUrl = 'http://bank.container:3000';
const externalAddress = Object.values(networkInterfaces())
  .flat()
  .find(address => address && !address.internal && address.family === 'IPv4')?.address;

beforeAll(async () => {
  app = Fastify();
  app.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  app.get('/things/:id', async () => 'x');
  serveMetrics(app, { token: 'a-long-token', publicUrl, gauges: { postings_waiting: () => waiting } });
  await app.listen({ port: 0, host: '0.0.0.0' });
  port = (app.server.address() as { port: number }).port;
});
afterAll(() => app.close());

const read = (host = '127.0.0.1', headers: Record<string, string> = {}) =>
  fetch(`http://${host}:${port}/metrics`, { headers });

test('requests are timed by route instead of path, and gauges are read at each scrape [RC-38]', async () => {
  for (const id of [1, 2, 3]) await (await fetch(`http://127.0.0.1:${port}/things/${id}`)).text();
  waiting = 7;
  const answer = await read();
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toMatch('text/plain');
  expect(text).toContain(
    'larkspur_http_request_duration_seconds_count{method="GET",route="/things/:id",status="2xx"} 3',
  );
  expect(text).not.toContain('/things/1');
  expect(text).toContain('larkspur_postings_waiting 7');
  expect(text).toContain('process_cpu_seconds_total');
});

test('while the disk hangs, it is asked once and not at each scrape, and the other metrics can be read [RC-38]', async () => {
  let asked = 0;
  const readDisk = () => {
    asked++;
    return new Promise<never>(() => {});
  };
  const hanging = Fastify();
  serveMetrics(hanging, { token: undefined, publicUrl, gauges: { postings_waiting: () => 5 }, readDisk });
  const scrapes = [1, 2].map(() => hanging.inject({ url: '/metrics', headers: { host: 'localhost' } }));
  for (const { body } of await Promise.all(scrapes)) expect(body).toContain('larkspur_postings_waiting 5');
  expect(asked).toBe(1);
  await hanging.close();
});

test('a request that a proxy on this machine forwards does not count as coming from this machine', async () => {
  expect((await read('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).status).toBe(404);
});

test('only the connection decides whether a request is from this machine, not the headers of a trusted proxy', async () => {
  const trusting = Fastify({ trustProxy: ['127.0.0.0/8', '203.0.113.9'] });
  trusting.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  serveMetrics(trusting, { token: undefined, publicUrl, gauges: {} });
  const status = async (remoteAddress: string, headers: Record<string, string> = {}) =>
    (await trusting.inject({ url: '/metrics', remoteAddress, headers })).statusCode;
  expect(await status('127.0.0.1')).toBe(200);
  expect(await status('203.0.113.9')).toBe(404);
  expect(await status('203.0.113.9', { 'x-forwarded-for': '127.0.0.1' })).toBe(404);
  expect(await status('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toBe(404);
  await trusting.close();
});

test('a page cannot read metrics by DNS rebinding: the host must be an address or a name that no other site can own', async () => {
  const status = async (host: string, headers: Record<string, string> = {}) =>
    (await app.inject({ url: '/metrics', headers: { host, ...headers } })).statusCode;
  for (const host of [
    'localhost',
    'LOCALHOST:3000',
    'bank.localhost:3000',
    '127.0.0.1:3000',
    '127.8.9.10',
    '[::1]:3000',
    'bank.container:8080',
    'bank:3000',
    '192.0.2.1',
    '[2001:db8::1]:3000',
  ])
    expect(await status(host), host).toBe(200);
  for (const host of [
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'bank.container.evil.example',
  ]) {
    expect(await status(host), host).toBe(404);
    expect(await status(host, { 'x-forwarded-host': 'localhost' }), host).toBe(404);
    expect(await status(host, { authorization: 'Bearer a-long-token' }), host).toBe(200);
  }
});

test('from another machine, metrics need the token [RC-38]', async () => {
  const from = (headers?: Record<string, string>) =>
    externalAddress
      ? read(externalAddress, headers)
      : read('127.0.0.1', { 'x-forwarded-for': '203.0.113.9', ...headers });
  expect((await from()).status).toBe(404);
  expect((await from({ authorization: 'Bearer wrong' })).status).toBe(404);
  expect((await from({ authorization: 'Bearer a-long-token' })).status).toBe(200);
});

test('if no token is set, no other machine can read the metrics', async () => {
  const other = Fastify();
  other.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  serveMetrics(other, { token: undefined, publicUrl, gauges: {} });
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  for (const authorization of ['', 'Bearer ', 'Bearer undefined']) {
    const answer = await other.inject({ url: '/metrics', headers: { ...headers, authorization } });
    expect(answer.statusCode).toBe(404);
  }
  await other.close();
});

async function countLockTimeouts(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^larkspur_database_errors_total\{code="55P03"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

test('the metrics show groups, commits, waiting work and its age, refusals, and failed and locked logins; alerts and dashboard use only existing metrics [RC-69, OB-04]', async () => {
  const bank = await openTestBank({ BACKUP_DIR: join(tmpdir(), 'larkspur-no-backups') });
  const [from, to] = [await bank.customer({ dollars: 10 }), await bank.customer()];
  await bank.call(transferApi.sendExternal, {
    token: from.token,
    body: { bankName: 'First Harbour', accountName: 'Ines', accountNumber: '40218836117', amount: 1 },
  });
  await bank.call(transferApi.sendInternal, {
    token: from.token,
    body: { receiverAccountNumber: to.accountNumber, amount: 5_000 },
  });
  for (let i = 0; i < 5; i++)
    await bank.call(authApi.initiateLogin, { body: { email: to.email, password: '123456789' } });
  // Adds a job that no worker knows, and deferred mails. Neither is processed.
  await bank.test.database.ownerPool.query(`
    SELECT graphile_worker.add_job('unknown', run_at => now() - interval '1 hour');
    INSERT INTO transfer_mails (transaction_ids, step, due_at, created_at)
    VALUES ('{}', 1, now() + interval '1 day', now() - interval '1 hour')`);
  // Adds a payment's job that scheduled its next run and whose process then died.
  await bank.test.database.ownerPool.query(`
    SELECT enqueue_payment_jobs('unknown', ARRAY['${to._id}']::uuid[]);
    UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'dead' WHERE key LIKE 'unknown:%';
    SELECT enqueue_payment_jobs('unknown', ARRAY['${to._id}']::uuid[]);
    UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL WHERE locked_by = 'dead'`);
  await fetch(`${bank.url}/readyz`);
  const errorsBefore = await countLockTimeouts(bank.url);
  const other = await bank.test.database.ownerPool.connect();
  await other.query("BEGIN; SELECT FROM ledger_accounts WHERE kind = 'customer' FOR UPDATE");
  const locked = await callAt(bank.url, transferApi.sendInternal, {
    token: from.token,
    body: { receiverAccountNumber: to.accountNumber, amount: 1 },
  });
  expect(locked.status).toBe(503);
  await other.query('ROLLBACK');
  other.release();
  // Waits until the earlier mails are sent. Until then, the gauge shows the age of the first of them, by id.
  const text = await eventually(async () => {
    const read = await (await fetch(`${bank.url}/metrics`)).text();
    return /^larkspur_transfer_mails_oldest_seconds 3\d{3}/m.test(read) ? read : undefined;
  });
  const value = (name: string) => Number(new RegExp(`^larkspur_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
  expect(value('database_answers')).toBe(1);
  expect(value('data_dir_free_bytes')).toBeGreaterThan(0);
  expect(value('posting_group_size_count')).toBeGreaterThan(0);
  expect(value('posting_commit_seconds_sum')).toBeGreaterThan(0);
  expect(value('posting_retries_total')).toBeGreaterThanOrEqual(0);
  expect(value('external_pending')).toBe(1);
  expect(value('external_oldest_seconds')).toBeGreaterThanOrEqual(0);
  expect(value('jobs_waiting')).toBeGreaterThan(0);
  expect(value('jobs_failed')).toBe(0);
  expect(value('transfer_mail_batches_waiting')).toBeGreaterThan(0);
  expect(value('transfer_mails_oldest_seconds')).toBeGreaterThanOrEqual(3_600);
  expect(value('jobs_oldest_seconds')).toBeGreaterThanOrEqual(3_600);
  expect(value('audit_unsealed')).toBeGreaterThanOrEqual(0);
  expect(value('last_verify_timestamp_seconds')).toBeGreaterThanOrEqual(0);
  expect(value('last_backup_timestamp_seconds')).toBe(0);
  expect(value('logins_failed_last_hour')).toBeGreaterThan(3);
  expect(value('logins_locked_last_hour')).toBe(1);
  expect(await countLockTimeouts(bank.url)).toBeGreaterThan(errorsBefore);
  expect(value('refusals_total\\{code="INSUFFICIENT_BALANCE"\\}')).toBe(1);
  expect(missingIn(text)).toEqual([]);
  expect(
    missingIn(text, [
      { of: 'A', expr: 'max(larkspur_typo) > 1' },
      { of: 'B', expr: 'sum by (color) (larkspur_refusals_total{code="X", typo="a"})' },
      { of: 'C', expr: 'larkspur_http_request_duration_seconds_count{route="/typo"}' },
    ]),
  ).toEqual([
    'A: larkspur_typo',
    'B: larkspur_refusals_total{typo}',
    'B: larkspur_refusals_total{color}',
    'C: route="/typo"',
  ]);
  await bank.close();
});

test('scheduled transfers that cannot be run are counted by the message of their log line, so that an alert names them [OB-05]', async () => {
  const bank = await openTestBank();
  await bank.test.database.ownerPool.query('ALTER TABLE scheduled_transfers RENAME TO moved_away');
  const failed =
    /^larkspur_background_failures_total\{message="scheduled transfers could not be run; retrying"\} [1-9]/m;
  await eventually(async () => failed.test(await (await fetch(`${bank.url}/metrics`)).text()) || undefined);
  await bank.close();
});

test('the metrics show when the newest complete backup ended, also while the disk of the backups hangs [OB-05]', async () => {
  const backupDir = mkdtempSync(join(tmpdir(), 'larkspur-backups-'));
  const bank = await openTestBank({ BACKUP_DIR: backupDir });
  const lastBackup = async () => {
    const text = await (await fetch(`${bank.url}/metrics`)).text();
    return Number(/^larkspur_last_backup_timestamp_seconds (\S+)$/m.exec(text)?.[1]);
  };
  expect(await lastBackup()).toBe(0);
  for (const [name, endedAt] of [
    ['1', '2026-01-01T00:00:00.000Z'],
    ['2', '2026-01-02T00:00:00.000Z'],
  ] as const) {
    mkdirSync(join(backupDir, 'base', name), { recursive: true });
    writeFileSync(join(backupDir, 'base', name, 'backup.json'), JSON.stringify({ endedAt }));
  }
  const newest = Date.parse('2026-01-02T00:00:00.000Z') / 1000;
  await eventually(async () => (await lastBackup()) === newest || undefined);
  mkdirSync(join(backupDir, 'base', '3'));
  const pipe = join(backupDir, 'base', '3', 'backup.json');
  execFileSync('mkfifo', [pipe]);
  for (let i = 0; i < 3; i++) expect(await lastBackup()).toBe(newest);
  closeSync(openSync(pipe, 'r+'));
  rmSync(backupDir, { recursive: true });
  await eventually(async () => (await lastBackup()) === 0 || undefined);
  await bank.close();
});
