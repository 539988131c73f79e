/**
 * Opens a whole bank on a database: migrations, keys, mail, ledger, jobs, server. `main.ts`, the tests and the benchmarks all
 * open this same bank.
 */
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type pg from 'pg';
import { buildApp } from './app.ts';
import { withDeadline } from './base/deadline.ts';
import type { Config } from './config.ts';
import { readBankState } from './db/bankState.ts';
import { openDatabase } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { refusePublishedLogins } from './demo/published.ts';
import { makeTokens } from './http/tokens.ts';
import { foreignFolder } from './jobs/cleanUp.ts';
import { startJobs } from './jobs/worker.ts';
import { openLedger } from './ledger/ledger.ts';
import { systemClock } from './outside/clock.ts';
import { openFileStore } from './outside/files.ts';
import { openInbox } from './outside/inbox.ts';
import { openMailer } from './outside/mailer.ts';
import { openSandboxRail } from './outside/rail.ts';
import type { Parts } from './parts.ts';
import { deriveSecrets, readOrCreateLocalSecret } from './secrets.ts';

export type Bank = {
  parts: Parts;
  /** Built and ready to listen. */
  app: FastifyInstance;
  /** Drains and closes everything opened here, in order, in at most eight seconds. The caller stops the database server. */
  stop: () => Promise<void>;
};

/** How long open requests may take while the bank stops. Then their connections are closed, including incomplete uploads. */
const drainMs = 3_000;
/** The deadline of each step of a stop. Together with the stop of the embedded database they stay below ten seconds. */
const stepTimeoutsMs = { drain: 5_000, ledger: 1_000, inbox: 500, database: 1_000 } as const;

/**
 * Opens the bank. `publicUrl`: the origin for mails and links. `servesPages`: false in development, where Vite serves
 * the pages. Throws if the database cannot be reached or migrated, and throws
 * `SettingsError`, before any work starts, if it contains the demonstration's published logins and they are not allowed.
 */
export async function openBank(
  config: Config,
  connection: pg.PoolConfig,
  publicUrl: string,
  log: FastifyBaseLogger,
  { servesPages = true }: { servesPages?: boolean } = {},
): Promise<Bank> {
  const database = openDatabase(connection);
  await migrate(database.ownerPool);
  const secrets = deriveSecrets(config.appSecret ?? readOrCreateLocalSecret(config.dataDir));
  await refusePublishedLogins({ config, database, secrets });
  const inbox = config.smtpUrl === undefined && !config.production ? await openInbox() : undefined;
  const mailer = openMailer({ smtpUrl: config.smtpUrl ?? inbox!.smtpUrl, from: config.mailFrom });
  const files = openFileStore(join(config.dataDir, 'files'));
  const { bankId } = await readBankState(database.reader);
  if (!(await files.belongsTo(bankId))) log.error(foreignFolder);
  const parts: Parts = {
    config,
    publicUrl,
    database,
    ledger: openLedger(database, connection),
    mailer,
    files,
    rail: openSandboxRail(systemClock, config.railDaySeconds),
    clock: systemClock,
    tokens: makeTokens(secrets),
    secrets,
    log,
    ...(inbox && { inbox }),
  };
  let isStopping = false;
  const app = await buildApp(parts, () => isStopping, servesPages);
  const jobs = config.jobs ? await startJobs(parts) : undefined;
  return {
    parts,
    app,
    async stop() {
      isStopping = true;
      const closeTimer = setTimeout(() => app.server.closeAllConnections(), drainMs);
      await step('drain', Promise.all([app.close(), jobs?.stop()]));
      clearTimeout(closeTimer);
      await step('ledger', parts.ledger.close());
      mailer.close();
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
