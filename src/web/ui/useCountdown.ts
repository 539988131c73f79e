/**
 * Counts down the seconds to a point in time. It reads the clock, so a suspended tab shows the right second when it
 * resumes.
 */
import { useEffect, useState } from 'react';

const tickMs = 250;

/** Returns the whole seconds until `endsAtMs` (milliseconds since 1970), 0 once it has passed. */
export function useCountdown(endsAtMs: number): number {
  const [left, setLeft] = useState(() => secondsUntil(endsAtMs));

  useEffect(() => {
    const count = () => {
      const now = secondsUntil(endsAtMs);
      setLeft(now);
      if (now === 0) clearInterval(timer);
    };
    const timer = setInterval(count, tickMs);
    count();
    return () => clearInterval(timer);
  }, [endsAtMs]);

  return left;
}

function secondsUntil(endsAtMs: number): number {
  return Math.max(0, Math.ceil((endsAtMs - Date.now()) / 1000));
}
