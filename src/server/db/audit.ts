/**
 * The audit log: who did what, when, from where. A record is part of the transaction it speaks of; sealing chains
 * records afterwards, each hashed with the one before it, and verifying finds the first that was touched.
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

/** Writes a record. It stands if and only if the transaction commits. */
export async function recordAudit(tx: Tx, record: AuditRecord): Promise<void> {
  const { actor, action, subject = null, address = null, data } = record;
  await sql`
    INSERT INTO audit_log (actor_kind, actor_id, action, subject, address, data)
    VALUES (${actor.kind}, ${actor.id ?? null}, ${action}, ${subject}, ${address},
            ${data === undefined ? null : JSON.stringify(data)}::jsonb)`.execute(tx);
}

/** The newest record of what this person did to that subject: how long ago it was made, and its data. Undefined where none. */
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

/** How many records are in the log and not in the chain yet: a few while the bank runs, none soon after it is quiet. */
export async function countUnsealed(reader: Reader): Promise<number> {
  const counted = await sql<{ n: bigint }>`
    SELECT count(*) AS n FROM audit_log l
     WHERE NOT EXISTS (SELECT FROM audit_seals s WHERE s.audit_id = l.id)`.execute(reader);
  return Number(counted.rows[0]!.n);
}

const sealedAtOnce = 10_000;

/**
 * Seals what can be sealed now, at most ten thousand records; returns how many. Fewer than that means that all is
 * sealed but what transactions under way could still come before.
 */
export async function sealAudit(tx: Tx): Promise<number> {
  const sealed = await sql<{ n: number }>`SELECT seal_audit(${sealedAtOnce}) AS n`.execute(tx);
  return sealed.rows[0]!.n;
}

/** The end of the chain: how many records are sealed, and the hash (hex) that stands for all of them. */
export type AuditHead = { position: bigint; hash: string };

/** What `verifyAudit` found. `broken` names the first record that is not what was sealed. */
export type AuditVerdict = AuditHead & { broken?: { position: bigint; auditId: bigint; why: string } };

type Link = { position: bigint; audit_id: bigint; hash: Buffer; text: string | null };

const readAtOnce = 5_000;

/**
 * Recomputes the whole chain, here and not in the database. Give `noted`, a head that was written down elsewhere, and
 * a chain that was cut short or made anew is found too. Unsealed records are not looked at: seal first.
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
    if (links.length < readAtOnce) break;
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
     WHERE s.position > ${after} ORDER BY s.position LIMIT ${readAtOnce}`.execute(reader);
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
