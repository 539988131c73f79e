/**
 * One run of PostgreSQL on a cluster: takes over a server that is already running, or starts one and waits until it answers.
 * Reports its exit, and stops it in bounded time. Errors contain PostgreSQL's own log lines about the failure.
 */
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { clusterArgument, type Place, readPassword, repairCluster, resetPassword } from './cluster.ts';
import {
  type Connection,
  connectionTo,
  connects,
  logNoDetails,
  readsHere,
  WrongPassword,
} from './connection.ts';
import type { PostgresExit } from './embedded.ts';
import {
  commandLine,
  exists,
  findServing,
  isAlive,
  isReplaced,
  sendSignal,
  servesCluster,
  startMark,
} from './processes.ts';
import { type Log, launch, type Programs } from './programs.ts';
import { readLog, sizeOfLog, trimLog } from './serverLog.ts';
import { settingArguments } from './settings.ts';
import { clearSocketDirectory, openSocketDirectory, PORT } from './socket.ts';

/** A PostgreSQL server running on a cluster, as our child or taken over from a dead owner. */
export type Postmaster = {
  pid: number;
  adopted: boolean;
  connection: Connection;
  exited: Promise<PostgresExit>;
  hasExited(): boolean;
};

/**
 * What a run needs. `socketDir` is reused across restarts, so that connection pools can reconnect; `current` is set as soon as
 * there is a process, which may be long before PostgreSQL answers.
 */
export type Run = {
  readonly place: Place;
  readonly programs: Programs;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: Log;
  /** How long PostgreSQL may write nothing to its log while it starts. */
  readonly silenceMs: number;
  readonly stopping: AbortSignal;
  socketDir: string | undefined;
  current: Postmaster | undefined;
};

const OBSTACLE_MS = 15_000;
const LEFTOVER_MS = 1_000;
/** The default of `silenceMs`. While PostgreSQL recovers, it logs its progress every ten seconds. */
export const SILENCE_MS = 300_000;
const ANSWER_MS = 10_000;
const WATCH_MS = 200;
/** The signals of a stop, and how long to wait after each. */
export const STOP_STEPS: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 5_000],
  ['SIGQUIT', 1_500],
  ['SIGKILL', 1_000],
];
/** What a killed postmaster briefly leaves behind: its lock file, and processes that use its shared memory. */
const PASSING_OBSTACLE = /pre-existing shared memory block|lock file ".*" already exists/;

/** PostgreSQL ended before it answered, or made no progress. The message contains what its log says about the end. */
class StartFailure extends Error {
  readonly passing: boolean;
  constructor(place: Place, detail: string) {
    super(`PostgreSQL did not start: ${detail} (its log: ${place.logFile})`);
    this.passing = PASSING_OBSTACLE.test(detail);
  }
}

type PidFile = { pid: number; port: number; socketDir: string; status: string };

/** Reads postmaster.pid; undefined if there is none. */
function readPidFile(place: Place): PidFile | undefined {
  try {
    const lines = readFileSync(join(place.clusterDir, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    if (!Number.isInteger(pid) || pid <= 0) return undefined;
    return { pid, port: Number(lines[3]), socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim() };
  } catch {
    return undefined;
  }
}

/**
 * Starts or takes over the server of a created cluster, in whatever state the last owner left it. Throws an error with
 * PostgreSQL's log lines if that fails. Requires the data directory's owner lock.
 */
export async function runPostmaster(run: Run): Promise<Postmaster> {
  const { place, programs, log, stopping } = run;
  const startedAt = Date.now();
  let renewed = false;
  for (;;) {
    stopping.throwIfAborted();
    try {
      if (readPassword(place) === undefined) throw new WrongPassword();
      const postmaster = (await adopt(run)) ?? (await start(run));
      await logNoDetails(postmaster.connection);
      return postmaster;
    } catch (error) {
      if (error instanceof WrongPassword && !renewed) {
        renewed = true;
        log("The database's password is lost or wrong: setting a new one");
        await endRunning(place);
        repairCluster(place, programs);
        await resetPassword(place, programs);
        continue;
      }
      const waitedMs = Date.now() - startedAt;
      if (!(error instanceof StartFailure) || !error.passing || waitedMs > OBSTACLE_MS) throw error;
      // A busy process of PostgreSQL notices late that the postmaster has died. Killing it loses nothing: its work cannot be
      // committed.
      if (waitedMs > LEFTOVER_MS) await endLeftovers(place, Date.now() + LEFTOVER_MS);
      await delay(50);
    }
  }
}

/** Takes over a PostgreSQL that outlived its owner. Returns undefined if there is none; stops one that cannot be kept. */
async function adopt(run: Run): Promise<Postmaster | undefined> {
  const { place, log } = run;
  const found = readPidFile(place);
  if (!found) return undefined;
  const serves = servesCluster(found.pid, place.clusterDir, found.socketDir);
  if (serves === false) return removePidFile(place, found);
  const postmaster = watch(place, found);
  const answered = await answers(run, postmaster, ANSWER_MS);
  if (answered && !(await readsHere(place, postmaster.connection))) return removePidFile(place, found);
  if (postmaster.hasExited()) return undefined;
  if (answered && startedLikeThis(run, found)) {
    log(`Taking over PostgreSQL (process ${found.pid}), which outlived its owner`);
    run.current = postmaster;
    return postmaster;
  }
  if (!answered && serves === undefined) throw new Error(unsure(place, found));
  log(
    `Stopping PostgreSQL (process ${found.pid}), which ${answered ? 'has other settings' : 'does not answer'}`,
  );
  await endPostmaster(place, postmaster);
  return undefined;
}

function unsure(place: Place, found: PidFile): string {
  return `Process ${found.pid} may still serve the database in ${place.dataDir} and cannot be used. Stop it first.`;
}

/** Starts PostgreSQL and waits until it answers. */
async function start(run: Run): Promise<Postmaster> {
  const { place, programs } = run;
  repairCluster(place, programs);
  const socketDir = openSocketDirectory(run.socketDir, programs);
  trimLog(place.logFile);
  const logDescriptor = openSync(place.logFile, 'a', 0o600);
  const offset = sizeOfLog(place.logFile);
  const child = launch(
    programs,
    'postgres',
    ['-D', clusterArgument(place.clusterDir), ...settingArguments(socketDir, run.settings)],
    { cwd: place.clusterDir, stdio: ['ignore', logDescriptor, logDescriptor] },
  );
  closeSync(logDescriptor);
  // The database process must not keep the bank's process alive.
  child.unref();
  let ended = false;
  const exited = new Promise<PostgresExit>(resolve => {
    child.once('error', error => {
      ended = true;
      resolve({ code: null, signal: null, detail: error.message });
    });
    child.once('exit', (code, signal) => {
      ended = true;
      const detail = signal
        ? `it was ended by ${signal}`
        : readLog(place.logFile, offset) || `it ended with code ${code}`;
      resolve({ code, signal, detail });
    });
  });
  const postmaster = {
    pid: child.pid ?? 0,
    adopted: false,
    connection: connectionTo(place, { port: PORT, socketDir }),
    exited,
    hasExited: () => ended,
  };
  try {
    run.current = postmaster;
    if (await answers(run, postmaster, run.silenceMs)) return postmaster;
    if (ended) throw new StartFailure(place, (await exited).detail);
    throw new StartFailure(place, `no answer and no progress within ${run.silenceMs / 1000} seconds`);
  } catch (error) {
    await endPostmaster(place, postmaster);
    if (run.socketDir === undefined) clearSocketDirectory(socketDir);
    throw error;
  }
}

/** Watches a server that is not our child. Such a process has no exit event, so its end is detected by polling. */
function watch(place: Place, found: PidFile): Postmaster {
  const mark = startMark(found.pid);
  const offset = sizeOfLog(place.logFile);
  const hasExited = (): boolean => !isAlive(found.pid) || startMark(found.pid) !== mark;
  const poll = (resolve: (exit: PostgresExit) => void): void => {
    const timer = setInterval(() => {
      if (!hasExited()) return;
      clearInterval(timer);
      resolve({ code: null, signal: null, detail: readLog(place.logFile, offset) || 'it ended' });
    }, WATCH_MS);
    timer.unref();
  };
  let exited: Promise<PostgresExit> | undefined;
  return {
    pid: found.pid,
    adopted: true,
    connection: connectionTo(place, found),
    get exited() {
      exited ??= new Promise(poll);
      return exited;
    },
    hasExited,
  };
}

/**
 * Whether the server runs the current programs with the current settings. Also true if that is unknown, so the server is kept.
 */
function startedLikeThis({ place, programs, settings }: Run, found: PidFile): boolean {
  const words = commandLine(found.pid);
  if (words.length < 2) return true;
  if (isReplaced(found.pid)) return false;
  const same = [
    join(programs.directory, 'bin', 'postgres'),
    '-D',
    clusterArgument(place.clusterDir),
    ...settingArguments(found.socketDir, settings),
  ];
  return words.length === same.length && words.every((word, at) => word === same[at]);
}

/**
 * Waits until the database accepts connections. False if it ends first, does not answer in time, or makes no progress while it
 * recovers.
 */
async function answers(run: Run, postmaster: Postmaster, timeoutMs: number): Promise<boolean> {
  const { place, log, silenceMs, stopping } = run;
  const startedAt = performance.now();
  let saidAt = startedAt;
  let [logSize, loggedAt] = [sizeOfLog(place.logFile), startedAt];
  for (;;) {
    stopping.throwIfAborted();
    if (postmaster.hasExited()) return false;
    const found = readPidFile(place);
    const status = found?.pid === postmaster.pid ? found.status : '';
    if (status === 'ready' && (await connects(postmaster.connection))) return true;
    const now = performance.now();
    const size = sizeOfLog(place.logFile);
    if (size !== logSize) [logSize, loggedAt] = [size, now];
    // Recovery may take hours. If it were stopped, it would start over. Any other delay means that PostgreSQL is stuck.
    const isRecovering = status === 'starting' || status === 'standby';
    if (isRecovering ? now - loggedAt > silenceMs : now - startedAt > timeoutMs) return false;
    if (now - saidAt > 5_000) {
      log('Waiting for the database to recover');
      saidAt = now;
    }
    await delay(15);
  }
}

/** Removes a pid file that names a process that is not ours. PostgreSQL trusts the process id and would refuse to start. */
function removePidFile(place: Place, found: PidFile): undefined {
  if (exists(found.pid)) rmSync(join(place.clusterDir, 'postmaster.pid'), { force: true });
  clearSocketDirectory(found.socketDir);
}

/**
 * Stops the server within 7.5 seconds with increasingly forceful signals; open transactions are rolled back. Returns
 * immediately if it has already ended.
 */
export async function endPostmaster(place: Place, postmaster: Postmaster): Promise<void> {
  for (const [signal, waitMs] of STOP_STEPS) {
    if (postmaster.hasExited()) break;
    sendSignal(postmaster.pid, signal);
    const deadline = Date.now() + waitMs;
    while (!postmaster.hasExited() && Date.now() < deadline) await delay(10);
    if (signal === 'SIGKILL') await endLeftovers(place, deadline);
  }
}

async function endRunning(place: Place): Promise<void> {
  const found = readPidFile(place);
  if (!found) return;
  const serves = servesCluster(found.pid, place.clusterDir, found.socketDir);
  if (serves === undefined) throw new Error(unsure(place, found));
  if (serves) await endPostmaster(place, watch(place, found));
}

/**
 * Kills the processes that a killed postmaster left behind, and waits until they have ended. They could not commit anything
 * anymore.
 */
async function endLeftovers(place: Place, deadline: number): Promise<void> {
  const found = readPidFile(place);
  if (found && isAlive(found.pid)) return;
  for (;;) {
    const left = findServing(place.clusterDir);
    for (const pid of left) sendSignal(pid, 'SIGKILL');
    if (left.length === 0 || Date.now() >= deadline) return;
    await delay(10);
  }
}

/** Returns the cluster's running PostgreSQL, for a process that is not its owner; undefined if it does not answer. */
export async function findRunning(place: Place): Promise<Postmaster | undefined> {
  const found = readPidFile(place);
  if (found?.status !== 'ready') return undefined;
  if (servesCluster(found.pid, place.clusterDir, found.socketDir) === false) return undefined;
  const postmaster = watch(place, found);
  return (await connects(postmaster.connection)) ? postmaster : undefined;
}
