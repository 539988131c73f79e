/** The security headers of every answer (OWASP ASVS 5.0 chapter 3.4), for pages and for the API. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { policyReportsPath } from './policyReports.ts';
import { isApiPath, routedPath } from './routedPath.ts';

/** Quoted sha256 sources of the inline scripts and styles of a built page, as the build wrote them. */
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
    "worker-src 'none'",
    "frame-src 'none'",
    "media-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `report-uri ${policyReportsPath}`,
    // Where it knows this, Chromium looks at no report-uri, and it reports in this way over https only.
    ...(isHttps ? ['report-to csp', 'upgrade-insecure-requests'] : []),
  ].join('; ');
}

const answerPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** The headers every answer carries, by name. `isApi`: it holds what belongs to one caller and is kept nowhere. */
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
    'content-security-policy': answerPolicy,
    ...(isHttps && { 'strict-transport-security': 'max-age=63072000; includeSubDomains; preload' }),
    ...(isApi && { 'cache-control': 'no-store', vary: 'Authorization, Origin' }),
  };
}

const entries = (isApi: boolean, isHttps: boolean) => Object.entries(standardHeaders(isApi, isHttps));
/** Made once: they go with every answer. */
const made = {
  http: { page: entries(false, false), api: entries(true, false) },
  https: { page: entries(false, true), api: entries(true, true) },
} as const;

/** Puts the headers on one answer; what a route set itself stays. */
export function putHeaders(request: FastifyRequest, reply: FastifyReply, isHttps: boolean): void {
  const kind = isApiPath(routedPath(request)) ? 'api' : 'page';
  for (const [name, value] of made[isHttps ? 'https' : 'http'][kind]) {
    if (!reply.hasHeader(name)) reply.header(name, value);
  }
  reply.header('x-request-id', request.id);
}

/** Puts the headers on every answer that a hook sees; Fastify's own refusals of a broken address pass by all hooks. */
export function addHeaders(app: FastifyInstance, isHttps: boolean): void {
  app.addHook('onSend', async (request, reply) => putHeaders(request, reply, isHttps));
}
