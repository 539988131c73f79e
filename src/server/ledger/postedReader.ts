/**
 * Reads what was posted, many at a time. What it reads is committed, so a read that fails is tried again; after that
 * the answer is "not confirmed", never "no".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { TransactionBehindTheEdge } from '#contract/entities.ts';
import { Refusal } from '#contract/errors.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { batchReads } from '../base/batchReads.ts';
import { isLost, isOverloaded } from '../db/database.ts';
import { readTransactions } from './history.ts';

const patienceMs = 3000;

/** Gives a function that reads one posted transaction by id, sharing the query with others asked at the same time. */
export function openGroupReader(pool: pg.Pool): (id: string) => Promise<TransactionBehindTheEdge> {
  const readMany = async (ids: string[]): Promise<Map<string, TransactionBehindTheEdge>> => {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      try {
        return new Map((await readTransactions(pool, ids)).map(found => [found._id, found]));
      } catch (error) {
        if (!isLost(error) && !isOverloaded(error)) throw error;
        if (Date.now() > deadline) {
          throw new Refusal('BUSY', { message: transferMessages.unconfirmed, waitTime: 2 });
        }
        await sleep(100);
      }
    }
  };
  const read = batchReads(readMany);
  return async id => {
    const transaction = await read(id);
    if (!transaction) throw new Error(`Transaction ${id} was posted and cannot be read.`);
    return transaction;
  };
}
