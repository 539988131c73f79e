/** Applies a line again, in the same way as the first time, if it became an exception because the database refused it. */
import { sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as railMessages from '#contract/messages/rail.ts';
import { codeOf, type Tx } from '../db/database.ts';
import { referenceOf } from '../ledger/ledger.ts';
import { earlierSender } from '../ledger/railLists.ts';
import {
  type Applied,
  applyLine,
  type IncomingParts,
  lasting,
  lineColumns,
  record,
  type WaitingLine,
} from './railIncoming.ts';

/**
 * Waits while another line with the same payment reference is booked. Call it before the exception is locked: the process
 * that books that line locks the reference first, and then the exception, to end it.
 */
export async function lockReference(tx: Tx, exceptionId: string): Promise<void> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtext('larkspur deposit ' || i.ref))
      FROM rail_exceptions e JOIN rail_incoming i ON i.id = e.incoming_id
     WHERE e.id = ${exceptionId} AND i.kind = 'deposit'`.execute(tx);
}

/**
 * Applies the line of a locked exception. Returns what was done, which becomes the note of the exception. Refuses `CONFLICT` if
 * the line can still not be applied, or if the exception has another reason than `failed`.
 */
export async function retryLine(tx: Tx, parts: IncomingParts, exceptionId: string): Promise<string> {
  const found = await sql<WaitingLine & { earlierSender: string | null }>`
    SELECT ${lineColumns}, ${earlierSender} AS "earlierSender"
      FROM rail_exceptions e JOIN rail_incoming i ON i.id = e.incoming_id JOIN rail_files f ON f.id = i.file_id
     WHERE e.id = ${exceptionId} AND e.reason = 'failed' FOR UPDATE OF i`.execute(tx);
  const [line] = found.rows;
  if (!line) throw new Refusal('CONFLICT', { message: railMessages.notRetried });
  // `book_rail_deposit` accepts only a line that waits, which means that it has no outcome.
  await sql`UPDATE rail_incoming SET outcome = NULL WHERE id = ${line.id}`.execute(tx);
  const applied = await applyLine(tx, parts, line).catch((error: unknown) => {
    if (!lasting.test(codeOf(error))) throw error;
    parts.log?.error({ err: error, line: String(line.id) }, 'a line of a rail file failed');
    const { constraint: reason = codeOf(error) } = error as { constraint?: string };
    throw new Refusal('CONFLICT', { message: fill(railMessages.failedAgain, { reason }), cause: error });
  });
  if (applied.outcome === 'exception') {
    if (line.earlierSender !== null || !wasDone(line, applied.reason))
      throw new Refusal('CONFLICT', {
        message: fill(railMessages.stillOpen, { reason: railMessages.exceptionReasons[applied.reason] }),
      });
    const { transactionId = null } = applied;
    await sql`
      UPDATE rail_incoming SET outcome = 'exception', transaction_id = ${transactionId} WHERE id = ${line.id}`.execute(
      tx,
    );
    if (transactionId === null) return railMessages.sentBackSince;
    const reference = referenceOf(transactionId);
    return applied.reason === 'duplicate'
      ? fill(railMessages.bookedSince, { reference })
      : `${railMessages.exceptionReasons[applied.reason]}: ${reference}`;
  }
  await record(tx, parts, line, applied);
  return applied.outcome === 'applied' ? railMessages.bookedOnRetry : railMessages.sentBackOnRetry;
}

/** Whether the payment is already in the state that the line demands. */
const wasDone = ({ kind }: WaitingLine, reason: (Applied & { outcome: 'exception' })['reason']) =>
  reason === 'duplicate' || ((kind === 'settled' || kind === 'returned') && reason === kind);
