/**
 * The layout of the backup folder:
 *
 * - `base/<time>/`: a base backup with `database` (the cluster's files), `secrets`, `audit-heads.log`, `pictures.txt` (the
 *   names of the pictures at that time) and `backup.json`, which is written last and makes it complete;
 * - `wal/`: the write-ahead log, compressed, `archived.json`, which says how far it reaches, and the times of `times.ts`;
 * - `files/`: the pictures of all base backups, and those stored since;
 * - `keys/`, `secrets/`: people's keys and the secrets as they are now, not as they were at the time of a backup. So no
 *   backup can show the data of a person who was erased later.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignore } from '../base/durableFiles.ts';

/**
 * What `backup.json` says. `startSegment`: the first segment of the write-ahead log that a restore needs. A restore replays at
 * least up to the position `lsn`.
 */
export type BaseBackup = {
  startedAt: string;
  endedAt: string;
  startSegment: string;
  lsn: string;
  bankId: string;
};

/**
 * The copied log of one timeline. Each restore of the bank starts a new timeline. The copy covers the times from `since`
 * (undefined: from the first base backup) to `until`. `segment`: the last copied segment.
 */
export type TimelineCopy = { segment: string; since?: string | undefined; until: string };

/**
 * What `archived.json` says: the copied log has every commit up to the time `until`. A restore to the newest time replays past
 * the position `lsn`. `former`: the copies of earlier timelines, oldest first. `gap`: the newest gap in the copy. The log
 * between the time `after` and the start of the segment `from` is incomplete.
 */
export type Archived = TimelineCopy & {
  lsn: string;
  former?: TimelineCopy[] | undefined;
  gap?: { after: string; from: string } | undefined;
};

/**
 * The file that makes a base backup complete. It is written last and deleted first, so the rest of the backup is there for as
 * long as this file exists.
 */
export const completeFile = 'backup.json';

/** The file in a data directory that stores heads of the audit chain outside the database. */
export const auditHeads = 'audit-heads.log';

/** The timeline of a segment, as the eight digits that its name starts with. */
export const timelineOf = (segment: string): string => segment.slice(0, 8);

/** A position in the write-ahead log, from PostgreSQL's notation such as `0/1A2B3C`. */
export function toPosition(lsn: string): bigint {
  const [high, low] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** The position of a segment without its timeline, for sorting: positions continue when a restore starts a new timeline. */
export const segmentPosition = (name: string): string => name.slice(8, 24);

export type BackupFolder = {
  root: string;
  base: string;
  wal: string;
  files: string;
  keys: string;
  secrets: string;
};

export function backupFolder(backupDir: string): BackupFolder {
  const [base, wal, files, keys, secrets] = ['base', 'wal', 'files', 'keys', 'secrets'].map(name =>
    join(backupDir, name),
  ) as [string, string, string, string, string];
  return { root: backupDir, base, wal, files, keys, secrets };
}

/**
 * The complete base backups, oldest first. `onUnreadable` gets the error of one that cannot be read; by default it is thrown.
 */
export async function listBaseBackups(
  folder: BackupFolder,
  onUnreadable: (error: Error) => void = error => {
    throw error;
  },
): Promise<(BaseBackup & { name: string; path: string })[]> {
  const found = [];
  // Not `existsSync`: on a network disk that hangs, it would block the whole server.
  const names = await readdir(folder.base).catch(ignore('ENOENT'));
  for (const name of names?.sort() ?? []) {
    const path = join(folder.base, name);
    const file = join(path, completeFile);
    try {
      // `ENOTDIR`: desktops put files of their own there.
      const text = await readFile(file, 'utf8').catch(ignore('ENOENT')).catch(ignore('ENOTDIR'));
      if (text !== undefined) found.push({ name, path, ...(JSON.parse(text) as BaseBackup) });
    } catch (error) {
      onUnreadable(unreadable(file, error as Error));
    }
  }
  return found;
}

/** The error of a file that cannot be read. Node's own error often lacks the path. */
export const unreadable = (path: string, cause: Error) =>
  new Error(`${path} could not be read: ${(cause as NodeJS.ErrnoException).code ?? cause.message}`, {
    cause,
  });

/** How far the copied write-ahead log reaches; undefined if nothing was copied yet. */
export async function readArchived(folder: BackupFolder): Promise<Archived | undefined> {
  const file = join(folder.wal, 'archived.json');
  const text = await readFile(file, 'utf8').catch(ignore('ENOENT'));
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Archived);
  } catch (error) {
    throw unreadable(file, error as Error);
  }
}
