/** Whether this browser hides the customer's amounts from onlookers. The choice lasts across reloads and logins. */
import { useSyncExternalStore } from 'react';
import { storedText } from './storedText.ts';

const stored = storedText('amountsHidden');

export const hideAmounts = (hidden: boolean) => stored.write(hidden ? 'yes' : null);

/** Whether amounts are hidden. Rerenders on every change; false during prerendering. */
export const useAmountsHidden = () =>
  useSyncExternalStore(
    stored.subscribe,
    () => stored.read() !== null,
    () => false,
  );
