/**
 * Lazily loaded screens. A screen's module exports only the screen, named like its file; by that name the build finds the
 * styles and files of a prerendered page. Loading a screen early keeps hydration and navigation free of a flash.
 */
import { type ComponentType, createElement } from 'react';
import { matchRoutes, type RouteObject } from 'react-router';

/**
 * A page's metadata for the browser tab, search engines and social networks. `card` names a picture in `public/cards`,
 * `facts` is schema.org data (without URLs; the build adds them).
 */
export type PageInfo = {
  title: string;
  description?: string;
  card?: string;
  facts?: Readonly<Record<string, unknown>>;
};

/**
 * What this app stores in a route's `handle`. `fetched` lists what the route has fetched, `later` what its screen fetches
 * afterwards: components by name, other files by their path in src/web. The prerendered page puts the styles of `later` where
 * the screen renders `data-later-styles`.
 */
export type RouteHandle = { page?: PageInfo; fetched?: readonly string[]; later?: readonly string[] };

type Load<Props> = () => Promise<Record<string, ComponentType<Props>>>;

async function loadScreen<Props>(load: Load<Props>): Promise<[name: string, ComponentType<Props>]> {
  const [screen] = Object.entries(await load());
  return screen!;
}

/** The properties of a route whose screen is fetched on first use. */
export function lazyScreen(load: Load<object>, page?: PageInfo) {
  const handle: RouteHandle = { ...(page && { page }) };
  const Component = async () => {
    const [name, Screen] = await loadScreen(load);
    handle.fetched = [name];
    return Screen;
  };
  return { lazy: { Component }, handle };
}

/** A public page: its title and the screen's props are fetched with it, so that other pages do not carry them. */
export function lazyPage<Props extends object>(
  load: Load<Props>,
  about: () => Promise<{ page: PageInfo; props?: Props }>,
  { files = [], later = [] }: { files?: readonly string[]; later?: readonly string[] } = {},
) {
  const handle: RouteHandle = { later };
  const Component = async () => {
    const [[name, Screen], { page, props }] = await Promise.all([loadScreen(load), about()]);
    Object.assign(handle, { page, fetched: [name, ...files] });
    return () => createElement(Screen, props);
  };
  return { lazy: { Component }, handle };
}

function pendingLoads(routes: RouteObject[], pathname: string) {
  return (matchRoutes(routes, pathname) ?? []).flatMap(({ route }) =>
    typeof route.lazy === 'object' && route.lazy.Component ? [{ route, load: route.lazy.Component }] : [],
  );
}

/**
 * Loads every lazy screen of a path into its route, so that the first render already has it. Call it before creating the
 * router: otherwise React would hydrate the router's fallback instead of the page that is on the screen.
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

/** Starts fetching the screens of a path the user is about to open. The navigation itself handles failures. */
export function prefetchScreens(routes: RouteObject[], pathname: string): void {
  for (const { load } of pendingLoads(routes, pathname)) Promise.resolve(load()).catch(() => {});
}
