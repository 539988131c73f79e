/**
 * Whether the page is hydrated. Prerendered pages know nothing about the visitor. So anything that depends on the browser
 * (session, storage, clock) must not render until this is true; otherwise the first render would not match the page.
 */
import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False during prerendering and hydration, true from the render right after it. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
