/** Step-ups over HTTP, on a complete bank that asks for them from the default of $25,000 on. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import { adminFactorsApi, factorsApi } from '#contract/factors.ts';
import { limitsApi } from '#contract/limits.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as stepUpMessages from '#contract/messages/stepUp.ts';
import { settingsApi } from '#contract/settings.ts';
import { stepUpApi } from '#contract/stepUp.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { newId } from '#server/base/uuid.ts';
import { makeFreezeToken } from '#server/people/freezeLink.ts';
import { appCode, createPasskey, type TestPasskey } from '../../../tests/authenticator.ts';
import { customerPassword, summarize } from '../../../tests/call.ts';
import { holdLocks } from '../../../tests/holdLocks.ts';
import { otherThan } from '../../../tests/otherThan.ts';
import type { SeededCustomer } from '../../../tests/seedCustomers.ts';
import {
  eventually,
  lockWaits,
  openTestBank,
  type TestBank,
  type TestCustomer,
} from '../../../tests/server.ts';
import { stepUpCode, stepUpProof } from '../../../tests/stepUp.ts';

let bank: TestBank;
let amara: SeededCustomer;
beforeAll(async () => {
  bank = await openTestBank();
  amara = await bank.seeded({
    firstName: 'Amara',
    lastName: 'Lindqvist',
  });
});
afterAll(() => bank.close());

const owner = (statement: string, values: unknown[] = []) =>
  bank.test.database.ownerPool.query(statement, values);

/** A customer with an email and $90,000. */
const aCustomer = () => bank.customer({ dollars: 90_000 });

type Sender = Pick<TestCustomer, 'token'>;
type Sending = { amount?: number; to?: string; proof?: string; key?: string };
const headersOf = ({ proof, key }: Sending) => ({
  ...(proof !== undefined && { 'step-up': proof }),
  ...(key !== undefined && { 'idempotency-key': key }),
});
const sends = ({ token }: Sender, sending: Sending = {}) =>
  bank.call(transferApi.sendInternal, {
    token,
    headers: headersOf(sending),
    body: {
      receiverAccountNumber: sending.to ?? amara.accountNumber,
      amount: sending.amount ?? 30_000,
      description: '',
    },
  });
const sendsOut = ({ token }: Sender, sending: Sending = {}) =>
  bank.call(transferApi.sendExternal, {
    token,
    headers: headersOf(sending),
    body: {
      bankName: 'First Harbor Bank',
      accountName: 'Ines Caldeira',
      accountNumber: sending.to ?? '12345678',
      amount: sending.amount ?? 30_000,
      description: '',
    },
  });
const balanceOf = async ({ token }: Sender) =>
  (await bank.call(transactionsApi.balance, { token })).body.data.balance;
const challengeFor = async (sender: Sender, sending: Sending = {}) =>
  (await sends(sender, sending)).body.challenge!;
const aProof = async (customer: TestCustomer, sending: Sending = {}) =>
  stepUpProof(bank, customer, (await challengeFor(customer, sending))._id);

test('a transfer of $25,000 moves nothing until it is confirmed, and is sent with the proof of the confirmation [BR-01]', async () => {
  const customer = await aCustomer();
  const asked = await sends(customer, { amount: 25_000 });
  expect(asked.status).toBe(403);
  expect(asked.body).toEqual({
    success: false,
    code: 'STEP_UP_REQUIRED',
    message: expect.any(String),
    challenge: {
      _id: expect.any(String),
      methods: ['email'],
      expiresAt: expect.stringMatching(/Z$/),
      hasWaitingFactor: false,
    },
  });
  expect(await balanceOf(customer)).toBe(90_000);
  const proof = await stepUpProof(bank, customer, asked.body.challenge!._id);
  expect((await sends(customer, { amount: 25_000, proof })).status).toBe(201);
  expect(await balanceOf(customer)).toBe(65_000);
});

test('a transfer below $25,000 needs no confirmation, whatever the Step-Up header says [BR-01]', async () => {
  const customer = await aCustomer();
  expect((await sends(customer, { amount: 24_999.99 })).status).toBe(201);
  expect((await sends(customer, { amount: 10, proof: 'x'.repeat(43) })).status).toBe(201);
});

test('the mail names what its code confirms: act, amount and receiver [BR-02]', async () => {
  const customer = await aCustomer();
  const { _id } = await challengeFor(customer);
  // Finds the mail by its code, because on a busy machine the mail about the login can be newer.
  const mailWith = (code: string) =>
    bank.bank.parts.inbox!.list(customer.email).find(({ text }) => text.includes(code))!;
  const mail = mailWith(await stepUpCode(bank, customer, _id));
  expect(mail.text).toContain('$30,000.00');
  expect(mail.text).toContain(`Amara Lindqvist, account ending in ${amara.accountNumber.slice(-4)}`);
  const out = (await sendsOut(customer)).body.challenge!;
  await owner(`UPDATE step_ups SET codes_sent_at = '{}'`);
  const second = mailWith(await stepUpCode(bank, customer, out._id));
  expect(second.text).toContain('Ines Caldeira, First Harbor Bank, account ending in 5678');
});

test('a proof works once, and only for its own act, amount, receiver, session and customer [BR-03]', async () => {
  const [customer, other] = [await aCustomer(), await aCustomer()];
  const ben = await bank.seeded();
  const proof = await aProof(customer);
  const elsewhere = { token: await bank.login(customer.email) };
  const refused = await Promise.all([
    sendsOut(customer, { proof }),
    sends(customer, { proof, amount: 30_001 }),
    sends(customer, { proof, to: ben.accountNumber }),
    sends(elsewhere, { proof }),
    sends(other, { proof }),
  ]);
  expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'STEP_UP_REQUIRED'));
  expect((await sends(customer, { proof })).status).toBe(201);
  expect((await sends(customer, { proof })).body.code).toBe('STEP_UP_REQUIRED');
  expect(await balanceOf(customer)).toBe(60_000);
});

test('a customer who asks for the same act again learns that its code was mailed; within 45 seconds, a customer who asks for another act reads that the code is not for that act [BR-06]', async () => {
  const customer = await aCustomer();
  const { token } = customer;
  const sendCode = async (id: string) =>
    (await bank.call(stepUpApi.sendStepUpCode, { token, params: { id } })).body;
  const { _id: id } = await challengeFor(customer);
  await stepUpCode(bank, customer, id);
  const again = await challengeFor(customer);
  expect(again._id).toBe(id);
  expect(again.codeAge).toBeGreaterThanOrEqual(0);
  expect(again.codeAge).toBeLessThan(45);
  expect(await sendCode(id)).toMatchObject({ message: authMessages.codeTooSoon, data: { isMailed: true } });
  const other = await challengeFor(customer, { amount: 31_000 });
  expect(other).not.toHaveProperty('codeAge');
  const forOther = await sendCode(other._id);
  expect(forOther.message).toBe(stepUpMessages.codeForOther);
  expect(forOther).not.toHaveProperty('data');
  // A code that has expired is not announced.
  await owner(`UPDATE step_ups SET codes_sent_at = ARRAY[now() - interval '10 minutes'] WHERE id = $1`, [id]);
  const expired = await challengeFor(customer);
  expect([expired._id, 'codeAge' in expired]).toEqual([id, false]);
});

test('50 uses of one proof at the same time post one transfer [BR-03]', async () => {
  const customer = await aCustomer();
  const proof = await aProof(customer, { amount: 25_000 });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => sends(customer, { proof, amount: 25_000 })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'STEP_UP_REQUIRED')).toHaveLength(49);
  expect(await balanceOf(customer)).toBe(65_000);
});

test('a proof works for five minutes by the database’s clock [BR-04]', async () => {
  const customer = await aCustomer();
  const proof = await aProof(customer);
  const { rows } = await owner(
    `UPDATE step_ups SET proof_expires_at = proof_expires_at - interval '5 minutes'
      WHERE customer_id = $1 RETURNING extract(epoch FROM now() - proof_expires_at)::float8 AS ago`,
    [customer._id],
  );
  expect(rows[0].ago).toBeGreaterThanOrEqual(0);
  expect(rows[0].ago).toBeLessThan(60);
  expect((await sends(customer, { proof })).body.code).toBe('STEP_UP_REQUIRED');
});

test('a refused transfer does not use up its proof [BR-03]', async () => {
  const customer = await aCustomer();
  const proof = await aProof(customer);
  await sends(customer, { amount: 24_000 });
  await sends(customer, { amount: 24_000 });
  await sends(customer, { amount: 24_000 });
  expect((await sends(customer, { proof })).body.code).toBe('INSUFFICIENT_BALANCE');
  const body = { userAccountNumber: customer.accountNumber, amount: 50_000, description: 'more' };
  await bank.call(adminApi.credit, { token: await bank.adminToken(), body });
  expect((await sends(customer, { proof })).status).toBe(201);
});

test('a repeated key gets the first result without a confirmation, and a refusal that asks for one is not stored [BR-05]', async () => {
  const customer = await aCustomer();
  const key = newId();
  const asked = await sends(customer, { key });
  expect(asked.body.code).toBe('STEP_UP_REQUIRED');
  const proof = await stepUpProof(bank, customer, asked.body.challenge!._id);
  const first = await sends(customer, { key, proof });
  const [repeated, withProof] = [await sends(customer, { key }), await sends(customer, { key, proof })];
  expect(first.status).toBe(201);
  expect([repeated.status, repeated.body.data]).toEqual([201, first.body.data]);
  expect([withProof.status, withProof.body.data]).toEqual([201, first.body.data]);
  expect(await balanceOf(customer)).toBe(60_000);
});

test.each([
  [
    'a freeze by the customer',
    async ({ token }: Sender) => {
      await bank.call(limitsApi.freezeOwn, { token });
      await owner('UPDATE ledger_accounts SET frozen_by_owner = false');
    },
  ],
  [
    'a freeze by the bank',
    async ({ _id }: TestCustomer) => {
      const token = await bank.adminToken();
      for (const isFrozen of [true, false])
        await bank.call(adminApi.freeze, { token, params: { id: _id }, body: { isFrozen } });
    },
  ],
  [
    'a new password',
    async ({ token }: Sender) => {
      const body = { currentPassword: customerPassword, newPassword: '57921480' };
      await bank.call(settingsApi.changePassword, { token, body });
    },
  ],
])('%s invalidates an unused proof [BR-04]', async (_, end) => {
  const customer = await aCustomer();
  const proof = await aProof(customer);
  await end(customer);
  expect((await sends(customer, { proof })).body.code).toBe('STEP_UP_REQUIRED');
});

test('five wrong codes end a challenge, ten in 15 minutes block every attempt, and a new code is sent only after 45 seconds [BR-06]', async () => {
  const customer = await aCustomer();
  const { token } = customer;
  const tries = async (id: string, code: string) =>
    summarize(
      await bank.call(stepUpApi.verifyStepUp, { token, params: { id }, body: { method: 'email', code } }),
    );
  const { _id: id } = await challengeFor(customer);
  const code = await stepUpCode(bank, customer, id);
  const wrong = otherThan(code);
  const again = await bank.call(stepUpApi.sendStepUpCode, { token, params: { id } });
  expect([again.status, again.body.code]).toEqual([429, 'TOO_MANY']);
  expect(again.body.waitTime).toBeLessThanOrEqual(45);
  for (let n = 0; n < 4; n++)
    expect(await tries(id, wrong)).toEqual({
      status: 400,
      code: 'VALIDATION',
      message: 'This code isn’t right. Check the newest email, or send a new code.',
    });
  // Neither this code nor a new one can help after the last attempt.
  const usedUp = { code: 'CONFLICT', message: stepUpMessages.usedUp };
  expect(await tries(id, wrong)).toEqual({ status: 409, ...usedUp });
  expect(await tries(id, code)).toEqual({ status: 409, ...usedUp });
  await owner(`UPDATE step_ups SET codes_sent_at = '{}'`);
  const sent = await bank.call(stepUpApi.sendStepUpCode, { token, params: { id } });
  expect(sent.body).toMatchObject({ ...usedUp, data: { isOver: true } });

  const { _id: second } = await challengeFor(customer);
  expect(second).not.toBe(id);
  await owner(`UPDATE step_ups SET codes_sent_at = '{}'`);
  const fresh = await stepUpCode(bank, customer, second);
  for (let n = 0; n < 5; n++) await tries(second, fresh === wrong ? '000002' : wrong);
  const { _id: third } = await challengeFor(customer);
  await owner(`UPDATE step_ups SET codes_sent_at = '{}'`);
  expect((await tries(third, await stepUpCode(bank, customer, third))).status).toBe(429);
});

test('a customer whose answer to a right code was lost confirms with the same code again, until the act is done [BR-64]', async () => {
  const customer = await aCustomer();
  const { _id: id } = await challengeFor(customer);
  const code = await stepUpCode(bank, customer, id);
  const verify = (typed = code) =>
    bank.call(stepUpApi.verifyStepUp, {
      token: customer.token,
      params: { id },
      body: { method: 'email', code: typed },
    });
  const { proof: lost } = (await verify()).body.data!;
  expect((await verify(otherThan(code))).status).toBe(400);
  const { proof } = (await verify()).body.data!;
  // Only the newest proof is valid, so one code still confirms one act.
  expect((await sends(customer, { proof: lost })).body.code).toBe('STEP_UP_REQUIRED');
  expect((await sends(customer, { proof })).status).toBe(201);
  expect((await verify()).body).toMatchObject({
    code: 'CONFLICT',
    message: stepUpMessages.confirmedBefore,
    data: { isOver: true },
  });
  // A second challenge for the same act: the last code was already used, so it cannot confirm this one.
  const { _id: next } = await challengeFor(customer);
  const sent = await bank.call(stepUpApi.sendStepUpCode, { token: customer.token, params: { id: next } });
  expect(sent.body.message).toBe(stepUpMessages.codeUsed);
});

test('a code that is repeated while the act uses up its confirmation does not confirm a second act [BR-64]', async () => {
  const customer = await aCustomer();
  const { _id: id } = await challengeFor(customer);
  const body = { method: 'email' as const, code: await stepUpCode(bank, customer, id) };
  const verify = () => bank.call(stepUpApi.verifyStepUp, { token: customer.token, params: { id }, body });
  expect((await verify()).status).toBe(200);
  const { ownerPool } = bank.test.database;
  const act = await holdLocks(ownerPool, 'UPDATE step_ups SET used_at = now() WHERE id = $1', id);
  const repeated = verify();
  await eventually(async () => (await lockWaits(ownerPool, 'step_ups')) > 0 || undefined);
  await act.query('COMMIT');
  expect((await repeated).body).toMatchObject({ code: 'CONFLICT', message: stepUpMessages.confirmedBefore });
});

test('a code that confirmed an act cannot confirm it again after it has expired or after a freeze [BR-64]', async () => {
  for (const end of [
    ({ id }: { id: string }) =>
      owner("UPDATE step_ups SET codes_sent_at = ARRAY[now() - interval '5 minutes'] WHERE id = $1", [id]),
    ({ token }: Sender) => bank.call(limitsApi.freezeOwn, { token }),
  ]) {
    const customer = await aCustomer();
    const { _id: id } = await challengeFor(customer);
    const body = { method: 'email' as const, code: await stepUpCode(bank, customer, id) };
    const verify = () => bank.call(stepUpApi.verifyStepUp, { token: customer.token, params: { id }, body });
    expect((await verify()).status).toBe(200);
    await end({ ...customer, id });
    expect((await verify()).body).toMatchObject({ code: 'CONFLICT', data: { isOver: true } });
  }
});

test('a customer who types a mailed code too late reads that it has expired, and confirms with a new one; for a wrong code from an app, the message names both causes [BR-64]', async () => {
  const customer = await aCustomer();
  const { _id: id } = await challengeFor(customer);
  const says = async (token: string, challengeId: string, method: 'email' | 'totp', code: string) =>
    (await bank.call(stepUpApi.verifyStepUp, { token, params: { id: challengeId }, body: { method, code } }))
      .body.message;
  const code = await stepUpCode(bank, customer, id);
  await owner(`UPDATE step_ups SET codes_sent_at = ARRAY[now() - interval '5 minutes'] WHERE id = $1`, [id]);
  // A guesser does not learn whether the code was right. Nothing is compared, so no attempt is used up.
  for (const typed of [code, otherThan(code), code, code, code, code])
    expect(await says(customer.token, id, 'email', typed)).toBe('This code has expired. Send a new code.');
  const { rows } = await owner(
    `SELECT attempts, (SELECT count(*)::int FROM audit_log WHERE subject = $1 AND action = 'step-up.failed') AS recorded
       FROM step_ups WHERE id = $2`,
    [customer._id, id],
  );
  expect(rows).toEqual([{ attempts: 0, recorded: 6 }]);
  const fresh = await stepUpCode(bank, customer, id);
  expect(await says(customer.token, id, 'email', otherThan(fresh))).toMatch(/^This code isn’t right\. Check/);
  expect(await says(customer.token, id, 'email', fresh)).toBe('Confirmed');

  const withApp = await aCustomer();
  const secret = await addApp(withApp);
  const { _id: other } = await challengeFor(withApp);
  expect(await says(withApp.token, other, 'totp', otherThan(appCode(secret)))).toBe(
    'This code isn’t right, or it has expired. Wait for the next code in your app and try again.',
  );
});

test('after the clock was three days ahead, a transfer can be confirmed at once, but not with a code from before [ST-55]', async () => {
  const customer = await aCustomer();
  const { token } = customer;
  const tries = async (id: string, code: string) =>
    (await bank.call(stepUpApi.verifyStepUp, { token, params: { id }, body: { method: 'email', code } }))
      .status;
  const { _id: early } = await challengeFor(customer);
  const code = await stepUpCode(bank, customer, early);
  for (let n = 0; n < 3; n++) expect(await tries(early, otherThan(code))).toBe(400);
  await owner(
    `UPDATE step_ups SET created_at = created_at + $1::interval, expires_at = expires_at + $1::interval,
            codes_sent_at = ARRAY(SELECT t + $1::interval FROM unnest(codes_sent_at) t)
      WHERE customer_id = $2`,
    ['3 days', customer._id],
  );
  expect(await tries(early, code)).toBe(409);
  await owner('UPDATE step_ups SET attempts = 10 WHERE id = $1', [early]);
  const { _id: id } = await challengeFor(customer);
  expect(id).not.toBe(early);
  expect(await tries(id, await stepUpCode(bank, customer, id))).toBe(200);
});

/** Resets the password with a mailed code. */
async function resetsPassword({ email }: { email: string }) {
  await bank.call(authApi.forgotPassword, { body: { email } });
  const body = { email, otp: await bank.mailedCode(email, 1), newPassword: '57921480' };
  expect((await bank.call(authApi.resetPassword, { body })).status).toBe(200);
}

test('after a password reset by mail, email confirms nothing for a day, and a factor that is added in that day confirms nothing for two days [BR-07, BR-09]', async () => {
  const customer = await aCustomer();
  await resetsPassword(customer);
  await bank.call(authApi.initiateLogin, { body: { email: customer.email, password: '57921480' } });
  const login = { email: customer.email, otp: await bank.mailedCode(customer.email, 2) };
  const { token } = (await bank.call(authApi.verifyCode, { body: login })).body.data;
  const { _id: id, methods } = await challengeFor({ token });
  expect(methods).toEqual([]);
  const sent = await bank.call(stepUpApi.sendStepUpCode, { token, params: { id } });
  expect([sent.status, sent.body.code]).toEqual([409, 'CONFLICT']);
  // A thief who reads the mailbox could add a factor, so a new factor confirms nothing either.
  await addApp({ token });
  await addPasskey({ token });
  // The challenge says when each wait ends.
  const { emailFrom, factorFrom } = await challengeFor({ token });
  expect([emailFrom, factorFrom].map(from => (Date.parse(from!) - Date.now()) / 3_600_000)).toEqual([
    expect.closeTo(24, 0),
    expect.closeTo(48, 0),
  ]);
  for (const methods of [[], [], ['passkey', 'totp']]) {
    expect((await challengeFor({ token })).methods).toEqual(methods);
    for (const table of ['passkeys', 'authenticator_apps']) await aDayPasses(table, customer._id);
  }
});

/** Sets up an authenticator app and returns its secret. */
async function addApp({ token }: Sender): Promise<string> {
  const { secret } = (await bank.call(factorsApi.startApp, { token })).body.data;
  const body = { code: appCode(secret) };
  expect((await bank.call(factorsApi.confirmApp, { token, body })).status).toBe(200);
  // The test may use the same code again.
  await owner('UPDATE authenticator_apps SET last_step = 0');
  return secret;
}

async function addPasskey({ token }: Sender) {
  const origin = bank.bank.parts.publicUrl;
  const passkey = createPasskey((await bank.call(factorsApi.passkeyOptions, { token })).body.data, {
    origin,
  });
  const body = { credential: passkey.created, name: 'Phone' };
  expect((await bank.call(factorsApi.addPasskey, { token, body })).status).toBe(201);
  return passkey;
}

test('a factor that was added right after the login confirms at once; one added later, perhaps by a thief, confirms after a day [BR-09]', async () => {
  const customer = await aCustomer();
  const { token, _id } = customer;
  const origin = bank.bank.parts.publicUrl;
  const own = await addPasskey(customer);
  expect((await challengeFor(customer)).methods).toEqual(['passkey', 'email']);
  await owner(`UPDATE sessions SET created_at = created_at - interval '10 minutes' WHERE person_id = $1`, [
    _id,
  ]);
  const late = await addPasskey(customer);
  const secret = await addApp(customer);
  const { _id: id, methods } = await challengeFor(customer);
  expect(methods).toEqual(['passkey', 'email']);
  const confirms = async (confirmation: object) =>
    (await bank.call(stepUpApi.verifyStepUp, { token, params: { id }, body: confirmation as never })).status;
  expect(await confirms({ method: 'totp', code: appCode(secret) })).toBe(409);
  const { data } = (await bank.call(stepUpApi.stepUpPasskeyOptions, { token, params: { id } })).body;
  expect((data as { allowCredentials?: unknown[] }).allowCredentials).toHaveLength(1);
  expect(await confirms({ method: 'passkey', credential: late.use(data, { origin }) })).toBe(400);
  expect(await confirms({ method: 'passkey', credential: own.use(data, { origin }) })).toBe(200);
  for (const table of ['passkeys', 'authenticator_apps']) await aDayPasses(table, _id);
  expect((await challengeFor(customer, { amount: 31_000 })).methods).toEqual(['passkey', 'totp']);
});

test('a customer reads from when a new app and a new passkey confirm, unless the wait is over or has no end yet, or staff remove them first [BR-09]', async () => {
  const customer = await aCustomer();
  const { token, _id } = customer;
  await addPasskey(customer);
  await owner(`UPDATE sessions SET created_at = created_at - interval '10 minutes' WHERE person_id = $1`, [
    _id,
  ]);
  await addPasskey(customer);
  await addApp(customer);
  /** The hours until the app, the newer passkey and the older passkey confirm. */
  const waits = async () => {
    const app = (await bank.call(factorsApi.app, { token })).body.data;
    const passkeys = (await bank.call(factorsApi.passkeys, { token })).body.data;
    return [app, ...passkeys].map(
      ({ confirmsFrom }) => confirmsFrom && Math.round((Date.parse(confirmsFrom) - Date.now()) / 3_600_000),
    );
  };
  expect(await waits()).toEqual([24, 24, undefined]);
  const none = [undefined, undefined, undefined];
  const atStaff = { token: await bank.adminToken(), params: { id: _id } };
  await bank.call(adminFactorsApi.resetFactors, { ...atStaff, body: { reason: 'Lost phone' } });
  expect(await waits()).toEqual(none);
  await bank.call(adminFactorsApi.cancelFactorReset, atStaff);
  expect(await waits()).toEqual([25, 25, undefined]);
  const freeze = (isFrozen: boolean) => bank.call(adminApi.freeze, { ...atStaff, body: { isFrozen } });
  await freeze(true);
  expect(await waits()).toEqual(none);
  await freeze(false);
  expect(await waits()).toEqual([24, 24, undefined]);
  for (const table of ['passkeys', 'authenticator_apps']) await aDayPasses(table, _id);
  expect(await waits()).toEqual(none);
});

test('a customer whose answer to a passkey was lost confirms with it again, until the act is done [BR-64]', async () => {
  const customer = await aCustomer();
  const { token } = customer;
  const passkey = await addPasskey(customer);
  const { _id: id } = await challengeFor(customer);
  const confirm = async (): Promise<string> => {
    const { status, body } = await bank.call(stepUpApi.stepUpPasskeyOptions, { token, params: { id } });
    if (status !== 200) return body.code!;
    const credential = passkey.use(body.data, { origin: bank.bank.parts.publicUrl });
    const confirmation = { method: 'passkey', credential } as const;
    return (await bank.call(stepUpApi.verifyStepUp, { token, params: { id }, body: confirmation })).body.data!
      .proof;
  };
  const lost = await confirm();
  const proof = await confirm();
  expect((await sends(customer, { proof: lost })).body.code).toBe('STEP_UP_REQUIRED');
  expect((await sends(customer, { proof })).status).toBe(201);
  expect(await confirm()).toBe('CONFLICT');
});

/** Logs in with a passkey alone. */
async function logsInWith(passkey: TestPasskey): Promise<Sender> {
  const { publicUrl: origin } = bank.bank.parts;
  const { data } = (await bank.call(authApi.passkeyLoginOptions, { body: {} })).body;
  const credential = passkey.use(data, { origin });
  return { token: (await bank.call(authApi.passkeyLogin, { body: { credential } })).body.data.token };
}

/** A thief with a customer's open session adds a passkey, logs in with it and adds another one right away. */
async function aThief({ token, _id }: TestCustomer) {
  await owner(`UPDATE sessions SET created_at = created_at - interval '10 minutes' WHERE person_id = $1`, [
    _id,
  ]);
  const passkey = await addPasskey({ token });
  const thief = await logsInWith(passkey);
  await addPasskey(thief);
  return { ...thief, passkey };
}

const aDayPasses = (table: string, id: string) =>
  owner(`UPDATE ${table} SET trusted_at = trusted_at - interval '24 hours' WHERE person_id = $1`, [id]);

test('after a login with a factor that does not confirm yet, a new factor does not confirm at once either [BR-09]', async () => {
  const customer = await aCustomer();
  const thief = await aThief(customer);
  expect(await challengeFor(thief)).toMatchObject({ methods: ['email'], hasWaitingFactor: true });
  await aDayPasses('passkeys', customer._id);
  expect(await challengeFor(thief, { amount: 31_000 })).toMatchObject({
    methods: ['passkey', 'email'],
    hasWaitingFactor: false,
  });
});

test('after a password reset, a thief’s factor waits two days instead of one, even if the account was frozen in between [BR-09]', async () => {
  const customer = await aCustomer();
  const { passkey } = await aThief(customer);
  await resetsPassword(customer);
  const thief = await logsInWith(passkey);
  await addPasskey(thief);
  for (const isFrozen of [true, false])
    await bank.call(adminApi.freeze, {
      token: await bank.adminToken(),
      params: { id: customer._id },
      body: { isFrozen },
    });
  await aDayPasses('passkeys', customer._id);
  expect((await challengeFor(thief)).methods).toEqual([]);
  await aDayPasses('passkeys', customer._id);
  expect((await challengeFor(thief)).methods).toEqual(['passkey']);
});

test('a factor that a thief added near the end of the day after a password reset waits two days from then, even if the thief freezes and unfreezes the account after that day [BR-07, BR-09]', async () => {
  const customer = await aCustomer();
  const { passkey } = await aThief(customer);
  await resetsPassword(customer);
  const ages = (hours: number) =>
    owner(
      `ALTER TABLE audit_log DISABLE TRIGGER insert_only;
       UPDATE audit_log SET at = at - interval '${hours} hours'
        WHERE subject = '${customer._id}' AND action = 'password.reset';
       ALTER TABLE audit_log ENABLE ALWAYS TRIGGER insert_only`,
    );
  await ages(23);
  const thief = await logsInWith(passkey);
  await addPasskey(thief);
  await ages(2);
  for (const isFrozen of [true, false])
    await bank.call(adminApi.freeze, {
      token: await bank.adminToken(),
      params: { id: customer._id },
      body: { isFrozen },
    });
  await aDayPasses('passkeys', customer._id);
  expect((await challengeFor(thief)).methods).not.toContain('passkey');
  await aDayPasses('passkeys', customer._id);
  expect((await challengeFor(thief, { amount: 31_000 })).methods).toContain('passkey');
});

test('a factor that could not confirm yet when the account was frozen, or was added during the freeze, confirms a day after the freeze is lifted [BR-09]', async () => {
  const customer = await aCustomer();
  const { passkey } = await aThief(customer);
  const owner = { customerId: customer._id, email: customer.email };
  const link = makeFreezeToken(owner, bank.bank.parts.secrets.codeKey);
  expect((await bank.call(limitsApi.freezeByLink, { body: { token: link } })).status).toBe(200);
  const thief = await logsInWith(passkey);
  await addApp(thief);
  for (const table of ['passkeys', 'authenticator_apps']) await aDayPasses(table, customer._id);
  const unfreezes = (proof?: string) =>
    bank.call(limitsApi.unfreezeOwn, { token: thief.token, headers: headersOf({ ...(proof && { proof }) }) });
  const { challenge } = (await unfreezes()).body;
  // The end of the wait is missing, because the wait starts when the account is unfrozen.
  expect(challenge).toEqual({
    _id: expect.any(String),
    methods: ['email'],
    expiresAt: expect.any(String),
    hasWaitingFactor: true,
  });
  const proof = await stepUpProof(bank, { ...customer, ...thief }, challenge!._id);
  expect((await unfreezes(proof)).status).toBe(200);
  const waiting = await challengeFor(thief);
  expect(waiting.methods).toEqual(['email']);
  expect((Date.parse(waiting.factorFrom!) - Date.now()) / 3_600_000).toBeCloseTo(24, 0);
  for (const table of ['passkeys', 'authenticator_apps']) await aDayPasses(table, customer._id);
  expect((await challengeFor(thief, { amount: 31_000 })).methods).toEqual(['passkey', 'totp']);
});

test.each(['freezeOwn', 'freezeByLink', 'freeze', 'unfreeze'] as const)(
  'if %s happens at the same moment as the addition of a factor, the factor waits like one that was added before [BR-09]',
  async act => {
    const customer = await aCustomer();
    const { _id, email, token } = customer;
    await addPasskey(customer);
    const byStaff = async (isFrozen: boolean) =>
      bank.call(adminApi.freeze, {
        token: await bank.adminToken(),
        params: { id: _id },
        body: { isFrozen },
      });
    const link = makeFreezeToken({ customerId: _id, email }, bank.bank.parts.secrets.codeKey);
    const acts = {
      freezeOwn: () => bank.call(limitsApi.freezeOwn, { token }),
      freezeByLink: () => bank.call(limitsApi.freezeByLink, { body: { token: link } }),
      freeze: () => byStaff(true),
      unfreeze: () => byStaff(false),
    };
    if (act === 'unfreeze') await byStaff(true);
    const { ownerPool } = bank.test.database;
    const adding = await holdLocks(ownerPool, 'SELECT FROM credentials WHERE person_id = $1 FOR UPDATE', _id);
    await adding.query('UPDATE passkeys SET trusted_at = $2 WHERE person_id = $1', [
      _id,
      act === 'unfreeze' ? 'infinity' : new Date(Date.now() + 86_400_000),
    ]);
    let isDone = false;
    const done = acts[act]().finally(() => {
      isDone = true;
    });
    await eventually(async () => isDone || (await lockWaits(ownerPool)) > 0 || undefined);
    await adding.query('COMMIT');
    expect((await done).status).toBe(200);
    const { rows } = await owner(
      'SELECT trusted_at = \'infinity\' AS "isHeld" FROM passkeys WHERE person_id = $1',
      [_id],
    );
    expect(rows).toEqual([{ isHeld: act !== 'unfreeze' }]);
  },
);

test('another customer’s challenge is not found [BR-08]', async () => {
  const [customer, other] = [await aCustomer(), await aCustomer()];
  const { _id: id } = await challengeFor(customer);
  const sent = await bank.call(stepUpApi.sendStepUpCode, { token: other.token, params: { id } });
  expect(sent.status).toBe(404);
  const body = { method: 'email', code: '123456' };
  const tried = await bank.call(stepUpApi.verifyStepUp, { token: other.token, params: { id }, body });
  expect(tried.status).toBe(404);
});
