/** The task `clean-up`: lets go of what no rule reads any more and of files that nobody's row names. Never of evidence. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** The stored files, as far as sweeping needs them. */
export type SweptFiles = {
  listBefore(time: Date): AsyncIterable<string>;
  remove(name: string): Promise<void>;
};

const atOnce = 5_000;
/** A file is stored before the row that names it is committed; one this old has no such row coming. */
const orphanAgeMs = 60 * 60 * 1000;

/** Codes and asked addresses after a day, sessions a month after their end. Returns how many rows went. */
export async function forgetExpired(database: Database): Promise<number> {
  return await database.inTransaction(async tx => {
    const gone = [
      await sql`DELETE FROM codes WHERE created_at < now() - interval '1 day'`.execute(tx),
      await sql`DELETE FROM asked_addresses WHERE touched_at < now() - interval '1 day'`.execute(tx),
      await sql`DELETE FROM sessions WHERE expires_at < now() - interval '30 days'`.execute(tx),
    ];
    return gone.reduce((sum, result) => sum + Number(result.numAffectedRows ?? 0n), 0);
  });
}

/** Removes files that no customer's row names. Returns how many. */
export async function removeOrphans(database: Database, files: SweptFiles): Promise<number> {
  let removed = 0;
  const sweep = async (names: string[]): Promise<void> => {
    const found = await sql<{ name: string }>`
      SELECT name FROM unnest(${names}::text[]) AS name
       WHERE NOT EXISTS (SELECT FROM customers WHERE avatar_file = name)
         AND NOT EXISTS (SELECT FROM customers WHERE id_card_file = name)`.execute(database.reader);
    for (const { name } of found.rows) await files.remove(name);
    removed += found.rows.length;
  };
  let names: string[] = [];
  for await (const name of files.listBefore(new Date(Date.now() - orphanAgeMs))) {
    names.push(name);
    if (names.length === atOnce) {
      await sweep(names);
      names = [];
    }
  }
  if (names.length > 0) await sweep(names);
  return removed;
}
