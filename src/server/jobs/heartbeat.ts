/**
 * Whose jobs are nobody's any more. Each run of the queue holds an advisory lock on a connection of its own: the database
 * gives it free in the moment in which the process or its line dies, and at no other. A run that lost its line takes no
 * new job until it holds the lock again, and one whose lock stays free loses the jobs that it had taken.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../db/database.ts';

/** Beside the other advisory locks of the database. */
const lock = 'hashtextextended(name, 7236006)';
const retryMs = 100;
const patienceMs = 1_000;
const connectWithinMs = 3_000;
/** A line that lies dead across a network is noticed by the server within so many seconds. */
const serverSettings =
  '-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3 -c TimeZone=UTC';
/** A run that lives is back within a moment of the database; so long, and it is gone. */
const graceMs = 3_000;

export type Heartbeat = {
  /** Resolves once the lock is held. Throws where it is not within a second. */
  held(): Promise<void>;
  /** Lets go of the lock and of the connection. */
  end(): Promise<void>;
};

/** Gives a run of the queue its sign of life, and keeps it until `end`. */
export function startHeartbeat({ ownerPool }: Database, name: string): Heartbeat {
  const { options } = ownerPool;
  let isEnding = false;
  let isHeld = false;
  let client: pg.Client | undefined;
  let hold: () => void = () => {};
  let held = new Promise<void>(resolve => {
    hold = resolve;
  });

  const connect = async (): Promise<pg.Client> => {
    const opened = new pg.Client({
      ...options,
      // A pool hides its password from being copied by accident.
      password: options.password,
      application_name: 'larkspur sign of life',
      connectionTimeoutMillis: connectWithinMs,
      keepAlive: true,
      options: serverSettings,
    });
    opened.on('error', () => {});
    await opened.connect();
    try {
      // In this order: whoever takes the run for gone holds its lock while it strikes out the name.
      await opened.query(`SELECT pg_advisory_lock(${lock}) FROM (VALUES ($1::text)) run (name)`, [name]);
      await opened.query('INSERT INTO job_runs (name) VALUES ($1) ON CONFLICT DO NOTHING', [name]);
    } catch (error) {
      opened.end().catch(() => {});
      throw error;
    }
    return opened;
  };

  const live = async (): Promise<void> => {
    while (!isEnding) {
      try {
        client = await connect();
        const lost = new Promise(resolve => client!.once('end', resolve));
        isHeld = true;
        hold();
        if (isEnding) await client.end();
        await lost;
        isHeld = false;
        held = new Promise(resolve => {
          hold = resolve;
        });
      } catch {
        // The database is away; so it is for everybody.
      }
      if (!isEnding) await sleep(retryMs);
    }
  };
  const lived = live();

  return {
    async held() {
      if (isHeld) return;
      const late = sleep(patienceMs, 'late', { ref: false });
      if ((await Promise.race([held, late])) === 'late') throw new Error('This run has no sign of life.');
    },
    async end() {
      isEnding = true;
      await client?.end().catch(() => {});
      await lived;
    },
  };
}

/**
 * Opens the watch over all runs of the queue. Each look takes back the jobs of those whose lock was found free at every
 * look for three seconds. Throws where the database is away, and then begins to count anew.
 */
export function watchHeartbeats({ ownerPool }: Database): { look(): Promise<false> } {
  let freeSince = new Map<string, number>();
  return {
    async look() {
      const before = freeSince;
      freeSince = new Map();
      const found = await ownerPool.query<{ name: string }>(
        `SELECT name FROM job_runs WHERE pg_try_advisory_xact_lock_shared(${lock})`,
      );
      const now = performance.now();
      const gone: string[] = [];
      for (const { name } of found.rows) {
        const since = before.get(name) ?? now;
        if (now - since >= graceMs) gone.push(name);
        else freeSince.set(name, since);
      }
      if (gone.length === 0) return false;
      await ownerPool.query(
        `WITH gone AS (DELETE FROM job_runs WHERE name = ANY ($1::text[]) AND pg_try_advisory_xact_lock(${lock}) RETURNING name)
         SELECT graphile_worker.force_unlock_workers(array_agg(name)) FROM gone HAVING count(*) > 0`,
        [gone],
      );
      return false;
    },
  };
}
