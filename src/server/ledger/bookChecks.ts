/** What a proof of the books checks with one query each, after the replay of the audit records. */
import { plantedKeys } from './sealKeys.ts';

type Check = { claim: string; query: string; isWhole?: boolean };

/** Queries for rows that should not exist (column `row`). Proofs that start from sealed balances skip those with `isWhole`. */
export const bookChecks: readonly Check[] = [
  {
    claim: 'every seal key belongs to seals and to a secret of this bank',
    query: plantedKeys,
  },
  {
    claim: 'the account of every erased customer is closed, and that of every other customer is open',
    query: `SELECT 'customer ' || c.id AS row FROM public.customers c JOIN public.ledger_accounts a ON a.id = c.account_id
             WHERE (c.deleted_at IS NOT NULL) <> a.is_closed`,
  },
  {
    claim:
      'every customer account with entries has a customer, and every customer’s account is a customer account',
    query: `SELECT 'account ' || a.id AS row FROM public.ledger_accounts a
             WHERE a.kind = 'customer' AND a.entry_count > 0
               AND NOT EXISTS (SELECT FROM public.customers c WHERE c.account_id = a.id)
             UNION ALL
            SELECT 'account ' || a.id FROM public.customers c JOIN public.ledger_accounts a ON a.id = c.account_id
             WHERE a.kind <> 'customer' OR a.owner IS NOT NULL`,
  },
  {
    claim: 'every external transfer is pending, or one entry of the same amount completed or returned it',
    isWhole: true,
    query: `SELECT 'external transfer ' || coalesce(x.transaction_id, e.transaction_id) || coalesce(' is ' || x.status, '') AS row
              FROM public.external_transfers x
              JOIN public.transactions t ON t.id = x.transaction_id
              FULL JOIN (SELECT * FROM public.journal_entries WHERE step = 2 AND kind <> 'receive') e ON e.transaction_id = x.transaction_id
             WHERE x.transaction_id IS NULL OR (x.status = 'pending') <> (e.transaction_id IS NULL)
                OR (x.status = 'completed' AND (e.kind <> 'settle' OR e.credit_account <> 1))
                OR (x.status = 'failed' AND (e.kind <> 'return' OR e.credit_account NOT IN (3, t.sender_account)))
                OR e.debit_account <> 2 OR e.amount <> t.amount OR x.decided_at IS DISTINCT FROM e.posted_at
                OR (x.return_reason IS NOT NULL AND x.status <> 'failed')`,
  },
  {
    claim: 'every reversal is a transaction of type reversal, and no transaction is reversed twice',
    query: `SELECT 'reversal ' || r.transaction_id AS row FROM public.reversals r
             WHERE NOT EXISTS (SELECT FROM public.transactions t WHERE t.id = r.transaction_id AND t.type = 'reversal')
             UNION ALL
            SELECT 'transaction ' || r.original_id FROM public.reversals r GROUP BY r.original_id HAVING count(*) > 1`,
  },
  {
    claim: 'every unclaimed balance is paid out at most once, by a transaction of the books',
    query: `SELECT 'payout ' || u.transaction_id AS row FROM public.unclaimed_payouts u
             WHERE NOT EXISTS (SELECT FROM public.journal_entries e WHERE e.transaction_id = u.transaction_id AND e.debit_account = 3)
             UNION ALL
            SELECT 'balance ' || u.source_id FROM public.unclaimed_payouts u GROUP BY u.source_id HAVING count(*) > 1`,
  },
  {
    // Found as by `pay_unclaimed`. If a payout comes back, staff pay it to the person whose account is named here.
    claim: 'every payout of unclaimed money names the closed account that it came from',
    query: `SELECT 'payout ' || u.transaction_id AS row FROM public.unclaimed_payouts u
              LEFT JOIN public.reversals r ON r.transaction_id = u.source_id
              LEFT JOIN public.unclaimed_payouts o ON o.transaction_id = coalesce(r.original_id, u.source_id)
             WHERE u.account_id IS DISTINCT FROM
                   coalesce(o.account_id, (SELECT t.sender_account FROM public.transactions t WHERE t.id = u.source_id))`,
  },
  {
    claim: 'the unclaimed account holds exactly the balances that are not paid out',
    query: `SELECT 'unclaimed holds ' || a.balance || ' cents, ' || p.sum || ' are not paid out' AS row FROM public.ledger_accounts a,
              (SELECT coalesce(sum(e.amount), 0) AS sum FROM public.journal_entries e
                WHERE e.credit_account = 3 AND NOT EXISTS (SELECT FROM public.unclaimed_payouts u WHERE u.source_id = e.transaction_id)) p
             WHERE a.kind = 'unclaimed' AND a.balance <> p.sum`,
  },
  {
    claim: 'every deposit has a transaction, an entry from clearing and its details, and they agree',
    isWhole: true,
    query: `SELECT 'deposit ' || coalesce(t.id, e.transaction_id, d.transaction_id) AS row
              FROM (SELECT * FROM public.transactions WHERE type = 'deposit') t
              FULL JOIN (SELECT * FROM public.journal_entries WHERE kind = 'receive') e ON e.transaction_id = t.id
              FULL JOIN (SELECT * FROM public.deposits WHERE transaction_id IS NOT NULL) d
                     ON d.transaction_id = coalesce(t.id, e.transaction_id)
              LEFT JOIN public.ledger_accounts a ON a.id = t.receiver_account
             WHERE t.id IS NULL OR e.transaction_id IS NULL OR d.transaction_id IS NULL
                OR e.step <> 2 OR (d.amount, d.received_at, d.account_number) IS DISTINCT FROM (t.amount, t.created_at, a.number)`,
  },
  {
    claim: 'no idempotency key was both used and refused',
    isWhole: true,
    query: `SELECT 'transaction ' || t.id AS row FROM public.transactions t JOIN public.refused_requests r ON r.key_hash = t.key_hash
             UNION ALL
            SELECT 'goal movement ' || g.id FROM public.goal_movements g JOIN public.refused_requests r ON r.key_hash = g.key_hash`,
  },
  {
    claim: 'every savings goal belongs to one customer, and its money moves only to and from that account',
    isWhole: true,
    query: `SELECT 'goal movement ' || g.id AS row FROM public.goal_movements g LEFT JOIN public.ledger_accounts a ON a.id = g.goal_account
             WHERE a.kind IS DISTINCT FROM 'goal' OR a.owner IS DISTINCT FROM g.account
             UNION ALL
            SELECT 'goal ' || g.id FROM public.goals g LEFT JOIN public.ledger_accounts a ON a.id = g.ledger_account
             WHERE a.kind IS DISTINCT FROM 'goal' OR a.owner IS DISTINCT FROM g.account_id`,
  },
  {
    claim: 'clearing holds exactly what is pending',
    query: `SELECT 'clearing holds ' || a.balance || ' cents, ' || p.sum || ' are pending' AS row FROM public.ledger_accounts a,
              (SELECT coalesce(sum(t.amount), 0) AS sum
                 FROM public.external_transfers x JOIN public.transactions t ON t.id = x.transaction_id
                WHERE x.status = 'pending') p WHERE a.kind = 'clearing' AND a.balance <> p.sum`,
  },
];
