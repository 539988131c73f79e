/** The only wiring: from parts to a server that answers. Production, tests and benchmarks build the same one. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { areas } from '#contract/api.ts';
import { personQuotas } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import { adminHandlers } from './areas/admin.ts';
import { authHandlers } from './areas/auth.ts';
import { contactHandlers } from './areas/contact.ts';
import { notificationsHandlers } from './areas/notifications.ts';
import { settingsHandlers } from './areas/settings.ts';
import { transactionsHandlers } from './areas/transactions.ts';
import { transferHandlers } from './areas/transfer.ts';
import { openRateLimits } from './base/rateLimit.ts';
import { answerBroken } from './http/brokenRequest.ts';
import { addHeaders, putHeaders } from './http/headers.ts';
import { serveHealth } from './http/health.ts';
import { acceptJson } from './http/json.ts';
import { answerLate } from './http/lateAnswer.ts';
import { addLimits, openSessionLimiter } from './http/limits.ts';
import { type Live, openLive } from './http/live.ts';
import { serveMetrics } from './http/metrics.ts';
import { serveOpenApi } from './http/openapi.ts';
import { answerOwnHostOnly } from './http/ownHost.ts';
import { servePages } from './http/pages.ts';
import { servePictures } from './http/pictures.ts';
import { takePolicyReports } from './http/policyReports.ts';
import { sendRefusal, toRefusal } from './http/refusal.ts';
import { type Handlers, serveArea } from './http/serve.ts';
import { openSessions } from './http/session.ts';
import { registerUploads, uploadBytes } from './http/uploads.ts';
import { serveInbox } from './outside/inbox.ts';
import type { Parts } from './parts.ts';
import { openLastSeen } from './people/lastSeen.ts';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Every area's handlers; an area without one does not compile. */
function makeHandlers(
  parts: Parts,
  live: Live,
): { [Area in keyof typeof areas]: Handlers<(typeof areas)[Area]> } {
  return {
    auth: authHandlers(parts),
    transactions: transactionsHandlers(parts),
    transfer: transferHandlers(parts),
    settings: settingsHandlers(parts),
    notifications: notificationsHandlers(parts, live),
    contact: contactHandlers(parts),
    admin: adminHandlers(parts),
  };
}

/**
 * Builds the server from its parts; `isStopping` turns readiness off while it drains. Without `servesPages` it has no web pages,
 * as in development, where Vite serves them. Nothing listens yet.
 */
export async function buildApp(
  parts: Parts,
  isStopping: () => boolean = () => false,
  servesPages = true,
): Promise<FastifyInstance> {
  const { config, database, log } = parts;
  const isHttps = parts.publicUrl.startsWith('https:');
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Who calls is the socket's other end, unless that is a proxy the bank was told about.
    trustProxy: config.trustProxy.length > 0 && config.trustProxy,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    connectionTimeout: 20_000,
    // Registering may take a minute on a slow line; anything longer is not a person.
    requestTimeout: 70_000,
    keepAliveTimeout: 20_000,
    forceCloseConnections: 'idle',
    // What arrives while the server stops is still answered, in the bank's own words; its connection ends with it.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 2_000, maxHeaderSize: 16_384 },
    clientErrorHandler: answerBroken(isHttps),
    frameworkErrors: (error, request, reply) => {
      putHeaders(request as never, reply as never, isHttps);
      sendRefusal(reply as never, toRefusal(error, log));
    },
  });
  app.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  app.addHook('onRequest', async ({ raw }) => {
    // Two hosts, or two tokens, have no single meaning; a link or mail never uses a host either way.
    for (const name of ['host', 'authorization']) {
      if ((raw.headersDistinct[name]?.length ?? 0) > 1) throw new Refusal('VALIDATION');
    }
  });
  addHeaders(app, isHttps);
  answerLate(app);
  const inFlight = addLimits(app, config.rateLimits);
  acceptJson(app);
  await registerUploads(app, config.rateLimits);

  const lastSeen = openLastSeen(database, error =>
    log.warn({ err: error }, 'when sessions were last seen could not be written'),
  );
  app.addHook('onClose', lastSeen.close);
  const sessions = openSessions(database.quickPool, parts.tokens, lastSeen.record);
  const guards = { sessions, quotas: openRateLimits(personQuotas), limitSession: openSessionLimiter() };
  const live = openLive(database.pool, error => log.debug({ err: error }, 'nobody could be told of news'));
  // Before the server waits for those who are being answered: these would never be through.
  app.addHook('preClose', async () => live.stop());
  const handlers = makeHandlers(parts, live);
  serveArea(app, areas.auth, handlers.auth, guards);
  serveArea(app, areas.transactions, handlers.transactions, guards);
  serveArea(app, areas.transfer, handlers.transfer, guards);
  serveArea(app, areas.settings, handlers.settings, guards);
  serveArea(app, areas.notifications, handlers.notifications, guards);
  serveArea(app, areas.contact, handlers.contact, guards);
  serveArea(app, areas.admin, handlers.admin, guards);

  serveHealth(app, database.reader, isStopping);
  serveMetrics(app, {
    token: config.metricsToken,
    publicUrl: parts.publicUrl,
    gauges: {
      requests_in_flight: inFlight,
      live_streams: () => live.count(),
      upload_bytes: uploadBytes,
      postings_waiting: parts.ledger.waiting,
      database_connections: () => database.pool.totalCount,
      database_waiting: () => database.pool.waitingCount,
    },
  });
  serveOpenApi(app, parts.publicUrl);
  takePolicyReports(app, parts.publicUrl);
  servePictures(app, name => parts.files.read(name));
  const { inbox } = parts;
  if (inbox) {
    await app.register(async scope => {
      answerOwnHostOnly(scope, parts.publicUrl);
      serveInbox(scope, inbox);
    });
  }
  if (servesPages)
    await servePages(app, { dist, isHttps, isLocal: !config.production, publicUrl: parts.publicUrl });
  else app.setNotFoundHandler((_, reply) => sendRefusal(reply, new Refusal('NOT_FOUND')));
  return app;
}
