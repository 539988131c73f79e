/** The auth area over HTTP, on a complete bank with real mail. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { limitsApi } from '#contract/limits.ts';
import { settingsApi } from '#contract/settings.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { deleteExpired } from '#server/people/expiry.ts';
import { type ApiAnswer, customerPassword } from '../../../tests/call.ts';
import { otherThan } from '../../../tests/otherThan.ts';
import { adminLogin, eventually, openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank();
});
afterAll(() => bank.close());

const reader = () => bank.test.database.reader;

async function register(fields: Record<string, string> = {}): Promise<{ id: string; email: string }> {
  const { status, body } = await bank.call(authApi.register, { body: bank.form(fields) });
  expect(status).toBe(201);
  return { id: body.data._id, email: body.data.email };
}

const initiate = (email: string, password = customerPassword) =>
  bank.call(authApi.initiateLogin, { body: { email, password } });
const verify = (email: string, otp: string) => bank.call(authApi.verifyCode, { body: { email, otp } });
const resend = (email: string) => bank.call(authApi.resendCode, { body: { email } });

function mailsTo(email: string, subject: string): number {
  return bank.bank.parts.inbox!.list(email).filter(mail => mail.subject === subject).length;
}

/** Lets 46 seconds pass for all codes. */
async function passCooldown(): Promise<void> {
  await sql`UPDATE codes SET created_at = created_at - interval '46 s'`.execute(reader());
  await sql`UPDATE address_attempts SET codes_requested_at = ARRAY(SELECT t - interval '46 s' FROM unnest(codes_requested_at) t)`.execute(
    reader(),
  );
}

function expectRefusal(answer: ApiAnswer<Endpoint>, status: number, code: string, message: string): void {
  expect({ status: answer.status, ...answer.body }).toEqual({ status, success: false, code, message });
}

test('a visitor registers, gets no data but the id, email and state, and receives a mail [C-07, C-43, V-09, R-36]', async () => {
  const form = bank.form({ firstName: ' Iris ', email: ' IRIS@Mail.Example ' });
  const { status, body } = await bank.call(authApi.register, { body: form });
  expect(status).toBe(201);
  expect(body).toEqual({
    success: true,
    message: 'Registration successful! Your account will be approved within 24-48 hours.',
    data: { _id: expect.stringMatching(/^[0-9a-f-]{36}$/), email: 'iris@mail.example', isApproved: false },
  });
  await eventually(() => (mailsTo('iris@mail.example', 'Welcome to Larkspur Bank') === 1 ? true : undefined));
});

test('an email can be registered only once, ignoring case, and the second attempt leaves nothing behind [C-33]', async () => {
  const { email } = await register();
  const files = () => listFiles();
  const before = await files();
  const again = await bank.call(authApi.register, { body: bank.form({ email: email.toUpperCase() }) });
  expectRefusal(again, 409, 'CONFLICT', 'An account with this email already exists');
  expect(await files()).toEqual(before);
});

async function listFiles(): Promise<string[]> {
  const names: string[] = [];
  for await (const name of bank.bank.parts.files.listBefore(new Date(Date.now() + 60_000))) names.push(name);
  return names.sort();
}

test('only one of twenty parallel registrations with one email succeeds, and only its picture is stored', async () => {
  const before = (await listFiles()).length;
  const email = 'many@mail.example';
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => bank.call(authApi.register, { body: bank.form({ email }) })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const { status } of answers) expect([201, 409, 503]).toContain(status);
  const found = await sql`SELECT FROM customers WHERE email = ${email}`.execute(reader());
  expect(found.rows).toHaveLength(1);
  // A registration that was refused as busy may still be removing its picture.
  await eventually(async () => ((await listFiles()).length === before + 1 ? true : undefined));
});

test('a registration with a field that a client may not set is refused', async () => {
  for (const field of ['isApproved', 'balance', 'role', 'accountNumber', '_id']) {
    const answer = await bank.call(authApi.register, { body: bank.form({ [field]: '1' }) });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('VALIDATION');
  }
});

test('a registration without a profile image, or with an invalid one, leaves nothing behind [C-23, C-37, V-07, V-08]', async () => {
  const before = await listFiles();
  const without = bank.form();
  without.delete('avatar');
  const missing = await bank.call(authApi.register, { body: without });
  expect(missing.status).toBe(400);
  expect(missing.body.message).toBe('Please upload a profile image');
  const fake = bank.form({ email: 'fake@mail.example' });
  fake.set('avatar', new Blob(['<svg onload="alert(1)"/>'], { type: 'image/png' }), 'me.png');
  expect((await bank.call(authApi.register, { body: fake })).body.code).toBe('UNSUPPORTED_TYPE');
  const fakeId = bank.form({ email: 'fake@mail.example' });
  fakeId.set('idCard', new Blob(['no picture'], { type: 'image/png' }), 'id.png');
  const { code, errors } = (await bank.call(authApi.register, { body: fakeId })).body;
  expect(code).toBe('UNSUPPORTED_TYPE');
  expect(errors?.map(({ field }) => field)).toEqual(['idCard']);
  const found = await sql`SELECT FROM customers WHERE email = 'fake@mail.example'`.execute(reader());
  expect(found.rows).toHaveLength(0);
  expect(await listFiles()).toEqual(before);
});

test('an unapproved customer logs in with password and mailed code, and sees their own profile [C-44, C-47, C-49, OK-02, ST-18, E-01, AC-06]', async () => {
  const { id, email } = await register();
  const begun = await initiate(email);
  expect(begun.body).toEqual({
    success: true,
    message: 'OTP sent to your email. Please check and verify.',
    data: { email, methods: ['email'] },
  });
  const done = await verify(email, await bank.mailedCode(email));
  expect(done.status).toBe(200);
  expect(done.body.message).toBe('Login successful');
  const { token, ...customer } = done.body.data;
  expect(customer).toMatchObject({ _id: id, email, isApproved: false, balance: 0, idCard: null });
  expect(JSON.stringify(done.body)).not.toMatch(/password|hash/i);
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  expect(claims).toMatchObject({ sub: id, aud: 'customer' });
  expect(claims.exp - Date.now() / 1000).toBeGreaterThan(3550);
  expect(claims.exp - Date.now() / 1000).toBeLessThanOrEqual(3601);
  const profile = await bank.call(authApi.profile, { token });
  expect(profile.body).toEqual({ success: true, message: 'Profile', data: customer });
});

test('a customer who waits for approval can see the profile and log out, but not use the bank [C-28, AC-08, RO-03]', async () => {
  const { token } = await bank.customer({ approved: false });
  for (const closed of [
    transactionsApi.balance,
    transactionsApi.listTransactions,
    transferApi.sendInternal,
  ]) {
    const answer = await bank.call(closed, { token });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 403,
      code: 'ACCOUNT_PENDING',
    });
  }
  expect((await bank.call(authApi.profile, { token })).status).toBe(200);
  expect((await bank.call(authApi.logout, { token })).status).toBe(200);
});

test('a session no longer works after logging out, not even for logging out again [C-24, C-77, ST-20]', async () => {
  const { token } = await bank.customer();
  expect((await bank.call(authApi.logout, { token })).body).toEqual({
    success: true,
    message: 'You are logged out',
  });
  for (const endpoint of [authApi.profile, authApi.logout, transactionsApi.balance])
    expectRefusal(await bank.call(endpoint, { token }), 401, 'NOT_AUTHORIZED', 'Not authorized');
});

test("a customer's token does not work on administrators' calls, or an administrator's on customers' calls [C-30, C-76, ST-24, ST-25]", async () => {
  const { token } = await bank.customer();
  for (const endpoint of Object.values(adminApi)) {
    if (endpoint.access !== 'admin') continue;
    const answer = await bank.call(endpoint as Endpoint, { token, params: { id: 'x' } });
    expect({ path: endpoint.path, status: answer.status, code: answer.body.code }).toEqual({
      path: endpoint.path,
      status: 403,
      code: 'FORBIDDEN',
    });
  }
  const admin = await bank.adminToken();
  const own = [...Object.values(authApi), ...Object.values(settingsApi), ...Object.values(transferApi)];
  for (const endpoint of own.filter(one => one.access === 'customer')) {
    const answer = await bank.call(endpoint as Endpoint, { token: admin, params: { accountNumber: '1' } });
    expect({ path: endpoint.path, code: answer.body.code }).toEqual({
      path: endpoint.path,
      code: 'FORBIDDEN',
    });
  }
});

test('an unknown email, a wrong password, a locked login and an administrator get the same answer [C-26, C-45, ST-33]', async () => {
  const { email } = await register();
  const { email: locked } = await register();
  for (let i = 0; i < 5; i++) await initiate(locked, '000000');
  const answers = [
    await initiate('unknown@mail.example'),
    await initiate(email, '000000'),
    await initiate(locked),
    await initiate(adminLogin.email, '123456'),
  ];
  for (const answer of answers) expectRefusal(answer, 401, 'BAD_CREDENTIALS', 'Invalid email or password');
  const headers = answers.map(({ headers: all }) => [...all.keys()].sort());
  for (const names of headers) expect(names).toEqual(headers[0]);
});

test('the owner of a locked login gets one mail [ST-34]', async () => {
  const { email } = await register();
  for (let i = 0; i < 8; i++) await initiate(email, '000000');
  await bank.mailsSent();
  expect(mailsTo(email, 'Your login is locked')).toBe(1);
});

test('the specification’s legacy login call, which needs no code, does not exist [C-21]', async () => {
  const { email } = await register();
  const answer = await fetch(`${bank.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: customerPassword }),
  });
  expect(answer.status).toBe(404);
});

test('a malformed password is refused as invalid, even for an email that has no account', async () => {
  for (const password of ['abc', '', '1'.repeat(65), 123456, null]) {
    const answer = await bank.call(authApi.initiateLogin, { body: { email: 'a@mail.example', password } });
    expect(answer.status).toBe(400);
  }
});

test('a wrong code, a used code, a code for an unknown person and a code that was never sent get the same answer [C-27]', async () => {
  const { email } = await register();
  const { email: idle } = await register();
  await initiate(email);
  const otp = await bank.mailedCode(email);
  const answers = [await verify(email, otherThan(otp))];
  expect((await verify(email, otp)).status).toBe(200);
  answers.push(await verify(email, otp), await verify(idle, otp), await verify('unknown@mail.example', otp));
  for (const answer of answers) expectRefusal(answer, 401, 'BAD_CODE', 'Invalid or expired code');
});

test('only one of a hundred parallel correct codes opens a session', async () => {
  const { id, email } = await register();
  await initiate(email);
  const otp = await bank.mailedCode(email);
  const answers = await Promise.all(Array.from({ length: 100 }, () => verify(email, otp)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const sessions = await sql`SELECT FROM sessions WHERE person_id = ${id}`.execute(reader());
  expect(sessions.rows).toHaveLength(1);
});

test('only five of a hundred parallel guesses are compared, and the correct code no longer works [ST-29, ST-49, RC-35]', async () => {
  const { id, email } = await register();
  await initiate(email);
  const otp = await bank.mailedCode(email);
  await Promise.all(Array.from({ length: 100 }, (_, i) => verify(email, otherThan(otp, i + 1))));
  const codes = await sql<{ attempts: number }>`SELECT attempts FROM codes WHERE person_id = ${id}`.execute(
    reader(),
  );
  expect(codes.rows).toEqual([{ attempts: 5 }]);
  expect((await verify(email, otp)).status).toBe(401);
});

test('parallel logins send one code', async () => {
  const { id, email } = await register();
  // The passwords are compared one after another. With 25 logins, even a busy machine finishes within the cooldown.
  const answers = await Promise.all(Array.from({ length: 25 }, () => initiate(email)));
  for (const { status } of answers) expect([200, 503]).toContain(status);
  const codes = await sql`SELECT FROM codes WHERE person_id = ${id}`.execute(reader());
  expect(codes.rows).toHaveLength(1);
});

test('a resend within 45 seconds is refused with the seconds to wait; a later resend sends a code that replaces the first [C-11, C-41, C-48, OK-03, ST-30, ST-31, RC-35]', async () => {
  const { email } = await register();
  const startedAt = performance.now();
  await initiate(email);
  const first = await bank.mailedCode(email);
  const soon = await resend(email);
  const left = 45 - (performance.now() - startedAt) / 1000;
  expect(soon.status).toBe(429);
  expect(soon.body).toMatchObject({ success: false, code: 'TOO_MANY' });
  expect(soon.body.waitTime).toBeGreaterThan(left - 1);
  expect(soon.body.waitTime).toBeLessThanOrEqual(45);
  expect(soon.headers.get('retry-after')).toBe(String(soon.body.waitTime));
  await passCooldown();
  expect((await resend(email)).body).toEqual({ success: true, message: 'New OTP sent to your email' });
  const second = await bank.mailedCode(email, 1);
  if (first !== second) expect((await verify(email, first)).status).toBe(401);
  expect((await verify(email, second)).status).toBe(200);
});

test('a resend does not reveal whether an email has an account or a login in progress [ST-42]', async () => {
  const { email: idle } = await register();
  const { email: busy } = await register();
  await initiate(busy);
  await bank.mailedCode(busy);
  await passCooldown();
  for (const expected of [200, 429]) {
    const answers = [await resend('visitor@mail.example'), await resend(idle), await resend(busy)];
    for (const answer of answers) expect(answer.status).toBe(expected);
    const bodies = answers.map(({ body: { waitTime, ...rest } }) => ({
      ...rest,
      waits: waitTime !== undefined,
    }));
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  }
  await bank.mailsSent();
  expect(mailsTo(idle, 'Your login code')).toBe(0);
});

const codesMailedTo = (email: string) =>
  bank.bank.parts.inbox!.list(email).filter(mail => /\b\d{6}\b/.test(mail.text)).length;

async function logInWith(email: string, userAgent: string, password = customerPassword): Promise<string> {
  const headers = { 'user-agent': userAgent };
  const before = codesMailedTo(email);
  await bank.call(authApi.initiateLogin, { body: { email, password }, headers });
  const otp = await bank.mailedCode(email, before);
  const opened = await bank.call(authApi.verifyCode, { body: { email, otp }, headers });
  expect(opened.status).toBe(200);
  return opened.body.data.token;
}

/** Resets the password in a browser, with the code from the mail. */
async function resetWith(email: string, userAgent: string, newPassword: string): Promise<void> {
  const headers = { 'user-agent': userAgent };
  const before = codesMailedTo(email);
  await bank.call(authApi.forgotPassword, { body: { email }, headers });
  const otp = await bank.mailedCode(email, before);
  const done = await bank.call(authApi.resetPassword, { body: { email, otp, newPassword }, headers });
  expect(done.status).toBe(200);
}

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const phone = 'Mozilla/5.0 (Android 16; Mobile; rv:141.0) Gecko/141.0 Firefox/141.0';

test('a login from a new device sends a mail, once', async () => {
  const { email } = await register();
  await logInWith(email, agent);
  await logInWith(email, agent.replaceAll('140', '141'));
  await logInWith(email, phone);
  await logInWith(email, phone);
  const subject = 'New login to your account';
  await bank.mailsSent();
  const mails = bank.bank.parts.inbox!.list(email);
  expect(mails.find(mail => mail.subject === subject)!.text).toContain('Device: Firefox on Android');
  expect(mailsTo(email, subject)).toBe(1);
});

test('after months without a login, a login from a new device sends a mail and one from a known device does not', async () => {
  const [victim, owner] = [await register(), await register()];
  for (const { id, email } of [victim, owner]) {
    await logInWith(email, agent);
    await sql`UPDATE sessions SET expires_at = now() - interval '90 days' WHERE person_id = ${id}`.execute(
      reader(),
    );
  }
  await deleteExpired(bank.test.database);
  await logInWith(victim.email, phone);
  await logInWith(owner.email, agent);
  const subject = 'New login to your account';
  await bank.mailsSent();
  expect([mailsTo(victim.email, subject), mailsTo(owner.email, subject)]).toEqual([1, 0]);
});

test('after an owner presses "This wasn’t me" in the mail about a login, each later login from that device sends a mail, although the thief has logged out [FA-01]', async () => {
  const { email } = await register();
  const subject = 'New login to your account';
  await logInWith(email, agent);
  const token = await logInWith(email, phone);
  expect((await bank.call(authApi.logout, { token })).status).toBe(200);
  await bank.mailsSent();
  const mail = bank.bank.parts.inbox!.list(email).find(one => one.subject === subject)!;
  const link = /freeze-account#([\w-]+)/.exec(mail.text)![1]!;
  expect((await bank.call(limitsApi.freezeByLink, { body: { token: link } })).status).toBe(200);
  await logInWith(email, phone);
  await bank.mailsSent();
  expect(mailsTo(email, subject)).toBe(2);
});

test('after a reset of the password, a login from the browser of the reset sends no mail, and one from another device does [FA-01]', async () => {
  const { email } = await register();
  const subject = 'New login to your account';
  await logInWith(email, agent);
  await logInWith(email, phone);
  await passCooldown();
  await resetWith(email, agent, '77120934');
  await logInWith(email, agent, '77120934');
  await bank.mailsSent();
  expect(mailsTo(email, subject), 'the mail about the phone').toBe(1);
  await logInWith(email, phone, '77120934');
  await bank.mailsSent();
  expect(mailsTo(email, subject)).toBe(2);
});

test('ten wrong codes lock the login even for the correct password [ST-46, RC-35]', async () => {
  const { email } = await register();
  for (let round = 1; round <= 2; round++) {
    await initiate(email);
    const otp = await bank.mailedCode(email, round - 1);
    for (let i = 1; i <= 5; i++) await verify(email, otherThan(otp, i));
  }
  expectRefusal(await initiate(email), 401, 'BAD_CREDENTIALS', 'Invalid email or password');
  await eventually(() => (mailsTo(email, 'Your login is locked') === 1 ? true : undefined));
});

test('a forgotten password is reset with a mailed code, and every session ends [C-78, C-79, F-04, F-05, F-06, S-18, ST-21, ST-41]', async () => {
  const { email, token } = await bank.customer();
  const known = await bank.call(authApi.forgotPassword, { body: { email } });
  const unknown = await bank.call(authApi.forgotPassword, { body: { email: 'visitor@mail.example' } });
  expect(known.body).toEqual({
    success: true,
    message: 'If this email has an account, a code is on its way.',
  });
  expect({ status: unknown.status, body: unknown.body }).toEqual({ status: known.status, body: known.body });
  const otp = await bank.mailedCode(email, 1);
  const reset = (code: string, who = email) =>
    bank.call(authApi.resetPassword, { body: { email: who, otp: code, newPassword: '77120934' } });
  for (const answer of [await reset(otherThan(otp)), await reset(otp, 'visitor@mail.example')])
    expectRefusal(answer, 401, 'BAD_CODE', 'Invalid or expired code');
  expect((await verify(email, otp)).status).toBe(401);
  const same = await bank.call(authApi.resetPassword, {
    body: { email, otp, newPassword: customerPassword },
  });
  expect({ status: same.status, ...same.body }).toMatchObject({
    status: 400,
    code: 'VALIDATION',
    message: 'Please choose a password that differs from your current one',
  });
  expect((await reset(otp)).body).toEqual({
    success: true,
    message: 'Password updated successfully. Please login to continue.',
  });
  expect((await bank.call(authApi.profile, { token })).status).toBe(401);
  expect((await initiate(email)).status).toBe(401);
  expect((await initiate(email, '77120934')).status).toBe(200);
  const mail = await eventually(() =>
    bank.bank.parts.inbox!.list(email).find(({ subject }) => subject === 'Your password was changed'),
  );
  // The session that asked for the reset has ended, too.
  expect(mail.text).toContain('reset with an emailed code. Every session has ended');
});

test('logins, failures, locks, logouts and registrations are audited, without email addresses or secrets [M-34]', async () => {
  const { id, email } = await register();
  for (let i = 0; i < 5; i++) await initiate(email, '000000');
  await sql`UPDATE login_devices SET locked_until = now() WHERE person_id = ${id}`.execute(reader());
  await initiate(email);
  const otp = await bank.mailedCode(email);
  await verify(email, otherThan(otp));
  const { token } = (await verify(email, otp)).body.data;
  await bank.call(authApi.logout, { token });
  const found = await sql<{ action: string; record: string; address: string }>`
    SELECT action, address, to_jsonb(l)::text AS record FROM audit_log l WHERE subject = ${id} ORDER BY l.id`.execute(
    reader(),
  );
  expect(found.rows.map(row => row.action)).toEqual([
    'customer.registered',
    ...Array(4).fill('login.failed'),
    'login.locked',
    'login.failed',
    'login.completed',
    'logout',
  ]);
  for (const { record, address } of found.rows) {
    expect(address).toBe('127.0.0.1');
    for (const secret of [email, customerPassword, otp, token]) expect(record).not.toContain(secret);
  }
});

test('the bank does not enforce the terms about age, number of accounts and minimum balance: a registration does not ask for an age, a person may have two accounts, and a balance may be zero [P-15]', async () => {
  const first = await bank.customer({ dollars: 5 });
  const second = await bank.customer({ dollars: 0 });
  expect(second.firstName).toBe(first.firstName);
  const body = { receiverAccountNumber: second.accountNumber, amount: 5, description: '' };
  expect((await bank.call(transferApi.sendInternal, { body, token: first.token })).status).toBe(201);
  const { body: left } = await bank.call(transactionsApi.balance, { token: first.token });
  expect(left.data).toEqual({ balance: 0 });
});
