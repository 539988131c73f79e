/**
 * Keys that are derived from the bank's secrets (HKDF, RFC 5869), one for each purpose. A key has a version for each secret:
 * the current version signs and encrypts, former versions only verify and decrypt.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** A version of a key: the id of the secret from which the version was derived, and 32 bytes. */
export type KeyVersion = { readonly id: string; readonly bytes: Uint8Array };

/** A key that can be rotated. */
export type Key = readonly [current: KeyVersion, ...former: KeyVersion[]];

/** Length of an id in bytes; as text it has twice as many hexadecimal digits. */
export const keyIdBytes = 8;

const derive = (secret: Uint8Array | string, purpose: string) =>
  new Uint8Array(hkdfSync('sha256', secret, 'larkspur-bank', purpose, 32));

/** The id of a secret. It names the secret without revealing anything about it. */
export const keyIdOf = (secret: Uint8Array | string): string =>
  Buffer.from(derive(secret, 'id of the secret').subarray(0, keyIdBytes)).toString('hex');

/** A key whose bytes are used directly, without a derivation. It has one version. */
export const toKey = (bytes: Uint8Array): Key => [{ id: keyIdOf(bytes), bytes }];

/** The key for a purpose, with a version for each secret. It reveals nothing about secrets or keys for other purposes. */
export function makeKey([current, ...former]: readonly [string, ...string[]], purpose: string): Key {
  const version = (secret: string) => ({ id: keyIdOf(secret), bytes: derive(secret, purpose) });
  return [version(current), ...former.map(version)];
}

/** The key for a narrower purpose. Its versions have the ids of the versions from which they are derived. */
export function deriveKey([current, ...former]: Key, purpose: string): Key {
  const version = ({ id, bytes }: KeyVersion) => ({ id, bytes: derive(bytes, purpose) });
  return [version(current), ...former.map(version)];
}

/** The version with this id; undefined if the key has none, for example because its secret was dropped. */
export const versionOf = (key: Key, id: string): Uint8Array | undefined =>
  key.find(version => version.id === id)?.bytes;

/** An HMAC with the current version. */
export const hmac = ([{ bytes }]: Key, text: Uint8Array | string): Buffer =>
  createHmac('sha256', bytes).update(text).digest();

/** Whether any version of the key makes this HMAC of the text, in constant time. `bytes`: the length of the truncated HMAC. */
export function isHmac(key: Key, text: Uint8Array | string, given: Uint8Array, bytes = 32): boolean {
  const made = key.map(version => hmac([version], text).subarray(0, bytes));
  return made.map(expected => isSameHash(given, expected)).includes(true);
}

/** Whether two hashes are the same, in constant time. Hashes of different lengths are never the same. */
export function isSameHash(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
