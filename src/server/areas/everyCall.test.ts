/**
 * Every call of the contract against everything that must not get through: visitors, strangers, the wrong role, the wrong
 * state, and requests that are not what the contract describes. Made from the contract, so that a new call is in it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { adminApi } from '#contract/admin.ts';
import { areas } from '#contract/api.ts';
import { image, maxJsonBytes } from '#contract/constants.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { RefusalCode } from '#contract/errors.ts';
import { policyReportsPath } from '#server/http/policyReports.ts';
import { createAdmin, disableAdmin } from '#server/people/admins.ts';
import { endSession } from '#server/people/sessions.ts';
import { digest } from '../../../tests/digest.ts';
import { expectRefused } from '../../../tests/expectRefused.ts';
import { type SeededCustomer, seedCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';

const calls = Object.values(areas).flatMap(api => Object.entries(api) as [string, Endpoint][]);
const dataDir = mkdtempSync(join(tmpdir(), 'larkspur-calls-'));

let bank: TestBank;
let nora: SeededCustomer;
let ben: SeededCustomer;
let pending: SeededCustomer;
let frozen: SeededCustomer;
let adminToken: string;
/** Tokens that were good once. */
const over = { expired: '', loggedOut: '', deleted: '', disabledAdmin: '' };

beforeAll(async () => {
  // Without jobs nothing happens by itself, so that whatever changes was changed by a call.
  bank = await openTestBank({ JOBS: 'off', DATA_DIR: dataDir });
  const { database, tokens, ledger } = bank.bank.parts;
  const make = (wanted = {}) => seedCustomer(database, tokens, wanted);
  nora = await make();
  ben = await make();
  pending = await make({ approved: false });
  frozen = await make({ frozen: true });
  for (const { accountNumber } of [nora, frozen]) {
    const credit = { adminId: nora.customerId, sessionId: null, accountNumber, amountCents: 50_000n };
    await ledger.credit({ ...credit, description: 'start', address: '::1' });
  }
  adminToken = await bank.adminToken();

  const { customerId: personId, sessionId } = nora;
  const expiresAt = new Date(Date.now() - 1000);
  over.expired = await tokens.issue({ kind: 'customer', personId, sessionId, expiresAt });
  const left = await make();
  await database.inTransaction(tx => endSession(tx, left.sessionId));
  over.loggedOut = left.token;
  const closed = await make();
  await database.ownerPool.query('UPDATE customers SET deleted_at = now() WHERE id = $1', [
    closed.customerId,
  ]);
  over.deleted = closed.token;
  const former = { email: 'former@bank.example', password: 'a quiet river stone' };
  await createAdmin(bank.bank.parts, { ...former, name: 'Former' });
  over.disabledAdmin = (await bank.call(adminApi.adminLogin, { body: former })).body.data.token;
  await disableAdmin(bank.bank.parts, former.email, { evenTheLast: false });
});
afterAll(async () => {
  await bank.close();
  rmSync(dataDir, { recursive: true, force: true });
});

let before: Record<string, string>;
const look = () => digest(bank.test.database.ownerPool, dataDir);

/** A good value for each field a call can have; a call with a field that is not here fails below. */
const good = (): Record<string, unknown> => ({
  firstName: 'Nora',
  middleName: '',
  lastName: 'Quist',
  gender: 'female',
  address: '4 Meadow Row',
  region: 'New York',
  zipCode: '10014',
  email: 'somebody@quist.example',
  phoneNumber: '2125550147',
  password: '80412975',
  currentPassword: '80412975',
  newPassword: '57921480',
  otp: '204816',
  name: 'Nora Quist',
  subject: 'A question',
  message: 'How does it work?',
  receiverAccountNumber: ben.accountNumber,
  userAccountNumber: ben.accountNumber,
  amount: 1,
  description: 'lunch',
  bankName: 'First Harbour Bank',
  accountNumber: '12345678',
  accountName: 'Ines Caldeira',
  isFrozen: true,
});

type Property = { type?: string; anyOf?: Property[] };

function propertiesOf(schema: Endpoint['body']): Record<string, Property> {
  if (!schema) return {};
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return (made.properties ?? {}) as Record<string, Property>;
}

/** A body the call accepts, from the contract. */
function goodBody(endpoint: Endpoint): Record<string, unknown> {
  const names = Object.keys(propertiesOf(endpoint.body));
  return Object.fromEntries(names.map(name => [name, good()[name]]));
}

function goodPath(endpoint: Endpoint): string {
  return endpoint.path.replace('{id}', ben.customerId).replace('{accountNumber}', ben.accountNumber);
}

const tokenFor = ({ access }: Endpoint) =>
  access === 'customer' ? nora.token : access === 'admin' ? adminToken : undefined;

type Asked = {
  token?: string | undefined;
  headers?: Record<string, string>;
  query?: string;
  body?: RequestInit['body'];
};

/** Makes the call as somebody who may, unless told otherwise. Without `body` it sends what the call accepts. */
function ask(endpoint: Endpoint, asked: Asked = {}): Promise<Response> {
  const { token = tokenFor(endpoint), headers, query = '' } = asked;
  const sent = 'body' in asked ? { body: asked.body ?? null } : goodRequest(endpoint);
  return fetch(`${bank.url}${goodPath(endpoint)}${query}`, {
    method: endpoint.method,
    ...(endpoint.method !== 'GET' && sent.body !== undefined && { body: sent.body }),
    headers: {
      ...(endpoint.method !== 'GET' && 'headers' in sent && sent.headers),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
}

const json = { 'content-type': 'application/json' };
const portrait = () => new Blob([new Uint8Array(64).fill(7)], { type: 'image/webp' });

function goodForm(endpoint: Endpoint): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(goodBody(endpoint))) form.append(name, String(value));
  for (const name of Object.keys(endpoint.files ?? {})) form.append(name, portrait(), 'me.webp');
  return form;
}

function goodRequest(endpoint: Endpoint): { body?: BodyInit; headers?: Record<string, string> } {
  if (endpoint.files) return { body: goodForm(endpoint) };
  if (!endpoint.body) return {};
  return { body: JSON.stringify(goodBody(endpoint)), headers: json };
}

const sendJson = (endpoint: Endpoint, value: unknown, asked: Asked = {}) =>
  ask(endpoint, { ...asked, body: JSON.stringify(value), headers: json });

const wrongFor: Record<string, unknown[]> = {
  string: [7, true, null, {}, { $gt: '' }, ['x'], []],
  number: ['1', '1.00', true, null, {}, [1]],
  boolean: ['true', 1, 0, null, {}],
};

test('the samples these tests are made from are what the contract accepts', () => {
  expect(calls.length).toBeGreaterThan(30);
  for (const [name, endpoint] of calls) {
    if (endpoint.body)
      expect(z.safeDecode(endpoint.body, goodBody(endpoint) as never).success, name).toBe(true);
    expect(goodPath(endpoint)).not.toContain('{');
  }
});

/** `METHOD path` of every route in Fastify's drawing of its tree: four characters of indent a level. */
function listRoutes(drawing: string): string[] {
  const above: string[] = [];
  return drawing.split('\n').flatMap(line => {
    const found = /^([│├└─ ]*)(\S+)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (!found) return [];
    const depth = found[1]!.length / 4 - 1;
    above.splice(depth, Infinity, found[2]!);
    const path = above.join('');
    return (found[3]?.split(', ') ?? []).map(method => `${method} ${path}`);
  });
}

test('nothing is served under the API that the contract does not declare', () => {
  const declared = new Set(
    calls.map(([, { method, path }]) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  const served = listRoutes(bank.bank.app.printRoutes({ commonPrefix: false })).filter(route =>
    route.includes(' /api/v1'),
  );
  expect(served.length).toBeGreaterThan(30);
  expect(served.filter(route => !route.startsWith('HEAD ') && !declared.has(route))).toEqual([
    `POST ${policyReportsPath}`,
  ]);
});

describe.each(
  calls.map(([name, endpoint]) => ({ call: `${endpoint.method} ${endpoint.path}`, name, endpoint })),
)('$call', ({ endpoint }) => {
  const { access, method, files } = endpoint;
  const says = (what: string) => `${method} ${endpoint.path}, ${what}`;

  beforeAll(async () => {
    before = await look();
  });
  // After each, so that a change is found where it was made; the next test starts from what it found.
  afterEach(async () => {
    const after = await look();
    const was = before;
    before = after;
    expect(after, 'nothing is changed by a request that is refused').toEqual(was);
  });

  if (access !== 'none') {
    test('is closed to visitors, forgers and whoever is logged out [C-06, C-24, C-25, ST-20, ST-23]', async () => {
      const visitors: Record<string, Record<string, string>> = {
        'no token': {},
        'an empty token': { authorization: '' },
        'a bare Bearer': { authorization: 'Bearer' },
        'an empty Bearer': { authorization: 'Bearer ' },
        garbage: { authorization: 'Bearer garbage' },
        'three parts of garbage': { authorization: 'Bearer a.b.c' },
        'another scheme': { authorization: `Basic ${nora.token}` },
        'two tokens': { authorization: `Bearer ${nora.token}, Bearer ${adminToken}` },
        'a cookie': { cookie: `token=${access === 'admin' ? adminToken : nora.token}` },
        'a token with a changed end': {
          authorization: `Bearer ${(access === 'admin' ? adminToken : nora.token).slice(0, -4)}AAAA`,
        },
        'a session that was ended': { authorization: `Bearer ${over.loggedOut}` },
        'a customer who was deleted': { authorization: `Bearer ${over.deleted}` },
        'an administrator who was disabled': { authorization: `Bearer ${over.disabledAdmin}` },
      };
      const { body, headers } = goodRequest(endpoint);
      for (const [what, more] of Object.entries(visitors)) {
        const answer = await fetch(`${bank.url}${goodPath(endpoint)}`, {
          method,
          ...(body !== undefined && method !== 'GET' && { body }),
          headers: { ...headers, ...more },
        });
        await expectRefused(says(what), answer, 'NOT_AUTHORIZED');
      }
      const inQuery = await fetch(`${bank.url}${goodPath(endpoint)}?token=${tokenFor(endpoint)}`, { method });
      await expectRefused(says('a token in the address'), inQuery, 'NOT_AUTHORIZED');
      await expectRefused(says('expired'), await ask(endpoint, { token: over.expired }), 'TOKEN_EXPIRED');
    });

    test('is closed to the other role [C-30, ST-24, ST-25]', async () => {
      const token = access === 'admin' ? nora.token : adminToken;
      await expectRefused(says('other role'), await ask(endpoint, { token }), 'FORBIDDEN');
      // Not even a broken request tells the other role anything about the call.
      await expectRefused(says('other role'), await ask(endpoint, { token, query: '?x=1' }), 'FORBIDDEN');
    });
  }

  if (access === 'customer') {
    test('knows what a customer who waits for approval, and one who is frozen, may do [C-28, C-29, AC-08, AC-09, AC-11, RO-03]', async () => {
      const waiting = await ask(endpoint, { token: pending.token, query: '?nonsense=1' });
      await expectRefused(says('pending'), waiting, endpoint.whilePending ? 'VALIDATION' : 'ACCOUNT_PENDING');
      const cold = await ask(endpoint, { token: frozen.token, query: '?nonsense=1' });
      await expectRefused(says('frozen'), cold, endpoint.notWhileFrozen ? 'ACCOUNT_FROZEN' : 'VALIDATION');
      if (endpoint.notWhileFrozen)
        await expectRefused(says('frozen'), await ask(endpoint, { token: frozen.token }), 'ACCOUNT_FROZEN');
      if (!endpoint.whilePending)
        await expectRefused(
          says('pending'),
          await ask(endpoint, { token: pending.token }),
          'ACCOUNT_PENDING',
        );
    });
  }

  test('takes no query parameter that it does not know, none twice, and none that reaches inside', async () => {
    for (const query of [
      '?nonsense=1',
      '?page=1&page=2',
      '?search=a&search=b',
      '?page[]=1',
      '?page[$gt]=0',
      '?__proto__=x',
      '?constructor=x',
      "?page=1'%20OR%201=1--",
      '?search=%00',
    ]) {
      await expectRefused(says(query), await ask(endpoint, { query }), 'VALIDATION');
    }
  });

  if (endpoint.path.includes('{id}')) {
    test('takes only an id for an id, and knows nothing under one that nobody has [C-31]', async () => {
      for (const id of [
        '1',
        'x',
        "1'%20OR%201=1--",
        '..%2F..',
        ben.customerId.toUpperCase(),
        `${ben.customerId}0`,
      ]) {
        const answer = await fetch(`${bank.url}${endpoint.path.replace('{id}', id)}`, {
          method,
          headers: { authorization: `Bearer ${tokenFor(endpoint)}` },
        });
        await expectRefused(says(id), answer, 'VALIDATION');
      }
      const { body, headers } = goodRequest(endpoint);
      const nobody = '01890000-0000-7000-8000-000000000000';
      for (const [id, code] of [
        [nobody, 'NOT_FOUND'],
        ['a'.repeat(300), 'NOT_FOUND'],
      ] as const) {
        const answer = await fetch(`${bank.url}${endpoint.path.replace('{id}', id)}`, {
          method,
          ...(body !== undefined && { body }),
          headers: { ...headers, authorization: `Bearer ${tokenFor(endpoint)}` },
        });
        await expectRefused(says(id.slice(0, 40)), answer, code);
      }
    });
  }

  if (method === 'GET') return;

  test('reads only a body that is whole and an object [C-22]', async () => {
    for (const body of ['{"a":', '{"a":1}}', 'nonsense', "{'a':1}", '{"a":NaN}', '\u0000', '{}{}']) {
      await expectRefused(says(body), await ask(endpoint, { body, headers: json }), 'VALIDATION');
    }
    const bytes = new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
    await expectRefused(
      says('bytes that are no text'),
      await ask(endpoint, { body: bytes, headers: json }),
      'VALIDATION',
    );
    const code: RefusalCode = files ? 'UNSUPPORTED_TYPE' : 'VALIDATION';
    for (const value of [null, [], [1], 'x', '', 1, true, false])
      await expectRefused(says(JSON.stringify(value)), await sendJson(endpoint, value), code);
  });

  test('reads only the kind of body that it takes', async () => {
    const body = JSON.stringify(files ? {} : goodBody(endpoint));
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'application/json; charset=utf-16',
      'application/jsonp',
      'application/octet-stream',
    ]) {
      const answer = await ask(endpoint, { body, headers: { 'content-type': type } });
      await expectRefused(says(type), answer, 'UNSUPPORTED_TYPE');
    }
    const untyped = await ask(endpoint, { body: new TextEncoder().encode(body) });
    await expectRefused(says('no type'), untyped, 'UNSUPPORTED_TYPE');
    if (files) return;
    const form = new FormData();
    form.append('avatar', portrait(), 'me.webp');
    await expectRefused(says('a form'), await ask(endpoint, { body: form }), 'UNSUPPORTED_TYPE');
  });

  test('takes no more than it can hold [C-36, C-89]', async () => {
    const value = JSON.stringify({ x: 'a'.repeat(maxJsonBytes) });
    await expectRefused(says('large'), await ask(endpoint, { body: value, headers: json }), 'TOO_LARGE');
    if (!files) return;
    const form = goodForm(endpoint);
    const [name] = Object.keys(files) as [string];
    form.set(name, new Blob([new Uint8Array(image.maxBytes + 1)]), 'me.webp');
    await expectRefused(says('large picture'), await ask(endpoint, { body: form }), 'TOO_LARGE');
  });

  if (!files) {
    test('takes no field that it does not know, and of each field only its own type [C-22]', async () => {
      const body = goodBody(endpoint);
      for (const field of [
        'role',
        'isAdmin',
        'isApproved',
        'balance',
        '_id',
        'userId',
        'status',
        'fee',
        'senderAccountNumber',
        'currency',
      ]) {
        const refused = await expectRefused(
          says(`with ${field}`),
          await sendJson(endpoint, { ...body, [field]: 'x' }),
          'VALIDATION',
        );
        expect(refused.errors).toEqual([{ field, message: `Unknown field: ${field}` }]);
      }
      for (const text of ['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"x":1}}}']) {
        const answer = await ask(endpoint, { body: text, headers: json });
        await expectRefused(says(text), answer, 'VALIDATION');
      }
      for (const [field, { type = '' }] of Object.entries(propertiesOf(endpoint.body))) {
        expect(wrongFor[type], `${field} is of a type these tests know`).toBeDefined();
        for (const wrong of wrongFor[type]!) {
          const answer = await sendJson(endpoint, { ...body, [field]: wrong });
          await expectRefused(says(`${field} as ${JSON.stringify(wrong)}`), answer, 'VALIDATION');
        }
        // What no text can hold; an administrator's password may be anything, so such a one is wrong and not malformed.
        if (type !== 'string' || endpoint.path === adminApi.adminLogin.path) continue;
        for (const text of ['a\u0000b', '\ud800', 'a\u202eb']) {
          const answer = await sendJson(endpoint, { ...body, [field]: text });
          await expectRefused(says(`${field} as ${JSON.stringify(text)}`), answer, 'VALIDATION');
        }
      }
    });
  }

  if (files) {
    test('takes no part of a form that it does not know, none twice and none of the other kind', async () => {
      const [file] = Object.keys(files) as [string];
      const forms: Record<string, (form: FormData) => void> = {
        'an unknown text': form => form.append('isApproved', 'true'),
        'an unknown file': form => form.append('other', portrait(), 'x.webp'),
        'two pictures': form => form.append(file, portrait(), 'two.webp'),
        'a text for a picture': form => form.set(file, 'text'),
        'no picture': form => form.delete(file),
      };
      for (const field of Object.keys(goodBody(endpoint)))
        forms[`${field} as a file`] = form => form.set(field, portrait(), 'x.webp');
      for (const [what, change] of Object.entries(forms)) {
        const form = goodForm(endpoint);
        change(form);
        await expectRefused(says(what), await ask(endpoint, { body: form }), 'VALIDATION');
      }
      const headers = { 'content-type': 'multipart/form-data' };
      await expectRefused(says('no boundary'), await ask(endpoint, { body: 'x', headers }), 'VALIDATION');
    });
  }
});
