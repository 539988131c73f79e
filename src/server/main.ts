/**
 * The server process: reads the settings, opens the database and the bank, listens, prints the address, and shuts down cleanly.
 */
import { startArchiving } from './backup/backUp.ts';
import { type Bank, openBank } from './bank.ts';
import { readCommandLine } from './commands/commandLine.ts';
import { readServerConfig, SettingsError } from './config.ts';
import { printWelcome, seed } from './demo/seed.ts';
import { type EmbeddedPostgres, startEmbedded } from './embedded/embedded.ts';
import { followParent } from './followParent.ts';
import { IncompatibleBuild } from './http/pages.ts';
import { reservePort } from './http/reservedPort.ts';
import { openLog } from './log.ts';

/** Every step of the shutdown has its own deadline; this one covers everything else. */
const stopWithinMs = 8_800;

readCommandLine(`Usage: npm start        builds the web app when its sources changed, and starts the bank
       npm run serve    starts the bank with the web app as it was built last

Takes no options. Settings are environment variables, which docs/operations.md lists.
`);

const log = openLog();

let embedded: EmbeddedPostgres | undefined;
let bank: Bank | undefined;
let archiving: { stop(): Promise<void> } | undefined;
let isStopping = false;

async function stop(why: string, code = 0): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  process.stdout.write(`\n${why}; stopping …\n`);
  const logError = (error: unknown) => log.error({ err: error }, 'stopping failed');
  await archiving?.stop().catch(logError);
  await bank?.stop().catch(logError);
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
  bank = await openBank(config, connection, publicUrl, log);
  if (embedded) archiving = await startArchiving(embedded, config, log);
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
followParent(() => void stop('The process that started the bank is gone'));

start().catch(async (error: unknown) => {
  const isExpected = error instanceof SettingsError || error instanceof IncompatibleBuild;
  process.stderr.write(
    `\nThe bank could not start.\n${error instanceof Error ? error.message : String(error)}\n`,
  );
  if (!isExpected) log.fatal({ err: error }, 'start failed');
  await stop('Not started', 1);
});
