/** The OpenAPI 3.1 document, generated from the same contract that routes and validation use, and a page that displays it. */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { areas } from '#contract/api.ts';
import { bank, idempotencyKey } from '#contract/constants.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { type RefusalCode, refusals } from '#contract/errors.ts';
import { Approval } from '#contract/fourEyes.ts';
import { escapeHtml } from '#contract/html.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { StepUpChallenge } from '#contract/stepUp.ts';

type Json = Record<string, unknown>;

/** The encoded (wire) form of a schema, as JSON Schema (2020-12). */
function wireSchema(schema: z.ZodMiniType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;
  return rest;
}

function parametersOf(schema: z.ZodMiniType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = wireSchema(schema) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: shape,
  }));
}

function bodyOf(endpoint: Endpoint): Json {
  if (endpoint.files) {
    const text = (endpoint.body ? wireSchema(endpoint.body) : { type: 'object' }) as {
      properties?: Json;
      required?: string[];
    };
    const files = Object.keys(endpoint.files).map(name => [name, { type: 'string', format: 'binary' }]);
    const needed = Object.entries(endpoint.files).filter(([, rule]) => rule.required);
    return {
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              properties: { ...text.properties, ...Object.fromEntries(files) },
              required: [...(text.required ?? []), ...needed.map(([name]) => name)],
            },
          },
        },
      },
    };
  }
  if (!endpoint.body) return {};
  return { requestBody: { content: { 'application/json': { schema: wireSchema(endpoint.body) } } } };
}

function refusalsOf(endpoint: Endpoint): RefusalCode[] {
  const always: RefusalCode[] = ['VALIDATION', 'TOO_MANY', 'BUSY'];
  const session: RefusalCode[] =
    endpoint.access === 'none' ? [] : ['NOT_AUTHORIZED', 'TOKEN_EXPIRED', 'FORBIDDEN'];
  const pending: RefusalCode[] =
    endpoint.access === 'customer' && !endpoint.whilePending ? ['ACCOUNT_PENDING'] : [];
  const frozen: RefusalCode[] = endpoint.notWhileFrozen ? ['ACCOUNT_FROZEN'] : [];
  const stepUp: RefusalCode[] = endpoint.stepUp ? ['STEP_UP_REQUIRED'] : [];
  return [
    ...new Set([...always, ...session, ...pending, ...frozen, ...stepUp, ...(endpoint.refusals ?? [])]),
  ];
}

/**
 * The failures of a call, one per status. Each set of codes is described once in the document. Its name is the joined codes.
 */
function failuresOf(endpoint: Endpoint): { status: number; codes: RefusalCode[]; name: string }[] {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of refusalsOf(endpoint).sort()) {
    const { status } = refusals[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].map(([status, codes]) => ({ status, codes, name: codes.join('.') }));
}

function failureOf(codes: readonly RefusalCode[]): Json {
  const isTimed = codes.some(code => refusals[code].status === 429 || refusals[code].status === 503);
  return {
    description: codes.join(', '),
    ...(isTimed && { headers: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } } }),
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Failure' }, { properties: { code: { enum: codes } } }],
        },
      },
    },
  };
}

/** The answer to a call that waits for a second person's approval. */
function askedResponse(): Json {
  const data = wireSchema(z.object({ approval: Approval }));
  return {
    description: staffMessages.asked,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['success', 'message', 'data'],
          properties: { success: { const: true }, message: { type: 'string' }, data },
        },
      },
    },
  };
}

function responsesOf(endpoint: Endpoint): Json {
  const success = {
    type: 'object',
    required: ['success', 'message', ...(endpoint.data ? ['data'] : [])],
    properties: {
      success: { const: true },
      message: { type: 'string', examples: [endpoint.message] },
      ...(endpoint.data && { data: wireSchema(endpoint.data) }),
    },
  };
  return {
    [String(endpoint.status ?? 200)]:
      endpoint.answer === 'picture'
        ? {
            description: endpoint.summary,
            content: { 'image/webp': {} },
          }
        : endpoint.answer === 'events'
          ? {
              description: endpoint.summary,
              content: { 'text/event-stream': { schema: { type: 'string' } } },
            }
          : endpoint.answer === 'file'
            ? {
                description: endpoint.summary,
                content: { 'application/octet-stream': {} },
              }
            : {
                description: endpoint.message,
                content: { 'application/json': { schema: success } },
              },
    ...(endpoint.fourEyes && { '202': askedResponse() }),
    ...Object.fromEntries(
      failuresOf(endpoint).map(({ status, name }) => [
        String(status),
        { $ref: `#/components/responses/${name}` },
      ]),
    ),
  };
}

/** Returns the whole document. `publicUrl`: the server's origin. */
export function describeApi(publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  const failures: Json = {};
  for (const [area, api] of Object.entries(areas)) {
    for (const [name, endpoint] of Object.entries(api) as [string, Endpoint][]) {
      const key = {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        schema: { type: 'string', minLength: idempotencyKey.minLength, maxLength: idempotencyKey.maxLength },
      };
      const proof = { name: 'Step-Up', in: 'header', required: false, schema: { type: 'string' } };
      const path = paths[endpoint.path] ?? {};
      path[endpoint.method.toLowerCase()] = {
        operationId: name,
        tags: [area],
        summary: endpoint.summary,
        security: endpoint.access === 'none' ? [] : [{ [endpoint.access]: [] }],
        parameters: [
          ...parametersOf(endpoint.params, 'path'),
          ...parametersOf(endpoint.query, 'query'),
          ...(endpoint.idempotent ? [key] : []),
          ...(endpoint.stepUp ? [proof] : []),
        ],
        ...bodyOf(endpoint),
        responses: responsesOf(endpoint),
      };
      paths[endpoint.path] = path;
      for (const { name, codes } of failuresOf(endpoint)) failures[name] = failureOf(codes);
    }
  }
  const bearer = (description: string) => ({
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description,
  });
  return {
    openapi: '3.1.0',
    info: {
      title: `${bank.name} API`,
      version: '1',
      description: 'Money is a number of dollars with at most two decimals; times are ISO 8601 in UTC.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      securitySchemes: {
        customer: bearer("A customer's session"),
        admin: bearer("An administrator's session"),
      },
      responses: failures,
      schemas: {
        Failure: {
          type: 'object',
          required: ['success', 'message', 'code'],
          properties: {
            success: { const: false },
            message: { type: 'string' },
            code: { enum: Object.keys(refusals) },
            errors: {
              type: 'array',
              items: {
                type: 'object',
                properties: { field: { type: 'string' }, message: { type: 'string' } },
              },
            },
            waitTime: { type: 'integer', description: 'Seconds' },
            challenge: { ...wireSchema(StepUpChallenge), description: 'With STEP_UP_REQUIRED' },
          },
        },
      },
    },
  };
}

function renderPage(document: Json): string {
  const paths = document.paths as Record<
    string,
    Record<
      string,
      {
        summary: string;
        operationId: string;
        tags: string[];
        security: Json[];
        requestBody?: unknown;
        responses: Record<string, { description: string } | { $ref: string }>;
      }
    >
  >;
  const { responses: failures } = document.components as {
    responses: Record<string, { description: string }>;
  };
  const describe = (response: { description: string } | { $ref: string }) =>
    '$ref' in response ? failures[response.$ref.split('/').at(-1)!]!.description : response.description;
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method, ...call })),
  );
  const sections = Object.keys(areas).map(area => {
    const list = calls
      .filter(call => call.tags[0] === area)
      .map(call => {
        const who = Object.keys(call.security[0] ?? {})[0] ?? 'anyone';
        const answers = Object.entries(call.responses).map(
          ([status, response]) => `<li><b>${status}</b> ${escapeHtml(describe(response))}</li>`,
        );
        const body = call.requestBody
          ? `<pre>${escapeHtml(JSON.stringify(call.requestBody, null, 2))}</pre>`
          : '';
        return `<details><summary><code>${call.method.toUpperCase()} ${escapeHtml(call.path)}</code> ${escapeHtml(call.summary)} <i>(${who})</i></summary>${body}<ul>${answers.join('')}</ul></details>`;
      });
    return `<h2>${area}</h2>${list.join('')}`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${bank.name} API</title><h1>${bank.name} API</h1><p><a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1)</p>${sections.join('')}</html>`;
}

/**
 * Serves the document and its page. Both are made on the first request: at the start, making them would take a third of the
 * time that it takes to open a bank. They are made and encoded only once, because anyone can request them and encoding takes
 * milliseconds.
 */
export function serveOpenApi(app: FastifyInstance, publicUrl: string): void {
  let made: { json: Buffer; page: Buffer } | undefined;
  const read = () => {
    if (made) return made;
    const document = describeApi(publicUrl);
    made = { json: Buffer.from(JSON.stringify(document)), page: Buffer.from(renderPage(document)) };
    return made;
  };
  app.get('/api/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(read().json));
  app.get('/api/docs', (_, reply) => reply.type('text/html; charset=utf-8').send(read().page));
}
