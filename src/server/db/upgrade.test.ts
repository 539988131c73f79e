/** The data of every released version is migrated to this one, and its books are proven. `npm run freeze` adds a version. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { transferApi } from '#contract/transfer.ts';
import { createClone, testSecrets } from '../../../tests/database.ts';
import { loadBankData, migrationsOf, readBankData } from '../../../tests/releaseData.ts';
import { openTestBank } from '../../../tests/server.ts';
import { resumePayments } from '../jobs/payments.ts';
import { compareFile } from '../jobs/railCompare.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { openDatabase } from './database.ts';
import { prepareDatabase } from './migrate.ts';
import { isMigrated, listMigrations } from './migrations.ts';

const folder = join(fileURLToPath(new URL('../../../tests/', import.meta.url)), 'releases');

/**
 * Loads data into a database of the data's own version, and migrates that database. Returns the faults of the books and the
 * number of audit records.
 */
async function upgrade(data: string): Promise<{ faults: string[]; records: number }> {
  const released = migrationsOf(data);
  const all = listMigrations();
  const migrations = all.filter(one => released.includes(one.name));
  expect(migrations.map(one => one.name)).toEqual(released);
  // The template bank has all migrations, so the data of a version that lacks some starts from an empty database.
  const isOlder = released.length < all.length;
  const { connection, drop } = await createClone(isOlder ? 'template1' : 'template_bank');
  const database = openDatabase(connection);
  if (isOlder) await prepareDatabase(database.ownerPool, testSecrets.databaseKey, { migrations });
  const client = await database.ownerPool.connect();
  await loadBankData(client, data);
  client.release(true);
  await prepareDatabase(database.ownerPool, testSecrets.databaseKey);
  expect(await isMigrated(database.pool)).toBe(true);
  // Jobs are not in the data: the server enqueues the jobs of pending payments again.
  await resumePayments({ database, log: pino({ level: 'silent' }) });
  const { faults, checked } = await verifyBooks(database.reader, {
    sealKey: testSecrets.sealKey,
    compareFile,
  });
  await database.close();
  await drop();
  return { faults, records: checked.records };
}

test('the data of this version and of every released version is migrated, and its books are proven [VS-08]', async () => {
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
  // The proof finds a wrong balance, as a faulty migration could leave. Nora has $30.
  const broken = await upgrade(data.replace('balance\\": 3000,', 'balance\\": 3001,'));
  expect(broken.faults).not.toEqual([]);
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    const { faults, records } = await upgrade(gunzipSync(readFileSync(join(folder, file))).toString());
    expect([file, faults]).toEqual([file, []]);
    expect(records, file).toBeGreaterThan(5);
  }
});
