/** Failed attempts in the audit log: the first ones of each hour, and the number of further ones. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { newId } from '../base/uuid.ts';
import { recordCountedAttempts, recordFailedAttempt } from './failedAttempts.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await cloneDatabase();
});
afterAll(() => testDatabase.drop());

async function fail(personId: string | undefined, times: number): Promise<void> {
  const attempt = {
    kind: 'customer',
    action: 'login.failed',
    address: '192.0.2.7',
    reason: 'locked',
  } as const;
  for (let i = 0; i < times; i++)
    await testDatabase.database.inTransaction(tx => recordFailedAttempt(tx, { ...attempt, personId }));
}

/** The data of a person's records; without a person, of the records about unknown emails. */
async function recorded(personId: string | null): Promise<object[]> {
  const { rows } = await sql<{ data: object }>`
    SELECT data FROM audit_log
     WHERE actor_id IS NOT DISTINCT FROM ${personId} AND action = 'login.failed' ORDER BY id`.execute(
    testDatabase.database.reader,
  );
  return rows.map(row => row.data);
}

/** Lets an hour pass. */
const passHour = () =>
  sql`UPDATE failed_attempts SET began_at = began_at - interval '1 hour'`.execute(
    testDatabase.database.reader,
  );

test('the first twenty of a hundred failed attempts in an hour are recorded one by one, and a later record has the number of the rest [M-43]', async () => {
  const [iris, nora] = [newId(), newId()];
  await fail(iris, 100);
  await fail(nora, 20);
  expect(await recorded(iris)).toEqual(Array(20).fill({ reason: 'locked' }));
  await passHour();
  expect(await recordCountedAttempts(testDatabase.database)).toBe(2);
  expect(await recordCountedAttempts(testDatabase.database)).toBe(0);
  expect((await recorded(iris)).slice(20)).toEqual([{ further: 80 }]);
  expect(await recorded(nora)).toHaveLength(20);
});

test('the first attempt of the next hour records the count of the hour before, and is recorded itself [M-43]', async () => {
  const iris = newId();
  await fail(iris, 25);
  await passHour();
  await fail(iris, 1);
  expect((await recorded(iris)).slice(20)).toEqual([{ further: 5 }, { reason: 'locked' }]);
});

test('after the clock was ahead, a failed attempt belongs to a new hour [ST-55]', async () => {
  const iris = newId();
  await fail(iris, 25);
  await sql`UPDATE failed_attempts SET began_at = began_at + interval '3 days'`.execute(
    testDatabase.database.reader,
  );
  await fail(iris, 1);
  expect((await recorded(iris)).slice(20)).toEqual([{ further: 5 }, { reason: 'locked' }]);
});

test('attempts at many unknown emails share one limit [M-43]', async () => {
  await fail(undefined, 205);
  expect(await recorded(null)).toHaveLength(200);
  await passHour();
  await recordCountedAttempts(testDatabase.database);
  expect((await recorded(null)).slice(200)).toEqual([{ further: 5 }]);
});
