/**
 * The database handle: a reader, and transactions, which are required for writing. SQL uses kysely's `sql` tag, which
 * parameterizes values. `bigint` columns are read as `bigint`, timestamps as `Date`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { Refusal } from '#contract/errors.ts';

declare const insideTransaction: unique symbol;

/** Anything that can run queries: the database, or an open transaction. */
export type Reader = Kysely<unknown>;

/** An open transaction. Only `inTransaction` provides one, so a write outside a transaction does not compile. */
export type Tx = Kysely<unknown> & { readonly [insideTransaction]: true };

export type Database = {
  reader: Reader;
  /** The running server's connections, with the role that cannot change evidence. */
  pool: pg.Pool;
  /** A few connections for the queries of every request, so that slow queries cannot block them. */
  quickPool: pg.Pool;
  /** The owner's connections: migrations, the job queue, seeding. */
  ownerPool: pg.Pool;
  /**
   * Runs `work` in one transaction; commits when it resolves, rolls back when it throws. It is retried after a serialization
   * failure or a deadlock, so `work` must have no effect outside the database.
   */
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** The role of the running server; migrations grant it only the privileges it needs. */
export const appRole = 'larkspur_app';

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, BigInt);

const maxTries = 5;
const retryable = new Set(['40001', '40P01']);
const networkErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);
/** SQLSTATEs of connections ended by the server (class 08, shutdown, crash, starting up). */
const endedByServer = /^(08|57P0[123])/;
const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|connection error|Query read timeout|not queryable/;
/** SQLSTATEs of temporary failures without any effect: out of resources, lock or statement time-out, read-only. */
const overloaded = /^(53|55P03|57014|25006)/;

const codeOf = (error: unknown) => (error as { code?: string }).code ?? '';

/** Whether the connection was lost: the statement may or may not have taken effect. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    networkErrors.has(codeOf(error)) ||
    endedByServer.test(codeOf(error)) ||
    lostConnection.test(error.message)
  );
}

/** Whether the database refused temporarily: the statement had no effect. */
export function isOverloaded(error: unknown): boolean {
  return overloaded.test(codeOf(error));
}

/** Time-outs of every connection for statements, lock waits and idle transactions. */
const sessionSettings =
  '-c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=10000 -c TimeZone=UTC';

/** Opens the pools. Connecting happens on first use; `close` ends them. */
export function openDatabase(connection: pg.PoolConfig, size = 12): Database {
  const asApp = {
    ...connection,
    types,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    // Longer than statement_timeout: this one fires if the connection died silently.
    query_timeout: 6000,
    keepAlive: true,
    options: `${sessionSettings} -c role=${appRole}`,
  };
  const pool = new pg.Pool({ ...asApp, application_name: 'larkspur', max: size });
  const quickPool = new pg.Pool({ ...asApp, application_name: 'larkspur quick', max: Math.min(size, 4) });
  const ownerPool = new pg.Pool({
    ...connection,
    application_name: 'larkspur owner',
    types,
    max: 6,
    connectionTimeoutMillis: 3000,
    options: '-c TimeZone=UTC',
  });
  // A connection that dies while idle is replaced by the pool; without a listener it would end the process.
  for (const each of [pool, quickPool, ownerPool]) {
    each.on('error', () => {});
    each.on('connect', client => client.on('error', () => {}));
  }
  const reader = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return {
    reader,
    pool,
    quickPool,
    ownerPool,
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

/** Runs `work` with a reader on one snapshot, whatever the number of queries. */
export function inSnapshot<T>(reader: Reader, work: (snapshot: Reader) => Promise<T>): Promise<T> {
  return reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(snapshot => work(snapshot));
}

/** Maps a lost connection or an overloaded database to the refusal `BUSY`; returns other errors unchanged. */
export function asRefusal(error: unknown): unknown {
  return isLost(error) || isOverloaded(error) ? new Refusal('BUSY', { waitTime: 2 }) : error;
}
