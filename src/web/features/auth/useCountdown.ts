/** Counts seconds down to zero. It goes by the clock, so a tab that slept shows the right second when it wakes. */
import { useEffect, useState } from 'react';

const tickMs = 250;

/** Counts from `seconds` as soon as it is used; `restart` begins again. `left` is in whole seconds, 0 when over. */
export function useCountdown(seconds: number): { left: number; restart: (seconds: number) => void } {
  const [endsAtMs, setEndsAtMs] = useState(() => Date.now() + seconds * 1000);
  const [left, setLeft] = useState(seconds);

  useEffect(() => {
    const count = () => {
      const now = Math.max(0, Math.ceil((endsAtMs - Date.now()) / 1000));
      setLeft(now);
      if (now === 0) clearInterval(timer);
    };
    const timer = setInterval(count, tickMs);
    count();
    return () => clearInterval(timer);
  }, [endsAtMs]);

  return { left, restart: next => setEndsAtMs(Date.now() + next * 1000) };
}
