/** Enqueues jobs as part of the caller's transaction: after a rollback, the job does not exist. */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { GuessOrder } from './alerts.ts';
import type { ExportOrder } from './exportData.ts';
import type { ResetOrder } from './factorResets.ts';
import { isSecurityMail, type MailOrder } from './mails/templates.ts';
import type { ProofOrder } from './proofs.ts';
import type { ScreeningOrder } from './screenCustomers.ts';

/** The tasks of the queue and their payloads, except those of payments, which `enqueue_payment_jobs` (SQL) enqueues. */
export type Tasks = {
  mail: MailOrder;
  'store-audit-head': Record<string, never>;
  'seal-balances': Record<string, never>;
  'prove-books': ProofOrder;
  'make-statements': Record<string, never>;
  'resume-payments': Record<string, never>;
  'clean-up': Record<string, never>;
  'reset-factors': ResetOrder;
  'finish-erasures': Record<string, never>;
  'end-requests': Record<string, never>;
  /** Enqueued by the SQL function `enqueue_export`. */
  'export-data': ExportOrder;
  'remind-scheduled': Record<string, never>;
  'alert-guesses': GuessOrder;
  'screen-customers': ScreeningOrder;
};

/**
 * The queues of long tasks, and of short periodic tasks. Tasks of one queue run one at a time, so the four queues occupy at
 * most four slots of the runner, and payments need not wait. Mails have a runner of their own. `exports` has the tasks whose
 * result a person waits for; the SQL function `enqueue_export` uses it too. `statements` is apart from `long`, because the
 * statements of a million customers take half a day, and the nightly proof and the clean-up must not wait for them.
 */
export const queueOf = {
  'store-audit-head': 'short',
  'resume-payments': 'short',
  'remind-scheduled': 'short',
  'seal-balances': 'long',
  'make-statements': 'statements',
  'clean-up': 'long',
  'finish-erasures': 'long',
  'screen-customers': 'long',
  'prove-books': 'exports',
  'export-data': 'exports',
} as const satisfies Partial<Record<keyof Tasks, string>>;

/** How many times a periodic task is tried before it is due again. */
export const periodicAttempts = 3;

/**
 * The priorities of mails with a code, and of other security mails (`isSecurityMail`). The job with the lowest number is next,
 * and the default is 0. A code is valid for five minutes, and the victim of a thief has little time to freeze the account, so
 * neither mail may wait for thousands of mails about statements or contact messages.
 */
export const mailPriorities = { code: -10, security: -5 } as const;

function priorityOf(payload: Tasks[keyof Tasks]): number | null {
  if ('encryptedCode' in payload) return mailPriorities.code;
  return 'template' in payload && isSecurityMail(payload.template) ? mailPriorities.security : null;
}

/**
 * Enqueues a task, which runs soon after the commit and is tried up to 25 times, the library's default. With a `key`, the job
 * replaces a waiting job with the same key. With `runAt`, the job waits until then.
 */
export async function enqueueJob<Task extends keyof Tasks>(
  tx: Tx,
  task: Task,
  payload: Tasks[Task],
  options: { key?: string; runAt?: Date } = {},
): Promise<void> {
  const { key = null, runAt = null } = options;
  const queue = (queueOf as Partial<Record<keyof Tasks, string>>)[task] ?? null;
  await sql`
    SELECT enqueue_job_in(${queue}, ${task}, ${JSON.stringify(payload)}::json, ${key}, ${runAt}::timestamptz,
                          ${priorityOf(payload)})`.execute(tx);
}

/** Enqueues what remains to be done after an account was closed and its person erased. */
export async function enqueueAfterClosing(tx: Tx): Promise<void> {
  for (const task of ['finish-erasures', 'end-requests'] as const)
    await enqueueJob(tx, task, {}, { key: task });
}

/** Enqueues many mails, as `enqueueJob` would one by one. */
export async function enqueueMails(tx: Tx, orders: readonly MailOrder[]): Promise<void> {
  await sql`SELECT enqueue_mails(${orders.map(order => JSON.stringify(order))}::json[])`.execute(tx);
}
