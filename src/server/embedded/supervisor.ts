/**
 * Owns a running PostgreSQL: claims the data directory, starts the database, restarts it after every unexpected end, and stops
 * it. A command that finds a server running is its guest: it uses the server's database and leaves it running.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createCluster, keepPassword, openPlace, type Place } from './cluster.ts';
import type { EmbeddedOptions, EmbeddedPostgres, PostgresExit } from './embedded.ts';
import { claimOwner, type Owner, readOwner } from './ownerLock.ts';
import {
  endPostmaster,
  findRunning,
  type Postmaster,
  type Run,
  runPostmaster,
  SILENCE_MS,
} from './postmaster.ts';
import { sendSignal } from './processes.ts';
import { findPrograms } from './programs.ts';
import { trimLog } from './serverLog.ts';
import { clearSocketDirectory } from './socket.ts';

const COMMAND_PATIENCE_MS = 15_000;
const GUEST_PATIENCE_MS = 60_000;
const RESTART_DELAYS_MS: readonly number[] = [0, 100, 250, 500, 1_000, 2_000];
const LOG_CHECK_MS = 60_000;

/** Starts the database of a data directory as its owner; see `embedded.ts`. */
export async function startAsServer(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const place = openPlace(options.dataDir);
  const deadline = Date.now() + COMMAND_PATIENCE_MS;
  for (;;) {
    const claim = claimOwner(place.dataDir, 'server');
    if ('release' in claim) return own(place, claim.release, options);
    if (claim.owner.kind === 'server' || Date.now() > deadline) throw new Error(refusal(place, claim.owner));
    await delay(100);
  }
}

/** Opens the database for a command, as guest or owner; see `embedded.ts`. */
export async function openForCommand(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const place = openPlace(options.dataDir);
  const deadline = Date.now() + GUEST_PATIENCE_MS;
  for (;;) {
    const owner = readOwner(place.dataDir);
    if (owner?.kind === 'server') {
      const running = await findRunning(place);
      if (running) return visit(running);
    } else {
      const claim = claimOwner(place.dataDir, 'command');
      if ('release' in claim) return own(place, claim.release, options);
    }
    if (Date.now() > deadline) {
      throw new Error(owner ? refusal(place, owner) : `The database in ${place.dataDir} does not answer.`);
    }
    await delay(100);
  }
}

/** Claims the data directory without starting the database; see `embedded.ts`. */
export function claimForCommand(dataDir: string): () => void {
  const place = openPlace(dataDir);
  const claim = claimOwner(place.dataDir, 'command');
  if ('release' in claim) return claim.release;
  throw new Error(refusal(place, claim.owner));
}

function refusal(place: Place, owner: Owner): string {
  const who = owner.kind === 'server' ? 'Another server' : 'A command';
  return `${who} (process ${owner.pid}) is using ${place.dataDir}. Stop it first, or set DATA_DIR to another directory.`;
}

function visit(running: Postmaster): EmbeddedPostgres {
  return {
    connection: running.connection,
    adopted: true,
    pid: () => (running.hasExited() ? undefined : running.pid),
    stop: async () => {},
    onExit: listener => void running.exited.then(listener),
  };
}

async function own(place: Place, release: () => void, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  const ending = new AbortController();
  let run: Run | undefined;
  // If the process exits without stop(), PostgreSQL still shuts down cleanly.
  const leave = (): void => {
    if (run?.current?.hasExited() === false) sendSignal(run.current.pid, 'SIGINT');
    release();
  };
  process.once('exit', leave);
  const giveBack = (): void => {
    process.removeListener('exit', leave);
    release();
  };
  try {
    const programs = findPrograms(place.dataDir, log);
    await createCluster(place, programs, log);
    const settings = options.settings ?? {};
    run = {
      place,
      programs,
      settings,
      log,
      silenceMs: options.silenceMs ?? SILENCE_MS,
      stopping: ending.signal,
      socketDir: undefined,
      current: undefined,
    };
    return supervise(run, await runPostmaster(run), ending, giveBack);
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** Restarts the database whenever it ends, until `stop`, so that the bank recovers by itself from a killed postmaster. */
function supervise(
  run: Run,
  first: Postmaster,
  ending: AbortController,
  giveBack: () => void,
): EmbeddedPostgres {
  const { place, log, stopping } = run;
  const { connection } = first;
  const listeners: ((exit: PostgresExit) => void)[] = [];
  let stopped: Promise<void> | undefined;
  let current: Postmaster | undefined = first;
  run.socketDir = connection.host;

  const restart = async (): Promise<Postmaster | undefined> => {
    for (let attempt = 0; !stopping.aborted; attempt++) {
      try {
        const waitMs = RESTART_DELAYS_MS[Math.min(attempt, RESTART_DELAYS_MS.length - 1)];
        await delay(waitMs, undefined, { signal: stopping });
        keepPassword(place, connection.password);
        return await runPostmaster(run);
      } catch (error) {
        if (!stopping.aborted) log((error as Error).message);
      }
    }
    return undefined;
  };
  const keepRunning = async (): Promise<void> => {
    while (current) {
      const exit = await current.exited;
      current = undefined;
      if (stopping.aborted) return;
      log(`PostgreSQL ended unexpectedly (${exit.detail}); starting it again`);
      for (const listener of listeners) listener(exit);
      current = await restart();
      // PostgreSQL may have started after `stop` was called.
      if (current && stopping.aborted) return endPostmaster(place, current);
      log('PostgreSQL runs again');
    }
  };
  const kept = keepRunning();

  const logCheck = setInterval(() => trimLog(place.logFile), LOG_CHECK_MS);
  logCheck.unref();
  const stop = async (): Promise<void> => {
    ending.abort();
    clearInterval(logCheck);
    if (current) await endPostmaster(place, current);
    else await kept;
    clearSocketDirectory(connection.host);
    giveBack();
  };
  return {
    connection,
    adopted: first.adopted,
    pid: () => (current?.hasExited() === false ? current.pid : undefined),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
    onExit: listener => void listeners.push(listener),
  };
}
