/** The path of a request as the router sees it, so that percent-encoding does not bypass rules about paths. */
import type { FastifyRequest } from 'fastify';

/** Returns the pattern of the matched route; without a match, the path with ASCII characters decoded. */
export function routedPath(request: FastifyRequest): string {
  return request.routeOptions.url ?? plainPath(request.url);
}

/** No page, file or rule has a longer path. Decoding the longest path that Node accepts took milliseconds. */
const maxPath = 1_000;

/**
 * Returns the path with every percent-encoded ASCII character decoded and all other bytes as sent. Of a longer URL, only the
 * first `maxPath` characters are read.
 */
export function plainPath(url: string): string {
  return url
    .slice(0, maxPath)
    .replace(/[?#].*$/s, '')
    .replace(/%[0-7][0-9a-f]/gi, escaped => String.fromCharCode(Number.parseInt(escaped.slice(1), 16)));
}

/** Whether the path is an API call, the API's document or a picture, whose responses must not be shared between callers. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/api/') || path.startsWith('/files/');
}
