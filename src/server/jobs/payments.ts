/**
 * The tasks `submit-payment` and `decide-payment`: an external transfer is brought to the payment rail, and what the
 * rail says became of it is posted. Either may run twice, be cut short anywhere or find the work done: the rail knows a
 * payment by its id, and the books end a transfer once.
 */
import { sql } from 'kysely';
import type { Database, Reader, Tx } from '../db/database.ts';
import type { Parts } from '../parts.ts';

export type PaymentParts = {
  database: Database;
  rail: Parts['rail'];
  ledger: Pick<Parts['ledger'], 'expectExternal' | 'endExternal'>;
};

/** What both tasks are told. */
export type PaymentOrder = { transactionId: string };

/** Tells the rail of a transfer that is still pending, notes when an answer is expected and asks for `decide-payment` then. */
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

/** Asks the rail what became of a transfer that is still pending, and posts it, or asks again when the rail says so. */
export async function decidePayment(
  { database, rail, ledger }: PaymentParts,
  { transactionId }: PaymentOrder,
): Promise<void> {
  const payment = await findPending(database.reader, transactionId);
  if (!payment) return;
  const fate = await rail.ask(payment);
  if (fate.status === 'pending') {
    await database.inTransaction(tx => decideAt(tx, transactionId, fate.askAgainAt));
  } else if (fate.status === 'settled') {
    await ledger.endExternal(transactionId, { isSettled: true });
  } else {
    await ledger.endExternal(transactionId, { isSettled: false, reason: fate.reason });
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
