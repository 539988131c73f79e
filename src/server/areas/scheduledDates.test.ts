/** Which changes of a scheduled transfer's dates need a confirmation, and how far its dates reach. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { frequencies, lastDate, type ScheduledChange, scheduledApi } from '#contract/scheduled.ts';
import { newId } from '#server/base/uuid.ts';
import { openDatabase, type Tx } from '#server/db/database.ts';
import { prepareDatabase } from '#server/db/migrate.ts';
import { listMigrations } from '#server/db/migrations.ts';
import { makeRandom } from '#server/demo/history.ts';
import { changeSchedule } from '#server/people/scheduledTransfers.ts';
import { bankDays, daysLater } from '../../../tests/bankDays.ts';
import { createClone, testSecrets } from '../../../tests/database.ts';
import { type SeededCustomer, seedCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
let anna: SeededCustomer;
beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off' });
  anna = await seedCustomer(bank.bank.parts.database, bank.bank.parts.tokens);
});
afterAll(() => bank.close());

const owner = () => bank.test.database.ownerPool;
const { dayFromNow } = bankDays(owner);

const rent = {
  kind: 'external',
  bankName: 'First Harbor Bank',
  accountName: 'Meadow Rentals',
  accountNumber: '12345678',
  amount: 10,
  frequency: 'monthly',
};
const add = (more: object) =>
  bank.call(scheduledApi.addScheduled, { token: anna.token, body: { ...rent, ...more } });
const change = (id: string, body: object) =>
  bank.call(scheduledApi.changeScheduled, { token: anna.token, params: { id }, body });
const skip = async (id: string, body?: { date: string }) =>
  (await bank.call(scheduledApi.skipScheduled, { token: anna.token, params: { id }, ...(body && { body }) }))
    .body.data;

/** Adds a schedule whose amount needs a confirmation, as if the customer had confirmed it. */
async function addLarge(startDate: string): Promise<string> {
  const id = (await add({ startDate: await dayFromNow(1) })).body.data._id;
  await owner().query(
    'UPDATE scheduled_transfers SET amount = 2500000, start_date = $2, next_date = $2 WHERE id = $1',
    [id, startDate],
  );
  return id;
}

test('a thief who moves a large transfer to the last possible day and skips that day cannot send it early without a confirmation [SC-13, SC-25]', async () => {
  const id = await addLarge('9999-12-31');
  expect((await change(id, { startDate: await dayFromNow(0) })).body.code).toBe('STEP_UP_REQUIRED');
  expect(await skip(id, { date: '9999-12-31' })).toMatchObject({ status: 'ended', nextDates: [] });
  expect((await change(id, { startDate: await dayFromNow(0) })).body.code).toBe('CONFLICT');
});

test('an earlier date needs a confirmation, even if a server wrote a next date after the year 9999 [SC-13]', async () => {
  const id = await addLarge('10000-01-31');
  expect((await change(id, { startDate: await dayFromNow(0) })).body.code).toBe('STEP_UP_REQUIRED');
});

test.each(frequencies)(
  'the dates of a transfer that is sent %s end in the year 9999 [SC-25]',
  async frequency => {
    const { rows } = await owner().query<{ day: string | null }>(
      `SELECT scheduled_date_within('9999-12-31', $1, i, NULL, NULL)::text AS day FROM generate_series(0, 3) i
      UNION ALL SELECT scheduled_date_within('10000-01-01', $1, 0, NULL, NULL)::text`,
      [frequency],
    );
    expect(rows.map(({ day }) => day)).toEqual(['9999-12-31', null, null, null, null]);
  },
);

test('a customer who mistypes the year of a first or last date reads which days are possible, and can choose the last of them [SC-25]', async () => {
  const [startDate, last] = [await dayFromNow(1), lastDate()];
  const tooFar = daysLater(last, 1);
  const refused = (field: string) => ({
    status: 400,
    body: { errors: [{ field, message: 'Choose a day within the next 100 years' }] },
  });
  expect(await add({ startDate: tooFar })).toMatchObject(refused('startDate'));
  expect(await add({ startDate, endDate: '9999-12-31' })).toMatchObject(refused('endDate'));
  const made = await add({ startDate: last, endDate: last, frequency: 'yearly' });
  expect(made.body.data).toMatchObject({ nextDates: [last] });
  const { _id: id } = made.body.data;
  expect(await change(id, { startDate: tooFar })).toMatchObject(refused('startDate'));
  expect(await change(id, { endDate: tooFar })).toMatchObject(refused('endDate'));
});

test('a transfer on the 31st stays on the 31st when its next date or its frequency is saved unchanged [SC-13, SC-26]', async () => {
  const id = await addLarge('2098-12-31');
  await skip(id);
  await skip(id);
  const nextDates = ['2099-02-28', '2099-03-31', '2099-04-30'];
  for (const same of [
    { startDate: '2099-02-28' },
    { frequency: 'monthly' },
    { startDate: '2099-02-28', frequency: 'monthly', endDate: null, count: null },
  ])
    expect({ same, data: (await change(id, same)).body.data }).toMatchObject({
      same,
      data: { startDate: '2098-12-31', nextDates, datesPast: 2 },
    });
  // A count that is sent together with a first date counts from that date.
  expect((await change(id, { startDate: '2099-02-28', count: 1 })).body).toMatchObject({
    data: { nextDates: ['2099-02-28'], datesPast: 2 },
  });
  const refused = await change(id, { startDate: '2099-02-28', endDate: '2099-02-27' });
  expect(refused.body.errors).toMatchObject([{ field: 'endDate' }]);
  expect((await change(id, { startDate: '2099-02-27' })).body.code).toBe('STEP_UP_REQUIRED');
});

const [changes, compared] = [600, 40];

test('no random change sends more, earlier or additional transfers without a confirmation [SC-13]', async () => {
  const random = makeRandom(20_261_128);
  const below = (n: number) => Math.floor(random() * n);
  const oneOf = <T>(list: readonly T[]) => list[below(list.length)]!;
  const today = await dayFromNow(0);
  const day = (from: number, to: number) => daysLater(today, from + below(to - from));
  // The day of the month can be lost in the last days of a month and on the day after.
  const atMonthEnd = () =>
    daysLater(`${2027 + below(3)}-${oneOf(['02', '03', '05', '12'])}-01`, below(3) - 2);
  const { accountId, customerId } = anna;
  const read = async (tx: Tx, id: string) => {
    const found = await sql<{ amount: bigint; isPaused: boolean; next: string | null; dates: string[] }>`
      SELECT amount, is_paused AS "isPaused", next_date::text AS next,
             ARRAY(SELECT d::text FROM generate_series(next_index, next_index + 120) i,
                          LATERAL scheduled_date_within(start_date, frequency, i, end_date, max_count) d
                    WHERE next_date IS NOT NULL AND d IS NOT NULL ORDER BY i) AS dates
        FROM scheduled_transfers WHERE id = ${id}`.execute(tx);
    const { dates, ...rest } = found.rows[0]!;
    // Resuming leaves out the dates that passed.
    return { ...rest, dates: dates.filter(date => !rest.isPaused || date >= today).slice(0, compared) };
  };
  const randomChange = (dates: string[], frequency: (typeof frequencies)[number]): ScheduledChange => ({
    ...(below(2) && { amount: oneOf([900n, 1000n, 1100n]) }),
    ...(below(2) && { startDate: oneOf([dates[0] ?? today, dates[1] ?? today, day(0, 90), atMonthEnd()]) }),
    ...(below(3) === 0 && { frequency: oneOf([frequency, ...frequencies]) }),
    ...(below(3) === 0 && { endDate: oneOf([null, day(0, 400), '9999-12-31']) }),
    ...(below(3) === 0 && { count: oneOf([null, 1 + below(8)]) }),
    ...(below(3) === 0 && { isPaused: below(2) === 0 }),
  });
  const wrong: unknown[] = [];
  let unconfirmed = 0;
  await bank.bank.parts.database.inTransaction(async tx => {
    for (let n = 0; n < changes; n++) {
      const [id, isPaused, index] = [newId(), below(3) === 0, below(4)];
      const frequency = oneOf([...frequencies, 'monthly', 'yearly'] as const);
      const start = oneOf([day(isPaused ? -400 : 0, 60), atMonthEnd(), '2028-02-29', '9999-11-30']);
      const [end, count] = [oneOf([null, null, day(60, 900)]), oneOf([null, index + 1 + below(6)])];
      await sql`
        INSERT INTO scheduled_transfers (id, customer_id, account_id, account_number, amount, description, start_date, frequency,
                                         end_date, max_count, next_index, next_date, is_paused, request_hash)
        VALUES (${id}, ${customerId}, ${accountId}, '1', 1000, '', ${start}, ${frequency}, ${end}, ${count}, ${index},
                scheduled_date_within(${start}, ${frequency}, ${index}, ${end}, ${count}), ${isPaused}, ${newId()})`.execute(
        tx,
      );
      const before = await read(tx, id);
      if (before.next === null) continue;
      const asked = randomChange(before.dates, frequency);
      const answer = await changeSchedule(tx, accountId, id, asked).catch((error: unknown) => {
        if (error instanceof Refusal) return undefined;
        throw error;
      });
      if (!answer || answer.sendsMore) continue;
      unconfirmed++;
      const after = await read(tx, id);
      const isMore =
        after.dates.length > 0 &&
        (after.amount > before.amount ||
          after.dates.length > before.dates.length ||
          after.dates.some((date, i) => date.length !== 10 || date < before.dates[i]!));
      if (isMore) wrong.push({ start, frequency, index, end, count, asked, before, after });
    }
  });
  expect(wrong).toEqual([]);
  expect(unconfirmed).toBeGreaterThan(changes / 20);
});

test('a scheduled transfer with a next date after the year 9999 ends with the upgrade, and no other does [SC-25]', async () => {
  const { connection, drop } = await createClone('template1');
  onTestFinished(drop);
  const database = openDatabase(connection);
  const { ownerPool } = database;
  const migrations = listMigrations().filter(({ name }) => name < '0027');
  await prepareDatabase(ownerPool, testSecrets.databaseKey, { migrations });
  await ownerPool.query(`
    INSERT INTO scheduled_transfers (id, customer_id, account_id, account_number, amount, description, start_date, frequency,
                                     next_date, is_paused, request_hash)
    SELECT gen_random_uuid(), gen_random_uuid(), 1, '1', 1, '', d, 'monthly', d, p, gen_random_uuid()
      FROM unnest(ARRAY['2099-01-31', '9999-12-31', '10000-01-31']::date[]) d, unnest(ARRAY[true, false]) p,
           generate_series(1, 1001)`);
  await prepareDatabase(ownerPool, testSecrets.databaseKey);
  const { rows } = await ownerPool.query(
    'SELECT next_date::text AS date, count(*)::int FROM scheduled_transfers GROUP BY 1 ORDER BY 1',
  );
  expect(rows).toEqual([
    { date: '2099-01-31', count: 2002 },
    { date: '9999-12-31', count: 2002 },
    { date: null, count: 2002 },
  ]);
  await database.close();
});
