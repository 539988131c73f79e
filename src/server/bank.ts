/**
 * Opens a whole bank on a database: migrations, keys, mail, ledger, jobs, server. What `main.ts` starts, the tests test
 * and the benchmarks measure.
 */
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type pg from 'pg';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { makeTokens } from './http/tokens.ts';
import { startJobs } from './jobs/worker.ts';
import { openLedger } from './ledger/ledger.ts';
import { systemClock } from './outside/clock.ts';
import { openFileStore } from './outside/files.ts';
import { openInbox } from './outside/inbox.ts';
import { openMailer } from './outside/mailer.ts';
import type { Parts } from './parts.ts';
import { openSealedCode } from './people/codes.ts';
import { deriveSecrets, keepLocalSecret } from './secrets.ts';

export type Bank = {
  parts: Parts;
  /** Built and ready to listen. */
  app: FastifyInstance;
  /** Drains and closes everything that was opened here, in order; the database itself is its opener's. */
  stop(): Promise<void>;
};

/** `publicUrl` is the origin for mails and links. Throws where the database cannot be reached or migrated. */
export async function openBank(
  config: Config,
  connection: pg.PoolConfig,
  publicUrl: string,
  log: FastifyBaseLogger,
): Promise<Bank> {
  const database = openDatabase(connection);
  await migrate(database.ownerPool);
  const secrets = deriveSecrets(config.appSecret ?? keepLocalSecret(config.dataDir));
  const inbox = config.smtpUrl === undefined && !config.production ? await openInbox() : undefined;
  const mailer = openMailer({ smtpUrl: config.smtpUrl ?? inbox!.smtpUrl, from: config.mailFrom });
  const parts: Parts = {
    config,
    publicUrl,
    database,
    ledger: openLedger(database, connection),
    mailer,
    files: openFileStore(join(config.dataDir, 'files')),
    clock: systemClock,
    tokens: makeTokens(secrets),
    secrets,
    log,
    ...(inbox && { inbox }),
  };
  let isStopping = false;
  const app = await buildApp(parts, () => isStopping);
  const jobs = config.jobs
    ? await startJobs(parts, sealed => openSealedCode(sealed, secrets.codeKey))
    : undefined;
  return {
    parts,
    app,
    async stop() {
      isStopping = true;
      await app.close();
      await jobs?.stop();
      await parts.ledger.close();
      mailer.close();
      await inbox?.close();
      await database.close();
    },
  };
}
