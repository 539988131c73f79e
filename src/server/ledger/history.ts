/**
 * Reads single transactions and monthly sums. Customers' names are joined when read, never stored with the transaction, so
 * erasing a person also removes the name here.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { bank } from '#contract/constants.ts';
import type { DecodedTransaction } from '#contract/entities.ts';
import { Refusal } from '#contract/errors.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import type { Reader } from '../db/database.ts';
import { maxDisorder } from './filter.ts';
import {
  scheduledBy,
  selectTransactions,
  type TransactionRow,
  toTransaction,
  transactionColumns,
  transactionJoins,
} from './transactionRows.ts';

/** A prepared statement, because it runs whenever requests repeat idempotency keys. */
const byId = {
  name: 'transactions by id',
  text: `${transactionColumns} FROM transactions t ${transactionJoins} WHERE t.id = ANY ($1::uuid[])`,
};

/** The transactions with these ids, in no particular order; unknown ids are left out. */
export async function readTransactions(pool: pg.Pool, ids: string[]): Promise<DecodedTransaction[]> {
  const found = await pool.query<TransactionRow>({ ...byId, values: [ids] });
  return found.rows.map(toTransaction);
}

/** The amount of any transaction. Refuses `NOT_FOUND` if no transaction has this id. */
export async function readAmount(reader: Reader, id: string): Promise<bigint> {
  const transaction = await readTransaction(reader, undefined, id);
  if (!transaction) throw new Refusal('NOT_FOUND');
  return transaction.amount;
}

type StoryRow = TransactionRow & {
  balance_after: bigint | null;
  ended: 'settle' | 'return' | null;
  ended_at: Date | null;
  sender_number: string | null;
  receiver_number: string | null;
  bank_account: 'treasury' | 'unclaimed' | null;
  to_unclaimed: boolean | null;
  /** A pending payment that is not at the rail yet. */
  is_waiting: boolean;
  reversed_at: Date | null;
  /** The request to reverse the transaction, if one waits for a second person. */
  request_id: string | null;
};

/**
 * One transaction with its timeline and the account numbers of its customers; undefined if it does not exist or `accountId` is
 * not a party to it. Without `accountId`, returns any transaction, without a balance.
 */
export async function readTransaction(reader: Reader, accountId: bigint | undefined, id: string) {
  const isOwn =
    accountId === undefined ? sql`true` : sql`${accountId}::bigint IN (sender_account, receiver_account)`;
  const one = sql`(SELECT * FROM transactions WHERE id = ${id} AND ${isOwn})`;
  const found = await sql<StoryRow>`
    SELECT d.*, CASE ${accountId ?? null}::bigint WHEN p.debit_account THEN p.debit_balance
                WHEN p.credit_account THEN p.credit_balance END AS balance_after,
           e.kind AS ended, e.posted_at AS ended_at, s.number AS sender_number, r.number AS receiver_number,
           CASE WHEN unclaimed_id() IN (s.id, r.id) THEN 'unclaimed' WHEN treasury_id() IN (s.id, r.id) THEN 'treasury' END AS bank_account,
           e.kind = 'return' AND e.credit_account = unclaimed_id() AS to_unclaimed,
           x.transaction_id IS NOT NULL AS is_waiting,
           (SELECT v.created_at FROM transactions v WHERE v.id = d.reversed_by) AS reversed_at,
           w.id AS request_id
      FROM (${selectTransactions(one)}) d
      JOIN journal_entries p ON p.transaction_id = d.id AND p.step = 1
      -- The bank's own accounts have no number.
      JOIN ledger_accounts s ON s.id = p.debit_account
      JOIN ledger_accounts r ON r.id = p.credit_account
      LEFT JOIN external_transfers x ON x.transaction_id = d.id AND x.status = 'pending' AND x.submitted_at IS NULL
      LEFT JOIN journal_entries e ON e.transaction_id = d.id AND e.step = 2 AND e.kind <> 'receive'
      LEFT JOIN approval_requests w ON w.kind = 'reversal' AND w.transaction_id = d.id AND w.status = 'pending'
                                   AND w.expires_at > now() AND ${accountId === undefined}`.execute(reader);
  const row = found.rows[0];
  if (!row) return undefined;
  const { created_at, balance_after, ended, ended_at, expected_by } = row;
  const timeline: { step: 'posted' | 'settled' | 'returned'; at: Date }[] = [
    { step: 'posted', at: created_at },
  ];
  if (ended && ended_at) timeline.push({ step: ended === 'settle' ? 'settled' : 'returned', at: ended_at });
  return {
    ...toTransaction(row),
    ...scheduledBy(row, accountId),
    ...(balance_after !== null && { balanceAfter: balance_after }),
    ...(row.sender_number !== null && { senderAccountNumber: row.sender_number }),
    ...(row.receiver_number !== null && { receiverAccountNumber: row.receiver_number }),
    timeline,
    isWaiting: row.is_waiting,
    ...(row.reversed_at !== null && { reversedAt: row.reversed_at }),
    ...(accountId === undefined && row.bank_account && { bankAccount: row.bank_account }),
    ...(accountId === undefined && row.to_unclaimed && { returnedToUnclaimed: true }),
    ...(row.request_id !== null && { reversalRequestId: row.request_id }),
    ...(row.status === 'pending' && expected_by !== null && { expectedBy: expected_by }),
  };
}

/**
 * Money in and out of an account in each of the last twelve calendar months, oldest first. Reads only the transactions of those
 * months. Returned transfers are in neither sum. Names the largest payment out; if several are equally large, the first.
 */
export async function readMonths(reader: Reader, accountId: bigint, now: Date) {
  const thisMonth = sql`date_trunc('month', ${now}::timestamptz AT TIME ZONE ${bank.timeZone})`;
  const found = await sql<{
    month: string;
    in: bigint;
    out: bigint;
    largest: bigint | null;
    largest_name: string | null;
  }>`
    WITH months AS (
      SELECT n, begin, begin AT TIME ZONE ${bank.timeZone} AS since
        FROM (SELECT n, ${thisMonth} + (n - 12) * interval '1 month' AS begin FROM generate_series(1, 12) n) m
    ), span AS MATERIALIZED (
      SELECT first_seq_since(${accountId}, min(since)) - ${maxDisorder} AS seq, array_agg(since ORDER BY n) AS since FROM months
    ), returned AS MATERIALIZED (
      SELECT t.id FROM span, transactions t JOIN external_transfers x ON x.transaction_id = t.id
       WHERE t.type = 'external-transfer' AND t.sender_account = ${accountId} AND t.sender_seq >= span.seq
         AND x.status = 'failed'
    ), sums AS (
      SELECT width_bucket(t.created_at, span.since) AS n, sum(amount) FILTER (WHERE NOT is_out) AS in,
             sum(amount) FILTER (WHERE is_out) AS out, max(ARRAY[amount, -sender_seq]) FILTER (WHERE is_out) AS largest
        FROM span, LATERAL (
          SELECT *, true AS is_out FROM transactions
           WHERE sender_account = ${accountId} AND sender_seq >= span.seq
             AND NOT EXISTS (SELECT FROM returned WHERE returned.id = transactions.id)
          UNION ALL
          SELECT *, false FROM transactions WHERE receiver_account = ${accountId} AND receiver_seq >= span.seq
        ) t
       GROUP BY 1
    )
    SELECT to_char(m.begin, 'YYYY-MM') AS month, coalesce(s.in, 0)::bigint AS in, coalesce(s.out, 0)::bigint AS out,
           t.amount AS largest, coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), x.account_name) AS largest_name
      FROM months m
      LEFT JOIN sums s ON s.n = m.n
      LEFT JOIN transactions t ON t.sender_account = ${accountId} AND t.sender_seq = -s.largest[2]
      LEFT JOIN customers c ON c.account_id = t.receiver_account
      LEFT JOIN external_transfers x ON x.transaction_id = t.id
     ORDER BY m.n`.execute(reader);
  return found.rows.map(row => ({
    month: row.month,
    in: row.in,
    out: row.out,
    ...(row.largest !== null && {
      largestOut: { name: row.largest_name ?? transactionsMessages.closedAccount, amount: row.largest },
    }),
  }));
}
