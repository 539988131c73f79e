/**
 * Authenticates requests. Every request checks in the database whether its session is live and what its person may do. So a
 * logout, a freeze or a deletion takes effect with the next request in every process. Concurrent checks are batched into one
 * query.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type pg from 'pg';
import { session } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import type { Role } from '#contract/roles.ts';
import { batchReads } from '../base/batchReads.ts';
import type { PersonKind } from '../db/personKind.ts';
import { sentDeviceCookie } from './deviceCookie.ts';
import type { TokenClaims, Tokens } from './tokens.ts';

/** The customer that a valid token names. Whether the session is still live has not been checked. */
export type NamedCustomer = { sessionId: string; customerId: string };
export type CustomerSession = NamedCustomer & {
  accountId: bigint;
  isApproved: boolean;
  isFrozen: boolean;
};
/** `hasFactor`: the administrator has an authenticator app or a passkey. */
export type AdminSession = { sessionId: string; adminId: string; role: Role; hasFactor: boolean };
export type Session = { customer: CustomerSession } | { admin: AdminSession };

type Row = {
  id: string;
  kind: PersonKind;
  person_id: string;
  account_id: bigint | null;
  is_approved: boolean | null;
  is_frozen: boolean | null;
  role: Role | null;
  has_factor: boolean | null;
};

export type Sessions = {
  /** Returns the claims of the request's token. Refuses `NOT_AUTHORIZED` or `TOKEN_EXPIRED`. */
  read(headers: IncomingHttpHeaders): Promise<TokenClaims>;
  /** Returns the session that the claims name. Refuses `NOT_AUTHORIZED` if it is not live. */
  find(claims: TokenClaims): Promise<Session>;
};

/** `onSeen` is called with the session id of every valid token and the time that its person has been idle. It must be fast. */
export function openSessions(
  pool: pg.Pool,
  tokens: Tokens,
  { isHttps, onSeen }: { isHttps: boolean; onSeen: (sessionId: string, idleSeconds: number) => void },
): Sessions {
  const find = batchReads(ids => readSessions(pool, ids));
  return {
    async read(headers) {
      const token = /^Bearer ([\w.-]+)$/.exec(headers.authorization ?? '')?.[1];
      if (token === undefined) throw new Refusal('NOT_AUTHORIZED');
      const claims = await tokens.verify(token);
      // A token that was copied out of a browser's storage lacks the cookie.
      if (claims.browser && !sentDeviceCookie(headers, isHttps)?.browser.equals(claims.browser))
        throw new Refusal('NOT_AUTHORIZED');
      // The token has expired by this process's clock. The clock may be fast, so the database decides.
      if (claims.expiresAt.getTime() <= Date.now() && !(await find(claims.sessionId)))
        throw new Refusal('TOKEN_EXPIRED');
      onSeen(claims.sessionId, idleSecondsOf(headers));
      return claims;
    },
    async find(claims) {
      const row = await find(claims.sessionId);
      if (!row || row.person_id !== claims.personId || row.kind !== claims.kind)
        throw new Refusal('NOT_AUTHORIZED');
      if (row.kind === 'admin')
        return {
          admin: {
            sessionId: row.id,
            adminId: row.person_id,
            role: row.role!,
            hasFactor: row.has_factor === true,
          },
        };
      return {
        customer: {
          sessionId: row.id,
          customerId: row.person_id,
          accountId: row.account_id!,
          isApproved: row.is_approved === true,
          isFrozen: row.is_frozen === true,
        },
      };
    },
  };
}

/** Reads the idle header. Without a valid header, every request counts as an action. */
function idleSecondsOf(headers: IncomingHttpHeaders): number {
  const sent = headers[session.idleHeader];
  return typeof sent === 'string' && /^\d{1,6}$/.test(sent) ? Number(sent) : 0;
}

/** A prepared statement, because it runs for every request. */
const sessionsQuery = {
  name: 'live sessions',
  text: `
    SELECT s.id, s.kind, s.person_id, p.account_id, p.is_approved, p.is_frozen, p.role, p.has_factor
      FROM live_sessions s
     CROSS JOIN LATERAL (
       SELECT c.account_id, a.is_approved, a.is_frozen, NULL AS role, NULL::boolean AS has_factor
         FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
        WHERE s.kind = 'customer' AND c.id = s.person_id AND c.deleted_at IS NULL AND NOT a.is_closed
       UNION ALL
       SELECT NULL, NULL, NULL, d.role,
              EXISTS (SELECT FROM authenticator_apps f WHERE f.person_id = d.id AND f.confirmed_at IS NOT NULL)
              OR EXISTS (SELECT FROM passkeys k WHERE k.person_id = d.id)
         FROM admins d
        WHERE s.kind = 'admin' AND d.id = s.person_id AND d.disabled_at IS NULL
     ) p
     WHERE s.id = ANY ($1::uuid[])`,
};

/** Reads the live sessions among `ids`: not ended, not expired, and their person is neither deleted nor disabled. */
async function readSessions(pool: pg.Pool, ids: string[]): Promise<Map<string, Row>> {
  const found = await pool.query<Row>({ ...sessionsQuery, values: [ids] });
  return new Map(found.rows.map(row => [row.id, row]));
}
