/**
 * The browser's offer to install the bank as an app, and whether the customer closed the hint about it. iPhones and iPads make
 * no offer: there the customer adds the page by hand.
 */
import { useSyncExternalStore } from 'react';

type InstallEvent = Event & { prompt(): Promise<unknown> };

const closedAs = 'installHintClosed';
const listeners = new Set<() => void>();
let offer: InstallEvent | undefined;
let isClosed = false;

function change(next: InstallEvent | undefined): void {
  offer = next;
  for (const listener of listeners) listener();
}

/** Called when a page starts, because the browser makes its offer only once. */
export function keepInstallOffer(): void {
  addEventListener('beforeinstallprompt', event => {
    // Otherwise some browsers show a bar of their own.
    event.preventDefault();
    change(event as InstallEvent);
  });
  addEventListener('appinstalled', () => change(undefined));
}

/** Opens the browser's own dialog, which an offer can do once. */
export function install(): void {
  void offer?.prompt();
  change(undefined);
}

export function closeInstallHint(): void {
  isClosed = true;
  try {
    localStorage.setItem(closedAs, 'yes');
  } catch {
    // Without storage it is closed as long as the page.
  }
  change(undefined);
}

function wasClosed(): boolean {
  try {
    return isClosed || localStorage.getItem(closedAs) !== null;
  } catch {
    return false;
  }
}

/** How the customer can install the bank on this device; undefined if that is unknown, or if it is open as an app. */
function findWay(): 'offer' | 'byHand' | undefined {
  if (wasClosed()) return undefined;
  if (offer) return 'offer';
  // True in an app on the Home Screen; only Apple's touch devices have it.
  return 'standalone' in navigator && navigator.standalone === false ? 'byHand' : undefined;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useInstallOffer = () => useSyncExternalStore(subscribe, findWay);
