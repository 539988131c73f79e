/**
 * The bank's keys. Each has one purpose and is derived from the bank's secret (HKDF, RFC 5869), with a former version for each
 * former secret.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { draftSuffix } from './base/durableFiles.ts';
import { type Key, makeKey } from './base/keys.ts';
import { type Config, SettingsError } from './config.ts';

export type Secrets = {
  tokenKeyCustomer: Key;
  tokenKeyAdmin: Key;
  /** Encrypts password hashes at rest, so passwords cannot be guessed from a stolen database alone. */
  pepper: Key;
  /** The HMAC key for codes, emails, links in mails and passkey challenges. Also encrypts the personal data of mail jobs. */
  codeKey: Key;
  /** Encrypts people's keys. */
  personKey: Key;
  /** The HMAC key for the seals of the audit log and of the balances. */
  sealKey: Key;
  /** The HMAC key for the hashes by which the audit log recognizes a repeated query. */
  queryKey: Key;
  /** Derives the keys of the files with copies of customers' data. */
  exportKey: Key;
  /** The private key that identifies the bank to push services (VAPID). */
  pushKey: Key;
  /** Derives the password of the server's PostgreSQL login. */
  databaseKey: Key;
};

/** The current secret, then the former ones that were not dropped yet. */
export type AppSecrets = readonly [current: string, ...former: string[]];

/** Derives every key. */
export function deriveSecrets(...secrets: AppSecrets): Secrets {
  const key = (purpose: string) => makeKey(secrets, purpose);
  return {
    tokenKeyCustomer: key('customer tokens'),
    tokenKeyAdmin: key('administrator tokens'),
    pepper: key('password pepper'),
    codeKey: key('one-time codes'),
    personKey: key('keys of people'),
    sealKey: key('audit seals'),
    queryKey: key('audited queries'),
    exportKey: key('copies of customer data'),
    pushKey: key('push services'),
    databaseKey: key('database login'),
  };
}

/** The file with the secrets of a local bank, one on each line, the current one first. */
const localFile = (dataDir: string) => join(dataDir, 'secrets', 'app-secret');

/**
 * The secrets of this bank. Makes the secret of a local bank if it has none. Throws `SettingsError` in production without
 * APP_SECRET.
 */
export function readAppSecrets(config: Config): AppSecrets {
  const given = findSecrets(config);
  if (given) return given;
  if (config.production)
    throw new SettingsError('APP_SECRET is missing: with DATABASE_URL, give the secret of the bank.');
  return readOrCreateLocalSecrets(config.dataDir);
}

/** The keys of this bank, derived from `readAppSecrets`. */
export const readSecrets = (config: Config): Secrets => deriveSecrets(...readAppSecrets(config));

/** The secrets of the settings, or those that a local bank has stored; undefined if there are none. */
export function findSecrets({
  appSecret,
  formerAppSecrets,
  production,
  dataDir,
}: Config): AppSecrets | undefined {
  if (appSecret !== undefined) return [appSecret, ...formerAppSecrets];
  return production ? undefined : readLocalSecrets(dataDir);
}

/** The secrets in a data directory; undefined if there are none. */
export function readLocalSecrets(dataDir: string): AppSecrets | undefined {
  const file = localFile(dataDir);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return lines[0] === undefined ? undefined : [lines[0], ...lines.slice(1)];
}

/** The secrets of a local bank: the first one is generated once and stored in `dataDir`, readable by the owner only. */
export function readOrCreateLocalSecrets(dataDir: string): AppSecrets {
  const existing = readLocalSecrets(dataDir);
  if (existing) return existing;
  const created: AppSecrets = [makeSecret()];
  storeLocalSecrets(dataDir, created);
  return created;
}

export const makeSecret = (): string => randomBytes(32).toString('base64url');

/** Replaces the secrets of a local bank atomically. */
export function storeLocalSecrets(dataDir: string, secrets: AppSecrets): void {
  const file = localFile(dataDir);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = file + draftSuffix;
  rmSync(draft, { force: true });
  writeFileSync(draft, secrets.map(secret => `${secret}\n`).join(''), { mode: 0o600, flush: true });
  renameSync(draft, file);
  if (process.platform === 'win32') return;
  // The rename must survive a power failure, because the database may need the new secret from its next commit on.
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
