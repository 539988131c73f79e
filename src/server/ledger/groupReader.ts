/**
 * Reads what was just posted, many at a time: answers that become due while a read is under way are read together.
 * What it reads is committed, so a read that fails is tried again; after that the answer is "not confirmed", never "no".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { TransactionBehindTheEdge } from '#contract/entities.ts';
import { Refusal } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { isAway } from '../db/database.ts';
import { readTransactions } from './history.ts';

type Waiting = {
  id: string;
  resolve: (found: TransactionBehindTheEdge) => void;
  reject: (error: unknown) => void;
};

const tries = 20;

/** Gives a function that reads one posted transaction by id, sharing the query with others asked at the same time. */
export function openGroupReader(pool: pg.Pool): (id: string) => Promise<TransactionBehindTheEdge> {
  let waiting: Waiting[] = [];
  let isReading = false;

  const readGroup = async (group: Waiting[]): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const found = new Map(
          (await readTransactions(pool, [...new Set(group.map(w => w.id))])).map(t => [t._id, t]),
        );
        for (const { id, resolve, reject } of group) {
          const transaction = found.get(id);
          if (transaction) resolve(transaction);
          else reject(new Error(`Transaction ${id} was posted and cannot be read.`));
        }
        return;
      } catch (error) {
        if (isAway(error) && attempt < tries) {
          await sleep(100);
          continue;
        }
        const answer = isAway(error)
          ? new Refusal('BUSY', { message: messages.transfer.unconfirmed, waitTime: 2 })
          : error;
        for (const { reject } of group) reject(answer);
        return;
      }
    }
  };

  const next = (): void => {
    if (isReading || waiting.length === 0) return;
    isReading = true;
    const group = waiting;
    waiting = [];
    void readGroup(group).finally(() => {
      isReading = false;
      next();
    });
  };

  return id =>
    new Promise((resolve, reject) => {
      waiting.push({ id, resolve, reject });
      if (!isReading) setImmediate(next);
    });
}
