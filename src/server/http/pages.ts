/** Serves the built web app: prerendered pages, the empty shell for paths that the app renders itself, and 404 otherwise. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { type InlineHashes, pagePolicy, workerPolicy } from './headers.ts';
import { openOriginFiles } from './originFiles.ts';
import { policyReportsPath } from './policyReports.ts';
import { sendRefusal } from './refusal.ts';
import { plainPath } from './routedPath.ts';

/** Paths that the web app renders itself, behind a login. */
const shellPath = /^\/(dashboard|transfer|admin)(\/|$)/;
/** The component overview, for developers. */
const sheetPath = /^\/dev\/components$/;
/** The page that is served for the paths above. */
const shell = 'app.html';

/** Browser caching: hashed files forever, icons and the web app manifest for a day. Everything else is revalidated. */
const cacheControl: readonly (readonly [RegExp, string])[] = [
  [/^assets\b/, 'public, max-age=31536000, immutable'],
  [/^(favicon|apple-touch-icon|icon-|badge|site\.webmanifest)/, 'public, max-age=86400'],
];

/** The service worker's script and its compressed copies. */
const workerScript = /^service-worker\.js/;

/** This server cannot serve the build. The message is written for the operator. */
class IncompatibleBuild extends Error {}

export type BuiltWeb = {
  /** The folder that contains `web` or a link to it. `csp.json` is next to the real `web` folder. */
  dist: string;
  isHttps: boolean;
  /** Whether pages for developers are served; never in production. */
  isLocal: boolean;
  /** The origin that visitors use. */
  publicUrl: string;
  /** What the footer and the Coverage page say about deposit insurance. */
  insuranceNotice: string;
  routingNumber: string;
};

/** Adds the pages, the assets and the handler for unknown paths. Throws `IncompatibleBuild` if the build has another format. */
export async function servePages(app: FastifyInstance, web: BuiltWeb): Promise<void> {
  const { dist, isHttps, isLocal, publicUrl } = web;
  // Resolves the link once. A build that is made while the server runs has other names and hashes and is used after the next
  // start.
  const root = existsSync(join(dist, 'web')) ? realpathSync(join(dist, 'web')) : join(dist, 'web');
  const policies = readPolicies(join(root, '../csp.json'), isHttps);
  const send = openOriginFiles(publicUrl, web);

  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    index: false,
    redirect: false,
    dotfiles: 'deny',
    // Only files of the build become routes. No request is ever mapped to a file system path. Compressed copies get no routes
    // of their own, because three times as many routes would make the start 10% slower.
    wildcard: false,
    globIgnore: ['**/*.html', '**/*.{br,gz}'],
    setHeaders(reply, path) {
      const value = cacheControl.find(([files]) => files.test(relative(root, path)))?.[1] ?? 'no-cache';
      reply.header('cache-control', value);
      if (workerScript.test(relative(root, path))) reply.header('content-security-policy', workerPolicy);
    },
  });

  const originFiles = join(root, '../addressed');
  for (const name of existsSync(originFiles) ? readdirSync(originFiles) : []) {
    app.get(`/${name}`, (request, reply) =>
      send(request, reply.header('cache-control', 'no-cache'), join(originFiles, name)),
    );
  }

  app.setNotFoundHandler((request, reply) => {
    const path = plainPath(request.url).toLowerCase();
    const wantsPage =
      (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|files|assets)(\/|$)/.test(path);
    const page = (file: string, status: number) => {
      const policy = policies.get(file);
      if (policy === undefined) return sendRefusal(reply, new Refusal('NOT_FOUND'));
      reply
        .code(status)
        .header('content-security-policy', policy)
        .headers(isHttps ? { 'reporting-endpoints': `csp="${policyReportsPath}"` } : {})
        .header('cache-control', file === shell ? 'no-store' : 'no-cache');
      return send(request, reply, join(root, file));
    };
    // A missing asset must not be cached, because the next build may contain it.
    if (!wantsPage) return sendRefusal(reply.header('cache-control', 'no-store'), new Refusal('NOT_FOUND'));
    const name = path.replace(/^\/|\/$/g, '');
    const built = [name, name ? `${name}/index.html` : 'index.html'].find(file => policies.has(file));
    if (built !== undefined) return page(built, 200);
    if (shellPath.test(path) || (isLocal && sheetPath.test(path))) return page(shell, 200);
    return page('404.html', 404);
  });
}

/**
 * Returns the content-security policy of each prerendered page, by the page's path in the build. Each policy allows only the
 * inline scripts and styles of its page, which also keeps the header short.
 */
function readPolicies(file: string, isHttps: boolean): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map();
  const written = readFileSync(file, 'utf8');
  try {
    const hashes: Record<string, InlineHashes> = JSON.parse(written);
    return new Map(Object.entries(hashes).map(([page, inline]) => [page, pagePolicy(inline, isHttps)]));
  } catch (cause) {
    throw new IncompatibleBuild(
      'The web app was built by another version of the bank: run `npm run build` and start again.',
      {
        cause,
      },
    );
  }
}
