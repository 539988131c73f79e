/**
 * Streams of server-sent events that tell customers at once that there is something new. One question a second asks the
 * database about everybody who listens to this process, so it does not matter which process made the news, nothing is lost
 * between two streams, and posting pays nothing. An event says only that there is something to ask for: one that nobody has
 * read yet takes in those that follow, and no stream ever holds more than one.
 */
import { Readable } from 'node:stream';
import type pg from 'pg';
import { liveUpdates } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import type { CustomerSession } from './session.ts';

const askEveryMs = 1_000;
/** Streams at once: of one login (its tabs), of one customer, and of everybody in this process. */
const most = { ofSession: 6, ofAccount: 12, inAll: 5_000 } as const;

export type Live = {
  /** Opens a stream that ends with its session. Refuses `TOO_MANY` or `BUSY` where there are too many. */
  open(session: CustomerSession): Readable;
  /** How many streams are open. */
  count(): number;
  /** Ends all streams and opens no more. */
  stop(): void;
};

type Line = {
  sessionId: string;
  accountId: bigint;
  stream: Readable;
  /** What the account looked like when its customer was last told of it. */
  told: string | undefined;
  /** What is to be said as soon as the reader takes it. */
  due: string;
  isWanted: boolean;
  saidAt: number;
};

type State = { session_id: string; newest: string | null; state: string };

/** Opens the hub. It asks the database only while somebody listens. */
export function openLive(pool: pg.Pool, onError: (error: Error) => void): Live {
  const lines = new Set<Line>();
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;
  let isStopped = false;

  const say = (line: Line): void => {
    if (!line.isWanted || line.due === '' || !lines.has(line)) return;
    const { due } = line;
    line.due = '';
    line.isWanted = false;
    line.saidAt = Date.now();
    line.stream.push(due);
  };

  const beat = (): void => {
    for (const line of lines) {
      if (Date.now() - line.saidAt < liveUpdates.heartbeatMs) continue;
      // Whoever has not taken the last word by now is gone or does not read.
      if (line.isWanted) {
        line.due ||= ':\n\n';
        say(line);
      } else line.stream.destroy();
    }
  };

  const ask = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    try {
      const asked = [...lines];
      const found = await readStates(pool, [...new Set(asked.map(line => line.sessionId))]);
      for (const line of asked) {
        const now = found.get(line.sessionId);
        if (!now) end(line);
        else if (now.state !== line.told) {
          line.told = now.state;
          line.due = `event: news\ndata: ${JSON.stringify({ newest: now.newest })}\n\n`;
          say(line);
        }
      }
    } catch (error) {
      // The lines stay: what happens meanwhile is in the first answer that comes again.
      onError(error as Error);
    } finally {
      isAsking = false;
    }
  };

  const end = (line: Line): void => {
    if (forget(line)) line.stream.push(null);
  };

  /** False where it was forgotten before. */
  const forget = (line: Line): boolean => {
    const was = lines.delete(line);
    if (lines.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    return was;
  };

  return {
    open({ sessionId, accountId }) {
      const count = (is: (line: Line) => boolean) => [...lines].filter(is).length;
      if (isStopped || lines.size >= most.inAll) throw new Refusal('BUSY', { waitTime: 60 });
      if (
        count(line => line.sessionId === sessionId) >= most.ofSession ||
        count(line => line.accountId === accountId) >= most.ofAccount
      )
        throw new Refusal('TOO_MANY', { waitTime: 60 });
      const stream = new Readable({
        highWaterMark: 1,
        read() {
          line.isWanted = true;
          say(line);
        },
        destroy(error, done) {
          forget(line);
          done(error);
        },
      });
      // The first word opens the line; what there is to know follows with the first answer.
      const line: Line = {
        sessionId,
        accountId,
        stream,
        told: undefined,
        due: ':\n\n',
        isWanted: false,
        saidAt: Date.now(),
      };
      lines.add(line);
      timer ??= setInterval(() => {
        beat();
        void ask();
      }, askEveryMs);
      void ask();
      return stream;
    },
    count: () => lines.size,
    stop() {
      isStopped = true;
      for (const line of lines) end(line);
    },
  };
}

/**
 * How the accounts of these sessions stand, as far as there is news in it; nothing for a session that stands no more. The
 * newest id alone would miss a notification that is committed after a younger one.
 */
const standing = {
  name: 'news of sessions',
  text: `
    SELECT s.id AS session_id, n.id AS newest,
           concat_ws(' ', n.id, a.lines, a.balance, a.sent, a.is_approved, a.is_frozen, c.is_verified) AS state
      FROM live_sessions s
      JOIN customers c ON c.id = s.person_id AND c.deleted_at IS NULL
      JOIN ledger_accounts a ON a.id = c.account_id AND NOT a.is_closed
      LEFT JOIN LATERAL (
        SELECT id FROM notifications WHERE account_id = c.account_id ORDER BY id DESC LIMIT 1
      ) n ON true
     WHERE s.id = ANY ($1::uuid[])`,
};

async function readStates(pool: pg.Pool, sessionIds: string[]): Promise<Map<string, State>> {
  if (sessionIds.length === 0) return new Map();
  const found = await pool.query<State>({ ...standing, values: [sessionIds] });
  return new Map(found.rows.map(row => [row.session_id, row]));
}
