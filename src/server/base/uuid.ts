/** The ids of the product: UUIDv7 (RFC 9562). They sort by the time at which they were made, also within a millisecond. */
import { v7 } from 'uuid';

/** A new id, as 36 lower-case characters. */
export function newId(): string {
  return v7();
}
