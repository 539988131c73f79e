/**
 * Incoming files of the payment rail. A file is checked as a whole and stored with all its lines in one transaction, once. Then
 * its lines are applied one by one, each in a transaction with what it changes, by any number of processes. The files take
 * turns. A line that cannot be applied, for example because its amount is not the one that was sent, goes to the exceptions and
 * changes nothing else.
 */
import { sql } from 'kysely';
import { isAccountNumber } from '#contract/accountNumber.ts';
import { bank } from '#contract/constants.ts';
import { fill } from '#contract/messages/fill.ts';
import * as railMessages from '#contract/messages/rail.ts';
import type { exceptionReasons } from '#contract/rail.ts';
import { newId } from '../base/uuid.ts';
import { recordAudit } from '../db/audit.ts';
import { codeOf, type Database, type Tx } from '../db/database.ts';
import { bookRailDeposit } from '../ledger/deposits.ts';
import { referenceOf } from '../ledger/ledger.ts';
import { eraseTexts } from '../ledger/railLists.ts';
import type { IncomingLine } from '../outside/rail/rail.ts';
import type { Parts } from '../parts.ts';
import { addAnswer, repeatAnswers } from './railOutgoing.ts';
import { hashOf, type Receipt, storeFile } from './railStoring.ts';
import { type Turns, takeTurns } from './railTurns.ts';

export type IncomingParts = {
  database: Database;
  rail: Parts['rail'];
  ledger: Pick<Parts['ledger'], 'endExternal'>;
  log?: Pick<Parts['log'], 'error' | 'warn' | 'info'>;
};

/** Data errors and violated constraints (SQLSTATE classes 22 and 23): they do not go away. */
export const lasting = /^2[23]/;
/** Gives up after this many failed lines: so many mean that the lines are not the cause. */
const maxFailures = 100;

/** Stores a file with its lines, or its refusal. Repeats the answers if it was read before. Applies no line yet. */
export async function receiveFile(
  parts: Pick<IncomingParts, 'database' | 'rail'>,
  name: string,
  bytes: Buffer,
): Promise<Receipt> {
  const receipt = await storeFile(parts, name, bytes);
  if (receipt.status === 'duplicate') await repeatAnswersTo(parts.database, bytes);
  return receipt;
}

/** Sends the answers to a file again, if the file was read before. */
export const repeatAnswersTo = (database: Database, bytes: Buffer) =>
  database.inTransaction(tx => repeatAnswers(tx, hashOf(bytes)));

export type WaitingLine = {
  id: bigint;
  format: string;
  counterparty: string;
  kind: IncomingLine['kind'];
  amount: bigint;
  currency: string;
  keys: string[];
  account_number: string;
  code: string;
  ref: string;
};
type NextLine = WaitingLine & { fileId: string; line: number };
export const lineColumns = sql`
  i.id, f.format, f.counterparty, i.kind, i.amount, i.currency, i.keys, i.account_number, i.code, i.ref`;
type ExceptionReason = (typeof exceptionReasons)[number];
/** What a line did. `transactionId`: the payment that it is about. */
export type Applied = (
  | { outcome: 'applied' | 'sent-back' }
  | { outcome: 'exception'; reason: ExceptionReason }
) & {
  transactionId?: string | undefined;
};

/** While lines are applied: how often new files are stored and files without waiting lines are marked as applied. */
const pauseEveryMs = 2_000;
/** A call ends this long after its first failure, so that its caller tries again: new files could prolong it without end. */
const defaultRetryMs = 30_000;

/**
 * Applies every line that is not applied, until `signal` aborts. The files take turns, so that a small file does not wait for a
 * large one. `storeNew` is called every two seconds, and returns whether a file failed. A line that fails stays for the next
 * call and does not stop the lines after it. Even if lines wait, ends after `mostMs`, or `retryMs` after the first failure,
 * whichever is earlier. Throws the first error at the end. A line that fails twice with a lasting error becomes an exception:
 * the first failure can be due to a process that booked the same payment at the same time.
 */
export async function applyLines(
  parts: IncomingParts,
  signal?: AbortSignal,
  {
    storeNew,
    mostMs = Number.POSITIVE_INFINITY,
    retryMs = defaultRetryMs,
  }: { storeNew?: () => Promise<boolean>; mostMs?: number; retryMs?: number | undefined } = {},
): Promise<void> {
  const { database, log } = parts;
  const failed: bigint[] = [];
  let failure: unknown;
  let endsAt = performance.now() + mostMs;
  const noteFailure = () => {
    endsAt = Math.min(endsAt, performance.now() + retryMs);
  };
  const failedOnce = new Set<bigint>();
  const turns = takeTurns();
  let pausedAt = performance.now();
  for (let hasMore = true; hasMore && !signal?.aborted && performance.now() < endsAt; ) {
    if (performance.now() - pausedAt >= pauseEveryMs) {
      await endFiles(database);
      if (await storeNew?.()) noteFailure();
      pausedAt = performance.now();
    }
    let current: NextLine | undefined;
    const onLine = (line: NextLine) => {
      current = line;
    };
    try {
      hasMore = await database.inTransaction(tx => applyNext(tx, parts, failed, turns, onLine));
    } catch (error) {
      if (current && lasting.test(codeOf(error))) {
        if (!failedOnce.has(current.id)) {
          failedOnce.add(current.id);
          continue;
        }
        if (await setAside(parts, current, error)) continue;
      }
      if (!current || failed.push(current.id) >= maxFailures) throw error;
      log?.warn(
        { err: error, line: String(current.id) },
        'a line of a rail file could not be applied; retrying',
      );
      failure ??= error;
      noteFailure();
    }
  }
  await endFiles(database);
  if (failure !== undefined) throw failure;
}

/** Marks the files that have no waiting line as applied. */
const endFiles = (database: Database) =>
  database.inTransaction(tx =>
    sql`
      UPDATE rail_files f SET state = 'applied', done_at = now()
       WHERE state = 'read' AND NOT EXISTS (SELECT FROM rail_incoming i WHERE i.file_id = f.id AND i.outcome IS NULL)`.execute(
      tx,
    ),
  );

/** Whether a line of a file is not applied yet. */
export async function hasWaitingLines(tx: Tx): Promise<boolean> {
  const found = await sql`SELECT FROM rail_incoming WHERE outcome IS NULL LIMIT 1`.execute(tx);
  return found.rows.length > 0;
}

/**
 * Applies the next line that no other process applies and that has not failed. Or notes that it must wait for an older file.
 * False if there is no line.
 */
async function applyNext(
  tx: Tx,
  parts: IncomingParts,
  failed: readonly bigint[],
  turns: Turns,
  onLine: (line: NextLine) => void,
): Promise<boolean> {
  const find = async () => {
    const { fileId, line } = turns.after();
    const found = await sql<NextLine>`
        SELECT ${lineColumns}, i.file_id AS "fileId", i.line
          FROM rail_incoming i JOIN rail_files f ON f.id = i.file_id
         WHERE i.outcome IS NULL AND (i.file_id, i.line) > (${fileId}::uuid, ${line}::integer)
           AND i.id <> ALL (${failed}::bigint[]) AND (NOT ${turns.isWaiting()} OR i.kind IN ('deposit', 'other'))
         ORDER BY i.file_id, i.line LIMIT 1 FOR UPDATE OF i SKIP LOCKED`.execute(tx);
    return found.rows[0];
  };
  const line = (await find()) ?? (turns.startRound() ? await find() : undefined);
  if (!line) return false;
  if (!(await turns.mayApply(line, () => mustWait(tx, line, failed)))) return true;
  onLine(line);
  await record(tx, parts, line, await applyLine(tx, parts, line));
  return true;
}

/**
 * Whether a line must wait for an older file. Lines about the same payment are applied in the order of their files: a return
 * after the notice that the payment was settled, the notice of a credit after the deposit or return that it confirms. The only
 * lines of a pacs.008 are deposits. A deposit never waits: it is booked once, whichever line with its reference comes first.
 */
async function mustWait(tx: Tx, { kind, fileId }: NextLine, failed: readonly bigint[]): Promise<boolean> {
  if (kind === 'deposit' || kind === 'other') return false;
  const found = await sql`
    SELECT FROM rail_files f
     WHERE state = 'read' AND id < ${fileId} AND (${kind} = 'credit' OR format <> 'pacs.008')
       AND EXISTS (SELECT FROM rail_incoming i
                    WHERE i.file_id = f.id AND i.outcome IS NULL AND i.id <> ALL (${failed}::bigint[]))
     LIMIT 1`.execute(tx);
  return found.rows.length > 0;
}

/** Makes a line an exception, unless another process applied it. False if that fails. */
async function setAside(parts: IncomingParts, line: WaitingLine, error: unknown): Promise<boolean> {
  const { id, kind } = line;
  const work = async (tx: Tx) => {
    const found =
      await sql`SELECT FROM rail_incoming WHERE id = ${id} AND outcome IS NULL FOR UPDATE`.execute(tx);
    if (found.rows.length === 0) return;
    parts.log?.error({ err: error, line: String(id) }, 'a line of a rail file failed');
    const payment = kind === 'deposit' ? undefined : await findPayment(tx, line);
    await record(tx, parts, line, exception('failed', payment?.id));
  };
  return await parts.database.inTransaction(work).then(
    () => true,
    () => false,
  );
}

export async function record(
  tx: Tx,
  parts: IncomingParts,
  { id }: WaitingLine,
  applied: Applied,
): Promise<void> {
  const { outcome, transactionId = null } = applied;
  const isFailed = outcome === 'exception' && applied.reason === 'failed';
  // Names and texts stay while staff need them. What an answer needs stays until the deposit is answered, and for a failed line
  // until its exception ends.
  await sql`
    UPDATE rail_incoming
       SET outcome = ${outcome}, transaction_id = ${transactionId},
           party_name = CASE WHEN ${outcome} = 'exception' THEN party_name ELSE '' END,
           text = CASE WHEN ${outcome} = 'exception' THEN text ELSE '' END,
           original = CASE WHEN ${isFailed} OR EXISTS (SELECT FROM rail_outgoing WHERE answer_to = ${id}) THEN original ELSE '{}' END
     WHERE id = ${id}`.execute(tx);
  if (applied.outcome === 'exception') {
    await sql`
      INSERT INTO rail_exceptions (id, incoming_id, reason) VALUES (${newId()}, ${id}, ${applied.reason})`.execute(
      tx,
    );
    parts.log?.warn({ line: String(id), reason: applied.reason }, 'a line of a rail file was not applied');
  }
}

export async function applyLine(tx: Tx, parts: IncomingParts, line: WaitingLine): Promise<Applied> {
  if (line.kind === 'other') return exception('unsupported');
  if (line.currency !== bank.currency) {
    const isOfPayment = line.kind !== 'deposit' && line.kind !== 'credit';
    return exception('currency', isOfPayment ? (await findPayment(tx, line))?.id : undefined);
  }
  if (line.kind === 'deposit') return await applyDeposit(tx, parts, line);
  if (line.kind === 'credit') return await confirmCredit(tx, line);
  return await endPayment(tx, parts, line);
}

const exception = (reason: ExceptionReason, transactionId?: string): Applied => ({
  outcome: 'exception',
  reason,
  transactionId,
});

/** The payment that a line names. */
async function findPayment(tx: Tx, { keys, counterparty }: WaitingLine) {
  const found = await sql<{ id: string; amount: bigint; accountNumber: string; status: string }>`
    SELECT t.id, t.amount, x.account_number AS "accountNumber", x.status
      FROM rail_outgoing o JOIN transactions t ON t.id = o.transaction_id
      JOIN external_transfers x ON x.transaction_id = t.id
     WHERE o.key = ANY (${keys}::text[]) AND o.counterparty = ${counterparty}
     ORDER BY o.id DESC LIMIT 1`.execute(tx);
  return found.rows[0];
}

/** Settles or returns the payment that a line names, if the line has the payment's amount and account. */
async function endPayment(tx: Tx, { ledger }: IncomingParts, line: WaitingLine): Promise<Applied> {
  const payment = await findPayment(tx, line);
  if (line.kind === 'change') return exception('change', payment?.id);
  if (!payment) return exception('unknown');
  if (payment.amount !== line.amount) return exception('amount', payment.id);
  const number = line.account_number.replace(/\s/g, '').toUpperCase();
  if (number !== '' && number !== payment.accountNumber) return exception('account', payment.id);
  const isSettled = line.kind === 'settled';
  const end = isSettled
    ? ({ isSettled } as const)
    : ({ isSettled, reason: railMessages.returnReason(line.code) } as const);
  if (payment.status === 'pending' && (await ledger.endExternal(tx, payment.id, end)))
    return { outcome: 'applied', transactionId: payment.id };
  const now = await sql<{ status: string }>`
    SELECT status FROM external_transfers WHERE transaction_id = ${payment.id}`.execute(tx);
  return exception(now.rows[0]!.status === 'completed' ? 'settled' : 'returned', payment.id);
}

/** The codes, in each format, for the reasons why a deposit is sent back. */
const returnCodes: Readonly<Record<string, { iso: string; nacha: string }>> = {
  'The account is closed': { iso: 'AC04', nacha: 'R02' },
  'The amount is too large': { iso: 'AM02', nacha: 'R23' },
};
/** The codes for an account that does not exist, or is not open yet. */
const noAccount = { iso: 'AC01', nacha: 'R03' };
/** The codes for a number that no account can have. */
const noNumber = { iso: 'AC01', nacha: 'R04' };

async function applyDeposit(tx: Tx, { rail }: IncomingParts, line: WaitingLine): Promise<Applied> {
  if (line.amount <= 0n) return exception('unsupported');
  const booked = await bookRailDeposit(tx, line.id);
  const id = 'id' in booked ? booked.id : undefined;
  if (booked.status === 'mismatch') return exception('mismatch', id);
  if (booked.wasKnown) return exception('duplicate', id);
  await endFailed(tx, line, id);
  const answer = { incomingId: line.id, counterparty: line.counterparty };
  if (booked.status === 'booked') {
    if (rail.confirmsDeposits) await addAnswer(tx, rail, { ...answer, code: null });
    return { outcome: 'applied', transactionId: booked.id };
  }
  const codes = returnCodes[booked.reason] ?? (isAccountNumber(line.account_number) ? noAccount : noNumber);
  const code = codes[line.format === 'nacha' ? 'nacha' : 'iso'];
  await addAnswer(tx, rail, { ...answer, code });
  return { outcome: 'sent-back' };
}

/**
 * Ends the exceptions of other lines with the same deposit that could not be booked: the deposit has now been booked or, if
 * there is no `transactionId`, sent back. Without this, staff would credit it once more. Another bank can know the ID of a
 * payment, so its deposit ends none of them.
 */
async function endFailed(tx: Tx, line: WaitingLine, transactionId: string | undefined): Promise<void> {
  const note = transactionId
    ? fill(railMessages.bookedSince, { reference: referenceOf(transactionId) })
    : railMessages.sentBackSince;
  const ended = await sql<{ id: string; lineId: bigint }>`
    UPDATE rail_exceptions e SET resolved_at = now(), note = ${note} FROM rail_incoming i JOIN rail_files f ON f.id = i.file_id
     WHERE i.ref = ${line.ref} AND f.counterparty = ${line.counterparty} AND i.outcome = 'exception' AND i.kind = 'deposit'
       AND (i.account_number, i.amount) = (${line.account_number}, ${line.amount})
       AND e.incoming_id = i.id AND e.reason = 'failed' AND e.resolved_at IS NULL
    RETURNING e.id, i.id AS "lineId"`.execute(tx);
  for (const { id, lineId } of ended.rows) {
    await eraseTexts(tx, lineId);
    await sql`UPDATE rail_incoming SET transaction_id = ${transactionId ?? null} WHERE id = ${lineId}`.execute(
      tx,
    );
    await recordAudit(tx, {
      actor: { kind: 'system' },
      action: 'rail.resolved',
      subject: id,
      data: { cents: Number(line.amount), transaction: transactionId, reason: note },
    });
  }
}

/** A notice of a credit books nothing. It confirms a deposit that was booked or sent back, or a payment that was returned. */
async function confirmCredit(tx: Tx, { keys, amount }: WaitingLine): Promise<Applied> {
  const found = await sql<{ id: string | null }>`
    SELECT transaction_id AS id FROM rail_incoming
     WHERE kind = 'deposit' AND keys && ${keys}::text[] AND amount = ${amount} AND outcome IN ('applied', 'sent-back')
     UNION ALL
    SELECT x.transaction_id FROM rail_outgoing o JOIN external_transfers x ON x.transaction_id = o.transaction_id
      JOIN transactions t ON t.id = x.transaction_id
     WHERE o.key = ANY (${keys}::text[]) AND t.amount = ${amount} AND x.status = 'failed'
     LIMIT 1`.execute(tx);
  const [confirmed] = found.rows;
  if (!confirmed) return exception('unannounced');
  return { outcome: 'applied', transactionId: confirmed.id ?? undefined };
}
