/**
 * Searching all customers' transactions, wherever they are: by a whole reference; by a part of what they say (description, amount, and
 * for other banks the bank, name and account number); and by the name, e-mail or account number of who sent or received.
 * The newest thousand are listed. Where something is shared by so many that not all of it can be looked at, the answer says
 * how far back it is complete.
 */
import { type RawBuilder, sql } from 'kysely';
import { type TransactionType, transactionTypes } from '#contract/entities.ts';
import type { TransactionFilter } from '#contract/transactions.ts';
import { containing } from '../base/like.ts';
import { isCalled, wordsOf } from '../db/customerWords.ts';
import type { Reader } from '../db/database.ts';
import { amountNamed, isOfAmount, isOfKind, isWithinDays, linesBefore } from './filter.ts';
import { newestOfAccount } from './ownList.ts';

/** More than this is not listed: whoever finds so much asks again. */
const mostFound = 1_000;
/** How many transactions are looked at one by one, where nothing leads to those that match. */
const mostLookedAt = 50_000;
/** Accounts of so many are asked one by one, each by its own list. */
const fewAccounts = 20;
const manyAccounts = 5_000;
/** The newest so many hundreds are looked through before the index of words is asked. */
const newestHundreds = 1_000;
const fewHundreds = 20;

const wholeReference = /^LB-?([0-9A-Z]{4})-?([0-9A-Z]{4})-?([0-9A-Z]{4})$/i;

/** Where the filter's days surely lie among all ids; open where undefined. */
export type IdRange = { newest: string | undefined; oldest: string | undefined };

export type Found = {
  total: number;
  /** The page's, newest first. */
  ids: string[];
  /** More was found than is listed. */
  isCut: boolean;
  /** Where not everything could be looked at: what is older than this may be missing. */
  completeSince: Date | undefined;
};

/** What one way of searching found, newest first, and the first it did not look at, if any. */
type Part = { ids: string[]; unseen?: string | undefined };

/** Searches as the filter asks, between two ids. `looksAt`: how many may be looked at one by one. */
export async function searchBank(
  reader: Reader,
  filter: TransactionFilter,
  days: IdRange,
  looksAt = mostLookedAt,
): Promise<Found> {
  const text = filter.search ?? '';
  const parts = await searchParts({ reader, filter, days, looksAt, wanted: toWanted(text) });
  const all = [...new Set(parts.flatMap(part => part.ids))].sort().reverse();
  const listed = all.slice(0, mostFound);
  const isCut = all.length > mostFound;
  const unseen = parts.map(part => part.unseen).sort((a = '', b = '') => (a < b ? 1 : -1))[0];
  const isComplete = unseen === undefined || (isCut && listed.at(-1)! > unseen);
  const skip = linesBefore(filter);
  return {
    total: listed.length,
    ids: listed.slice(skip, skip + filter.limit),
    isCut,
    completeSince: isComplete ? undefined : await readTime(reader, unseen),
  };
}

async function readTime(reader: Reader, id: string): Promise<Date> {
  const found = await sql<{ at: Date }>`SELECT created_at AS at FROM transactions WHERE id = ${id}`.execute(
    reader,
  );
  return found.rows[0]!.at;
}

async function searchParts(search: Search): Promise<Part[]> {
  const { reader, filter, wanted } = search;
  const reference = wholeReference.exec(wanted.text);
  if (reference) {
    const whole = `LB-${reference.slice(1).join('-').toUpperCase()}`;
    return [await findReference(reader, filter, whole)];
  }
  if (filter.status === 'pending' || filter.status === 'failed') return [await searchOpen(search)];
  const types = filter.type ? [filter.type] : transactionTypes;
  const parts: Part[] = [];
  for (const type of types) parts.push(await searchTexts(search, type));
  parts.push(await searchParties(search));
  return parts;
}

async function findReference(reader: Reader, filter: TransactionFilter, reference: string): Promise<Part> {
  return await take(
    reader,
    sql`SELECT t.id FROM transactions_of_reference(${reference}) AS r(id), LATERAL (
            SELECT * FROM transactions WHERE id = r.id OFFSET 0) t
         WHERE ${isOfKind(filter)} AND ${isWithinDays(filter)} ORDER BY t.id DESC`,
  );
}

async function take(reader: Reader, query: RawBuilder<unknown>): Promise<Part> {
  const found = await sql<{ id: string }>`${query} LIMIT ${mostFound + 1}`.execute(reader);
  return { ids: found.rows.map(row => row.id) };
}

/** What is looked for: as a part of a text, and of an account number, where blanks and dashes between digits mean nothing. */
type Wanted = { text: string; pattern: string; isNumber: boolean; number: string };

function toWanted(text: string): Wanted {
  const digits = text.replace(/[\s-]/g, '');
  const isNumber = /^\d+$/.test(digits);
  return { text, pattern: containing(text), isNumber, number: containing(isNumber ? digits : text) };
}

type Search = { reader: Reader; filter: TransactionFilter; days: IdRange; looksAt: number; wanted: Wanted };

const isInRange = (column: string, { newest, oldest }: IdRange) => sql`
  ${newest === undefined ? sql`true` : sql`${sql.ref(column)} <= ${newest}`}
  AND ${oldest === undefined ? sql`true` : sql`${sql.ref(column)} >= ${oldest}`}`;

/** Whether a transaction `t` of a type says it. */
function says({ text, pattern, number }: Wanted, type: TransactionType): RawBuilder<unknown> {
  const isDescribed = sql`(t.description ILIKE ${pattern} OR ${isOfAmount(text)})`;
  if (type !== 'external-transfer') return isDescribed;
  return sql`(${isDescribed} OR EXISTS (SELECT FROM external_transfers e WHERE e.transaction_id = t.id AND (
    e.bank_name ILIKE ${pattern} OR e.account_name ILIKE ${pattern} OR e.account_number ILIKE ${number}) OFFSET 0))`;
}

/** The accounts of whom it may be the name, e-mail or account number. */
const accountsMeant = ({ text, isNumber, number }: Wanted) => sql`
  (SELECT c.account_id AS id FROM customers c WHERE ${sql.join(wordsOf(text).map(isCalled), sql` AND `)}
   ${isNumber ? sql`UNION SELECT id FROM ledger_accounts WHERE number LIKE ${number}` : sql``})`;

const isOfAccounts = (wanted: Wanted) =>
  sql`(t.sender_account IN ${accountsMeant(wanted)} OR t.receiver_account IN ${accountsMeant(wanted)})`;

/** Among external transfers that are on their way or came back: each is looked at. */
async function searchOpen({ reader, filter, days, looksAt, wanted }: Search): Promise<Part> {
  const { type, status } = filter;
  if (type && type !== 'external-transfer') return { ids: [] };
  const open = sql`SELECT x.transaction_id FROM external_transfers x
    WHERE x.status = ${status}::transaction_status AND x.status <> 'completed' AND ${isInRange('x.transaction_id', days)}
    ORDER BY x.transaction_id DESC`;
  const found = await take(
    reader,
    sql`SELECT x.transaction_id AS id
          FROM (${open} LIMIT ${looksAt}) x,
               LATERAL (SELECT * FROM transactions WHERE id = x.transaction_id OFFSET 0) t
         WHERE ${isWithinDays(filter)} AND (${says(wanted, 'external-transfer')} OR ${isOfAccounts(wanted)}) ORDER BY x.transaction_id DESC`,
  );
  return { ...found, unseen: await first(reader, sql`${open} OFFSET ${looksAt}`, 'transaction_id') };
}

async function first(
  reader: Reader,
  query: RawBuilder<unknown>,
  column: string,
): Promise<string | undefined> {
  const found = await sql<Record<string, string>>`${query} LIMIT 1`.execute(reader);
  return found.rows[0]?.[column];
}

/** Those of one type that say it. */
async function searchTexts(search: Search, type: TransactionType): Promise<Part> {
  const { reader, filter, days, looksAt, wanted } = search;
  const isOfType = sql`type = ${sql.lit(type)}::transaction_type`;
  const isAsked = sql`${isOfKind(filter)} AND ${isWithinDays(filter)} AND ${says(wanted, type)}`;

  // What the job has not come to yet, as it stands.
  const last = await first(
    reader,
    sql`SELECT last FROM transaction_texts WHERE ${isOfType} ORDER BY last DESC`,
    'last',
  );
  const head = sql`SELECT * FROM transactions n
    WHERE ${isOfType} AND ${isInRange('n.id', days)} AND ${last === undefined ? sql`true` : sql`n.id > ${last}`} ORDER BY n.id DESC`;
  const { ids } = await take(
    reader,
    sql`SELECT t.id FROM (${head} LIMIT ${looksAt}) t WHERE ${isAsked} ORDER BY t.id DESC`,
  );
  const unseen = await first(reader, sql`${head} OFFSET ${looksAt}`, 'id');

  let looked = 0;
  for await (const some of hundredsThatSayIt(search, type)) {
    if (ids.length > mostFound) return { ids, unseen };
    // Every hundred holds one that says it; but perhaps none of the status and days asked for.
    looked += some.length * 100;
    if (looked > 3 * looksAt) return { ids, unseen: unseen ?? some[0]!.last };
    const found = await take(
      reader,
      sql`SELECT t.id FROM unnest(${some.map(row => row.first)}::uuid[], ${some.map(row => row.last)}::uuid[]) AS s(first, last),
                 LATERAL (SELECT * FROM transactions WHERE ${isOfType} AND id BETWEEN s.first AND s.last OFFSET 0) t
           WHERE ${isAsked} ORDER BY t.id DESC`,
    );
    ids.push(...found.ids);
  }
  return { ids, unseen };
}

type Hundred = { first: string; last: string };

/**
 * The hundreds of one type in which one says it, newest first, a handful at a time. What is common is among the newest, which
 * are looked through one by one; of the others the index knows which to look at.
 */
async function* hundredsThatSayIt(
  { reader, days, wanted }: Search,
  type: TransactionType,
): AsyncGenerator<Hundred[]> {
  const { newest, oldest } = days;
  const kept = sql`SELECT first, last, texts FROM transaction_texts
    WHERE type = ${sql.lit(type)}::transaction_type
      AND ${newest === undefined ? sql`true` : sql`first <= ${newest}`} AND ${oldest === undefined ? sql`true` : sql`last >= ${oldest}`}`;
  const cents = amountNamed(wanted.text);
  const patterns = [wanted.pattern, wanted.number, ...(cents === undefined ? [] : [`%=${cents}%`])];
  const saysIt = sql.join(
    [...new Set(patterns)].map(pattern => sql`texts LIKE lower(${pattern})`),
    sql` OR `,
  );
  const near = await sql<Hundred>`
    SELECT first, last FROM (${kept} ORDER BY last DESC LIMIT ${newestHundreds}) n
     WHERE ${saysIt} ORDER BY last DESC`.execute(reader);
  yield* inHandfuls(near.rows);
  const end = await first(reader, sql`${kept} ORDER BY last DESC OFFSET ${newestHundreds}`, 'last');
  if (end === undefined) return;
  const others = await sql<Hundred>`
    WITH meant AS MATERIALIZED (${kept} AND last <= ${end} AND (${saysIt}))
    SELECT first, last FROM meant ORDER BY last DESC`.execute(reader);
  yield* inHandfuls(others.rows);
}

/** Few at first, for what is common is found in them. */
function* inHandfuls(rows: Hundred[]): Generator<Hundred[]> {
  let count = fewHundreds;
  for (let i = 0; i < rows.length; i += count, count *= 2) yield rows.slice(i, i + count);
}

/** Those that somebody who is meant sent or received. */
async function searchParties({ reader, filter, days, looksAt, wanted }: Search): Promise<Part> {
  const meant = await sql<{ id: bigint; lines: bigint }>`
    SELECT a.id, a.lines FROM ledger_accounts a WHERE a.id IN ${accountsMeant(wanted)} LIMIT ${manyAccounts + 1}`.execute(
    reader,
  );
  const accounts = meant.rows.map(row => row.id);
  if (accounts.length <= fewAccounts) {
    const ids: string[] = [];
    for (const account of accounts)
      ids.push(...(await newestOfAccount(reader, account, filter, mostFound + 1)));
    return { ids };
  }
  const isAsked = sql`${isOfKind(filter)} AND ${isWithinDays(filter)}`;
  const lines = meant.rows.reduce((sum, row) => sum + Number(row.lines), 0);
  if (accounts.length <= manyAccounts && lines <= looksAt) {
    return await take(
      reader,
      sql`SELECT t.id FROM unnest(${accounts}::bigint[]) AS a(id), LATERAL (
            SELECT * FROM transactions WHERE sender_account = a.id
            UNION ALL SELECT * FROM transactions WHERE receiver_account = a.id) t
           WHERE ${isAsked} GROUP BY t.id ORDER BY t.id DESC`,
    );
  }
  // So much belongs to so many: the newest of it is near.
  const all = sql`SELECT * FROM transactions n
    WHERE ${filter.type ? sql`type = ${sql.lit(filter.type)}::transaction_type` : sql`true`} AND ${isInRange('n.id', days)}
    ORDER BY n.id DESC`;
  const found = await take(
    reader,
    sql`SELECT t.id FROM (${all} LIMIT ${looksAt}) t WHERE ${isAsked} AND ${isOfAccounts(wanted)} ORDER BY t.id DESC`,
  );
  return { ...found, unseen: await first(reader, sql`${all} OFFSET ${looksAt}`, 'id') };
}
