/** While a transfer's answer is out, closing the page asks once: the key that finds the answer would be gone with it. */
import { useEffect } from 'react';

export function useAskBeforeLeaving(waiting: boolean): void {
  useEffect(() => {
    if (!waiting) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [waiting]);
}
