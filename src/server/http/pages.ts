/** Serves the built web app: prerendered pages where there is one, the empty shell for the app's own paths, else 404. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { pagePolicy, readInlineHashes } from './headers.ts';
import { sendRefusal } from './refusal.ts';
import { plainPath } from './routedPath.ts';

/** Paths that the web app draws itself, behind a login. */
const shellPath = /^\/(dashboard|transfer|admin)(\/|$)/;
/** The component sheet, for developers. */
const sheetPath = /^\/dev\/components$/;
const addressedTypes: Record<string, string> = { xml: 'application/xml', txt: 'text/plain; charset=utf-8' };

export type BuiltWeb = {
  /** The folder the build wrote, holding `web/` and `csp.json`. */
  dist: string;
  isHttps: boolean;
  /** Whether pages for developers are shown; never in production. */
  isLocal: boolean;
  /** The origin that visitors use. */
  publicUrl: string;
};

/** Adds the pages and assets, and the answer for every path that nothing else serves. */
export async function servePages(app: FastifyInstance, web: BuiltWeb): Promise<void> {
  const { dist, isHttps, isLocal, publicUrl } = web;
  // The build that stands now: one made while the server runs has other names and hashes, and waits for the next start.
  const root = existsSync(join(dist, 'web')) ? realpathSync(join(dist, 'web')) : join(dist, 'web');
  const policy = pagePolicy(readInlineHashes(join(root, '../csp.json')), isHttps);
  const asPage = (reply: FastifyReply, isShell: boolean) =>
    reply
      .header('content-security-policy', policy)
      .header('cache-control', isShell ? 'no-store' : 'no-cache');

  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    index: ['index.html'],
    redirect: false,
    dotfiles: 'deny',
    // Only what the build wrote is a route; no path of the file system is ever made of a request.
    wildcard: false,
    setHeaders(reply, path) {
      if (path.includes('/assets/')) reply.header('cache-control', 'public, max-age=31536000, immutable');
      else if (/\.html(\.br|\.gz)?$/.test(path))
        asPage(reply as unknown as FastifyReply, /app\.html/.test(path));
      else reply.header('cache-control', 'no-cache');
    },
  });

  // Sitemap and robots.txt name the site's own origin, which only a running server knows.
  const addressed = join(root, '../addressed');
  for (const name of existsSync(addressed) ? readdirSync(addressed) : []) {
    const text = readFileSync(join(addressed, name), 'utf8').replaceAll('{origin}', publicUrl);
    const type = addressedTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain';
    app.get(`/${name}`, (_, reply) => reply.type(type).header('cache-control', 'no-cache').send(text));
  }

  const page = (reply: FastifyReply, file: string, status: number) => {
    if (!existsSync(join(root, file))) return sendRefusal(reply, new Refusal('NOT_FOUND'));
    return reply.code(status).sendFile(file);
  };

  app.setNotFoundHandler((request, reply) => {
    const path = plainPath(request.url);
    const wantsPage =
      (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|files|assets)(\/|$)/.test(path);
    if (!wantsPage) return sendRefusal(reply, new Refusal('NOT_FOUND'));
    if (/^(\/[a-z0-9-]+)+$/.test(path) && existsSync(join(root, path, 'index.html'))) {
      return page(reply, join(path, 'index.html').slice(1), 200);
    }
    if (shellPath.test(path) || (isLocal && sheetPath.test(path))) return page(reply, 'app.html', 200);
    return page(reply, '404.html', 404);
  });
}
