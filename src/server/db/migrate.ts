/**
 * Brings a database to the present: the job queue's own schema, then every file of `db/migrations` that is new, in
 * order, each in the same transaction as the note that it ran. An applied file that was changed afterwards is refused.
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

/** Applies what is missing. Safe to run from several processes at once; throws where a file was changed after it ran. */
export async function migrate(ownerPool: pg.Pool): Promise<void> {
  const turn = await ownerPool.connect();
  try {
    // The job queue's own migrations cannot run twice at once, and neither can ours.
    await turn.query("SELECT pg_advisory_lock(hashtext('larkspur migrations'))");
    await migrateLocked(ownerPool);
  } finally {
    // Ending the session gives the lock back, whatever happened.
    turn.release(true);
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
      throw new Error(`Migration ${name} was changed after it had been applied.`);
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
  // The running server tells by it whether it is ready.
  await sql`GRANT SELECT ON migration_checksums TO larkspur_app`.execute(db);
}

/** Read once: anybody may ask whether the server is ready, as often as they like. */
let needed: readonly string[] | undefined;

/** Whether every migration of this version is applied. Asked with the running server's own rights. */
export async function isMigrated(reader: Kysely<unknown>): Promise<boolean> {
  const applied = await sql<{ name: string }>`SELECT name FROM migration_checksums`.execute(reader);
  const names = new Set(applied.rows.map(row => row.name));
  needed ??= listMigrations().map(({ name }) => name);
  return needed.every(name => names.has(name));
}
