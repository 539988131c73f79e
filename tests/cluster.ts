/**
 * One real PostgreSQL for all server tests, started once. Every test file clones a migrated template database, so files share
 * no data and start in milliseconds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { prepareDatabase } from '#server/db/migrate.ts';
import { startEmbedded } from '#server/embedded/embedded.ts';
import { deriveSecrets } from '#server/secrets.ts';

export const templateName = 'template_bank';

/** The APP_SECRET of a test's bank that sets none. */
export const testAppSecret = 'a secret for tests that is long enough';

declare module 'vitest' {
  interface ProvidedContext {
    connection: { host: string; port: number; user: string; password: string; database: string };
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'larkspur-test-'));
  const embedded = await startEmbedded({
    dataDir,
    // Crash safety is tested on separate clusters; this one is deleted after the tests.
    settings: { max_connections: '300', fsync: 'off', full_page_writes: 'off' },
  });
  const admin = new pg.Client(embedded.connection);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${templateName}`);
  const pool = new pg.Pool({ ...embedded.connection, database: templateName, max: 4 });
  await prepareDatabase(pool, deriveSecrets(testAppSecret).databaseKey);
  await pool.end();
  await admin.end();
  project.provide('connection', { ...embedded.connection });
  return async () => {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
