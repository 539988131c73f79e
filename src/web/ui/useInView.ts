/** A ref for an element that scrolls into view once `isShown` is truthy, and again when `isShown` or `again` changes. */
import { type RefObject, useEffect, useRef } from 'react';

export function useInView(isShown: unknown, again?: unknown): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `again` can move the element
  useEffect(() => {
    if (isShown) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown, again]);
  return place;
}
