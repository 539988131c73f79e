/** The width of the element with the returned ref, in whole pixels; `initial` until it is measured. */
import { type RefCallback, useCallback, useState } from 'react';

/** Below this width of a filter bar, in pixels, the whole hint does not fit into its search field. */
export const narrowBar = 480;

export function useWidth(initial: number): [number, RefCallback<HTMLElement>] {
  const [width, setWidth] = useState(initial);
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const read = () => {
      const { clientWidth } = element;
      if (clientWidth > 0) setWidth(clientWidth);
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [width, measure];
}
