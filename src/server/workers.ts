/**
 * The primary process of a server with several workers (`WORKERS`). It owns the embedded database and the embedded
 * inbox, replaces workers that end, and forwards messages between them. The first worker migrates, seeds and runs the jobs.
 */
import cluster, { type Worker } from 'node:cluster';
import { getCompileCacheDir } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { AggregatorRegistry } from 'prom-client';
import type { Bank } from './bank.ts';
import { withDeadline } from './base/deadline.ts';
import type { FromWorker, ToWorker } from './base/workerChannel.ts';
import { type Config, hasInbox } from './config.ts';
import { unblockOutput } from './log.ts';
import { openInbox } from './outside/inbox.ts';
import { readAppSecrets } from './secrets.ts';

/** What a worker needs to start. `number` counts from 1; a new worker gets the number of the worker that it replaces. */
export type WorkerStart = {
  number: number;
  /** The settings and secrets that the primary read, so that a worker that starts later uses the same ones. */
  config: Config;
  connection: pg.PoolConfig;
  publicUrl: string;
  port: number;
  /** The address of the embedded inbox; undefined if there is none. */
  smtpUrl: string | undefined;
};

type Options = Pick<WorkerStart, 'connection' | 'publicUrl' | 'port'> & {
  /** Called before each worker listens. If it fails, the start fails. */
  beforeListening: () => Promise<void>;
  log: FastifyBaseLogger;
};

/** Longer than a worker needs to drain. A worker that takes longer hangs, and is killed. */
const stopWithinMs = 8_300;
/** The pause before a worker is replaced. It doubles while workers end before they listen. */
const pauseMs = { first: 100, longest: 5_000 } as const;

/** Starts the workers; resolves when all of them listen. Throws if a worker ends before that. */
export async function startWorkers(
  config: Config,
  { connection, publicUrl, port, beforeListening, log }: Options,
): Promise<Pick<Bank, 'stop'>> {
  const inbox = hasInbox(config) ? await openInbox() : undefined;
  const [appSecret, ...formerAppSecrets] = readAppSecrets(config);
  const start = {
    config: { ...config, appSecret, formerAppSecrets },
    connection,
    publicUrl,
    port,
    smtpUrl: inbox?.smtpUrl,
  };
  const metrics = new AggregatorRegistry();
  const numbers = new Map<Worker, number>();
  const firstListens = Promise.withResolvers<void>();
  const allListen = Promise.withResolvers<void>();
  let listening = 0;
  let isStopping = false;
  let pause: number = pauseMs.first;

  const answer = async (number: number, question: string, data: unknown): Promise<unknown> => {
    switch (question) {
      case 'start':
        if (number > 1) await firstListens.promise;
        return { number, ...start } satisfies WorkerStart;
      case 'port':
        return beforeListening().catch(async (error: unknown) => {
          allListen.reject(error);
          await new Promise(() => {});
        });
      case 'listening':
        pause = pauseMs.first;
        if (number === 1) firstListens.resolve();
        if (++listening === config.workers) allListen.resolve();
        return undefined;
      case 'metrics':
        return metrics.clusterMetrics().catch(() => undefined);
      case 'mails':
        return inbox!.list(data as string | undefined);
      case 'mail':
        return inbox!.find(data as string);
      default:
        return undefined;
    }
  };

  const send = (worker: Worker, message: ToWorker): void => {
    if (worker.isConnected()) worker.send(message, undefined, {}, () => {});
  };
  const replace = (number: number, why: string, details: object): void => {
    if (isStopping) return;
    if (listening < config.workers) {
      allListen.reject(new Error(`Worker ${number} ${why}.`));
      return;
    }
    log.error({ worker: number, ...details }, 'a worker ended and is replaced');
    setTimeout(() => launch(number), pause);
    pause = Math.min(2 * pause, pauseMs.longest);
  };
  const launch = (number: number): void => {
    if (isStopping) return;
    const fail = (err: Error) => replace(number, `could not be started: ${err.message}`, { err });
    let worker: Worker;
    try {
      worker = cluster.fork();
    } catch (error) {
      // For example, there is not enough memory for another process.
      fail(error as Error);
      return;
    }
    if (worker.process.pid === undefined) {
      // For example, there are too many processes or open files. No `exit` follows.
      worker.once('error', fail);
      return;
    }
    worker.on('error', error => log.error({ err: error, worker: number }, 'a worker failed'));
    numbers.set(worker, number);
    worker.on('message', async (message: FromWorker) => {
      if ('ask' in message)
        send(worker, { id: message.id, answer: await answer(number, message.ask, message.data) });
      else if ('share' in message)
        for (const other of numbers.keys()) if (other !== worker) send(other, message);
    });
    worker.on('exit', (code, signal) => {
      unblockOutput();
      numbers.delete(worker);
      replace(number, `ended with ${signal ?? code}`, { code, signal });
    });
  };

  const stop: Bank['stop'] = async ({ letBalancersLeave = false } = {}) => {
    isStopping = true;
    const ended = [...numbers.keys()].map(
      worker => new Promise<void>(resolve => worker.once('exit', () => resolve())),
    );
    for (const worker of numbers.keys()) send(worker, { stop: { letBalancersLeave } });
    await withDeadline(
      Promise.all(ended).then(() => {}),
      stopWithinMs,
      () => {
        log.warn('workers did not stop in time and are killed');
        for (const worker of numbers.keys()) worker.process.kill('SIGKILL');
      },
    );
    await inbox?.close();
  };

  cluster.setupPrimary({
    exec: fileURLToPath(new URL('./workerMain.ts', import.meta.url)),
    serialization: 'advanced',
  });
  process.env.NODE_COMPILE_CACHE ??= getCompileCacheDir() ?? '';
  for (let number = 1; number <= config.workers; number++) launch(number);
  try {
    await allListen.promise;
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}
