/**
 * The cookie by which a browser is recognized. A browser that completed a login of a person has its own count of wrong attempts
 * in that person's later logins. A session that a browser opened works only with the browser's cookie, which no script can
 * read. The cookie alone gives no access. Clients that are not browsers get no cookie.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

/** `browser`: the hash of the token, which is what the server stores. */
export type DeviceCookie = { token: string; browser: Buffer };

const tokenBytes = 32;
const maxAgeSeconds = 180 * 86_400;

/** The prefix makes browsers refuse a cookie with this name from a subdomain or over http (RFC 6265bis). */
const nameOf = (isHttps: boolean) => (isHttps ? '__Host-device' : 'device');

/** The cookie of the request; undefined if it has none. */
export function sentDeviceCookie(headers: IncomingHttpHeaders, isHttps: boolean): DeviceCookie | undefined {
  const token = new RegExp(`(?:^|; )${nameOf(isHttps)}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
  return token === undefined ? undefined : toDeviceCookie(token);
}

/** The cookie of the request, or a new one for a browser that has none yet; undefined for other clients. */
export function readDeviceCookie(headers: IncomingHttpHeaders, isHttps: boolean): DeviceCookie | undefined {
  const sent = sentDeviceCookie(headers, isHttps);
  // Every supported browser says which site a request comes from, and no script can change that (Fetch Metadata).
  if (sent || headers['sec-fetch-site'] !== 'same-origin') return sent;
  return toDeviceCookie(randomBytes(tokenBytes).toString('base64url'));
}

const toDeviceCookie = (token: string): DeviceCookie => ({
  token,
  browser: createHash('sha256').update(token).digest(),
});

/** Sends the cookie, even if the browser already has it. That starts its lifetime again. */
export function sendDeviceCookie(reply: FastifyReply, { token }: DeviceCookie, isHttps: boolean): void {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}`;
  reply.header('set-cookie', `${nameOf(isHttps)}=${token}; ${attributes}`);
}
