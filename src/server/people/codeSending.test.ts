/** When a code is sent: the cooldown, the hourly limit, and the same answers for unknown addresses. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { otherThan } from '../../../tests/otherThan.ts';
import { aCustomer, testKeys, testSecrets } from '../../../tests/person.ts';
import { toAddressKey } from './addressKey.ts';
import { tryCode } from './codeAttempt.ts';
import { resendLoginCode, type Sending, sendLoginCode, sendResetCode } from './codeSending.ts';
import type { CodePurpose } from './codes.ts';
import { replacePassword } from './passwordAttempt.ts';
import { hashPassword } from './passwords.ts';

const { codeKey } = testSecrets;
let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await cloneDatabase();
});
afterAll(() => testDatabase.drop());

type Person = { id: string | undefined; email: string };

const unknownPerson = (): Person => ({ id: undefined, email: `unknown${Math.random()}@mail.example` });
const keyOf = ({ email }: Person, use: 'customer-login' | 'reset' = 'customer-login') =>
  toAddressKey(codeKey, use, email);

async function hashOf(person: { id: string }): Promise<Buffer> {
  const found = await sql<{ hash: Buffer }>`
    SELECT password_hash AS hash FROM credentials WHERE person_id = ${person.id}`.execute(
    testDatabase.database.reader,
  );
  return found.rows[0]!.hash;
}

async function requestLogin(person: { id: string; email: string }, compared?: Buffer): Promise<Sending> {
  const passwordHash = compared ?? (await hashOf(person));
  const request = { personId: person.id, addressKey: keyOf(person), browser: undefined, passwordHash };
  return await testDatabase.database.inTransaction(tx => sendLoginCode(tx, codeKey, request));
}

function resend(person: Person): Promise<Sending> {
  return testDatabase.database.inTransaction(tx =>
    resendLoginCode(tx, codeKey, { personId: person.id, addressKey: keyOf(person), browser: undefined }),
  );
}

function requestReset(person: Person) {
  return testDatabase.database.inTransaction(tx =>
    sendResetCode(tx, codeKey, {
      personId: person.id,
      addressKey: keyOf(person, 'reset'),
      browser: undefined,
    }),
  );
}

async function enterCode(
  person: { id: string; email: string },
  code: string,
  purpose: CodePurpose = 'login',
): Promise<boolean> {
  const answer = await testDatabase.database.inTransaction(tx =>
    tryCode(
      tx,
      { secrets: testSecrets, keys: testKeys },
      {
        kind: 'customer',
        personId: person.id,
        addressKey: keyOf(person),
        purpose,
        browser: undefined,
        code,
        address: '192.0.2.7',
      },
    ),
  );
  return answer.isRight;
}

/** Stores the thirty login codes of an hour as sent. */
async function useUpCodes({ id }: { id: string }): Promise<void> {
  await sql`
    INSERT INTO codes (id, person_id, purpose, code_hash, expires_at, superseded_at)
    SELECT gen_random_uuid(), ${id}, 'login', '\\x00', now(), now() FROM generate_series(1, 30)`.execute(
    testDatabase.database.reader,
  );
}

/** Lets time pass for one person by moving their records into the past. */
async function advance(person: Person, seconds: number): Promise<void> {
  const back = sql`make_interval(secs => ${seconds})`;
  if (person.id !== undefined)
    await sql`
      UPDATE codes SET begun_at = begun_at - ${back}, created_at = created_at - ${back}, expires_at = expires_at - ${back}
       WHERE person_id = ${person.id}`.execute(testDatabase.database.reader);
  for (const key of [keyOf(person), keyOf(person, 'reset')])
    await sql`
      UPDATE address_attempts SET codes_requested_at = ARRAY(SELECT t - ${back} FROM unnest(codes_requested_at) t)
       WHERE address_key = ${key}`.execute(testDatabase.database.reader);
}

/** The outcomes of parallel requests, without those that a slow machine refused as busy. */
async function settle(requests: Promise<Sending>[]): Promise<Sending[]> {
  const all = await Promise.allSettled(requests);
  return all.filter(one => one.status === 'fulfilled').map(one => one.value);
}

function codeOf(sending: object): string {
  if (!('code' in sending)) throw new Error(`No code was sent: ${JSON.stringify(sending)}`);
  return sending.code as string;
}

test('no code is sent if the password was changed while it was compared', async () => {
  const person = await aCustomer(testDatabase.database);
  const former = await hashOf(person);
  const passwordHash = await hashPassword(testSecrets, 'customer', person.id, '579214805792');
  await testDatabase.database.inTransaction(tx => replacePassword(tx, person.id, passwordHash));
  await expect(requestLogin(person, former)).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' });
  expect(await requestLogin(person)).toHaveProperty('code');
});

test('a second login within 45 seconds sends no new code, and the first code stays valid [ST-43]', async () => {
  const iris = await aCustomer(testDatabase.database);
  const code = codeOf(await requestLogin(iris));
  await advance(iris, 44);
  expect(await requestLogin(iris)).toEqual({ nothing: true });
  expect(await enterCode(iris, code)).toBe(true);
});

test('a login after 45 seconds sends a new code and voids the previous one', async () => {
  const iris = await aCustomer(testDatabase.database);
  const former = codeOf(await requestLogin(iris));
  await advance(iris, 46);
  const code = codeOf(await requestLogin(iris));
  if (former !== code) expect(await enterCode(iris, former)).toBe(false);
  expect(await enterCode(iris, code)).toBe(true);
});

test('after a code is used, the next login gets a new one immediately [ST-44]', async () => {
  const iris = await aCustomer(testDatabase.database);
  await enterCode(iris, codeOf(await requestLogin(iris)));
  expect(await enterCode(iris, codeOf(await requestLogin(iris)))).toBe(true);
});

test('a code with no attempts left does not delay the next login', async () => {
  const iris = await aCustomer(testDatabase.database);
  const code = codeOf(await requestLogin(iris));
  for (let i = 1; i <= 5; i++) await enterCode(iris, otherThan(code, i));
  expect(await enterCode(iris, codeOf(await requestLogin(iris)))).toBe(true);
});

test('a hundred parallel logins send one code', async () => {
  const iris = await aCustomer(testDatabase.database);
  const sendings = await settle(Array.from({ length: 100 }, () => requestLogin(iris)));
  expect(sendings.filter(one => 'code' in one)).toHaveLength(1);
});

test('a resend within 45 seconds is refused with the time to wait; a later resend voids the first code [ST-30, ST-31]', async () => {
  const iris = await aCustomer(testDatabase.database);
  const first = codeOf(await requestLogin(iris));
  expect(await resend(iris)).toEqual({ waitSeconds: 45 });
  await advance(iris, 44);
  expect(await resend(iris)).toEqual({ waitSeconds: 1 });
  await advance(iris, 1);
  const second = codeOf(await resend(iris));
  expect(await resend(iris)).toEqual({ waitSeconds: 45 });
  if (first !== second) expect(await enterCode(iris, first)).toBe(false);
  expect(await enterCode(iris, second)).toBe(true);
});

test('fifty parallel resends send one code', async () => {
  const iris = await aCustomer(testDatabase.database);
  await requestLogin(iris);
  await advance(iris, 45);
  const sendings = await settle(Array.from({ length: 50 }, () => resend(iris)));
  expect(sendings.filter(one => 'code' in one)).toHaveLength(1);
  // The last of fifty may be answered a second after the first.
  for (const one of sendings)
    if (!('code' in one)) expect([{ waitSeconds: 45 }, { waitSeconds: 44 }]).toContainEqual(one);
});

test('an unknown email and a customer without a login in progress get the usual cooldown [ST-42]', async () => {
  for (const person of [unknownPerson(), await aCustomer(testDatabase.database)]) {
    expect(await resend(person)).toEqual({ nothing: true });
    expect(await resend(person)).toEqual({ waitSeconds: 45 });
    await advance(person, 40);
    expect(await resend(person)).toEqual({ waitSeconds: 5 });
    await advance(person, 5);
    expect(await resend(person)).toEqual({ nothing: true });
  }
});

test('a resend works until 15 minutes after the password was entered, even if the code has expired', async () => {
  const iris = await aCustomer(testDatabase.database);
  await requestLogin(iris);
  await advance(iris, 400);
  expect(await enterCode(iris, codeOf(await resend(iris)).slice(0, 5))).toBe(false);
  await advance(iris, 490);
  expect('code' in (await resend(iris))).toBe(true);
  await advance(iris, 45);
  expect(await resend(iris)).toEqual({ nothing: true });
});

test('a resend for a locked login gets the usual answer and sends no code', async () => {
  const iris = await aCustomer(testDatabase.database);
  await requestLogin(iris);
  await advance(iris, 45);
  await sql`
    INSERT INTO login_devices (person_id, browser, locked_until) VALUES (${iris.id}, '', now() + interval '1 min')
        ON CONFLICT (person_id, browser) DO UPDATE SET locked_until = excluded.locked_until`.execute(
    testDatabase.database.reader,
  );
  expect(await resend(iris)).toEqual({ nothing: true });
});

test('an account gets thirty codes an hour; then the answer says how long to wait [ST-45]', async () => {
  const iris = await aCustomer(testDatabase.database);
  const startedAt = performance.now();
  for (let i = 0; i < 30; i++) {
    expect(await enterCode(iris, codeOf(await requestLogin(iris)))).toBe(true);
    await advance(iris, 60);
  }
  // The first of the thirty was half an hour ago.
  const { waitSeconds } = (await requestLogin(iris)) as { waitSeconds: number };
  expect(waitSeconds).toBeLessThanOrEqual(1800);
  expect(waitSeconds).toBeGreaterThan(1800 - (performance.now() - startedAt) / 1000 - 1);
  await advance(iris, 1801);
  expect('code' in (await requestLogin(iris))).toBe(true);
});

test('a customer whose codes of an hour were used up by someone who knows the password gets codes again after a reset, at most thirty an hour [ST-45]', async () => {
  const iris = await aCustomer(testDatabase.database);
  await useUpCodes(iris);
  const reset = codeOf(await requestReset(iris));
  expect(await requestLogin(iris), 'the reset is not completed').toHaveProperty('waitSeconds');
  expect(await enterCode(iris, reset, 'reset')).toBe(true);
  expect(await enterCode(iris, codeOf(await requestLogin(iris)))).toBe(true);
  await useUpCodes(iris);
  expect(await requestLogin(iris)).toHaveProperty('waitSeconds');
});

test('the wait time of a resend does not reveal that the account has used up its codes', async () => {
  const iris = await aCustomer(testDatabase.database);
  await requestLogin(iris);
  await useUpCodes(iris);
  await advance(iris, 45);
  expect(await resend(iris)).toEqual({ nothing: true });
  expect(await resend(iris)).toEqual({ waitSeconds: 45 });
});

test("a visitor who keeps requesting resends cannot use up the account's codes", async () => {
  const iris = await aCustomer(testDatabase.database);
  for (let i = 0; i < 40; i++) {
    await resend(iris);
    await advance(iris, 46);
  }
  expect('code' in (await requestLogin(iris))).toBe(true);
});

test('a password reset sends at most one code in 45 seconds and five an hour, and the answer never has a wait time', async () => {
  const iris = await aCustomer(testDatabase.database);
  let sent = 0;
  for (let i = 0; i < 10; i++) {
    if ('code' in (await requestReset(iris))) sent++;
    expect(await requestReset(iris)).toEqual({ nothing: true });
    await advance(iris, 46);
  }
  expect(sent).toBe(5);
  expect('code' in (await requestLogin(iris))).toBe(true);
  expect(await requestReset(unknownPerson())).toEqual({ nothing: true });
});

test('after the clock was three days ahead, a login and a reset get a code at once, and earlier codes work no more [ST-55]', async () => {
  const iris = await aCustomer(testDatabase.database);
  const early = (await requestLogin(iris)) as { code: string };
  await requestReset(iris);
  // From here on, the clock is right again.
  await advance(iris, -3 * 86_400);
  expect(await enterCode(iris, early.code)).toBe(false);
  expect(await resend(iris), 'no login is in progress').toEqual({ nothing: true });
  expect(await requestReset(iris)).toEqual({ code: expect.any(String) });
  const sent = await requestLogin(iris);
  expect(sent).toEqual({ code: expect.any(String) });
  expect(await requestLogin(iris), 'the cooldown applies').toEqual({ nothing: true });
  expect(await enterCode(iris, (sent as { code: string }).code)).toBe(true);
});

test('codes from the time when the clock was ahead do not count toward the limit of an hour [ST-55]', async () => {
  const iris = await aCustomer(testDatabase.database);
  await sql`
    INSERT INTO codes (id, person_id, purpose, code_hash, created_at, expires_at, superseded_at)
    SELECT gen_random_uuid(), ${iris.id}, 'login', '\\x00', at, at, at
      FROM generate_series(1, 30), (SELECT now() + interval '3 days' AS at) t`.execute(
    testDatabase.database.reader,
  );
  expect(await requestLogin(iris)).toEqual({ code: expect.any(String) });
});

test('a reset from the time when the clock was ahead does not lift the limit of an hour [ST-55]', async () => {
  const iris = await aCustomer(testDatabase.database);
  expect(await enterCode(iris, codeOf(await requestReset(iris)), 'reset')).toBe(true);
  await sql`
    UPDATE codes SET consumed_at = now() + interval '3 days' WHERE person_id = ${iris.id}`.execute(
    testDatabase.database.reader,
  );
  await useUpCodes(iris);
  expect(await requestLogin(iris)).toHaveProperty('waitSeconds');
});

test('the stored row about an email address does not contain the address', async () => {
  const person = unknownPerson();
  await resend(person);
  const stored = await sql<{ row: string }>`
    SELECT a::text AS row FROM address_attempts a WHERE address_key = ${keyOf(person)}`.execute(
    testDatabase.database.reader,
  );
  expect(stored.rows).toHaveLength(1);
  expect(stored.rows[0]!.row).not.toContain('unknown');
});
