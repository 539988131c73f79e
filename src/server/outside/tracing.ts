/**
 * Traces by OpenTelemetry, sent over OTLP/HTTP. Imported only if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. A trace leads from a
 * request through the posting to its commit and, if this process runs them, to the payment's jobs and the mail. Spans hold
 * routes, statuses and transaction ids, and nothing about a person.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import {
  type CommitPoint,
  type PostingPoint,
  type Tracing,
  tracePoints,
  type WorkPoint,
} from '../base/tracePoints.ts';

/** For how many transactions the trace is remembered, so that jobs and mails can join it. Under load, that is a few seconds. */
const maxTransactions = 10_000;
/** The timeout of one export. A shutdown waits less: see `bank.ts`. */
const sendTimeoutMs = 5_000;

/**
 * Starts tracing. `endpoint`: the address of the collector, to which `/v1/traces` is added. `share`: the share of requests
 * that are traced, from 0 to 1.
 */
export function startTracing({
  endpoint,
  share,
  log,
}: {
  endpoint: string;
  share: number;
  log: FastifyBaseLogger;
}): Tracing {
  const warn = (reason: string) => log.warn({ reason: reason.slice(0, 300) }, 'traces could not be sent');
  const ignore = () => {};
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: sendTimeoutMs,
  });
  const provider = new TracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    resource: resourceFromAttributes({ 'service.name': 'larkspur-bank' }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 })],
  });
  const tracer = provider.getTracer('larkspur');
  const current = new AsyncLocalStorage<Span>();
  /** The span contexts of postings by transaction id, for commits, jobs and mails. */
  const transactions = new LRUCache<string, SpanContext>({ max: maxTransactions });
  const currentContext = () => {
    const span = current.getStore();
    return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT;
  };
  const contextOf = (transactionId: string | undefined): Context | undefined => {
    const posting = transactionId === undefined ? undefined : transactions.get(transactionId);
    return posting && trace.setSpanContext(ROOT_CONTEXT, posting);
  };
  const idAttribute = (transactionId: string | undefined): Attributes =>
    transactionId === undefined ? {} : { 'larkspur.transaction_id': transactionId };

  const stopPostings = follow<PostingPoint>(tracePoints.postings, ({ transactionId }) => {
    const span = tracer.startSpan('post', { attributes: idAttribute(transactionId) }, currentContext());
    transactions.set(transactionId, span.spanContext());
    return span;
  });
  const stopWork = follow<WorkPoint>(tracePoints.work, ({ name, transactionId }) =>
    tracer.startSpan(
      name,
      { kind: SpanKind.CONSUMER, attributes: idAttribute(transactionId) },
      contextOf(transactionId) ?? currentContext(),
    ),
  );
  // A group has the postings of several traces, so each of these traces gets a span of the group's commit.
  const onCommit = (message: unknown) => {
    const { transactionIds, startedAt, endedAt, error } = message as CommitPoint;
    for (const transactionId of transactionIds) {
      const context = contextOf(transactionId);
      if (!context) continue;
      const attributes = {
        'db.system.name': 'postgresql',
        'larkspur.group_size': transactionIds.length,
        ...idAttribute(transactionId),
      };
      const options = { kind: SpanKind.CLIENT, startTime: performance.timeOrigin + startedAt, attributes };
      const span = tracer.startSpan('commit', options, context);
      if (error !== undefined) fail(span, error);
      span.end(performance.timeOrigin + endedAt);
    }
  };
  tracePoints.commits.subscribe(onCommit);

  return {
    startRequest({ id, method, route }, parent) {
      const span = tracer.startSpan(
        `${method} ${route}`,
        {
          kind: SpanKind.SERVER,
          attributes: { 'http.request.method': method, 'http.route': route, 'larkspur.request_id': id },
        },
        readParent(parent),
      );
      return {
        traceId: span.spanContext().traceId,
        run: work => current.run(span, work),
        end({ status, caller, refusal }) {
          span.setAttributes({ 'http.response.status_code': status, 'larkspur.caller': caller });
          if (refusal !== undefined) span.setAttribute('error.type', refusal);
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    logFields() {
      const span = current.getStore();
      return span ? { trace_id: span.spanContext().traceId } : {};
    },
    async close() {
      stopPostings();
      stopWork();
      tracePoints.commits.unsubscribe(onCommit);
      await provider.shutdown();
    },
  };

  /** Makes a span for each message of a channel. Returns a function that unsubscribes. */
  function follow<Point extends object>(
    points: (typeof tracePoints)['postings' | 'work'],
    start: (point: Point) => Span,
  ): () => void {
    const spans = new WeakMap<object, Span>();
    const subscribers = {
      start() {},
      end() {},
      asyncStart() {},
      asyncEnd: (point: object) => spans.get(point)?.end(),
      error: (point: object & { error?: unknown }) => {
        const span = spans.get(point);
        if (span) fail(span, point.error);
      },
    };
    points.start.bindStore(current, point => {
      const span = start(point as Point);
      spans.set(point as Point, span);
      return span;
    });
    points.subscribe(subscribers);
    return () => {
      points.start.unbindStore(current);
      points.unsubscribe(subscribers);
    };
  }
}

/** Marks a span as failed and adds the error's code, not its message, which could contain personal data. */
function fail(span: Span, error: unknown): void {
  const { code, name } = error as { code?: string | number; name?: string };
  span.setAttribute('error.type', code ?? name ?? 'error');
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The context of a `traceparent` header; the root if there is none or it is malformed. `tracestate` is not used. */
function readParent(header: string | undefined): Context {
  const [, traceId, spanId, flags] =
    /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags!, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
