/** Opens the bank's database for a command, whether or not a server is running on it. */
import { type Config, readConfig, SettingsError } from '../config.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { openEmbedded } from '../embedded/embedded.ts';

export type Opened = { config: Config; database: Database; close: () => Promise<void> };

/**
 * Where the bank is, read from the same settings as the server's (`DATA_DIR` or `DATABASE_URL`). `needsSecret` says that
 * the command works with the bank's keys, which production must then give.
 */
export async function openForCommand({ needsSecret }: { needsSecret: boolean }): Promise<Opened> {
  const { env } = process;
  const isProduction = Boolean(env.DATABASE_URL?.trim());
  // What only a server must be told (where mail goes, who is first) is filled in.
  const config = readConfig({
    ...env,
    DEMO: '0',
    ADMIN_EMAIL: 'nobody@bank.example',
    ADMIN_PASSWORD: 'not needed by a command',
    ...(isProduction && { PUBLIC_URL: 'http://localhost', SMTP_URL: 'smtp://localhost' }),
    ...(isProduction && !needsSecret && { APP_SECRET: 'not needed to look at the books.' }),
  });
  const embedded =
    config.databaseUrl === undefined ? await openEmbedded({ dataDir: config.dataDir }) : undefined;
  const database = openDatabase(embedded?.connection ?? { connectionString: config.databaseUrl! }, 2);
  return {
    config,
    database,
    async close() {
      await database.close();
      await embedded?.stop();
    },
  };
}

/** Runs a command; what it throws becomes a sentence and exit code 1. */
export async function runCommand(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    const told = error instanceof SettingsError || error instanceof Error ? error.message : String(error);
    process.stderr.write(`${told}\n`);
    process.exitCode = 1;
  }
}
