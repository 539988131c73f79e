/**
 * The cookie by which a browser is recognized in later logins. It gives no access: a browser that completed a login of a person
 * only has its own count of wrong attempts for that person. Clients that are not browsers get no cookie.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** `browser`: the hash of the token, which is what the server stores. */
export type DeviceCookie = { token: string; browser: Buffer };

const tokenBytes = 32;
const maxAgeSeconds = 180 * 86_400;

/** The prefix makes browsers refuse a cookie with this name from a subdomain or over http (RFC 6265bis). */
const nameOf = (isHttps: boolean) => (isHttps ? '__Host-device' : 'device');

/** The cookie of the request, or a new one for a browser that has none yet; undefined for other clients. */
export function readDeviceCookie(request: FastifyRequest, isHttps: boolean): DeviceCookie | undefined {
  const { cookie = '', 'sec-fetch-site': site } = request.headers;
  const sent = new RegExp(`(?:^|; )${nameOf(isHttps)}=([\\w-]{43})(?:;|$)`).exec(cookie)?.[1];
  // Every supported browser says which site a request comes from, and no script can change that (Fetch Metadata).
  const token = sent ?? (site === 'same-origin' ? randomBytes(tokenBytes).toString('base64url') : undefined);
  if (token === undefined) return undefined;
  return { token, browser: createHash('sha256').update(token).digest() };
}

/** Sends the cookie, which renews its lifetime. */
export function sendDeviceCookie(reply: FastifyReply, { token }: DeviceCookie, isHttps: boolean): void {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}`;
  reply.header('set-cookie', `${nameOf(isHttps)}=${token}; ${attributes}`);
}
