/** How PostgreSQL answers what the bank asks: every statement is explained before it is asked. */
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

/** Does `work` with a reader of its own and gives the tables that were read from end to end, each once. */
export async function listSeqScans(
  pool: pg.Pool,
  work: (reader: Reader) => Promise<unknown>,
): Promise<string[]> {
  const whole = new Set<string>();
  await explain(pool, 'FORMAT JSON', work, plan => {
    if (plan['Node Type'] === 'Seq Scan') whole.add(plan['Relation Name'] ?? '');
  });
  return [...whole].sort();
}

/** Does `work` with a reader of its own and gives how many rows of tables and indexes were read for it in all. */
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
  how: string,
  work: (reader: Reader) => Promise<unknown>,
  look: (plan: Plan) => void,
): Promise<void> {
  const lookAll = (plan: Plan): void => {
    look(plan);
    for (const below of plan.Plans ?? []) lookAll(below);
  };
  const client = await pool.connect();
  const explaining = {
    async query(text: string, values: unknown[]) {
      if (explainable.test(text)) {
        const explained = await client.query(`EXPLAIN (${how}) ${text}`, values);
        lookAll((explained.rows[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan);
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
