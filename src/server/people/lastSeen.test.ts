/** When sessions were last seen: noted in memory, written together. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { testSecrets } from '../../../tests/person.ts';
import { seedCustomer } from '../../../tests/seedCustomers.ts';
import { makeTokens } from '../http/tokens.ts';
import { openLastSeen } from './lastSeen.ts';
import { endSession } from './sessions.ts';

let place: TestDatabase;
beforeAll(async () => {
  place = await cloneDatabase();
});
afterAll(() => place.drop());

const raise = (error: Error) => {
  throw error;
};
const seenAt = async (id: string) =>
  (
    await sql<{ at: Date }>`SELECT last_seen_at AS at FROM sessions WHERE id = ${id}`.execute(
      place.database.reader,
    )
  ).rows[0]!.at;

test('many requests of many sessions become one writing, and an ended session is left as it was', async () => {
  const tokens = makeTokens(testSecrets);
  const [here, there, quiet, gone] = await Promise.all(
    Array.from({ length: 4 }, () => seedCustomer(place.database, tokens)),
  );
  await place.database.inTransaction(tx => endSession(tx, gone!.sessionId));
  await place.database.ownerPool.query("UPDATE sessions SET last_seen_at = now() - interval '9 minutes'");
  let writings = 0;
  const seen = openLastSeen(
    {
      ...place.database,
      inTransaction: work => {
        writings++;
        return place.database.inTransaction(work);
      },
    },
    raise,
  );
  for (let i = 0; i < 50; i++) for (const one of [here, there, gone]) seen.record(one!.sessionId);
  expect(writings).toBe(0);
  await seen.close();
  expect(writings).toBe(1);
  const minutesAgo = async (one: typeof here) =>
    Math.round((Date.now() - (await seenAt(one!.sessionId)).getTime()) / 60_000);
  expect(await Promise.all([here, there, quiet, gone].map(minutesAgo))).toEqual([0, 0, 9, 9]);
});

test('a session that is being ended just now holds nobody up', async () => {
  const tokens = makeTokens(testSecrets);
  const [leaving, staying] = [
    await seedCustomer(place.database, tokens),
    await seedCustomer(place.database, tokens),
  ];
  await place.database.ownerPool.query("UPDATE sessions SET last_seen_at = now() - interval '9 minutes'");
  const seen = openLastSeen(place.database, raise);
  for (const { sessionId } of [leaving, staying]) seen.record(sessionId);
  // The lock is held until the writing is over: whoever waited for it would give up with an error, which `raise` throws.
  await place.database.inTransaction(async tx => {
    await endSession(tx, leaving.sessionId);
    await seen.close();
  });
  expect(Date.now() - (await seenAt(staying.sessionId)).getTime()).toBeLessThan(60_000);
});

test('what could not be written is said, and nobody is held up by it', async () => {
  const faults: string[] = [];
  const seen = openLastSeen(
    { ...place.database, inTransaction: () => Promise.reject(new Error('no database')) },
    error => faults.push(error.message),
  );
  seen.record('01990000-0000-7000-8000-000000000000');
  await seen.close();
  expect(faults).toEqual(['no database']);
});
