/**
 * A posting lane: a connection to the database that posts one group at a time, and the retries when a connection is lost, a
 * transaction conflicts or an account stays locked.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Counter, Histogram } from 'prom-client';
import { Refusal } from '#contract/errors.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { type CommitPoint, traceCommit } from '../base/tracePoints.ts';
import { countDatabaseError, type Database, isLost, isOverloaded } from '../db/database.ts';
import { readOnlyClients } from '../db/hosts.ts';
import {
  type PostedGroup,
  type PostOutcome,
  type PostRequest,
  postParameters,
  postStatement,
  readOutcomes,
} from './postStatement.ts';

/** A request that waits for its outcome. */
export type Waiting = {
  request: PostRequest;
  since: number;
  /** Sent at least once without an answer, so it may have been posted. */
  isUncertain: boolean;
  resolve(outcome: PostOutcome): void;
  reject(error: unknown): void;
};

/** The deadline of a posting. It is shorter than the ten seconds after which the web app shows 'Transfer Processing'. */
const deadlineMs = 8000;
/** Timeouts of the database, shorter than `responseTimeoutMs`: when one fires, it is certain that the group was rolled back. */
const timeouts = `SELECT set_config('statement_timeout', '2500ms', false), set_config('lock_timeout', '500ms', false),
  pg_backend_pid() AS pid`;
/**
 * Ends the session of a lost connection. If the connection broke before the whole group arrived, the session still holds its
 * locks and waits for input. A session that is committing is left alone: it may be waiting for a standby.
 */
const endLost = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid = $1 AND usename = session_user AND application_name = 'larkspur poster' AND wait_event = 'ClientRead'`;
/** A connection without an answer for this long counts as dead: the group is retried on a new one. */
const responseTimeoutMs = 3000;
/** Deadlock, serialization failure, unique violation (another process is posting the same key): retry at once. */
const retryable = new Set(['40P01', '40001', '23505']);
const lockTimeout = '55P03';
/** The outcome of a request whose session is not live. */
const sessionEnded = 10;
/** How long requests on an account that another transaction keeps locked are retried, and the pause between the attempts. */
const lockRetryMs = 500;
const lockRetryIntervalMs = 25;

/** For `GET /metrics`. All ledgers of a process share them; only tests open several. */
export const postingMetrics = {
  groupSize: new Histogram({
    name: 'larkspur_posting_group_size',
    help: 'postings that were sent to the database as one group',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [],
  }),
  commitSeconds: new Histogram({
    name: 'larkspur_posting_commit_seconds',
    help: 'time from sending a group to the answer that it is committed',
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [],
  }),
  retries: new Counter({
    name: 'larkspur_posting_retries_total',
    help: 'groups sent again after a lost connection, a deadlock or a conflict',
    registers: [],
  }),
  lockTimeouts: new Counter({
    name: 'larkspur_posting_lock_timeouts_total',
    help: 'groups split because another transaction kept an account locked',
    registers: [],
  }),
};

/** Positions (from 1) of the requests that need an account which another transaction has locked right now. */
const lockedRequests = {
  name: 'locked requests',
  text: `
    WITH q AS (SELECT * FROM unnest($1::transaction_type[], $2::uuid[], $3::text[]) WITH ORDINALITY AS q(type, actor, receiver, place)),
    meant AS (
      SELECT q.place, c.account_id AS id FROM q JOIN customers c ON c.id = q.actor
       UNION ALL SELECT q.place, a.id FROM q JOIN ledger_accounts a ON a.number = q.receiver
       UNION ALL SELECT q.place, a.id FROM q JOIN ledger_accounts a
              ON a.kind = CASE q.type WHEN 'admin-credit' THEN 'treasury' WHEN 'external-transfer' THEN 'clearing' END),
    free AS (SELECT id FROM ledger_accounts WHERE id IN (SELECT id FROM meant) FOR NO KEY UPDATE SKIP LOCKED)
    SELECT DISTINCT place::int FROM meant WHERE id NOT IN (SELECT id FROM free)`,
};

/** Whether the error means that the database has not answered. A statement that was sent may then have been committed. */
const isUnanswered = (error: unknown) => isLost(error) || !(error instanceof pg.DatabaseError);
export const tooOld = new Error('it waited longer than the deadline of a posting');
const sessionIsOver = new Error('its session ended before it could be sent again');
const staysLocked = Object.assign(new Error('another transaction keeps the account locked'), {
  code: lockTimeout,
});
export const isTooOld = (waiting: Waiting) => performance.now() - waiting.since > deadlineMs;
export const busy = (cause: unknown) => new Refusal('BUSY', { waitTime: 2, cause });
const unconfirmed = (cause: unknown) =>
  new Refusal('BUSY', { message: transferMessages.unconfirmed, waitTime: 2, cause });

/** A connection that posts one group at a time and retries it until it is answered or too old. */
export type Lane = { isBusy: boolean; post: (group: Waiting[]) => Promise<void>; end: () => Promise<void> };

export function openLane(database: Database, isClosed: () => boolean, stepUpFromCents?: bigint): Lane {
  let client: pg.Client | undefined;
  let pid: number | undefined;
  // Each lane updates a random shard of the daily totals, so that lanes rarely wait for each other.
  const shard = randomInt(32);

  const connect = async (): Promise<pg.Client> => {
    if (client) return client;
    const opened = await database.connect('poster', {
      connectionTimeoutMillis: responseTimeoutMs,
      query_timeout: responseTimeoutMs,
    });
    const forget = () => {
      if (client === opened) client = undefined;
    };
    opened.on('error', forget);
    opened.on('end', forget);
    try {
      const { rows } = await opened.query<{ pid: number }>(timeouts);
      if (pid !== undefined) await opened.query(endLost, [pid]);
      pid = rows[0]!.pid;
    } catch (error) {
      opened.end().catch(() => {});
      throw error;
    }
    client = opened;
    return opened;
  };

  const dropConnection = () => {
    client?.end().catch(() => {});
    client = undefined;
  };

  const send = async (group: Waiting[]): Promise<void> => {
    const connected = await connect();
    const startedAt = performance.now();
    try {
      const answer = await connected.query<PostedGroup>({
        ...postStatement,
        values: postParameters(
          shard,
          group.map(waiting => waiting.request),
          stepUpFromCents,
        ),
      });
      const outcomes = readOutcomes(answer.rows[0]!, group.length);
      postingMetrics.groupSize.observe(group.length);
      traceCommit(() => toCommitPoint(group, startedAt));
      postingMetrics.commitSeconds.observe((performance.now() - startedAt) / 1000);
      // Resolve after the lane is free: the database works on the next group while these callers are answered.
      setImmediate(() => {
        for (const [i, waiting] of group.entries()) {
          // The posting function checks the session first. So this outcome does not show if an earlier attempt was posted.
          if (waiting.isUncertain && outcomes[i]!.outcome === sessionEnded) giveUp([waiting], sessionIsOver);
          else waiting.resolve(outcomes[i]!);
        }
      });
    } catch (error) {
      // Sent, but the answer is lost: from now on these requests may have been posted.
      if (isUnanswered(error)) for (const waiting of group) waiting.isUncertain = true;
      traceCommit(() => toCommitPoint(group, startedAt, error));
      throw error;
    }
  };

  /** Splits a group into requests whose accounts are free and requests that need a locked account. */
  const splitByLock = async (group: Waiting[]): Promise<[free: Waiting[], locked: Waiting[]]> => {
    const requests = group.map(waiting => waiting.request);
    const columns = [requests.map(r => r.type), requests.map(r => r.actor), requests.map(r => r.receiver)];
    const found = await (await connect()).query<{ place: number }>({ ...lockedRequests, values: columns });
    const locked = new Set(found.rows.map(row => row.place - 1));
    return [group.filter((_, i) => !locked.has(i)), group.filter((_, i) => locked.has(i))];
  };

  /**
   * When one account stays locked, posts the requests that don't need it, retries the rest until the deadline, and fails only
   * those whose account was locked on every attempt. If an account of a free request gets locked before it is posted, the free
   * requests are split again, until they are too old.
   */
  const postUnlocked = async (group: Waiting[]): Promise<void> => {
    const deadline = performance.now() + lockRetryMs;
    for (let left = group; ; await sleep(lockRetryIntervalMs)) {
      const isLastAttempt = isClosed() || performance.now() > deadline;
      const [free, locked] = await splitByLock(left).catch((error): [Waiting[], Waiting[]] => {
        if (!isUnanswered(error)) return [[], left];
        // postGroup reconnects, or gives up at its deadline.
        dropConnection();
        return [left, []];
      });
      if (free.length > 0) await postGroup(free);
      if (locked.length === 0) return;
      if (isLastAttempt) return giveUp(locked, staysLocked);
      left = locked;
    }
  };

  const postGroup = async (whole: Waiting[]): Promise<void> => {
    // Each request is asked once: one that gets too old between two questions would never be answered.
    const old = new Set(whole.filter(isTooOld));
    giveUp([...old], tooOld);
    const group = whole.filter(waiting => !old.has(waiting));
    if (group.length === 0) return;
    for (let attempt = 1; ; attempt++) {
      try {
        await send(group);
        return;
      } catch (error) {
        const code = (error as { code?: string }).code ?? '';
        const isConnectionLost = isUnanswered(error);
        if (isConnectionLost) dropConnection();
        if (isConnectionLost || retryable.has(code)) {
          postingMetrics.retries.inc();
          if (isClosed() || isTooOld(group[0]!)) return giveUp(group, error);
          await sleep(isConnectionLost ? Math.min(25 * attempt, 250) : 5 * Math.random());
        } else if (code === lockTimeout) {
          postingMetrics.lockTimeouts.inc();
          return isClosed() ? giveUp(group, error) : postUnlocked(group);
        } else if (group.length > 1) {
          // The database rejected the group and rolled back. Post each request alone, so that one cannot fail the others.
          for (const waiting of group) await postGroup([waiting]);
          return;
        } else if (isOverloaded(error) || group[0]!.isUncertain) {
          return giveUp(group, error);
        } else {
          return group[0]!.reject(error);
        }
      }
    }
  };

  const lane: Lane = {
    isBusy: false,
    async post(group) {
      lane.isBusy = true;
      await postGroup(group);
      if (client && readOnlyClients.has(client)) dropConnection();
      lane.isBusy = false;
    },
    end: async () => client?.end().catch(() => {}),
  };
  return lane;
}

const toCommitPoint = (group: Waiting[], startedAt: number, error?: unknown): CommitPoint => ({
  transactionIds: group.map(({ request }) => request.id),
  startedAt,
  endedAt: performance.now(),
  error,
});

/** Rejects the requests of a group. `cause`: the reason, for the log. */
export function giveUp(group: Waiting[], cause: unknown): void {
  for (const waiting of group) {
    if (isLost(cause) || isOverloaded(cause)) countDatabaseError(cause);
    waiting.reject(waiting.isUncertain ? unconfirmed(cause) : busy(cause));
  }
}
