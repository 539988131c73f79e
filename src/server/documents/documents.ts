/**
 * Makes PDF documents in a worker thread, because a long statement takes seconds of computing. A document is a stream with
 * backpressure: its pages are made only as fast as they are read.
 */
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { Refusal } from '#contract/errors.ts';
import type { Statement, StatementLine } from '../ledger/statements.ts';
import type { Receipt } from './receipt.ts';
import type { StatementHead } from './statement.ts';

/** A message to the thread. `id` identifies the document, `call` the message. */
export type Question = { id: number; call: number } & (
  | { statement: StatementHead }
  | { receipt: Receipt }
  | { lines: StatementLine[] }
  | { pending: StatementLine[] }
  | { end: true }
  | { drop: true }
);
/** The bytes made since the last answer. */
export type Reply = { call: number; bytes?: Uint8Array<ArrayBuffer>; error?: Error };

export type Documents = {
  /** With more movements and pending payments in total, a statement may need more memory than its thread has. */
  maxLines: number;
  statement(statement: Statement): Readable;
  receipt(receipt: Receipt): Readable;
  close(): Promise<void>;
};

/** A `Question` without its `id` and `call`. */
type Ask = Question extends infer Q ? (Q extends Question ? Omit<Q, 'id' | 'call'> : never) : never;
type Thread = {
  worker: Worker;
  waiting: Map<number, { resolve: (bytes: Uint8Array) => void; reject: (error: Error) => void }>;
  /** Why the thread ended. */
  ended?: Error;
};

/**
 * The limits of a thread's heap. A statement of 100,000 movements takes 70 MB. The young generation (three semi-spaces) is
 * small, so that garbage does not enlarge the process. A thread that exceeds the limit ends, and its documents fail. The next
 * document starts a new thread.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 256 } as const;

/**
 * Statements whose movements and pending payments together exceed this number are made in a second thread. If that thread runs
 * out of memory, shorter documents do not fail.
 */
const largeFrom = 10_000;

/** These take about 170 MB of the thread's heap. */
const maxLines = 250_000;

/** `routingNumber`: the bank's own. A thread starts with its first document. */
export function openDocuments(routingNumber: string): Documents {
  const threads = new Map<'usual' | 'large', Thread>();
  let last = 0;

  function startThread(size: 'usual' | 'large'): Thread {
    const started: Thread = { worker: newWorker(), waiting: new Map() };
    const { worker, waiting } = started;
    worker.unref();
    worker.on('message', ({ call, bytes, error }: Reply) => {
      // If the thread had an error, its documents have already failed, and nothing waits for this reply.
      const asked = waiting.get(call);
      waiting.delete(call);
      if (error) asked?.reject(error);
      else asked?.resolve(bytes!);
    });
    const fail = (error: Error) => {
      started.ended ??= error;
      if (threads.get(size) === started) threads.delete(size);
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.on('error', error => fail(toBusy(error)));
    worker.on('exit', () => fail(new Error('the thread that makes documents has ended')));
    threads.set(size, started);
    return started;
  }

  function ask({ worker, waiting, ended }: Thread, id: number, asked: Ask): Promise<Uint8Array> {
    // An ended thread would never answer.
    if (ended) return Promise.reject(ended);
    const call = ++last;
    return new Promise((resolve, reject) => {
      waiting.set(call, { resolve, reject });
      worker.postMessage({ ...asked, id, call });
    });
  }

  async function* write(
    begin: Ask,
    chunks: AsyncIterable<Ask> | Ask[] = [],
    size: 'usual' | 'large' = 'usual',
  ): AsyncGenerator<Uint8Array> {
    const own = threads.get(size) ?? startThread(size);
    const id = ++last;
    let isOpen = true;
    try {
      yield await ask(own, id, begin);
      for await (const chunk of chunks) yield await ask(own, id, chunk);
      isOpen = false;
      yield await ask(own, id, { end: true });
    } finally {
      if (isOpen) ask(own, id, { drop: true }).catch(() => {});
    }
  }

  return {
    maxLines,
    statement({ lines, pending, ...statement }) {
      // Sends only what the thread needs: a function cannot be sent to a thread.
      const { contentHash: _hash, contentHashOf: _hashOf, ...head } = statement;
      const size = head.count + head.pendingCount > largeFrom ? 'large' : 'usual';
      const pieces = write({ statement: { ...head, routingNumber } }, inChunks({ lines, pending }), size);
      return Readable.from(pieces, { objectMode: false });
    },
    receipt: receipt => Readable.from(write({ receipt }), { objectMode: false }),
    async close() {
      await Promise.all([...threads.values()].map(({ worker }) => worker.terminate()));
    },
  };
}

function newWorker(): Worker {
  try {
    return new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits });
  } catch (error) {
    throw toBusy(error as Error);
  }
}

/** `BUSY` for the error that a new thread throws or emits if threads, file descriptors or memory are short; else the error. */
const toBusy = (error: NodeJS.ErrnoException): Error =>
  error.code === 'ERR_WORKER_INIT_FAILED' ? new Refusal('BUSY', { waitTime: 1, cause: error }) : error;

async function* inChunks({ lines, pending }: Pick<Statement, 'lines' | 'pending'>): AsyncGenerator<Ask> {
  for await (const chunk of lines) yield { lines: chunk };
  for await (const chunk of pending) yield { pending: chunk };
}
