/**
 * What administrators can read over HTTP: statistics, a transaction's timeline, applications, the queues, and the holder of an
 * account number.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { authApi } from '#contract/auth.ts';
import { settingsApi } from '#contract/settings.ts';
import { transferApi } from '#contract/transfer.ts';
import { foldTotals } from '#server/ledger/statistics.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { markEmailProven } from '#server/people/customers.ts';
import { endExternal } from '../../../tests/endExternal.ts';
import { seedCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
let token: string;
beforeAll(async () => {
  bank = await openTestBank();
  token = await bank.adminToken();
});
afterAll(() => bank.close());

const readFigures = async () => (await bank.call(adminApi.figures, { token })).body.data;
const harbour = { bankName: 'First Harbour Bank', accountName: 'Ines Caldeira', accountNumber: '12345678' };
const dayInNewYork = (at: Date) => at.toLocaleDateString('sv-SE', { timeZone: 'America/New_York' });

test('without transactions the total amount and the success rate are 0 [C-68, M-22]', async () => {
  const { status, body } = await bank.call(adminApi.adminStats, { token });
  expect({ status, data: body.data }).toEqual({
    status: 200,
    data: { totalTransactions: 0, totalAmount: 0, successRate: 0 },
  });
});

test("the statistics have all-time totals by type, the bank's own accounts, and ninety days, including days without transactions [M-05, M-06, A-61]", async () => {
  const before = await readFigures();
  const anna = await bank.customer({ dollars: 100 });
  const ben = await bank.customer();
  await bank.call(transferApi.sendInternal, {
    token: anna.token,
    body: { receiverAccountNumber: ben.accountNumber, amount: 10.25 },
  });
  await bank.call(transferApi.sendExternal, { token: anna.token, body: { ...harbour, amount: 20 } });

  const { days, types, accounts } = await readFigures();
  expect(days).toHaveLength(90);
  expect(days.at(-1)!.day).toBe(dayInNewYork(new Date()));
  expect(new Set(days.map(({ day }) => day)).size).toBe(90);
  expect([...days].sort((a, b) => (a.day < b.day ? -1 : 1))).toEqual(days);
  expect(days[0]).toEqual({ day: expect.any(String), count: 0, completed: 0, pending: 0, volume: 0 });
  // The external transfer is pending: counted, but not completed.
  const was = before.days.at(-1)!;
  expect(days.at(-1)).toMatchObject({
    count: was.count + 3,
    completed: was.completed + 2,
    pending: was.pending! + 1,
    volume: was.volume + 110.25,
  });
  expect(types).toEqual([
    { type: 'transfer', count: 1, completed: 1, volume: 10.25 },
    { type: 'admin-credit', count: 1, completed: 1, volume: 100 },
    { type: 'external-transfer', count: 1, completed: 0, volume: 0 },
    { type: 'reversal', count: 0, completed: 0, volume: 0 },
    { type: 'deposit', count: 0, completed: 0, volume: 0 },
  ]);
  expect(accounts).toEqual([
    { account: 'treasury', balance: -100 },
    { account: 'clearing', balance: 20 },
    { account: 'unclaimed', balance: 0 },
  ]);
});

test("folding the shards of the totals changes no figure, not even today's", async () => {
  const { ownerPool } = bank.test.database;
  const insert = `INSERT INTO transaction_totals (day, type, status, shard, count, cents)
    SELECT current_date - ago, 'transfer', 'completed', shard, 1, 100 FROM generate_series(0, 5) ago, generate_series(40, 43) shard`;
  await ownerPool.query(insert);
  const rows = async () =>
    Number((await ownerPool.query('SELECT count(*) AS n FROM transaction_totals')).rows[0].n);
  const [before, unfolded] = [await readFigures(), await rows()];
  // Two at once, as when the nightly job runs in two processes.
  const folded = await Promise.all([foldTotals(bank.test.database), foldTotals(bank.test.database)]);
  expect(folded[0]! + folded[1]!).toBeGreaterThanOrEqual(12);
  expect(await rows()).toBeLessThan(unfolded);
  expect(await readFigures()).toEqual(before);
  expect(await foldTotals(bank.test.database)).toBe(0);
  await ownerPool.query('DELETE FROM transaction_totals WHERE shard >= 40');
  await ownerPool.query(`DELETE FROM transaction_totals WHERE day < current_date - 1`);
  expect((await verifyBooks(bank.test.database.reader)).faults).toEqual([]);
});

test('an administrator reads any transaction with its timeline but without a balance, and the view is audited [A-60]', async () => {
  const anna = await bank.customer({ dollars: 30 });
  const sent = await bank.call(transferApi.sendExternal, {
    token: anna.token,
    body: { ...harbour, accountNumber: '00010000', amount: 30, description: 'rent' },
  });
  const id = sent.body.data._id;
  const readTransaction = async () =>
    (await bank.call(adminApi.adminTransaction, { token, params: { id } })).body.data;
  expect(await readTransaction()).toMatchObject({
    _id: id,
    status: 'pending',
    timeline: [{ step: 'posted' }],
  });
  await endExternal(bank.bank.parts, id, { isSettled: false, reason: 'No such account' });
  const query = { person: id, action: 'transaction.viewed' };
  const { records } = (await bank.call(adminApi.auditLog, { token, query })).body.data;
  expect(records).toMatchObject([{ subject: id, actorName: 'Ada Admin' }]);
  const failed = await readTransaction();
  expect(failed).toMatchObject({
    status: 'failed',
    externalBankDetails: { ...harbour, accountNumber: '00010000' },
    sender: { _id: anna._id },
    senderAccountNumber: anna.accountNumber,
    returnReason: 'No such account',
    timeline: [{ step: 'posted' }, { step: 'returned' }],
  });
  expect(failed).not.toHaveProperty('balanceAfter');
  expect(failed).not.toHaveProperty('receiverAccountNumber');
});

test('the sweep of a deleted customer’s balance into the unclaimed account counts in no total of transactions, and is listed with the account number [A-52]', async () => {
  const anna = await bank.customer({ dollars: 70 });
  const totals = async () => (await bank.call(adminApi.adminStats, { token })).body.data;
  const [before, figures] = [await totals(), await readFigures()];
  await bank.call(adminApi.deleteUser, { token, params: { id: anna._id } });
  expect(await totals()).toEqual(before);
  const { days, types, accounts } = await readFigures();
  expect({ days, types }).toEqual({ days: figures.days, types: figures.types });
  const unclaimed = accounts.find(({ account }) => account === 'unclaimed')!.balance;
  expect(unclaimed).toBe(figures.accounts.find(({ account }) => account === 'unclaimed')!.balance + 70);
  const search = { token, query: { search: anna.accountNumber } };
  const [sweep] = (await bank.call(adminApi.adminTransactions, search)).body.data.transactions;
  const story = await bank.call(adminApi.adminTransaction, { token, params: { id: sweep!._id } });
  expect(story.body.data).toMatchObject({ amount: 70, senderAccountNumber: anna.accountNumber });
});

test('an application shows names, address, the ID document and whether the email is proven; opening it is audited as a view [A-48]', async () => {
  const form = bank.form({ firstName: 'Anna', middleName: 'Maria' });
  form.append('idCard', form.get('avatar') as File, 'id.webp');
  const { _id: id, email } = (await bank.call(authApi.register, { body: form })).body.data;
  const read = async () => await bank.call(adminApi.application, { token, params: { id } });
  const { data } = (await read()).body;
  expect(data).toMatchObject({
    _id: id,
    firstName: 'Anna',
    middleName: 'Maria',
    email,
    isEmailProven: false,
    dateOfBirth: null,
    city: null,
    isApproved: false,
    isVerified: false,
    idCard: { url: `/api/v1/admin/users/${id}/id-card` },
    idCardAt: data.registeredAt,
    ...Object.fromEntries(
      ['address', 'region', 'zipCode', 'phoneNumber'].map(name => [name, form.get(name)]),
    ),
  });
  const own = await bank.login(email);
  const identity = { dateOfBirth: '1990-02-28', city: 'Montpelier' };
  await bank.call(settingsApi.updateIdentity, { token: own, body: identity });
  for (let n = 0; n < 2; n++)
    expect((await read()).body.data).toMatchObject({ ...identity, isEmailProven: true });
  const { records } = (await bank.call(adminApi.auditLog, { token, query: { person: id } })).body.data;
  // The second view has its own record, because the application has changed since the first view. The third, like the poll of
  // an open page, has none.
  expect(records.filter(({ action }) => action === 'application.viewed')).toHaveLength(2);
  await bank.call(adminApi.deleteUser, { token, params: { id } });
  expect((await read()).status).toBe(404);
});

test('an email that is marked as proven is shown as proven, even if the audit log has no login of the customer [A-48]', async () => {
  const { parts } = bank.bank;
  const { customerId: id } = await seedCustomer(parts.database, parts.tokens);
  const isProven = async () =>
    (await bank.call(adminApi.application, { token, params: { id } })).body.data.isEmailProven;
  expect(await isProven()).toBe(false);
  // The demo data marks its customers the same way, without logins.
  await parts.database.inTransaction(tx => markEmailProven(tx, id));
  expect(await isProven()).toBe(true);
});

test('the audit log says whether a document was opened before it was verified [A-50]', async () => {
  const verify = async (isOpened: boolean) => {
    const form = bank.form();
    form.append('idCard', form.get('avatar') as File, 'id.webp');
    const { _id: id } = (await bank.call(authApi.register, { body: form })).body.data;
    const picture = `${bank.url}/api/v1/admin/users/${id}/id-card`;
    if (isOpened) await fetch(picture, { headers: { authorization: `Bearer ${token}` } });
    await bank.call(adminApi.verifyId, { token, params: { id } });
    const query = { person: id, action: 'customer.id-verified' };
    return (await bank.call(adminApi.auditLog, { token, query })).body.data.records[0]!.details;
  };
  expect(await verify(true)).toContain(', opened before verifying');
  expect(await verify(false)).toContain(', not opened before verifying');
});

test('the specification’s lists of waiting customers agree with the pages of the queues [A-46, C-65, C-70]', async () => {
  const lists = await Promise.all([
    bank.call(adminApi.pendingApprovals, { token }),
    bank.call(adminApi.unverifiedIds, { token }),
  ]);
  const queues = await Promise.all([
    bank.call(adminApi.approvalQueue, { token }),
    bank.call(adminApi.verificationQueue, { token }),
  ]);
  for (const [place, { body }] of queues.entries()) {
    const { customers, totalCustomers } = body.data;
    expect(lists[place]!.body.data.map(({ _id }) => _id)).toEqual(customers.map(({ _id }) => _id));
    expect(totalCustomers).toBe(customers.length);
  }
  const refused = await bank.call(adminApi.approvalQueue, { token, query: { sort: 'age' as 'name' } });
  expect(refused.status).toBe(400);
});

test('fifty newer equal credits do not hide an older one from the warning against paying it again [A-56]', async () => {
  const nora = await bank.customer();
  const pay = (description: string) =>
    bank.call(adminApi.credit, {
      token,
      body: { userAccountNumber: nora.accountNumber, amount: 1, description },
    });
  expect((await pay('Refund')).status).toBe(201);
  for (let n = 0; n < 50; n++) expect((await pay('Prize')).status).toBe(201);
  const params = { accountNumber: nora.accountNumber };
  const { recentCredits } = (await bank.call(adminApi.accountHolder, { token, params })).body.data;
  expect(recentCredits!.map(({ description }) => description)).toEqual(['Prize', 'Refund']);
});

test('an account number shows its holder and state before a credit; a number without a holder is not found', async () => {
  const anna = await bank.customer({ firstName: 'Anna' });
  const holder = async (accountNumber: string) =>
    await bank.call(adminApi.accountHolder, { token, params: { accountNumber } });
  expect((await holder(anna.accountNumber)).body.data).toEqual({
    accountName: 'Anna Quist',
    accountNumber: anna.accountNumber,
    isApproved: true,
    isFrozen: false,
    balance: 0,
    recentCredits: [],
  });
  await bank.call(adminApi.freeze, { token, params: { id: anna._id }, body: { isFrozen: true } });
  expect((await holder(anna.accountNumber)).body.data.isFrozen).toBe(true);
  await bank.call(adminApi.deleteUser, { token, params: { id: anna._id } });
  for (const number of [anna.accountNumber, '123456789012', 'x', "1' OR 1=1"]) {
    const { status, body } = await holder(number);
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      message: 'Account not found',
    });
  }
});

test('the lists of users say why staff froze an account, and a frozen applicant is found among the frozen and marked in the approvals and the application [SD-14]', async () => {
  const lastName = 'Frostwick';
  const { body: registered } = await bank.call(authApi.register, { body: bank.form({ lastName }) });
  const params = { id: registered.data._id };
  const read = async () => {
    const users = await bank.call(adminApi.users, { token, query: { search: lastName } });
    const query = { search: lastName, state: 'frozen' };
    const listed = await bank.call(adminCustomersApi.customers, { token, query });
    const queue = await bank.call(adminApi.approvalQueue, { token, query: { search: lastName } });
    const application = await bank.call(adminApi.application, { token, params });
    return [
      users.body.data.users[0]?.frozenReason,
      listed.body.data.customers[0]?.frozenReason,
      queue.body.data.customers[0]?.isFrozen,
      application.body.data.isFrozen,
      application.body.data.frozenReason,
    ];
  };
  expect(await read()).toEqual([undefined, undefined, undefined, undefined, undefined]);
  const freeze = (isFrozen: boolean, reason: string) =>
    bank.call(adminApi.freeze, { token, params, body: { isFrozen, reason } });
  const reason = 'Reports theft on the phone';
  await freeze(true, reason);
  expect(await read()).toEqual([reason, reason, true, true, reason]);
  await freeze(false, 'Called back');
  expect(await read()).toEqual([undefined, undefined, undefined, undefined, undefined]);
});
