/** Serves the built web app: prerendered pages where there is one, the empty shell for the app's own paths, else 404. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { addressFiles } from './addressedFiles.ts';
import { type InlineHashes, pagePolicy } from './headers.ts';
import { policyReportsPath } from './policyReports.ts';
import { sendRefusal } from './refusal.ts';
import { plainPath } from './routedPath.ts';

/** Paths that the web app draws itself, behind a login. */
const shellPath = /^\/(dashboard|transfer|admin)(\/|$)/;
/** The component sheet, for developers. */
const sheetPath = /^\/dev\/components$/;
/** The page that those paths get. */
const shell = 'app.html';

/** How long a browser keeps what without asking: hashed files for ever, the bank's sign for a day; all else it asks about. */
const keepFor: readonly (readonly [RegExp, string])[] = [
  [/^assets\b/, 'public, max-age=31536000, immutable'],
  [/^(favicon|apple-touch-icon|icon-|site\.webmanifest)/, 'public, max-age=86400'],
];

/** The build is not one that this server can serve; its message is a sentence for the person who starts it. */
export class UnfitBuild extends Error {}

export type BuiltWeb = {
  /** The folder that holds `web`, or a link to it; `csp.json` lies beside the real one. */
  dist: string;
  isHttps: boolean;
  /** Whether pages for developers are shown; never in production. */
  isLocal: boolean;
  /** The origin that visitors use. */
  publicUrl: string;
};

/** Adds the pages and assets, and the answer for every path that nothing else serves. Throws `UnfitBuild`. */
export async function servePages(app: FastifyInstance, web: BuiltWeb): Promise<void> {
  const { dist, isHttps, isLocal, publicUrl } = web;
  // The build that stands now: one made while the server runs has other names and hashes, and waits for the next start.
  const root = existsSync(join(dist, 'web')) ? realpathSync(join(dist, 'web')) : join(dist, 'web');
  const policies = readPolicies(join(root, '../csp.json'), isHttps);
  const send = addressFiles(publicUrl);

  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    index: false,
    redirect: false,
    dotfiles: 'deny',
    // Only what the build wrote is a route; no path of the file system is ever made of a request.
    wildcard: false,
    globIgnore: ['**/*.html'],
    setHeaders(reply, path) {
      const keep = keepFor.find(([files]) => files.test(relative(root, path)))?.[1] ?? 'no-cache';
      reply.header('cache-control', keep);
    },
  });

  const addressed = join(root, '../addressed');
  for (const name of existsSync(addressed) ? readdirSync(addressed) : []) {
    app.get(`/${name}`, (request, reply) =>
      send(request, reply.header('cache-control', 'no-cache'), join(addressed, name)),
    );
  }

  app.setNotFoundHandler((request, reply) => {
    const path = plainPath(request.url);
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
    // Nobody keeps that an asset is not there: the next build may bring it.
    if (!wantsPage) return sendRefusal(reply.header('cache-control', 'no-store'), new Refusal('NOT_FOUND'));
    const name = path.replace(/^\/|\/$/g, '');
    const built = [name, name ? `${name}/index.html` : 'index.html'].find(file => policies.has(file));
    if (built !== undefined) return page(built, 200);
    if (shellPath.test(path) || (isLocal && sheetPath.test(path))) return page(shell, 200);
    return page('404.html', 404);
  });
}

/**
 * The finished pages of a build, by their path in it, with slashes; each with its content-security policy. A page is allowed its
 * own inline styles only, and a short header lets it arrive in fewer packets.
 */
function readPolicies(file: string, isHttps: boolean): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map();
  const written = readFileSync(file, 'utf8');
  try {
    const hashes: Record<string, InlineHashes> = JSON.parse(written);
    return new Map(Object.entries(hashes).map(([page, inline]) => [page, pagePolicy(inline, isHttps)]));
  } catch (cause) {
    throw new UnfitBuild(
      'The web app was built by another version of the bank: run `npm run build` and start again.',
      {
        cause,
      },
    );
  }
}
