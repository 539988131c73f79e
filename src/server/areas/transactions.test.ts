/** The transactions area over HTTP: a customer's own transactions, filtered and paged, and never another customer's. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calendarDay } from '#contract/bankTime.ts';
import type { TransactionType } from '#contract/entities.ts';
import { plusDays } from '#contract/federalHolidays.ts';
import { goalsApi } from '#contract/goals.ts';
import { recordsApi } from '#contract/records.ts';
import { scheduledApi } from '#contract/scheduled.ts';
import { transactionsApi } from '#contract/transactions.ts';
import type { Reader } from '#server/db/database.ts';
import { toPostRequest } from '#server/ledger/ledger.ts';
import { postParameters } from '#server/ledger/postStatement.ts';
import { expectRefused } from '../../../tests/expectRefused.ts';
import type { SeededCustomer, SeedOptions } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
let owner: Reader;
beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off' });
  ({ owner } = bank.test.database);
});
afterAll(() => bank.close());

const aCustomer = (wanted?: SeedOptions) => bank.seeded(wanted);

type Event = {
  at?: string;
  from?: SeededCustomer;
  to?: SeededCustomer;
  cents: bigint;
  description?: string;
  bankName?: string;
};

/** Posts an event with its own date, which only the database owner can do. Returns the id. */
async function post({ at, from, to, cents, description = '', bankName }: Event): Promise<string> {
  const type: TransactionType = bankName ? 'external-transfer' : from ? 'transfer' : 'admin-credit';
  const request = toPostRequest(
    type,
    { amountCents: cents, description, address: '::1' },
    {
      actor: (from ?? to)!.customerId,
      session: null,
      receiver: to?.accountNumber ?? null,
    },
    bankName === undefined
      ? null
      : { bankName, accountName: 'Ines Caldeira', accountNumber: 'DE89370400440532013000' },
  );
  const values = sql.join(postParameters(0, [request]).map(value => sql`${value}`));
  const when = at === undefined ? sql`now()` : sql`${at}::timestamptz`;
  const posted = await sql<{ outcomes: number[] }>`
    SELECT outcomes FROM post_group_at(${when}, ${values})`.execute(owner);
  expect(posted.rows[0]!.outcomes).toEqual([0]);
  return request.id;
}

const decide = (id: string, isSettled: boolean) =>
  sql`SELECT decide_external_transfer(${id}, ${isSettled}, 'x')`.execute(owner);

const list = async ({ token }: SeededCustomer, query: Record<string, string | number> = {}) => {
  const { status, body } = await bank.call(transactionsApi.listTransactions, { token, query });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const ids = async (member: SeededCustomer, query: Record<string, string | number> = {}) =>
  (await list(member, query)).transactions.map(({ _id }) => _id);

const fetchList = (member: SeededCustomer, query: string) =>
  fetch(`${bank.url}${transactionsApi.listTransactions.path}${query}`, {
    headers: { authorization: `Bearer ${member.token}` },
  });

describe('the list', () => {
  test('of a new customer is empty, with totals of zero and one page [C-50]', async () => {
    const anna = await aCustomer();
    expect(await list(anna)).toEqual({
      transactions: [],
      stats: { totalSent: 0, totalReceived: 0, totalTransactions: 0 },
      currentPage: 1,
      totalPages: 1,
      totalTransactions: 0,
    });
  });

  test('shows each type of transaction with exactly its own fields', async () => {
    const anna = await aCustomer({ firstName: 'Anna', lastName: 'Field' });
    const ben = await aCustomer({ firstName: 'Ben', lastName: 'Marsh' });
    const credit = await post({ to: anna, cents: 10_000n, description: 'start' });
    const sent = await post({ from: anna, to: ben, cents: 2_550n, description: 'lunch' });
    const outside = await post({ from: anna, cents: 1_000n, description: 'rent', bankName: 'First Harbour' });
    const shared = {
      reference: expect.stringMatching(/^LB-/),
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      status: 'completed',
    };
    const me = { _id: anna.customerId, firstName: 'Anna', lastName: 'Field' };
    expect((await list(anna)).transactions).toEqual([
      {
        ...shared,
        _id: outside,
        type: 'external-transfer',
        status: 'pending',
        amount: 10,
        description: 'rent',
        sender: me,
        externalBankDetails: {
          bankName: 'First Harbour',
          accountName: 'Ines Caldeira',
          accountNumber: 'DE89370400440532013000',
        },
      },
      {
        ...shared,
        _id: sent,
        type: 'transfer',
        amount: 25.5,
        description: 'lunch',
        sender: me,
        receiver: { _id: ben.customerId, firstName: 'Ben', lastName: 'Marsh' },
      },
      { ...shared, _id: credit, type: 'admin-credit', amount: 100, description: 'start', receiver: me },
    ]);
  });

  test('goes from newest to oldest, page by page, without gaps or duplicates [C-50]', async () => {
    const [anna, ben] = [await aCustomer(), await aCustomer()];
    const posted = [await post({ to: anna, cents: 10_000n })];
    for (let i = 0; i < 24; i++)
      posted.push(await post(i % 3 === 0 ? { from: anna, to: ben, cents: 1n } : { to: anna, cents: 5n }));
    const newestFirst = posted.reverse();
    for (const query of [{}, { startDate: '2000-01-01' }]) {
      const pages = await Promise.all([1, 2, 3].map(page => list(anna, { ...query, page })));
      expect(pages.flatMap(({ transactions }) => transactions.map(({ _id }) => _id))).toEqual(newestFirst);
      for (const [i, page] of pages.entries())
        expect(page).toMatchObject({ currentPage: i + 1, totalPages: 3, totalTransactions: 25 });
      expect((await list(anna, { ...query, limit: 25 })).totalPages).toBe(1);
      expect(await ids(anna, { ...query, limit: 1, page: 25 })).toEqual([newestFirst[24]]);
      for (const page of [4, 1_000_000]) {
        expect(await list(anna, { ...query, page })).toMatchObject({
          transactions: [],
          currentPage: page,
          totalPages: 3,
          totalTransactions: 25,
          stats: { totalTransactions: 25 },
        });
      }
    }
  });

  test('accepts pages up to a million and limits up to a hundred; an empty filter is ignored [C-52]', async () => {
    const anna = await aCustomer();
    for (const page of ['0', '-1', '1.5', '1e3', 'abc', '1000001', '1000000000000', '0x1', ' 1', '١'])
      await expectRefused(
        `page ${page}`,
        await fetchList(anna, `?page=${encodeURIComponent(page)}`),
        'VALIDATION',
      );
    for (const limit of ['0', '-1', '101', '1000000000', '10.0', 'NaN'])
      await expectRefused(`limit ${limit}`, await fetchList(anna, `?limit=${limit}`), 'VALIDATION');
    for (const query of [
      '?type=wire',
      '?type=Transfer',
      '?status=done',
      '?type=transfer&type=transfer',
      '?type[]=transfer',
    ])
      await expectRefused(query, await fetchList(anna, query), 'VALIDATION');
    expect((await fetchList(anna, '?page=&limit=&type=&status=&startDate=&endDate=&search=')).status).toBe(
      200,
    );
    expect((await fetchList(anna, '?limit=100&page=1')).status).toBe(200);
  });

  test('can be filtered by type, by status, and by both [C-50]', async () => {
    const [anna, ben] = [await aCustomer(), await aCustomer()];
    const credit = await post({ to: anna, cents: 100_000n });
    const internal = await post({ from: anna, to: ben, cents: 100n });
    const [pending, settled, returned] = [
      await post({ from: anna, cents: 200n, bankName: 'A' }),
      await post({ from: anna, cents: 300n, bankName: 'B' }),
      await post({ from: anna, cents: 400n, bankName: 'C' }),
    ];
    await decide(settled, true);
    await decide(returned, false);
    const external = [returned, settled, pending];
    expect(await ids(anna, { type: 'transfer' })).toEqual([internal]);
    expect(await ids(anna, { type: 'admin-credit' })).toEqual([credit]);
    expect(await ids(anna, { type: 'external-transfer' })).toEqual(external);
    expect(await ids(anna, { status: 'pending' })).toEqual([pending]);
    expect(await ids(anna, { status: 'failed' })).toEqual([returned]);
    expect(await ids(anna, { status: 'completed' })).toEqual([settled, internal, credit]);
    expect(await ids(anna, { status: 'completed', type: 'external-transfer' })).toEqual([settled]);
    expect(await list(anna, { type: 'transfer', status: 'failed' })).toMatchObject({
      transactions: [],
      totalPages: 1,
      totalTransactions: 0,
    });
  });

  test('shows totals of the whole account, whatever the filter; pending payments count as sent, failed ones do not [C-56, M-17, M-18, M-19, M-20, M-30]', async () => {
    const [anna, ben] = [await aCustomer(), await aCustomer()];
    await post({ to: anna, cents: 100_000n });
    await post({ from: anna, to: ben, cents: 1_050n });
    await post({ from: anna, cents: 200n, bankName: 'A' });
    await decide(await post({ from: anna, cents: 300n, bankName: 'B' }), true);
    await decide(await post({ from: anna, cents: 40_000n, bankName: 'C' }), false);
    await post({ from: ben, to: anna, cents: 50n });
    const stats = { totalSent: 15.5, totalReceived: 1000.5, totalTransactions: 6 };
    for (const query of [
      {},
      { type: 'transfer' },
      { status: 'failed' },
      { search: 'nothing at all' },
      { page: 9 },
    ])
      expect((await list(anna, query)).stats).toEqual(stats);
    expect((await bank.call(transactionsApi.balance, { token: anna.token })).body).toEqual({
      success: true,
      message: 'Balance',
      data: { balance: 985 },
    });
  });
});

describe('days', () => {
  test('are New York days, both ends included, even when the clocks change [C-95, C-96]', async () => {
    const anna = await aCustomer();
    // In 2026 daylight saving time begins on March 8 and ends on November 1, at 2 AM.
    const moments = {
      'the last of March 7': '2026-03-08T04:59:59.999Z',
      'the first of March 8': '2026-03-08T05:00:00.000Z',
      'the last of March 8': '2026-03-09T03:59:59.999Z',
      'the first of March 9': '2026-03-09T04:00:00.000Z',
      'the last of October 31': '2026-11-01T03:59:59.999Z',
      'the first of November 1': '2026-11-01T04:00:00.000Z',
      'the last of November 1': '2026-11-02T04:59:59.999Z',
      'the first of November 2': '2026-11-02T05:00:00.000Z',
    };
    for (const [description, at] of Object.entries(moments))
      await post({ at, to: anna, cents: 1n, description });
    const on = async (startDate: string, endDate: string) =>
      (await list(anna, { startDate, endDate })).transactions.map(({ description }) => description).reverse();
    expect(await on('2026-03-08', '2026-03-08')).toEqual(['the first of March 8', 'the last of March 8']);
    expect(await on('2026-11-01', '2026-11-01')).toEqual([
      'the first of November 1',
      'the last of November 1',
    ]);
    expect(await on('2026-03-07', '2026-03-07')).toEqual(['the last of March 7']);
    expect(await on('2026-03-09', '2026-10-31')).toEqual(['the first of March 9', 'the last of October 31']);
    expect(await on('2026-11-02', '2026-03-07')).toEqual([]);
    const names = Object.keys(moments);
    const listDescriptions = async (query: Record<string, string>) =>
      (await list(anna, query)).transactions.map(({ description }) => description).reverse();
    expect(await listDescriptions({ startDate: '2026-11-02' })).toEqual(names.slice(7));
    expect(await listDescriptions({ endDate: '2026-03-07' })).toEqual(names.slice(0, 1));
    expect((await list(anna, { startDate: '2026-03-08', endDate: '2026-03-08', limit: 1 })).totalPages).toBe(
      2,
    );
  });

  test('that do not exist, are out of range or are written in another way are refused with a message [C-94]', async () => {
    const anna = await aCustomer();
    const wrong =
      '2026-02-30 2026-13-01 2026-00-10 2026-3-8 x 0000-01-01 1899-12-31 +275760-09-13 2026-03-08T00:00:00Z 1772928000 08.03.2026';
    for (const day of wrong.split(' ')) {
      for (const [name, says] of [
        ['startDate', 'Start date must be a date like 2026-11-21'],
        ['endDate', 'End date must be a date like 2026-11-21'],
      ]) {
        const answer = await fetchList(anna, `?${name}=${encodeURIComponent(day)}`);
        const refused = await expectRefused(`${name} ${day}`, answer, 'VALIDATION');
        expect(refused.message).toBe(says);
      }
    }
    for (const day of ['1900-01-01', '2024-02-29', '9999-12-31'])
      expect((await fetchList(anna, `?startDate=${day}&endDate=${day}`)).status).toBe(200);
  });
});

describe('the search', () => {
  test('finds a name with accents that is typed without them, and the other way around, in either case [X-20]', async () => {
    const anna = await aCustomer({ firstName: 'Anna' });
    const jurgen = await aCustomer({ firstName: 'Jürgen', lastName: 'Núñez' });
    const ines = await aCustomer({ firstName: 'Ines' });
    await post({ to: anna, cents: 1_000n });
    const sent = await post({ from: anna, to: jurgen, cents: 500n, description: 'Café' });
    const other = await post({ from: anna, to: ines, cents: 500n });
    for (const search of ['jurgen nunez', 'JÜRGEN', 'cafe', 'CAFÉ'])
      expect(await ids(anna, { search }), search).toEqual([sent]);
    expect(await ids(anna, { search: 'INÉS' })).toEqual([other]);
  });

  test('finds reference, name, description, account number, bank and amount, ignoring case [C-51]', async () => {
    const anna = await aCustomer({ firstName: 'Anna', lastName: 'Field' });
    const ben = await aCustomer({ firstName: 'José María', lastName: 'Ó Briain' });
    await post({ to: anna, cents: 10_000n, description: 'start' });
    const sent = await post({ from: anna, to: ben, cents: 1n, description: 'Lunch at the Harbour' });
    const rent = await post({ from: anna, cents: 2n, description: 'May', bankName: 'Northquay Savings' });
    const { reference } = (await list(anna)).transactions.find(({ _id }) => _id === sent)!;
    const groups = ben.accountNumber.replace(/(\d{4})(?=\d)/g, '$1 ');
    for (const search of [
      reference,
      reference.toLowerCase(),
      reference.slice(3, 12),
      'harbour',
      'LUNCH AT',
      'josé',
      'María Ó Briain',
      ben.accountNumber,
      groups,
      groups.replaceAll(' ', '-'),
      `  ${ben.accountNumber.slice(3)}  `,
    ]) {
      expect(await ids(anna, { search }), search).toEqual([sent]);
    }
    for (const search of [
      'northquay',
      'Caldeira',
      'de8937',
      'DE89 3704-0044',
      '0440532013',
      '$0.02',
      '0.02',
      '−$0.02',
    ]) {
      expect(await ids(anna, { search }), search).toEqual([rent]);
    }
    expect(await ids(anna, { search: 'Anna Field' }), 'a name finds only the other party').toEqual([]);
    expect(await ids(anna, { search: 'harbour', type: 'admin-credit' })).toEqual([]);
  });

  test('treats every character literally', async () => {
    const anna = await aCustomer({ firstName: 'Anna', lastName: 'Plain' });
    const odd = ['100% sure', 'under_score', 'back\\slash', "O'Hara", 'a"b', '<b>', '{{7*7}}', 'x;y--z'];
    const posted = new Map<string, string>();
    for (const description of odd) posted.set(description, await post({ to: anna, cents: 1n, description }));
    await post({ to: anna, cents: 1n, description: 'nothing odd' });
    for (const [search, description] of [
      ['%', '100% sure'],
      ['_', 'under_score'],
      ['\\', 'back\\slash'],
      ["'", "O'Hara"],
      ['"', 'a"b'],
      ['<b>', '<b>'],
      ['{{', '{{7*7}}'],
      [';y--', 'x;y--z'],
    ])
      expect(await ids(anna, { search: search! }), search).toEqual([posted.get(description!)]);
    for (const search of ["' UNION SELECT 1--", '%%', '__', "'; DROP TABLE transactions; --", 'a%b', '\\%'])
      expect(await ids(anna, { search }), search).toEqual([]);
  });

  test('accepts up to a hundred characters, and no control characters', async () => {
    const anna = await aCustomer();
    expect((await fetchList(anna, `?search=${'x'.repeat(100)}`)).status).toBe(200);
    for (const search of ['x'.repeat(101), '%00', 'a%0Ab', '%E2%80%AEa'])
      await expectRefused(search, await fetchList(anna, `?search=${search}`), 'VALIDATION');
  });
});

describe("other customers' data", () => {
  test('is not in any list or search result [C-32]', async () => {
    const [anna, ben, cleo] = [await aCustomer(), await aCustomer(), await aCustomer()];
    await post({ to: anna, cents: 10_000n });
    await post({ to: ben, cents: 10_000n });
    const shared = await post({ from: anna, to: ben, cents: 1n, description: 'shared' });
    const foreign: string[] = [];
    for (let i = 0; i < 30; i++)
      foreign.push(await post({ from: ben, to: cleo, cents: 1n, description: `private ${i}` }));
    const seen = new Set<string>();
    for (const query of [
      {},
      { search: 'private' },
      { type: 'transfer' },
      { search: ben.accountNumber },
      { startDate: '2000-01-01' },
    ])
      for (const page of [1, 2, 3])
        for (const id of await ids(anna, { ...query, page, limit: 100 })) seen.add(id);
    expect(seen.has(shared)).toBe(true);
    expect(foreign.filter(id => seen.has(id))).toEqual([]);
    for (const query of [
      `?userId=${ben.customerId}`,
      `?accountNumber=${ben.accountNumber}`,
      `?accountId=${ben.accountId}`,
    ])
      await expectRefused(query, await fetchList(anna, query), 'VALIDATION');
  });

  test('shows only the name of the other party, and no address, account number or balance', async () => {
    const [anna, ben] = [await aCustomer(), await aCustomer({ firstName: 'Ben', lastName: 'Private' })];
    await post({ to: ben, cents: 7_777n });
    await post({ from: ben, to: anna, cents: 7n });
    const text = await (await fetchList(anna, '')).text();
    for (const secret of [
      'crowd.example',
      ben.accountNumber,
      '2125550147',
      'Meadow Row',
      '7777',
      '77.7',
      'email',
      'phone',
    ])
      expect(text).not.toContain(secret);
  });

  test('shows a closed account once the person is erased', async () => {
    const [anna, ben] = [await aCustomer(), await aCustomer({ firstName: 'Ben', lastName: 'Leaves' })];
    await post({ to: anna, cents: 100n });
    await post({ from: anna, to: ben, cents: 7n });
    await bank.test.database.ownerPool.query(
      `UPDATE customers SET first_name = '', last_name = '', middle_name = '', deleted_at = now() WHERE id = $1`,
      [ben.customerId],
    );
    const [newest] = (await list(anna)).transactions;
    expect(newest!.receiver).toEqual({ _id: ben.customerId, firstName: 'Closed account', lastName: '' });
    expect(await ids(anna, { search: 'Leaves' })).toEqual([]);
  });
});

test('each month of a page has the totals of all matching transactions, including those on other pages [X-19]', async () => {
  const anna = await aCustomer();
  const bert = await aCustomer();
  await post({ at: '2025-01-10T12:00:00Z', to: anna, cents: 100_000n });
  // Evening of January 31 in New York.
  await post({ at: '2025-02-01T04:30:00Z', from: anna, to: bert, cents: 1_000n, description: 'Rent' });
  await post({ at: '2025-02-03T12:00:00Z', from: anna, to: bert, cents: 2_000n, description: 'Rent' });
  const returned = await post({ at: '2025-02-04T12:00:00Z', from: anna, cents: 4_000n, bankName: 'UBS' });
  await decide(returned, false);
  await post({ at: '2025-02-05T12:00:00Z', from: anna, cents: 8_000n, bankName: 'UBS' });
  await post({ at: '2025-02-06T12:00:00Z', from: bert, to: anna, cents: 16n, description: 'Change' });

  const totals = async (query: Record<string, string | number>) => {
    const { status, body } = await bank.call(transactionsApi.monthTotals, { token: anna.token, query });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data.months;
  };
  const february = { month: '2025-02', in: 0.16, out: 100, count: 4 };
  const january = { month: '2025-01', in: 1000, out: 10, count: 2 };
  expect(await totals({})).toEqual([february, january]);
  for (const page of [1, 2]) expect(await totals({ limit: 1, page })).toEqual([february]);
  expect(await totals({ limit: 3, page: 2 })).toEqual([february, january]);
  expect(await totals({ limit: 3, page: 9 })).toEqual([]);
  expect(await totals({ search: 'rent' })).toEqual([
    { month: '2025-02', in: 0, out: 20, count: 1 },
    { month: '2025-01', in: 0, out: 10, count: 1 },
  ]);
  expect(await totals({ status: 'failed' })).toEqual([{ month: '2025-02', in: 0, out: 0, count: 1 }]);
  expect(await totals({ type: 'transfer', startDate: '2025-02-01' })).toEqual([
    { month: '2025-02', in: 0.16, out: 20, count: 2 },
  ]);
});

test("the months are the last twelve of the bank's calendar, oldest first, with the largest outgoing payment of each", async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ firstName: 'Ben', lastName: 'Marsh' })];
  const calendar = await sql<{ month: string; first: Date }>`
    SELECT to_char(m, 'YYYY-MM') AS month, m AT TIME ZONE 'America/New_York' AS first
      FROM generate_series(date_trunc('month', now() AT TIME ZONE 'America/New_York') - interval '11 months',
                           date_trunc('month', now() AT TIME ZONE 'America/New_York'), interval '1 month') m`.execute(
    owner,
  );
  const { first } = calendar.rows[6]!;
  const before = new Date(first.getTime() - 1).toISOString();
  await post({ at: before, to: anna, cents: 50_000n });
  await post({ at: first.toISOString(), from: anna, to: ben, cents: 1_200n });
  await post({ at: first.toISOString(), from: anna, cents: 900n, bankName: 'Northquay' });
  await decide(
    await post({ at: first.toISOString(), from: anna, cents: 40_000n, bankName: 'Returned' }),
    false,
  );
  const { months } = (await bank.call(transactionsApi.months, { token: anna.token })).body.data;
  expect(months.map(({ month }) => month)).toEqual(calendar.rows.map(({ month }) => month));
  expect(months[5]).toEqual({ month: calendar.rows[5]!.month, in: 500, out: 0 });
  expect(months[6]).toEqual({
    month: calendar.rows[6]!.month,
    in: 0,
    out: 21,
    largestOut: { name: 'Ben Marsh', amount: 12 },
  });
  expect(months[11]).toEqual({ month: calendar.rows[11]!.month, in: 0, out: 0 });
});

test('the outlook covers the days until the next regular income, or else the rest of the month [O-09]', async () => {
  const [anna, ben, employer] = await Promise.all([aCustomer(), aCustomer(), aCustomer()]);
  const day = (days: number) => plusDays(calendarDay(new Date()), days);
  const pays = (to: SeededCustomer, days: number) =>
    post({ at: `${day(-days)}T17:00:00Z`, from: employer, to, cents: 20_000n });
  await post({ at: `${day(-20)}T17:00:00Z`, to: employer, cents: 200_000n });
  for (const days of [15, 8, 1]) await pays(anna, days);
  for (const days of [16, 10, 1]) await pays(ben, days);
  const outlookOf = async ({ token }: SeededCustomer) =>
    (await bank.call(transactionsApi.outlook, { token })).body.data;
  const { token } = anna;
  const allowance = { kind: 'internal', receiverAccountNumber: ben.accountNumber, amount: 30 };
  for (const body of [
    { ...allowance, frequency: 'weekly', startDate: day(1) },
    { ...allowance, frequency: 'once', startDate: day(7) },
  ])
    expect((await bank.call(scheduledApi.addScheduled, { token, body })).status).toBe(201);
  const rule = { amount: 5.5, frequency: 'weekly', startDate: day(6) };
  const trip = await bank.call(goalsApi.addGoal, {
    token,
    body: { name: 'Trip', picture: 'trip', target: 500, rule },
  });
  for (const [amount, direction] of [
    [12, 'in'],
    [2, 'out'],
  ] as const)
    await bank.call(goalsApi.moveGoal, {
      token,
      params: { id: trip.body.data._id },
      body: { amount, direction },
    });

  const { months } = (await bank.call(transactionsApi.months, { token })).body.data;
  const { month, in: moneyIn, out: moneyOut } = months.at(-1)!;
  const [statement] = (await bank.call(recordsApi.statements, { token })).body.data;
  expect(statement).toMatchObject({ moneyIn: moneyIn + 2, moneyOut: moneyOut + 12 });
  const { moneyIn: statementIn, moneyOut: statementOut } = statement!;
  const now = { month, moneyIn, moneyOut, statementIn, statementOut };
  expect(await outlookOf(anna)).toEqual({
    ...now,
    until: day(6),
    isIncome: true,
    scheduled: 35.5,
    savings: 5.5,
    left: 554.5,
    inGoals: 10,
  });
  const monthEnd = new Date(`${day(0).slice(0, 7)}-01T00:00:00Z`);
  monthEnd.setUTCMonth(monthEnd.getUTCMonth() + 1, 0);
  const until = monthEnd.toISOString().slice(0, 10);
  expect(await outlookOf(ben)).toMatchObject({ until, isIncome: false, scheduled: 0, left: 600, inGoals: 0 });
});

describe('one transaction', () => {
  const one = async ({ token }: SeededCustomer, id: string) =>
    (await bank.call(transactionsApi.transaction, { token, params: { id } })).body.data;
  const moment = expect.stringMatching(/^\d{4}-.*Z$/);

  test("between customers shows each party's own balance right after it", async () => {
    const [anna, ben] = [await aCustomer({ firstName: 'Anna', lastName: 'Field' }), await aCustomer()];
    const credit = await post({ to: anna, cents: 10_000n });
    const sent = await post({ from: anna, to: ben, cents: 2_550n, description: 'lunch' });
    await post({ from: ben, to: anna, cents: 50n });
    const listed = (await list(anna)).transactions.find(({ _id }) => _id === sent)!;
    const timeline = [{ step: 'posted', at: listed.timestamp }];
    expect(await one(anna, sent)).toEqual({ ...listed, balanceAfter: 74.5, timeline });
    expect(await one(ben, sent)).toEqual({ ...listed, balanceAfter: 25.5, timeline });
    expect(await one(anna, credit)).toMatchObject({ type: 'admin-credit', balanceAfter: 100 });
  });

  test('to another bank shows whether it is pending, settled, or returned, with the reason [X-18]', async () => {
    const anna = await aCustomer();
    await post({ to: anna, cents: 10_000n });
    const outside = await post({ from: anna, cents: 1_000n, bankName: 'First Harbour' });
    const readState = async () => {
      const { status, balanceAfter, timeline, expectedBy, returnReason } = await one(anna, outside);
      return { status, balanceAfter, steps: timeline.map(({ step }) => step), expectedBy, returnReason };
    };
    const onItsWay = { status: 'pending', balanceAfter: 90, steps: ['posted'] };
    expect(await readState()).toEqual(onItsWay);
    await sql`UPDATE external_transfers SET expected_by = '2026-12-03' WHERE transaction_id = ${outside}`.execute(
      bank.test.database.reader,
    );
    expect(await readState()).toEqual({ ...onItsWay, expectedBy: '2026-12-03' });
    await decide(outside, true);
    expect(await readState()).toEqual({
      status: 'completed',
      balanceAfter: 90,
      steps: ['posted', 'settled'],
    });

    const returned = await post({ from: anna, cents: 500n, bankName: 'Second Harbour' });
    await decide(returned, false);
    const { transactions, totalTransactions } = await list(anna);
    expect(totalTransactions, 'a return is not a row of its own').toBe(3);
    expect(await one(anna, returned)).toEqual({
      ...transactions[0],
      status: 'failed',
      balanceAfter: 85,
      timeline: [
        { step: 'posted', at: transactions[0]!.timestamp },
        { step: 'returned', at: moment },
      ],
      returnReason: 'x',
    });
  });

  test('of another customer is not found', async () => {
    const [anna, ben, cleo] = [await aCustomer(), await aCustomer(), await aCustomer()];
    await post({ to: anna, cents: 10_000n });
    for (const id of [
      await post({ from: anna, to: ben, cents: 1n }),
      await post({ from: anna, cents: 1n, bankName: 'A' }),
    ]) {
      const path = transactionsApi.transaction.path.replace('{id}', id);
      const answer = await fetch(`${bank.url}${path}`, {
        headers: { authorization: `Bearer ${cleo.token}` },
      });
      await expectRefused(path, answer, 'NOT_FOUND');
    }
  });
});

test('a frozen customer can read transactions; a customer who waits for approval cannot', async () => {
  const frozen = await aCustomer({ frozen: true });
  const waiting = await aCustomer({ approved: false });
  for (const { path } of Object.values(transactionsApi)) {
    const query = path.endsWith('/export') ? '?format=csv' : '';
    const credit = await post({ to: frozen, cents: 100n });
    const get = ({ token }: SeededCustomer) =>
      fetch(`${bank.url}${path.replace('{id}', credit)}${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await get(frozen)).status).toBe(200);
    const refused = await expectRefused(path, await get(waiting), 'ACCOUNT_PENDING');
    expect(refused.message).toBe('Your account is waiting for approval. This usually takes 24-48 hours.');
  }
});
