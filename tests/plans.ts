/** How PostgreSQL means to answer what the bank asks: every statement is explained before it is asked. */
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Reader } from '#server/db/database.ts';

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] };

const explainable = /^\s*(select|with)\b/i;

/** Does `work` with a reader of its own and gives the tables that were read from end to end, each once. */
export async function tablesReadWhole(
  pool: pg.Pool,
  work: (reader: Reader) => Promise<unknown>,
): Promise<string[]> {
  const whole = new Set<string>();
  const look = (plan: Plan): void => {
    if (plan['Node Type'] === 'Seq Scan') whole.add(plan['Relation Name'] ?? '');
    for (const below of plan.Plans ?? []) look(below);
  };
  const client = await pool.connect();
  const explaining = {
    async query(text: string, values: unknown[]) {
      if (explainable.test(text)) {
        const explained = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
        look((explained.rows[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan);
      }
      return await client.query(text, values);
    },
    release() {},
  };
  const dialect = new PostgresDialect({
    pool: { connect: async () => explaining, end: async () => {} } as never,
  });
  try {
    await work(new Kysely<unknown>({ dialect }));
  } finally {
    client.release();
  }
  return [...whole].sort();
}
