/**
 * What the seal of an audit record covers: the record, and the rows of the books that it reports. Sealing and verifying read
 * the record and these rows with the same query, and compute the same hashes from them.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import type { Reader } from '../db/database.ts';

/**
 * One row of an audit record; a record that reports several transactions has a row for each. Values that are hashed are text,
 * as PostgreSQL prints them.
 */
export type EvidenceRow = {
  id: bigint;
  at: string;
  actor_kind: string;
  actor_id: string | null;
  action: string;
  subject: string | null;
  address: string | null;
  /** Null except in the first row of a record. */
  data: string | null;

  position: bigint | null;
  hash: Buffer | null;
  /** Null except in the first row of a record. */
  evidence: Buffer | null;

  /** The place of this row in the record, from 1; null for a record that reports no movement of money. */
  n: bigint | null;
  /** How the record describes a posting: transaction, actor, debited and credited account, cents, address. */
  line: string | null;
  step: number | null;
  /** The transaction that the record names, whether or not it exists. */
  reported: string | null;

  /**
   * A transaction, or a movement of a savings goal. A movement has type `goal`, the account as sender and the goal as receiver;
   * its amount is negative if money leaves the goal.
   */
  t_id: string | null;
  t_type: string | null;
  t_amount: string | null;
  t_sender: string | null;
  t_sender_seq: string | null;
  t_receiver: string | null;
  t_receiver_seq: string | null;
  t_created_at: string | null;
  t_actor: string | null;
  t_key_hash: string | null;
  t_request_hash: string | null;
  t_reference: string | null;
  t_description: string | null;
  t_day: string | null;

  e_kind: string | null;
  e_debit: string | null;
  e_credit: string | null;
  e_amount: string | null;
  e_debit_balance: string | null;
  e_credit_balance: string | null;
  e_posted_at: string | null;

  /** For a reversal: the transaction that it reverses, with its type and entry. */
  r_original: string | null;
  r_type: string | null;
  r_debit: string | null;
  r_credit: string | null;
  r_amount: string | null;

  /** For a payout of an unclaimed balance: the transaction that brought the balance, and its amount. */
  u_source: string | null;
  u_amount: string | null;

  /** For an external transfer or a deposit. A deposit has its reference as `x_account_number`. */
  x_bank_name: string | null;
  x_account_name: string | null;
  x_name_salt: string | null;
  x_account_number: string | null;
  x_status: string | null;
  x_decided_at: string | null;
  x_return_reason: string | null;
  x_submitted_at: string | null;

  c_account: string | null;
  c_number: string | null;
};

/** The actions whose subject is a single transaction or goal movement, and the step of the journal entry that they report. */
const steps = {
  'balance.swept': 1,
  'transaction.reversed': 1,
  'goal.moved': 1,
  'unclaimed.paid': 1,
  'external.settled': 2,
  'external.returned': 2,
  'external.canceled': 2,
  'deposit.received': 2,
} as const;
const stepOf = Object.entries(steps)
  .map(([action, step]) => `WHEN '${action}' THEN ${step}`)
  .join(' ');

const uuid = '[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}';

/**
 * The query uses only `pg_catalog` functions and plain tables, so no function that was replaced in the database can influence
 * the proof. Each LATERAL with OFFSET 0 does one index lookup per row.
 */
const evidenceQuery = `
  SELECT l.id, l.at::text, l.actor_kind, l.actor_id::text, l.action, l.subject, l.address,
         CASE WHEN coalesce(p.n, 1) = 1 THEN l.data::text END AS data,
         s.position, s.hash, CASE WHEN coalesce(p.n, 1) = 1 THEN s.evidence END AS evidence,
         p.n, p.line, p.step, p.transaction_id::text AS reported,
         t.id::text AS t_id, t.type AS t_type, t.amount::text AS t_amount,
         t.sender_account::text AS t_sender, t.sender_seq::text AS t_sender_seq,
         t.receiver_account::text AS t_receiver, t.receiver_seq::text AS t_receiver_seq,
         t.created_at::text AS t_created_at, t.actor::text AS t_actor, t.key_hash::text AS t_key_hash,
         t.request_hash::text AS t_request_hash, t.reference AS t_reference, t.description AS t_description,
         (t.created_at AT TIME ZONE 'America/New_York')::date::text AS t_day,
         e.kind::text AS e_kind, e.debit_account::text AS e_debit, e.credit_account::text AS e_credit, e.amount::text AS e_amount,
         e.debit_balance::text AS e_debit_balance, e.credit_balance::text AS e_credit_balance, e.posted_at::text AS e_posted_at,
         r.original_id::text AS r_original, r.type::text AS r_type, r.debit_account::text AS r_debit,
         r.credit_account::text AS r_credit, r.amount::text AS r_amount,
         u.source_id::text AS u_source, u.amount::text AS u_amount,
         coalesce(x.bank_name, d.bank_name) AS x_bank_name, coalesce(x.account_name, d.sender_name) AS x_account_name,
         coalesce(x.name_salt, d.name_salt)::text AS x_name_salt, coalesce(x.account_number, d.ref) AS x_account_number,
         x.status::text AS x_status, x.decided_at::text AS x_decided_at,
         x.return_reason AS x_return_reason, x.submitted_at::text AS x_submitted_at, c.account_id::text AS c_account, c.number AS c_number
    FROM public.audit_log l
    LEFT JOIN LATERAL (SELECT * FROM public.audit_seals s WHERE s.audit_id = l.id OFFSET 0) s ON true
    LEFT JOIN LATERAL (
      SELECT n, line, CASE WHEN line ~ '^${uuid} ' THEN left(line, 36)::uuid END AS transaction_id, 1 AS step
        FROM jsonb_array_elements_text(
               CASE WHEN l.action = 'transactions.posted' AND jsonb_typeof(l.data->'posted') = 'array' THEN l.data->'posted' END)
             WITH ORDINALITY AS posted(line, n)
       UNION ALL
      SELECT 1, NULL, CASE WHEN l.subject ~ '^${uuid}$' THEN l.subject::uuid END, CASE l.action ${stepOf} END
       WHERE l.action IN ('${Object.keys(steps).join("', '")}')
    ) p ON true
    LEFT JOIN LATERAL (
      SELECT t.id, t.type::text, t.amount, t.sender_account, t.sender_seq, t.receiver_account, t.receiver_seq, t.created_at,
             t.actor, t.key_hash, t.request_hash, t.reference, t.description
        FROM public.transactions t WHERE t.id = p.transaction_id
       UNION ALL
      SELECT g.id, 'goal', g.amount, g.account, g.after_seq, g.goal_account, NULL, g.created_at,
             g.actor, g.key_hash, g.request_hash, '', g.cause
        FROM public.goal_movements g WHERE l.action = 'goal.moved' AND g.id = p.transaction_id
      OFFSET 0) t ON true
    LEFT JOIN LATERAL (SELECT * FROM public.journal_entries e
                        WHERE e.transaction_id = p.transaction_id AND e.step = p.step OFFSET 0) e ON true
    LEFT JOIN LATERAL (SELECT r.original_id, o.type, oe.debit_account, oe.credit_account, oe.amount
                         FROM public.reversals r
                         LEFT JOIN public.transactions o ON o.id = r.original_id
                         LEFT JOIN public.journal_entries oe ON oe.transaction_id = r.original_id AND oe.step = 1
                        WHERE r.transaction_id = p.transaction_id AND t.type = 'reversal' OFFSET 0) r ON true
    LEFT JOIN LATERAL (SELECT u.source_id, se.amount
                         FROM public.unclaimed_payouts u
                         LEFT JOIN public.journal_entries se ON se.transaction_id = u.source_id AND se.credit_account = 3
                        WHERE u.transaction_id = p.transaction_id AND p.step = 1 AND l.action = 'unclaimed.paid' OFFSET 0) u ON true
    LEFT JOIN LATERAL (SELECT * FROM public.external_transfers x
                        WHERE x.transaction_id = p.transaction_id AND t.type = 'external-transfer' OFFSET 0) x ON true
    LEFT JOIN LATERAL (SELECT * FROM public.deposits d
                        WHERE d.transaction_id = p.transaction_id AND t.type = 'deposit' OFFSET 0) d ON true
    LEFT JOIN LATERAL (SELECT c.account_id, a.number FROM public.customers c JOIN public.ledger_accounts a ON a.id = c.account_id
                        WHERE l.action = 'customer.registered' AND l.subject ~ '^${uuid}$'
                          AND c.id = l.subject::uuid OFFSET 0) c ON true
   WHERE l.id >= :from AND l.id <= :upTo
   ORDER BY l.id, p.n`;

const forbiddenPlans = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'sort', 'material', 'memoize'].map(
  name => `enable_${name}`,
);

/** Allows or forbids the kinds of plans in `forbiddenPlans` for the rest of the transaction. */
async function allowPlans(tx: Reader, value: 'on' | 'off'): Promise<void> {
  await sql`SELECT set_config(name, ${value}, true) FROM unnest(${forbiddenPlans}::text[]) AS s(name)`.execute(
    tx,
  );
}

/** Makes values print the same on every system, and names resolve to PostgreSQL's own functions, until the transaction ends. */
export async function fixNamesAndFormats(tx: Reader): Promise<void> {
  await sql`
    SELECT set_config(name, value, true)
      FROM (VALUES ('TimeZone', 'UTC'), ('DateStyle', 'ISO, YMD'), ('search_path', 'pg_catalog, pg_temp'), ('jit', 'off')) s(name, value)`.execute(
    tx,
  );
}

const [minId, maxId] = [-(2n ** 63n), 2n ** 63n - 1n];

/**
 * Opens the cursor `evidence` over the records after `after` (undefined: all) up to `upTo`, oldest first. Call
 * `fixNamesAndFormats` before.
 */
export async function openEvidence(tx: Reader, after: bigint | undefined, upTo = maxId): Promise<void> {
  const query = evidenceQuery
    .replace(':from', `'${after === undefined ? minId : after + 1n}'`)
    .replace(':upTo', String(upTo));
  // Forces a plan that streams in id order through indexes, whatever the statistics say.
  await allowPlans(tx, 'off');
  await sql.raw(`DECLARE evidence NO SCROLL CURSOR FOR ${query}`).execute(tx);
  await allowPlans(tx, 'on');
}

/** The next rows of the cursor; fewer than `count` at its end. */
export async function fetchEvidence(tx: Reader, count: number): Promise<EvidenceRow[]> {
  return (await sql.raw<EvidenceRow>(`FETCH ${count} FROM evidence`).execute(tx)).rows;
}

/** 128 bits are enough: without the key, an attacker can only guess a tag, and the next proof reports a wrong guess. */
export const tagBytes = 16;

function tag(key: KeyObject, values: (string | number | null)[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(values)).digest().subarray(0, tagBytes);
}

/** The tag of what this row reports about the books. It covers nothing that changes when a person is erased. */
export function tagOfRow(key: KeyObject, row: EvidenceRow): Buffer {
  if (row.n === null) return tag(key, ['customer', row.subject, row.c_account, row.c_number]);
  const { t_id, e_kind, e_debit, e_credit, e_amount, e_debit_balance, e_credit_balance, e_posted_at } = row;
  const entry = [t_id, e_kind, e_debit, e_credit, e_amount, e_debit_balance, e_credit_balance, e_posted_at];
  if (row.step === 2) return tag(key, [...entry, row.x_status, row.x_decided_at, row.x_return_reason]);
  return tag(key, [
    ...entry,
    row.t_type,
    row.t_amount,
    row.t_sender,
    row.t_sender_seq,
    row.t_receiver,
    row.t_receiver_seq,
    row.t_created_at,
    row.t_actor,
    row.t_key_hash,
    row.t_request_hash,
    row.t_reference,
    row.t_description,
    row.x_bank_name,
    row.x_account_number,
    ...(row.r_original === null ? [] : [row.r_original]),
    ...(row.u_source === null ? [] : [row.u_source]),
  ]);
}

/**
 * The tag of the payee's name at another bank, or of a deposit's sender. The salt is destroyed when the name is erased. Without
 * the salt, the tag reveals nothing about the name, even to the bank, which has the key.
 */
export function tagOfName(key: KeyObject, row: EvidenceRow): Buffer {
  return tag(key, [row.reported, row.x_name_salt, row.x_account_name]);
}

/** Whether this row of a record has its own tag. It does if it reports a transaction, or the account of a new customer. */
export const hasTag = (row: EvidenceRow): boolean => row.n !== null || row.c_account !== null;

/** Whether this row also has a tag of a name. It does if it posts an external transfer or a deposit. */
export const hasName = (row: EvidenceRow): boolean =>
  row.step === 1 && (row.t_type === 'external-transfer' || row.t_type === 'deposit');

/** The hash of a record: an HMAC over the previous hash, the evidence (tags of rows, then tags of names), and the record. */
export function hashRecord(
  key: KeyObject,
  previous: Uint8Array,
  evidence: Uint8Array,
  first: EvidenceRow,
): Buffer {
  const { id, at, actor_kind, actor_id, action, subject, address, data } = first;
  const text = JSON.stringify([String(id), at, actor_kind, actor_id, action, subject, address, data]);
  return createHmac('sha256', key)
    .update('seal ')
    .update(previous)
    .update(`${evidence.length}:`)
    .update(evidence)
    .update(text)
    .digest();
}

/** Groups rows by record. The last group may continue in the next batch: the caller passes it back as `rest`. */
export function groupByRecord(rest: EvidenceRow[], rows: EvidenceRow[]): EvidenceRow[][] {
  const groups: EvidenceRow[][] = rest.length > 0 ? [rest] : [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last && last[0]!.id === row.id) last.push(row);
    else groups.push([row]);
  }
  return groups;
}
