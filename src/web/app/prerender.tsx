/**
 * The build's entry: renders public paths, the shell that application paths start from, and the offline page to HTML. Runs in
 * Node at build time, never in the browser.
 */
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import { openMemoryHistory } from '#web/router/history.ts';
import { fetchRoutes, matchRoutes, type RouteObject } from '#web/router/matching.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createRouter } from '#web/router/router.ts';
import { publicPages } from './publicPages.tsx';
import { authPages, offlineRoutes, routes, shellRoutes } from './routes.tsx';
import type { PageInfo, RouteHandle } from './screens.ts';

const fixedPath = ({ path, index }: RouteObject) => (index ? '/' : (path ?? ''));

export const prerenderedPaths: readonly string[] = [
  ...publicPages.map(fixedPath),
  ...authPages.map(fixedPath),
  '/404',
];

/**
 * A rendered page: the contents of `<head>` and of the root, the page's metadata for search engines, and its chunks: `fetched`
 * and `later`, as in `RouteHandle`.
 */
export type RenderedPage = {
  head: string;
  body: string;
  fetched: string[];
  later: string[];
  page: PageInfo | undefined;
};

/** Renders a public path. Rejects if a screen fails. */
export function renderPage(path: string): Promise<RenderedPage> {
  return render(routes, path);
}

/** Renders the placeholder of an application path until its screen is loaded: the slim top bar and 'Please wait'. */
export function renderShell(): Promise<RenderedPage> {
  return render(shellRoutes, '/dashboard');
}

/** Renders the page that the service worker shows without a connection, with the slim top bar. */
export function renderOffline(): Promise<RenderedPage> {
  return render(offlineRoutes, '/dashboard');
}

async function render(from: RouteObject[], path: string): Promise<RenderedPage> {
  const matched = matchRoutes(from, path);
  await fetchRoutes(matched);
  const { prelude } = await prerender(
    <StrictMode>
      <RouterProvider router={createRouter(from, openMemoryHistory([path]))} />
    </StrictMode>,
    {
      // Renders whole pages. Streamed parts would need an inline script that puts them in place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        throw error;
      },
    },
  );
  const html = await new Response(prelude as ReadableStream).text();
  // React writes the page's title and description first; they belong in the document's head.
  const head = /^(?:<title>.*?<\/title>|<meta [^>]*>|<link [^>]*>)*/s.exec(html)?.[0] ?? '';
  const handles = matched.routes.map(({ handle }) => handle as RouteHandle | undefined);
  return {
    head: head.replace(/<link rel="preload" as="image"[^>]*>/g, ''),
    body: html.slice(head.length),
    fetched: handles.flatMap(handle => handle?.fetched ?? []),
    later: handles.flatMap(handle => handle?.later ?? []),
    page: handles.findLast(handle => handle?.page)?.page,
  };
}
