/** What administrators read about customers who were not deleted: the filtered list, by page or whole, and one record. */
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import type {
  CustomerFilter,
  CustomerRecord,
  documentStates,
  ListedCustomer,
} from '#contract/adminCustomers.ts';
import { containing } from '../base/like.ts';
import { type Page, pageOf, rowsBefore } from '../base/paging.ts';
import { nilId } from '../base/uuid.ts';
import { startOfDay } from '../db/bankDay.ts';
import { customerWords, matchesCustomer, matchesWithoutAccents, searchTerms } from '../db/customerSearch.ts';
import type { Reader } from '../db/database.ts';
import { readDocumentRequest } from './customerPage.ts';
import { freezeReason, frozenBy, isEmailProven } from './customers.ts';
import { avatarAt, idCardOf } from './pictures.ts';

type Filter = z.output<typeof CustomerFilter>;
export type DecodedListed = z.output<typeof ListedCustomer>;

/** A phone number as people write it: `(212) 555-0147`. */
const phone = /^[\d\s()+.-]{7,}$/;

/** SQL condition: every term occurs in name, email, account number, phone number or address. */
export function matchesDirectory(search: string): RawBuilder<unknown> {
  const terms = phone.test(search) ? [search.replace(/\D/g, '')] : searchTerms(search);
  const conditions = terms.map(term => {
    const pattern = containing(term);
    const isNumber = /^\d+$/.test(term);
    const contact = sql`c.phone_number || ' ' || c.address || ' ' || c.zip_code || ' ' || c.region`;
    if (term.length < 3) {
      // No index helps, so each customer is compared once. For a digit, an array would have tens of thousands of accounts, and
      // PostgreSQL would search it for each customer.
      const inNumber = sql`EXISTS (SELECT FROM ledger_accounts a WHERE a.id = c.account_id AND a.number LIKE ${pattern})`;
      return sql`(c.deleted_at IS NULL AND (${matchesWithoutAccents(sql`${customerWords} || ' ' || ${contact}`, term)}
                  ${isNumber ? sql`OR ${inNumber}` : sql``}))`;
    }
    // An array, so that all three conditions use indexes in one scan.
    const inNumber = sql`c.account_id = ANY (ARRAY(SELECT a.id FROM ledger_accounts a WHERE a.number LIKE ${pattern}))`;
    return sql`(${matchesCustomer(term)} OR (c.deleted_at IS NULL AND ${contact} ILIKE ${pattern})
                ${isNumber ? sql`OR ${inNumber}` : sql``})`;
  });
  return conditions.length > 0 ? sql.join(conditions, sql` AND `) : sql`true`;
}

/** The ids of up to `limit` customers whom a search finds. */
export async function findCustomers(reader: Reader, search: string, limit: number): Promise<string[]> {
  const found = await sql<{ id: string }>`
    SELECT c.id FROM customers c WHERE c.deleted_at IS NULL AND ${matchesDirectory(search)} LIMIT ${limit}`.execute(
    reader,
  );
  return found.rows.map(row => row.id);
}

/** A frozen applicant is listed as pending and as frozen; the row says pending. */
const states = {
  pending: sql`NOT a.is_approved`,
  frozen: sql`a.is_frozen`,
  active: sql`a.is_approved AND NOT a.is_frozen`,
};
const isRequested = sql`EXISTS (SELECT FROM id_requests r WHERE r.customer_id = c.id)`;
const documents: Record<(typeof documentStates)[number], RawBuilder<unknown>> = {
  verified: sql`c.is_verified`,
  requested: sql`NOT c.is_verified AND ${isRequested}`,
  missing: sql`NOT c.is_verified AND NOT ${isRequested} AND c.id_card_file IS NULL`,
  review: sql`NOT c.is_verified AND NOT ${isRequested} AND c.id_card_file IS NOT NULL`,
};
/** The sort keys. Customers who never logged in sort before the earliest login. */
const sorts = {
  joined: (way: RawBuilder<unknown>) => sql`c.created_at ${way}, c.id ${way}`,
  name: (way: RawBuilder<unknown>) =>
    sql`lower(c.last_name) ${way}, lower(c.first_name) ${way}, c.account_id ${way}`,
  balance: (way: RawBuilder<unknown>) => sql`a.balance ${way}, a.id ${way}`,
  'last-login': (way: RawBuilder<unknown>, nulls: RawBuilder<unknown>) =>
    sql`l.at ${way} NULLS ${nulls}, l.customer_id ${way}`,
};

function matching({ search, state, document, startDate, endDate }: Filter): RawBuilder<unknown> {
  const conditions = [sql`c.deleted_at IS NULL`];
  if (search) conditions.push(sql`${matchesDirectory(search)}`);
  if (state) conditions.push(states[state]);
  if (document) conditions.push(documents[document]);
  if (startDate) conditions.push(sql`c.created_at >= ${startOfDay(startDate)}`);
  if (endDate) conditions.push(sql`c.created_at < ${startOfDay(endDate, 1)}`);
  return sql.join(conditions, sql` AND `);
}

/**
 * SQL: the ids of a page that is sorted by balance. Sorts the accounts alone and joins the customers afterward. There is no
 * index of balances, because every posting would have to update it.
 */
const idsByBalance = (filter: Filter & Page, way: RawBuilder<unknown>) => sql`
  SELECT c.id
    FROM (SELECT a.id, a.balance FROM ledger_accounts a
           WHERE a.kind = 'customer' AND NOT a.is_closed AND ${filter.state ? states[filter.state] : sql`true`}
           ORDER BY a.balance ${way}, a.id ${way} LIMIT ${filter.limit} OFFSET ${rowsBefore(filter)}) a
    JOIN customers c ON c.account_id = a.id
   ORDER BY a.balance ${way}, a.id ${way}`;

const from = sql`customers c JOIN ledger_accounts a ON a.id = c.account_id`;
const logins = sql`JOIN last_logins l ON l.customer_id = c.id`;

/** A page of the customers. Newest first unless the filter says otherwise. */
export async function listDirectory(reader: Reader, filter: Filter & Page) {
  const { limit, sort = 'joined', direction = sort === 'name' ? 'up' : 'down' } = filter;
  const isUp = direction === 'up';
  const order = isUp ? sorts[sort](sql`ASC`, sql`FIRST`) : sorts[sort](sql`DESC`, sql`LAST`);
  // A search is evaluated once for both the count and the page. Without a search, count and page each read their own index.
  const found = filter.search
    ? sql`WITH found AS MATERIALIZED (SELECT c.id FROM ${from} WHERE ${matching(filter)})`
    : sql``;
  const counted = filter.search
    ? sql`found`
    : sql`${filter.state ? from : sql`customers c`} WHERE ${matching(filter)}`;
  const isFound = filter.search ? sql`c.id IN (SELECT id FROM found)` : matching(filter);
  const { search, document, startDate, endDate } = filter;
  const areAccountsEnough = !search && !document && !startDate && !endDate;
  // Selects the ids of the page first, so that skipped rows are not read in full. Joins accounts only if the selection depends
  // on them.
  const needsAccount = sort === 'balance' || (!search && filter.state !== undefined);
  const page =
    sort === 'balance' && areAccountsEnough
      ? idsByBalance(filter, isUp ? sql`ASC` : sql`DESC`)
      : sql`SELECT c.id FROM ${needsAccount ? from : sql`customers c`} ${sort === 'last-login' ? logins : sql``} WHERE ${isFound} ORDER BY ${order} LIMIT ${limit} OFFSET ${rowsBefore(filter)}`;
  const read = await sql<{ total: number; ids: string[] }>`
    ${found}
    SELECT (SELECT count(*)::integer FROM ${counted}) AS total,
           ARRAY(${page}) AS ids`.execute(reader);
  const { total, ids } = read.rows[0]!;
  return {
    customers: await readListed(reader, ids),
    ...pageOf(filter, total),
    totalCustomers: total,
  };
}

const chunkSize = 1000;

/** All customers that match, in order of their ids, read in chunks. */
export async function* readDirectory(reader: Reader, filter: Filter): AsyncGenerator<DecodedListed> {
  for (let after = nilId; ; ) {
    const ids = await sql<{ id: string }>`
      SELECT c.id FROM ${from} WHERE ${matching(filter)} AND c.id > ${after} ORDER BY c.id LIMIT ${chunkSize}`.execute(
      reader,
    );
    yield* await readListed(
      reader,
      ids.rows.map(row => row.id),
    );
    if (ids.rows.length < chunkSize) return;
    after = ids.rows.at(-1)!.id;
  }
}

type Row = Omit<
  DecodedListed,
  'avatar' | 'lastLoginAt' | 'isFrozenByCustomer' | 'isFrozenByStaff' | 'frozenReason'
> & {
  avatar_file: string | null;
  frozen_by_owner: boolean;
  frozen_by_bank: boolean;
  frozen_reason: string | null;
  last_login: Date | null;
};

async function readListed(reader: Reader, ids: string[]): Promise<DecodedListed[]> {
  const found = await sql<Row>`
    SELECT c.id AS "_id", c.first_name AS "firstName", c.last_name AS "lastName", c.email, c.phone_number AS "phoneNumber",
           a.number AS "accountNumber", a.balance, a.is_frozen AS "isFrozen", a.frozen_by_owner, a.frozen_by_bank, ${freezeReason} AS frozen_reason,
           c.avatar_file, c.created_at AS "joinedAt",
           (SELECT l.at FROM last_logins l WHERE l.customer_id = c.id) AS last_login,
           CASE WHEN ${states.pending} THEN 'pending' WHEN ${states.frozen} THEN 'frozen' ELSE 'active' END AS state,
           CASE WHEN ${documents.verified} THEN 'verified' WHEN ${documents.requested} THEN 'requested'
                WHEN ${documents.missing} THEN 'missing' ELSE 'review' END AS document
      FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS wanted(id, place), ${from}
     WHERE c.id = wanted.id AND c.deleted_at IS NULL ORDER BY wanted.place`.execute(reader);
  return found.rows.map(
    ({ avatar_file, last_login, frozen_by_owner, frozen_by_bank, frozen_reason, ...row }) => ({
      ...row,
      ...frozenBy(frozen_by_owner, frozen_by_bank, frozen_reason),
      avatar: avatarAt(avatar_file),
      ...(last_login && { lastLoginAt: last_login }),
    }),
  );
}

/** Everything about one customer; undefined if there is none, or if the customer was deleted. */
export async function readRecord(
  reader: Reader,
  customerId: string,
): Promise<z.output<typeof CustomerRecord> | undefined> {
  const [listed] = await readListed(reader, [customerId]);
  if (!listed) return undefined;
  type Details = Omit<
    z.output<typeof CustomerRecord>,
    | keyof DecodedListed
    | 'inGoals'
    | 'dailyOut'
    | 'frozenAt'
    | 'frozenBy'
    | 'idCard'
    | 'idCardAt'
    | 'idRequest'
    | 'factors'
    | 'factorReset'
  > & {
    in_goals: bigint;
    daily_out: bigint | null;
    frozen_at: Date | null;
    frozen_by: string | null;
    id_card_file: string | null;
    id_card_at: Date | null;
    has_app: boolean;
    passkeys: number;
    reset_at: Date | null;
    reset_by: string | null;
  };
  const found = await sql<Details>`
    SELECT c.middle_name AS "middleName", c.gender, c.address, c.region, c.zip_code AS "zipCode",
           to_char(c.date_of_birth, 'YYYY-MM-DD') AS "dateOfBirth", c.city, ${isEmailProven} AS "isEmailProven",
           a.is_approved AS "isApproved", c.is_verified AS "isVerified",
           c.id_card_file, c.id_card_at, a.daily_out,
           (SELECT coalesce(sum(g.balance), 0)::bigint FROM ledger_accounts g
             WHERE g.owner = a.id AND g.kind = 'goal') AS in_goals,
           EXISTS (SELECT FROM authenticator_apps f WHERE f.person_id = c.id AND f.confirmed_at IS NOT NULL) AS has_app,
           (SELECT count(*)::integer FROM passkeys k WHERE k.person_id = c.id) AS passkeys,
           r.effective_at AS reset_at, m.name AS reset_by,
           (SELECT count(*)::integer FROM approval_requests q
             WHERE q.customer_id = c.id AND q.status = 'pending' AND q.expires_at > now()) AS "waitingRequests",
           z.at AS frozen_at, z.name AS frozen_by
      FROM ${from}
      LEFT JOIN LATERAL (
        SELECT l.at, s.name FROM audit_log l LEFT JOIN admins s ON s.id = l.actor_id
         WHERE a.is_frozen AND l.subject = c.id::text
           AND l.action = CASE WHEN a.frozen_by_bank THEN 'customer.frozen' ELSE 'own-freeze.set' END
         ORDER BY l.at DESC, l.id DESC LIMIT 1) z ON true
      LEFT JOIN factor_resets r ON r.person_id = c.id
      LEFT JOIN admins m ON m.id = r.requested_by
     WHERE c.id = ${customerId}`.execute(reader);
  const {
    in_goals,
    daily_out,
    frozen_at,
    frozen_by,
    id_card_file,
    id_card_at,
    has_app,
    passkeys,
    reset_at,
    reset_by,
    ...details
  } = found.rows[0]!;
  const idRequest = await readDocumentRequest(reader, customerId);
  return {
    ...listed,
    ...details,
    ...(in_goals > 0n && { inGoals: in_goals }),
    ...(daily_out !== null && { dailyOut: daily_out }),
    idCard: idCardOf(customerId, id_card_file),
    ...(id_card_at && { idCardAt: id_card_at }),
    ...(frozen_at && { frozenAt: frozen_at }),
    ...(frozen_by !== null && { frozenBy: frozen_by }),
    ...(idRequest && { idRequest }),
    factors: { hasApp: has_app, passkeys },
    ...(reset_at && { factorReset: { effectiveAt: reset_at, requestedBy: reset_by ?? '' } }),
  };
}
