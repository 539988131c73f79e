/** The browser's session history as the router sees it: locations with a state and a key, and how to move between them. */

export type Location = {
  readonly pathname: string;
  /** Includes the question mark; empty if there is no query. */
  readonly search: string;
  /** Includes the number sign; empty if there is no hash. */
  readonly hash: string;
  /** What the navigation stored in the history entry. The browser keeps it across reloads. */
  readonly state: unknown;
  /** Identifies the history entry. */
  readonly key: string;
};

/** A target: a URL, or its parts. Without a path, the target has the current path. */
export type To = string | { pathname?: string; search?: string; hash?: string };

/** What a navigation does: adds a history entry, overwrites the current one, or shows the one that the browser moved to. */
export type HistoryAction = 'push' | 'replace' | 'pop';

export type AppHistory = {
  current(): Location;
  write(location: Location, replace: boolean): void;
  /** Moves by `delta` entries; `listen` reports the arrival. */
  go(delta: number): void;
  /** Reports each move with its distance, which is undefined if the browser itself added the entry (a link to an anchor). */
  listen(onPop: (delta: number | undefined) => void): () => void;
};

export const pathOf = ({ pathname, search, hash }: Omit<Location, 'state' | 'key'>): string =>
  pathname + search + hash;

/** Whether two locations differ in the hash at most. */
export const isSamePage = (a: Location, b: Location): boolean =>
  a.pathname + a.search === b.pathname + b.search;

/** Resolves a target against the current location. */
export function resolveTo(to: To, from: Location): Omit<Location, 'state' | 'key'> {
  const [, path = '', query = '', anchor = ''] =
    typeof to === 'string' ? (/^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(to) ?? []) : [];
  const wanted = typeof to === 'string' ? { pathname: path, search: query, hash: anchor } : to;
  const { pathname, search = '', hash = '' } = wanted;
  return {
    pathname: pathname || from.pathname,
    search: search === '' || search === '?' ? '' : search.startsWith('?') ? search : `?${search}`,
    hash: hash === '#' ? '' : hash,
  };
}

export const makeKey = (): string => Math.random().toString(36).slice(2, 10);

/** What the router keeps in an entry: the navigation's state, the key, and the place in the history. */
type Entry = { usr?: unknown; key?: string; idx?: number } | null;

/** The history of this browser tab. */
export function openBrowserHistory(): AppHistory {
  const entry = () => history.state as Entry;
  let index = entry()?.idx ?? 0;
  // Every entry gets a key of its own, even the first of each page load: scroll positions are kept by key.
  const adopt = () => history.replaceState({ ...entry(), key: makeKey(), idx: index }, '');
  if (entry()?.key === undefined) adopt();
  return {
    current: () => ({
      pathname: location.pathname,
      search: location.search,
      hash: location.hash,
      state: entry()?.usr ?? null,
      key: entry()?.key ?? '',
    }),
    write(next, replace) {
      if (!replace) index += 1;
      const written: Entry = { usr: next.state, key: next.key, idx: index };
      history[replace ? 'replaceState' : 'pushState'](written, '', pathOf(next));
    },
    go: delta => history.go(delta),
    listen(onPop) {
      const arrived = () => {
        const before = index;
        const known = entry()?.idx;
        index = known ?? before + 1;
        if (known === undefined) adopt();
        onPop(known === undefined ? undefined : index - before);
      };
      addEventListener('popstate', arrived);
      return () => removeEventListener('popstate', arrived);
    },
  };
}

/** A history in memory, for prerendering and tests. The last entry is the current one. */
export function openMemoryHistory(
  entries: readonly (To | { pathname: string; state?: unknown })[],
): AppHistory {
  const blank: Location = { pathname: '/', search: '', hash: '', state: null, key: 'default' };
  const all: Location[] = entries.map(to => ({
    ...blank,
    ...resolveTo(to, blank),
    state: (typeof to === 'object' && 'state' in to && to.state) || null,
    key: makeKey(),
  }));
  let index = all.length - 1;
  const listeners = new Set<(delta: number) => void>();
  return {
    current: () => all[index]!,
    write(next, replace) {
      if (!replace) index += 1;
      all.splice(index, replace ? 1 : all.length, next);
    },
    go(delta) {
      const before = index;
      index = Math.min(Math.max(index + delta, 0), all.length - 1);
      for (const listener of listeners) listener(index - before);
    },
    listen(onPop) {
      listeners.add(onPop);
      return () => listeners.delete(onPop);
    },
  };
}
