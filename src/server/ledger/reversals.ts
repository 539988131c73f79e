/** Reverses transactions: a reversal is a transaction of its own with the opposite entry. */
import { sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { formatCents } from '#contract/money.ts';
import { fingerprint, newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import { keyHashOf, referenceOf } from './ledger.ts';
import { type Refusals, toRefusal } from './refusals.ts';

/** `idempotencyKey`: the caller's own. `address`: the IP address of the request. */
export type ReversalOrder = {
  transactionId: string;
  adminId: string;
  reason: string;
  idempotencyKey?: string | undefined;
  address: string;
};

const balanceTooSmall = 23;

const refusals: Refusals = {
  2: { code: 'IDEMPOTENCY_MISMATCH' },
  22: { code: 'NOT_FOUND' },
  [balanceTooSmall]: { code: 'INSUFFICIENT_BALANCE', message: staffMessages.reversalBalance },
  24: { code: 'CONFLICT', message: staffMessages.cannotReverse },
  41: { code: 'CONFLICT', message: staffMessages.cannotReverse },
  42: { code: 'CONFLICT', message: staffMessages.reversedBefore },
  43: { code: 'CONFLICT', message: staffMessages.reversalClosed },
};

/** How the ledger stores the key and the content of a reversal request. */
export function reversalKey({
  adminId,
  transactionId,
  reason,
  idempotencyKey,
}: Omit<ReversalOrder, 'address'>) {
  return {
    keyHash: keyHashOf(adminId, idempotencyKey),
    requestHash: fingerprint('reversal', transactionId, reason),
  };
}

/**
 * Books the opposite of a credit or of a transfer between two customers. Returns the id of the reversal (for a repeated key,
 * of the first one), or a refusal. A refusal is stored with the caller's key: the caller must commit the database transaction
 * before it throws the refusal.
 */
export async function reverseTransaction(
  tx: Tx,
  order: ReversalOrder,
): Promise<{ id: string } | { refusal: Refusal }> {
  const { transactionId, adminId, reason, idempotencyKey, address } = order;
  const { keyHash, requestHash } = reversalKey(order);
  const id = newId();
  const description = fill(staffMessages.reversalOf, { reference: referenceOf(transactionId) });
  const reversed = await sql<{ outcome: number; id: string }>`
    SELECT outcome, id FROM reverse_transaction(${transactionId}, ${id}, ${adminId}, ${keyHash}, ${requestHash},
      ${idempotencyKey !== undefined}, ${referenceOf(id)}, ${description}, ${reason}, ${address})`.execute(
    tx,
  );
  const { outcome, id: found } = reversed.rows[0]!;
  if (outcome <= 1) return { id: found };
  const inGoals = outcome === balanceTooSmall ? await explainGoals(tx, transactionId) : undefined;
  return { refusal: inGoals ?? toRefusal(refusals, outcome) };
}

/** If the receiver has money in savings goals: the refusal that says how much, and how much of their balance is available. */
async function explainGoals(reader: Reader, transactionId: string): Promise<Refusal | undefined> {
  const found = await sql<{ available: bigint; goals: bigint }>`
    SELECT a.balance AS available, sum(g.balance)::bigint AS goals
      FROM transactions t
      JOIN ledger_accounts a ON a.id = t.receiver_account
      JOIN ledger_accounts g ON g.owner = a.id AND g.balance > 0
     WHERE t.id = ${transactionId} GROUP BY a.id`.execute(reader);
  const [held] = found.rows;
  if (!held) return undefined;
  const figures = { available: formatCents(held.available), goals: formatCents(held.goals) };
  return new Refusal('INSUFFICIENT_BALANCE', { message: fill(staffMessages.reversalInGoals, figures) });
}

/** Whether the ledger has posted or refused a request with this key. */
export async function isKeyKnown(reader: Reader, keyHash: string): Promise<boolean> {
  const found = await sql`
    SELECT FROM transactions WHERE key_hash = ${keyHash}
    UNION ALL SELECT FROM refused_requests WHERE key_hash = ${keyHash}`.execute(reader);
  return found.rows.length > 0;
}

/**
 * A transaction's amount and receiver. Refuses `NOT_FOUND` if it does not exist, and `CONFLICT` if its kind cannot be reversed
 * or if it was reversed already.
 */
export async function readReversible(
  reader: Reader,
  transactionId: string,
): Promise<{ amountCents: bigint; customerId: string | null }> {
  const found = await sql<{
    amountCents: bigint;
    customerId: string | null;
    canBeReversed: boolean;
    isReversed: boolean;
  }>`
    SELECT t.amount AS "amountCents", c.id AS "customerId",
           t.type IN ('transfer', 'admin-credit') AND t.receiver_account IS NOT NULL AS "canBeReversed",
           EXISTS (SELECT FROM reversals r WHERE r.original_id = t.id) AS "isReversed"
      FROM transactions t LEFT JOIN customers c ON c.account_id = t.receiver_account
     WHERE t.id = ${transactionId}`.execute(reader);
  const [transaction] = found.rows;
  if (!transaction) throw toRefusal(refusals, 22);
  if (!transaction.canBeReversed) throw toRefusal(refusals, 41);
  if (transaction.isReversed) throw toRefusal(refusals, 42);
  return transaction;
}
