/** One span per call of the API. A caller's `traceparent` counts only if the caller is one of the proxies of `TRUST_PROXY`. */
import { BlockList, isIP } from 'node:net';
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

export function traceRequests(app: FastifyInstance, tracing: Tracing, trustProxy: string[]): void {
  const proxies = listProxies(trustProxy);
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook('onRequest', (request, reply, done) => {
    const route = routeOf(request);
    // Pages, pictures and probes would bury the calls.
    if (!route.startsWith('/api/')) return done();
    const { id, method } = request;
    const { traceparent } = request.headers;
    const isTrusted = typeof traceparent === 'string' && proxies(request.raw.socket.remoteAddress ?? '');
    const span = tracing.startRequest({ id, method, route }, isTrusted ? traceparent : undefined);
    request.traceId = span.traceId;
    spans.set(request, span);
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.statusCode : clientGone;
      span.end({ status, caller: callerKind(request), refusal: refusalOf(reply)?.code });
    });
    span.run(done);
  });
  // Reading a body leaves the span's asynchronous context.
  app.addHook('preHandler', (request, _, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
}

/** Returns whether an address is one of the proxies. */
function listProxies(trustProxy: string[]): (address: string) => boolean {
  const proxies = new BlockList();
  for (const entry of trustProxy) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  return address => {
    const family = isIP(address);
    return family !== 0 && proxies.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}
