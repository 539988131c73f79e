/** Prepares a database for a server: checks that it is fit, makes the server's login, and migrates it. */
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { sleep } from '../base/deadline.ts';
import type { Key } from '../base/keys.ts';
import { SettingsError } from '../config.ts';
import type { Secrets } from '../secrets.ts';
import { recordSecret, refuseMissingSecret, refuseUnusedSecret } from './appSecrets.ts';
import { codeOf, type Database, isLost, isOverloaded, openDatabase } from './database.ts';
import { clientClass, toConnection } from './hosts.ts';
import { applyMigrations, refuseNewerDatabase } from './migrations.ts';
import { prepareServerLogin, type ServerLogin } from './serverLogin.ts';

const connectTimeoutMs = 10_000;
/** How often a process that waits checks whether another one has finished migrating, and how often it reports that it waits. */
const [lockPollMs, reportMs] = [50, 30_000];
/**
 * How long a process waits for another one to finish migrating. If that takes longer, as for an index on a large table, the
 * process fails, and the process manager starts it again.
 */
const lockTimeoutMs = 10 * 60 * 1000;

type MigrationLock = {
  /** How long to wait for another process. */
  lockTimeoutMs?: number;
  /** Called while this process waits, with a sentence that names the other process. */
  onWaiting?: (sentence: string) => void;
};

/**
 * Prepares a database for a server: makes its login and applies missing migrations. Several processes may call it concurrently.
 * `key` is `Secrets.databaseKey`. Throws `SettingsError` if a secret is missing, the owner lacks a right or the database is too
 * new for this version, and an error if an applied file was changed or another process migrates for too long.
 */
export async function prepareDatabase(
  ownerPool: pg.Pool,
  key: Key,
  options?: MigrationLock & Parameters<typeof prepareServerLogin>[2] & Parameters<typeof applyMigrations>[2],
): Promise<ServerLogin> {
  const lock = await ownerPool.connect();
  try {
    await lockMigrations(lock, options);
    await refuseNewerDatabase(lock, options?.migrations);
    await refuseMissingSecret(
      lock,
      key.map(({ id }) => id),
    );
    if (options?.allowsNewSecret === false) await refuseUnusedSecret(lock, key[0].id);
    const login = await prepareServerLogin(lock, key, options);
    await runMigrations({ pgPool: ownerPool });
    await applyMigrations(lock, ownerPool, options);
    if (options?.allowsNewSecret !== false) await recordSecret(lock, key[0].id);
    return login;
  } catch (error) {
    throw (await explainMissingRight(lock, error)) ?? error;
  } finally {
    // Closing the connection releases the lock in any case.
    lock.release(true);
  }
}

/**
 * Takes the lock under which both our migrations and those of the job queue run. Polls, because a connection that waits inside
 * a statement has a snapshot, and CREATE INDEX CONCURRENTLY in the other process would wait for that snapshot forever.
 */
async function lockMigrations(
  connection: pg.PoolClient,
  { lockTimeoutMs: timeoutMs = lockTimeoutMs, onWaiting }: MigrationLock = {},
): Promise<void> {
  const startedAt = performance.now();
  for (let reportAt = startedAt; ; ) {
    const { rows } = await connection.query<{ locked: boolean }>(
      "SELECT pg_try_advisory_lock(hashtext('larkspur migrations')) AS locked",
    );
    if (rows[0]!.locked) return;
    const now = performance.now();
    const isLate = now - startedAt >= timeoutMs;
    if (isLate || now >= reportAt) {
      reportAt = now + reportMs;
      const sentence = `Another process is migrating the database${await describeMigrating(connection)}.`;
      if (isLate) throw new Error(`${sentence} Start again when it has finished.`);
      onWaiting?.(sentence);
    }
    await sleep(lockPollMs);
  }
}

/** Where the process that holds the lock connects from; empty if it has just finished. */
async function describeMigrating(connection: pg.PoolClient): Promise<string> {
  const { rows } = await connection.query<{ pid: number; host: string; since: Date }>(
    `SELECT a.pid, coalesce(host(a.client_addr), 'this machine') AS host, a.backend_start AS since
       FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database()
        AND (l.classid::bigint << 32 | l.objid::bigint) = hashtext('larkspur migrations')::bigint`,
  );
  const [found] = rows;
  return found
    ? ` (from ${found.host}, since ${found.since.toISOString()}, PostgreSQL process ${found.pid})`
    : '';
}

const oldestVersion = 150_000;
/** How long a start waits for a database that does not answer, and the pause before it retries. */
export const databaseWaitMs = 60_000;
const retryMs = 1_000;
/** SQLSTATEs of a login that is refused and of a database that does not exist. */
const wrongSettings = /^(28|3D)/;

/**
 * Throws `SettingsError` if the database cannot be reached, is too old, may lose what it acknowledged, or is behind a pooler
 * that mixes connections. Retries for `waitMs` while the database does not answer or accepts no writes, as when it is still
 * starting, and calls `onWaiting` before each retry. `owner`: the connection of the database's owner.
 */
export async function refuseUnfitDatabase(owner: pg.PoolConfig, waiting: Waiting = {}): Promise<void> {
  try {
    await untilItAnswers(() => checkDatabase(toConnection(owner)), waiting);
  } catch (error) {
    throw error instanceof SettingsError ? error : unfit(reasonOf(error));
  }
}

type Waiting = { waitMs?: number; onWaiting?: ((sentence: string) => void) | undefined };

/** Retries `work` for `waitMs` while the database does not answer. Calls `onWaiting` before each retry. */
async function untilItAnswers<T>(work: () => Promise<T>, { waitMs = 0, onWaiting }: Waiting): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const mayAnswer = (isLost(error) || isOverloaded(error)) && !wrongSettings.test(codeOf(error));
      if (!mayAnswer || performance.now() - startedAt >= waitMs) throw error;
      onWaiting?.(`The database is not ready (${reasonOf(error)}); trying again.`);
      await sleep(retryMs);
    }
  }
}

async function checkDatabase(connection: ReturnType<typeof toConnection>): Promise<void> {
  const Client = clientClass(connection);
  const [client, other] = Array.from({ length: 2 }, () =>
    new Client({ ...connection, connectionTimeoutMillis: connectTimeoutMs }).on('error', () => {}),
  ) as [pg.Client, pg.Client];
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; number: number; fsync: string; readonly: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
              current_setting('fsync') AS fsync, current_setting('transaction_read_only') AS readonly`,
    );
    const { version, number, fsync, readonly } = rows[0]!;
    // The error has the SQLSTATE of a refused write, so the check is retried: a load balancer may still route to a standby.
    if (readonly === 'on')
      throw Object.assign(new Error('it accepts no writes, as a standby does'), { code: '25006' });
    if (number < oldestVersion) throw unfit(`it is PostgreSQL ${version}, and the bank needs 15 or newer.`);
    if (fsync !== 'on')
      throw unfit(
        'it runs with fsync=off, so a crash can lose transfers that were acknowledged; set fsync=on in postgresql.conf.',
      );
    await other.connect();
    if (!(await areSeparate(client, other)))
      throw unfit(
        'a connection pooler in transaction mode is in between; use its session mode, or connect to PostgreSQL directly.',
      );
  } finally {
    await Promise.all([client.end(), other.end()]).catch(() => {});
  }
}

const unfit = (why: string) => new SettingsError(`The database of DATABASE_URL cannot be used: ${why}`);

/**
 * Whether each connection keeps a PostgreSQL process of its own. A pooler in transaction mode gives each statement any free
 * process, so connections would share prepared statements and time limits.
 */
async function areSeparate(one: pg.Client, other: pg.Client): Promise<boolean> {
  const pidOf = async (client: pg.Client) =>
    (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
  const [first, second, again] = [await pidOf(one), await pidOf(other), await pidOf(one)];
  return first === again && first !== second;
}

/** The message of an error. If a name has several addresses, a failed connection has an error for each and no own message. */
function reasonOf(error: unknown): string {
  const each = error instanceof AggregateError ? error.errors : [error];
  return each.map(one => (one as Error).message).join('; ');
}

/**
 * Prepares a database and opens it with the server's login. `owner`: the connection of the database's owner. With `onWaiting`,
 * retries for a minute while the database does not answer.
 */
export async function openServerDatabase(
  owner: pg.PoolConfig,
  { databaseKey }: Pick<Secrets, 'databaseKey'>,
  onWaiting?: (sentence: string) => void,
): Promise<Database> {
  const asOwner = openDatabase(owner);
  try {
    const prepare = () => prepareDatabase(asOwner.ownerPool, databaseKey, onWaiting && { onWaiting });
    const login = await untilItAnswers(prepare, { waitMs: onWaiting ? databaseWaitMs : 0, onWaiting });
    return openDatabase(owner, { login });
  } finally {
    await asOwner.close();
  }
}

/** The sentence for the operator if the user of DATABASE_URL lacks a right or if PostgreSQL lacks an extension. */
async function explainMissingRight(owner: pg.PoolClient, error: unknown): Promise<SettingsError | undefined> {
  const { code, message } = error as { code?: string; message: string };
  if (code !== '42501' && !message.includes('"pg_trgm"')) return undefined;
  const { rows } = await owner.query<{ database: string; user: string; owns: boolean }>(
    `SELECT quote_ident(datname) AS database, quote_ident(current_user) AS user, pg_has_role(datdba, 'USAGE') AS owns
       FROM pg_database WHERE datname = current_database()`,
  );
  const { database, user, owns } = rows[0]!;
  if (message.includes('"pg_trgm"')) {
    return code === '42501'
      ? new SettingsError(
          `The user ${user} of DATABASE_URL may not create the extension pg_trgm; have an administrator of PostgreSQL run in the database ${database}: CREATE EXTENSION pg_trgm;`,
        )
      : new SettingsError(
          `PostgreSQL lacks the extension pg_trgm (${message}); install PostgreSQL's contrib modules on its machine.`,
        );
  }
  return new SettingsError(
    `The user ${user} of DATABASE_URL lacks a right (${message}); have an administrator of PostgreSQL ${owns ? 'grant it.' : `run: ALTER DATABASE ${database} OWNER TO ${user};`}`,
  );
}
