/**
 * A place that grows with what is said in it and does not shrink while somebody mends what was wrong, so that nothing moves
 * under the hand. It begins anew where everything moves anyway: when its form is sent, and in a window of another width.
 */
import { type DependencyList, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** The ref of such a place. It is measured when one of the things `said` changes. */
export function useKeptHeight<E extends HTMLElement>(said: DependencyList): RefObject<E | null> {
  const place = useRef<E>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is said decides how high it is
  useLayoutEffect(() => keepHeight(place.current), said);
  useEffect(() => {
    let width = innerWidth;
    const beginAnew = () => {
      place.current?.style.removeProperty('min-height');
      keepHeight(place.current);
    };
    const turn = () => {
      // A phone's keyboard changes the height only.
      if (innerWidth === width) return;
      width = innerWidth;
      beginAnew();
    };
    // As soon as the form has said what it makes of the press.
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
