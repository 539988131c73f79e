/**
 * The tasks `submit-payment` and `decide-payment`: submit an external transfer to the payment rail in a file, and read the file
 * with its outcome. Both are idempotent and may be interrupted anywhere: a payment is in one file, and the ledger ends a
 * transfer only once. Every hour `resume-payments` finds payments that were left behind.
 */
import { sql } from 'kysely';
import * as railMessages from '#contract/messages/rail.ts';
import { nilId } from '../base/uuid.ts';
import type { Database, Reader, Tx } from '../db/database.ts';
import type { Payment } from '../outside/rail/rail.ts';
import type { Parts } from '../parts.ts';
import { clockJumped } from './databaseClock.ts';
import { readRailFiles } from './railFolder.ts';
import { hasWaitingLines } from './railIncoming.ts';
import { addPayment, fileOfPayment } from './railOutgoing.ts';

export type PaymentParts = {
  database: Database;
  rail: Parts['rail'];
  ledger: Pick<Parts['ledger'], 'expectExternal' | 'submitExternal' | 'endExternal'>;
  log?: Parts['log'];
};

/** The payload of both tasks. */
export type PaymentOrder = { transactionId: string };

/**
 * Submits a transfer that is still pending: adds it to the next file, stores when an outcome is expected, and schedules
 * `decide-payment`. Before the cut-off, it instead schedules itself and other waiting transfers for their cut-offs. While the
 * sender's account is frozen, it schedules itself for the next cut-off. If the rail does not reach the bank, the transfer is
 * returned at once. If the account was closed while it was frozen, the money becomes unclaimed.
 */
export async function submitPayment(parts: PaymentParts, { transactionId }: PaymentOrder): Promise<void> {
  const { database, rail, ledger } = parts;
  const [pending] = await findPending(database.reader, [transactionId]);
  if (!pending) return;
  const dueAt = rail.cutOff(pending.sentAt);
  await database.inTransaction(async tx => {
    const mayEnd = rail.routeTo(pending.bankName) === undefined;
    const claimed = await ledger.submitExternal(tx, transactionId, { dueAt, mayEnd });
    if ('submittedAt' in claimed) {
      // From here on, the customer cannot cancel this payment.
      const payment = { ...pending, submittedAt: claimed.submittedAt };
      if (!(await addPayment(tx, rail, payment))) {
        // Returns the payment in this transaction: until a later one, a process with another directory of banks could add it
        // to a file, and a payment in a file must not be returned.
        const reason = railMessages.returnReason(unknownBank);
        await ledger.endExternal(tx, transactionId, { isSettled: false, reason });
        return;
      }
      await ledger.expectExternal(tx, [{ transactionId, expectedAt: rail.expectedAt(payment) }]);
      return await decideAt(tx, transactionId, rail.knownAt(payment));
    }
    if ('isEnded' in claimed) return;
    if (claimed.now < dueAt) return await awaitCutOff(parts, tx, pending, claimed.now);
    await ledger.expectExternal(tx, [
      { transactionId, expectedAt: rail.expectedAt({ ...pending, submittedAt: dueAt }) },
    ]);
    await submitAt(tx, [{ transactionId, at: laterThan(rail.cutOff(claimed.now), claimed.now) }]);
  });
}

/** How many transfers one job schedules. Running a job for each would cost three commits per transfer. */
const cutOffBatch = 256;

/**
 * Schedules a transfer for its cut-off, and up to 255 others whose jobs are due and not running: a morning's scheduled
 * transfers arrive by the thousand. Jobs whose transfers are past their cut-off are not changed.
 */
async function awaitCutOff({ rail, ledger }: PaymentParts, tx: Tx, own: Payment, now: Date): Promise<void> {
  const others = await sql<{ id: string }>`
    SELECT payload->>'transactionId' AS id FROM graphile_worker._private_jobs
     -- Payments have priority 10. With it, the index is read up to the present time, not up to the next cut-off.
     WHERE is_available AND priority = 10 AND run_at <= now()
       -- LIKE would read the whole index of keys.
       AND left(key, 15) = 'submit-payment:' AND key <> 'submit-payment:' || ${own.id}
     ORDER BY run_at, id LIMIT ${cutOffBatch - 1} FOR UPDATE SKIP LOCKED`.execute(tx);
  const found = await findPending(
    tx,
    others.rows.map(({ id }) => id),
  );
  const waiting = [own, ...found]
    .map(payment => ({ payment, at: rail.cutOff(payment.sentAt) }))
    .filter(({ at }) => now < at)
    .map(({ payment, at }) => ({
      transactionId: payment.id,
      at,
      expectedAt: rail.expectedAt({ ...payment, submittedAt: at }),
    }));
  await ledger.expectExternal(tx, waiting);
  await submitAt(tx, waiting);
}

/** The return code for a bank that the rail does not reach. */
const unknownBank = 'RC01';

/** A payment that a freeze holds is checked at most once a second, however short the simulated days are. */
const laterThan = (at: Date, now: Date) => new Date(Math.max(at.getTime(), now.getTime() + 1000));

/**
 * The pauses before the next query. The first is for the time in which lines are still being applied, the second for the time
 * in which another job applies them or another process stores the file with the answer. The third is for an answer that did not
 * end the payment, which staff must then resolve.
 */
const [applyingMs, elsewhereMs, unansweredMs] = [1_000, 30_000, 60 * 60 * 1000];

/** Asks the rail for the answer to a transfer that is still pending and reads it, or schedules another query. */
export async function decidePayment(
  parts: PaymentParts,
  { transactionId }: PaymentOrder,
  signal?: AbortSignal,
): Promise<void> {
  const { database, rail } = parts;
  const [payment] = await findPending(database.reader, [transactionId]);
  if (!payment) return;
  const file = await fileOfPayment(parts, payment);
  // Writes the file again if it is missing.
  await rail.send(file);
  const answer = await rail.ask(payment, file);
  if ('askAgainAt' in answer)
    return await database.inTransaction(tx => decideAt(tx, transactionId, answer.askAgainAt));
  const isRead = await readRailFiles(parts, answer.files, signal);
  await database.inTransaction(async tx => {
    if ((await findPending(tx, [transactionId])).length === 0) return;
    const waitMs = !isRead ? elsewhereMs : (await hasWaitingLines(tx)) ? applyingMs : unansweredMs;
    await decideAt(tx, transactionId, new Date(Date.now() + waitMs));
  });
}

/** How many pending transfers a query reads. A large bank has hundreds of thousands, and nearly all of them have their job. */
const resumeBatch = 1_000;

/** After a failure, a job waits at most six hours. A wait of more than seven was computed by a clock that was ahead. */
export const longestRetry = "interval '7 hours'";

/**
 * Enqueues a job for each pending transfer that has none with attempts left: its job may have been lost. Also makes two kinds
 * of jobs due now: those of overdue transfers, which may wait for hours after failures, and those that waited for the
 * database's clock. Must not be called while that clock is ahead. Submitting a payment again is harmless.
 */
export async function resumePayments({ database, log }: Pick<Parts, 'database' | 'log'>): Promise<void> {
  for (let after: string | null = nilId; after !== null; ) {
    const { rows }: { rows: { last: string | null; id: string | null; why: string | null }[] } =
      await database.pool.query(
        `WITH pending AS MATERIALIZED (
           SELECT transaction_id AS id, expected_by, submitted_at FROM external_transfers
            WHERE status = 'pending' AND transaction_id > $1 ORDER BY transaction_id LIMIT $2
         ), left_behind AS MATERIALIZED (
           SELECT p.id, CASE WHEN j.key IS NULL THEN 'a payment had no job' WHEN j.is_ahead THEN NULL
                             WHEN p.submitted_at IS NULL THEN 'the job of an unsent payment failed'
                             ELSE 'a payment is overdue' END AS why
             FROM pending p
             LEFT JOIN LATERAL (SELECT created_at FROM transactions
                                 WHERE p.expected_by IS NULL AND transactions.id = p.id OFFSET 0) t ON true
             LEFT JOIN LATERAL (SELECT key, locked_at, attempts, locked_at IS NULL AND attempts > 0
                                       AND (starts_with(last_error, $3) OR run_at > now() + ${longestRetry}) AS is_ahead
                                  FROM graphile_worker._private_jobs
                                 WHERE key IN ('submit-payment:' || p.id, 'decide-payment:' || p.id)
                                   AND (attempts < max_attempts OR locked_at IS NOT NULL)
                                 LIMIT 1) j ON true
            -- A payment that is not submitted yet waits for its cut-off or is frozen. Unless its job fails, the job runs at the
            -- next cut-off. Its first run stores the expected day.
            WHERE j.key IS NULL OR j.is_ahead
               OR (coalesce(p.expected_by < bank_day(now()), t.created_at < now() - interval '1 day')
                   AND (p.submitted_at IS NOT NULL OR j.attempts > 0) AND j.locked_at IS NULL)
         ), enqueued AS MATERIALIZED (
           SELECT enqueue_payment_jobs('submit-payment', ARRAY(SELECT id FROM left_behind)))
         SELECT (SELECT id FROM pending ORDER BY id DESC LIMIT 1) AS last, l.id, l.why
           FROM enqueued LEFT JOIN left_behind l ON true ORDER BY l.id`,
        [after, resumeBatch, clockJumped],
      );
    for (const { id, why } of rows) if (id !== null && why !== null) log.warn({ transaction: id }, why);
    const payments = rows.filter(({ id, why }) => id !== null && why === null).length;
    if (payments > 0) log.warn({ payments }, 'payments waited because the clock had been ahead');
    after = rows[0]!.last;
  }
}

async function findPending(reader: Reader, transactionIds: string[]): Promise<Payment[]> {
  const found = await sql<Payment>`
    SELECT t.id, t.created_at AS "sentAt", coalesce(x.submitted_at, t.created_at) AS "submittedAt", t.amount AS "amountCents", x.bank_name AS "bankName", x.account_name AS "accountName",
           x.account_number AS "accountNumber", t.reference
      FROM external_transfers x JOIN transactions t ON t.id = x.transaction_id
     WHERE x.transaction_id = ANY(${transactionIds}::uuid[]) AND x.status = 'pending'`.execute(reader);
  return found.rows;
}

async function decideAt(tx: Tx, transactionId: string, at: Date): Promise<void> {
  await sql`
    SELECT enqueue_payment_jobs('decide-payment', ARRAY[${transactionId}]::uuid[], ARRAY[${at}]::timestamptz[])`.execute(
    tx,
  );
}

/**
 * Schedules `submit-payment`. Jobs run in the order of their times, so a payment is due one microsecond later for each earlier
 * entry of its sender on the same day: thousands of payments of one sender run after the first payments of everyone else.
 */
async function submitAt(tx: Tx, jobs: { transactionId: string; at: Date }[]): Promise<void> {
  const ids = jobs.map(({ transactionId }) => transactionId);
  const times = jobs.map(({ at }) => at);
  await sql`
    WITH jobs AS MATERIALIZED (
      SELECT j.id, j.at, t.sender_account AS sender, t.sender_seq AS seq,
             bank_day(t.created_at)::timestamp AT TIME ZONE 'America/New_York' AS day
        FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS j(id, at),
             -- OFFSET 0: one index lookup per payment.
             LATERAL (SELECT * FROM transactions x WHERE x.id = j.id OFFSET 0) t
    ), days AS MATERIALIZED (
      SELECT sender, day, first_seq_since(sender, day) AS first FROM (SELECT DISTINCT sender, day FROM jobs) d
    )
    SELECT enqueue_payment_jobs('submit-payment', array_agg(j.id),
             -- An unclaimed balance has no sender.
             array_agg(j.at + coalesce(j.seq - d.first, 0) * interval '1 microsecond'))
      FROM jobs j LEFT JOIN days d USING (sender, day) HAVING count(*) > 0`.execute(tx);
}
