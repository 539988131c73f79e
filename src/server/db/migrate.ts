/**
 * Migrates a database: first the job queue's own schema, then every new file in `db/migrations`, in order, each in one
 * transaction with the record that it was applied. Refuses if an applied file was changed afterwards.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMigrations } from 'graphile-worker';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type pg from 'pg';

const folder = fileURLToPath(new URL('../../../db/migrations/', import.meta.url));

/** The migrations of this version, oldest first. */
function listMigrations(): { name: string; text: string; checksum: string }[] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.sql'))
    .sort()
    .map(file => {
      const text = readFileSync(join(folder, file), 'utf8');
      return {
        name: file.slice(0, -'.sql'.length),
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      };
    });
}

/** Applies missing migrations. Several processes may call it concurrently. Throws if an applied file was changed. */
export async function migrate(ownerPool: pg.Pool): Promise<void> {
  const lock = await ownerPool.connect();
  try {
    // Neither our migrations nor the job queue's can run concurrently.
    await lock.query("SELECT pg_advisory_lock(hashtext('larkspur migrations'))");
    await migrateLocked(ownerPool);
  } finally {
    // Closing the connection releases the lock in any case.
    lock.release(true);
  }
}

async function migrateLocked(ownerPool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: ownerPool });
  const migrations = listMigrations();
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: ownerPool }) });
  await sql`CREATE TABLE IF NOT EXISTS migration_checksums (name text PRIMARY KEY, checksum text NOT NULL)`.execute(
    db,
  );
  const known = await sql<{
    name: string;
    checksum: string;
  }>`SELECT name, checksum FROM migration_checksums`.execute(db);
  for (const { name, checksum } of known.rows) {
    const now = migrations.find(migration => migration.name === name);
    if (now && now.checksum !== checksum)
      throw new Error(`Migration ${name} was changed after it was applied.`);
  }
  const migrator = new Migrator({
    db,
    provider: {
      async getMigrations() {
        return Object.fromEntries(
          migrations.map(({ name, text, checksum }) => [
            name,
            {
              async up(tx: Kysely<unknown>) {
                await sql.raw(text).execute(tx);
                await sql`INSERT INTO migration_checksums (name, checksum) VALUES (${name}, ${checksum})`.execute(
                  tx,
                );
              },
            },
          ]),
        );
      },
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
  // The running server reads it for its readiness check.
  await sql`GRANT SELECT ON migration_checksums TO larkspur_app`.execute(db);
}

/** Cached: anyone may call the readiness check, as often as they like. */
let needed: readonly string[] | undefined;

/** Whether every migration of this version is applied. Needs only the running server's privileges. */
export async function isMigrated(reader: Kysely<unknown>): Promise<boolean> {
  const applied = await sql<{ name: string }>`SELECT name FROM migration_checksums`.execute(reader);
  const names = new Set(applied.rows.map(row => row.name));
  needed ??= listMigrations().map(({ name }) => name);
  return needed.every(name => names.has(name));
}
