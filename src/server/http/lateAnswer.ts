/** A connection on which nothing moves is cut; whoever still waits for an answer on it is told so first. */
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { sendRefusal } from './refusal.ts';

/**
 * Answers `BUSY` where the work for a request takes longer than the server's `connectionTimeout`. What the work does is
 * done all the same; a caller who asks again with the same key learns what became of it.
 */
export function answerLate(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('timeout', socket => {
      // A sender who stopped in the middle, or a reader who does not read, waits for nothing.
      if (!request.raw.complete || reply.raw.headersSent) socket.destroy();
      else sendRefusal(reply.header('connection', 'close'), new Refusal('BUSY', { waitTime: 2 }));
    });
  });
}
