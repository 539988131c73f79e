/**
 * When each session last asked for anything. Every request is noted in memory only; four times a minute, and at the end,
 * one statement writes what was noted.
 */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

export type LastSeen = {
  /** Notes that this session asked for something just now. */
  note: (sessionId: string) => void;
  /** Writes what was noted and stops. */
  close: () => Promise<void>;
};

const everyMs = 15_000;
/** What was written so recently is exact enough, and costs nothing again. */
const exactEnoughSeconds = 45;

/** Starts to note. `database` is asked for nothing until there is something to write; `onError` hears what could not be written. */
export function openLastSeen(database: Database, onError: (error: Error) => void): LastSeen {
  let seen = new Set<string>();

  async function flush(): Promise<void> {
    if (seen.size === 0) return;
    const ids = [...seen];
    seen = new Set();
    try {
      // A session that is being changed just now is ending or was seen by another process: it is not waited for.
      await database.inTransaction(tx =>
        sql`UPDATE sessions SET last_seen_at = now() WHERE id IN (
              SELECT id FROM sessions WHERE id = ANY (${ids}::uuid[]) AND ended_at IS NULL
                 AND last_seen_at < now() - make_interval(secs => ${exactEnoughSeconds})
               ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`.execute(tx),
      );
    } catch (error) {
      // Let go: whoever is still there is seen again.
      onError(error as Error);
    }
  }

  const timer = setInterval(flush, everyMs);
  timer.unref();
  return {
    note: sessionId => void seen.add(sessionId),
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
