/**
 * Floods and overload. Quotas per IP address keep one sender from using up the bank (`RATE_LIMITS=off` turns off these and
 * nothing else); the in-flight gate answers 503 at once while more requests run than can be served in time. All of it is
 * counted in this process alone.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressQuotas } from '#contract/constants.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { Refusal } from '#contract/errors.ts';
import { type KeyedLimiter, limitConcurrencyByKey } from '../base/concurrency.ts';
import { openRateLimits } from '../base/rateLimit.ts';
import { isApiPath, routedPath } from './routedPath.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which quota of the caller's IP address a request counts against, in addition to `all`. */
    addressQuota?: Endpoint['addressQuota'];
  }
}

const mostInFlight = 1000;
/**
 * Calls of one session, apart from transfers: few enough running to leave other sessions database connections, and few
 * enough waiting to leave them places in flight.
 */
const ofSession = { maxRunning: 4, maxWaiting: 128, waitTime: 1 } as const;
const bodyPatienceMs = 10_000;
/** Of a body that nobody reads, for its answer has gone: as much as the largest form, whose sender is to read that answer. */
const mostUnread = 24 * 1024 * 1024;

/** An address, or for IPv6 its /64, which one household or attacker has whole. */
export function groupOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = [], tail] = address.split('::').map(half => (half === '' ? [] : half.split(':')));
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? [])].slice(0, 4).join(':');
}

/** Guards every route of `app` that is not a page. Returns a function that counts the requests that run now. */
export function addLimits(app: FastifyInstance, quotasOn: boolean): () => number {
  const limits = quotasOn ? openRateLimits(addressQuotas) : undefined;
  let inFlight = 0;

  app.addHook('onRequest', async (request, reply) => {
    if (hasBody(request)) expectBody(request, reply);
    // Calls and pictures cost the bank more than a page does; pages are not counted.
    if (!isApiPath(routedPath(request))) return;
    // Node knows the address only while the connection is open, and remembers it once it was read. A closed connection is
    // not served: every act is recorded with the address it came from.
    const address: string | undefined = request.ip;
    if (address === undefined || request.raw.socket.destroyed) throw new Refusal('BUSY', { waitTime: 1 });
    if (!limits) return;
    const group = groupOf(address);
    // The quota is the matched route's: however the path was spelled, the router decoded it. The body is not read yet.
    const { addressQuota } = request.routeOptions.config;
    limits.all.spend(group);
    if (addressQuota) limits[addressQuota].spend(group);
  });
  // Only a request that has arrived whole takes a place: senders who dawdle hold up nobody but themselves. Forms arrive
  // while they are handled; they are bounded by the memory that all of them may take.
  app.addHook('preHandler', async (request, reply) => {
    if (!routedPath(request).startsWith('/api/') || isForm(request)) return;
    // Whoever hung up meanwhile has closed already, and would never give the place back.
    if (inFlight >= mostInFlight || reply.raw.destroyed) throw new Refusal('BUSY', { waitTime: 1 });
    if (request.routeOptions.config.staysOpen) return;
    inFlight++;
    // The answer's own end, not a hook: a client that hangs up must free its place too.
    reply.raw.once('close', () => inFlight--);
  });
  return () => inFlight;
}

/** Limits the calls that one session runs at a time, so that a busy session waits for itself and delays no other. */
export const openSessionLimiter = (): KeyedLimiter => limitConcurrencyByKey(ofSession);

const isForm = (request: FastifyRequest) => /^multipart\//i.test(request.headers['content-type'] ?? '');

/** Whether a body comes with the request, or is announced. */
export const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Ends a request whose body does not arrive in time; forms have a time limit of their own, which is longer. What is left of
 * a body after the answer may be as much as a form and take as long as any body; then the line is cut.
 */
function expectBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  const late = isForm(request) ? undefined : setTimeout(() => raw.destroy(), bodyPatienceMs);
  raw.once('end', () => clearTimeout(late));
  reply.raw.once('close', () => {
    clearTimeout(late);
    if (!raw.complete) boundRest(raw);
  });
}

function boundRest(raw: FastifyRequest['raw']): void {
  const { socket } = raw;
  const [before, began] = [socket.bytesRead, performance.now()];
  const watch = setInterval(() => {
    const isThrough = raw.complete || socket.destroyed;
    const isTooMuch = socket.bytesRead - before > mostUnread || performance.now() - began > bodyPatienceMs;
    if (isThrough || isTooMuch) clearInterval(watch);
    if (isTooMuch && !isThrough) socket.destroy();
  }, 100).unref();
}
