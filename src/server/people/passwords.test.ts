/** Passwords: attacks by someone who can read or write the table fail, and a flood of checks does not block other people. */
import { hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { toKey } from '#server/base/keys.ts';
import { newId } from '#server/base/uuid.ts';
import { testAppSecret } from '../../../tests/cluster.ts';
import { DecryptionFailed, decrypt, encrypt } from '../base/encryption.ts';
import { deriveSecrets } from '../secrets.ts';
import { bySession, byVisitor, checkPassword, type HashRequest, hashPassword } from './passwords.ts';

const keys = deriveSecrets(testAppSecret);
const personId = newId();

test('a correct password matches and a wrong one does not', async () => {
  const passwordHash = await hashPassword(keys, 'customer', personId, '482913');
  const stored = { personId, passwordHash };
  expect(await checkPassword(keys, 'customer', stored, '482913')).toEqual({
    isRight: true,
    isOutdated: false,
  });
  expect((await checkPassword(keys, 'customer', stored, '482914')).isRight).toBe(false);
});

test('no password matches if none is stored', async () => {
  expect((await checkPassword(keys, 'customer', undefined, '482913')).isRight).toBe(false);
  expect((await checkPassword(keys, 'admin', undefined, '')).isRight).toBe(false);
});

test('the stored form does not show the argon2 hash, and differs each time the same password is stored', async () => {
  const first = await hashPassword(keys, 'customer', personId, '482913');
  const second = await hashPassword(keys, 'customer', personId, '482913');
  expect(first.equals(second)).toBe(false);
  expect(first.toString('latin1')).not.toContain('argon2');
  expect(first[0]).toBe(2);
});

test("a customer's hash is argon2id with 47104 KiB, one pass and 16 bytes of salt", async () => {
  const phc = decrypt(keys.pepper, personId, await hashPassword(keys, 'customer', personId, '482913'));
  expect(phc).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
});

test("an administrator's hash has three passes over 65536 KiB", async () => {
  const phc = decrypt(keys.pepper, personId, await hashPassword(keys, 'admin', personId, 'long enough'));
  expect(phc).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
});

test('a hash copied into another row cannot be used', async () => {
  const passwordHash = await hashPassword(keys, 'customer', personId, '482913');
  const stored = { personId: newId(), passwordHash };
  await expect(checkPassword(keys, 'customer', stored, '482913')).rejects.toThrow();
});

test('without the pepper no password can be compared; a password stored with a former pepper matches and is reported as outdated [KY-03]', async () => {
  const passwordHash = await hashPassword(keys, 'customer', personId, '482913');
  const stored = { personId, passwordHash };
  const other = toKey(new Uint8Array(32));
  await expect(checkPassword({ pepper: other }, 'customer', stored, '482913')).rejects.toThrow(
    DecryptionFailed,
  );
  const rotated = { pepper: [...other, ...keys.pepper] as const };
  expect(await checkPassword(rotated, 'customer', stored, '482913')).toEqual({
    isRight: true,
    isOutdated: true,
  });
  expect((await checkPassword(rotated, 'customer', stored, '482914')).isRight).toBe(false);
});

test('a hash with old cost parameters matches and is reported as outdated', async () => {
  const phc = await hash('482913', { memoryCost: 8192, timeCost: 1 });
  const stored = { personId, passwordHash: encrypt(keys.pepper, personId, phc) };
  expect(await checkPassword(keys, 'customer', stored, '482913')).toEqual({
    isRight: true,
    isOutdated: true,
  });
});

test('logins that find the queue full are refused as busy instead of being hashed', async () => {
  const attempts = await Promise.allSettled(
    Array.from({ length: 60 }, () => checkPassword(keys, 'customer', undefined, '482913')),
  );
  const refused = attempts.filter(attempt => attempt.status === 'rejected').map(attempt => attempt.reason);
  expect(refused).toHaveLength(60 - 22);
  for (const reason of refused) expect(reason).toBeInstanceOf(Refusal);
  expect(new Set(refused.map(reason => reason.code))).toEqual(new Set(['BUSY']));
});

test.each([
  ['a flood of logins', 'a customer with a session', 'visitor', 'session'],
  ['a flood from sessions', 'a customer who logs in', 'session', 'visitor'],
] as const)('%s does not block %s', async (_, __, flooded, other) => {
  const check = (queue: 'visitor' | 'session') =>
    checkPassword(keys, 'customer', undefined, '482913', { queue });
  const flood = Promise.allSettled(Array.from({ length: 70 }, () => check(flooded)));
  await expect(check(flooded)).rejects.toThrow(Refusal);
  expect((await check(other)).isRight).toBe(false);
  await flood;
});

test('a single changed bit in encrypted data is detected', () => {
  const encrypted = encrypt(keys.pepper, 'its owner', 'a text');
  expect(decrypt(keys.pepper, 'its owner', encrypted)).toBe('a text');
  for (const at of [1, 13, encrypted.length - 1]) {
    const changed = Buffer.from(encrypted);
    changed[at]! ^= 1;
    expect(() => decrypt(keys.pepper, 'its owner', changed)).toThrow();
  }
});

describe.each<[string, (n: number) => HashRequest, HashRequest]>([
  [
    'many logins from known devices in one network',
    () => byVisitor('203.0.113.1', true),
    byVisitor('203.0.113.9', true),
  ],
  ['many networks of one IPv6 /48', n => byVisitor(`2001:db8:0:${n}::1`), byVisitor('203.0.113.9')],
  [
    'many customers with a session in one network',
    () => bySession('customer', '203.0.113.1'),
    bySession('customer', '203.0.113.2'),
  ],
  [
    'customers in many networks',
    n => bySession('customer', `203.0.113.${n}`),
    bySession('admin', '203.0.113.99'),
  ],
])('hashing passwords for %s', (_, flood, other) => {
  test('does not make the bank refuse to hash the passwords of others', async () => {
    const flooding = Array.from({ length: 70 }, (_, n) =>
      hashPassword(keys, 'customer', personId, '482913', flood(n)).catch((error: unknown) => error),
    );
    await expect(hashPassword(keys, 'customer', personId, '482913', other)).resolves.toBeInstanceOf(Buffer);
    expect((await Promise.all(flooding)).filter(done => done instanceof Refusal).length).toBeGreaterThan(0);
  });
});
