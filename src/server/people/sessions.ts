/** Sessions: one row per login, checked on every request. So the end of a session applies in every process immediately. */
import { sql } from 'kysely';
import { session as rule } from '#contract/constants.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import type { PersonKind } from '../db/personKind.ts';
import { networkOf } from './network.ts';
import { deletePushDevices, deletePushDevicesSince } from './pushDevices.ts';

/** The origin of a login; `device` is the result of `nameDevice`. */
export type Origin = { address: string; device: string };

/** Opens a session that lasts an hour. */
export async function openSession(
  tx: Tx,
  opened: { personId: string; kind: PersonKind } & Origin,
): Promise<{ sessionId: string; expiresAt: Date }> {
  const sessionId = newId();
  const made = await sql<{ expires_at: Date }>`
    WITH login AS (UPDATE last_logins SET at = now() WHERE customer_id = ${opened.personId})
    INSERT INTO sessions (id, person_id, kind, expires_at, address, device, network)
    VALUES (${sessionId}, ${opened.personId}, ${opened.kind},
            date_trunc('second', now()) + make_interval(secs => ${rule.lifeSeconds}),
            ${opened.address}, ${opened.device}, ${networkOf(opened.address)})
    RETURNING expires_at`.execute(tx);
  return { sessionId, expiresAt: made.rows[0]!.expires_at };
}

/**
 * Whether this person has used this device (browser and system, any version) and this network before, not necessarily together;
 * true for the very first login. Logins that may have been a thief's do not count (`endSessions`). Both can be forged, so this
 * decides only about mails and alerts.
 */
export async function isKnownOrigin(tx: Tx, personId: string, { address, device }: Origin): Promise<boolean> {
  const found = await sql<{ is_familiar: boolean }>`
    SELECT count(*) = 0 OR bool_or(counts_as_known AND device = ${device})
                       AND bool_or(counts_as_known AND network = ${networkOf(address)}) AS is_familiar
      FROM sessions WHERE person_id = ${personId}`.execute(tx);
  return found.rows[0]!.is_familiar;
}

/**
 * Whether the session of a queued request is still live. If so, it cannot end before this transaction does. Lock the person's
 * credentials first: code that ends sessions after a password change locks in that order.
 */
export async function lockSession(tx: Tx, personId: string, sessionId: string): Promise<boolean> {
  const held = await sql`
    SELECT FROM live_sessions WHERE id = ${sessionId} AND person_id = ${personId} FOR SHARE`.execute(tx);
  return held.rows.length === 1;
}

/** Ends a person's own session. Returns false if it had already ended. */
export async function endSession(tx: Tx, sessionId: string): Promise<boolean> {
  const ended = await sql`
    UPDATE sessions SET ended_at = now() WHERE id = ${sessionId} AND ended_at IS NULL`.execute(tx);
  return ended.numAffectedRows === 1n;
}

/**
 * Ends one of a customer's live sessions. The session may be a thief's, so its login no longer counts as known, and push
 * notifications stop in the browsers that were added since it began. Returns how many; undefined if the customer has no live
 * session with this id.
 */
export async function revokeSession(
  tx: Tx,
  customerId: string,
  sessionId: string,
): Promise<{ devices: number } | undefined> {
  // The view `live_sessions` cannot set the column `counts_as_known`.
  const ended = await sql`
    UPDATE sessions SET ended_at = now(), counts_as_known = false
     WHERE id = (SELECT id FROM live_sessions WHERE id = ${sessionId}) AND person_id = ${customerId}
       AND ended_at IS NULL`.execute(tx);
  if (ended.numAffectedRows === 0n) return undefined;
  return { devices: await deletePushDevicesSince(tx, customerId, sessionId) };
}

/** What stays known when the sessions end: a session, which goes on, and the logins from an origin. */
type Kept = { sessionId?: string; origin?: Origin };

/**
 * Does `endSessions` for a customer. One of the sessions may be a thief's, so push notifications stop in every browser. Returns
 * how many sessions and browsers there were.
 */
export async function revokeSessions(
  tx: Tx,
  customerId: string,
  kept: Kept = {},
): Promise<{ count: number; devices: number }> {
  const count = await endSessions(tx, customerId, kept);
  return { count, devices: await deletePushDevices(tx, customerId) };
}

/**
 * Ends every session of a person. A thief's session may have ended by itself before, so earlier logins no longer count as known
 * either. Returns how many sessions were ended.
 */
export async function endSessions(
  tx: Tx,
  personId: string,
  { sessionId, origin }: Kept = {},
): Promise<number> {
  const staysKnown = origin
    ? sql`device = ${origin.device} AND network = ${networkOf(origin.address)}`
    : sql`false`;
  const ended = await sql<{ isNew: boolean }>`
    UPDATE sessions SET ended_at = coalesce(ended_at, now()), counts_as_known = counts_as_known AND ${staysKnown}
     WHERE person_id = ${personId} AND (ended_at IS NULL OR counts_as_known)
       AND id IS DISTINCT FROM ${sessionId ?? null}::uuid
    RETURNING ended_at = now() AS "isNew"`.execute(tx);
  return ended.rows.filter(({ isNew }) => isNew).length;
}

/** More than anyone needs: few people have more than three live sessions. */
const maxListed = 100;

/** A person's live sessions: first that of this request, `currentId`, which counts as seen now, then the newest. */
export async function listSessions(reader: Reader, personId: string, currentId: string) {
  type Row = { id: string; device: string; address: string; created_at: Date; seen_at: Date };
  const found = await sql<Row>`
    SELECT id, device, address, created_at,
           CASE WHEN id = ${currentId} THEN now() ELSE last_seen_at END AS seen_at
      FROM live_sessions WHERE person_id = ${personId}
     ORDER BY id = ${currentId} DESC, created_at DESC, id DESC LIMIT ${maxListed}`.execute(reader);
  return found.rows.map(row => ({
    _id: row.id,
    device: row.device,
    address: row.address,
    startedAt: row.created_at,
    lastSeenAt: row.seen_at,
    isCurrent: row.id === currentId,
  }));
}
