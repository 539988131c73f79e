/** Migrations: run concurrently by several processes, and refused if an applied file was changed. */
import { expect, it, onTestFinished } from 'vitest';
import { createClone, testSecrets } from '../../../tests/database.ts';
import { eventually } from '../../../tests/waiting.ts';
import { openDatabase } from './database.ts';
import { prepareDatabase } from './migrate.ts';
import { isMigrated } from './migrations.ts';

const { databaseKey } = testSecrets;

/** A database that is migrated already. */
async function openMigrated() {
  const { connection, drop } = await createClone('template_bank');
  const server = openDatabase(connection);
  onTestFinished(async () => {
    await server.close();
    await drop();
  });
  return server;
}

it('four servers that start concurrently on an empty database all find it migrated', async () => {
  const { connection, drop } = await createClone('template1');
  const servers = Array.from({ length: 4 }, () => openDatabase(connection));
  await Promise.all(servers.map(server => prepareDatabase(server.ownerPool, databaseKey)));
  expect(await Promise.all(servers.map(server => isMigrated(server.pool)))).toEqual([true, true, true, true]);
  await Promise.all(servers.map(server => server.close()));
  await drop();
});

it('a migration that was changed after it was applied stops the start and is named', async () => {
  const server = await openMigrated();
  await server.ownerPool.query(
    "UPDATE migration_checksums SET checksum = 'other' WHERE name = '0001_ledger'",
  );
  await expect(prepareDatabase(server.ownerPool, databaseKey)).rejects.toThrow(
    'Migration 0001_ledger was changed',
  );
});

it('a start reports which process it waits for while another one migrates, and gives up after its deadline', async () => {
  const server = await openMigrated();
  const other = await server.ownerPool.connect();
  const { rows } = await other.query(
    "SELECT pg_backend_pid() AS pid, pg_advisory_lock(hashtext('larkspur migrations'))",
  );
  const reports: string[] = [];
  const start = (lockTimeoutMs: number) =>
    prepareDatabase(server.ownerPool, databaseKey, { lockTimeoutMs, onWaiting: text => reports.push(text) });
  await expect(start(0)).rejects.toThrow(
    `PostgreSQL process ${rows[0].pid}). Start again when it has finished.`,
  );
  const waiting = start(60_000);
  await eventually(() => (reports.length > 0 ? true : undefined));
  expect(reports).toEqual([expect.stringContaining(`(from this machine, since `)]);
  other.release(true);
  await waiting;
});
