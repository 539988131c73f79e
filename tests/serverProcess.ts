/**
 * Starts the bank and its commands as separate processes, for tests, benchmarks and screenshots. They inherit at most PATH,
 * HOME and the path to the compile cache from this process's environment.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { isAlive } from '#server/embedded/embedded.ts';
import { waitLimitMs, waitUntil } from './waiting.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The first administrator of a bank with `testSettings`. */
export const firstAdmin = { email: 'ada@bank.example', password: 'a quiet river stone' };

export type ExitStatus = { code: number | null; signal: NodeJS.Signals | null };

/** A started program; `pid` is the process id of the program itself, not of a child process. */
export type StartedProgram = {
  pid: number;
  /** Everything it has written to stdout and stderr so far. */
  output(): string;
  ended: Promise<ExitStatus>;
  signal(name: NodeJS.Signals): void;
  /** Sends the signal to the whole group of processes, as a terminal does on Ctrl-C. */
  signalGroup(name: NodeJS.Signals): void;
};

/**
 * `slowness` is how many times longer the start took than on an idle machine, at least 1. Tests multiply promised times by it,
 * so that they do not fail on a busy machine.
 */
export type ServerProcess = StartedProgram & { url: string; slowness: number };

/** Start times on two idle cores. A `first` start also creates the database. */
const idleStartMs = { again: 2_000, first: 4_000 } as const;
const startTimeoutMs = 300_000;

/** Settings by name; undefined removes a default of `testSettings`. */
export type Settings = Record<string, string | undefined>;

const running = new Set<ChildProcess>();

/** PATH without the folder that npm adds for its scripts, so that `npm` runs on the machine's own Node as in a terminal. */
const hostPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(folder => !/node_modules[\\/]\.bin$/.test(folder))
  .join(delimiter);

/** Starts a server whose output goes to a full disk, and waits until it answers at this port. */
export async function startServerWithFullLog(settings: Settings, port: number): Promise<ChildProcess> {
  const full = openSync('/dev/full', 'w');
  const [program, ...args] = commands.node;
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', full, full],
    env: { PATH: hostPath, ...settings, PORT: String(port) },
    detached: true,
  });
  closeSync(full);
  running.add(child);
  child.once('close', () => running.delete(child));
  await waitUntil('the server to answer', startTimeoutMs, async () => {
    if (child.exitCode !== null) throw new Error(`The server exited with ${child.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    return answer?.ok || undefined;
  });
  return child;
}

/** Starts a program, in the repository or in a copy of it. */
function startProgram(program: string, args: string[], settings: Settings, folder = root): StartedProgram {
  const { HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: hostPath, HOME, NODE_COMPILE_CACHE, ...settings },
    detached: true,
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<ExitStatus>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  const pid = child.pid!;
  return {
    pid,
    output: () => output,
    ended,
    signal: name => void child.kill(name),
    signalGroup: name => void process.kill(-pid, name),
  };
}

/** Settings of a bank without demo data and rate limits, on a free port. */
export function testSettings(dataDir: string, more: Settings = {}): Settings {
  return {
    PORT: '0',
    DATA_DIR: dataDir,
    DEMO: '0',
    ADMIN_EMAIL: firstAdmin.email,
    ADMIN_PASSWORD: firstAdmin.password,
    RATE_LIMITS: 'off',
    ...more,
  };
}

/** The commands that start a server: directly, through npm as process managers do, or for development. */
const commands = {
  node: [process.execPath, 'src/server/main.ts'],
  'npm run serve': ['npm', 'run', 'serve'],
  'npm start': ['npm', 'start'],
  'npm run dev': ['npm', 'run', 'dev'],
} as const;

/** Starts a server, in the repository or in a copy of it; resolves when it has printed where it listens. */
export async function startServer(
  settings: Settings,
  command: keyof typeof commands = 'node',
  folder = root,
): Promise<ServerProcess> {
  const isFirst = settings.DATA_DIR !== undefined && !existsSync(join(settings.DATA_DIR, 'postgres'));
  const startedAt = performance.now();
  const [program, ...args] = commands[command];
  const started = startProgram(program, args, settings, folder);
  const url = await waitUntil('the server to print where it listens', startTimeoutMs, async () => {
    const address = /Listening\s+(\S+:\d+)/.exec(started.output())?.[1];
    if (address !== undefined) return `http://${address}`;
    const ended = await Promise.race([started.ended, sleep(0)]);
    if (ended) throw new Error(`The server exited with ${ended.code ?? ended.signal}:\n${started.output()}`);
    return undefined;
  });
  const tookMs = performance.now() - startedAt;
  const slowness = Math.max(1, tookMs / (isFirst ? idleStartMs.first : idleStartMs.again));
  return { ...started, url, slowness };
}

/** If a server has not stopped this long after the signal, its deadline (`stopWithinMs`) soon ends it with exit code 1. */
const orderlyStopMs = 9_000;

/**
 * Waits until a server has exited after SIGTERM or SIGINT. Call this when you send the signal, or pass the time of the signal.
 * Returns false if the machine was so busy that the server exited before the stop was complete. Throws if the server failed.
 */
export async function expectStopped(
  { ended }: Pick<StartedProgram, 'ended'>,
  signaledAt = Date.now(),
): Promise<boolean> {
  const { code, signal } = await ended;
  const tookMs = Date.now() - signaledAt;
  if (code === 0) return true;
  if (code === 1 && tookMs > orderlyStopMs) return false;
  throw new Error(`The server exited with ${code ?? signal} ${tookMs} ms after the signal`);
}

/** Runs a program until it exits; returns its exit status and output. */
export async function run(
  program: string,
  args: string[],
  settings: Settings,
): Promise<ExitStatus & { output: string }> {
  const started = startProgram(program, args, settings);
  return { ...(await started.ended), output: started.output() };
}

/** The `DATABASE_URL` of a database. */
export function databaseUrl({ host, port, user, password, database }: pg.PoolConfig): string {
  return `postgres://${user}:${encodeURIComponent(String(password))}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`;
}

/** Runs a command of `src/server/commands` on a database, until it exits. */
export async function runCommand(
  connection: pg.PoolConfig,
  settings: Settings,
  command: string,
  ...words: string[]
): Promise<{ code: number | null; output: string; errors: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const file = join(root, 'src/server/commands', `${command}.ts`);
  const child = spawn(process.execPath, [file, ...words], {
    env: { PATH, NODE_COMPILE_CACHE, DATABASE_URL: databaseUrl(connection), ...settings },
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, output, errors };
}

/** Waits until all of the processes have exited. */
export async function waitForExit(pids: number[], timeoutMs: number): Promise<void> {
  await waitUntil(`processes ${pids.join(', ')} to end`, timeoutMs, () =>
    pids.some(isAlive) ? undefined : true,
  );
}

/** Returns the process id of the embedded database of a data directory. */
export function databasePid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Returns the process id of the server that owns a data directory. */
export function ownerPid(dataDir: string): number {
  return (JSON.parse(readFileSync(join(dataDir, 'owner.lock'), 'utf8')) as { pid: number }).pid;
}

/** Deletes a folder. A program that is just ending can still add files to it. */
export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

/** Stops the servers that a test left running, and the database of each data directory. */
export async function stopAll(dataDirs: string[]): Promise<void> {
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(
    [...running].map(child =>
      waitForExit([child.pid!], 12_000).catch(() => {
        child.kill('SIGKILL');
        return waitForExit([child.pid!], waitLimitMs);
      }),
    ),
  );
  for (const dataDir of dataDirs) {
    if (!existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) continue;
    const pid = databasePid(dataDir);
    if (!isAlive(pid)) continue;
    process.kill(pid, 'SIGQUIT');
    await waitForExit([pid], waitLimitMs);
  }
}
