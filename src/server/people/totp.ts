/** Time-based one-time passwords: RFC 6238 with parameters that every authenticator app supports (SHA-1, 6 digits, 30 s). */
import { createHmac, randomBytes } from 'node:crypto';
import { bank, totp as rule } from '#contract/constants.ts';
import { isSameHash } from '../base/keys.ts';

/** The key length that RFC 4226 recommends for SHA-1. */
const secretBytes = 20;
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const generateSecret = (): Buffer => randomBytes(secretBytes);

/** Base32 (RFC 4648) without padding: the form in which apps accept a typed secret. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map(five => base32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** The URI in the QR code, in the format of authenticator apps. `account` is what the app shows below the bank's name. */
export function makeUri(secret: Uint8Array, account: string): string {
  const query = new URLSearchParams({ secret: toBase32(secret), issuer: bank.name });
  // Apps show a plus sign as a plus sign, so spaces are encoded as `%20`.
  return `otpauth://totp/${encodeURIComponent(`${bank.name}:${account}`)}?${query.toString().replaceAll('+', '%20')}`;
}

/** The code of one time step (RFC 4226, section 5.3). */
export function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE(digest[digest.length - 1]! & 0x0f) & 0x7fff_ffff;
  return String(number % 10 ** rule.digits).padStart(rule.digits, '0');
}

/**
 * The newest time step that has this code, around `seconds` (Unix time); undefined if there is none. A step next to the current
 * one also counts, because clocks differ. Every candidate is compared, in constant time.
 */
export function findStep(secret: Uint8Array, code: string, seconds: number): number | undefined {
  const current = Math.floor(seconds / rule.stepSeconds);
  let found: number | undefined;
  for (let step = current - rule.stepsAside; step <= current + rule.stepsAside; step++) {
    if (isSameHash(Buffer.from(code), Buffer.from(codeOf(secret, step)))) found = step;
  }
  return found;
}
