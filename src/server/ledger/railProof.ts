/** Proves that the lines of the rail's files agree with the books. */
import { sql } from 'kysely';
import type { Reader } from '../db/database.ts';
import type { Fault } from './verifiedAccounts.ts';

/** An outgoing file as it is stored. */
export type StoredContent = {
  id: string;
  name: string;
  format: string;
  messageId: string;
  counterparty: string;
  content: string;
};

/**
 * A payment (`id`) or answer in an outgoing file, as the books have it. `original`, `keys`, and the format and bank in
 * `answeredFormat` and `answeredBank`, are those of the answered line.
 */
export type FiledLine = {
  line: number;
  counterparty: string;
  key: string | null;
  code: string | null;
  id: string | null;
  amountCents: bigint;
  reference: string | null;
  accountNumber: string | null;
  bankName: string | null;
  original: Record<string, string> | null;
  keys: string[] | null;
  answeredFormat: string | null;
  answeredBank: string | null;
};

/**
 * Says why the content of a file does not have exactly these lines. The formats of files are not known here. `own`: the number
 * of the bank that must have made it.
 */
export type CompareFile = (
  file: StoredContent,
  lines: readonly FiledLine[],
  own?: string,
) => Promise<string | undefined> | string | undefined;

/** The payments and answers in an outgoing file. */
export async function linesOf(reader: Reader, fileId: string): Promise<FiledLine[]> {
  const found = await sql<FiledLine>`
    SELECT o.line, o.counterparty, o.key, o.code, o.transaction_id AS id, coalesce(t.amount, i.amount) AS "amountCents", t.reference,
           coalesce(x.account_number, i.account_number) AS "accountNumber", x.bank_name AS "bankName", i.original, i.keys,
           f.format AS "answeredFormat", f.counterparty AS "answeredBank"
      FROM public.rail_outgoing o LEFT JOIN public.transactions t ON t.id = o.transaction_id
      LEFT JOIN public.external_transfers x ON x.transaction_id = t.id
      LEFT JOIN public.rail_incoming i ON i.id = o.answer_to LEFT JOIN public.rail_files f ON f.id = i.file_id
     WHERE o.file_id = ${fileId} ORDER BY o.line`.execute(reader);
  return found.rows;
}

/**
 * Names at most `most` outgoing lines, of one file or of all, that the books do not justify. Such a line could make another
 * bank pay out money, or treat its payment to a customer as returned. A payment that ended before it was put into a file must
 * not leave; triggers keep it out of files.
 */
export async function findUnjustified(reader: Reader, most: number, fileId?: string): Promise<string[]> {
  const found = await sql<{ row: string }>`
    SELECT coalesce('payment ' || o.transaction_id, 'answer to line ' || o.answer_to) AS row
      FROM public.rail_outgoing o
      LEFT JOIN public.external_transfers x ON x.transaction_id = o.transaction_id
      LEFT JOIN public.rail_incoming i ON i.id = o.answer_to
       AND i.outcome = CASE WHEN o.code IS NULL THEN 'applied' ELSE 'sent-back' END
      LEFT JOIN public.deposits d ON d.ref = i.ref AND d.amount = i.amount AND (d.transaction_id IS NULL) = (o.code IS NOT NULL)
     WHERE ${fileId === undefined ? sql`true` : sql`o.file_id = ${fileId}`}
       AND CASE WHEN o.transaction_id IS NOT NULL THEN x.submitted_at IS NULL OR (o.file_id IS NULL AND x.status <> 'pending')
                WHEN d.ref IS NULL THEN true
                ELSE o.code IS NOT NULL
                     AND NOT EXISTS (SELECT FROM public.audit_log l WHERE l.subject = d.ref AND l.action = 'deposit.returned'
                                        AND l.data->>'cents' = d.amount::text) END
     LIMIT ${most}`.execute(reader);
  return found.rows.map(({ row }) => row);
}

/**
 * Names incoming lines that disagree with the entries that they caused, and outgoing lines and files that the books do not
 * justify. Names at most `most` of each kind. Without `compareFile`, contents are only compared with their stored hashes.
 */
export async function checkRailLines(
  snapshot: Reader,
  most: number,
  fault: Fault,
  compareFile: CompareFile = () => undefined,
): Promise<void> {
  const applied = await sql<{ row: string }>`
    SELECT 'line ' || i.id AS row FROM public.rail_incoming i
      LEFT JOIN public.journal_entries e ON e.transaction_id = i.transaction_id AND e.step = 2
     WHERE i.outcome = 'applied' AND i.kind IN ('settled', 'returned', 'deposit')
       AND (e.amount, e.kind::text) IS DISTINCT FROM
           (i.amount, CASE i.kind WHEN 'settled' THEN 'settle' WHEN 'returned' THEN 'return' ELSE 'receive' END)
     LIMIT ${most}`.execute(snapshot);
  for (const { row } of applied.rows)
    fault('every applied line of the rail’s files agrees with the entry that it caused', row);
  for (const row of await findUnjustified(snapshot, most))
    fault('what leaves in the rail’s files is a submitted payment or the true answer to a deposit', row);
  const changed = await sql<{ row: string }>`
    SELECT 'file ' || f.id AS row FROM public.rail_files f
      LEFT JOIN (SELECT o.file_id, count(*) AS lines, sum(coalesce(t.amount, i.amount)) AS cents
                   FROM public.rail_outgoing o LEFT JOIN public.transactions t ON t.id = o.transaction_id
                   LEFT JOIN public.rail_incoming i ON i.id = o.answer_to
                  GROUP BY o.file_id) o ON o.file_id = f.id
     WHERE f.direction = 'out'
       AND ((f.content IS NULL) <> (f.state = 'ended') OR f.sha256 <> sha256(convert_to(f.content, 'UTF8'))
            OR (o.lines, o.cents) IS DISTINCT FROM (f.lines, f.cents))
     LIMIT ${most}`.execute(snapshot);
  for (const { row } of changed.rows)
    fault('every file for another bank still has its content, and the count and sum of its lines', row);
  // A content is kept until its payments have ended, or for 30 days if it has answers, so it is read one by one.
  const stored = await sql<{ id: string }>`
    SELECT id FROM public.rail_files WHERE direction = 'out' AND content IS NOT NULL ORDER BY id`.execute(
    snapshot,
  );
  for (const { id } of stored.rows) {
    const found = await sql<StoredContent>`
      SELECT id, name, format, message_id AS "messageId", counterparty, content
        FROM public.rail_files WHERE id = ${id}`.execute(snapshot);
    const why = await compareFile(found.rows[0]!, await linesOf(snapshot, id));
    if (why !== undefined)
      fault('every file for another bank has exactly its payments and answers', `file ${id}: ${why}`);
  }
}
