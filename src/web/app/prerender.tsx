/**
 * The build's entry: renders public paths to HTML, and the shell that application paths start from. Runs in Node at build
 * time, never in the browser.
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
 * A rendered page: the content of `<head>`, the content of the root, the chunks its routes have fetched and those its screen
 * fetches later (as `RouteHandle` names them), and its metadata for search engines.
 */
export type RenderedPage = {
  head: string;
  body: string;
  fetched: string[];
  later: string[];
  page: PageInfo | undefined;
};

/** Renders a public path. Rejects if the path redirects or a screen fails. */
export function renderPage(path: string): Promise<RenderedPage> {
  return render(routes, path);
}

/** Renders the placeholder of an application path until its screen is loaded: the slim top bar and 'Please wait'. */
export function renderShell(): Promise<RenderedPage> {
  return render(shellRoutes, '/dashboard');
}

async function render(from: RouteObject[], path: string): Promise<RenderedPage> {
  // One handler per path: a layout route that many pages share can be fetched by only one handler.
  await settleScreens(from, path);
  const handler = createStaticHandler(from);
  const context = await handler.query(new Request(`http://prerender${path}`));
  if (context instanceof Response) throw new Error(`${path} redirects; it cannot be prerendered`);
  // Otherwise the prerendered page would be the crash screen.
  for (const error of Object.values(context.errors ?? {})) throw error;
  const router = createStaticRouter(handler.dataRoutes, context);
  const { prelude } = await prerender(
    <StrictMode>
      <StaticRouterProvider router={router} context={context} hydrate={false} />
    </StrictMode>,
    {
      // Whole pages, not streamed parts: those would need an inline script to put them in place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        throw error;
      },
    },
  );
  const html = await new Response(prelude as ReadableStream).text();
  // React writes the page's title and description first; they belong in the document's head.
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
