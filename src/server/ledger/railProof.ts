/** Proves that the lines of the rail's files agree with the books. */
import { sql } from 'kysely';
import type { Reader } from '../db/database.ts';
import type { Fault } from './verifiedAccounts.ts';

/**
 * Names incoming lines that disagree with the entries that they caused, and outgoing lines and files that the books do not
 * justify. Names at most `most` of each kind.
 */
export async function checkRailLines(snapshot: Reader, most: number, fault: Fault): Promise<void> {
  const applied = await sql<{ row: string }>`
    SELECT 'line ' || i.id AS row FROM public.rail_incoming i
      LEFT JOIN public.journal_entries e ON e.transaction_id = i.transaction_id AND e.step = 2
     WHERE i.outcome = 'applied' AND i.kind IN ('settled', 'returned', 'deposit')
       AND (e.amount, e.kind::text) IS DISTINCT FROM
           (i.amount, CASE i.kind WHEN 'settled' THEN 'settle' WHEN 'returned' THEN 'return' ELSE 'receive' END)
     LIMIT ${most}`.execute(snapshot);
  for (const { row } of applied.rows)
    fault('every applied line of the rail’s files agrees with the entry that it caused', row);
  // A forged outgoing row could make another bank pay out money, or treat its payment to a customer as returned.
  const leaving = await sql<{ row: string }>`
    SELECT coalesce('payment ' || o.transaction_id, 'answer to line ' || o.answer_to) AS row
      FROM public.rail_outgoing o
      LEFT JOIN public.external_transfers x ON x.transaction_id = o.transaction_id
      LEFT JOIN public.rail_incoming i ON i.id = o.answer_to
       AND i.outcome = CASE WHEN o.code IS NULL THEN 'applied' ELSE 'sent-back' END
      LEFT JOIN public.deposits d ON d.ref = i.ref AND d.amount = i.amount AND (d.transaction_id IS NULL) = (o.code IS NOT NULL)
     WHERE CASE WHEN o.transaction_id IS NOT NULL THEN x.submitted_at IS NULL
                WHEN d.ref IS NULL THEN true
                ELSE o.code IS NOT NULL
                     AND NOT EXISTS (SELECT FROM public.audit_log l WHERE l.subject = d.ref AND l.action = 'deposit.returned'
                                        AND l.data->>'cents' = d.amount::text) END
     LIMIT ${most}`.execute(snapshot);
  for (const { row } of leaving.rows)
    fault('what leaves in the rail’s files is a submitted payment or the true answer to a deposit', row);
  const changed = await sql<{ row: string }>`
    SELECT 'file ' || f.id AS row FROM public.rail_files f
      LEFT JOIN (SELECT o.file_id, count(*) AS lines, sum(coalesce(t.amount, i.amount)) AS cents
                   FROM public.rail_outgoing o LEFT JOIN public.transactions t ON t.id = o.transaction_id
                   LEFT JOIN public.rail_incoming i ON i.id = o.answer_to
                  GROUP BY o.file_id) o ON o.file_id = f.id
     WHERE f.direction = 'out'
       AND (CASE WHEN f.content IS NULL THEN f.state <> 'ended' ELSE f.sha256 <> sha256(convert_to(f.content, 'UTF8')) END
            OR (o.lines, o.cents) IS DISTINCT FROM (f.lines, f.cents))
     LIMIT ${most}`.execute(snapshot);
  for (const { row } of changed.rows)
    fault('every file for another bank still has its content, and the count and sum of its lines', row);
}
