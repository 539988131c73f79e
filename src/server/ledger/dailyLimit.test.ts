/**
 * The check of a daily limit: how much has left an account today. Other customers' transfers wait for the check, so it must not
 * read the account's transfers.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../tests/database.ts';
import { aCustomer } from '../../../tests/person.ts';
import { newId } from '../base/uuid.ts';
import { lockOwnLimits, replaceOwnLimits } from './accounts.ts';
import { toPostRequest } from './ledger.ts';
import { postParameters, postStatement } from './postStatement.ts';
import { reverseTransaction } from './reversals.ts';

let made: Awaited<ReturnType<typeof cloneDatabase>>;
beforeAll(async () => {
  made = await cloneDatabase();
});
afterAll(() => made.drop());

type Person = Awaited<ReturnType<typeof aCustomer>>;
const owner = <R extends object>(text: string, values: unknown[] = []) =>
  made.database.ownerPool.query<R>(text, values);

const bankDetails = { bankName: 'Harbor', accountName: 'Ines', accountNumber: '12345678' };
const requestOf = (actor: string, receiver: Person | null, amountCents: bigint, type?: 'admin-credit') =>
  toPostRequest(
    type ?? (receiver ? 'transfer' : 'external-transfer'),
    { amountCents, description: '', idempotencyKey: undefined, address: '' },
    { actor, session: null, receiver: receiver?.accountNumber ?? null },
    receiver ? null : bankDetails,
  );

/**
 * Posts a request with a time `daysAgo` days ago. A negative number is a time in the future, as from a clock that is ahead.
 * Returns its id.
 */
async function postRequest(request: ReturnType<typeof requestOf>, daysAgo = 0): Promise<string> {
  const values = postParameters(0, [request]);
  const places = values.map((_, i) => `$${i + 2}`).join(', ');
  const { rows } = await owner<{ outcomes: number[] }>(
    `SELECT outcomes FROM post_group_at(now() - make_interval(days => $1), ${places})`,
    [daysAgo, ...values],
  );
  expect(rows[0]!.outcomes).toEqual([0]);
  return request.id;
}
const post = (sender: Person, receiver: Person | null, cents: bigint, daysAgo = 0) =>
  postRequest(requestOf(sender.id, receiver, cents), daysAgo);

/** An approved sender with $10, and a receiver. */
async function customers(): Promise<[sender: Person, receiver: Person]> {
  const both = [await aCustomer(made.database), await aCustomer(made.database)] as [Person, Person];
  await owner('UPDATE ledger_accounts SET is_approved = true WHERE id = ANY ($1)', [
    both.map(person => person.accountId),
  ]);
  await postRequest(requestOf(newId(), both[0], 1_000n, 'admin-credit'), 30);
  return both;
}
/** What left the account today, or on the day that is `inDays` days from now. */
async function moneyOut({ accountId }: Person, inDays = 0): Promise<number> {
  const { rows } = await owner<{ cents: bigint }>(
    'SELECT money_out_on_day($1, now() + make_interval(days => $2)) AS cents',
    [accountId, inDays],
  );
  return Number(rows[0]!.cents);
}
const setLimit = ({ accountId }: Person, dailyOut: bigint | null, batchSize?: bigint) =>
  made.database.inTransaction(async tx => {
    await lockOwnLimits(tx, accountId);
    await replaceOwnLimits(tx, accountId, { stepUpFrom: null, dailyOut }, batchSize);
  });
const reverse = (transactionId: string) =>
  made.database.inTransaction(tx =>
    reverseTransaction(tx, {
      transactionId,
      adminId: newId(),
      reason: 'x',
      address: '',
      idempotencyKey: newId(),
    }),
  );
/** Posts as a server of version 1.0.0. */
const postAsBefore = (sender: Person, receiver: Person, cents: bigint) =>
  owner(
    postStatement.text.replace('post_group', 'post_transactions'),
    postParameters(0, [requestOf(sender.id, receiver, cents)]),
  );
const giveBack = (id: string) => owner(`SELECT decide_external_transfer($1, false, 'x')`, [id]);

test('checking the daily limit reads none of the transfers that the customer made today [BR-21]', async () => {
  const [sender, receiver] = await customers();
  for (let n = 1; n <= 10; n++) {
    await post(sender, receiver, 2n);
    if (n === 5) await setLimit(sender, 100n);
  }
  const client = await made.database.ownerPool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ cents: bigint }>('SELECT money_out_on_day($1, now()) AS cents', [
      sender.accountId,
    ]);
    expect(Number(rows[0]!.cents)).toBe(20);
    const read = await client.query<{ n: bigint }>(
      `SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS n FROM pg_stat_xact_user_tables WHERE relname = 'transactions'`,
    );
    expect(Number(read.rows[0]!.n)).toBe(0);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('the amount that left an account today includes neither payments of earlier days nor payments of today that came back', async () => {
  const [sender, receiver] = await customers();
  const former = await post(sender, null, 100n, 2);
  await post(sender, receiver, 50n, 2);
  expect(await moneyOut(sender)).toBe(0);
  await post(sender, receiver, 7n);
  const current = await post(sender, null, 5n);
  expect(await moneyOut(sender)).toBe(12);
  await giveBack(former);
  expect(await moneyOut(sender)).toBe(12);
  await giveBack(current);
  expect(await moneyOut(sender)).toBe(7);
});

test('a limit that a customer sets after many transfers counts each transfer of the day once, also after it was changed or removed [BR-21]', async () => {
  const [sender, receiver] = await customers();
  await post(sender, receiver, 100n, 2);
  for (let n = 0; n < 5; n++) await post(sender, receiver, 2n ** BigInt(n));
  await giveBack(await post(sender, null, 100n));
  await setLimit(sender, 50n, 2n);
  expect(await moneyOut(sender)).toBe(31);
  await post(sender, receiver, 10n);
  await setLimit(sender, 45n, 2n);
  expect(await moneyOut(sender)).toBe(41);
  await setLimit(sender, null);
  await post(sender, receiver, 20n);
  await setLimit(sender, 70n, 3n);
  expect(await moneyOut(sender)).toBe(61);
  await expect(post(sender, receiver, 10n)).rejects.toThrow('25');
});

test('during an upgrade, what servers of version 1.0.0 posted today counts toward a daily limit', async () => {
  const [sender, receiver] = await customers();
  await setLimit(sender, 100n);
  await postAsBefore(sender, receiver, 30n);
  expect(await moneyOut(sender)).toBe(30);
  await post(sender, receiver, 20n);
  await postAsBefore(sender, receiver, 10n);
  expect(await moneyOut(sender)).toBe(60);
  await expect(post(sender, receiver, 41n)).rejects.toThrow('25');
});

test('a daily limit that is set on the day of an upgrade counts what a server of version 1.0.0 posted earlier that day [BR-21]', async () => {
  const [sender, receiver] = await customers();
  await postAsBefore(sender, receiver, 30n);
  await post(sender, receiver, 20n);
  await setLimit(sender, 100n);
  expect(await moneyOut(sender)).toBe(50);
  await expect(post(sender, receiver, 51n)).rejects.toThrow('25');
});

test('a reversal does not count toward the daily limit of the customer who loses the money, whether or not they sent anything today [BR-21]', async () => {
  const [sender, receiver] = await customers();
  const [first, second] = [await post(sender, receiver, 40n, 2), await post(sender, receiver, 40n, 2)];
  await setLimit(receiver, 50n);
  await reverse(first);
  expect(await moneyOut(receiver)).toBe(0);
  await post(receiver, sender, 10n);
  await reverse(second);
  expect(await moneyOut(receiver)).toBe(10);
  await setLimit(receiver, 30n);
  await reverse(await post(sender, receiver, 40n, 1));
  await post(sender, receiver, 40n);
  await post(receiver, sender, 20n);
  expect(await moneyOut(receiver)).toBe(30);
  await expect(post(receiver, sender, 1n)).rejects.toThrow('25');
});

test('after the clock was three days ahead, the daily limit of a customer counts each day by itself [BR-21]', async () => {
  const [sender, receiver] = await customers();
  await setLimit(sender, 100n);
  await post(sender, receiver, 30n);
  await post(sender, receiver, 90n, -3);
  // From here on, the clock is right again.
  expect(await moneyOut(sender)).toBe(30);
  await post(sender, receiver, 20n);
  expect(await moneyOut(sender)).toBe(50);
  for (const day of [1, 2]) {
    expect(await moneyOut(sender, day)).toBe(0);
    await post(sender, receiver, 100n, -day);
    expect(await moneyOut(sender, day)).toBe(100);
  }
});
