/**
 * The part of the proof about sealed statements. An audit record must report each statement, with the same closing balance and
 * hashes. The statement's figures and the hash of its movements must follow from the books. The hash of the PDF cannot be
 * computed from the books.
 */
import { sql } from 'kysely';
import type { Reader } from '../db/database.ts';
import type { SealedDay } from './sealedBalances.ts';
import type { Fault } from './verifiedAccounts.ts';

/** The lines of audit records, as `makeStatements` writes them: account, month, closing balance and the two hashes. */
const reported = (after: bigint) => `
  SELECT split_part(line, ' ', 1) AS account, split_part(line, ' ', 2) AS month, split_part(line, ' ', 3) AS closing,
         split_part(line, ' ', 4) AS content, split_part(line, ' ', 5) AS file
    FROM public.audit_log l, jsonb_array_elements_text(
           CASE WHEN jsonb_typeof(l.data->'statements') = 'array' THEN l.data->'statements' END) AS line
   WHERE l.action = 'statements.made' AND l.id > ${after}`;

const named = `'statement of account ' || coalesce(s.account_id::text, r.account) || ' for ' || coalesce(s.month, r.month)`;

/**
 * Every movement in the order of the statement: by sequence number, with each return before the first transaction of
 * the same time or later (`exportLines.ts`). Sequence numbers are only nearly in time order, so `place` is the latest time so
 * far. A movement to or from a savings goal gets the place of the transaction that follows it; sequence numbers are doubled so
 * that it fits between two transactions. The query calls only PostgreSQL's own functions, because a forger could have changed
 * the functions of the database.
 */
const fromBooks = `
  WITH moved AS (
    SELECT sender_account AS account, id::text AS id, created_at AS at, sender_seq * 2 AS seq, -amount AS cents, 1 AS kind
      FROM public.transactions WHERE sender_account IS NOT NULL
     UNION ALL
    SELECT receiver_account, id::text, created_at, receiver_seq * 2, amount, 1
      FROM public.transactions WHERE receiver_account IS NOT NULL
     UNION ALL
    SELECT t.sender_account, t.id::text || '-return', e.posted_at, t.sender_seq * 2, e.amount, 0
      FROM public.journal_entries e JOIN public.transactions t ON t.id = e.transaction_id
     WHERE e.step = 2 AND e.kind = 'return' AND e.credit_account = t.sender_account AND t.type = 'external-transfer'
     UNION ALL
    SELECT account, id::text, created_at, after_seq * 2 + 1, -amount, 2 FROM public.goal_movements),
  dated AS (
    SELECT *, to_char(at AT TIME ZONE 'America/New_York', 'YYYY-MM') AS month, date_trunc('milliseconds', at) AS cut
      FROM moved WHERE account IN (SELECT account_id FROM public.statements)),
  timed AS (
    SELECT *, CASE WHEN kind = 0 THEN cut
                   ELSE max(cut) OVER (PARTITION BY account, month, kind ORDER BY seq) END AS place FROM dated),
  placed AS (
    SELECT account, id, at, seq, cents, kind, month, cut, place FROM timed
     WHERE account NOT IN (SELECT account FROM public.goal_movements)
     UNION ALL
    SELECT account, id, at, seq, cents, kind, month, cut, CASE WHEN kind < 2 THEN place ELSE coalesce(
             min(place) FILTER (WHERE kind = 1) OVER (PARTITION BY account, month ORDER BY seq DESC),
             greatest(place, max(place) FILTER (WHERE kind = 1) OVER (PARTITION BY account, month))) END
      FROM timed WHERE account IN (SELECT account FROM public.goal_movements)),
  months AS (
    SELECT account, month, count(*) AS count, sum(cents) AS net,
           coalesce(sum(cents) FILTER (WHERE cents > 0), 0) AS money_in,
           coalesce(-sum(cents) FILTER (WHERE cents < 0), 0) AS money_out,
           sha256(convert_to(string_agg(
             id || ' ' || to_char(cut AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || cents || E'\\n', ''
             ORDER BY place, kind > 0, CASE WHEN kind = 0 THEN at END, seq, at), 'UTF8')) AS content_hash
      FROM placed GROUP BY account, month),
  sums AS (
    SELECT coalesce(m.account, s.account_id) AS account, coalesce(m.month, s.month) AS month, coalesce(m.count, 0) AS count,
           coalesce(m.money_in, 0) AS money_in, coalesce(m.money_out, 0) AS money_out,
           coalesce(m.content_hash, sha256('')) AS content_hash,
           sum(coalesce(m.net, 0)) OVER (PARTITION BY coalesce(m.account, s.account_id)
                                         ORDER BY coalesce(m.month, s.month)) AS closing
      FROM months m FULL JOIN public.statements s ON s.account_id = m.account AND s.month = m.month)`;

/** With `since`, only compares the statements that later audit records report with those records, not with the books. */
export async function checkStatements(
  snapshot: Reader,
  since: SealedDay | undefined,
  most: number,
  fault: Fault,
): Promise<void> {
  const after = since?.auditId ?? 0n;
  const unreported = await sql
    .raw<{ row: string }>(`
      SELECT ${named} || CASE WHEN r.account IS NULL THEN ': no record reports it' WHEN s.account_id IS NULL THEN ': it is gone'
                              ELSE ': its closing balance or a hash' END AS row
        FROM (${reported(after)}) r
        ${since ? 'LEFT' : 'FULL'} JOIN public.statements s ON s.account_id::text = r.account AND s.month = r.month
       WHERE r.account IS NULL OR s.account_id IS NULL OR s.closing::text <> r.closing
          OR encode(s.content_hash, 'hex') <> r.content OR encode(s.file_hash, 'hex') <> r.file
       ORDER BY 1 LIMIT ${most}`)
    .execute(snapshot);
  for (const { row } of unreported.rows) fault('every statement is as its audit record says', row);
  if (since) return;

  const untrue = await sql
    .raw<{ row: string }>(`
      ${fromBooks}
      SELECT 'statement of account ' || s.account_id || ' for ' || s.month || ': ' || CASE
               WHEN s.content_hash <> b.content_hash THEN 'its movements'
               ELSE concat_ws(', ', CASE WHEN s.opening <> b.closing - b.money_in + b.money_out THEN 'its opening balance' END,
                                    CASE WHEN s.closing <> b.closing THEN 'its closing balance' END,
                                    CASE WHEN s.money_in <> b.money_in THEN 'its money in' END,
                                    CASE WHEN s.money_out <> b.money_out THEN 'its money out' END,
                                    CASE WHEN s.count <> b.count THEN 'its count' END) END AS row
        FROM public.statements s JOIN sums b ON b.account = s.account_id AND b.month = s.month
       WHERE (s.opening, s.closing, s.money_in, s.money_out, s.count, s.content_hash)
             IS DISTINCT FROM (b.closing - b.money_in + b.money_out, b.closing, b.money_in, b.money_out, b.count, b.content_hash)
       ORDER BY 1 LIMIT ${most}`)
    .execute(snapshot);
  for (const { row } of untrue.rows)
    fault('every statement has the figures and the movements of the books', row);
}
