/**
 * Makes PDF documents in a worker thread, because a long statement takes seconds of computing. A document is a stream with
 * backpressure: its pages are made as fast as they are read.
 */
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { Statement, StatementLine } from '../ledger/statements.ts';
import type { Receipt } from './receipt.ts';
import type { StatementHead } from './statement.ts';

/** A message to the thread. `id` identifies the document, `call` the message. */
export type Question = { id: number; call: number } & (
  | { statement: StatementHead }
  | { receipt: Receipt }
  | { lines: StatementLine[] }
  | { end: true }
  | { drop: true }
);
/** The bytes made since the last answer. */
export type Reply = { call: number; bytes?: Uint8Array<ArrayBuffer>; error?: Error };

export type Documents = {
  statement(statement: Statement): Readable;
  receipt(receipt: Receipt): Readable;
  close(): Promise<void>;
};

/** Without the `id` and the `call`. */
type Ask = Question extends infer Q ? (Q extends Question ? Omit<Q, 'id' | 'call'> : never) : never;
type Thread = {
  worker: Worker;
  waiting: Map<number, { resolve: (bytes: Uint8Array) => void; reject: (error: Error) => void }>;
};

/**
 * Of the thread's heap. A statement of 100,000 movements takes 70 MB; the small young generation (three semi-spaces) keeps its
 * garbage from growing the process. A thread that needs more ends, its documents break off, and the next one starts a new thread.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 256 } as const;

/** `routingNumber`: the bank's. The thread starts with the first document. */
export function openDocuments(routingNumber: string): Documents {
  let thread: Thread | undefined;
  let last = 0;

  function startThread(): Thread {
    const started: Thread = {
      worker: new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits }),
      waiting: new Map(),
    };
    const { worker, waiting } = started;
    worker.unref();
    worker.on('message', ({ call, bytes, error }: Reply) => {
      const { resolve, reject } = waiting.get(call)!;
      waiting.delete(call);
      if (error) reject(error);
      else resolve(bytes!);
    });
    const fail = (error: Error) => {
      if (thread === started) thread = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('the thread that makes documents has ended')));
    return started;
  }

  function ask({ worker, waiting }: Thread, id: number, asked: Ask): Promise<Uint8Array> {
    const call = ++last;
    return new Promise((resolve, reject) => {
      waiting.set(call, { resolve, reject });
      worker.postMessage({ ...asked, id, call });
    });
  }

  async function* write(begin: Ask, lines?: AsyncIterable<StatementLine[]>): AsyncGenerator<Uint8Array> {
    thread ??= startThread();
    const own = thread;
    const id = ++last;
    let isOpen = true;
    try {
      yield await ask(own, id, begin);
      if (lines) for await (const chunk of lines) yield await ask(own, id, { lines: chunk });
      isOpen = false;
      yield await ask(own, id, { end: true });
    } finally {
      if (isOpen) ask(own, id, { drop: true }).catch(() => {});
    }
  }

  return {
    statement({ lines, ...statement }) {
      // Only what the thread needs: a function cannot be sent to it.
      const { contentHash: _hash, contentHashOf: _hashOf, ...head } = statement;
      return Readable.from(write({ statement: { ...head, routingNumber } }, lines), { objectMode: false });
    },
    receipt: receipt => Readable.from(write({ receipt }), { objectMode: false }),
    async close() {
      await thread?.worker.terminate();
    },
  };
}
