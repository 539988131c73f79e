/**
 * Sends mails about transfers. Postings insert a row per group of transactions into `transfer_mails`; this module processes one
 * row at a time and waits while the process is busy, so that requests go first.
 *
 * After each batch, the sent mails are recorded, so a retry skips them. If the process dies between the mail server's
 * acceptance and that record, the batch is sent twice, with the same Message-IDs.
 *
 * Of the payments from one sender to one receiver, only the first few of each hour are mailed. Their position is counted in the
 * ledger, so every process and every retry gets the same result.
 */
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { mailedPayments } from '#contract/constants.ts';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import type { Database, Reader } from '../db/database.ts';
import { renderTransferMail, type TransferMail } from './mails/transferMails.ts';
import { deliver, type OutgoingMail, type Sender } from './sendMail.ts';

type Parts = { database: Database; mailer: Sender; publicUrl: string; log: FastifyBaseLogger };
type TransferMails = {
  id: bigint;
  transaction_ids: string[];
  /** 1: the transfer was posted. 2: an external transfer was settled or returned. */
  step: 1 | 2;
  mailed: number[];
  tries: number;
  unanswered: number;
};
/** A mail and its index within the row: each transaction has two, for sender and receiver. */
type IndexedMail = { index: number; mail: OutgoingMail };

const batchSize = 8;
/** The lease on a claimed row. A process that does not renew it within this time has died. */
const leaseSeconds = 180;
/** With pauses that double up to an hour, this many attempts take most of a day. */
const maxTries = 25;
const maxPausePower = 12;
/**
 * A silent server may be back soon, so its pauses stay short; but a mail that always crashes it must not be retried constantly.
 */
const maxUnansweredPower = 6;

/**
 * Sends the mails of the next due row. Returns false if none is due. Throws if the mail server or the database is unreachable;
 * then nothing is lost, and the caller should pause.
 */
export async function sendNextTransferMails(parts: Parts, signal?: AbortSignal): Promise<boolean> {
  const row = await claimNext(parts.database);
  if (!row) return false;
  const mails = await listMails(parts.database.reader, parts.publicUrl, row);
  const waiting = mails.filter(({ index }) => !row.mailed.includes(index));
  let deferred = 0;
  for (let start = 0; start < waiting.length; start += batchSize) {
    await waitUntilIdle(signal);
    if (signal?.aborted) return await postpone(parts.database, row, 0);
    const batch = waiting.slice(start, start + batchSize);
    const sent = await Promise.allSettled(batch.map(({ mail }) => deliver(parts.mailer, mail)));
    await recordSent(
      parts.database,
      row.id,
      batch.filter((_, i) => sent[i]!.status === 'fulfilled'),
    );
    for (const result of sent) {
      if (result.status === 'fulfilled') {
        if (result.value === 'refused')
          parts.log.warn({ transferMails: String(row.id) }, 'a transfer mail was refused');
      } else if (isAnswered(result.reason)) {
        deferred++;
      } else {
        const unanswered = row.unanswered + 1;
        await postpone(
          parts.database,
          { ...row, unanswered },
          toPauseSeconds(unanswered, maxUnansweredPower),
        );
        throw result.reason;
      }
    }
  }
  // If a receiver's server defers a mail (SMTP 4xx), only this row is retried later; others do not wait.
  const tries = row.tries + 1;
  if (deferred > 0 && tries < maxTries)
    return await postpone(parts.database, { ...row, tries }, toPauseSeconds(tries, maxPausePower));
  if (deferred > 0)
    parts.log.warn(
      { transferMails: String(row.id), mails: deferred, tries },
      'transfer mails were deferred too often and given up',
    );
  await parts.database.inTransaction(tx => sql`DELETE FROM transfer_mails WHERE id = ${row.id}`.execute(tx));
  return true;
}

/** The pause in seconds, which doubles with every failure. */
function toPauseSeconds(failures: number, maxPower: number): number {
  return 2 ** Math.min(failures, maxPower);
}

/** Whether the mail server answered with a status: then it is up, and the problem is with this mail. */
function isAnswered(error: unknown): boolean {
  return (error as { responseCode?: number }).responseCode !== undefined;
}

async function claimNext(database: Database): Promise<TransferMails | undefined> {
  return await database.inTransaction(async tx => {
    const claimed = await sql<TransferMails>`
      UPDATE transfer_mails SET due_at = now() + make_interval(secs => ${leaseSeconds})
       WHERE id = (SELECT id FROM transfer_mails WHERE due_at <= now()
                    ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, transaction_ids, step, mailed, tries, unanswered`.execute(tx);
    return claimed.rows[0];
  });
}

async function recordSent(database: Database, id: bigint, mailed: IndexedMail[]): Promise<void> {
  const indexes = mailed.map(({ index }) => index);
  await database.inTransaction(tx =>
    sql`UPDATE transfer_mails SET mailed = mailed || ${indexes}::integer[],
               due_at = now() + make_interval(secs => ${leaseSeconds}) WHERE id = ${id}`.execute(tx),
  );
}

async function postpone(
  database: Database,
  { id, tries, unanswered }: TransferMails,
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
  /** The number of earlier payments from this sender to this receiver in the same clock hour. */
  earlier: bigint;
};

/**
 * How many of the receiver's preceding payments are searched, so that a receiver with very many payments an hour stays fast.
 */
const maxEarlierPayments = 100;
const hourMs = 60 * 60 * 1000;

/** Lists the mails of a row, to recipients who are still customers, with their current names. */
async function listMails(
  reader: Reader,
  publicUrl: string,
  { transaction_ids, step }: TransferMails,
): Promise<IndexedMail[]> {
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
                     ORDER BY p.receiver_seq DESC LIMIT ${maxEarlierPayments}) p
             WHERE p.sender_account = t.sender_account AND p.created_at >= date_trunc('hour', t.created_at)
           ) AS earlier
      FROM unnest(${transaction_ids}::uuid[]) WITH ORDINALITY AS u(id, ord)
      JOIN transactions t ON t.id = u.id
      LEFT JOIN customers s ON s.account_id = t.sender_account AND s.deleted_at IS NULL
      LEFT JOIN customers r ON r.account_id = t.receiver_account AND r.deleted_at IS NULL
      LEFT JOIN external_transfers x ON x.transaction_id = t.id AND t.type = 'external-transfer'
     ORDER BY u.ord`.execute(reader);
  return found.rows.flatMap(row => {
    const firstIndex = Number(row.ord) * 2;
    const toSender = {
      to: row.sender_email,
      name: row.sender_name,
      otherName: row.account_name ?? row.receiver_full,
    };
    const toReceiver = { to: row.receiver_email, name: row.receiver_name, otherName: row.sender_full };
    const render = (
      side: 0 | 1,
      kind: TransferMail['kind'],
      { to, name, otherName }: typeof toSender,
      id: string,
    ): IndexedMail[] => {
      if (!to) return [];
      const position = kind === 'money-received' ? Number(row.earlier) + 1 : 0;
      if (position > mailedPayments.perHour) return [];
      const mail = {
        ...describe(row, step),
        kind,
        name: name ?? '',
        otherName: otherName ?? '',
        ...(position === mailedPayments.perHour && { silentUntil: nextHour(row.created_at) }),
      };
      return [
        {
          index: firstIndex + side,
          mail: { to, id: `money-${row.id}-${id}`, ...renderTransferMail(mail, publicUrl) },
        },
      ];
    };
    if (step === 2) {
      return row.is_settled
        ? render(0, 'external-settled', toSender, 'settled')
        : render(0, 'external-returned', toSender, 'returned');
    }
    return [
      ...render(0, 'money-sent', toSender, 'out'),
      ...render(1, row.type === 'admin-credit' ? 'credited' : 'money-received', toReceiver, 'in'),
    ];
  });
}

/** The start of the next clock hour. */
function nextHour(at: Date): Date {
  return new Date((Math.floor(at.getTime() / hourMs) + 1) * hourMs);
}

function describe(row: Row, step: TransferMails['step']) {
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
