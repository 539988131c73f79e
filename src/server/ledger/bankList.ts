/**
 * All customers' transactions, newest first. How many there are of a type, a status or a day is kept with the postings, and
 * from how many are newer follows where a page begins: a page deep in ten million costs like the first.
 */
import { sql } from 'kysely';
import { isAccountNumber } from '#contract/accountNumber.ts';
import type { TransactionBehindTheEdge } from '#contract/entities.ts';
import type { TransactionFilter } from '#contract/transactions.ts';
import { inSnapshot, type Reader } from '../db/database.ts';
import { type Found, type IdRange, searchBank } from './bankSearch.ts';
import { disorder, linesBefore, pages } from './filter.ts';
import { findPlace, walk } from './marks.ts';
import { listTransactions } from './ownList.ts';
import { type ShownRow, shown, toTransaction } from './shownTransaction.ts';

export type BankPage = ReturnType<typeof pages> & {
  transactions: TransactionBehindTheEdge[];
} & Partial<Pick<Found, 'isCut' | 'completeSince'>>;

/** A page of all transactions that the filter lets through. Of a search it says where it is not all there is: see `Found`. */
export async function listAllTransactions(reader: Reader, filter: TransactionFilter): Promise<BankPage> {
  const account = filter.search && (await findAccount(reader, filter.search));
  // A whole account number means all of that account's own.
  if (account) {
    const { stats: _, ...list } = await listTransactions(reader, account, { ...filter, search: undefined });
    return list;
  }
  return await inSnapshot(reader, async snapshot => {
    const { total, ids, isCut, completeSince }: Pick<Found, 'total' | 'ids'> & Partial<Found> = filter.search
      ? await searchBank(snapshot, filter, await findDays(snapshot, filter))
      : await findPage(snapshot, filter);
    const page = sql`(SELECT * FROM transactions WHERE id = ANY (${ids}::uuid[]))`;
    const found = await sql<ShownRow>`${shown(page)} ORDER BY t.id DESC`.execute(snapshot);
    return {
      transactions: found.rows.map(toTransaction),
      ...pages(filter, total),
      ...(isCut && { isCut }),
      ...(completeSince && { completeSince }),
    };
  });
}

/** The account with this number, blanks and dashes left out; undefined where it is none's. */
async function findAccount(reader: Reader, text: string): Promise<bigint | undefined> {
  const number = text.replace(/[\s-]/g, '');
  if (!isAccountNumber(number)) return undefined;
  const found = await sql<{ id: bigint }>`SELECT id FROM ledger_accounts WHERE number = ${number}`.execute(
    reader,
  );
  return found.rows[0]?.id;
}

/** Of the filter's type and status: how many there are in all, of its days, and of later days. */
type Counts = { all: number; within: number; later: number };

async function readCounts(
  reader: Reader,
  { type, status, startDate, endDate }: TransactionFilter,
): Promise<Counts> {
  const isWithin = sql`day BETWEEN coalesce(${startDate ?? null}::date, '-infinity') AND coalesce(${endDate ?? null}::date, 'infinity')`;
  const counted = await sql<Record<keyof Counts, bigint>>`
    SELECT coalesce(sum(count), 0)::bigint AS all,
           coalesce(sum(count) FILTER (WHERE ${isWithin}), 0)::bigint AS within,
           coalesce(sum(count) FILTER (WHERE day > ${endDate ?? null}::date), 0)::bigint AS later
      FROM transaction_totals
     WHERE type = coalesce(${type ?? null}::transaction_type, type)
       AND status = coalesce(${status ?? null}::transaction_status, status)`.execute(reader);
  const { all, within, later } = counted.rows[0]!;
  return { all: Number(all), within: Number(within), later: Number(later) };
}

/** Between which ids all of the filter's days lie. */
async function findDays(reader: Reader, { startDate, endDate }: TransactionFilter): Promise<IdRange> {
  const { all, within, later } = await readCounts(reader, { page: 1, limit: 1, startDate, endDate });
  const isAfter = endDate !== undefined && later > disorder;
  return {
    newest: isAfter ? await findPlace(reader, {}, later - disorder, all) : undefined,
    oldest: startDate ? await findPlace(reader, {}, later + within + disorder, all) : undefined,
  };
}

async function findPage(reader: Reader, filter: TransactionFilter): Promise<Pick<Found, 'total' | 'ids'>> {
  const counts = await readCounts(reader, filter);
  const skip = linesBefore(filter);
  if (skip >= counts.within) return { total: counts.within, ids: [] };
  // Never more than there are: whoever looks for one that is not there reads all that is left.
  const limit = Math.min(filter.limit, counts.within - skip);
  const begin = await findInDays(reader, filter, counts, skip);
  const ids = begin === undefined ? [] : await walk(reader, { ...filter, limit }, { begin });
  return { total: counts.within, ids };
}

/** The id before which so many newer ones of the filter's kind and days stand. */
async function findInDays(
  reader: Reader,
  filter: TransactionFilter,
  counts: Counts,
  place: number,
): Promise<string | undefined> {
  const edge = filter.endDate ? await readEdge(reader, filter, counts) : undefined;
  // Around the midnight before the days, too, times are looked at: from the last place on that is surely of the days.
  const counted = filter.startDate ? Math.min(place, Math.max(0, counts.within - disorder)) : place;
  const below = edge ? edge.places + counted - edge.ofDays.length : counted;
  const surely = edge?.ofDays[counted] ?? (await findPlace(reader, filter, below, counts.all));
  if (counted === place) return surely;
  const [found] = await walk(reader, { ...filter, limit: 1 }, { begin: surely, skip: place - counted });
  return found;
}

/**
 * The surroundings of the midnight after the days, where ids may be in another order than times: which transactions of the
 * kind there are of the days, newest first, and how many places it is from the newest of all to what lies behind.
 */
async function readEdge(
  reader: Reader,
  filter: TransactionFilter,
  { all, later }: Counts,
): Promise<{ ofDays: string[]; places: number }> {
  const top = Math.max(0, later - disorder);
  const places = top + 2 * disorder;
  const begin = await findPlace(reader, filter, top, all);
  const end = await findPlace(reader, filter, places, all);
  const ofDays = await walk(reader, { ...filter, limit: 2 * disorder }, { begin, end });
  return { ofDays, places };
}
