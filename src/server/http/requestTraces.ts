/** One span per call of the API. A caller's `traceparent` counts only if the caller is one of the proxies of `TRUST_PROXY`. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestSpan, Tracing } from '../base/tracePoints.ts';
import { refusalOf } from './refusal.ts';
import { clientGone, routeOf } from './requestLog.ts';
import { callerKind } from './serve.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if requests are traced. */
    traceId?: string;
  }
}

export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook('onRequest', (request, reply, done) => {
    const route = routeOf(request);
    // Pages, pictures and probes are not traced, because they would far outnumber the calls.
    if (!route.startsWith('/api/')) return done();
    const { id, method } = request;
    const { traceparent } = request.headers;
    // Fastify lists more addresses than the sender's if the sender is a trusted proxy.
    const isTrusted = typeof traceparent === 'string' && (request.ips?.length ?? 0) > 1;
    const span = tracing.startRequest({ id, method, route }, isTrusted ? traceparent : undefined);
    request.traceId = span.traceId;
    spans.set(request, span);
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.statusCode : clientGone;
      span.end({ status, caller: callerKind(request), refusal: refusalOf(reply)?.code });
    });
    span.run(done);
  });
  // Reading a body leaves the span's asynchronous context, so this hook enters it again.
  app.addHook('preHandler', (request, _, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
}
