/**
 * Rules that every call keeps, and what the OpenAPI document does not show of a call. What each call takes and gives is in
 * the reviewed copy of that document, `tests/openapi.json`.
 */
import { describe, expect, test } from 'vitest';
import { areas } from './api.ts';
import type { Endpoint } from './endpoint.ts';
import { refusals } from './errors.ts';

const served: [name: string, endpoint: Endpoint][] = Object.values(areas).flatMap(api =>
  Object.entries(api as Record<string, Endpoint>),
);
const call = ({ method, path }: Endpoint) => `${method} ${path}`;

/** Names of an object schema's fields; nothing for another shape. */
const fieldsOf = (schema: unknown) => Object.keys((schema as { shape?: object }).shape ?? {});

describe('a call', () => {
  test('has a name of its own, and a method and path that no other call can be mistaken for', () => {
    const shapes = served.map(([, endpoint]) => call(endpoint).replace(/\{\w+\}/g, '{}'));
    expect(shapes.length).toBeGreaterThan(40);
    expect(new Set(shapes).size).toBe(shapes.length);
    expect(new Set(served.map(([name]) => name)).size).toBe(served.length);
  });

  test('lies under one of the bases [C-01, C-02, C-03, C-05]', () => {
    for (const [, { path }] of served)
      expect(path).toMatch(/^\/api\/v1\/(auth|user|admin|contact)(\/[a-z0-9-]+|\/\{[a-zA-Z]+\})*$/);
  });

  test('has parameters for exactly the placeholders of its path', () => {
    for (const [name, { path, params }] of served) {
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, placeholder]) => placeholder);
      expect(fieldsOf(params ?? {}), name).toEqual(placeholders);
    }
  });

  test('has a summary for the document and a message for a person [C-07]', () => {
    for (const [name, { summary, message }] of served) {
      expect(summary, name).toMatch(/^[A-Z].{10,}[^.\s]$/);
      expect(message, name).toMatch(/^\S(.*\S)?$/);
    }
  });

  test('that only reads sends no body, no form and no key; one that writes takes no query', () => {
    for (const [name, { method, body, files, idempotent, query }] of served) {
      const unfit = method === 'GET' ? [body, files, idempotent] : [query];
      expect(new Set(unfit), name).toEqual(new Set([undefined]));
    }
  });

  test('names only refusals there are, each once', () => {
    for (const [name, { refusals: named = [] }] of served) {
      expect(new Set(named).size, name).toBe(named.length);
      for (const code of named) expect(refusals, name).toHaveProperty(code);
    }
  });

  test('is guarded as decided in what the document does not show [AC-11]', () => {
    const having = (rule: keyof Endpoint, value: unknown = true) =>
      served.filter(([, endpoint]) => endpoint[rule] === value).map(([name]) => name);
    expect({
      notWhileFrozen: having('notWhileFrozen'),
      // Money cannot leave a frozen account either; there the books answer, so that a repeated key gets its first result.
      checkedByLedger: having('checkedByLedger'),
      outsideSessionLimit: having('outsideSessionLimit'),
      findsReceiver: having('findsReceiver'),
      uploads: having('quota', 'uploads'),
      lookups: having('quota', 'lookups'),
      changes: having('quota', 'changes'),
      login: having('addressQuota', 'login'),
      register: having('addressQuota', 'register'),
      contact: having('addressQuota', 'contact'),
    }).toEqual({
      notWhileFrozen: ['updateContact', 'deleteAccount', 'uploadAvatar', 'uploadIdCard'],
      checkedByLedger: ['sendInternal', 'sendExternal'],
      outsideSessionLimit: ['logout', 'changePassword', 'deleteAccount', 'endSession', 'endOtherSessions'],
      findsReceiver: ['sendInternal', 'verifyAccount'],
      uploads: ['uploadAvatar', 'uploadIdCard'],
      lookups: ['verifyAccount'],
      changes: ['updateContact'],
      login: [
        'initiateLogin',
        'verifyCode',
        'resendCode',
        'forgotPassword',
        'resetPassword',
        'changePassword',
        'deleteAccount',
        'adminLogin',
      ],
      register: ['register'],
      contact: ['sendMessage'],
    });
  });
});
