/** Wires the bank's parts into the HTTP server. Production, tests and benchmarks all build the same server. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { areas } from '#contract/api.ts';
import { personQuotas } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import type { StepUp } from '#contract/stepUp.ts';
import { adminHandlers } from './areas/admin.ts';
import { adminCustomersHandlers } from './areas/adminCustomers.ts';
import { alertsHandlers } from './areas/alerts.ts';
import { authHandlers } from './areas/auth.ts';
import { contactHandlers } from './areas/contact.ts';
import { contactQueueHandlers } from './areas/contactQueue.ts';
import { dayEndHandlers } from './areas/dayEnd.ts';
import { adminFactorsHandlers, factorsHandlers } from './areas/factors.ts';
import { fourEyesHandlers } from './areas/fourEyes.ts';
import { goalsHandlers } from './areas/goals.ts';
import { limitsHandlers } from './areas/limits.ts';
import { notificationsHandlers } from './areas/notifications.ts';
import { payeesHandlers } from './areas/payees.ts';
import { preferencesHandlers } from './areas/preferences.ts';
import { pushHandlers } from './areas/push.ts';
import { railHandlers } from './areas/rail.ts';
import { recordsHandlers } from './areas/records.ts';
import { retainedHandlers } from './areas/retained.ts';
import { scheduledHandlers } from './areas/scheduled.ts';
import { screeningHandlers } from './areas/screening.ts';
import { settingsHandlers } from './areas/settings.ts';
import { staffHandlers } from './areas/staff.ts';
import { stepUpHandlers } from './areas/stepUp.ts';
import { transactionsHandlers } from './areas/transactions.ts';
import { transferHandlers } from './areas/transfer.ts';
import { unclaimedHandlers } from './areas/unclaimed.ts';
import { watchLastBackup } from './backup/lastBackup.ts';
import { openRateLimits } from './base/rateLimit.ts';
import { databaseErrors } from './db/database.ts';
import { openConnectionLimits } from './http/connections.ts';
import { openFileDownloads } from './http/fileDownloads.ts';
import { addHeaders, setHeaders } from './http/headers.ts';
import { type Health, serveHealth } from './http/health.ts';
import { isOwnHost } from './http/hostCheck.ts';
import { acceptJson } from './http/json.ts';
import { addLimits, openPersonLimiter } from './http/limits.ts';
import { type Live, openLive } from './http/live.ts';
import {
  answerMalformedRequest,
  limitHeaders,
  malformedRequests,
  refuseManyHeaders,
} from './http/malformedRequest.ts';
import { serveMetrics } from './http/metrics.ts';
import { serveOpenApi } from './http/openapi.ts';
import { refuseOtherSites } from './http/otherSites.ts';
import { servePages } from './http/pages.ts';
import { servePictures } from './http/pictures.ts';
import { acceptPolicyReports } from './http/policyReports.ts';
import { sendRefusal, toRefusal } from './http/refusal.ts';
import { logRequests } from './http/requestLog.ts';
import { traceRequests } from './http/requestTraces.ts';
import { type Handlers, serveArea } from './http/serve.ts';
import { type NamedCustomer, openSessions } from './http/session.ts';
import { answerOnTimeout } from './http/timeoutAnswer.ts';
import { registerUploads, uploadBytes } from './http/uploads.ts';
import { readBacklog, schedulesTried } from './jobs/backlog.ts';
import { statementMetrics } from './jobs/makeStatements.ts';
import { pushMetrics } from './jobs/pushes.ts';
import { filesUnread } from './jobs/railFolder.ts';
import { mailMetrics } from './jobs/sendMail.ts';
import { backgroundFailures } from './jobs/worker.ts';
import { postingMetrics } from './ledger/postingLane.ts';
import { type InboxReader, serveInbox } from './outside/inbox.ts';
import { readFreeBytes } from './outside/objectStore.ts';
import type { Parts } from './parts.ts';
import { openLastSeen } from './people/lastSeen.ts';
import { openChallenge } from './people/stepUp.ts';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** The handlers of every area; a missing area is a type error. */
function makeHandlers(
  parts: Parts,
  live: Live,
): { [Area in keyof typeof areas]: Handlers<(typeof areas)[Area]> } {
  return {
    auth: authHandlers(parts),
    factors: factorsHandlers(parts),
    transactions: transactionsHandlers(parts),
    transfer: transferHandlers(parts),
    payees: payeesHandlers(parts),
    scheduled: scheduledHandlers(parts),
    goals: goalsHandlers(parts),
    records: recordsHandlers(parts),
    settings: settingsHandlers(parts),
    stepUp: stepUpHandlers(parts),
    limits: limitsHandlers(parts),
    notifications: notificationsHandlers(parts, live),
    preferences: preferencesHandlers(parts),
    push: pushHandlers(parts),
    contact: contactHandlers(parts),
    admin: adminHandlers(parts),
    adminFactors: adminFactorsHandlers(parts),
    staff: staffHandlers(parts),
    fourEyes: fourEyesHandlers(parts),
    adminCustomers: adminCustomersHandlers(parts),
    contactQueue: contactQueueHandlers(parts),
    unclaimed: unclaimedHandlers(parts),
    dayEnd: dayEndHandlers(parts),
    retained: retainedHandlers(parts),
    alerts: alertsHandlers(parts),
    screening: screeningHandlers(parts),
    rail: railHandlers(parts),
  };
}

type AppOptions = {
  /** Whether the server is stopping. It then reports that it is not ready. */
  isStopping?: () => boolean;
  /** False in development, where Vite serves the web pages. */
  servesPages?: boolean;
  /** Reads the mails for the pages of the embedded inbox. */
  inboxReader?: InboxReader | undefined;
};

/** Builds the server; it does not listen yet. */
export async function buildApp(
  parts: Parts,
  { isStopping = () => false, servesPages = true, inboxReader }: AppOptions = {},
): Promise<{ app: FastifyInstance; health: Health }> {
  const { config, database, log } = parts;
  const isHttps = parts.publicUrl.startsWith('https:');
  const connections = openConnectionLimits({
    byNetwork: config.rateLimits && config.trustProxy.length === 0,
  });
  const isAccepted: typeof connections.isAccepted = (request, reply) =>
    connections.isAccepted(request, reply) && !refuseManyHeaders(request.raw, reply.raw, isHttps, log);
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // The client's address is the socket's peer, unless the peer is a configured proxy.
    trustProxy: config.trustProxy.length > 0 && config.trustProxy,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    connectionTimeout: 20_000,
    // Registering may take a minute on a slow connection; no real client takes longer.
    requestTimeout: 70_000,
    keepAliveTimeout: 20_000,
    forceCloseConnections: 'idle',
    // Requests that arrive while the server stops are still served, then their connections are closed.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    http: {
      headersTimeout: 8_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
    },
    clientErrorHandler: answerMalformedRequest(isHttps, log),
    frameworkErrors: (error, request, reply) => {
      // Fastify runs no hooks for these requests, so their work is repeated here.
      if (!isAccepted(request, reply)) return;
      setHeaders(request as never, reply as never, isHttps);
      sendRefusal(reply as never, toRefusal(error, log));
    },
  });
  app.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  connections.watch(app.server);
  limitHeaders(app.server);
  // Without this listener, Node itself would answer requests with an unknown `Expect` header, without any limit.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', (request, reply, done) => {
    // Without `done`, Fastify does nothing more with the request.
    if (isAccepted(request, reply)) done();
  });
  if (parts.tracing) traceRequests(app, parts.tracing);
  logRequests(app, log);
  app.addHook('onRequest', (_, reply, done) => {
    // Without this header, a load balancer would keep sending requests over its open connections until the server exits.
    if (isStopping()) reply.header('connection', 'close');
    done();
  });
  addHeaders(app, isHttps);
  app.addHook('onRequest', ({ raw: { rawHeaders, httpVersion, headers } }, _, done) => {
    // HTTP 1.1 requires a Host header, even though this server never builds links or mails from it.
    if (httpVersion === '1.1' && headers.host === undefined) throw new Refusal('VALIDATION');
    // Two Host or Authorization headers are ambiguous, so they are refused.
    for (const name of ['host', 'authorization']) {
      let count = 0;
      for (let i = 0; i < rawHeaders.length; i += 2) {
        if (rawHeaders[i]!.length === name.length && rawHeaders[i]!.toLowerCase() === name) count++;
      }
      if (count > 1) throw new Refusal('VALIDATION');
    }
    done();
  });
  answerOnTimeout(app);
  // Registered before the limits: another site must not use up the quotas of its visitor's address.
  refuseOtherSites(app);
  const inFlight = addLimits(app, config.rateLimits);
  acceptJson(app);
  await registerUploads(app, config.rateLimits);

  const lastSeen = openLastSeen(database, error =>
    log.warn({ err: error }, 'the last-seen times of sessions could not be written'),
  );
  app.addHook('onClose', lastSeen.close);
  const sessions = openSessions(database.quickPool, parts.tokens, { isHttps, onSeen: lastSeen.record });
  const guards = {
    sessions,
    quotas: openRateLimits(personQuotas),
    limitPerson: openPersonLimiter(),
    files: openFileDownloads(),
    openChallenge: (customer: NamedCustomer, stepUp: StepUp) => openChallenge(database, customer, stepUp),
    requiresAdminFactor: config.adminSecondFactor === 'required',
    isHttps,
  };
  const live = openLive(database.pool, error => log.debug({ err: error }, 'live updates could not be read'));
  // Runs before the server waits for open responses to finish: streams would never finish.
  app.addHook('preClose', async () => live.stop());
  const handlers = makeHandlers(parts, live);
  const serve = <A extends keyof typeof areas>(area: A) =>
    serveArea(app, areas[area], handlers[area], guards);
  for (const area of Object.keys(areas) as (keyof typeof areas)[]) serve(area);

  const health = serveHealth(app, database, isStopping);
  serveMetrics(app, {
    token: config.metricsToken,
    publicUrl: parts.publicUrl,
    gauges: {
      requests_in_flight: inFlight,
      live_streams: () => live.count(),
      upload_bytes: uploadBytes,
      postings_waiting: parts.ledger.waiting,
      file_store_answers: () => Number([parts.store, parts.keys].every(each => each.answers())),
      database_connections: () => database.pool.totalCount,
      database_waiting: () => database.pool.waitingCount,
      ...(config.backupDir !== undefined && {
        last_backup_timestamp_seconds: watchLastBackup(config.backupDir),
      }),
    },
    metrics: [
      ...Object.values(postingMetrics),
      ...Object.values(statementMetrics),
      ...Object.values(mailMetrics),
      ...Object.values(pushMetrics),
      databaseErrors,
      malformedRequests,
      backgroundFailures,
      schedulesTried,
      filesUnread,
    ],
    readDisk: async () => {
      // With FILES_URL, pictures are not on this disk, so low space here does not make the bank refuse uploads.
      const free = config.filesUrl ? undefined : await readFreeBytes(config.dataDir);
      return free === undefined ? {} : { data_dir_free_bytes: free };
    },
    readBacklog: () => readBacklog(database.quickPool),
  });
  serveOpenApi(app, parts.publicUrl);
  acceptPolicyReports(app, parts.publicUrl);
  servePictures(app, name => parts.files.read(name));
  if (inboxReader) {
    await app.register(async scope => {
      scope.addHook('onRequest', async request => {
        if (!isOwnHost(request, parts.publicUrl)) throw new Refusal('NOT_FOUND');
      });
      serveInbox(scope, inboxReader);
    });
  }
  if (servesPages)
    await servePages(app, {
      dist,
      isHttps,
      isLocal: !config.production,
      publicUrl: parts.publicUrl,
      insuranceNotice: config.insuranceNotice,
      routingNumber: config.routingNumber,
    });
  else app.setNotFoundHandler((_, reply) => sendRefusal(reply, new Refusal('NOT_FOUND')));
  return { app, health };
}
