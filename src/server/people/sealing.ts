/** Authenticated encryption of small secrets at rest: AES-256-GCM (NIST SP 800-38D), the key's number in front. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** The number of the key in use. A later key gets the next number; the old one then still opens what it sealed. */
const currentKey = 1;
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts `text` so that it opens only with the same `key` and the same `belongsTo`. */
export function seal(key: Uint8Array, belongsTo: string, text: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(belongsTo));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(currentKey), nonce, cipher.getAuthTag(), body]);
}

/** Something that was sealed with another key or for somebody else, or changed since. */
export class NotSealedSo extends Error {}

/** What was sealed. Throws `NotSealedSo` where key, owner or a single bit differ. */
export function unseal(key: Uint8Array, belongsTo: string, sealed: Uint8Array): string {
  if (sealed[0] !== currentKey) throw new NotSealedSo(`Sealed with the unknown key ${sealed[0]}.`);
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(belongsTo));
  decipher.setAuthTag(tag);
  const body = sealed.subarray(1 + nonceBytes + tagBytes);
  const text = decipher.update(body);
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch (error) {
    throw new NotSealedSo('Sealed with another key, for somebody else, or changed.', { cause: error });
  }
}
