/** Customers: registration, reading their own data, changes under a row lock. */
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import { type ChangedField, changedFields } from '#contract/adminCustomers.ts';
import type { Registration } from '#contract/auth.ts';
import { terms } from '#contract/constants.ts';
import type { Customer, OwnIdentity } from '#contract/entities.ts';
import { Refusal } from '#contract/errors.ts';
import * as registerMessages from '#contract/messages/register.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import type { IdentityField } from '../db/audit.ts';
import type { Reader, Tx } from '../db/database.ts';
import { avatarAt, ownIdCardAt } from './pictures.ts';
import { refuseTooManyNames } from './sanctionsList.ts';

/** A customer's own data as the server uses it, with the balance in cents. */
export type DecodedCustomer = z.output<typeof Customer>;

/** A customer to register: the form with the password already hashed, and the names of the stored files. */
export type NewCustomer = Omit<Registration, 'password'> & {
  id: string;
  accountId: bigint;
  passwordHash: Buffer;
  avatarFile: string | undefined;
  idCardFile: string | undefined;
};

/** Stores a new customer with credentials. Refuses `CONFLICT` if the email is taken. */
export async function insertCustomer(tx: Tx, customer: NewCustomer): Promise<void> {
  const inserted = await sql`
    INSERT INTO customers (id, account_id, first_name, middle_name, last_name, gender, address, region, zip_code,
                           email, phone_number, avatar_file, id_card_file, id_card_at,
                           terms_version, terms_accepted_at)
    VALUES (${customer.id}, ${customer.accountId}, ${customer.firstName}, ${customer.middleName},
            ${customer.lastName}, ${customer.gender}, ${customer.address}, ${customer.region}, ${customer.zipCode},
            ${customer.email}, ${customer.phoneNumber}, ${customer.avatarFile ?? null}, ${customer.idCardFile ?? null},
            CASE WHEN ${customer.idCardFile ?? null}::text IS NOT NULL THEN now() END, ${terms.version}, now())
    ON CONFLICT (email) WHERE deleted_at IS NULL DO NOTHING`.execute(tx);
  if (inserted.numAffectedRows !== 1n) throw emailTaken();
  await sql`
    INSERT INTO credentials (person_id, kind, password_hash)
    VALUES (${customer.id}, 'customer', ${customer.passwordHash})`.execute(tx);
}

/** The refusal for an email that is already registered. */
export function emailTaken(): Refusal {
  return new Refusal('CONFLICT', { message: registerMessages.emailTaken });
}

type OwnPictures = { avatarFile: string | null; idCardFile: string | null };

/**
 * SQL condition: the password of the customer `c` was reset before any login with that of the registration, which is all that
 * tied the mailbox to the person who registered. Staff have not approved the account `a` yet.
 */
export const awaitsApprovalAfterReset = sql`(c.reset_unproven_at IS NOT NULL AND NOT a.is_approved)`;

/**
 * SQL: the files of the pictures that a session of the customer `c` may show. After such a reset, only what was uploaded since,
 * even once staff have approved the account: they may have taken the stranger for the person who registered.
 */
const ownPictures = sql`
  CASE WHEN c.reset_unproven_at IS NULL
         OR EXISTS (SELECT FROM audit_log l WHERE l.subject = c.id::text AND l.action = 'avatar.changed'
                                              AND l.at > c.reset_unproven_at)
       THEN c.avatar_file END AS "avatarFile",
  CASE WHEN c.reset_unproven_at IS NULL OR c.id_card_at > c.reset_unproven_at THEN c.id_card_file END AS "idCardFile"`;

/** The files of the pictures that a session of an active customer may show. */
export async function readOwnPictures(reader: Reader, customerId: string): Promise<OwnPictures | undefined> {
  const found = await sql<OwnPictures>`
    SELECT ${ownPictures} FROM customers c WHERE c.id = ${customerId} AND c.deleted_at IS NULL`.execute(
    reader,
  );
  return found.rows[0];
}

/**
 * Whether the password was reset before anyone had proven the email, so that the person may not be the one who registered. A
 * verified ID document that was uploaded since ends that.
 */
export async function isProvenByReset(reader: Reader, customerId: string): Promise<boolean> {
  const found = await sql`
    SELECT FROM customers WHERE id = ${customerId} AND reset_unproven_at IS NOT NULL`.execute(reader);
  return found.rows.length === 1;
}

/** Refuses `CONFLICT` with this message if a stranger may use the account (`isProvenByReset`). */
export async function refuseProvenByReset(
  reader: Reader,
  customerId: string,
  message: string,
): Promise<void> {
  if (await isProvenByReset(reader, customerId)) throw new Refusal('CONFLICT', { message });
}

/** Whether `awaitsApprovalAfterReset` holds for this customer. */
export async function isDoubtfulApplicant(reader: Reader, customerId: string): Promise<boolean> {
  const found = await sql`
    SELECT FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
     WHERE c.id = ${customerId} AND ${awaitsApprovalAfterReset}`.execute(reader);
  return found.rows.length === 1;
}

/** One active customer; undefined if there is none. */
export async function readCustomer(reader: Reader, customerId: string): Promise<DecodedCustomer | undefined> {
  type Row = Omit<DecodedCustomer, 'avatar' | 'idCard' | 'isIdRequested'> &
    OwnPictures & { isIdRequested: boolean };
  const found = await sql<Row>`
    SELECT c.id AS "_id", c.first_name AS "firstName", c.middle_name AS "middleName", c.last_name AS "lastName",
           c.gender, c.address, c.region, c.zip_code AS "zipCode", c.email, c.phone_number AS "phoneNumber",
           ${ownPictures}, c.is_verified AS "isVerified", a.is_approved AS "isApproved",
           a.is_frozen AS "isFrozen", a.number AS "accountNumber", a.balance,
           EXISTS (SELECT FROM id_requests WHERE customer_id = c.id) AS "isIdRequested"
      FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
     WHERE c.id = ${customerId} AND c.deleted_at IS NULL`.execute(reader);
  if (!found.rows[0]) return undefined;
  const { avatarFile, idCardFile, isIdRequested, ...customer } = found.rows[0];
  return {
    ...customer,
    avatar: avatarAt(avatarFile),
    idCard: ownIdCardAt(idCardFile),
    ...(isIdRequested && { isIdRequested }),
  };
}

/** A customer whose row is locked for a change. */
export type LockedCustomer = {
  accountId: bigint;
  isVerified: boolean;
  avatarFile: string | null;
  idCardFile: string | null;
};

/** Locks an active customer until the transaction ends. Refuses `NOT_FOUND` with the message `gone` if there is none. */
export async function lockCustomer(tx: Tx, customerId: string, gone?: string): Promise<LockedCustomer> {
  const found = await sql<LockedCustomer>`
    SELECT account_id AS "accountId", is_verified AS "isVerified", avatar_file AS "avatarFile",
           id_card_file AS "idCardFile"
      FROM customers WHERE id = ${customerId} AND deleted_at IS NULL FOR NO KEY UPDATE`.execute(tx);
  if (!found.rows[0]) throw new Refusal('NOT_FOUND', gone === undefined ? {} : { message: gone });
  return found.rows[0];
}

/** SQL condition: staff have changed the email of customer `c`. */
const isSetByStaff = sql`EXISTS (SELECT FROM customer_changes x WHERE x.customer_id = c.id AND x.field = 'email')`;

const isProvenOf = (
  customer: RawBuilder<unknown>,
) => sql<boolean>`(${customer}.email_proven_at IS NOT NULL AND NOT EXISTS (
  SELECT FROM customer_changes x
   WHERE x.customer_id = ${customer}.id AND x.field = 'email' AND x.at > ${customer}.email_proven_at))`;

/** SQL condition: customer `c` has received a mail at their email address, and staff have not changed the address since. */
export const isEmailProven = isProvenOf(sql`c`);

/**
 * SQL: the name with which a mail greets this customer; empty until the email is proven. Otherwise, anyone could register a
 * stranger's email with a sentence as the name, and the stranger would take the sentence for the bank's.
 */
export const greetingName = (customer = sql`c`) =>
  sql<string>`CASE WHEN ${isProvenOf(customer)} THEN ${customer}.first_name ELSE '' END`;

/**
 * Records that the customer has received a mail at the account's address, which proves that the address is theirs. `isReset`:
 * with its code, the password was reset. Without an earlier login, the person may not be the one who registered, unless staff
 * have set the email.
 */
export async function markEmailProven(tx: Tx, customerId: string, { isReset = false } = {}): Promise<void> {
  await sql`
    UPDATE customers c
       SET email_proven_at = now(),
           reset_unproven_at = CASE WHEN ${isReset} AND email_proven_at IS NULL AND NOT ${isSetByStaff} THEN now() ELSE reset_unproven_at END
     WHERE id = ${customerId} AND NOT ${isEmailProven}`.execute(tx);
}

/**
 * Marks a customer's ID document as verified. `withDateOfBirth`: the administrator also saw the date of birth, so it is
 * verified too, if the customer has entered one. `isViewed`: the administrator saw the document. If it was uploaded after a
 * reset by someone who may not be the person who registered, it proves that they are.
 */
export async function markVerified(
  tx: Tx,
  customerId: string,
  { isViewed, withDateOfBirth }: { isViewed: boolean; withDateOfBirth: boolean },
): Promise<void> {
  await endDocumentRequest(tx, customerId);
  await sql`
    UPDATE customers SET is_verified = true, is_date_of_birth_verified = ${withDateOfBirth} AND date_of_birth IS NOT NULL,
           reset_unproven_at = CASE WHEN ${isViewed} AND id_card_at > reset_unproven_at THEN NULL ELSE reset_unproven_at END
     WHERE id = ${customerId}`.execute(tx);
}

/** The contact details a customer can change. */
export type Contact = { phoneNumber: string; address: string; region: string; zipCode: string };

/**
 * Updates contact details. Returns false if nothing changed. Refuses `NOT_FOUND` if there is no active customer, and `CONFLICT`
 * while staff may have to check over these details whether the customer is the person who registered.
 */
export async function changeContact(tx: Tx, customerId: string, contact: Contact): Promise<boolean> {
  await lockCustomer(tx, customerId);
  if (await isDoubtfulApplicant(tx, customerId))
    throw new Refusal('CONFLICT', { message: settingsMessages.contactLocked });
  const { phoneNumber, address, region, zipCode } = contact;
  const changed = await sql`
    UPDATE customers SET phone_number = ${phoneNumber}, address = ${address}, region = ${region}, zip_code = ${zipCode}
     WHERE id = ${customerId}
       AND (phone_number, address, region, zip_code)
           IS DISTINCT FROM (${phoneNumber}, ${address}, ${region}, ${zipCode})`.execute(tx);
  return changed.numAffectedRows === 1n;
}

/**
 * The date of birth and the city of an active customer, with the reason for which an ID document was requested, if any;
 * undefined if there is no such customer.
 */
export async function readIdentity(reader: Reader, customerId: string): Promise<OwnIdentity | undefined> {
  const found = await sql<OwnIdentity>`
    SELECT to_char(date_of_birth, 'YYYY-MM-DD') AS "dateOfBirth", city,
           is_date_of_birth_verified AS "isDateOfBirthVerified",
           (SELECT reason FROM id_requests WHERE customer_id = customers.id) AS "idRequest"
      FROM customers WHERE id = ${customerId} AND deleted_at IS NULL`.execute(reader);
  return found.rows[0];
}

/**
 * Updates date of birth and city. Returns the names of the fields that changed. Refuses `NOT_FOUND` if there is no active
 * customer, and `CONFLICT` for a new date of birth if the current one was verified with the ID document.
 */
export async function changeIdentity(
  tx: Tx,
  customerId: string,
  { dateOfBirth, city }: { dateOfBirth: string; city: string },
): Promise<IdentityField[]> {
  await lockCustomer(tx, customerId);
  const former = (await readIdentity(tx, customerId))!;
  const changed: IdentityField[] = [];
  if (former.dateOfBirth !== dateOfBirth) changed.push('dateOfBirth');
  if (former.city !== city) changed.push('city');
  if (former.isDateOfBirthVerified && changed.includes('dateOfBirth'))
    throw new Refusal('CONFLICT', { message: settingsMessages.dateOfBirthVerified });
  await sql`
    UPDATE customers SET date_of_birth = ${dateOfBirth}::date, city = ${city} WHERE id = ${customerId}`.execute(
    tx,
  );
  return changed;
}

/** The name and email of a customer, as staff can change them. */
type Details = Record<ChangedField, string>;

/**
 * Changes the name and email of a customer whose row is locked. After a change of name, neither ID document nor date of birth
 * counts as verified. Returns what changed, with the values before and after. A taken email fails on the unique index
 * `customers_email`.
 */
export async function changeDetails(
  tx: Tx,
  customerId: string,
  wanted: { [K in ChangedField]?: string | undefined },
): Promise<{ field: ChangedField; former: string; value: string }[]> {
  const found = await sql<Details>`
    SELECT first_name AS "firstName", middle_name AS "middleName", last_name AS "lastName", email
      FROM customers WHERE id = ${customerId}`.execute(tx);
  const former = found.rows[0]!;
  const changed = changedFields.flatMap(field => {
    const value = wanted[field];
    return value === undefined || value === former[field] ? [] : [{ field, former: former[field], value }];
  });
  if (changed.length === 0) return [];
  const { firstName, middleName, lastName, email } = { ...former, ...definedOf(wanted) };
  const renamed = changed.find(({ field }) => field !== 'email')?.field;
  if (renamed) refuseTooManyNames({ firstName, middleName, lastName }, renamed);
  const isRenamed = renamed !== undefined;
  await sql`
    UPDATE customers
       SET first_name = ${firstName}, middle_name = ${middleName}, last_name = ${lastName}, email = ${email},
           is_verified = is_verified AND NOT ${isRenamed},
           is_date_of_birth_verified = is_date_of_birth_verified AND NOT ${isRenamed}
     WHERE id = ${customerId}`.execute(tx);
  return changed;
}

/** Whether a customer has this email. */
export async function isEmailTaken(reader: Reader, email: string): Promise<boolean> {
  const found = await sql`SELECT FROM customers WHERE email = ${email}`.execute(reader);
  return found.rows.length > 0;
}

/** The entries that are not undefined. */
const definedOf = (wanted: { [K in ChangedField]?: string | undefined }) =>
  Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Partial<Details>;

/** Replaces the profile image's file. Returns the former file's name. Refuses `NOT_FOUND` if there is no active customer. */
export async function replaceAvatar(tx: Tx, customerId: string, file: string): Promise<string | null> {
  const { avatarFile } = await lockCustomer(tx, customerId);
  await sql`UPDATE customers SET avatar_file = ${file} WHERE id = ${customerId}`.execute(tx);
  return avatarFile;
}

/**
 * Sets the ID document to a stored file and returns the previous file's name. The new document has not been checked, so the
 * customer is no longer verified. Refuses `NOT_FOUND` if there is no active customer.
 */
export async function replaceIdCard(tx: Tx, customerId: string, file: string): Promise<string | null> {
  const { idCardFile } = await lockCustomer(tx, customerId);
  await endDocumentRequest(tx, customerId);
  await sql`
    UPDATE customers SET id_card_file = ${file}, id_card_at = now(), is_verified = false,
           is_date_of_birth_verified = false
     WHERE id = ${customerId}`.execute(tx);
  return idCardFile;
}

/**
 * Ends the request for an ID document, if there is one. Such a request keeps the customer out of the queue of ID
 * verifications.
 */
async function endDocumentRequest(tx: Tx, customerId: string): Promise<void> {
  await sql`DELETE FROM id_requests WHERE customer_id = ${customerId}`.execute(tx);
}

/** The file name of an active customer's ID document; undefined if there is none. */
export async function readIdCardFile(reader: Reader, customerId: string): Promise<string | undefined> {
  const found = await sql<{ file: string | null }>`
    SELECT id_card_file AS file FROM customers WHERE id = ${customerId} AND deleted_at IS NULL`.execute(
    reader,
  );
  return found.rows[0]?.file ?? undefined;
}

/** SQL: why staff froze the account `a` of the customer `c`; null if staff gave no reason or did not freeze it. */
export const freezeReason = sql`
  CASE WHEN a.frozen_by_bank
       THEN (SELECT l.data->>'reason' FROM audit_log l WHERE l.subject = c.id::text AND l.action = 'customer.frozen'
              ORDER BY l.at DESC, l.id DESC LIMIT 1) END`;

/**
 * Who froze an account and the reason of staff, for the customer lists that staff see. No `isFrozenBy…` is set if only staff
 * froze it.
 */
export const frozenBy = (isByCustomer: boolean, isByStaff: boolean, reason: string | null) => ({
  ...(isByCustomer && { isFrozenByCustomer: true, ...(isByStaff && { isFrozenByStaff: true }) }),
  ...(reason !== null && { frozenReason: reason }),
});
