/** The bank's keys. Each has one purpose and is derived from one secret (HKDF, RFC 5869). */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deriveKey } from './base/keys.ts';
import { type Config, SettingsError } from './config.ts';

/** Each key has 32 bytes. */
export type Secrets = {
  tokenKeyCustomer: Uint8Array;
  tokenKeyAdmin: Uint8Array;
  /** Mixed into every password hash, so passwords cannot be guessed from a stolen database alone. */
  pepper: Uint8Array;
  /** Encrypts password hashes at rest. */
  hashKey: Uint8Array;
  /** Keys the stored form of one-time codes. */
  codeKey: Uint8Array;
  /** Keys the seals of the audit log and of the balances. */
  sealKey: Uint8Array;
  /** Keys the hashes by which the audit log recognizes a repeated query. */
  queryKey: Uint8Array;
  /** The private key that identifies the bank to push services (VAPID). */
  pushKey: Uint8Array;
  /** Derives the password of the server's PostgreSQL login. */
  databaseKey: Uint8Array;
};

/** Derives every key from `appSecret`. */
export function deriveSecrets(appSecret: string): Secrets {
  const key = (purpose: string) => deriveKey(appSecret, purpose);
  return {
    tokenKeyCustomer: key('customer tokens'),
    tokenKeyAdmin: key('administrator tokens'),
    pepper: key('password pepper'),
    hashKey: key('password hashes at rest'),
    codeKey: key('one-time codes'),
    sealKey: key('audit seals'),
    queryKey: key('audited queries'),
    pushKey: key('push services'),
    databaseKey: key('database login'),
  };
}

const localFile = (dataDir: string) => join(dataDir, 'secrets', 'app-secret');

/**
 * Derives the keys of the bank that the settings name, and makes a local bank's secret if there is none. Throws `SettingsError`
 * in production without APP_SECRET.
 */
export function readSecrets({ appSecret, production, dataDir }: Config): Secrets {
  if (appSecret === undefined && production)
    throw new SettingsError('APP_SECRET is missing: with DATABASE_URL, give the secret of the bank.');
  return deriveSecrets(appSecret ?? readOrCreateLocalSecret(dataDir));
}

/** The secret of a local instance, if it has one yet. */
export function readLocalSecret(dataDir: string): string | undefined {
  const file = localFile(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** The secret of a local instance: generated once and stored in `dataDir`, readable by the owner only. */
export function readOrCreateLocalSecret(dataDir: string): string {
  const existing = readLocalSecret(dataDir);
  if (existing !== undefined) return existing;
  const file = localFile(dataDir);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const secret = randomBytes(32).toString('base64url');
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  return secret;
}
