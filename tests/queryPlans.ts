/** Runs a function with a reader or pool that sends each query twice: first with EXPLAIN, then as it is. */
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
  await explain(pool, counting, work, plan => {
    rows += rowsOf(plan);
  });
  return Math.round(rows);
}

/** Runs `work` with a pool that explains every query first; returns the largest number of rows that one query read. */
export async function countMostRowsRead(
  pool: pg.Pool,
  work: (explaining: pg.Pool) => Promise<unknown>,
): Promise<number> {
  let most = 0;
  const client = await pool.connect();
  const explaining = {
    async query(text: string, values: unknown[] = []) {
      let rows = 0;
      // EXPLAIN ANALYZE executes the query, so its changes are rolled back.
      await client.query('BEGIN');
      await explainOne(client, counting, { text, values }, plan => {
        rows += rowsOf(plan);
      });
      await client.query('ROLLBACK');
      most = Math.max(most, Math.round(rows));
      return await client.query(text, values);
    },
  };
  try {
    await work(explaining as never);
  } finally {
    client.release(true);
  }
  return most;
}

const counting = 'ANALYZE, TIMING OFF, FORMAT JSON';

/** The rows that a step of a plan reads from a table or an index. */
function rowsOf(plan: Plan): number {
  if (!plan['Node Type'].endsWith('Scan') || /Subquery|CTE|Function|Bitmap Index/.test(plan['Node Type']))
    return 0;
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  return ((plan['Actual Rows'] ?? 0) + removed) * (plan['Actual Loops'] ?? 1);
}

async function explainOne(
  on: Pick<pg.ClientBase, 'query'>,
  options: string,
  { text, values }: { text: string; values: unknown[] },
  visit: (plan: Plan) => void,
): Promise<void> {
  const visitAll = (plan: Plan): void => {
    visit(plan);
    for (const child of plan.Plans ?? []) visitAll(child);
  };
  const explained = await on.query(`EXPLAIN (${options}) ${text}`, values);
  visitAll((explained.rows[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan);
}

async function explain(
  pool: pg.Pool,
  options: string,
  work: (reader: Reader) => Promise<unknown>,
  visit: (plan: Plan) => void,
): Promise<void> {
  const client = await pool.connect();
  const explaining = {
    async query(text: string, values: unknown[]) {
      if (explainable.test(text)) await explainOne(client, options, { text, values }, visit);
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
