/**
 * What operators watch: the process, every call's duration by route, and the gauges the bank's parts hand in. Read on
 * this machine, or from elsewhere with the token.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Refusal } from '#contract/errors.ts';
import { asksOwnHost } from './ownHost.ts';

const prefix = 'larkspur_';
const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Serves `GET /metrics` and times every request. `gauges` are asked at each reading, by the name they get after the
 * product's prefix. This machine reads under a name that no stranger could own; whoever else needs the `token`.
 */
export function serveMetrics(
  app: FastifyInstance,
  {
    token,
    publicUrl,
    gauges,
  }: { token: string | undefined; publicUrl: string; gauges: Readonly<Record<string, () => number>> },
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const [name, read] of Object.entries(gauges)) {
    new Gauge({
      name: prefix + name,
      help: name.replaceAll('_', ' '),
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }
  const durations = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'time from the request to the end of its answer, by route, method and status class',
    labelNames: ['method', 'route', 'status'],
    buckets: bucketsSeconds,
    registers: [registry],
  });

  app.addHook('onResponse', async (request, reply) => {
    // How long somebody listened is no measure of how fast an answer was.
    if (request.routeOptions.config.staysOpen && reply.statusCode < 300) return;
    // The route's pattern and not the path: ids would make a series of every customer.
    const route = request.routeOptions.url ?? 'none';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    durations.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
  });

  app.get('/metrics', async (request, reply) => {
    const isOwn = isLocal(request) && asksOwnHost(request, publicUrl);
    if (!isOwn && !hasToken(request, token)) throw new Refusal('NOT_FOUND');
    return reply
      .header('content-type', registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics());
  });
}

const proxyHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/** By the connection itself; and one that a proxy on this machine passes on is not from this machine. */
function isLocal({ raw }: FastifyRequest): boolean {
  const address = (raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isPassedOn = proxyHeaders.some(name => raw.headers[name] !== undefined);
  return !isPassedOn && (address === '::1' || (isIP(address) === 4 && address.startsWith('127.')));
}

function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}
