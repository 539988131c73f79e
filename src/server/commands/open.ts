/** Opens the bank's database for a command, whether or not a server is running. */
import { type Config, readConfig, SettingsError } from '../config.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { openEmbedded } from '../embedded/embedded.ts';

export type Opened = { config: Config; database: Database; close: () => Promise<void> };

/**
 * Opens the database that the server's settings name (`DATA_DIR` or `DATABASE_URL`). `needsSecret`: the command uses the
 * bank's keys, so production requires APP_SECRET.
 */
export async function openForCommand({ needsSecret }: { needsSecret: boolean }): Promise<Opened> {
  const { env } = process;
  const isProduction = Boolean(env.DATABASE_URL?.trim());
  // Fill in what only a server needs (mail server, first administrator).
  const config = readConfig({
    ...env,
    DEMO: '0',
    ADMIN_EMAIL: 'unused@bank.example',
    ADMIN_PASSWORD: 'not needed by a command',
    ...(isProduction && { PUBLIC_URL: 'http://localhost', SMTP_URL: 'smtp://localhost' }),
    ...(isProduction && !needsSecret && { APP_SECRET: 'unused, but 32 characters or more' }),
  });
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
