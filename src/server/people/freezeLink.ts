/**
 * The token in the link "This wasn't me" of security mails: the customer's id and a fresh id, which contains the time, with a
 * keyed hash (HMAC). It can only freeze the account. It works once, for 30 days. Only used tokens are stored.
 */
import { sql } from 'kysely';
import { freezeLink } from '#contract/constants.ts';
import { deriveKey, hmac, isHmac, type Key } from '../base/keys.ts';
import { idToBytes, newId, toId } from '../base/uuid.ts';
import type { Tx } from '../db/database.ts';

const idBytes = 16;

/** 128 bits, to keep the link short. */
const signatureBytes = 16;

const linkKey = (codeKey: Key) => deriveKey(codeKey, 'links that freeze an account');

/** A new token for a customer, 64 characters of base64url. */
export function makeFreezeToken(customerId: string, codeKey: Key): string {
  const ids = Buffer.concat([idToBytes(customerId), idToBytes(newId())]);
  const signature = hmac(linkKey(codeKey), ids).subarray(0, signatureBytes);
  return Buffer.concat([ids, signature]).toString('base64url');
}

/** The address of the page that freezes a customer's account. The token is in the fragment, which no server receives. */
export function freezeUrl(publicUrl: string, customerId: string, codeKey: Key): string {
  return `${publicUrl}/freeze-account#${makeFreezeToken(customerId, codeKey)}`;
}

/** Uses a token up. Returns its customer, and whether the token was used before; undefined if it is forged or has expired. */
export async function useFreezeToken(
  tx: Tx,
  token: string,
  codeKey: Key,
): Promise<{ customerId: string; wasUsed: boolean } | undefined> {
  const bytes = Buffer.from(token, 'base64url');
  const [ids, signature] = [bytes.subarray(0, 2 * idBytes), bytes.subarray(2 * idBytes)];
  if (!isHmac(linkKey(codeKey), ids, signature, signatureBytes)) return undefined;
  const [customerId, linkId] = [toId(ids.subarray(0, idBytes)), toId(ids.subarray(idBytes))];
  const madeAt = new Date(ids.readUIntBE(idBytes, 6));
  const found = await sql<{ customerId: string; wasUsed: boolean }>`
    WITH link AS (SELECT ${linkId}::uuid AS id, ${customerId}::uuid AS customer_id
                   WHERE ${madeAt}::timestamptz > now() - make_interval(days => ${freezeLink.days})),
         used AS (INSERT INTO used_freeze_links (id, customer_id) SELECT id, customer_id FROM link
                      ON CONFLICT (id) DO NOTHING RETURNING id)
    SELECT customer_id AS "customerId", NOT EXISTS (SELECT FROM used) AS "wasUsed" FROM link`.execute(tx);
  return found.rows[0];
}
