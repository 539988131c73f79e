/** Liveness and readiness, for process managers and load balancers (no login). */
import type { FastifyInstance } from 'fastify';
import type { Reader } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';

/** The result is cached this long, so that callers cannot make the server query the database more often. */
const cacheMs = 1_000;

/**
 * `/healthz`: the process is up. `/readyz`: the database has answered within the last second, is migrated, and the server is
 * not stopping. Neither counts against a quota.
 */
export function serveHealth(app: FastifyInstance, reader: Reader, isStopping: () => boolean): void {
  let check: Promise<boolean> | undefined;
  const isMigratedNow = () => {
    check ??= isMigrated(reader)
      .catch(() => false)
      .finally(() => setTimeout(() => (check = undefined), cacheMs).unref());
    return check;
  };
  app.get('/healthz', (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'up' }));
  app.get('/readyz', async (_, reply) => {
    const isReady = !isStopping() && (await isMigratedNow());
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .headers(isReady ? {} : { 'retry-after': '2' })
      .send({ status: isReady ? 'ready' : 'not ready' });
  });
}
