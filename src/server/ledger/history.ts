/**
 * Reading single transactions and months of the books for people. Names are joined when shown, never stored, so that an
 * erased person is gone here too.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { bank } from '#contract/constants.ts';
import type { TransactionBehindTheEdge } from '#contract/entities.ts';
import { messages } from '#contract/messages.ts';
import type { Reader } from '../db/database.ts';
import { columns, joined, type ShownRow, shown, toTransaction } from './shownTransaction.ts';

/** Asked for every group of repeated keys, so it is prepared once on each connection. */
const byId = {
  name: 'transactions by id',
  text: `${columns} FROM transactions t ${joined} WHERE t.id = ANY ($1::uuid[])`,
};

/** The transactions with these ids, in no particular order; unknown ids are left out. */
export async function readTransactions(pool: pg.Pool, ids: string[]): Promise<TransactionBehindTheEdge[]> {
  const found = await pool.query<ShownRow>({ ...byId, values: [ids] });
  return found.rows.map(toTransaction);
}

type StoryRow = ShownRow & {
  balance_after: bigint | null;
  ended: 'settle' | 'return' | null;
  ended_at: Date | null;
};

/**
 * One transaction with its story; undefined where there is none, or the account that asks has no part in it. Without an
 * account it is anybody's, and nobody's balance is told.
 */
export async function readTransaction(reader: Reader, accountId: bigint | undefined, id: string) {
  const isOwn =
    accountId === undefined ? sql`true` : sql`${accountId}::bigint IN (sender_account, receiver_account)`;
  const one = sql`(SELECT * FROM transactions WHERE id = ${id} AND ${isOwn})`;
  const found = await sql<StoryRow>`
    SELECT d.*, CASE ${accountId ?? null}::bigint WHEN p.debit_account THEN p.debit_balance
                WHEN p.credit_account THEN p.credit_balance END AS balance_after,
           e.kind AS ended, e.posted_at AS ended_at
      FROM (${shown(one)}) d
      JOIN journal_entries p ON p.transaction_id = d.id AND p.step = 1
      LEFT JOIN journal_entries e ON e.transaction_id = d.id AND e.step = 2`.execute(reader);
  const row = found.rows[0];
  if (!row) return undefined;
  const { created_at, balance_after, ended, ended_at, expected_by, return_reason } = row;
  const timeline: { step: 'posted' | 'settled' | 'returned'; at: Date }[] = [
    { step: 'posted', at: created_at },
  ];
  if (ended && ended_at) timeline.push({ step: ended === 'settle' ? 'settled' : 'returned', at: ended_at });
  return {
    ...toTransaction(row),
    ...(balance_after !== null && { balanceAfter: balance_after }),
    timeline,
    ...(row.status === 'pending' && expected_by !== null && { expectedBy: expected_by }),
    ...(ended === 'return' && return_reason !== null && { returnReason: return_reason }),
  };
}

/** Money in and out of an account in each of the last twelve months of the bank's calendar, oldest first. */
export async function readMonths(reader: Reader, accountId: bigint, now: Date) {
  const found = await sql<{
    month: string;
    in: bigint;
    out: bigint;
    largest: bigint | null;
    largest_name: string | null;
  }>`
    WITH months AS (
      SELECT to_char(date_trunc('month', ${now}::timestamptz AT TIME ZONE ${bank.timeZone}) - n * interval '1 month', 'YYYY-MM') AS month
        FROM generate_series(0, 11) n
    ), own AS (
      SELECT to_char(t.created_at AT TIME ZONE ${bank.timeZone}, 'YYYY-MM') AS month, t.amount, t.is_out,
             CASE WHEN t.is_out THEN coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), x.account_name) END AS name
        FROM (
          SELECT *, true AS is_out FROM transactions WHERE sender_account = ${accountId}
          UNION ALL
          SELECT *, false FROM transactions WHERE receiver_account = ${accountId}
        ) t
        LEFT JOIN external_transfers x ON x.transaction_id = t.id
        LEFT JOIN customers c ON c.account_id = t.receiver_account AND t.is_out
       WHERE t.created_at >= (date_trunc('month', ${now}::timestamptz AT TIME ZONE ${bank.timeZone}) - interval '11 months') AT TIME ZONE ${bank.timeZone}
         AND x.status IS DISTINCT FROM 'failed'
    )
    SELECT m.month, coalesce(sum(o.amount) FILTER (WHERE NOT o.is_out), 0)::bigint AS in,
           coalesce(sum(o.amount) FILTER (WHERE o.is_out), 0)::bigint AS out,
           max(o.amount) FILTER (WHERE o.is_out) AS largest,
           (array_agg(o.name ORDER BY o.amount DESC) FILTER (WHERE o.is_out))[1] AS largest_name
      FROM months m LEFT JOIN own o ON o.month = m.month
     GROUP BY m.month ORDER BY m.month`.execute(reader);
  return found.rows.map(row => ({
    month: row.month,
    in: row.in,
    out: row.out,
    ...(row.largest !== null && {
      largestOut: { name: row.largest_name ?? messages.transactions.closedAccount, amount: row.largest },
    }),
  }));
}
