/** The bank's keys: one secret, one key per purpose, and the storage of a local bank's secret. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deriveSecrets, readOrCreateLocalSecrets } from './secrets.ts';

const keysOf = (secret: string) =>
  Object.values(deriveSecrets(secret)).map(([{ bytes }]) => Buffer.from(bytes).toString('hex'));

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
  const secrets = readOrCreateLocalSecrets(dataDir);
  expect(secrets[0].length).toBeGreaterThanOrEqual(32);
  expect(readOrCreateLocalSecrets(dataDir)).toEqual(secrets);
  expect(readOrCreateLocalSecrets(join(folder, 'other'))).not.toEqual(secrets);
  expect(statSync(join(dataDir, 'secrets', 'app-secret')).mode & 0o077).toBe(0);
});
