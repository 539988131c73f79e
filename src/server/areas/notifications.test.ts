/** Notifications inside the app. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notificationsApi } from '#contract/notifications.ts';
import { payeesApi } from '#contract/payees.ts';
import { preferencesApi } from '#contract/preferences.ts';
import { scheduledApi } from '#contract/scheduled.ts';
import { settingsApi } from '#contract/settings.ts';
import { transferApi } from '#contract/transfer.ts';
import { eventually, openTestBank, type TestBank, type TestCustomer } from '../../../tests/server.ts';
import { toPostRequest } from '../ledger/ledger.ts';
import { postParameters, postStatement } from '../ledger/postStatement.ts';

let bank: TestBank;

beforeAll(async () => {
  bank = await openTestBank();
});
afterAll(() => bank.close());

const readAll = async (customer: TestCustomer) => {
  const answer = await bank.call(notificationsApi.listNotifications, { token: customer.token });
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const texts = async (customer: TestCustomer) => (await readAll(customer)).notifications.map(one => one.text);
const markAsRead = (customer: TestCustomer, id: string) =>
  bank.call(notificationsApi.readNotification, { token: customer.token, params: { id } });
const pay = (from: TestCustomer, to: TestCustomer, amount: number) =>
  bank.call(transferApi.sendInternal, {
    token: from.token,
    body: { receiverAccountNumber: to.accountNumber, amount, description: '' },
  });

test("both parties of a transfer are notified immediately, with the other party's name; the newest notification is listed first", async () => {
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
  const { notifications, unread } = await readAll(jun);
  expect(notifications[0]).toMatchObject({
    kind: 'money-received',
    text: '$12.50 from Ines Quist',
    transactionId: sent.body.data._id,
    isRead: false,
  });
  expect(unread).toBe(2);
});

test("a customer's own acts are listed as read; what others do is unread [N-08]", async () => {
  const [ines, jun] = [await bank.customer({ dollars: 100 }), await bank.customer()];
  await bank.call(notificationsApi.readNotifications, { token: ines.token });
  await pay(ines, jun, 12.5);
  const bankDetails = { bankName: 'First Harbor', accountName: 'Ines Caldeira', accountNumber: '12345678' };
  const body = { amount: 1, description: '', ...bankDetails };
  expect((await bank.call(transferApi.sendExternal, { token: ines.token, body })).status).toBe(201);
  await bank.call(settingsApi.updateContact, {
    token: ines.token,
    body: { phoneNumber: '2125550199', address: '5 Meadow Row', region: 'Vermont', zipCode: '05401' },
  });
  const identity = { dateOfBirth: '1990-04-12', city: 'Hudson' };
  await bank.call(settingsApi.updateIdentity, { token: ines.token, body: identity });
  const { notifications, unread } = await readAll(ines);
  expect(notifications.slice(0, 4).map(({ kind, isRead }) => [kind, isRead])).toEqual([
    ['identity-changed', true],
    ['contact-changed', true],
    ['money-sent', true],
    ['money-sent', true],
  ]);
  expect(unread).toBe(0);
  expect((await readAll(jun)).notifications[0]).toMatchObject({ kind: 'money-received', isRead: false });
});

test('a customer marks a notification as read, and doing it twice changes nothing more', async () => {
  const customer = await bank.customer({ dollars: 1 });
  const before = await readAll(customer);
  expect(before.unread).toBe(2);
  for (let i = 0; i < 2; i++)
    expect((await markAsRead(customer, before.notifications[0]!._id)).status).toBe(200);
  const after = await readAll(customer);
  expect(after.unread).toBe(1);
  expect(after.notifications.map(one => one.isRead)).toEqual([true, false]);
});

test('a notification of a transfer is stored only when its customer reads it, and is then listed once', async () => {
  const [ines, jun] = [await bank.customer({ dollars: 100 }), await bank.customer()];
  const ids = [(await pay(ines, jun, 1)).body.data._id, (await pay(ines, jun, 2)).body.data._id] as const;
  const stored = async () =>
    (
      await bank.test.database.ownerPool.query<{ id: string }>(
        'SELECT id FROM notifications WHERE id = ANY ($1) ORDER BY id',
        [ids],
      )
    ).rows.map(({ id }) => id);
  expect(await stored()).toEqual([]);
  expect((await markAsRead(jun, ids[0])).status).toBe(200);
  expect(await stored()).toEqual([ids[0]]);
  const received = async () =>
    (await readAll(jun)).notifications.filter(({ kind }) => kind === 'money-received');
  expect((await received()).map(({ _id, isRead }) => [_id, isRead])).toEqual([
    [ids[1], false],
    [ids[0], true],
  ]);
  await bank.call(notificationsApi.readNotifications, { token: jun.token });
  expect(await stored()).toEqual([...ids]);
  expect((await received()).map(({ _id, isRead }) => [_id, isRead])).toEqual([
    [ids[1], true],
    [ids[0], true],
  ]);
});

test('during an upgrade, a transfer that a server of version 1.0.0 posted has one notification, which can be read', async () => {
  const [ines, jun] = [await bank.customer({ dollars: 100, firstName: 'Ines' }), await bank.customer()];
  const request = toPostRequest(
    'transfer',
    { amountCents: 250n, description: '', idempotencyKey: undefined, address: '' },
    { actor: ines._id, session: null, receiver: jun.accountNumber },
  );
  await bank.test.database.ownerPool.query(
    postStatement.text.replace('post_group', 'post_transactions'),
    postParameters(0, [request]),
  );
  expect((await texts(jun)).filter(text => text === '$2.50 from Ines Quist')).toHaveLength(1);
  expect((await markAsRead(jun, request.id)).status).toBe(200);
  expect((await readAll(jun)).notifications[0]).toMatchObject({ _id: request.id, isRead: true });
});

test("a customer marks all of their notifications as read, and no one else's [N-06]", async () => {
  const [hollis, wren] = [await bank.customer({ dollars: 1 }), await bank.customer({ dollars: 1 })];
  const marked = await bank.call(notificationsApi.readNotifications, { token: hollis.token });
  expect(marked.body).toEqual({ success: true, message: 'Marked as read' });
  expect((await readAll(hollis)).unread).toBe(0);
  expect((await readAll(wren)).unread).toBe(2);
});

test('marking all as read leaves notifications unread that arrived after the list; without `newest`, it marks all of them [N-06, N-11]', async () => {
  const [sender, hollis] = [await bank.customer({ dollars: 10 }), await bank.customer()];
  const send = () =>
    bank.call(transferApi.sendInternal, {
      token: sender.token,
      body: { receiverAccountNumber: hollis.accountNumber, amount: 1, description: '' },
    });
  await send();
  const newest = (await readAll(hollis)).notifications
    .map(({ _id }) => _id)
    .sort()
    .at(-1)!;
  const later = (await send()).body.data._id;
  const mark = (body: object) => bank.call(notificationsApi.readNotifications, { token: hollis.token, body });
  expect((await mark({ newest })).status).toBe(200);
  const { notifications } = await readAll(hollis);
  expect(notifications.filter(({ isRead }) => !isRead).map(({ _id }) => _id)).toEqual([later]);
  expect((await mark({ newest: 'the last one' })).status).toBe(400);
  expect((await mark({})).status).toBe(200);
  expect((await readAll(hollis)).unread).toBe(0);
});

test("a customer cannot read or mark another customer's notification", async () => {
  const [noor, wren] = [await bank.customer({ dollars: 5 }), await bank.customer()];
  const { notifications } = await readAll(noor);
  expect((await markAsRead(wren, notifications[0]!._id)).status).toBe(404);
  expect((await readAll(noor)).unread).toBe(2);
  expect(await texts(wren)).not.toContain(notifications[0]!.text);
});

test('the other party is shown as a closed account once that person is erased', async () => {
  const [leaver, stayer] = [await bank.customer({ dollars: 10, firstName: 'Leaver' }), await bank.customer()];
  await pay(leaver, stayer, 3);
  await bank.test.database.ownerPool.query(
    `UPDATE customers SET first_name = '', last_name = '', email = '', deleted_at = now() WHERE id = $1`,
    [leaver._id],
  );
  expect((await texts(stayer))[0]).toBe('$3.00 from Closed account');
});

test('a customer who waits for approval can read notifications', async () => {
  const waiting = await bank.customer({ approved: false });
  expect(await readAll(waiting)).toEqual({ notifications: [], unread: 0 });
});

test('only the newest fifty notifications are listed and counted', async () => {
  const customer = await bank.customer();
  await bank.test.database.ownerPool.query(
    `INSERT INTO notifications (account_id, id, kind)
     SELECT a.id, gen_random_uuid(), 'frozen' FROM ledger_accounts a, generate_series(1, 70) WHERE a.number = $1`,
    [customer.accountNumber],
  );
  const { notifications, unread } = await readAll(customer);
  expect(notifications).toHaveLength(50);
  expect(unread).toBe(50);
});

test('by default every kind except statements is shown; a kind that is turned off is not listed or counted, and other kinds still are [NP-01, NP-02]', async () => {
  const [ines, jun] = [await bank.customer({ dollars: 100 }), await bank.customer()];
  const { token } = jun;
  const preferences = (await bank.call(preferencesApi.preferences, { token })).body.data;
  const everything = { bell: true, mail: 'each' };
  expect(preferences).toEqual({
    moneyIn: everything,
    moneyOut: everything,
    otherBanks: everything,
    scheduled: everything,
    statements: { bell: false, mail: 'off' },
  });
  await bank.call(notificationsApi.readNotifications, { token });
  await pay(ines, jun, 5);
  const body = { ...preferences, moneyIn: { bell: false, mail: 'daily' } };
  const saved = await bank.call(preferencesApi.setPreferences, { token, body });
  expect(saved.body).toMatchObject({ message: 'Your notification settings are saved.', data: body });
  expect((await bank.call(preferencesApi.preferences, { token })).body.data).toEqual(body);
  const { notifications, unread } = await readAll(jun);
  expect(notifications.map(({ kind }) => kind)).toEqual(['preferences-changed', 'approved']);
  expect(unread).toBe(0);
  expect((await readAll(ines)).notifications[0]!.kind).toBe('money-sent');
});

test('a change of the notification settings is announced, audited, and mailed with a link that freezes the account; saving them unchanged is not [NP-07]', async () => {
  const ines = await bank.customer();
  const { token } = ines;
  const saved = (await bank.call(preferencesApi.preferences, { token })).body.data;
  const body = { ...saved, statements: { bell: true, mail: 'off' as const } };
  for (const choices of [saved, body, body])
    expect((await bank.call(preferencesApi.setPreferences, { token, body: choices })).status).toBe(200);
  const mail = await eventually(() =>
    bank.bank.parts
      .inbox!.list(ines.email)
      .find(({ subject }) => subject === 'Your notification settings were changed'),
  );
  expect(mail.text).toContain('/freeze-account#');
  const { rowCount } = await bank.test.database.ownerPool.query(
    `SELECT FROM audit_log WHERE action = 'preferences.changed' AND actor_id = $1`,
    [ines._id],
  );
  expect(rowCount).toBe(1);
  const announced = (await readAll(ines)).notifications.filter(({ kind }) => kind === 'preferences-changed');
  expect(announced).toHaveLength(1);
  const refused = await bank.call(preferencesApi.setPreferences, {
    token,
    body: { ...body, scheduled: { bell: true, mail: 'daily' } },
  });
  expect(refused.status).toBe(400);
});

test('the mails about a new payee and a new scheduled transfer name the receiver and the amount, and lead to the lists [PY-11] [SC-01]', async () => {
  const ines = await bank.customer({ dollars: 100 });
  const { email, token } = ines;
  const landlord = {
    kind: 'external',
    bankName: 'First Harbor Bank',
    accountName: 'Meadow Rentals',
    accountNumber: '12345678',
  };
  const mailed = (subject: string) =>
    eventually(() => bank.bank.parts.inbox!.list(email).find(mail => mail.subject === subject)?.text);
  await bank.call(payeesApi.addPayee, { token, body: landlord });
  const payee = await mailed('You saved a new payee');
  expect(payee).toContain('Payee: Meadow Rentals, First Harbor Bank');
  expect(payee).toMatch(/View your payees: \S+\/dashboard\/transfer\?payees\n/);
  expect(payee).not.toContain(landlord.accountNumber);
  await bank.call(scheduledApi.addScheduled, {
    token,
    body: { ...landlord, amount: 85, startDate: '2099-01-31', frequency: 'monthly' },
  });
  const schedule = await mailed('You scheduled a transfer');
  expect(schedule).toMatch(
    / {4}\$85\.00\n\nTo: Meadow Rentals\nFirst date: .*Jan 31, 2099\nRepeats: on the 31st of every month \(the last day if the month is shorter\)\n/,
  );
  expect(schedule).toMatch(/View your scheduled transfers: \S+\/dashboard\/scheduled\n/);
});
