/**
 * Session tokens: JWTs (RFC 7519, HS256) that name a session row. A token proves who opened the session; every request checks
 * in the database whether the session is still live.
 */
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import * as z from 'zod/mini';
import { Refusal } from '#contract/errors.ts';
import { id } from '#contract/fields.ts';
import { type Key, versionOf } from '../base/keys.ts';
import type { PersonKind } from '../db/personKind.ts';
import type { Secrets } from '../secrets.ts';

export type TokenClaims = {
  kind: PersonKind;
  personId: string;
  sessionId: string;
  expiresAt: Date;
  /** The hash of the device cookie that every request must carry; undefined for clients that are not browsers. */
  browser: Buffer | undefined;
};

export type Tokens = {
  issue(claims: TokenClaims): Promise<string>;
  /**
   * Returns the claims of a valid token. Refuses `TOKEN_EXPIRED` or `NOT_AUTHORIZED`. `expiresAt` may be up to a minute ago,
   * because clocks differ. The caller then asks the database.
   */
  verify(token: string): Promise<TokenClaims>;
};

const maxTokenLength = 2048;
/** How far the clocks of two processes may differ. Within this time, the session in the database decides. */
const clockToleranceSeconds = 60;

const issuer = 'larkspur-bank';

/** The hash of the device cookie that must accompany a token (RFC 7800). */
const Confirmation = z.strictObject({ device: z.string() });

/**
 * Makes and verifies tokens. Tokens of customers and administrators have different keys. The header names the version of the
 * key (`kid`), so a token outlives the rotation of the secret.
 */
export function makeTokens(secrets: Pick<Secrets, 'tokenKeyCustomer' | 'tokenKeyAdmin'>): Tokens {
  const keys = { customer: secrets.tokenKeyCustomer, admin: secrets.tokenKeyAdmin };
  // Verifying a signature is the most expensive step before the database, so verified tokens are cached.
  const verified = new LRUCache<string, TokenClaims>({ max: 20_000 });

  const check = async (token: string): Promise<TokenClaims> => {
    const audience = peekAudience(token);
    const { payload } = await jwtVerify(token, ({ kid }) => keyNamed(keys[audience], kid), {
      algorithms: ['HS256'],
      typ: 'at+jwt',
      issuer,
      audience,
      requiredClaims: ['exp', 'iat', 'sub', 'sid', 'aud'],
      maxTokenAge: '24h',
      clockTolerance: clockToleranceSeconds,
    });
    const session = z.safeParse(id, payload.sid);
    const confirmation = z.safeParse(z.optional(Confirmation), payload.cnf);
    if (typeof payload.aud !== 'string' || !session.success || !confirmation.success)
      throw new Refusal('NOT_AUTHORIZED');
    return {
      kind: audience,
      personId: payload.sub!,
      sessionId: session.data,
      expiresAt: new Date(payload.exp! * 1000),
      browser: confirmation.data && Buffer.from(confirmation.data.device, 'base64url'),
    };
  };

  return {
    issue: ({ kind, personId, sessionId, expiresAt, browser }) =>
      new SignJWT({ sid: sessionId, ...(browser && { cnf: { device: browser.toString('base64url') } }) })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: keys[kind][0].id })
        .setIssuer(issuer)
        .setAudience(kind)
        .setSubject(personId)
        .setIssuedAt()
        .setExpirationTime(Math.floor(expiresAt.getTime() / 1000))
        .sign(keys[kind][0].bytes),
    async verify(token) {
      const cached = verified.get(token);
      if (cached) {
        if (cached.expiresAt.getTime() + clockToleranceSeconds * 1000 <= Date.now())
          throw new Refusal('TOKEN_EXPIRED');
        return cached;
      }
      if (token.length > maxTokenLength) throw new Refusal('NOT_AUTHORIZED');
      try {
        const claims = await check(token);
        verified.set(token, claims);
        return claims;
      } catch (error) {
        throw new Refusal(error instanceof joseErrors.JWTExpired ? 'TOKEN_EXPIRED' : 'NOT_AUTHORIZED');
      }
    },
  };
}

/** The key of the version that a token names. Throws if the secret of that version is no longer configured. */
function keyNamed(key: Key, id = ''): Uint8Array {
  const version = versionOf(key, id);
  if (!version) throw new Refusal('NOT_AUTHORIZED');
  return version;
}

/**
 * Returns the audience, which selects the key. The claim itself is trusted only after the signature is verified with that key.
 */
function peekAudience(token: string): PersonKind {
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
    aud?: unknown;
  };
  if (payload.aud !== 'customer' && payload.aud !== 'admin') throw new Refusal('NOT_AUTHORIZED');
  return payload.aud;
}
