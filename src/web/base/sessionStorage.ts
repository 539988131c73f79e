/**
 * The fields of a session that browser storage keeps, under `user` and `admin`. Anything unreadable, incomplete or expired
 * counts as logged out. Works without storage too (private modes may refuse it).
 */
import type { LoggedInCustomer } from '#contract/auth.ts';
import type { Administrator } from '#contract/entities.ts';
import { isExpired } from './token.ts';

const kept = {
  user: ['_id', 'firstName', 'lastName', 'email', 'avatar', 'accountNumber', 'isApproved', 'token'],
  admin: ['_id', 'email', 'name', 'token'],
} as const satisfies { user: (keyof LoggedInCustomer)[]; admin: (keyof Administrator)[] };

/** The types of the kept fields that are not texts. A field of another type would break the pages that show it. */
const typesOf: Partial<Record<string, string>> = { avatar: 'object', isApproved: 'boolean' };

/** The stored fields of a customer's session. */
export type StoredCustomer = Pick<LoggedInCustomer, (typeof kept.user)[number]>;
export type Stored = { user: StoredCustomer; admin: Administrator };
export type StorageKey = keyof Stored;

/** The text to store for a session, or null for none. */
export function toText<K extends StorageKey>(key: K, session: Stored[K] | null): string | null {
  if (!session) return null;
  const fields = kept[key] as readonly (keyof Stored[K])[];
  return JSON.stringify(Object.fromEntries(fields.map(field => [field, session[field]])));
}

/** The session in a stored text. */
export function fromText<K extends StorageKey>(key: K, text: string | null): Stored[K] | null {
  try {
    const value = JSON.parse(text ?? 'null') as Record<string, unknown> | null;
    const isKept = (field: string) =>
      value?.[field] !== null && typeof value?.[field] === (typesOf[field] ?? 'string');
    if (!value || !kept[key].every(isKept)) return null;
    if (typeof value.token !== 'string' || isExpired(value.token)) return null;
    return Object.fromEntries(kept[key].map(field => [field, value[field]])) as Stored[K];
  } catch {
    return null;
  }
}

export function readStored<K extends StorageKey>(key: K): Stored[K] | null {
  if (typeof window === 'undefined') return null;
  try {
    return fromText(key, localStorage.getItem(key));
  } catch {
    return null;
  }
}

export function writeStored(key: StorageKey, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Without storage the session lives only in this tab's memory.
  }
}
