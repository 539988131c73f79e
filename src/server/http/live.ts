/**
 * Live updates: streams of server-sent events that notify customers about changes. Every second and when a stream opens, one
 * query polls the state of all listeners of this process. So it does not matter which process made a change, and posting has no
 * extra cost. A new stream begins with an event, so no change since the last stream is lost. An event says only that something
 * changed. The next event replaces an unread one, so each stream buffers at most one event.
 */
import { Readable } from 'node:stream';
import type pg from 'pg';
import { liveUpdates } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import { networkGroup } from '../base/addressGroup.ts';
import { largestGroup } from '../base/concurrency.ts';
import type { CustomerSession } from './session.ts';

const pollMs = 1_000;
/** Concurrent streams: per session (its tabs), per customer, and in this process. */
const maxStreams = { ofSession: 6, ofAccount: 12, inAll: 5_000 } as const;

export type Live = {
  /**
   * Opens a stream that ends with its session. Refuses `TOO_MANY` if the session or the customer has too many streams. If the
   * process has too many, the network with the most loses its newest one. But if no network has at least two more than the
   * network of `address`, refuses `BUSY`.
   */
  open(session: CustomerSession, address: string): Readable;
  /** How many streams are open. */
  count(): number;
  /** Ends all streams and opens no more. */
  stop(): void;
};

type Listener = {
  sessionId: string;
  accountId: bigint;
  network: string;
  stream: Readable;
  /** The account's state that was sent last. */
  lastState: string | undefined;
  /** The text to send as soon as the client reads; empty if there is none. */
  pending: string;
  wantsMore: boolean;
  sentAt: number;
};

type State = { session_id: string; newest: string | null; state: string };

/** Starts live updates. The database is queried only while streams are open. */
export function openLive(pool: pg.Pool, onError: (error: Error) => void): Live {
  const listeners = new Set<Listener>();
  let timer: NodeJS.Timeout | undefined;
  let isPolling = false;
  let isStopped = false;

  const send = (listener: Listener): void => {
    if (!listener.wantsMore || listener.pending === '' || !listeners.has(listener)) return;
    const { pending } = listener;
    listener.pending = '';
    listener.wantsMore = false;
    listener.sentAt = Date.now();
    listener.stream.push(pending);
  };

  const sendHeartbeats = (): void => {
    for (const listener of listeners) {
      if (Date.now() - listener.sentAt < liveUpdates.heartbeatMs) continue;
      // Without `wantsMore`, the client has not read the last text: it has disconnected or does not read.
      if (listener.wantsMore) {
        listener.pending ||= ':\n\n';
        send(listener);
      } else listener.stream.destroy();
    }
  };

  const poll = async (): Promise<void> => {
    if (isPolling) return;
    isPolling = true;
    try {
      const polled = [...listeners];
      const found = await readStates(pool, [...new Set(polled.map(listener => listener.sessionId))]);
      for (const listener of polled) {
        const current = found.get(listener.sessionId);
        if (!current) end(listener);
        else if (current.state !== listener.lastState) {
          listener.lastState = current.state;
          listener.pending = `event: changed\ndata: ${JSON.stringify({ newest: current.newest })}\n\n`;
          send(listener);
        }
      }
    } catch (error) {
      // The streams stay open: the next successful poll reports what has changed since.
      onError(error as Error);
    } finally {
      isPolling = false;
    }
  };

  const end = (listener: Listener): void => {
    if (remove(listener)) listener.stream.push(null);
  };

  /** Returns false if the listener was already removed. */
  const remove = (listener: Listener): boolean => {
    const wasOpen = listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    return wasOpen;
  };

  return {
    open({ sessionId, accountId }, address) {
      const count = (matches: (listener: Listener) => boolean) => [...listeners].filter(matches).length;
      if (isStopped) throw new Refusal('BUSY', { waitTime: 60 });
      if (
        count(listener => listener.sessionId === sessionId) >= maxStreams.ofSession ||
        count(listener => listener.accountId === accountId) >= maxStreams.ofAccount
      )
        throw new Refusal('TOO_MANY', { waitTime: 60 });
      const network = networkGroup(address);
      if (listeners.size >= maxStreams.inAll) {
        const byNetwork = Map.groupBy(listeners, each => each.network);
        const closed = largestGroup(byNetwork, network)?.at(-1);
        if (!closed) throw new Refusal('BUSY', { waitTime: 60 });
        closed.stream.destroy();
      }
      const stream = new Readable({
        highWaterMark: 1,
        read() {
          listener.wantsMore = true;
          send(listener);
        },
        destroy(error, done) {
          remove(listener);
          done(error);
        },
      });
      // The first text, a comment, opens the stream; the first event follows after the first poll.
      const listener: Listener = {
        sessionId,
        accountId,
        network,
        stream,
        lastState: undefined,
        pending: ':\n\n',
        wantsMore: false,
        sentAt: Date.now(),
      };
      listeners.add(listener);
      timer ??= setInterval(() => {
        sendHeartbeats();
        void poll();
      }, pollMs);
      void poll();
      return stream;
    },
    count: () => listeners.size,
    stop() {
      isStopped = true;
      for (const listener of listeners) end(listener);
    },
  };
}

/**
 * The state of each session's account, limited to what events report. A session that has ended has no row. Notifications of
 * transfers and credits are not stored, so the state also has figures that change with every posting.
 */
const statesQuery = {
  name: 'live states',
  text: `
    SELECT s.id AS session_id, greatest(n.id, p.id) AS newest,
           concat_ws(' ', n.id, a.entry_count, a.balance, a.sent, a.is_approved, a.is_frozen, c.is_verified) AS state
      FROM live_sessions s
      JOIN customers c ON c.id = s.person_id AND c.deleted_at IS NULL
      JOIN ledger_accounts a ON a.id = c.account_id AND NOT a.is_closed
      LEFT JOIN LATERAL (
        SELECT id FROM notifications WHERE account_id = c.account_id ORDER BY id DESC LIMIT 1
      ) n ON true
      LEFT JOIN LATERAL (
        SELECT id FROM posted_notifications WHERE account_id = c.account_id AND seq = a.entry_count LIMIT 1
      ) p ON true
     WHERE s.id = ANY ($1::uuid[])`,
};

async function readStates(pool: pg.Pool, sessionIds: string[]): Promise<Map<string, State>> {
  if (sessionIds.length === 0) return new Map();
  const found = await pool.query<State>({ ...statesQuery, values: [sessionIds] });
  return new Map(found.rows.map(row => [row.session_id, row]));
}
