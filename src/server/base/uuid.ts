/** The product's ids: UUIDv7 (RFC 9562). They sort by creation time, even within a millisecond. */
import { hash } from 'node:crypto';
import { v7 } from 'uuid';

/** Sorts before every id. */
export const nilId = '00000000-0000-0000-0000-000000000000';

/** Returns a new id of 36 lowercase characters. */
export function newId(): string {
  return v7();
}

/** The 16 bytes of an id. */
export const idToBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/** The id that 16 bytes or 32 hexadecimal digits spell. */
export function toId(bytes: Buffer | string): string {
  const hex = typeof bytes === 'string' ? bytes : bytes.toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** 128 bits of SHA-256 over the JSON of `parts`, in the form of an id, so that PostgreSQL stores it as `uuid`. */
export function fingerprint(...parts: (string | null)[]): string {
  return toId(hash('sha256', JSON.stringify(parts)).slice(0, 32));
}
