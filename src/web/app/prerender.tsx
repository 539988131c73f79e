/**
 * The build's entry: turns a public path into HTML, and makes the shell that application paths start from.
 * Runs in Node at build time, never in the browser.
 */
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import {
  createStaticHandler,
  createStaticRouter,
  matchRoutes,
  type RouteObject,
  StaticRouterProvider,
} from 'react-router';
import { prerenderedPaths, routes, shellRoutes } from './routes.tsx';
import { type PageInfo, type RouteHandle, settleScreens } from './screens.ts';

export { prerenderedPaths };

/**
 * A rendered page: what goes into `<head>`, what goes into the root, what its routes have fetched and what its screen
 * fetches later (as `RouteHandle` names them), and what it tells search engines.
 */
export type RenderedPage = {
  head: string;
  body: string;
  fetched: string[];
  later: string[];
  page: PageInfo | undefined;
};

/** Renders a public path. Rejects when the path redirects or a screen fails. */
export function renderPage(path: string): Promise<RenderedPage> {
  return render(routes, path);
}

/** Renders what an application path shows until its screen is there: the slim top bar and 'Please wait'. */
export function renderShell(): Promise<RenderedPage> {
  return render(shellRoutes, '/dashboard');
}

async function render(from: RouteObject[], path: string): Promise<RenderedPage> {
  // A room that many pages share can be fetched by one handler only.
  await settleScreens(from, path);
  const handler = createStaticHandler(from);
  const context = await handler.query(new Request(`http://prerender${path}`));
  if (context instanceof Response) throw new Error(`${path} redirects; it cannot be prerendered`);
  // Otherwise the page would be finished, and say that it did not open.
  for (const error of Object.values(context.errors ?? {})) throw error;
  const router = createStaticRouter(handler.dataRoutes, context);
  const { prelude } = await prerender(
    <StrictMode>
      <StaticRouterProvider router={router} context={context} hydrate={false} />
    </StrictMode>,
    {
      // Whole pages at once: an outlined part would need an inline script to put it in its place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        throw error;
      },
    },
  );
  const html = await new Response(prelude as ReadableStream).text();
  // React writes the page's title and description first; they belong into the document's head.
  const head = /^(?:<title>.*?<\/title>|<meta [^>]*>|<link [^>]*>)*/s.exec(html)?.[0] ?? '';
  const handles = (matchRoutes(from, path) ?? []).map(({ route }) => route.handle as RouteHandle | undefined);
  return {
    head: head.replace(/<link rel="preload" as="image"[^>]*>/g, ''),
    body: html.slice(head.length),
    fetched: handles.flatMap(handle => handle?.fetched ?? []),
    later: handles.flatMap(handle => handle?.later ?? []),
    page: handles.findLast(handle => handle?.page)?.page,
  };
}
