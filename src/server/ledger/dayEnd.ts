/** What the bank holds and owes, what is on its way to other banks, and the stored proofs of the books. */
import { type RawBuilder, sql } from 'kysely';
import type { DecodedProof } from '#contract/dayEnd.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import { heldPayments, isHeld } from './filter.ts';

export type Balances = NonNullable<DecodedProof['balances']>;
export type OnTheWay = NonNullable<DecodedProof['onTheWay']>;

/** The balances of all customers together and of the bank's own accounts, and how many customers' accounts are open. */
export async function readBalances(reader: Reader): Promise<{ balances: Balances; accounts: number }> {
  const found = await sql<Balances & { accounts: bigint }>`
    SELECT coalesce(sum(balance) FILTER (WHERE kind IN ('customer', 'goal')), 0)::bigint AS customers,
           coalesce(sum(balance) FILTER (WHERE kind = 'treasury'), 0)::bigint AS treasury,
           coalesce(sum(balance) FILTER (WHERE kind = 'clearing'), 0)::bigint AS clearing,
           coalesce(sum(balance) FILTER (WHERE kind = 'unclaimed'), 0)::bigint AS unclaimed,
           count(*) FILTER (WHERE kind = 'customer' AND NOT is_closed) AS accounts
      FROM public.ledger_accounts`.execute(reader);
  const { accounts, ...balances } = found.rows[0]!;
  return { balances, accounts: Number(accounts) };
}

/** Reads the counters that each posting maintains, because counting the rows would read one transaction for each payment. */
const pendingByTotals = sql`
  SELECT coalesce(sum(count), 0)::bigint, coalesce(sum(cents), 0)::bigint FROM public.transaction_totals
   WHERE type = 'external-transfer' AND status = 'pending'`;
/** Counts the rows, for a proof of the books, which trusts no counter. */
const pendingByRows = sql`
  SELECT count(*), coalesce(sum(t.amount), 0)::bigint
    FROM public.external_transfers x JOIN public.transactions t ON t.id = x.transaction_id WHERE x.status = 'pending'`;

/**
 * The payments to other banks that are overdue: `x`, with its transaction `t`. A payment that a freeze holds is not overdue.
 * One without an expected day, whose job has never run, is overdue after a day. OFFSET 0 forces index lookups. Without it, the
 * planner would read all transactions.
 */
const overduePayments = sql`
  public.external_transfers x
  CROSS JOIN LATERAL (SELECT o.id, o.amount, o.created_at, o.sender_account FROM public.transactions o
                       WHERE o.id = x.transaction_id OFFSET 0) t
  WHERE x.status = 'pending' AND coalesce(x.expected_by, '-infinity') < (now() AT TIME ZONE 'America/New_York')::date
    AND (x.expected_by IS NOT NULL OR t.created_at < now() - interval '1 day') AND NOT (${isHeld})`;

/** A sentence for each payment that is overdue, at most `limit`. */
export async function findOverdue(reader: Reader, limit: number): Promise<string[]> {
  const found = await sql<{ row: string }>`
    SELECT concat('External transfer ', x.transaction_id, ' is overdue: it was ',
                  coalesce('expected by ' || x.expected_by, 'sent on ' || (t.created_at AT TIME ZONE 'America/New_York')::date),
                  CASE WHEN x.submitted_at IS NULL THEN ', and the rail does not have it yet' END) AS row
      FROM ${overduePayments} LIMIT ${limit}`.execute(reader);
  return found.rows.map(({ row }) => row);
}

/** The payments to other banks that have not ended: all, those that a freeze holds, and those that are overdue. */
export async function readOnTheWay(reader: Reader, pending = pendingByTotals): Promise<OnTheWay> {
  const found = await sql<OnTheWayRow>`
    SELECT * FROM (${pending}) AS p(pending_count, pending_cents), (
      SELECT count(*), coalesce(sum(t.amount), 0)::bigint
        FROM ${heldPayments} t
    ) AS h(held_count, held_cents), (
      SELECT count(*), coalesce(sum(t.amount), 0)::bigint
        FROM ${overduePayments}
    ) AS l(overdue_count, overdue_cents)`.execute(reader);
  return toOnTheWay(found.rows[0]!);
}

/** `readOnTheWay`, with the pending payments counted from the rows. */
export const countOnTheWay = (reader: Reader): Promise<OnTheWay> => readOnTheWay(reader, pendingByRows);

type OnTheWayRow = Record<`${'pending' | 'held' | 'overdue'}_${'count' | 'cents'}`, bigint>;

function toOnTheWay(row: OnTheWayRow): OnTheWay {
  const payments = (name: 'pending' | 'held' | 'overdue') => ({
    count: Number(row[`${name}_count`]),
    amount: row[`${name}_cents`],
  });
  return { pending: payments('pending'), held: payments('held'), overdue: payments('overdue') };
}

type ProofRow = Balances &
  OnTheWayRow & {
    id: string;
    started_at: Date;
    finished_at: Date | null;
    asked_by: string | null;
    asker: string | null;
    is_whole: boolean;
    state: DecodedProof['state'];
    records: bigint;
    all_records: bigint;
    transactions: bigint;
    faults: string[];
  };

async function selectProofs(reader: Reader, rest: RawBuilder<unknown>): Promise<DecodedProof[]> {
  const found = await sql<ProofRow>`
    SELECT p.*, a.name AS asker FROM book_proofs p LEFT JOIN admins a ON a.id = p.asked_by ${rest}`.execute(
    reader,
  );
  return found.rows.map(row => {
    const { customers, treasury, clearing, unclaimed } = row;
    return {
      _id: row.id,
      startedAt: row.started_at,
      ...(row.finished_at && { finishedAt: row.finished_at }),
      ...(row.asked_by !== null && { askedBy: { _id: row.asked_by, name: row.asker! } }),
      isWhole: row.is_whole,
      state: row.state,
      records: Number(row.records),
      allRecords: Number(row.all_records),
      transactions: Number(row.transactions),
      faults: row.faults,
      ...(customers !== null && {
        balances: { customers, treasury, clearing, unclaimed },
        onTheWay: toOnTheWay(row),
      }),
    };
  });
}

/** One proof; undefined if there is none. */
export async function readProof(reader: Reader, id: string): Promise<DecodedProof | undefined> {
  return (await selectProofs(reader, sql`WHERE p.id = ${id}`))[0];
}

/** The newest proof, and the last proof with balances of each day that has one: at most 31 days, newest first. */
export async function readProofs(
  reader: Reader,
): Promise<{ newest: DecodedProof | undefined; days: DecodedProof[] }> {
  const [newest] = await selectProofs(reader, sql`ORDER BY p.started_at DESC LIMIT 1`);
  const days = await selectProofs(
    reader,
    sql`WHERE p.id IN (SELECT DISTINCT ON (bank_day(d.started_at)) d.id FROM book_proofs d
                        WHERE d.started_at > now() - interval '32 days' AND d.customers IS NOT NULL
                        ORDER BY bank_day(d.started_at) DESC, d.started_at DESC LIMIT 31)
        ORDER BY p.started_at DESC`,
  );
  return { newest, days };
}

/** Stores a running proof of all records, which an administrator requests. Returns its id; undefined if a proof is running. */
export async function insertProof(tx: Tx, askedBy: string): Promise<string | undefined> {
  const id = newId();
  // The last position is the number of sealed records. So only the unsealed records, a few seconds' worth, must be counted.
  const inserted = await sql`
    WITH sealed AS (SELECT coalesce(max(position), 0) AS records, coalesce(max(audit_id), 0) AS last FROM audit_seals)
    INSERT INTO book_proofs (id, asked_by, is_whole, all_records)
    SELECT ${id}, ${askedBy}, true, records + (SELECT count(*) FROM audit_log WHERE audit_log.id > last) FROM sealed
    ON CONFLICT DO NOTHING`.execute(tx);
  return inserted.numAffectedRows === 1n ? id : undefined;
}

/** Stores how many records and transactions a running proof has checked. */
export async function updateProgress(
  tx: Tx,
  id: string,
  { records, transactions }: { records: number; transactions: number },
): Promise<void> {
  await sql`
    UPDATE book_proofs SET records = ${records}, transactions = ${transactions}
     WHERE id = ${id} AND state = 'running'`.execute(tx);
}

/** What a proof found. */
export type Proven = {
  checked: { records: number; transactions: number };
  faults: string[];
  balances: Balances;
  onTheWay: OnTheWay;
};

const figures = ({ checked, faults, balances, onTheWay: { pending, held, overdue } }: Proven) => sql`
  ${faults.length === 0 ? 'passed' : 'faults'}, ${checked.records}::bigint, ${checked.transactions}::bigint, ${faults}::text[],
  ${balances.customers}::bigint, ${balances.treasury}::bigint, ${balances.clearing}::bigint, ${balances.unclaimed}::bigint,
  ${pending.count}::bigint, ${pending.amount}::bigint, ${held.count}::bigint, ${held.amount}::bigint,
  ${overdue.count}::bigint, ${overdue.amount}::bigint`;
const figureColumns = sql`state, records, transactions, faults, customers, treasury, clearing, unclaimed, pending_count,
  pending_cents, held_count, held_cents, overdue_count, overdue_cents`;

/** Ends a running proof with its result; without a result, the proof becomes `unfinished`. */
export async function finishProof(tx: Tx, id: string, proven: Proven | undefined): Promise<void> {
  const set = proven ? sql`(${figureColumns}) = (SELECT ${figures(proven)})` : sql`state = 'unfinished'`;
  await sql`UPDATE book_proofs SET finished_at = clock_timestamp(), ${set} WHERE id = ${id} AND state = 'running'`.execute(
    tx,
  );
}

/**
 * Ends proofs whose job is gone or has failed on every attempt, and returns how many. Otherwise they would count as running,
 * and no other proof could start.
 */
export async function endLostProofs(tx: Tx): Promise<number> {
  const ended = await sql`
    UPDATE book_proofs SET finished_at = clock_timestamp(), state = 'unfinished'
     WHERE state = 'running' AND NOT EXISTS (
       SELECT FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
        WHERE t.identifier = 'prove-books' AND j.payload->>'proofId' = book_proofs.id::text
          AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL))`.execute(tx);
  return Number(ended.numAffectedRows);
}

/** Stores a finished daily proof. */
export async function recordDailyProof(
  tx: Tx,
  { startedAt, isWhole, ...proven }: Proven & { startedAt: Date; isWhole: boolean },
): Promise<void> {
  await sql`
    INSERT INTO book_proofs (id, started_at, finished_at, is_whole, all_records, ${figureColumns})
    SELECT ${newId()}, ${startedAt}, clock_timestamp(), ${isWhole}, ${proven.checked.records}, ${figures(proven)}`.execute(
    tx,
  );
}
