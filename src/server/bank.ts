/**
 * Opens a whole bank on a database: migrations, keys, mail, ledger, jobs, server. `main.ts`, the tests and the benchmarks all
 * open this same bank.
 */
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type pg from 'pg';
import { buildApp } from './app.ts';
import { sleep, withDeadline } from './base/deadline.ts';
import type { Config } from './config.ts';
import { readBankState } from './db/bankState.ts';
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
import { openInbox } from './outside/inbox.ts';
import { openMailer } from './outside/mailer.ts';
import { openPersonKeys } from './outside/personKeys.ts';
import { openPushSender } from './outside/pushSender.ts';
import { openSandboxRail } from './outside/rail/sandbox.ts';
import type { Parts } from './parts.ts';
import { refuseLostKeys } from './people/lostKeys.ts';
import { readSecrets } from './secrets.ts';

export type Bank = {
  parts: Parts;
  /** Built and ready to listen. */
  app: FastifyInstance;
  /**
   * Drains and closes everything opened here, in order. The caller stops the database server, and ends the process after 9.3
   * seconds if steps hang. With `letBalancersLeave`, a server that a load balancer polls first serves on while it is not ready.
   */
  stop: (options?: { letBalancersLeave?: boolean }) => Promise<void>;
};

/** How long open requests may take while the bank stops. Then their connections are closed, including incomplete uploads. */
const drainMs = 3_000;
/** HAProxy's default check notices in six seconds at the latest (three failures, two seconds apart). */
const leaveMs = 6_300;
const drainAfterLeaveMs = 1_500;
/** The deadline of each step of a stop. */
const stepTimeoutsMs = { drain: 5_000, ledger: 1_000, documents: 500, inbox: 500, database: 1_000 } as const;

/**
 * Opens the bank. `connection`: the database's owner. `publicUrl`: the origin for mails and links. `servesPages`: false in
 * development, where Vite serves the pages. Throws if the database cannot be reached or migrated, and throws `SettingsError`,
 * before any work starts, if it contains the demonstration's published logins and they are not allowed.
 */
export async function openBank(
  config: Config,
  connection: pg.PoolConfig,
  publicUrl: string,
  log: FastifyBaseLogger,
  { servesPages = true }: { servesPages?: boolean } = {},
): Promise<Bank> {
  const secrets = readSecrets(config);
  const database = await openServerDatabase(connection, secrets);
  await refusePublishedLogins({ config, database, secrets });
  const inbox = config.smtpUrl === undefined && !config.production ? await openInbox() : undefined;
  const mailer = openMailer({ smtpUrl: config.smtpUrl ?? inbox!.smtpUrl, from: config.mailFrom });
  const keys = openPersonKeys(join(config.dataDir, 'keys'), secrets.personKey);
  await refuseLostKeys(database.reader, keys, config.dataDir);
  const files = openFileStore(join(config.dataDir, 'files'), keys);
  const { bankId } = await readBankState(database.reader);
  if (!(await files.belongsTo(bankId))) log.error(foreignFolder);
  const parts: Parts = {
    config,
    publicUrl,
    database,
    ledger: openLedger(database, config.stepUpFromCents),
    mailer,
    files,
    keys,
    exportFiles: openExportFiles(join(config.dataDir, 'exports'), secrets.exportKey),
    rail: openSandboxRail(systemClock, config),
    pushSender: openPushSender(config.pushServices, secrets.pushKey),
    documents: openDocuments(),
    clock: systemClock,
    tokens: makeTokens(secrets),
    secrets,
    log,
    ...(inbox && { inbox }),
  };
  let isStopping = false;
  const { app, health } = await buildApp(parts, () => isStopping, servesPages);
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
