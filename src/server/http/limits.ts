/**
 * Floods and overload. Per-address quotas keep one sender from using up the bank (`RATE_LIMITS=off` lifts these and
 * nothing else), quotas of a person what one customer may cost from however many addresses; the in-flight gate answers
 * 503 at once when more requests are under way than can be served in time. All of it is counted in this process alone.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { personQuotas } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import { type KeyedQueue, openKeyedQueue } from '#server/base/concurrency.ts';
import { policyReportsPath } from './policyReports.ts';
import { routedPath } from './routedPath.ts';

/** Requests one address may make: points in so many seconds. Loose enough for an office behind one address. */
const quotas = {
  all: { points: 3000, duration: 60 },
  login: { points: 120, duration: 60 },
  register: { points: 60, duration: 600 },
  contact: { points: 30, duration: 600 },
  reports: { points: 30, duration: 600 },
} as const;

const mostInFlight = 1000;
/**
 * Of one session, beside transfers: few enough at work to leave others their part of the database's connections, and few
 * enough waiting to leave them theirs of the places above.
 */
const ofSession = { mostAtOnce: 4, mostWaiting: 128, waitTime: 1 } as const;
const bodyPatienceMs = 10_000;
/** Of a body that nobody reads, for its answer has gone: as much as the largest form, whose sender is to read that answer. */
const mostUnread = 24 * 1024 * 1024;

/** What costs the bank more than to hand out a page: calls and pictures. */
const countedPath = /^\/(?:api|files)\//;

function quotaOf(path: string): keyof typeof quotas | undefined {
  if (path.startsWith('/api/v1/auth/register')) return 'register';
  if (path.startsWith('/api/v1/contact')) return 'contact';
  if (path === policyReportsPath) return 'reports';
  // Wherever a password can be tried, or the bank be made to write a mail.
  if (/^\/api\/v1\/(auth\/(login|forgot|reset)|admin\/login)/.test(path)) return 'login';
  if (/^\/api\/v1\/user\/settings\/(change-password|delete-account)/.test(path)) return 'login';
  return undefined;
}

/** An address, or for IPv6 its /64, which one household or attacker has whole. */
export function groupOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = [], tail] = address.split('::').map(half => (half === '' ? [] : half.split(':')));
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? [])].slice(0, 4).join(':');
}

/** Guards every API route of `app`, and what else is not a page. Gives a function that tells how many requests are under way. */
export function addLimits(app: FastifyInstance, quotasOn: boolean): () => number {
  const limiters = Object.fromEntries(
    Object.entries(quotas).map(([name, quota]) => [name, new RateLimiterMemory(quota)]),
  ) as Record<keyof typeof quotas, RateLimiterMemory>;
  let inFlight = 0;

  app.addHook('onRequest', async (request, reply) => {
    if (hasBody(request)) expectBody(request, reply);
    const path = routedPath(request);
    if (!countedPath.test(path)) return;
    // The address is known only while the line stands: it is read now, and Node remembers it. Whoever has hung up is not
    // served: nothing is done that could not be recorded with where it came from.
    const address: string | undefined = request.ip;
    if (address === undefined || request.raw.socket.destroyed) throw new Refusal('BUSY', { waitTime: 1 });
    if (!quotasOn) return;
    const group = groupOf(address);
    const special = quotaOf(path);
    await spend(limiters.all, group);
    if (special) await spend(limiters[special], group);
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

/** Quotas of people, in this process. A window begins with the first call that is counted. */
export type PersonQuotas = {
  /**
   * Counts a call, and gives what takes that back, which counts for the window in which the call was counted and for no
   * later one. Refuses `TOO_MANY` where the quota is used up.
   */
  spend: (quota: keyof typeof personQuotas, personId: string) => () => void;
  /** Refuses `TOO_MANY` where the quota is used up, and counts nothing. */
  ask: (quota: keyof typeof personQuotas, personId: string) => void;
  /** Counts what has been done, be it beyond the quota. */
  count: (quota: keyof typeof personQuotas, personId: string) => void;
};

/** Quotas, all unspent. */
export function openPersonQuotas(): PersonQuotas {
  const windows = new Map<string, { spent: number; endsAt: number }>();
  const countIn = (quota: keyof typeof personQuotas, personId: string) => {
    const { seconds } = personQuotas[quota];
    const key = `${quota} ${personId}`;
    let window = windows.get(key);
    if (!window) {
      window = { spent: 0, endsAt: performance.now() + seconds * 1000 };
      windows.set(key, window);
      setTimeout(() => windows.delete(key), seconds * 1000).unref();
    }
    window.spent++;
    return window;
  };
  const ask: PersonQuotas['ask'] = (quota, personId) => {
    const window = windows.get(`${quota} ${personId}`);
    if (!window || window.spent < personQuotas[quota].times) return;
    const waitTime = Math.max(1, Math.ceil((window.endsAt - performance.now()) / 1000));
    throw new Refusal('TOO_MANY', { waitTime });
  };
  return {
    ask,
    count: countIn,
    spend(quota, personId) {
      ask(quota, personId);
      const window = countIn(quota, personId);
      return () => {
        window.spent--;
      };
    },
  };
}

/** Turns of sessions. Whoever asks for much waits for the own work, and keeps nobody else waiting. */
export const openSessionTurns = (): KeyedQueue => openKeyedQueue(ofSession);

async function spend(limiter: RateLimiterMemory, who: string): Promise<void> {
  await limiter.consume(who).catch((refused: RateLimiterRes) => {
    throw new Refusal('TOO_MANY', { waitTime: Math.ceil(refused.msBeforeNext / 1000) });
  });
}

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
