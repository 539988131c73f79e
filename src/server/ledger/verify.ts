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
import { bookChecks } from './bookChecks.ts';
import { type Balances, countOnTheWay, findOverdue, type OnTheWay } from './dayEnd.ts';
import {
  type EvidenceRow,
  fetchEvidence,
  fixNamesAndFormats,
  groupByRecord,
  openEvidence,
} from './evidence.ts';
import { type CompareFile, checkRailLines } from './railProof.ts';
import { type DayTotals, openReplay, type Replay } from './replay.ts';
import { compareSealed, readSealedDay, type SealedDay } from './sealedBalances.ts';
import { readSealKeys } from './sealKeys.ts';
import { checkStatements } from './statementProof.ts';
import { type Fault, type Figures, loadAccounts, sumBalances } from './verifiedAccounts.ts';

export type VerifyOptions = {
  /** Without the key, neither the seals nor the sealed balances are checked. */
  sealKey?: Key | undefined;
  /** Heads of the chain that were stored elsewhere: the chain must contain them. */
  noted?: readonly AuditHead[];
  /** Starts from the newest sealed balances if `sealKey` is given, such balances exist and their HMAC is right. */
  sinceLast?: boolean;
  /** Reads the contents of files for other banks. Without it, they are only compared with their hashes. */
  compareFile?: CompareFile;
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
  { sealKey, noted = [], sinceLast = false, compareFile, onProgress }: VerifyOptions,
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
  for (const { claim, query, isWhole = false } of bookChecks) {
    if (isWhole && since) continue;
    const found = await sql.raw<{ row: string }>(`${query} LIMIT ${maxFaults}`).execute(snapshot);
    for (const { row } of found.rows) fault(claim, row);
  }
  await checkPaymentJobs(snapshot, fault);
  if (!since) await checkRailLines(snapshot, maxFaults, fault, compareFile);
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
