/**
 * Passkeys (WebAuthn Level 3). Every ceremony, WebAuthn's word for creating or using a passkey, requires user verification and
 * is bound to `PUBLIC_URL`. Challenges are signed instead of stored, so that showing a login page writes nothing. Once used, a
 * challenge is stored until it expires.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { bank, passkeys as rule } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import type { DecodedPasskey } from '#contract/factors.ts';
import * as factorsMessages from '#contract/messages/factors.ts';
import { fill } from '#contract/messages/fill.ts';
import type { CeremonyOptions, Credential } from '#contract/webAuthn.ts';
import { deriveKey, hmac, isHmac, type Key } from '../base/keys.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import type { PersonKind } from '../db/personKind.ts';
import { confirmsFrom, trustedFrom } from './factorTrust.ts';
import type { FactorKeys } from './secondFactors.ts';

/** `publicUrl`: the only origin that is accepted; its host is the relying party id. */
export type PasskeyContext = { publicUrl: string; secrets: { codeKey: Key }; keys: FactorKeys };

/** The kinds of authenticator whose makers' certificates the library has. */
const attested = ['android-key', 'android-safetynet', 'apple'] as const;

/**
 * The library takes a quarter of a second to load, so it is loaded at the first ceremony, not at startup. Its root certificates
 * are removed: the maker of an authenticator does not matter here, and to check the maker, the library would fetch revocation
 * lists from URLs in the client's certificate.
 */
async function loadLibrary() {
  const library = await import('@simplewebauthn/server');
  for (const identifier of attested)
    library.SettingsService.setRootCertificates({ identifier, certificates: [] });
  return library;
}

/** The longest id of a passkey (WebAuthn Level 3, 4). Much longer ones would not fit into an index of the database. */
const maxIdBytes = 1023;

/** Signature algorithms (COSE, RFC 9053): EdDSA, ES256, RS256. Every authenticator has at least one of them. */
const algorithms = [-8, -7, -257];

const rpIdOf = ({ publicUrl }: PasskeyContext) => new URL(publicUrl).hostname;

/** The person's id for authenticators. It is the same for all their passkeys and means nothing to others. */
async function userHandle({ keys }: PasskeyContext, personId: string): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(hmac(deriveKey(await keys.obtain(personId), 'user handle'), personId));
}

const challengeBytes = { time: 8, random: 16 } as const;

const challengeKey = ({ secrets }: PasskeyContext) => deriveKey(secrets.codeKey, 'passkey challenges');

const signed = (purpose: string, body: Uint8Array) => Buffer.concat([Buffer.from(`${purpose}\0`), body]);

/** A challenge that works for this purpose only, for five minutes. */
function makeChallenge(context: PasskeyContext, purpose: string): Uint8Array<ArrayBuffer> {
  const time = Buffer.alloc(challengeBytes.time);
  time.writeBigUInt64BE(BigInt(Date.now() + rule.challengeSeconds * 1000));
  const body = Buffer.concat([time, randomBytes(challengeBytes.random)]);
  return Uint8Array.from(Buffer.concat([body, hmac(challengeKey(context), signed(purpose, body))]));
}

/** Whether the bank made the challenge for this purpose, less than five minutes ago. */
function isChallenge(context: PasskeyContext, purpose: string, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  const body = bytes.subarray(0, challengeBytes.time + challengeBytes.random);
  const mac = bytes.subarray(body.length);
  if (!isHmac(challengeKey(context), signed(purpose, body), mac)) return false;
  return Number(body.readBigUInt64BE()) > Date.now();
}

/** Marks a challenge as used. Returns false if it was used before. */
async function claimChallenge(tx: Tx, clientDataJSON: string): Promise<boolean> {
  // Like the library, drops a byte order mark.
  const text = new TextDecoder().decode(Buffer.from(clientDataJSON, 'base64url'));
  const { challenge } = JSON.parse(text) as { challenge: string };
  const claimed = await sql`
    INSERT INTO used_challenges (challenge, expires_at)
    VALUES (${Buffer.from(challenge, 'base64url')}, now() + make_interval(secs => ${rule.challengeSeconds}))
        ON CONFLICT DO NOTHING`.execute(tx);
  return claimed.numAffectedRows === 1n;
}

/** Options with which a browser creates a passkey for this person. Refuses `CONFLICT` if the person already has the maximum. */
export async function startPasskey(
  reader: Reader,
  context: PasskeyContext,
  { personId, email, name }: { personId: string; email: string; name: string },
): Promise<CeremonyOptions> {
  const saved = await readCredentials(reader, personId);
  if (saved.length >= rule.max) throw tooMany();
  const { generateRegistrationOptions } = await loadLibrary();
  return {
    ...(await generateRegistrationOptions({
      rpName: bank.name,
      rpID: rpIdOf(context),
      userName: email,
      userDisplayName: name,
      userID: await userHandle(context, personId),
      challenge: makeChallenge(context, `create ${personId}`),
      supportedAlgorithmIDs: algorithms,
      timeout: rule.challengeSeconds * 1000,
      attestationType: 'none',
      excludeCredentials: saved,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })),
  };
}

/**
 * Saves a passkey that a browser created with the options of `startPasskey`. The caller has locked the person's credentials.
 * Refuses `VALIDATION` if the passkey is invalid, and `CONFLICT` if it is saved already or the person has the maximum.
 */
export async function savePasskey(
  tx: Tx,
  context: PasskeyContext,
  {
    personId,
    sessionId,
    credential,
    name,
  }: { personId: string; sessionId: string; credential: Credential; name: string },
): Promise<DecodedPasskey> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const verified = await verifyRegistrationResponse({
    response: credential as never,
    expectedChallenge: challenge => isChallenge(context, `create ${personId}`, challenge),
    expectedOrigin: context.publicUrl,
    expectedRPID: rpIdOf(context),
    supportedAlgorithmIDs: algorithms,
    requireUserVerification: true,
  }).catch(() => undefined);
  const invalid = () => new Refusal('VALIDATION', { message: factorsMessages.passkeyInvalid });
  if (!verified?.verified) throw invalid();
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential;
  const credentialId = Buffer.from(id, 'base64url');
  if (credentialId.length > maxIdBytes || !(await claimChallenge(tx, credential.response.clientDataJSON)))
    throw invalid();
  const saved = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM passkeys WHERE person_id = ${personId}`.execute(tx);
  if (saved.rows[0]!.n >= rule.max) throw tooMany();
  const passkeyId = newId();
  const added = await sql<{ createdAt: Date; confirmsFrom: Date | null }>`
    INSERT INTO passkeys (id, person_id, credential_id, public_key, counter, transports, name, trusted_at)
    VALUES (${passkeyId}, ${personId}, ${credentialId}, ${Buffer.from(publicKey)}, ${counter},
            ${readTransports(transports)}, ${name},
            ${trustedFrom(personId, sessionId)})
        ON CONFLICT DO NOTHING
    RETURNING created_at AS "createdAt", ${confirmsFrom(personId)} AS "confirmsFrom"`.execute(tx);
  const row = added.rows[0];
  if (!row) throw new Refusal('CONFLICT', { message: factorsMessages.passkeyKnown });
  const { createdAt, confirmsFrom: from } = row;
  return { _id: passkeyId, name, createdAt, ...(from && { confirmsFrom: from }) };
}

/** The transports of an authenticator, validated, because the library returns whatever the browser sent. */
function readTransports(sent: unknown): string[] {
  const names = Array.isArray(sent) ? sent : [];
  return names.filter(name => typeof name === 'string' && /^[a-z-]{1,20}$/.test(name)).slice(0, 8);
}

/** Options with which a browser uses any of its passkeys for this bank, to log in as `kind`. Needs no query. */
export function startPasskeyLogin(context: PasskeyContext, kind: PersonKind): CeremonyOptions {
  return requestOptions(context, `login ${kind}`, []);
}

/**
 * `purpose`: what is confirmed, such as one step-up. `onlyTrusted`: accepts only passkeys that may confirm step-ups.
 */
type Check = { personId: string; purpose: string; onlyTrusted: boolean };

/** Options with which this person confirms something. */
export async function startPasskeyCheck(
  reader: Reader,
  context: PasskeyContext,
  { personId, purpose, onlyTrusted }: Check,
): Promise<CeremonyOptions> {
  const credentials = await readCredentials(reader, personId, onlyTrusted);
  return requestOptions(context, `check ${personId} ${purpose}`, credentials);
}

/** Whether a passkey of this person confirmed this purpose within five minutes. Uses up the challenge. */
export async function finishPasskeyCheck(
  tx: Tx,
  context: PasskeyContext,
  { personId, purpose, onlyTrusted }: Check,
  credential: Credential,
): Promise<boolean> {
  const check = { personId, purpose: `check ${personId} ${purpose}`, credential, onlyTrusted };
  return (await verifyPasskey(tx, context, check)) === 'right';
}

/** Whether this person's passkey was used to log in as `kind`. `'counter'`: its counter went back, so it may be a copy. */
export async function finishPasskeyLogin(
  tx: Tx,
  context: PasskeyContext,
  { personId, kind, credential }: { personId: string; kind: PersonKind; credential: Credential },
): Promise<'right' | 'wrong' | 'counter'> {
  return await verifyPasskey(tx, context, { personId, purpose: `login ${kind}`, credential });
}

/** The owner of this passkey; undefined if no person of this kind has it. Finding the owner proves nothing yet. */
export async function findPasskeyOwner(
  reader: Reader,
  kind: PersonKind,
  { id }: Credential,
): Promise<string | undefined> {
  const found = await sql<{ personId: string }>`
    SELECT p.person_id AS "personId" FROM passkeys p JOIN credentials c ON c.person_id = p.person_id
     WHERE p.credential_id = ${Buffer.from(id, 'base64url')} AND c.kind = ${kind}`.execute(reader);
  return found.rows[0]?.personId;
}

/** The person's passkeys, newest first. */
export async function readPasskeys(reader: Reader, personId: string): Promise<DecodedPasskey[]> {
  type Row = {
    id: string;
    name: string;
    created_at: Date;
    last_used_at: Date | null;
    confirms_from: Date | null;
  };
  const found = await sql<Row>`
    SELECT id, name, created_at, last_used_at, ${confirmsFrom(personId)} AS confirms_from FROM passkeys WHERE person_id = ${personId}
     ORDER BY created_at DESC, id DESC`.execute(reader);
  return found.rows.map(row => ({
    _id: row.id,
    name: row.name,
    createdAt: row.created_at,
    ...(row.last_used_at && { lastUsedAt: row.last_used_at }),
    ...(row.confirms_from && { confirmsFrom: row.confirms_from }),
  }));
}

/** Removes a passkey and returns its name. Refuses `NOT_FOUND` if this person has no such passkey. */
export async function removePasskey(tx: Tx, personId: string, passkeyId: string): Promise<string> {
  const removed = await sql<{ name: string }>`
    DELETE FROM passkeys WHERE person_id = ${personId} AND id = ${passkeyId} RETURNING name`.execute(tx);
  const passkey = removed.rows[0];
  if (!passkey) throw new Refusal('NOT_FOUND');
  return passkey.name;
}

function requestOptions(
  context: PasskeyContext,
  purpose: string,
  allowCredentials: { id: string; transports: string[] }[],
): CeremonyOptions {
  return {
    challenge: Buffer.from(makeChallenge(context, purpose)).toString('base64url'),
    rpId: rpIdOf(context),
    timeout: rule.challengeSeconds * 1000,
    userVerification: 'required',
    allowCredentials: allowCredentials.map(credential => ({ ...credential, type: 'public-key' })),
  };
}

/** Verifies the signature under a lock on the passkey, so that parallel uses see each other's counter. */
async function verifyPasskey(
  tx: Tx,
  context: PasskeyContext,
  {
    personId,
    purpose,
    credential,
    onlyTrusted = false,
  }: { personId: string; purpose: string; credential: Credential; onlyTrusted?: boolean },
): Promise<'right' | 'wrong' | 'counter'> {
  type Row = { id: string; public_key: Buffer; counter: bigint };
  const found = await sql<Row>`
    SELECT id, public_key, counter FROM passkeys
     WHERE person_id = ${personId} AND credential_id = ${Buffer.from(credential.id, 'base64url')}
       AND (trusted_at <= now() OR NOT ${onlyTrusted}) FOR UPDATE`.execute(tx);
  const passkey = found.rows[0];
  if (!passkey) return 'wrong';
  const { verifyAuthenticationResponse } = await loadLibrary();
  const verified = await verifyAuthenticationResponse({
    response: credential as never,
    expectedChallenge: challenge => isChallenge(context, purpose, challenge),
    expectedOrigin: context.publicUrl,
    expectedRPID: rpIdOf(context),
    // 0 turns off the library's check of the counter, whose error would not say which check failed. We check it below.
    credential: { id: credential.id, publicKey: Uint8Array.from(passkey.public_key), counter: 0 },
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!verified?.verified) return 'wrong';
  const { userHandle: sentHandle } = credential.response as { userHandle?: unknown };
  const isOwn =
    sentHandle === undefined ||
    sentHandle === null ||
    sentHandle === Buffer.from(await userHandle(context, personId)).toString('base64url');
  if (!isOwn || !(await claimChallenge(tx, credential.response.clientDataJSON))) return 'wrong';
  const counter = BigInt(verified.authenticationInfo.newCounter);
  if ((counter > 0n || passkey.counter > 0n) && counter <= passkey.counter) return 'counter';
  await sql`
    UPDATE passkeys SET counter = ${counter}, last_used_at = now() WHERE id = ${passkey.id}`.execute(tx);
  return 'right';
}

async function readCredentials(reader: Reader, personId: string, onlyTrusted = false) {
  const found = await sql<{ credential_id: Buffer; transports: string[] }>`
    SELECT credential_id, transports FROM passkeys
     WHERE person_id = ${personId} AND (trusted_at <= now() OR NOT ${onlyTrusted})`.execute(reader);
  return found.rows.map(row => ({
    id: row.credential_id.toString('base64url'),
    transports: row.transports as never[],
  }));
}

function tooMany(): Refusal {
  return new Refusal('CONFLICT', { message: fill(factorsMessages.tooManyPasskeys, rule) });
}
