/**
 * Statistics of the whole bank. Every posting updates the daily totals, and these functions sum the totals. So their cost grows
 * with the number of days and of sweeps, not with the number of transactions. The totals include the sweep of a closed account,
 * because lists show it and compute the number of their pages from the totals. A sweep is not a transfer by a customer, so the
 * statistics subtract it.
 */
import { sql } from 'kysely';
import { type systemAccounts, type TransactionType, transactionTypes } from '#contract/entities.ts';
import type { Database, Reader } from '../db/database.ts';

/** The daily totals without sweeps, as rows with `day`, `type`, `status`, `count` and `cents`. */
const totals = sql`(
  SELECT day, type, status, count, cents FROM transaction_totals
   UNION ALL
  SELECT bank_day(created_at), 'transfer', 'completed', -count(*), -sum(amount) FROM transactions
   WHERE type = 'transfer' AND receiver_account IS NULL GROUP BY 1)`;

/** Number of transactions, completed volume in cents, and success rate (completed ÷ all) in percent with one decimal. */
export async function readTotals(reader: Reader) {
  const summed = await sql<{ all: bigint; completed: bigint; cents: bigint }>`
    SELECT coalesce(sum(count), 0)::bigint AS all,
           coalesce(sum(count) FILTER (WHERE status = 'completed'), 0)::bigint AS completed,
           coalesce(sum(cents) FILTER (WHERE status = 'completed'), 0)::bigint AS cents
      FROM ${totals} t`.execute(reader);
  const { all, completed, cents } = summed.rows[0]!;
  return {
    totalTransactions: Number(all),
    totalAmount: cents,
    successRate: all === 0n ? 0 : Math.round((Number(completed) * 1000) / Number(all)) / 10,
  };
}

const reportedDays = 90;

type Sums = { count: bigint; completed: bigint; volume: bigint };
const sums = sql`
  coalesce(sum(t.count), 0)::bigint AS count,
  coalesce(sum(t.count) FILTER (WHERE t.status = 'completed'), 0)::bigint AS completed,
  coalesce(sum(t.cents) FILTER (WHERE t.status = 'completed'), 0)::bigint AS volume`;
const toSums = ({ count, completed, volume }: Sums) => ({
  count: Number(count),
  completed: Number(completed),
  volume,
});

/**
 * The last 90 calendar days up to `now`, oldest first, including days without transactions; all-time sums by type; and the
 * balances of the bank's own accounts. `volume` is the sum of completed transactions, in cents.
 */
export async function readStatistics(reader: Reader, now: Date) {
  const days = await sql<Sums & { day: string; pending: bigint }>`
    SELECT to_char(d.day, 'YYYY-MM-DD') AS day, ${sums},
           coalesce(sum(t.count) FILTER (WHERE t.status = 'pending'), 0)::bigint AS pending
      FROM (SELECT bank_day(${now}) - ago AS day
              FROM generate_series(0, ${reportedDays - 1}) AS ago) d
      LEFT JOIN ${totals} t ON t.day = d.day
     GROUP BY d.day ORDER BY d.day`.execute(reader);
  const types = await sql<Sums & { type: TransactionType }>`
    SELECT t.type, ${sums} FROM ${totals} t GROUP BY t.type`.execute(reader);
  const accounts = await sql<{ account: (typeof systemAccounts)[number]; balance: bigint }>`
    SELECT kind AS account, balance FROM ledger_accounts
     WHERE id IN (treasury_id(), clearing_id(), unclaimed_id()) ORDER BY id`.execute(reader);
  const ofType = (type: TransactionType) => types.rows.find(row => row.type === type);
  return {
    days: days.rows.map(row => ({ day: row.day, ...toSums(row), pending: Number(row.pending) })),
    types: transactionTypes.map(type => ({
      type,
      ...toSums(ofType(type) ?? { count: 0n, completed: 0n, volume: 0n }),
    })),
    accounts: accounts.rows,
  };
}

/**
 * Merges the shards of past days in the daily totals (`postingLane.ts` spreads postings over 32), so that a day takes a handful
 * of rows. Returns how many rows were merged.
 */
export async function foldTotals(database: Database): Promise<number> {
  return await database.inTransaction(async tx => {
    const folded = await sql<{ n: number }>`SELECT fold_totals() AS n`.execute(tx);
    return folded.rows[0]!.n;
  });
}
