/** Rate limits: how often each key may do something in a fixed window of time. Counted in this process alone. */
import { Refusal } from '#contract/errors.ts';

/** So many times in so many seconds. */
export type Quota = { readonly times: number; readonly seconds: number };

export type RateLimit = {
  /** How often `key` may still do it in its window. */
  left(key: string): number;
  /** Throws `TOO_MANY`, with the seconds until the window ends, where nothing is left. Counts nothing. */
  check(key: string): void;
  /**
   * Counts one use, also beyond the quota.
   * @returns a function that takes the use back, in the window in which it was counted and in no later one
   */
  count(key: string): () => void;
  /** `check`, then `count`. */
  spend(key: string): () => void;
};

/** Opens a rate limit, all unspent. A key's window begins with its first use; a key without a window takes no memory. */
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

/** Opens a rate limit for each of some named quotas. */
export function openRateLimits<Name extends string>(
  quotas: Readonly<Record<Name, Quota>>,
): Readonly<Record<Name, RateLimit>> {
  const opened = Object.entries<Quota>(quotas).map(([name, quota]) => [name, openRateLimit(quota)]);
  return Object.fromEntries(opened) as Record<Name, RateLimit>;
}
