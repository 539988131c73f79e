/** Debounces a value, so that typing or paging quickly sends one request instead of many. */
import { useEffect, useState } from 'react';

/**
 * Returns `value` once it has not changed for `delayMs`; returns the first value immediately. Memoize objects: the hook
 * compares by identity.
 */
export function useSettled<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
