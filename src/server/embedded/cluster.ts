/**
 * The database's files (the cluster). They are created once, in a sibling folder that is renamed when complete, so an
 * interrupted first start does no harm. Wrong owners and a wrong mode are repaired before each start. The password is replaced
 * only if its secret is lost or wrong. An existing cluster is never removed.
 */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Log, launch, type Programs } from './programs.ts';

/** The name of the superuser and of the database. */
export const DATABASE = 'larkspur';

/**
 * How PostgreSQL's arguments name the cluster directory: /proc/self/cwd, because the process starts in that directory, or its
 * path on systems without /proc. A process can always access its working directory, so it needs no permission on the parent
 * folders, and the real path may contain any character and exceed PostgreSQL's limit.
 */
export function clusterArgument(clusterDir: string): string {
  return existsSync('/proc/self/cwd') ? '/proc/self/cwd' : clusterDir;
}

/** The paths of one data directory. */
export type Place = {
  dataDir: string;
  clusterDir: string;
  secretFile: string;
  logFile: string;
};

/** Creates the folders of a data directory, readable only by their owner, and returns the paths. */
export function openPlace(dataDirectory: string): Place {
  const dataDir = resolve(dataDirectory);
  for (const directory of [dataDir, join(dataDir, 'secrets'), join(dataDir, 'logs')]) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }
  chmodSync(join(dataDir, 'secrets'), 0o700);
  return {
    dataDir,
    clusterDir: join(dataDir, 'postgres'),
    secretFile: join(dataDir, 'secrets', 'postgres-password'),
    logFile: join(dataDir, 'logs', 'postgres.log'),
  };
}

/** Returns the superuser's password; undefined if the secret was never written or is lost. */
export function readPassword(place: Place): string | undefined {
  try {
    return readFileSync(place.secretFile, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the cluster if there is none. Requires the data directory's owner lock. */
export async function createCluster(place: Place, programs: Programs, log: Log): Promise<void> {
  for (const name of readdirSync(place.dataDir)) {
    if (name.startsWith('postgres.new-')) tryRemove(join(place.dataDir, name));
  }
  if (existsSync(join(place.clusterDir, 'PG_VERSION'))) return;
  if (existsSync(place.clusterDir) && readdirSync(place.clusterDir).length > 0) {
    throw new Error(
      `${place.clusterDir} holds files but no database. Move it away, or restore it from a backup.`,
    );
  }
  log('Creating the database (first start only)');
  const password = readPassword(place) ?? makePassword();
  writePassword(place, password);
  const draft = mkdtempSync(join(place.dataDir, 'postgres.new-'));
  try {
    lchownSync(draft, programs.uid, programs.gid);
    await runInitdb(programs, place, draft, password);
    syncDirectory(draft);
    renameSync(draft, place.clusterDir);
    syncDirectory(place.dataDir);
  } catch (error) {
    tryRemove(draft);
    throw error;
  }
}

async function runInitdb(programs: Programs, place: Place, draft: string, password: string): Promise<void> {
  // initdb gets an open file descriptor, because its user has no access to the secrets folder.
  const passwordFile = `${place.secretFile}.initdb`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  lchownSync(passwordFile, programs.uid, programs.gid);
  const descriptor = openSync(passwordFile, 'r');
  rmSync(passwordFile);
  try {
    const output = await runToEnd(
      launch(
        programs,
        'initdb',
        [
          `--pgdata=${clusterArgument(draft)}`,
          `--username=${DATABASE}`,
          '--pwfile=/dev/fd/3',
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          '--no-locale',
          // Built into PostgreSQL, so the sort order is the same on every system.
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
          '--data-checksums',
          '--no-instructions',
        ],
        { cwd: draft, stdio: ['ignore', 'pipe', 'pipe', descriptor] },
      ),
    );
    if (output.code !== 0) throw new Error(`The database could not be created: ${output.errors.trim()}`);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Repairs owners and modes before a start: PostgreSQL requires a private directory and ownership of its files. Throws if the
 * owner is wrong and this process is not root.
 */
export function repairCluster(place: Place, programs: Programs): void {
  const found = lstatSync(`${place.clusterDir}/.`);
  if (process.getuid?.() === 0) giveTo(`${place.clusterDir}/.`, programs);
  else if (found.uid !== programs.uid) {
    throw new Error(
      `${place.clusterDir} belongs to user ${found.uid}, not to ${programs.uid} who runs the bank. Start the bank as that user, or change the owner of the files.`,
    );
  }
  if ((found.mode & 0o777) !== 0o700) chmodSync(place.clusterDir, 0o700);
}

function giveTo(path: string, programs: Programs): void {
  const found = lstatSync(path);
  // A hard link may point to a file outside the cluster. PostgreSQL makes none, so hard links are skipped.
  const foreign = found.isFile() && found.nlink > 1;
  if ((found.uid !== programs.uid || found.gid !== programs.gid) && !foreign) {
    lchownSync(path, programs.uid, programs.gid);
  }
  if (found.isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), programs);
}

/** Sets a new superuser password, for a secret that is lost or wrong. The cluster must not be running. */
export async function resetPassword(place: Place, programs: Programs): Promise<void> {
  const password = makePassword();
  const child = launch(
    programs,
    'postgres',
    ['--single', '-D', clusterArgument(place.clusterDir), '-c', 'log_min_error_statement=panic', 'postgres'],
    { cwd: place.clusterDir, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  child.stdin?.on('error', () => {});
  child.stdin?.end(`ALTER ROLE ${DATABASE} PASSWORD '${password}'\n`);
  const output = await runToEnd(child);
  if (output.code !== 0 || /ERROR|FATAL/.test(output.errors)) {
    throw new Error(`The database's password is lost and could not be renewed: ${output.errors.trim()}`);
  }
  writePassword(place, password);
}

function makePassword(): string {
  return randomBytes(24).toString('base64url');
}

/** Restores the secret file with the password in use, if the file was deleted or changed. */
export function keepPassword(place: Place, password: string): void {
  if (readPassword(place) !== password) writePassword(place, password);
}

function writePassword(place: Place, password: string): void {
  mkdirSync(dirname(place.secretFile), { recursive: true, mode: 0o700 });
  const draft = `${place.secretFile}.new`;
  writeFileSync(draft, `${password}\n`, { mode: 0o600, flush: true });
  renameSync(draft, place.secretFile);
}

async function runToEnd(child: ChildProcess): Promise<{ code: number | null; errors: string }> {
  let errors = '';
  child.stdout?.resume();
  child.stderr?.on('data', chunk => {
    errors += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, errors };
}

/** Removes a folder if it can. An initdb that outlived the bank may still write to it: then a later start removes it. */
function tryRemove(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  } catch {}
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
