/** Seals new audit records into the hash chain, and reads the chain's head so that it can be logged elsewhere. */
import { sql } from 'kysely';
import { type AuditHead, sealAudit } from '../db/audit.ts';
import type { Database } from '../db/database.ts';

const fullBatch = 10_000;

/** Seals the next batch of records. Returns whether more are waiting. */
export async function sealNextRecords(database: Database): Promise<boolean> {
  return (await database.inTransaction(sealAudit)) >= fullBatch;
}

/**
 * Returns the head of the chain, or undefined if nothing is sealed. A log of heads, stored elsewhere, reveals a rewritten
 * chain.
 */
export async function readHead(database: Database): Promise<AuditHead | undefined> {
  const found = await sql<AuditHead>`
    SELECT position, encode(hash, 'hex') AS hash FROM audit_seals ORDER BY position DESC LIMIT 1`.execute(
    database.reader,
  );
  return found.rows[0];
}
