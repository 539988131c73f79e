/**
 * Whether somebody is logged in, which is all that a public page asks: read from browser storage, so that such a page need not
 * carry the store. Where there is a store, it alone says so (`watchSessions.ts`).
 */
import { useSyncExternalStore } from 'react';
import { readStored } from './sessionStorage.ts';

export type Presence = { readonly customer: boolean; readonly admin: boolean };

const nobody: Presence = { customer: false, admin: false };
const listeners = new Set<() => void>();
let presence: Presence | undefined;
let storeSays = false;

const read = (): Presence => ({ customer: readStored('user') !== null, admin: readStored('admin') !== null });

function change(next: Presence): void {
  if (presence?.customer === next.customer && presence.admin === next.admin) return;
  presence = next;
  for (const listener of listeners) listener();
}

/** For the store alone: who is present from now on. */
export function notePresence(next: Presence): void {
  storeSays = true;
  change(next);
}

function subscribe(listener: () => void): () => void {
  const fromOtherTab = ({ key }: StorageEvent) => {
    if (!storeSays && (key === null || key === 'user' || key === 'admin')) change(read());
  };
  listeners.add(listener);
  addEventListener('storage', fromOtherTab);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', fromOtherTab);
  };
}

/** Who is present, now and after every change; nobody while a page is prerendered and hydrated. */
export function usePresence(): Presence {
  return useSyncExternalStore(
    subscribe,
    () => {
      presence ??= read();
      return presence;
    },
    () => nobody,
  );
}
