/**
 * Which position in the write-ahead log belongs to which time. Each round of the copy adds a line to `wal/times-<date>.txt`. A
 * restore to a time stops at the first commit with a later timestamp. If the clock had been set back, that commit may be long
 * before the position that belongs to the time.
 */
import { appendFile, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackupFolder, toPosition, unreadable } from './folder.ts';

/**
 * At the time `at`, every commit before the position `lsn` of this timeline had been made. After the clock was set back, some
 * of these commits have later timestamps.
 */
export type KnownTime = { at: string; timeline: string; lsn: string };

const fileName = /^times-(\d{4}-\d\d-\d\d)\.txt$/;
/** A complete line. Other lines are ignored: a process that was killed may have written half a line. */
const line = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) ([0-9A-F]{8}) ([0-9A-F]+\/[0-9A-F]+)$/gm;

export async function noteTime({ wal }: BackupFolder, { at, timeline, lsn }: KnownTime): Promise<void> {
  await appendFile(join(wal, `times-${at.slice(0, 10)}.txt`), `${at} ${timeline} ${lsn}\n`, { mode: 0o600 });
}

/**
 * All known times. Empty for a copy that an older version made. `onUnreadable` gets the error of a file that cannot be read:
 * its times are then not checked.
 */
export async function readTimes(
  { wal }: BackupFolder,
  onUnreadable: (error: Error) => void,
): Promise<KnownTime[]> {
  const known: KnownTime[] = [];
  for (const name of await readdir(wal)) {
    if (!fileName.test(name)) continue;
    const path = join(wal, name);
    const text = await readFile(path, 'utf8').catch((error: Error) => {
      const { message } = unreadable(path, error);
      onUnreadable(
        new Error(`${message}. If the clock was set back on that day, this restore will not notice.`),
      );
      return '';
    });
    for (const [, at, timeline, lsn] of text.matchAll(line))
      known.push({ at: at!, timeline: timeline!, lsn: lsn! });
  }
  return known;
}

/** Deletes the times of the days before this time. */
export async function deleteTimes({ wal }: BackupFolder, before: string): Promise<void> {
  for (const name of await readdir(wal)) {
    const day = fileName.exec(name)?.[1];
    if (day !== undefined && day < before.slice(0, 10)) await rm(join(wal, name), { force: true });
  }
}

/**
 * Says why a replay to the time `target` ended too early, at the position `reached`. Undefined if it did not end too early.
 * `known`: the times of the restored timeline and those before it. `until`: the time to which the copied log reaches.
 */
export function findEarlyEnd(
  known: readonly KnownTime[],
  target: string,
  reached: string,
  until: string,
): string | undefined {
  const times = known.map(({ at, lsn }) => ({ at, position: toPosition(lsn) }));
  const end = toPosition(reached);
  // A replay that ends exactly at a known position has everything before it.
  const missed = times.filter(({ position }) => position > end);
  const due = missed.filter(({ at }) => at <= target);
  if (due.length === 0) return undefined;
  const newest = (some: { at: string }[]) => some.reduce((max, { at }) => (at > max ? at : max), '');
  const back = due.reduce((min, { at }) => (at < min ? at : min), target);
  const earlier = newest(times.filter(({ at, position }) => position < end && at < back));
  const last = due.reduce((max, { position }) => (position > max ? position : max), 0n);
  const ahead = newest(times.filter(({ position }) => position < last));
  const choices = [
    ...(earlier ? [`${earlier} or an earlier time`] : []),
    ...(ahead > target && ahead < until ? [`a time after ${ahead}`] : []),
    'newest',
  ];
  return `The log cannot be replayed to ${target}: the clock was set back to ${back} or earlier, and some changes before that have later times. Choose ${choices.join(', or ')}.`;
}
