/** Forgetting: what people left behind that no longer decides anything. */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

/** Deletes codes, sessions and remembered addresses that are a day past their use. */
export async function forgetExpired(tx: Tx): Promise<void> {
  await sql`DELETE FROM codes WHERE created_at < now() - interval '1 day'`.execute(tx);
  await sql`DELETE FROM sessions WHERE expires_at < now() - interval '1 day'`.execute(tx);
  await sql`DELETE FROM asked_addresses WHERE touched_at < now() - interval '1 day'`.execute(tx);
}
