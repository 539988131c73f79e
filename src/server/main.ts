/**
 * The server process: reads the settings, opens the database and the bank, listens, prints the address, and shuts down cleanly.
 */
import { pino } from 'pino';
import { type Bank, openBank } from './bank.ts';
import { readServerConfig, SettingsError } from './config.ts';
import { printWelcome, seed } from './demo/seed.ts';
import { type EmbeddedPostgres, startEmbedded } from './embedded/embedded.ts';
import { IncompatibleBuild } from './http/pages.ts';
import { reservePort } from './http/reservedPort.ts';

/** Every step of the shutdown has its own deadline; this one covers everything else. */
const stopWithinMs = 8_800;

const log = pino({
  level: 'warn',
  redact: [
    'req.headers.authorization',
    '*.password',
    '*.otp',
    '*.currentPassword',
    '*.newPassword',
    '*.token',
    // PostgreSQL's error details may contain whole rows.
    'err.detail',
    'err.where',
  ],
});

let embedded: EmbeddedPostgres | undefined;
let bank: Bank | undefined;
let isStopping = false;

async function stop(why: string, code = 0): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  process.stdout.write(`\n${why}; stopping …\n`);
  const logError = (error: unknown) => log.error({ err: error }, 'stopping failed');
  await bank?.stop().catch(logError);
  await embedded?.stop().catch(logError);
  process.exit(code);
}

/** npm sends signals to a shell that may not forward them, so the bank also stops when its parent process exits. */
function followParent(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void stop('The process that started the bank is gone');
  }, 250).unref();
}

async function start(): Promise<void> {
  const config = readServerConfig(process.env);
  log.level = config.logLevel;
  const reserved = config.port === 0 ? await reservePort(config.host) : undefined;
  const port = reserved?.port ?? config.port;
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`;
  if (config.databaseUrl === undefined) {
    embedded = await startEmbedded({
      dataDir: config.dataDir,
      log: line => process.stdout.write(`${line}\n`),
    });
  }
  const connection = embedded ? { ...embedded.connection } : { connectionString: config.databaseUrl! };
  bank = await openBank(config, connection, publicUrl, log);
  await seed(bank.parts);
  await reserved?.release();
  await bank.app.listen({ port, host: config.host });
  printWelcome(bank.parts, port);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop(`Got ${signal}`));
process.on('uncaughtException', error => {
  log.fatal({ err: error }, 'uncaught exception');
  void stop('Unexpected error', 1);
});
followParent();

start().catch(async (error: unknown) => {
  const isExpected = error instanceof SettingsError || error instanceof IncompatibleBuild;
  process.stderr.write(
    `\nThe bank could not start.\n${error instanceof Error ? error.message : String(error)}\n`,
  );
  if (!isExpected) log.fatal({ err: error }, 'start failed');
  await stop('Not started', 1);
});
