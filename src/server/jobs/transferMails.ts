/**
 * Sends mails about transfers. Postings insert a row per group of transactions into `transfer_mails`; this module processes many
 * rows at a time over parallel SMTP connections. While the process is busy, it sends a few mails at a time with pauses between
 * them, so that requests go first.
 *
 * Accepted mails are recorded in batches: each commit covers what was accepted during the previous one. If the process dies in
 * between, those few mails are sent twice, with the same Message-IDs.
 *
 * Of the payments from one sender to one receiver, only the first few of each hour are mailed. Their position is counted in the
 * ledger, so every process and every retry gets the same result.
 */
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { mailedPayments, stepUp } from '#contract/constants.ts';
import type { TransactionType } from '#contract/entities.ts';
import { sleep } from '../base/deadline.ts';
import type { Key } from '../base/keys.ts';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import type { Database } from '../db/database.ts';
import { freezeUrl } from '../people/freezeLink.ts';
import { renderTransferMail, type TransferMail } from './mails/transferMails.ts';
import { deliver, type OutgoingMail, type Sender } from './sendMail.ts';

type Parts = {
  database: Database;
  mailer: Sender;
  publicUrl: string;
  secrets: { codeKey: Key };
  log: FastifyBaseLogger;
};
/** A claimed row. */
type TransferMails = {
  id: bigint;
  mailed: number[];
  tries: number;
  unanswered: number;
};
/** A mail and its index within its row: each transaction has two, for sender and receiver. */
type IndexedMail = { rowId: bigint; index: number; mail: OutgoingMail };

/**
 * Rows that are claimed at a time, until they hold this many transactions. Under load a row holds a group of transfers, and
 * rendering the mails of many groups at once would delay requests.
 */
const maxRows = 32;
const maxTransactions = 128;
/** Mails on their way at a time. A few more than the mailer has connections, so that none of them waits. */
const maxSending = 24;
/** With so many accepted mails that are not recorded yet, sending waits: after a crash they are sent again. */
const maxUnrecorded = 64;
/** Mails between two pauses while the process is busy. An idle process sends all mails of a round without a pause. */
const mailsPerBurst = 8;
const maxPauseMs = 300;
/** The lease on a claimed row. A process that does not renew it within this time has died. */
const leaseSeconds = 180;
const renewMs = 30_000;
/** How long recording waits for the first accepted mail. */
const recordMs = 5;
/** How long recording is retried while the database is unreachable: shorter than the lease. */
const recordAgainMs = 60_000;
const recordPauseMs = 500;
/** With pauses that double up to an hour, this many attempts take most of a day. */
const maxTries = 25;
const maxPausePower = 12;
/**
 * A silent server may be back soon, so its pauses stay short; but a mail that always crashes it must not be retried constantly.
 */
const maxUnansweredPower = 6;

/** A claimed row on its way: what was accepted and not recorded yet, and how its other mails ended. */
type Claim = { row: TransferMails; left: number; accepted: number[]; deferred: number; failure?: unknown };

/**
 * Sends the mails of the next due rows. Returns false if none is due. Throws if the mail server or the database is unreachable;
 * then nothing is lost, and the caller should pause.
 */
export async function sendNextTransferMails(parts: Parts, signal?: AbortSignal): Promise<boolean> {
  const isIdle = await waitUntilIdle(signal, maxPauseMs);
  if (signal?.aborted) return true;
  const rows = await claimNext(parts.database);
  if (rows.length === 0) return false;
  const claims = new Map<bigint, Claim>(
    rows.map(row => [row.id, { row, left: 0, accepted: [], deferred: 0 }]),
  );
  const waiting = (await listMails(parts, rows)).filter(
    ({ rowId, index }) => !claims.get(rowId)!.row.mailed.includes(index),
  );
  for (const { rowId } of waiting) claims.get(rowId)!.left++;
  const mustStop = () => signal?.aborted || [...claims.values()].some(claim => claim.failure !== undefined);

  const isBehind = () =>
    [...claims.values()].reduce((sum, { accepted }) => sum + accepted.length, 0) >= maxUnrecorded;

  let leftInBurst = isIdle ? Number.POSITIVE_INFINITY : mailsPerBurst;
  let pause: Promise<void> | undefined;
  /** All senders pause together. */
  const endPause = async (): Promise<void> => {
    leftInBurst = (await waitUntilIdle(signal, maxPauseMs)) ? Number.POSITIVE_INFINITY : mailsPerBurst;
    pause = undefined;
  };

  const sendNext = async (): Promise<void> => {
    while (waiting.length > 0) {
      while (leftInBurst <= 0) {
        pause ??= endPause();
        await pause;
      }
      while (isBehind() && waiting.length > 0) await sleep(recordMs);
      const next = waiting.shift();
      if (!next || mustStop()) return;
      leftInBurst--;
      const claim = claims.get(next.rowId)!;
      try {
        const result = await deliver(parts.mailer, next.mail);
        if (result === 'refused')
          parts.log.warn({ transferMails: String(next.rowId) }, 'a transfer mail was refused');
        claim.accepted.push(next.index);
        claim.left--;
      } catch (error) {
        if (isAnswered(error)) {
          claim.deferred++;
          claim.left--;
        } else claim.failure ??= error;
      }
    }
  };
  let isSending = true;
  const sending = Promise.all(Array.from({ length: maxSending }, sendNext)).finally(() => {
    isSending = false;
  });
  const record = startRecording(parts.database, claims);
  try {
    while (isSending) await record();
    await record();
  } catch (error) {
    // Nothing more is sent that could not be recorded. What was accepted is recorded as soon as the database is back.
    waiting.length = 0;
    await sending;
    await retryUntil(record, performance.now() + recordAgainMs, signal);
    throw error;
  }
  await putBack(parts, [...claims.values()]);
  const failed = [...claims.values()].find(claim => claim.failure !== undefined);
  if (failed) throw failed.failure;
  return true;
}

/** Returns a function that records what was accepted since its last call, and deletes rows that are done. */
function startRecording(database: Database, claims: Map<bigint, Claim>): () => Promise<void> {
  let renewedAt = performance.now();
  return async () => {
    const done = [...claims.values()].filter(claim => claim.left === 0 && claim.deferred === 0);
    const changed = [...claims.values()].filter(claim => claim.accepted.length > 0 && !done.includes(claim));
    const renewed = performance.now() - renewedAt > renewMs ? [...claims.keys()] : [];
    if (done.length + changed.length + renewed.length === 0) return await sleep(recordMs);
    const ids = changed.map(({ row }) => row.id);
    const accepted = changed.map(claim => [...claim.accepted]);
    const indexes = accepted.map(each => each.join(','));
    await database.inTransaction(async tx => {
      if (done.length > 0)
        await sql`DELETE FROM transfer_mails WHERE id = ANY (${done.map(({ row }) => row.id)}::bigint[])`.execute(
          tx,
        );
      if (ids.length > 0)
        await sql`UPDATE transfer_mails m SET mailed = m.mailed || string_to_array(u.indexes, ',')::integer[]
                    FROM unnest(${ids}::bigint[], ${indexes}::text[]) u(id, indexes) WHERE m.id = u.id`.execute(
          tx,
        );
      if (renewed.length > 0)
        await sql`UPDATE transfer_mails SET due_at = now() + make_interval(secs => ${leaseSeconds})
                   WHERE id = ANY (${renewed}::bigint[])`.execute(tx);
    });
    for (const { row } of done) claims.delete(row.id);
    for (const [i, claim] of changed.entries()) claim.accepted.splice(0, accepted[i]!.length);
    if (renewed.length > 0) renewedAt = performance.now();
  };
}

async function retryUntil(work: () => Promise<void>, deadline: number, signal?: AbortSignal): Promise<void> {
  while (performance.now() < deadline && !signal?.aborted) {
    try {
      return await work();
    } catch {
      await sleep(recordPauseMs, signal);
    }
  }
}

/**
 * Makes the rows that are not done due again: later if the mail server deferred or did not answer, at once if the round ended.
 */
async function putBack({ database, log }: Parts, claims: Claim[]): Promise<void> {
  for (const { row, left, deferred, failure } of claims) {
    const transferMails = String(row.id);
    const tries = row.tries + 1;
    if (failure !== undefined) {
      const unanswered = row.unanswered + 1;
      await postpone(database, { ...row, unanswered }, toPauseSeconds(unanswered, maxUnansweredPower));
    } else if (left > 0) {
      await postpone(database, row, 0);
    } else if (tries < maxTries) {
      // If a receiver's server defers a mail (SMTP 4xx), only this row is retried later; others do not wait.
      await postpone(database, { ...row, tries }, toPauseSeconds(tries, maxPausePower));
    } else {
      log.warn(
        { transferMails, mails: deferred, tries },
        'transfer mails were deferred too often and given up',
      );
      await database.inTransaction(tx => sql`DELETE FROM transfer_mails WHERE id = ${row.id}`.execute(tx));
    }
  }
}

/** The pause in seconds, which doubles with every failure. */
function toPauseSeconds(failures: number, maxPower: number): number {
  return 2 ** Math.min(failures, maxPower);
}

/** Whether the mail server answered with a status: then it is up, and the problem is with this mail. */
function isAnswered(error: unknown): boolean {
  return (error as { responseCode?: number }).responseCode !== undefined;
}

async function claimNext(database: Database): Promise<TransferMails[]> {
  return await database.inTransaction(async tx => {
    const claimed = await sql<TransferMails>`
      WITH due AS (
        SELECT id, due_at, cardinality(transaction_ids) AS transactions FROM transfer_mails WHERE due_at <= now()
         ORDER BY due_at, id LIMIT ${maxRows} FOR UPDATE SKIP LOCKED
      ), counted AS (
        SELECT id, sum(transactions) OVER (ORDER BY due_at, id) - transactions AS before FROM due
      )
      UPDATE transfer_mails SET due_at = now() + make_interval(secs => ${leaseSeconds})
       WHERE id IN (SELECT id FROM counted WHERE before < ${maxTransactions})
      RETURNING id, mailed, tries, unanswered`.execute(tx);
    return claimed.rows;
  });
}

async function postpone(
  database: Database,
  { id, tries, unanswered }: TransferMails,
  afterSeconds: number,
): Promise<void> {
  await database.inTransaction(tx =>
    sql`UPDATE transfer_mails SET tries = ${tries}, unanswered = ${unanswered},
               due_at = now() + make_interval(secs => ${afterSeconds}) WHERE id = ${id}`.execute(tx),
  );
}

type Row = {
  row_id: bigint;
  /** 1: the transfer was posted. 2: an external transfer was settled or returned. */
  step: 1 | 2;
  ord: bigint;
  id: string;
  type: TransactionType;
  amount: bigint;
  created_at: Date;
  reference: string;
  description: string;
  sender_id: string | null;
  sender_email: string | null;
  sender_name: string | null;
  sender_full: string | null;
  receiver_email: string | null;
  receiver_name: string | null;
  receiver_full: string | null;
  depositor: string | null;
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
/** From this amount on, the sender's mail has a link that freezes the account. */
const largeCents = BigInt(stepUp.fromDollars) * 100n;
const hourMs = 60 * 60 * 1000;

/** Lists the mails of the rows, to recipients who are still customers, with their current names. */
async function listMails(
  { database: { reader }, publicUrl, secrets }: Parts,
  rows: TransferMails[],
): Promise<IndexedMail[]> {
  const found = await sql<Row>`
    SELECT m.id AS row_id, m.step, u.ord, t.id, s.id AS sender_id, t.type, t.amount, t.created_at, t.reference, t.description,
           s.email AS sender_email, s.first_name AS sender_name,
           concat_ws(' ', nullif(s.first_name, ''), nullif(s.last_name, '')) AS sender_full,
           r.email AS receiver_email, r.first_name AS receiver_name,
           concat_ws(' ', nullif(r.first_name, ''), nullif(r.last_name, '')) AS receiver_full,
           d.sender_name AS depositor, x.bank_name, x.account_name, x.status = 'completed' AS is_settled, x.decided_at, x.return_reason,
           (SELECT count(*)
              FROM (SELECT p.sender_account, p.created_at FROM transactions p
                     WHERE p.receiver_account = t.receiver_account AND p.receiver_seq < t.receiver_seq
                     ORDER BY p.receiver_seq DESC LIMIT ${maxEarlierPayments}) p
             WHERE p.sender_account = t.sender_account AND p.created_at >= date_trunc('hour', t.created_at)
           ) AS earlier
      FROM transfer_mails m, unnest(m.transaction_ids) WITH ORDINALITY AS u(id, ord)
      JOIN transactions t ON t.id = u.id
      LEFT JOIN customers s ON s.account_id = t.sender_account AND s.deleted_at IS NULL
      LEFT JOIN customers r ON r.account_id = t.receiver_account AND r.deleted_at IS NULL
      LEFT JOIN external_transfers x ON x.transaction_id = t.id AND t.type = 'external-transfer'
      LEFT JOIN deposits d ON d.transaction_id = t.id AND t.type = 'deposit'
     WHERE m.id = ANY (${rows.map(({ id }) => id)}::bigint[])
     ORDER BY m.id, u.ord`.execute(reader);
  return found.rows.flatMap(row => {
    const { row_id: rowId, step } = row;
    const firstIndex = Number(row.ord) * 2;
    const toSender = {
      to: row.sender_email,
      name: row.sender_name,
      otherName: row.account_name ?? row.receiver_full,
    };
    const toReceiver = {
      to: row.receiver_email,
      name: row.receiver_name,
      otherName: row.depositor ?? row.sender_full,
    };
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
        ...(kind === 'money-sent' &&
          row.sender_id !== null &&
          row.amount >= largeCents && { freezeUrl: freezeUrl(publicUrl, row.sender_id, secrets.codeKey) }),
        ...(position === mailedPayments.perHour && { silentUntil: nextHour(row.created_at) }),
      };
      return [
        {
          rowId,
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
    if (row.type === 'reversal')
      return [...render(0, 'reversed-out', toSender, 'out'), ...render(1, 'reversed-in', toReceiver, 'in')];
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

function describe(row: Row, step: Row['step']) {
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
