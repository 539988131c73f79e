/**
 * Whether this browser hides the customer's amounts from onlookers. The choice lasts across reloads and logins, and all tabs
 * follow it. Without storage it lasts as long as the page.
 */
import { useSyncExternalStore } from 'react';

const storedAs = 'amountsHidden';
const listeners = new Set<() => void>();
let isHidden: boolean | undefined;

function read(): boolean {
  try {
    return localStorage.getItem(storedAs) !== null;
  } catch {
    return false;
  }
}

function change(hidden: boolean): void {
  isHidden = hidden;
  for (const listener of listeners) listener();
}

export function hideAmounts(hidden: boolean): void {
  change(hidden);
  try {
    if (hidden) localStorage.setItem(storedAs, 'yes');
    else localStorage.removeItem(storedAs);
  } catch {
    // Without storage, the choice lasts until the page is reloaded.
  }
}

function subscribe(listener: () => void): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key === storedAs || key === null) change(read());
  };
  listeners.add(listener);
  addEventListener('storage', follow);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', follow);
  };
}

/** Whether amounts are hidden. Rerenders on every change; false during prerendering. */
export function useAmountsHidden(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => {
      isHidden ??= read();
      return isHidden;
    },
    () => false,
  );
}
