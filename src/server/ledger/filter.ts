/** Turns a transaction filter into SQL conditions, and a row count into pages. */
import { type RawBuilder, sql } from 'kysely';
import { typedToCents } from '#contract/money.ts';
import type { TransactionFilter } from '#contract/transactions.ts';
import { type Page, pageOf } from '../base/paging.ts';
import { startOfDay } from '../db/bankDay.ts';

/**
 * How far a transaction's position can differ between lists sorted by id, by sequence number and by time. The id is created
 * when the request arrives, and the time is set when its group is posted. The value allows for two processes, each with two
 * concurrent groups of up to 256 requests (`poster.ts`).
 */
export const maxDisorder = 2 * 2 * 256;

/** SQL condition: transaction `t` is within the filter's days, both inclusive. */
export function matchesDays({ startDate, endDate }: TransactionFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (startDate) conditions.push(sql`t.created_at >= ${startOfDay(startDate)}`);
  if (endDate) conditions.push(sql`t.created_at < ${startOfDay(endDate, 1)}`);
  return sql.join(conditions, sql` AND `);
}

/** SQL condition: transaction `t` has the filter's type and status. */
export function matchesKind({ type, status }: TransactionFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (type) conditions.push(sql`t.type = ${type}::transaction_type`);
  // Only payments to other banks can have another status. With this condition, PostgreSQL can use the index of these payments.
  if (status && status !== 'completed') conditions.push(sql`t.type = 'external-transfer'`);
  if (status) {
    conditions.push(sql`${status}::transaction_status = CASE WHEN t.type = 'external-transfer'
      THEN (SELECT e.status FROM external_transfers e WHERE e.transaction_id = t.id) ELSE 'completed' END`);
  }
  return sql.join(conditions, sql` AND `);
}

/** SQL condition: transaction `t` has exactly the amount in the search text, such as `25`, `$25.00` or `-1,250.50`. */
export function matchesAmount(search: string): RawBuilder<unknown> {
  const cents = parseAmount(search);
  return cents === undefined ? sql`false` : sql`t.amount = ${cents}`;
}

/** The amount in a search text, in cents; undefined if the text is not an amount. */
export function parseAmount(search: string): bigint | undefined {
  const cents = typedToCents(search.replace(/^[+\-−]\s*/, ''));
  return cents === undefined || cents > mostCents ? undefined : cents;
}

const mostCents = 2n ** 63n - 1n;

/** Pagination of `total` rows. There is always at least one page. */
export function pages(filter: Page, total: number) {
  return { ...pageOf(filter, total), totalTransactions: total };
}
