/**
 * Opens a whole bank on a database: migrations, keys, mail, ledger, jobs, server. What `main.ts` starts, the tests test
 * and the benchmarks measure.
 */
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type pg from 'pg';
import { buildApp } from './app.ts';
import { withDeadline } from './base/deadline.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { refusePublishedLogins } from './demo/published.ts';
import { makeTokens } from './http/tokens.ts';
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
  /** Drains and closes all that was opened here, in order, in eight seconds at most; the database itself is its opener's. */
  stop(): Promise<void>;
};

/** How long whoever is being answered may take; then the line is cut, a form that is half here with it. */
const drainMs = 3_000;
/** What each step of a stop may take. Together, and with a database that ends, they stay below ten seconds. */
const patienceMs = { drain: 5_000, ledger: 1_000, inbox: 500, database: 1_000 } as const;

/**
 * `publicUrl` is the origin for mails and links. In development Vite serves the pages (`servesPages: false`). Throws where the database cannot be reached or migrated, and
 * `SettingsError`, before anything is worked on, where the demonstration's logins stand open in it and may not.
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
  const parts: Parts = {
    config,
    publicUrl,
    database,
    ledger: openLedger(database, connection),
    mailer,
    files: openFileStore(join(config.dataDir, 'files')),
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
      const cut = setTimeout(() => app.server.closeAllConnections(), drainMs);
      await step('drain', Promise.all([app.close(), jobs?.stop()]));
      clearTimeout(cut);
      await step('ledger', parts.ledger.close());
      mailer.close();
      await step('inbox', inbox?.close());
      await step('database', database.close());
    },
  };

  /** Awaits one step up to its deadline. A step that hangs or fails is logged, and the next one begins. */
  async function step(
    name: keyof typeof patienceMs,
    work: Promise<unknown> = Promise.resolve(),
  ): Promise<void> {
    const fail = (error: unknown) => log.error({ err: error, step: name }, 'a step of the stop failed');
    await withDeadline(work.catch(fail), patienceMs[name], () =>
      log.warn({ step: name }, 'a step of the stop took too long; going on without it'),
    );
  }
}
