/**
 * Erases a person, as listed in `personalData.ts`. One transaction deletes or overwrites what identifies them in the database.
 * The job `finish-erasures` removes their key, their files and, in batches, what may be in millions of rows. A row of ids
 * remains, because the ledger and the audit log refer to it.
 */
import { sql } from 'kysely';
import type { Database, Reader, Tx } from '../db/database.ts';
import { batchSize, deleteInBatches } from '../db/deleteInBatches.ts';
import type { Addressee } from './addressee.ts';
import { greetingName, isEmailProven } from './customers.ts';
import { type CustomerKey, personalData } from './personalData.ts';

/**
 * Does the part of an erasure that happens at once. The transaction must have locked the customer's row. Returns the recipient
 * for one last mail. Afterward the email is free for a new registration.
 */
export async function erasePerson(
  tx: Tx,
  { customerId, accountId }: { customerId: string; accountId: bigint },
): Promise<Addressee> {
  const found = await sql<Addressee & { isProven: boolean }>`
    SELECT email AS to, ${greetingName()} AS name, ${isEmailProven} AND reset_unproven_at IS NULL AS "isProven" FROM customers c
     WHERE id = ${customerId}`.execute(tx);
  const { isProven, ...addressee } = found.rows[0]!;
  const changes = Object.entries(personalData.customers!.erased!).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  );
  await sql`UPDATE customers SET deleted_at = now(), ${sql.join(changes)} WHERE id = ${customerId}`.execute(
    tx,
  );
  // If the email is not proven, or only by a reset, it may be someone else's, whose messages from this email must be kept.
  const email = isProven ? addressee.to : null;
  const keys: Record<CustomerKey, unknown> = { customerId, accountId, email };
  for (const [table, { deletedWhere = {} }] of Object.entries(personalData)) {
    for (const [column, key] of Object.entries(deletedWhere))
      await sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${keys[key]}`.execute(tx);
  }
  return addressee;
}

/**
 * Whether this key must no longer exist, because its person was erased or the retention of its data is over. The key is erased
 * before the data, so this can be true while the data is still stored.
 */
export async function isErased(reader: Reader, keyId: string): Promise<boolean> {
  const found = await sql`
    SELECT FROM customers WHERE id = ${keyId} AND deleted_at IS NOT NULL
     UNION ALL SELECT FROM retained_identities WHERE key_id = ${keyId} AND (sealed IS NULL OR erase_after <= now())`.execute(
    reader,
  );
  return found.rows.length === 1;
}

/** A closed customer about whom data is still stored. */
export type UnfinishedErasure = { customerId: string; accountId: bigint; files: string[] };

/** The first 100 customers, in order of their ids, whose erasure is unfinished and whose id follows `after`. */
export async function listUnfinishedErasures(reader: Reader, after: string): Promise<UnfinishedErasure[]> {
  const found = await sql<UnfinishedErasure>`
    SELECT id AS "customerId", account_id AS "accountId", array_remove(ARRAY[avatar_file, id_card_file], NULL) AS files
      FROM customers WHERE deleted_at IS NOT NULL AND erased_at IS NULL AND id > ${after}
     ORDER BY id LIMIT 100`.execute(reader);
  return found.rows;
}

/**
 * Deletes the rows of a closed customer that `deletedInBatches` lists, in batches, and returns their number. Awaits `pause`
 * before each batch.
 */
export async function eraseInBatches(
  database: Database,
  { accountId }: Pick<UnfinishedErasure, 'accountId'>,
  pause: () => Promise<void>,
): Promise<number> {
  let deleted = 0;
  for (const [name, { deletedInBatches = {} }] of Object.entries(personalData)) {
    const table = sql.table(name);
    for (const column of Object.keys(deletedInBatches)) {
      const statement = sql`
        DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM ${table} WHERE ${sql.ref(column)} = ${accountId} LIMIT ${batchSize}))`;
      deleted += await deleteInBatches(database, statement, { pause });
    }
  }
  return deleted;
}

/** Records that nothing of a closed customer is left, and erases the names of the files, which the caller has removed. */
export async function markErased(tx: Tx, customerId: string): Promise<void> {
  await sql`
    UPDATE customers SET avatar_file = NULL, id_card_file = NULL, id_card_at = NULL, erased_at = clock_timestamp()
     WHERE id = ${customerId} AND deleted_at IS NOT NULL AND erased_at IS NULL`.execute(tx);
}
