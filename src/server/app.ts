/** The only wiring: from parts to a server that answers. Production, tests and benchmarks build the same one. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import { areas } from '#contract/api.ts';
import { Refusal } from '#contract/errors.ts';
import { adminHandlers } from './areas/admin.ts';
import { authHandlers } from './areas/auth.ts';
import { contactHandlers } from './areas/contact.ts';
import { notificationsHandlers } from './areas/notifications.ts';
import { settingsHandlers } from './areas/settings.ts';
import { transactionsHandlers } from './areas/transactions.ts';
import { transferHandlers } from './areas/transfer.ts';
import { addHeaders } from './http/headers.ts';
import { serveHealth } from './http/health.ts';
import { acceptJson } from './http/json.ts';
import { addLimits } from './http/limits.ts';
import { serveMetrics } from './http/metrics.ts';
import { serveOpenApi } from './http/openapi.ts';
import { servePages } from './http/pages.ts';
import { servePictures } from './http/pictures.ts';
import { sendRefusal, toRefusal } from './http/refusal.ts';
import { serveArea } from './http/serve.ts';
import { openSessions } from './http/session.ts';
import { registerUploads } from './http/uploads.ts';
import { serveInbox } from './outside/inbox.ts';
import type { Parts } from './parts.ts';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Builds the server from its parts; `isStopping` turns readiness off while it drains. Nothing listens yet. */
export async function buildApp(
  parts: Parts,
  isStopping: () => boolean = () => false,
): Promise<FastifyInstance> {
  const { config, database, log } = parts;
  const isHttps = parts.publicUrl.startsWith('https:');
  const app = Fastify({
    loggerInstance: log,
    disableRequestLogging: true,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    connectionTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 20_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 2_000, maxHeaderSize: 16_384 },
    frameworkErrors: (error, _, reply) => {
      sendRefusal(reply as never, toRefusal(error, log));
    },
  });
  app.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  app.addHook('onRequest', async request => {
    // Two hosts have no single meaning; a link or mail never uses either.
    if (request.raw.rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host').length > 1) {
      throw new Refusal('VALIDATION');
    }
  });
  addHeaders(app, isHttps);
  const inFlight = addLimits(app, config.rateLimits);
  acceptJson(app);
  await registerUploads(app);

  const findSession = openSessions(database.reader, parts.tokens);
  serveArea(app, areas.auth, authHandlers(parts), findSession);
  serveArea(app, areas.transactions, transactionsHandlers(parts), findSession);
  serveArea(app, areas.transfer, transferHandlers(parts), findSession);
  serveArea(app, areas.settings, settingsHandlers(), findSession);
  serveArea(app, areas.notifications, notificationsHandlers(parts), findSession);
  serveArea(app, areas.contact, contactHandlers(), findSession);
  serveArea(app, areas.admin, adminHandlers(parts), findSession);

  serveHealth(app, database.reader, isStopping);
  serveMetrics(app, {
    token: config.metricsToken,
    gauges: {
      requests_in_flight: inFlight,
      postings_waiting: parts.ledger.waiting,
      database_connections: () => database.pool.totalCount,
      database_waiting: () => database.pool.waitingCount,
    },
  });
  serveOpenApi(app, parts.publicUrl);
  servePictures(app, name => parts.files.read(name));
  if (parts.inbox) serveInbox(app, parts.inbox);
  await servePages(app, { dist: join(dist), isHttps });
  return app;
}
