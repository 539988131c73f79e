/**
 * Passwords at rest: argon2id (RFC 9106). The resulting PHC string is encrypted with a pepper that is not in the database, and
 * bound to its person. Because the pepper encrypts the hash, the pepper can be rotated without the passwords. If the pepper
 * were hashed with the password, it could not be rotated. A check does the same work for unknown people as for known ones.
 */
import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { networkGroup } from '../base/addressGroup.ts';
import { type CallSource, limitConcurrency } from '../base/concurrency.ts';
import { decrypt, encrypt, isCurrent } from '../base/encryption.ts';
import type { Key } from '../base/keys.ts';
import type { PersonKind } from '../db/personKind.ts';
import { passwordCosts } from './passwordCosts.ts';

/** The key that passwords need; part of the server's secrets. */
export type PasswordKeys = { readonly pepper: Key };

/**
 * By design, a hash uses a whole core and much memory. So a flood is queued and refused here before it uses up the processor.
 * Visitors and people with a session have separate queues, and neither can fill the other's. Within a queue, each network has a
 * share. Slots alternate between trusted requests (from known devices and administrators) and others. Workers share the cores,
 * so each runs fewer hashes at a time.
 */
const hashQueues = {
  visitor: limitConcurrency({ maxRunning: cluster.isWorker ? 1 : 2, maxWaiting: 20, waitTime: 1 }),
  session: limitConcurrency({ maxRunning: 1, maxWaiting: 60, waitTime: 1 }),
} as const;

/**
 * The source of a hash request. `queue`: 'visitor' for logins, registrations and password resets, 'session' for people with a
 * session.
 */
export type HashRequest = CallSource & { queue: keyof typeof hashQueues };

/** A visitor's request. `isTrusted`: from a known device. */
export const byVisitor = (address: string, isTrusted = false): HashRequest => ({
  queue: 'visitor',
  group: networkGroup(address),
  isTrusted,
});

/**
 * The request of a person with a session. Customers, however many they are, cannot fill the administrators' places. Customers
 * are grouped by network, because one person can register any number of accounts.
 */
export const bySession = (kind: PersonKind, address: string): HashRequest => ({
  queue: 'session',
  group: networkGroup(address),
  isTrusted: kind === 'admin',
});

const argon2id = 2;
const outputLen = 32;
const saltBytes = 16;

const prepare = (password: string) => password.normalize('NFC');

/** Hashes a new password for storage. Refuses `BUSY` if the queue is full. */
export async function hashPassword(
  keys: PasswordKeys,
  kind: PersonKind,
  personId: string,
  password: string,
  request: HashRequest = { queue: 'visitor' },
): Promise<Buffer> {
  const work = () =>
    hash(prepare(password), {
      ...passwordCosts[kind],
      algorithm: argon2id,
      outputLen,
      salt: randomBytes(saltBytes),
    });
  const phc = await hashQueues[request.queue](work, request);
  return encrypt(keys.pepper, personId, phc);
}

/** A fake hash for people who do not exist: checking it takes as long as a real one, and it never matches. */
function decoy(kind: PersonKind): string {
  const { memoryCost, timeCost, parallelism } = passwordCosts[kind];
  const base64 = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(saltBytes)}$${base64(outputLen)}`;
}

/** A stored hash that no password matches. */
export const unmatchableHash = (keys: PasswordKeys, kind: PersonKind, personId: string): Buffer =>
  encrypt(keys.pepper, personId, decoy(kind));

/**
 * Whether `password` matches the stored hash. Without a stored hash it does the same work and returns false. `isOutdated`:
 * the stored hash has other cost parameters than the current ones, or a former pepper. Refuses `BUSY` if the queue is full.
 */
export async function checkPassword(
  keys: PasswordKeys,
  kind: PersonKind,
  stored: { personId: string; passwordHash: Uint8Array } | undefined,
  password: string,
  request: HashRequest = { queue: 'visitor' },
): Promise<{ isRight: boolean; isOutdated: boolean }> {
  const phc = stored ? decrypt(keys.pepper, stored.personId, stored.passwordHash) : decoy(kind);
  const work = () => verify(phc, prepare(password));
  const matches = await hashQueues[request.queue](work, request);
  const isOld = stored !== undefined && !isCurrent(keys.pepper, stored.passwordHash);
  return { isRight: matches && stored !== undefined, isOutdated: isOld || isOutdated(kind, phc) };
}

function isOutdated(kind: PersonKind, phc: string): boolean {
  const made = parseOptions(phc);
  const { memoryCost, timeCost, parallelism } = passwordCosts[kind];
  return (
    made.memoryCost !== memoryCost ||
    made.timeCost !== timeCost ||
    made.parallelism !== parallelism ||
    made.outputLen !== outputLen ||
    made.saltLen !== saltBytes
  );
}
