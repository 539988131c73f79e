/** Turns a transaction filter into SQL conditions, and a row count into pages. */
import { type RawBuilder, sql } from 'kysely';
import { typedToCents } from '#contract/money.ts';
import type { BankFilter } from '#contract/transactions.ts';
import { type Page, pageOf } from '../base/paging.ts';
import { startOfDay } from '../db/bankDay.ts';

/**
 * How far a transaction's position can differ between lists sorted by id, by sequence number and by time. The id is created
 * when the request arrives, and the time is set when its group is posted. The value allows for two processes, each with two
 * concurrent groups of up to 256 requests (`poster.ts`).
 */
export const maxDisorder = 2 * 2 * 256;

/** SQL condition: transaction `t` is within the filter's days, both inclusive. */
export function matchesDays({
  startDate,
  endDate,
}: Pick<BankFilter, 'startDate' | 'endDate'>): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (startDate) conditions.push(sql`t.created_at >= ${startOfDay(startDate)}`);
  if (endDate) conditions.push(sql`t.created_at < ${startOfDay(endDate, 1)}`);
  return sql.join(conditions, sql` AND `);
}

/** SQL condition: transaction `t` has the filter's type and status. */
export function matchesKind({ type, status }: Pick<BankFilter, 'type' | 'status'>): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (type) conditions.push(sql`t.type = ${type}::transaction_type`);
  // Only payments to other banks can have another status. With this condition, PostgreSQL can use the index of these payments.
  if (status && status !== 'completed') conditions.push(sql`t.type = 'external-transfer'`);
  if (status === 'held') conditions.push(isHeld);
  else if (status) {
    conditions.push(sql`${status}::transaction_status = CASE WHEN t.type = 'external-transfer'
      THEN (SELECT e.status FROM external_transfers e WHERE e.transaction_id = t.id) ELSE 'completed' END`);
  }
  return sql.join(conditions, sql` AND `);
}

/** SQL condition: payment `t` to another bank was not sent yet. */
const isUnsent = sql`EXISTS (
  SELECT FROM public.external_transfers h WHERE h.transaction_id = t.id AND h.status = 'pending' AND h.submitted_at IS NULL)`;

/** SQL condition: a freeze holds payment `t` to another bank. */
export const isHeld = sql`${isUnsent} AND EXISTS (
  SELECT FROM public.ledger_accounts f WHERE f.id = t.sender_account AND f.is_frozen AND NOT f.is_closed)`;

/**
 * All payments that a freeze holds. Reads the payments of the frozen accounts: only a few accounts are frozen. OFFSET 0 forces
 * index lookups. Without it, the planner would read all transactions.
 */
export const heldPayments = sql`(
  SELECT t.* FROM public.ledger_accounts a
   CROSS JOIN LATERAL (SELECT o.id, o.amount, o.created_at, o.sender_account FROM public.transactions o
                        WHERE o.sender_account = a.id AND o.type = 'external-transfer' OFFSET 0) t
   WHERE a.is_frozen AND NOT a.is_closed AND ${isUnsent})`;

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
