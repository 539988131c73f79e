/** The security headers of every response (OWASP ASVS 5.0 chapter 3.4), for pages and for the API. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { policyReportsPath } from './policyReports.ts';
import { isApiPath, routedPath } from './routedPath.ts';

/** The sha256 sources of a built page's inline scripts and styles, in quotes, as the build wrote them. */
export type InlineHashes = { scripts: string[]; styles: string[] };

/** The content-security policy of a page. */
export function pagePolicy(hashes: InlineHashes, isHttps: boolean): string {
  const quoted = (list: string[]) => list.join(' ');
  return [
    "default-src 'none'",
    `script-src 'self' ${quoted(hashes.scripts)}`.trim(),
    "script-src-attr 'none'",
    `style-src 'self' ${quoted(hashes.styles)}`.trim(),
    "style-src-attr 'none'",
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-src 'none'",
    "media-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The app has one Trusted Types policy, which allows one URL: `src/web/base/serviceWorker.ts`.
    'trusted-types service-worker',
    `report-uri ${policyReportsPath}`,
    // Chromium ignores report-uri when report-to is set, and it supports report-to over https only.
    ...(isHttps ? ['report-to csp', 'upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** The policy of the service worker's script, which applies to what the worker loads. */
export const workerPolicy = "default-src 'none'; connect-src 'self'";

const apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** The headers of every response, by name. `isApi`: the response belongs to one caller and must not be cached. */
export function standardHeaders(isApi: boolean, isHttps: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=(), browsing-topics=()',
    'origin-agent-cluster': '?1',
    'x-dns-prefetch-control': 'off',
    'x-permitted-cross-domain-policies': 'none',
    'content-security-policy': apiPolicy,
    ...(isHttps && { 'strict-transport-security': 'max-age=63072000; includeSubDomains; preload' }),
    ...(isApi && { 'cache-control': 'no-store', vary: 'Authorization, Origin' }),
  };
}

const entries = (isApi: boolean, isHttps: boolean) => Object.entries(standardHeaders(isApi, isHttps));
/** Computed once, because every response needs these headers. */
const entriesByKind = {
  http: { page: entries(false, false), api: entries(true, false) },
  https: { page: entries(false, true), api: entries(true, true) },
} as const;

/** Sets the headers on one response. Headers that a route has set are not overwritten. */
export function setHeaders(request: FastifyRequest, reply: FastifyReply, isHttps: boolean): void {
  const kind = isApiPath(routedPath(request)) ? 'api' : 'page';
  const set = reply.getHeaders();
  for (const [name, value] of entriesByKind[isHttps ? 'https' : 'http'][kind]) {
    if (set[name] === undefined) reply.header(name, value);
  }
  reply.header('x-request-id', request.id);
}

/** Sets the headers on every response that hooks see. Fastify's own refusals of a malformed URL bypass all hooks. */
export function addHeaders(app: FastifyInstance, isHttps: boolean): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    setHeaders(request, reply, isHttps);
    done(null, payload);
  });
}
