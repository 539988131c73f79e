/**
 * One owner per data directory: the file owner.lock names the process that starts and stops the embedded database.
 * The lock is taken in one step, and one left behind by a process that died is worth nothing.
 */
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isAlive, startMark } from './processes.ts';

/**
 * Who holds a data directory: the bank itself, or a command that will be done in a moment. `place` is the directory's
 * own number, because a copied directory brings the lock of its original along.
 */
export type Owner = { pid: number; startMark: string | null; place: string; kind: 'server' | 'command' };

function lockPath(dataDir: string): string {
  return join(dataDir, 'owner.lock');
}

function placeOf(path: string): string {
  const { dev, ino } = statSync(dirname(path), { bigint: true });
  return `${dev}:${ino}`;
}

function readLock(path: string): { text: string; owner: Owner | undefined } | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const owner = JSON.parse(text) as Owner;
    const valid = Number.isInteger(owner.pid) && owner.pid > 0 && owner.place === placeOf(path);
    return { text, owner: valid ? owner : undefined };
  } catch {
    return { text, owner: undefined };
  }
}

function lives(owner: Owner | undefined): owner is Owner {
  if (!owner || !isAlive(owner.pid)) return false;
  const mark = startMark(owner.pid);
  return mark === undefined || owner.startMark === null || mark === owner.startMark;
}

/** The living owner of the data directory, if there is one. */
export function readOwner(dataDir: string): Owner | undefined {
  const owner = readLock(lockPath(dataDir))?.owner;
  return lives(owner) ? owner : undefined;
}

/** Takes the data directory for this process. Returns how to give it back, or the living owner who has it. */
export function claimOwner(dataDir: string, kind: Owner['kind']): { release: () => void } | { owner: Owner } {
  const path = lockPath(dataDir);
  const owner: Owner = {
    pid: process.pid,
    startMark: startMark(process.pid) ?? null,
    place: placeOf(path),
    kind,
  };
  const mine = JSON.stringify(owner);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    for (;;) {
      try {
        // A hard link appears complete or not at all: nobody ever reads half a lock.
        linkSync(draft, path);
        return { release: () => release(path, mine) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const found = readLock(path);
      if (found && lives(found.owner)) return { owner: found.owner };
      if (found) removeStale(path, found.text);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Two processes may find the same stale lock at once: whoever moves away a newer one puts it back. */
function removeStale(path: string, staleText: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readLock(aside)?.text !== staleText) {
    try {
      linkSync(aside, path);
    } catch {
      // Somebody took it meanwhile; the next look shows whom.
    }
  }
  rmSync(aside, { force: true });
}

function release(path: string, mine: string): void {
  try {
    if (readLock(path)?.text === mine) rmSync(path, { force: true });
  } catch {
    // The data directory is gone: so is the lock.
  }
}
