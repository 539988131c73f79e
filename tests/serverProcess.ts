/**
 * The bank as a process of its own, started the way people start it, with nothing of this process's environment but the
 * paths to programs and to code that is compiled already. For tests that end it, in every way there is.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isAlive } from '#server/embedded/processes.ts';
import { waitLimitMs } from './waiting.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The administrator of every bank that starts without demo data here. */
export const firstAdmin = { email: 'ada@bank.example', password: 'a quiet river stone' };

export type Ended = { code: number | null; signal: NodeJS.Signals | null };

/** A program that was started; `pid` is its own, whatever it starts in turn. */
export type Started = {
  pid: number;
  /** All it wrote so far, on both outputs. */
  said(): string;
  ended: Promise<Ended>;
  signal(name: NodeJS.Signals): void;
  /** Sends the signal to the whole group of processes, as a terminal does on Ctrl-C. */
  signalGroup(name: NodeJS.Signals): void;
};

/**
 * `slowness` is how many times longer its start took than on a quiet machine, at least 1. Times that the product promises
 * are multiplied by it, so that a busy machine is not taken for a slow product.
 */
export type ServerProcess = Started & { url: string; slowness: number };

/** What a start takes on two quiet cores, and one that makes its database first. */
const quietStartMs = { again: 2_000, first: 4_000 } as const;
const startLimitMs = 300_000;

/** Settings by name; undefined leaves one out that is set by default here. */
export type Settings = Record<string, string | undefined>;

const running = new Set<ChildProcess>();

/** PATH without the folder that npm adds for its scripts: `npm` runs on the machine's own Node, as in a person's terminal. */
const hostPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(folder => !/node_modules[\\/]\.bin$/.test(folder))
  .join(delimiter);

/** Starts a program in the product's folder, or in a copy of it, with exactly these settings. */
function startProgram(program: string, args: string[], settings: Settings, folder = root): Started {
  const { HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: hostPath, HOME, NODE_COMPILE_CACHE, ...settings },
    detached: true,
  });
  running.add(child);
  let said = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  const pid = child.pid!;
  return {
    pid,
    said: () => said,
    ended,
    signal: name => void child.kill(name),
    signalGroup: name => void process.kill(-pid, name),
  };
}

/** A bank without demo data and quotas, on a port of its own. */
export function ownSettings(dataDir: string, more: Settings = {}): Settings {
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

/** How a server is started: directly, through npm as process managers do, or for development. */
const ways = {
  node: [process.execPath, 'src/server/main.ts'],
  'npm run serve': ['npm', 'run', 'serve'],
  'npm start': ['npm', 'start'],
  'npm run dev': ['npm', 'run', 'dev'],
} as const;

/** Starts the server, of the product or of a copy of it; resolves when it has said where it listens. */
export async function startServer(
  settings: Settings,
  through: keyof typeof ways = 'node',
  folder = root,
): Promise<ServerProcess> {
  const isFirst = settings.DATA_DIR !== undefined && !existsSync(join(settings.DATA_DIR, 'postgres'));
  const begun = performance.now();
  const [program, ...args] = ways[through];
  const started = startProgram(program, args, settings, folder);
  const url = await until('the server to say where it listens', startLimitMs, async () => {
    const place = /Listening\s+(\S+:\d+)/.exec(started.said())?.[1];
    if (place !== undefined) return `http://${place}`;
    const ended = await Promise.race([started.ended, sleep(0)]);
    if (ended) throw new Error(`The server ended with ${ended.code ?? ended.signal}:\n${started.said()}`);
    return undefined;
  });
  const tookMs = performance.now() - begun;
  const slowness = Math.max(1, tookMs / (isFirst ? quietStartMs.first : quietStartMs.again));
  return { ...started, url, slowness };
}

/** Runs a program to its end. */
export async function run(
  program: string,
  args: string[],
  settings: Settings,
): Promise<Ended & { said: string }> {
  const started = startProgram(program, args, settings);
  return { ...(await started.ended), said: started.said() };
}

/** Polls until `look` gives something that is not undefined; fails with `what` after `patienceMs`. */
export async function until<T>(
  what: string,
  patienceMs: number,
  look: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`waited ${patienceMs} ms for ${what}`);
    await sleep(10);
  }
}

/** Waits until none of the processes runs any more. */
export async function gone(pids: number[], patienceMs: number): Promise<void> {
  await until(`processes ${pids.join(', ')} to end`, patienceMs, () =>
    pids.some(isAlive) ? undefined : true,
  );
}

/** The process that serves the embedded database of a data directory. */
export function databasePid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** The server process that owns a data directory. */
export function ownerPid(dataDir: string): number {
  return (JSON.parse(readFileSync(join(dataDir, 'owner.lock'), 'utf8')) as { pid: number }).pid;
}

/** Ends what a test left running: the programs started here, and the database of each data directory. */
export async function endAll(dataDirs: string[]): Promise<void> {
  for (const child of running) child.kill('SIGTERM');
  await Promise.all([...running].map(child => gone([child.pid!], 12_000).catch(() => child.kill('SIGKILL'))));
  for (const dataDir of dataDirs) {
    if (!existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) continue;
    const pid = databasePid(dataDir);
    if (!isAlive(pid)) continue;
    process.kill(pid, 'SIGQUIT');
    await gone([pid], waitLimitMs);
  }
}
