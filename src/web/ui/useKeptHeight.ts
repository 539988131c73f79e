/**
 * A place that grows with what is said in it and does not shrink again, so that nothing moves under whoever mends what was
 * wrong. In a window of another width, where everything has moved anyway, it begins anew.
 */
import { type DependencyList, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** The ref of such a place. It is measured when one of the things `said` changes. */
export function useKeptHeight<E extends HTMLElement>(said: DependencyList): RefObject<E | null> {
  const place = useRef<E>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is said decides how high it is
  useLayoutEffect(() => keepHeight(place.current), said);
  useEffect(() => {
    let width = innerWidth;
    const turn = () => {
      // A phone's keyboard changes the height only.
      if (innerWidth === width) return;
      width = innerWidth;
      place.current?.style.removeProperty('min-height');
      keepHeight(place.current);
    };
    addEventListener('resize', turn);
    return () => removeEventListener('resize', turn);
  }, []);
  return place;
}

function keepHeight(place: HTMLElement | null): void {
  if (place?.offsetHeight) place.style.minHeight = `${place.offsetHeight}px`;
}
