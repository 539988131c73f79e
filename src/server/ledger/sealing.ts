/**
 * Seals audit records: adds them, with the rows of the books that they report, to a chain of HMACs. The current key is
 * derived from APP_SECRET and is not in the database.
 */
import type { KeyObject } from 'node:crypto';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { sql } from 'kysely';
import { sleep } from '../base/deadline.ts';
import type { Key } from '../base/keys.ts';
import type { AuditHead } from '../db/audit.ts';
import type { Database, Reader } from '../db/database.ts';
import {
  type EvidenceRow,
  fetchEvidence,
  fixNamesAndFormats,
  groupByRecord,
  hashRecord,
  hasName,
  hasTag,
  openEvidence,
  tagOfName,
  tagOfRow,
} from './evidence.ts';
import { openSealKey, recordSealKey } from './sealKeys.ts';

/** Rows per batch: few, because reading them slows down the payments that are posted at the same time. */
const batchRows = 1_000;
/** How many rows are hashed before the event loop can serve requests again: about a millisecond of work. */
const maxRowsAtOnce = 64;
const horizonWaitMs = 1_000;
const horizonPollMs = 20;

/**
 * Returned by `sealRecords`: the chain's head before and after, undefined while nothing is sealed. `blockedBy`: the
 * transactions because of which no record could be sealed.
 */
export type Sealed = {
  before: AuditHead | undefined;
  after: AuditHead | undefined;
  hasMore: boolean;
  blockedBy?: string[] | undefined;
};

/**
 * Seals the next records in id order. However many records wait, a call reads about 1,000 rows, or one whole record if it has
 * more. `hasMore`: more records may wait, so call again.
 */
export async function sealRecords(database: Database, sealKey: Key): Promise<Sealed> {
  const last = await readLastSeal(database.reader);
  const before = last && toHead(last);
  const { horizon, blockedBy } = await findHorizon(database.reader, last?.audit_id ?? 0n);
  if (horizon === undefined) return { before, after: before, hasMore: false, blockedBy };
  return await database.inTransaction(async tx => {
    await fixNamesAndFormats(tx);
    await openEvidence(tx, last?.audit_id, horizon);
    let rows = await fetchEvidence(tx, batchRows);
    let isComplete = rows.length < batchRows;
    const records = groupByRecord([], rows);
    // The last record may continue beyond the batch.
    while (!isComplete && records.length === 1) {
      rows = await fetchEvidence(tx, batchRows);
      isComplete = rows.length < batchRows;
      records.splice(0, 1, ...groupByRecord(records[0]!, rows));
    }
    if (!isComplete) records.pop();
    if (records.length === 0) return { before, after: before, hasMore: false };
    const { key, isNew } = await openSealKey(tx, sealKey);
    let hash: Buffer = last?.hash ?? Buffer.alloc(32);
    const seals: { id: bigint; hash: Buffer; evidence: Buffer }[] = [];
    let hashedRows = 0;
    for (const record of records) {
      const evidence = gatherEvidence(key, record);
      hash = hashRecord(key, hash, evidence, record[0]!);
      seals.push({ id: record[0]!.id, hash, evidence });
      hashedRows += record.length;
      if (hashedRows < maxRowsAtOnce) continue;
      hashedRows = 0;
      await nextIteration();
    }
    const appended = await sql<{ done: boolean }>`
      SELECT public.append_seals(${last?.audit_id ?? 0n}, ${seals.map(seal => seal.id)}::bigint[],
                                 ${seals.map(seal => seal.hash)}::bytea[], ${seals.map(seal => seal.evidence)}::bytea[]) AS done`.execute(
      tx,
    );
    if (!appended.rows[0]!.done) return { before, after: before, hasMore: true };
    const sealedBefore = last?.position ?? 0n;
    if (isNew) await recordSealKey(tx, sealKey, sealedBefore + 1n);
    const position = sealedBefore + BigInt(seals.length);
    return { before, after: { position, hash: hash.toString('hex') }, hasMore: !isComplete };
  });
}

/** The tags of the rows that a record reports, then the tags of the names. */
function gatherEvidence(key: KeyObject, record: EvidenceRow[]): Buffer {
  return Buffer.concat([
    ...record.filter(hasTag).map(row => tagOfRow(key, row)),
    ...record.filter(hasName).map(row => tagOfName(key, row)),
  ]);
}

type LastSeal = { position: bigint; audit_id: bigint; hash: Buffer };

async function readLastSeal(reader: Reader): Promise<LastSeal | undefined> {
  const found = await sql<LastSeal>`
    SELECT position, audit_id, hash FROM audit_seals ORDER BY position DESC LIMIT 1`.execute(reader);
  return found.rows[0];
}

const toHead = ({ position, hash }: LastSeal): AuditHead => ({ position, hash: hash.toString('hex') });

/**
 * An id up to which no new record can appear; undefined if there is nothing to seal, or if the writers in `blockedBy` take too
 * long. Writers draw ids in order and hold a lock on the table until they end. This function reads the newest record and then
 * the writers at that time. Once these writers have all ended, every record up to that newest one is committed or rolled back.
 */
async function findHorizon(
  reader: Reader,
  after: bigint,
): Promise<{ horizon?: bigint; blockedBy?: string[] }> {
  const newest = await sql<{ id: bigint | null }>`
    SELECT max(id) AS id FROM audit_log WHERE id > ${after}`.execute(reader);
  const id = newest.rows[0]!.id;
  if (id === null) return {};
  let writers = await findWriters(reader);
  for (let waitedMs = 0; writers.length > 0; waitedMs += horizonPollMs) {
    if (waitedMs >= horizonWaitMs) return { blockedBy: writers };
    await sleep(horizonPollMs);
    const current = await findWriters(reader);
    writers = writers.filter(writer => current.includes(writer));
  }
  return { horizon: id };
}

/** The transactions that have written to the audit log and not ended yet: process and transaction. */
async function findWriters(reader: Reader): Promise<string[]> {
  const found = await sql<{ writer: string }>`
    SELECT concat_ws(' ', pid, virtualtransaction) AS writer FROM pg_locks
     WHERE locktype = 'relation' AND relation = 'audit_log'::regclass AND mode = 'RowExclusiveLock' AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(reader);
  return found.rows.map(row => row.writer);
}
