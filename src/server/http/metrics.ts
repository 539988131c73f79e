/**
 * Metrics for operators: the process, request durations by route, and gauges of the bank's parts. They can be read from this
 * machine, and from elsewhere with `METRICS_TOKEN`.
 */
import cluster from 'node:cluster';
import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Metric,
  Registry,
} from 'prom-client';
import { Refusal } from '#contract/errors.ts';
import { withDeadline } from '../base/deadline.ts';
import { askPrimary } from '../base/workerChannel.ts';
import { isOwnHost } from './hostCheck.ts';
import { refusalOf } from './refusal.ts';
import { routeOf } from './requestLog.ts';

const prefix = 'larkspur_';
const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Serves `GET /metrics`, times every request except successful streams and downloads, and counts refusals. `gauges`: functions
 * by metric name, without the product's prefix, called at each scrape. A request from this machine must name this machine or
 * bank as its host (`hostCheck.ts`). Every other request needs the `token`.
 */
export function serveMetrics(
  app: FastifyInstance,
  {
    token,
    publicUrl,
    gauges,
    metrics = [],
    readDisk,
    readBacklog,
  }: {
    token: string | undefined;
    publicUrl: string;
    gauges: Readonly<Record<string, () => number>>;
    /** Metrics that other parts update. */
    metrics?: Metric[];
    /** Reads gauges of the disk at each scrape. */
    readDisk?: () => Promise<Record<string, number>>;
    /** Reads gauges from the database at each scrape. */
    readBacklog?: () => Promise<Record<string, number>>;
  },
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // The library averages this metric over the workers, which would hide one busy worker from the alert.
  Object.assign(registry.getSingleMetric('nodejs_eventloop_lag_p99_seconds')!, { aggregator: 'max' });
  // By default, the library leaves this metric out when it combines workers. Changes of the metric show restarts of a server.
  Object.assign(registry.getSingleMetric('process_start_time_seconds')!, { aggregator: 'min' });
  for (const [name, read] of Object.entries(gauges)) {
    new Gauge({
      name: prefix + name,
      help: name.replaceAll('_', ' '),
      registers: [registry],
      aggregator: aggregatorOf(name),
      collect() {
        this.set(read());
      },
    });
  }
  const durations = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'time from the request to the end of its response, by route, method and status class',
    labelNames: ['method', 'route', 'status'],
    buckets: bucketsSeconds,
    registers: [registry],
  });

  for (const metric of metrics) registry.registerMetric(metric);
  const refused = new Counter({
    name: `${prefix}refusals_total`,
    help: 'answers that refused a request, by the code of the refusal',
    labelNames: ['code'],
    registers: [registry],
  });

  app.addHook('onResponse', (request, reply, done) => {
    done();
    const refusal = refusalOf(reply);
    if (refusal) refused.inc({ code: refusal.code });
    // The lifetime of a stream is not a response time.
    if (request.routeOptions.config.staysOpen && reply.statusCode < 300) return;
    const route = routeOf(request);
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    durations.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
  });

  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries(registry);
    // Adds the listener that answers the primary process.
    new AggregatorRegistry();
  }
  /** The combined metrics of all workers; only this worker's own if another worker does not answer. */
  const readMetrics = async () => {
    const combined = cluster.isWorker
      ? await askPrimary<string | undefined>('metrics')
      : await registry.metrics();
    const answers = { workers_answer: combined === undefined ? 0 : 1 };
    return (combined ?? (await registry.metrics())) + (await gaugesText(answers));
  };
  let pending: Promise<Record<string, number>> | undefined;
  // While a disk hangs, a read occupies a thread. A read for each scrape would take all of Node's threads, which hash
  // passwords.
  const readDiskOnce = async () => {
    pending ??= readDisk?.().finally(() => {
      pending = undefined;
    });
    return await pending;
  };
  /** The gauges of the disk and the database, which may hang. */
  const scrapeSlow = async () => {
    const [disk, backlog] = await Promise.all([readDiskOnce, readBacklog].map(readInTime));
    return await gaugesText({
      ...disk,
      ...backlog,
      ...(readBacklog && { database_answers: backlog ? 1 : 0 }),
    });
  };

  app.get('/metrics', async (request, reply) => {
    const isTrusted = isLocal(request) && isOwnHost(request, publicUrl);
    if (!isTrusted && !hasToken(request, token)) throw new Refusal('NOT_FOUND');
    return reply
      .header('content-type', registry.contentType)
      .header('cache-control', 'no-store')
      .send((await readMetrics()) + (await scrapeSlow()));
  });
}

/** How the values of several workers are combined. `file_store_answers` is 0 or 1, so the lowest value shows a fault. */
function aggregatorOf(name: string): 'min' | 'max' | 'sum' {
  if (name.endsWith('_answers')) return 'min';
  return name.endsWith('_timestamp_seconds') ? 'max' : 'sum';
}

/** Gauges that take longer to read are left out of the scrape. For those of the database, `database_answers` is then 0. */
const slowTimeoutMs = 1_500;

/** Reads gauges; undefined if that fails or takes too long. */
const readInTime = (read: () => Promise<Record<string, number> | undefined> = async () => undefined) =>
  withDeadline(
    read().catch(() => undefined),
    slowTimeoutMs,
    () => undefined,
  );

/** These values as Prometheus text. */
async function gaugesText(values: Record<string, number>): Promise<string> {
  const registry = new Registry();
  for (const [name, value] of Object.entries(values))
    new Gauge({ name: prefix + name, help: name.replaceAll('_', ' '), registers: [registry] }).set(value);
  return await registry.metrics();
}

const proxyHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/** Whether the connection is from this machine and the request was not forwarded by a proxy. */
function isLocal({ raw }: FastifyRequest): boolean {
  const address = (raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isForwarded = proxyHeaders.some(name => raw.headers[name] !== undefined);
  return !isForwarded && (address === '::1' || (isIP(address) === 4 && address.startsWith('127.')));
}

function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}
