/**
 * Sends the transfer mails that wait in `summary_mails` as one mail for each customer: once a day, or because many are waiting.
 *
 * The rows of a mail get its id before the first attempt, so every attempt has the same content and the same Message-ID. When
 * the mail server has accepted the mail, its rows are deleted. If the process dies in between, the mail is sent twice, with the
 * same Message-ID.
 */
import { sql } from 'kysely';
import { summaryMails } from '#contract/constants.ts';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import { type Database, reasonOf } from '../db/database.ts';
import { renderPartyMail, renderSummaryMail } from './mails/transferMails.ts';
import { readPartyMails } from './partyMails.ts';
import { deliver, isUnconfirmed, toBackoffSeconds, toCopyPauseSeconds } from './sendMail.ts';
import {
  isAnswered,
  isLastCopy,
  maxBackoffPower,
  maxTries,
  type TransferMailParts,
  triesPerCopy,
  unconfirmedMessage,
} from './transferMails.ts';

/** A claimed mail. */
type Summary = { mailId: string; isDaily: boolean; tries: number };

/** Mails that are claimed at a time, and sent in parallel. */
const maxClaimed = 24;
/** How many due rows are searched for mails to claim. */
const maxSearched = 1_000;
const maxPauseMs = 100;
/** The lease on a claimed mail: longer than an attempt can take, which is two minutes (mailer.ts). */
const leaseSeconds = 300;
const unansweredPauseSeconds = 5;

/**
 * Sends the next due summaries. Returns false if none is due. Throws if all of them fail, as when the mail server or the
 * database is unreachable; then nothing is lost, and the caller should pause.
 */
export async function sendNextSummaries(parts: TransferMailParts, signal?: AbortSignal): Promise<boolean> {
  await waitUntilIdle(signal, maxPauseMs);
  if (signal?.aborted) return false;
  const claimed = await claimNext(parts.database);
  const results = await Promise.allSettled(claimed.map(summary => send(parts, summary)));
  const failed = results.filter(result => result.status === 'rejected');
  // The caller must not pause for one that always fails while others are sent.
  if (failed[0] && failed.length === results.length) throw failed[0].reason;
  for (const { reason } of failed)
    parts.log.warn({ reason: reasonOf(reason) }, 'a summary failed and is tried again');
  return claimed.length > 0;
}

async function send(parts: TransferMailParts, summary: Summary): Promise<void> {
  const { database, log } = parts;
  const { mailId } = summary;
  try {
    await deliverSummary(parts, summary);
  } catch (error) {
    if (isUnconfirmed(error)) {
      if (isLastCopy(summary)) log.warn({ mailId }, unconfirmedMessage);
      else {
        const tries = summary.tries + triesPerCopy;
        await postpone(database, { ...summary, tries }, toCopyPauseSeconds(Math.ceil(tries / triesPerCopy)));
        throw error;
      }
    } else if (!isAnswered(error)) {
      // Includes mails that cannot be rendered: if retries waited for the end of the lease, they would be too rare for an
      // alert.
      await postpone(database, summary, unansweredPauseSeconds);
      throw error;
    } else {
      const tries = summary.tries + 1;
      if (tries < maxTries)
        return await postpone(database, { ...summary, tries }, toBackoffSeconds(tries, maxBackoffPower));
      log.warn({ mailId, tries }, 'a summary was deferred too often and given up');
    }
  }
  await database.inTransaction(tx => sql`DELETE FROM summary_mails WHERE mail_id = ${mailId}`.execute(tx));
}

async function deliverSummary(parts: TransferMailParts, { mailId, isDaily }: Summary): Promise<void> {
  const { database, mailer, publicUrl, secrets, log } = parts;
  // `readPartyMails` returns the mails of both sides. `row_id` holds the step and side that wait here, as 3 * step + side, so
  // that the filter below keeps only the mail of that side.
  const mails = await readPartyMails(
    database.reader,
    sql`SELECT (3 * step + side)::bigint AS row_id, step, row_number() OVER (ORDER BY transaction_id) AS ord,
               transaction_id AS id
          FROM summary_mails WHERE mail_id = ${mailId}`,
  );
  const own = mails.filter(({ rowId, step, side }) => rowId === BigInt(3 * step + side));
  const [first] = own;
  // The customer has left.
  if (!first) return;
  const rendered =
    own.length === 1
      ? renderPartyMail(first, { publicUrl, codeKey: secrets.codeKey })
      : renderSummaryMail(
          own.map(({ facts }) => facts),
          { isDaily, publicUrl },
        );
  const result = await deliver(mailer, { ...rendered, to: first.to, id: `summary-${mailId}`, isBulk: true });
  if (result === 'refused') log.warn({ mailId }, 'a summary was refused');
}

async function claimNext(database: Database): Promise<Summary[]> {
  return await database.inTransaction(async tx => {
    // One process claims at a time: two could take different rows of one customer.
    await sql`SELECT pg_advisory_xact_lock(hashtext('larkspur summaries'))`.execute(tx);
    const claimed = await sql<Summary>`
      WITH due AS MATERIALIZED (
        SELECT DISTINCT account_id, is_daily, mail_id
          FROM (SELECT * FROM summary_mails WHERE due_at <= now() ORDER BY due_at LIMIT ${maxSearched}) d
         LIMIT ${maxClaimed}
      ), mails AS MATERIALIZED (
        SELECT due.*, coalesce(mail_id, gen_random_uuid()) AS next FROM due
      ), claimed AS (
        UPDATE summary_mails m SET mail_id = mails.next, due_at = now() + make_interval(secs => ${leaseSeconds})
          FROM mails, LATERAL (
            SELECT w.ctid FROM summary_mails w
             WHERE w.account_id = mails.account_id AND w.is_daily = mails.is_daily
               AND w.mail_id IS NOT DISTINCT FROM mails.mail_id
             ORDER BY w.transaction_id LIMIT ${summaryMails.max}) w
         WHERE m.ctid = w.ctid
        RETURNING m.mail_id, m.is_daily, m.tries
      )
      SELECT mail_id AS "mailId", bool_or(is_daily) AS "isDaily", max(tries) AS tries FROM claimed GROUP BY mail_id`.execute(
      tx,
    );
    return claimed.rows;
  });
}

async function postpone(database: Database, { mailId, tries }: Summary, seconds: number): Promise<void> {
  await database.inTransaction(tx =>
    sql`UPDATE summary_mails SET tries = ${tries}, due_at = now() + make_interval(secs => ${seconds})
         WHERE mail_id = ${mailId}`.execute(tx),
  );
}
