/** Restores the embedded bank from its backups to a point in time. The restored bank runs no jobs until it is released. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { copyDurably, copyFolder, ignore, syncFolder } from '../base/durableFiles.ts';
import { claimDataDir, openEmbedded } from '../embedded/embedded.ts';
import { picturePath } from '../outside/files.ts';
import { personKeyPath } from '../outside/personKeys.ts';
import { readLocalSecrets, storeLocalSecrets } from '../secrets.ts';
import {
  auditHeads,
  type BackupFolder,
  backupFolder,
  completeFile,
  listBaseBackups,
  readArchived,
  segmentPosition,
  timelineOf,
  toPosition,
} from './folder.ts';
import { findEarlyEnd, readTimes } from './times.ts';
import { decompress, parseHistory, segmentBytes } from './walArchive.ts';

/** `hasOwnFiles`: whether pictures and keys are in the data directory and not in the store of `FILES_URL`. */
type Place = { dataDir: string; backupDir: string; hasOwnFiles?: boolean };

/**
 * `waiting`: rows of mail that were waiting at the restored time. `missing`: pictures that the backup lacks or that cannot be
 * read. `erased`: customers with a picture but without a key (`findErased`). `aside`: where the former files are.
 */
export type Restored = {
  until: string;
  waiting: number;
  missing: string[];
  erased: string[];
  aside: string | undefined;
};

/** The files and folders of a bank in a data directory. */
const bankFiles = ['postgres', 'files', 'keys', 'secrets', auditHeads];

/**
 * Restores database, secrets and pictures to the state at `until`, by default the newest. The files in the data directory are
 * not moved aside until the restored bank is complete. Throws if the backups do not cover that time or cannot be restored, or
 * if a server is using the data directory. `onUnreadable` gets the error of a file that cannot be read and is not used, and
 * `onStep` a sentence about each step that may take long.
 */
export async function restore(
  place: Place,
  until: Date | undefined,
  onUnreadable: (error: Error) => void = () => {},
  onStep: (step: string) => void = () => {},
): Promise<Restored> {
  const folder = backupFolder(place.backupDir);
  const { base, target, timeline, check } = await choose(folder, until, onUnreadable);
  const release = claimDataDir(place.dataDir);
  const draft = join(place.dataDir, 'restoring');
  const isComplete = () => existsSync(join(base.path, completeFile));
  let isCopied = false;
  try {
    await rm(draft, { recursive: true, force: true });
    const cluster = join(draft, 'postgres');
    onStep(`Copying the backup ${base.name} and the log since then …`);
    await copyFolder(join(base.path, 'database'), cluster);
    await unpackWal(folder.wal, join(cluster, 'pg_wal'), base.startSegment);
    await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
    await copyFolder(join(base.path, 'secrets'), join(draft, 'secrets'));
    // Secrets: the current ones and those of the restored time, because encrypted data may need either. Keys of people: only
    // the current ones, so that a customer who was erased in the meantime stays erased.
    const now = readLocalSecrets(place.backupDir) ?? [];
    const then = readLocalSecrets(draft) ?? [];
    const [newest, ...former] = [...new Set([...now, ...then])];
    if (newest !== undefined) storeLocalSecrets(draft, [newest, ...former]);
    if (existsSync(folder.keys)) await copyFolder(folder.keys, join(draft, 'keys'));
    // Restores only the heads in the backup: later heads may belong to records that are newer than the restored time.
    const heads = join(base.path, auditHeads);
    if (existsSync(heads)) await copyDurably(heads, join(draft, auditHeads));
    // If the backup was deleted in the meantime, the copy lacks files.
    if (!isComplete()) throw new Error('The backup is incomplete.');
    isCopied = true;
    const { waiting, missing, erased } = await replay(
      draft,
      folder,
      timeline,
      until,
      check,
      onStep,
      place.hasOwnFiles ?? true,
    );
    return { until: target, waiting, missing, erased, aside: await swapIn(draft, place.dataDir) };
  } catch (error) {
    // The draft is deleted, but PostgreSQL's log is kept, because the error message may name it.
    const log = join(place.dataDir, 'logs', 'restore.log');
    await mkdir(dirname(log), { recursive: true, mode: 0o700 });
    await rename(draftLog(draft), log).catch(() => {});
    const isDeleted = !isCopied && existsSync(folder.base) && !isComplete();
    const message = isDeleted
      ? 'The backup was deleted for its age while it was copied. Start the restore again.'
      : (error as Error).message.replaceAll(draftLog(draft), log);
    throw new Error(`${message}\nNothing was restored.`, { cause: error });
  } finally {
    await rm(draft, { recursive: true, force: true }).catch(() => {});
    release();
  }
}

async function choose(folder: BackupFolder, until: Date | undefined, onUnreadable: (error: Error) => void) {
  const bases = await listBaseBackups(folder, onUnreadable);
  const archived = await readArchived(folder);
  if (bases.length === 0 || !archived) throw new Error('There is no complete backup in BACKUP_DIR.');
  const target = until?.toISOString() ?? archived.until;
  if (target > archived.until)
    throw new Error(`The backup reaches until ${archived.until}. Choose that time or an earlier one.`);
  const copies = [...(archived.former ?? []), archived];
  const at = copies.findIndex(copy => target <= copy.until);
  const { segment, since } = copies[at]!;
  if (since !== undefined && target < since)
    throw new Error(
      `The copied log ends at ${copies[at - 1]!.until} and continues at ${since}, after a restore. Choose a time that it covers.`,
    );
  const timeline = timelineOf(segment);
  const history = await readHistory(folder, timeline);
  /** Whether the chosen timeline, or one that it continues, has this position. */
  const leadsHere = (from: string, lsn: string) =>
    from === timeline ||
    history.some(({ timeline: former, end }) => former === from && toPosition(lsn) <= end);
  // Sorted by position and not by time, because the clock may have been set back.
  const usable = bases
    .filter(base => leadsHere(timelineOf(base.startSegment), base.lsn))
    .sort((a, b) => Number(toPosition(a.lsn) - toPosition(b.lsn)));
  const base = usable.findLast(({ endedAt }) => endedAt <= target);
  if (!base && usable[0])
    throw new Error(`The oldest backup ends at ${usable[0].endedAt}. Choose a later time.`);
  if (!base) throw new Error(`No backup was made from which the copied log leads to ${target}.`);
  const { gap } = archived;
  if (gap && target > gap.after && segmentPosition(base.startSegment) < segmentPosition(gap.from))
    throw new Error(
      `The copied log has a gap after ${gap.after}, and no backup was made between the gap and ${target}. Choose ${gap.after} or an earlier time.`,
    );
  const known = (until ? await readTimes(folder, onUnreadable) : []).filter(time =>
    leadsHere(time.timeline, time.lsn),
  );
  /** Throws if `reached`, where the replay ended, is before the target. */
  const check = (reached: string): void => {
    // Without a target time, PostgreSQL accepts any end of the log.
    const isShort = until === undefined && toPosition(reached) <= toPosition(archived.lsn);
    const early = until
      ? findEarlyEnd(known, target, reached, archived.until)
      : isShort && `The copied log is damaged: it ends at ${reached}, before ${archived.lsn}.`;
    if (early) throw new Error(early);
  };
  return { base, target, timeline, check };
}

const draftLog = (draft: string) => join(draft, 'logs', 'postgres.log');

/** The timelines before this one. The first timeline has no history file: the result is empty. */
async function readHistory({ wal }: BackupFolder, timeline: string) {
  const file = join(wal, `${timeline}.history.gz`);
  return existsSync(file) ? parseHistory((await decompress(await readFile(file))).toString()) : [];
}

/**
 * Replays the log in a draft of the data directory, to a time or to its end, and passes the position of the end to `check`.
 * Then holds the bank and, if it has its own files, restores the pictures.
 */
async function replay(
  draft: string,
  folder: BackupFolder,
  timeline: string,
  until: Date | undefined,
  check: (reached: string) => void,
  onStep: (step: string) => void,
  hasOwnFiles: boolean,
) {
  const settings = {
    // Makes PostgreSQL fail rather than end on another timeline.
    recovery_target_timeline: String(Number.parseInt(timeline, 16)),
    // The log is already in its place, so there is nothing to fetch.
    restore_command: 'false',
    // With hot standby, PostgreSQL stops or pauses if the bank had a higher `max_connections`, as with more `WORKERS`.
    hot_standby: 'off',
    ...(until && {
      // PostgreSQL does not know `Z` yet when it reads this setting.
      recovery_target_time: until.toISOString().replace('Z', '+00'),
      recovery_target_action: 'promote',
    }),
  };
  onStep('Replaying the log …');
  // `openEmbedded` returns when PostgreSQL has replayed the log, and throws if the replay makes no progress.
  const embedded = await openEmbedded({ dataDir: draft, settings });
  try {
    const client = new pg.Client(embedded.connection);
    client.on('error', () => {});
    await client.connect();
    try {
      const { rows } = await client.query<{ reached: string }>('SELECT pg_last_wal_replay_lsn() AS reached');
      check(rows[0]!.reached);
      const held = await client.query<{ waiting: number }>('SELECT hold_bank() AS waiting');
      if (!hasOwnFiles) return { waiting: held.rows[0]!.waiting, missing: [], erased: [] };
      onStep('Copying the pictures …');
      const missing = await restorePictures(client, folder, join(draft, 'files'));
      return {
        waiting: held.rows[0]!.waiting,
        missing,
        erased: await findErased(client, join(draft, 'keys')),
      };
    } finally {
      await client.end().catch(() => {});
    }
  } finally {
    await embedded.stop();
  }
}

/** Decompresses the log from `start` on. Incomplete segments are padded with zeros, at which PostgreSQL stops reading. */
async function unpackWal(from: string, to: string, start: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const file of (await readdir(from)).sort()) {
    const [, name, kind] = /^([0-9A-F]{24}|[0-9A-F]{8}\.history)(\.partial)?\.gz$/.exec(file) ?? [];
    if (name === undefined || (name.length === 24 && name.slice(8) < start.slice(8))) continue;
    if (kind !== undefined && existsSync(join(from, `${name}.gz`))) continue;
    const path = join(to, name);
    await writeFile(path, await decompress(await readFile(join(from, file))), { mode: 0o600 });
    if (kind !== undefined) await truncate(path, Number(segmentBytes));
  }
}

/**
 * Moves the bank's files from the data directory into a new folder, and the draft's files into the data directory. If that
 * fails, moves everything back. Returns the new folder, or undefined if the data directory had no bank.
 */
async function swapIn(draft: string, dataDir: string): Promise<string | undefined> {
  const aside = join(dataDir, `before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  const moved: [from: string, to: string][] = [];
  const move = async (name: string, fromDir: string, toDir: string): Promise<void> => {
    const [from, to] = [join(fromDir, name), join(toDir, name)];
    if (!existsSync(from)) return;
    await mkdir(toDir, { recursive: true, mode: 0o700 });
    await rename(from, to);
    moved.push([from, to]);
  };
  try {
    // In an empty data directory, `claimDataDir` made this folder.
    await rmdir(join(dataDir, 'secrets')).catch(() => {});
    for (const name of bankFiles) await move(name, dataDir, aside);
    for (const name of bankFiles) await move(name, draft, dataDir);
    await syncFolder(dataDir);
  } catch (error) {
    try {
      for (const [from, to] of moved.reverse()) await rename(to, from);
    } catch {
      throw new Error(`${(error as Error).message}\nMove what is in ${aside} back to ${dataDir}.`);
    }
    await rmdir(aside).catch(() => {});
    throw error;
  }
  return existsSync(aside) ? aside : undefined;
}

/**
 * Copies the pictures of the restored customers. Newer pictures stay in the backup. Returns the names of pictures that the
 * backup lacks or that cannot be read. Throws if the backup itself can no longer be read.
 */
async function restorePictures(client: pg.Client, folder: BackupFolder, to: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT unnest(array_remove(ARRAY[avatar_file, id_card_file], NULL)) AS name FROM customers`,
  );
  const missing: string[] = [];
  for (const { name } of rows) {
    const path = picturePath(name);
    if (path === undefined || !existsSync(join(folder.files, path))) {
      missing.push(name);
      continue;
    }
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const source = join(folder.files, path);
    const copy = () => copyDurably(source, target);
    // Retries once, because the error may be temporary. A picture that cannot be read must not fail the whole restore.
    await copy()
      .catch(copy)
      .catch(async error => {
        if (await readFile(source).catch(() => undefined)) throw error;
        missing.push(name);
      });
  }
  if (missing.length > 0) {
    // If the backup's disk failed during the copy, the pictures after that only seem to be missing.
    await readdir(folder.base);
    await readdir(folder.files).catch(ignore('ENOENT'));
  }
  return missing;
}

/** Customers with a picture but without a key: erased after the restored time, or their keys were never copied. */
async function findErased(client: pg.Client, keys: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM customers WHERE deleted_at IS NULL AND coalesce(avatar_file, id_card_file) IS NOT NULL ORDER BY id',
  );
  return rows.map(({ id }) => id).filter(id => !existsSync(join(keys, personKeyPath(id))));
}
