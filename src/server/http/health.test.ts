/** Health endpoints. Readiness means that money can be posted, and is answered in time even if the database hangs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cloneDatabase, testSecrets } from '../../../tests/database.ts';
import { eventually, measureWithoutStalls } from '../../../tests/waiting.ts';
import type { Database } from '../db/database.ts';
import { openServerDatabase } from '../db/migrate.ts';
import { startEmbedded } from '../embedded/embedded.ts';
import { serveHealth } from './health.ts';
import { refusalOf } from './refusal.ts';

/** Makes a server on this database. `ask` returns the status of `/readyz`. */
function askReadiness(database: Database, isStopping = () => false) {
  const app = Fastify();
  const health = serveHealth(app, database, isStopping);
  const ask = async () => (await app.inject('/readyz')).statusCode;
  return { app, health, ask };
}

test('parallel readiness checks query the database once, and again a second later [RC-37]', async () => {
  const { database, drop } = await cloneDatabase();
  const { app, ask } = askReadiness(database);
  // Fakes only the timers of the cache, so that it does not expire while a busy machine answers fifty checks.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(async () => {
    vi.useRealTimers();
    await app.close();
    await drop();
  });
  const probedAt = async () =>
    String((await database.pool.query('SELECT checked_at::text AS at FROM readiness_probe')).rows[0].at);
  /** Makes checks in parallel until a busy machine answers them in time. A failed check is cached, too. */
  const areReady = (count: number) =>
    eventually(async () => {
      const statuses = await Promise.all(Array.from({ length: count }, ask));
      if (statuses.every(status => status === 200)) return true;
      vi.advanceTimersByTime(1_000);
      return undefined;
    });
  await areReady(50);
  const first = await probedAt();
  vi.advanceTimersByTime(999);
  await ask();
  expect(await probedAt()).toBe(first);
  vi.advanceTimersByTime(1);
  await areReady(1);
  expect(await probedAt()).not.toBe(first);
});

test('a server is ready only while money can be posted: not if the database is read-only, full, without its standby, or hangs [RC-66]', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'larkspur-ready-'));
  const cluster = await startEmbedded({ dataDir });
  const database = await openServerDatabase(cluster.connection, testSecrets);
  const { app, ask } = askReadiness(database);
  const superuser = new pg.Client(cluster.connection);
  await superuser.connect();
  onTestFinished(async () => {
    await app.close();
    await superuser.end();
    await database.close();
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const becomes = (status: number) =>
    eventually(async () => {
      let found = 0;
      const tookMs = await measureWithoutStalls(async () => {
        found = await ask();
      });
      expect(tookMs).toBeLessThan(1_000);
      return found === status || undefined;
    });
  const probes = async () =>
    (
      await superuser.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'larkspur readiness' ORDER BY backend_start",
      )
    ).rows.map(({ pid }) => pid);

  await becomes(200);
  for (const [setting, value] of [
    ['default_transaction_read_only', 'on'],
    // With this limit, writing a temporary file fails as on a full disk.
    ['temp_file_limit', '0'],
    ['synchronous_standby_names', 'away'],
  ]) {
    await superuser.query(`ALTER SYSTEM SET ${setting} = ${value}`);
    await superuser.query('SELECT pg_reload_conf()');
    await becomes(503);
    // A commit that waits for the standby keeps its connection. Further checks must not open more connections.
    for (let i = 0; i < 3; i++) await becomes(503);
    // A connection that was just closed can still be listed.
    await eventually(async () => (await probes()).length <= 2 || undefined);
    await superuser.query(`SET synchronous_commit = local`);
    await superuser.query(`ALTER SYSTEM RESET ${setting}`);
    await superuser.query('SELECT pg_reload_conf()');
    await becomes(200);
  }
  const [pid] = await probes();
  process.kill(pid!, 'SIGSTOP');
  await becomes(503);
  process.kill(pid!, 'SIGCONT');
  await becomes(200);
});

test('a server that is too old for its database gives that as the reason, and not that the database is slow', async () => {
  const { database, drop } = await cloneDatabase();
  await database.ownerPool.query("UPDATE schema_version SET works_with_servers_from = '9999'");
  const { app, ask } = askReadiness(database);
  let reason: unknown;
  app.addHook('onResponse', async (_, reply) => {
    reason = refusalOf(reply)?.cause;
  });
  // On a busy machine, the first checks may not be answered in time.
  await eventually(async () => {
    expect(await ask()).toBe(503);
    const why = 'the version of this server does not work with the version of the database';
    return String(reason).includes(why) || undefined;
  });
  await app.close();
  await drop();
});

test('a stopping server is not ready, and knows whether a load balancer polls it [RC-67]', async () => {
  const { database, drop } = await cloneDatabase();
  let isStopping = false;
  const { app, health, ask } = askReadiness(database, () => isStopping);
  await ask();
  expect(health.isPolled()).toBe(false);
  await eventually(async () => (await ask()) === 200 || undefined);
  expect(health.isPolled()).toBe(true);
  isStopping = true;
  expect(await ask()).toBe(503);
  await app.close();
  await drop();
});
