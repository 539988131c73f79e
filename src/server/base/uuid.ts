/** The product's ids: UUIDv7 (RFC 9562). They sort by creation time, even within a millisecond. */
import { v7 } from 'uuid';

/** Sorts before every id. */
export const nilId = '00000000-0000-0000-0000-000000000000';

/** Returns a new id of 36 lowercase characters. */
export function newId(): string {
  return v7();
}
