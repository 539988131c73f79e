/** The directory of the database's socket: a short path that only PostgreSQL's user and root can access. */
import {
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './processes.ts';
import type { Programs } from './programs.ts';

/** The port is part of the socket's name; there is no network listener. */
export const PORT = 5432;
const SOCKET_PREFIX = 'larkspur-';
/** Unused directories younger than this are kept: a bank that is still starting has a directory but no server yet. */
const SWEEP_AGE_MS = 3_600_000;
const SOCKET_FILES = [`.s.PGSQL.${PORT}`, `.s.PGSQL.${PORT}.lock`];
/** The lowest path limit of the supported systems (macOS: 104 including the terminating NUL). */
const SOCKET_PATH_LIMIT = 103;

/** Creates a directory for the socket that only PostgreSQL's user and root can access; reuses `former` if given. */
export function openSocketDirectory(former: string | undefined, programs: Programs): string {
  if (former !== undefined) {
    // A cleaner of temporary folders may have deleted it.
    if (!existsSync(former)) mkdirSync(former, { mode: 0o700 });
    if (lstatSync(former).uid !== programs.uid) lchownSync(former, programs.uid, programs.gid);
    for (const name of SOCKET_FILES) rmSync(join(former, name), { force: true });
    return former;
  }
  const reasons: string[] = [];
  for (const parent of [tmpdir(), '/tmp', '/var/tmp', '/run', '/dev/shm']) {
    const longest = join(parent, `${SOCKET_PREFIX}XXXXXX`, SOCKET_FILES[0] as string);
    if (Buffer.byteLength(longest) > SOCKET_PATH_LIMIT) {
      reasons.push(`${parent} is too long`);
      continue;
    }
    try {
      if (programs.switchUser && !isOpen(parent)) throw new Error(`${parent} is private`);
      sweep(parent, programs);
      const directory = mkdtempSync(join(parent, SOCKET_PREFIX));
      lchownSync(directory, programs.uid, programs.gid);
      return directory;
    } catch (error) {
      reasons.push((error as Error).message);
    }
  }
  throw new Error(`There is no place for the database's socket: ${reasons.join('; ')}`);
}

/** Removes our socket directory if no server uses it and it has no other files. Never removes other directories. */
export function clearSocketDirectory(directory: string): void {
  if (!basename(directory).startsWith(SOCKET_PREFIX)) return;
  try {
    if (!lstatSync(directory).isDirectory() || isInUse(directory)) return;
    for (const name of SOCKET_FILES) rmSync(join(directory, name), { force: true });
    rmdirSync(directory);
  } catch {
    // Already deleted, or not ours to remove.
  }
}

/** Removes the directories that killed banks left in the temporary folder. */
function sweep(parent: string, programs: Programs): void {
  for (const name of readdirSync(parent)) {
    if (!/^larkspur-\w{6}$/.test(name)) continue;
    const found = lstatSync(join(parent, name), { throwIfNoEntry: false });
    if (found?.uid === programs.uid && Date.now() - found.mtimeMs > SWEEP_AGE_MS) {
      clearSocketDirectory(join(parent, name));
    }
  }
}

function isInUse(directory: string): boolean {
  const lock = join(directory, SOCKET_FILES[1] as string);
  return existsSync(lock) && isAlive(Number(readFileSync(lock, 'utf8').split('\n')[0]));
}

/** Whether all users can traverse this directory and its parents. */
function isOpen(directory: string): boolean {
  if ((statSync(directory).mode & 0o001) === 0) return false;
  return dirname(directory) === directory || isOpen(dirname(directory));
}
