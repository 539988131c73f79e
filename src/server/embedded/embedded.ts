/**
 * The embedded PostgreSQL, for a bank without DATABASE_URL. This file is the interface of its folder: code elsewhere imports no
 * other file of it.
 *
 * - One owner per data directory: the server, or a command while no server runs. A second server is refused.
 * - The owner starts PostgreSQL, restarts it after every unexpected end (a crash, a kill) and stops it in bounded time.
 * - PostgreSQL listens on a Unix socket that only its user and root can open, and on no network address. Its password is in
 *   the data directory and is replaced if it is lost.
 * - The folder imports nothing from the project, so that it can be copied and run alone.
 */
import type { Connection } from './connection.ts';
import * as supervisor from './supervisor.ts';

export { isAlive } from './processes.ts';
export type { Connection };

export type EmbeddedOptions = {
  /** Absolute or relative. Created if missing; holds all database files. */
  dataDir: string;
  /** Gets lines for the person who runs the bank; never a secret. Default: no output. */
  log?: (line: string) => void;
  /** PostgreSQL settings by name, which override ours. */
  settings?: Readonly<Record<string, string>>;
  /** How long PostgreSQL may show no progress while it starts, in milliseconds. Default: five minutes. */
  silenceMs?: number;
};

/** How a run of PostgreSQL ended; `detail` holds what its log says about it. */
export type PostgresExit = { code: number | null; signal: NodeJS.Signals | null; detail: string };

export type EmbeddedPostgres = {
  /** In the shape that `pg` takes; stays valid across restarts. */
  readonly connection: Connection;
  /** Whether PostgreSQL was already running: left by an owner that died, or shared by a living one. */
  readonly adopted: boolean;
  /** The process id of the PostgreSQL server now; undefined while it is down. */
  pid(): number | undefined;
  /** Stops PostgreSQL in at most 8 seconds. Does nothing in a command that uses a server's PostgreSQL. May be called again. */
  stop(): Promise<void>;
  /** Calls `listener` each time PostgreSQL ends without `stop`, before the restart. */
  onExit(listener: (exit: PostgresExit) => void): void;
};

/**
 * Starts the database of a data directory for a server, or takes it over from an owner that died, and keeps it running until
 * `stop`. Makes the directory, cluster, password and database if they are missing. Waits up to 15 seconds for a command that
 * uses the directory.
 * @throws if another process still owns the directory (the message names it), if PostgreSQL does not start (the message quotes
 * its log), and if its programs cannot run on this machine
 */
export function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  return supervisor.startAsServer(options);
}

/**
 * Opens the database for a command. While a server owns the data directory the command is its guest: `stop` leaves the
 * database running. Otherwise the command is the owner until `stop`, and a server that starts in the meantime waits for it.
 * Waits up to a minute for another command, and for a server whose database does not answer yet.
 * @throws as `startEmbedded` does
 */
export function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  return supervisor.openForCommand(options);
}

/**
 * Claims the data directory for a command that works on its files while no database runs. Returns a function that releases it.
 * @throws if a server or another command is using the directory
 */
export function claimDataDir(dataDir: string): () => void {
  return supervisor.claimForCommand(dataDir);
}
