/**
 * One owner per data directory: the file owner.lock names the process that starts and stops the embedded database. The lock is
 * acquired atomically, and a lock of a dead process is ignored.
 */
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isAlive, startMark } from './processes.ts';

/**
 * The owner of a data directory: the bank itself, or a short-lived command. `place`: an id of the directory itself, because a
 * copied directory contains the lock of its original.
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

/** Returns the living owner of the data directory, if there is one. */
export function readOwner(dataDir: string): Owner | undefined {
  const owner = readLock(lockPath(dataDir))?.owner;
  return lives(owner) ? owner : undefined;
}

/** Acquires the lock for this process. Returns a function that releases it, or the living owner that holds it. */
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
        // A hard link appears atomically, so no process ever reads an incomplete lock.
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

/** Two processes may find the same stale lock. If one of them moves away a newer lock by mistake, it puts the lock back. */
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
      // Another process acquired it in the meantime; the next read shows which.
    }
  }
  rmSync(aside, { force: true });
}

function release(path: string, mine: string): void {
  try {
    if (readLock(path)?.text === mine) rmSync(path, { force: true });
  } catch {
    // The data directory was deleted, and the lock with it.
  }
}
