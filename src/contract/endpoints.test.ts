/**
 * Rules that every endpoint follows. The request, response and guards of each are in the reviewed copy of the OpenAPI document,
 * `tests/openapi.json`.
 */
import { describe, expect, test } from 'vitest';
import { areas } from './api.ts';
import type { Endpoint } from './endpoint.ts';
import { refusals } from './errors.ts';

const served: [name: string, endpoint: Endpoint][] = Object.values(areas).flatMap(api =>
  Object.entries(api as Record<string, Endpoint>),
);
const call = ({ method, path }: Endpoint) => `${method} ${path}`;

/** Field names of an object schema; empty for any other schema. */
const fieldsOf = (schema: unknown) => Object.keys((schema as { shape?: object }).shape ?? {});

describe('an endpoint', () => {
  test('has a name, and a method and path, that no other endpoint has', () => {
    const shapes = served.map(([, endpoint]) => call(endpoint).replace(/\{\w+\}/g, '{}'));
    expect(shapes.length).toBeGreaterThan(40);
    expect(new Set(shapes).size).toBe(shapes.length);
    expect(new Set(served.map(([name]) => name)).size).toBe(served.length);
  });

  test('has a path under one of the base paths [C-01, C-02, C-03, C-05]', () => {
    for (const [, { path }] of served)
      expect(path).toMatch(/^\/api\/v1\/(auth|user|admin|contact)(\/[a-z0-9-]+|\/\{[a-zA-Z]+\})*$/);
  });

  test('has parameters for exactly the placeholders of its path', () => {
    for (const [name, { path, params }] of served) {
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, placeholder]) => placeholder);
      expect(fieldsOf(params ?? {}), name).toEqual(placeholders);
    }
  });

  test('has a summary for the OpenAPI document and a message for people [C-07]', () => {
    for (const [name, { summary, message }] of served) {
      expect(summary, name).toMatch(/^[A-Z].{10,}[^.\s]$/);
      expect(message, name).toMatch(/^\S(.*\S)?$/);
    }
  });

  test('has no body, files or idempotency key if it only reads, and no query if it writes', () => {
    for (const [name, { method, body, files, idempotent, query }] of served) {
      const unfit = method === 'GET' ? [body, files, idempotent] : [query];
      expect(new Set(unfit), name).toEqual(new Set([undefined]));
    }
  });

  test('with which a customer changes something has a quota, except postings and seven harmless calls', () => {
    const unlimited = served.filter(
      ([, { access, method, checkedByLedger, quota, addressQuota }]) =>
        access === 'customer' && method !== 'GET' && !checkedByLedger && !quota && !addressQuota,
    );
    // These calls only end or prolong something that exists, or mark it as read.
    const harmless = [
      'logout',
      'reportActivity',
      'endSession',
      'endOtherSessions',
      'cancelTransaction',
      'readNotification',
      'readNotifications',
    ];
    expect(unlimited.map(([name]) => name)).toEqual(harmless);
  });

  test('lists only existing refusals, each once', () => {
    for (const [name, { refusals: named = [] }] of served) {
      expect(new Set(named).size, name).toBe(named.length);
      for (const code of named) expect(refusals, name).toHaveProperty(code);
    }
  });
});
