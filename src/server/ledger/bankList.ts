/**
 * Pages of all customers' transactions, newest first. Postings maintain counts by type, status and day. The start of a page is
 * found from these counts and the checkpoints of `pageCheckpoints.ts`, so page 100,000 costs about as much as the first.
 */
import { sql } from 'kysely';
import { isAccountNumber } from '#contract/accountNumber.ts';
import type { DecodedTransaction } from '#contract/entities.ts';
import type { BankFilter, TransactionFilter } from '#contract/transactions.ts';
import { rowsBefore } from '../base/paging.ts';
import { inSnapshot, type Reader } from '../db/database.ts';
import { listTransactions } from './accountList.ts';
import { type Found, type IdRange, searchBank } from './bankSearch.ts';
import { heldPayments, matchesDays, maxDisorder, pages } from './filter.ts';
import { planByIndex } from './indexPlans.ts';
import { findIdAtOffset, readIds } from './pageCheckpoints.ts';
import { selectTransactions, type TransactionRow, toTransaction } from './transactionRows.ts';

export type BankPage = ReturnType<typeof pages> & {
  transactions: DecodedTransaction[];
} & Partial<Pick<Found, 'isCut' | 'completeSince'>>;

/** A page of all transactions that match the filter. For a search, it also says whether results are missing: see `Found`. */
export async function listAllTransactions(reader: Reader, filter: BankFilter): Promise<BankPage> {
  const { status } = filter;
  const account = status !== 'held' && filter.search && (await findAccount(reader, filter.search));
  // A complete account number lists the transactions of that account that match the rest of the filter.
  if (account) {
    const { stats: _, ...list } = await listTransactions(reader, account, {
      ...filter,
      status,
      search: undefined,
    });
    return list;
  }
  return await inSnapshot(reader, async snapshot => {
    await planByIndex(snapshot);
    const { total, ids, isCut, completeSince }: Pick<Found, 'total' | 'ids'> & Partial<Found> = filter.search
      ? await searchBank(snapshot, filter, await findDays(snapshot, filter))
      : status === 'held'
        ? await findHeld(snapshot, filter)
        : await findPage(snapshot, { ...filter, status });
    const page = sql`(SELECT * FROM transactions WHERE id = ANY (${ids}::uuid[]))`;
    const found = await sql<TransactionRow>`${selectTransactions(page)} ORDER BY t.id DESC`.execute(snapshot);
    return {
      transactions: found.rows.map(toTransaction),
      ...pages(filter, total),
      ...(isCut && { isCut }),
      ...(completeSince && { completeSince }),
    };
  });
}

/** The id of the account with this number (spaces and dashes are ignored); undefined if there is none. */
async function findAccount(reader: Reader, text: string): Promise<bigint | undefined> {
  const number = text.replace(/[\s-]/g, '');
  if (!isAccountNumber(number)) return undefined;
  const found = await sql<{ id: bigint }>`SELECT id FROM ledger_accounts WHERE number = ${number}`.execute(
    reader,
  );
  return found.rows[0]?.id;
}

/** How many transactions have the filter's type and status: in total, on the filter's days, and on later days. */
type Counts = { all: number; within: number; later: number };

async function readCounts(
  reader: Reader,
  { type, status, startDate, endDate }: TransactionFilter,
): Promise<Counts> {
  const isWithin = sql`day BETWEEN coalesce(${startDate ?? null}::date, '-infinity') AND coalesce(${endDate ?? null}::date, 'infinity')`;
  const counts = await sql<Record<keyof Counts, bigint>>`
    SELECT coalesce(sum(count), 0)::bigint AS all,
           coalesce(sum(count) FILTER (WHERE ${isWithin}), 0)::bigint AS within,
           coalesce(sum(count) FILTER (WHERE day > ${endDate ?? null}::date), 0)::bigint AS later
      FROM transaction_totals
     WHERE type = coalesce(${type ?? null}::transaction_type, type)
       AND status = coalesce(${status ?? null}::transaction_status, status)`.execute(reader);
  const { all, within, later } = counts.rows[0]!;
  return { all: Number(all), within: Number(within), later: Number(later) };
}

/** A range of ids that contains all transactions of the filter's days. `mayWalk`: see `findIdAtOffset`. */
export async function findDays(
  reader: Reader,
  { startDate, endDate }: Pick<BankFilter, 'startDate' | 'endDate'>,
  mayWalk = false,
): Promise<IdRange> {
  const { all, within, later } = await readCounts(reader, { page: 1, limit: 1, startDate, endDate });
  const isAfter = endDate !== undefined && later > maxDisorder;
  const find = (newer: number) => findIdAtOffset(reader, {}, newer, all, mayWalk);
  return {
    newest: isAfter ? await find(later - maxDisorder) : undefined,
    oldest: startDate ? await find(later + within + maxDisorder) : undefined,
  };
}

/** Payments that a freeze holds are not counted by the postings. They are few, so all of them are read. */
async function findHeld(reader: Reader, filter: BankFilter): Promise<Pick<Found, 'total' | 'ids'>> {
  if (filter.type && filter.type !== 'external-transfer') return { total: 0, ids: [] };
  const found = await sql<{ ids: string[] }>`
    SELECT ARRAY(SELECT t.id FROM ${heldPayments} t WHERE ${matchesDays(filter)} ORDER BY t.id DESC) AS ids`.execute(
    reader,
  );
  const { ids } = found.rows[0]!;
  const skip = rowsBefore(filter);
  return { total: ids.length, ids: ids.slice(skip, skip + filter.limit) };
}

async function findPage(reader: Reader, filter: TransactionFilter): Promise<Pick<Found, 'total' | 'ids'>> {
  const counts = await readCounts(reader, filter);
  const skip = rowsBefore(filter);
  if (skip >= counts.within) return { total: counts.within, ids: [] };
  // Never ask for more rows than exist: a scan for a missing row would read the whole rest of the table.
  const limit = Math.min(filter.limit, counts.within - skip);
  const begin = await findInDays(reader, filter, counts, skip);
  const ids = begin === undefined ? [] : await readIds(reader, { ...filter, limit }, { begin });
  return { total: counts.within, ids };
}

/** The id of the transaction that has exactly `offset` newer transactions of the filter's kind and days. */
async function findInDays(
  reader: Reader,
  filter: TransactionFilter,
  counts: Counts,
  offset: number,
): Promise<string | undefined> {
  const edge = filter.endDate ? await readEdge(reader, filter, counts) : undefined;
  // Ids and times can also disagree near the midnight at which the first day begins. Count by ids only as far as every
  // transaction is certain to be inside the days, and compare times from there.
  const sureOffset = filter.startDate ? Math.min(offset, Math.max(0, counts.within - maxDisorder)) : offset;
  const below = edge ? edge.offset + sureOffset - edge.ofDays.length : sureOffset;
  const sureId = edge?.ofDays[sureOffset] ?? (await findIdAtOffset(reader, filter, below, counts.all));
  if (sureOffset === offset) return sureId;
  const [found] = await readIds(
    reader,
    { ...filter, limit: 1 },
    { begin: sureId, skip: offset - sureOffset },
  );
  return found;
}

/**
 * Reads the transactions around the midnight at which the days end, where ids and times can disagree. `ofDays`: the ids of
 * those that belong to the days, newest first. `offset`: how many transactions there are from the newest one to the end of this
 * range.
 */
async function readEdge(
  reader: Reader,
  filter: TransactionFilter,
  { all, later }: Counts,
): Promise<{ ofDays: string[]; offset: number }> {
  const top = Math.max(0, later - maxDisorder);
  const offset = top + 2 * maxDisorder;
  const begin = await findIdAtOffset(reader, filter, top, all);
  const end = await findIdAtOffset(reader, filter, offset, all);
  const ofDays = await readIds(reader, { ...filter, limit: 2 * maxDisorder }, { begin, end });
  return { ofDays, offset };
}
