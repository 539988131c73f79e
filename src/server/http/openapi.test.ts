/** The document outsiders read: every call of the contract is in it, as it is served, and nothing else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { areas } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { refusals } from '#contract/errors.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { describeApi } from './openapi.ts';

type Shape = {
  type?: string;
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: boolean;
};
type Call = {
  operationId: string;
  tags: string[];
  summary: string;
  security: Record<string, unknown>[];
  parameters: { name: string; in: string; required: boolean; schema: Shape }[];
  requestBody?: { content: Record<string, { schema: Shape }> };
  responses: Record<string, { content?: Record<string, { schema?: Shape }> }>;
};
type Document = {
  openapi: string;
  info: { title: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Call>>;
  components: { securitySchemes: object; schemas: { Failure: Shape } };
};

let bank: TestBank;
let document: Document;
beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off' });
  document = (await (await fetch(`${bank.url}/api/openapi.json`)).json()) as Document;
});
afterAll(() => bank.close());

const calls = Object.entries(areas).flatMap(([area, api]) =>
  (Object.entries(api) as [string, Endpoint][]).map(([name, endpoint]) => ({ area, name, endpoint })),
);
const find = ({ path, method }: Endpoint): Call => document.paths[path]![method.toLowerCase()]!;

test('it is OpenAPI 3.1 of this bank at its public address, and says the same whoever asks', async () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.info.title).toBe('Larkspur Bank API');
  expect(document.servers).toEqual([{ url: bank.bank.parts.publicUrl }]);
  expect(document).toEqual(JSON.parse(JSON.stringify(describeApi(bank.bank.parts.publicUrl))));
});

test('it lists every call of the contract once, and no other', () => {
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.sort()).toEqual(calls.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`).sort());
  const names = Object.values(document.paths).flatMap(methods =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(new Set(names).size).toBe(calls.length);
});

describe('of every call it says', () => {
  test('who may make it, what it is about and where it belongs', () => {
    for (const { area, name, endpoint } of calls) {
      const { operationId, tags, summary, security } = find(endpoint);
      expect({ operationId, tags, summary }).toEqual({
        operationId: name,
        tags: [area],
        summary: endpoint.summary,
      });
      expect(security, name).toEqual(endpoint.access === 'none' ? [] : [{ [endpoint.access]: [] }]);
      if (endpoint.access !== 'none')
        expect(Object.keys(document.components.securitySchemes)).toContain(endpoint.access);
    }
  });

  test('each placeholder of its path, and the idempotency key where it is honoured', () => {
    for (const { name, endpoint } of calls) {
      const { parameters } = find(endpoint);
      const inPath = parameters.filter(one => one.in === 'path');
      expect(
        inPath.map(one => `{${one.name}}`),
        name,
      ).toEqual(endpoint.path.match(/\{\w+\}/g) ?? []);
      for (const { required } of inPath) expect(required).toBe(true);
      const key = parameters.find(one => one.in === 'header');
      expect(key !== undefined, name).toBe(endpoint.idempotent === true);
      if (key)
        expect(key).toMatchObject({ name: 'Idempotency-Key', schema: { minLength: 8, maxLength: 128 } });
    }
  });

  test('what it takes: no fields but those listed, and money as a number', () => {
    const takesBody = calls.filter(({ endpoint }) => endpoint.body || endpoint.files);
    expect(takesBody.length).toBeGreaterThan(15);
    for (const { name, endpoint } of takesBody) {
      const [kind] = Object.keys(find(endpoint).requestBody!.content);
      expect(kind, name).toBe(endpoint.files ? 'multipart/form-data' : 'application/json');
    }
    const transfer = find(areas.transfer.sendInternal).requestBody!.content['application/json']!.schema;
    expect(transfer).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['receiverAccountNumber', 'amount'],
      properties: { receiverAccountNumber: { type: 'string' }, amount: { type: 'number' } },
    });
    const form = find(areas.auth.register).requestBody!.content['multipart/form-data']!.schema;
    expect(form.required).toContain('avatar');
    expect(form.properties).toMatchObject({ avatar: { format: 'binary' }, email: { type: 'string' } });
  });

  test('what it answers: its success, and each refusal under its status', () => {
    for (const { name, endpoint } of calls) {
      const { responses } = find(endpoint);
      const success = responses[String(endpoint.status ?? 200)]!.content!;
      if (endpoint.answer === 'picture') expect(Object.keys(success), name).toEqual(['image/webp']);
      else if (endpoint.answer === 'events')
        expect(Object.keys(success), name).toEqual(['text/event-stream']);
      else {
        const { properties = {}, required } = success['application/json']!.schema!;
        expect(Object.keys(properties), name).toEqual([
          'success',
          'message',
          ...(endpoint.data ? ['data'] : []),
        ]);
        expect(required).toEqual(Object.keys(properties));
      }
      const statuses = Object.keys(responses).map(Number);
      for (const code of endpoint.refusals ?? []) expect(statuses, name).toContain(refusals[code].status);
      expect(statuses).toContain(400);
      if (endpoint.access !== 'none') expect(statuses).toEqual(expect.arrayContaining([401, 403]));
    }
    expect(document.components.schemas.Failure.required).toEqual(['success', 'message', 'code']);
  });
});

test('the page to read it names every call and needs no script', async () => {
  const answer = await fetch(`${bank.url}/api/docs`);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const page = await answer.text();
  for (const { endpoint } of calls)
    expect(page).toContain(`<code>${endpoint.method} ${endpoint.path}</code>`);
  expect(page).not.toMatch(/<script|<style|style=/);
});
