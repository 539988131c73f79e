/**
 * The time of each session's last request. Requests are recorded in memory; every 15 seconds, and on shutdown, one statement
 * writes them to the database.
 */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

export type LastSeen = {
  /** Records a request of this session. */
  record: (sessionId: string) => void;
  /** Writes what was recorded and stops. */
  close: () => Promise<void>;
};

const everyMs = 15_000;
/** A session written less than this ago is not written again. */
const minAgeSeconds = 45;

/** Starts recording. `onError` receives errors of failed writes. */
export function openLastSeen(database: Database, onError: (error: Error) => void): LastSeen {
  let seen = new Set<string>();

  async function flush(): Promise<void> {
    if (seen.size === 0) return;
    const ids = [...seen];
    seen = new Set();
    try {
      // SKIP LOCKED: a locked session is ending or being written by another process; don't wait for it.
      await database.inTransaction(tx =>
        sql`UPDATE sessions SET last_seen_at = now() WHERE id IN (
              SELECT id FROM sessions WHERE id = ANY (${ids}::uuid[]) AND ended_at IS NULL
                 AND last_seen_at < now() - make_interval(secs => ${minAgeSeconds})
               ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`.execute(tx),
      );
    } catch (error) {
      // Drop them: the next request records the session again.
      onError(error as Error);
    }
  }

  const timer = setInterval(flush, everyMs);
  timer.unref();
  return {
    record: sessionId => void seen.add(sessionId),
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
