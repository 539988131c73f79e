/**
 * The browser's offer to install the bank as an app, and whether the customer closed the hint about it. iPhones and iPads make
 * no offer: there the customer adds the page by hand.
 */
import { useSyncExternalStore } from 'react';
import { kept } from './installEvent.ts';

const closedAs = 'installHintClosed';
let isClosed = false;

function removeOffer(): void {
  kept.offer = undefined;
  kept.onChange?.();
}

/** Opens the browser's own dialog. An offer can open it only once. */
export function install(): void {
  void kept.offer?.prompt();
  removeOffer();
}

export function closeInstallHint(): void {
  isClosed = true;
  try {
    localStorage.setItem(closedAs, 'yes');
  } catch {
    // Without storage, the offer stays closed until the page is reloaded.
  }
  removeOffer();
}

function wasClosed(): boolean {
  try {
    return isClosed || localStorage.getItem(closedAs) !== null;
  } catch {
    return false;
  }
}

/** How the customer can install the bank; undefined if unknown, if the hint was closed, or if the bank runs as an app. */
function findWay(): 'offer' | 'byHand' | undefined {
  if (wasClosed()) return undefined;
  if (kept.offer) return 'offer';
  // `standalone` is true in an app on the Home Screen. Only Apple's touch devices have this property.
  return 'standalone' in navigator && navigator.standalone === false ? 'byHand' : undefined;
}

function subscribe(listener: () => void): () => void {
  kept.onChange = listener;
  addEventListener('appinstalled', removeOffer);
  return () => {
    delete kept.onChange;
    removeEventListener('appinstalled', removeOffer);
  };
}

export const useInstallOffer = () => useSyncExternalStore(subscribe, findWay);
