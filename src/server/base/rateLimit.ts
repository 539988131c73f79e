/** Fixed-window rate limits per key, counted per process. */
import { Refusal } from '#contract/errors.ts';

/** The number of uses that are allowed in a window of this many seconds. */
export type Quota = { readonly times: number; readonly seconds: number };

export type RateLimit = {
  /** Returns the remaining uses of `key` in its window. */
  left: (key: string) => number;
  /** Throws `TOO_MANY`, with the seconds until the window ends, if no use remains. Counts nothing. */
  check: (key: string) => void;
  /**
   * Counts one use, even beyond the quota.
   * @returns a function that refunds the use, in the window in which it was counted
   */
  count: (key: string) => () => void;
  /** `check`, then `count`. */
  spend: (key: string) => () => void;
};

/** Opens a rate limit. A key's window begins with its first use; a key without a window uses no memory. */
export function openRateLimit({ times, seconds }: Quota): RateLimit {
  const windows = new Map<string, { spent: number; endsAt: number }>();
  const left: RateLimit['left'] = key => times - (windows.get(key)?.spent ?? 0);
  const check: RateLimit['check'] = key => {
    if (left(key) > 0) return;
    const endsAt = windows.get(key)?.endsAt ?? 0;
    throw new Refusal('TOO_MANY', { waitTime: Math.max(1, Math.ceil((endsAt - performance.now()) / 1000)) });
  };
  const count: RateLimit['count'] = key => {
    let window = windows.get(key);
    if (!window) {
      window = { spent: 0, endsAt: performance.now() + seconds * 1000 };
      windows.set(key, window);
      setTimeout(() => windows.delete(key), seconds * 1000).unref();
    }
    const counted = window;
    counted.spent++;
    return () => {
      counted.spent--;
    };
  };
  return {
    left,
    check,
    count,
    spend(key) {
      check(key);
      return count(key);
    },
  };
}

/** Opens a rate limit for each named quota. */
export function openRateLimits<Name extends string>(
  quotas: Readonly<Record<Name, Quota>>,
): Readonly<Record<Name, RateLimit>> {
  const opened = Object.entries<Quota>(quotas).map(([name, quota]) => [name, openRateLimit(quota)]);
  return Object.fromEntries(opened) as Record<Name, RateLimit>;
}
