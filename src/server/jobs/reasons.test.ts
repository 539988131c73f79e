/** What the log and the queue say about background work that the database refused temporarily. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { enqueueJob } from './queue.ts';
import { startJobs } from './worker.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off' });
});
afterAll(() => bank.close());

test('the log and the queue name the database’s reason for failed background work, not the sentence that customers read', async () => {
  const { database } = bank.test;
  const lines: { msg: string; reason?: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const reasonOf = (message: string) => lines.find(({ msg }) => msg.includes(message))?.reason;
  const lock = await database.ownerPool.connect();
  await lock.query('BEGIN; LOCK TABLE scheduled_transfers, contact_messages');
  const jobs = await startJobs({ ...bank.bank.parts, log });
  try {
    for (const task of ['remind-scheduled', 'clean-up'] as const)
      await database.inTransaction(tx => enqueueJob(tx, task, {}));
    const timeout = '55P03 canceling statement due to lock timeout';
    await vi.waitFor(
      () => expect(reasonOf('scheduled transfers could not be run')).toBe(timeout),
      waitOptions,
    );
    await vi.waitFor(() => expect(reasonOf('the rows were not cleaned up')).toBe(timeout), waitOptions);
    await vi.waitFor(async () => {
      const failed = await database.ownerPool.query<{ last_error: string }>(
        'SELECT last_error FROM graphile_worker._private_jobs WHERE attempts > 0 AND last_error IS NOT NULL',
      );
      expect(failed.rows[0]?.last_error).toBe('canceling statement due to lock timeout');
    }, waitOptions);
  } finally {
    await lock.query('ROLLBACK');
    lock.release();
    await jobs.stop();
  }
});
