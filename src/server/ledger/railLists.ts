/** What the back office and `npm run rail` show of the payment rail, and the staff's decisions about its exceptions. */
import { type RawBuilder, sql } from 'kysely';
import { bank } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as railMessages from '#contract/messages/rail.ts';
import type {
  DecodedRailException,
  DecodedRailFile,
  DecodedSentBackDeposit,
  exceptionLists,
} from '#contract/rail.ts';
import { type Page, pageOf, rowsBefore } from '../base/paging.ts';
import type { Reader, Tx } from '../db/database.ts';
import { referenceOf } from './ledger.ts';

type FileRow = Omit<DecodedRailFile, 'reason' | 'currency'> & { reason: string | null; currency: string };

/** SQL: the currency of the lines of a file `f`, '' if there are several, null if the file has no lines. Reads all lines. */
const currencyOfLines = sql`
  (SELECT CASE WHEN min(currency) = max(currency) THEN min(currency) WHEN count(*) > 0 THEN '' END
     FROM rail_incoming WHERE file_id = f.id)`;

/** A page of the files, newest first, and how many lines wait for the next outgoing file. */
export async function listRailFiles(
  reader: Reader,
  { direction, ...page }: Page & { direction?: DecodedRailFile['direction'] | undefined },
) {
  const isWanted = direction ? sql`f.direction = ${direction}` : sql`true`;
  const counted = await sql<{ total: number; waiting: number }>`
    SELECT (SELECT count(*)::int FROM rail_files f WHERE ${isWanted}) AS total,
           (SELECT count(*)::int FROM rail_outgoing WHERE file_id IS NULL) AS waiting`.execute(reader);
  const found = await sql<FileRow>`
    SELECT f.id AS _id, f.name, f.direction, f.format, f.state, f.made_at AS at, f.lines, f.cents AS total, f.reason,
           -- An outgoing file has no lines here; it is always in the bank's currency.
           coalesce(f.currency, ${currencyOfLines}, ${bank.currency}) AS currency,
           (SELECT count(*)::int FROM rail_incoming WHERE file_id = f.id AND outcome = 'exception') AS exceptions,
           (SELECT count(*)::int FROM rail_incoming WHERE file_id = f.id AND outcome = 'sent-back') AS "sentBack"
      FROM (SELECT * FROM rail_files f WHERE ${isWanted}
             ORDER BY f.made_at DESC, f.id DESC LIMIT ${page.limit} OFFSET ${rowsBefore(page)}) f
     ORDER BY f.made_at DESC, f.id DESC`.execute(reader);
  const { total, waiting } = counted.rows[0]!;
  return {
    files: found.rows.map(({ reason, currency, ...file }) => ({
      ...file,
      currency: currency === '' ? null : currency,
      ...(reason !== null && { reason }),
    })),
    ...pageOf(page, total),
    totalFiles: total,
    waiting,
  };
}

/** SQL: the id of the customer to whose account a line `i` sent a deposit; null if there is none, or they are deleted. */
const customerOfLine = sql`
  (SELECT c.id FROM ledger_accounts a JOIN customers c ON c.account_id = a.id
    WHERE i.kind = 'deposit' AND a.number = i.account_number AND c.deleted_at IS NULL)`;

/**
 * A page of the deposits of a file that were sent back, in the order of its lines. Refuses `NOT_FOUND` if there is no such
 * file.
 */
export async function listSentBack(reader: Reader, fileId: string, page: Page) {
  const isWanted = sql`i.file_id = ${fileId} AND i.outcome = 'sent-back'`;
  const counted = await sql<{ total: number }>`
    SELECT (SELECT count(*)::int FROM rail_incoming i WHERE ${isWanted}) AS total
      FROM rail_files WHERE id = ${fileId}`.execute(reader);
  if (!counted.rows[0]) throw new Refusal('NOT_FOUND');
  const found = await sql<Omit<DecodedSentBackDeposit, 'customerId'> & { customerId: string | null }>`
    SELECT d.ref AS _id, i.line, d.received_at AS at, i.amount, i.account_number AS "accountNumber",
           coalesce(nullif(i.bank_name, ''), f.counterparty) AS "bankName", d.return_reason AS reason,
           ${customerOfLine} AS "customerId"
      FROM rail_incoming i JOIN rail_files f ON f.id = i.file_id JOIN deposits d ON d.ref = i.ref
     WHERE ${isWanted} ORDER BY i.line LIMIT ${page.limit} OFFSET ${rowsBefore(page)}`.execute(reader);
  const { total } = counted.rows[0];
  return {
    deposits: found.rows.map(({ customerId, ...row }) => ({
      ...row,
      ...(customerId !== null && { customerId }),
    })),
    ...pageOf(page, total),
    totalDeposits: total,
  };
}

/**
 * SQL: the bank that sent the deposit with the ID of a line `i` of a file `f`; null unless it is another bank than that of the
 * line, and its deposit was booked or sent back.
 */
export const earlierSender = sql`
  (SELECT other.counterparty FROM rail_incoming d JOIN rail_files other ON other.id = d.file_id
    WHERE i.kind = 'deposit' AND d.kind = 'deposit' AND d.keys && i.keys AND d.ref = i.ref
      AND d.outcome IN ('applied', 'sent-back') AND other.counterparty <> f.counterparty LIMIT 1)`;

type ExceptionRow = Omit<DecodedRailException, 'transaction' | 'senders' | 'assignedTo' | 'customerId'> & {
  sender: string;
  earlierSender: string | null;
  customerId: string | null;
  transactionId: string | null;
  ownerId: string | null;
  ownerName: string | null;
};

async function select(reader: Reader, rest: RawBuilder<unknown>): Promise<DecodedRailException[]> {
  const found = await sql<ExceptionRow>`
    SELECT e.id AS _id, e.reason, e.at, f.name AS file, i.line, i.kind, i.amount, i.currency, i.keys,
           i.account_number AS "accountNumber", i.party_name AS "partyName", i.code, i.text, ${customerOfLine} AS "customerId",
           f.counterparty AS sender, ${earlierSender} AS "earlierSender", i.transaction_id AS "transactionId", e.assigned_to AS "ownerId", owner.name AS "ownerName", resolver.name AS "resolvedBy",
           e.resolved_at AS "resolvedAt", e.note
      FROM rail_exceptions e
      JOIN rail_incoming i ON i.id = e.incoming_id
      JOIN rail_files f ON f.id = i.file_id
      LEFT JOIN admins owner ON owner.id = e.assigned_to
      LEFT JOIN admins resolver ON resolver.id = e.resolved_by
     ${rest}`.execute(reader);
  return found.rows.map(({ transactionId, sender, earlierSender: earlier, ownerId, ownerName, ...more }) => {
    const { customerId, resolvedBy, resolvedAt, note, ...row } = more;
    return {
      ...row,
      ...(customerId !== null && { customerId }),
      ...(transactionId !== null && {
        transaction: { _id: transactionId, reference: referenceOf(transactionId) },
      }),
      ...(earlier !== null && { senders: { line: sender, earlier } }),
      ...(ownerId !== null && { assignedTo: { _id: ownerId, name: ownerName ?? '' } }),
      ...(resolvedBy !== null && { resolvedBy }),
      ...(resolvedAt !== null && { resolvedAt }),
      ...(note !== null && { note }),
    };
  });
}

/** A page of the open exceptions, oldest first, or of the resolved ones, newest first; and how many are open. */
export async function listRailExceptions(
  reader: Reader,
  { list, ...page }: Page & { list: (typeof exceptionLists)[number] },
) {
  const isOpen = list === 'open';
  const isWanted = isOpen ? sql`e.resolved_at IS NULL` : sql`e.resolved_at IS NOT NULL`;
  const counted = await sql<{ total: number; open: number }>`
    SELECT (SELECT count(*)::int FROM rail_exceptions e WHERE ${isWanted}) AS total,
           (SELECT count(*)::int FROM rail_exceptions e WHERE e.resolved_at IS NULL) AS open`.execute(reader);
  const order = isOpen ? sql`e.id` : sql`e.resolved_at DESC, e.id DESC`;
  const { total, open } = counted.rows[0]!;
  return {
    exceptions: await select(
      reader,
      sql`WHERE ${isWanted} ORDER BY ${order} LIMIT ${page.limit} OFFSET ${rowsBefore(page)}`,
    ),
    ...pageOf(page, total),
    totalExceptions: total,
    open,
  };
}

/**
 * Locks an exception, and returns the id of the administrator that it is assigned to. Refuses `NOT_FOUND` if it does not exist,
 * and `CONFLICT` if it is resolved.
 */
export async function lockOpenException(tx: Tx, id: string): Promise<string | null> {
  const locked = await sql<{
    isResolved: boolean;
    owner: string | null;
    resolver: string | null;
    note: string;
  }>`
    SELECT e.resolved_at IS NOT NULL AS "isResolved", e.assigned_to AS owner, a.name AS resolver,
           coalesce(e.note, '') AS note
      FROM rail_exceptions e LEFT JOIN admins a ON a.id = e.resolved_by WHERE e.id = ${id} FOR UPDATE OF e`.execute(
    tx,
  );
  const [row] = locked.rows;
  if (!row) throw new Refusal('NOT_FOUND', { message: railMessages.gone });
  if (row.isResolved) {
    const { resolver: name, note } = row;
    const message =
      name === null
        ? fill(railMessages.resolvedBefore, { note })
        : fill(railMessages.resolvedFirst, { name, note });
    throw new Refusal('CONFLICT', { message });
  }
  return row.owner;
}

/** Erases what was needed only to resolve the exception of a line. What an answer to another bank needs stays. */
export async function eraseTexts(tx: Tx, lineId: bigint | RawBuilder<unknown>): Promise<void> {
  await sql`
    UPDATE rail_incoming i SET party_name = '', text = '',
           original = CASE WHEN EXISTS (SELECT FROM rail_outgoing WHERE answer_to = i.id) THEN original ELSE '{}' END
     WHERE id = ${lineId}`.execute(tx);
}

/** Assigns a locked exception to an administrator, or resolves it if there is a note. Returns the changed exception. */
export async function updateRailException(
  tx: Tx,
  id: string,
  { adminId, note }: { adminId: string; note: string | undefined },
): Promise<DecodedRailException> {
  const set =
    note === undefined
      ? sql`assigned_to = ${adminId}`
      : sql`resolved_by = ${adminId}, resolved_at = now(), note = ${note}`;
  await sql`UPDATE rail_exceptions SET ${set} WHERE id = ${id}`.execute(tx);
  if (note !== undefined)
    await eraseTexts(tx, sql`(SELECT incoming_id FROM rail_exceptions WHERE id = ${id})`);
  return (await select(tx, sql`WHERE e.id = ${id}`))[0]!;
}
