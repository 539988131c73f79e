/** Refuses to start a bank whose folder of people's keys is lost, before new keys take the place of those that it had. */
import { join } from 'node:path';
import { sql } from 'kysely';
import { SettingsError } from '../config.ts';
import type { Reader } from '../db/database.ts';
import type { Parts } from '../parts.ts';

/** Creates the folder of a new bank. Throws `SettingsError` if it is missing although it had keys. */
export async function refuseLostKeys(
  reader: Reader,
  keys: Pick<Parts['keys'], 'exists' | 'create'>,
  dataDir: string,
): Promise<void> {
  if (keys.exists()) return;
  const needed = await sql`
    SELECT WHERE EXISTS (SELECT FROM customers WHERE deleted_at IS NULL AND avatar_file IS NOT NULL)
              OR EXISTS (SELECT FROM customers WHERE deleted_at IS NULL AND id_card_file IS NOT NULL)
              OR EXISTS (SELECT FROM retained_identities WHERE sealed IS NOT NULL)
              OR EXISTS (SELECT FROM authenticator_apps)`.execute(reader);
  if (needed.rows.length > 0)
    throw new SettingsError(
      `${join(dataDir, 'keys')} is missing. It holds the keys of people's pictures, authenticator apps and retained identities: bring it back from its copy. If there is none, create an empty folder with that name: pictures and apps must then be set up again, and retained identities are lost.`,
    );
  await keys.create();
}
