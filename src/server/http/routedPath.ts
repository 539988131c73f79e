/** What a request is for, as the router sees it: a path may be written in many ways, and rules must not care. */
import type { FastifyRequest } from 'fastify';

/** The pattern of the route that serves this request; where none does, its path with the escapes of plain letters undone. */
export function routedPath(request: FastifyRequest): string {
  return request.routeOptions.url ?? plainPath(request.url);
}

/** A path with every escaped ASCII character undone; what is no text at all stays as it was sent. */
export function plainPath(url: string): string {
  return url
    .replace(/[?#].*$/s, '')
    .replace(/%[0-7][0-9a-f]/gi, escaped => String.fromCharCode(Number.parseInt(escaped.slice(1), 16)));
}

/** Whether this is a call of the API, its document or a picture: what is answered belongs to one caller. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/api/') || path.startsWith('/files/');
}
