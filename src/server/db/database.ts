/**
 * The database handle: a reader, and transactions, which are required for writing. SQL uses kysely's `sql` tag, which
 * parameterizes values. `bigint` columns are read as `bigint`, timestamps as `Date`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { Counter } from 'prom-client';
import { Refusal } from '#contract/errors.ts';
import { clientClass, noPrimary, readOnlyClients, toConnection } from './hosts.ts';
import { checkConnection, type ServerLogin, unsafeConnection } from './serverLogin.ts';

declare const insideTransaction: unique symbol;

/** Anything that can run queries: the database, or an open transaction. */
export type Reader = Kysely<unknown>;

/** An open transaction. Only `inTransaction` provides one, so a write outside a transaction does not compile. */
export type Tx = Kysely<unknown> & { readonly [insideTransaction]: true };

export type Database = {
  reader: Reader;
  /** The running server's connections, with a login that cannot change evidence. */
  pool: pg.Pool;
  /** A few connections for the queries that every request needs. Slow queries cannot occupy these connections. */
  quickPool: pg.Pool;
  /** The owner's connections, opened only for what the server's login may not do: migrations, seeding, VACUUM. */
  ownerPool: pg.Pool;
  /** Queries on the owner's connections. They have no time limit: a proof of a large bank takes as long as it takes. */
  owner: Reader;
  /** Opens one more connection like those of `pool`, named `larkspur <name>`. */
  connect(name: string, options?: pg.ClientConfig): Promise<pg.Client>;
  /** Opens one more pool like `pool`, named `larkspur <name>`. */
  openPool(name: string, options?: pg.PoolConfig): pg.Pool;
  /**
   * Runs `work` in one transaction; commits when it resolves, rolls back when it throws. Runs `work` again after a
   * serialization failure or a deadlock, so `work` must have no effect outside the database.
   */
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, BigInt);

const maxTries = 5;
const retryable = new Set(['40001', '40P01']);
const networkErrors = new Set([
  // The listener's backlog is full, or this process has no free port or file descriptor.
  'EADDRNOTAVAIL',
  'EAGAIN',
  'EMFILE',
  'ENFILE',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETDOWN',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ETIMEDOUT',
  unsafeConnection,
  noPrimary,
]);
/** SQLSTATEs of connections refused or ended by the server (login refused, idle for too long, shutdown, starting up). */
const endedByServer = /^(08|28|3D|25P0[34]|57P0)/;
/** Node's codes for a TLS connection that failed, as with an expired certificate. */
const tlsFailed = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/;
/** Error messages of pg and its pool: these errors have no codes. `timeout expired`: connecting took too long. */
const lostConnection =
  /Connection terminated|SSL connection|timeout exceeded when trying to connect|timeout expired|connection error|Query read timeout|not queryable|after calling end on the pool/;
/** SQLSTATEs of temporary failures without any effect: out of resources, lock or statement timeout, read-only, I/O error. */
const overloaded = /^(53|55P03|57014|25006|58)/;

/**
 * Makes the database notice within half a minute that a machine with an owner's connection lost power. Otherwise the dead
 * connection could hold the lock of the migrations for hours, or the snapshot of a proof, which holds back VACUUM.
 */
const ownerKeepalives = `
  SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
         set_config('tcp_keepalives_count', '3', false)`;

export const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';

/** Whether the connection was lost: the statement may or may not have taken effect. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    networkErrors.has(codeOf(error)) ||
    endedByServer.test(codeOf(error)) ||
    tlsFailed.test(codeOf(error)) ||
    lostConnection.test(error.message)
  );
}

/** Whether the database refused temporarily: the statement had no effect. */
export function isOverloaded(error: unknown): boolean {
  return overloaded.test(codeOf(error));
}

/**
 * Opens the pools. They connect on first use, and `close` ends them. `owner`: the connection of the database's owner. Without a
 * `login`, as in commands, every connection is the owner's and has no time limits in the database.
 */
export function openDatabase(
  owner: pg.PoolConfig,
  { login, size = 12 }: { login?: ServerLogin; size?: number } = {},
): Database {
  const ownerConnection = toConnection(owner);
  const Client = clientClass(ownerConnection, login);
  const common = {
    ...ownerConnection,
    ...login,
    Client,
    types,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    // Longer than statement_timeout, so this timeout fires only if the connection died silently.
    query_timeout: 6000,
    // By default, the first keepalive comes after two hours. A connection that only listens sends no queries, so nothing else
    // would detect that it died.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const openPool = (config: pg.PoolConfig): pg.Pool => {
    const opened = new pg.Pool(config);
    // The pool replaces a connection that dies while idle; without a listener, the error would end the process.
    opened.on('error', () => {});
    opened.on('connect', client => client.on('error', () => {}));
    // Ends a released client whose session became read-only. The pool removes a client that is ending.
    opened.on('release', (_, client) => {
      if (readOnlyClients.has(client)) (client as pg.PoolClient & pg.Client).end().catch(() => {});
    });
    return opened;
  };
  const openServerPool: Database['openPool'] = (name, options = {}) =>
    openPool({
      ...common,
      application_name: `larkspur ${name}`,
      ...options,
      ...(login && { onConnect: client => checkConnection(client, login) }),
    });
  const pool = openServerPool('pool', { max: size });
  const quickPool = openServerPool('quick', { max: Math.min(size, 4) });
  const ownerPool = openPool({
    ...ownerConnection,
    Client,
    application_name: 'larkspur owner',
    types,
    max: 6,
    connectionTimeoutMillis: 3000,
    // The owner's queries have no time limit, so keepalives must detect within half a minute that a connection died silently.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    onConnect: client => client.query(ownerKeepalives),
  });
  const queriesOn = (on: pg.Pool): Reader => new Kysely({ dialect: new PostgresDialect({ pool: on }) });
  const reader = queriesOn(pool);
  return {
    reader,
    pool,
    quickPool,
    ownerPool,
    owner: queriesOn(ownerPool),
    openPool: openServerPool,
    async connect(name, options = {}) {
      const client = new Client({ ...common, application_name: `larkspur ${name}`, ...options });
      client.on('error', () => {});
      try {
        await client.connect();
        if (login) await checkConnection(client, login);
        return client;
      } catch (error) {
        client.end().catch(() => {});
        throw error;
      }
    },
    async inTransaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await reader.transaction().execute(tx => work(tx as unknown as Tx));
        } catch (error) {
          if (!retryable.has(codeOf(error)) || attempt >= maxTries) throw asRefusal(error);
          await sleep(attempt * 10 * Math.random());
        }
      }
    },
    async close() {
      await Promise.all([pool.end(), quickPool.end(), ownerPool.end()]);
    },
  };
}

/** Runs `work` with a reader whose queries all see the same snapshot. */
export function inSnapshot<T>(reader: Reader, work: (snapshot: Reader) => Promise<T>): Promise<T> {
  return reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(snapshot => work(snapshot));
}

/** Maps a lost connection, an overloaded database or a conflict to the refusal `BUSY`; returns other errors unchanged. */
export function asRefusal(error: unknown): unknown {
  const isTemporary = isLost(error) || isOverloaded(error) || retryable.has(codeOf(error));
  if (!isTemporary) return error;
  countDatabaseError(error);
  return new Refusal('BUSY', { waitTime: 2, cause: error });
}

/** Counts a request that is refused because of the database. */
export function countDatabaseError(error: unknown): void {
  databaseErrors.inc({ code: codeOf(error) || 'lost' });
}

/**
 * The error behind a refusal, for the log and the job queue: operators need the database's error instead of the sentence that
 * customers read. Any other error is returned unchanged.
 */
export function behindRefusal(error: Error): Error {
  return error instanceof Refusal && error.cause instanceof Error ? error.cause : error;
}

/** Why background work failed, for the log: the error's message; for a refusal, the code and message of the error behind it. */
export function reasonOf(error: Error): string {
  const cause = behindRefusal(error);
  return cause === error ? error.message : `${codeOf(cause)} ${cause.message}`.trim();
}

/** For `GET /metrics`. Lock timeouts have the code 55P03, statement timeouts 57014, deadlocks 40P01. */
export const databaseErrors = new Counter({
  name: 'larkspur_database_errors_total',
  help: 'requests that were refused because of the database, by SQLSTATE or code of the connection',
  labelNames: ['code'],
  registers: [],
});
