/** Query plans: runs work with a reader that explains every SELECT before it executes it. */
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Reader } from '#server/db/database.ts';

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
};

const explainable = /^\s*(select|with)\b/i;

/** Runs `work` with an explaining reader; returns the names of the tables it read with a sequential scan, sorted. */
export async function listSeqScans(
  pool: pg.Pool,
  work: (reader: Reader) => Promise<unknown>,
): Promise<string[]> {
  const tables = new Set<string>();
  await explain(pool, 'FORMAT JSON', work, plan => {
    if (plan['Node Type'] === 'Seq Scan') tables.add(plan['Relation Name'] ?? '');
  });
  return [...tables].sort();
}

/** Runs `work` with an explaining reader; returns how many rows of tables and indexes it read in total. */
export async function countRowsRead(
  pool: pg.Pool,
  work: (reader: Reader) => Promise<unknown>,
): Promise<number> {
  let rows = 0;
  await explain(pool, 'ANALYZE, TIMING OFF, FORMAT JSON', work, plan => {
    if (!plan['Node Type'].endsWith('Scan') || /Subquery|CTE|Function|Bitmap Index/.test(plan['Node Type']))
      return;
    const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
    rows += ((plan['Actual Rows'] ?? 0) + removed) * (plan['Actual Loops'] ?? 1);
  });
  return Math.round(rows);
}

async function explain(
  pool: pg.Pool,
  options: string,
  work: (reader: Reader) => Promise<unknown>,
  visit: (plan: Plan) => void,
): Promise<void> {
  const visitAll = (plan: Plan): void => {
    visit(plan);
    for (const child of plan.Plans ?? []) visitAll(child);
  };
  const client = await pool.connect();
  const explaining = {
    async query(text: string, values: unknown[]) {
      if (explainable.test(text)) {
        const explained = await client.query(`EXPLAIN (${options}) ${text}`, values);
        visitAll((explained.rows[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan);
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
}
