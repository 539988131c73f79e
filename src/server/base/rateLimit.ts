/**
 * Fixed-window rate limits per key. The workers of one server count together: each worker counts its own uses at once, and
 * reports them to the others every tenth of a second. Different servers count separately.
 */
import { Refusal } from '#contract/errors.ts';
import { shareWithWorkers } from './workerChannel.ts';

/** The number of uses that are allowed in a window of this many seconds. */
export type Quota = { readonly times: number; readonly seconds: number };

export type RateLimit = {
  /** Returns the remaining uses of `key` in its window. */
  left: (key: string) => number;
  /** Throws `TOO_MANY`, with the seconds until the window ends, if no use remains. Counts nothing. */
  check: (key: string) => void;
  /**
   * Counts uses, by default one, even beyond the quota.
   * @returns a function that refunds them, in the window in which they were counted
   */
  count: (key: string, uses?: number) => () => void;
  /** `check`, then `count`. */
  spend: (key: string) => () => void;
};

type Window = { spent: number; endsAt: number };

/** Uses of a key that another worker counted. `leftMs`: the time until the key's window ends. */
type SharedUses = { key: string; uses: number; leftMs: number };

const shareEveryMs = 100;

/**
 * Opens a rate limit. A key's window begins with its first use; a key without a window uses no memory. With a `name`, which is
 * unique in the process, workers count together.
 */
export function openRateLimit({ times, seconds }: Quota, name?: string): RateLimit {
  const windows = new Map<string, Window>();
  const open = (key: string, leftMs: number): Window => {
    const window = { spent: 0, endsAt: performance.now() + leftMs };
    windows.set(key, window);
    setTimeout(() => windows.delete(key), leftMs).unref();
    return window;
  };
  const report = name === undefined ? undefined : shareUses(name, windows, open);
  const left: RateLimit['left'] = key => times - (windows.get(key)?.spent ?? 0);
  const check: RateLimit['check'] = key => {
    if (left(key) > 0) return;
    const endsAt = windows.get(key)?.endsAt ?? 0;
    throw new Refusal('TOO_MANY', { waitTime: Math.max(1, Math.ceil((endsAt - performance.now()) / 1000)) });
  };
  const count: RateLimit['count'] = (key, uses = 1) => {
    const counted = windows.get(key) ?? open(key, seconds * 1000);
    counted.spent += uses;
    report?.(key, uses);
    return () => {
      counted.spent -= uses;
      if (windows.get(key) === counted) report?.(key, -uses);
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

/**
 * Adds the uses that the other workers report to `windows`.
 * @returns a function that reports uses to the other workers (a negative number for a refund); undefined in a server with one
 * process
 */
function shareUses(
  name: string,
  windows: ReadonlyMap<string, Window>,
  open: (key: string, leftMs: number) => Window,
): ((key: string, uses: number) => void) | undefined {
  const send = shareWithWorkers<SharedUses[]>(`quota ${name}`, all => {
    for (const { key, uses, leftMs } of all) {
      const window = windows.get(key) ?? open(key, leftMs);
      window.spent = Math.max(0, window.spent + uses);
    }
  });
  if (!send) return undefined;
  const unsent = new Map<string, number>();
  return (key, uses) => {
    if (unsent.size === 0)
      setTimeout(() => {
        send(
          [...unsent].flatMap(([sent, count]) => {
            const window = windows.get(sent);
            return window && count !== 0
              ? { key: sent, uses: count, leftMs: window.endsAt - performance.now() }
              : [];
          }),
        );
        unsent.clear();
      }, shareEveryMs).unref();
    unsent.set(key, (unsent.get(key) ?? 0) + uses);
  };
}

/** Opens a rate limit for each named quota. */
export function openRateLimits<Name extends string>(
  quotas: Readonly<Record<Name, Quota>>,
): Readonly<Record<Name, RateLimit>> {
  const opened = Object.entries<Quota>(quotas).map(([name, quota]) => [name, openRateLimit(quota, name)]);
  return Object.fromEntries(opened) as Record<Name, RateLimit>;
}
