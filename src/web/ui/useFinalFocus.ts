/**
 * Where the focus goes after a dialog closes: to the button that opened it, or to `target` if that button is gone. Call
 * `openerGoes` before closing if the button is about to disappear because of what was saved.
 */
import { type RefObject, useRef, useState } from 'react';

export function useFinalFocus(target: RefObject<HTMLElement | null>) {
  const [opener] = useState(() => document.activeElement);
  const goes = useRef(false);
  return {
    finalFocus: () => ((goes.current || !opener?.isConnected) && target.current) || true,
    openerGoes: () => {
      goes.current = true;
    },
  };
}
