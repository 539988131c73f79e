/**
 * Heartbeats: whether the run of the queue that took a job is still alive. Each run holds an advisory lock on a connection of
 * its own; the database releases it exactly when the process or the connection dies. A run that lost its connection takes no
 * new job until it holds the lock again, and a run whose lock stays free loses the jobs that it had taken.
 */
import pg from 'pg';
import { sleep, withDeadline } from '../base/deadline.ts';
import type { Database } from '../db/database.ts';

/** Beside the other advisory locks of the database. */
const lock = 'hashtextextended(name, 7236006)';
const retryMs = 100;
const patienceMs = 1_000;
const connectWithinMs = 3_000;
/** The server notices a connection that died without a word within five seconds. */
const serverSettings =
  '-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3 -c TimeZone=UTC';
/** A living run reconnects within a moment; one whose lock stays free for so long is gone. */
const graceMs = 3_000;

export type Heartbeat = {
  /** Resolves once the lock is held. Throws where it is not within a second. */
  held(): Promise<void>;
  /** Releases the lock and closes the connection. */
  end(): Promise<void>;
};

/** Holds the lock of a run of the queue until `end`, and reconnects whenever the connection is lost. */
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
      application_name: 'larkspur heartbeat',
      connectionTimeoutMillis: connectWithinMs,
      keepAlive: true,
      options: serverSettings,
    });
    opened.on('error', () => {});
    await opened.connect();
    try {
      // In this order: a watch that takes the run for gone holds its lock while it deletes the name.
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
        // The database is away, for every other run as well.
      }
      if (!isEnding) await sleep(retryMs);
    }
  };
  const lived = live();

  return {
    async held() {
      if (isHeld) return;
      await withDeadline(held, patienceMs, () => {
        throw new Error('This run has no heartbeat.');
      });
    },
    async end() {
      isEnding = true;
      await client?.end().catch(() => {});
      await lived;
    },
  };
}

/**
 * Watches all runs of the queue. Each `check` returns the jobs of those runs whose lock was free at every check for three
 * seconds to the queue. Throws where the database is away, and then counts from the beginning.
 */
export function watchHeartbeats({ ownerPool }: Database): { check(): Promise<false> } {
  let freeSince = new Map<string, number>();
  return {
    async check() {
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
