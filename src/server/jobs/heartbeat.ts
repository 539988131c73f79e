/**
 * Heartbeats: whether the queue runner that locked a job is still alive. Each runner holds an advisory lock on its own
 * connection, and the database releases the lock when the process or the connection dies. A runner that loses its connection
 * takes no new job until it holds the lock again. If its lock stays free, its jobs go back to the queue.
 */
import type pg from 'pg';
import { sleep, withDeadline } from '../base/deadline.ts';
import type { Database } from '../db/database.ts';

/** The seed keeps these advisory locks apart from the database's other ones. */
const lock = 'hashtextextended(name, 7236006)';
const retryMs = 100;
const heldTimeoutMs = 1_000;
/**
 * With these, the database server detects a dead connection within five seconds, and waiting for the lock has no time limit.
 */
const settings = `SELECT set_config('tcp_keepalives_idle', '2', false), set_config('tcp_keepalives_interval', '1', false),
  set_config('tcp_keepalives_count', '3', false), set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`;
/** A living runner reconnects sooner than this. A runner whose lock stays free this long is dead. */
const graceMs = 3_000;

export type Heartbeat = {
  /** Resolves when the lock is held. Throws if it is not held within a second. */
  held(): Promise<void>;
  /** Releases the lock and closes the connection. */
  end(): Promise<void>;
};

/** Holds the lock of a queue runner until `end`, and reconnects if the connection is lost. `name`: the runner's unique name. */
export function startHeartbeat(database: Database, name: string): Heartbeat {
  let isEnding = false;
  let isHeld = false;
  let client: pg.Client | undefined;
  let hold: () => void = () => {};
  let held = new Promise<void>(resolve => {
    hold = resolve;
  });

  const connect = async (): Promise<pg.Client> => {
    const opened = await database.connect('heartbeat', { query_timeout: 0 });
    // `end` closes it, also in the middle of these queries, which have no time limit.
    client = opened;
    try {
      if (isEnding) throw new Error('This queue runner has ended.');
      await opened.query(settings);
      // Takes the lock before it stores the name: a watcher that considers the runner dead holds the lock while it deletes the
      // name.
      await opened.query(`SELECT pg_advisory_lock(${lock}) FROM (VALUES ($1::text)) run (name)`, [name]);
      await opened.query('INSERT INTO job_runs (name) VALUES ($1) ON CONFLICT DO NOTHING', [name]);
    } catch (error) {
      opened.end().catch(() => {});
      throw error;
    }
    return opened;
  };

  const keepConnected = async (): Promise<void> => {
    while (!isEnding) {
      try {
        const opened = await connect();
        const lost = new Promise(resolve => opened.once('end', resolve));
        isHeld = true;
        hold();
        await lost;
        isHeld = false;
        held = new Promise(resolve => {
          hold = resolve;
        });
      } catch {
        // The database is unreachable; retried below.
      }
      if (!isEnding) await sleep(retryMs);
    }
  };
  const finished = keepConnected();

  return {
    async held() {
      if (isHeld) return;
      await withDeadline(held, heldTimeoutMs, () => {
        throw new Error('This queue runner has no heartbeat.');
      });
    },
    async end() {
      isEnding = true;
      await client?.end().catch(() => {});
      await finished;
    },
  };
}

/**
 * Watches all queue runners. Each `check` unlocks the jobs of runners whose lock was free at every check for three seconds.
 * Throws if the database is unreachable, and then starts counting from zero. Resolves to false, for use in a retry loop.
 */
export function watchHeartbeats({ pool }: Database): { check(): Promise<false> } {
  let freeSince = new Map<string, number>();
  return {
    async check() {
      const before = freeSince;
      freeSince = new Map();
      const found = await pool.query<{ name: string }>(
        `SELECT name FROM job_runs WHERE pg_try_advisory_xact_lock_shared(${lock})`,
      );
      const now = performance.now();
      const dead: string[] = [];
      for (const { name } of found.rows) {
        const since = before.get(name) ?? now;
        if (now - since >= graceMs) dead.push(name);
        else freeSince.set(name, since);
      }
      if (dead.length === 0) return false;
      await pool.query(
        `WITH gone AS (DELETE FROM job_runs WHERE name = ANY ($1::text[]) AND pg_try_advisory_xact_lock(${lock}) RETURNING name)
         SELECT graphile_worker.force_unlock_workers(array_agg(name)) FROM gone HAVING count(*) > 0`,
        [dead],
      );
      return false;
    },
  };
}
