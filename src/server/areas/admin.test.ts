/** The admin area over HTTP, on a complete bank. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { limitsApi } from '#contract/limits.ts';
import { settingsApi } from '#contract/settings.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { createAdmin } from '#server/people/admins.ts';
import { eventually, openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
let token: string;
beforeAll(async () => {
  bank = await openTestBank();
  token = await bank.adminToken();
});
afterAll(() => bank.close());

const reader = () => bank.test.database.reader;
const unknownId = '01890000-0000-7000-8000-000000000000';

async function register(fields: Record<string, string> = {}): Promise<{ id: string; email: string }> {
  const { body } = await bank.call(authApi.register, { body: bank.form(fields) });
  return { id: body.data._id, email: body.data.email };
}

async function actions(subject: string): Promise<string[]> {
  const found = await sql<{ action: string }>`
    SELECT action FROM audit_log WHERE subject = ${subject} AND actor_kind = 'admin' ORDER BY id`.execute(
    reader(),
  );
  return found.rows.map(row => row.action);
}

async function notices(customerId: string): Promise<string[]> {
  const found = await sql<{ kind: string }>`
    SELECT n.kind FROM customers c, newest_notifications(c.account_id, 100) n WHERE c.id = ${customerId} ORDER BY n.id`.execute(
    reader(),
  );
  return found.rows.map(row => row.kind);
}

let adminCount = 0;
async function anAdministrator(): Promise<{ email: string; password: string }> {
  const who = { email: `ada${++adminCount}@bank.example`, password: 'a quiet river stone' };
  await createAdmin(bank.bank.parts, { ...who, name: 'Ada' });
  return who;
}

const login = (email: string, password: string) =>
  bank.call(adminApi.adminLogin, { body: { email, password } });

test('an administrator logs in with email and password, and the answer has the specified fields and the role [C-64, E-17]', async () => {
  const { email, password } = await anAdministrator();
  const { status, body } = await login(email, password);
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    message: 'Login successful',
    data: { _id: expect.any(String), email, name: 'Ada', role: 'operator', token: expect.any(String) },
  });
});

test('an unknown administrator, a wrong password, a customer and a locked login get the same answer [ST-47]', async () => {
  const { email, password } = await anAdministrator();
  const { email: customer } = await register();
  const { email: locked } = await anAdministrator();
  for (let i = 0; i < 5; i++) await login(locked, 'wrong');
  const answers = [
    await login('unknown@bank.example', password),
    await login(email, 'wrong'),
    await login(customer, '80412975'),
    await login(locked, password),
  ];
  for (const { status, body } of answers) {
    expect({ status, ...body }).toEqual({
      status: 401,
      success: false,
      code: 'BAD_CREDENTIALS',
      message: 'Invalid email or password',
    });
  }
  await eventually(() =>
    bank.bank.parts.inbox!.list(locked).some(mail => mail.subject === 'Your login is locked')
      ? true
      : undefined,
  );
});

test("a login resets an administrator's count of wrong passwords [ST-48]", async () => {
  const { email, password } = await anAdministrator();
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 4; i++) await login(email, 'wrong');
    expect((await login(email, password)).status).toBe(200);
  }
});

test("an administrator's session no longer works after logging out [C-80]", async () => {
  const { email, password } = await anAdministrator();
  const own = (await login(email, password)).body.data.token;
  expect((await bank.call(adminApi.adminLogout, { token: own })).body.message).toBe('You are logged out');
  expect((await bank.call(adminApi.pendingApprovals, { token: own })).status).toBe(401);
});

test('a visitor cannot make any call of the admin area that needs a login', async () => {
  for (const endpoint of Object.values(adminApi) as Endpoint[]) {
    if (endpoint.access === 'none') continue;
    const { status, body } = await bank.call(endpoint, { params: { id: unknownId } });
    expect({ path: endpoint.path, status, code: body.code }).toEqual({
      path: endpoint.path,
      status: 401,
      code: 'NOT_AUTHORIZED',
    });
  }
});

test('a customer is listed as waiting until approved; the approved customer is notified and can use the bank [C-65, C-66, E-21, AC-05]', async () => {
  const { id, email } = await register({ firstName: 'Wilma', lastName: 'Waits' });
  const listed = async () =>
    (await bank.call(adminApi.pendingApprovals, { token })).body.data.find(one => one._id === id);
  expect(await listed()).toEqual({
    _id: id,
    firstName: 'Wilma',
    lastName: 'Waits',
    email,
    accountNumber: expect.stringMatching(/^\d{12}$/),
  });
  const own = await bank.login(email);
  expect((await bank.call(transactionsApi.balance, { token: own })).status).toBe(403);
  const approved = await bank.call(adminApi.approve, { token, params: { id } });
  expect(approved.body).toEqual({ success: true, message: 'Account approved' });
  expect(await listed()).toBeUndefined();
  expect((await bank.call(transactionsApi.balance, { token: own })).body.data).toEqual({ balance: 0 });
  expect((await bank.call(authApi.profile, { token: own })).body.data).toMatchObject({
    isApproved: true,
    isVerified: false,
  });
  expect(await notices(id)).toEqual(['approved']);
  await eventually(() =>
    bank.bank.parts.inbox!.list(email).some(mail => mail.subject === 'Your account is approved')
      ? true
      : undefined,
  );
});

test('twenty concurrent approvals approve once, with one audit record and one notification', async () => {
  const { id } = await register();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => bank.call(adminApi.approve, { token, params: { id } })),
  );
  for (const { status } of answers) expect(status).toBe(200);
  expect(await actions(id)).toEqual(['customer.approved']);
  expect(await notices(id)).toEqual(['approved']);
});

test('a customer who does not exist cannot be approved, verified, viewed or frozen', async () => {
  const { id: gone } = await register();
  await sql`UPDATE customers SET deleted_at = now() WHERE id = ${gone}`.execute(reader());
  for (const id of [unknownId, gone]) {
    const request = { token, params: { id } };
    const answers = [
      await bank.call(adminApi.approve, request),
      await bank.call(adminApi.verifyId, request),
      await bank.call(adminApi.user, request),
      await bank.call(adminApi.freeze, { ...request, body: { isFrozen: true } }),
    ];
    for (const { status, body } of answers)
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
  }
  expect((await bank.call(adminApi.user, { token, params: { id: 'x' } })).status).toBe(400);
});

test("a credit arrives, answers with the specification's message, and happens once per key [C-69]", async () => {
  const { token: own, accountNumber } = await bank.customer();
  const request = {
    token,
    body: { userAccountNumber: accountNumber, amount: 1234, description: 'Welcome' },
    headers: { 'idempotency-key': 'credit-key-1' },
  };
  const first = await bank.call(adminApi.credit, request);
  expect(first.status).toBe(201);
  expect(first.body.message).toBe(`Successfully credited $1,234.00 to account ${accountNumber}`);
  expect(first.body.data).toMatchObject({ type: 'admin-credit', status: 'completed', amount: 1234 });
  const again = await bank.call(adminApi.credit, request);
  expect(again.body).toEqual(first.body);
  expect((await bank.call(transactionsApi.balance, { token: own })).body.data.balance).toBe(1234);
});

test('an administrator can also credit an account on the older path, and a customer cannot [C-57, C-58]', async () => {
  const { token: own, accountNumber } = await bank.customer();
  const body = { userAccountNumber: accountNumber, amount: 0.07, description: 'Round up' };
  expect((await bank.call(adminApi.creditOnUserPath, { token: own, body })).status).toBe(403);
  const done = await bank.call(adminApi.creditOnUserPath, { token, body });
  expect(done.body.message).toBe(`Successfully credited $0.07 to account ${accountNumber}`);
  expect((await bank.call(transactionsApi.balance, { token: own })).body.data.balance).toBe(0.07);
});

test('a customer who waits for approval cannot be credited [AC-23]', async () => {
  const { id } = await register();
  const { accountNumber } = (await bank.call(adminApi.user, { token, params: { id } })).body.data;
  const body = { userAccountNumber: accountNumber, amount: 5, description: 'Too early' };
  const { status, body: refused } = await bank.call(adminApi.credit, { token, body });
  expect({ status, code: refused.code }).toEqual({ status: 403, code: 'ACCOUNT_PENDING' });
});

test('staff who lift a freeze do not lift one that a colleague or the customer has added since [A-67]', async () => {
  const customer = await bank.customer();
  const call = (body: { isFrozen: boolean; isFrozenByStaff?: boolean; isFrozenByCustomer?: boolean }) =>
    bank.call(adminApi.freeze, { token, params: { id: customer._id }, body });
  await bank.call(limitsApi.freezeOwn, { token: customer.token });
  await call({ isFrozen: true });
  const late = await call({ isFrozen: false, isFrozenByStaff: false });
  expect([late.status, late.body.code]).toEqual([409, 'CONFLICT']);
  expect(late.body.message).toBe('The freeze of this account has changed. Check it, then decide.');
  const state = async () => (await bank.call(limitsApi.freezeState, { token: customer.token })).body.data;
  expect(await state()).toEqual({ byYou: true, byBank: true });
  const unseenOwn = await call({ isFrozen: false, isFrozenByStaff: true, isFrozenByCustomer: false });
  expect([unseenOwn.status, unseenOwn.body.message]).toEqual([409, late.body.message]);
  expect(await state()).toEqual({ byYou: true, byBank: true });
  const seen = { isFrozen: false, isFrozenByStaff: true, isFrozenByCustomer: true };
  expect((await call(seen)).status).toBe(200);
  expect(await state()).toEqual({ byYou: false, byBank: false });
});

test('a frozen customer cannot send money but can receive it, and can send again once unfrozen [C-75, OK-12, OK-13, AC-10, AC-12]', async () => {
  const frozen = await bank.customer({ dollars: 50 });
  const other = await bank.customer({ dollars: 50 });
  const freeze = (isFrozen: boolean) =>
    bank.call(adminApi.freeze, { token, params: { id: frozen._id }, body: { isFrozen } });
  const send = (from: typeof frozen, to: typeof frozen) =>
    bank.call(transferApi.sendInternal, {
      token: from.token,
      body: { receiverAccountNumber: to.accountNumber, amount: 1, description: '' },
    });
  expect((await freeze(true)).body).toEqual({
    success: true,
    message: 'User account frozen successfully',
    data: { userId: frozen._id, isFrozen: true },
  });
  await freeze(true);
  const refused = await send(frozen, other);
  expect({ status: refused.status, code: refused.body.code }).toEqual({
    status: 403,
    code: 'ACCOUNT_FROZEN',
  });
  expect((await bank.call(settingsApi.updateContact, { token: frozen.token, body: {} })).body.code).toBe(
    'ACCOUNT_FROZEN',
  );
  expect((await send(other, frozen)).status).toBe(201);
  expect((await bank.call(authApi.profile, { token: frozen.token })).body.data.isFrozen).toBe(true);
  expect((await freeze(false)).body.message).toBe('User account unfrozen successfully');
  expect((await send(frozen, other)).status).toBe(201);
  for (const subject of ['Your account is frozen', 'Your account is active again']) {
    const mails = () => bank.bank.parts.inbox!.list(frozen.email).filter(mail => mail.subject === subject);
    await eventually(() => (mails().length === 1 ? true : undefined));
  }
  expect(await actions(frozen._id)).toEqual([
    'customer.approved',
    'customer.credited',
    'customer.frozen',
    'customer.unfrozen',
  ]);
  for (const isFrozen of ['true', 1, null, undefined]) {
    const request = { token, params: { id: frozen._id }, body: { isFrozen } };
    expect((await bank.call(adminApi.freeze, request)).status).toBe(400);
  }
});

test('an uploaded ID is verified once [C-70, C-71, C-88, AC-05]', async () => {
  const { id: without } = await register();
  const refused = await bank.call(adminApi.verifyId, { token, params: { id: without } });
  expect({ status: refused.status, message: refused.body.message }).toEqual({
    status: 409,
    message: 'No ID uploaded',
  });
  const form = bank.form();
  form.append('idCard', form.get('avatar') as File, 'id.webp');
  const { _id: id, email } = (await bank.call(authApi.register, { body: form })).body.data;
  const listed = async () =>
    (await bank.call(adminApi.unverifiedIds, { token })).body.data.find(one => one._id === id);
  expect((await listed())!.idCard!.url).not.toBe('');
  for (let i = 0; i < 2; i++) {
    const done = await bank.call(adminApi.verifyId, { token, params: { id } });
    const message = i === 0 ? 'ID verified' : 'This ID was already verified';
    expect(done.body).toEqual({ success: true, message, data: { userId: id } });
  }
  expect(await listed()).toBeUndefined();
  const own = await bank.login(email);
  expect((await bank.call(authApi.profile, { token: own })).body.data).toMatchObject({
    isApproved: false,
    isVerified: true,
  });
  expect(await actions(id)).toEqual(['customer.id-verified']);
  expect(await notices(id)).toEqual(['id-verified']);
  const subjects = () => bank.bank.parts.inbox!.list(email).map(mail => mail.subject);
  await eventually(() => (subjects().includes('Your ID document is verified') ? true : undefined));
});

test('the customer list contains the fields an administrator needs and no others [C-72, C-73, E-18]', async () => {
  const { id, email } = await register({ firstName: 'Quilla', lastName: 'Search' });
  const { body } = await bank.call(adminApi.users, { token, query: { search: 'quilla' } });
  expect(body.data).toMatchObject({ totalUsers: 1, totalPages: 1, currentPage: 1 });
  const [user] = body.data.users;
  expect(Object.keys(user!).sort()).toEqual(
    [
      '_id',
      'accountNumber',
      'address',
      'avatar',
      'balance',
      'createdAt',
      'email',
      'firstName',
      'idCard',
      'isFrozen',
      'isVerified',
      'lastName',
      'phoneNumber',
      'profileImage',
    ].sort(),
  );
  expect(user).toMatchObject({ _id: id, email, balance: 0, idCard: null });
  expect((await bank.call(adminApi.user, { token, params: { id } })).body.data).toEqual(user);
  const withApproval = await bank.call(adminApi.users, {
    token,
    query: { search: 'quilla', withApproval: 'true' },
  });
  expect(withApproval.body.data.users).toEqual([{ ...user, isApproved: false }]);
  const none = await bank.call(adminApi.users, { token, query: { search: '%' } });
  expect(none.body.data.users).toEqual([]);
  for (const query of [{ limit: 0 }, { limit: 101 }, { page: 0 }, { page: 'x' }, { search: 'x'.repeat(101) }])
    expect((await bank.call(adminApi.users, { token, query })).status).toBe(400);
});
