/**
 * Limits the requests that a client sends on one connection without waiting for the responses (HTTP pipelining). Node handles
 * them at the same time and sends the responses in order. So a client that does not read the first response would make the
 * server hold all of them, with their slots, open files and memory.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/errors.ts';

/** How many responses a connection may have open. Browsers and proxies need one. */
const maxOpen = 16;

/** Adds the limit to every route of `app`. A connection with more requests is closed. */
export function limitPipelining(app: FastifyInstance): void {
  const openOf = new WeakMap<Socket, number>();
  const change = (socket: Socket, by: 1 | -1) => openOf.set(socket, (openOf.get(socket) ?? 0) + by);

  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    if (openOf.get(socket) === maxOpen) socket.destroy();
    // Node still reports the requests that it has already read.
    if (socket.destroyed) throw new Refusal('BUSY', { waitTime: 1 });
    change(socket, 1);
    reply.raw.once('close', () => change(socket, -1));
    done();
  });
}
