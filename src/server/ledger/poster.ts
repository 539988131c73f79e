/**
 * Group commit. Requests that arrive while the database is busy are sent as one group: one call and one commit, each request
 * with its own outcome, in arrival order, as if it had been sent alone. A commit costs one disk flush, however many requests
 * it carries.
 *
 * If the answer to a group is lost (broken connection, database restart), the group is retried until it is answered or too
 * old. Every request has a key, so one that had been posted is recognized and not posted twice.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { Counter, Histogram } from 'prom-client';
import type { TransactionType } from '#contract/entities.ts';
import { Refusal } from '#contract/errors.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { type Database, isLost, isOverloaded, type Tx } from '../db/database.ts';

/** A request to move money. A customer (`actor`) sends from their own account. `receiver`: an account number, null for clearing. */
export type PostRequest = {
  id: string;
  type: TransactionType;
  actor: string;
  /** A session of the actor that must still be live when the request is posted; null if the caller needs no session. */
  session: string | null;
  receiver: string | null;
  amountCents: bigint;
  description: string;
  reference: string;
  /** Unique per request; derived from the caller's key if there is one. */
  keyHash: string;
  requestHash: string;
  /** Whether the caller supplied the key: then a refusal by the ledger is stored with it. */
  isKeyed: boolean;
  address: string;
  bank: { bankName: string; accountName: string; accountNumber: string } | null;
  /** The hash of the proof of a step-up. */
  proofHash: string | null;
};

/** A customer with their current name. */
export type Party = { _id: string; firstName: string; lastName: string };

/**
 * `outcome`: see the list in `db/migrations/0005_posting.sql`. `id`: the transaction's id, for a repeated key the earlier
 * one's. `sender` and `receiver`: the customers named in the request; undefined for the bank's own accounts.
 */
export type PostOutcome = {
  outcome: number;
  id: string;
  postedAt: Date;
  sender: Party | undefined;
  receiver: Party | undefined;
};

export type Poster = {
  /** Resolves after the commit. Throws `BUSY` if nothing was posted, or if the outcome could not be determined in time. */
  post(request: PostRequest): Promise<PostOutcome>;
  waiting: () => number;
  close: () => Promise<void>;
};

type Waiting = {
  request: PostRequest;
  since: number;
  /** Sent at least once without an answer, so it may have been posted. */
  isUncertain: boolean;
  resolve(outcome: PostOutcome): void;
  reject(error: unknown): void;
};

const maxGroupSize = 256;
const minGroupSize = 8;
const minSecondGroupSize = 16;
const maxQueueLength = 5000;
/** Shorter than the ten seconds after which the web app shows 'Transfer Processing'. */
const deadlineMs = 8000;
/** Time-outs of the database, shorter than elsewhere: when one fires, the statement is rolled back and reported. */
const timeouts = `SELECT set_config('statement_timeout', '2500ms', false), set_config('lock_timeout', '500ms', false),
  pg_backend_pid() AS pid`;
/**
 * Ends the session of a lost connection. If the network swallowed the end of its group, it still holds the accounts and waits
 * for the rest. Not one that commits: it may wait for a standby, and must not stop waiting.
 */
const endLost = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid = $1 AND usename = session_user AND application_name = 'larkspur poster' AND wait_event = 'ClientRead'`;
/** A connection without an answer for this long counts as dead: the group is retried on a new one. */
const responseTimeoutMs = 3000;
/** Deadlock, serialization failure, unique violation (another process is posting the same key): retry at once. */
const retryable = new Set(['40P01', '40001', '23505']);
const lockTimeout = '55P03';
/** How long and how often to retry requests on an account that another transaction keeps locked. */
const lockRetryMs = 500;
const lockRetryIntervalMs = 25;

/** For `GET /metrics`. Of this process, whatever the number of ledgers that tests open in it. */
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

const statement = {
  name: 'post',
  // Lists are returned as text with separators: parsing PostgreSQL arrays costs as much as the rest of the answer.
  text: `SELECT array_to_string(outcomes, ',') AS outcomes, array_to_string(ids, ',') AS ids,
      array_to_string(senders, E'\\x1e', '') AS senders, array_to_string(receivers, E'\\x1e', '') AS receivers, posted_at
    FROM post_transactions($1::smallint, $2::bigint, $3::uuid[], $4::transaction_type[], $5::uuid[], $6::uuid[], $7::text[],
      $8::bigint[], $9::text[], $10::text[], $11::uuid[], $12::uuid[], $13::boolean[], $14::text[], $15::text[], $16::text[],
      $17::text[], $18::uuid[])`,
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

type PostedGroup = { outcomes: string; ids: string; senders: string; receivers: string; posted_at: Date };

function toParty(name: string): Party | undefined {
  if (name === '') return undefined;
  const [_id, firstName, lastName] = name.split('\u001f') as [string, string, string];
  return { _id, firstName, lastName };
}

/** Columns without quotes or commas: ids, numbers and generated text. */
type PlainColumn = Exclude<keyof PostRequest, 'receiver' | 'description' | 'address' | 'bank'>;

/** The arguments of `post_transactions` for these requests, in order. */
export function postParameters(shard: number, requests: PostRequest[], stepUpFromCents?: bigint): unknown[] {
  // Array literals written directly: these values need no escaping.
  const plain = (name: PlainColumn) => `{${requests.map(request => request[name] ?? 'NULL').join(',')}}`;
  const bankColumn = (name: keyof NonNullable<PostRequest['bank']>) =>
    requests.some(r => r.bank) ? requests.map(r => r.bank?.[name] ?? null) : null;
  return [
    shard,
    stepUpFromCents ?? null,
    plain('id'),
    plain('type'),
    plain('actor'),
    plain('session'),
    requests.map(r => r.receiver),
    plain('amountCents'),
    requests.map(r => r.description),
    plain('reference'),
    plain('keyHash'),
    plain('requestHash'),
    plain('isKeyed'),
    requests.map(r => r.address),
    bankColumn('bankName'),
    bankColumn('accountName'),
    bankColumn('accountNumber'),
    requests.some(r => r.proofHash !== null) ? plain('proofHash') : null,
  ];
}

/** Whether the database has not answered: a statement that was sent may have been committed. */
const isUnanswered = (error: unknown) => isLost(error) || !(error instanceof pg.DatabaseError);
const tooOld = new Error('it waited longer than a posting may');
const queueFull = new Error('the queue of postings is full');
const staysLocked = new Error('another transaction keeps the account locked');
const isTooOld = (waiting: Waiting) => Date.now() - waiting.since > deadlineMs;
const busy = (cause: unknown) => new Refusal('BUSY', { waitTime: 2, cause });
const unconfirmed = (cause: unknown) =>
  new Refusal('BUSY', { message: transferMessages.unconfirmed, waitTime: 2, cause });

/** A connection that posts one group at a time and retries it until it is answered or too old. */
type Lane = { isBusy: boolean; post: (group: Waiting[]) => Promise<void>; end: () => Promise<void> };

function openLane(database: Database, isClosed: () => boolean, stepUpFromCents?: bigint): Lane {
  let client: pg.Client | undefined;
  let pid: number | undefined;
  // Each lane updates its own shard of the daily totals, so that lanes do not wait for each other.
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
        ...statement,
        values: postParameters(
          shard,
          group.map(waiting => waiting.request),
          stepUpFromCents,
        ),
      });
      const outcomes = readOutcomes(answer.rows[0]!, group.length);
      postingMetrics.groupSize.observe(group.length);
      postingMetrics.commitSeconds.observe((performance.now() - startedAt) / 1000);
      // Resolve after the lane is free: the database works on the next group while these callers are answered.
      setImmediate(() => {
        for (const [i, waiting] of group.entries()) waiting.resolve(outcomes[i]!);
      });
    } catch (error) {
      // Sent, but the answer is lost: from now on these requests may have been posted.
      if (isUnanswered(error)) for (const waiting of group) waiting.isUncertain = true;
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
   * those whose account was locked on every attempt. A request that runs into another lock time-out starts over, until it is
   * too old.
   */
  const postUnlocked = async (group: Waiting[]): Promise<void> => {
    const deadline = Date.now() + lockRetryMs;
    for (let left = group; ; await sleep(lockRetryIntervalMs)) {
      const isLastAttempt = isClosed() || Date.now() > deadline;
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
    giveUp(whole.filter(isTooOld), tooOld);
    const group = whole.filter(waiting => !isTooOld(waiting));
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
      lane.isBusy = false;
    },
    end: async () => client?.end().catch(() => {}),
  };
  return lane;
}

/** Posts one request as part of the caller's transaction. */
export async function postWithin(tx: Tx, request: PostRequest): Promise<PostOutcome> {
  const query = CompiledQuery.raw(statement.text, postParameters(0, [request]));
  const { rows } = await tx.executeQuery<PostedGroup>(query);
  return readOutcomes(rows[0]!, 1)[0]!;
}

function readOutcomes(posted: PostedGroup, count: number): PostOutcome[] {
  const outcomes = posted.outcomes.split(',');
  const ids = posted.ids.split(',');
  const senders = posted.senders.split('\u001e');
  const receivers = posted.receivers.split('\u001e');
  for (const list of [outcomes, ids, senders, receivers]) {
    if (list.length !== count) throw new Error('The number of outcomes differs from the number of requests.');
  }
  return outcomes.map((outcome, i) => ({
    outcome: Number(outcome),
    id: ids[i]!,
    postedAt: posted.posted_at,
    sender: toParty(senders[i]!),
    receiver: toParty(receivers[i]!),
  }));
}

/** `cause`: why, for the log. */
function giveUp(group: Waiting[], cause: unknown): void {
  for (const waiting of group) waiting.reject(waiting.isUncertain ? unconfirmed(cause) : busy(cause));
}

/** Opens the poster; its connections are made on first use. */
export function openPoster(database: Database, stepUpFromCents?: bigint): Poster {
  const queue: Waiting[] = [];
  let inFlight = 0;
  let isScheduled = false;
  let isClosed = false;
  const lanes = [1, 2].map(() => openLane(database, () => isClosed, stepUpFromCents));

  const dispatch = (): void => {
    isScheduled = false;
    // Refuse requests past their deadline now: the web app already shows them as late.
    while (queue.length > 0 && isTooOld(queue[0]!)) giveUp([queue.shift()!], tooOld);
    for (const lane of lanes) {
      if (lane.isBusy) continue;
      // Larger groups cost less per transfer: start a second group next to the first only if it is large enough.
      if (queue.length === 0 || (lanes.some(other => other.isBusy) && queue.length < minSecondGroupSize))
        return;
      // Half of all open requests: while the database posts them, this process reads and answers the other half.
      const share = Math.max(minGroupSize, Math.ceil((queue.length + inFlight) / 2));
      const group = queue.splice(0, Math.min(share, maxGroupSize));
      inFlight += group.length;
      void lane.post(group).then(() => {
        inFlight -= group.length;
        dispatch();
      });
    }
  };

  const schedule = (): void => {
    if (isScheduled || queue.length === 0) return;
    isScheduled = true;
    // After every request that arrives in this event loop iteration is queued.
    setImmediate(dispatch);
  };

  return {
    post(request) {
      if (isClosed || queue.length >= maxQueueLength) return Promise.reject(busy(queueFull));
      return new Promise((resolve, reject) => {
        queue.push({ request, since: Date.now(), isUncertain: false, resolve, reject });
        schedule();
      });
    },
    waiting: () => queue.length,
    async close() {
      // Post what is queued, without retries.
      isClosed = true;
      while (queue.length > 0 || lanes.some(lane => lane.isBusy)) await sleep(2);
      await Promise.all(lanes.map(lane => lane.end()));
    },
  };
}
