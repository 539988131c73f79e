/**
 * Screens that are loaded when they are needed. A route names its source file too, so that the build can put the
 * screen's own styles into its prerendered page; loading one early is what keeps hydration and navigation free of a flash.
 */
import type { ComponentType } from 'react';
import { matchRoutes, type RouteObject } from 'react-router';

/**
 * What the browser's tab, search engines and social networks are told about a page. `card` names a picture in
 * `public/cards`, `facts` are schema.org's (without addresses; the build adds them).
 */
export type PageInfo = {
  title: string;
  description?: string;
  card?: string;
  facts?: Readonly<Record<string, unknown>>;
};

/**
 * What this app keeps in a route's `handle`. Files are relative to src/web: `source` is what the route fetches, `later` what
 * its screen fetches afterwards; the finished page has their styles where the screen draws `data-later-styles`.
 */
export type RouteHandle = {
  page?: PageInfo;
  source?: string | readonly string[];
  later?: readonly string[];
};

/** The parts of a route whose component is fetched on first use. */
export function lazyScreen(source: string, load: () => Promise<ComponentType>, page?: PageInfo) {
  return { lazy: { Component: load }, handle: { source, ...(page && { page }) } satisfies RouteHandle };
}

/** A public page: it brings its title with it, so that no other page carries it. */
export function lazyPage(
  source: string | readonly string[],
  load: () => Promise<{ Component: ComponentType; page: PageInfo }>,
  later?: readonly string[],
) {
  const handle: RouteHandle = { source, ...(later && { later }) };
  const Component = async () => {
    const loaded = await load();
    handle.page = loaded.page;
    return loaded.Component;
  };
  return { lazy: { Component }, handle };
}

function pendingLoads(routes: RouteObject[], pathname: string) {
  return (matchRoutes(routes, pathname) ?? []).flatMap(({ route }) =>
    typeof route.lazy === 'object' && route.lazy.Component ? [{ route, load: route.lazy.Component }] : [],
  );
}

/**
 * Puts every lazy screen of a path into its route, so that the first render already has it. Call before the router
 * is made: without it React would hydrate the router's fallback instead of the page that is on the screen.
 */
export async function settleScreens(routes: RouteObject[], pathname: string): Promise<void> {
  await Promise.all(
    pendingLoads(routes, pathname).map(async ({ route, load }) => {
      const Component = (await load()) as ComponentType | undefined;
      delete route.lazy;
      if (Component) route.Component = Component;
    }),
  );
}

/** Starts fetching the screens of a path a person is about to open. Failures are left to the navigation itself. */
export function prefetchScreens(routes: RouteObject[], pathname: string): void {
  for (const { load } of pendingLoads(routes, pathname)) Promise.resolve(load()).catch(() => {});
}
