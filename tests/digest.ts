/**
 * What a refused request must leave as it was: every row but the record that it was refused, and every stored file. That
 * somebody asked, which a session remembers, is no change.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

/** Evidence of what was asked may grow. */
const mayGrow = new Set(['audit_log', 'audit_seals']);

/** Table or folder by name, each with a digest of its whole content. Read with the owner's rights. */
export async function digest(owner: pg.Pool, dataDir: string): Promise<Record<string, string>> {
  const tables = await owner.query<{ schema: string; name: string }>(`
    SELECT schemaname AS schema, tablename AS name FROM pg_tables
     WHERE schemaname IN ('public', 'graphile_worker') ORDER BY 1, 2`);
  const looked = tables.rows.filter(({ name }) => !mayGrow.has(name));
  const parts = looked.map(
    ({ schema, name }) => `
    SELECT '${name}' AS name, count(*) || ' rows ' || md5(coalesce(string_agg(t, '|' ORDER BY t), '')) AS sum
      FROM (SELECT (to_jsonb(r) - 'last_seen_at')::text AS t FROM "${schema}"."${name}" r) rows`,
  );
  const found = await owner.query<{ name: string; sum: string }>(parts.join(' UNION ALL '));
  const store = join(dataDir, 'files');
  const files = existsSync(store) ? readdirSync(store, { recursive: true, encoding: 'utf8' }).sort() : [];
  return { ...Object.fromEntries(found.rows.map(({ name, sum }) => [name, sum])), files: files.join(' ') };
}
