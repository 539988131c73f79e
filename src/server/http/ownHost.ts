/**
 * Which hosts no stranger can own. A page of anybody can give its own name the address of the reader's machine (DNS
 * rebinding) and then read what answers there without a login; the name that the browser asks for stays the page's own.
 */
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';

/**
 * Whether a request asks for an address, a name of one word (a network's own), a name below `localhost` or the host of
 * `publicUrl`, at any port. What a proxy says of the host is not believed: a page may write such a header too.
 */
export function asksOwnHost({ raw }: FastifyRequest, publicUrl: string): boolean {
  const host = (raw.headers.host ?? '').toLowerCase().replace(/:\d*$/, '');
  return (
    isIP(host.replace(/^\[(.*)\]$/, '$1')) > 0 ||
    /^[\w-]+$|^[\w.-]+\.localhost$/.test(host) ||
    host === new URL(publicUrl).hostname
  );
}

/** Refuses `NOT_FOUND` to whoever asks for another host, in every route of `scope`. */
export function answerOwnHostOnly(scope: FastifyInstance, publicUrl: string): void {
  scope.addHook('onRequest', async request => {
    if (!asksOwnHost(request, publicUrl)) throw new Refusal('NOT_FOUND');
  });
}
