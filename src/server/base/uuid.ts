/** Ids of the product: UUIDv7 (RFC 9562), so that they sort by the time they were made, also within a millisecond. */
import { v7 } from 'uuid';

/** A new id, as lower-case text. */
export function newId(): string {
  return v7();
}
