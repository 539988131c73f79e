/** The data of every released version is migrated to this one, and its books are proven. `npm run freeze` adds a version. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { transferApi } from '#contract/transfer.ts';
import { testSecrets } from '../../../tests/database.ts';
import { loadBankData, migrationsOf, readBankData } from '../../../tests/releaseData.ts';
import { openTestBank } from '../../../tests/server.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { openDatabase } from './database.ts';
import { prepareDatabase } from './migrate.ts';
import { isMigrated, listMigrations } from './migrations.ts';

const folder = join(fileURLToPath(new URL('../../../tests/', import.meta.url)), 'releases');
const name = `upgrade_${randomBytes(6).toString('hex')}`;

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client(inject('connection'));
  await client.connect();
  await client.query(statement);
  await client.end();
}
beforeAll(() => asAdmin(`CREATE DATABASE ${name}`));
afterAll(async () => {
  await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await asAdmin(`DROP ROLE IF EXISTS larkspur_server_${name}`);
});

/** Loads data as the version that wrote it, migrates it, and returns the faults of its books and how many records it has. */
async function upgrade(data: string): Promise<{ faults: string[]; records: number }> {
  await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
  await asAdmin(`CREATE DATABASE ${name}`);
  const database = openDatabase({ ...inject('connection'), database: name });
  const released = migrationsOf(data);
  const migrations = listMigrations().filter(one => released.includes(one.name));
  expect(migrations.map(one => one.name)).toEqual(released);
  await prepareDatabase(database.ownerPool, testSecrets.databaseKey, { migrations });
  const client = await database.ownerPool.connect();
  await loadBankData(client, data);
  client.release(true);
  await prepareDatabase(database.ownerPool, testSecrets.databaseKey);
  expect(await isMigrated(database.pool)).toBe(true);
  const { faults, checked } = await verifyBooks(database.reader, { sealKey: testSecrets.sealKey });
  await database.close();
  return { faults, records: checked.records };
}

test('the data of this version and of every released one is migrated, and its books are proven [VS-08]', async () => {
  const bank = await openTestBank();
  const [nora, ben] = [await bank.customer({ dollars: 50 }), await bank.customer({ firstName: 'Ben' })];
  const body = { receiverAccountNumber: ben.accountNumber, amount: 20, description: 'rent' };
  expect((await bank.call(transferApi.sendInternal, { body, token: nora.token })).status).toBe(201);
  const owner = await bank.test.database.ownerPool.connect();
  const data = await readBankData(owner);
  owner.release();
  await bank.close();
  const upgraded = await upgrade(data);
  expect(upgraded.faults).toEqual([]);
  expect(upgraded.records).toBeGreaterThan(5);
  // The proof sees what a migration would break: Nora has $30.
  const broken = await upgrade(data.replace('balance\\": 3000,', 'balance\\": 3001,'));
  expect(broken.faults).not.toEqual([]);
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    const { faults, records } = await upgrade(gunzipSync(readFileSync(join(folder, file))).toString());
    expect([file, faults]).toEqual([file, []]);
    expect(records, file).toBeGreaterThan(5);
  }
});
