/**
 * What customers can add only up to a maximum: payees, schedules and goals. Schedules and goals are added at most once for each
 * idempotency key.
 */
import { sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import type { Tx } from '../db/database.ts';

export type Owner = { customerId: string; accountId: bigint };

/** `key`: unique for each customer and idempotency key. `request`: a hash of the request. */
export type InsertKey = { key: string | null; request: string };

/**
 * Locks a customer until the transaction ends: concurrent calls of one customer run one after the other, so that they cannot
 * exceed the maximum or use a key twice. Count in a later statement, because only that sees what the previous call committed.
 * Returns the account number, and whether the account is frozen. Refuses `NOT_AUTHORIZED` if the customer was deleted.
 */
export async function lockOwner(
  tx: Tx,
  { customerId, accountId }: Owner,
): Promise<{ number: string; isFrozen: boolean }> {
  const locked = await sql`
    SELECT FROM customers WHERE id = ${customerId} AND deleted_at IS NULL FOR NO KEY UPDATE`.execute(tx);
  if (!locked.rows[0]) throw new Refusal('NOT_AUTHORIZED');
  // A separate statement, because the one that takes the lock does not see a freeze that it waited for.
  const account = await sql<{ number: string; isFrozen: boolean }>`
    SELECT number, is_frozen AS "isFrozen" FROM ledger_accounts WHERE id = ${accountId}`.execute(tx);
  return account.rows[0]!;
}

/** The id of the row with this key; undefined if there is none. Refuses `IDEMPOTENCY_MISMATCH` if the requests differ. */
export async function findMade(
  tx: Tx,
  table: 'goals' | 'scheduled_transfers',
  { key, request }: InsertKey,
): Promise<string | undefined> {
  const used = await sql<{ id: string; request: string }>`
    SELECT id, request_hash AS request FROM ${sql.table(table)} WHERE key_hash = ${key}`.execute(tx);
  const [made] = used.rows;
  if (made && made.request !== request) throw new Refusal('IDEMPOTENCY_MISMATCH');
  return made?.id;
}
