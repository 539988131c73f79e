/**
 * Group commit. Postings that arrive while the database is busy are sent together: one call, one commit, each with its
 * own outcome as if it had come alone and in this order. A commit costs one disk flush however many it carries.
 *
 * A group whose answer was lost (the connection broke, the database restarted) is sent again until it is answered or
 * too old: every request has a key, so what had been posted is recognised and not posted twice.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TransactionType } from '#contract/entities.ts';
import { Refusal } from '#contract/errors.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { appRole, isLost, isOverloaded } from '../db/database.ts';

/**
 * One movement asked for. A customer who is the actor sends from the own account; `receiver` is an account's number, null
 * for clearing.
 */
export type PostRequest = {
  id: string;
  type: TransactionType;
  actor: string;
  /** A session of the actor that must still stand when it is posted; null where that was asked before. */
  session: string | null;
  receiver: string | null;
  amountCents: bigint;
  description: string;
  reference: string;
  /** What makes the request unique; made of the caller's key where there is one. */
  keyHash: string;
  requestHash: string;
  /** Whether the caller brought the key: then a refusal by the books is remembered with it. */
  isKeyed: boolean;
  address: string;
  bank: { bankName: string; accountName: string; accountNumber: string } | null;
};

/** A customer as named now. */
export type Party = { _id: string; firstName: string; lastName: string };

/**
 * Outcome codes are listed in `db/migrations/0005_posting.sql`; `id` is the transaction's (an earlier one for a replay).
 * The parties are those that were asked for; the bank's own accounts are none.
 */
export type PostOutcome = {
  outcome: number;
  id: string;
  postedAt: Date;
  sender: Party | undefined;
  receiver: Party | undefined;
};

export type Poster = {
  /** Resolves after the commit. Throws `BUSY` where nothing was posted, or where it could not be found out in time. */
  post(request: PostRequest): Promise<PostOutcome>;
  waiting: () => number;
  close: () => Promise<void>;
};

type Waiting = {
  request: PostRequest;
  since: number;
  /** Sent at least once without an answer: it may have been posted. */
  isUncertain: boolean;
  resolve(outcome: PostOutcome): void;
  reject(error: unknown): void;
};

const largestGroup = 256;
const smallestShare = 8;
const worthASecondGroup = 16;
const longestQueue = 5000;
/** Below the ten seconds after which the web app says that the answer is late. */
const patienceMs = 8000;
/** How long the server may take and wait for a lock; after that it has done nothing, and says so. */
const serverSettings =
  '-c statement_timeout=2500 -c lock_timeout=500 -c idle_in_transaction_session_timeout=10000 -c TimeZone=UTC';
/** A line that is silent for this long is dead: the group is sent again on a new one. */
const silenceMs = 3000;
/** Deadlock, serialization failure, a key that another process is posting right now: the group is tried again at once. */
const again = new Set(['40P01', '40001', '23505']);
const lockTimeout = '55P03';
/** How long an account is looked at again and again before who needs it is told, and how often. */
const heldUpMs = 500;
const lookEveryMs = 25;

const statement = {
  name: 'post',
  // Lists come back as text with separators: taking a PostgreSQL array apart costs as much as the rest of the answer.
  text: `SELECT array_to_string(outcomes, ',') AS outcomes, array_to_string(ids, ',') AS ids,
      array_to_string(senders, E'\\x1e', '') AS senders, array_to_string(receivers, E'\\x1e', '') AS receivers, posted_at
    FROM post_transactions($1::smallint, $2::uuid[], $3::transaction_type[], $4::uuid[], $5::uuid[], $6::text[], $7::bigint[],
      $8::text[], $9::text[], $10::uuid[], $11::uuid[], $12::boolean[], $13::text[], $14::text[], $15::text[], $16::text[])`,
};

/** Which of these requests mean an account that somebody else holds at this moment, by their place from 1. */
const heldUp = {
  name: 'held up',
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

/** Columns that hold neither quotes nor commas: ids, numbers and words of the bank's own making. */
type PlainColumn = Exclude<keyof PostRequest, 'receiver' | 'description' | 'address' | 'bank'>;

/** The arguments of `post_transactions` for these requests, in order. */
export function postParameters(shard: number, requests: PostRequest[]): unknown[] {
  // Written at once as PostgreSQL reads arrays: no look at each of their characters is needed.
  const plain = (name: PlainColumn) => `{${requests.map(request => request[name] ?? 'NULL').join(',')}}`;
  const bankColumn = (name: keyof NonNullable<PostRequest['bank']>) =>
    requests.some(r => r.bank) ? requests.map(r => r.bank?.[name] ?? null) : null;
  return [
    shard,
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
  ];
}

const isTooOld = (waiting: Waiting) => Date.now() - waiting.since > patienceMs;
const busy = () => new Refusal('BUSY', { waitTime: 2 });
const unconfirmed = () => new Refusal('BUSY', { message: transferMessages.unconfirmed, waitTime: 2 });

/** A line to the database that posts one group at a time and keeps at it until it is answered or too old. */
type Lane = { isBusy: boolean; post: (group: Waiting[]) => Promise<void>; end: () => Promise<void> };

function openLane(connection: pg.ClientConfig, isClosed: () => boolean): Lane {
  let client: pg.Client | undefined;
  // Lanes count the bank's figures in rows of their own, so that they do not wait for each other.
  const shard = randomInt(32);

  const connect = async (): Promise<pg.Client> => {
    if (client) return client;
    const opened = new pg.Client({
      ...connection,
      application_name: 'larkspur poster',
      connectionTimeoutMillis: silenceMs,
      query_timeout: silenceMs,
      keepAlive: true,
      options: `${serverSettings} -c role=${appRole}`,
    });
    const forget = () => {
      if (client === opened) client = undefined;
    };
    opened.on('error', forget);
    opened.on('end', forget);
    await opened.connect();
    client = opened;
    return opened;
  };

  const dropConnection = () => {
    client?.end().catch(() => {});
    client = undefined;
  };

  const send = async (group: Waiting[]): Promise<void> => {
    const connected = await connect();
    try {
      const answer = await connected.query<PostedGroup>({
        ...statement,
        values: postParameters(
          shard,
          group.map(waiting => waiting.request),
        ),
      });
      const outcomes = readOutcomes(answer.rows[0]!, group.length);
      // The lane is free before the first of many hears: the database goes on while they are answered.
      setImmediate(() => {
        for (const [i, waiting] of group.entries()) waiting.resolve(outcomes[i]!);
      });
    } catch (error) {
      // Sent, and the answer is lost: from now on nobody may say that it was not posted.
      if (isLost(error)) for (const waiting of group) waiting.isUncertain = true;
      throw error;
    }
  };

  /** The requests that mean accounts nobody else holds, and the others. */
  const part = async (group: Waiting[]): Promise<[free: Waiting[], held: Waiting[]]> => {
    const requests = group.map(waiting => waiting.request);
    const columns = [requests.map(r => r.type), requests.map(r => r.actor), requests.map(r => r.receiver)];
    const found = await (await connect()).query<{ place: number }>({ ...heldUp, values: columns });
    const held = new Set(found.rows.map(row => row.place - 1));
    return [group.filter((_, i) => !held.has(i)), group.filter((_, i) => held.has(i))];
  };

  /**
   * Somebody holds an account for long. Whoever does not need it is not held up by it, nor is anybody refused for an account
   * that is only in use: each look posts what is free at that moment, and only what is held at every one of them is given up.
   * What is free and then waits in vain is looked at anew, until it is too old.
   */
  const postAround = async (group: Waiting[]): Promise<void> => {
    const until = Date.now() + heldUpMs;
    for (let left = group; ; await sleep(lookEveryMs)) {
      const isLastLook = isClosed() || Date.now() > until;
      const [free, held] = await part(left).catch((error): [Waiting[], Waiting[]] => {
        if (!isLost(error)) return [[], left];
        // Sending finds a new line, or gives up in time.
        dropConnection();
        return [left, []];
      });
      if (free.length > 0) await postGroup(free);
      if (held.length === 0) return;
      if (isLastLook) return giveUp(held);
      left = held;
    }
  };

  const postGroup = async (whole: Waiting[]): Promise<void> => {
    giveUp(whole.filter(isTooOld));
    const group = whole.filter(waiting => !isTooOld(waiting));
    if (group.length === 0) return;
    for (let attempt = 1; ; attempt++) {
      try {
        await send(group);
        return;
      } catch (error) {
        const code = (error as { code?: string }).code ?? '';
        const isLineLost = isLost(error);
        if (isLineLost) dropConnection();
        if (isLineLost || again.has(code)) {
          if (isClosed() || isTooOld(group[0]!)) return giveUp(group);
          await sleep(isLineLost ? Math.min(25 * attempt, 250) : 5 * Math.random());
        } else if (code === lockTimeout) {
          return isClosed() ? giveUp(group) : postAround(group);
        } else if (group.length > 1) {
          // The server refused the group and did nothing. Each is asked alone, so that one harms nobody else.
          for (const waiting of group) await postGroup([waiting]);
          return;
        } else if (isOverloaded(error)) {
          return giveUp(group);
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

function readOutcomes(posted: PostedGroup, count: number): PostOutcome[] {
  const outcomes = posted.outcomes.split(',');
  const ids = posted.ids.split(',');
  const senders = posted.senders.split('\u001e');
  const receivers = posted.receivers.split('\u001e');
  for (const list of [outcomes, ids, senders, receivers]) {
    if (list.length !== count) throw new Error('The books answered another group than they were asked.');
  }
  return outcomes.map((outcome, i) => ({
    outcome: Number(outcome),
    id: ids[i]!,
    postedAt: posted.posted_at,
    sender: toParty(senders[i]!),
    receiver: toParty(receivers[i]!),
  }));
}

function giveUp(group: Waiting[]): void {
  for (const waiting of group) waiting.reject(waiting.isUncertain ? unconfirmed() : busy());
}

/** Opens the poster; its connections are made on first use. */
export function openPoster(connection: pg.ClientConfig): Poster {
  const queue: Waiting[] = [];
  let underWay = 0;
  let isScheduled = false;
  let isClosed = false;
  const lanes = [openLane(connection, () => isClosed), openLane(connection, () => isClosed)];

  const dispatch = (): void => {
    isScheduled = false;
    // Who has waited too long is told so at once instead of being posted after they were told that the answer is late.
    while (queue.length > 0 && isTooOld(queue[0]!)) giveUp([queue.shift()!]);
    for (const lane of lanes) {
      if (lane.isBusy) continue;
      // The larger a group, the less each transfer costs: a second one goes beside the first only when it is worth it.
      if (queue.length === 0 || (lanes.some(other => other.isBusy) && queue.length < worthASecondGroup))
        return;
      // Half of all: while the database posts it, this process answers and reads the other half.
      const share = Math.max(smallestShare, Math.ceil((queue.length + underWay) / 2));
      const group = queue.splice(0, Math.min(share, largestGroup));
      underWay += group.length;
      void lane.post(group).then(() => {
        underWay -= group.length;
        dispatch();
      });
    }
  };

  const schedule = (): void => {
    if (isScheduled || queue.length === 0) return;
    isScheduled = true;
    // After everything that arrived in this turn of the loop has queued up.
    setImmediate(dispatch);
  };

  return {
    post(request) {
      if (isClosed || queue.length >= longestQueue) return Promise.reject(busy());
      return new Promise((resolve, reject) => {
        queue.push({ request, since: Date.now(), isUncertain: false, resolve, reject });
        schedule();
      });
    },
    waiting: () => queue.length,
    async close() {
      // What waits is still posted; what cannot be posted now is not tried again.
      isClosed = true;
      while (queue.length > 0 || lanes.some(lane => lane.isBusy)) await sleep(2);
      await Promise.all(lanes.map(lane => lane.end()));
    },
  };
}
