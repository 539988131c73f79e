/**
 * The tasks `submit-payment` and `decide-payment`: submit an external transfer to the payment rail, and post its outcome. Both
 * are idempotent and may be interrupted anywhere: the rail identifies a payment by its id, and the ledger ends a transfer only
 * once.
 */
import { sql } from 'kysely';
import type { Database, Reader, Tx } from '../db/database.ts';
import type { Parts } from '../parts.ts';

export type PaymentParts = {
  database: Database;
  rail: Parts['rail'];
  ledger: Pick<Parts['ledger'], 'expectExternal' | 'endExternal'>;
};

/** The payload of both tasks. */
export type PaymentOrder = { transactionId: string };

/** Submits a transfer that is still pending to the rail, stores when an outcome is expected, and schedules `decide-payment`. */
export async function submitPayment(
  { database, rail, ledger }: PaymentParts,
  { transactionId }: PaymentOrder,
): Promise<void> {
  const payment = await findPending(database.reader, transactionId);
  if (!payment) return;
  const { knownAt, expectedAt } = await rail.submit(payment);
  await database.inTransaction(async tx => {
    await ledger.expectExternal(tx, transactionId, expectedAt);
    await decideAt(tx, transactionId, knownAt);
  });
}

/** Queries the rail for the outcome of a transfer that is still pending and posts it, or schedules another query. */
export async function decidePayment(
  { database, rail, ledger }: PaymentParts,
  { transactionId }: PaymentOrder,
): Promise<void> {
  const payment = await findPending(database.reader, transactionId);
  if (!payment) return;
  const outcome = await rail.ask(payment);
  if (outcome.status === 'pending') {
    await database.inTransaction(tx => decideAt(tx, transactionId, outcome.askAgainAt));
  } else if (outcome.status === 'settled') {
    await ledger.endExternal(transactionId, { isSettled: true });
  } else {
    await ledger.endExternal(transactionId, { isSettled: false, reason: outcome.reason });
  }
}

type Payment = Parameters<PaymentParts['rail']['submit']>[0];

async function findPending(reader: Reader, transactionId: string): Promise<Payment | undefined> {
  const found = await sql<Payment>`
    SELECT t.id, t.created_at AS "sentAt", t.amount AS "amountCents", x.bank_name AS "bankName", x.account_name AS "accountName",
           x.account_number AS "accountNumber", t.reference
      FROM external_transfers x JOIN transactions t ON t.id = x.transaction_id
     WHERE x.transaction_id = ${transactionId} AND x.status = 'pending'`.execute(reader);
  return found.rows[0];
}

async function decideAt(tx: Tx, transactionId: string, at: Date): Promise<void> {
  await sql`SELECT enqueue_payment_job('decide-payment', ${transactionId}, ${at})`.execute(tx);
}
