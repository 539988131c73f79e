/**
 * The token in the link "This wasn't me" of the welcome mail: the customer's id with a keyed hash (HMAC). It is stored nowhere.
 * Until when it works is decided by the registration itself: see `jobs/registrations.ts`.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const idBytes = 16;

const keyFrom = (codeKey: Uint8Array) =>
  new Uint8Array(hkdfSync('sha256', codeKey, 'larkspur-bank', 'links that remove a registration', 32));

const sign = (id: Uint8Array, codeKey: Uint8Array) =>
  createHmac('sha256', keyFrom(codeKey)).update(id).digest();

/** The token for a customer, 64 characters of base64url. */
export function makeRemovalToken(customerId: string, codeKey: Uint8Array): string {
  const id = Buffer.from(customerId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, sign(id, codeKey)]).toString('base64url');
}

/** The customer's id in a token; undefined if this server did not make the token. */
export function readRemovalToken(token: string, codeKey: Uint8Array): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  const [id, signature] = [bytes.subarray(0, idBytes), bytes.subarray(idBytes)];
  const expected = sign(id, codeKey);
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
