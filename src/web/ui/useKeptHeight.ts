/** A place that grows with what is said in it and never shrinks again, so that nothing moves under whoever mends what was wrong. */
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** The ref of such a place. */
export function useKeptHeight<E extends HTMLElement>(): RefObject<E | null> {
  const place = useRef<E>(null);
  const kept = useRef(0);
  useLayoutEffect(() => {
    const height = place.current?.offsetHeight ?? 0;
    if (!place.current || height <= kept.current) return;
    kept.current = height;
    place.current.style.minHeight = `${height}px`;
  });
  return place;
}
