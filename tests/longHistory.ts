/** Inserts a long history of transactions directly into a database, for tests of lists and query plans. */
import type { TestDatabase } from './database.ts';

/** The account that takes part in every third transaction. */
export const busyAccount = 1000n;

/**
 * Writes `count` transactions among ten accounts over the last `days` days: mostly transfers, every fifth to another bank (some
 * of those pending or returned), every seventh a credit. Ids follow the order of time except between neighbors, as if
 * concurrent batches had posted them. Counters and totals are the same as after real posting, but there are no journal entries.
 */
export async function seedLongHistory(
  { database }: TestDatabase,
  count: number,
  days: number,
): Promise<void> {
  const run = (text: string, values: unknown[] = []) => database.ownerPool.query(text, values);
  await run(`
    INSERT INTO ledger_accounts (number, is_approved)
    SELECT (100000000000 + n)::text, true FROM generate_series(1, 10) n`);
  await run(
    `CREATE TABLE plan AS
     SELECT n, type, CASE WHEN n % 3 = 0 THEN 1000 ELSE 1001 + n % 4 END AS s, 1005 + n % 5 AS r,
            now() - make_interval(secs => ($1 - n + 2 * (n % 5)) * $2 * 86400.0 / $1 + 120) AS at,
            lpad(to_hex((extract(epoch FROM now() - interval '2 hours') * 1000)::bigint + n), 12, '0') AS ms
       FROM (SELECT n, (CASE WHEN n % 5 = 0 THEN 'external-transfer' WHEN n % 7 = 0 THEN 'admin-credit' ELSE 'transfer' END)::transaction_type AS type
               FROM generate_series(1, $1::int) n) p`,
    [count, days],
  );
  await run(`
    CREATE TABLE sides AS
    SELECT n, is_out, account, row_number() OVER (PARTITION BY account ORDER BY n) AS seq FROM (
      SELECT n, true AS is_out, s AS account FROM plan WHERE type <> 'admin-credit'
      UNION ALL SELECT n, false, CASE WHEN type = 'admin-credit' THEN s ELSE r END FROM plan WHERE type <> 'external-transfer') u`);
  await run(`
    INSERT INTO transactions (id, type, amount, sender_account, sender_seq, receiver_account, receiver_seq, created_at, actor,
                              key_hash, request_hash, reference, description)
    SELECT (left(ms, 8) || '-' || right(ms, 4) || '-7000-8000-' || lpad(p.n::text, 12, '0'))::uuid, type, 100 + p.n,
          o.account, o.seq, i.account, i.seq, at, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
           'LB-' || upper(left(md5(p.n::text), 4)) || '-0000-' || lpad((p.n % 10000)::text, 4, '0'), 'Lunch number ' || p.n
      FROM plan p LEFT JOIN sides o ON o.n = p.n AND o.is_out LEFT JOIN sides i ON i.n = p.n AND NOT i.is_out`);
  await run(`
    INSERT INTO external_transfers (transaction_id, bank_name, account_name, account_number, status)
    SELECT id, 'First Harbour Bank', 'Ines', '12345678',
           (CASE WHEN amount % 4 = 0 THEN 'pending' WHEN amount % 3 = 0 THEN 'failed' ELSE 'completed' END)::transaction_status
      FROM transactions WHERE type = 'external-transfer'`);
  await run(`
    INSERT INTO transaction_totals
    SELECT bank_day(t.created_at), t.type, coalesce(x.status, 'completed'), 0, count(*), sum(t.amount)
      FROM transactions t LEFT JOIN external_transfers x ON x.transaction_id = t.id GROUP BY 1, 2, 3`);
  await run(`
    UPDATE ledger_accounts a SET entry_count = m.n FROM (SELECT account, max(seq) AS n FROM sides GROUP BY account) m WHERE m.account = a.id`);
  await run('DROP TABLE plan, sides');
  await run('ANALYZE');
}
