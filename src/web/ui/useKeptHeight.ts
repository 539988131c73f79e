/**
 * Keeps the height of an element for messages. It grows with its content but does not shrink while the user fixes an error, so
 * that nothing moves while typing. It resets when its form is sent and when the window's width changes.
 */
import { type DependencyList, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** Returns the element's ref. The element is measured whenever a value in `said` changes. */
export function useKeptHeight<E extends HTMLElement>(said: DependencyList): RefObject<E | null> {
  const place = useRef<E>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height changes only with the content in `said`
  useLayoutEffect(() => keepHeight(place.current), said);
  useEffect(() => {
    let width = innerWidth;
    const beginAnew = () => {
      place.current?.style.removeProperty('min-height');
      keepHeight(place.current);
    };
    const turn = () => {
      // A phone's keyboard changes only the height.
      if (innerWidth === width) return;
      width = innerWidth;
      beginAnew();
    };
    // Waits until the form has rendered the result of the submit.
    const sent = () => requestAnimationFrame(beginAnew);
    const form = place.current?.closest('form');
    addEventListener('resize', turn);
    form?.addEventListener('submit', sent);
    return () => {
      removeEventListener('resize', turn);
      form?.removeEventListener('submit', sent);
    };
  }, []);
  return place;
}

function keepHeight(place: HTMLElement | null): void {
  if (place?.offsetHeight) place.style.minHeight = `${place.offsetHeight}px`;
}
