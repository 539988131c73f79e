/** Liveness and readiness, for process managers and load balancers (no login). */
import type { FastifyInstance } from 'fastify';
import type { Reader } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';

/** `/healthz`: the process answers. `/readyz`: the database answers, migrated, and the server is not stopping. */
export function serveHealth(app: FastifyInstance, reader: Reader, isStopping: () => boolean): void {
  app.get('/healthz', (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'up' }));
  app.get('/readyz', async (_, reply) => {
    const isReady = !isStopping() && (await isMigrated(reader).catch(() => false));
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .headers(isReady ? {} : { 'retry-after': '2' })
      .send({ status: isReady ? 'ready' : 'not ready' });
  });
}
