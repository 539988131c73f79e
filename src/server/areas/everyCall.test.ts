/**
 * What every call of the contract must refuse: visitors, customers on calls of administrators and the reverse, pending and
 * frozen customers, and requests that violate the contract. The tests are generated from the contract, so new calls are
 * covered.
 */
import { createECDH } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { adminApi } from '#contract/admin.ts';
import { areas } from '#contract/api.ts';
import { image, maxJsonBytes } from '#contract/constants.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { RefusalCode } from '#contract/errors.ts';
import { adminFactorsApi } from '#contract/factors.ts';
import { staffApi } from '#contract/staff.ts';
import { policyReportsPath } from '#server/http/policyReports.ts';
import { createAdmin, disableAdmin } from '#server/people/admins.ts';
import { endSession } from '#server/people/sessions.ts';
import { registrationValues } from '../../../tests/call.ts';
import { digest } from '../../../tests/digest.ts';
import { expectRefused } from '../../../tests/expectRefused.ts';
import { creditCustomer, type SeededCustomer, seedCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';

const calls = Object.values(areas).flatMap(api => Object.entries(api) as [string, Endpoint][]);
const dataDir = mkdtempSync(join(tmpdir(), 'larkspur-calls-'));

let bank: TestBank;
let nora: SeededCustomer;
let ben: SeededCustomer;
let pending: SeededCustomer;
let frozen: SeededCustomer;
/** The tokens of an owner, and of an auditor for the calls that only auditors make. */
let adminToken: string;
let auditorToken: string;
/** The state of the bank before the current call. */
let before: Record<string, string>;
/** Tokens that used to be valid. */
const invalidTokens = { expired: '', loggedOut: '', deleted: '', disabledAdmin: '' };

beforeAll(async () => {
  // Without jobs, only a call can change anything.
  bank = await openTestBank({ JOBS: 'off', DATA_DIR: dataDir });
  const { database, tokens, ledger } = bank.bank.parts;
  const make = (wanted = {}) => seedCustomer(database, tokens, wanted);
  nora = await make();
  ben = await make();
  pending = await make({ approved: false });
  frozen = await make({ frozen: true });
  for (const customer of [nora, frozen]) await creditCustomer(ledger, customer, 50_000n);
  adminToken = await bank.adminToken();
  const auditor = { email: 'auditor@bank.example', password: 'a quiet river stone' };
  await createAdmin(bank.bank.parts, { ...auditor, name: 'Auditor', role: 'auditor' });
  auditorToken = (await bank.call(adminApi.adminLogin, { body: auditor })).body.data.token;

  const { customerId: personId, sessionId } = nora;
  // This token expired two minutes ago. The clocks of two processes may differ by less than that.
  const expiresAt = new Date(Date.now() - 120_000);
  invalidTokens.expired = await tokens.issue({
    kind: 'customer',
    personId,
    sessionId,
    expiresAt,
    browser: undefined,
  });
  const ended = await make();
  await database.inTransaction(tx => endSession(tx, ended.sessionId));
  invalidTokens.loggedOut = ended.token;
  const closed = await make();
  await database.ownerPool.query('UPDATE customers SET deleted_at = now() WHERE id = $1', [
    closed.customerId,
  ]);
  invalidTokens.deleted = closed.token;
  const former = { email: 'former@bank.example', password: 'a quiet river stone' };
  await createAdmin(bank.bank.parts, { ...former, name: 'Former' });
  invalidTokens.disabledAdmin = (await bank.call(adminApi.adminLogin, { body: former })).body.data.token;
  await disableAdmin(bank.bank.parts, former.email, { evenTheLast: false });
  before = await snapshot();
});
afterAll(async () => {
  await bank.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const snapshot = () => digest(bank.test.database.ownerPool, dataDir);

const pushKey = createECDH('prime256v1').generateKeys('base64url');

/** A valid value for each field of any call; a call with a field that is missing here fails below. */
const validValues = (): Record<string, unknown> => ({
  ...registrationValues,
  city: 'Hudson',
  dateOfBirth: '1990-04-12',
  email: 'someone@quist.example',
  password: '804129758041',
  confirmation: { password: '804129758041', code: '204816' },
  currentPassword: '80412975',
  newPassword: '579214805792',
  otp: '204816',
  token: 'a'.repeat(64),
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
  kind: 'external',
  nickname: 'Rent',
  role: 'support',
  reason: 'Asked by phone',
  from: 5000,
  newest: '01890000-0000-7000-8000-000000000000',
  takenFrom: '01890000-0000-7000-8000-000000000000',
  text: 'Called about the card',
  answersSeen: 0,
  sameCreditId: '01890000-0000-7000-8000-000000000000',
  sessionId: '01890000-0000-7000-8000-000000000000',
  mailId: '01890000-0000-7000-8000-000000000000',
  method: 'email',
  stepUpFrom: 500,
  dailyOut: 900,
  startDate: '2099-01-31',
  endDate: '2099-12-31',
  date: '2026-11-01',
  frequency: 'monthly',
  count: 12,
  isPaused: false,
  isSent: true,
  isDone: true,
  note: 'Saw the new passport',
  isMatch: true,
  code: '204816',
  moneyIn: { bell: true, mail: 'each' },
  moneyOut: { bell: true, mail: 'daily' },
  otherBanks: { bell: false, mail: 'off' },
  scheduled: { bell: true, mail: 'each' },
  statements: { bell: true, mail: 'off' },
  endpoint: 'https://fcm.googleapis.com/fcm/send/sample',
  p256dh: pushKey,
  auth: 'AAAAAAAAAAAAAAAAAAAAAA',
  money: true,
  security: true,
  showsAmounts: false,
  ticket: 'a'.repeat(40),
  picture: 'trip',
  target: 500,
  targetDate: '2099-12-31',
  rule: { amount: 50, frequency: 'weekly', startDate: '2099-01-31' },
  roundUp: false,
  direction: 'in',
  credential: { id: 'a', rawId: 'a', type: 'public-key', response: { clientDataJSON: 'a' } },
});

type Property = { type?: string | string[]; anyOf?: Property[] };

/** A cache by schema, because deriving the properties takes longer than a request. */
const knownProperties = new Map<unknown, Record<string, Property>>();

function propertiesOf(schema: Endpoint['body']): Record<string, Property> {
  if (!schema) return {};
  let found = knownProperties.get(schema);
  if (!found) {
    const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    found = (made.properties ?? {}) as Record<string, Property>;
    knownProperties.set(schema, found);
  }
  return found;
}

/** A body the call accepts, built from the contract. */
function validBody(endpoint: Endpoint): Record<string, unknown> {
  const names = Object.keys(propertiesOf(endpoint.body));
  return Object.fromEntries(names.map(name => [name, validValues()[name]]));
}

function validPath(endpoint: Endpoint): string {
  return endpoint.path
    .replace('{id}', ben.customerId)
    .replace('{month}', '2026-11')
    .replace('{accountNumber}', ben.accountNumber);
}

const tokenFor = ({ access, roles }: Endpoint) =>
  access === 'customer'
    ? nora.token
    : access === 'admin'
      ? roles?.includes('owner')
        ? adminToken
        : auditorToken
      : undefined;

type CallOptions = {
  token?: string | undefined;
  headers?: Record<string, string>;
  query?: string;
  body?: RequestInit['body'];
};

/** Makes the call, by default with a valid token and a body that the call accepts. */
function makeCall(endpoint: Endpoint, options: CallOptions = {}): Promise<Response> {
  const { token = tokenFor(endpoint), headers, query = '' } = options;
  const sent = 'body' in options ? { body: options.body ?? null } : validRequest(endpoint);
  return fetch(`${bank.url}${validPath(endpoint)}${query}`, {
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

function validForm(endpoint: Endpoint): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(validBody(endpoint))) form.append(name, String(value));
  for (const name of Object.keys(endpoint.files ?? {})) form.append(name, portrait(), 'me.webp');
  return form;
}

function validRequest(endpoint: Endpoint): { body?: BodyInit; headers?: Record<string, string> } {
  if (endpoint.files) return { body: validForm(endpoint) };
  if (!endpoint.body) return {};
  return { body: JSON.stringify(validBody(endpoint)), headers: json };
}

const sendJson = (endpoint: Endpoint, value: unknown, options: CallOptions = {}) =>
  makeCall(endpoint, { ...options, body: JSON.stringify(value), headers: json });

/** Calls that try an administrator's password. */
const anyPassword: string[] = [
  adminApi.adminLogin.path,
  staffApi.changeAdminPassword.path,
  adminFactorsApi.adminRemoveApp.path,
];

const wrongFor: Record<string, unknown[]> = {
  string: [7, true, null, {}, { $gt: '' }, ['x'], []],
  number: ['1', '1.00', true, null, {}, [1]],
  integer: ['1', 1.5, true, null, {}, [1]],
  boolean: ['true', 1, 0, null, {}],
  object: ['x', 7, true, null, ['x'], []],
};

test('the contract accepts the samples that these tests are built from', () => {
  expect(calls.length).toBeGreaterThan(30);
  for (const [name, endpoint] of calls) {
    if (endpoint.body)
      expect(z.safeDecode(endpoint.body, validBody(endpoint) as never).success, name).toBe(true);
    expect(validPath(endpoint)).not.toContain('{');
  }
});

/** `METHOD path` of every route in Fastify's printed tree, which indents by four characters per level. */
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

test('the API serves no route that the contract does not declare, except the one for policy reports', () => {
  const declared = new Set(
    calls.map(([, { method, path }]) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  const routes = listRoutes(bank.bank.app.printRoutes({ commonPrefix: false })).filter(
    route => !route.startsWith('HEAD '),
  );
  const served = routes.filter(route => route.includes(' /api/v1'));
  expect(served.length).toBeGreaterThan(30);
  expect(served.filter(route => !declared.has(route))).toEqual([`POST ${policyReportsPath}`]);
  // Outside of the API there are only pages and files: pictures under a random name, and the inbox, which is only local.
  const others = routes.filter(route => !served.includes(route));
  expect(others.filter(route => !route.startsWith('GET ') || /[:*]/.test(route))).toEqual([
    'GET /files/avatars/:name',
    'GET /dev/inbox/:id',
  ]);
});

describe.each(
  calls.map(([, endpoint], number) => ({ call: `${endpoint.method} ${endpoint.path}`, number, endpoint })),
)('$call', ({ number, endpoint }) => {
  const { access, method, files } = endpoint;
  const label = (what: string) => `${method} ${endpoint.path}, ${what}`;
  /**
   * Each call tries a third of the variants, and the next call another third. This is enough, because `serve.ts` in
   * `src/server/http` checks all calls alike.
   */
  const third = <T>(variants: T[]): T[] => variants.filter((_, at) => at % 3 === number % 3);

  // Compares the bank's state after each call's tests, so that the failure names the call that changed something.
  afterAll(async () => {
    const after = await snapshot();
    const was = before;
    before = after;
    expect(after, 'a refused request changes nothing').toEqual(was);
  });

  if (access !== 'none') {
    test('is closed to visitors, forged tokens and ended sessions [C-06, C-24, C-25, ST-20, ST-23]', async () => {
      const always: Record<string, Record<string, string>> = {
        'no token': {},
        'a session that was ended': { authorization: `Bearer ${invalidTokens.loggedOut}` },
      };
      const visitors: Record<string, Record<string, string>> = {
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
        'a customer who was deleted': { authorization: `Bearer ${invalidTokens.deleted}` },
        'an administrator who was disabled': { authorization: `Bearer ${invalidTokens.disabledAdmin}` },
      };
      const { body, headers } = validRequest(endpoint);
      for (const [what, more] of [...Object.entries(always), ...third(Object.entries(visitors))]) {
        const answer = await fetch(`${bank.url}${validPath(endpoint)}`, {
          method,
          ...(body !== undefined && method !== 'GET' && { body }),
          headers: { ...headers, ...more },
        });
        await expectRefused(label(what), answer, 'NOT_AUTHORIZED');
      }
      const inQuery = await fetch(`${bank.url}${validPath(endpoint)}?token=${tokenFor(endpoint)}`, {
        method,
      });
      await expectRefused(label('a token in the address'), inQuery, 'NOT_AUTHORIZED');
      await expectRefused(
        label('expired'),
        await makeCall(endpoint, { token: invalidTokens.expired }),
        'TOKEN_EXPIRED',
      );
    });

    test('is closed to the other role [C-30, ST-24, ST-25]', async () => {
      const token = access === 'admin' ? nora.token : adminToken;
      await expectRefused(label('other role'), await makeCall(endpoint, { token }), 'FORBIDDEN');
      // Not even an invalid request reveals anything about the call to the other role.
      await expectRefused(
        label('other role'),
        await makeCall(endpoint, { token, query: '?x=1' }),
        'FORBIDDEN',
      );
    });
  }

  if (access === 'customer') {
    test('is open to pending and to frozen customers only as the contract declares [C-28, C-29, AC-08, AC-09, AC-11, RO-03]', async () => {
      const whilePending = await makeCall(endpoint, { token: pending.token, query: '?nonsense=1' });
      await expectRefused(
        label('pending'),
        whilePending,
        endpoint.whilePending ? 'VALIDATION' : 'ACCOUNT_PENDING',
      );
      const whileFrozen = await makeCall(endpoint, { token: frozen.token, query: '?nonsense=1' });
      await expectRefused(
        label('frozen'),
        whileFrozen,
        endpoint.notWhileFrozen ? 'ACCOUNT_FROZEN' : 'VALIDATION',
      );
      if (endpoint.notWhileFrozen)
        await expectRefused(
          label('frozen'),
          await makeCall(endpoint, { token: frozen.token }),
          'ACCOUNT_FROZEN',
        );
      if (endpoint.notWhileFrozen && endpoint.idempotent) {
        // The key is new, so the call is refused. Some calls first look up the id in their path, which does not exist.
        const headers = { ...json, 'idempotency-key': 'the-key-of-a-new-request' };
        const { code } = await (await makeCall(endpoint, { token: frozen.token, headers })).json();
        expect(['ACCOUNT_FROZEN', 'NOT_FOUND'], label('frozen')).toContain(code);
      }
      if (!endpoint.whilePending)
        await expectRefused(
          label('pending'),
          await makeCall(endpoint, { token: pending.token }),
          'ACCOUNT_PENDING',
        );
    });
  }

  test('accepts no unknown or repeated query parameter, and none with a nested key', async () => {
    for (const query of third([
      '?nonsense=1',
      '?page=1&page=2',
      '?search=a&search=b',
      '?page[]=1',
      '?page[$gt]=0',
      '?__proto__=x',
      '?constructor=x',
      "?page=1'%20OR%201=1--",
      '?search=%00',
    ])) {
      await expectRefused(label(query), await makeCall(endpoint, { query }), 'VALIDATION');
    }
  });

  if (endpoint.path.includes('{id}')) {
    test('accepts only well-formed ids, and answers not found for an unknown one [C-31]', async () => {
      for (const id of third([
        '1',
        'x',
        "1'%20OR%201=1--",
        '..%2F..',
        ben.customerId.toUpperCase(),
        `${ben.customerId}0`,
      ])) {
        const answer = await fetch(`${bank.url}${endpoint.path.replace('{id}', id)}`, {
          method,
          headers: { authorization: `Bearer ${tokenFor(endpoint)}` },
        });
        await expectRefused(label(id), answer, 'VALIDATION');
      }
      const { body, headers } = validRequest(endpoint);
      const unknownId = '01890000-0000-7000-8000-000000000000';
      for (const [id, code] of [
        [unknownId, 'NOT_FOUND'],
        ['a'.repeat(300), 'NOT_FOUND'],
      ] as const) {
        const answer = await fetch(`${bank.url}${endpoint.path.replace('{id}', id)}`, {
          method,
          ...(body !== undefined && { body }),
          headers: { ...headers, authorization: `Bearer ${tokenFor(endpoint)}` },
        });
        await expectRefused(label(id.slice(0, 40)), answer, code);
      }
    });
  }

  if (method === 'GET') return;

  test('accepts only a complete JSON object as a body [C-22]', async () => {
    for (const body of third(['{"a":', '{"a":1}}', 'nonsense', "{'a':1}", '{"a":NaN}', '\u0000', '{}{}'])) {
      await expectRefused(label(body), await makeCall(endpoint, { body, headers: json }), 'VALIDATION');
    }
    const bytes = new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
    await expectRefused(
      label('bytes that are not UTF-8'),
      await makeCall(endpoint, { body: bytes, headers: json }),
      'VALIDATION',
    );
    const code: RefusalCode = files ? 'UNSUPPORTED_TYPE' : 'VALIDATION';
    for (const value of third([null, [], [1], 'x', '', 1, true, false]))
      await expectRefused(label(JSON.stringify(value)), await sendJson(endpoint, value), code);
  });

  test('accepts only its own content type', async () => {
    const body = JSON.stringify(files ? {} : validBody(endpoint));
    for (const type of third([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'application/json; charset=utf-16',
      'application/jsonp',
      'application/octet-stream',
    ])) {
      const answer = await makeCall(endpoint, { body, headers: { 'content-type': type } });
      await expectRefused(label(type), answer, 'UNSUPPORTED_TYPE');
    }
    const untyped = await makeCall(endpoint, { body: new TextEncoder().encode(body) });
    await expectRefused(label('no type'), untyped, 'UNSUPPORTED_TYPE');
    if (files) return;
    const form = new FormData();
    form.append('avatar', portrait(), 'me.webp');
    await expectRefused(label('a form'), await makeCall(endpoint, { body: form }), 'UNSUPPORTED_TYPE');
  });

  test('refuses a body that is too large [C-36, C-89]', async () => {
    const value = JSON.stringify({ x: 'a'.repeat(maxJsonBytes) });
    await expectRefused(
      label('large'),
      await makeCall(endpoint, { body: value, headers: json }),
      'TOO_LARGE',
    );
    if (!files) return;
    const form = validForm(endpoint);
    const [name] = Object.keys(files) as [string];
    form.set(name, new Blob([new Uint8Array(image.maxBytes + 1)]), 'me.webp');
    await expectRefused(label('large picture'), await makeCall(endpoint, { body: form }), 'TOO_LARGE');
  });

  if (!files) {
    test('accepts no unknown field, and only its own type for each field [C-22]', async () => {
      const body = validBody(endpoint);
      for (const field of third([
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
      ]).filter(name => !(name in body))) {
        const refused = await expectRefused(
          label(`with ${field}`),
          await sendJson(endpoint, { ...body, [field]: 'x' }),
          'VALIDATION',
        );
        expect(refused.errors).toEqual([{ field, message: `Unknown field: ${field}` }]);
      }
      for (const text of ['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"x":1}}}']) {
        const answer = await makeCall(endpoint, { body: text, headers: json });
        await expectRefused(label(text), answer, 'VALIDATION');
      }
      for (const [field, property] of Object.entries(propertiesOf(endpoint.body))) {
        // A value that can be removed accepts its type or null.
        const types = property.anyOf?.map(({ type }) => type) ?? [property.type].flat();
        const isNullable = types.includes('null');
        const [type = ''] = types as string[];
        expect(wrongFor[type], `${field} is of a type these tests know`).toBeDefined();
        for (const wrong of third(wrongFor[type]!).filter(value => !isNullable || value !== null)) {
          const answer = await sendJson(endpoint, { ...body, [field]: wrong });
          await expectRefused(label(`${field} as ${JSON.stringify(wrong)}`), answer, 'VALIDATION');
        }
        // No text may contain these characters, except an administrator's password, which is then just a wrong password.
        if (type !== 'string' || anyPassword.includes(endpoint.path)) continue;
        for (const text of third(['a\u0000b', '\ud800', 'a\u202eb'])) {
          const answer = await sendJson(endpoint, { ...body, [field]: text });
          await expectRefused(label(`${field} as ${JSON.stringify(text)}`), answer, 'VALIDATION');
        }
      }
    });
  }

  if (files) {
    test('accepts no unknown, repeated or mistyped part of a form', async () => {
      const [file] = Object.keys(files) as [string];
      const forms: Record<string, (form: FormData) => void> = {
        'an unknown text': form => form.append('isApproved', 'true'),
        'an unknown file': form => form.append('other', portrait(), 'x.webp'),
        'two pictures': form => form.append(file, portrait(), 'two.webp'),
        'a text for a picture': form => form.set(file, 'text'),
        'no picture': form => form.delete(file),
      };
      for (const field of Object.keys(validBody(endpoint)))
        forms[`${field} as a file`] = form => form.set(field, portrait(), 'x.webp');
      for (const [what, change] of Object.entries(forms)) {
        const form = validForm(endpoint);
        change(form);
        await expectRefused(label(what), await makeCall(endpoint, { body: form }), 'VALIDATION');
      }
      const headers = { 'content-type': 'multipart/form-data' };
      await expectRefused(
        label('no boundary'),
        await makeCall(endpoint, { body: 'x', headers }),
        'VALIDATION',
      );
    });
  }
});
