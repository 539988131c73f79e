/** Answers `BUSY` before an idle connection is closed, if its client is still waiting for a response. */
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { sendRefusal } from './refusal.ts';

/**
 * Answers `BUSY` if a request takes longer than the server's `connectionTimeout`. The work is not canceled: a retry with the
 * same idempotency key returns its result.
 */
export function answerOnTimeout(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('timeout', socket => {
      // A client that stopped sending its body, or stopped reading the response, is not waiting for an answer.
      if (!request.raw.complete || reply.raw.headersSent) socket.destroy();
      else sendRefusal(reply.header('connection', 'close'), new Refusal('BUSY', { waitTime: 2 }));
    });
    done();
  });
}
