/** The router's hooks: they read the location and the open routes, and change them. */
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { isSamePage, type Location } from './history.ts';
import type { Params } from './matching.ts';
import type { AppRouter, NavigateOptions, RouterState, ShouldBlock } from './router.ts';

export const RouterContext = createContext<AppRouter | undefined>(undefined);
export const StateContext = createContext<RouterState | undefined>(undefined);
export const LocationContext = createContext<Location | undefined>(undefined);
export const OutletContext = createContext<ReactNode>(null);

function useInside<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('This component is outside of a RouterProvider');
  return value;
}
export const useRouter = () => useInside(useContext(RouterContext));
export const useRouterState = () => useInside(useContext(StateContext));

export const useLocation = (): Location => useInside(useContext(LocationContext));
export const useParams = (): Params => useRouterState().matched.params;

/**
 * Whether a navigation to another page is fetching its screen, or its screen is not shown yet. Reads the router itself, because
 * the context follows in a transition, which waits for parts of the page that are not hydrated yet.
 */
export function useIsNavigating(): boolean {
  const router = useRouter();
  const read = () => router.state;
  const { isLoading, location } = useSyncExternalStore(router.subscribe, read, read);
  const shown = useLocation();
  return isLoading || !isSamePage(location, shown);
}

/** The handles of the open routes, from the outermost to the innermost. */
export const useHandles = (): unknown[] => useRouterState().matched.routes.map(({ handle }) => handle);

/** The function that opens a target; it stays the same for the life of the page. */
export const useNavigate = (): AppRouter['navigate'] => useRouter().navigate;

type Query = URLSearchParams | Readonly<Record<string, string>>;

/** The query string of the location, and a function that changes it without leaving the path. */
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

/** Blocks navigations for which `shouldBlock` returns true, and returns the blocked one. Use it at most once per screen. */
export function useBlocker(shouldBlock: ShouldBlock): RouterState['blocked'] {
  const router = useRouter();
  useEffect(() => router.setBlocker(shouldBlock), [router, shouldBlock]);
  useEffect(() => () => router.setBlocker(undefined), [router]);
  return useRouterState().blocked;
}
