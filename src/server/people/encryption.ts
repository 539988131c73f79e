/** Authenticated encryption of small secrets at rest: AES-256-GCM (NIST SP 800-38D), prefixed with the key's number. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** The number of the current key. A new key gets the next number; data encrypted with the old one stays readable. */
const currentKey = 1;
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts `text`. It decrypts only with the same `key` and the same `owner`, which is authenticated as AAD. */
export function encrypt(key: Uint8Array, owner: string, text: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(owner));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(currentKey), nonce, cipher.getAuthTag(), body]);
}

/** The data was encrypted with another key, for another owner, or was changed. */
export class DecryptionFailed extends Error {}

/** Decrypts the result of `encrypt`. Throws `DecryptionFailed` if key, owner or any bit differs. */
export function decrypt(key: Uint8Array, owner: string, encrypted: Uint8Array): string {
  if (encrypted[0] !== currentKey)
    throw new DecryptionFailed(`Encrypted with the unknown key ${encrypted[0]}.`);
  const nonce = encrypted.subarray(1, 1 + nonceBytes);
  const tag = encrypted.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(tag);
  const body = encrypted.subarray(1 + nonceBytes + tagBytes);
  const text = decipher.update(body);
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch (error) {
    throw new DecryptionFailed('Encrypted with another key or for another owner, or changed.', {
      cause: error,
    });
  }
}
