/**
 * The server process: reads the settings, opens the database and the bank, listens, prints the address, and shuts down cleanly.
 */
import { startArchiving } from './backup/backUp.ts';
import { type Bank, openBank } from './bank.ts';
import { withDeadline } from './base/deadline.ts';
import { readCommandLine } from './commands/commandLine.ts';
import { readServerConfig } from './config.ts';
import { refuseUnfitDatabase } from './db/migrate.ts';
import { printWelcome, seed } from './demo/seed.ts';
import { type EmbeddedPostgres, startEmbedded } from './embedded/embedded.ts';
import { followParent } from './followParent.ts';
import { reservePort } from './http/reservedPort.ts';
import { openLog } from './log.ts';

/** The last round of copying the write-ahead log may take so much longer than the bank's own stop. */
const archiveStopMs = 300;
/** Every step of the shutdown has its own deadline; this one covers everything else. */
const stopWithinMs = 9_300;

readCommandLine(`Usage: npm start        builds the web app when its sources changed, and starts the bank
       npm run serve    starts the bank with the web app as it was built last

Takes no options. Settings are environment variables, which docs/operations.md lists.
`);

const log = openLog();

let embedded: EmbeddedPostgres | undefined;
let bank: Bank | undefined;
let archiving: { stop(): Promise<void> } | undefined;
let isStopping = false;

async function stop(why: string, { code = 0, letBalancersLeave = false } = {}): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  process.stdout.write(`\n${why}; stopping …\n`);
  const logError = (error: unknown) => log.error({ err: error }, 'stopping failed');
  const archived = archiving?.stop().catch(logError);
  await bank?.stop({ letBalancersLeave }).catch(logError);
  await withDeadline(archived ?? Promise.resolve(), archiveStopMs, () =>
    log.warn('the last copy of the log was cut off'),
  );
  await embedded?.stop().catch(logError);
  process.exit(code);
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
  await refuseUnfitDatabase(connection);
  bank = await openBank(config, connection, publicUrl, log);
  if (embedded) archiving = await startArchiving(embedded, config, log);
  await seed(bank.parts);
  await reserved?.release();
  await bank.app.listen({ port, host: config.host });
  printWelcome(bank.parts, port);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A process manager sends SIGTERM, and other servers take over. An embedded database has no other server.
    void stop(`Got ${signal}`, { letBalancersLeave: signal === 'SIGTERM' && !embedded });
  });
}
process.on('uncaughtException', error => {
  log.fatal({ err: error }, 'uncaught exception');
  void stop('Unexpected error', { code: 1 });
});
followParent(() => void stop('The process that started the bank is gone'));

start().catch(async (error: unknown) => {
  process.stderr.write(
    `\nThe bank could not start.\n${error instanceof Error ? error.message : String(error)}\n`,
  );
  // The sentence is for the operator. LOG_LEVEL=debug adds the stack trace.
  log.debug({ err: error }, 'start failed');
  await stop('Not started', { code: 1 });
});
