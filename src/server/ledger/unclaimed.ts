/**
 * The unclaimed balances: every movement of money into the account `unclaimed` is one balance, which is paid out once and in
 * full, to another bank or to a customer.
 */
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { Refusal } from '#contract/errors.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { fill } from '#contract/messages/fill.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import * as unclaimedMessages from '#contract/messages/unclaimed.ts';
import type { UnclaimedBalance } from '#contract/unclaimed.ts';
import { containing } from '../base/like.ts';
import { type Page, pageOf, rowsBefore } from '../base/paging.ts';
import { fingerprint, newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import { type ExternalTransfer, keyHashOf, referenceOf } from './ledger.ts';
import { type Refusals, toRefusal } from './refusals.ts';

/** Who receives a balance: an account at another bank, or the number of a customer's account. */
export type Payee = { bank: ExternalTransfer['bank'] } | { accountNumber: string };

/** `sourceId`: the transaction that brought the balance. `idempotencyKey`: the caller's own. `address`: the IP address. */
export type PayoutOrder = {
  sourceId: string;
  payee: Payee;
  adminId: string;
  reason: string;
  idempotencyKey?: string | undefined;
  address: string;
};

const refusals: Refusals = {
  2: { code: 'IDEMPOTENCY_MISMATCH' },
  12: { code: 'ACCOUNT_PENDING', message: adminMessages.creditPending },
  22: { code: 'NOT_FOUND', message: unclaimedMessages.noSuchBalance },
  24: { code: 'CONFLICT', message: transferMessages.invalidAmount },
  44: { code: 'CONFLICT', message: unclaimedMessages.paidBefore },
  45: { code: 'NOT_FOUND', message: transferMessages.accountNotFound },
};

/** How the ledger stores the key and the content of a payout. */
export function payoutKey({
  sourceId,
  payee,
  adminId,
  reason,
  idempotencyKey,
}: Omit<PayoutOrder, 'address'>) {
  return {
    keyHash: keyHashOf(adminId, idempotencyKey),
    requestHash: fingerprint('payout', sourceId, JSON.stringify(payee), reason),
  };
}

/**
 * Pays out an unclaimed balance. Returns the id of the payout (for a repeated key, of the first one), or a refusal. A refusal
 * is stored with the caller's key: the caller must commit the database transaction before it throws the refusal.
 */
export async function payUnclaimed(
  tx: Tx,
  order: PayoutOrder,
): Promise<{ id: string } | { refusal: Refusal }> {
  const { sourceId, payee, adminId, reason, idempotencyKey, address } = order;
  const { keyHash, requestHash } = payoutKey(order);
  const id = newId();
  const description = fill(unclaimedMessages.payoutOf, { reference: referenceOf(sourceId) });
  const [receiver, bank] = 'bank' in payee ? [null, payee.bank] : [payee.accountNumber, undefined];
  const paid = await sql<{ outcome: number; id: string }>`
    SELECT outcome, id FROM pay_unclaimed(${sourceId}, ${id}, ${adminId}, ${keyHash}, ${requestHash},
      ${idempotencyKey !== undefined}, ${referenceOf(id)}, ${description}, ${reason}, ${address}, ${receiver},
      ${bank?.bankName ?? null}, ${bank?.accountName ?? null}, ${bank?.accountNumber ?? null})`.execute(tx);
  const { outcome, id: found } = paid.rows[0]!;
  return outcome <= 1 ? { id: found } : { refusal: toRefusal(refusals, outcome) };
}

/** The amount of an unclaimed balance. Refuses `NOT_FOUND` if there is no such balance, and `CONFLICT` if it was paid out. */
export async function readUnpaid(reader: Reader, sourceId: string): Promise<bigint> {
  const found = await sql<{ amount: bigint; isPaid: boolean }>`
    SELECT e.amount, EXISTS (SELECT FROM unclaimed_payouts u WHERE u.source_id = e.transaction_id) AS "isPaid"
      FROM journal_entries e WHERE e.transaction_id = ${sourceId} AND e.credit_account = 3`.execute(reader);
  const [balance] = found.rows;
  if (!balance) throw toRefusal(refusals, 22);
  if (balance.isPaid) throw toRefusal(refusals, 44);
  return balance.amount;
}

/** Locks the unclaimed balances until the transaction ends, as a payout does, and then refuses what `readUnpaid` refuses. */
export async function lockUnpaid(tx: Tx, sourceId: string): Promise<void> {
  await sql`SELECT FROM ledger_accounts WHERE id = unclaimed_id() FOR NO KEY UPDATE`.execute(tx);
  await readUnpaid(tx, sourceId);
}

type Row = {
  id: string;
  reference: string;
  amount: bigint;
  at: Date;
  origin: 'closing' | 'return' | 'reversal';
  account_number: string | null;
  customer: string | null;
  request_id: string | null;
  paid_id: string | null;
  paid_at: Date | null;
  paid_by: string | null;
  paid_status: 'completed' | 'pending' | 'failed' | null;
  bank_name: string | null;
  account_name: string | null;
  payee_number: string | null;
  receiver_number: string | null;
  reversed_by: string | null;
};

/** A page of the unpaid balances, oldest first, or of the paid ones, newest first; and the total of all unpaid balances. */
export async function listUnclaimed(
  reader: Reader,
  { list, search, ...page }: Page & { list: 'waiting' | 'paid'; search?: string | undefined },
) {
  const digits = search?.replace(/[\s-]/g, '');
  const isFound = search
    ? sql`(b.account_number LIKE ${containing(digits!)} OR b.reference ILIKE ${containing(search)})`
    : sql`true`;
  const isWanted = sql`(b.paid_id IS ${list === 'paid' ? sql`NOT NULL` : sql`NULL`}) AND ${isFound}`;
  const balances = sql`(
    SELECT t.id, t.reference, e.amount, e.posted_at AS at, a.number AS account_number, c.id AS customer,
           CASE e.kind WHEN 'sweep' THEN 'closing' WHEN 'return' THEN 'return' ELSE 'reversal' END AS origin,
           p.transaction_id AS paid_id
      FROM journal_entries e
      JOIN transactions t ON t.id = e.transaction_id
      LEFT JOIN reversals r ON r.transaction_id = t.id
      -- Money that was paid out and came back still belongs to the account that it came from first.
      LEFT JOIN unclaimed_payouts o ON o.transaction_id = coalesce(r.original_id, t.id)
      LEFT JOIN ledger_accounts a ON a.id = coalesce(o.account_id, t.sender_account)
      LEFT JOIN customers c ON c.account_id = a.id
      LEFT JOIN unclaimed_payouts p ON p.source_id = t.id
     WHERE e.credit_account = 3)`;
  const counted = await sql<{ total: number; cents: bigint }>`
    SELECT count(*)::integer AS total,
           (SELECT balance FROM ledger_accounts WHERE id = unclaimed_id()) AS cents
      FROM ${balances} b WHERE ${isWanted}`.execute(reader);
  const order = list === 'paid' ? sql`q.created_at DESC, b.id DESC` : sql`b.at, b.id`;
  const found = await sql<Row>`
    SELECT b.*, q.created_at AS paid_at, m.name AS paid_by,
           CASE WHEN q.type = 'external-transfer' THEN x.status WHEN q.id IS NOT NULL THEN 'completed' END AS paid_status,
           x.bank_name, x.account_name, x.account_number AS payee_number, v.number AS receiver_number,
           z.transaction_id AS reversed_by, w.id AS request_id
      FROM ${balances} b
      LEFT JOIN transactions q ON q.id = b.paid_id
      LEFT JOIN admins m ON m.id = q.actor
      LEFT JOIN external_transfers x ON x.transaction_id = q.id
      LEFT JOIN ledger_accounts v ON v.id = q.receiver_account
      LEFT JOIN reversals z ON z.original_id = q.id
      LEFT JOIN approval_requests w ON w.kind = 'unclaimed' AND w.transaction_id = b.id AND w.status = 'pending'
                                   AND w.expires_at > now()
     WHERE ${isWanted} ORDER BY ${order} LIMIT ${page.limit} OFFSET ${rowsBefore(page)}`.execute(reader);
  const { total, cents } = counted.rows[0]!;
  return {
    balances: found.rows.map(toBalance),
    ...pageOf(page, total),
    totalBalances: total,
    unclaimed: cents,
  };
}

function toBalance(row: Row): z.output<typeof UnclaimedBalance> {
  const { id, reference, amount, at, origin, account_number, customer, request_id, paid_id, bank_name } = row;
  return {
    _id: id,
    reference,
    amount,
    at,
    origin,
    ...(account_number !== null && { accountNumber: account_number }),
    ...(customer !== null && { customerId: customer }),
    ...(request_id !== null && { requestId: request_id }),
    ...(paid_id !== null && {
      paid: {
        transactionId: paid_id,
        at: row.paid_at!,
        by: row.paid_by ?? '',
        status: row.paid_status!,
        ...(bank_name !== null && {
          bank: { bankName: bank_name, accountName: row.account_name!, accountNumber: row.payee_number! },
        }),
        ...(row.receiver_number !== null && { accountNumber: row.receiver_number }),
        ...(row.reversed_by !== null && { reversedBy: row.reversed_by }),
      },
    }),
  };
}
