/**
 * Searches all customers' transactions by one term: a reference or a part of one; an amount; a part of the description; for an
 * external transfer, a part of the bank, account name or account number; for a deposit, a part of the bank or sender; or the
 * name, email or account number of the sending or receiving customer. Lists the newest thousand matches. If not everything
 * could be searched, the answer says how far back it is complete.
 */
import { type RawBuilder, sql } from 'kysely';
import { type TransactionType, transactionTypes } from '#contract/entities.ts';
import type { BankFilter } from '#contract/transactions.ts';
import { containing, containingNumber } from '../base/like.ts';
import { rowsBefore } from '../base/paging.ts';
import { matchesCustomer, searchTerms } from '../db/customerSearch.ts';
import type { Reader } from '../db/database.ts';
import { newestOfAccount } from './accountList.ts';
import { heldPayments, matchesAmount, matchesDays, matchesKind, parseAmount } from './filter.ts';

/** The result limit; a search with more matches needs a narrower term. */
const maxResults = 1_000;
/** How many transactions are scanned when no index leads to the matches. */
const maxScanned = 50_000;
/** If at most this many accounts match, each account's own list is read. */
const fewAccounts = 20;
const manyAccounts = 5_000;
/** How many of the newest search texts are scanned before the trigram index is used. Each covers 100 transactions. */
const newestTexts = 1_000;
const firstBatch = 20;

/**
 * Part of a reference: begins with `LB-`, or is two or three groups, of which at least one has a digit, so that a hyphenated
 * word does not match.
 */
const partialReference = /^(LB-[0-9A-Z-]{1,14}|(?=.*\d)[0-9A-Z]{1,4}-[0-9A-Z]{1,4}(-[0-9A-Z]{1,4})?)$/i;
const wholeReference = /^LB-?([0-9A-Z]{4})-?([0-9A-Z]{4})-?([0-9A-Z]{4})$/i;

/** A range of ids that contains the filter's days; undefined means unbounded. */
export type IdRange = { newest: string | undefined; oldest: string | undefined };

export type Found = {
  total: number;
  /** The ids of the page, newest first. */
  ids: string[];
  /** There are more matches than are listed. */
  isCut: boolean;
  /** Set if not everything could be searched: matches older than this may be missing. */
  completeSince: Date | undefined;
};

/** The matches of one search method, newest first. `unsearched`: the newest id that the method did not search, if any. */
type Part = { ids: string[]; unsearched?: string | undefined };

/** Searches with a filter within a range of ids. `scanLimit`: how many transactions may be scanned without an index. */
export async function searchBank(
  reader: Reader,
  filter: BankFilter,
  days: IdRange,
  scanLimit = maxScanned,
): Promise<Found> {
  const text = filter.search ?? '';
  const parts = await searchParts({ reader, filter, days, scanLimit, term: toTerm(text) });
  const all = [...new Set(parts.flatMap(part => part.ids))].sort().reverse();
  const listed = all.slice(0, maxResults);
  const isCut = all.length > maxResults;
  const unsearched = parts.map(part => part.unsearched).sort((a = '', b = '') => (a < b ? 1 : -1))[0];
  const isComplete = unsearched === undefined || (isCut && listed.at(-1)! > unsearched);
  const skip = rowsBefore(filter);
  return {
    total: listed.length,
    ids: listed.slice(skip, skip + filter.limit),
    isCut,
    completeSince: isComplete ? undefined : await readTime(reader, unsearched),
  };
}

async function readTime(reader: Reader, id: string): Promise<Date> {
  const found = await sql<{ at: Date }>`SELECT created_at AS at FROM transactions WHERE id = ${id}`.execute(
    reader,
  );
  return found.rows[0]!.at;
}

async function searchParts(search: Search): Promise<Part[]> {
  const { reader, filter, term } = search;
  const reference = wholeReference.exec(term.text);
  if (reference) {
    const whole = `LB-${reference.slice(1).join('-').toUpperCase()}`;
    return [await findReference(reader, filter, whole)];
  }
  const parts = partialReference.test(term.text) ? [await findPartOfReference(search)] : [];
  if (/^LB-/i.test(term.text)) return parts;
  if (filter.status && filter.status !== 'completed') return [...parts, await searchOpen(search)];
  const types = filter.type ? [filter.type] : transactionTypes;
  for (const type of types) parts.push(await searchTexts(search, type));
  parts.push(await searchParties(search));
  return parts;
}

async function findReference(reader: Reader, filter: BankFilter, reference: string): Promise<Part> {
  return await take(
    reader,
    sql`SELECT t.id FROM transactions_of_reference(${reference}) AS r(id), LATERAL (
            SELECT * FROM transactions WHERE id = r.id OFFSET 0) t
         WHERE ${matchesKind(filter)} AND ${matchesDays(filter)} ORDER BY t.id DESC`,
  );
}

/**
 * Searches the newest transactions for a part of the reference. No index finds parts of references: references are random, so
 * such an index would slow down posting too much.
 */
async function findPartOfReference({ reader, filter, days, scanLimit, term }: Search): Promise<Part> {
  const isOfType = filter.type ? sql`type = ${sql.lit(filter.type)}::transaction_type` : sql`true`;
  const all = sql`SELECT * FROM transactions n WHERE ${isOfType} AND ${isInRange('n.id', days)} ORDER BY n.id DESC`;
  const part = containing(term.text.toUpperCase());
  const found = await take(
    reader,
    sql`SELECT t.id FROM (${all} LIMIT ${scanLimit}) t
         WHERE t.reference LIKE ${part} AND ${matchesKind(filter)} AND ${matchesDays(filter)} ORDER BY t.id DESC`,
  );
  return { ...found, unsearched: await first(reader, sql`${all} OFFSET ${scanLimit}`, 'id') };
}

async function take(reader: Reader, query: RawBuilder<unknown>): Promise<Part> {
  const found = await sql<{ id: string }>`${query} LIMIT ${maxResults + 1}`.execute(reader);
  return { ids: found.rows.map(row => row.id) };
}

/** The search term as LIKE patterns for text and for account numbers, where spaces and dashes are ignored. */
type Term = { text: string; pattern: string; isNumber: boolean; number: string };

function toTerm(text: string): Term {
  const isNumber = /^[\s-]*\d[\d\s-]*$/.test(text);
  return { text, pattern: containing(text), isNumber, number: containingNumber(text) };
}

type Search = { reader: Reader; filter: BankFilter; days: IdRange; scanLimit: number; term: Term };

const isInRange = (column: string, { newest, oldest }: IdRange) => sql`
  ${newest === undefined ? sql`true` : sql`${sql.ref(column)} <= ${newest}`}
  AND ${oldest === undefined ? sql`true` : sql`${sql.ref(column)} >= ${oldest}`}`;

/** SQL condition: transaction `t` of a type contains the term. */
function contains({ text, pattern, number }: Term, type: TransactionType): RawBuilder<unknown> {
  const isDescribed = sql`(t.description ILIKE ${pattern} OR ${matchesAmount(text)})`;
  if (type === 'deposit')
    return sql`(${isDescribed} OR EXISTS (SELECT FROM deposits e WHERE e.transaction_id = t.id AND (
      e.bank_name ILIKE ${pattern} OR (e.sender_name ILIKE ${pattern}
        AND NOT (SELECT a.is_closed FROM ledger_accounts a WHERE a.id = t.receiver_account))) OFFSET 0))`;
  if (type !== 'external-transfer') return isDescribed;
  // The names in a closed account's payments are erased in batches. The search ignores names that are not erased yet. A payout
  // of an unclaimed balance has no sender account, so the search always includes its payee's name.
  const isShown = sql`(SELECT a.is_closed FROM ledger_accounts a WHERE a.id = t.sender_account) IS NOT TRUE`;
  return sql`(${isDescribed} OR EXISTS (SELECT FROM external_transfers e WHERE e.transaction_id = t.id AND (
    e.bank_name ILIKE ${pattern} OR e.account_number ILIKE ${number}
    OR (e.account_name ILIKE ${pattern} AND ${isShown})) OFFSET 0))`;
}

/** SQL: the accounts whose holder's name, email or account number matches the term. */
const matchingAccounts = ({ text, isNumber, number }: Term) => sql`
  (SELECT c.account_id AS id FROM customers c WHERE ${sql.join(searchTerms(text).map(matchesCustomer), sql` AND `)}
   ${isNumber ? sql`UNION SELECT id FROM ledger_accounts WHERE number LIKE ${number}` : sql``})`;

const isOfAccounts = (term: Term) =>
  sql`(t.sender_account IN ${matchingAccounts(term)} OR t.receiver_account IN ${matchingAccounts(term)})`;

/** Searches pending or failed external transfers by scanning them. */
async function searchOpen({ reader, filter, days, scanLimit, term }: Search): Promise<Part> {
  const { type, status } = filter;
  if (type && type !== 'external-transfer') return { ids: [] };
  const open =
    status === 'held'
      ? sql`SELECT h.id AS transaction_id FROM ${heldPayments} h WHERE ${isInRange('h.id', days)} ORDER BY h.id DESC`
      : sql`SELECT x.transaction_id FROM external_transfers x
             WHERE x.status = ${status}::transaction_status AND x.status <> 'completed' AND ${isInRange('x.transaction_id', days)}
             ORDER BY x.transaction_id DESC`;
  const found = await take(
    reader,
    sql`SELECT x.transaction_id AS id
          FROM (${open} LIMIT ${scanLimit}) x,
               LATERAL (SELECT * FROM transactions WHERE id = x.transaction_id OFFSET 0) t
         WHERE ${matchesDays(filter)} AND (${contains(term, 'external-transfer')} OR ${isOfAccounts(term)}) ORDER BY x.transaction_id DESC`,
  );
  return { ...found, unsearched: await first(reader, sql`${open} OFFSET ${scanLimit}`, 'transaction_id') };
}

async function first(
  reader: Reader,
  query: RawBuilder<unknown>,
  column: string,
): Promise<string | undefined> {
  const found = await sql<Record<string, string>>`${query} LIMIT 1`.execute(reader);
  return found.rows[0]?.[column];
}

/** Searches transactions of one type with the search texts. */
async function searchTexts(search: Search, type: TransactionType): Promise<Part> {
  const { reader, filter, days, scanLimit, term } = search;
  const isOfType = sql`type = ${sql.lit(type)}::transaction_type`;
  const isAsked = sql`${matchesKind(filter)} AND ${matchesDays(filter)} AND ${contains(term, type)}`;

  // Transactions newer than the search texts are scanned directly.
  const last = await first(
    reader,
    sql`SELECT last FROM search_texts WHERE ${isOfType} ORDER BY last DESC`,
    'last',
  );
  const head = sql`SELECT * FROM transactions n
    WHERE ${isOfType} AND ${isInRange('n.id', days)} AND ${last === undefined ? sql`true` : sql`n.id > ${last}`} ORDER BY n.id DESC`;
  const { ids } = await take(
    reader,
    sql`SELECT t.id FROM (${head} LIMIT ${scanLimit}) t WHERE ${isAsked} ORDER BY t.id DESC`,
  );
  const unsearched = await first(reader, sql`${head} OFFSET ${scanLimit}`, 'id');

  let scanned = 0;
  for await (const some of textsContaining(search, type)) {
    if (ids.length > maxResults) return { ids, unsearched };
    // Each text contains a match, but perhaps none with the requested status and days.
    scanned += some.length * 100;
    if (scanned > 3 * scanLimit) return { ids, unsearched: unsearched ?? some[0]!.last };
    const found = await take(
      reader,
      sql`SELECT t.id FROM unnest(${some.map(row => row.first)}::uuid[], ${some.map(row => row.last)}::uuid[]) AS s(first, last),
                 LATERAL (SELECT * FROM transactions WHERE ${isOfType} AND id BETWEEN s.first AND s.last OFFSET 0) t
           WHERE ${isAsked} ORDER BY t.id DESC`,
    );
    ids.push(...found.ids);
  }
  return { ids, unsearched };
}

/** The id range of one search text. */
type TextRange = { first: string; last: string };

/**
 * The search texts of one type that contain the term, newest first, in batches. Scans the newest texts, in which a common term
 * occurs. Finds older texts by the trigram index.
 */
async function* textsContaining(
  { reader, days, term }: Search,
  type: TransactionType,
): AsyncGenerator<TextRange[]> {
  const { newest, oldest } = days;
  const texts = sql`SELECT first, last, texts FROM search_texts
    WHERE type = ${sql.lit(type)}::transaction_type
      AND ${newest === undefined ? sql`true` : sql`first <= ${newest}`} AND ${oldest === undefined ? sql`true` : sql`last >= ${oldest}`}`;
  const cents = parseAmount(term.text);
  const patterns = [term.pattern, term.number, ...(cents === undefined ? [] : [`%=${cents}%`])];
  const matches = sql.join(
    [...new Set(patterns)].map(pattern => sql`texts LIKE lower(${pattern})`),
    sql` OR `,
  );
  const near = await sql<TextRange>`
    SELECT first, last FROM (${texts} ORDER BY last DESC LIMIT ${newestTexts}) n
     WHERE ${matches} ORDER BY last DESC`.execute(reader);
  yield* inBatches(near.rows);
  const end = await first(reader, sql`${texts} ORDER BY last DESC OFFSET ${newestTexts}`, 'last');
  if (end === undefined) return;
  const others = await sql<TextRange>`
    WITH matching AS MATERIALIZED (${texts} AND last <= ${end} AND (${matches}))
    SELECT first, last FROM matching ORDER BY last DESC`.execute(reader);
  yield* inBatches(others.rows);
}

/** Small batches first: a common term needs only a few texts. */
function* inBatches(rows: TextRange[]): Generator<TextRange[]> {
  let count = firstBatch;
  for (let i = 0; i < rows.length; i += count, count *= 2) yield rows.slice(i, i + count);
}

/** Searches by the parties: transactions that a matching account sent or received. */
async function searchParties({ reader, filter, days, scanLimit, term }: Search): Promise<Part> {
  const { status } = filter;
  const matching = await sql<{ id: bigint; entry_count: bigint }>`
    SELECT a.id, a.entry_count FROM ledger_accounts a WHERE a.id IN ${matchingAccounts(term)} LIMIT ${manyAccounts + 1}`.execute(
    reader,
  );
  const accounts = matching.rows.map(row => row.id);
  // Held payments are found by `searchOpen`.
  if (accounts.length <= fewAccounts && status !== 'held') {
    const ids: string[] = [];
    for (const account of accounts)
      ids.push(...(await newestOfAccount(reader, account, { ...filter, status }, maxResults + 1)));
    return { ids };
  }
  const isAsked = sql`${matchesKind(filter)} AND ${matchesDays(filter)}`;
  const entries = matching.rows.reduce((sum, row) => sum + Number(row.entry_count), 0);
  if (accounts.length <= manyAccounts && entries <= scanLimit) {
    return await take(
      reader,
      sql`SELECT t.id FROM unnest(${accounts}::bigint[]) AS a(id), LATERAL (
            SELECT * FROM transactions WHERE sender_account = a.id
            UNION ALL SELECT * FROM transactions WHERE receiver_account = a.id) t
           WHERE ${isAsked} GROUP BY t.id ORDER BY t.id DESC`,
    );
  }
  // The accounts are too many, or have too many transactions: scan the bank's newest transactions.
  const all = sql`SELECT * FROM transactions n
    WHERE ${filter.type ? sql`type = ${sql.lit(filter.type)}::transaction_type` : sql`true`} AND ${isInRange('n.id', days)}
    ORDER BY n.id DESC`;
  const found = await take(
    reader,
    sql`SELECT t.id FROM (${all} LIMIT ${scanLimit}) t WHERE ${isAsked} AND ${isOfAccounts(term)} ORDER BY t.id DESC`,
  );
  return { ...found, unsearched: await first(reader, sql`${all} OFFSET ${scanLimit}`, 'id') };
}
