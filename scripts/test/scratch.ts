/**
 * The folder for the temporary files of a run of `npm test`. It is in memory if the system has enough memory: the tests create
 * and delete hundreds of databases of a thousand files each. On a disk, that takes as much CPU time as all their queries.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'larkspur-scratch-';
const gigabyte = 1024 ** 3;
/** `folder`: free space in the folder; a run fills at most half of it. `memory`: half for the folder, half for processes. */
const needed = { folder: 3 * gigabyte, memory: 6 * gigabyte };

function hasMemoryFolder(): boolean {
  if (process.platform !== 'linux') return false;
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find(line => line.split(' ')[1] === memory);
  // A folder mounted with `noexec` is not used, because some tests run copies of programs.
  if (mount === undefined || /\b(noexec|ro)\b/.test(mount)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= needed.folder && process.availableMemory() >= needed.memory;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

/** Creates the folder, and sets it as the folder for temporary files of this process and its child processes. */
export function makeScratch(): string {
  const parent = hasMemoryFolder() ? memory : tmpdir();
  // Removes the folders of runs that were killed.
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : undefined;
    if (pid && !isRunning(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const scratch = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  // Some tests start programs as other users.
  chmodSync(scratch, 0o1777);
  process.env.TMPDIR = scratch;
  return scratch;
}
