/**
 * The database handle: reading, and transactions, which alone can write. Ordinary SQL is written with kysely's `sql`
 * tag, which keeps values out of the text; `bigint` columns arrive as `bigint`, times as `Date`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { Refusal } from '#contract/errors.ts';

declare const insideTransaction: unique symbol;

/** Anything that can be asked: the database, or a transaction under way. */
export type Reader = Kysely<unknown>;

/** A transaction under way. Only `inTransaction` hands one out, so that a write outside of one does not compile. */
export type Tx = Kysely<unknown> & { readonly [insideTransaction]: true };

export type Database = {
  reader: Reader;
  /** The running server's connections, with the role that cannot change evidence. */
  pool: pg.Pool;
  /** A few connections for what every request asks, so that no slow question holds it up. */
  quickPool: pg.Pool;
  /** The owner's connections: migrations, the job queue, seeding. */
  ownerPool: pg.Pool;
  /**
   * Runs `work` in one transaction; commits when it resolves, rolls back when it throws. A serialization failure or a
   * deadlock runs it again, so `work` must have no effect outside the database.
   */
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** The role the running server works with; migrations grant it what it needs and no more. */
export const appRole = 'larkspur_app';

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, BigInt);

const maxTries = 5;
const again = new Set(['40001', '40P01']);
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
/** SQLSTATEs with which the server itself ends a connection (class 08, shutdown, crash, starting up). */
const endedByServer = /^(08|57P0[123])/;
const lostLine =
  /Connection terminated|timeout exceeded when trying to connect|connection error|Query read timeout|not queryable/;
/** SQLSTATEs that mean "not now" and that nothing was done: out of resources, lock or statement timeout, read-only. */
const overloaded = /^(53|55P03|57014|25006)/;

const codeOf = (error: unknown) => (error as { code?: string }).code ?? '';

/** Whether the line to the database was lost: what had been sent may have been done or not. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    networkErrors.has(codeOf(error)) || endedByServer.test(codeOf(error)) || lostLine.test(error.message)
  );
}

/** Whether the database said "not now": nothing was done. */
export function isOverloaded(error: unknown): boolean {
  return overloaded.test(codeOf(error));
}

/** Settings of every connection: a statement or a wait that takes too long is ended, not waited for. */
const sessionSettings =
  '-c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=10000 -c TimeZone=UTC';

/** Opens the pools. Connecting happens on first use; `close` ends them. */
export function openDatabase(connection: pg.PoolConfig, size = 12): Database {
  const asApp = {
    ...connection,
    types,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    // Longer than the server's own limit; it ends the wait where the line died without a word.
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
          if (!again.has(codeOf(error)) || attempt >= maxTries) throw asRefusal(error);
          await sleep(attempt * 10 * Math.random());
        }
      }
    },
    async close() {
      await Promise.all([pool.end(), quickPool.end(), ownerPool.end()]);
    },
  };
}

/** Does `work` with a reader that sees the database as it is in one moment, however many questions it asks. */
export function inSnapshot<T>(reader: Reader, work: (snapshot: Reader) => Promise<T>): Promise<T> {
  return reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(snapshot => work(snapshot));
}

/** A database that is away or overloaded becomes the refusal `BUSY`; anything else stays what it is. */
export function asRefusal(error: unknown): unknown {
  return isLost(error) || isOverloaded(error) ? new Refusal('BUSY', { waitTime: 2 }) : error;
}
