/** The security headers of every answer (OWASP ASVS 5.0 chapter 3.4), for pages and for the API. */
import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/** Quoted sha256 sources of the inline scripts and styles of the built pages, as the build wrote them. */
export type InlineHashes = { scripts: string[]; styles: string[] };

/** Reads the hashes the build left; none where nothing is built. */
export function readInlineHashes(file: string): InlineHashes {
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as InlineHashes)
    : { scripts: [], styles: [] };
}

/** The content-security policy of the pages. */
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
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

const answerPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Puts the headers on every answer; what a route sets itself stays. */
export function addHeaders(app: FastifyInstance, isHttps: boolean): void {
  app.addHook('onSend', async (request, reply) => {
    const isApi = request.url.startsWith('/api/') || request.url.startsWith('/files/');
    const add = (name: string, value: string) => {
      if (!reply.hasHeader(name)) reply.header(name, value);
    };
    add('x-content-type-options', 'nosniff');
    add('x-frame-options', 'DENY');
    add('referrer-policy', 'strict-origin-when-cross-origin');
    add('cross-origin-opener-policy', 'same-origin');
    add('cross-origin-resource-policy', 'same-origin');
    add(
      'permissions-policy',
      'accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=(), browsing-topics=()',
    );
    add('origin-agent-cluster', '?1');
    add('x-dns-prefetch-control', 'off');
    add('x-permitted-cross-domain-policies', 'none');
    if (isHttps) add('strict-transport-security', 'max-age=63072000; includeSubDomains; preload');
    if (isApi) {
      add('cache-control', 'no-store');
      add('vary', 'Authorization, Origin');
    }
    add('content-security-policy', answerPolicy);
    reply.header('x-request-id', request.id);
  });
}
