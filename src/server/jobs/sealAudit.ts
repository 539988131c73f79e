/**
 * The background work on the audit chain: sealing new records, storing the chain's head outside the database, and a daily
 * proof of the books that seals every balance.
 */
import { sql } from 'kysely';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import type { AuditHead } from '../db/audit.ts';
import { recordVerification } from '../db/bankState.ts';
import type { Database } from '../db/database.ts';
import { recordDailyProof } from '../ledger/dayEnd.ts';
import { storeSealedBalances } from '../ledger/sealedBalances.ts';
import { type Sealed, sealRecords, type Waiting } from '../ledger/sealing.ts';
import { verifyBooks } from '../ledger/verify.ts';
import type { Parts } from '../parts.ts';
import { type HeadParts, storeHead } from './auditHeads.ts';
import { compareFile } from './railCompare.ts';

export type SealParts = HeadParts & {
  database: Database;
  secrets: Pick<Parts['secrets'], 'sealKey'>;
};

/** After this time without a seal, the sealing fails. `verify` warns after the same time. */
const maxBlockedMs = 5 * 60_000;

/**
 * Returns a function that seals the next batch of records and resolves to whether more are waiting. Throws if no record could
 * be sealed for five minutes because transactions that wrote to the audit log do not end.
 */
export function openSealing({ database, secrets, ...heads }: SealParts): () => Promise<boolean> {
  let last: AuditHead | undefined;
  let blocked: { by: Waiting; since: number } | undefined;
  return async () => {
    const { before, after, hasMore, waiting } = await sealRecords(database, secrets.sealKey, blocked?.by);
    // If the chain no longer contains the head we last sealed, it was rewritten. Store that head as evidence.
    if (last && !(await contains(database, before, last))) {
      heads.log.error({ position: String(last.position) }, 'the audit chain was truncated or rewritten');
      await storeHead(heads, last);
    }
    last = after;
    const isSame = waiting !== undefined && waiting.id === blocked?.by.id;
    blocked = waiting && { by: waiting, since: isSame ? blocked!.since : performance.now() };
    if (blocked && performance.now() - blocked.since >= maxBlockedMs)
      throw new Error(
        `For five minutes, transactions that wrote to the audit log have not ended. PostgreSQL processes: ${blocked.by.writers.join(', ')}.`,
      );
    return hasMore;
  };
}

async function contains(
  database: Database,
  before: Sealed['before'],
  { position, hash }: AuditHead,
): Promise<boolean> {
  if (before?.position === position) return before.hash === hash;
  const found = await readSeal(database, sql`position = ${position}`);
  return found?.hash === hash;
}

async function readSeal(database: Database, where = sql`true`): Promise<AuditHead | undefined> {
  const found = await sql<AuditHead>`
    SELECT position, encode(hash, 'hex') AS hash FROM audit_seals WHERE ${where} ORDER BY position DESC LIMIT 1`.execute(
    database.reader,
  );
  return found.rows[0];
}

/** The task `store-audit-head`, every ten minutes. */
export async function storeCurrentHead({ database, ...heads }: SealParts): Promise<void> {
  const head = await readSeal(database);
  if (head) await storeHead(heads, head);
}

/**
 * The daily task `seal-balances`: proves what happened since the last sealed balances and seals the new ones. Balances that
 * cannot be proven are not sealed; the log and the stored proof name each row that is wrong. A proof without a fault sets the
 * metric `last_verify_timestamp_seconds`, even if there is nothing new to seal. Yields to requests.
 */
export async function sealBalances(
  { database, secrets, log }: SealParts,
  signal?: AbortSignal,
): Promise<void> {
  const startedAt = new Date();
  const proven = await verifyBooks(database.owner, {
    sealKey: secrets.sealKey,
    sinceLast: true,
    compareFile,
    async onProgress() {
      await waitUntilIdle(signal);
      signal?.throwIfAborted();
    },
  });
  const { faults, since, sealed } = proven;
  await database.inTransaction(tx =>
    recordDailyProof(tx, { ...proven, startedAt, isWhole: since === undefined }),
  );
  for (const fault of faults) log.error({ fault }, "the books don't check out");
  if (faults.length > 0) return;
  if (sealed.day.position !== (since?.position ?? 0n))
    await storeSealedBalances(database, secrets.sealKey, sealed);
  await database.inTransaction(recordVerification);
}
