/** Guesses and floods from elsewhere cannot lock an owner out in a browser that has completed a login. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import { settingsApi } from '#contract/settings.ts';
import { buildApp } from '#server/app.ts';
import { callAt, customerPassword, openBrowser } from '../../../tests/call.ts';
import { otherThan } from '../../../tests/otherThan.ts';
import { adminLogin, eventually, openTestBank, type TestBank } from '../../../tests/server.ts';
import { waitOptions } from '../../../tests/waiting.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => bank.close());

type Client = TestBank['call'];
const reader = () => bank.test.database.reader;
const newPassword = '77120934';
const initiate = (client: Client, email: string, password = customerPassword) =>
  client(authApi.initiateLogin, { body: { email, password } });
const verify = (client: Client, email: string, otp: string) =>
  client(authApi.verifyCode, { body: { email, otp } });
const forgot = (client: Client, email: string) => client(authApi.forgotPassword, { body: { email } });
const reset = (client: Client, email: string, otp: string) =>
  client(authApi.resetPassword, { body: { email, otp, newPassword } });

/** The newest mail with this subject. Tests compare mails instead of counting them, because the inbox drops old ones. */
const newestMail = (email: string, subject: string) =>
  bank.bank.parts.inbox!.list(email).find(mail => mail.subject === subject);

/** Makes a request and returns the code that is mailed for it. */
async function codeMailedFor(
  email: string,
  subject: string,
  request: () => Promise<unknown>,
): Promise<string> {
  const before = newestMail(email, subject);
  await request();
  const mail = await eventually(() => {
    const newest = newestMail(email, subject);
    return newest?.at === before?.at && newest?.text === before?.text ? undefined : newest;
  });
  return /\b\d{6}\b/.exec(mail.text)![0];
}
const loginSubject = 'Your login code';
const resetSubject = 'Your code for a new password';

async function register(): Promise<string> {
  return (await bank.call(authApi.register, { body: bank.form() })).body.data.email;
}

/** Logs in with password and mailed code; returns the status of the second step and the token. */
async function logIn(client: Client, email: string, password = customerPassword) {
  const otp = await codeMailedFor(email, loginSubject, async () => {
    expect((await initiate(client, email, password)).status).toBe(200);
  });
  const done = await verify(client, email, otp);
  return { status: done.status, token: done.body.data?.token };
}

/** Enters wrong passwords without a cookie until the login is locked everywhere but on known devices. */
async function lockOut(email: string): Promise<void> {
  for (let i = 0; i < 5; i++) await initiate(bank.call, email, '000000');
  expect((await initiate(bank.call, email)).status).toBe(401);
}

/** Lets time pass: moves all timestamps that matter for logins into the past. */
async function advance(minutes: number): Promise<void> {
  const back = sql`make_interval(mins => ${minutes})`;
  await sql`UPDATE login_devices SET locked_until = locked_until - ${back}, expires_at = expires_at - ${back},
              reset_locked_until = reset_locked_until - ${back}`.execute(reader());
  await sql`UPDATE codes SET begun_at = begun_at - ${back}, created_at = created_at - ${back},
              expires_at = expires_at - ${back}`.execute(reader());
  await sql`UPDATE address_attempts
               SET codes_requested_at = ARRAY(SELECT t - ${back} FROM unnest(codes_requested_at) t)`.execute(
    reader(),
  );
}

test('a browser gets a cookie that no script and no other site can use; other clients get none [ST-64]', async () => {
  const email = await register();
  const answer = await openBrowser(bank.call)(authApi.initiateLogin, {
    body: { email, password: customerPassword },
  });
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^device=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/),
  ]);
  const plain = await initiate(bank.call, email);
  expect(plain.headers.getSetCookie()).toEqual([]);
  const { app: secure } = await buildApp({ ...bank.bank.parts, publicUrl: 'https://bank.example' });
  const url = await secure.listen({ port: 0, host: '127.0.0.1' });
  const { headers } = await openBrowser((endpoint, asked) => callAt(url, endpoint, asked))(
    authApi.forgotPassword,
    { body: { email } },
  );
  expect(headers.getSetCookie()[0]).toMatch(/^__Host-device=[\w-]{43}; Path=\/; .*SameSite=Strict; Secure$/);
  await secure.close();
});

test('the cookie alone gives no access, and the database does not contain it [ST-64]', async () => {
  const email = await register();
  let cookie = '';
  const browser = openBrowser(async (endpoint, asked) => {
    const answer = await bank.call(endpoint, asked);
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return answer;
  });
  expect((await logIn(browser, email)).status).toBe(200);
  expect((await bank.call(authApi.profile, { headers: { cookie } })).status).toBe(401);
  const stored = await sql<{ row: string }>`
    SELECT d::text || encode(browser, 'escape') AS row FROM login_devices d`.execute(reader());
  expect(stored.rows.length).toBeGreaterThan(0);
  for (const { row } of stored.rows) expect(row).not.toContain(cookie.split('=')[1]);
});

test('an owner logs in from a known browser while guesses from elsewhere have locked the login [ST-60]', async () => {
  const email = await register();
  const [home, elsewhere] = [openBrowser(bank.call), openBrowser(bank.call)];
  expect((await logIn(home, email)).status).toBe(200);
  await lockOut(email);
  expect((await logIn(home, email)).status).toBe(200);
  // A browser is a known device only for the accounts that logged in with it.
  expect((await logIn(elsewhere, await register())).status).toBe(200);
  expect((await initiate(elsewhere, email)).status).toBe(401);
});

test('an administrator logs in from a known browser while guesses from elsewhere have locked the login [ST-47, ST-60]', async () => {
  const browser = openBrowser(bank.call);
  const logInAs = (client: Client, password: string) =>
    client(adminApi.adminLogin, { body: { email: adminLogin.email, password } });
  expect((await logInAs(browser, adminLogin.password)).status).toBe(200);
  for (let i = 0; i < 6; i++) await logInAs(bank.call, 'a wrong password');
  expect((await logInAs(bank.call, adminLogin.password)).status).toBe(401);
  expect((await logInAs(browser, adminLogin.password)).status).toBe(200);
});

test('a customer can change the password in a known browser while the login is locked; the change makes other browsers unknown [ST-61]', async () => {
  const email = await register();
  const [home, phone] = [openBrowser(bank.call), openBrowser(bank.call)];
  await logIn(phone, email);
  const { token } = await logIn(home, email);
  await lockOut(email);
  const body = { currentPassword: customerPassword, newPassword };
  expect((await home(settingsApi.changePassword, { token, body })).status).toBe(200);
  expect((await initiate(phone, email, newPassword)).status).toBe(401);
  expect((await initiate(home, email, newPassword)).status).toBe(200);
});

test('a completed reset lifts the lock and makes its browser the only known one [ST-61, ST-62]', async () => {
  const email = await register();
  const [home, fresh] = [openBrowser(bank.call), openBrowser(bank.call)];
  await logIn(home, email);
  await lockOut(email);
  const otp = await codeMailedFor(email, resetSubject, () => forgot(fresh, email));
  expect((await reset(fresh, email, otp)).status).toBe(200);
  expect((await initiate(bank.call, email, newPassword)).status, 'the lock is lifted for all').toBe(200);
  await lockOut(email);
  expect((await initiate(home, email, newPassword)).status).toBe(401);
  expect((await logIn(fresh, email, newPassword)).status).toBe(200);
});

test("requests from elsewhere neither void nor delay a known browser's codes, and guesses from elsewhere use up none of its attempts [ST-63]", async () => {
  const email = await register();
  const home = openBrowser(bank.call);
  await logIn(home, email);
  await advance(1);
  const theirs = await codeMailedFor(email, resetSubject, () => forgot(bank.call, email));
  const otp = await codeMailedFor(email, resetSubject, () => forgot(home, email));
  for (const guess of [theirs, otherThan(theirs)])
    if (guess !== otp) expect((await reset(home, email, guess)).status).toBe(401);
  for (let i = 0; i < 6; i++) expect((await reset(bank.call, email, otherThan(otp, i + 1))).status).toBe(401);
  await advance(1);
  await forgot(bank.call, email);
  expect((await reset(home, email, otp)).status).toBe(200);
});

/** Enters wrong passwords on forty connections until `work` is done. Returns how many were compared in the meantime. */
async function underAttack(email: string, work: () => Promise<void>): Promise<number> {
  let isOver = false;
  let compared = 0;
  let begun = 0;
  const connections = Array.from({ length: 40 }, async () => {
    while (!isOver) {
      const body = { email, password: 'a wrong password' };
      const headers = { 'x-forwarded-for': '203.0.113.9' };
      begun++;
      const { status } = await bank.call(adminApi.adminLogin, { body, headers });
      if (status === 401) compared++;
    }
  });
  await expect.poll(() => compared > 2 && begun > 40, waitOptions).toBe(true);
  compared = 0;
  await work();
  const during = compared;
  isOver = true;
  await Promise.all(connections);
  return during;
}

test('while forty connections guess passwords, the login of an administrator waits for only a few of the guesses [ST-65]', async () => {
  const [known, other] = [openBrowser(bank.call, '203.0.113.9'), openBrowser(bank.call, '198.51.100.7')];
  const logInAs = async (client: Client) =>
    expect((await client(adminApi.adminLogin, { body: adminLogin })).status).toBe(200);
  await sql`DELETE FROM login_devices`.execute(reader());
  await logInAs(known);
  // The attacker guesses for the same login, from the same address as this browser. The browser is known.
  expect(await underAttack(adminLogin.email, () => logInAs(known))).toBeLessThanOrEqual(6);
  await sql`DELETE FROM login_devices`.execute(reader());
  // The attacker guesses for another login, from another address than this browser. The browser is not known yet.
  expect(await underAttack('root@bank.example', () => logInAs(other))).toBeLessThanOrEqual(6);
});

test('only a bounded number of an attacker’s guesses in eight hours is compared, and the owner can always log in [ST-60]', async () => {
  const email = await register();
  const home = openBrowser(bank.call);
  await logIn(home, email);
  await advance(60);
  const hours = 8;
  const quartersOfAnHour = hours * 4;
  for (let quarter = 0; quarter < quartersOfAnHour; quarter++) {
    const guesses = quarter === 0 ? 8 : 1;
    for (let i = 0; i < guesses; i++) await initiate(bank.call, email, String(100_000 + quarter));
    if (quarter % 4 === 0) {
      // Each hour, the attacker requests a code for the owner in a new browser and guesses it.
      const attacker = openBrowser(bank.call);
      await forgot(attacker, email);
      await Promise.all(Array.from({ length: 7 }, (_, i) => reset(attacker, email, otherThan('000000', i))));
      expect((await logIn(home, email)).status, `after ${quarter / 4} hours`).toBe(200);
    }
    await advance(15);
  }
  const compared = await sql<{ passwords: number; resets: number }>`
    SELECT wrong_passwords AS passwords, wrong_reset_codes AS resets
      FROM login_devices d JOIN customers c ON c.id = d.person_id
     WHERE c.email = ${email} AND browser = ''`.execute(reader());
  // Passwords: five before the first lock, then one after each lock. Reset codes: ten before the first lock, then at most one
  // per hour.
  const { passwords, resets } = compared.rows[0]!;
  expect(passwords).toBe(5 + quartersOfAnHour - 1);
  expect(resets).toBeGreaterThanOrEqual(10);
  expect(resets).toBeLessThanOrEqual(10 + hours - 1);
});
