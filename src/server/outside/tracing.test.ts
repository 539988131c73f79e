/** Traces as a real collector receives them over HTTP. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import Fastify from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transferApi } from '#contract/transfer.ts';
import { eventually, openTestBank } from '../../../tests/server.ts';
import { addTraceIds } from '../bank.ts';
import { logRequests } from '../http/requestLog.ts';
import { traceRequests } from '../http/requestTraces.ts';
import { startTracing } from './tracing.ts';

type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: unknown }[];
};
type Line = { trace_id?: string };
type Export = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };

const received: string[] = [];
const collector = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  if (request.url === '/v1/traces') received.push(body);
  response.setHeader('content-type', 'application/json').end('{}');
});
let endpoint: string;
beforeAll(async () => {
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(() => collector.close());

const spans = () =>
  received.flatMap(body =>
    (JSON.parse(body) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(scope => scope.spans),
    ),
  );
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${parentId}-01`;
/** What a proxy sends. */
const forwarded = { traceparent, 'x-forwarded-for': '192.0.2.1' };

test('one trace leads from a transfer through its posting and commit to its mails, and names no person [OB-01, OB-02, OB-03]', async () => {
  const bank = await openTestBank({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRUST_PROXY: '127.0.0.0/8' });
  const [from, to] = [await bank.customer({ dollars: 77 }), await bank.customer()];
  const answer = await fetch(bank.url + transferApi.sendInternal.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${from.token}`, 'content-type': 'application/json', ...forwarded },
    body: JSON.stringify({ receiverAccountNumber: to.accountNumber, amount: 12.34, description: 'lunch' }),
  });
  const { data } = (await answer.json()) as { data: { _id: string } };
  const ofTrace = () => spans().filter(span => span.traceId === traceId);
  await eventually(() => ofTrace().filter(({ name }) => name === 'mail').length === 2 || undefined);
  // The last spans are sent while the bank stops.
  await bank.close();

  const [request, posting, commit, mail] = ['POST /api/v1/user/transfer', 'post', 'commit', 'mail'].map(
    name => ofTrace().find(span => span.name === name)!,
  );
  expect(request!.parentSpanId).toBe(parentId);
  expect(posting!.parentSpanId).toBe(request!.spanId);
  expect(commit!.parentSpanId).toBe(posting!.spanId);
  expect(mail!.parentSpanId).toBe(posting!.spanId);
  for (const span of [posting!, commit!, mail!])
    expect(span.attributes).toContainEqual({
      key: 'larkspur.transaction_id',
      value: { stringValue: data._id },
    });
  expect(ofTrace()).toHaveLength(5);
  for (const person of [from, to])
    for (const fact of [person._id, person.email, person.accountNumber, person.firstName, '12.34', 'lunch'])
      expect(received.join()).not.toContain(fact);
});

test('log lines of a request name its trace, and other lines name none [OB-02]', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = pino({ level: 'info' }, stream);
  const tracing = startTracing({ endpoint, share: 0, log });
  const app = Fastify({ loggerInstance: addTraceIds(log, tracing), trustProxy: '127.0.0.1' });
  traceRequests(app, tracing);
  logRequests(app, log);
  app.get('/api/v1/things', async request => {
    await new Promise(resolve => setImmediate(resolve));
    request.log.warn('looked up');
    return 'x';
  });
  await app.inject({ url: '/api/v1/things', headers: forwarded });
  log.info('outside');
  const idOf = (text: string) => (JSON.parse(lines.find(line => line.includes(text))!) as Line).trace_id;
  expect(['looked up', '"msg":"request"', 'outside'].map(idOf)).toEqual([traceId, traceId, undefined]);
  await app.close();
  await tracing.close();
});

test("only a proxy of TRUST_PROXY can name a request's trace [OB-02]", async () => {
  const parents: (string | undefined)[] = [];
  const app = Fastify({ trustProxy: ['203.0.113.0/24', '2001:db8::1'] });
  traceRequests(app, {
    startRequest(_, parent) {
      parents.push(parent);
      return { traceId, run: work => work(), end() {} };
    },
    logFields: () => ({}),
    close: async () => {},
  });
  app.get('/api/v1/things', async () => 'x');
  app.get('/page', async () => 'x');
  for (const remoteAddress of [
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '2001:db8::1',
    '198.51.100.1',
    '2001:db8::2',
  ])
    await app.inject({ url: '/api/v1/things', remoteAddress, headers: forwarded });
  expect(parents).toEqual([traceparent, traceparent, traceparent, undefined, undefined]);
  await app.inject({ url: '/page', remoteAddress: '203.0.113.7', headers: forwarded });
  expect(parents).toHaveLength(5);
  await app.close();
});
