/** Routes, and which of them a path opens. */
import type { ComponentType, ReactNode } from 'react';

/**
 * A route. `path` is relative to the parent's; a segment `:name` is a parameter, and `*` matches every path. A route that has
 * neither `path` nor `index` is a frame around its children. The first route that matches wins, so a more specific path comes
 * first.
 */
export type RouteObject = {
  path?: string;
  /** Matches exactly the parent's path. */
  index?: true;
  Component?: ComponentType;
  element?: ReactNode;
  /** Fetches the component on first use. It is then stored in `Component`. */
  lazy?: () => Promise<ComponentType>;
  /** Shown instead of this route and everything in it when a part of it fails, until the next navigation. */
  ErrorBoundary?: ComponentType;
  /** The app's own data about the route. */
  handle?: unknown;
  children?: RouteObject[];
};

export type Params = Readonly<Record<string, string | undefined>>;

/** The open routes from the outermost to the innermost, and the parameters of all of them. */
export type Matched = { readonly routes: readonly RouteObject[]; readonly params: Params };

const split = (path: string): string[] => path.split('/').filter(part => part !== '');

/** Decodes a part of a URL; invalid percent-encoding stays as is. */
export function decodePart(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Matches a route's path with the first segments. Returns the remaining segments and the parameters, or undefined. */
function readPath(path: string, segments: readonly string[], params: Params) {
  if (path === '*') return { rest: [], found: params };
  const wanted = split(path);
  if (wanted.length > segments.length) return undefined;
  const found = { ...params };
  for (const [place, part] of wanted.entries()) {
    const given = segments[place]!;
    if (part.startsWith(':')) found[part.slice(1)] = given;
    else if (part.toLowerCase() !== given.toLowerCase()) return undefined;
  }
  return { rest: segments.slice(wanted.length), found };
}

function matchIn(
  routes: readonly RouteObject[],
  segments: readonly string[],
  params: Params,
): Matched | undefined {
  for (const route of routes) {
    const read =
      route.path === undefined ? { rest: segments, found: params } : readPath(route.path, segments, params);
    if (!read) continue;
    const inner = route.children && matchIn(route.children, read.rest, read.found);
    if (inner) return { routes: [route, ...inner.routes], params: inner.params };
    const isEnd = read.rest.length === 0 && (route.index || route.path !== undefined);
    if (isEnd) return { routes: [route], params: read.found };
  }
  return undefined;
}

/** The routes that a path opens; none if no route matches. Case and slashes at the end make no difference. */
export function matchRoutes(routes: readonly RouteObject[], pathname: string): Matched {
  return matchIn(routes, split(pathname).map(decodePart), {}) ?? { routes: [], params: {} };
}

const pending = (routes: readonly RouteObject[]) => routes.filter(route => route.lazy);

/** Whether a component of the matched routes is still to be fetched. */
export const isWaiting = ({ routes }: Matched): boolean => pending(routes).length > 0;

/** Fetches the components of the matched routes and sets them. Rejects if one cannot be fetched. */
export async function fetchRoutes({ routes }: Matched): Promise<void> {
  await Promise.all(
    pending(routes).map(async route => {
      route.Component = await route.lazy!();
      delete route.lazy;
    }),
  );
}

/** Starts fetching the components of a path that the user is about to open. The navigation itself handles failures. */
export function prefetchRoutes(routes: readonly RouteObject[], pathname: string): void {
  for (const { lazy } of pending(matchRoutes(routes, pathname).routes)) lazy!().catch(() => {});
}
