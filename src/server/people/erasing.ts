/**
 * Erases a person: one transaction deletes everything that identifies them. A row of ids remains, because the ledger and the
 * audit log refer to it.
 */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Addressee } from './addressee.ts';

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
  await sql`
    UPDATE customers
       SET first_name = '', middle_name = '', last_name = '', gender = '', address = '', region = '', zip_code = '',
           email = '', phone_number = '', avatar_file = NULL, id_card_file = NULL, is_verified = false, deleted_at = now()
     WHERE id = ${customerId}`.execute(tx);
  for (const table of ['credentials', 'codes', 'sessions'])
    await sql`DELETE FROM ${sql.table(table)} WHERE person_id = ${customerId}`.execute(tx);
  await sql`DELETE FROM notifications WHERE account_id = ${accountId}`.execute(tx);
  await sql`DELETE FROM contact_messages WHERE email = ${addressee.to}`.execute(tx);
  return addressee;
}
