/**
 * The focus after a dialog closes: on the button that opened it, or on `target` if saving takes that button away. Call
 * `openerGoes` before closing in that case.
 */
import { type RefObject, useRef } from 'react';

export function useFinalFocus(target: RefObject<HTMLElement | null>) {
  const goes = useRef(false);
  return {
    finalFocus: () => (goes.current && target.current) || true,
    openerGoes: () => {
      goes.current = true;
    },
  };
}
