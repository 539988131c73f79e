/**
 * Which hosts are this machine's own. A page of anybody can give its own name the address of the reader's machine (DNS
 * rebinding) and then read what answers there without a login; the name that the browser asks for stays the page's own.
 */
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';

/** Whether this is an address of the machine itself, of either family. */
export function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/**
 * Whether a request asks for `localhost`, a name below it, a loopback address or the host of `publicUrl`, at any port. What a
 * proxy says of the host is not believed: a page may write such a header too.
 */
export function asksOwnHost({ raw }: FastifyRequest, publicUrl: string): boolean {
  const host = (raw.headers.host ?? '').toLowerCase().replace(/:\d*$/, '');
  return (
    /^([^.]+\.)*localhost$/.test(host) ||
    isLoopback(host.replace(/^\[(.*)\]$/, '$1')) ||
    host === new URL(publicUrl).hostname
  );
}

/** Refuses `NOT_FOUND` to whoever asks for another host, in every route of `scope`. */
export function answerOwnHostOnly(scope: FastifyInstance, publicUrl: string): void {
  scope.addHook('onRequest', async request => {
    if (!asksOwnHost(request, publicUrl)) throw new Refusal('NOT_FOUND');
  });
}
