/**
 * Sends mails about transfers. Postings insert a row per group of transactions into `transfer_mails`; this module processes
 * many rows at a time over parallel SMTP connections. While the process is busy, it sends a few mails at a time with pauses
 * between them, so that requests go first.
 *
 * Accepted mails are recorded in batches: each commit covers the mails that were accepted during the previous one. If the
 * process dies before the commit, these few mails are sent twice, with the same Message-IDs.
 *
 * How a customer wants to be mailed is read when a mail is about to be sent. Mails that are sent as one summary move to
 * `summary_mails`.
 *
 * Except in a daily summary, a receiver is mailed only about the first few payments of each hour from one sender. Their
 * position is counted in the ledger, so every process and every retry gets the same result.
 */
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { mailedPayments, summaryMails } from '#contract/constants.ts';
import { sleep } from '../base/deadline.ts';
import type { Key } from '../base/keys.ts';
import { traceWork } from '../base/tracePoints.ts';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import type { Database } from '../db/database.ts';
import { renderPartyMail } from './mails/transferMails.ts';
import { type PartyMail, readPartyMails } from './partyMails.ts';
import {
  deliver,
  isUnconfirmed,
  maxCopies,
  type OutgoingMail,
  type Sender,
  toBackoffSeconds,
  toCopyPauseSeconds,
} from './sendMail.ts';

export type TransferMailParts = {
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

/**
 * At most `maxRows` rows are claimed at a time, and no more once they hold `maxTransactions` transactions. Under load a row
 * holds a group of transfers, and rendering the mails of many groups at once would delay requests.
 */
const maxRows = 32;
const maxTransactions = 128;
/** Mails on their way at a time. More than the mailer has connections for them, so that no connection is idle. */
const maxSending = 24;
/** Sending pauses at this many accepted mails that are not recorded yet, because a crash would send them again. */
const maxUnrecorded = 64;
/** Mails between two pauses while the process is busy. An idle process sends all mails of a round without a pause. */
const mailsPerBurst = 8;
const maxPauseMs = 300;
/** The lease on a claimed row. A process that does not renew it within this time has died. */
const leaseSeconds = 180;
const renewMs = 30_000;
/** How long recording pauses when no mail was accepted. */
const recordMs = 5;
/** How long recording is retried while the database is unreachable: shorter than the lease. */
const recordAgainMs = 60_000;
const recordPauseMs = 500;
/** With pauses that double up to an hour, this many attempts take most of a day. */
export const maxTries = 25;
export const maxBackoffPower = 12;
/** An attempt that the server does not confirm counts as this many attempts, so that the receiver gets few copies. */
export const triesPerCopy = maxTries / maxCopies;
/**
 * A silent server may be back soon, so its pauses stay short. But a mail that always crashes the server must not be retried
 * constantly.
 */
const maxUnansweredBackoffPower = 6;

/** A claimed row while its mails are sent. `left`: how many are still to be sent. `accepted`: those not recorded yet. */
type Claim = {
  row: TransferMails;
  left: number;
  accepted: number[];
  deferred: number;
  unconfirmed: number;
  failure?: unknown;
};

/**
 * Sends the mails of the next due rows. Returns false if none is due. Throws if the mail server or the database is unreachable;
 * then nothing is lost, and the caller should pause.
 */
export async function sendNextTransferMails(
  parts: TransferMailParts,
  signal?: AbortSignal,
): Promise<boolean> {
  const isIdle = await waitUntilIdle(signal, maxPauseMs);
  if (signal?.aborted) return true;
  const rows = await claimNext(parts.database);
  if (rows.length === 0) return false;
  const claims = new Map<bigint, Claim>(
    rows.map(row => [row.id, { row, left: 0, accepted: [], deferred: 0, unconfirmed: 0 }]),
  );
  const left = (await readPartyMails(parts.database.reader, transfersOf(rows))).filter(
    ({ rowId, index }) => !claims.get(rowId)!.row.mailed.includes(index),
  );
  const waiting = await moveToSummaries(parts.database, left, claims);
  for (const { rowId } of waiting) claims.get(rowId)!.left++;
  let hasAccepted = false;
  /** Set if the server did not confirm a mail. This stops the round only if the server answered no other mail. */
  let silence: unknown;
  const mustStop = () =>
    signal?.aborted ||
    (silence !== undefined && !hasAccepted) ||
    [...claims.values()].some(claim => claim.failure !== undefined);

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
        const result = await traceWork({ name: 'mail', transactionId: next.transactionId }, () =>
          deliver(parts.mailer, toOutgoing(parts, next)),
        );
        if (result === 'refused')
          parts.log.warn({ transferMails: String(next.rowId) }, 'a transfer mail was refused');
        hasAccepted = true;
        claim.accepted.push(next.index);
        claim.left--;
      } catch (error) {
        if (isAnswered(error)) {
          hasAccepted = true;
          claim.deferred++;
          claim.left--;
        } else if (isUnconfirmed(error)) {
          silence ??= error;
          if (isLastCopy(claim.row)) {
            parts.log.warn({ transferMails: String(next.rowId) }, unconfirmedMessage);
            claim.accepted.push(next.index);
          } else claim.unconfirmed++;
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
    // Sends no more mails, because they could not be recorded. Records the accepted ones once the database is back.
    waiting.length = 0;
    await sending;
    await retryUntil(record, performance.now() + recordAgainMs, signal);
    throw error;
  }
  await putBack(parts, [...claims.values()]);
  const failed = [...claims.values()].find(claim => claim.failure !== undefined);
  if (failed) throw failed.failure;
  if (silence !== undefined && !hasAccepted) throw silence;
  return true;
}

/** Whether a mail is given up if the server does not confirm this attempt either. */
export const isLastCopy = ({ tries }: { tries: number }): boolean => tries + triesPerCopy >= maxTries;
export const unconfirmedMessage = 'the mail server has a mail and did not answer; it is not sent again';

const transfersOf = (rows: TransferMails[]) => sql`
  SELECT m.id AS row_id, m.step, u.ord, u.id FROM transfer_mails m, unnest(m.transaction_ids) WITH ORDINALITY AS u(id, ord)
   WHERE m.id = ANY (${rows.map(({ id }) => id)}::bigint[])`;

/** How a mail is sent: alone, in a summary of the day, in a summary because many are waiting, or not. */
type Way = 'each' | 'daily' | 'collect' | 'not';

function chooseWay(mail: PartyMail, isBusy: boolean): Way {
  if (mail.isLarge) return 'each';
  if (mail.preference === 'off') return 'not';
  if (mail.preference === 'daily') return 'daily';
  if (mail.position > mailedPayments.perHour) return 'not';
  return isBusy || mail.isCollecting ? 'collect' : 'each';
}

/**
 * Moves the mails that a summary will list to `summary_mails`, in one transaction, and returns the mails to send now.
 *
 * A customer is busy if many transfers were posted since the oldest of these mails. Rows are sent in order, so the mails about
 * those transfers are still waiting. Deferred mails are not in order, so they do not count.
 */
async function moveToSummaries(
  database: Database,
  mails: PartyMail[],
  claims: Map<bigint, Claim>,
): Promise<PartyMail[]> {
  const waitingOf = new Map<bigint, number>();
  const isFirstAttempt = ({ rowId }: PartyMail) => claims.get(rowId)!.row.tries === 0;
  for (const mail of mails)
    if (isFirstAttempt(mail))
      waitingOf.set(mail.accountId, Math.max(mail.since, waitingOf.get(mail.accountId) ?? 0));
  const ways: Record<Way, PartyMail[]> = { each: [], daily: [], collect: [], not: [] };
  for (const mail of mails) {
    const isBusy =
      isFirstAttempt(mail) && mail.step === 1 && waitingOf.get(mail.accountId)! > summaryMails.from;
    ways[chooseWay(mail, isBusy)].push(mail);
  }
  const moved = [...ways.daily, ...ways.collect];
  if (moved.length === 0) return ways.each;
  await database.inTransaction(async tx => {
    await sql`
      INSERT INTO summary_mails (transaction_id, step, side, account_id, is_daily, due_at)
      SELECT id, step, side, account_id, is_daily,
             CASE WHEN is_daily THEN next_summary_at(${summaryMails.hour})
                  ELSE now() + make_interval(secs => ${summaryMails.collectSeconds}) END
        FROM unnest(${moved.map(mail => mail.transactionId)}::uuid[], ${moved.map(mail => mail.step)}::smallint[],
                    ${moved.map(mail => mail.side)}::smallint[], ${moved.map(mail => mail.accountId)}::bigint[],
                    ${moved.map(mail => ways.daily.includes(mail))}::boolean[]) AS u(id, step, side, account_id, is_daily)
          ON CONFLICT DO NOTHING`.execute(tx);
    await sql`
      UPDATE transfer_mails m SET mailed = m.mailed || u.indexes
        FROM (SELECT id, array_agg(index) AS indexes
                FROM unnest(${moved.map(mail => mail.rowId)}::bigint[], ${moved.map(mail => mail.index)}::integer[]) AS x(id, index)
               GROUP BY id) u WHERE m.id = u.id`.execute(tx);
  });
  return ways.each;
}

function toOutgoing({ publicUrl, secrets }: TransferMailParts, mail: PartyMail): OutgoingMail {
  const rendered = renderPartyMail(mail, { publicUrl, codeKey: secrets.codeKey });
  return { ...rendered, to: mail.to, id: mail.messageId, isBulk: true };
}

/** Returns a function that records what was accepted since its last call, and deletes rows that are done. */
function startRecording(database: Database, claims: Map<bigint, Claim>): () => Promise<void> {
  let renewedAt = performance.now();
  return async () => {
    const done = [...claims.values()].filter(
      claim => claim.left === 0 && claim.deferred === 0 && claim.unconfirmed === 0,
    );
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
 * Releases unfinished rows: due later if the mail server deferred a mail or did not answer, due at once if the round stopped
 * before their mails were sent. Deletes a row after too many attempts.
 */
async function putBack({ database, log }: TransferMailParts, claims: Claim[]): Promise<void> {
  for (const { row, left, deferred, unconfirmed, failure } of claims) {
    const transferMails = String(row.id);
    const tries = row.tries + 1;
    if (unconfirmed > 0) {
      const counted = row.tries + triesPerCopy;
      log.warn(
        { transferMails, mails: unconfirmed, tries: counted },
        'the mail server has transfer mails and did not answer; they will be sent again',
      );
      await postpone(
        database,
        { ...row, tries: counted },
        toCopyPauseSeconds(Math.ceil(counted / triesPerCopy)),
      );
    } else if (failure !== undefined) {
      const unanswered = row.unanswered + 1;
      await postpone(
        database,
        { ...row, unanswered },
        toBackoffSeconds(unanswered, maxUnansweredBackoffPower),
      );
    } else if (left > 0) {
      await postpone(database, row, 0);
    } else if (tries < maxTries) {
      // If a receiver's server defers a mail (SMTP 4xx), only this row is retried later; others do not wait.
      log.info({ transferMails, mails: deferred, tries }, 'transfer mails were deferred and will be retried');
      await postpone(database, { ...row, tries }, toBackoffSeconds(tries, maxBackoffPower));
    } else {
      log.warn(
        { transferMails, mails: deferred, tries },
        'transfer mails were deferred too often and given up',
      );
      await database.inTransaction(tx => sql`DELETE FROM transfer_mails WHERE id = ${row.id}`.execute(tx));
    }
  }
}

/** Whether the server answered that it rejects this mail. Then the server works, and the problem is the mail, not the bank. */
export function isAnswered(error: unknown): boolean {
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
