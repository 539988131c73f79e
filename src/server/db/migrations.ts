/**
 * Applies the files in `db/migrations`, in order, each in one transaction with the record that it was applied. On a bank in
 * operation such a transaction is stopped after 200 ms, so that no table is locked for longer. It is tried 60 times, with
 * pauses of up to a second. A file with the line `-- Outside a transaction` runs statement by statement and can be interrupted
 * and repeated.
 *
 * The version of a database or a server is the number of its newest migration. `schema_version` says which servers can work
 * with the database: an older server on a newer database works, unless a migration removed something that it needs.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { sleep } from '../base/deadline.ts';
import { type RetryLoop, startRetryLoop } from '../base/retryLoop.ts';
import { SettingsError } from '../config.ts';
import { isOutsideTransaction, splitStatements, worksWithServersFrom } from './migrationStatements.ts';

export type Migration = { name: string; text: string; checksum: string };

type Connection = Pick<pg.Pool | pg.Client, 'query'>;

/** How long a transaction may take on a bank in operation, including its waits for locks, because others queue behind it. */
const transactionMs = 200;
/** How many times a transaction that does not finish in time is tried, and the longest pause between two tries. */
const [defaultMaxAttempts, pauseMs] = [60, 1_000];
/** How long a migration may run before a wait for a lock is reported, and the pause between reports. */
const [quietMs, reportMs] = [5_000, 30_000];
/**
 * The pause between two searches for such a wait. A transaction on a bank in operation waits only in short attempts, so its
 * waits are searched for more often.
 */
const searchMs = { inTransaction: 100, outside: 1_000 } as const;
/** SQLSTATEs after which a transaction is tried again: lock timeout, canceled statement, deadlock. */
const retried = new Set(['55P03', '57014', '40P01']);
const migrationsFolder = fileURLToPath(new URL('../../../db/migrations/', import.meta.url));

/** The migrations in a folder, by default those of this version, oldest first. */
export function listMigrations(folder = migrationsFolder): Migration[] {
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

/** The version of a server or database whose newest migration has this name. */
const versionOf = (name = '0000'): string => name.slice(0, 4);

/** The name and checksum of each applied migration; undefined if there is no bank in the database yet. */
async function readApplied(connection: Connection): Promise<Map<string, string> | undefined> {
  const table = await connection.query<{ exists: boolean }>(
    "SELECT to_regclass('schema_version') IS NOT NULL AS exists",
  );
  if (!table.rows[0]!.exists) return undefined;
  const { rows } = await connection.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM migration_checksums',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Throws `SettingsError` if a newer version removed from the database what this server needs. */
export async function refuseNewerDatabase(
  connection: Connection,
  migrations = listMigrations(),
): Promise<void> {
  if (!(await readApplied(connection))) return;
  const { version, from } = await readVersion(connection);
  const own = versionOf(migrations.at(-1)?.name);
  if (own < from)
    throw new SettingsError(
      `This server is too old for its database: the database has version ${version} and works with servers from ${from} on, and this server has ${own}. Start a newer version of the server.`,
    );
}

async function readVersion(connection: Connection): Promise<{ version: string; from: string }> {
  const { rows } = await connection.query<{ version: string; from: string }>(
    'SELECT version, works_with_servers_from AS from FROM schema_version',
  );
  return rows[0]!;
}

/** The migrations that are not applied yet. Throws if an applied one was changed afterward. */
export async function listPending(
  connection: Connection,
  migrations = listMigrations(),
): Promise<Migration[]> {
  const applied = await readApplied(connection);
  const changed = migrations.find(({ name, checksum }) => (applied?.get(name) ?? checksum) !== checksum);
  if (changed) throw new Error(`Migration ${changed.name} was changed after it was applied.`);
  return migrations.filter(({ name }) => !applied?.has(name));
}

/**
 * Loads the library of pg_trgm into the session if the extension exists. Migrations set `pg_trgm.similarity_threshold` for a
 * function, which PostgreSQL allows a user who is no superuser only in a session with the library. A session that resumes
 * after an interruption may skip the statements that would load it.
 */
const loadTrigrams = `
  DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN PERFORM show_limit(); END IF;
  END $$`;

type ApplyOptions = {
  migrations?: Migration[];
  /** Called with the name of each migration that was applied. */
  onApplied?: (name: string) => void;
  /** Called while a migration waits for a lock, with a sentence that names the process that holds it. */
  onWaiting?: (sentence: string) => void;
  maxAttempts?: number;
};

/**
 * Applies the missing migrations on `client`, which holds the lock of the migrations. If this process is killed, PostgreSQL
 * finishes the statement that it is working on, and keeps the lock until then. The caller closes the connection, because its
 * settings differ from the pool's. `pool` is for reports.
 */
export async function applyMigrations(
  client: pg.PoolClient,
  pool: pg.Pool,
  {
    migrations = listMigrations(),
    onApplied = () => {},
    onWaiting = () => {},
    maxAttempts = defaultMaxAttempts,
  }: ApplyOptions = {},
): Promise<void> {
  const isInOperation = (await readApplied(client)) !== undefined;
  const pending = await listPending(client, migrations);
  if (pending.length === 0) return;
  // The running server reads both tables for its readiness check.
  if (!isInOperation)
    await client.query(`
      CREATE TABLE migration_checksums (name text PRIMARY KEY, checksum text NOT NULL);
      CREATE TABLE schema_version (
        is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row),
        version text NOT NULL,
        works_with_servers_from text NOT NULL
      );
      INSERT INTO schema_version (version, works_with_servers_from) VALUES ('0000', '0000');
      GRANT SELECT ON migration_checksums, schema_version TO larkspur_app`);
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const limit = isInOperation ? { ms: transactionMs, maxAttempts } : undefined;
  for (const migration of pending) {
    const { name, text } = migration;
    await client.query(loadTrigrams);
    const isOutside = isOutsideTransaction(text);
    const idleMs = isOutside ? searchMs.outside : searchMs.inTransaction;
    const reports = reportWaits(pool, { pid: rows[0]!.pid, idleMs }, holder =>
      onWaiting(`Migration ${name} waits for a lock of PostgreSQL process ${holder}.`),
    );
    await (isOutside
      ? applyOutside(client, migration)
      : applyInTransaction(client, migration, limit)
    ).finally(() => reports.stop());
    onApplied(name);
  }
}

/** Searches every `idleMs` for the PostgreSQL process that the process `pid` waits for, and reports it. Returns the loop. */
function reportWaits(
  pool: pg.Pool,
  { pid, idleMs }: { pid: number; idleMs: number },
  report: (holder: string) => void,
): RetryLoop {
  let reportAt = performance.now() + quietMs;
  const search = async (): Promise<boolean> => {
    if (performance.now() < reportAt) return false;
    const { rows } = await pool.query<{ pid: number; name: string }>(
      `SELECT pid, coalesce(nullif(application_name, ''), usename) AS name
         FROM unnest(pg_blocking_pids($1)) AS pid JOIN pg_stat_activity USING (pid) LIMIT 1`,
      [pid],
    );
    for (const holder of rows) {
      reportAt = performance.now() + reportMs;
      report(`${holder.pid} (${holder.name})`);
    }
    return false;
  };
  return startRetryLoop(search, { idleMs, onError: () => {} });
}

/** Records a migration as applied: in its transaction, or, if it runs outside one, after its last statement. */
async function record(client: Connection, { name, text, checksum }: Migration): Promise<void> {
  await client.query('INSERT INTO migration_checksums (name, checksum) VALUES ($1, $2)', [name, checksum]);
  await client.query(
    `UPDATE schema_version SET version = greatest(version, $1),
       works_with_servers_from = greatest(works_with_servers_from, $2)`,
    [versionOf(name), worksWithServersFrom(text) ?? '0000'],
  );
}

async function applyInTransaction(
  client: pg.PoolClient,
  migration: Migration,
  limit: { ms: number; maxAttempts: number } | undefined,
): Promise<void> {
  const statements = splitStatements(migration.text);
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('BEGIN');
      const startedAt = performance.now();
      for (const { text } of statements) {
        if (limit) {
          // The timeout also covers waiting for a lock. 0 would turn it off.
          const leftMs = Math.max(1, Math.ceil(limit.ms - (performance.now() - startedAt)));
          await client.query(`SET LOCAL statement_timeout = ${leftMs}`);
        }
        await client.query(text);
      }
      await record(client, migration);
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if (!limit || !retried.has((error as { code?: string }).code ?? '')) throw error;
      if (attempt === limit.maxAttempts)
        throw new Error(
          `Migration ${migration.name} was stopped ${attempt} times after ${limit.ms} ms: other transactions hold its tables, or it does too much under a lock. None of it was applied. Start again at a quieter time.`,
          { cause: error },
        );
      await sleep(pauseMs * Math.random());
    }
  }
}

/** Runs the statements of a migration one by one without a time limit. They hold no lock that others need. */
async function applyOutside(client: pg.PoolClient, migration: Migration): Promise<void> {
  await client.query('SET statement_timeout = 0');
  await client.query('SET lock_timeout = 0');
  for (const { text } of splitStatements(migration.text))
    if (!(await isDone(client, text))) await client.query(text);
  await client.query('BEGIN');
  await record(client, migration);
  await client.query('COMMIT');
}

/**
 * Whether an earlier, interrupted run already made or dropped this index. Drops an invalid index, which an interrupted build
 * leaves.
 */
async function isDone(client: pg.PoolClient, statement: string): Promise<boolean> {
  // An index has the schema of its table.
  const [, act, name, schema = ''] =
    /^(CREATE|DROP)(?: UNIQUE)? INDEX CONCURRENTLY (?:IF (?:NOT )?EXISTS )?([\w.]+)(?: ON (?:ONLY )?(\w+\.)\w)?/i.exec(
      statement.replaceAll(/\s+/g, ' '),
    ) ?? [];
  if (name === undefined) return false;
  const index = schema + name;
  const { rows } = await client.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [index],
  );
  if (act!.toUpperCase() === 'DROP') return rows.length === 0;
  if (rows[0]?.valid === false) await client.query(`DROP INDEX CONCURRENTLY ${index}`);
  return rows[0]?.valid === true;
}

/** The names of this version's migrations. Cached, because anyone may call the readiness check as often as they like. */
let needed: readonly string[] | undefined;

/** Whether this version can work with the database. Needs only the running server's privileges. */
export async function isMigrated(connection: Connection): Promise<boolean> {
  const applied = await readApplied(connection);
  needed ??= listMigrations().map(({ name }) => name);
  if (!applied || !needed.every(name => applied.has(name))) return false;
  return (await readVersion(connection)).from <= versionOf(needed.at(-1));
}
