/** What the bank tells a customer inside the app. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notificationsApi } from '#contract/notifications.ts';
import { transferApi } from '#contract/transfer.ts';
import { openTestBank, type TestBank, type TestCustomer } from '../../../tests/server.ts';

let bank: TestBank;

beforeAll(async () => {
  bank = await openTestBank();
});
afterAll(() => bank.close());

const read = async (customer: TestCustomer) => {
  const answer = await bank.call(notificationsApi.listNotifications, { token: customer.token });
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const texts = async (customer: TestCustomer) => (await read(customer)).notifications.map(one => one.text);
const mark = (customer: TestCustomer, id: string) =>
  bank.call(notificationsApi.readNotification, { token: customer.token, params: { id } });
const pay = (from: TestCustomer, to: TestCustomer, amount: number) =>
  bank.call(transferApi.sendInternal, {
    token: from.token,
    body: { receiverAccountNumber: to.accountNumber, amount, description: '' },
  });

test('both sides of a transfer are told at once, newest first, with the other side’s name', async () => {
  const [ines, jun] = [
    await bank.customer({ dollars: 100, firstName: 'Ines' }),
    await bank.customer({ firstName: 'Jun' }),
  ];
  const sent = await pay(ines, jun, 12.5);
  expect(await texts(ines)).toEqual([
    '$12.50 to Jun Quist',
    '$100.00 was credited to your account',
    'Your account is approved. Welcome to Larkspur Bank.',
  ]);
  const { notifications, unread } = await read(jun);
  expect(notifications[0]).toMatchObject({
    kind: 'money-received',
    text: '$12.50 from Ines Quist',
    transactionId: sent.body.data._id,
    isRead: false,
  });
  expect(unread).toBe(2);
});

test('a customer marks one as read, once or twice, and the count goes down', async () => {
  const customer = await bank.customer({ dollars: 1 });
  const before = await read(customer);
  expect(before.unread).toBe(2);
  for (let i = 0; i < 2; i++) expect((await mark(customer, before.notifications[0]!._id)).status).toBe(200);
  const after = await read(customer);
  expect(after.unread).toBe(1);
  expect(after.notifications.map(one => one.isRead)).toEqual([true, false]);
});

test('a customer marks all as read in one press, and nobody else’s are touched [N-06]', async () => {
  const [hollis, wren] = [await bank.customer({ dollars: 1 }), await bank.customer({ dollars: 1 })];
  const marked = await bank.call(notificationsApi.readNotifications, { token: hollis.token });
  expect(marked.body).toEqual({ success: true, message: 'Marked as read' });
  expect((await read(hollis)).unread).toBe(0);
  expect((await read(wren)).unread).toBe(2);
});

test('nobody reads or marks what was told to somebody else', async () => {
  const [noor, wren] = [await bank.customer({ dollars: 5 }), await bank.customer()];
  const { notifications } = await read(noor);
  expect((await mark(wren, notifications[0]!._id)).status).toBe(404);
  expect((await read(noor)).unread).toBe(2);
  expect(await texts(wren)).not.toContain(notifications[0]!.text);
});

test('the other side is a closed account once that person is erased', async () => {
  const [leaver, stayer] = [await bank.customer({ dollars: 10, firstName: 'Leaver' }), await bank.customer()];
  await pay(leaver, stayer, 3);
  await bank.test.database.ownerPool.query(
    `UPDATE customers SET first_name = '', last_name = '', email = '', deleted_at = now() WHERE id = $1`,
    [leaver._id],
  );
  expect((await texts(stayer))[0]).toBe('$3.00 from Closed account');
});

test('a customer who still waits for approval may look', async () => {
  const waiting = await bank.customer({ approved: false });
  expect(await read(waiting)).toEqual({ notifications: [], unread: 0 });
});

test('of many only the newest fifty are listed, and counted', async () => {
  const customer = await bank.customer();
  await bank.test.database.ownerPool.query(
    `INSERT INTO notifications (account_id, id, kind)
     SELECT a.id, gen_random_uuid(), 'frozen' FROM ledger_accounts a, generate_series(1, 70) WHERE a.number = $1`,
    [customer.accountNumber],
  );
  const { notifications, unread } = await read(customer);
  expect(notifications).toHaveLength(50);
  expect(unread).toBe(50);
});
