/**
 * Screens that are loaded when they are needed. A route names its source file too, so that the build can put the
 * screen's own styles into its prerendered page; loading one early is what keeps hydration and navigation free of a flash.
 */
import type { ComponentType } from 'react';
import { matchRoutes, type RouteObject } from 'react-router';

/** What the browser's tab and search engines are told about a page. */
export type PageInfo = { title: string; description?: string };

/** What this app keeps in a route's `handle`. `source` is relative to src/web. */
export type RouteHandle = { page?: PageInfo; source?: string };

/** The parts of a route whose component is fetched on first use. */
export function lazyScreen(source: string, load: () => Promise<ComponentType>, page?: PageInfo) {
  return { lazy: { Component: load }, handle: { source, ...(page && { page }) } satisfies RouteHandle };
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
