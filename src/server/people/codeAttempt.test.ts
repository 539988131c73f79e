/** The code step: five attempts per code, a lock after ten wrong codes, one use per code. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { otherThan } from '../../../tests/otherThan.ts';
import { aCustomer, anAdministrator, testKeys, testSecrets } from '../../../tests/person.ts';
import { toAddressKey } from './addressKey.ts';
import { type CodeAnswer, tryCode } from './codeAttempt.ts';
import { type CodePurpose, decryptCode, encryptCode, issueCode, issueTicket, voidCodes } from './codes.ts';
import { type Browser, clearCounts, clearDevices } from './knownDevices.ts';
import { lockCredentials } from './lockout.ts';

const { codeKey } = testSecrets;
const context = { secrets: testSecrets, keys: testKeys };
let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await cloneDatabase();
});
afterAll(() => testDatabase.drop());

function issue(personId: string, purpose: CodePurpose = 'login', browser?: Browser): Promise<string> {
  return testDatabase.database.inTransaction(tx => issueCode(tx, codeKey, { personId, purpose, browser }));
}

function guess(
  personId: string | undefined,
  code: string,
  purpose: CodePurpose = 'login',
  browser?: Browser,
): Promise<CodeAnswer> {
  const addressKey = toAddressKey(codeKey, 'customer-login', 'someone@mail.example');
  return testDatabase.database.inTransaction(tx =>
    tryCode(tx, context, {
      kind: 'customer',
      personId,
      addressKey,
      purpose,
      browser,
      code,
      address: '192.0.2.7',
    }),
  );
}

async function locksOf(personId: string, browser?: Browser): Promise<{ login: boolean; reset: boolean }> {
  const held = await testDatabase.database.inTransaction(tx => lockCredentials(tx, personId, browser));
  return { login: held!.isLocked, reset: held!.isResetLocked };
}

const isLocked = async (personId: string) => (await locksOf(personId)).login;

async function guessWrong(
  personId: string,
  times: number,
  purpose: CodePurpose = 'login',
  browser?: Browser,
): Promise<CodeAnswer[]> {
  const answers: CodeAnswer[] = [];
  let code = '';
  for (let i = 0; i < times; i++) {
    if (i % 5 === 0) code = await issue(personId, purpose, browser);
    answers.push(await guess(personId, otherThan(code, i + 1), purpose, browser));
  }
  return answers;
}

test('the mailed code works once', async () => {
  const { id } = await aCustomer(testDatabase.database);
  const code = await issue(id);
  expect(code).toMatch(/^\d{6}$/);
  expect(await guess(id, code)).toEqual({ isRight: true, method: 'email', personId: id });
  expect(await guess(id, code)).toEqual({ isRight: false, notifiesOwner: false });
});

test('codes come from the whole range, with leading zeros [ST-26]', async () => {
  const { id } = await aCustomer(testDatabase.database);
  const codes = await testDatabase.database.inTransaction(async tx => {
    const drawn: string[] = [];
    for (let i = 0; i < 300; i++)
      drawn.push(await issueCode(tx, codeKey, { personId: id, purpose: 'login', browser: undefined }));
    return drawn;
  });
  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  expect(new Set(codes.map(code => code[0])).size).toBe(10);
  expect(new Set(codes).size).toBeGreaterThan(290);
});

test('the database does not contain the code [ST-27]', async () => {
  const { id } = await aCustomer(testDatabase.database);
  const code = await issue(id);
  const found = await sql<{ row: string }>`
    SELECT c::text || encode(code_hash, 'escape') AS row FROM codes c WHERE person_id = ${id}`.execute(
    testDatabase.database.reader,
  );
  expect(found.rows[0]!.row).not.toContain(code);
});

test('a code expires after five minutes by the database clock [ST-28]', async () => {
  const { id } = await aCustomer(testDatabase.database);
  const code = await issue(id);
  const expireIn = (seconds: number) =>
    sql`UPDATE codes SET expires_at = now() + make_interval(secs => ${seconds}) WHERE person_id = ${id}`.execute(
      testDatabase.database.reader,
    );
  const life = await sql<{ s: number }>`
    SELECT extract(epoch FROM expires_at - created_at)::int AS s FROM codes WHERE person_id = ${id}`.execute(
    testDatabase.database.reader,
  );
  expect(life.rows[0]!.s).toBe(300);
  await expireIn(-1);
  expect((await guess(id, code)).isRight).toBe(false);
  await expireIn(30);
  expect((await guess(id, code)).isRight).toBe(true);
});

test('a newer code voids the older one, and a voided code no longer works [ST-30]', async () => {
  const { id } = await aCustomer(testDatabase.database);
  const older = await issue(id);
  const newer = await issue(id);
  if (older !== newer) expect((await guess(id, older)).isRight).toBe(false);
  await testDatabase.database.inTransaction(tx => voidCodes(tx, id));
  expect((await guess(id, newer)).isRight).toBe(false);
});

test('the correct code is refused after five wrong ones [ST-29]', async () => {
  const { id } = await aCustomer(testDatabase.database);
  const code = await issue(id);
  for (let i = 1; i <= 5; i++) await guess(id, otherThan(code, i));
  expect(await guess(id, code)).toEqual({ isRight: false, notifiesOwner: false });
  expect(await isLocked(id)).toBe(false);
});

test('only five of 200 parallel guesses are compared [ST-29, ST-49]', async () => {
  const { id } = await aCustomer(testDatabase.database);
  const code = await issue(id);
  // On a slow machine some guesses are refused as busy; those are not compared.
  await Promise.allSettled(Array.from({ length: 200 }, (_, i) => guess(id, otherThan(code, i + 1))));
  const compared = await sql<{ attempts: number; wrong: bigint }>`
    SELECT attempts, (SELECT count(*) FROM audit_log WHERE subject = ${id} AND data ->> 'reason' = 'wrong-code') AS wrong
      FROM codes WHERE person_id = ${id}`.execute(testDatabase.database.reader);
  expect(compared.rows[0]).toEqual({ attempts: 5, wrong: 5n });
  expect((await guess(id, code)).isRight).toBe(false);
});

test('only one of 100 parallel correct codes is accepted', async () => {
  const { id } = await aCustomer(testDatabase.database);
  const code = await issue(id);
  const answers = await Promise.allSettled(Array.from({ length: 100 }, () => guess(id, code)));
  expect(answers.filter(one => one.status === 'fulfilled' && one.value.isRight)).toHaveLength(1);
});

test('a code does not work for another customer or for another purpose', async () => {
  const [mine, yours] = [await aCustomer(testDatabase.database), await aCustomer(testDatabase.database)];
  const code = await issue(mine.id);
  await issue(yours.id);
  const answer = await guess(yours.id, code);
  expect(answer.isRight).toBe(false);
  expect((await guess(mine.id, code, 'reset')).isRight).toBe(false);
  expect((await guess(mine.id, code)).isRight).toBe(true);
});

test('ten wrong codes in a row lock the login, however many codes were sent, and the owner is notified once [ST-46]', async () => {
  const { id } = await aCustomer(testDatabase.database);
  const answers = await guessWrong(id, 9);
  expect(await isLocked(id)).toBe(false);
  const code = await issue(id);
  answers.push(await guess(id, otherThan(code)));
  expect(await isLocked(id)).toBe(true);
  expect(answers.map(answer => !answer.isRight && answer.notifiesOwner)).toEqual([
    ...Array(9).fill(false),
    true,
  ]);
  expect((await guess(id, code)).isRight).toBe(false);
});

test('a completed login resets the count of wrong codes [ST-48]', async () => {
  const { id } = await aCustomer(testDatabase.database);
  await guessWrong(id, 9);
  const code = await issue(id);
  expect((await guess(id, code)).isRight).toBe(true);
  await testDatabase.database.inTransaction(tx => clearCounts(tx, id, undefined));
  await guessWrong(id, 9);
  expect(await isLocked(id)).toBe(false);
});

test('guesses do not lock the login if there is no live code', async () => {
  const { id } = await aCustomer(testDatabase.database);
  for (let i = 0; i < 12; i++) await guess(id, '000000');
  expect(await isLocked(id)).toBe(false);
});

test('wrong login codes lock only the login, and wrong reset codes lock only the reset [ST-62]', async () => {
  const [iris, nora] = [await aCustomer(testDatabase.database), await aCustomer(testDatabase.database)];
  await guessWrong(iris.id, 10, 'login');
  expect(await locksOf(iris.id)).toEqual({ login: true, reset: false });
  expect((await guess(iris.id, await issue(iris.id, 'reset'), 'reset')).isRight).toBe(true);
  const answers = await guessWrong(nora.id, 10, 'reset');
  expect(answers.at(-1)).toEqual({ isRight: false, notifiesOwner: true });
  expect(await locksOf(nora.id)).toEqual({ login: false, reset: true });
  expect((await guess(nora.id, await issue(nora.id, 'reset'), 'reset')).isRight).toBe(false);
  expect((await guess(nora.id, await issue(nora.id))).isRight).toBe(true);
  const found = await sql<{ action: string }>`
    SELECT action FROM audit_log WHERE subject = ${nora.id} AND action LIKE '%.locked'`.execute(
    testDatabase.database.reader,
  );
  expect(found.rows).toEqual([{ action: 'reset.locked' }]);
});

test('a code works only in the browser that requested it, and guesses from elsewhere use up none of its attempts [ST-63]', async () => {
  const { id } = await aCustomer(testDatabase.database);
  const [mine, other] = [randomBytes(32), randomBytes(32)];
  const code = await issue(id, 'login', mine);
  const theirs = await issue(id, 'login', other);
  for (let i = 0; i < 12; i++) {
    expect((await guess(id, code, 'login', i % 2 ? other : undefined)).isRight).toBe(code === theirs);
  }
  expect((await guess(id, code, 'login', mine)).isRight).toBe(true);
});

test('a known device is locked by its own wrong codes but not by those from elsewhere, and after a reset only the browser that completed it is known [ST-60]', async () => {
  const { id } = await aCustomer(testDatabase.database);
  const [known, other] = [randomBytes(32), randomBytes(32)];
  await testDatabase.database.inTransaction(tx => clearCounts(tx, id, known));
  await guessWrong(id, 10, 'login', other);
  expect((await guess(id, await issue(id, 'login', other), 'login', other)).isRight).toBe(false);
  expect((await guess(id, await issue(id, 'login', known), 'login', known)).isRight).toBe(true);
  await guessWrong(id, 10, 'login', known);
  expect((await guess(id, await issue(id, 'login', known), 'login', known)).isRight).toBe(false);
  // A reset lifts every lock. Afterward only the browser that completed it is a known device.
  await testDatabase.database.inTransaction(tx => clearDevices(tx, id, other));
  await guessWrong(id, 10, 'login');
  expect(await locksOf(id, known)).toEqual({ login: true, reset: false });
  expect(await locksOf(id, other)).toEqual({ login: false, reset: false });
});

test('the audit log distinguishes a wrong reset code from a wrong login code', async () => {
  const { id } = await aCustomer(testDatabase.database);
  await guess(id, otherThan(await issue(id, 'login')), 'login');
  await guess(id, otherThan(await issue(id, 'reset')), 'reset');
  const found = await sql<{ action: string; data: object }>`
    SELECT action, data FROM audit_log WHERE subject = ${id} ORDER BY id`.execute(
    testDatabase.database.reader,
  );
  expect(found.rows).toEqual([
    { action: 'login.failed', data: { reason: 'wrong-code', purpose: 'login' } },
    { action: 'reset.failed', data: { reason: 'wrong-code', purpose: 'reset' } },
  ]);
});

test('a code for an unknown person gets the same answer as a wrong code', async () => {
  expect(await guess(undefined, '123456')).toEqual({ isRight: false, notifiesOwner: false });
});

test('a code in the mail queue decrypts only with its key', () => {
  const encrypted = encryptCode('004211', codeKey);
  expect(encrypted).not.toContain('004211');
  expect(decryptCode(encrypted, codeKey)).toBe('004211');
  expect(() => decryptCode(encrypted, testSecrets.pepper)).toThrow();
});

test('the ticket of an administrator’s login is not accepted as the code of the second step', async () => {
  const { id } = await anAdministrator(testDatabase.database);
  const ticket = await testDatabase.database.inTransaction(tx =>
    issueTicket(tx, codeKey, { personId: id, browser: undefined }),
  );
  const addressKey = toAddressKey(codeKey, 'admin-login', id);
  const guessed = { personId: id, addressKey, browser: undefined, code: ticket.split('.')[1]! };
  const answer = await testDatabase.database.inTransaction(tx =>
    tryCode(tx, context, { ...guessed, kind: 'admin', purpose: 'login', address: '192.0.2.7' }),
  );
  expect(answer.isRight).toBe(false);
});
