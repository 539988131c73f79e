/**
 * Whether the page has come alive. Prerendered pages know nothing of the visitor, so whatever depends on the browser
 * (session, storage, clock) is rendered only once this says true; otherwise the first render would not match the page.
 */
import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False while a page is prerendered and during hydration, true from the render right after it. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
