/**
 * Proves the books: replays every audit record against the rows that it reports, checks the chain of seals, and compares the
 * resulting figures with the accounts, counters and totals. It reads tables with PostgreSQL's own functions only, so that
 * functions, views or settings of the database cannot influence the result. Posting does not depend on this file.
 */
import { sql } from 'kysely';
import type { Key } from '../base/keys.ts';
import { nilId } from '../base/uuid.ts';
import type { AuditHead } from '../db/audit.ts';
import type { Reader } from '../db/database.ts';
import { type Balances, countOnTheWay, findOverdue, type OnTheWay } from './dayEnd.ts';
import {
  type EvidenceRow,
  fetchEvidence,
  fixNamesAndFormats,
  groupByRecord,
  openEvidence,
} from './evidence.ts';
import { checkRailLines } from './railProof.ts';
import { type DayTotals, openReplay, type Replay } from './replay.ts';
import { compareSealed, readSealedDay, type SealedDay } from './sealedBalances.ts';
import { plantedKeys, readSealKeys } from './sealKeys.ts';
import { checkStatements } from './statementProof.ts';
import { type Fault, type Figures, loadAccounts, sumBalances } from './verifiedAccounts.ts';

export type VerifyOptions = {
  /** Without the key, neither the seals nor the sealed balances are checked. */
  sealKey?: Key | undefined;
  /** Heads of the chain that were stored elsewhere: the chain must contain them. */
  noted?: readonly AuditHead[];
  /** Starts from the newest sealed balances if `sealKey` is given, such balances exist and their HMAC is right. */
  sinceLast?: boolean;
  /** Called after each batch; the proof waits for the promise that it returns. An error ends the proof. */
  onProgress?: (checked: { records: number; transactions: number }) => Promise<void> | void;
};

export type Verdict = {
  /** How many rows were checked. */
  checked: { accounts: number; transactions: number; entries: number; records: number; unsealed: number };
  head: AuditHead;
  /** A sentence for each row that is wrong. */
  faults: string[];
  /** The balances that follow from the records, and the payments that have not ended. */
  balances: Balances;
  onTheWay: OnTheWay;
  /** Payments to other banks that should have been sent or ended. No fault of the books: the rail or the job queue is late. */
  overdue: string[];
  /** The earliest time of a record without a seal, if it is more than five minutes ago. This is no fault of the books. */
  unsealedSince: Date | undefined;
  /** The latest time of a record without a seal, if it is in the future. This is no fault of the books either. */
  unsealedAhead: Date | undefined;
  /** Where the proof started, if not at the first record. */
  since: SealedDay | undefined;
  /** The end of the sealed records and the accounts' figures there, from which the next sealed balances are made. */
  sealed: { day: SealedDay; figures: Figures; idOf: (index: number) => number };
};

const batchRows = 1_000;
const maxFaults = 100;

/** Proves the books in one snapshot, so that concurrent postings cannot look like faults. */
export async function verifyBooks(reader: Reader, options: VerifyOptions = {}): Promise<Verdict> {
  return await reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async snapshot => {
      await sql`SET LOCAL statement_timeout = 0`.execute(snapshot);
      await sql`SET LOCAL lock_timeout = 0`.execute(snapshot);
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(snapshot);
      return await proveBooks(snapshot, options);
    });
}

/** `verifyBooks` within a transaction that sees one snapshot. Changes the settings of the transaction. */
export async function proveBooks(
  snapshot: Reader,
  { sealKey, noted = [], sinceLast = false, onProgress }: VerifyOptions,
): Promise<Verdict> {
  const { fault, list } = collectFaults();
  await fixNamesAndFormats(snapshot);
  await checkTables(snapshot, fault);
  const keys = sealKey && (await readSealKeys(snapshot, sealKey));
  const day = keys && (await readSealedDay(snapshot, keys));
  if (day && !day.isGenuine)
    fault('the sealed balances are those that were proven', `their seal at record ${day.auditId} is wrong`);
  const since = sinceLast && day?.isGenuine ? day : undefined;
  const accounts = await loadAccounts(snapshot, since !== undefined, fault);
  const replay = openReplay(accounts, fault, { keys, noted }, since);
  const { counts } = replay;

  let isDayCompared = day === undefined || since !== undefined;
  const compareDay = async () => {
    if (isDayCompared || replay.head().position !== day?.position) return;
    isDayCompared = true;
    await compareSealed(snapshot, accounts.indexOf, accounts.followed, fault);
  };
  await openEvidence(snapshot, since?.auditId);
  for await (const record of readRecords(snapshot, async () => onProgress?.(counts))) {
    await compareDay();
    replay.record(record);
  }
  await compareDay();
  if (!isDayCompared)
    fault('the sealed balances are those that were proven', `seal ${day?.position} is gone`);
  replay.finish();
  await explainGaps(snapshot, replay, fault);
  await accounts.checkFinal(fault);

  await findUnreported(snapshot, replay, since, fault);
  for (const { claim, query, isWhole = false } of checks) {
    if (isWhole && since) continue;
    const found = await sql.raw<{ row: string }>(`${query} LIMIT ${maxFaults}`).execute(snapshot);
    for (const { row } of found.rows) fault(claim, row);
  }
  await checkPaymentJobs(snapshot, fault);
  if (!since) await checkRailLines(snapshot, maxFaults, fault);
  await checkStatements(snapshot, since, maxFaults, fault);
  if (!since) await compareTotals(snapshot, replay.totals, fault);
  const { transactions, entries, records, unsealed } = counts;
  return {
    checked: { accounts: accounts.count, transactions, entries, records, unsealed },
    head: replay.head(),
    faults: list(),
    balances: sumBalances(accounts),
    onTheWay: await countOnTheWay(snapshot),
    overdue: await findOverdue(snapshot, maxFaults),
    ...(await findUnsealed(snapshot, replay.firstUnsealed())),
    since,
    sealed: { ...replay.sealed(), idOf: accounts.idOf },
  };
}

function collectFaults(): { fault: Fault; list: () => string[] } {
  const sentences: string[] = [];
  let omitted = 0;
  return {
    fault(claim, row) {
      if (sentences.length < maxFaults) sentences.push(`Failed: ${claim}: ${row}`);
      else omitted++;
    },
    list: () => (omitted === 0 ? sentences : [...sentences, `${omitted} more faults are not listed.`]),
  };
}

/** The records of the cursor `evidence`. PostgreSQL reads the next batch while this process checks the current one. */
async function* readRecords(
  snapshot: Reader,
  afterBatch: () => Promise<void>,
): AsyncGenerator<EvidenceRow[]> {
  const fetch = () => {
    const fetched = fetchEvidence(snapshot, batchRows);
    // If the proof throws first, nothing awaits this batch. Without a handler, its error would end the process.
    fetched.catch(() => {});
    return fetched;
  };
  let rest: EvidenceRow[] = [];
  for (let next: Promise<EvidenceRow[]> | undefined = fetch(); next; ) {
    const rows: EvidenceRow[] = await next;
    next = rows.length === batchRows ? fetch() : undefined;
    const records = groupByRecord(rest, rows);
    // The last record may continue in the next batch.
    rest = (next && records.pop()) ?? [];
    yield* records;
    await afterBatch();
  }
}

/** Reports views, rules and row security, which could show this process different rows than the server. */
async function checkTables(snapshot: Reader, fault: Fault): Promise<void> {
  const found = await sql<{ row: string }>`
    SELECT n.nspname || '.' || c.relname AS row FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND (c.relkind <> 'r' OR c.relrowsecurity OR c.relhasrules)
       AND c.relname IN ('ledger_accounts', 'transactions', 'journal_entries', 'external_transfers', 'deposits', 'refused_requests',
                          'transaction_totals', 'reversals', 'statements', 'unclaimed_payouts', 'goal_movements', 'customers', 'rail_incoming',
                          'audit_log', 'audit_seals', 'sealed_days', 'sealed_balances', 'seal_keys', 'app_secrets',
                          'rail_outgoing', 'rail_files', 'goals')`.execute(snapshot);
  for (const { row } of found.rows) fault('the books are in plain tables', row);
}

/** Names the records or seals that are missing where the chain jumps, and seals that come after the last record. */
async function explainGaps(snapshot: Reader, replay: Replay, fault: Fault): Promise<void> {
  const { position } = replay.head();
  for (const { from, to } of [...replay.gaps, { from: position + 1n, to: null }]) {
    const found = await sql<{ position: bigint; audit_id: bigint }>`
      SELECT position, audit_id FROM public.audit_seals
       WHERE position >= ${from} AND (${to}::bigint IS NULL OR position <= ${to}) ORDER BY position LIMIT ${maxFaults}`.execute(
      snapshot,
    );
    for (const seal of found.rows)
      fault('the audit chain is unbroken', `record ${seal.audit_id}: the record is gone`);
    if (to === null || from > to) continue;
    const seals = new Set(found.rows.map(seal => seal.position));
    for (let missing = from; missing <= to && missing < from + BigInt(maxFaults); missing++)
      if (!seals.has(missing)) fault('the audit chain is unbroken', `record 0: seal ${missing} is missing`);
  }
}

/**
 * Finds rows of the books that no audit record reports. The replay counted the reported rows: if the tables contain more rows,
 * some are unreported. A proof that starts from a sealed day counts only rows after the last transaction of that day.
 */
async function findUnreported(
  snapshot: Reader,
  { counts }: Replay,
  since: SealedDay | undefined,
  fault: Fault,
): Promise<void> {
  const after = since?.lastTransaction ?? nilId;
  const counted = await sql<Record<keyof Replay['counts']['since'], bigint>>`
    SELECT (SELECT count(*) FROM public.transactions WHERE id > ${after}) AS transactions,
           (SELECT count(*) FROM public.journal_entries WHERE transaction_id > ${after}) AS entries,
           (SELECT count(*) FROM public.external_transfers WHERE transaction_id > ${after}) AS externals,
           (SELECT count(*) FROM public.goal_movements WHERE id > ${after}) AS "goalMovements"`.execute(
    snapshot,
  );
  const all = counted.rows[0]!;
  const found = since ? counts.since : counts;
  const tables = [
    ['transactions', 'transaction', 'transactions', 'id', '1'],
    ['entries', 'entry', 'journal_entries', 'transaction_id', 'r.step'],
    ['externals', 'external transfer', 'external_transfers', 'transaction_id', '1'],
    ['goalMovements', 'goal movement', 'goal_movements', 'id', '1'],
  ] as const;
  for (const [key, name, table, id, step] of tables) {
    if (all[key] === BigInt(found[key])) continue;
    const claim = 'every row of the books is reported by exactly one audit record';
    const unreported = await sql
      .raw<{ row: string }>(`
        WITH reported AS MATERIALIZED (
          SELECT left(line, 36) AS id, 1 AS step
            FROM public.audit_log l, jsonb_array_elements_text(
                   CASE WHEN jsonb_typeof(l.data->'posted') = 'array' THEN l.data->'posted' END) AS line
           WHERE l.action = 'transactions.posted'
           UNION ALL
          SELECT subject, CASE WHEN action IN ('balance.swept', 'transaction.reversed', 'unclaimed.paid', 'goal.moved') THEN 1 ELSE 2 END
            FROM public.audit_log
           WHERE action IN ('balance.swept', 'transaction.reversed', 'unclaimed.paid', 'goal.moved', 'external.settled', 'external.returned',
                            'external.canceled', 'deposit.received'))
        SELECT '${name} ' || r.${id} || CASE WHEN '${name}' = 'entry' THEN ' step ' || ${step} ELSE '' END AS row FROM public.${table} r
         WHERE r.${id} > '${after}'
           AND (NOT EXISTS (SELECT FROM reported WHERE reported.id = r.${id}::text AND reported.step = ${step})
                ${table === 'external_transfers' ? "OR NOT EXISTS (SELECT FROM public.transactions t WHERE t.id = r.transaction_id AND t.type = 'external-transfer')" : ''})
         LIMIT ${maxFaults}`)
      .execute(snapshot);
    for (const { row } of unreported.rows) fault(claim, row);
    if (unreported.rows.length === 0)
      fault(claim, `${table} has ${all[key]} rows, ${found[key]} are reported`);
  }
}

type Check = { claim: string; query: string; isWhole?: boolean };

/** Queries for rows that should not exist (column `row`). Proofs that start from sealed balances skip those with `isWhole`. */
const checks: readonly Check[] = [
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

/**
 * Checks that every pending payment has a job with attempts left, if this login may read jobs. The login of
 * `npm run ledger -- verify` may.
 */
async function checkPaymentJobs(snapshot: Reader, fault: Fault): Promise<void> {
  const allowed = await sql<{ is_allowed: boolean }>`
    SELECT coalesce(has_schema_privilege(to_regnamespace('graphile_worker')::oid, 'USAGE')
                    AND has_table_privilege(to_regclass('graphile_worker._private_jobs')::oid, 'SELECT'), false) AS is_allowed`.execute(
    snapshot,
  );
  if (!allowed.rows[0]!.is_allowed) return;
  const found = await sql<{ row: string }>`
    SELECT 'external transfer ' || x.transaction_id AS row FROM public.external_transfers x
     WHERE x.status = 'pending'
       AND NOT EXISTS (SELECT FROM graphile_worker._private_jobs j
                        WHERE j.key IN ('submit-payment:' || x.transaction_id, 'decide-payment:' || x.transaction_id)
                          AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL))
     LIMIT ${maxFaults}`.execute(snapshot);
  for (const { row } of found.rows) fault('every pending external transfer has a job', row);
}

/** Clocks may differ by a minute, so only more than two minutes are in the future. The limits are for `infinity`. */
async function findUnsealed(
  snapshot: Reader,
  first: bigint | undefined,
): Promise<Pick<Verdict, 'unsealedSince' | 'unsealedAhead'>> {
  const found = await sql<{ since: Date | null; ahead: Date | null }>`
    SELECT min(greatest(at, '0001-01-01Z')) FILTER (WHERE at < now() - interval '5 minutes') AS since,
           max(least(at, '9999-12-31Z')) FILTER (WHERE at > now() + interval '2 minutes') AS ahead
      FROM public.audit_log WHERE id >= ${first}`.execute(snapshot);
  const { since, ahead } = found.rows[0]!;
  return { unsealedSince: since ?? undefined, unsealedAhead: ahead ?? undefined };
}

async function compareTotals(snapshot: Reader, totals: DayTotals, fault: Fault): Promise<void> {
  const found = await sql<{ key: string; count: bigint; cents: bigint }>`
    SELECT concat_ws(' ', day, type, status) AS key, sum(count)::bigint AS count, sum(cents)::bigint AS cents
      FROM public.transaction_totals GROUP BY day, type, status HAVING sum(count) <> 0 OR sum(cents) <> 0`.execute(
    snapshot,
  );
  const kept = new Map(found.rows.map(row => [row.key, row]));
  for (const key of new Set([...kept.keys(), ...totals.keys()])) {
    const [a, b] = [kept.get(key), totals.get(key)];
    if (a?.count !== b?.count || a?.cents !== b?.cents) fault('the daily totals match the transactions', key);
  }
}
