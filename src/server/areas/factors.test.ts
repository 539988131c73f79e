/** Authenticator apps, recovery codes and passkeys over HTTP: enrollment, logins, guessing, and the reset by staff. */
import { SettingsService } from '@simplewebauthn/server';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import { adminFactorsApi, factorsApi } from '#contract/factors.ts';
import { limitsApi } from '#contract/limits.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { staffApi } from '#contract/staff.ts';
import { stepUpApi } from '#contract/stepUp.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { resetFactors } from '#server/jobs/factorResets.ts';
import { createAdmin, disableAdmin, resetAdminFactors, resetAdminPassword } from '#server/people/admins.ts';
import { postponeResets } from '#server/people/factorResets.ts';
import { makeFreezeToken } from '#server/people/freezeLink.ts';
import { lockCredentials } from '#server/people/lockout.ts';
import { readWaitingFactor } from '#server/people/secondFactors.ts';
import { issueLink, makeLinkToken } from '#server/people/staffLinks.ts';
import { appCode, createPasskey, type TestPasskey } from '../../../tests/authenticator.ts';
import { customerPassword, openBrowser } from '../../../tests/call.ts';
import { otherThan } from '../../../tests/otherThan.ts';
import {
  eventually,
  lockWaits,
  openTestBank,
  type TestBank,
  type TestCustomer,
} from '../../../tests/server.ts';
import { stepUpProof } from '../../../tests/stepUp.ts';
import { changeCustomerWithin } from './customerDetails.ts';

let bank: TestBank;
let origin: string;
beforeAll(async () => {
  bank = await openTestBank();
  origin = bank.bank.parts.publicUrl;
});
afterAll(() => bank.close());

const reader = () => bank.test.database.reader;
const mailsTo = (email: string) => bank.bank.parts.inbox!.list(email);
const mailed = (email: string, subject: string) =>
  eventually(() => mailsTo(email).find(mail => mail.subject === subject));
const auditedActions = async (personId: string) =>
  (
    await sql<{ action: string }>`
      SELECT action FROM audit_log WHERE subject = ${personId} AND action LIKE 'factor%' ORDER BY id`.execute(
      reader(),
    )
  ).rows.map(row => row.action);

const initiate = (email: string, password = customerPassword) =>
  bank.call(authApi.initiateLogin, { body: { email, password } });
const verify = (email: string, otp: string) => bank.call(authApi.verifyCode, { body: { email, otp } });
const withProof = (proof: string | undefined) => (proof ? { headers: { 'step-up': proof } } : {});
/** Lets a code be used again. */
const forgetSteps = (personId: string) =>
  sql`UPDATE authenticator_apps SET last_step = 0 WHERE person_id = ${personId}`.execute(reader());

/** Turns on push notifications for a device, as a thief of a session could. */
const addPushDevice = (personId: string) =>
  bank.test.database.ownerPool.query(
    `INSERT INTO push_devices (id, account_id, endpoint, p256dh, auth, device, money, security, shows_amounts)
     SELECT gen_random_uuid(), account_id, 'https://push.example/' || id, '', '', '', true, true, true
       FROM customers WHERE id = $1`,
    [personId],
  );
const pushDevicesOf = async (personId: string) =>
  (
    await bank.test.database.ownerPool.query(
      'SELECT device FROM push_devices JOIN customers c USING (account_id) WHERE c.id = $1',
      [personId],
    )
  ).rows;

/** Confirms a challenge with a code from the app and returns the proof. */
async function appProof(token: string, id: string, code: string): Promise<string> {
  const body = { method: 'totp', code };
  const answer = await bank.call(stepUpApi.verifyStepUp, { token, params: { id }, body });
  expect(answer.status).toBe(200);
  return answer.body.data.proof;
}

type AppOwner = TestCustomer & { secret: string; recoveryCodes: string[] };

/** A customer with an authenticator app. */
async function anAppOwner(): Promise<AppOwner> {
  const customer = await bank.customer({ dollars: 5 });
  const { token } = customer;
  const { secret } = (await bank.call(factorsApi.startApp, { token })).body.data;
  const { body } = await bank.call(factorsApi.confirmApp, { token, body: { code: appCode(secret) } });
  await forgetSteps(customer._id);
  return { ...customer, secret, recoveryCodes: body.data.recoveryCodes };
}

async function addPasskey(token: string, name = 'Phone'): Promise<{ passkey: TestPasskey; id: string }> {
  const { data } = (await bank.call(factorsApi.passkeyOptions, { token })).body;
  const passkey = createPasskey(data, { origin });
  const saved = await bank.call(factorsApi.addPasskey, {
    token,
    body: { credential: passkey.created, name },
  });
  expect(saved.status).toBe(201);
  return { passkey, id: saved.body.data._id };
}

type Ceremony = Parameters<TestPasskey['use']>[1];

async function logInWith(passkey: TestPasskey, ceremony: Partial<Ceremony> = {}) {
  const { data } = (await bank.call(authApi.passkeyLoginOptions)).body;
  const credential = passkey.use(data, { origin, ...ceremony });
  return await bank.call(authApi.passkeyLogin, { body: { credential } });
}

describe('an authenticator app', () => {
  test('that is not confirmed changes nothing: the login still mails a code [SF-01]', async () => {
    const { email, token, _id } = await bank.customer();
    const started = await bank.call(factorsApi.startApp, { token });
    expect(started.body.data.uri).toContain(`secret=${started.body.data.secret}`);
    const wrong = otherThan(appCode(started.body.data.secret, 5));
    expect(await bank.call(factorsApi.confirmApp, { token, body: { code: wrong } })).toMatchObject({
      status: 400,
      body: { message: 'Invalid or expired code' },
    });
    expect((await initiate(email)).body.data).toEqual({ email, methods: ['email'] });
    expect((await bank.call(factorsApi.app, { token })).body.data).toMatchObject({
      isEnabled: false,
      recoveryCodesLeft: 0,
    });
    expect(await auditedActions(_id)).toEqual([]);
  });

  test('replaces the mailed code, is stored encrypted, and is announced [SF-01, SF-03]', async () => {
    const { email, token, _id, secret } = await anAppOwner();
    const stored = await sql<{ secret: Buffer }>`
      SELECT secret FROM authenticator_apps WHERE person_id = ${_id}`.execute(reader());
    expect(stored.rows[0]!.secret.toString('latin1')).not.toContain(secret);
    await mailed(email, 'Authenticator app added');
    const codesMailed = () => mailsTo(email).filter(mail => mail.subject === 'Your login code').length;
    const before = codesMailed();
    expect((await initiate(email)).body.data).toEqual({ email, methods: ['totp', 'recovery'] });
    await sql`UPDATE address_attempts SET codes_requested_at = '{}'`.execute(reader());
    expect((await bank.call(authApi.resendCode, { body: { email } })).status).toBe(200);
    const entered = await verify(email, appCode(secret));
    expect(entered.body.data).toMatchObject({ _id, email });
    expect((await bank.call(authApi.profile, { token: entered.body.data.token })).status).toBe(200);
    await bank.mailsSent();
    expect(codesMailed()).toBe(before);
    expect((await bank.call(factorsApi.startApp, { token })).status).toBe(409);
    expect(await auditedActions(_id)).toEqual(['factor.app-added']);
  });

  test('voids a code that was mailed before', async () => {
    const { email, token } = await bank.customer();
    await initiate(email);
    const otp = await bank.mailedCode(email, 1);
    const { secret } = (await bank.call(factorsApi.startApp, { token })).body.data;
    await bank.call(factorsApi.confirmApp, { token, body: { code: appCode(secret) } });
    expect((await verify(email, otp)).status).toBe(401);
  });

  test('accepts the code before and the code after the current one, but no code three steps away [SF-02]', async () => {
    const { email, _id, secret } = await anAppOwner();
    for (const [steps, status] of [
      [-1, 200],
      [1, 200],
      [-3, 401],
      [3, 401],
    ] as const) {
      // On a busy machine, a step can end between code and check.
      const checked = await eventually(async () => {
        await forgetSteps(_id);
        await initiate(email);
        const code = appCode(secret, steps);
        const answer = await verify(email, code);
        return code === appCode(secret, steps) ? answer : undefined;
      });
      expect(checked.status, `${steps} steps`).toBe(status);
    }
  });

  test('accepts each code once, even if it is sent 50 times in parallel [SF-02]', async () => {
    const { email, secret } = await anAppOwner();
    await initiate(email);
    const code = appCode(secret);
    const all = await Promise.all(Array.from({ length: 50 }, () => verify(email, code)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    await initiate(email);
    expect((await verify(email, code)).status).toBe(401);
  });

  test('logs in only after the password, and guessing its codes locks the login [SF-04]', async () => {
    const { email, secret, _id } = await anAppOwner();
    expect((await verify(email, appCode(secret))).status).toBe(401);
    const wrong = otherThan(appCode(secret, 7));
    for (let round = 0; round < 2; round++) {
      await initiate(email);
      for (let n = 0; n < 5; n++) expect((await verify(email, wrong)).status).toBe(401);
    }
    await mailed(email, 'Your login is locked');
    expect((await initiate(email)).status).toBe(401);
    await sql`UPDATE login_devices SET locked_until = NULL WHERE person_id = ${_id}`.execute(reader());
    await initiate(email);
    expect((await verify(email, appCode(secret))).status).toBe(200);
  });

  test('is removed only with the password, a code and a step-up; wrong guesses in a session lock the login too, and the removal turns push off [SF-04, SF-05, PU-11]', async () => {
    const { email, token, secret, _id } = await anAppOwner();
    const remove = (password: string, code: string, proof?: string) =>
      bank.call(factorsApi.removeApp, { token, body: { password, code }, ...withProof(proof) });
    expect((await remove('000000', appCode(secret))).body).toMatchObject({ code: 'BAD_PASSWORD' });
    for (let n = 0; n < 10; n++)
      expect((await remove(customerPassword, otherThan(appCode(secret, 9)))).body.errors?.[0]?.field).toBe(
        'code',
      );
    expect((await remove(customerPassword, appCode(secret))).status).toBe(400);
    await sql`UPDATE login_devices SET locked_until = NULL WHERE person_id = ${_id}`.execute(reader());
    const asked = await remove(customerPassword, appCode(secret));
    expect(asked.body).toMatchObject({ code: 'STEP_UP_REQUIRED' });
    const proof = await stepUpProof(bank, { email, token }, asked.body.challenge!._id);
    // A wrong code leaves the proof for another try.
    expect((await remove(customerPassword, otherThan(appCode(secret, 9)), proof)).status).toBe(400);
    await sql`UPDATE login_devices SET locked_until = NULL WHERE person_id = ${_id}`.execute(reader());
    await addPushDevice(_id);
    expect((await remove(customerPassword, appCode(secret), proof)).status).toBe(200);
    expect(await pushDevicesOf(_id)).toEqual([]);
    const mail = await mailed(email, 'Authenticator app removed');
    expect(mail.text).toContain('Your other devices were logged out');
    expect((await initiate(email)).body.data.methods).toEqual(['email']);
    expect(await auditedActions(_id)).toEqual(['factor.app-added', 'factor.app-removed']);
  });

  /** Removes the app with this code, in this session. */
  const removeAppWith = (token: string, code: string, proof?: string) =>
    bank.call(factorsApi.removeApp, {
      token,
      body: { password: customerPassword, code },
      ...withProof(proof),
    });

  test('is removed with the code that was just used for the step-up, or with the one before it; without that step-up, a used code is refused [SF-05]', async () => {
    for (const typedLater of [0, 1]) {
      const { token, secret } = await anAppOwner();
      const code = appCode(secret);
      const remove = (proof?: string) => removeAppWith(token, code, proof);
      const { challenge } = (await remove()).body;
      expect(challenge!.methods).toEqual(['totp', 'email']);
      const proof = await appProof(token, challenge!._id, appCode(secret, typedLater));
      for (const other of [undefined, 'x'.repeat(43)])
        expect((await remove(other)).body.errors?.[0]?.field).toBe('code');
      expect((await remove(proof)).status).toBe(200);
    }
  });

  test('is not removed with a code that was used at a login, whatever confirmed the step-up, nor with a step-up of another session [SF-05]', async () => {
    const { email, token: other, secret } = await anAppOwner();
    const [used, next] = [appCode(secret), appCode(secret, 1)];
    await initiate(email);
    const { token } = (await verify(email, used)).body.data;
    const ask = async () => (await removeAppWith(token, next)).body.challenge!._id;
    const mailedProof = await stepUpProof(bank, { email, token }, await ask());
    expect((await removeAppWith(token, used, mailedProof)).body.errors?.[0]?.field).toBe('code');
    const proof = await appProof(token, await ask(), next);
    for (const [session, code, given] of [
      [token, used, proof],
      [token, next, mailedProof],
      [other, next, proof],
    ] as const)
      expect((await removeAppWith(session, code, given)).body.errors?.[0]?.field).toBe('code');
    expect((await removeAppWith(token, next, proof)).status).toBe(200);
  });
});

describe('a recovery code', () => {
  test('logs in once, in any spelling, and its use is mailed and audited [SF-06]', async () => {
    const { email, token, recoveryCodes, _id } = await anAppOwner();
    expect(new Set(recoveryCodes).size).toBe(10);
    const stored = await sql<{ text: string }>`
      SELECT string_agg(encode(code_hash, 'escape'), ' ') AS text FROM recovery_codes`.execute(reader());
    expect(stored.rows[0]!.text).not.toContain(recoveryCodes[0]!);
    await initiate(email);
    expect((await verify(email, recoveryCodes[0]!.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    await initiate(email);
    expect((await verify(email, recoveryCodes[0]!)).status).toBe(401);
    expect((await verify(email, recoveryCodes[1]!)).status).toBe(200);
    await mailed(email, 'Someone logged in with a recovery code');
    expect((await bank.call(factorsApi.app, { token })).body.data.recoveryCodesLeft).toBe(8);
    expect(await auditedActions(_id)).toEqual([
      'factor.app-added',
      'factor.recovery-used',
      'factor.recovery-used',
    ]);
  });

  test('stops working when new ones are made, for which a correct code is needed [SF-06]', async () => {
    const { email, token, secret, recoveryCodes } = await anAppOwner();
    const renew = (code: string) => bank.call(factorsApi.renewRecoveryCodes, { token, body: { code } });
    for (const code of [otherThan(appCode(secret, 7)), recoveryCodes[0]!])
      expect((await renew(code)).status).toBe(400);
    const renewed = (await renew(appCode(secret))).body.data.recoveryCodes;
    expect(renewed).toHaveLength(10);
    await mailed(email, 'New recovery codes');
    await initiate(email);
    expect((await verify(email, recoveryCodes[0]!)).status).toBe(401);
    expect((await verify(email, renewed[0]!)).status).toBe(200);
  });

  test('of another customer does not work', async () => {
    const [mine, theirs] = [await anAppOwner(), await anAppOwner()];
    await initiate(mine.email);
    expect((await verify(mine.email, theirs.recoveryCodes[0]!)).status).toBe(401);
  });
});

describe('a passkey', () => {
  test('logs in alone, without password and code, and shows its last use [SF-07]', async () => {
    const { token, email, _id } = await bank.customer();
    const { passkey, id } = await addPasskey(token, 'My phone');
    await mailed(email, 'Passkey added');
    const entered = await logInWith(passkey, { counter: 1 });
    expect(entered.body.data).toMatchObject({ _id, email });
    const list = (await bank.call(factorsApi.passkeys, { token: entered.body.data.token })).body.data;
    expect(list).toEqual([
      { _id: id, name: 'My phone', createdAt: expect.any(String), lastUsedAt: expect.any(String) },
    ]);
    expect(await auditedActions(_id)).toEqual(['factor.passkey-added']);
  });

  test('is refused if it did not verify its user, was used on another origin, or has an id that is too long [SF-08]', async () => {
    const { token } = await bank.customer();
    const { data } = (await bank.call(factorsApi.passkeyOptions, { token })).body;
    for (const ceremony of [
      { origin, isVerified: false },
      { origin: 'https://bank.evil.example' },
      { origin, idBytes: 4000 },
    ]) {
      const credential = createPasskey(data, ceremony).created;
      const saved = await bank.call(factorsApi.addPasskey, { token, body: { credential, name: 'Key' } });
      expect(saved.status).toBe(400);
    }
    const { passkey } = await addPasskey(token);
    expect((await logInWith(passkey, { isVerified: false })).status).toBe(401);
    expect((await logInWith(passkey, { origin: 'https://bank.evil.example' })).status).toBe(401);
    expect((await logInWith(passkey)).status).toBe(200);
  });

  test('whose client data begin with a byte order mark is saved once, as any other [SF-08]', async () => {
    const { token } = await bank.customer();
    const { data } = (await bank.call(factorsApi.passkeyOptions, { token })).body;
    const { response, ...credential } = createPasskey(data, { origin }).created;
    const { clientDataJSON, ...rest } = response as { clientDataJSON: string };
    const marked = Buffer.concat([Buffer.from('\uFEFF'), Buffer.from(clientDataJSON, 'base64url')]);
    const body = {
      credential: { ...credential, response: { ...rest, clientDataJSON: marked.toString('base64url') } },
      name: 'Key',
    };
    for (const status of [201, 400])
      expect((await bank.call(factorsApi.addPasskey, { token, body })).status).toBe(status);
  });

  test('logs in once with each challenge, and not with an administrator’s or an altered challenge [SF-08]', async () => {
    const { token } = await bank.customer();
    const { passkey } = await addPasskey(token);
    const options = (await bank.call(authApi.passkeyLoginOptions)).body.data;
    const credential = passkey.use(options, { origin });
    const use = (used: object) => bank.call(authApi.passkeyLogin, { body: { credential: used as never } });
    const both = await Promise.all([use(credential), use(credential)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect((await use(credential)).status).toBe(401);
    const forAdmins = (await bank.call(adminApi.adminPasskeyLoginOptions)).body.data;
    expect((await use(passkey.use(forAdmins, { origin }))).status).toBe(401);
    const stale = (await bank.call(authApi.passkeyLoginOptions)).body.data;
    const bytes = Buffer.from(stale.challenge, 'base64url');
    bytes.writeBigUInt64BE(BigInt(Date.now() - 1));
    const altered = { ...stale, challenge: bytes.toString('base64url') };
    expect((await use(passkey.use(altered, { origin }))).status).toBe(401);
  });

  test('can log in or be saved until its challenge is five minutes old; after that, both are refused and nothing changes [SF-08]', async () => {
    const { token, _id } = await bank.customer();
    const { passkey } = await addPasskey(token);
    const at = async <T>(now: number, work: () => Promise<T>) => {
      vi.useFakeTimers({ toFake: ['Date'], now });
      return await work().finally(() => vi.useRealTimers());
    };
    /** Asks for a challenge, and answers it in its last millisecond, or one later. */
    const answer = async <T>(isLate: boolean, ask: () => Promise<() => Promise<T>>) => {
      const before = Date.now();
      const send = await ask();
      return await at((isLate ? Date.now() + 1 : before) + 299_999, send);
    };
    const login = async () => {
      const credential = passkey.use((await bank.call(authApi.passkeyLoginOptions)).body.data, { origin });
      return () => bank.call(authApi.passkeyLogin, { body: { credential } });
    };
    const enrollment = async () => {
      const { data } = (await bank.call(factorsApi.passkeyOptions, { token })).body;
      const body = { credential: createPasskey(data, { origin }).created, name: 'Key' };
      return () => bank.call(factorsApi.addPasskey, { token, body });
    };
    const state = async () => ({
      passkeys: (await bank.call(factorsApi.passkeys, { token })).body.data,
      sessions: (await sql`SELECT id FROM sessions WHERE person_id = ${_id}`.execute(reader())).rows,
    });
    const before = await state();
    expect((await answer(true, login)).status).toBe(401);
    expect((await answer(true, enrollment)).status).toBe(400);
    expect(await state()).toEqual(before);
    expect((await answer(false, login)).status).toBe(200);
    expect((await answer(false, enrollment)).status).toBe(201);
    expect((await state()).passkeys).toHaveLength(2);
  });

  test('whose counter does not increase is refused, because it may be a copy [SF-08]', async () => {
    const { token, _id } = await bank.customer();
    const { passkey } = await addPasskey(token);
    expect((await logInWith(passkey, { counter: 7 })).status).toBe(200);
    expect((await logInWith(passkey, { counter: 7 })).status).toBe(401);
    expect((await logInWith(passkey, { counter: 3 })).status).toBe(401);
    const last = await sql<{ data: unknown }>`
      SELECT data FROM audit_log WHERE actor_id = ${_id} AND action = 'login.failed' ORDER BY id DESC LIMIT 1`.execute(
      reader(),
    );
    expect(last.rows[0]!.data).toMatchObject({ reason: 'passkey-counter' });
    expect((await logInWith(passkey, { counter: 8 })).status).toBe(200);
  });

  test('is saved even if the browser sends invalid transports [SF-07]', async () => {
    const { token } = await bank.customer();
    for (const transports of [null, 5, 'usb', [{}, '\u0000', 'USB', 'internal']]) {
      const { data } = (await bank.call(factorsApi.passkeyOptions, { token })).body;
      const { created } = createPasskey(data, { origin });
      const credential = { ...created, response: { ...(created.response as object), transports } };
      const saved = await bank.call(factorsApi.addPasskey, {
        token,
        body: { credential, name: 'Key' } as never,
      });
      expect(saved.status, JSON.stringify(transports)).toBe(201);
    }
    const { data } = (await bank.call(factorsApi.passkeyOptions, { token })).body;
    expect((data as never as { excludeCredentials: object[] }).excludeCredentials).toContainEqual(
      expect.objectContaining({ transports: ['internal'] }),
    );
  });

  test('is saved without checking the maker’s certificates, because that would fetch URLs that a client chose [SF-08]', async () => {
    await addPasskey((await bank.customer()).token);
    for (const identifier of ['android-key', 'android-safetynet', 'apple'] as const)
      expect(SettingsService.getRootCertificates({ identifier })).toEqual([]);
  });

  test('of another customer cannot be seen or removed, and none can be saved with that customer’s challenge; the owner’s removal ends the other sessions and push [SF-09, PU-11]', async () => {
    const [owner, other] = [await bank.customer(), await bank.customer()];
    const { id } = await addPasskey(owner.token);
    const remove = (token: string, proof?: string) =>
      bank.call(factorsApi.removePasskey, { token, params: { id }, ...withProof(proof) });
    expect((await remove(other.token)).status).toBe(404);
    expect((await bank.call(factorsApi.passkeys, { token: other.token })).body.data).toEqual([]);
    const { data } = (await bank.call(factorsApi.passkeyOptions, { token: owner.token })).body;
    const credential = createPasskey(data, { origin }).created;
    const stolen = await bank.call(factorsApi.addPasskey, {
      token: other.token,
      body: { credential, name: 'Mine' },
    });
    expect(stolen.status).toBe(400);
    const asked = await remove(owner.token);
    expect(asked.body).toMatchObject({ code: 'STEP_UP_REQUIRED' });
    expect((await bank.call(factorsApi.passkeys, { token: owner.token })).body.data).toHaveLength(1);
    const proof = await stepUpProof(bank, owner, asked.body.challenge!._id);
    const elsewhere = await bank.login(owner.email);
    await addPushDevice(owner._id);
    expect((await remove(owner.token, proof)).status).toBe(200);
    expect(await pushDevicesOf(owner._id)).toEqual([]);
    // Another session may have begun with the passkey.
    expect((await bank.call(factorsApi.passkeys, { token: elsewhere })).status).toBe(401);
    expect((await bank.call(factorsApi.passkeys, { token: owner.token })).status).toBe(200);
    const mail = await mailed(owner.email, 'Passkey removed');
    expect(mail.text).toContain('Your other devices were logged out');
  });

  test('that was removed no longer works, and at most 20 can be saved [SF-09]', async () => {
    const { token, _id } = await bank.customer();
    const { passkey, id } = await addPasskey(token);
    const options = (await bank.call(factorsApi.passkeyOptions, { token })).body.data;
    await sql`DELETE FROM passkeys WHERE id = ${id}`.execute(reader());
    const refused = await logInWith(passkey);
    expect([refused.status, refused.body.message]).toEqual([
      401,
      'We couldn’t log you in with this passkey. It may have been removed. Log in with your password instead.',
    ]);
    await sql`
      INSERT INTO passkeys (id, person_id, credential_id, public_key, counter, transports, name)
      SELECT gen_random_uuid(), ${_id}, decode(md5(n::text), 'hex'), '', 0, '{}', 'Key' FROM generate_series(1, 20) n`.execute(
      reader(),
    );
    expect((await bank.call(factorsApi.passkeyOptions, { token })).status).toBe(409);
    const credential = createPasskey(options, { origin }).created;
    const saved = await bank.call(factorsApi.addPasskey, { token, body: { credential, name: 'Key' } });
    expect(saved.status).toBe(409);
  });

  test('logs in a customer who waits for approval, who still cannot read the balance [SF-07]', async () => {
    const { token, _id } = await bank.customer();
    const { passkey } = await addPasskey(token);
    await sql`
      UPDATE ledger_accounts SET is_approved = false
       WHERE id = (SELECT account_id FROM customers WHERE id = ${_id})`.execute(bank.test.database.reader);
    const entered = await logInWith(passkey);
    expect(entered.body.data).toMatchObject({ isApproved: false });
    const balance = await bank.call(transactionsApi.balance, { token: entered.body.data.token });
    expect(balance.body).toMatchObject({ code: 'ACCOUNT_PENDING' });
  });
});

describe('an administrator', () => {
  let count = 0;
  const anAdmin = async () => {
    const login = { email: `ada${count++}@bank.example`, password: 'a quiet river stone' };
    const created = await createAdmin(bank.bank.parts, { ...login, name: 'Ada' });
    const { token } = (await bank.call(adminApi.adminLogin, { body: login })).body.data;
    return { ...login, id: created!.id, login, token };
  };
  const second = (body: object) => bank.call(adminApi.adminLoginSecond, { body: body as never });

  test('with an app logs in with the password, then with the ticket and a code; each ticket works once [SF-10]', async () => {
    const { login, token, id } = await anAdmin();
    const { secret } = (await bank.call(adminFactorsApi.adminStartApp, { token })).body.data;
    await bank.call(adminFactorsApi.adminConfirmApp, { token, body: { code: appCode(secret) } });
    await forgetSteps(id);
    const refused = await bank.call(adminApi.adminLogin, { body: login });
    expect(refused).toMatchObject({ status: 401, body: { code: 'SECOND_FACTOR' } });
    const { ticket, data } = refused.body as unknown as { ticket: string; data: { ticket: string } };
    expect(data).toMatchObject({ ticket, methods: ['totp', 'recovery'] });
    expect((await second({ ticket, code: otherThan(appCode(secret, 5)) })).status).toBe(401);
    expect((await second({ ticket: `${ticket}x`, code: appCode(secret) })).status).toBe(401);
    const entered = await second({ ticket, code: appCode(secret) });
    expect(entered.body.data).toMatchObject({ _id: id, email: login.email });
    await forgetSteps(id);
    expect((await second({ ticket, code: appCode(secret) })).status).toBe(401);
    const wrong = await bank.call(adminApi.adminLogin, { body: { ...login, password: 'wrong stone here' } });
    expect(wrong.body).toMatchObject({ code: 'BAD_CREDENTIALS' });
  });

  test('with an app logs in from a browser that the bank has never seen, with a code or with a recovery code [SF-10]', async () => {
    const { login, token, id } = await anAdmin();
    const { secret } = (await bank.call(adminFactorsApi.adminStartApp, { token })).body.data;
    const body = { code: appCode(secret) };
    const { recoveryCodes } = (await bank.call(adminFactorsApi.adminConfirmApp, { token, body })).body.data;
    await forgetSteps(id);
    for (const code of [appCode(secret), recoveryCodes[0]!]) {
      const browser = openBrowser(bank.call);
      const { data } = (await browser(adminApi.adminLogin, { body: login })).body as unknown as {
        data: { ticket: string };
      };
      const entered = await browser(adminApi.adminLoginSecond, { body: { ticket: data.ticket, code } });
      expect(entered.body.data).toMatchObject({ _id: id });
    }
  });

  test('loses the ticket of a login when the password changes in the meantime [SF-10]', async () => {
    const { login, token, id } = await anAdmin();
    const { secret } = (await bank.call(adminFactorsApi.adminStartApp, { token })).body.data;
    await bank.call(adminFactorsApi.adminConfirmApp, { token, body: { code: appCode(secret) } });
    await forgetSteps(id);
    let { password: currentPassword, email } = login;
    const aTicket = async () => {
      const body = { email, password: currentPassword };
      return ((await bank.call(adminApi.adminLogin, { body })).body as unknown as { ticket: string }).ticket;
    };
    const change = async (newPassword: string) => {
      const body = { currentPassword, newPassword };
      expect((await bank.call(staffApi.changeAdminPassword, { token, body })).status).toBe(200);
      currentPassword = newPassword;
    };
    const reset = async (password: string) => {
      expect(await resetAdminPassword(bank.bank.parts, { email, password })).toBe(true);
      currentPassword = password;
    };
    const follow = async (newPassword: string) => {
      const { codeKey } = bank.bank.parts.secrets;
      const linkId = await bank.bank.parts.database.inTransaction(tx => issueLink(tx, id));
      const body = { token: makeLinkToken(linkId, codeKey), password: newPassword };
      expect((await bank.call(staffApi.setAdminPassword, { body })).status).toBe(200);
      currentPassword = newPassword;
    };
    for (const [n, end] of [change, reset, follow].entries()) {
      const ticket = await aTicket();
      await end(`another quiet stone ${n}`);
      await forgetSteps(id);
      expect((await second({ ticket, code: appCode(secret) })).status).toBe(401);
    }
    expect((await second({ ticket: await aTicket(), code: appCode(secret) })).status).toBe(200);
  });

  test('loses the ticket of a login when an owner disables and enables them, or ends their sessions [SF-10, ST-74]', async () => {
    const owner = await bank.adminToken();
    type Act = { token: string; params: { id: string } };
    const enable = (act: Act) => bank.call(staffApi.enableMember, act);
    const ends = [
      async (act: Act) => [await bank.call(staffApi.disableMember, act), await enable(act)],
      async (act: Act, email: string) => [
        await disableAdmin(bank.bank.parts, email, { evenTheLast: false }),
        await enable(act),
      ],
      (act: Act) => bank.call(staffApi.endMemberSessions, act),
    ];
    for (const end of [...ends, undefined]) {
      const { login, token, id } = await anAdmin();
      const { secret } = (await bank.call(adminFactorsApi.adminStartApp, { token })).body.data;
      await bank.call(adminFactorsApi.adminConfirmApp, { token, body: { code: appCode(secret) } });
      const { body } = await bank.call(adminApi.adminLogin, { body: login });
      await end?.({ token: owner, params: { id } }, login.email);
      await forgetSteps(id);
      const { ticket } = body as unknown as { ticket: string };
      expect((await second({ ticket, code: appCode(secret) })).status).toBe(end ? 401 : 200);
    }
  });

  test('who is disabled and enabled again has no password until they set one with the mailed link, and no factor if it was reset meanwhile [SF-14, ST-74]', async () => {
    const { login, token, id } = await anAdmin();
    const options = (await bank.call(adminFactorsApi.adminPasskeyOptions, { token })).body.data;
    const thief = createPasskey(options, { origin });
    const body = { credential: thief.created, name: 'Key' };
    expect((await bank.call(adminFactorsApi.adminAddPasskey, { token, body })).status).toBe(201);
    const useKey = async () => {
      const asked = (await bank.call(adminApi.adminPasskeyLoginOptions)).body.data;
      const used = { credential: thief.use(asked, { origin }) as never };
      return (await bank.call(adminApi.adminPasskeyLogin, { body: used })).status;
    };
    const act = { token: await bank.adminToken(), params: { id } };
    await bank.call(staffApi.endMemberSessions, act);
    expect(await useKey()).toBe(200);
    await bank.call(staffApi.disableMember, act);
    await bank.call(staffApi.enableMember, act);
    // An owner alone cannot remove a second factor.
    expect(await useKey()).toBe(200);
    await bank.call(staffApi.disableMember, act);
    expect(await resetAdminFactors(bank.bank.parts, login.email, async () => {})).toBe(true);
    const enabled = await bank.call(staffApi.enableMember, act);
    expect(enabled.body.message).toBe('Administrator enabled. We emailed a link to set a password.');
    expect(await useKey()).toBe(401);
    expect((await bank.call(adminApi.adminLogin, { body: login })).status).toBe(401);
    await mailed(login.email, 'Your access to the back office is back');
    const mail = await mailed(login.email, 'Set a new password for the back office');
    const link = /set-password#(\S+)/.exec(mail.text)![1]!;
    const password = 'another quiet stone';
    expect((await bank.call(staffApi.setAdminPassword, { body: { token: link, password } })).status).toBe(
      200,
    );
    expect((await bank.call(adminApi.adminLogin, { body: { ...login, password } })).status).toBe(200);
    expect(await auditedActions(id)).toContain('factors.reset');
  });

  test('with a passkey uses it as the second step or alone; a customer’s passkey does not work [SF-10]', async () => {
    const { login, token, id } = await anAdmin();
    const options = (await bank.call(adminFactorsApi.adminPasskeyOptions, { token })).body.data;
    const passkey = createPasskey(options, { origin });
    await bank.call(adminFactorsApi.adminAddPasskey, {
      token,
      body: { credential: passkey.created, name: 'Key' },
    });
    const refused = await bank.call(adminApi.adminLogin, { body: login });
    const { ticket, passkey: asked } = refused.body as unknown as { ticket: string; passkey: never };
    const credential = passkey.use(asked, { origin });
    expect((await second({ ticket, credential })).body.data).toMatchObject({ _id: id });
    expect((await second({ ticket, credential })).status).toBe(401);
    const alone = (await bank.call(adminApi.adminPasskeyLoginOptions)).body.data;
    const used = { credential: passkey.use(alone, { origin }) as never };
    expect((await bank.call(adminApi.adminPasskeyLogin, { body: used })).body.data).toMatchObject({
      _id: id,
    });
    const customer = await bank.customer();
    const theirs = (await addPasskey(customer.token)).passkey;
    const again = (await bank.call(adminApi.adminPasskeyLoginOptions)).body.data;
    const foreign = { credential: theirs.use(again, { origin }) as never };
    expect((await bank.call(adminApi.adminPasskeyLogin, { body: foreign })).status).toBe(401);
  });

  test('who has a factor adds or removes one only with the password and a factor [KY-30]', async () => {
    const { token, password, id } = await anAdmin();
    const { secret } = (await bank.call(adminFactorsApi.adminStartApp, { token })).body.data;
    await bank.call(adminFactorsApi.adminConfirmApp, { token, body: { code: appCode(secret) } });
    await forgetSteps(id);
    const add = async (confirmation?: { password: string; code?: string; credential?: never }) => {
      const options = (await bank.call(adminFactorsApi.adminPasskeyOptions, { token })).body.data;
      const passkey = createPasskey(options, { origin });
      const body = { credential: passkey.created, name: 'Key', ...(confirmation && { confirmation }) };
      return { passkey, answer: await bank.call(adminFactorsApi.adminAddPasskey, { token, body }) };
    };
    expect((await add()).answer).toMatchObject({ status: 403, body: { code: 'STEP_UP_REQUIRED' } });
    const unsure = { password: 'wrong stone here', code: appCode(secret) };
    expect((await add(unsure)).answer.body.code).toBe('BAD_PASSWORD');
    expect((await add({ password, code: otherThan(appCode(secret)) })).answer.status).toBe(400);
    expect((await bank.call(adminFactorsApi.adminPasskeys, { token })).body.data).toEqual([]);
    const { passkey, answer } = await add({ password, code: appCode(secret) });
    expect(answer.status).toBe(201);

    const confirmWith = async (used: typeof passkey) => {
      const options = (await bank.call(adminFactorsApi.adminConfirmOptions, { token })).body.data;
      return { password, credential: used.use(options, { origin }) as never };
    };
    const remove = (confirmation?: object) =>
      bank.call(adminFactorsApi.adminRemovePasskey, {
        token,
        params: { id: answer.body.data._id },
        ...(confirmation && { body: { confirmation } as never }),
      });
    expect((await remove()).body.code).toBe('STEP_UP_REQUIRED');
    const login = (await bank.call(adminApi.adminPasskeyLoginOptions)).body.data;
    expect((await remove({ password, credential: passkey.use(login, { origin }) })).status).toBe(400);
    // The passkey of another administrator.
    const other = await anAdmin();
    const options = (await bank.call(adminFactorsApi.adminPasskeyOptions, { token: other.token })).body.data;
    const theirs = createPasskey(options, { origin });
    const body = { credential: theirs.created, name: 'Key' };
    await bank.call(adminFactorsApi.adminAddPasskey, { token: other.token, body });
    expect((await remove(await confirmWith(theirs))).status).toBe(400);
    await bank.call(adminFactorsApi.adminRemoveApp, {
      token,
      body: { password, code: appCode(secret, 1) },
    });
    // If a passkey is the only factor, it must confirm the new app.
    const started = (await bank.call(adminFactorsApi.adminStartApp, { token })).body.data;
    const turnOn = (more: object) =>
      bank.call(adminFactorsApi.adminConfirmApp, {
        token,
        body: { code: appCode(started.secret), ...more },
      });
    expect((await turnOn({})).body.code).toBe('STEP_UP_REQUIRED');
    expect((await turnOn({ confirmation: await confirmWith(passkey) })).status).toBe(200);
    expect((await remove(await confirmWith(passkey))).status).toBe(200);
    expect((await auditedActions(id)).sort()).toEqual([
      'factor.app-added',
      'factor.app-added',
      'factor.app-removed',
      'factor.passkey-added',
      'factor.passkey-removed',
    ]);
  });

  test('resets a customer’s factors, which takes effect after 24 hours and turns push off, unless the customer logs in with a trusted factor [SF-11, PU-11]', async () => {
    const { token } = await anAdmin();
    const customer = await anAppOwner();
    const { email, _id, secret } = customer;
    const ask = () =>
      bank.call(adminFactorsApi.resetFactors, { token, params: { id: _id }, body: { reason: 'Lost phone' } });
    const order = async () =>
      (
        await sql<{ personId: string; resetId: string }>`
          SELECT person_id AS "personId", id AS "resetId" FROM factor_resets WHERE person_id = ${_id}`.execute(
          reader(),
        )
      ).rows[0]!;
    const pass = () =>
      bank.test.database.ownerPool.query(
        'UPDATE factor_resets SET effective_at = now() WHERE person_id = $1',
        [_id],
      );
    const { parts } = bank.bank;

    const asked = await ask();
    expect(asked.status).toBe(201);
    const waits = Date.parse(asked.body.data.effectiveAt) - Date.now();
    expect(waits / 3_600_000).toBeCloseTo(24, 1);
    expect((await ask()).status).toBe(409);
    const { text } = await mailed(email, 'We will remove your authenticator app and passkeys');
    expect(text).toContain(
      'An app or a passkey that was too new to confirm transfers when we received the request doesn’t stop it.',
    );
    const bell = await bank.call(notificationsApi.listNotifications, { token: customer.token });
    expect(bell.body.data.notifications[0]).toMatchObject({
      kind: 'factor-reset-requested',
      isRead: false,
      text: expect.stringMatching(/We remove them at least 24 hours later\. To stop it, log in with/),
    });
    const removalOf = async () =>
      (await bank.call(factorsApi.app, { token: customer.token })).body.data.removalAt;
    expect(await removalOf()).toBe(asked.body.data.effectiveAt);
    await resetFactors(parts, await order());
    expect((await initiate(email)).body.data.methods).toEqual(['totp', 'recovery']);

    const canceled = await order();
    expect((await verify(email, appCode(secret))).status).toBe(200);
    await mailed(email, 'We won’t remove your authenticator app and passkeys');
    expect(await removalOf()).toBeUndefined();
    await resetFactors(parts, canceled);
    expect((await initiate(email)).body.data.methods).toEqual(['totp', 'recovery']);

    // A thief who added the factor must not be able to cancel the owner's reset.
    await bank.test.database.ownerPool.query(
      `UPDATE authenticator_apps SET trusted_at = now() + interval '1 hour' WHERE person_id = $1`,
      [_id],
    );
    expect((await readWaitingFactor(reader(), _id)).hasWaitingFactor).toBe(true);
    await ask();
    // No panel says when this factor can confirm, because it is removed before that.
    expect(await readWaitingFactor(reader(), _id)).toEqual({ hasWaitingFactor: false });
    // The thief's factor does not become trusted before it is removed.
    const early = () =>
      sql`
        SELECT FROM authenticator_apps a JOIN factor_resets r ON r.person_id = a.person_id
         WHERE a.person_id = ${_id} AND a.trusted_at <= r.effective_at`.execute(reader());
    expect((await early()).rows).toEqual([]);
    const { token: thief } = (await verify(email, appCode(secret, 1))).body.data;
    // A freeze in the thief's session does not cancel the reset.
    expect((await bank.call(limitsApi.freezeOwn, { token: thief })).status).toBe(200);
    // Unfreezing does not make the thief's factor trusted before a removal that a restore has postponed.
    await parts.database.inTransaction(tx => postponeResets(tx, 'everyone'));
    await bank.call(adminApi.freeze, { token, params: { id: _id }, body: { isFrozen: false } });
    expect((await early()).rows).toEqual([]);
    await addPushDevice(_id);
    await pass();
    await resetFactors(parts, await order());
    expect(await pushDevicesOf(_id)).toEqual([]);
    // The reset has ended the thief's session. Otherwise, the thief could add another factor in it.
    expect((await bank.call(factorsApi.app, { token: thief })).status).toBe(401);
    await mailed(email, 'Your authenticator app and passkeys were removed');
    expect((await initiate(email)).body.data.methods).toEqual(['email']);
    expect(await auditedActions(_id)).toEqual([
      'factor.app-added',
      'factors.reset-requested',
      'factors.reset-canceled',
      'factors.reset-requested',
      'factors.reset',
    ]);
    expect((await ask()).status).toBe(409);
  });

  test('resets factors later if a restored bank is released at the same time; a factor that is added at that moment can confirm only after the reset [SF-11]', async () => {
    const { token } = await anAdmin();
    const { _id } = await anAppOwner();
    const { database } = bank.bank.parts;
    const params = { id: _id };
    await bank.call(adminFactorsApi.resetFactors, { token, params, body: { reason: 'Lost phone' } });
    let released: Promise<unknown> | undefined;
    await database.inTransaction(async tx => {
      await lockCredentials(tx, _id, undefined);
      let isDone = false;
      released = database
        .inTransaction(other => postponeResets(other, 'everyone'))
        .finally(() => {
          isDone = true;
        });
      await eventually(
        async () => isDone || (await lockWaits(bank.test.database.ownerPool)) > 0 || undefined,
      );
      await sql`
        INSERT INTO passkeys (id, person_id, credential_id, public_key, counter, transports, name, trusted_at)
        VALUES (new_id(), ${_id}, '\\x01', '\\x01', 0, '{}', 'Key', now() + interval '25 hours')`.execute(tx);
    });
    await released;
    const early = await sql`
      SELECT FROM passkeys p JOIN factor_resets r ON r.person_id = p.person_id
       WHERE p.person_id = ${_id} AND p.trusted_at <= r.effective_at`.execute(reader());
    expect(early.rows).toEqual([]);
  });

  test('does not remove the factors of a customer who froze the account since the request; after a password reset or a new email, removes them two days later and tells the customer [SF-11]', async () => {
    const { token } = await anAdmin();
    const adminId = (await bank.call(staffApi.adminProfile, { token })).body.data._id;
    const { parts } = bank.bank;
    const freezes = ({ _id: customerId, email }: TestCustomer) => {
      const token = makeFreezeToken({ customerId, email }, parts.secrets.codeKey);
      return bank.call(limitsApi.freezeByLink, { body: { token } });
    };
    const isGivenEmail = async ({ _id: customerId }: TestCustomer) => {
      const change = { customerId, email: `new.${customerId}@field.example`, reason: 'Asked at the counter' };
      const by = { admin: { adminId }, address: '192.0.2.7' };
      await parts.database.inTransaction(tx => changeCustomerWithin(tx, parts, by, change));
      return { status: 200 };
    };
    const resetsPassword = async ({ email }: TestCustomer) => {
      const codes = mailsTo(email).filter(mail => /\b\d{6}\b/.test(mail.text)).length;
      await bank.call(authApi.forgotPassword, { body: { email } });
      const otp = await bank.mailedCode(email, codes);
      return await bank.call(authApi.resetPassword, { body: { email, otp, newPassword: '57921480' } });
    };
    for (const [act, hours] of [
      [freezes, undefined],
      [isGivenEmail, 48],
      [resetsPassword, 48],
    ] as const) {
      const customer = await anAppOwner();
      const params = { id: customer._id };
      await bank.call(adminFactorsApi.resetFactors, { token, params, body: { reason: 'Lost phone' } });
      expect((await act(customer)).status).toBe(200);
      const { rows } = await bank.test.database.ownerPool.query<{ id: string; hours: number }>(
        `SELECT id, extract(epoch FROM effective_at - now())::float8 / 3600 AS hours FROM factor_resets
          WHERE person_id = $1`,
        [customer._id],
      );
      expect(rows.map(({ hours }) => Math.round(hours))).toEqual(hours === undefined ? [] : [hours]);
      const jobs = await bank.test.database.ownerPool.query(
        `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'reset-factors'
            AND run_at > now() + interval '47 hours'`,
      );
      expect(jobs.rowCount).toBe(act === freezes ? 0 : act === isGivenEmail ? 1 : 2);
      const last = hours === undefined ? 'factors.reset-canceled' : 'factors.reset-postponed';
      expect((await auditedActions(customer._id)).at(-1)).toBe(last);
      if (hours === undefined) continue;
      const address = act === isGivenEmail ? `new.${customer._id}@field.example` : customer.email;
      await mailed(address, 'We will remove your authenticator app and passkeys later');
    }
  });
});

test('if the bank requires second factors, an administrator without one can only set one up [SF-12]', async () => {
  const strict = await openTestBank({ ADMIN_SECOND_FACTOR: 'required' });
  try {
    const token = await strict.adminToken();
    const other = (
      await strict.call(adminApi.adminLogin, {
        body: { email: 'admin@bank.example', password: 'correct horse battery' },
      })
    ).body.data.token;
    const stats = () => strict.call(adminApi.adminStats, { token });
    const refused = await stats();
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(refused.body.message).toContain('Set up an authenticator app or a passkey');
    expect((await strict.call(adminFactorsApi.adminApp, { token })).body.data.mustEnroll).toBe(true);
    const { secret } = (await strict.call(adminFactorsApi.adminStartApp, { token })).body.data;
    await strict.call(adminFactorsApi.adminConfirmApp, { token, body: { code: appCode(secret) } });
    expect((await stats()).status).toBe(200);
    // Another session may belong to a thief who knows the password.
    expect((await strict.call(adminApi.adminStats, { token: other })).status).toBe(401);
  } finally {
    await strict.close();
  }
});
