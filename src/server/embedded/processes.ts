/**
 * Looks at other processes of this machine: is one alive, is it still the one we knew, whose database does it
 * serve. A process id alone proves nothing (ids are reused, and in containers quickly), so nothing here trusts one.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';

const LINUX = process.platform === 'linux';

function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** The fields of /proc/PID/stat from the third on; the second, a name, may itself hold spaces and brackets. */
function statFields(pid: number): string[] | undefined {
  const text = readProc(pid, 'stat');
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function ps(pid: number, column: string): string | undefined {
  const answer = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  return answer.status === 0 ? answer.stdout.trim() || undefined : undefined;
}

/** Whether the number is taken by a process, be it a zombie: dead, but not yet collected by its parent. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  if (!exists(pid)) return false;
  const state = LINUX ? statFields(pid)?.[0] : ps(pid, 'stat');
  return !/^[ZX]/.test(state ?? '');
}

/** A text that differs between two processes that had the same id, or undefined where the system does not tell. */
export function startMark(pid: number): string | undefined {
  if (!LINUX) return ps(pid, 'lstart');
  const ticks = statFields(pid)?.[19];
  if (ticks === undefined) return undefined;
  let boot = '';
  try {
    boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Some sandboxes hide it; the ticks alone still tell most processes apart.
  }
  return `${ticks}@${boot}`;
}

/** The process's command line, word by word; on macOS as one word. Empty when it cannot be read. */
export function commandLine(pid: number): string[] {
  if (!LINUX) return [ps(pid, 'command') ?? ''];
  return (readProc(pid, 'cmdline') ?? '').split('\0').slice(0, -1);
}

/** Whether the process stands in this directory; undefined when we may not know (containers without ptrace). */
function standsIn(pid: number, directory: string): boolean | undefined {
  try {
    const there = statSync(LINUX ? `/proc/${pid}/cwd` : workingDirectory(pid));
    const here = statSync(directory);
    return there.dev === here.dev && there.ino === here.ino;
  } catch {
    return undefined;
  }
}

function workingDirectory(pid: number): string {
  const answer = spawnSync('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn'], { encoding: 'utf8' });
  return /^n(.+)$/m.exec(answer.stdout ?? '')?.[1] ?? '';
}

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}

/** Whether the program file a process runs was deleted or replaced since it started. */
export function isReplaced(pid: number): boolean {
  return programOf(pid).endsWith(' (deleted)');
}

function runsPostgres(pid: number): boolean {
  const program = programOf(pid).replace(/ \(deleted\)$/, '');
  if (program !== '') return basename(program) === 'postgres';
  const [word = ''] = commandLine(pid);
  return word.startsWith('postgres: ') || /(^|\/)postgres( |$)/.test(word);
}

/**
 * Whether a process serves the cluster in `clusterDir`. Its working directory decides; where that is hidden, a process
 * that names the cluster's socket directory may serve it (undefined) or an original this cluster is a copy of.
 */
export function servesCluster(pid: number, clusterDir: string, socketDir: string): boolean | undefined {
  if (!isAlive(pid) || !runsPostgres(pid)) return false;
  const stands = standsIn(pid, clusterDir);
  if (stands !== undefined) return stands;
  return commandLine(pid).join(' ').includes(socketDir) ? undefined : false;
}

/** Every process that surely serves the cluster: what a killed postmaster leaves behind. Linux only. */
export function findServing(clusterDir: string): number[] {
  if (!LINUX) return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => standsIn(pid, clusterDir) && runsPostgres(pid) && isAlive(pid));
}

/** Sends a signal; a process that is gone already is fine. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
