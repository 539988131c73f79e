/**
 * Protection against floods and overload. Quotas per IP address limit each client; the workers of one server count together.
 * The in-flight limit of a process answers 503 immediately if more requests are running than can be served in time.
 * `RATE_LIMITS=off` turns off what this file counts by address: the quotas, and each address's share of the open responses.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressesPerNetwork, addressQuotas } from '#contract/constants.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { Refusal } from '#contract/errors.ts';
import { addressGroup, networkGroup, withoutPorts } from '../base/addressGroup.ts';
import { limitConcurrencyByKey } from '../base/concurrency.ts';
import { openRateLimit, type Quota } from '../base/rateLimit.ts';
import { isForm, limitBodies } from './bodies.ts';
import { isApiPath, routedPath } from './routedPath.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which quota of the caller's IP address a request counts against, in addition to `all`. */
    addressQuota?: Endpoint['addressQuota'];
  }
}

/**
 * Runs work of a person within the limits on parallel calls. `group`: the session. `readsHistory`: whether `historyLimit`
 * applies too.
 */
export type PersonLimiter = <T>(
  person: string,
  work: () => Promise<T>,
  call: { group: string; readsHistory?: boolean },
) => Promise<T>;

/** The caller's address; undefined if the client disconnected before it was read. */
export const addressOf = ({ ip }: FastifyRequest): string | undefined => ip;

const maxInFlight = 1000;
/**
 * How many requests of one address, or of one IPv6 /48, may be in flight, and how many of its pages and files may be open. A
 * request stays in flight until its client accepts the response, so one client could use all slots. Several clients could, too:
 * `makeRoom` disconnects those that do not read.
 */
const maxInFlightOfAddress = 500;
/** Open responses by address or IPv6 /48. */
type OpenResponses = Map<string, Set<FastifyReply['raw']>>;
/** Probes and scrapes, which these limits never refuse. */
const statusPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);
/**
 * The concurrency limit of one person over all sessions; `limitedByPerson` names the exceptions. `maxRunning` leaves database
 * connections to other people. `maxWaiting` leaves other people room within the in-flight limit. `maxOfGroup`: how many calls
 * of one session may run.
 */
const personLimit = { maxRunning: 8, maxOfGroup: 4, maxWaiting: 128, waitTime: 1 } as const;
/** The limit of one person's calls that read the whole history. The groups are sessions, as in `personLimit`. */
const historyLimit = { maxRunning: 1, maxWaiting: 128, waitTime: 1 } as const;

/** Adds the limits to `app`. Returns a function that counts the requests in flight. */
export function addLimits(app: FastifyInstance, quotasOn: boolean): () => number {
  limitBodies(app);
  const limits = quotasOn ? openAddressLimits() : undefined;
  let inFlight = 0;
  /** The responses of the requests in flight, by address or IPv6 /48; with `quotasOn` false, all together. */
  const openOf: OpenResponses = new Map();
  /** The open responses of pages and files. A client that does not read them makes the server hold their contents. */
  const pagesOf: OpenResponses = new Map();

  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const forwardedFor = headers['x-forwarded-for'];
    // Fastify derives the caller's address from this header when the address is read, and knows only plain addresses.
    if (typeof forwardedFor === 'string') headers['x-forwarded-for'] = withoutPorts(forwardedFor);
    // API calls and pictures cost more than pages, which count against no quota.
    if (isApiPath(routedPath(request))) countRequest(request);
    done();
  });
  const countRequest = (request: FastifyRequest): void => {
    // Reads the address now, because Node knows it only while the connection is open, and caches it once it is read. A request
    // on a closed connection is refused, because the audit log records the address of every action.
    const address = addressOf(request);
    if (address === undefined || request.raw.socket.destroyed) throw new Refusal('BUSY', { waitTime: 1 });
    if (!limits) return;
    // The quota belongs to the matched route, so a percent-encoded path does not bypass it. The body is not read yet.
    const { addressQuota } = request.routeOptions.config;
    limits.all(address);
    if (addressQuota) limits[addressQuota](address);
  };
  // Only a fully received request counts as in flight, so slow senders do not block others. Forms are received while they are
  // handled; the upload memory budget limits them instead.
  app.addHook('preHandler', (request, reply, done) => {
    const path = routedPath(request);
    if (path.startsWith('/api/')) {
      if (!isForm(request)) enter(request, reply);
    } else {
      const address = addressOf(request);
      if (limits && address !== undefined && !request.raw.socket.destroyed && !statusPaths.has(path))
        open(pagesOf, networkGroup(address), reply);
    }
    done();
  });
  const enter = (request: FastifyRequest, reply: FastifyReply): void => {
    const network = limits ? networkGroup(request.ip) : '';
    if (inFlight >= maxInFlight && !makeRoom(openOf.get(network)?.size ?? 0))
      throw new Refusal('BUSY', { waitTime: 1 });
    if (request.routeOptions.config.staysOpen) return;
    open(openOf, network, reply);
    inFlight++;
    reply.raw.once('close', () => inFlight--);
  };
  /**
   * Counts a response of a network until it closes. Refuses `BUSY` if the client has disconnected. Unless quotas are off, also
   * refuses `BUSY` if the network already has `maxInFlightOfAddress` open responses.
   */
  const open = (all: OpenResponses, network: string, { raw }: FastifyReply): void => {
    const own = all.get(network) ?? new Set();
    // If the client has already disconnected, the response emits no further `close`, so its slot would never be freed.
    if (raw.destroyed || (limits && own.size >= maxInFlightOfAddress))
      throw new Refusal('BUSY', { waitTime: 1 });
    all.set(network, own.add(raw));
    // The response's `close` event, not a hook: a client that disconnects must free its slot too.
    raw.once('close', () => {
      own.delete(raw);
      if (own.size === 0) all.delete(network);
    });
  };
  /**
   * Disconnects a client that has not accepted a finished response. `size`: how many requests the caller's network has in
   * flight. Searches only networks with at least two more, so that none ends up with fewer than the caller's. The largest comes
   * first. Returns false if none of them has such a client.
   */
  const makeRoom = (size: number): boolean => {
    const larger = [...openOf.values()].filter(open => open.size >= size + 2);
    for (const open of larger.sort((a, b) => b.size - a.size))
      for (const { writableEnded, req } of open)
        if (writableEnded && !req.socket.destroyed) {
          req.socket.destroy();
          return true;
        }
    return false;
  };
  return () => inFlight;
}

type AddressLimits = Record<keyof typeof addressQuotas, (address: string) => void>;

/** Opens the address quotas. Each counts one use of an address, or throws `TOO_MANY`. */
function openAddressLimits(): AddressLimits {
  const opened = Object.entries<Quota>(addressQuotas).map(([name, { times, seconds }]) => {
    const ofAddress = openRateLimit({ times, seconds }, name);
    const ofNetwork = openRateLimit({ times: times * addressesPerNetwork, seconds }, `${name} of a network`);
    const spend = (address: string): void => {
      const [group, network] = [addressGroup(address), networkGroup(address)];
      ofAddress.spend(group);
      if (network !== group) ofNetwork.spend(network);
    };
    return [name, spend];
  });
  return Object.fromEntries(opened) as AddressLimits;
}

/**
 * Limits the calls that one person runs at a time. The groups are sessions: a busy session, which may be a thief's, hardly
 * delays the person's other sessions.
 */
export function openPersonLimiter(): PersonLimiter {
  const limitAll = limitConcurrencyByKey(personLimit);
  const limitHistory = limitConcurrencyByKey(historyLimit);
  return (person, work, { group, readsHistory }) => {
    const limited = () => limitAll(person, work, { group });
    // A call that waits until another call has read the history takes no slot from the person's other calls.
    return readsHistory ? limitHistory(person, limited, { group }) : limited();
  };
}
