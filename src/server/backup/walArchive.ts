/**
 * Copies the write-ahead log of the embedded database to the backup folder. Completed segments (files of 16 MiB) are copied
 * once. The durable part of the current segment is copied each time, so a restore loses only the seconds since the last copy. A
 * replication slot makes PostgreSQL keep each segment until it was copied.
 */
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type pg from 'pg';
import { exists, ignore, replaceDurably } from '../base/durableFiles.ts';
import {
  type Archived,
  type BackupFolder,
  readArchived,
  segmentPosition,
  type TimelineCopy,
  timelineOf,
  toPosition,
} from './folder.ts';
import { noteTime } from './times.ts';

const compress = promisify(gzip);
/** Decompresses a file of the copied log. */
export const decompress: (bytes: Uint8Array) => Promise<Buffer> = promisify(gunzip);

/** The size of a segment, PostgreSQL's default. */
export const segmentBytes = 16n * 1024n * 1024n;
const segmentsPerId = 0x1_0000_0000n / segmentBytes;
/** For each folder object, the `until` of the last copy by this process. While a process runs, its disk is not set back. */
const lastCopied = new WeakMap<BackupFolder, string>();
/** Name of the replication slot. */
const slot = 'larkspur_backup';

function toLsn(position: bigint): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();
}

/** The name of the segment that contains a position. */
function segmentOf(timeline: string, position: bigint): string {
  const segment = position / segmentBytes;
  const hex = (part: bigint) => part.toString(16).toUpperCase().padStart(8, '0');
  return timeline + hex(segment / segmentsPerId) + hex(segment % segmentsPerId);
}

function segmentBefore(name: string): string {
  const segment = BigInt(`0x${name.slice(8, 16)}`) * segmentsPerId + BigInt(`0x${name.slice(16)}`);
  return segmentOf(name.slice(0, 8), (segment - 1n) * segmentBytes);
}

/**
 * The timelines before this one, oldest first, each with the position where the next one branched off. `text`: PostgreSQL's
 * history file.
 */
export function parseHistory(text: string): { timeline: string; end: bigint }[] {
  return [...text.matchAll(/^(\d+)\t([0-9A-F]+\/[0-9A-F]+)/gm)].map(([, id, lsn]) => ({
    timeline: Number(id).toString(16).toUpperCase().padStart(8, '0'),
    end: toPosition(lsn!),
  }));
}

/** The segment that contains a log position on the server's current timeline. */
export async function findSegment(database: Queries, lsn: string): Promise<string> {
  const { rows } = await database.query<{ file: string }>(
    'SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS file',
  );
  return segmentOf(rows[0]!.file.slice(0, 8), toPosition(lsn));
}

/** A connection or a pool with the owner's privileges. */
export type Queries = Pick<pg.ClientBase, 'query'>;

/** Makes PostgreSQL keep the log until `archiveWal` has copied it, up to the limit `max_slot_wal_keep_size`. */
export async function keepWal(database: Queries): Promise<void> {
  const { rows } = await database.query<{ wal_status: string | null }>(
    'SELECT wal_status FROM pg_replication_slots WHERE slot_name = $1',
    [slot],
  );
  if (rows[0] && rows[0].wal_status !== 'lost') return;
  if (rows[0]) await database.query('SELECT pg_drop_replication_slot($1)', [slot]);
  await database.query('SELECT pg_create_physical_replication_slot($1, true)', [slot]);
}

/** Lets PostgreSQL reuse the log that it no longer needs itself. */
export async function stopKeepingWal(database: Queries): Promise<void> {
  await database.query(
    'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND NOT active',
    [slot],
  );
}

/**
 * Copies the log up to now. `copyRest` is called after the end of the copy is fixed, so what it copies is at least as new as
 * every commit in the copied log. If PostgreSQL has dropped segments since the last copy, the result has a new `gap`. Restores
 * to later times then need a base backup made after the gap.
 */
export async function archiveWal(
  database: Queries,
  clusterDir: string,
  folder: BackupFolder,
  copyRest: () => Promise<void>,
): Promise<Archived> {
  await mkdir(folder.wal, { recursive: true, mode: 0o700 });
  const previous = await readArchived(folder);
  // Commits, so that a restore to any time up to `until` finds a later commit to stop at. Because the transaction writes a
  // message, PostgreSQL waits until the commit is durable. Otherwise the copy could end before this commit.
  const { rows: commits } = await database.query<{ until: Date; before: string }>(
    `SELECT now() AS until, pg_current_wal_insert_lsn() AS before
       FROM pg_logical_emit_message(true, 'larkspur', '')`,
  );
  // `at`: rounded up, because a `Date` has no microseconds.
  const { rows } = await database.query<{ lsn: string; file: string; at: Date }>(
    `SELECT pg_current_wal_flush_lsn() AS lsn, pg_walfile_name(pg_current_wal_insert_lsn()) AS file,
            clock_timestamp() + interval '1 millisecond' AS at`,
  );
  const { lsn, file, at } = rows[0]!;
  const timeline = timelineOf(file);
  const last = previous && timelineOf(previous.segment);
  if (last !== undefined && timeline < last)
    throw new Error(
      'a bank that was restored from this BACKUP_DIR copies its log there now; give this bank another folder',
    );
  const wal = join(clusterDir, 'pg_wal');
  if (
    previous &&
    timeline === last &&
    (toPosition(lsn) < toPosition(previous.lsn) || !(await isContinued(wal, folder, previous)))
  )
    throw new Error(
      'the bank is older than the copied log in BACKUP_DIR, as if its disk was set back; restore it to newest, or give it another folder',
    );
  const end = toPosition(lsn);
  await copyRest();
  const segment = segmentOf(timeline, end);
  await copySegments(wal, folder.wal, segment, Number(end % segmentBytes));
  const archived = {
    until: commits[0]!.until.toISOString(),
    lsn: commits[0]!.before,
    segment,
    ...(previous && (await continueCopy(wal, folder, previous, segment))),
  };
  await replaceDurably(join(folder.wal, 'archived.json'), Buffer.from(JSON.stringify(archived)));
  await noteTime(folder, { at: at.toISOString(), timeline, lsn: archived.lsn });
  lastCopied.set(folder, archived.until);
  await database.query(
    `SELECT pg_replication_slot_advance(slot_name, $2::pg_lsn) FROM pg_replication_slots
      WHERE slot_name = $1 AND NOT active AND restart_lsn < $2::pg_lsn`,
    [slot, toLsn(end - (end % segmentBytes))],
  );
  return archived;
}

/**
 * Whether the log in `pg_wal` is the one that was copied last. It differs if the disk was set back, even if the bank has since
 * written more log than was copied. Compares up to the last copied commit, because PostgreSQL may write the log after that
 * commit again when it recovers. Returns true if PostgreSQL has removed the segment since: that is a gap.
 */
async function isContinued(wal: string, folder: BackupFolder, previous: Archived): Promise<boolean> {
  if (previous.until === lastCopied.get(folder)) return true;
  const position = toPosition(previous.lsn);
  const segment = segmentOf(timelineOf(previous.segment), position);
  const read = (name: string) => readFile(join(folder.wal, name)).catch(ignore('ENOENT'));
  const copy = (await read(`${segment}.gz`)) ?? (await read(`${segment}.partial.gz`));
  if (copy === undefined || !(await exists(join(wal, segment)))) return true;
  const length = Number(position % segmentBytes);
  const copied = await decompress(copy);
  return copied.subarray(0, length).equals(await readStart(join(wal, segment), length));
}

/** How the copy up to `segment` continues the last copy, on the same timeline or on one that a restore has started since. */
async function continueCopy(
  wal: string,
  folder: BackupFolder,
  previous: Archived,
  segment: string,
): Promise<Pick<Archived, 'since' | 'former' | 'gap'>> {
  const { since, until, former = [] } = previous;
  const timeline = timelineOf(segment);
  if (timeline === timelineOf(previous.segment))
    return {
      since,
      former,
      gap: (await findGap(folder, previous, segment, previous.segment)) ?? previous.gap,
    };
  const file = join(wal, `${timeline}.history`);
  const ended = [...former, { segment: previous.segment, since, until }];
  const branch = parseHistory(await readFile(file, 'utf8')).at(-1)!;
  const first = segmentOf(timeline, branch.end);
  const isCopied = ({ segment: end }: TimelineCopy) =>
    timelineOf(end) === branch.timeline && segmentPosition(end) >= segmentPosition(first);
  return {
    // PostgreSQL writes the history file when the restored bank starts to write.
    since: (await stat(file)).mtime.toISOString(),
    former: ended,
    gap:
      (await findGap(folder, previous, segment, first)) ??
      (ended.some(isCopied) ? previous.gap : { after: until, from: first }),
  };
}

/** The gap between the segments `start` and `current` of one timeline; undefined if no segment is missing. */
async function findGap(
  folder: BackupFolder,
  { until }: Archived,
  current: string,
  start: string,
): Promise<Archived['gap']> {
  let from = current;
  for (let before = ''; from !== start; from = before) {
    before = segmentBefore(from);
    if (!(await exists(join(folder.wal, `${before}.gz`)))) return { after: until, from };
  }
  return undefined;
}

/** Copies the current timeline's completed segments and the first bytes of the current one, and the histories of timelines. */
async function copySegments(from: string, to: string, current: string, currentBytes: number): Promise<void> {
  for (const name of (await readdir(from)).sort()) {
    const isSegment = /^[0-9A-F]{24}$/.test(name) && name.slice(0, 8) === current.slice(0, 8);
    const isHistory = /^[0-9A-F]{8}\.history$/.test(name);
    const target = join(to, `${name}.gz`);
    if ((!isHistory && (!isSegment || name >= current)) || (await exists(target))) continue;
    await replaceDurably(target, await pack(await readFile(join(from, name))));
    await rm(join(to, `${name}.partial.gz`), { force: true });
  }
  if (currentBytes === 0) return;
  const bytes = await readStart(join(from, current), currentBytes);
  await replaceDurably(join(to, `${current}.partial.gz`), await pack(bytes));
}

/** Compresses fast rather than small, because the log is copied every few seconds. */
async function pack(bytes: Uint8Array): Promise<Buffer> {
  return await compress(bytes, { level: constants.Z_BEST_SPEED });
}

async function readStart(path: string, length: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
