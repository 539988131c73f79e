/**
 * Lazily loaded screens. A screen's module exports only the screen, named like its file. The build uses that name to find the
 * styles and files of a prerendered page. A screen is loaded before it is rendered, so hydration and navigation do not flash.
 */
import { type ComponentType, createElement } from 'react';

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
 * afterward: components by name, other files by their path in src/web. In a prerendered page, the styles of `later` are in the
 * element that the screen renders with the attribute `data-later-styles`.
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
  const lazy = async () => {
    const [name, Screen] = await loadScreen(load);
    handle.fetched = [name];
    return Screen;
  };
  return { lazy, handle };
}

/** A public page: its title and props are fetched together with its screen, so that other pages do not contain them. */
export function lazyPage<Props extends object>(
  load: Load<Props>,
  about: () => Promise<{ page: PageInfo; props?: Props }>,
  { files = [], later = [] }: { files?: readonly string[]; later?: readonly string[] } = {},
) {
  const handle: RouteHandle = { later };
  const lazy = async () => {
    const [[name, Screen], { page, props }] = await Promise.all([loadScreen(load), about()]);
    Object.assign(handle, { page, fetched: [name, ...files] });
    return () => createElement(Screen, props);
  };
  return { lazy, handle };
}
