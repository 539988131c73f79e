/** The bank's keys. Each has one purpose and is derived from one secret (HKDF, RFC 5869). */
import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
  /** Derives the password of the server's PostgreSQL login. */
  databaseKey: Uint8Array;
};

/** Derives every key from `appSecret`. */
export function deriveSecrets(appSecret: string): Secrets {
  const key = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', appSecret, 'larkspur-bank', purpose, 32));
  return {
    tokenKeyCustomer: key('customer tokens'),
    tokenKeyAdmin: key('administrator tokens'),
    pepper: key('password pepper'),
    hashKey: key('password hashes at rest'),
    codeKey: key('one-time codes'),
    databaseKey: key('database login'),
  };
}

/** The secret of a local instance: generated once and stored in `dataDir`, readable by the owner only. */
export function readOrCreateLocalSecret(dataDir: string): string {
  const folder = join(dataDir, 'secrets');
  const file = join(folder, 'app-secret');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const secret = randomBytes(32).toString('base64url');
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  return secret;
}
