/**
 * Limits of connections. Node handles requests that a client sends without waiting for the responses (HTTP pipelining) at the
 * same time, and sends the responses in order. So a client that does not read the first response would make the server hold all
 * the responses, with their slots, open files and memory.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkGroup } from '../base/addressGroup.ts';
import { openRateLimit } from '../base/rateLimit.ts';

/** How many responses a connection may have open. Browsers and proxies need one. */
const maxOpen = 16;
/** How many requests one address or IPv6 /48 may make. Each request beyond that closes its connection. */
const keptRequests = { times: 500, seconds: 5 };
/**
 * How many requests one address or IPv6 /48 may make in one turn of the event loop, in which Node reads what has arrived on all
 * connections before it does anything else. Each request beyond that closes its connection.
 */
const maxOfTurn = 100;
/**
 * How many connections one address or IPv6 /48 may open. Beyond that, `maxOpened` are accepted in `openedMs`: a client that
 * waits for answers opens fewer. The rest are closed before anything is read. On a busy server the time is longer, as timers
 * are late.
 */
const openedConnections = { times: 1_000, seconds: 5 };
const [maxOpened, openedMs] = [10, 20];
/** Connections of one address or IPv6 /48. A process can have more files and sockets open, so others can still connect. */
const maxConnections = 1_000;
/** The limit of these connections while none of them is idle, as when each has a stream of live updates. */
const maxBusyConnections = 10_000;

export type ConnectionLimits = {
  /**
   * Counts a request. Returns false if it is not to be answered, because its connection is closed. Must be called for every
   * request, even one with a malformed URL.
   */
  isAccepted: (request: { raw: IncomingMessage }, reply: { raw: ServerResponse }) => boolean;
  /** Limits how many connections of each network the server keeps. */
  watch: (server: Server) => void;
};

/**
 * Closes a connection when one more request arrives while `maxOpen` responses are open, or were open in this turn of the event
 * loop. `byNetwork`: whether networks are limited, too. False behind a proxy, whose connections belong to many clients.
 */
export function openConnectionLimits({ byNetwork }: { byNetwork: boolean }): ConnectionLimits {
  const openOf = new WeakMap<Socket, number>();
  const kept = openRateLimit(keptRequests);
  const opened = openRateLimit(openedConnections);
  /** How many requests of each network arrived in this turn of the event loop. */
  const requestsOfTurn = countUntil(setImmediate);
  /** How many connections beyond the limit each network opened in at most `openedMs`. Node accepts one connection in a turn. */
  const openedJustNow = countUntil(clear => setTimeout(clear, openedMs).unref());
  /** Connections that close after a response. Later requests on them must not be answered (RFC 9112, 9.6). */
  const closing = new WeakSet<Socket>();
  /** For each network, the number of its connections and the set of its idle ones, longest idle first. */
  const connectionsOf = new Map<string, { count: number; idle: Set<Socket> }>();
  /** For each connection, the idle ones of its network. */
  const idleOf = new WeakMap<Socket, Set<Socket>>();

  function change(socket: Socket, by: 1 | -1): void {
    const open = (openOf.get(socket) ?? 0) + by;
    openOf.set(socket, open);
    if (open > 0) idleOf.get(socket)?.delete(socket);
    else if (!socket.destroyed) idleOf.get(socket)?.add(socket);
  }

  function countOfNetwork({ socket, method, headers }: IncomingMessage, response: ServerResponse): void {
    const network = networkGroup(socket.remoteAddress ?? '');
    const count = requestsOfTurn(network);
    const isKept = kept.left(network) > 0;
    if (isKept) kept.count(network);
    if (isKept && count <= maxOfTurn) return;
    response.setHeader('connection', 'close');
    closing.add(socket);
    // Not for a request with a body: `ignoreRequests` removes functions of the parser that also report the body.
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (method === 'GET' && !hasBody) ignoreRequests(socket);
  }

  return {
    isAccepted({ raw }, reply) {
      const { socket } = raw;
      if (closing.has(socket)) {
        ignoreRequests(socket);
        return false;
      }
      if (openOf.get(socket) === maxOpen) {
        ignoreRequests(socket);
        socket.destroy();
      }
      // Node still reports a request that it was reading.
      if (socket.destroyed) return false;
      change(socket, 1);
      // Counts the response as open until the next turn: requests with bodies are answered while Node parses the next ones, so
      // one turn could answer thousands of requests of one connection.
      reply.raw.once('close', () => void setImmediate(change, socket, -1));
      if (byNetwork) countOfNetwork(raw, reply.raw);
      return true;
    },

    watch(server) {
      if (!byNetwork) return;
      // Before Node's own listener, which would read and answer what has arrived.
      server.prependListener('connection', socket => {
        const { remoteAddress } = socket;
        const network = networkGroup(remoteAddress ?? '');
        // A connection without an address was reset before it was accepted. Thousands a second would delay others for seconds.
        const isFlood = opened.left(network) <= 0 && openedJustNow(network) > maxOpened;
        if (remoteAddress === undefined || isFlood) {
          socket.destroy();
          return;
        }
        opened.count(network);
        const own = connectionsOf.get(network) ?? { count: 0, idle: new Set() };
        connectionsOf.set(network, own);
        own.count++;
        // Does not choose the newest connection, which another client behind the same address may have opened.
        const [oldest] = own.idle;
        own.idle.add(socket);
        idleOf.set(socket, own.idle);
        socket.once('close', () => {
          own.idle.delete(socket);
          if (--own.count === 0) connectionsOf.delete(network);
        });
        if (own.count <= maxConnections) return;
        const closed = oldest ?? (own.count > maxBusyConnections ? socket : undefined);
        if (!closed) return;
        own.idle.delete(closed);
        closed.destroy();
      });
    },
  };
}

/**
 * Returns a function that counts an event of `network`. It returns how many there were since the counts were cleared.
 * `schedule` calls its argument when they are to be cleared.
 */
function countUntil(schedule: (clear: () => void) => unknown): (network: string) => number {
  const counts = new Map<string, number>();
  return network => {
    if (counts.size === 0) schedule(() => counts.clear());
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    return count;
  };
}

/** Where Node's HTTP parser keeps the functions that make a request of what was read. */
const parserCallbacks = [1, 2, 3];

/**
 * Makes Node ignore further requests on a connection. Otherwise, it would make objects for each request that it has read:
 * thousands, which take it a tenth of a second. Node has no function for this. It reuses the parser for other connections, so
 * the functions are put back.
 */
export function ignoreRequests(socket: Socket): void {
  const { parser } = socket as { parser?: Record<number, unknown> | null };
  if (!parser || parser[parserCallbacks[0]!] === null) return;
  const former = parserCallbacks.map(place => [place, parser[place]] as const);
  for (const place of parserCallbacks) parser[place] = null;
  socket.prependOnceListener('close', () => {
    for (const [place, callback] of former) parser[place] = callback;
  });
}
