/**
 * Reads posted transactions by id, in batches. Retries a read if the connection is lost or the database is overloaded. After
 * the deadline, throws `BUSY` with a message that leaves open whether money was sent, because the transaction is committed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { DecodedTransaction } from '#contract/entities.ts';
import { Refusal } from '#contract/errors.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { batchReads } from '../base/batchReads.ts';
import { isLost, isOverloaded } from '../db/database.ts';
import { readTransactions } from './history.ts';

const deadlineMs = 3000;

/** Returns a function that reads one posted transaction by id; concurrent reads share a query. */
export function openPostedReader(pool: pg.Pool): (id: string) => Promise<DecodedTransaction> {
  const readMany = async (ids: string[]): Promise<Map<string, DecodedTransaction>> => {
    const deadline = performance.now() + deadlineMs;
    for (;;) {
      try {
        return new Map((await readTransactions(pool, ids)).map(found => [found._id, found]));
      } catch (error) {
        if (!isLost(error) && !isOverloaded(error)) throw error;
        if (performance.now() > deadline) {
          throw new Refusal('BUSY', { message: transferMessages.unconfirmed, waitTime: 2, cause: error });
        }
        await sleep(100);
      }
    }
  };
  const read = batchReads(readMany);
  return async id => {
    const transaction = await read(id);
    if (!transaction) throw new Error(`Transaction ${id} was posted but cannot be read.`);
    return transaction;
  };
}
