/**
 * The audit log: who did what, when and from where. A record is written in the transaction of the act. Sealing adds records to
 * a hash chain afterwards, and verifying finds the first record that was changed.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { auditActions } from '#contract/messages/admin.ts';
import type { Reader, Tx } from './database.ts';

export type AuditAction = keyof typeof auditActions;

/**
 * What may be recorded with an act; never a secret or a name. The second group is written by the ledger's SQL functions.
 * What an administrator reads of each is in `areas/auditDetails.ts`.
 */
export type AuditData = {
  reason?: string;
  purpose?: 'login' | 'reset';
  /** Id of a session. */
  session?: string;
  /** Name of a stored file. */
  file?: string;
  /** How many sessions ended. */
  count?: number;
  /** How many attempts of an hour were counted and not recorded one by one. */
  further?: number;

  /** A line for each posting: transaction, actor, debited and credited account, cents, address. */
  posted?: string[];
  transaction?: string;
  cents?: number;
  debit?: number;
  credit?: number;
};

/** `subject` is what was acted on, `address` where the request came from. */
export type AuditRecord = {
  actor: { kind: 'customer' | 'admin' | 'system'; id?: string };
  action: AuditAction;
  subject?: string;
  address?: string;
  data?: AuditData;
};

/** Writes a record, which is committed or rolled back with the transaction. */
export async function recordAudit(tx: Tx, record: AuditRecord): Promise<void> {
  const { actor, action, subject = null, address = null, data } = record;
  await sql`
    INSERT INTO audit_log (actor_kind, actor_id, action, subject, address, data)
    VALUES (${actor.kind}, ${actor.id ?? null}, ${action}, ${subject}, ${address},
            ${data === undefined ? null : JSON.stringify(data)}::jsonb)`.execute(tx);
}

/** The newest record of an action by a person on a subject: its age and its data. Undefined if there is none. */
export async function findLastRecord(
  reader: Reader,
  { actorId, action, subject }: { actorId: string; action: AuditAction; subject: string },
): Promise<{ ageMs: number; data: AuditData | null } | undefined> {
  const found = await sql<{ ageMs: number; data: AuditData | null }>`
    SELECT (extract(epoch FROM clock_timestamp() - at) * 1000)::float8 AS "ageMs", data FROM audit_log
     WHERE subject = ${subject} AND actor_id = ${actorId} AND action = ${action}
     ORDER BY at DESC, id DESC LIMIT 1`.execute(reader);
  return found.rows[0];
}

/** Number of records that are not sealed yet: a few under load, zero soon afterwards. */
export async function countUnsealed(reader: Reader): Promise<number> {
  const counted = await sql<{ n: bigint }>`
    SELECT count(*) AS n FROM audit_log l
     WHERE NOT EXISTS (SELECT FROM audit_seals s WHERE s.audit_id = l.id)`.execute(reader);
  return Number(counted.rows[0]!.n);
}

const sealBatchSize = 10_000;

/**
 * Seals up to 10,000 records; returns how many. Fewer means that everything is sealed except records that a running transaction
 * could still precede.
 */
export async function sealAudit(tx: Tx): Promise<number> {
  const sealed = await sql<{ n: number }>`SELECT seal_audit(${sealBatchSize}) AS n`.execute(tx);
  return sealed.rows[0]!.n;
}

/** The head of the chain: the number of sealed records and the last hash (hex), which covers all of them. */
export type AuditHead = { position: bigint; hash: string };

/** The result of `verifyAudit`. `broken`: the first record that differs from what was sealed. */
export type AuditVerdict = AuditHead & { broken?: { position: bigint; auditId: bigint; why: string } };

type Link = { position: bigint; audit_id: bigint; hash: Buffer; text: string | null };

const readBatchSize = 5_000;

/**
 * Recomputes the whole chain in this process. With `noted`, a head stored elsewhere, it also detects a chain that was truncated
 * or rebuilt. Unsealed records are not checked: seal first.
 */
export async function verifyAudit(reader: Reader, noted?: AuditHead): Promise<AuditVerdict> {
  let position = 0n;
  let hash: Buffer = Buffer.alloc(32);
  const head = () => ({ position, hash: hash.toString('hex') });
  for (;;) {
    const links = await readLinks(reader, position);
    for (const link of links) {
      const why = findFault(link, position + 1n, hash, noted);
      if (why) return { ...head(), broken: { position: link.position, auditId: link.audit_id, why } };
      ({ position, hash } = link);
    }
    if (links.length < readBatchSize) break;
  }
  if (noted && noted.position > position) {
    const why = `the chain ends at ${position}, but ${noted.position} records had been sealed`;
    return { ...head(), broken: { position: position + 1n, auditId: 0n, why } };
  }
  return head();
}

async function readLinks(reader: Reader, after: bigint): Promise<Link[]> {
  const found = await sql<Link>`
    SELECT s.position, s.audit_id, s.hash, CASE WHEN l.id IS NOT NULL THEN audit_text(l) END AS text
      FROM audit_seals s LEFT JOIN audit_log l ON l.id = s.audit_id
     WHERE s.position > ${after} ORDER BY s.position LIMIT ${readBatchSize}`.execute(reader);
  return found.rows;
}

function findFault(link: Link, expected: bigint, before: Buffer, noted?: AuditHead): string | undefined {
  if (link.position !== expected) return `seal ${expected} is missing`;
  if (link.text === null) return 'the record is gone';
  const hash = createHash('sha256').update(before).update(link.text).digest();
  if (!hash.equals(link.hash)) return 'the record or its seal was changed';
  if (noted?.position === link.position && noted.hash !== hash.toString('hex')) {
    return 'the chain up to here is not the one that was noted';
  }
  return undefined;
}
