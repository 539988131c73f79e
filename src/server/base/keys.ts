/** Keys derived from one secret, each for one purpose (HKDF, RFC 5869), and the comparison of keyed hashes. */
import { hkdfSync, timingSafeEqual } from 'node:crypto';

/** The key for a purpose. It has 32 bytes and tells nothing about the secret or the other keys. */
export function deriveKey(secret: Uint8Array | string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, 'larkspur-bank', purpose, 32));
}

/** Whether two hashes are the same, in constant time. A hash of another length is not. */
export function isSameHash(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
