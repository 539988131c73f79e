/**
 * Searching all customers' transactions. No index of texts is kept with the postings, so what a search looks at is bounded:
 * a whole reference and a whole account number are found wherever they are; anything else among the newest of the days
 * asked for, and, where few customers are called so, among those customers' own.
 */
import { type RawBuilder, sql } from 'kysely';
import type { TransactionFilter } from '#contract/transactions.ts';
import type { Reader } from '../db/database.ts';
import { containing } from '../db/like.ts';
import { isOfAmount, isOfKind, isWithinDays, linesBefore } from './filter.ts';

/** How many transactions, the newest of the days asked for, are looked at for every text they show. */
const looksAt = 50_000;
/** Of so many customers at most, the newest lines of each are looked at too. */
const fewCustomers = 20;
const linesOfEach = 1_000;
/** Where more customers than this are called so, each transaction looked at is asked for its parties' names instead. */
const mostNamed = 1_000;
/** More than this is not listed: whoever finds so much asks again. */
const mostFound = 1_000;

const wholeReference = /^LB-?([0-9A-Z]{4})-?([0-9A-Z]{4})-?([0-9A-Z]{4})$/i;

/** A page of what was found, newest first, and how much was found in all. `begin` is an id that the days do not go beyond. */
export async function searchBank(
  reader: Reader,
  filter: TransactionFilter,
  begin: string | undefined,
): Promise<{ total: number; ids: string[] }> {
  const text = filter.search ?? '';
  const parts = wholeReference.exec(text);
  const found = parts
    ? await findReference(reader, filter, `LB-${parts.slice(1).join('-')}`.toUpperCase())
    : await findText(reader, filter, text, begin);
  const skip = linesBefore(filter);
  return { total: found.length, ids: found.slice(skip, skip + filter.limit) };
}

async function findReference(
  reader: Reader,
  filter: TransactionFilter,
  reference: string,
): Promise<string[]> {
  const found = await sql<{ id: string }>`
    SELECT t.id FROM transactions t
     WHERE t.reference = ${reference} AND ${isOfKind(filter)} AND ${isWithinDays(filter)}
     ORDER BY t.id DESC`.execute(reader);
  return found.rows.map(row => row.id);
}

async function findText(
  reader: Reader,
  filter: TransactionFilter,
  text: string,
  begin: string | undefined,
): Promise<string[]> {
  const pattern = containing(text);
  const digits = text.replace(/[\s-]/g, '');
  const isNumber = /^\d+$/.test(digits);
  const number = containing(isNumber ? digits : text);
  const accounts = await findAccounts(reader, pattern, isNumber ? number : undefined);
  const isAsked = sql`${isOfKind(filter)} AND ${isWithinDays(filter)}`;
  const isBelow = begin === undefined ? sql`true` : sql`n.id <= ${begin}`;
  const ofFew = accounts.length > 0 && accounts.length <= fewCustomers;
  const isNamed = (column: string) =>
    accounts.length <= mostNamed
      ? sql`${sql.ref(column)} = ANY (${accounts}::bigint[])`
      : sql`EXISTS (SELECT FROM ledger_accounts a LEFT JOIN customers c ON c.account_id = a.id AND c.deleted_at IS NULL
                     WHERE a.id = ${sql.ref(column)} AND (${isCalled('c', pattern)} OR ${isNumber ? sql`a.number LIKE ${number}` : sql`false`}))`;
  const found = await sql<{ id: string }>`
    WITH newest AS MATERIALIZED (
      SELECT * FROM transactions n WHERE ${isBelow} ORDER BY n.id DESC LIMIT ${looksAt}
    )
    SELECT t.id FROM newest t
      LEFT JOIN external_transfers e ON e.transaction_id = t.id AND t.type = 'external-transfer'
     WHERE ${isAsked}
       AND (t.reference ILIKE ${pattern} OR t.description ILIKE ${pattern}
            OR ${isNamed('t.sender_account')} OR ${isNamed('t.receiver_account')}
            OR e.bank_name ILIKE ${pattern} OR e.account_name ILIKE ${pattern} OR e.account_number ILIKE ${number}
            OR ${isOfAmount(text)})
    UNION
    ${ofFew ? linesOf(accounts, isAsked) : sql`SELECT NULL::uuid WHERE false`}
    ORDER BY id DESC LIMIT ${mostFound}`.execute(reader);
  return found.rows.map(row => row.id);
}

const isCalled = (customer: string, pattern: string) =>
  sql`${sql.ref(`${customer}.first_name`)} || ' ' || ${sql.ref(`${customer}.last_name`)} ILIKE ${pattern}`;

/** The accounts of customers who are called so, or whose number holds this: all, or one more than `mostNamed`. */
async function findAccounts(reader: Reader, pattern: string, number: string | undefined): Promise<bigint[]> {
  const byNumber = number ? sql`UNION ALL SELECT id FROM ledger_accounts WHERE number LIKE ${number}` : sql``;
  const found = await sql<{ id: bigint }>`
    SELECT account_id AS id FROM customers
     WHERE deleted_at IS NULL AND ${isCalled('customers', pattern)}
       AND first_name || ' ' || last_name || ' ' || middle_name || ' ' || email ILIKE ${pattern}
    ${byNumber} LIMIT ${mostNamed + 1}`.execute(reader);
  return found.rows.map(row => row.id);
}

function linesOf(accounts: bigint[], isAsked: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT t.id FROM unnest(${accounts}::bigint[]) AS a(id), LATERAL (
      (SELECT * FROM transactions WHERE sender_account = a.id ORDER BY sender_line DESC LIMIT ${linesOfEach})
      UNION ALL
      (SELECT * FROM transactions WHERE receiver_account = a.id ORDER BY receiver_line DESC LIMIT ${linesOfEach})) t
     WHERE ${isAsked}`;
}
