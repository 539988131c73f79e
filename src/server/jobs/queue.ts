/** Asking for what happens later. A job is part of the caller's transaction: rolled back, it never was. */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { MailOrder } from './mails/templates.ts';

/** The tasks of the queue and what each is told. */
export type Tasks = {
  mail: MailOrder;
  'note-audit-head': Record<string, never>;
  'clean-up': Record<string, never>;
};

/**
 * Has a task done soon after the commit, and again until it succeeds. With a `key` a job that still waits is replaced
 * instead of joined by a second one.
 */
export async function enqueueJob<Task extends keyof Tasks>(
  tx: Tx,
  task: Task,
  payload: Tasks[Task],
  options: { key?: string } = {},
): Promise<void> {
  await sql`SELECT enqueue_job(${task}, ${JSON.stringify(payload)}::json, ${options.key ?? null})`.execute(
    tx,
  );
}
