/** Migrations: run concurrently by several processes, and refused if an applied file was changed. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { openDatabase } from './database.ts';
import { isMigrated, migrate } from './migrate.ts';

let name: string;

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client(inject('connection'));
  await client.connect();
  await client.query(statement);
  await client.end();
}

beforeEach(async () => {
  name = `fresh_${randomBytes(6).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name}`);
});
afterEach(() => asAdmin(`DROP DATABASE ${name} WITH (FORCE)`));

it('four servers that start concurrently on an empty database all find it migrated', async () => {
  const servers = Array.from({ length: 4 }, () => openDatabase({ ...inject('connection'), database: name }));
  await Promise.all(servers.map(server => migrate(server.ownerPool)));
  expect(await Promise.all(servers.map(server => isMigrated(server.reader)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  await Promise.all(servers.map(server => server.close()));
});

it('a migration that was changed after it was applied stops the start and is named', async () => {
  const server = openDatabase({ ...inject('connection'), database: name });
  await migrate(server.ownerPool);
  await server.ownerPool.query(
    "UPDATE migration_checksums SET checksum = 'other' WHERE name = '0001_ledger'",
  );
  await expect(migrate(server.ownerPool)).rejects.toThrow('Migration 0001_ledger was changed');
  await server.close();
});
