/** Administrators who are invited, given other roles, disabled and reset by an owner, and who change their own password. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import type { Role } from '#contract/roles.ts';
import { type StaffMember, staffApi } from '#contract/staff.ts';
import { createAdmin, disableAdmin, resetAdminPassword } from '#server/people/admins.ts';
import { lockCredentials } from '#server/people/lockout.ts';
import { expectRefusal } from '../../../tests/expectRefused.ts';
import { holdLocks } from '../../../tests/holdLocks.ts';
import { adminLogin, eventually, lockWaits, openTestBank, type TestBank } from '../../../tests/server.ts';
import { openLogin } from './openLogin.ts';
import { changeRoleWithin } from './staffChanges.ts';

let bank: TestBank;
let owner: string;

beforeAll(async () => {
  bank = await openTestBank();
  owner = await bank.adminToken();
});
afterAll(() => bank.close());

const password = 'a quiet river stone';
const login = (email: string, tried = password) =>
  bank.call(adminApi.adminLogin, { body: { email, password: tried } });

let count = 0;
async function aMember(role: Role): Promise<{ id: string; email: string; token: string }> {
  const email = `${role}${++count}@bank.example`;
  const { id } = (await createAdmin(bank.bank.parts, { email, name: `Mia ${role}`, password, role }))!;
  return { id, email, token: (await login(email)).body.data.token };
}

/** Waits until more than `after` links were mailed to an address. Returns the token of the newest. */
const linkTo = (email: string, after = 0) =>
  eventually(() => {
    const tokens = bank.bank.parts
      .inbox!.list(email)
      .map(mail => /\/admin\/set-password#(\S+)/.exec(mail.text)?.[1])
      .filter(found => found !== undefined);
    return tokens.length > after ? tokens[0] : undefined;
  });

async function invite(role: Role): Promise<StaffMember> {
  const body = { email: `invited${++count}@bank.example`, name: 'Iva Invited', role };
  const { status, body: answer } = await bank.call(staffApi.inviteMember, { token: owner, body });
  expect(status).toBe(201);
  return answer.data as StaffMember;
}

const mailed = (email: string, subject: string) =>
  eventually(() => bank.bank.parts.inbox!.list(email).some(mail => mail.subject === subject) || undefined);

const records = async (subject: string) => {
  const { body } = await bank.call(adminApi.auditLog, { token: owner, query: { person: subject } });
  return body.data.records.map(record => record.action);
};

test('an invited administrator sets a password with the mailed link, once, and logs in with the role [ST-73]', async () => {
  const { _id, email, state } = await invite('support');
  expect(state).toBe('invited');
  expect((await login(email, 'whatever it may be')).status).toBe(401);
  const token = await linkTo(email);
  const set = () => bank.call(staffApi.setAdminPassword, { body: { token, password } });
  expect((await set()).status).toBe(200);
  expectRefusal(await set(), 'NOT_FOUND');
  const { body } = await login(email);
  expect(body.data.role).toBe('support');
  const profile = await bank.call(staffApi.adminProfile, { token: body.data.token });
  expect(profile.body.data).toEqual({ _id, email, name: 'Iva Invited', role: 'support' });
  expect(await records(_id)).toEqual(expect.arrayContaining(['admin.invited', 'admin.password-set']));
});

test('a link that expired, was replaced or altered, or whose administrator is disabled does not work [ST-73]', async () => {
  const { _id, email } = await invite('viewer');
  const first = await linkTo(email);
  const set = (token: string) => bank.call(staffApi.setAdminPassword, { body: { token, password } });
  await bank.call(staffApi.resetMember, { token: owner, params: { id: _id } });
  const second = await linkTo(email, 1);
  expectRefusal(await set(first), 'NOT_FOUND');
  // Changes the second to last character, because some bits of the last one carry no data.
  const changed = second.at(-2) === 'A' ? 'B' : 'A';
  expectRefusal(await set(second.slice(0, -2) + changed + second.at(-1)), 'NOT_FOUND');
  await bank.call(staffApi.disableMember, { token: owner, params: { id: _id } });
  expectRefusal(await set(second), 'NOT_FOUND');
  await bank.call(staffApi.enableMember, { token: owner, params: { id: _id } });
  const third = await linkTo(email, 2);
  await bank.test.database.ownerPool.query('UPDATE admin_links SET expires_at = now()');
  expectRefusal(await set(third), 'NOT_FOUND');
});

test('a mailed link stops working when the administrator is disabled, even once enabled again, or gets another password [ST-73]', async () => {
  const { parts } = bank.bank;
  type Member = Awaited<ReturnType<typeof aMember>>;
  const enable = ({ id }: Member) =>
    bank.call(staffApi.enableMember, { token: owner, params: { id } }).then(({ status }) => status === 200);
  const ways: ((member: Member) => Promise<boolean>)[] = [
    async member => {
      await bank.call(staffApi.disableMember, { token: owner, params: { id: member.id } });
      return await enable(member);
    },
    async member => {
      await disableAdmin(parts, member.email, { evenTheLast: false });
      return await enable(member);
    },
    ({ email }) => resetAdminPassword(parts, { email, password: 'another river stone' }),
    async ({ token }) => {
      const body = { currentPassword: password, newPassword: 'another river stone' };
      return (await bank.call(staffApi.changeAdminPassword, { token, body })).status === 200;
    },
  ];
  for (const [index, end] of ways.entries()) {
    const member = await aMember('viewer');
    await bank.call(staffApi.resetMember, { token: owner, params: { id: member.id } });
    const token = await linkTo(member.email);
    expect(await end(member)).toBe(true);
    const set = await bank.call(staffApi.setAdminPassword, { body: { token, password: 'a thief’s stone' } });
    expect([index, set.status]).toEqual([index, 404]);
  }
});

test('a very common password, one that repeats a part, or the administrator’s own email cannot be set; a sentence can [V-31]', async () => {
  const { email } = await invite('viewer');
  const token = await linkTo(email);
  const set = (tried: string) => bank.call(staffApi.setAdminPassword, { body: { token, password: tried } });
  for (const tried of [
    'passwordpassword',
    'aaaaaaaaaaaa',
    'Password1234',
    '123456789012',
    email.toUpperCase(),
  ]) {
    const refused = await set(tried);
    expectRefusal(refused, 'VALIDATION');
    expect(refused.body.message).toBe('This password is easy to guess. Choose another one.');
  }
  const sentence = 'a quiet river stone';
  expect((await set(sentence)).status).toBe(200);
  const body = { currentPassword: sentence, newPassword: email };
  const { token: session } = (await login(email, sentence)).body.data;
  expectRefusal(await bank.call(staffApi.changeAdminPassword, { token: session, body }), 'VALIDATION');
});

test('if two people use one link at once, one of them sets the password [ST-73]', async () => {
  const { email } = await invite('viewer');
  const token = await linkTo(email);
  const tries = ['a quiet river stone', 'another river stone'].map(tried =>
    bank.call(staffApi.setAdminPassword, { body: { token, password: tried } }),
  );
  expect((await Promise.all(tries)).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 404,
  ]);
});

test('a taken email cannot be invited', async () => {
  const body = { email: adminLogin.email, name: 'Ada', role: 'viewer' };
  expectRefusal(await bank.call(staffApi.inviteMember, { token: owner, body }), 'CONFLICT');
});

test('disabling an administrator ends the sessions, enabling mails a link to set a new password, and both are mailed [ST-74]', async () => {
  const { id, email, token } = await aMember('viewer');
  const disable = () =>
    bank.call(staffApi.disableMember, { token: owner, params: { id }, body: { reason: 'Left the bank' } });
  expect((await disable()).body.data.state).toBe('disabled');
  expect((await bank.call(adminApi.users, { token })).status).toBe(401);
  expect((await login(email)).status).toBe(401);
  expect((await disable()).body.message).toBe('This administrator is already disabled.');
  await mailed(email, 'Your access to the back office ended');
  const enabled = await bank.call(staffApi.enableMember, { token: owner, params: { id } });
  expect(enabled.body.data.state).toBe('active');
  expect((await login(email)).status).toBe(401);
  await mailed(email, 'Your access to the back office is back');
  const body = { token: await linkTo(email), password };
  expect((await bank.call(staffApi.setAdminPassword, { body })).status).toBe(200);
  expect((await login(email)).status).toBe(200);
  expect((await records(id)).filter(action => action.startsWith('admin.'))).toEqual([
    'admin.password-set',
    'admin.enabled',
    'admin.link-sent',
    'admin.disabled',
    'admin.created',
  ]);
});

test('an owner ends every session of an administrator [ST-74]', async () => {
  const { id, email, token } = await aMember('viewer');
  const body = { reason: 'Lost laptop' };
  const ended = await bank.call(staffApi.endMemberSessions, { token: owner, params: { id }, body });
  expect(ended.body.data.sessions).toBe(0);
  expect((await bank.call(adminApi.users, { token })).status).toBe(401);
  await mailed(email, 'Your back office sessions were ended');
});

test('a login that opens its session at the moment someone ends the sessions or disables the login is ended, too [ST-74]', async () => {
  const member = await aMember('viewer');
  const customer = await bank.customer();
  const { parts } = bank.bank;
  const { ownerPool } = bank.test.database;
  const params = { id: member.id };
  const ends = [
    () => bank.call(adminCustomersApi.endCustomerSessions, { token: owner, params: { id: customer._id } }),
    () => bank.call(staffApi.endMemberSessions, { token: owner, params }),
    () => bank.call(staffApi.disableMember, { token: owner, params }),
    () => disableAdmin(parts, member.email, { evenTheLast: false }),
  ];
  for (const [index, end] of ends.entries()) {
    await bank.call(staffApi.enableMember, { token: owner, params });
    const [personId, kind] =
      index === 0 ? [customer._id, 'customer' as const] : [member.id, 'admin' as const];
    let ending: Promise<unknown> | undefined;
    const { sessionId } = await parts.database.inTransaction(async tx => {
      await lockCredentials(tx, personId, undefined);
      let isDone = false;
      ending = end().finally(() => {
        isDone = true;
      });
      await eventually(async () => isDone || (await lockWaits(ownerPool)) > 0 || undefined);
      const address = '::1';
      const userAgent = 'Safari';
      return await openLogin(tx, { personId, kind, address, userAgent, browser: undefined, method: 'none' });
    });
    await ending;
    const found = await ownerPool.query('SELECT FROM live_sessions WHERE id = $1', [sessionId]);
    expect(found.rowCount).toBe(0);
  }
});

test('the last owner cannot be disabled or given another role [ST-75]', async () => {
  const list = (await bank.call(staffApi.listStaff, { token: owner })).body.data;
  const { _id: id } = list.find(({ email }) => email === adminLogin.email)!;
  const params = { id };
  expectRefusal(await bank.call(staffApi.disableMember, { token: owner, params }), 'CONFLICT');
  const body = { role: 'viewer' };
  expectRefusal(await bank.call(staffApi.changeRole, { token: owner, params, body }), 'CONFLICT');
});

test('if two owners disable each other at once, one stays active [ST-75]', async () => {
  const other = await openTestBank({ JOBS: 'off' });
  try {
    const body = { email: 'second@bank.example', password };
    const { id } = (await createAdmin(other.bank.parts, { ...body, name: 'Bo', role: 'owner' }))!;
    const token = await other.adminToken();
    const second = (await other.call(adminApi.adminLogin, { body })).body.data.token;
    const first = (await other.call(staffApi.adminProfile, { token })).body.data._id;
    const answers = await Promise.all([
      other.call(staffApi.disableMember, { token, params: { id } }),
      other.call(staffApi.disableMember, { token: second, params: { id: first } }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = await other.test.database.ownerPool.query(
      "SELECT FROM admins WHERE role = 'owner' AND disabled_at IS NULL",
    );
    expect(left.rowCount).toBe(1);
  } finally {
    await other.close();
  }
});

test("an administrator's change of password ends every other session [ST-76]", async () => {
  const { email, token } = await aMember('viewer');
  const other = (await login(email)).body.data.token;
  const change = (currentPassword: string, newPassword: string) =>
    bank.call(staffApi.changeAdminPassword, { token, body: { currentPassword, newPassword } });
  expectRefusal(await change('not the password', 'another river stone'), 'BAD_PASSWORD');
  expectRefusal(await change(password, 'too short'), 'VALIDATION');
  expectRefusal(await change(password, password), 'VALIDATION');
  expect((await change(password, 'another river stone')).status).toBe(200);
  expect((await bank.call(adminApi.users, { token })).status).toBe(200);
  expect((await bank.call(adminApi.users, { token: other })).status).toBe(401);
  expect((await login(email)).status).toBe(401);
  expect((await login(email, 'another river stone')).status).toBe(200);
  await mailed(email, 'Your back office password was set');
});

/** Waits until `count` statements of the bank wait for locks. */
const waiting = (count: number) =>
  eventually(async () => (await lockWaits(bank.test.database.ownerPool)) === count || undefined);

/** What the audit log has of an administrator since they were disabled or got another role. */
const actsAfter = async (id: string) => {
  const found = await bank.test.database.ownerPool.query<{ action: string }>(
    `SELECT action FROM audit_log WHERE actor_id = $1 AND id > (
       SELECT max(id) FROM audit_log WHERE subject = $1::text AND action IN ('admin.disabled', 'admin.role-changed'))`,
    [id],
  );
  return found.rows.map(({ action }) => action);
};

test('an owner who is disabled while their calls about other administrators wait changes nothing [ST-74]', async () => {
  const { id, token } = await aMember('owner');
  const others = await Promise.all([aMember('viewer'), aMember('viewer'), aMember('viewer')]);
  const held = await holdLocks(
    bank.test.database.ownerPool,
    "SELECT pg_advisory_xact_lock(hashtext('larkspur staff'))",
  );
  const disabling = bank.call(staffApi.disableMember, { token: owner, params: { id } });
  await waiting(1);
  const [first, second, third] = others.map(other => ({ id: other.id }));
  const calls = [
    bank.call(staffApi.resetMember, { token, params: first! }),
    bank.call(staffApi.endMemberSessions, { token, params: second! }),
    bank.call(staffApi.disableMember, { token, params: third! }),
    bank.call(staffApi.changeRole, { token, params: third!, body: { role: 'support' } }),
  ];
  await waiting(1 + calls.length);
  await held.query('ROLLBACK');
  expect((await disabling).status).toBe(200);
  for (const call of calls) expectRefusal(await call, 'NOT_AUTHORIZED');
  expect(await actsAfter(id)).toEqual([]);
});

test('an owner who is disabled, or gets another role, while their calls about a customer wait changes nothing [ST-71, ST-74]', async () => {
  for (const [end, refusal] of [
    [(id: string) => bank.call(staffApi.disableMember, { token: owner, params: { id } }), 'NOT_AUTHORIZED'],
    [
      (id: string) =>
        bank.bank.parts.database.inTransaction(tx =>
          changeRoleWithin(tx, { admin: { adminId: id }, address: '::1' }, { memberId: id, role: 'viewer' }),
        ),
      'FORBIDDEN',
    ],
  ] as const) {
    const { id, token } = await aMember('owner');
    const { _id: customerId } = await bank.customer({ approved: false });
    const params = { id: customerId };
    const email = `held${++count}@bank.example`;
    const { ownerPool } = bank.test.database;
    const held = await holdLocks(ownerPool, 'SELECT FROM customers WHERE id = $1 FOR UPDATE', customerId);
    const invited = "INSERT INTO admins (id, email, name, role) VALUES (new_id(), $1, 'X', 'viewer')";
    await held.query(invited, [email]);
    const reason = 'r';
    const calls = [
      bank.call(staffApi.inviteMember, { token, body: { email, name: 'Iva', role: 'viewer' } }),
      bank.call(adminApi.approve, { token, params }),
      bank.call(adminApi.application, { token, params }),
      bank.call(adminApi.freeze, { token, params, body: { isFrozen: true } }),
      bank.call(adminApi.deleteUser, { token, params }),
      bank.call(adminCustomersApi.rejectApplication, { token, params, body: { reason } }),
      bank.call(adminCustomersApi.changeCustomer, { token, params, body: { firstName: 'Nell', reason } }),
      bank.call(adminCustomersApi.requestId, { token, params, body: { reason } }),
      bank.call(adminCustomersApi.addNote, { token, params, body: { text: 'A note' } }),
      bank.call(adminCustomersApi.endCustomerSessions, { token, params }),
    ];
    await waiting(calls.length);
    await end(id);
    await held.query('ROLLBACK');
    for (const call of calls) expectRefusal(await call, refusal);
    expect(await actsAfter(id)).toEqual([]);
  }
});

test.each([
  ['gets the role support', "UPDATE admins SET role = 'support' WHERE id = $1", 'FORBIDDEN'],
  ['is disabled', 'UPDATE admins SET disabled_at = now() WHERE id = $1', 'FORBIDDEN'],
  ['is logged out', 'UPDATE sessions SET ended_at = now() WHERE person_id = $1', 'NOT_AUTHORIZED'],
  ['becomes an owner', "UPDATE admins SET role = 'owner' WHERE id = $1", undefined],
] as const)(
  'an operator who %s while their credit waits to be posted credits only if they still may [ST-71, ST-74]',
  async (_, change, refusal) => {
    const { id, token } = await aMember('operator');
    const { accountId, accountNumber } = await bank.seeded({});
    const { ownerPool } = bank.test.database;
    const held = await ownerPool.connect();
    await held.query('BEGIN');
    await held.query('SELECT FROM ledger_accounts WHERE id = $1 FOR UPDATE', [accountId]);
    const body = { userAccountNumber: accountNumber, amount: 5, description: 'Gift' };
    const credit = bank.call(adminApi.credit, { token, body });
    await eventually(async () => (await lockWaits(ownerPool, 'post_group')) === 1 || undefined);
    await held.query(change, [id]);
    await held.query('COMMIT');
    held.release();
    const answer = await credit;
    if (refusal) expectRefusal(answer, refusal);
    else expect(answer.status).toBe(201);
    const { rows } = await ownerPool.query(
      `SELECT balance::int, (SELECT count(*)::int FROM audit_log WHERE actor_id = $2 AND action = 'customer.credited') AS records
         FROM ledger_accounts WHERE id = $1`,
      [accountId, id],
    );
    expect(rows).toEqual([refusal ? { balance: 0, records: 0 } : { balance: 500, records: 1 }]);
  },
);

test('an owner can disable their own login and end their own sessions while another owner is active [ST-74]', async () => {
  const { id, email, token } = await aMember('owner');
  const params = { id };
  expect((await bank.call(staffApi.endMemberSessions, { token, params })).status).toBe(200);
  const again = (await login(email)).body.data.token;
  expect((await bank.call(staffApi.disableMember, { token: again, params })).status).toBe(200);
  expect(await records(id)).toEqual(expect.arrayContaining(['admin.sessions-ended', 'admin.disabled']));
});
