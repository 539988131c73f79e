/**
 * An account's movements for an export, oldest first: the transactions and the returns of payments that match a filter. If the
 * filter has no type, status or search, money moved to and from savings goals is included, and opening balance plus movements
 * is the closing balance to the cent, except in the race that `readBalance` describes. Movements are read in chunks, so memory
 * does not grow with the account.
 */
import { type RawBuilder, sql } from 'kysely';
import { calendarDay } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import type { DecodedTransaction } from '#contract/entities.ts';
import { fullName } from '#contract/fullName.ts';
import * as goalsMessages from '#contract/messages/goals.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import type { TransactionFilter } from '#contract/transactions.ts';
import { startOfDay } from '../db/bankDay.ts';
import { inSnapshot, type Reader } from '../db/database.ts';
import { countSequence, findSequence, rowsAt, rowsOf, type Sequence, takeSequence } from './accountList.ts';
import { referenceOf } from './ledger.ts';
import { selectTransactions, type TransactionRow, toTransaction } from './transactionRows.ts';

/** One movement. `cents` is positive for money in, negative for money out. */
export type ExportLine = {
  /** Unique and stable, so that a program that imports the file can detect a movement that it already has. */
  id: string;
  at: Date;
  cents: bigint;
  balanceAfter: bigint;
  isReturn: boolean;
  /** Why the payment was returned or canceled, as people read it. */
  returnReason?: string | undefined;
  /** For a movement to or from a savings goal: the goal's name. */
  goal?: string;
  transaction: Omit<DecodedTransaction, 'type'> & { type: DecodedTransaction['type'] | 'goal' };
};

export type Export = {
  /** The export ends at this time, unless the filter ends it earlier. */
  until: Date;
  openingCents: bigint;
  closingCents: bigint;
  lines: AsyncGenerator<ExportLine>;
};

export type ExportFilter = Omit<TransactionFilter, 'page' | 'limit'>;

const chunkSize = 200;

type Return = { seq: number; at: Date };
/** A movement to or from a savings goal. It follows the transaction with the sequence number `afterSeq`. */
type GoalLine = { afterSeq: number; at: Date; line: ExportLine };
type LineRow = TransactionRow & {
  seq: bigint;
  is_sender: boolean;
  balance_after: bigint;
  decided_at: Date | null;
  returned_balance: bigint | null;
};

/** A row in JSON: cents are numbers (no balance is above 2^53), and times are text. */
type JsonRow = {
  [Key in keyof LineRow]: LineRow[Key] extends bigint | null
    ? number | Extract<LineRow[Key], null>
    : LineRow[Key] extends Date | null
      ? string | Extract<LineRow[Key], null>
      : LineRow[Key];
};

function fromJson(row: JsonRow): LineRow {
  return {
    ...row,
    seq: BigInt(row.seq),
    amount: BigInt(row.amount),
    balance_after: BigInt(row.balance_after),
    returned_balance: row.returned_balance === null ? null : BigInt(row.returned_balance),
    created_at: new Date(row.created_at),
    decided_at: row.decided_at === null ? null : new Date(row.decided_at),
  } as LineRow;
}

/** The account as an export names it. */
export async function readExportedAccount(reader: Reader, accountId: bigint) {
  const found = await sql<{ number: string; holder: string; opened_at: Date }>`
    SELECT a.number, concat_ws(' ', c.first_name, nullif(c.middle_name, ''), c.last_name) AS holder, least(a.opened_at, (
             SELECT t.created_at FROM (${rowsOf(accountId, sql`= 1`)}) t)) AS opened_at
      FROM ledger_accounts a JOIN customers c ON c.account_id = a.id WHERE a.id = ${accountId}`.execute(
    reader,
  );
  const { number, holder, opened_at } = found.rows[0]!;
  return { accountNumber: number, holder, openedOn: calendarDay(opened_at) };
}

/** The name of who paid or was paid; for a movement to or from a savings goal, the goal's name. */
export function nameOfParty({ cents, isReturn, goal, transaction }: ExportLine): string {
  if (goal !== undefined) return goal;
  const { externalBankDetails: other, sender, receiver } = transaction;
  if (other) return other.accountName;
  const party = cents > 0n && !isReturn ? sender : receiver;
  return party ? fullName(party) : bank.name;
}

/** Whether it is the return of a payment that the customer canceled. */
export const isCanceled = ({ returnReason }: Pick<ExportLine, 'returnReason'>): boolean =>
  returnReason === transactionsMessages.canceled;

/** The description; for a returned payment, why it came back. */
export function noteOf(line: ExportLine): string {
  const { isReturn, returnReason, transaction } = line;
  if (!isReturn) return transaction.description;
  if (isCanceled(line)) return transactionsMessages.canceled;
  return [transactionsMessages.returned, returnReason].filter(Boolean).join(': ');
}

/** Opens an export of an account. Later movements are not in it. */
export function openExport(reader: Reader, accountId: bigint, filter: ExportFilter): Promise<Export> {
  return inSnapshot(reader, snapshot => openExportIn(snapshot, reader, accountId, filter));
}

/** `openExport` as of a snapshot. `reader` reads the movements later, when the snapshot has ended. */
export async function openExportIn(
  snapshot: Reader,
  reader: Reader,
  accountId: bigint,
  filter: ExportFilter,
): Promise<Export> {
  const { found, returns, goalLines, ...head } = await openHead();
  return { ...head, lines: readLines() };

  async function openHead() {
    const { startDate, endDate } = filter;
    const end = endDate && startOfDay(endDate, 1);
    const account = await sql<{ entry_count: bigint; balance: bigint; until: Date; hasEnded: boolean }>`
      SELECT a.entry_count, a.balance, now.until, ${end ? sql`${end} <= now.until` : sql`false`} AS "hasEnded"
        FROM ledger_accounts a, (SELECT clock_timestamp() AS until) now WHERE a.id = ${accountId}`.execute(
      snapshot,
    );
    const { entry_count, balance, until, hasEnded } = account.rows[0]!;
    const wanted = { ...filter, page: 1, limit: 1 };
    const sequence = await findSequence(snapshot, accountId, Number(entry_count), wanted);
    return {
      until,
      found: sequence,
      returns: await readReturns(snapshot, accountId, filter, sequence),
      goalLines: await readGoalLines(snapshot, accountId, filter),
      openingCents: startDate ? await readBalance(snapshot, accountId, startOfDay(startDate)) : 0n,
      closingCents: end && hasEnded ? await readBalance(snapshot, accountId, end) : balance,
    };
  }

  async function* readLines(): AsyncGenerator<ExportLine> {
    const total = countSequence(found);
    let nextReturn = 0;
    let nextGoalLine = 0;
    async function* readReturnsUntil(at: Date): AsyncGenerator<ExportLine> {
      const from = nextReturn;
      while (nextReturn < returns.length && returns[nextReturn]!.at <= at) nextReturn++;
      yield* readReturnLines(from, nextReturn);
    }
    for (let done = 0; done < total; done += chunkSize) {
      const size = Math.min(chunkSize, total - done);
      const rows = await readRows(takeSequence(found, total - done - size, size));
      for (const row of rows.reverse()) {
        for (; goalLines[nextGoalLine] && goalLines[nextGoalLine]!.afterSeq < row.seq; nextGoalLine++) {
          const { at, line } = goalLines[nextGoalLine]!;
          // If the transaction waited for this movement's lock, the transaction's time may be the earlier one.
          yield* readReturnsUntil(at < row.created_at ? at : row.created_at);
          yield line;
        }
        yield* readReturnsUntil(row.created_at);
        yield toLine(row);
      }
    }
    for (const { at, line } of goalLines.slice(nextGoalLine)) {
      yield* readReturnsUntil(at);
      yield line;
    }
    yield* readReturnLines(nextReturn, returns.length);
  }

  async function* readReturnLines(from: number, to: number): AsyncGenerator<ExportLine> {
    for (let start = from; start < to; start += chunkSize) {
      const seqs = returns.slice(start, Math.min(to, start + chunkSize)).map(({ seq }) => seq);
      const rows = new Map((await readRows(seqs)).map(row => [Number(row.seq), row]));
      for (const seq of seqs) yield toReturnLine(rows.get(seq)!);
    }
  }

  /** The rows with these sequence numbers, newest first. */
  async function readRows(seqs: number[]): Promise<LineRow[]> {
    const source = sql`(${rowsAt(accountId, seqs)})`;
    // One JSON text for all rows: reading a row as columns leaves ten times as much garbage.
    const read = await sql<{ rows: JsonRow[] | null }>`
      SELECT json_agg(r ORDER BY r.seq DESC) AS rows FROM (
      SELECT d.*, o.is_sender, CASE WHEN o.is_sender THEN x.sender_seq ELSE x.receiver_seq END AS seq,
             CASE WHEN o.is_sender THEN p.debit_balance ELSE p.credit_balance END AS balance_after,
             e.posted_at AS decided_at, e.credit_balance AS returned_balance
        FROM (${selectTransactions(source)}) d
        JOIN transactions x ON x.id = d.id
        JOIN journal_entries p ON p.transaction_id = d.id AND p.step = 1
        LEFT JOIN journal_entries e ON e.transaction_id = d.id AND e.step = 2,
             LATERAL (SELECT x.sender_account IS NOT DISTINCT FROM ${accountId} AS is_sender) o) r`.execute(
      reader,
    );
    return (read.rows[0]!.rows ?? []).map(fromJson);
  }

  function toLine(row: LineRow): ExportLine {
    const transaction = toTransaction(row);
    // In the export, a transfer that ended after the export was opened is still pending.
    const isPending = row.decided_at !== null && row.decided_at > head.until;
    return {
      id: row.id,
      at: row.created_at,
      cents: row.is_sender ? -row.amount : row.amount,
      balanceAfter: row.balance_after,
      isReturn: false,
      transaction: isPending ? { ...transaction, status: 'pending' } : transaction,
    };
  }

  function toReturnLine(row: LineRow): ExportLine {
    const isCanceled = row.return_reason === transactionsMessages.canceledReason;
    return {
      id: `${row.id}-return`,
      at: row.decided_at!,
      cents: row.amount,
      balanceAfter: row.returned_balance!,
      isReturn: true,
      returnReason: isCanceled ? transactionsMessages.canceled : (row.return_reason ?? undefined),
      transaction: toTransaction(row),
    };
  }
}

/**
 * The returns within the filter, oldest first. A customer can have 100,000 returns, so they are read as one string. Their times
 * are truncated to milliseconds, like all times in JavaScript, because `statementProof.ts` must compute the same order.
 */
async function readReturns(
  reader: Reader,
  accountId: bigint,
  { type, status, startDate, endDate, search }: ExportFilter,
  found: Sequence,
): Promise<Return[]> {
  if ((type && type !== 'external-transfer') || (status && status !== 'failed')) return [];
  const read = await sql<{ returns: string | null }>`
    SELECT string_agg(t.sender_seq || ' ' || (extract(epoch FROM date_trunc('milliseconds', e.posted_at)) * 1000)::bigint, ','
                      ORDER BY e.posted_at, t.sender_seq) AS returns
      FROM transactions t JOIN journal_entries e ON e.transaction_id = t.id AND e.step = 2 AND e.kind = 'return'
     WHERE t.sender_account = ${accountId} AND t.type = 'external-transfer' AND e.credit_account = ${accountId}
       AND ${startDate ? sql`e.posted_at >= ${startOfDay(startDate)}` : sql`true`}
       AND ${endDate ? sql`e.posted_at < ${startOfDay(endDate, 1)}` : sql`true`}`.execute(reader);
  const all = (read.rows[0]!.returns?.split(',') ?? []).map(text => {
    const [seq, at] = text.split(' ').map(Number);
    return { seq: seq!, at: new Date(at!) };
  });
  if (!search || !('listed' in found)) return all;
  const searched = new Set(found.listed);
  return all.filter(({ seq }) => searched.has(seq));
}

/**
 * The movements to and from savings goals within the filter's days, oldest first; none if the filter has a type, a status or a
 * search.
 */
async function readGoalLines(
  reader: Reader,
  accountId: bigint,
  { type, status, startDate, endDate, search }: ExportFilter,
): Promise<GoalLine[]> {
  if (type || status || search) return [];
  type Row = { id: string; at: Date; amount: bigint; after_seq: bigint; name: string; balance: bigint };
  const found = await sql<Row>`
    SELECT m.id, m.created_at AS at, m.amount, m.after_seq, coalesce(g.name, '') AS name,
           CASE WHEN m.amount > 0 THEN e.debit_balance ELSE e.credit_balance END AS balance
      FROM goal_movements m
      LEFT JOIN goals g ON g.ledger_account = m.goal_account
      JOIN journal_entries e ON e.transaction_id = m.id AND e.step = 1
     WHERE m.account = ${accountId}
       AND ${startDate ? sql`m.created_at >= ${startOfDay(startDate)}` : sql`true`}
       AND ${endDate ? sql`m.created_at < ${startOfDay(endDate, 1)}` : sql`true`}
     ORDER BY m.created_at`.execute(reader);
  return found.rows.map(({ id, at, amount, after_seq, name, balance }) => {
    const isOut = amount > 0n;
    const transaction = {
      _id: id,
      reference: referenceOf(id),
      type: 'goal' as const,
      status: 'completed' as const,
      amount: isOut ? amount : -amount,
      timestamp: at,
      description: isOut ? goalsMessages.toGoal : goalsMessages.fromGoal,
    };
    const line = { id, at, cents: -amount, balanceAfter: balance, isReturn: false, goal: name, transaction };
    return { afterSeq: Number(after_seq), at, line };
  });
}

/**
 * The account's balance right before a time. It can be wrong by one movement: a return and a payment have the times at which
 * their transactions began, but the account's lock can let them happen in the opposite order.
 */
async function readBalance(reader: Reader, accountId: bigint, at: RawBuilder<unknown>): Promise<bigint> {
  const found = await sql<{ balance: bigint }>`
    WITH last AS MATERIALIZED (SELECT first_seq_since(${accountId}, ${at}) - 1 AS seq)
    SELECT p.amount_after AS balance FROM (
      SELECT x.at, x.amount_after FROM (
        SELECT e.posted_at AS at, CASE WHEN e.debit_account = ${accountId} THEN e.debit_balance ELSE e.credit_balance END AS amount_after
          FROM (${rowsOf(accountId, sql`= (SELECT seq FROM last)`)}) t
          JOIN journal_entries e ON e.transaction_id = t.id AND e.step = 1) x
      UNION ALL
      (SELECT m.created_at, CASE WHEN m.amount > 0 THEN e.debit_balance ELSE e.credit_balance END
         FROM goal_movements m JOIN journal_entries e ON e.transaction_id = m.id AND e.step = 1
        WHERE m.account = ${accountId} AND m.created_at < ${at} AND m.after_seq >= (SELECT seq FROM last)
        ORDER BY m.created_at DESC LIMIT 1)
      UNION ALL
      (SELECT e.posted_at, e.credit_balance
         FROM transactions t JOIN journal_entries e ON e.transaction_id = t.id AND e.step = 2 AND e.kind = 'return'
        WHERE t.sender_account = ${accountId} AND t.type = 'external-transfer' AND e.credit_account = ${accountId}
          AND e.posted_at < ${at} ORDER BY e.posted_at DESC LIMIT 1)) p
     ORDER BY p.at DESC LIMIT 1`.execute(reader);
  return found.rows[0]?.balance ?? 0n;
}
