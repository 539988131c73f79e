/** Reversing credits and transfers: once, completely, and only if both accounts allow it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { type Approval, fourEyesApi } from '#contract/fourEyes.ts';
import { goalsApi } from '#contract/goals.ts';
import * as recordsMessages from '#contract/messages/records.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { recordsApi } from '#contract/records.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { createAdmin, disableAdmin } from '#server/people/admins.ts';
import { expectRefusal } from '../../../tests/expectRefused.ts';
import { readPdf } from '../../../tests/readPdf.ts';
import { eventually, openTestBank, type TestBank, type TestCustomer } from '../../../tests/server.ts';

let bank: TestBank;
let token: string;
beforeAll(async () => {
  bank = await openTestBank({ STEP_UP_FROM: 'off' });
  token = await bank.adminToken();
});
afterAll(() => bank.close());

const reverse = (id: string, key?: string, reason = 'Paid twice') =>
  bank.call(adminCustomersApi.reverse, {
    token,
    params: { id },
    body: { reason },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
const send = async (from: TestCustomer, to: TestCustomer, amount: number) => {
  const body = { receiverAccountNumber: to.accountNumber, amount, description: 'Rent' };
  return (await bank.call(transferApi.sendInternal, { token: from.token, body })).body.data._id;
};
const list = async (of: TestCustomer, query = {}) =>
  (await bank.call(transactionsApi.listTransactions, { token: of.token, query })).body.data;
const balance = async (of: TestCustomer) =>
  (await bank.call(transactionsApi.balance, { token: of.token })).body.data.balance;

test('the money of a reversed transfer is back with its sender, and in the lists the transfer and its reversal refer to each other [ST-90, ST-91]', async () => {
  const [nora, ben] = [await bank.customer({ dollars: 100 }), await bank.customer()];
  const original = await send(nora, ben, 40);
  const { status, body } = await reverse(original);
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    type: 'reversal',
    status: 'completed',
    amount: 40,
    reverses: original,
    sender: { _id: ben._id },
    receiver: { _id: nora._id },
  });
  expect([await balance(nora), await balance(ben)]).toEqual([100, 0]);
  const reversal = '_id' in body.data ? body.data._id : '';
  for (const customer of [nora, ben]) {
    const { transactions, stats } = await list(customer);
    expect(transactions[0]).toMatchObject({ _id: reversal, reverses: original });
    expect(transactions[1]).toMatchObject({ _id: original, reversedBy: reversal });
    expect((await list(customer, { type: 'reversal' })).transactions.map(({ _id }) => _id)).toEqual([
      reversal,
    ]);
    expect((await list(customer, { type: 'transfer' })).transactions.map(({ _id }) => _id)).toEqual([
      original,
    ]);
    expect(stats.totalTransactions).toBe(customer === nora ? 3 : 2);
    const notices = await bank.call(notificationsApi.listNotifications, { token: customer.token });
    expect(notices.body.data.notifications[0]!.kind).toBe(customer === nora ? 'reversed-in' : 'reversed-out');
    await eventually(
      () =>
        bank.bank.parts.inbox!.list(customer.email).some(mail => mail.subject === 'Payment Reversed') ||
        undefined,
    );
  }
  const all = await bank.call(adminApi.adminTransactions, { token, query: { type: 'reversal' } });
  expect(all.body.data.transactions[0]).toMatchObject({ _id: reversal });
});

test('a reversal is in the history of both customers, and on their statements, exports and receipts [ST-90, RX-33]', async () => {
  const [nora, ben] = [await bank.customer({ dollars: 100 }), await bank.customer({ firstName: 'Ben' })];
  const original = await send(nora, ben, 40);
  await reverse(original);
  for (const [customer, amount, code] of [
    [nora, '40.00', 'ICDT'],
    [ben, '-40.00', 'RCDT'],
  ] as const) {
    const save = async (path: string) => {
      const answer = await fetch(`${bank.url}${path}`, {
        headers: { authorization: `Bearer ${customer.token}` },
      });
      return Buffer.from(await answer.arrayBuffer());
    };
    const receipt = async (id: string) =>
      readPdf(await save(recordsApi.receipt.path.replace('{id}', id))).texts;
    const acts = await bank.call(adminCustomersApi.customerHistory, { token, params: { id: customer._id } });
    expect(acts.body.data.records).toContainEqual(
      expect.objectContaining({ action: 'customer.reversed', actorName: 'Ada Admin', reason: 'Paid twice' }),
    );
    const [reversal] = (await list(customer, { type: 'reversal' })).transactions;
    expect(await receipt(reversal!._id)).toContain(recordsMessages.reversalReceipt);
    expect(await receipt(original)).toContain(recordsMessages.reversedReceipt);
    const exported = transactionsApi.exportTransactions.path;
    const rows = (await save(`${exported}?format=csv`)).toString().split('\r\n');
    expect(rows.find(row => row.includes(',reversal,completed,'))).toContain(`,${amount},`);
    const entry = (await save(`${exported}?format=camt053&type=reversal`)).toString();
    expect(entry).toContain('<RvslInd>true</RvslInd>');
    expect(entry).toContain(`<Fmly><Cd>${code}</Cd><SubFmlyCd>RPCR</SubFmlyCd></Fmly>`);
    const [month] = (await bank.call(recordsApi.statements, { token: customer.token })).body.data;
    const statement = readPdf(await save(recordsApi.statement.path.replace('{month}', month!._id)));
    expect(statement.rows.some(row => row[1]?.includes('Reversal ·') && row[2] === reversal!.reference)).toBe(
      true,
    );
  }
});

test('a reversed credit is no longer in the customer’s balance [ST-90]', async () => {
  const nora = await bank.customer({ dollars: 30 });
  const { _id } = (await list(nora)).transactions[0]!;
  expect((await reverse(_id)).status).toBe(201);
  expect(await balance(nora)).toBe(0);
});

test('only one of ten concurrent reversals is booked, and a repeated key gets the same answer [ST-92]', async () => {
  const [nora, ben] = [await bank.customer({ dollars: 100 }), await bank.customer({ dollars: 500 })];
  const original = await send(nora, ben, 10);
  const answers = await Promise.all(Array.from({ length: 10 }, () => reverse(original)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201,
    ...Array<number>(9).fill(409),
  ]);
  const second = await send(nora, ben, 10);
  const keyed = await Promise.all(Array.from({ length: 5 }, () => reverse(second, 'reverse-it-once')));
  expect(keyed.map(({ status }) => status)).toEqual(Array<number>(5).fill(201));
  expect(new Set(keyed.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
  expectRefusal(await reverse(second, 'reverse-it-once', 'Another reason'), 'IDEMPOTENCY_MISMATCH');
  expect(await balance(nora)).toBe(100);
});

test('spent money, reversals, pending payments and payments to a closed account cannot be reversed, and a repeated key gets the same refusal [ST-93]', async () => {
  const [nora, ben] = [await bank.customer({ dollars: 100 }), await bank.customer()];
  const spent = await send(nora, ben, 40);
  await send(ben, nora, 30);
  expectRefusal(await reverse(spent, 'reverse-what-is-spent'), 'INSUFFICIENT_BALANCE');
  await send(nora, ben, 30);
  expectRefusal(await reverse(spent, 'reverse-what-is-spent'), 'INSUFFICIENT_BALANCE');
  const done = await reverse(spent);
  expect(done.status).toBe(201);
  expectRefusal(await reverse('_id' in done.body.data ? done.body.data._id : ''), 'CONFLICT');
  const outside = { bankName: 'First Harbor', accountName: 'Ines', accountNumber: '12345678', amount: 5 };
  const external = await bank.call(transferApi.sendExternal, {
    token: nora.token,
    body: { ...outside, description: '' },
  });
  expectRefusal(await reverse(external.body.data._id), 'CONFLICT');
  const last = await send(nora, ben, 5);
  await bank.call(adminApi.deleteUser, { token, params: { id: ben._id } });
  expectRefusal(await reverse(last), 'CONFLICT');
});

test('a reversal of money that the receiver moved to a savings goal is refused with the available and the saved amount [SD-37]', async () => {
  const [nora, ben] = [await bank.customer({ dollars: 100 }), await bank.customer({ dollars: 5 })];
  const original = await send(nora, ben, 40);
  const goal = { name: 'Trip', picture: 'trip', target: 500 };
  const made = await bank.call(goalsApi.addGoal, { token: ben.token, body: goal });
  const params = { id: made.body.data._id };
  await bank.call(goalsApi.moveGoal, { token: ben.token, params, body: { amount: 30, direction: 'in' } });
  const refused = await reverse(original);
  expectRefusal(refused, 'INSUFFICIENT_BALANCE');
  expect(refused.body.message).toContain('$15.00 is available, and $30.00 is in savings goals');
  await bank.call(goalsApi.moveGoal, { token: ben.token, params, body: { amount: 30, direction: 'out' } });
  expect((await reverse(original)).status).toBe(201);
});

test('a concurrent reversal and transfer of the same money never leave an account below zero [ST-93]', async () => {
  const [nora, ben] = [await bank.customer({ dollars: 50 }), await bank.customer()];
  const original = await send(nora, ben, 50);
  await Promise.all([
    reverse(original),
    bank.call(transferApi.sendInternal, {
      token: ben.token,
      body: { receiverAccountNumber: nora.accountNumber, amount: 50, description: '' },
    }),
  ]);
  expect([await balance(nora), await balance(ben)]).toEqual([50, 0]);
});

test('a large reversal waits for a second person and is booked once [ST-94]', async () => {
  const second = { email: 'second@bank.example', password: 'a quiet river stone' };
  const nora = await bank.customer({ dollars: 200_000 });
  const { _id, reference } = (await list(nora)).transactions[0]!;
  await createAdmin(bank.bank.parts, { ...second, name: 'Bo', role: 'operator' });
  const other = (await bank.call(adminApi.adminLogin, { body: second })).body.data.token;
  const asked = await reverse(_id, 'reverse-much-money');
  expect(asked.status).toBe(202);
  const { approval } = asked.body.data as { approval: Approval };
  expect(approval).toMatchObject({
    kind: 'reversal',
    transactionId: _id,
    reference,
    amount: 200_000,
    reason: 'Paid twice',
  });
  const story = () => bank.call(adminApi.adminTransaction, { token, params: { id: _id } });
  expect((await story()).body.data.reversalRequestId).toBe(approval._id);
  const approve = () => bank.call(fourEyesApi.approveRequest, { token: other, params: { id: approval._id } });
  expect(
    (await Promise.all([approve(), approve()])).map(({ status }) => status).toSorted((a, b) => a - b),
  ).toEqual([200, 409]);
  expect(await balance(nora)).toBe(0);
  const { reversalRequestId, reversedBy, reversedAt } = (await story()).body.data;
  expect(reversalRequestId).toBeUndefined();
  const reversal = await bank.call(adminApi.adminTransaction, { token, params: { id: reversedBy! } });
  expect(reversedAt).toBe(reversal.body.data.timestamp);
  expect((await reverse(_id, 'reverse-much-money')).body.data).toMatchObject({
    approval: { status: 'done' },
  });
  await disableAdmin(bank.bank.parts, second.email, { evenTheLast: false });
});

test('the books have no faults after reversals [ST-90]', async () => {
  const { sealKey } = bank.bank.parts.secrets;
  expect((await verifyBooks(bank.bank.parts.database.reader, { sealKey })).faults).toEqual([]);
});
