/**
 * Customers as others read them: administrators read the list of all, one customer and an application; customers who pay read
 * the holder of an account. Active customers are those who were not deleted.
 */
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import { isAccountNumber } from '#contract/accountNumber.ts';
import { accountNumber } from '#contract/constants.ts';
import type { Application, User } from '#contract/entities.ts';
import { Refusal } from '#contract/errors.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { containing } from '../base/like.ts';
import { type Page, pageOf, rowsBefore } from '../base/paging.ts';
import { matchesCustomer, searchTerms } from '../db/customerSearch.ts';
import type { Reader } from '../db/database.ts';
import { freezeReason, frozenBy, isEmailProven } from './customers.ts';
import { avatarAt, idCardOf } from './pictures.ts';

type DecodedUser = z.output<typeof User>;
type DecodedApplication = z.output<typeof Application>;
type Files = { avatar_file: string | null; id_card_file: string | null };

/** A page of the active customers, newest first. `search` matches name, email and account number. */
export async function listUsers(
  reader: Reader,
  {
    search,
    withApproval,
    ...page
  }: Page & { search?: string | undefined; withApproval?: 'true' | undefined },
): Promise<{ users: DecodedUser[]; totalPages: number; currentPage: number; totalUsers: number }> {
  const isMatch = sql`c.deleted_at IS NULL AND ${search ? matches(search) : sql`true`}`;
  const counted = await sql<{ n: bigint }>`SELECT count(*) AS n FROM customers c WHERE ${isMatch}`.execute(
    reader,
  );
  // Select the ids of the page first, so that skipped rows are not read in full.
  const users = await readUsers(
    reader,
    sql`c.id IN (SELECT c.id FROM customers c WHERE ${isMatch}
                  ORDER BY c.created_at DESC, c.id DESC LIMIT ${page.limit} OFFSET ${rowsBefore(page)})
        ORDER BY c.created_at DESC, c.id DESC`,
    withApproval !== undefined,
  );
  const totalUsers = Number(counted.rows[0]!.n);
  return { users, ...pageOf(page, totalUsers), totalUsers };
}

/** One active customer; undefined if there is none. */
export async function readUser(reader: Reader, customerId: string): Promise<DecodedUser | undefined> {
  const found = await readUsers(reader, sql`c.id = ${customerId}`);
  return found[0];
}

/** The application of an active customer, for the approval; undefined if there is none. */
export async function readApplication(
  reader: Reader,
  customerId: string,
): Promise<DecodedApplication | undefined> {
  type Row = Omit<
    DecodedApplication,
    | 'avatar'
    | 'idCard'
    | 'idCardAt'
    | 'isIdRequested'
    | 'idRequest'
    | 'isFrozen'
    | 'isFrozenByCustomer'
    | 'isFrozenByStaff'
    | 'frozenReason'
    | 'isProvenByReset'
  > &
    Files & {
      id_card_at: Date | null;
      id_request: string | null;
      is_frozen: boolean;
      by_owner: boolean;
      by_bank: boolean;
      reason: string | null;
      is_proven_by_reset: boolean;
    };
  const found = await sql<Row>`
    SELECT c.id AS "_id", c.first_name AS "firstName", c.middle_name AS "middleName", c.last_name AS "lastName",
           c.gender, c.email, c.phone_number AS "phoneNumber", c.address, c.region, c.zip_code AS "zipCode",
           to_char(c.date_of_birth, 'YYYY-MM-DD') AS "dateOfBirth", c.city, a.number AS "accountNumber", a.is_approved AS "isApproved", c.is_verified AS "isVerified",
           a.is_frozen, a.frozen_by_owner AS by_owner, a.frozen_by_bank AS by_bank, c.avatar_file, c.id_card_file, c.id_card_at, c.created_at AS "registeredAt",
           ${isEmailProven} AS "isEmailProven", c.reset_unproven_at IS NOT NULL AS is_proven_by_reset, ${freezeReason} AS reason,
           (SELECT reason FROM id_requests r WHERE r.customer_id = c.id) AS id_request
      FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
     WHERE c.id = ${customerId} AND c.deleted_at IS NULL`.execute(reader);
  if (!found.rows[0]) return undefined;
  const {
    avatar_file,
    id_card_file,
    id_card_at,
    id_request,
    is_frozen,
    by_owner,
    by_bank,
    reason,
    is_proven_by_reset: isProvenByReset,
    ...customer
  } = found.rows[0];
  return {
    ...customer,
    ...(isProvenByReset && { isProvenByReset }),
    avatar: avatarAt(avatar_file),
    idCard: idCardOf(customer._id, id_card_file),
    ...(id_card_at && { idCardAt: id_card_at }),
    ...(id_request !== null && { isIdRequested: true, idRequest: id_request }),
    ...(is_frozen && { isFrozen: true }),
    ...frozenBy(by_owner, by_bank, reason),
  };
}

/** Holder, state and balance of the account with this number; undefined if no active customer has it. */
export async function readHolder(reader: Reader, number: string) {
  // A number with a wrong check digit needs no query.
  if (!isAccountNumber(number)) return undefined;
  const found = await sql<{
    accountName: string;
    accountNumber: string;
    isApproved: boolean;
    isFrozen: boolean;
    balance: bigint;
    customerId: string;
  }>`
    SELECT c.id AS "customerId", concat_ws(' ', c.first_name, c.last_name) AS "accountName", a.number AS "accountNumber",
           a.is_approved AS "isApproved", a.is_frozen AS "isFrozen", a.balance
      FROM ledger_accounts a JOIN customers c ON c.account_id = a.id
     WHERE a.number = ${number} AND NOT a.is_closed AND c.deleted_at IS NULL`.execute(reader);
  return found.rows[0];
}

/** The holder of an account that can be paid. Refuses `NOT_FOUND` if no approved customer has this number. */
export async function findReceiver(reader: Reader, number: string) {
  const holder = await readHolder(reader, number);
  if (!holder?.isApproved) throw new Refusal('NOT_FOUND', { message: transferMessages.accountNotFound });
  return holder;
}

/** SQL condition: every term occurs in name or email, or as digits in the account number. `%`, `_` and `\` are literal. */
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

async function readUsers(
  reader: Reader,
  rest: RawBuilder<unknown>,
  withApproval = false,
): Promise<DecodedUser[]> {
  type Row = Omit<
    DecodedUser,
    | 'avatar'
    | 'profileImage'
    | 'idCard'
    | 'isFrozenByCustomer'
    | 'isFrozenByStaff'
    | 'frozenReason'
    | 'isApproved'
    | 'isIdRequested'
  > &
    Files & {
      frozen_by_owner: boolean;
      frozen_by_bank: boolean;
      frozen_reason: string | null;
      is_approved: boolean;
      is_id_requested: boolean;
    };
  const found = await sql<Row>`
    SELECT c.id AS "_id", c.first_name AS "firstName", c.last_name AS "lastName", c.email,
           a.number AS "accountNumber", a.balance, c.is_verified AS "isVerified", a.is_frozen AS "isFrozen",
           a.frozen_by_owner, a.frozen_by_bank, ${freezeReason} AS frozen_reason, a.is_approved, c.avatar_file, c.phone_number AS "phoneNumber", c.address, c.id_card_file, c.created_at AS "createdAt",
           EXISTS (SELECT FROM id_requests r WHERE r.customer_id = c.id) AS is_id_requested
      FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
     WHERE c.deleted_at IS NULL AND ${rest}`.execute(reader);
  return found.rows.map(
    ({
      avatar_file,
      id_card_file,
      frozen_by_owner,
      frozen_by_bank,
      frozen_reason,
      is_approved: isApproved,
      is_id_requested: isIdRequested,
      ...row
    }) => ({
      ...row,
      ...(withApproval && { isApproved }),
      ...(isIdRequested && { isIdRequested }),
      ...frozenBy(frozen_by_owner, frozen_by_bank, frozen_reason),
      profileImage: avatarAt(avatar_file).url,
      avatar: avatarAt(avatar_file),
      idCard: idCardOf(row._id, id_card_file),
    }),
  );
}
