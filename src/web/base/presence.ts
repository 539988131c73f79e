/**
 * Whether a user is logged in. Public pages need only this, so they read it from browser storage and do not load the store.
 * Once the store is loaded, only the store changes it (`watchSessions.ts`).
 */
import { useSyncExternalStore } from 'react';
import { dropKeptPress } from './keptPress.ts';
import { readStored, writeStored } from './sessionStorage.ts';

/** `isApproved`: there is a customer whose account is approved. */
export type Presence = { readonly customer: boolean; readonly admin: boolean; readonly isApproved?: boolean };

const noPresence: Presence = { customer: false, admin: false };
const listeners = new Set<() => void>();
let presence: Presence | undefined;
let storeSays = false;

const read = (): Presence => {
  const user = readStored('user');
  return {
    customer: user !== null,
    admin: readStored('admin') !== null,
    isApproved: user?.isApproved === true,
  };
};

/**
 * Sets the attributes by which `shared.css` hides links that are not for this visitor. Before the first paint, the script in
 * the page's head sets the same attributes.
 */
function markPage(next: Presence): Presence {
  document.documentElement.toggleAttribute('data-customer', next.customer);
  document.documentElement.toggleAttribute('data-admin', next.admin);
  return next;
}

function change(next: Presence): void {
  const { customer, admin, isApproved } = presence ?? {};
  if (customer === next.customer && admin === next.admin && isApproved === next.isApproved) return;
  presence = markPage(next);
  for (const listener of listeners) listener();
}

/** Sets who is logged in. Only the store calls this. */
export function setPresence(next: Presence): void {
  storeSays = true;
  change(next);
}

/**
 * Ends every session of this browser. Called if the store cannot be fetched. On the server the sessions end when
 * they have been idle for too long or their tokens expire.
 */
export function removeSessions(): void {
  writeStored('user', null);
  writeStored('admin', null);
  dropKeptPress();
  change(noPresence);
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

/** Who is logged in, updated on every change; no one during prerendering and hydration. */
export function usePresence(): Presence {
  return useSyncExternalStore(
    subscribe,
    () => {
      presence ??= markPage(read());
      return presence;
    },
    () => noPresence,
  );
}
