/**
 * Erasing a person: everything that says who a customer was goes, in one transaction, as `erasureList.ts` says. What stays is
 * a row of ids, to which the books and the audit log point.
 */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Addressee } from './addressee.ts';
import { type ErasedKey, erasureList } from './erasureList.ts';

/**
 * Erases a customer whom this transaction has locked. Returns where one last mail can go. The email address can register
 * again; the caller removes the files after the commit.
 */
export async function erasePerson(
  tx: Tx,
  { customerId, accountId }: { customerId: string; accountId: bigint },
): Promise<Addressee> {
  const found = await sql<Addressee>`
    SELECT email AS to, first_name AS name FROM customers WHERE id = ${customerId}`.execute(tx);
  const addressee = found.rows[0]!;
  const changes = Object.entries(erasureList.customers!.erased!).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  );
  await sql`UPDATE customers SET deleted_at = now(), ${sql.join(changes)} WHERE id = ${customerId}`.execute(
    tx,
  );
  const keys: Record<ErasedKey, unknown> = { customerId, accountId, email: addressee.to };
  for (const [table, { deletedWhere = {} }] of Object.entries(erasureList)) {
    for (const [column, key] of Object.entries(deletedWhere))
      await sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${keys[key]}`.execute(tx);
  }
  return addressee;
}
