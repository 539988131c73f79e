/**
 * A customer's own list. Lines are counted without gaps and in the order of time, so a page is a handful of line numbers:
 * they are worked out from what makes an account's lines differ, and only they are fetched. A list of a million lines turns
 * its pages like one of ten.
 */
import { type RawBuilder, sql } from 'kysely';
import type { TransactionFilter } from '#contract/transactions.ts';
import { containing } from '../base/like.ts';
import { inSnapshot, type Reader } from '../db/database.ts';
import { beginningOf, disorder, isOfAmount, isOfKind, isWithinDays, linesBefore, pages } from './filter.ts';
import { type ShownRow, shown, toTransaction } from './shownTransaction.ts';

/** How many of an account's newest lines, of the days asked for, a search looks through. */
const linesSearched = 50_000;

/** Line numbers, newest first: listed one by one, or all of a range but some. */
type Lines = { listed: number[] } | { first: number; last: number; except: number[] };

/** One customer's page, with the figures of the whole account whatever the filter. */
export function listTransactions(reader: Reader, accountId: bigint, filter: TransactionFilter) {
  return inSnapshot(reader, async snapshot => {
    const figures = await sql<{ lines: bigint; sent: bigint; received: bigint }>`
      SELECT lines, sent, received FROM ledger_accounts WHERE id = ${accountId}`.execute(snapshot);
    const { lines, sent, received } = figures.rows[0]!;
    const found = await findLines(snapshot, accountId, Number(lines), filter);
    const wanted = take(found, linesBefore(filter), filter.limit);
    const page = ownLines(accountId, sql`= ANY (${wanted}::bigint[])`);
    const rows = await sql<ShownRow>`${shown(sql`(${page})`)} ORDER BY t.line DESC`.execute(snapshot);
    return {
      transactions: rows.rows.map(toTransaction),
      stats: { totalSent: sent, totalReceived: received, totalTransactions: Number(lines) },
      ...pages(filter, count(found)),
    };
  });
}

/** Ids of an account's newest transactions that are as the filter asks, its search and page left aside; `most` of them. */
export async function newestOfAccount(
  reader: Reader,
  accountId: bigint,
  filter: TransactionFilter,
  most: number,
): Promise<string[]> {
  const account = await sql<{ lines: bigint }>`
    SELECT lines FROM ledger_accounts WHERE id = ${accountId}`.execute(reader);
  const lines = Number(account.rows[0]!.lines);
  const found = await findLines(reader, accountId, lines, { ...filter, search: undefined });
  const wanted = take(found, 0, most);
  const rows = await sql<{ id: string }>`${ownLines(accountId, sql`= ANY (${wanted}::bigint[])`)}`.execute(
    reader,
  );
  return rows.rows.map(row => row.id);
}

function count(lines: Lines): number {
  return 'listed' in lines ? lines.listed.length : lines.last - lines.first + 1 - lines.except.length;
}

function take(lines: Lines, skip: number, limit: number): number[] {
  if ('listed' in lines) return lines.listed.slice(skip, skip + limit);
  const { first, last, except } = lines;
  let line = last - skip;
  let passed = 0;
  // Each line left out above pushes the page one further down.
  while (passed < except.length && except[passed]! >= line) {
    passed++;
    line--;
  }
  const taken: number[] = [];
  for (; taken.length < limit && line >= first; line--) {
    if (except[passed] === line) passed++;
    else taken.push(line);
  }
  return taken;
}

/** The account's rows of transactions whose own line satisfies a condition, with that line. */
function ownLines(accountId: bigint, line: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT *, sender_line AS line FROM transactions WHERE sender_account = ${accountId} AND sender_line ${line}
    UNION ALL
    SELECT *, receiver_line FROM transactions WHERE receiver_account = ${accountId} AND receiver_line ${line}`;
}

async function findLines(
  reader: Reader,
  accountId: bigint,
  lines: number,
  filter: TransactionFilter,
): Promise<Lines> {
  const { first, last, outside } = await findDays(reader, accountId, lines, filter);
  if (filter.search) return { listed: await searchLines(reader, accountId, first, last, filter) };
  const { type, status } = filter;
  if (!type && !status) return { first, last, except: outside };
  const isAmongUnlike = (type && type !== 'transfer') || (status && status !== 'completed');
  const unlike = await readUnlike(reader, accountId, { first, last }, filter, !isAmongUnlike);
  const left = new Set(outside);
  if (isAmongUnlike) return { listed: unlike.filter(line => !left.has(line)) };
  const besides = unlike.filter(line => !left.has(line));
  const except = besides.length > 0 ? [...outside, ...besides].sort((a, b) => b - a) : outside;
  return { first, last, except };
}

/** The range of lines that holds all of the filter's days, and which lines in it, newest first, are of other days. */
async function findDays(reader: Reader, accountId: bigint, lines: number, filter: TransactionFilter) {
  const { startDate, endDate } = filter;
  if (!startDate && !endDate) return { first: 1, last: lines, outside: [] };
  const bounds = await sql<{ start: bigint; end: bigint }>`
    SELECT ${startDate ? sql`first_line_since(${accountId}, ${beginningOf(startDate)})` : sql`1::bigint`} AS start,
           ${endDate ? sql`first_line_since(${accountId}, ${beginningOf(endDate, 1)})` : sql`${lines + 1}::bigint`} AS end`.execute(
    reader,
  );
  const [start, end] = [Number(bounds.rows[0]!.start), Number(bounds.rows[0]!.end)];
  const first = Math.max(1, start - disorder);
  const last = Math.min(lines, end - 1 + disorder);
  const edge = (from: number, to: number) => ownLines(accountId, sql`BETWEEN ${from} AND ${to}`);
  const found = await sql<{ line: bigint }>`
    SELECT DISTINCT t.line FROM (${edge(first, Math.min(last, start + disorder))}
                                 UNION ALL ${edge(Math.max(first, end - disorder), last)}) t
     WHERE NOT (${isWithinDays(filter)}) ORDER BY t.line DESC`.execute(reader);
  return { first, last, outside: found.rows.map(toLine) };
}

const toLine = ({ line }: { line: bigint }) => Number(line);

/**
 * The lines of a range that are no completed transfer between customers and, of these, are as the filter asks; or, where
 * `isNot`, are not. Newest first.
 */
async function readUnlike(
  reader: Reader,
  accountId: bigint,
  { first, last }: { first: number; last: number },
  { type, status }: TransactionFilter,
  isNot: boolean,
): Promise<number[]> {
  const isOfStatus = sql`(SELECT x.status FROM external_transfers x WHERE x.transaction_id = t.id) = ${status}::transaction_status`;
  const wanted = sql`(${type ? sql`t.type = ${type}::transaction_type` : sql`true`} AND ${status ? isOfStatus : sql`true`})`;
  const wantedCredit = (!type || type === 'admin-credit') && (!status || status === 'completed');
  // One text instead of a row each: there may be a hundred thousand.
  const found = await sql<{ lines: string | null }>`
    SELECT string_agg(u.line::text, ' ' ORDER BY u.line DESC) AS lines FROM (
      SELECT t.sender_line AS line FROM transactions t
       WHERE t.sender_account = ${accountId} AND t.type = 'external-transfer'
         AND t.sender_line BETWEEN ${first} AND ${last} AND ${isNot ? sql`NOT ${wanted}` : wanted}
      UNION ALL
      SELECT t.receiver_line FROM transactions t
       WHERE t.receiver_account = ${accountId} AND t.type = 'admin-credit'
         AND t.receiver_line BETWEEN ${first} AND ${last} AND ${wantedCredit !== isNot}) u`.execute(reader);
  return found.rows[0]!.lines?.split(' ').map(Number) ?? [];
}

/** The lines that match a search, and all else that is asked, newest first. Only the other party is looked at. */
async function searchLines(
  reader: Reader,
  accountId: bigint,
  first: number,
  last: number,
  filter: TransactionFilter,
): Promise<number[]> {
  const text = filter.search ?? '';
  const pattern = containing(text);
  const digits = text.replace(/[\s-]/g, '');
  const number = containing(/^\d+$/.test(digits) ? digits : text);
  const newest = sql`BETWEEN ${Math.max(first, last - linesSearched + 1)} AND ${last}`;
  const found = await sql<{ line: bigint }>`
    SELECT t.line
      FROM (${ownLines(accountId, newest)}) t
      LEFT JOIN customers c
        ON c.account_id = CASE WHEN t.sender_account = ${accountId} THEN t.receiver_account ELSE t.sender_account END
      LEFT JOIN ledger_accounts a ON a.id = c.account_id
      LEFT JOIN external_transfers e ON e.transaction_id = t.id AND t.type = 'external-transfer'
     WHERE ${isOfKind(filter)} AND ${isWithinDays(filter)}
       AND (t.reference ILIKE ${pattern} OR t.description ILIKE ${pattern}
            OR concat_ws(' ', c.first_name, c.last_name) ILIKE ${pattern} OR a.number LIKE ${number}
            OR e.bank_name ILIKE ${pattern} OR e.account_name ILIKE ${pattern} OR e.account_number ILIKE ${number}
            OR ${isOfAmount(text)})
     ORDER BY t.line DESC`.execute(reader);
  return found.rows.map(toLine);
}
