/** Customers: registered, read as they see themselves, held for a change. */
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { Registration } from '#contract/auth.ts';
import type { Customer } from '#contract/entities.ts';
import { Refusal } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import type { Reader, Tx } from '../db/database.ts';
import { avatarAt, ownIdCardAt } from './pictures.ts';

/** A customer as the customer sees it, behind the edge: the balance in cents. */
export type CustomerBehindTheEdge = z.output<typeof Customer>;

/** Somebody to register: the form without the password, which is hashed by then, and the files as they are stored. */
export type NewCustomer = Omit<Registration, 'password'> & {
  id: string;
  accountId: bigint;
  passwordHash: Buffer;
  avatarFile: string | undefined;
  idCardFile: string | undefined;
};

/** Stores a new customer with credentials. Refuses `CONFLICT` where the e-mail is taken. */
export async function insertCustomer(tx: Tx, customer: NewCustomer): Promise<void> {
  const inserted = await sql`
    INSERT INTO customers (id, account_id, first_name, middle_name, last_name, gender, address, region, zip_code,
                           email, phone_number, avatar_file, id_card_file)
    VALUES (${customer.id}, ${customer.accountId}, ${customer.firstName}, ${customer.middleName},
            ${customer.lastName}, ${customer.gender}, ${customer.address}, ${customer.region}, ${customer.zipCode},
            ${customer.email}, ${customer.phoneNumber}, ${customer.avatarFile ?? null}, ${customer.idCardFile ?? null})
    ON CONFLICT (email) WHERE deleted_at IS NULL DO NOTHING`.execute(tx);
  if (inserted.numAffectedRows !== 1n) throw emailTaken();
  await sql`
    INSERT INTO credentials (person_id, kind, password_hash)
    VALUES (${customer.id}, 'customer', ${customer.passwordHash})`.execute(tx);
}

/** The refusal of an e-mail that somebody registered already. */
export function emailTaken(): Refusal {
  return new Refusal('CONFLICT', { message: messages.register.emailTaken });
}

/** One living customer as the contract has it; undefined where there is none. */
export async function readCustomer(
  reader: Reader,
  customerId: string,
): Promise<CustomerBehindTheEdge | undefined> {
  type Row = Omit<CustomerBehindTheEdge, 'avatar' | 'idCard'> & {
    avatar_file: string | null;
    id_card_file: string | null;
  };
  const found = await sql<Row>`
    SELECT c.id AS "_id", c.first_name AS "firstName", c.middle_name AS "middleName", c.last_name AS "lastName",
           c.gender, c.address, c.region, c.zip_code AS "zipCode", c.email, c.phone_number AS "phoneNumber",
           c.avatar_file, c.id_card_file, c.is_verified AS "isVerified", a.is_approved AS "isApproved",
           a.is_frozen AS "isFrozen", a.number AS "accountNumber", a.balance
      FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
     WHERE c.id = ${customerId} AND c.deleted_at IS NULL`.execute(reader);
  if (!found.rows[0]) return undefined;
  const { avatar_file, id_card_file, ...customer } = found.rows[0];
  return { ...customer, avatar: avatarAt(avatar_file), idCard: ownIdCardAt(id_card_file) };
}

/** A customer who is being changed. */
export type HeldCustomer = { accountId: bigint; isVerified: boolean; hasIdCard: boolean };

/** Takes a living customer for this transaction. Refuses `NOT_FOUND` where there is none. */
export async function holdCustomer(tx: Tx, customerId: string): Promise<HeldCustomer> {
  const found = await sql<HeldCustomer>`
    SELECT account_id AS "accountId", is_verified AS "isVerified", id_card_file IS NOT NULL AS "hasIdCard"
      FROM customers WHERE id = ${customerId} AND deleted_at IS NULL FOR NO KEY UPDATE`.execute(tx);
  if (!found.rows[0]) throw new Refusal('NOT_FOUND');
  return found.rows[0];
}

/** Notes that a customer's ID document was looked at and holds. */
export async function markVerified(tx: Tx, customerId: string): Promise<void> {
  await sql`UPDATE customers SET is_verified = true WHERE id = ${customerId}`.execute(tx);
}

/** The stored name of a living customer's ID document; undefined where there is none. */
export async function readIdCardFile(reader: Reader, customerId: string): Promise<string | undefined> {
  const found = await sql<{ file: string | null }>`
    SELECT id_card_file AS file FROM customers WHERE id = ${customerId} AND deleted_at IS NULL`.execute(
    reader,
  );
  return found.rows[0]?.file ?? undefined;
}
