/** The bank's keys: one secret, one key per purpose, and the storage of a local bank's secret. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deriveSecrets, readOrCreateLocalSecret } from './secrets.ts';

const keysOf = (secret: string) =>
  Object.values(deriveSecrets(secret)).map(key => Buffer.from(key).toString('hex'));

test('each purpose has its own key, which depends only on the secret [RC-30]', () => {
  const keys = keysOf('a secret of 32 characters or more');
  expect(keys.length).toBeGreaterThan(3);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(keysOf('a secret of 32 characters or more')).toEqual(keys);
  expect(new Set([...keys, ...keysOf('another secret of 32 characters')]).size).toBe(keys.length * 2);
});

test('a local bank generates its secret once and stores it in its data directory, readable by the owner only [RC-16, RC-31]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'larkspur-secret-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  const secret = readOrCreateLocalSecret(dataDir);
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(readOrCreateLocalSecret(dataDir)).toBe(secret);
  expect(readOrCreateLocalSecret(join(folder, 'other'))).not.toBe(secret);
  expect(statSync(join(dataDir, 'secrets', 'app-secret')).mode & 0o077).toBe(0);
});
