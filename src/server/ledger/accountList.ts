/**
 * Pages of one account's transactions. Sequence numbers have no gaps, and a transaction is at most `maxDisorder` places from
 * its place in time order. So the numbers of a page can be computed, and only its rows are read. Without a filter, a page costs
 * as much in an account with a million transactions as in one with ten.
 */
import { type RawBuilder, sql } from 'kysely';
import { bank } from '#contract/constants.ts';
import type { TransactionFilter } from '#contract/transactions.ts';
import { containingNumber } from '../base/like.ts';
import { rowsBefore } from '../base/paging.ts';
import { startOfDay } from '../db/bankDay.ts';
import { matchesWithoutAccents } from '../db/customerSearch.ts';
import { inSnapshot, type Reader } from '../db/database.ts';
import { matchesAmount, matchesDays, matchesKind, maxDisorder, pages } from './filter.ts';
import { scheduledBy, selectTransactions, type TransactionRow, toTransaction } from './transactionRows.ts';

/** A search covers this many of the account's newest transactions within the filter's days. */
const searchDepth = 50_000;

/** Sequence numbers, newest first: an explicit list, or a range with exceptions. */
export type Sequence = { listed: number[] } | { first: number; last: number; except: number[] };

/** A page of one account's transactions. The statistics cover the whole account, whatever the filter. */
export function listTransactions(reader: Reader, accountId: bigint, filter: TransactionFilter) {
  return inSnapshot(reader, async snapshot => {
    const figures = await sql<{ entry_count: bigint; sent: bigint; received: bigint }>`
      SELECT entry_count, sent, received FROM ledger_accounts WHERE id = ${accountId}`.execute(snapshot);
    const { entry_count: entryCount, sent, received } = figures.rows[0]!;
    const found = await findSequence(snapshot, accountId, Number(entryCount), filter);
    const wanted = takeSequence(found, rowsBefore(filter), filter.limit);
    const page = sql`(${rowsAt(accountId, wanted)})`;
    const rows = await sql<TransactionRow>`${selectTransactions(page)} ORDER BY t.seq DESC`.execute(snapshot);
    return {
      transactions: rows.rows.map(row => ({ ...toTransaction(row), ...scheduledBy(row, accountId) })),
      stats: { totalSent: sent, totalReceived: received, totalTransactions: Number(entryCount) },
      ...pages(filter, countSequence(found)),
    };
  });
}

/**
 * Money in and out for each month on a page of transactions, newest first. The sums cover all transactions of the month that
 * match the filter, not only those on the page. A returned transfer is in neither sum.
 */
export function sumMonthsOfPage(reader: Reader, accountId: bigint, filter: TransactionFilter) {
  return inSnapshot(reader, async snapshot => {
    const account = await sql<{ entry_count: bigint }>`
      SELECT entry_count FROM ledger_accounts WHERE id = ${accountId}`.execute(snapshot);
    const found = await findSequence(snapshot, accountId, Number(account.rows[0]!.entry_count), filter);
    const page = takeSequence(found, rowsBefore(filter), filter.limit);
    if (page.length === 0) return [];
    const month = sql`date_trunc('month', created_at AT TIME ZONE ${bank.timeZone})`;
    const span = await sql<{ since: Date; until: Date; first: bigint; last: bigint }>`
      SELECT since, until, first_seq_since(${accountId}, since) AS first, first_seq_since(${accountId}, until) - 1 AS last
        FROM (SELECT min(${month}) AT TIME ZONE ${bank.timeZone} AS since,
                     (max(${month}) + interval '1 month') AT TIME ZONE ${bank.timeZone} AS until
                FROM (${rowsOf(accountId, sql`= ANY (${[page[0], page.at(-1)]}::bigint[])`)}) ends) months`.execute(
      snapshot,
    );
    const { since, until } = span.rows[0]!;
    const first = Number(span.rows[0]!.first) - maxDisorder;
    const last = Number(span.rows[0]!.last) + maxDisorder;
    // `found.except` is not needed: the conditions on kind and days leave out those rows.
    const matching =
      'listed' in found
        ? sql`= ANY (${found.listed.filter(seq => seq >= first && seq <= last)}::bigint[])`
        : sql`BETWEEN ${Math.max(first, found.first)} AND ${Math.min(last, found.last)}`;
    const sums = await sql<{ month: string; in: bigint; out: bigint; count: bigint }>`
      SELECT to_char(${month}, 'YYYY-MM') AS month, count(*) AS count,
             coalesce(sum(amount) FILTER (WHERE receiver_account = ${accountId}), 0)::bigint AS in,
             coalesce(sum(amount) FILTER (WHERE sender_account = ${accountId} AND NOT (
               t.type = 'external-transfer' AND EXISTS (
                 SELECT FROM external_transfers x WHERE x.transaction_id = t.id AND x.status = 'failed'))), 0)::bigint AS out
        FROM (${rowsOf(accountId, matching)}) t
       WHERE created_at >= ${since} AND created_at < ${until} AND ${matchesKind(filter)} AND ${matchesDays(filter)}
       GROUP BY 1 ORDER BY 1 DESC`.execute(snapshot);
    return sums.rows.map(row => ({ ...row, count: Number(row.count) }));
  });
}

/** The ids of an account's newest transactions that match the filter, at most `most`. Ignores the filter's search and page. */
export async function newestOfAccount(
  reader: Reader,
  accountId: bigint,
  filter: TransactionFilter,
  most: number,
): Promise<string[]> {
  const account = await sql<{ entry_count: bigint }>`
    SELECT entry_count FROM ledger_accounts WHERE id = ${accountId}`.execute(reader);
  const entryCount = Number(account.rows[0]!.entry_count);
  const found = await findSequence(reader, accountId, entryCount, { ...filter, search: undefined });
  const wanted = takeSequence(found, 0, most);
  const rows = await sql<{ id: string }>`${rowsOf(accountId, sql`= ANY (${wanted}::bigint[])`)}`.execute(
    reader,
  );
  return rows.rows.map(row => row.id);
}

/** How many transactions a sequence has. */
export function countSequence(sequence: Sequence): number {
  return 'listed' in sequence
    ? sequence.listed.length
    : sequence.last - sequence.first + 1 - sequence.except.length;
}

/** Skips the newest `skip` sequence numbers, and returns up to `limit` of the rest, newest first. */
export function takeSequence(sequence: Sequence, skip: number, limit: number): number[] {
  if ('listed' in sequence) return sequence.listed.slice(skip, skip + limit);
  const { first, last, except } = sequence;
  let seq = last - skip;
  let passed = 0;
  // Each excluded number that is newer than the page moves the page down by one.
  while (passed < except.length && except[passed]! >= seq) {
    passed++;
    seq--;
  }
  const taken: number[] = [];
  for (; taken.length < limit && seq >= first; seq--) {
    if (except[passed] === seq) passed++;
    else taken.push(seq);
  }
  return taken;
}

/** SQL: the account's transactions whose sequence number satisfies a condition, with that number as `seq`. */
export function rowsOf(accountId: bigint, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT *, sender_seq AS seq FROM transactions WHERE sender_account = ${accountId} AND sender_seq ${condition}
    UNION ALL
    SELECT *, receiver_seq FROM transactions WHERE receiver_account = ${accountId} AND receiver_seq ${condition}`;
}

/**
 * SQL: the account's transactions with these sequence numbers, in the form of `rowsOf`. Looks them up by id, because the
 * planner expects few rows for a list of ids. For a single sequence number of an account with a million transactions, the
 * planner expects hundreds of rows, and would read whole tables to join them.
 */
export function rowsAt(accountId: bigint, seqs: number[]): RawBuilder<unknown> {
  const found = rowsOf(accountId, sql`= ANY (${seqs}::bigint[])`);
  return sql`
    SELECT *, CASE WHEN sender_account = ${accountId} THEN sender_seq ELSE receiver_seq END AS seq
      FROM transactions WHERE id = ANY (ARRAY(SELECT id FROM (${found}) found))`;
}

/** The sequence numbers that match a filter. */
export async function findSequence(
  reader: Reader,
  accountId: bigint,
  entryCount: number,
  filter: TransactionFilter,
): Promise<Sequence> {
  const { first, last, outside } = await findDays(reader, accountId, entryCount, filter);
  if (filter.search) return { listed: await searchSequence(reader, accountId, first, last, filter) };
  const { type, status } = filter;
  if (!type && !status) return { first, last, except: outside };
  // Transfers between customers are all `completed`. So a filter matches either only other types, which are listed, or all
  // transfers, and then the range excludes the transactions of other types that do not match.
  const matchesNoTransfer = (type && type !== 'transfer') || (status && status !== 'completed');
  const found = await readNonTransfers(reader, accountId, { first, last }, filter, !matchesNoTransfer);
  const excluded = new Set(outside);
  const nonTransfers = found.filter(seq => !excluded.has(seq));
  if (matchesNoTransfer) return { listed: nonTransfers };
  return { first, last, except: [...outside, ...nonTransfers].sort((a, b) => b - a) };
}

/**
 * The range of sequence numbers that covers the filter's days. `outside`: the numbers in the range whose transactions are on
 * other days, newest first.
 */
async function findDays(reader: Reader, accountId: bigint, entryCount: number, filter: TransactionFilter) {
  const { startDate, endDate } = filter;
  if (!startDate && !endDate) return { first: 1, last: entryCount, outside: [] };
  const bounds = await sql<{ start: bigint; end: bigint }>`
    SELECT ${startDate ? sql`first_seq_since(${accountId}, ${startOfDay(startDate)})` : sql`1::bigint`} AS start,
           ${endDate ? sql`first_seq_since(${accountId}, ${startOfDay(endDate, 1)})` : sql`${entryCount + 1}::bigint`} AS end`.execute(
    reader,
  );
  const [start, end] = [Number(bounds.rows[0]!.start), Number(bounds.rows[0]!.end)];
  const first = Math.max(1, start - maxDisorder);
  const last = Math.min(entryCount, end - 1 + maxDisorder);
  const edge = (from: number, to: number) => rowsOf(accountId, sql`BETWEEN ${from} AND ${to}`);
  const found = await sql<{ seq: bigint }>`
    SELECT DISTINCT t.seq FROM (${edge(first, Math.min(last, start + maxDisorder))}
                                 UNION ALL ${edge(Math.max(first, end - maxDisorder), last)}) t
     WHERE NOT (${matchesDays(filter)}) ORDER BY t.seq DESC`.execute(reader);
  return { first, last, outside: found.rows.map(toSeq) };
}

const toSeq = ({ seq }: { seq: bigint }) => Number(seq);

/**
 * Reads the transactions of a range that are not transfers between customers. Returns the sequence numbers of those that match
 * type and status, newest first; with `isNot`, of those that do not.
 */
async function readNonTransfers(
  reader: Reader,
  accountId: bigint,
  { first, last }: { first: number; last: number },
  { type, status }: TransactionFilter,
  isNot: boolean,
): Promise<number[]> {
  const isOfStatus = sql`(SELECT x.status FROM external_transfers x WHERE x.transaction_id = t.id) = ${status}::transaction_status`;
  const wanted = sql`(${type ? sql`t.type = ${type}::transaction_type` : sql`true`} AND ${status ? isOfStatus : sql`true`})`;
  /**
   * SQL: the sequence numbers of one type. All its transactions are `completed`, so either all of them are returned or none.
   */
  const ofType = (side: 'sender' | 'receiver', only: 'admin-credit' | 'reversal' | 'deposit') => sql`
      SELECT t.${sql.raw(side)}_seq FROM transactions t
       WHERE t.${sql.raw(side)}_account = ${accountId} AND t.type = ${sql.lit(only)}
         AND t.${sql.raw(side)}_seq BETWEEN ${first} AND ${last}
         AND ${((!type || type === only) && (!status || status === 'completed')) !== isNot}`;
  // One string instead of a row for each number: there can be a hundred thousand numbers.
  const found = await sql<{ seqs: string | null }>`
    SELECT string_agg(u.seq::text, ' ' ORDER BY u.seq DESC) AS seqs FROM (
      SELECT t.sender_seq AS seq FROM transactions t
       WHERE t.sender_account = ${accountId} AND t.type = 'external-transfer'
         AND t.sender_seq BETWEEN ${first} AND ${last} AND ${isNot ? sql`NOT ${wanted}` : wanted}
      UNION ALL ${ofType('receiver', 'admin-credit')}
      UNION ALL ${ofType('sender', 'reversal')}
      UNION ALL ${ofType('receiver', 'reversal')}
      UNION ALL ${ofType('receiver', 'deposit')}) u`.execute(reader);
  return found.rows[0]!.seqs?.split(' ').map(Number) ?? [];
}

/**
 * The sequence numbers that match the search and the rest of the filter, newest first. Searches the other party of each
 * transaction, not the account's own customer.
 */
async function searchSequence(
  reader: Reader,
  accountId: bigint,
  first: number,
  last: number,
  filter: TransactionFilter,
): Promise<number[]> {
  const text = filter.search ?? '';
  const number = containingNumber(text);
  // A search has no line break, so it does not match across two texts.
  const texts = sql`concat_ws(E'\\n', t.reference, t.description, concat_ws(' ', c.first_name, c.last_name), e.bank_name,
                              e.account_name, d.bank_name, d.sender_name)`;
  const newest = sql`BETWEEN ${Math.max(first, last - searchDepth + 1)} AND ${last}`;
  const found = await sql<{ seq: bigint }>`
    SELECT t.seq
      FROM (${rowsOf(accountId, newest)}) t
      LEFT JOIN customers c
        ON c.account_id = CASE WHEN t.sender_account = ${accountId} THEN t.receiver_account ELSE t.sender_account END
      LEFT JOIN ledger_accounts a ON a.id = c.account_id
      LEFT JOIN external_transfers e ON e.transaction_id = t.id AND t.type = 'external-transfer'
      LEFT JOIN deposits d ON d.transaction_id = t.id AND t.type = 'deposit'
     WHERE ${matchesKind(filter)} AND ${matchesDays(filter)}
       AND (${matchesWithoutAccents(texts, text)} OR a.number LIKE ${number} OR e.account_number ILIKE ${number}
            OR ${matchesAmount(text)})
     ORDER BY t.seq DESC`.execute(reader);
  return found.rows.map(toSeq);
}
