/** Verifies the ledger. Each check names the first row that violates it; the posting path relies on none of them. */
import { sql } from 'kysely';
import type { Reader } from '../db/database.ts';

/** How many rows were checked, and a sentence for every failed check. */
export type Verdict = {
  checked: { accounts: number; transactions: number; entries: number };
  faults: string[];
};

type Check = { says: string; query: string };

/** Each query names rows that should not exist, as one text column `row`. */
const checks: Check[] = [
  {
    says: 'every balance equals the sum of its postings',
    query: `SELECT format('account %s holds %s cents, its postings sum to %s', a.id, a.balance, coalesce(p.sum, 0)) AS row
              FROM ledger_accounts a
              LEFT JOIN (SELECT account_id, sum(amount) AS sum FROM postings GROUP BY account_id) p ON p.account_id = a.id
             WHERE a.balance <> coalesce(p.sum, 0)`,
  },
  {
    says: 'all balances sum to zero',
    query: `SELECT format('all balances sum to %s cents', sum(balance)) AS row FROM ledger_accounts HAVING sum(balance) <> 0`,
  },
  {
    says: 'no customer is below zero',
    query: `SELECT format('account %s holds %s cents', id, balance) AS row FROM ledger_accounts WHERE kind <> 'treasury' AND balance < 0`,
  },
  {
    says: 'every erased customer has a closed account',
    query: `SELECT format('customer %s', c.id) AS row FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
             WHERE c.deleted_at IS NOT NULL AND NOT a.is_closed`,
  },
  {
    says: 'every transaction has its posting entry, with its own amount and parties',
    query: `SELECT format('transaction %s', t.id) AS row FROM transactions t
              LEFT JOIN journal_entries e ON e.transaction_id = t.id AND e.step = 1
             WHERE e.transaction_id IS NULL OR e.amount <> t.amount
                OR (e.kind = 'sweep') <> (t.type = 'transfer' AND t.receiver_account IS NULL) OR e.kind NOT IN ('post', 'sweep')
                OR (e.debit_account, e.credit_account) IS DISTINCT FROM CASE t.type
                     WHEN 'transfer' THEN (t.sender_account, CASE WHEN e.kind = 'sweep' THEN 3::bigint ELSE t.receiver_account END)
                     WHEN 'admin-credit' THEN (1::bigint, t.receiver_account)
                     ELSE (t.sender_account, 2::bigint) END`,
  },
  {
    says: 'every entry belongs to a transaction and to known accounts',
    query: `SELECT format('entry %s step %s', e.transaction_id, e.step) AS row FROM journal_entries e
              LEFT JOIN transactions t ON t.id = e.transaction_id
              LEFT JOIN ledger_accounts d ON d.id = e.debit_account
              LEFT JOIN ledger_accounts c ON c.id = e.credit_account
             WHERE t.id IS NULL OR d.id IS NULL OR c.id IS NULL`,
  },
  {
    says: 'every external transfer has its details, and no other transaction has',
    query: `SELECT format('transaction %s', coalesce(t.id, x.transaction_id)) AS row FROM external_transfers x
              FULL JOIN (SELECT id FROM transactions WHERE type = 'external-transfer') t ON t.id = x.transaction_id
             WHERE t.id IS NULL OR x.transaction_id IS NULL`,
  },
  {
    says: 'every external transfer is pending, or decided by exactly one second entry of its amount',
    query: `SELECT format('external transfer %s is %s', coalesce(x.transaction_id, e.transaction_id), x.status) AS row
              FROM external_transfers x
              JOIN transactions t ON t.id = x.transaction_id
              FULL JOIN (SELECT * FROM journal_entries WHERE step = 2) e ON e.transaction_id = x.transaction_id
             WHERE x.transaction_id IS NULL OR (x.status = 'pending') <> (e.transaction_id IS NULL)
                OR (x.status = 'completed' AND (e.kind <> 'settle' OR e.credit_account <> 1))
                OR (x.status = 'failed' AND (e.kind <> 'return' OR e.credit_account NOT IN (3, t.sender_account)))
                OR e.debit_account <> 2 OR e.amount <> t.amount OR x.decided_at IS DISTINCT FROM e.posted_at
                OR (x.return_reason IS NOT NULL AND x.status <> 'failed')`,
  },
  {
    says: 'a closed account is empty, and only a closed account was swept, by its last entry',
    query: `SELECT format('account %s', a.id) AS row FROM ledger_accounts a
              LEFT JOIN (SELECT debit_account, count(*) AS n, max(t.sender_seq) AS seq FROM journal_entries e
                           JOIN transactions t ON t.id = e.transaction_id WHERE e.kind = 'sweep' GROUP BY 1) s ON s.debit_account = a.id
             WHERE (a.is_closed AND a.balance <> 0) OR (s.n IS NOT NULL AND (NOT a.is_closed OR s.n > 1 OR s.seq <> a.entry_count))`,
  },
  {
    says: 'a key was used or refused, not both',
    query: `SELECT format('transaction %s', t.id) AS row FROM transactions t JOIN refused_requests r ON r.key_hash = t.key_hash`,
  },
  {
    says: 'clearing holds exactly what is pending',
    query: `SELECT format('clearing holds %s cents, %s are pending', a.balance, p.sum) AS row FROM ledger_accounts a,
              (SELECT coalesce(sum(t.amount), 0) AS sum FROM external_transfers x JOIN transactions t ON t.id = x.transaction_id
                WHERE x.status = 'pending') p WHERE a.kind = 'clearing' AND a.balance <> p.sum`,
  },
  {
    says: 'every account numbers its transactions without gaps, and its sent and received counters are right',
    query: `SELECT format('account %s counts %s transactions, %s sent, %s received', a.id, a.entry_count, a.sent, a.received) AS row
              FROM ledger_accounts a
              LEFT JOIN (
                SELECT account, count(DISTINCT seq) AS n, max(seq) AS last, coalesce(sum(sent), 0) AS sent, coalesce(sum(received), 0) AS received
                  FROM (
                    SELECT t.sender_account AS account, t.sender_seq AS seq,
                           CASE WHEN x.status = 'failed' THEN 0 ELSE t.amount END AS sent, 0 AS received
                      FROM transactions t LEFT JOIN external_transfers x ON x.transaction_id = t.id
                     WHERE t.sender_account IS NOT NULL
                    UNION ALL
                    SELECT receiver_account, receiver_seq, 0, amount FROM transactions WHERE receiver_account IS NOT NULL
                  ) l GROUP BY account
              ) c ON c.account = a.id
             WHERE a.kind = 'customer'
               AND (a.entry_count, a.entry_count, a.sent, a.received)
                   IS DISTINCT FROM (coalesce(c.n, 0), coalesce(c.last, 0), coalesce(c.sent, 0), coalesce(c.received, 0))`,
  },
  {
    says: 'the daily totals match the transactions',
    query: `SELECT format('%s %s %s', coalesce(k.day, r.day), coalesce(k.type, r.type), coalesce(k.status, r.status)) AS row
              FROM (SELECT day, type, status, sum(count) AS n, sum(cents) AS cents FROM transaction_totals
                     GROUP BY day, type, status HAVING sum(count) <> 0 OR sum(cents) <> 0) k
              FULL JOIN (
                SELECT bank_day(t.created_at) AS day, t.type,
                       coalesce(x.status, 'completed') AS status, count(*) AS n, sum(t.amount) AS cents
                  FROM transactions t LEFT JOIN external_transfers x ON x.transaction_id = t.id GROUP BY 1, 2, 3
              ) r ON (r.day, r.type, r.status) = (k.day, k.type, k.status)
             WHERE (k.n, k.cents) IS DISTINCT FROM (r.n, r.cents)`,
  },
];

/** Checks the whole ledger in one snapshot, so that concurrent postings cannot look like faults. */
export async function verifyBooks(reader: Reader): Promise<Verdict> {
  return await reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async snapshot => {
      await sql`SET LOCAL statement_timeout = 0`.execute(snapshot);
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(snapshot);
      const faults: string[] = [];
      for (const { says, query } of checks) {
        const found = await sql
          .raw<{ row: string }>(`SELECT row FROM (${query}) q LIMIT 1`)
          .execute(snapshot);
        if (found.rows[0]) faults.push(`Not true that ${says}: ${found.rows[0].row}`);
      }
      const counted = await sql<{ accounts: bigint; transactions: bigint; entries: bigint }>`
        SELECT (SELECT count(*) FROM ledger_accounts) AS accounts, (SELECT count(*) FROM transactions) AS transactions,
               (SELECT count(*) FROM journal_entries) AS entries`.execute(snapshot);
      const { accounts, transactions, entries } = counted.rows[0]!;
      return {
        checked: { accounts: Number(accounts), transactions: Number(transactions), entries: Number(entries) },
        faults,
      };
    });
}
