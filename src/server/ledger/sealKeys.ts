/**
 * The keys that sealed the audit chain. A new secret seals from the next position on, and the database records that position.
 * A former seal key stays stored, encrypted with the current secret, so that old seals can be verified without their secret.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import { decryptBytes, encrypt, isCurrent } from '../base/encryption.ts';
import { deriveKey, type Key, versionOf } from '../base/keys.ts';
import type { Reader, Tx } from '../db/database.ts';

type Stored = { from: bigint; keyId: string; wrapped: Buffer | null };

/** The key that seals this position; undefined if its secret is not given and no stored copy can be read. */
export type SealKeys = (position: bigint) => KeyObject | undefined;

const wrappingKey = (sealKey: Key) => deriveKey(sealKey, 'former seal keys');

/** SQL condition: no sealer stored row `k`. Sealers store a row with its first seal, and each server lists its secret. */
const isPlanted = `(k.from_position > (SELECT coalesce(max(position), 0) FROM public.audit_seals)
  OR NOT EXISTS (SELECT FROM public.app_secrets s WHERE s.key_id = k.key_id))`;

/** Query for the planted rows. Everything else leaves them out, so they do not stop the sealing. */
export const plantedKeys = `
  SELECT 'key ' || k.key_id || ' from position ' || k.from_position AS row FROM public.seal_keys k WHERE ${isPlanted}`;

async function readStored(reader: Reader): Promise<Stored[]> {
  const found = await sql<Stored>`
    SELECT k.from_position AS from, k.key_id AS "keyId", k.wrapped FROM public.seal_keys k
     WHERE NOT ${sql.raw(isPlanted)} ORDER BY k.from_position DESC`.execute(reader);
  return found.rows;
}

function unwrap(sealKey: Key, { keyId, wrapped }: Stored): Uint8Array | undefined {
  const given = versionOf(sealKey, keyId);
  if (given || !wrapped) return given;
  try {
    return decryptBytes(wrappingKey(sealKey), keyId, wrapped);
  } catch {
    return undefined;
  }
}

/** The keys of the whole chain, as far as they are known. */
export async function readSealKeys(reader: Reader, sealKey: Key): Promise<SealKeys> {
  const keys = (await readStored(reader)).map(stored => {
    const bytes = unwrap(sealKey, stored);
    return { from: stored.from, key: bytes && createSecretKey(bytes) };
  });
  return position => keys.find(({ from }) => from <= position)?.key;
}

/**
 * Returns the current key, and whether it is not recorded as the newest yet. Throws if the newest recorded key is unknown here:
 * a server with a newer secret has sealed, and two servers that alternate would make seals that neither can verify alone. A
 * stored copy of that key that a given secret decrypts is enough: `rewrap` made it, so that secret is the newer one.
 */
export async function openSealKey(tx: Tx, sealKey: Key): Promise<{ key: KeyObject; isNew: boolean }> {
  const [{ id, bytes }] = sealKey;
  const [newest] = await readStored(tx);
  if (newest && !unwrap(sealKey, newest))
    throw new Error(`The audit chain is sealed with the secret ${newest.keyId}, which this process lacks.`);
  return { key: createSecretKey(bytes), isNew: newest?.keyId !== id };
}

/** Records that the current key seals from this position on. Only after `append_seals`, whose lock keeps other sealers out. */
export async function recordSealKey(tx: Tx, [{ id }]: Key, position: bigint): Promise<void> {
  await sql`
    INSERT INTO public.seal_keys (from_position, key_id) VALUES (${position}, ${id}) ON CONFLICT DO NOTHING`.execute(
    tx,
  );
}

/** The former keys that have no stored copy encrypted with the current secret, newest first. */
async function listUnwrapped(reader: Reader, sealKey: Key): Promise<Stored[]> {
  const [{ id }] = sealKey;
  return (await readStored(reader)).filter(
    ({ keyId, wrapped }) => keyId !== id && !(wrapped && isCurrent(sealKey, wrapped)),
  );
}

/** How many parts of the chain can only be verified with a former secret. */
export const countUnwrapped = async (reader: Reader, sealKey: Key): Promise<number> =>
  (await listUnwrapped(reader, sealKey)).length;

/** Encrypts the former seal keys with the current secret. Needs the rights of the database's owner. */
export async function wrapSealKeys(tx: Tx, sealKey: Key): Promise<void> {
  for (const stored of await listUnwrapped(tx, sealKey)) {
    const bytes = unwrap(sealKey, stored);
    if (!bytes)
      throw new Error(`The secret ${stored.keyId}, which sealed a part of the audit log, is missing.`);
    const wrapped = encrypt(wrappingKey(sealKey), stored.keyId, bytes);
    await sql`UPDATE public.seal_keys SET wrapped = ${wrapped} WHERE from_position = ${stored.from}`.execute(
      tx,
    );
  }
}
