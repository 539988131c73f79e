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

/** A record and the transactions that must end before it can be sealed. Each is the id of its process and its own. */
export type Waiting = { id: bigint; writers: string[] };

/**
 * Returned by `sealRecords`: the chain's head before and after, undefined while nothing is sealed. `waiting`: what no record
 * could be sealed for.
 */
export type Sealed = {
  before: AuditHead | undefined;
  after: AuditHead | undefined;
  hasMore: boolean;
  waiting?: Waiting | undefined;
};

/**
 * Seals the next records in id order. However many records wait, a call reads about 1,000 rows, or one whole record if it has
 * more. `hasMore`: more records may wait, so call again. `waiting` is that of the call before: writers that overlap without a
 * gap then do not stop the sealing.
 */
export async function sealRecords(database: Database, sealKey: Key, waiting?: Waiting): Promise<Sealed> {
  const last = await readLastSeal(database.reader);
  const before = last && toHead(last);
  const found = await findHorizon(database.reader, last?.audit_id ?? 0n, waiting);
  if (found.horizon === undefined) return { before, after: before, hasMore: false, waiting: found.waiting };
  const { horizon } = found;
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
 * An id up to which no new record can appear; undefined if there is nothing to seal, or if the writers in `waiting` take too
 * long. Writers draw ids in order and hold a lock on the table until they end. This function reads the newest record and then
 * the writers at that time. Once these writers have all ended, every record up to that newest one is committed or rolled back.
 */
async function findHorizon(
  reader: Reader,
  after: bigint,
  earlier: Waiting | undefined,
): Promise<{ horizon?: bigint; waiting?: Waiting }> {
  const waiting = earlier && earlier.id > after ? earlier : await readNewest(reader, after);
  if (!waiting) return {};
  const { id } = waiting;
  let { writers } = waiting;
  for (let waitedMs = 0; writers.length > 0; waitedMs += horizonPollMs) {
    if (waitedMs >= horizonWaitMs) return { waiting: { id, writers } };
    await sleep(horizonPollMs);
    const current = await findWriters(reader);
    writers = writers.filter(writer => current.includes(writer));
  }
  return { horizon: id };
}

/** The newest record after `after` and the transactions that write then; undefined if there is none. */
async function readNewest(reader: Reader, after: bigint): Promise<Waiting | undefined> {
  const newest = await sql<{ id: bigint | null }>`
    SELECT max(id) AS id FROM audit_log WHERE id > ${after}`.execute(reader);
  const id = newest.rows[0]!.id;
  return id === null ? undefined : { id, writers: await findWriters(reader) };
}

/** The transactions that have written to the audit log and not ended yet. */
async function findWriters(reader: Reader): Promise<string[]> {
  const found = await sql<{ writer: string }>`
    SELECT concat_ws(' ', pid, virtualtransaction) AS writer FROM pg_locks
     WHERE locktype = 'relation' AND relation = 'audit_log'::regclass AND mode = 'RowExclusiveLock' AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(reader);
  return found.rows.map(row => row.writer);
}
