/**
 * Erases a person: one transaction deletes everything that identifies them, as listed in `erasureList.ts`. A row of ids
 * remains, because the ledger and the audit log refer to it.
 */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Addressee } from './addressee.ts';
import { type ErasedKey, erasureList } from './erasureList.ts';

/**
 * Erases a customer whose row this transaction has locked, with credentials, codes, sessions, notifications and contact
 * messages. Returns the recipient for one last mail. Afterwards the email can register again. The caller deletes the files
 * after the commit.
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
