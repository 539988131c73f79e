/**
 * The router without React: which location is shown, and how a navigation changes it. A navigation first fetches the screens it
 * needs, while the old screen stays. A blocker can hold it until the user has decided. The scroll position of every history
 * entry is kept, so that Back returns to it.
 */
import {
  type AppHistory,
  type HistoryAction,
  type Location,
  makeKey,
  resolveTo,
  type To,
} from './history.ts';
import { fetchRoutes, isWaiting, type Matched, matchRoutes, type RouteObject } from './matching.ts';

export type NavigateOptions = {
  replace?: boolean | undefined;
  /** Stored in the history entry. */
  state?: unknown;
  /** Keeps the scroll position. */
  preventScrollReset?: boolean | undefined;
  /** Opens the target without asking the blocker. */
  ignoreBlocker?: boolean | undefined;
};

/** Whether leaving `from` for `to` must be confirmed first. */
export type ShouldBlock = (from: Location, to: Location) => boolean;

/** A navigation that waits for the user's decision. */
export type Blocked = { proceed: () => void; reset: () => void };

export type RouterState = {
  readonly location: Location;
  readonly matched: Matched;
  /** A navigation is fetching its screen. */
  readonly isLoading: boolean;
  readonly blocked: Blocked | undefined;
  /** The screens of this location could not be fetched. */
  readonly failed: boolean;
  /** Where the page scrolls to: a position in pixels, the top (or the anchor), or (undefined) nowhere. */
  readonly scroll: number | 'top' | undefined;
};

export type AppRouter = ReturnType<typeof createRouter>;

/**
 * Creates a router at the history's current location. The screens of that location are fetched already, or fetching them
 * `failed`.
 */
export function createRouter(routes: readonly RouteObject[], history: AppHistory, failed = false) {
  const first = history.current();
  let state: RouterState = {
    location: first,
    matched: matchRoutes(routes, first.pathname),
    isLoading: false,
    blocked: undefined,
    failed,
    scroll: undefined,
  };
  const listeners = new Set<() => void>();
  const update = (changed: Partial<RouterState>) => {
    state = { ...state, ...changed };
    for (const listener of listeners) listener();
  };

  let shouldBlock: ShouldBlock | undefined;
  /**
   * `isConfirmed`: a confirmed Back or Forward is under way. `isReverting`: the next event comes from undoing a blocked Back or
   * Forward; ignore it.
   */
  let isConfirmed = false;
  let isReverting = false;
  const block = (proceed: () => void) => {
    update({ blocked: { proceed, reset: () => update({ blocked: undefined }) } });
  };

  const positions = new Map<string, number>();
  let latest: object | undefined;
  const open = async (location: Location, action: HistoryAction, stayPut = false): Promise<void> => {
    const attempt = {};
    latest = attempt;
    if (state.blocked) update({ blocked: undefined });
    if (typeof scrollY === 'number') positions.set(state.location.key, scrollY);
    const matched = matchRoutes(routes, location.pathname);
    let failed = false;
    if (isWaiting(matched)) {
      update({ isLoading: true });
      await fetchRoutes(matched).catch((error: unknown) => {
        failed = true;
        console.error(error);
      });
      // Another navigation began in the meantime.
      if (latest !== attempt) return;
    }
    if (action !== 'pop') history.write(location, action === 'replace');
    const scroll = positions.get(location.key) ?? (stayPut ? undefined : 'top');
    update({ location, matched, isLoading: false, blocked: undefined, failed, scroll });
  };

  const start = () =>
    history.listen(delta => {
      if (isReverting) {
        isReverting = false;
        return;
      }
      const location = history.current();
      if (delta && !isConfirmed && shouldBlock?.(state.location, location)) {
        isReverting = true;
        history.go(-delta);
        return block(() => {
          isConfirmed = true;
          history.go(delta);
        });
      }
      isConfirmed = false;
      // The browser has already scrolled to the anchor of an entry that it added itself.
      void open(location, 'pop', delta === undefined);
    });

  return {
    get state() {
      return state;
    },
    positions,
    /** Follows Back and Forward until the returned function is called. */
    start,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Sets or removes the blocker; without one, no navigation waits for a decision. */
    setBlocker(next: ShouldBlock | undefined): void {
      shouldBlock = next;
      if (!next && state.blocked) update({ blocked: undefined });
    },
    /**
     * Opens a target, or moves by a number of history entries. Resolves once the target is shown or another navigation has
     * replaced this one. Resolves immediately if this one is blocked or moves by entries.
     */
    navigate: async (to: To | number, options: NavigateOptions = {}): Promise<void> => {
      if (typeof to === 'number') return history.go(to);
      const location = {
        ...resolveTo(to, state.location),
        state: options.state ?? null,
        key: makeKey(),
      };
      const proceed = () => open(location, options.replace ? 'replace' : 'push', options.preventScrollReset);
      if (!options.ignoreBlocker && shouldBlock?.(state.location, location))
        return block(() => void proceed());
      await proceed();
    },
  };
}
