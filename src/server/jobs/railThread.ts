/** The worker thread that reads one large file of the payment rail. */
import { parentPort, workerData } from 'node:worker_threads';
import { RailFileError } from '../outside/rail/rail.ts';
import { type ReadReply, type ReadWork, readRows } from './railRows.ts';

const { bytes, own } = workerData as ReadWork;
const reply: ReadReply = await readRows(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), own).then(
  rows => ({ rows }),
  (error: unknown) => {
    if (!(error instanceof RailFileError)) throw error;
    return { refused: error.message };
  },
);
parentPort!.postMessage(reply);
