/**
 * Scrolls after a navigation: to the history entry's earlier position, to the anchor, or to the top. After a reload, the
 * browser itself restores the position.
 */
import { useEffect, useLayoutEffect } from 'react';
import { useRouter, useRouterState } from './hooks.ts';
import { decodePart } from './matching.ts';

const storedAs = 'scrollPositions';

export function ScrollRestoration() {
  const router = useRouter();
  const { location, scroll } = useRouterState();
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
  useLayoutEffect(() => {
    const anchor = location.hash && document.getElementById(decodePart(location.hash.slice(1)));
    if (typeof scroll === 'number') scrollTo(0, scroll);
    else if (scroll === 'top' && anchor) anchor.scrollIntoView();
    else if (scroll === 'top') scrollTo(0, 0);
  }, [location, scroll]);
  return null;
}
