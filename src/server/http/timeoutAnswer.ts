/**
 * Answers `BUSY` if the connection of a waiting client is idle for the server's `connectionTimeout`. The work is not canceled:
 * a retry with the same idempotency key returns its result.
 */
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { sendRefusal } from './refusal.ts';

export function answerOnTimeout(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('timeout', socket => {
      // A client that stopped sending its body gets no answer, and a response that has begun cannot become a refusal.
      if (!request.raw.complete || reply.raw.headersSent) socket.destroy();
      else sendRefusal(reply.header('connection', 'close'), new Refusal('BUSY', { waitTime: 2 }));
    });
    done();
  });
}
