/**
 * The browser's offer to install the bank as an app, and whether the customer closed the hint about it. iPhones and iPads make
 * no offer: there the customer adds the page by hand.
 */
import { useSyncExternalStore } from 'react';
import { kept } from './installEvent.ts';
import { storedText } from './storedText.ts';

const closed = storedText('installHintClosed');

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
  closed.write('yes');
  removeOffer();
}

/** How the customer can install the bank; undefined if unknown, if the hint was closed, or if the bank runs as an app. */
function findWay(): 'offer' | 'byHand' | undefined {
  if (closed.read() !== null) return undefined;
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
