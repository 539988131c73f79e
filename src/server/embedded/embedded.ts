/**
 * The embedded PostgreSQL: started, watched, restarted and stopped here, so that nobody who runs the bank needs to know
 * it is there. One owner per data directory; commands look in as guests while the bank runs, or run it for themselves.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createCluster, keepPassword, openPlace, type Place } from './cluster.ts';
import type { Connection } from './connection.ts';
import { claimOwner, type Owner, readOwner } from './ownerLock.ts';
import {
  endPostmaster,
  findRunning,
  type PostgresExit,
  type Postmaster,
  type Run,
  runPostmaster,
} from './postmaster.ts';
import { sendSignal } from './processes.ts';
import { findPrograms, type Log } from './programs.ts';
import { trimLog } from './serverLog.ts';
import { clearSocketDirectory } from './socket.ts';

export type { Connection, PostgresExit };

/** What starting takes. `settings` are PostgreSQL settings by name that override ours. */
export type EmbeddedOptions = {
  dataDir: string;
  log?: Log;
  settings?: Readonly<Record<string, string>>;
};

/** A database that runs. `connection` stays valid over restarts and can be handed to `pg` as it is. */
export type EmbeddedPostgres = {
  readonly connection: Connection;
  /** Whether it ran already when we came. */
  readonly adopted: boolean;
  /** The process id of the PostgreSQL server now, or undefined while it is down. */
  pid(): number | undefined;
  /** Stops the database (a guest only leaves). Never takes longer than 8 seconds, never fails, may be repeated. */
  stop(): Promise<void>;
  /** Hears of each end that `stop` did not ask for; the restart is under way by then. Returns how to stop hearing. */
  onExit(listener: (exit: PostgresExit) => void): () => void;
};

const COMMAND_PATIENCE_MS = 15_000;
const GUEST_PATIENCE_MS = 60_000;
const RESTART_DELAYS_MS: readonly number[] = [0, 100, 250, 500, 1_000, 2_000];
const LOG_CHECK_MS = 60_000;

/**
 * Starts the database of a data directory, or takes it over from an owner that died, and keeps it running until `stop`.
 * Makes directory, cluster, password and database where missing. Throws when another server owns the directory (the
 * message names its process) and when PostgreSQL does not start (the message holds its own words).
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const place = openPlace(options.dataDir);
  const deadline = Date.now() + COMMAND_PATIENCE_MS;
  for (;;) {
    const claim = claimOwner(place.dataDir, 'server');
    if ('release' in claim) return own(place, claim.release, options);
    if (claim.owner.kind === 'server' || Date.now() > deadline) throw new Error(refusal(place, claim.owner));
    await delay(100);
  }
}

/**
 * Opens the database for a command. While a server owns the data directory this is a guest: `stop` leaves the database
 * running. Otherwise it starts the database for itself and stops it again; a server that starts meanwhile waits.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
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
    onExit: listener => {
      let listening = true;
      void running.exited.then(exit => listening && listener(exit));
      return () => {
        listening = false;
      };
    },
  };
}

async function own(place: Place, release: () => void, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  const ending = new AbortController();
  let run: Run | undefined;
  // An owner that ends without stop() still lets its database write everything down and go.
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
    const aborted = ending.signal;
    run = { place, programs, settings, log, aborted, socketDir: undefined, current: undefined };
    return supervise(run, await runPostmaster(run), ending, giveBack);
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** Keeps the database running until it is asked to stop: the bank then recovers by itself from a killed postmaster. */
function supervise(
  run: Run,
  first: Postmaster,
  ending: AbortController,
  giveBack: () => void,
): EmbeddedPostgres {
  const { place, log, aborted } = run;
  const { connection } = first;
  const listeners = new Set<(exit: PostgresExit) => void>();
  let stopped: Promise<void> | undefined;
  let current: Postmaster | undefined = first;
  run.socketDir = connection.host;

  const restart = async (): Promise<Postmaster | undefined> => {
    for (let attempt = 0; !aborted.aborted; attempt++) {
      try {
        const waitMs = RESTART_DELAYS_MS[Math.min(attempt, RESTART_DELAYS_MS.length - 1)];
        await delay(waitMs, undefined, { signal: aborted });
        keepPassword(place, connection.password);
        return await runPostmaster(run);
      } catch (error) {
        if (!aborted.aborted) log((error as Error).message);
      }
    }
    return undefined;
  };
  const keepRunning = async (): Promise<void> => {
    while (current) {
      const exit = await current.exited;
      current = undefined;
      if (aborted.aborted) return;
      log(`PostgreSQL stopped unasked (${exit.detail}); starting it again`);
      for (const listener of listeners) listener(exit);
      current = await restart();
      // It may have come up in the very moment it was asked to stop.
      if (current && aborted.aborted) return endPostmaster(place, current);
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
    onExit: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
