/**
 * Inspects other processes of this machine: whether one is alive, whether it is still the same one, and which database it
 * serves. Process ids are reused (quickly in containers), so a process id alone is never trusted.
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

/** Returns the fields of /proc/PID/stat from the third on; the second, a name, may contain spaces and parentheses. */
function statFields(pid: number): string[] | undefined {
  const text = readProc(pid, 'stat');
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function ps(pid: number, column: string): string | undefined {
  const answer = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  return answer.status === 0 ? answer.stdout.trim() || undefined : undefined;
}

/** Whether a process with this id exists, including a zombie (dead, but not yet reaped by its parent). */
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

/** Returns a text that differs between two processes with the same id; undefined if the system does not provide one. */
export function startMark(pid: number): string | undefined {
  if (!LINUX) return ps(pid, 'lstart');
  const ticks = statFields(pid)?.[19];
  if (ticks === undefined) return undefined;
  let boot = '';
  try {
    boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Some sandboxes hide the boot id. The start ticks alone still distinguish most processes.
  }
  return `${ticks}@${boot}`;
}

/** Returns the process's command line as words (on macOS as one word); empty if it cannot be read. */
export function commandLine(pid: number): string[] {
  if (!LINUX) return [ps(pid, 'command') ?? ''];
  return (readProc(pid, 'cmdline') ?? '').split('\0').slice(0, -1);
}

/** Whether `directory` is the process's working directory; undefined if that cannot be read (containers without ptrace). */
function isWorkingIn(pid: number, directory: string): boolean | undefined {
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

/** Whether the program file that a process runs was deleted or replaced since it started. */
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
 * Whether a process serves the cluster in `clusterDir`, by its working directory. If that cannot be read, returns undefined for
 * a process that names the cluster's socket directory: it serves this cluster, or the original of which this cluster is a copy.
 */
export function servesCluster(pid: number, clusterDir: string, socketDir: string): boolean | undefined {
  if (!isAlive(pid) || !runsPostgres(pid)) return false;
  const serves = isWorkingIn(pid, clusterDir);
  if (serves !== undefined) return serves;
  return commandLine(pid).join(' ').includes(socketDir) ? undefined : false;
}

/** Returns every process that certainly serves the cluster, such as those that a killed postmaster leaves. Linux only. */
export function findServing(clusterDir: string): number[] {
  if (!LINUX) return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => isWorkingIn(pid, clusterDir) && runsPostgres(pid) && isAlive(pid));
}

/** Sends a signal; does nothing if the process has already ended, even if a process of another user has its id now. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
