/**
 * Limits the requests that a client sends on one connection without waiting for the responses (HTTP pipelining). Node handles
 * them at the same time and sends the responses in order. So a client that does not read the first response would make the
 * server hold all the responses, with their slots, open files and memory.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many responses a connection may have open. Browsers and proxies need one. */
const maxOpen = 16;

/** Counts a request. Returns false if the request is not to be answered, because its connection is closed. */
export type PipeliningLimit = (request: { raw: IncomingMessage }, reply: { raw: ServerResponse }) => boolean;

/**
 * Returns a limit that closes a connection when one more request arrives while `maxOpen` responses are open, or were open in
 * this turn of the event loop. Every request must pass it, even one with a malformed URL.
 */
export function openPipeliningLimit(): PipeliningLimit {
  const openOf = new WeakMap<Socket, number>();
  const change = (socket: Socket, by: 1 | -1) => openOf.set(socket, (openOf.get(socket) ?? 0) + by);

  return ({ raw: { socket } }, reply) => {
    if (openOf.get(socket) === maxOpen) socket.destroy();
    // Node still reports the requests that it has already read. There can be thousands.
    if (socket.destroyed) return false;
    change(socket, 1);
    // Node answers requests with bodies while it parses the next: in one turn of the event loop, thousands of one connection.
    reply.raw.once('close', () => void setImmediate(change, socket, -1));
    return true;
  };
}
