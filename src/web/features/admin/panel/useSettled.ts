/** A value once it has stood still: what a person types or flips through becomes one request instead of many. */
import { useEffect, useState } from 'react';

/** `value` after it has not changed for `delayMs`; the first one at once. Keep the value's identity (memo) while it is the same. */
export function useSettled<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
