/**
 * Requests for a second approval: what an administrator asked for, who decided it and how it ended. What a request does when it
 * is approved is in `areas/secondApproval.ts`. `requestEnds.ts` ends requests.
 */
import { type RawBuilder, sql } from 'kysely';
import { staff } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import type { DecodedApproval, RequestKind, RequestState } from '#contract/fourEyes.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { operators, owners, type Role } from '#contract/roles.ts';
import { type Page, pageOf, rowsBefore } from '../base/paging.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';

/** The act of a request: what the bank does once a second person approves it. */
export type Order =
  | { kind: 'credit'; customerId: string; amountCents: bigint; description: string }
  | {
      kind: 'reversal';
      transactionId: string;
      customerId: string | null;
      amountCents: bigint;
      reason: string;
    }
  | { kind: 'deletion'; customerId: string; amountCents: bigint; reason?: string | undefined }
  | { kind: 'role'; memberId: string; role: Role; formerRole: Role }
  | { kind: 'invitation'; email: string; name: string; role: Role }
  | { kind: 'limit'; fromCents: bigint | null }
  | { kind: 'email'; customerId: string; email: string; reason: string }
  | ({ kind: 'unclaimed'; transactionId: string; amountCents: bigint; reason: string } & (
      | { customerId: string }
      | { bankName: string; accountName: string; accountNumber: string }
    ));

/** The hashes of the caller's idempotency key and of the request. */
export type RequestKey = { keyHash: string; requestHash: string };

/** The roles that may ask for each kind of request. They are checked again when the request is approved. */
const askers: Record<RequestKind, readonly Role[]> = {
  credit: operators,
  reversal: operators,
  deletion: operators,
  role: owners,
  invitation: owners,
  limit: owners,
  unclaimed: operators,
  email: operators,
};

/** The kinds for which only large amounts need a second person. If the money leaves the bank, every amount needs one. */
const fromAmount: readonly RequestKind[] = ['credit', 'reversal', 'unclaimed'];

const couldApprove = sql`a.role IN ('operator', 'owner') AND EXISTS (SELECT FROM credentials c WHERE c.person_id = a.id)`;
const isApprover = sql`${couldApprove} AND a.disabled_at IS NULL`;

/** The ids of the active operators and owners who have a password. */
export async function listApprovers(reader: Reader): Promise<string[]> {
  const found = await sql<{ id: string }>`SELECT a.id FROM admins a WHERE ${isApprover}`.execute(reader);
  return found.rows.map(row => row.id);
}

/**
 * The amount in cents from which a credit, a reversal or a payout to a customer needs a second person; null if none does.
 * `setting`: FOUR_EYES_FROM, which applies until an owner changes the amount.
 */
export async function readFourEyesFrom(reader: Reader, setting: bigint | null): Promise<bigint | null> {
  const found = await sql<{ from_cents: bigint | null }>`SELECT from_cents FROM four_eyes`.execute(reader);
  return found.rows[0] ? found.rows[0].from_cents : setting;
}

export async function setFourEyesFrom(tx: Tx, fromCents: bigint | null): Promise<void> {
  await sql`
    INSERT INTO four_eyes (from_cents) VALUES (${fromCents})
        ON CONFLICT (only_row) DO UPDATE SET from_cents = excluded.from_cents`.execute(tx);
}

/** What decides whether an act needs a second person. `leavesBank`: a payout to another bank, which cannot be reversed. */
export type Weight = Pick<Order, 'kind'> & { amountCents?: bigint; leavesBank?: boolean };

/** Whether this act needs a second person, and the bank has two people who can approve. */
export async function needsSecond(reader: Reader, setting: bigint | null, order: Weight): Promise<boolean> {
  if (fromAmount.includes(order.kind) && !order.leavesBank) {
    const from = await readFourEyesFrom(reader, setting);
    if (from === null || order.amountCents! < from) return false;
  }
  return await haveSecond(reader);
}

/**
 * Whether the bank has two people who can approve. People disabled in the last `staff.leaverDays` days count, too, so that an
 * owner cannot disable a colleague to act alone.
 */
export async function haveSecond(reader: Reader): Promise<boolean> {
  const counted = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM admins a
     WHERE ${couldApprove}
       AND (a.disabled_at IS NULL OR a.disabled_at > now() - make_interval(days => ${staff.leaverDays}))`.execute(
    reader,
  );
  return counted.rows[0]!.n >= 2;
}

/** Whether a request of this kind about the transaction waits for a second person. */
export async function isRequested(
  reader: Reader,
  kind: RequestKind,
  transactionId: string,
): Promise<boolean> {
  const found = await sql`
    SELECT FROM approval_requests
     WHERE kind = ${kind} AND transaction_id = ${transactionId} AND status = 'pending' AND expires_at > now()`.execute(
    reader,
  );
  return found.rows.length > 0;
}

/**
 * What a request is about. At most one pending request of a kind can be about the same thing, even if it has expired (unique
 * index `approval_requests_once`). Credits are exempt.
 */
export type Requestable = { kind: RequestKind } & {
  [about in 'transactionId' | 'customerId' | 'memberId' | 'email']?: string | null | undefined;
};

/** The waiting request of this administrator for the same thing, perhaps with other values; undefined if there is none. */
export async function findOwnRequest(
  reader: Reader,
  { kind, transactionId, customerId, memberId, email }: Requestable,
  askedBy: string,
): Promise<string | undefined> {
  const found = await sql<{ id: string }>`
    SELECT id FROM approval_requests
     WHERE kind = ${kind} AND status = 'pending' AND expires_at > now() AND asked_by = ${askedBy}
       AND coalesce(transaction_id::text, customer_id::text, member_id::text, email, '') =
           ${transactionId ?? customerId ?? memberId ?? email ?? ''}`.execute(reader);
  return found.rows[0]?.id;
}

/** Stores a request and returns its id; undefined if one of its kind about the same thing is pending, or one has this key. */
export async function insertRequest(
  tx: Tx,
  order: Order,
  { askedBy, address, key }: { askedBy: string; address: string; key: RequestKey | undefined },
): Promise<string | undefined> {
  const id = newId();
  const of = <T>(name: string) => ((order as Record<string, unknown>)[name] ?? null) as T | null;
  const inserted = await sql`
    INSERT INTO approval_requests (id, kind, asked_by, expires_at, address, reason, key_hash, request_hash, customer_id,
                                   amount, description, transaction_id, member_id, email, name, role, former_role, from_cents,
                                   bank_name, account_name, account_number)
    VALUES (${id}, ${order.kind}, ${askedBy}, now() + make_interval(days => ${staff.requestDays}), ${address},
            ${of<string>('reason')}, ${key?.keyHash ?? null}, ${key?.requestHash ?? null}, ${of<string>('customerId')},
            ${of<bigint>('amountCents')}, ${of<string>('description')}, ${of<string>('transactionId')},
            ${of<string>('memberId')}, ${order.kind === 'email' ? null : of<string>('email')}, ${of<string>('name')}, ${of<string>('role')},
            ${of<string>('formerRole')}, ${of<bigint>('fromCents')}, ${of<string>('bankName')},
            ${of<string>('accountName')}, ${of<string>('accountNumber')})
    ON CONFLICT DO NOTHING`.execute(tx);
  if (inserted.numAffectedRows === 0n) return undefined;
  if (order.kind === 'email')
    await sql`
      INSERT INTO email_requests (request_id, customer_id, email)
      VALUES (${id}, ${order.customerId}, ${order.email})`.execute(tx);
  return id;
}

/** The request made with this key; undefined if there is none. Refuses `IDEMPOTENCY_MISMATCH` if the requests differ. */
export async function findRequestOfKey(
  reader: Reader,
  { keyHash, requestHash }: RequestKey,
): Promise<DecodedApproval | undefined> {
  const found = await sql<{ id: string; request_hash: string }>`
    SELECT id, request_hash FROM approval_requests WHERE key_hash = ${keyHash}`.execute(reader);
  const [request] = found.rows;
  if (!request) return undefined;
  if (request.request_hash !== requestHash) throw new Refusal('IDEMPOTENCY_MISMATCH');
  return await readRequest(reader, request.id);
}

type Row = {
  id: string;
  kind: RequestKind;
  status: RequestState;
  asked_by: string;
  asker: string;
  asker_role: Role;
  is_asker_disabled: boolean;
  asked_at: Date;
  expires_at: Date;
  reason: string | null;
  decided_by: string | null;
  decider: string | null;
  decided_at: Date | null;
  outcome: string | null;
  amount: bigint | null;
  description: string | null;
  customer_id: string | null;
  customer: string | null;
  account_number: string | null;
  transaction_id: string | null;
  reference: string | null;
  closed_account: string | null;
  result_id: string | null;
  member_id: string | null;
  member: string | null;
  email: string | null;
  new_email: string | null;
  role: Role | null;
  former_role: Role | null;
  from_cents: bigint | null;
  bank_name: string | null;
  account_name: string | null;
  payee_number: string | null;
};

/** The state that people see. A request past its time shows as expired, even before a job has stored that. */
const shownStatus = sql`CASE WHEN q.status = 'pending' AND q.expires_at <= now() THEN 'expired' ELSE q.status END`;

/** The closed account that the unclaimed balance originally came from. `listUnclaimed` finds it in the same way. */
const closedAccount = sql`
  SELECT f.number FROM transactions t
    LEFT JOIN reversals r ON r.transaction_id = t.id
    LEFT JOIN unclaimed_payouts o ON o.transaction_id = coalesce(r.original_id, t.id)
    JOIN ledger_accounts f ON f.id = coalesce(o.account_id, t.sender_account)
   WHERE t.id = q.transaction_id`;

async function select(reader: Reader, rest: RawBuilder<unknown>): Promise<DecodedApproval[]> {
  const found = await sql<Row>`
    SELECT q.id, q.kind, ${shownStatus} AS status, q.asked_by, asker.name AS asker,
           asker.role AS asker_role, asker.disabled_at IS NOT NULL AS is_asker_disabled, q.asked_at, q.expires_at, q.reason,
           q.decided_by, decider.name AS decider, q.decided_at, q.outcome, q.amount, q.description, q.customer_id,
           concat_ws(' ', nullif(c.first_name, ''), nullif(c.last_name, '')) AS customer, l.number AS account_number,
           q.transaction_id, q.result_id, q.member_id, coalesce(m.name, q.name) AS member, coalesce(m.email, q.email) AS email,
           e.email AS new_email, q.role, q.former_role, q.from_cents, q.bank_name, q.account_name, q.account_number AS payee_number,
           CASE WHEN q.kind = 'reversal' THEN t.reference END AS reference,
           CASE WHEN q.kind = 'unclaimed' THEN (${closedAccount}) END AS closed_account
      FROM approval_requests q
      JOIN admins asker ON asker.id = q.asked_by
      LEFT JOIN admins decider ON decider.id = q.decided_by
      LEFT JOIN admins m ON m.id = q.member_id
      LEFT JOIN email_requests e ON e.request_id = q.id
      LEFT JOIN transactions t ON t.id = q.transaction_id
      LEFT JOIN customers c ON c.id = q.customer_id
      LEFT JOIN ledger_accounts l ON l.id = c.account_id
     ${rest}`.execute(reader);
  return found.rows.map(toApproval);
}

function toApproval(row: Row): DecodedApproval {
  return {
    _id: row.id,
    kind: row.kind,
    status: row.status,
    askedBy: { _id: row.asked_by, name: row.asker },
    ...(row.status === 'pending' &&
      (row.is_asker_disabled || !askers[row.kind].includes(row.asker_role)) && { isAskerGone: true }),
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.decided_by !== null && { decidedBy: { _id: row.decided_by, name: row.decider! } }),
    ...(row.decided_at && { decidedAt: row.decided_at }),
    ...(row.outcome !== null && { outcome: row.outcome }),
    ...(row.amount !== null && { amount: row.amount }),
    ...(row.description !== null && { description: row.description }),
    ...(row.customer_id !== null && {
      customer: { _id: row.customer_id, name: row.customer ?? '', accountNumber: row.account_number ?? '' },
    }),
    ...(row.transaction_id !== null && { transactionId: row.transaction_id }),
    ...(row.reference !== null && { reference: row.reference }),
    ...(row.closed_account !== null && { closedAccount: row.closed_account }),
    ...(row.bank_name !== null && {
      bank: { bankName: row.bank_name, accountName: row.account_name!, accountNumber: row.payee_number! },
    }),
    ...(row.new_email !== null && { email: row.new_email }),
    ...(row.result_id !== null && { resultId: row.result_id }),
    ...(row.email !== null && {
      member: {
        ...(row.member_id !== null && { _id: row.member_id }),
        name: row.member ?? '',
        email: row.email,
      },
    }),
    ...(row.role && { role: row.role }),
    ...(row.former_role && { formerRole: row.former_role }),
    ...(row.kind === 'limit' && { from: row.from_cents }),
  };
}

/** One request; undefined if there is none. */
export async function readRequest(reader: Reader, id: string): Promise<DecodedApproval | undefined> {
  return (await select(reader, sql`WHERE q.id = ${id}`))[0];
}

/**
 * A page of the requests, newest first. Also counts all waiting requests, and the waiting requests that this administrator can
 * approve.
 */
export async function listRequests(
  reader: Reader,
  { status, ...page }: Page & { status?: RequestState | undefined },
  admin: { adminId: string; role: Role },
) {
  const isAsked = status ? sql`${shownStatus} = ${status}` : sql`true`;
  const counted = await sql<{ total: number; waiting: number; others: number }>`
    SELECT count(*) FILTER (WHERE ${isAsked})::integer AS total,
           count(*) FILTER (WHERE ${shownStatus} = 'pending')::integer AS waiting,
           count(*) FILTER (WHERE ${shownStatus} = 'pending' AND q.asked_by <> ${admin.adminId}
                                AND NOT (q.kind = 'role' AND q.member_id = ${admin.adminId}))::integer AS others
      FROM approval_requests q`.execute(reader);
  const { total, waiting, others } = counted.rows[0]!;
  const requests = await select(
    reader,
    sql`WHERE ${isAsked} ORDER BY q.id DESC LIMIT ${page.limit} OFFSET ${rowsBefore(page)}`,
  );
  return {
    requests,
    ...pageOf(page, total),
    totalRequests: total,
    waiting,
    forYou: (operators as readonly Role[]).includes(admin.role) ? others : 0,
  };
}

/** A pending request, locked until the transaction ends: who asked for what, from which address, with which idempotency key. */
export type LockedRequest = {
  id: string;
  askedBy: string;
  address: string;
  keyHash: string | null;
  order: Order;
};

/** Locks a pending request. Refuses `NOT_FOUND` if there is none, and `CONFLICT` if it was decided or has expired. */
export async function lockRequest(tx: Tx, id: string): Promise<LockedRequest> {
  const locked = await sql<{
    status: RequestState;
    address: string;
    key_hash: string | null;
    is_over: boolean;
  }>`
    SELECT status, address, key_hash, expires_at <= now() AS is_over FROM approval_requests WHERE id = ${id} FOR UPDATE`.execute(
    tx,
  );
  const [row] = locked.rows;
  if (!row) throw new Refusal('NOT_FOUND', { message: staffMessages.noSuchRequest });
  if (row.status !== 'pending') throw new Refusal('CONFLICT', { message: staffMessages.requestDecided });
  if (row.is_over) throw new Refusal('CONFLICT', { message: staffMessages.requestExpired });
  const request = (await readRequest(tx, id))!;
  const order = {
    kind: request.kind,
    customerId: request.customer?._id ?? null,
    amountCents: request.amount,
    description: request.description,
    transactionId: request.transactionId,
    reason: request.reason,
    memberId: request.member?._id,
    email: request.email ?? request.member?.email,
    name: request.member?.name,
    role: request.role,
    formerRole: request.formerRole,
    fromCents: request.from,
    ...request.bank,
  } as Order;
  return { id, askedBy: request.askedBy._id, address: row.address, keyHash: row.key_hash, order };
}

/**
 * Whether `askedBy` may still ask for requests of this kind, and `decidedBy` may still decide them. Both must be active, and
 * have a role that allows it.
 */
export async function areStillAllowed(
  tx: Tx,
  kind: RequestKind,
  { askedBy, decidedBy }: { askedBy: string; decidedBy: string },
): Promise<{ asker: boolean; decider: boolean }> {
  // Locks both in id order (no deadlocks). A change of either role waits until this transaction ends.
  const found = await sql<{ id: string; role: Role; disabled_at: Date | null }>`
    SELECT id, role, disabled_at FROM admins WHERE id = ANY (${[askedBy, decidedBy]}::uuid[])
     ORDER BY id FOR SHARE`.execute(tx);
  const may = (id: string, allowed: readonly Role[]) =>
    found.rows.some(row => row.id === id && row.disabled_at === null && allowed.includes(row.role));
  return { asker: may(askedBy, askers[kind]), decider: may(decidedBy, operators) };
}
