/**
 * What administrators read and write on the page of one customer: notes, changes of name and email, requests for an ID
 * document, sessions, mails.
 */

import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { CustomerChange, Note } from '#contract/adminCustomers.ts';
import { formerEmail } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import { isEmailProven } from './customers.ts';

type DecodedNote = z.output<typeof Note>;

const maxListed = 200;

/** The last 200 notes on a customer, newest first; or only the note with this id. */
export async function listNotes(reader: Reader, customerId: string, id?: string): Promise<DecodedNote[]> {
  const found = await sql<DecodedNote>`
    SELECT n.id AS "_id", n.at, a.name AS "authorName", n.text
      FROM customer_notes n JOIN admins a ON a.id = n.author
     WHERE n.customer_id = ${customerId} AND n.id = coalesce(${id ?? null}::uuid, n.id)
     ORDER BY n.id DESC LIMIT ${maxListed}`.execute(reader);
  return found.rows;
}

/** Stores a note and returns it. */
export async function insertNote(
  tx: Tx,
  note: { customerId: string; author: string; text: string },
): Promise<DecodedNote> {
  const id = newId();
  await sql`
    INSERT INTO customer_notes (id, customer_id, author, text)
    VALUES (${id}, ${note.customerId}, ${note.author}, ${note.text})`.execute(tx);
  return (await listNotes(tx, note.customerId, id))[0]!;
}

type DecodedChange = z.output<typeof CustomerChange>;

/** The last 200 changes of a customer's name and email by staff, newest first. */
export async function listChanges(reader: Reader, customerId: string): Promise<DecodedChange[]> {
  const found = await sql<DecodedChange>`
    SELECT c.id AS "_id", c.at, a.name AS "authorName", c.field, c.former, c.value, c.reason
      FROM customer_changes c JOIN admins a ON a.id = c.author
     WHERE c.customer_id = ${customerId} ORDER BY c.id DESC LIMIT ${maxListed}`.execute(reader);
  return found.rows;
}

/** Stores what staff changed, one row per field. `wasProven`: whether the customer had proven the email before the change. */
export async function insertChanges(
  tx: Tx,
  changed: readonly Pick<DecodedChange, 'field' | 'former' | 'value'>[],
  {
    customerId,
    author,
    reason,
    wasProven,
  }: { customerId: string; author: string; reason: string; wasProven: boolean },
): Promise<void> {
  // The time at which the customer is locked: a login that proved the former email may have held the lock until now.
  for (const { field, former, value } of changed)
    await sql`
      INSERT INTO customer_changes (id, customer_id, author, field, former, value, was_proven, reason, at)
      VALUES (${newId()}, ${customerId}, ${author}, ${field}, ${former}, ${value},
              ${field === 'email' ? wasProven : null}, ${reason}, clock_timestamp())`.execute(tx);
}

/** Whether the customer had proven this email before staff replaced it, if they have entered it again since. */
export async function wasProvenBefore(reader: Reader, customerId: string, email: string): Promise<boolean> {
  const found = await sql`
    SELECT FROM customer_changes
     WHERE customer_id = ${customerId} AND field = 'email' AND former = ${email} AND was_proven LIMIT 1`.execute(
    reader,
  );
  return found.rows.length === 1;
}

/**
 * SQL condition: in the last `formerEmail.days` days, staff changed an email that the customer had proven. Now neither this
 * customer has it nor another one who has proven it. Otherwise, a thief could end the copies with a new registration.
 */
const isFormerEmail = sql`
  x.field = 'email' AND x.was_proven AND x.at > now() - make_interval(days => ${formerEmail.days})
  AND NOT EXISTS (SELECT FROM customers c WHERE c.email = x.former AND c.deleted_at IS NULL
                                            AND (c.id = x.customer_id OR ${isEmailProven}))`;

type EmailChange = { id: string; former: string };

/**
 * The recent changes in which staff replaced an email that the customer had proven, except those whose former email is a
 * customer's now; of several changes of one email, the last. Mail jobs name the change by its id. The email is stored only in
 * the change, so an erasure also takes it from waiting jobs.
 */
export async function listEmailChanges(reader: Reader, customerId: string): Promise<EmailChange[]> {
  const found = await sql<EmailChange>`
    SELECT DISTINCT ON (x.former) x.id, x.former FROM customer_changes x
     WHERE x.customer_id = ${customerId} AND ${isFormerEmail} ORDER BY x.former, x.id DESC`.execute(reader);
  return found.rows;
}

/** The email that staff replaced; undefined if the change was erased or `listEmailChanges` would not list it now. */
export async function readFormerEmail(reader: Reader, changeId: string): Promise<string | undefined> {
  const found = await sql<{ former: string }>`
    SELECT former FROM customer_changes x WHERE x.id = ${changeId} AND ${isFormerEmail}`.execute(reader);
  return found.rows[0]?.former;
}

/**
 * Asks for an ID document, or for a better one; a later request replaces the earlier one. The customer, whose row is locked, no
 * longer counts as verified.
 */
export async function requestDocument(tx: Tx, customerId: string, reason: string): Promise<void> {
  await sql`
    UPDATE customers SET is_verified = false, is_date_of_birth_verified = false
     WHERE id = ${customerId} AND is_verified`.execute(tx);
  await sql`
    INSERT INTO id_requests (customer_id, reason) VALUES (${customerId}, ${reason})
        ON CONFLICT (customer_id) DO UPDATE SET reason = excluded.reason, at = now()`.execute(tx);
}

/** Refuses an act if its caller was not shown (`false`) that a colleague has asked for an ID document. */
export async function refuseIfUnseenRequest(
  tx: Tx,
  customerId: string,
  shown: boolean | undefined,
): Promise<void> {
  if (shown === false && (await readDocumentRequest(tx, customerId)))
    throw new Refusal('CONFLICT', { message: adminMessages.idRequestedSince });
}

/** The request for an ID document that the customer has not answered yet; undefined if there is none. */
export async function readDocumentRequest(
  reader: Reader,
  customerId: string,
): Promise<{ reason: string; at: Date } | undefined> {
  const found = await sql<{ reason: string; at: Date }>`
    SELECT reason, at FROM id_requests WHERE customer_id = ${customerId}`.execute(reader);
  return found.rows[0];
}

type SessionRow = {
  id: string;
  device: string;
  address: string;
  created_at: Date;
  last_seen_at: Date;
  is_live: boolean;
};

/** A customer's live sessions, last used first, and the devices of the 200 stored sessions that were used last. */
export async function readSessionsOf(reader: Reader, customerId: string) {
  const found = await sql<SessionRow>`
    SELECT s.id, s.device, s.address, s.created_at, s.last_seen_at, l.id IS NOT NULL AS is_live
      FROM sessions s LEFT JOIN live_sessions l ON l.id = s.id
     WHERE s.person_id = ${customerId} ORDER BY s.last_seen_at DESC LIMIT ${maxListed}`.execute(reader);
  const devices = new Map<string, { device: string; address: string; firstSeenAt: Date; lastSeenAt: Date }>();
  for (const { device, address, created_at: firstSeenAt, last_seen_at: lastSeenAt } of found.rows) {
    const known = devices.get(device);
    if (!known) devices.set(device, { device, address, firstSeenAt, lastSeenAt });
    else if (firstSeenAt < known.firstSeenAt) known.firstSeenAt = firstSeenAt;
  }
  return {
    sessions: found.rows
      .filter(row => row.is_live)
      .map(({ id, device, address, created_at, last_seen_at }) => ({
        _id: id,
        device,
        address,
        startedAt: created_at,
        lastSeenAt: last_seen_at,
      })),
    devices: [...devices.values()],
  };
}

/** Records that a mail was sent, but not its text. */
export async function recordSentMail(
  tx: Tx,
  mail: { personId: string; template: string; subject: string },
): Promise<void> {
  await sql`
    INSERT INTO sent_mails (id, person_id, template, subject)
    SELECT ${newId()}, id, ${mail.template}, ${mail.subject} FROM customers
     WHERE id = ${mail.personId} AND deleted_at IS NULL`.execute(tx);
}

type SentMailRow = { id: string; at: Date; template: string; subject: string };

/** The last 100 mails to a customer, newest first; or only the one with this id. */
export async function listSentMails(reader: Reader, customerId: string, id?: string): Promise<SentMailRow[]> {
  const found = await sql<SentMailRow>`
    SELECT id, at, template, subject FROM sent_mails
     WHERE person_id = ${customerId} AND id = coalesce(${id ?? null}::uuid, id) ORDER BY id DESC LIMIT 100`.execute(
    reader,
  );
  return found.rows;
}
