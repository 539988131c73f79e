/** Every call the product serves, as a table: what outsiders rely on stands here once more, literally. */
import { describe, expect, test } from 'vitest';
import { areas } from './api.ts';
import type { Access, Endpoint } from './endpoint.ts';
import { refusals } from './errors.ts';

type Row = {
  /** Success status. */
  status: 200 | 201;
  access: Access;
  /** Fields of the body, the query or the form. */
  sent?: string;
  /** Fields of `data`; 'array' for a list, nothing for none. */
  data?: string;
  rows: string;
};

const customerFields =
  '_id firstName middleName lastName gender address region zipCode email phoneNumber avatar idCard isApproved isVerified isFrozen accountNumber balance';
const transactionFields =
  '_id reference type status amount timestamp sender receiver externalBankDetails description';
const userFields =
  '_id firstName lastName email accountNumber balance isVerified isFrozen profileImage avatar phoneNumber address idCard createdAt';

const none = { access: 'none' } as const;
const customer = { access: 'customer' } as const;
const admin = { access: 'admin' } as const;

const chapterSeven: Record<string, Row> = {
  'POST /api/v1/auth/register': {
    ...none,
    status: 201,
    sent: 'firstName middleName lastName gender address region zipCode email phoneNumber password avatar idCard',
    data: '_id email isApproved',
    rows: 'C-43',
  },
  'POST /api/v1/auth/login/initiate': {
    ...none,
    status: 200,
    sent: 'email password',
    data: 'email',
    rows: 'C-44',
  },
  'POST /api/v1/auth/login/verify-otp': {
    ...none,
    status: 200,
    sent: 'email otp',
    data: `${customerFields} token`,
    rows: 'C-47',
  },
  'POST /api/v1/auth/login/resend-otp': { ...none, status: 200, sent: 'email', rows: 'C-48' },
  'GET /api/v1/auth/profile': { ...customer, status: 200, data: customerFields, rows: 'C-49' },
  'GET /api/v1/user/transactions': {
    ...customer,
    status: 200,
    sent: 'page limit type status startDate endDate search',
    data: 'transactions stats currentPage totalPages totalTransactions',
    rows: 'C-50, C-51',
  },
  'POST /api/v1/user/transfer': {
    ...customer,
    status: 201,
    sent: 'receiverAccountNumber amount description',
    data: transactionFields,
    rows: 'C-53',
  },
  'POST /api/v1/user/external-transfer': {
    ...customer,
    status: 201,
    sent: 'bankName accountNumber accountName amount description',
    data: transactionFields,
    rows: 'C-54',
  },
  'GET /api/v1/user/verify-account/{accountNumber}': {
    ...customer,
    status: 200,
    data: 'accountName accountNumber',
    rows: 'C-55, C-76',
  },
  'GET /api/v1/user/balance': { ...customer, status: 200, data: 'balance', rows: 'C-56' },
  'POST /api/v1/user/transactions/admin-credit': {
    ...admin,
    status: 201,
    sent: 'userAccountNumber amount description',
    data: transactionFields,
    rows: 'C-57, C-58',
  },
  'PUT /api/v1/user/settings/change-password': {
    ...customer,
    status: 200,
    sent: 'currentPassword newPassword',
    rows: 'C-59',
  },
  'PUT /api/v1/user/settings/update-contact': {
    ...customer,
    status: 200,
    sent: 'phoneNumber address region zipCode',
    rows: 'C-60',
  },
  'DELETE /api/v1/user/settings/delete-account': {
    ...customer,
    status: 200,
    sent: 'password',
    rows: 'C-61',
  },
  'POST /api/v1/user/upload/avatar': {
    ...customer,
    status: 200,
    sent: 'avatar',
    data: 'avatar',
    rows: 'C-62',
  },
  'POST /api/v1/user/upload/id-card': {
    ...customer,
    status: 200,
    sent: 'avatar',
    data: 'idCard',
    rows: 'C-63',
  },
  'POST /api/v1/admin/login': {
    ...none,
    status: 200,
    sent: 'email password',
    data: '_id email name token',
    rows: 'C-64',
  },
  'GET /api/v1/admin/pending-approvals': { ...admin, status: 200, data: 'array', rows: 'C-65' },
  'PUT /api/v1/admin/approve/{id}': { ...admin, status: 200, sent: '', rows: 'C-66' },
  'GET /api/v1/admin/transactions': {
    ...admin,
    status: 200,
    sent: 'page limit type status startDate endDate search',
    // The two last are of a search only.
    data: 'transactions currentPage totalPages totalTransactions isCut completeSince',
    rows: 'C-67',
  },
  'GET /api/v1/admin/transactions/stats': {
    ...admin,
    status: 200,
    data: 'totalTransactions totalAmount successRate',
    rows: 'C-68',
  },
  'POST /api/v1/admin/transactions/admin-credit': {
    ...admin,
    status: 201,
    sent: 'userAccountNumber amount description',
    data: transactionFields,
    rows: 'C-69',
  },
  'GET /api/v1/admin/unverified-ids': { ...admin, status: 200, data: 'array', rows: 'C-70' },
  'PUT /api/v1/admin/verify-id/{id}': { ...admin, status: 200, sent: '', data: 'userId', rows: 'C-71' },
  'GET /api/v1/admin/users': {
    ...admin,
    status: 200,
    sent: 'page limit search',
    data: 'users totalPages currentPage totalUsers',
    rows: 'C-72',
  },
  'GET /api/v1/admin/users/{id}': { ...admin, status: 200, data: userFields, rows: 'C-73' },
  'DELETE /api/v1/admin/users/{id}': { ...admin, status: 200, rows: 'C-74' },
  'PUT /api/v1/admin/freeze/{id}': {
    ...admin,
    status: 200,
    sent: 'isFrozen',
    data: 'userId isFrozen',
    rows: 'C-75',
  },
};

const beyond: Record<string, Row> = {
  'POST /api/v1/auth/logout': { ...customer, status: 200, rows: 'C-77' },
  'POST /api/v1/auth/forgot-password': { ...none, status: 200, sent: 'email', rows: 'C-78' },
  'POST /api/v1/auth/reset-password': {
    ...none,
    status: 200,
    sent: 'email otp newPassword',
    rows: 'C-79',
  },
  'POST /api/v1/admin/logout': { ...admin, status: 200, rows: 'C-80' },
  'POST /api/v1/contact': { ...none, status: 201, sent: 'name email subject message', rows: 'C-81' },
  'GET /api/v1/user/transactions/months': { ...customer, status: 200, data: 'months', rows: 'C-05' },
  'GET /api/v1/user/id-card': { ...customer, status: 200, rows: 'C-05, S-04' },
  'GET /api/v1/user/notifications': {
    ...customer,
    status: 200,
    data: 'notifications unread',
    rows: 'C-05, N-01, N-05',
  },
  'PUT /api/v1/user/notifications/{id}/read': { ...customer, status: 200, rows: 'C-05, N-06' },
  'PUT /api/v1/user/notifications/read': { ...customer, status: 200, rows: 'C-05, N-06' },
  'GET /api/v1/user/notifications/live': { ...customer, status: 200, rows: 'C-05, N-07' },
  'GET /api/v1/user/transactions/{id}': {
    ...customer,
    status: 200,
    data: `${transactionFields} balanceAfter timeline expectedBy returnReason`,
    rows: 'C-05',
  },
  'GET /api/v1/user/sessions': { ...customer, status: 200, data: 'sessions', rows: 'C-05' },
  'DELETE /api/v1/user/sessions/{id}': { ...customer, status: 200, rows: 'C-05' },
  'DELETE /api/v1/user/sessions': { ...customer, status: 200, rows: 'C-05' },
  'GET /api/v1/admin/users/{id}/id-card': { ...admin, status: 200, rows: 'C-05, A-44' },
  'GET /api/v1/admin/transactions/{id}': {
    ...admin,
    status: 200,
    data: `${transactionFields} timeline expectedBy returnReason`,
    rows: 'C-05',
  },
  'GET /api/v1/admin/figures': { ...admin, status: 200, data: 'days types accounts', rows: 'C-05' },
  'GET /api/v1/admin/accounts/{accountNumber}': {
    ...admin,
    status: 200,
    data: 'accountName accountNumber isApproved isFrozen',
    rows: 'C-05',
  },
  'GET /api/v1/admin/audit': {
    ...admin,
    status: 200,
    sent: 'limit before actorKind action person startDate endDate',
    data: 'records actions hasMore',
    rows: 'C-05, M-32',
  },
};
const table = { ...chapterSeven, ...beyond };

const served: [name: string, endpoint: Endpoint][] = Object.values(areas).flatMap(api =>
  Object.entries(api as Record<string, Endpoint>),
);
const call = ({ method, path }: Endpoint) => `${method} ${path}`;
const byCall = new Map(served.map(([, endpoint]) => [call(endpoint), endpoint]));

/** Names of an object schema's fields, also of one that may be left out; nothing for another shape. */
function fieldsOf(schema: unknown): string[] {
  const { shape, def } = schema as { shape?: object; def?: { innerType?: unknown } };
  if (shape) return Object.keys(shape);
  return def?.innerType ? fieldsOf(def.innerType) : [];
}

const words = (text: string | undefined) => (text ? text.split(' ').sort() : []);

describe('a call', () => {
  for (const [name, row] of Object.entries(table)) {
    const who = { none: 'anybody', customer: 'a customer', admin: 'an administrator' }[row.access];
    test(`${name} is open to ${who} and succeeds with ${row.status} [${row.rows}]`, () => {
      const endpoint = byCall.get(name);
      expect(endpoint, 'it is served').toBeDefined();
      expect(endpoint!.access).toBe(row.access);
      expect(endpoint!.status ?? 200).toBe(row.status);
    });

    test(`${name} takes ${row.sent ? row.sent.replaceAll(' ', ', ') : 'nothing'} [${row.rows}]`, () => {
      const { body, query, files } = byCall.get(name)!;
      const taken = [...fieldsOf(body ?? {}), ...fieldsOf(query ?? {}), ...Object.keys(files ?? {})];
      expect(taken.sort()).toEqual(words(row.sent));
    });

    test(`${name} gives ${row.data ? row.data.replaceAll(' ', ', ') : 'no data'} [${row.rows}]`, () => {
      const { data } = byCall.get(name)!;
      if (row.data === 'array') {
        expect((data as unknown as { def: { type: string } }).def.type).toBe('array');
        return;
      }
      expect(data === undefined).toBe(row.data === undefined);
      expect(fieldsOf(data ?? {}).sort()).toEqual(words(row.data));
    });
  }

  test('is served only if it stands in this table [C-04]', () => {
    expect([...byCall.keys()].sort()).toEqual(Object.keys(table).sort());
  });

  test('has a method and path of its own', () => {
    expect(byCall.size).toBe(served.length);
  });

  test('has a path that no other path of its method can be mistaken for', () => {
    const shapes = served.map(([, endpoint]) => call(endpoint).replace(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test('has a name of its own, for the document and the client', () => {
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

  test('that only reads sends no body, no form and no key', () => {
    for (const [name, { method, body, files, idempotent }] of served) {
      if (method === 'GET')
        expect([body, files, idempotent], name).toEqual([undefined, undefined, undefined]);
    }
  });

  test('that writes takes no query', () => {
    for (const [name, { method, query }] of served) {
      if (method !== 'GET') expect(query, name).toBeUndefined();
    }
  });

  test('names only refusals there are, each once', () => {
    for (const [name, { refusals: named = [] }] of served) {
      expect(new Set(named).size, name).toBe(named.length);
      for (const code of named) expect(refusals, name).toHaveProperty(code);
    }
  });
});

describe('a call that moves money', () => {
  test('honours an Idempotency-Key, and no other call does [C-18]', () => {
    const idempotent = served
      .filter(([, endpoint]) => endpoint.idempotent)
      .map(([, endpoint]) => call(endpoint));
    expect(idempotent.sort()).toEqual([
      'POST /api/v1/admin/transactions/admin-credit',
      'POST /api/v1/user/external-transfer',
      'POST /api/v1/user/transactions/admin-credit',
      'POST /api/v1/user/transfer',
    ]);
  });

  test('says in its short sentence what was done [OK-04, OK-05]', () => {
    expect(byCall.get('POST /api/v1/user/transfer')?.message).toBe('Transfer successful');
    expect(byCall.get('POST /api/v1/user/external-transfer')?.message).toBe(
      'External transfer initiated successfully',
    );
  });
});

describe('a customer who is not approved yet', () => {
  test('can see the profile, hand in pictures, change details and password, be told and log out, and nothing else [C-28]', () => {
    const open = served.filter(([, endpoint]) => endpoint.whilePending).map(([, endpoint]) => call(endpoint));
    expect(open.sort()).toEqual([
      'DELETE /api/v1/user/sessions',
      'DELETE /api/v1/user/sessions/{id}',
      'GET /api/v1/auth/profile',
      'GET /api/v1/user/id-card',
      'GET /api/v1/user/notifications',
      'GET /api/v1/user/notifications/live',
      'GET /api/v1/user/sessions',
      'POST /api/v1/auth/logout',
      'POST /api/v1/user/upload/avatar',
      'POST /api/v1/user/upload/id-card',
      'PUT /api/v1/user/notifications/read',
      'PUT /api/v1/user/notifications/{id}/read',
      'PUT /api/v1/user/settings/change-password',
      'PUT /api/v1/user/settings/update-contact',
    ]);
  });
});

describe('a frozen customer', () => {
  test('cannot change contact details or files, nor close the account [C-29]', () => {
    const closed = served
      .filter(([, endpoint]) => endpoint.notWhileFrozen)
      .map(([, endpoint]) => call(endpoint));
    expect(closed.sort()).toEqual([
      'DELETE /api/v1/user/settings/delete-account',
      'POST /api/v1/user/upload/avatar',
      'POST /api/v1/user/upload/id-card',
      'PUT /api/v1/user/settings/update-contact',
    ]);
  });

  test('is told by the books, not at the door, that money cannot leave [C-29]', () => {
    for (const name of ['POST /api/v1/user/transfer', 'POST /api/v1/user/external-transfer']) {
      expect(byCall.get(name)?.notWhileFrozen, 'a repeated key still gets its first answer').toBeUndefined();
      expect(byCall.get(name)?.refusals).toContain('ACCOUNT_FROZEN');
    }
  });
});

describe('what a call without a session can do', () => {
  test('is to register, log in, get back in and write to the Help Desk', () => {
    const open = served
      .filter(([, endpoint]) => endpoint.access === 'none')
      .map(([, endpoint]) => call(endpoint));
    expect(open.sort()).toEqual([
      'POST /api/v1/admin/login',
      'POST /api/v1/auth/forgot-password',
      'POST /api/v1/auth/login/initiate',
      'POST /api/v1/auth/login/resend-otp',
      'POST /api/v1/auth/login/verify-otp',
      'POST /api/v1/auth/register',
      'POST /api/v1/auth/reset-password',
      'POST /api/v1/contact',
    ]);
  });
});
