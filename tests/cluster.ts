/**
 * One real PostgreSQL for all server tests, started once. Each test file clones a template database: migrated, with or without
 * an administrator, or empty. So files share no data and start in milliseconds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#server/db/database.ts';
import { prepareDatabase } from '#server/db/migrate.ts';
import { startEmbedded } from '#server/embedded/embedded.ts';
import { createAdmin } from '#server/people/admins.ts';
import { deriveSecrets } from '#server/secrets.ts';

/** `template1` is PostgreSQL's own template database, which is empty. */
export type Template = 'template_bank' | 'template_staffed' | 'template1';

/** The default APP_SECRET of a test's bank. */
export const testAppSecret = 'a secret for tests that is long enough';

/** The administrator of a test's bank, and of `template_staffed`. */
export const adminLogin = { email: 'admin@bank.example', password: 'correct horse battery' };

declare module 'vitest' {
  interface ProvidedContext {
    connection: { host: string; port: number; user: string; password: string; database: string };
    /** For temporary files of the tests. It is deleted after them, also when their processes are killed. */
    scratch: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = mkdtempSync(join(tmpdir(), 'larkspur-test-'));
  const embedded = await startEmbedded({
    dataDir: join(scratch, 'data'),
    // Crash safety is tested on separate clusters; this one is deleted after the tests.
    settings: {
      max_connections: '300',
      fsync: 'off',
      full_page_writes: 'off',
      max_wal_size: '256MB',
      // Copying a template's files through the operating system takes a third less processor time than through PostgreSQL.
      file_copy_method: 'clone',
    },
  });
  const connectionTo = (database: Template) => ({ ...embedded.connection, database });
  const secrets = deriveSecrets(testAppSecret);
  const client = new pg.Client(embedded.connection);
  await client.connect();
  await client.query('CREATE DATABASE template_bank');
  const pool = new pg.Pool({ ...connectionTo('template_bank'), max: 4 });
  // Without these two handlers, the job queue's library logs a warning about the pool.
  pool.on('error', () => {}).on('connect', () => {});
  await prepareDatabase(pool, secrets.databaseKey);
  // `app_secrets` lists the default secret now. A bank that a test opens with another secret would be refused.
  await pool.query('DELETE FROM app_secrets');
  await pool.end();
  await client.query('CREATE DATABASE template_staffed TEMPLATE template_bank');
  await client.end();
  // Hashing the administrator's password once saves every bank a tenth of a second.
  const database = openDatabase(connectionTo('template_staffed'));
  await createAdmin({ database, secrets }, { ...adminLogin, name: 'Ada Admin' });
  await database.close();
  project.provide('connection', { ...embedded.connection });
  project.provide('scratch', scratch);
  return async () => {
    await embedded.stop();
    rmSync(scratch, { recursive: true, force: true });
  };
}
