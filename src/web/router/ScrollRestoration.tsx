/**
 * Scrolls after a navigation: to the history entry's earlier position, to the anchor, or to the top. After a reload, the
 * browser itself restores the position.
 */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { isSamePage, type Location } from './history.ts';
import { useRouter, useRouterState } from './hooks.ts';
import { decodePart } from './matching.ts';
import type { RouterState } from './router.ts';

const storedAs = 'scrollPositions';

/** The element that the location's hash names: empty without a hash, null if it is not in the page. */
const anchorOf = ({ hash }: Location) => hash && document.getElementById(decodePart(hash.slice(1)));

function scrollFor({ location, scroll }: RouterState): void {
  const anchor = anchorOf(location);
  if (anchor && scroll === 'top') anchor.scrollIntoView();
  else if (scroll !== undefined) scrollTo(0, scroll === 'top' ? 0 : scroll);
}

export function ScrollRestoration() {
  const router = useRouter();
  const state = useRouterState();
  /** The last location to which the page was scrolled. */
  const done = useRef(state.location);
  useEffect(() => {
    const takeOver = () => {
      history.scrollRestoration = 'manual';
    };
    const release = () => {
      history.scrollRestoration = 'auto';
      router.positions.set(router.state.location.key, scrollY);
      try {
        sessionStorage.setItem(storedAs, JSON.stringify([...router.positions]));
      } catch {
        // Without storage, positions are lost with a reload.
      }
    };
    try {
      const stored = JSON.parse(sessionStorage.getItem(storedAs) ?? '[]') as [string, number][];
      for (const [key, position] of stored) router.positions.set(key, position);
    } catch {
      // Without storage, or with unreadable content, there are no positions yet.
    }
    takeOver();
    addEventListener('pageshow', takeOver);
    addEventListener('pagehide', release);
    return () => {
      history.scrollRestoration = 'auto';
      removeEventListener('pageshow', takeOver);
      removeEventListener('pagehide', release);
    };
  }, [router]);
  const scrollOnce = (next: RouterState) => {
    if (next.location !== done.current) scrollFor(next);
    done.current = next.location;
  };
  useEffect(() =>
    // A move within the page doesn't wait for React, which may be waiting for the script of a part of the page.
    router.subscribe(() => {
      const { location } = router.state;
      if (isSamePage(location, state.location) && anchorOf(location) !== null) scrollOnce(router.state);
    }),
  );
  useLayoutEffect(() => scrollOnce(state));
  return null;
}
