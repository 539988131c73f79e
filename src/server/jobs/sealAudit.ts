/** The task `seal-audit`: chains what was recorded, and once an hour notes the chain's end where the database cannot reach. */
import { sql } from 'kysely';
import { type AuditHead, sealAudit } from '../db/audit.ts';
import type { Database } from '../db/database.ts';

const aFullBatch = 10_000;

/** Seals everything that can be sealed now. Returns how many records that were. */
export async function sealAll(database: Database): Promise<number> {
  let sealed = 0;
  for (;;) {
    const count = await database.inTransaction(sealAudit);
    sealed += count;
    if (count < aFullBatch) return sealed;
  }
}

/** The end of the chain; undefined where nothing is sealed. A log of these, kept elsewhere, makes a rewritten chain visible. */
export async function readHead(database: Database): Promise<AuditHead | undefined> {
  const found = await sql<AuditHead>`
    SELECT position, encode(hash, 'hex') AS hash FROM audit_seals ORDER BY position DESC LIMIT 1`.execute(
    database.reader,
  );
  return found.rows[0];
}
