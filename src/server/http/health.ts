/** Liveness and readiness, for process managers and load balancers (no login). */
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { withDeadline } from '../base/deadline.ts';
import { shareWithWorkers } from '../base/workerChannel.ts';
import type { Database } from '../db/database.ts';
import { isMigrated } from '../db/migrations.ts';
import { noteReason } from './refusal.ts';

/** The result of a check is cached this long, so that callers cannot make the server query the database more often. */
const cacheMs = 1_000;
/** `/readyz` answers within a second, even if the database hangs. */
const answerMs = 800;
const responseTimeoutMs = 5_000;
/** `/readyz` counts as polled if its last two requests came within this time. */
const pollMemoryMs = 10_000;

const stopping = new Error('the server is stopping');
const notInTime = new Error('the database did not answer the readiness check in time');
const otherVersion = new Error('the version of this server does not work with the version of the database');

export type Health = {
  /** Whether `/readyz` was requested more than once within the last ten seconds, as load balancers do. */
  isPolled(): boolean;
};

/**
 * `/healthz`: the process is up. `/readyz`: the last check, at most a second old, found that money can be posted, and the
 * server is not stopping. Neither counts against a quota.
 */
export function serveHealth(app: FastifyInstance, database: Database, isStopping: () => boolean): Health {
  const probe = openProbe(database);
  app.addHook('onClose', () => probe.close());
  let polls: number[] = [];
  const notePoll = () => {
    polls = [...polls.slice(-1), performance.now()];
  };
  // Each poll of a load balancer may reach a different worker.
  const shared = shareWithWorkers('readyz', notePoll);
  let check: Promise<boolean> | undefined;
  let failure: unknown = notInTime;
  const isReadyNow = () => {
    check ??= probe
      .canPost()
      .catch((error: unknown) => {
        failure = error;
        return false;
      })
      .finally(() => setTimeout(() => (check = undefined), cacheMs).unref());
    return withDeadline(check, answerMs, () => {
      failure = notInTime;
      return false;
    });
  };
  app.get('/healthz', (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'up' }));
  app.get('/readyz', async (_, reply) => {
    notePoll();
    shared?.(undefined);
    const isReady = !isStopping() && (await isReadyNow());
    if (!isReady) noteReason(reply, isStopping() ? stopping : failure);
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .headers(isReady ? {} : { 'retry-after': '2' })
      .send({ status: isReady ? 'ready' : 'not ready' });
  });
  return { isPolled: () => polls.length > 1 && performance.now() - polls[0]! < pollMemoryMs };
}

/**
 * Returns a probe that tests, on a connection of its own, what a posting needs. It commits a write, which fails on a read-only
 * database and hangs without the standby that must confirm it. While a write hangs, the next check waits for the same row and
 * gives up, so that hanging writes don't add up. It also tests disk space, with a query that is too large for its memory and
 * uses a temporary file.
 */
function openProbe(database: Database): { canPost(): Promise<boolean>; close(): Promise<void> } {
  const limits = `SELECT set_config('statement_timeout', '700ms', false), set_config('lock_timeout', '700ms', false),
    set_config('work_mem', '64kB', false)`;
  const needsDisk = 'SELECT count(*) FROM generate_series(1, 20000)';
  const commits = 'UPDATE readiness_probe SET checked_at = clock_timestamp()';
  let client: pg.Client | undefined;

  const connect = async (): Promise<pg.Client> => {
    const opened = await database.connect('readiness', { query_timeout: responseTimeoutMs });
    await opened.query(limits);
    return opened;
  };
  const close = async (): Promise<void> => {
    const ending = client;
    client = undefined;
    await ending?.end().catch(() => {});
  };
  return {
    async canPost() {
      try {
        client ??= await connect();
        if (!(await isMigrated(client))) throw otherVersion;
        await client.query(needsDisk);
        await client.query(commits);
        return true;
      } catch (error) {
        void close();
        throw error;
      }
    },
    close,
  };
}
