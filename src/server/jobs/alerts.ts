/**
 * Raises alerts by the rules of `alertRules.ts`. Payments are checked after they are committed and sealed: this module reads
 * the audit chain, which has the records of each account in the order of their commits. The transaction that raises the alerts
 * also stores how far the chain was read. So each payment is checked once, even if a process dies, and posting does no extra
 * work.
 */

import { sql } from 'kysely';
import { alertRules, newReceiver } from '#contract/alertRules.ts';
import type { Key } from '../base/keys.ts';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import { recordAudit, recordAuditAll } from '../db/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { notifyAll } from '../db/notifications.ts';
import { insertAlerts, type NewAlert, recordGuess, upsertGuessAlert } from '../people/alerts.ts';
import { enqueueJob, enqueueMails } from './queue.ts';

/** The payload of the task `alert-guesses`. */
export type GuessOrder = { network: string };

const mails = {
  // This rule has no alert mail: the login itself is always mailed.
  'new-login': undefined,
  'large-first-payment': 'alert-large-first-payment',
  'many-payments': 'alert-many-payments',
} as const;

/**
 * Raises those alerts whose rule has not alerted about their customer today. Each gets an entry in the staff's alert queue, a
 * notification, an audit record and, unless `mails` has none for its rule, a mail.
 */
export async function raiseAlerts(tx: Tx, alerts: readonly NewAlert[]): Promise<void> {
  const raised = await insertAlerts(tx, alerts);
  if (raised.length === 0) return;
  await notifyAll(
    tx,
    raised.map(alert => ({ ...alert, kind: `alert-${alert.rule}` as const })),
  );
  await enqueueMails(
    tx,
    raised.flatMap(({ rule, customerId }) => {
      const template = mails[rule];
      return template ? { template, personId: customerId } : [];
    }),
  );
  await recordAuditAll(
    tx,
    raised.map(({ id, rule, customerId }) => ({
      actor: { kind: 'system' },
      action: 'alert.raised',
      subject: customerId,
      data: { alert: id, rule },
    })),
  );
}

/**
 * Counts a wrong password at a login. If one network tried wrong passwords on many logins, a job raises the alert, so that the
 * request does not wait.
 */
export async function countGuess(
  tx: Tx,
  codeKey: Key,
  guess: Parameters<typeof recordGuess>[2],
): Promise<void> {
  const network = await recordGuess(tx, codeKey, guess);
  if (network !== undefined)
    await enqueueJob(tx, 'alert-guesses', { network }, { key: `alert-guesses:${network}` });
}

/** The task `alert-guesses`: alerts staff, and the customers of the tried logins, about a network that tried many logins. */
export async function alertOfGuesses(
  { database }: { database: Database },
  { network }: GuessOrder,
): Promise<void> {
  const rule = 'guessed-logins';
  await database.inTransaction(async tx => {
    const { id, isNew, customers } = await upsertGuessAlert(tx, network);
    const actor = { kind: 'system' } as const;
    if (isNew) await recordAudit(tx, { actor, action: 'alert.raised', data: { alert: id, rule } });
    await notifyAll(
      tx,
      customers.map(({ accountId }) => ({ accountId, kind: `alert-${rule}` })),
    );
    await enqueueMails(
      tx,
      customers.map(({ customerId }) => ({ template: `alert-${rule}`, personId: customerId })),
    );
  });
}

/**
 * The limits of a batch, which is one transaction. It has at most `sealsPerBatch` seals, and no seal is added after
 * `paymentsPerBatch` payments. One seal can report hundreds of payments, and to check one of them may require a search of its
 * customer's newest thousand payments. A batch that exceeded the statement timeout would be retried forever, and no payment
 * after it would be checked.
 */
const [sealsPerBatch, paymentsPerBatch] = [50, 200];
/** A busy process waits at most this long before it checks the next batch. */
const maxPauseMs = 100;
/** Older payments raise no alert: they are demo history, or the bank was down for a long time. */
const maxAgeHours = 24;
/** The run of a scheduled payment is recorded soon after the payment is committed. The check waits for it at most this long. */
const maxRecordingSeconds = 60;
/** The rule `many-payments` counts at most this many of a customer's newest payments. */
const maxCounted = 50;

/**
 * Checks the payments of the next seals. Returns false if there are none, if another process is checking them, or if the run of
 * one of them is not recorded yet: until then, the check cannot read when the payment was scheduled.
 */
export async function checkPayments(
  { database }: { database: Database },
  signal?: AbortSignal,
): Promise<boolean> {
  await waitUntilIdle(signal, maxPauseMs);
  return await database.inTransaction(async tx => {
    const progress = await sql<{ position: bigint }>`
      SELECT position FROM alert_progress FOR UPDATE SKIP LOCKED`.execute(tx);
    const from = progress.rows[0]?.position;
    if (from === undefined) return false;
    const next = await sql<{ last: bigint | null }>`
      SELECT max(position) AS last FROM (
        SELECT position, sum(payments) OVER (ORDER BY position) - payments AS earlier FROM (
          SELECT s.position,
                 CASE WHEN a.action = 'transactions.posted' THEN jsonb_array_length(a.data->'posted') ELSE 0 END AS payments
            FROM (SELECT position, audit_id FROM audit_seals WHERE position > ${from} ORDER BY position LIMIT ${sealsPerBatch}) s
            LEFT JOIN LATERAL (SELECT action, data FROM audit_log WHERE id = s.audit_id OFFSET 0) a ON true) counted) s
       WHERE earlier < ${paymentsPerBatch}`.execute(tx);
    const { last } = next.rows[0]!;
    if (last === null || (await lacksRun(tx, from, last))) return false;
    await raiseAlerts(tx, [
      ...(await findLargePayments(tx, from, last)),
      ...(await findBusyPayers(tx, from, last)),
    ]);
    await sql`UPDATE alert_progress SET position = ${last}`.execute(tx);
    return true;
  });
}

/**
 * SQL: the payments in the seals after `from`, up to `last`. Each text of `posted` has these words: transaction, actor,
 * debited account, credited account, cents, address. The address of a scheduled payment is empty.
 */
const postedLines = (from: bigint, last: bigint) => sql`
  SELECT a.at, (fields.line)[1]::uuid AS id, (fields.line)[3]::bigint AS account_id, (fields.line)[5]::bigint AS cents,
         coalesce((fields.line)[6], '') <> '' AS is_by_hand
    FROM audit_seals s
    JOIN audit_log a ON a.id = s.audit_id AND a.action = 'transactions.posted'
         AND a.at > now() - make_interval(hours => ${maxAgeHours})
   CROSS JOIN LATERAL jsonb_array_elements_text(a.data->'posted') AS posted(text)
   CROSS JOIN LATERAL (SELECT string_to_array(posted.text, ' ') AS line) AS fields
   WHERE s.position > ${from} AND s.position <= ${last}`;

async function lacksRun(tx: Tx, from: bigint, last: bigint): Promise<boolean> {
  const found = await sql`
    SELECT FROM (${postedLines(from, last)}) p
     WHERE NOT is_by_hand AND at > now() - make_interval(secs => ${maxRecordingSeconds}) AND at <= now()
       -- Only a scheduled payment has the same value in both (\`runScheduled\` of the ledger).
       AND EXISTS (SELECT FROM transactions WHERE id = p.id AND request_hash = key_hash OFFSET 0)
       AND NOT EXISTS (SELECT FROM scheduled_runs WHERE transaction_id = p.id OFFSET 0)
     LIMIT 1`.execute(tx);
  return found.rows.length > 0;
}

/**
 * SQL: joins `x`, the other bank of payment `t`. LIMIT 1, here and below, forces one index lookup per row, whatever the planner
 * estimates.
 */
const otherBank = sql`
  LEFT JOIN LATERAL (
    SELECT bank_name, account_number FROM external_transfers
     WHERE transaction_id = t.id AND t.type = 'external-transfer' LIMIT 1) x ON true`;

/** SQL: identifies the receiver of payment `t`. */
const receiver = sql`coalesce(x.bank_name || ' ' || x.account_number, t.receiver_account::text)`;

/**
 * SQL condition: the rule alerted about customer `c` today. Such customers are not checked again, so a flood of payments costs
 * little. OFFSET 0 forces one index lookup instead of a comparison with every alert of the day.
 */
const isAlerted = (rule: NewAlert['rule']) => sql`
  EXISTS (SELECT FROM alerts a WHERE a.rule = ${rule} AND a.day = (SELECT bank_day(now()))
             AND coalesce(a.customer_id::text, a.network) = c.id::text OFFSET 0)`;

async function findLargePayments(tx: Tx, from: bigint, last: bigint): Promise<NewAlert[]> {
  const rule = 'large-first-payment';
  const { fromDollars, fromPercent } = alertRules[rule];
  const found = await sql<Omit<NewAlert, 'rule'>>`
    WITH large AS MATERIALIZED (
      SELECT t.*, e.debit_balance + t.amount AS balance, c.id AS customer_id, ${receiver} AS receiver
        FROM (${postedLines(from, last)}) p
       CROSS JOIN LATERAL (SELECT * FROM transactions WHERE id = p.id LIMIT 1) t
       CROSS JOIN LATERAL (SELECT debit_balance FROM journal_entries WHERE transaction_id = t.id AND step = 1 LIMIT 1) e
       CROSS JOIN LATERAL (
         SELECT id FROM customers WHERE account_id = t.sender_account AND deleted_at IS NULL LIMIT 1) c
        ${otherBank}
       WHERE t.type IN ('transfer', 'external-transfer') AND p.cents >= ${fromDollars * 100}
         AND t.amount * 100 >= (e.debit_balance + t.amount) * ${fromPercent} AND NOT ${isAlerted(rule)}
    )
    SELECT customer_id AS "customerId", id AS "transactionId", amount, balance
      FROM large
     WHERE NOT EXISTS (
       SELECT FROM (SELECT * FROM transactions b
                     WHERE b.sender_account = large.sender_account AND b.sender_seq < large.sender_seq
                     ORDER BY b.sender_seq DESC LIMIT ${newReceiver.payments}) t
         ${otherBank}
        WHERE ${receiver} = large.receiver
          AND t.created_at <= large.created_at - make_interval(hours => ${newReceiver.hours}))
     ORDER BY id`.execute(tx);
  return found.rows.map(row => ({ ...row, rule }));
}

async function findBusyPayers(tx: Tx, from: bigint, last: bigint): Promise<NewAlert[]> {
  const rule = alertRules['many-payments'];
  const fewest = Math.min(rule.payments + 1, rule.receivers);
  const longest = Math.max(rule.minutes, rule.receiverMinutes);
  const scheduledSpan = sql`make_interval(hours => ${rule.scheduledHours})`;
  const found = await sql<Omit<NewAlert, 'rule'>>`
    WITH paid AS MATERIALIZED (
      SELECT p.account_id, max(p.at) AS at, bool_or(p.is_by_hand) AS is_by_hand
        FROM (${postedLines(from, last)}) p GROUP BY 1
    ), active AS MATERIALIZED (
      SELECT account_id, at FROM paid
       WHERE is_by_hand
          -- One lookup for each payer. Reading the runs would take one for each payment.
          OR (SELECT created_at FROM scheduled_transfers s WHERE s.account_id = paid.account_id
               ORDER BY created_at DESC LIMIT 1) > paid.at - ${scheduledSpan}
    ), payers AS MATERIALIZED (
      SELECT active.*, c.id AS customer_id FROM active
       CROSS JOIN LATERAL (
         SELECT id FROM customers WHERE account_id = active.account_id AND deleted_at IS NULL LIMIT 1) c
       WHERE NOT ${isAlerted('many-payments')}
    )
    SELECT customer_id AS "customerId", counted.payments, counted.receivers
      FROM payers
     CROSS JOIN LATERAL (
       WITH recent AS MATERIALIZED (
         SELECT t.sender_seq, t.created_at, ${receiver} AS receiver
           FROM (SELECT * FROM transactions b WHERE b.sender_account = payers.account_id
                  ORDER BY b.sender_seq DESC LIMIT ${maxCounted}) t
           ${otherBank}
          WHERE t.type IN ('transfer', 'external-transfer') AND t.created_at <= payers.at
            AND t.created_at > payers.at - make_interval(mins => ${longest})
            AND NOT EXISTS (
                  SELECT FROM scheduled_runs r
                   WHERE r.transaction_id = t.id
                     AND (SELECT created_at FROM scheduled_transfers WHERE id = r.schedule_id LIMIT 1)
                         <= t.created_at - ${scheduledSpan} OFFSET 0)
       ), before AS (
         SELECT ${receiver} AS receiver
           FROM (SELECT * FROM transactions b WHERE b.sender_account = payers.account_id
                    AND b.sender_seq < (SELECT min(sender_seq) FROM recent)
                  ORDER BY b.sender_seq DESC LIMIT ${newReceiver.payments}) t
           ${otherBank}
          -- Searched only if the rule can apply.
          WHERE (SELECT count(DISTINCT receiver) FROM recent) >= ${rule.receivers}
            AND t.created_at <= payers.at - make_interval(hours => ${newReceiver.hours})
       )
       SELECT (SELECT count(*)::int FROM recent
                WHERE created_at > payers.at - make_interval(mins => ${rule.minutes})) AS payments,
              (SELECT count(DISTINCT receiver)::int FROM recent
                WHERE created_at > payers.at - make_interval(mins => ${rule.receiverMinutes})
                  AND (SELECT count(DISTINCT receiver) FROM recent) >= ${rule.receivers}
                  AND NOT EXISTS (SELECT FROM before WHERE before.receiver = recent.receiver)) AS receivers
       OFFSET 0
     ) counted
     WHERE (counted.payments > ${rule.payments} OR counted.receivers >= ${rule.receivers})
       -- Most payers send too few payments for the rule: one index lookup shows that, and nothing is counted.
       AND (SELECT created_at FROM transactions b WHERE b.sender_account = payers.account_id
             ORDER BY b.sender_seq DESC OFFSET ${fewest - 1} LIMIT 1)
           > payers.at - make_interval(mins => ${longest})
     ORDER BY account_id`.execute(tx);
  return found.rows.map(row => ({ ...row, rule: 'many-payments' }));
}
