/** Sessions: a row per login, which every request asks about. Ending the row ends the login everywhere at once. */
import { sql } from 'kysely';
import { session as rule } from '#contract/constants.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import type { PersonKind } from '../db/personKind.ts';
import { networkOf } from './network.ts';

/** Where a login comes from; `device` in words, as `nameDevice` gives them. */
export type Origin = { address: string; device: string };

/** Opens a session of an hour. */
export async function openSession(
  tx: Tx,
  opened: { personId: string; kind: PersonKind } & Origin,
): Promise<{ sessionId: string; expiresAt: Date }> {
  const sessionId = newId();
  const made = await sql<{ expires_at: Date }>`
    INSERT INTO sessions (id, person_id, kind, expires_at, address, device, network)
    VALUES (${sessionId}, ${opened.personId}, ${opened.kind},
            date_trunc('second', now()) + make_interval(secs => ${rule.lifeSeconds}),
            ${opened.address}, ${opened.device}, ${networkOf(opened.address)})
    RETURNING expires_at`.execute(tx);
  return { sessionId, expiresAt: made.rows[0]!.expires_at };
}

/**
 * Whether a person was seen on such a device before (browser and system, whatever their versions), and in such a network
 * too, perhaps with another device; true for the first login of all. Told to the person, never decided by: both can be
 * made up.
 */
export async function isFamiliar(tx: Tx, personId: string, { address, device }: Origin): Promise<boolean> {
  const found = await sql<{ is_familiar: boolean }>`
    SELECT count(*) = 0 OR bool_or(device = ${device}) AND bool_or(network = ${networkOf(address)}) AS is_familiar
      FROM sessions WHERE person_id = ${personId}`.execute(tx);
  return found.rows[0]!.is_familiar;
}

/**
 * Whether a session still stands, for work that waited. Where it does it cannot end before this transaction does: hold the
 * person's credentials first, as whoever ends sessions beside a password does.
 */
export async function holdSession(tx: Tx, personId: string, sessionId: string): Promise<boolean> {
  const held = await sql`
    SELECT FROM live_sessions WHERE id = ${sessionId} AND person_id = ${personId} FOR SHARE`.execute(tx);
  return held.rows.length === 1;
}

/** Ends one session. False where it had ended already. */
export async function endSession(tx: Tx, sessionId: string): Promise<boolean> {
  const ended = await sql`
    UPDATE sessions SET ended_at = now() WHERE id = ${sessionId} AND ended_at IS NULL`.execute(tx);
  return ended.numAffectedRows === 1n;
}

/** Ends one of a person's standing sessions. False where none of theirs with this id stands. */
export async function endOwnSession(tx: Tx, personId: string, sessionId: string): Promise<boolean> {
  const ended = await sql`
    UPDATE live_sessions SET ended_at = now()
     WHERE id = ${sessionId} AND person_id = ${personId}`.execute(tx);
  return ended.numAffectedRows === 1n;
}

/** Ends every session of a person, or all but `exceptSessionId`. Gives how many stood. */
export async function endSessions(tx: Tx, personId: string, exceptSessionId?: string): Promise<number> {
  const ended = await sql`
    UPDATE sessions SET ended_at = now()
     WHERE person_id = ${personId} AND ended_at IS NULL
       AND id IS DISTINCT FROM ${exceptSessionId ?? null}::uuid`.execute(tx);
  return Number(ended.numAffectedRows);
}

/** Nobody reads further than this, and few have more than three. */
const mostListed = 100;

/** A person's standing sessions, the newest first. The one that asks, `currentId`, is seen now. */
export async function listSessions(reader: Reader, personId: string, currentId: string) {
  type Row = { id: string; device: string; address: string; created_at: Date; seen_at: Date };
  const found = await sql<Row>`
    SELECT id, device, address, created_at,
           CASE WHEN id = ${currentId} THEN now() ELSE last_seen_at END AS seen_at
      FROM live_sessions WHERE person_id = ${personId}
     ORDER BY created_at DESC, id DESC LIMIT ${mostListed}`.execute(reader);
  return found.rows.map(row => ({
    _id: row.id,
    device: row.device,
    address: row.address,
    startedAt: row.created_at,
    lastSeenAt: row.seen_at,
    isCurrent: row.id === currentId,
  }));
}
