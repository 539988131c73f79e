/** A filter of a list of transactions as conditions of SQL, and a list's length as pages. */
import { type RawBuilder, sql } from 'kysely';
import { bank } from '#contract/constants.ts';
import { typedToCents } from '#contract/money.ts';
import type { TransactionFilter } from '#contract/transactions.ts';

/** The first moment of a day of the bank's calendar, or of the day so many days later. */
export function beginningOf(day: string, daysLater = 0): RawBuilder<unknown> {
  return sql`(${day}::date + ${daysLater}::int)::timestamp AT TIME ZONE ${bank.timeZone}`;
}

/**
 * How many places apart the orders of ids, lines and times may be. An id is made when a request comes, its time when its
 * group is posted, and groups run beside each other: of 256 at most (`poster.ts`), two in a process, in two processes.
 */
export const disorder = 2 * 2 * 256;

/** Whether a transaction named `t` is of the filter's days, both included. */
export function isWithinDays({ startDate, endDate }: TransactionFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (startDate) conditions.push(sql`t.created_at >= ${beginningOf(startDate)}`);
  if (endDate) conditions.push(sql`t.created_at < ${beginningOf(endDate, 1)}`);
  return sql.join(conditions, sql` AND `);
}

/** Whether a transaction named `t` is of the filter's type and status. */
export function isOfKind({ type, status }: TransactionFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (type) conditions.push(sql`t.type = ${type}::transaction_type`);
  if (status) {
    conditions.push(sql`${status}::transaction_status = CASE WHEN t.type = 'external-transfer'
      THEN (SELECT e.status FROM external_transfers e WHERE e.transaction_id = t.id) ELSE 'completed' END`);
  }
  return sql.join(conditions, sql` AND `);
}

/** Whether a transaction named `t` is of exactly the amount a search names, as people write one: `25`, `$25.00`, `-1,250.50`. */
export function isOfAmount(search: string): RawBuilder<unknown> {
  const cents = typedToCents(search.replace(/^[+\-−]\s*/, ''));
  return cents === undefined || cents > mostCents ? sql`false` : sql`t.amount = ${cents}`;
}

const mostCents = 2n ** 63n - 1n;

/** The page asked for, of so many lines. A list always has a page. */
export function pages(filter: { page: number; limit: number }, total: number) {
  return {
    currentPage: filter.page,
    totalPages: Math.max(1, Math.ceil(total / filter.limit)),
    totalTransactions: total,
  };
}

/** How many lines stand before the page asked for. */
export function linesBefore({ page, limit }: { page: number; limit: number }): number {
  return (page - 1) * limit;
}
