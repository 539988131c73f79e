/**
 * The server process: reads the settings, opens the database and the bank, listens, prints the address, and shuts down cleanly.
 * With several workers (`WORKERS`) it is their primary process, and each worker opens the bank.
 */
import { startArchiving } from './backup/backUp.ts';
import type { Bank } from './bank.ts';
import { stopWithinMs, withDeadline } from './base/deadline.ts';
import { readCommandLine } from './commands/commandLine.ts';
import { readServerConfig } from './config.ts';
import { behindRefusal } from './db/database.ts';
import { databaseWaitMs, refuseUnfitDatabase } from './db/migrate.ts';
import { printWelcome } from './demo/welcome.ts';
import { type EmbeddedPostgres, startEmbedded } from './embedded/embedded.ts';
import { followParent } from './followParent.ts';
import { backlog, reservePort } from './http/reservedPort.ts';
import { flushLog, ignoreOutputErrors, logConsole, openLog } from './log.ts';

/**
 * How long a stop waits for the last copy of the write-ahead log: what is left of `stopWithinMs`, minus `forPostgres`, but at
 * least `shortest` and at most `longest`.
 */
const archiveStopMs = { shortest: 300, longest: 4_000, forPostgres: 1_500 } as const;

// Four times Node's default. On a disk that hangs, each of these occupies one thread: three calls of the file store, the gauges
// of the disk and the backups, the copy of the log, the head of the audit chain, the clean-up, a copy of data and its
// downloads, and the folder of the rail. Hashing passwords needs one more.
process.env.UV_THREADPOOL_SIZE ??= '16';

readCommandLine(`Usage: npm start        builds the web app when its sources changed, and starts the bank
       npm run serve    starts the bank with the web app as it was built last

Takes no options. Settings are environment variables, which docs/operations.md lists.
`);

const log = openLog();
ignoreOutputErrors();
logConsole(log);

let embedded: EmbeddedPostgres | undefined;
let bank: Pick<Bank, 'stop'> | undefined;
let archiving: { stop(): Promise<void> } | undefined;
let isStopping = false;

async function stop(why: string, { code = 0, letBalancersLeave = false } = {}): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  const exitsAt = performance.now() + stopWithinMs;
  process.stdout.write(`\n${why}; stopping …\n`);
  const logError = (error: unknown) => log.error({ err: error }, 'stopping failed');
  await bank?.stop({ letBalancersLeave }).catch(logError);
  const { shortest, longest, forPostgres } = archiveStopMs;
  await withDeadline(
    archiving?.stop().catch(logError) ?? Promise.resolve(),
    Math.max(shortest, Math.min(longest, exitsAt - performance.now() - forPostgres)),
    () => log.warn('the last copy of the write-ahead log was cut off'),
  );
  await embedded?.stop().catch(logError);
  // The margin lets a process whose log is read too slowly exit with its code.
  await flushLog(log, exitsAt - 200);
  process.exit(code);
}

async function start(): Promise<void> {
  const config = readServerConfig(process.env);
  log.level = config.logLevel;
  // Reserving port 0 picks the port for `publicUrl`. With workers, a reservation also fails on a port that another server's
  // workers use. Without it, the workers of both servers could listen on the same port.
  const isReserved = config.port === 0 || config.workers > 1;
  const reserved = isReserved ? await reservePort(config.host, config.port) : undefined;
  const port = reserved?.port ?? config.port;
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`;
  if (config.databaseUrl === undefined) {
    embedded = await startEmbedded({
      dataDir: config.dataDir,
      log: line => process.stdout.write(`${line}\n`),
      settings: { max_connections: String(Math.max(100, 40 * config.workers + 20)) },
    });
  }
  const connection = embedded ? { ...embedded.connection } : { connectionString: config.databaseUrl! };
  await refuseUnfitDatabase(connection, {
    waitMs: databaseWaitMs,
    onWaiting: sentence => log.warn(sentence),
  });
  // Archiving starts before the bank listens, because it refuses a backup folder of another bank. A bank whose disk was lost
  // starts as a new, empty bank: if it sees the backups of the lost one, it must not serve.
  const beforeListening = async () => {
    if (embedded)
      archiving ??= await startArchiving(embedded, config, log, ({ message }) => {
        void stop(message, { code: 1 });
      });
    await reserved?.release();
  };
  // Without workers, this process opens the bank. Only then are the modules of a bank loaded.
  if (config.workers > 1) {
    const { startWorkers } = await import('./workers.ts');
    bank = await startWorkers(config, { connection, publicUrl, port, beforeListening, log });
  } else {
    const [{ openBank }, { seed }] = await Promise.all([import('./bank.ts'), import('./demo/seed.ts')]);
    const opened = await openBank(config, connection, publicUrl, log);
    bank = opened;
    await seed(opened.parts);
    await beforeListening();
    await opened.app.listen({ port, host: config.host, backlog });
  }
  printWelcome(config, publicUrl, port);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A process manager sends SIGTERM, and other servers take over. A bank with an embedded database has no other server.
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
    `\nThe bank could not start.\n${error instanceof Error ? behindRefusal(error).message : String(error)}\n`,
  );
  // The sentence above is for the operator. LOG_LEVEL=debug adds the stack trace.
  log.debug({ err: error }, 'start failed');
  await stop('Not started', { code: 1 });
});
