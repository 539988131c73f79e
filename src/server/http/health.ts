/** Liveness and readiness, for process managers and load balancers (no login). */
import type { FastifyInstance } from 'fastify';
import type { Reader } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';

/** How long the database's answer is taken for the next who asks: nobody can have it asked more often. */
const keptMs = 1_000;

/**
 * `/healthz`: the process answers. `/readyz`: the database answers, or did within the last second, is migrated, and the
 * server is not stopping. Neither is counted to a quota.
 */
export function serveHealth(app: FastifyInstance, reader: Reader, isStopping: () => boolean): void {
  let asked: Promise<boolean> | undefined;
  const isMigratedNow = () => {
    asked ??= isMigrated(reader)
      .catch(() => false)
      .finally(() => setTimeout(() => (asked = undefined), keptMs).unref());
    return asked;
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
