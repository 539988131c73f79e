/** A migrated database for one test file, cloned from the shared template and dropped afterward. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { openServerDatabase } from '#server/db/migrate.ts';
import { openFolderStore } from '#server/outside/objectStore.ts';
import { openPersonKeys } from '#server/outside/personKeys.ts';
import { deriveSecrets } from '#server/secrets.ts';
import { type Template, testAppSecret } from './cluster.ts';

/** Secrets for tests only. */
export const testSecrets = deriveSecrets(testAppSecret);

/** Keys of people, for tests without a bank. */
export const testKeys = openPersonKeys(
  openFolderStore(mkdtempSync(join(inject('scratch'), 'keys-'))),
  testSecrets.personKey,
  {
    bankId: 'test',
  },
);
await testKeys.create();

export type TestDatabase = { connection: pg.PoolConfig; database: Database; drop: () => Promise<void> };

async function asAdmin(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(inject('connection'));
  await client.connect();
  await work(client);
  await client.end();
}

/** Clones a template database. `drop` drops the clone and the login that a server made for it. */
export async function createClone(template: Template): Promise<Pick<TestDatabase, 'connection' | 'drop'>> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // An advisory lock lets only one test file clone a template at a time.
  await asAdmin(async client => {
    await client.query('SELECT pg_advisory_lock(4711)');
    // Copying files takes half the CPU time of copying pages through the log.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  });
  return {
    connection: { ...inject('connection'), database: name },
    drop: () =>
      asAdmin(async client => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        await client.query(`DROP ROLE IF EXISTS larkspur_server_${name}`);
      }),
  };
}

/** Clones the template database and opens it with the server's login. `drop` closes the connections and drops the clone. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const { connection, drop } = await createClone('template_bank');
  const database = await openServerDatabase(connection, testSecrets);
  return {
    connection,
    database,
    async drop() {
      await database.close();
      await drop();
    },
  };
}
