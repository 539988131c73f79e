/** Opens the bank's database for a command, whether or not a server is running. */
import { type Config, readConfig, SettingsError } from '../config.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { openEmbedded } from '../embedded/embedded.ts';

export type Opened = { config: Config; database: Database; close: () => Promise<void> };

/** Opens the database that the server's settings name (`DATA_DIR` or `DATABASE_URL`). */
export async function openForCommand(): Promise<Opened> {
  const config = readConfig(process.env);
  const embedded =
    config.databaseUrl === undefined ? await openEmbedded({ dataDir: config.dataDir }) : undefined;
  const database = openDatabase(embedded?.connection ?? { connectionString: config.databaseUrl! }, {
    size: 2,
  });
  return {
    config,
    database,
    async close() {
      await database.close();
      await embedded?.stop();
    },
  };
}

/** Runs a command and sets the exit code. An error is printed as its message, with exit code 1. */
export async function runCommand(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    const message = error instanceof SettingsError || error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  }
}
