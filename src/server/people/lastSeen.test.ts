/** When sessions were last seen: recorded in memory, written in one statement. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { session as rule } from '#contract/constants.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { testSecrets } from '../../../tests/person.ts';
import { seedCustomer } from '../../../tests/seedCustomers.ts';
import { makeTokens } from '../http/tokens.ts';
import { idleLimitSeconds, openLastSeen } from './lastSeen.ts';
import { endSession } from './sessions.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await cloneDatabase();
});
afterAll(() => testDatabase.drop());

const raise = (error: Error) => {
  throw error;
};
const seenAt = async (id: string) =>
  (
    await sql<{ at: Date }>`SELECT last_seen_at AS at FROM sessions WHERE id = ${id}`.execute(
      testDatabase.database.reader,
    )
  ).rows[0]!.at;

test('many requests of many sessions become one write, and an ended session is not changed', async () => {
  const tokens = makeTokens(testSecrets);
  const [first, second, idle, ended] = await Promise.all(
    Array.from({ length: 4 }, () => seedCustomer(testDatabase.database, tokens)),
  );
  await testDatabase.database.inTransaction(tx => endSession(tx, ended!.sessionId));
  await testDatabase.database.ownerPool.query(
    "UPDATE sessions SET last_seen_at = now() - interval '9 minutes'",
  );
  const began = Date.now();
  let writes = 0;
  const seen = openLastSeen(
    {
      ...testDatabase.database,
      inTransaction: work => {
        writes++;
        return testDatabase.database.inTransaction(work);
      },
    },
    raise,
  );
  for (let i = 0; i < 50; i++) for (const one of [first, second, ended]) seen.record(one!.sessionId, 0);
  expect(writes).toBe(0);
  await seen.close();
  expect(writes).toBe(1);
  const wasSeen = async (one: typeof first) => (await seenAt(one!.sessionId)).getTime() >= began;
  expect(await Promise.all([first, second, idle, ended].map(wasSeen))).toEqual([true, true, false, false]);
});

test('a session that is being ended does not block the write for other sessions', async () => {
  const tokens = makeTokens(testSecrets);
  const [leaving, staying] = [
    await seedCustomer(testDatabase.database, tokens),
    await seedCustomer(testDatabase.database, tokens),
  ];
  await testDatabase.database.ownerPool.query(
    "UPDATE sessions SET last_seen_at = now() - interval '9 minutes'",
  );
  const began = Date.now();
  const seen = openLastSeen(testDatabase.database, raise);
  for (const { sessionId } of [leaving, staying]) seen.record(sessionId, 0);
  // This transaction holds the session's lock until the write is done. A write that waits for the lock would time out, and
  // `raise` would fail the test.
  await testDatabase.database.inTransaction(async tx => {
    await endSession(tx, leaving.sessionId);
    await seen.close();
  });
  expect((await seenAt(staying.sessionId)).getTime()).toBeGreaterThanOrEqual(began);
});

test('the time of the last action is written, not the time of the last request, and is never set back [ST-50]', async () => {
  const { sessionId } = await seedCustomer(testDatabase.database, makeTokens(testSecrets));
  const minutesAgo = async () => Math.round((Date.now() - (await seenAt(sessionId)).getTime()) / 60_000);
  await testDatabase.database.ownerPool.query(
    "UPDATE sessions SET last_seen_at = now() - interval '9 minutes'",
  );
  const seen = openLastSeen(testDatabase.database, raise);
  seen.record(sessionId, 300);
  seen.record(sessionId, 420);
  await seen.close();
  expect(await minutesAgo()).toBe(5);
  const later = openLastSeen(testDatabase.database, raise);
  later.record(sessionId, 600);
  await later.close();
  expect(await minutesAgo()).toBe(5);
});

test('a request does not revive a session that was idle for too long [ST-50]', async () => {
  const { sessionId } = await seedCustomer(testDatabase.database, makeTokens(testSecrets));
  await testDatabase.database.ownerPool.query(
    "UPDATE sessions SET last_seen_at = now() - interval '17 minutes'",
  );
  const seen = openLastSeen(testDatabase.database, raise);
  seen.record(sessionId, 0);
  await seen.close();
  expect(Date.now() - (await seenAt(sessionId)).getTime()).toBeGreaterThan(16 * 60_000);
});

test('live_sessions has the idle limit of `lastSeen.ts`, and leaves out sessions that expire over 15 minutes later than a new one', async () => {
  const view = await sql<{ seconds: number }>`
    SELECT extract(epoch FROM m[1]::interval)::integer AS seconds
      FROM regexp_matches(pg_get_viewdef('live_sessions'), '''([0-9:]+)''::interval', 'g') m`.execute(
    testDatabase.database.reader,
  );
  expect(view.rows).toEqual([{ seconds: idleLimitSeconds }, { seconds: rule.lifeSeconds + 15 * 60 }]);
});

test('a failed write is reported and does not block closing', async () => {
  const faults: string[] = [];
  const seen = openLastSeen(
    { ...testDatabase.database, inTransaction: () => Promise.reject(new Error('no database')) },
    error => faults.push(error.message),
  );
  seen.record('01990000-0000-7000-8000-000000000000', 0);
  await seen.close();
  expect(faults).toEqual(['no database']);
});
