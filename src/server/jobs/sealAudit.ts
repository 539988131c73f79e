/** Chains what was recorded, seconds after it was, and tells the chain's end so that it can be noted elsewhere. */
import { sql } from 'kysely';
import { type AuditHead, sealAudit } from '../db/audit.ts';
import type { Database } from '../db/database.ts';

const aFullBatch = 10_000;

/** Seals what can be sealed now, a batch at most. True where more waits. */
export async function sealNext(database: Database): Promise<boolean> {
  return (await database.inTransaction(sealAudit)) >= aFullBatch;
}

/** The end of the chain; undefined where nothing is sealed. A log of these, kept elsewhere, makes a rewritten chain visible. */
export async function readHead(database: Database): Promise<AuditHead | undefined> {
  const found = await sql<AuditHead>`
    SELECT position, encode(hash, 'hex') AS hash FROM audit_seals ORDER BY position DESC LIMIT 1`.execute(
    database.reader,
  );
  return found.rows[0];
}
