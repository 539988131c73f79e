/**
 * A ref for a button that may disappear while it has the focus, such as "Pause" of a transfer that ends. The focus then goes to
 * `target`, not to the start of the page.
 */
import { type RefObject, useCallback } from 'react';

export function useGoneFocus(target: RefObject<HTMLElement | null>) {
  // React runs the cleanup of a ref before it removes the element.
  return useCallback(
    (button: HTMLButtonElement | null) => () => {
      if (button && document.activeElement === button) target.current?.focus({ preventScroll: true });
    },
    [target],
  );
}
