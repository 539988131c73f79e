/**
 * Protection against DNS rebinding for routes without a login: a malicious page can point its own host name at the reader's
 * machine and read the responses. The `Host` header still has the page's name, so requests for unknown hosts are refused.
 */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Whether the requested host is this server's, and not another site's that a page has pointed here (DNS rebinding): an IP
 * address, a name without dots (local networks), a name below `localhost`, or the host of `publicUrl`, each with any port.
 * Forwarded host headers are ignored, because a page can set them too.
 */
export function isOwnHost({ raw }: FastifyRequest, publicUrl: string): boolean {
  const host = (raw.headers.host ?? '').toLowerCase().replace(/:\d*$/, '');
  return (
    isIP(host.replace(/^\[(.*)\]$/, '$1')) > 0 ||
    /^[\w-]+$|^[\w.-]+\.localhost$/.test(host) ||
    host === new URL(publicUrl).hostname
  );
}
