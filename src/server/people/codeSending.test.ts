/** When a code is sent: the cooldown, the hourly cap, and the same answers for addresses nobody has. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { aCustomer, testSecrets } from '../../../tests/person.ts';
import { toAddressKey } from './addressKey.ts';
import { tryCode } from './codeAttempt.ts';
import { resendLoginCode, type Sending, sendLoginCode, sendResetCode } from './codeSending.ts';

const { codeKey } = testSecrets;
let place: TestDatabase;

beforeAll(async () => {
  place = await cloneDatabase();
});
afterAll(() => place.drop());

type Somebody = { id: string | undefined; email: string };

const nobody = (): Somebody => ({ id: undefined, email: `nobody${Math.random()}@mail.example` });
const keyOf = ({ email }: Somebody, use: 'customer-login' | 'reset' = 'customer-login') =>
  toAddressKey(codeKey, use, email);

function begin(person: { id: string; email: string }): Promise<Sending> {
  return place.database.inTransaction(tx =>
    sendLoginCode(tx, codeKey, { personId: person.id, addressKey: keyOf(person) }),
  );
}

function resend(person: Somebody): Promise<Sending> {
  return place.database.inTransaction(tx =>
    resendLoginCode(tx, codeKey, { personId: person.id, addressKey: keyOf(person) }),
  );
}

function forget(person: Somebody) {
  return place.database.inTransaction(tx =>
    sendResetCode(tx, codeKey, { personId: person.id, addressKey: keyOf(person, 'reset') }),
  );
}

async function enter(person: { id: string; email: string }, code: string): Promise<boolean> {
  const answer = await place.database.inTransaction(tx =>
    tryCode(tx, codeKey, {
      personId: person.id,
      addressKey: keyOf(person),
      purpose: 'login',
      code,
      address: '192.0.2.7',
    }),
  );
  return answer.isRight;
}

/** Lets time pass for one person: everything that happened moves into the past. */
async function pass(person: Somebody, seconds: number): Promise<void> {
  const back = sql`make_interval(secs => ${seconds})`;
  if (person.id !== undefined)
    await sql`
      UPDATE codes SET begun_at = begun_at - ${back}, created_at = created_at - ${back}, expires_at = expires_at - ${back}
       WHERE person_id = ${person.id}`.execute(place.database.reader);
  for (const key of [keyOf(person), keyOf(person, 'reset')])
    await sql`
      UPDATE address_attempts SET codes_requested_at = ARRAY(SELECT t - ${back} FROM unnest(codes_requested_at) t)
       WHERE address_key = ${key}`.execute(place.database.reader);
}

/** What was decided; on a slow machine some of a crowd may be refused as busy, which decides nothing. */
async function settle(asked: Promise<Sending>[]): Promise<Sending[]> {
  const all = await Promise.allSettled(asked);
  return all.filter(one => one.status === 'fulfilled').map(one => one.value);
}

function codeOf(sending: Sending): string {
  if (!('code' in sending)) throw new Error(`No code was sent: ${JSON.stringify(sending)}`);
  return sending.code;
}

test('a second login within 45 seconds sends nothing new, and the first code stays good [ST-43]', async () => {
  const iris = await aCustomer(place.database);
  const code = codeOf(await begin(iris));
  await pass(iris, 44);
  expect(await begin(iris)).toEqual({ nothing: true });
  expect(await enter(iris, code)).toBe(true);
});

test('a login after 45 seconds sends a new code and kills the former', async () => {
  const iris = await aCustomer(place.database);
  const former = codeOf(await begin(iris));
  await pass(iris, 46);
  const code = codeOf(await begin(iris));
  if (former !== code) expect(await enter(iris, former)).toBe(false);
  expect(await enter(iris, code)).toBe(true);
});

test('once a code is used, the next login sends a fresh one at once [ST-44]', async () => {
  const iris = await aCustomer(place.database);
  await enter(iris, codeOf(await begin(iris)));
  expect(await enter(iris, codeOf(await begin(iris)))).toBe(true);
});

test('a code out of attempts does not keep the next login waiting', async () => {
  const iris = await aCustomer(place.database);
  const code = Number(codeOf(await begin(iris)));
  for (let i = 1; i <= 5; i++) await enter(iris, String((code + i) % 1_000_000).padStart(6, '0'));
  expect(await enter(iris, codeOf(await begin(iris)))).toBe(true);
});

test('a hundred parallel logins make one code', async () => {
  const iris = await aCustomer(place.database);
  const sendings = await settle(Array.from({ length: 100 }, () => begin(iris)));
  expect(sendings.filter(one => 'code' in one)).toHaveLength(1);
});

test('a resend is refused for 45 seconds after the first code, says how long, and then kills that code [ST-30, ST-31]', async () => {
  const iris = await aCustomer(place.database);
  const first = codeOf(await begin(iris));
  expect(await resend(iris)).toEqual({ waitSeconds: 45 });
  await pass(iris, 44);
  expect(await resend(iris)).toEqual({ waitSeconds: 1 });
  await pass(iris, 1);
  const second = codeOf(await resend(iris));
  expect(await resend(iris)).toEqual({ waitSeconds: 45 });
  if (first !== second) expect(await enter(iris, first)).toBe(false);
  expect(await enter(iris, second)).toBe(true);
});

test('fifty parallel resends send one code', async () => {
  const iris = await aCustomer(place.database);
  await begin(iris);
  await pass(iris, 45);
  const sendings = await settle(Array.from({ length: 50 }, () => resend(iris)));
  expect(sendings.filter(one => 'code' in one)).toHaveLength(1);
  // The last of fifty may be told a second after the first.
  for (const one of sendings)
    if (!('code' in one)) expect([{ waitSeconds: 45 }, { waitSeconds: 44 }]).toContainEqual(one);
});

test('an unknown e-mail, and one without a login under way, are told to wait like everybody [ST-42]', async () => {
  for (const person of [nobody(), await aCustomer(place.database)]) {
    expect(await resend(person)).toEqual({ nothing: true });
    expect(await resend(person)).toEqual({ waitSeconds: 45 });
    await pass(person, 40);
    expect(await resend(person)).toEqual({ waitSeconds: 5 });
    await pass(person, 5);
    expect(await resend(person)).toEqual({ nothing: true });
  }
});

test('a resend still works when the code has died, for a quarter of an hour after the password and no longer', async () => {
  const iris = await aCustomer(place.database);
  await begin(iris);
  await pass(iris, 400);
  expect(await enter(iris, codeOf(await resend(iris)).slice(0, 5))).toBe(false);
  await pass(iris, 490);
  expect('code' in (await resend(iris))).toBe(true);
  await pass(iris, 45);
  expect(await resend(iris)).toEqual({ nothing: true });
});

test('a locked login is answered like any other and gets no code', async () => {
  const iris = await aCustomer(place.database);
  await begin(iris);
  await pass(iris, 45);
  await sql`UPDATE credentials SET locked_until = now() + interval '1 min' WHERE person_id = ${iris.id}`.execute(
    place.database.reader,
  );
  expect(await resend(iris)).toEqual({ nothing: true });
});

test('thirty codes an hour are sent to an account; then it says how long to wait [ST-45]', async () => {
  const iris = await aCustomer(place.database);
  for (let i = 0; i < 30; i++) {
    expect(await enter(iris, codeOf(await begin(iris)))).toBe(true);
    await pass(iris, 60);
  }
  // The first of the thirty was half an hour ago.
  const { waitSeconds } = (await begin(iris)) as { waitSeconds: number };
  expect(waitSeconds).toBeLessThanOrEqual(1800);
  expect(waitSeconds).toBeGreaterThan(1740);
  await pass(iris, 1801);
  expect('code' in (await begin(iris))).toBe(true);
});

test('a resend does not tell by a wait that the account has used up its codes', async () => {
  const iris = await aCustomer(place.database);
  await begin(iris);
  await sql`
    INSERT INTO codes (id, person_id, purpose, code_hash, expires_at, superseded_at)
    SELECT gen_random_uuid(), ${iris.id}, 'reset', '\\x00', now(), now() FROM generate_series(1, 30)`.execute(
    place.database.reader,
  );
  await pass(iris, 45);
  expect(await resend(iris)).toEqual({ nothing: true });
  expect(await resend(iris)).toEqual({ waitSeconds: 45 });
});

test('a stranger who asks for resends all the time cannot use up the codes of an account', async () => {
  const iris = await aCustomer(place.database);
  for (let i = 0; i < 40; i++) {
    await resend(iris);
    await pass(iris, 46);
  }
  expect('code' in (await begin(iris))).toBe(true);
});

test('a forgotten password sends one code in 45 seconds and five an hour, and never says so', async () => {
  const iris = await aCustomer(place.database);
  let sent = 0;
  for (let i = 0; i < 10; i++) {
    if ('code' in (await forget(iris))) sent++;
    expect(await forget(iris)).toEqual({ nothing: true });
    await pass(iris, 46);
  }
  expect(sent).toBe(5);
  expect('code' in (await begin(iris))).toBe(true);
  expect(await forget(nobody())).toEqual({ nothing: true });
});

test('what is remembered about an address does not hold the address', async () => {
  const person = nobody();
  await resend(person);
  const remembered = await sql<{ row: string }>`
    SELECT a::text AS row FROM address_attempts a WHERE address_key = ${keyOf(person)}`.execute(
    place.database.reader,
  );
  expect(remembered.rows).toHaveLength(1);
  expect(remembered.rows[0]!.row).not.toContain('nobody');
});
