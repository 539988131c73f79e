/**
 * Identification data of former customers, which some banks must keep for years (RETENTION_YEARS). Each record is encrypted
 * with its own key, which is stored like people's other keys. Erasing the key also makes every copy in backups unreadable.
 */
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { Retained, RetainedIdentity } from '#contract/retained.ts';
import { decrypt, encrypt, isOfKey } from '../base/encryption.ts';
import { newId, nilId } from '../base/uuid.ts';
import type { Database, Reader, Tx } from '../db/database.ts';
import type { Parts } from '../parts.ts';
import { lockCustomer } from './customers.ts';

/** What is encrypted: the identity at the closing, and the verified ones that were replaced before. */
type Stored = RetainedIdentity & { earlier?: (RetainedIdentity & { replacedAt: string })[] };

type Row = { keyId: string; sealed: Buffer; closedAt: Date; eraseAfter: Date };

/** Reads what identifies a customer, with the picture of the ID document. */
async function collectIdentity(
  tx: Tx,
  files: Pick<Parts['files'], 'read'>,
  customerId: string,
): Promise<RetainedIdentity> {
  type Found = Omit<RetainedIdentity, 'dateOfBirth' | 'city' | 'idDocument'> & {
    dateOfBirth: string | null;
    city: string | null;
    idCardFile: string | null;
  };
  const found = await sql<Found>`
    SELECT first_name AS "firstName", middle_name AS "middleName", last_name AS "lastName", gender,
           to_char(date_of_birth, 'YYYY-MM-DD') AS "dateOfBirth", is_date_of_birth_verified AS "isDateOfBirthVerified",
           address, city, region, zip_code AS "zipCode", email, phone_number AS "phoneNumber", is_verified AS "isVerified",
           id_card_file AS "idCardFile"
      FROM customers WHERE id = ${customerId}`.execute(tx);
  const { idCardFile, dateOfBirth, city, ...rest } = found.rows[0]!;
  const picture = idCardFile === null ? undefined : await files.read(idCardFile);
  return {
    ...rest,
    ...(dateOfBirth !== null && { dateOfBirth }),
    ...(city !== null && { city }),
    ...(picture && { idDocument: picture.toString('base64') }),
  };
}

/**
 * With RETENTION_YEARS, stores what identifies an approved and verified customer before the ID document or a name is replaced,
 * because the closing would find only the new ones. Encrypts it with the customer's key, which an erasure erases.
 */
export async function keepReplacedIdentity(
  tx: Tx,
  { config, keys, files }: Pick<Parts, 'config' | 'keys' | 'files'>,
  customerId: string,
): Promise<void> {
  if (config.retentionYears === 0) return;
  const { isVerified } = await lockCustomer(tx, customerId);
  if (!isVerified) return;
  const approved = await sql`
    SELECT FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
     WHERE c.id = ${customerId} AND a.is_approved`.execute(tx);
  if (approved.rows.length === 0) return;
  const identity = await collectIdentity(tx, files, customerId);
  const sealed = encrypt(await keys.obtain(customerId), customerId, JSON.stringify(identity));
  await sql`INSERT INTO replaced_identities (customer_id, sealed) VALUES (${customerId}, ${sealed})`.execute(
    tx,
  );
}

/** The replaced identities of a customer, the oldest first. */
async function listReplaced(
  tx: Tx,
  keys: Pick<Parts['keys'], 'find'>,
  customerId: string,
): Promise<NonNullable<Stored['earlier']>> {
  const found = await sql<{ at: Date; sealed: Buffer }>`
    SELECT replaced_at AS at, sealed FROM replaced_identities
     WHERE customer_id = ${customerId} ORDER BY replaced_at`.execute(tx);
  if (found.rows.length === 0) return [];
  const key = await keys.find(customerId);
  // If the key was lost, and the customer got a new one, the account can still be closed.
  return found.rows.flatMap(({ at, sealed }) =>
    key && isOfKey(key, sealed)
      ? [{ ...JSON.parse(decrypt(key, customerId, sealed)), replacedAt: at.toISOString() }]
      : [],
  );
}

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
  const earlier = await listReplaced(tx, keys, customerId);
  const identity: Stored = {
    ...(await collectIdentity(tx, files, customerId)),
    ...(earlier.length > 0 && { earlier }),
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
): Promise<z.output<typeof Retained> | undefined> {
  const found = await sql<Row>`
    SELECT key_id AS "keyId", sealed, closed_at AS "closedAt", erase_after AS "eraseAfter" FROM retained_identities
     WHERE customer_id = ${customerId} AND sealed IS NOT NULL AND erase_after > now()`.execute(reader);
  const row = found.rows[0];
  const key = row && (await keys.find(row.keyId));
  if (!key) return undefined;
  const { earlier, ...identity } = JSON.parse(decrypt(key, customerId, row.sealed)) as Stored;
  return {
    ...identity,
    ...(earlier && { earlier: earlier.map(one => ({ ...one, replacedAt: new Date(one.replacedAt) })) }),
    closedAt: row.closedAt,
    eraseAfter: row.eraseAfter,
  };
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
