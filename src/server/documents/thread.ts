/** The worker thread that makes documents. Documents are interleaved, one chunk of movements at a time. */
import { setImmediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import type { StatementLine } from '../ledger/statements.ts';
import type { Question, Reply } from './documents.ts';
import { openReceipt } from './receipt.ts';
import { openStatement } from './statement.ts';

type Open = {
  document: {
    add?(lines: readonly StatementLine[]): void;
    addPending?(lines: readonly StatementLine[]): void;
    end(): Promise<void>;
  };
  pieces: Uint8Array[];
};
const open = new Map<number, Open>();

async function answer(question: Question): Promise<Uint8Array<ArrayBuffer>> {
  const { id } = question;
  if ('statement' in question || 'receipt' in question) {
    const pieces: Uint8Array[] = [];
    const onBytes = (bytes: Uint8Array) => pieces.push(bytes);
    const document =
      'statement' in question
        ? openStatement(question.statement, onBytes)
        : openReceipt(question.receipt, onBytes);
    open.set(id, { document, pieces });
  }
  const { document, pieces } = open.get(id)!;
  if ('lines' in question) document.add?.(question.lines);
  if ('pending' in question) document.addPending?.(question.pending);
  if ('drop' in question || 'end' in question) open.delete(id);
  if ('end' in question) await document.end();
  // pdfkit emits its bytes in the next iteration of the event loop.
  else await setImmediate();
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces.splice(0)) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

parentPort!.on('message', (question: Question) => {
  const { call } = question;
  answer(question).then(
    bytes => parentPort!.postMessage({ call, bytes } satisfies Reply, [bytes.buffer]),
    (error: Error) => {
      open.delete(question.id);
      parentPort!.postMessage({ call, error } satisfies Reply);
    },
  );
});
