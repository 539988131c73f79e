/**
 * The token in the link "This wasn't me" of security mails: the customer's id and a fresh id, with a keyed hash (HMAC). The id
 * contains the time and a tag of the email to which the link is mailed. The token can only freeze the account. It works once,
 * for 30 days, and only while that email is the customer's, or if the customer had proven it when staff changed it. Only used
 * tokens are stored.
 */
import { sql } from 'kysely';
import { freezeLink } from '#contract/constants.ts';
import { deriveKey, hmac, isHmac, type Key } from '../base/keys.ts';
import { idToBytes, newId, toId } from '../base/uuid.ts';
import type { Tx } from '../db/database.ts';

const idBytes = 16;

/** 128 bits, to keep the link short. */
const signatureBytes = 16;

/** The version (RFC 9562) of an id whose last bytes are a tag. Servers of 1.0.0 made ids of version 7, without a tag. */
const taggedVersion = 8;
const tagBytes = 5;
const versionAt = idBytes + 6;

const linkKey = (codeKey: Key) => deriveKey(codeKey, 'links that freeze an account');

const tagKey = (codeKey: Key) =>
  deriveKey(codeKey, 'emails to which links that freeze an account are mailed');

/** The customer whose account a link freezes, and the email to which it is mailed. */
type Owner = { customerId: string; email: string };

/** A new token, 64 characters of base64url. */
export function makeFreezeToken({ customerId, email }: Owner, codeKey: Key): string {
  const ids = Buffer.concat([idToBytes(customerId), idToBytes(newId())]);
  ids[versionAt] = (taggedVersion << 4) | (ids[versionAt]! & 0x0f);
  hmac(tagKey(codeKey), email).copy(ids, ids.length - tagBytes, 0, tagBytes);
  const signature = hmac(linkKey(codeKey), ids).subarray(0, signatureBytes);
  return Buffer.concat([ids, signature]).toString('base64url');
}

/** The address of the page that freezes a customer's account. The token is in the fragment, which no server receives. */
export function freezeUrl(publicUrl: string, owner: Owner, codeKey: Key): string {
  return `${publicUrl}/freeze-account#${makeFreezeToken(owner, codeKey)}`;
}

/** Whether the tag is of the customer's email, or of a former one that the customer had proven. */
async function isOwnTag(tx: Tx, customerId: string, tag: Buffer, codeKey: Key): Promise<boolean> {
  const found = await sql<{ email: string }>`
    SELECT email FROM customers WHERE id = ${customerId}
     UNION ALL SELECT former FROM customer_changes WHERE customer_id = ${customerId} AND was_proven`.execute(
    tx,
  );
  return found.rows.some(({ email }) => isHmac(tagKey(codeKey), email, tag, tagBytes));
}

/**
 * Uses a token up. Returns its customer, and whether the token was used before; undefined if it is forged or has expired, or if
 * the email to which it was mailed turned out not to be the customer's.
 */
export async function useFreezeToken(
  tx: Tx,
  token: string,
  codeKey: Key,
): Promise<{ customerId: string; wasUsed: boolean } | undefined> {
  const bytes = Buffer.from(token, 'base64url');
  const [ids, signature] = [bytes.subarray(0, 2 * idBytes), bytes.subarray(2 * idBytes)];
  if (!isHmac(linkKey(codeKey), ids, signature, signatureBytes)) return undefined;
  const [customerId, linkId] = [toId(ids.subarray(0, idBytes)), toId(ids.subarray(idBytes))];
  const isTagged = ids[versionAt]! >> 4 === taggedVersion;
  if (isTagged && !(await isOwnTag(tx, customerId, ids.subarray(-tagBytes), codeKey))) return undefined;
  const madeAt = new Date(ids.readUIntBE(idBytes, 6));
  const found = await sql<{ customerId: string; wasUsed: boolean }>`
    WITH link AS (SELECT ${linkId}::uuid AS id, ${customerId}::uuid AS customer_id
                   WHERE ${madeAt}::timestamptz > now() - make_interval(days => ${freezeLink.days})),
         used AS (INSERT INTO used_freeze_links (id, customer_id) SELECT id, customer_id FROM link
                      ON CONFLICT (id) DO NOTHING RETURNING id)
    SELECT customer_id AS "customerId", NOT EXISTS (SELECT FROM used) AS "wasUsed" FROM link`.execute(tx);
  return found.rows[0];
}
