/** A dialog that a button of the screen opens. A mail or a notification can link to it with its name as a query parameter. */
import { useState } from 'react';
import { useSearchParams } from '#web/router/hooks.ts';

export function useLinkedDialog(name: string) {
  const [isPressed, setIsPressed] = useState(false);
  const [address, setAddress] = useSearchParams();
  const isLinked = address.has(name);
  return {
    isOpen: isPressed || isLinked,
    open: () => setIsPressed(true),
    close: () => {
      setIsPressed(false);
      if (isLinked) setAddress('', { replace: true, preventScrollReset: true });
    },
  };
}
