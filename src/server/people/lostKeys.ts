/** Refuses to start a bank that has lost people's keys, before it makes new keys in place of the lost ones. */
import { join } from 'node:path';
import { sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import { SettingsError } from '../config.ts';
import type { Reader } from '../db/database.ts';
import type { Parts } from '../parts.ts';

type StoreParts = {
  config: Pick<Parts['config'], 'dataDir' | 'filesUrl'>;
  database: { reader: Reader };
  store: Pick<Parts['store'], 'refuseUnfit'>;
  keys: Pick<Parts['keys'], 'check' | 'create'>;
};

/** The place of the folder of keys, for messages to an operator. */
export const placeOfKeys = ({ filesUrl, dataDir }: StoreParts['config']): string =>
  filesUrl ? 'the folder keys in the store of FILES_URL' : join(dataDir, 'keys');

/**
 * Creates the folder of keys for a new bank. Throws `SettingsError` if the bank has keys but their folder is missing or belongs
 * to another bank, if the folder has keys in a wrong place, or if the file store is unfit. If the store does not answer,
 * refuses only a new bank, because an existing bank can process payments and logins without the store.
 */
export async function refuseUnfitStore({ config, database, store, keys }: StoreParts): Promise<void> {
  const place = placeOfKeys(config);
  try {
    await store.refuseUnfit();
    const found = await keys.check();
    if (found === 'ours') return;
    if (found === 'misplaced')
      throw new SettingsError(
        `${place} has people's keys in a wrong folder inside it, such as keys/keys, where no server finds them. Delete them if they are copies, or move them: the key of a person whose id ends with 4f belongs in the folder 4f of ${place}.`,
      );
    if (found === 'foreign' && (await hasKeys(database.reader)))
      throw new SettingsError(
        `${place} belongs to another bank, or was made with another APP_SECRET. Put this bank's folder in its place, from its disk or the backup.`,
      );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (await hasKeys(database.reader)) return;
    const what = config.filesUrl ? 'The store of FILES_URL' : 'The disk of DATA_DIR';
    const why = error.cause instanceof Error ? `cannot be used (${error.cause.message})` : 'does not answer';
    throw new SettingsError(`${what} ${why}, and a new bank needs it.`);
  }
  if (await hasKeys(database.reader))
    throw new SettingsError(
      `${place} is missing. It holds the keys of people's pictures, authenticator apps and retained identities: restore it from the backup. If there is none, create an empty folder with that name: pictures and apps must then be set up again, and retained identities are lost.`,
    );
  await keys.create();
}

async function hasKeys(reader: Reader): Promise<boolean> {
  // PostgreSQL 15 requires a name for each subquery.
  const needed = await sql`
    SELECT FROM (SELECT FROM customers WHERE deleted_at IS NULL AND avatar_file IS NOT NULL LIMIT 1) pictures
     UNION ALL SELECT FROM (SELECT FROM customers WHERE deleted_at IS NULL AND id_card_file IS NOT NULL LIMIT 1) documents
     UNION ALL SELECT FROM (SELECT FROM retained_identities WHERE sealed IS NOT NULL LIMIT 1) identities
     UNION ALL SELECT FROM (SELECT FROM authenticator_apps LIMIT 1) apps`.execute(reader);
  return needed.rows.length > 0;
}
