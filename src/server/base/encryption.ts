/**
 * Authenticated encryption at rest: AES-256-GCM (NIST SP 800-38D). The result consists of one byte for the format, the id of
 * the key version, nonce, tag, and the encrypted data.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Key, keyIdBytes, versionOf } from './keys.ts';

const format = 2;
export const algorithm = 'aes-256-gcm';
export const nonceBytes = 12;
export const tagBytes = 16;
const bodyAt = 1 + keyIdBytes + nonceBytes + tagBytes;

/**
 * Encrypts with the current version of `key`. The result decrypts only with that version and the same `owner`, which is
 * authenticated as AAD.
 */
export function encrypt([{ id, bytes }]: Key, owner: string, data: Uint8Array | string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, bytes, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(owner));
  const body = Buffer.concat([cipher.update(Buffer.from(data)), cipher.final()]);
  return Buffer.concat([Buffer.of(format), Buffer.from(id, 'hex'), nonce, cipher.getAuthTag(), body]);
}

/** The data was encrypted with another key, for another owner, or was changed. */
export class DecryptionFailed extends Error {}

/** The data is whole as far as one can see, but names no version of the key: it was encrypted with another one. */
export class OtherKey extends DecryptionFailed {}

/** The id of the key version with which the data was encrypted. */
const keyIdIn = (encrypted: Uint8Array): string =>
  Buffer.from(encrypted.subarray(1, 1 + keyIdBytes)).toString('hex');

/** Whether the data names a version of the key. If it does not, it was encrypted with another key, or is damaged. */
export const isOfKey = (key: Key, encrypted: Uint8Array): boolean =>
  versionOf(key, keyIdIn(encrypted)) !== undefined;

/** Whether the data was encrypted with the current version of the key. */
export const isCurrent = ([{ id }]: Key, encrypted: Uint8Array): boolean => keyIdIn(encrypted) === id;

/**
 * Decrypts the result of `encrypt`. Throws `DecryptionFailed` if key, owner or any bit differs; for another key, `OtherKey`.
 */
export function decryptBytes(key: Key, owner: string, encrypted: Uint8Array): Buffer {
  if (encrypted[0] !== format || encrypted.length < bodyAt)
    throw new DecryptionFailed('Not encrypted data, or not all of it.');
  const version = versionOf(key, keyIdIn(encrypted));
  if (!version) throw new OtherKey(`Encrypted with the unknown key ${keyIdIn(encrypted)}.`);
  const nonce = encrypted.subarray(1 + keyIdBytes, 1 + keyIdBytes + nonceBytes);
  const decipher = createDecipheriv(algorithm, version, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(encrypted.subarray(1 + keyIdBytes + nonceBytes, bodyAt));
  const data = decipher.update(encrypted.subarray(bodyAt));
  try {
    return Buffer.concat([data, decipher.final()]);
  } catch (error) {
    throw new DecryptionFailed('Encrypted with another key or for another owner, or changed.', {
      cause: error,
    });
  }
}

/** `decryptBytes` for data that is a text. */
export const decrypt = (key: Key, owner: string, encrypted: Uint8Array): string =>
  decryptBytes(key, owner, encrypted).toString('utf8');

/** Re-encrypts data of any key version with the current version. Throws `DecryptionFailed` as `decryptBytes` does. */
export const encryptAgain = (key: Key, owner: string, encrypted: Uint8Array): Buffer =>
  encrypt(key, owner, decryptBytes(key, owner, encrypted));
