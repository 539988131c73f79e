/** Proves that what the lines of the rail's files did is what the books say. */
import { sql } from 'kysely';
import type { Reader } from '../db/database.ts';
import type { Fault } from './verifiedAccounts.ts';

/** Names up to `most` applied lines that do not agree with the entry that they caused. */
export async function checkRailLines(snapshot: Reader, most: number, fault: Fault): Promise<void> {
  const found = await sql<{ row: string }>`
    SELECT 'line ' || i.id AS row FROM public.rail_incoming i
      LEFT JOIN public.journal_entries e ON e.transaction_id = i.transaction_id AND e.step = 2
     WHERE i.outcome = 'applied' AND i.kind IN ('settled', 'returned', 'deposit')
       AND (e.amount, e.kind::text) IS DISTINCT FROM
           (i.amount, CASE i.kind WHEN 'settled' THEN 'settle' WHEN 'returned' THEN 'return' ELSE 'receive' END)
     LIMIT ${most}`.execute(snapshot);
  for (const { row } of found.rows)
    fault('every applied line of the rail’s files agrees with the entry that it caused', row);
}
