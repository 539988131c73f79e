/** Forged, changed and stolen tokens against a running bank: all of them are refused. */
import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { newId } from '#server/base/uuid.ts';
import { expectRefused } from '../../../tests/expectRefused.ts';
import { testSecrets } from '../../../tests/person.ts';
import { type SeededCustomer, seedCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { makeTokens } from './tokens.ts';

let bank: TestBank;
let anna: SeededCustomer;
let ben: SeededCustomer;
type Claims = Record<string, unknown>;

/** The header of the bank's own tokens. */
let header: Claims;
let keys: { customer: Uint8Array; admin: Uint8Array };
beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off' });
  const { database, tokens, secrets } = bank.bank.parts;
  [anna, ben] = [await seedCustomer(database, tokens), await seedCustomer(database, tokens)];
  const { tokenKeyCustomer, tokenKeyAdmin } = secrets;
  keys = { customer: tokenKeyCustomer[0].bytes, admin: tokenKeyAdmin[0].bytes };
  header = { alg: 'HS256', typ: 'at+jwt', kid: tokenKeyCustomer[0].id };
});
afterAll(() => bank.close());

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const seconds = () => Math.floor(Date.now() / 1000);

/** The claims that the bank itself would issue for Anna. */
const claims = (): Claims => ({
  iss: 'larkspur-bank',
  aud: 'customer',
  sub: anna.customerId,
  sid: anna.sessionId,
  iat: seconds(),
  exp: seconds() + 3600,
});

/** A token with the given claims, signed with the bank's own key by default. */
function sign(
  changed: Claims = {},
  head: Claims = header,
  key: Uint8Array = keys.customer,
  hash = 'sha256',
): string {
  const text = `${encode(head)}.${encode({ ...claims(), ...changed })}`;
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`;
}

/** A signed token whose header and payload are arbitrary text. */
function signText(head: string, payload: string): string {
  const text = `${encode(head)}.${encode(payload)}`;
  return `${text}.${createHmac('sha256', keys.customer).update(text).digest('base64url')}`;
}

const askWith = (authorization: string, path: string = transactionsApi.balance.path) =>
  fetch(`${bank.url}${path}`, { headers: { authorization } });
const ask = (token: string, path?: string) => askWith(`Bearer ${token}`, path);

test('an unchanged token of these tests is accepted', async () => {
  expect((await ask(anna.token)).status).toBe(200);
  expect((await ask(sign())).status).toBe(200);
});

describe('without the key', () => {
  test('a token whose signature is missing, cut off, or made with another key or algorithm is refused', async () => {
    const [head, payload, signature] = anna.token.split('.') as [string, string, string];
    const none = (alg: string) => `${encode({ ...header, alg })}.${payload}`;
    const forged: Record<string, string> = {
      'alg none': `${none('none')}.`,
      'alg None with a signature': `${none('None')}.${signature}`,
      'no signature': `${head}.${payload}.`,
      'two parts': `${head}.${payload}`,
      'five parts': `${head}.${payload}.${signature}.${signature}.x`,
      'another key': sign({}, header, randomBytes(32)),
      'an empty key': sign({}, header, Buffer.from([0])),
      "the administrators' key": sign({}, header, keys.admin),
      'HS512 with the right key': sign({}, { ...header, alg: 'HS512' }, keys.customer, 'sha512'),
      'RS256 in name only': sign({}, { ...header, alg: 'RS256' }),
      'a trailing dot': `${anna.token}.`,
      'a changed signature': `${head}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      "another customer's payload": `${head}.${ben.token.split('.')[1]}.${signature}`,
      'a changed payload': `${head}.${encode({ ...claims(), sub: ben.customerId })}.${signature}`,
      'a payload that is not JSON': `${head}.${encode('nonsense')}.${signature}`,
      'a payload that is null': `${head}.${encode('null')}.${signature}`,
      'a payload of another type': `${head}.${encode('"customer"')}.${signature}`,
      'three dots': '...',
      'two dots': '..',
      'only its payload': payload,
    };
    for (const [what, token] of Object.entries(forged))
      await expectRefused(what, await ask(token), 'NOT_AUTHORIZED');
  });

  test('a key in the token’s header is ignored', async () => {
    const key = randomBytes(32);
    const jwk = { kty: 'oct', k: Buffer.from(key).toString('base64url') };
    for (const more of [
      { jwk },
      { jku: 'https://evil.example/keys' },
      { x5u: 'https://evil.example/cert' },
      { kid: '../../dev/null' },
      { kid: "x' UNION SELECT 'key" },
    ]) {
      const token = sign({}, { ...header, ...more }, key);
      await expectRefused(JSON.stringify(more), await ask(token), 'NOT_AUTHORIZED');
    }
  });

  test('a token is accepted only in the exact form of the Authorization header', async () => {
    for (const authorization of [
      anna.token,
      `bearer${anna.token}`,
      `Bearer  ${anna.token}`,
      `Bearer ${anna.token} ${anna.token}`,
      `Bearer ${anna.token}, Bearer ${anna.token}`,
      `Bearer ${anna.token}=`,
      `Token ${anna.token}`,
      `Bearer "${anna.token}"`,
      `Bearer ${'x'.repeat(12_000)}`,
      `Bearer ${anna.token}${'.x'.repeat(2000)}`,
    ]) {
      await expectRefused(authorization.slice(0, 60), await askWith(authorization), 'NOT_AUTHORIZED');
    }
  });
});

describe('even with the key', () => {
  test('a token must have every claim with the right type and value', async () => {
    const wrong: Record<string, Claims> = {
      'no exp': { exp: undefined },
      'exp as text': { exp: String(seconds() + 3600) },
      'no iat': { iat: undefined },
      'issued tomorrow': { iat: seconds() + 86_400 },
      'not yet valid': { nbf: seconds() + 600 },
      'no aud': { aud: undefined },
      'aud admin': { aud: 'admin' },
      'aud of both': { aud: ['customer', 'admin'] },
      'aud as a list': { aud: ['customer'] },
      'aud unknown': { aud: '__proto__' },
      'another issuer': { iss: 'https://evil.example' },
      'no issuer': { iss: undefined },
      'no sub': { sub: undefined },
      'no sid': { sid: undefined },
      'sid as a number': { sid: 1 },
    };
    for (const [what, changed] of Object.entries(wrong))
      await expectRefused(what, await ask(sign(changed)), 'NOT_AUTHORIZED');
    for (const head of [
      { alg: 'HS256', typ: 'JWT' },
      { alg: 'HS256' },
      { ...header, crit: ['x'], x: 1 },
      { ...header, b64: false, crit: ['b64'] },
    ])
      await expectRefused(JSON.stringify(head), await ask(sign({}, head)), 'NOT_AUTHORIZED');
    await expectRefused('expired', await ask(sign({ exp: seconds() - 61 })), 'TOKEN_EXPIRED');
    const old = { iat: seconds() - 10 * 86_400 };
    await expectRefused('issued long ago', await ask(sign(old)), 'TOKEN_EXPIRED');
    await expectRefused('without an end', await ask(sign({ exp: 1e308, iat: 0 })), 'TOKEN_EXPIRED');
  });

  test('an unknown session, or another customer’s, is refused [ST-19]', async () => {
    for (const [what, changed] of Object.entries({
      'an unknown session': { sid: newId() },
      'a session that is not an id': { sid: "x' OR 1=1--" },
      'a session with a NUL character': { sid: 'a\u0000b' },
      "Ben's session": { sid: ben.sessionId },
      'Ben as a person': { sub: ben.customerId },
    }))
      await expectRefused(what, await ask(sign(changed)), 'NOT_AUTHORIZED');
  });

  test('if a claim is given twice, the last one counts and must match the session', async () => {
    const twice = JSON.stringify(claims()).replace('"sub":', `"sub":"${ben.customerId}","sub":`);
    expect((await ask(signText(JSON.stringify(header), twice))).status).toBe(200);
    const last = JSON.stringify(claims()).replace(
      `"sub":"${anna.customerId}"`,
      `"sub":"x","sub":"${ben.customerId}"`,
    );
    await expectRefused('twice', await ask(signText(JSON.stringify(header), last)), 'NOT_AUTHORIZED');
  });

  test('a token with a customer’s key never has an administrator’s rights [ST-24]', async () => {
    for (const changed of [{ aud: 'admin' }, { role: 'admin' }, { isAdmin: true, kind: 'admin' }]) {
      const token = sign(changed);
      const answer = await ask(token, adminApi.pendingApprovals.path);
      const isCustomer = !('aud' in changed);
      await expectRefused(JSON.stringify(changed), answer, isCustomer ? 'FORBIDDEN' : 'NOT_AUTHORIZED');
    }
    const asAdmin = sign({ aud: 'admin' }, header, keys.admin);
    await expectRefused(
      'a session of a customer',
      await ask(asAdmin, adminApi.pendingApprovals.path),
      'NOT_AUTHORIZED',
    );
  });
});

test('the clocks of two processes may differ by a minute; within that minute, the database decides whether a session is live [RC-65]', async () => {
  // The first token looks as if a process with a fast clock had issued it. The second has expired by this process's clock, as
  // it would if that clock were fast.
  expect((await ask(sign({ iat: seconds() + 55, exp: seconds() + 3655 }))).status).toBe(200);
  const lastMinute = () => sign({ exp: seconds() - 30 });
  expect((await ask(lastMinute())).status).toBe(200);
  const late = await seedCustomer(bank.bank.parts.database, bank.bank.parts.tokens);
  await bank.test.database.ownerPool.query('UPDATE sessions SET expires_at = now() WHERE id = $1', [
    late.sessionId,
  ]);
  const ended = sign({ sub: late.customerId, sid: late.sessionId, exp: seconds() - 30 });
  await expectRefused('ended by the database', await ask(ended), 'TOKEN_EXPIRED');
});

test('a token is accepted until a minute after it expires and refused from then on, even by a process that has cached it [C-25, ST-18]', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const [tokens, other] = [makeTokens(testSecrets), makeTokens(testSecrets)];
  const who = { personId: anna.customerId, sessionId: anna.sessionId };
  const issued = { kind: 'customer', ...who, browser: undefined } as const;
  const token = await tokens.issue({ ...issued, expiresAt: new Date(Date.now() + 2000) });
  const { exp } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { exp: number };
  expect(await tokens.verify(token)).toMatchObject(issued);
  vi.setSystemTime((exp + 60) * 1000 - 1);
  expect(await tokens.verify(token)).toMatchObject(issued);
  vi.setSystemTime((exp + 60) * 1000);
  for (const each of [tokens, other])
    await expect(each.verify(token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
});
