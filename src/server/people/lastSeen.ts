/**
 * When each session's person last acted. Requests are recorded in memory; every 15 seconds, and on shutdown, one statement
 * writes them to the database. The view `live_sessions` leaves out sessions whose last action is too long ago.
 */
import { sql } from 'kysely';
import { session as rule } from '#contract/constants.ts';
import type { Database } from '../db/database.ts';

export type LastSeen = {
  /** Records a request of this session. `idleSeconds`: the time from the person's last action to this request. */
  record: (sessionId: string, idleSeconds: number) => void;
  /** Writes what was recorded and stops. */
  close: () => Promise<void>;
};

const everyMs = 15_000;
/** Actions that could not be written are retried until they are this old. */
const retryForMs = 60_000;
/**
 * The same limit as in the view `live_sessions`. A session that is idle for longer has ended, and no later request revives it.
 */
export const idleLimitSeconds = rule.idleWarningSeconds + rule.idleLogoutSeconds + everyMs / 1000;

/** Starts recording. `onError` receives errors of failed writes. */
export function openLastSeen(database: Database, onError: (error: Error) => void): LastSeen {
  /** The time of the last action by session, in milliseconds. */
  const actions = new Map<string, number>();

  async function flush(): Promise<void> {
    if (actions.size === 0) return;
    const now = Date.now();
    const batch = [...actions];
    const ids = batch.map(([id]) => id);
    // Ages instead of times: the clock of this process may differ from the database's.
    const ages = batch.map(([, at]) => (now - at) / 1000);
    try {
      // SKIP LOCKED, because a locked session is ending or is being written by another process.
      const written = await database.inTransaction(tx =>
        sql<{ id: string }>`
          WITH due AS (
            SELECT s.id, seen.at
              FROM (SELECT id, now() - make_interval(secs => age) AS at
                      FROM unnest(${ids}::uuid[], ${ages}::float8[]) AS given (id, age)) seen
              JOIN sessions s ON s.id = seen.id
             WHERE s.ended_at IS NULL AND seen.at > s.last_seen_at
               AND seen.at < s.last_seen_at + make_interval(secs => ${idleLimitSeconds})
             ORDER BY s.id FOR NO KEY UPDATE OF s SKIP LOCKED)
          UPDATE sessions s SET last_seen_at = due.at FROM due WHERE s.id = due.id
          RETURNING s.id`.execute(tx),
      );
      const done = new Set(written.rows.map(row => row.id));
      // Do not delete what was recorded during the write.
      for (const [id, at] of batch) {
        const isOld = now - at >= retryForMs;
        if ((done.has(id) || isOld) && actions.get(id) === at) actions.delete(id);
      }
    } catch (error) {
      for (const [id, at] of batch) if (now - at >= retryForMs) actions.delete(id);
      onError(error as Error);
    }
  }

  const timer = setInterval(flush, everyMs);
  timer.unref();
  return {
    record: (sessionId, idleSeconds) => {
      const at = Date.now() - idleSeconds * 1000;
      if (at > (actions.get(sessionId) ?? 0)) actions.set(sessionId, at);
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
