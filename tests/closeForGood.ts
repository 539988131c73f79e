/** Closes accounts by themselves, for tests of what then happens to money that is on its way. */
import { sql } from 'kysely';
import { newId } from '#server/base/uuid.ts';
import type { Database } from '#server/db/database.ts';
import { closeAccount } from '#server/ledger/closing.ts';

/** Closes an account and marks its customer as erased. What is stored about the customer stays. */
export async function closeForGood(database: Database, accountId: bigint): Promise<void> {
  await database.inTransaction(async tx => {
    await sql`UPDATE customers SET deleted_at = now() WHERE account_id = ${accountId}`.execute(tx);
    await closeAccount(tx, { accountId, by: 'admin', actor: newId(), address: '::1' });
  });
}
