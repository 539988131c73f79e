/** Opens the bank's database for a command, whether or not a server is running on it. */
import { type Config, readConfig, SettingsError } from '../config.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { openEmbedded } from '../db/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { deriveSecrets, keepLocalSecret, type Secrets } from '../secrets.ts';

export type Opened = {
  config: Config;
  database: Database;
  /** The bank's keys; throws `SettingsError` where APP_SECRET is needed and missing. */
  secrets: () => Secrets;
  close: () => Promise<void>;
};

/** Reads where the bank is from the same settings as the server (`DATA_DIR` or `DATABASE_URL`), and migrates it. */
export async function openForCommand(env: NodeJS.ProcessEnv = process.env): Promise<Opened> {
  // A command needs neither mail nor a first administrator, so what only the server must be told is filled in.
  const config = readConfig({
    ...env,
    DEMO: '1',
    ...(env.DATABASE_URL && {
      PUBLIC_URL: env.PUBLIC_URL ?? 'http://localhost',
      SMTP_URL: env.SMTP_URL ?? 'smtp://localhost',
    }),
  });
  const embedded =
    config.databaseUrl === undefined ? await openEmbedded({ dataDir: config.dataDir }) : undefined;
  const database = openDatabase(embedded?.connection ?? { connectionString: config.databaseUrl! }, 2);
  await migrate(database.ownerPool);
  return {
    config,
    database,
    secrets() {
      if (config.production && !env.APP_SECRET)
        throw new SettingsError("APP_SECRET is missing: the bank's own is needed here.");
      return deriveSecrets(config.appSecret ?? keepLocalSecret(config.dataDir));
    },
    async close() {
      await database.close();
      await embedded?.stop();
    },
  };
}
