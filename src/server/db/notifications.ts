/** Writing what the bank tells a customer inside the app; the sentence is made when it is read. */
import { sql } from 'kysely';
import type { Tx } from './database.ts';
import { newId } from './uuid.ts';

/** What there is to tell. The first three are written with the posting itself, inside the database. */
export type NotificationKind =
  | 'money-received'
  | 'money-sent'
  | 'credited'
  | 'external-settled'
  | 'external-returned'
  | 'approved'
  | 'id-verified'
  | 'frozen'
  | 'unfrozen'
  | 'password-changed'
  | 'contact-changed'
  | 'id-received';

/** Notes something for the customer of this account, in the transaction in which it happens. */
export async function notify(
  tx: Tx,
  accountId: bigint,
  kind: NotificationKind,
  transactionId?: string,
): Promise<void> {
  await sql`
    INSERT INTO notifications (account_id, id, kind, transaction_id)
    VALUES (${accountId}, ${newId()}, ${kind}, ${transactionId ?? null})`.execute(tx);
}
