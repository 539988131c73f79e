/**
 * Identification data of former customers, which some banks must keep for years (RETENTION_YEARS). Each record is encrypted
 * with its own key, which is stored like people's other keys. Erasing the key also makes every copy in backups unreadable.
 */
import { sql } from 'kysely';
import type { RetainedIdentity } from '#contract/retained.ts';
import { decrypt, encrypt } from '../base/encryption.ts';
import { newId, nilId } from '../base/uuid.ts';
import type { Database, Reader, Tx } from '../db/database.ts';
import type { Parts } from '../parts.ts';

type Row = { keyId: string; sealed: Buffer; closedAt: Date; eraseAfter: Date };

/**
 * Stores what identifies a customer. Called in the transaction that erases the person, before the erasure. Returns the id of
 * the key. The caller erases the key if the closing is refused. If the transaction fails later, a key that encrypts nothing
 * stays.
 */
export async function retainIdentity(
  tx: Tx,
  { keys, files }: Pick<Parts, 'keys' | 'files'>,
  { customerId, years }: { customerId: string; years: number },
): Promise<string> {
  type Found = Omit<RetainedIdentity, 'dateOfBirth' | 'city' | 'idDocument'> & {
    dateOfBirth: string | null;
    city: string | null;
    idCardFile: string | null;
  };
  const found = await sql<Found>`
    SELECT first_name AS "firstName", middle_name AS "middleName", last_name AS "lastName", gender,
           to_char(date_of_birth, 'YYYY-MM-DD') AS "dateOfBirth", address, city, region, zip_code AS "zipCode", email,
           phone_number AS "phoneNumber", is_verified AS "isVerified", id_card_file AS "idCardFile"
      FROM customers WHERE id = ${customerId}`.execute(tx);
  const { idCardFile, dateOfBirth, city, ...rest } = found.rows[0]!;
  const picture = idCardFile === null ? undefined : await files.read(idCardFile);
  const identity: RetainedIdentity = {
    ...rest,
    ...(dateOfBirth !== null && { dateOfBirth }),
    ...(city !== null && { city }),
    ...(picture && { idDocument: picture.toString('base64') }),
  };
  const keyId = newId();
  const sealed = encrypt(await keys.obtain(keyId), customerId, JSON.stringify(identity));
  await sql`
    INSERT INTO retained_identities (customer_id, key_id, erase_after, sealed)
    VALUES (${customerId}, ${keyId}, now() + make_interval(years => ${years}), ${sealed})`.execute(tx);
  return keyId;
}

/** The retained data of a former customer; undefined if there is none or its time is over. */
export async function readRetained(
  reader: Reader,
  keys: Pick<Parts['keys'], 'find'>,
  customerId: string,
): Promise<(RetainedIdentity & { closedAt: Date; eraseAfter: Date }) | undefined> {
  const found = await sql<Row>`
    SELECT key_id AS "keyId", sealed, closed_at AS "closedAt", erase_after AS "eraseAfter" FROM retained_identities
     WHERE customer_id = ${customerId} AND sealed IS NOT NULL AND erase_after > now()`.execute(reader);
  const row = found.rows[0];
  const key = row && (await keys.find(row.keyId));
  if (!key) return undefined;
  const identity = JSON.parse(decrypt(key, customerId, row.sealed)) as RetainedIdentity;
  return { ...identity, closedAt: row.closedAt, eraseAfter: row.eraseAfter };
}

/**
 * When the retained data of these former customers will be erased, by customer id. Customers without retained data are not in
 * the map.
 */
export async function listRetained(
  reader: Reader,
  customerIds: readonly string[],
): Promise<Map<string, Date>> {
  const found = await sql<{ id: string; until: Date }>`
    SELECT customer_id AS id, erase_after AS until FROM retained_identities
     WHERE customer_id = ANY (${customerIds}::uuid[]) AND sealed IS NOT NULL AND erase_after > now()`.execute(
    reader,
  );
  return new Map(found.rows.map(row => [row.id, row.until]));
}

const batchSize = 100;

/**
 * Erases retained data whose time is over, each key before its data, until none is left or `signal` aborts. Returns the number
 * of customers. If a key cannot be erased, the others are erased before the error is thrown.
 */
export async function eraseRetained(
  database: Database,
  keys: Pick<Parts['keys'], 'erase'>,
  signal?: AbortSignal,
): Promise<number> {
  let erased = 0;
  let failure: unknown;
  for (let after = nilId; !signal?.aborted; ) {
    const due = await sql<{ keyId: string }>`
      SELECT key_id AS "keyId" FROM retained_identities
       WHERE erase_after <= now() AND sealed IS NOT NULL AND key_id > ${after}
       ORDER BY key_id LIMIT ${batchSize}`.execute(database.reader);
    if (due.rows.length === 0) break;
    after = due.rows.at(-1)!.keyId;
    const ids: string[] = [];
    for (const { keyId } of due.rows)
      await keys.erase(keyId).then(
        () => ids.push(keyId),
        (error: unknown) => {
          failure ??= error;
        },
      );
    await database.inTransaction(tx =>
      sql`UPDATE retained_identities SET sealed = NULL WHERE key_id = ANY (${ids}::uuid[])`.execute(tx),
    );
    erased += ids.length;
  }
  if (failure !== undefined) throw failure;
  return erased;
}
