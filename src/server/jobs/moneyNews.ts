/**
 * Tells people by mail that money moved. Postings leave their news in a table of their own; here it is taken piece by
 * piece, and people who are using the bank go first: while the process is busy, mails wait.
 *
 * What was mailed is noted after each handful, so that a retry leaves it out. Only a process that dies between the mail
 * server's "taken" and that note mails a handful twice, with the same Message-IDs.
 *
 * Of the payments of one sender to one receiver only the first of each hour are mailed. Which those are stands in the
 * books, so that every process and every retry says the same.
 */
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { mailedPayments } from '#contract/constants.ts';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import type { Database, Reader } from '../db/database.ts';
import { drawMoneyMail, type MoneyMail } from './mails/moneyMails.ts';
import { deliver, type OutgoingMail, type Sender } from './sendMail.ts';

type Parts = { database: Database; mailer: Sender; publicUrl: string; log: FastifyBaseLogger };
type News = {
  id: bigint;
  transaction_ids: string[];
  step: 1 | 2;
  mailed: number[];
  tries: number;
  unanswered: number;
};
/** A mail and its place in the list that the news' transactions make: two places for each, sender and receiver. */
type Placed = { place: number; mail: OutgoingMail };

const handful = 8;
/** How long news belongs to the process that took it; a longer silence means that it died. */
const leaseSeconds = 180;
/** Over these, with pauses that double up to an hour, lies most of a day. */
const maxTries = 25;
const longestPausePower = 12;
/** A server that says nothing may be back soon; a mail on which it always dies must not be asked about all the time. */
const longestSilencePower = 6;

/**
 * Mails one group's news. False where none is due. Throws where the mail server or the database is away: then nothing is
 * lost, and there is no use in going on at once.
 */
export async function mailNextNews(parts: Parts, signal?: AbortSignal): Promise<boolean> {
  const news = await takeNews(parts.database);
  if (!news) return false;
  const mails = await listMails(parts.database.reader, parts.publicUrl, news);
  const waiting = mails.filter(({ place }) => !news.mailed.includes(place));
  let putOff = 0;
  for (let start = 0; start < waiting.length; start += handful) {
    await waitUntilIdle(signal);
    if (signal?.aborted) return await putBack(parts.database, news, 0);
    const some = waiting.slice(start, start + handful);
    const sent = await Promise.allSettled(some.map(({ mail }) => deliver(parts.mailer, mail)));
    await noteMailed(
      parts.database,
      news.id,
      some.filter((_, i) => sent[i]!.status === 'fulfilled'),
    );
    for (const result of sent) {
      if (result.status === 'fulfilled') {
        if (result.value === 'refused') parts.log.warn({ news: String(news.id) }, 'a money mail was refused');
      } else if (isAnswered(result.reason)) {
        putOff++;
      } else {
        const unanswered = news.unanswered + 1;
        await putBack(parts.database, { ...news, unanswered }, toPause(unanswered, longestSilencePower));
        throw result.reason;
      }
    }
  }
  // A receiver whose server said "later" is asked again later, and nobody else waits for that.
  const tries = news.tries + 1;
  if (putOff > 0 && tries < maxTries)
    return await putBack(parts.database, { ...news, tries }, toPause(tries, longestPausePower));
  if (putOff > 0)
    parts.log.warn(
      { news: String(news.id), mails: putOff, tries },
      'money mails were put off too often and given up',
    );
  await parts.database.inTransaction(tx => sql`DELETE FROM transfer_mails WHERE id = ${news.id}`.execute(tx));
  return true;
}

/** Doubles with every time it went wrong. In seconds. */
function toPause(times: number, longestPower: number): number {
  return 2 ** Math.min(times, longestPower);
}

/** Whether the mail server spoke: then it is up, and the trouble is this mail's own. */
function isAnswered(error: unknown): boolean {
  return (error as { responseCode?: number }).responseCode !== undefined;
}

async function takeNews(database: Database): Promise<News | undefined> {
  return await database.inTransaction(async tx => {
    const taken = await sql<News>`
      UPDATE transfer_mails SET due_at = now() + make_interval(secs => ${leaseSeconds})
       WHERE id = (SELECT id FROM transfer_mails WHERE due_at <= now()
                    ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, transaction_ids, step, mailed, tries, unanswered`.execute(tx);
    return taken.rows[0];
  });
}

async function noteMailed(database: Database, id: bigint, mailed: Placed[]): Promise<void> {
  const places = mailed.map(({ place }) => place);
  await database.inTransaction(tx =>
    sql`UPDATE transfer_mails SET mailed = mailed || ${places}::integer[],
               due_at = now() + make_interval(secs => ${leaseSeconds}) WHERE id = ${id}`.execute(tx),
  );
}

async function putBack(
  database: Database,
  { id, tries, unanswered }: News,
  afterSeconds: number,
): Promise<true> {
  await database.inTransaction(tx =>
    sql`UPDATE transfer_mails SET tries = ${tries}, unanswered = ${unanswered},
               due_at = now() + make_interval(secs => ${afterSeconds}) WHERE id = ${id}`.execute(tx),
  );
  return true;
}

type Row = {
  ord: bigint;
  id: string;
  type: 'transfer' | 'admin-credit' | 'external-transfer';
  amount: bigint;
  created_at: Date;
  reference: string;
  description: string;
  sender_email: string | null;
  sender_name: string | null;
  sender_full: string | null;
  receiver_email: string | null;
  receiver_name: string | null;
  receiver_full: string | null;
  bank_name: string | null;
  account_name: string | null;
  is_settled: boolean;
  decided_at: Date | null;
  return_reason: string | null;
  /** How many payments of this sender to this receiver came before it in its hour of the clock. */
  earlier: bigint;
};

/** How far back in what a receiver got this is looked for: a shop with very many payments an hour must not be slow to mail. */
const mostLookedAt = 100;
const hourMs = 60 * 60 * 1000;

/** The mails that this news makes, to those who are still customers, with names as they are now. */
async function listMails(
  reader: Reader,
  publicUrl: string,
  { transaction_ids, step }: News,
): Promise<Placed[]> {
  const found = await sql<Row>`
    SELECT u.ord, t.id, t.type, t.amount, t.created_at, t.reference, t.description,
           s.email AS sender_email, s.first_name AS sender_name,
           concat_ws(' ', nullif(s.first_name, ''), nullif(s.last_name, '')) AS sender_full,
           r.email AS receiver_email, r.first_name AS receiver_name,
           concat_ws(' ', nullif(r.first_name, ''), nullif(r.last_name, '')) AS receiver_full,
           x.bank_name, x.account_name, x.status = 'completed' AS is_settled, x.decided_at, x.return_reason,
           (SELECT count(*)
              FROM (SELECT p.sender_account, p.created_at FROM transactions p
                     WHERE p.receiver_account = t.receiver_account AND p.receiver_seq < t.receiver_seq
                     ORDER BY p.receiver_seq DESC LIMIT ${mostLookedAt}) p
             WHERE p.sender_account = t.sender_account AND p.created_at >= date_trunc('hour', t.created_at)
           ) AS earlier
      FROM unnest(${transaction_ids}::uuid[]) WITH ORDINALITY AS u(id, ord)
      JOIN transactions t ON t.id = u.id
      LEFT JOIN customers s ON s.account_id = t.sender_account AND s.deleted_at IS NULL
      LEFT JOIN customers r ON r.account_id = t.receiver_account AND r.deleted_at IS NULL
      LEFT JOIN external_transfers x ON x.transaction_id = t.id AND t.type = 'external-transfer'
     ORDER BY u.ord`.execute(reader);
  return found.rows.flatMap(row => {
    const place = Number(row.ord) * 2;
    const toSender = {
      to: row.sender_email,
      name: row.sender_name,
      otherName: row.account_name ?? row.receiver_full,
    };
    const toReceiver = { to: row.receiver_email, name: row.receiver_name, otherName: row.sender_full };
    const draw = (
      side: 0 | 1,
      kind: MoneyMail['kind'],
      { to, name, otherName }: typeof toSender,
      id: string,
    ): Placed[] => {
      if (!to) return [];
      const inTurn = kind === 'money-received' ? Number(row.earlier) + 1 : 0;
      if (inTurn > mailedPayments.perHour) return [];
      const mail = {
        ...describe(row, step),
        kind,
        name: name ?? '',
        otherName: otherName ?? '',
        ...(inTurn === mailedPayments.perHour && { silentUntil: nextHour(row.created_at) }),
      };
      return [
        { place: place + side, mail: { to, id: `money-${row.id}-${id}`, ...drawMoneyMail(mail, publicUrl) } },
      ];
    };
    if (step === 2) {
      return row.is_settled
        ? draw(0, 'external-settled', toSender, 'settled')
        : draw(0, 'external-returned', toSender, 'returned');
    }
    return [
      ...draw(0, 'money-sent', toSender, 'out'),
      ...draw(1, row.type === 'admin-credit' ? 'credited' : 'money-received', toReceiver, 'in'),
    ];
  });
}

/** The next full hour of the clock. */
function nextHour(at: Date): Date {
  return new Date((Math.floor(at.getTime() / hourMs) + 1) * hourMs);
}

function describe(row: Row, step: News['step']) {
  return {
    amountCents: row.amount,
    description: row.description,
    transactionId: row.id,
    reference: row.reference,
    at: step === 2 && row.decided_at ? row.decided_at : row.created_at,
    ...(row.bank_name !== null && { bankName: row.bank_name }),
    ...(step === 2 && row.return_reason !== null && { reason: row.return_reason }),
  };
}
