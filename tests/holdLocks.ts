/** A transaction that holds locks while a test looks at what waits for them. */
import type { Pool, PoolClient } from 'pg';
import { onTestFinished } from 'vitest';

/** Runs a statement in a transaction that stays open until the test commits or rolls it back, or until the test is over. */
export async function holdLocks(pool: Pool, statement: string, ...values: unknown[]): Promise<PoolClient> {
  const client = await pool.connect();
  // Destroys the connection, which releases the locks in any case.
  onTestFinished(() => client.release(true));
  await client.query('BEGIN');
  await client.query(statement, values);
  return client;
}
