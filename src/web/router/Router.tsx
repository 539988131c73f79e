/** The router in React: the matched routes, nested, and the hooks and components that read and change the location. */
import {
  Component,
  type ComponentProps,
  createContext,
  createElement,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { type Location, pathOf, resolveTo, type To } from './history.ts';
import { decodePart, type Params } from './matching.ts';
import type { AppRouter, NavigateOptions, RouterState, ShouldBlock } from './router.ts';

const RouterContext = createContext<AppRouter | undefined>(undefined);
const StateContext = createContext<RouterState | undefined>(undefined);
const LocationContext = createContext<Location | undefined>(undefined);
const OutletContext = createContext<ReactNode>(null);

function useInside<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('This part of the page is outside of a RouterProvider');
  return value;
}
const useRouter = () => useInside(useContext(RouterContext));
const useRouterState = () => useInside(useContext(StateContext));

type BoundaryProps = { location: Location; failed: boolean; instead: ReactNode; children: ReactNode };

type BoundaryState = { shown?: Location; isBroken: boolean };

/** Shows `instead` after its children have failed, until the next navigation. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { isBroken: false };
  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { isBroken: true };
  }
  static getDerivedStateFromProps({ location }: BoundaryProps, { shown }: BoundaryState) {
    return shown === location ? null : { shown: location, isBroken: false };
  }
  override componentDidCatch(error: unknown): void {
    console.error(error);
  }
  override render(): ReactNode {
    return this.props.failed || this.state.isBroken ? this.props.instead : this.props.children;
  }
}

function nest({ matched, location, failed }: RouterState): ReactNode {
  let outlet: ReactNode = null;
  for (const { Component: Screen, element, ErrorBoundary } of matched.routes.toReversed()) {
    const screen = Screen ? <Screen /> : (element ?? outlet);
    const inside: ReactNode = <OutletContext value={outlet}>{screen}</OutletContext>;
    outlet = ErrorBoundary ? (
      <Boundary location={location} failed={failed} instead={<ErrorBoundary />}>
        {inside}
      </Boundary>
    ) : (
      inside
    );
  }
  return outlet;
}

/** Shows the routes of the router's location; with `children`, those instead. */
export function RouterProvider({ router, children }: { router: AppRouter; children?: ReactNode }) {
  const [state, setState] = useState(router.state);
  useLayoutEffect(() => {
    // A transition, so that the old screen stays while a part of the new one suspends.
    const follow = () => startTransition(() => setState(router.state));
    const stopListening = router.subscribe(follow);
    const stop = router.start();
    follow();
    return () => {
      stopListening();
      stop();
    };
  }, [router]);
  const screens = useMemo(() => nest(state), [state]);
  return (
    <RouterContext value={router}>
      <StateContext value={state}>
        <LocationContext value={state.location}>{children ?? screens}</LocationContext>
      </StateContext>
    </RouterContext>
  );
}

/** Where a route shows the matched one of its children. */
export function Outlet() {
  return useContext(OutletContext);
}

export const useLocation = (): Location => useInside(useContext(LocationContext));
export const useParams = (): Params => useRouterState().matched.params;

/** Whether a navigation is fetching its screen. */
export const useIsNavigating = (): boolean => useRouterState().isLoading;

/** The handles of the open routes, from the outermost to the innermost. */
export const useHandles = (): unknown[] => useRouterState().matched.routes.map(({ handle }) => handle);

/** The function that opens a target; it stays the same for the life of the page. */
export const useNavigate = (): AppRouter['navigate'] => useRouter().navigate;

type Query = URLSearchParams | Readonly<Record<string, string>>;

/** The query string of the location, and a function that navigates to another one on the same path. */
export function useSearchParams(): [
  URLSearchParams,
  (next: Query | string, options?: NavigateOptions) => void,
] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const change = useCallback(
    (next: Query | string, options?: NavigateOptions) =>
      void navigate({ search: String(new URLSearchParams(next as Record<string, string>)) }, options),
    [navigate],
  );
  return [useMemo(() => new URLSearchParams(search), [search]), change];
}

/** Holds navigations for which `shouldBlock` is true, and returns the held one. One per screen. */
export function useBlocker(shouldBlock: ShouldBlock): RouterState['blocked'] {
  const router = useRouter();
  useEffect(() => router.setBlocker(shouldBlock), [router, shouldBlock]);
  useEffect(() => () => router.setBlocker(undefined), [router]);
  return useRouterState().blocked;
}

/** Navigates as soon as it is rendered. */
export function Navigate({ to, replace, state }: { to: To; replace?: boolean; state?: unknown }) {
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with what it was rendered with first
  useEffect(() => void navigate(to, { replace, state }), []);
  return null;
}

export type LinkProps = { to: To } & NavigateOptions & Omit<ComponentProps<'a'>, 'href'>;

/** A link to a route. The browser handles a click with a modifier key, another button or another target. */
export function Link({ to, replace, state, preventScrollReset, onClick, ...native }: LinkProps) {
  const location = useLocation();
  const navigate = useNavigate();
  const href = pathOf(resolveTo(to, location));
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const { metaKey, altKey, ctrlKey, shiftKey, button } = event;
    if (event.defaultPrevented || button !== 0 || metaKey || altKey || ctrlKey || shiftKey) return;
    if (native.target && native.target !== '_self') return;
    event.preventDefault();
    // A link to the page that is open adds no history entry.
    void navigate(to, { replace: replace ?? href === pathOf(location), state, preventScrollReset });
  };
  return createElement('a', { ...native, href, onClick: follow });
}

/** A link that is marked as the current page: on its path and below it, with `end` only on exactly its path. */
export function NavLink({ end = false, ...link }: LinkProps & { end?: boolean }) {
  const location = useLocation();
  const trim = (path: string) => path.toLowerCase().replace(/\/+$/, '');
  const here = trim(location.pathname);
  const there = trim(resolveTo(link.to, location).pathname);
  const isCurrent = here === there || (!end && here.startsWith(`${there}/`));
  return <Link {...link} aria-current={isCurrent ? 'page' : undefined} />;
}

const storedAs = 'scrollPositions';

/** Scrolls after a navigation: to the entry's earlier position, to the anchor, or to the top. A reload is the browser's task. */
export function ScrollRestoration() {
  const router = useRouter();
  const { location, scroll } = useRouterState();
  useEffect(() => {
    const takeOver = () => {
      history.scrollRestoration = 'manual';
    };
    const release = () => {
      history.scrollRestoration = 'auto';
      router.positions.set(router.state.location.key, scrollY);
      try {
        sessionStorage.setItem(storedAs, JSON.stringify([...router.positions]));
      } catch {
        // Without storage, positions are lost with a reload.
      }
    };
    try {
      const stored = JSON.parse(sessionStorage.getItem(storedAs) ?? '[]') as [string, number][];
      for (const [key, position] of stored) router.positions.set(key, position);
    } catch {
      // Nothing was stored.
    }
    takeOver();
    addEventListener('pageshow', takeOver);
    addEventListener('pagehide', release);
    return () => {
      history.scrollRestoration = 'auto';
      removeEventListener('pageshow', takeOver);
      removeEventListener('pagehide', release);
    };
  }, [router]);
  useLayoutEffect(() => {
    const anchor = location.hash && document.getElementById(decodePart(location.hash.slice(1)));
    // Newer browsers return a promise here, which an effect must not return.
    if (typeof scroll === 'number') void scrollTo(0, scroll);
    else if (scroll === 'top' && anchor) void anchor.scrollIntoView();
    else if (scroll === 'top') void scrollTo(0, 0);
  }, [location, scroll]);
  return null;
}
