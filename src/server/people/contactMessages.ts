/** The queue of contact messages: their answers, their states, and the administrators who own them. */
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import type { ContactMessage, ListedMessage, MessageList } from '#contract/contactQueue.ts';
import { Refusal } from '#contract/errors.ts';
import * as contactMessages from '#contract/messages/contact.ts';
import { type Role, supporters } from '#contract/roles.ts';
import { type Page, pageOf, rowsBefore } from '../base/paging.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import { awaitsApprovalAfterReset, isEmailProven } from './customers.ts';

type Decoded = z.output<typeof ContactMessage>;

/** What a visitor sent, and who was logged in when sending it. */
export type SentMessage = Pick<
  Decoded,
  'name' | 'email' | 'subject' | 'message' | 'isLoggedIn' | 'isOwnEmail' | 'customer'
>;

/** A message of the contact form. `customerId`: the customer who was logged in when sending it. */
export type NewMessage = Pick<SentMessage, 'name' | 'email' | 'subject' | 'message'> & {
  address: string;
  customerId: string | undefined;
};

/** Stores a message and returns its id. */
export async function insertMessage(
  tx: Tx,
  { name, email, subject, message, address, customerId }: NewMessage,
): Promise<string> {
  const id = newId();
  await sql`
    INSERT INTO contact_messages (id, name, email, subject, message, address, customer_id, is_logged_in)
    VALUES (${id}, ${name}, ${email}, ${subject}, ${message}, ${address}, ${customerId ?? null}, ${customerId !== undefined})`.execute(
    tx,
  );
  return id;
}

/** Links messages from a customer's former, proven email to the customer, so that they are erased with the customer. */
export async function linkMessages(tx: Tx, customerId: string, formerEmail: string): Promise<void> {
  await sql`
    UPDATE contact_messages SET customer_id = ${customerId} WHERE visitor_email = ${formerEmail}`.execute(tx);
}

type Row = {
  id: string;
  at: Date;
  name: string;
  email: string;
  subject: string;
  message: string;
  owner: string | null;
  owner_name: string | null;
  closed_at: Date | null;
  answers: number;
  customer: string | null;
  customer_name: string | null;
  is_approved: boolean | null;
  is_logged_in: boolean;
  is_own_email: boolean;
};

/**
 * SQL condition: customer `c` was logged in when sending message `m`, and it has this customer's current, proven email. If only
 * a password reset proved it, staff must have approved the customer.
 */
const isOwnEmail = sql<boolean>`(m.is_logged_in AND c.email = m.email AND ${isEmailProven} AND NOT EXISTS (
  SELECT FROM ledger_accounts a WHERE a.id = c.account_id AND ${awaitsApprovalAfterReset}))`;

async function select(reader: Reader, rest: RawBuilder<unknown>): Promise<Row[]> {
  const found = await sql<Row>`
    SELECT m.id, m.at, m.name, m.email, m.subject, m.message, m.owner, a.name AS owner_name, m.closed_at,
           (SELECT count(*)::integer FROM contact_answers w WHERE w.message_id = m.id) AS answers,
           c.id AS customer, concat_ws(' ', c.first_name, c.last_name) AS customer_name, l.is_approved,
           m.is_logged_in, coalesce(${isOwnEmail}, false) AS is_own_email
      FROM contact_messages m
      LEFT JOIN admins a ON a.id = m.owner
      LEFT JOIN customers c ON c.deleted_at IS NULL AND c.id = coalesce(m.customer_id,
        (SELECT v.id FROM customers v WHERE v.email = m.visitor_email AND v.deleted_at IS NULL))
      LEFT JOIN ledger_accounts l ON l.id = c.account_id
     ${rest}`.execute(reader);
  return found.rows;
}

function toListed(row: Row): z.output<typeof ListedMessage> {
  const { id, at, name, email, subject, owner, owner_name, closed_at, answers, customer } = row;
  return {
    _id: id,
    at,
    name,
    email,
    subject,
    state: closed_at ? 'closed' : owner === null ? 'open' : 'assigned',
    ...(owner !== null && { owner: { _id: owner, name: owner_name! } }),
    ...(closed_at && { closedAt: closed_at }),
    answers,
    isLoggedIn: row.is_logged_in,
    isOwnEmail: row.is_own_email,
    ...(customer !== null && {
      customer: { _id: customer, name: row.customer_name!, isApproved: row.is_approved! },
    }),
  };
}

/**
 * A page of a list of messages. `forYou`: how many waiting messages are unassigned or assigned to this administrator; 0 for a
 * role that cannot answer.
 */
export async function listMessages(
  reader: Reader,
  { list, ...page }: Page & { list: MessageList },
  { adminId, role }: { adminId: string; role: Role },
) {
  const waiting = sql`m.closed_at IS NULL`;
  const mine = sql`m.owner = ${adminId}`;
  const wanted = {
    waiting,
    mine: sql`${waiting} AND ${mine}`,
    closed: sql`m.closed_at IS NOT NULL`,
  }[list];
  const order = list === 'closed' ? sql`m.closed_at DESC, m.id DESC` : sql`m.is_logged_in DESC, m.at, m.id`;
  const counted = await sql<{ total: number; own: number }>`
    SELECT (SELECT count(*)::integer FROM contact_messages m WHERE ${wanted}) AS total,
           (SELECT count(*)::integer FROM contact_messages m WHERE ${waiting} AND (m.owner IS NULL OR ${mine})) AS own`.execute(
    reader,
  );
  const { total, own } = counted.rows[0]!;
  const rows = await select(
    reader,
    sql`WHERE ${wanted} ORDER BY ${order} LIMIT ${page.limit} OFFSET ${rowsBefore(page)}`,
  );
  return {
    messages: rows.map(toListed),
    ...pageOf(page, total),
    totalMessages: total,
    forYou: (supporters as readonly Role[]).includes(role) ? own : 0,
  };
}

/** One message with its answers. Refuses `NOT_FOUND` if there is none with this id. */
export async function readMessage(reader: Reader, id: string): Promise<Decoded> {
  const [row] = await select(reader, sql`WHERE m.id = ${id}`);
  if (!row) throw new Refusal('NOT_FOUND', { message: contactMessages.noSuchMessage });
  const answers = await sql<Decoded['answers'][number]>`
    SELECT w.id AS "_id", w.at, a.name AS "authorName", w.text
      FROM contact_answers w JOIN admins a ON a.id = w.author WHERE w.message_id = ${id} ORDER BY w.id`.execute(
    reader,
  );
  return { ...toListed(row), message: row.message, answers: answers.rows };
}

/** A message whose row is locked until the transaction ends. */
export type LockedMessage = { owner: string | null; isClosed: boolean };

/** Locks a message. Refuses `NOT_FOUND` if there is none with this id. */
export async function lockMessage(tx: Tx, id: string): Promise<LockedMessage> {
  const found = await sql<LockedMessage>`
    SELECT owner, closed_at IS NOT NULL AS "isClosed" FROM contact_messages WHERE id = ${id} FOR UPDATE`.execute(
    tx,
  );
  if (!found.rows[0]) throw new Refusal('NOT_FOUND', { message: contactMessages.noSuchMessage });
  return found.rows[0];
}

/** Gives a locked message to an administrator. A closed message is reopened. */
export async function assignMessage(tx: Tx, id: string, owner: string): Promise<void> {
  await sql`UPDATE contact_messages SET owner = ${owner}, closed_at = NULL WHERE id = ${id}`.execute(tx);
}

export async function closeMessage(tx: Tx, id: string): Promise<void> {
  await sql`UPDATE contact_messages SET closed_at = now() WHERE id = ${id}`.execute(tx);
}

/** Stores an answer to a locked message. Returns its id; undefined if the last answer has the same text. */
export async function insertAnswer(
  tx: Tx,
  { messageId, author, text }: { messageId: string; author: string; text: string },
): Promise<string | undefined> {
  const id = newId();
  const inserted = await sql`
    INSERT INTO contact_answers (id, message_id, author, text)
    SELECT ${id}, ${messageId}, ${author}, ${text}
     WHERE ${text} IS DISTINCT FROM (SELECT w.text FROM contact_answers w WHERE w.message_id = ${messageId}
                                      ORDER BY w.id DESC LIMIT 1)`.execute(tx);
  return inserted.numAffectedRows === 1n ? id : undefined;
}

/** How many answers a locked message has. */
export async function countAnswers(tx: Tx, messageId: string): Promise<number> {
  const counted = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM contact_answers WHERE message_id = ${messageId}`.execute(tx);
  return counted.rows[0]!.n;
}

export type ContactAnswer = {
  to: string;
  /** Null unless the sender was logged in as a customer, and the message has this customer's current, proven email. */
  firstName: string | null;
  subject: string;
  message: string;
  askedAt: Date;
  text: string;
};

/** The data for the mail of an answer; undefined if the message was erased. */
export async function readAnswer(reader: Reader, id: string): Promise<ContactAnswer | undefined> {
  const found = await sql<ContactAnswer>`
    SELECT m.email AS to, m.subject, m.message, m.at AS "askedAt", w.text, c.first_name AS "firstName"
      FROM contact_answers w JOIN contact_messages m ON m.id = w.message_id
           LEFT JOIN customers c ON c.id = m.customer_id AND ${isOwnEmail}
     WHERE w.id = ${id}`.execute(reader);
  return found.rows[0];
}

/** Returns a message for the Help Desk; undefined if it was erased with its sender. */
export async function readContactMessage(reader: Reader, id: string): Promise<SentMessage | undefined> {
  const [row] = await select(reader, sql`WHERE m.id = ${id}`);
  return row && { ...toListed(row), message: row.message };
}
