/** What the commands share. They open the bank's database whether or not a server is running. */
import { type Config, readConfig } from '../config.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { isMigrated } from '../db/migrations.ts';
import { openEmbedded } from '../embedded/embedded.ts';

/** Runs `work` on the database that the server's settings name (`DATA_DIR` or `DATABASE_URL`). */
export async function withDatabase(
  work: (opened: { config: Config; database: Database }) => Promise<number>,
): Promise<number> {
  const config = readConfig(process.env);
  const embedded =
    config.databaseUrl === undefined ? await openEmbedded({ dataDir: config.dataDir }) : undefined;
  const database = openDatabase(embedded?.connection ?? { connectionString: config.databaseUrl! }, {
    size: 2,
  });
  try {
    return await work({ config, database });
  } finally {
    await database.close();
    await embedded?.stop();
  }
}

/** Refuses a database without a bank, or with one that this version has not migrated. */
export async function refuseWithoutBank({ pool }: Database): Promise<void> {
  if (!(await isMigrated(pool)))
    throw new Error('This database contains no bank of this version. Start the server on it first.');
}

/**
 * Runs a command and sets the exit code. An error is printed as its message, with exit code 1. It is no error if the program
 * that reads the output ends first, as in `| head`.
 */
export async function runCommand(work: () => Promise<number>): Promise<void> {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') process.exitCode = 1;
  });
  try {
    // A 0 does not replace the 1 that an output error has set.
    process.exitCode = (await work()) || process.exitCode;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  }
}
