/**
 * Saves all rows of a bank as one text, and loads them again. The upgrade test loads the rows of a released version and
 * migrates them to this version. The text has no table definitions, because the migrations of a release never change.
 */
import type pg from 'pg';

type Queries = Pick<pg.Client, 'query'>;

/** `tables`: the rows of each table as JSON text, which is not parsed here, so numbers stay exact. */
type BankData = { migrations: string[]; tables: Record<string, string>; sequences: Record<string, string> };

/** Tables about the migrations, which are not part of the bank's data. */
const excluded = ['migration_checksums', 'schema_version'];

/** Reads every row of the schema `public`. The client must be the database's owner. */
export async function readBankData(client: Queries): Promise<string> {
  const { rows: names } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1) ORDER BY 1",
    [excluded],
  );
  const data: BankData = { migrations: [], tables: {}, sequences: {} };
  for (const { name } of names) {
    const { rows } = await client.query<{ rows: string | null }>(
      `SELECT json_agg(to_jsonb(t))::text AS rows FROM "${name}" t`,
    );
    if (rows[0]!.rows !== null) data.tables[name] = rows[0]!.rows;
  }
  const { rows: sequences } = await client.query<{ name: string; value: string }>(
    "SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL",
  );
  data.sequences = Object.fromEntries(sequences.map(({ name, value }) => [name, value]));
  const { rows: applied } = await client.query<{ name: string }>(
    'SELECT name FROM migration_checksums ORDER BY 1',
  );
  data.migrations = applied.map(({ name }) => name);
  return JSON.stringify(data);
}

/** The names of the migrations that the data needs. */
export const migrationsOf = (text: string): string[] => (JSON.parse(text) as BankData).migrations;

/** Replaces every row of a database that has exactly the migrations of `text`. Only a superuser can turn off its triggers. */
export async function loadBankData(client: Queries, text: string): Promise<void> {
  const { tables, sequences } = JSON.parse(text) as BankData;
  await client.query('BEGIN');
  const { rows: triggers } = await client.query<{ table: string; name: string; state: string }>(
    `SELECT tgrelid::regclass::text AS table, quote_ident(tgname) AS name, tgenabled AS state FROM pg_trigger
      WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`,
  );
  await client.query('SET LOCAL session_replication_role = replica');
  for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`);
  const { rows: names } = await client.query<{ name: string; columns: string }>(
    `SELECT table_name AS name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS columns
       FROM information_schema.columns JOIN pg_tables ON tablename = table_name AND schemaname = table_schema
      WHERE table_schema = 'public' AND is_generated = 'NEVER' AND table_name <> ALL ($1) GROUP BY 1`,
    [excluded],
  );
  for (const { name } of names) await client.query(`DELETE FROM "${name}"`);
  for (const { name, columns } of names)
    await client.query(
      `INSERT INTO "${name}" (${columns}) OVERRIDING SYSTEM VALUE
       SELECT ${columns} FROM jsonb_populate_recordset(NULL::"${name}", $1)`,
      [tables[name] ?? '[]'],
    );
  for (const [name, value] of Object.entries(sequences))
    await client.query('SELECT setval($1::regclass, $2::bigint)', [name, value]);
  const states: Record<string, string> = {
    A: 'ENABLE ALWAYS',
    O: 'ENABLE',
    R: 'ENABLE REPLICA',
    D: 'DISABLE',
  };
  for (const { table, name, state } of triggers)
    await client.query(`ALTER TABLE ${table} ${states[state]} TRIGGER ${name}`);
  await client.query('COMMIT');
}
