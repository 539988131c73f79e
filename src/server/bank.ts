/**
 * Opens a whole bank on a database: migrations, keys, mail, ledger, jobs, server. `main.ts`, the tests and the benchmarks all
 * open this same bank.
 */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type pg from 'pg';
import { buildApp } from './app.ts';
import { sleep, withDeadline } from './base/deadline.ts';
import type { Tracing } from './base/tracePoints.ts';
import { type Config, hasInbox } from './config.ts';
import { readBankState } from './db/bankState.ts';
import { reasonOf } from './db/database.ts';
import { openServerDatabase } from './db/migrate.ts';
import { refusePublishedLogins } from './demo/published.ts';
import { openDocuments } from './documents/documents.ts';
import { makeTokens } from './http/tokens.ts';
import { foreignFolder } from './jobs/cleanUp.ts';
import { startJobs } from './jobs/worker.ts';
import { openLedger } from './ledger/ledger.ts';
import { systemClock } from './outside/clock.ts';
import { openExportFiles } from './outside/exportFiles.ts';
import { openFileStore } from './outside/files.ts';
import { type InboxReader, openInbox } from './outside/inbox.ts';
import { openMailer } from './outside/mailer.ts';
import { openStore } from './outside/objectStore.ts';
import { openPersonKeys } from './outside/personKeys.ts';
import { openPushSender } from './outside/pushSender.ts';
import { openRail } from './outside/rail/openRail.ts';
import type { Parts } from './parts.ts';
import { placeOfKeys, refuseUnfitStore } from './people/lostKeys.ts';
import { readSecrets } from './secrets.ts';

export type Bank = {
  parts: Parts;
  /** Built and ready to listen. */
  app: FastifyInstance;
  /**
   * Drains and closes everything opened here, in order. The caller stops the database server, and ends the process after 9.3
   * seconds if steps hang. `letBalancersLeave`: if a load balancer polls this server, the server first reports that it is not
   * ready, and serves requests until the load balancer has had time to notice.
   */
  stop: (options?: { letBalancersLeave?: boolean }) => Promise<void>;
};

/** How long open requests may take while the bank stops. Then their connections are closed, including incomplete uploads. */
const drainMs = 3_000;
/**
 * How long a stopping server serves requests so that its load balancer can notice. HAProxy notices within six seconds that a
 * server is not ready (by default, after three failed checks, two seconds apart).
 */
const leaveMs = 6_300;
const drainAfterLeaveMs = 1_500;
/** The deadline of each step of a stop. */
const stepTimeoutsMs = {
  drain: 5_000,
  ledger: 1_000,
  documents: 500,
  traces: 300,
  inbox: 500,
  database: 1_000,
} as const;

/**
 * Opens the bank. `connection`: the connection of the database's owner. `publicUrl`: the origin for mails and links.
 * `servesPages`: false in development, where Vite serves the pages. `inboxReader`: reads an embedded inbox of another process.
 * Throws if the database cannot be reached or migrated. Throws `SettingsError`, before jobs run or requests are served, if the
 * secret is missing, if published demo logins work in the database and are not allowed, or if the file store does not fit the
 * bank.
 */
export async function openBank(
  config: Config,
  connection: pg.PoolConfig,
  publicUrl: string,
  given: FastifyBaseLogger,
  { servesPages = true, inboxReader }: { servesPages?: boolean; inboxReader?: InboxReader } = {},
): Promise<Bank> {
  const secrets = readSecrets(config);
  const tracing = await openTracing(config, given);
  const log = tracing ? addTraceIds(given, tracing) : given;
  const database = await openServerDatabase(connection, secrets, sentence => log.warn(sentence));
  await refusePublishedLogins({ config, database, secrets });
  const inbox = hasInbox(config) ? await openInbox() : undefined;
  const mailer = openMailer({ smtpUrl: config.smtpUrl ?? inbox!.smtpUrl, from: config.mailFrom });
  const store = openStore(config, log);
  const { bankId } = await readBankState(database.reader);
  const keys = openPersonKeys(store, secrets.personKey, { bankId, place: placeOfKeys(config), log });
  const files = openFileStore(store, keys, log);
  await refuseUnfitStore({ config, database, store, keys });
  const belongs = await files.belongsTo(bankId).catch((error: Error) => {
    log.error({ reason: reasonOf(error) }, 'whether the pictures belong to this bank could not be checked');
    return true;
  });
  if (!belongs) log.error(foreignFolder);
  const parts: Parts = {
    config,
    publicUrl,
    database,
    ledger: openLedger(database, config.stepUpFromCents),
    mailer,
    store,
    files,
    keys,
    exportFiles: openExportFiles(store, secrets.exportKey),
    rail: openRail(config),
    pushSender: openPushSender(config.pushServices, secrets.pushKey),
    documents: openDocuments(config.routingNumber),
    clock: systemClock,
    tokens: makeTokens(secrets),
    secrets,
    log,
    ...(tracing && { tracing }),
    ...(inbox && { inbox }),
  };
  let isStopping = false;
  const { app, health } = await buildApp(parts, {
    isStopping: () => isStopping,
    servesPages,
    inboxReader: inboxReader ?? inbox,
  });
  const jobs = config.jobs ? await startJobs(parts) : undefined;
  return {
    parts,
    app,
    async stop({ letBalancersLeave = false } = {}) {
      isStopping = true;
      const jobsStopped = jobs?.stop();
      const leaves = letBalancersLeave && health.isPolled();
      if (leaves) await sleep(leaveMs);
      const closeTimer = setTimeout(
        () => app.server.closeAllConnections(),
        leaves ? drainAfterLeaveMs : drainMs,
      );
      await step('drain', Promise.all([app.close(), jobsStopped]));
      clearTimeout(closeTimer);
      await step('ledger', parts.ledger.close());
      mailer.close();
      await step('documents', parts.documents.close());
      await step('traces', tracing?.close());
      await step('inbox', inbox?.close());
      await step('database', database.close());
    },
  };

  /** Awaits one step up to its deadline. A step that hangs or fails is logged, and the next one begins. */
  async function step(
    name: keyof typeof stepTimeoutsMs,
    work: Promise<unknown> = Promise.resolve(),
  ): Promise<void> {
    const fail = (error: unknown) => log.error({ err: error, step: name }, 'a shutdown step failed');
    await withDeadline(work.catch(fail), stepTimeoutsMs[name], () =>
      log.warn({ step: name }, 'a shutdown step timed out; continuing'),
    );
  }
}

/** Starts tracing if a collector is set. Only then are its libraries loaded. */
async function openTracing(
  { otlpEndpoint, traceShare }: Config,
  log: FastifyBaseLogger,
): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { startTracing } = await import('./outside/tracing.ts');
  return startTracing({ endpoint: otlpEndpoint, share: traceShare, log });
}

/** A log whose lines name the trace in which they are written. */
export function addTraceIds(log: FastifyBaseLogger, tracing: Tracing): FastifyBaseLogger {
  return log.child({}, { formatters: { log: (line: object) => ({ ...line, ...tracing.logFields() }) } });
}
