/**
 * One log line per request: id, method, route, status, time and the kind of caller. No line identifies a person: the route is
 * logged as its pattern, and addresses are not logged. The line of an answer of 500 or more says why, and is a warning or an
 * error.
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalOf } from './refusal.ts';
import { callerKind } from './serve.ts';

/** Logged as the status if the client closed the connection before it had an answer. It is not an HTTP status. */
export const clientGone = 499;

export function logRequests(app: FastifyInstance, logger: FastifyBaseLogger): void {
  // These lines have no field to redact, and searching a line for one would cost more than writing it.
  const log = logger.child({}, { redact: [] });
  const write = (request: FastifyRequest, reply: FastifyReply): void => {
    const status = reply.raw.writableFinished ? reply.statusCode : clientGone;
    const line = {
      id: request.id,
      method: request.method,
      route: routeOf(request),
      status,
      ms: Math.round(reply.elapsedTime),
      caller: callerKind(request),
      ...(request.traceId !== undefined && { trace_id: request.traceId }),
    };
    if (status < 500) log.info(line, 'request');
    else log[status === 503 ? 'warn' : 'error']({ ...line, reason: reasonOf(reply) }, 'request');
  };
  app.addHook('onRequest', (request, reply, done) => {
    // The response's `close` event, not a hook: hooks do not run for a client that has disconnected.
    reply.raw.once('close', () => write(request, reply));
    done();
  });
}

/** The route's pattern instead of the path: a path contains ids. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none';
}

/** Why an answer is a 5xx: the database's error, or the code of the refusal and the line that threw it. */
function reasonOf(reply: FastifyReply): string {
  const refusal = refusalOf(reply);
  if (!refusal) return 'unknown';
  const { code = '', message } = (refusal.cause ?? {}) as { code?: string; message?: string };
  if (message !== undefined) return `${code} ${message}`.trim();
  const thrownAt = /\/(src\/server\/[^)\n]+)/.exec(refusal.stack ?? '')?.[1] ?? '';
  return `${refusal.code} ${thrownAt}`.trim();
}
