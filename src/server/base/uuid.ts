/** The product's ids: UUIDv7 (RFC 9562). They sort by creation time. Ids of one process do so even within a millisecond. */
import { hash, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Sorts before every id. */
export const nilId = '00000000-0000-0000-0000-000000000000';

/** Random bytes are read in large blocks: a system call for every id would cost more than everything else in `newId`. */
const pool = new Uint8Array(4096);
let used = pool.length;
let last = { msecs: 0, seq: 0 };

/** Returns a new id of 36 lowercase characters. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + 16);
  used += 16;
  const now = Date.now();
  // The counter starts below 2^31, so it does not overflow within a millisecond.
  const start = ((random[6]! & 0x7f) << 24) | (random[7]! << 16) | (random[8]! << 8) | random[9]!;
  last = now > last.msecs ? { msecs: now, seq: start } : { msecs: last.msecs, seq: last.seq + 1 };
  return v7({ random, ...last });
}

/** The lowest id of a millisecond: ids of earlier milliseconds sort before it. */
export const firstIdAt = (time: Date): string =>
  toId(`${time.getTime().toString(16).padStart(12, '0')}70008`.padEnd(32, '0'));

/** The 16 bytes of an id. */
export const idToBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/** The id with these 16 bytes or 32 hexadecimal digits. */
export function toId(bytes: Buffer | string): string {
  const hex = typeof bytes === 'string' ? bytes : bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** 128 bits of SHA-256 over the JSON of `parts`, in the form of an id, so that PostgreSQL stores it as `uuid`. */
export function fingerprint(...parts: (string | null)[]): string {
  return toId(hash('sha256', JSON.stringify(parts)).slice(0, 32));
}
