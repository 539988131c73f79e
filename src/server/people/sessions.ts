/** Sessions: a row per login, which every request asks about. Ending the row ends the login everywhere at once. */
import { sql } from 'kysely';
import { session as rule } from '#contract/constants.ts';
import type { Tx } from '../db/database.ts';
import type { PersonKind } from '../db/personKind.ts';
import { newId } from '../db/uuid.ts';

/** Opens a session of an hour. `address` and `userAgent` say where the login came from. */
export async function openSession(
  tx: Tx,
  opened: { personId: string; kind: PersonKind; address: string; userAgent: string },
): Promise<{ sessionId: string; expiresAt: Date }> {
  const sessionId = newId();
  const made = await sql<{ expires_at: Date }>`
    INSERT INTO sessions (id, person_id, kind, expires_at, address, user_agent)
    VALUES (${sessionId}, ${opened.personId}, ${opened.kind},
            date_trunc('second', now()) + make_interval(secs => ${rule.lifeSeconds}),
            ${opened.address}, ${opened.userAgent})
    RETURNING expires_at`.execute(tx);
  return { sessionId, expiresAt: made.rows[0]!.expires_at };
}

/** Ends one session. False where it had ended already. */
export async function endSession(tx: Tx, sessionId: string): Promise<boolean> {
  const ended = await sql`
    UPDATE sessions SET ended_at = now() WHERE id = ${sessionId} AND ended_at IS NULL`.execute(tx);
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
