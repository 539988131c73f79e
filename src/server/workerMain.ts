/**
 * One worker process of a server that runs several worker processes (`WORKERS`). Its primary process (`workers.ts`) starts and
 * stops it.
 */
import type { FastifyListenOptions } from 'fastify';
import { type Bank, openBank } from './bank.ts';
import { stopWithinMs } from './base/deadline.ts';
import { askPrimary, type ToWorker } from './base/workerChannel.ts';
import { behindRefusal } from './db/database.ts';
import { seed } from './demo/seed.ts';
import { backlog } from './http/reservedPort.ts';
import { flushLog, ignoreOutputErrors, logConsole, openLog } from './log.ts';
import type { ReceivedMail } from './outside/inbox.ts';
import type { WorkerStart } from './workers.ts';

const log = openLog();
ignoreOutputErrors();
logConsole(log);
let bank: Bank | undefined;
let isStopping = false;

/**
 * How long after its beginning a stop may still write the log if its reader is slow. The primary waits for its workers, and
 * then stops the database and writes its own log.
 */
const writeWithinMs = 5_000;
/** The other workers write into the same pipe. One of them can take all the space that the reader makes for a while. */
const silenceMs = 2_000;

async function stop(code: number, options?: { letBalancersLeave: boolean }): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  const writesUntil = performance.now() + writeWithinMs;
  await bank?.stop(options).catch((error: unknown) => log.error({ err: error }, 'stopping failed'));
  await flushLog(log, writesUntil, silenceMs);
  process.exit(code);
}

async function start(): Promise<void> {
  const {
    number,
    config: given,
    connection,
    publicUrl,
    port,
    smtpUrl,
  } = await askPrimary<WorkerStart>('start');
  const isFirst = number === 1;
  const config = { ...given, jobs: given.jobs && isFirst, smtpUrl: given.smtpUrl ?? smtpUrl };
  log.level = config.logLevel;
  log.setBindings({ worker: number });
  const inboxReader =
    smtpUrl === undefined
      ? undefined
      : {
          list: (to?: string) => askPrimary<ReceivedMail[]>('mails', to),
          find: (id: string) => askPrimary<ReceivedMail | undefined>('mail', id),
        };
  bank = await openBank(config, connection, publicUrl, log, { ...(inboxReader && { inboxReader }) });
  if (isFirst) await seed(bank.parts);
  await askPrimary('port');
  // Linux distributes the connections among the workers. On other systems the primary does. If the primary gives a connection
  // to a worker that is killed at the same moment, the connection hangs until its client gives up.
  const reusePort = process.platform === 'linux';
  await bank.app.listen({ port, host: config.host, backlog, reusePort } as FastifyListenOptions);
  await askPrimary('listening');
}

// Ctrl-C and some process managers signal every process of the group. The primary decides when and how a worker stops.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (message: ToWorker) => {
  if ('stop' in message) void stop(0, message.stop);
});
process.on('uncaughtException', error => {
  log.fatal({ err: error }, 'uncaught exception');
  void stop(1);
});

start().catch(async (error: unknown) => {
  process.stderr.write(`${error instanceof Error ? behindRefusal(error).message : String(error)}\n`);
  log.debug({ err: error }, 'start failed');
  await stop(1);
});
