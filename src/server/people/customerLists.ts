/** Customers as administrators see them: those who wait, those to verify, all of them, one of them. */
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import { isAccountNumber } from '#contract/accountNumber.ts';
import { accountNumber } from '#contract/constants.ts';
import type { PendingApproval, UnverifiedId, User } from '#contract/entities.ts';
import { containing } from '../base/like.ts';
import { matchesCustomer, searchTerms } from '../db/customerSearch.ts';
import type { Reader } from '../db/database.ts';
import { avatarAt, idCardOf } from './pictures.ts';

type UserBehindTheEdge = z.output<typeof User>;
type UnverifiedBehindTheEdge = z.output<typeof UnverifiedId>;
type Files = { avatar_file: string | null; id_card_file: string | null };

/** Lists of those who wait are worked off from the top; nobody reads further than this at once. */
const mostListed = 500;

/** Those who wait for approval, longest waiting first, five hundred at most. */
export async function listPendingApprovals(reader: Reader): Promise<PendingApproval[]> {
  const found = await sql<PendingApproval>`
    SELECT c.id AS "_id", c.first_name AS "firstName", c.last_name AS "lastName", c.email,
           a.number AS "accountNumber"
      FROM ledger_accounts a JOIN customers c ON c.account_id = a.id
     WHERE NOT a.is_approved AND a.kind = 'customer' AND c.deleted_at IS NULL
     ORDER BY c.created_at, c.id LIMIT ${mostListed}`.execute(reader);
  return found.rows;
}

/** Those whose identity is not verified, longest with the bank first, five hundred at most. */
export async function listUnverified(reader: Reader): Promise<UnverifiedBehindTheEdge[]> {
  type Row = Omit<UnverifiedBehindTheEdge, 'idCard'> & Pick<Files, 'id_card_file'>;
  const found = await sql<Row>`
    SELECT id AS "_id", first_name AS "firstName", last_name AS "lastName", email, id_card_file,
           created_at AS "createdAt"
      FROM customers WHERE NOT is_verified AND deleted_at IS NULL
       ORDER BY created_at, id LIMIT ${mostListed}`.execute(reader);
  return found.rows.map(({ id_card_file, ...row }) => ({ ...row, idCard: idCardOf(row._id, id_card_file) }));
}

/** A page of the living customers, newest first; `search` is looked for in name, e-mail and account number. */
export async function listUsers(
  reader: Reader,
  { page, limit, search }: { page: number; limit: number; search?: string | undefined },
): Promise<{ users: UserBehindTheEdge[]; totalPages: number; currentPage: number; totalUsers: number }> {
  const isMeant = sql`c.deleted_at IS NULL AND ${search ? matches(search) : sql`true`}`;
  const counted = await sql<{ n: bigint }>`SELECT count(*) AS n FROM customers c WHERE ${isMeant}`.execute(
    reader,
  );
  // Ids first: whoever is passed over on the way to the page is not read.
  const users = await readUsers(
    reader,
    sql`c.id IN (SELECT c.id FROM customers c WHERE ${isMeant}
                  ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit} OFFSET ${(page - 1) * limit})
        ORDER BY c.created_at DESC, c.id DESC`,
  );
  const totalUsers = Number(counted.rows[0]!.n);
  return { users, totalPages: Math.max(1, Math.ceil(totalUsers / limit)), currentPage: page, totalUsers };
}

/** One living customer; undefined where there is none. */
export async function readUser(reader: Reader, customerId: string): Promise<UserBehindTheEdge | undefined> {
  const found = await readUsers(reader, sql`c.id = ${customerId}`);
  return found[0];
}

/** Whose account a number is, and what it may do; undefined where it is no living customer's. */
export async function readHolder(reader: Reader, number: string) {
  // A mistyped number is not worth a question to the database.
  if (!isAccountNumber(number)) return undefined;
  const found = await sql<{
    accountName: string;
    accountNumber: string;
    isApproved: boolean;
    isFrozen: boolean;
  }>`
    SELECT concat_ws(' ', c.first_name, c.last_name) AS "accountName", a.number AS "accountNumber",
           a.is_approved AS "isApproved", a.is_frozen AS "isFrozen"
      FROM ledger_accounts a JOIN customers c ON c.account_id = a.id
     WHERE a.number = ${number} AND NOT a.is_closed AND c.deleted_at IS NULL`.execute(reader);
  return found.rows[0];
}

/** Every word of the search must occur; `%`, `_` and `\` mean themselves. Digits may be of the account number. */
function matches(search: string): RawBuilder<unknown> {
  const conditions = searchTerms(search).map(word => {
    if (!/^\d+$/.test(word)) return matchesCustomer(word);
    const isWhole = word.length === accountNumber.digits;
    return sql`c.account_id IN (
      SELECT c.account_id FROM customers c WHERE ${matchesCustomer(word)}
      UNION ALL
      SELECT a.id FROM ledger_accounts a WHERE ${isWhole ? sql`a.number = ${word}` : sql`a.number LIKE ${containing(word)}`})`;
  });
  return conditions.length > 0 ? sql.join(conditions, sql` AND `) : sql`true`;
}

async function readUsers(reader: Reader, rest: RawBuilder<unknown>): Promise<UserBehindTheEdge[]> {
  type Row = Omit<UserBehindTheEdge, 'avatar' | 'profileImage' | 'idCard'> & Files;
  const found = await sql<Row>`
    SELECT c.id AS "_id", c.first_name AS "firstName", c.last_name AS "lastName", c.email,
           a.number AS "accountNumber", a.balance, c.is_verified AS "isVerified", a.is_frozen AS "isFrozen",
           c.avatar_file, c.phone_number AS "phoneNumber", c.address, c.id_card_file, c.created_at AS "createdAt"
      FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
     WHERE c.deleted_at IS NULL AND ${rest}`.execute(reader);
  return found.rows.map(({ avatar_file, id_card_file, ...row }) => ({
    ...row,
    profileImage: avatarAt(avatar_file).url,
    avatar: avatarAt(avatar_file),
    idCard: idCardOf(row._id, id_card_file),
  }));
}
