/** Asking for what happens later. A job is part of the caller's transaction: rolled back, it never was. */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { AccountMail } from './mails/accountMails.ts';

/**
 * A mail to send, to a person who is addressed and named when it is sent, so that nobody erased is written to. Codes,
 * and the address of the last mail of all, travel sealed: the queue is a table like any other.
 */
export type MailOrder =
  | { template: 'login-code' | 'reset-code'; personId: string; sealedCode: string }
  | { template: Exclude<AccountMail, 'account-closed'>; personId: string }
  // The one mail to somebody who is erased already.
  | { template: 'account-closed'; sealedAddressee: string }
  | { template: 'new-login'; personId: string; device: string; address: string; at: string }
  // What was written is read when it is sent, so that nothing of somebody erased waits here.
  | { template: 'help-desk'; messageId: string };

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
