/**
 * The token in the link "This wasn't me" of the welcome mail: the customer's id with a keyed hash (HMAC). It is not stored. The
 * state of the registration decides how long it works: see `jobs/registrations.ts`.
 */
import { deriveKey, hmac, isHmac, type Key } from '../base/keys.ts';
import { idToBytes, toId } from '../base/uuid.ts';

const idBytes = 16;

const linkKey = (codeKey: Key) => deriveKey(codeKey, 'links that remove a registration');

/** The token for a customer, 64 characters of base64url. */
export function makeRemovalToken(customerId: string, codeKey: Key): string {
  const id = idToBytes(customerId);
  return Buffer.concat([id, hmac(linkKey(codeKey), id)]).toString('base64url');
}

/** The customer's id in a token; undefined if the bank did not make the token. */
export function readRemovalToken(token: string, codeKey: Key): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  const [id, signature] = [bytes.subarray(0, idBytes), bytes.subarray(idBytes)];
  return isHmac(linkKey(codeKey), id, signature) ? toId(id) : undefined;
}
