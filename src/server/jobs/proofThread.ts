/**
 * The worker thread of a proof. It has a connection of its own. After each batch it waits until the main thread answers, so the
 * proof slows down while the server is busy.
 */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../db/database.ts';
import { verifyBooks } from '../ledger/verify.ts';
import type { ProofMessage, ProofWork } from './proofs.ts';
import { compareFile } from './railCompare.ts';

const { connection, sealKey, noted } = workerData as ProofWork;
const port = parentPort!;
const send = (message: ProofMessage) => port.postMessage(message);

// Connects with the server's login; `verifyBooks` lifts its time limits.
const { owner, ownerPool } = openDatabase(connection);
const { checked, faults, balances, onTheWay } = await verifyBooks(owner, {
  sealKey,
  noted,
  compareFile,
  async onProgress({ records, transactions }) {
    const answered = once(port, 'message');
    send({ progress: { records, transactions } });
    await answered;
  },
});
await ownerPool.end();
send({ proven: { checked, faults, balances, onTheWay } });
port.close();
