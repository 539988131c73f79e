/**
 * Who is calling. Every request asks the database whether its session stands and what its person may do, so a logout, a
 * freeze or a deletion holds from the next request on, in every process. Requests that arrive together ask together.
 */
import type pg from 'pg';
import { Refusal } from '#contract/errors.ts';
import { batchReads } from '../base/batchReads.ts';
import type { PersonKind } from '../db/personKind.ts';
import type { TokenClaims, Tokens } from './tokens.ts';

/** Whom a genuine token names; whether the session stands is still to be asked. */
export type NamedCustomer = { sessionId: string; customerId: string };
export type CustomerSession = NamedCustomer & {
  accountId: bigint;
  isApproved: boolean;
  isFrozen: boolean;
};
export type AdminSession = { sessionId: string; adminId: string };
export type Session = { customer: CustomerSession } | { admin: AdminSession };

type Row = {
  id: string;
  kind: PersonKind;
  person_id: string;
  account_id: bigint | null;
  is_approved: boolean | null;
  is_frozen: boolean | null;
};

export type Sessions = {
  /** What the token of an Authorization header says. Refuses `NOT_AUTHORIZED` / `TOKEN_EXPIRED`. */
  read(authorization: string | undefined): Promise<TokenClaims>;
  /** The session it names, if that stands. Refuses `NOT_AUTHORIZED`. */
  find(claims: TokenClaims): Promise<Session>;
};

/** `onSeen` is told of every session that a genuine token names; it must be quick. */
export function openSessions(pool: pg.Pool, tokens: Tokens, onSeen: (sessionId: string) => void): Sessions {
  const find = batchReads(ids => readSessions(pool, ids));
  return {
    async read(authorization) {
      const token = /^Bearer ([\w.-]+)$/.exec(authorization ?? '')?.[1];
      if (token === undefined) throw new Refusal('NOT_AUTHORIZED');
      const claims = await tokens.verify(token);
      onSeen(claims.sessionId);
      return claims;
    },
    async find(claims) {
      const row = await find(claims.sessionId);
      if (!row || row.person_id !== claims.personId || row.kind !== claims.kind)
        throw new Refusal('NOT_AUTHORIZED');
      if (row.kind === 'admin') return { admin: { sessionId: row.id, adminId: row.person_id } };
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

/** Asked for every request, so it is prepared once on each connection. */
const standing = {
  name: 'standing sessions',
  text: `
    SELECT s.id, s.kind, s.person_id, p.account_id, p.is_approved, p.is_frozen
      FROM live_sessions s
     CROSS JOIN LATERAL (
       SELECT c.account_id, a.is_approved, a.is_frozen
         FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
        WHERE s.kind = 'customer' AND c.id = s.person_id AND c.deleted_at IS NULL AND NOT a.is_closed
       UNION ALL
       SELECT NULL, NULL, NULL FROM admins d
        WHERE s.kind = 'admin' AND d.id = s.person_id AND d.disabled_at IS NULL
     ) p
     WHERE s.id = ANY ($1::uuid[])`,
};

/** Sessions that stand: not ended, not expired, of a person who is still there. */
async function readSessions(pool: pg.Pool, ids: string[]): Promise<Map<string, Row>> {
  const found = await pool.query<Row>({ ...standing, values: [ids] });
  return new Map(found.rows.map(row => [row.id, row]));
}
