/** The idempotency key of a press: a new one each time, the former one only for the same credit whose answer was lost. */

export type PressedKey = { key: string; said: string };

/**
 * The key for a press that says `said` (the request's body as text). `lost` is the press whose answer never came, if
 * there is one.
 */
export function nextKey(lost: PressedKey | undefined, said: string): PressedKey {
  return lost?.said === said ? lost : { key: crypto.randomUUID(), said };
}
