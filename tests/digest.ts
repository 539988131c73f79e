/**
 * A digest of everything that a refused request must not change: all rows except the audit log and its seals, and the names of
 * all stored files. The time at which a session was last seen is not included.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

/** Tables that record refused requests too. */
const ignoredTables = new Set(['audit_log', 'audit_seals']);

/** Returns a digest of each table, by name, and the names of the files as `files`. `owner` must be the database's owner. */
export async function digest(owner: pg.Pool, dataDir: string): Promise<Record<string, string>> {
  const tables = await owner.query<{ schema: string; name: string }>(`
    SELECT schemaname AS schema, tablename AS name FROM pg_tables
     WHERE schemaname IN ('public', 'graphile_worker') ORDER BY 1, 2`);
  const included = tables.rows.filter(({ name }) => !ignoredTables.has(name));
  const parts = included.map(
    ({ schema, name }) => `
    SELECT '${name}' AS name, count(*) || ' rows ' || md5(coalesce(string_agg(t, '|' ORDER BY t), '')) AS sum
      FROM (SELECT (to_jsonb(r) - 'last_seen_at')::text AS t FROM "${schema}"."${name}" r) rows`,
  );
  // A named statement is planned once: planning takes longer than running it.
  const found = await owner.query<{ name: string; sum: string }>({
    name: 'digest',
    text: parts.join(' UNION ALL '),
  });
  const store = join(dataDir, 'files');
  const files = existsSync(store) ? readdirSync(store, { recursive: true, encoding: 'utf8' }).sort() : [];
  return { ...Object.fromEntries(found.rows.map(({ name, sum }) => [name, sum])), files: files.join(' ') };
}
