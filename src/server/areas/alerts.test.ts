/** Alerts: what raises one and what does not, and the staff's queue. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { type AlertRule, alertRules } from '#contract/alertRules.ts';
import { alertsApi } from '#contract/alerts.ts';
import { authApi } from '#contract/auth.ts';
import { limitsApi } from '#contract/limits.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { scheduledApi } from '#contract/scheduled.ts';
import { transferApi } from '#contract/transfer.ts';
import { checkPayments } from '#server/jobs/alerts.ts';
import { runScheduledTransfers } from '#server/jobs/scheduledTransfers.ts';
import { sealRecords } from '#server/ledger/sealing.ts';

import { createAdmin } from '#server/people/admins.ts';
import { openPast } from '../../../tests/pastTransactions.ts';
import type { SeededCustomer } from '../../../tests/seedCustomers.ts';
import { eventually, openTestBank, type TestBank, type TestCustomer } from '../../../tests/server.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => bank.close());

type Payer = { token: string };
type Payee = { accountNumber: string };

const pay = async (from: Payer, to: Payee, amount: number) => {
  const body = { receiverAccountNumber: to.accountNumber, amount, description: '' };
  const sent = await bank.call(transferApi.sendInternal, { token: from.token, body });
  expect(sent.status).toBe(201);
  return sent.body.data;
};

/** A customer without mail and password, which is faster. */
async function quickCustomer(dollars = 0) {
  const made = await bank.seeded({ cents: BigInt(dollars) * 100n });
  return { ...made, _id: made.customerId };
}

const listAlerts = async (customer?: string, query = {}) => {
  const answer = await bank.call(alertsApi.alerts, {
    token: await bank.adminToken(),
    query: { ...(customer && { customer }), ...query },
  });
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const rulesOf = async (customer: { _id: string }) =>
  (await listAlerts(customer._id)).alerts.map(({ rule }) => rule);
const alertOf = (customer: { _id: string }, rule: AlertRule) =>
  eventually(async () => (await listAlerts(customer._id)).alerts.find(alert => alert.rule === rule));

/** Waits until every payment that was posted by now has been checked. */
async function untilChecked(): Promise<void> {
  const owner = bank.test.database.ownerPool;
  const { rows } = await owner.query<{ id: bigint }>('SELECT max(id) AS id FROM audit_log');
  await eventually(async () => {
    // The bank's own loops do the same work, but with pauses.
    await sealRecords(bank.bank.parts.database, bank.bank.parts.secrets.sealKey);
    await checkPayments(bank.bank.parts);
    const { rowCount } = await owner.query(
      `SELECT FROM alert_progress p JOIN audit_seals s ON s.position = p.position WHERE s.audit_id >= $1`,
      [rows[0]!.id],
    );
    return rowCount === 1 ? true : undefined;
  });
}

const mailsTo = (email: string) => bank.bank.parts.inbox!.list(email);
const notificationsOf = async (customer: Payer) =>
  (await bank.call(notificationsApi.listNotifications, { token: customer.token })).body.data.notifications;

test('a payment of half of the balance alerts customer and staff, unless the receiver is known; the mail has a link that freezes the account [FA-02]', async () => {
  const [ines, jun] = [await bank.customer({ dollars: 4000, firstName: 'Ines' }), await quickCustomer()];
  const sent = await pay(ines, jun, 2000);
  const alert = await alertOf(ines, 'large-first-payment');
  expect(alert).toMatchObject({
    status: 'open',
    amount: 2000,
    balance: 4000,
    transactionId: sent._id,
    customer: { _id: ines._id, name: 'Ines Quist' },
  });
  const [notified] = (await notificationsOf(ines)).filter(({ kind }) => kind === 'alert-large-first-payment');
  expect(notified).toMatchObject({ isRead: false, transactionId: sent._id });
  expect(notified!.text).not.toMatch(/\d/);
  const mail = await eventually(() =>
    mailsTo(ines.email).find(({ subject }) => subject === 'A large payment to a new receiver'),
  );
  expect(`${mail.subject} ${mail.text}`).not.toMatch(/\$\d/);
  const token = /\/freeze-account#([\w-]{64})/.exec(mail.text)![1]!;
  expect((await bank.call(limitsApi.freezeByLink, { body: { token } })).status).toBe(200);

  const olaf = await quickCustomer(9000);
  const past = openPast(bank.bank.parts.database, olaf.customerId);
  const at = new Date(Date.now() - 25 * 3_600_000).toISOString();
  await past.credit(olaf, { at, cents: 100_00n });
  await past.send(olaf, jun, { at, cents: 100_00n });
  await pay(olaf, jun, 5000);
  await untilChecked();
  expect(await rulesOf(olaf)).toEqual([]);
});

test('a small payment right before a large one does not make the receiver known [FA-02]', async () => {
  const [ines, jun] = [await quickCustomer(9000), await quickCustomer()];
  await pay(ines, jun, 1);
  await pay(ines, jun, 5000);
  expect((await alertOf(ines, 'large-first-payment')).amount).toBe(5000);
});

test('a payment to a new receiver does not alert if it is less than $1,000 or less than half of the balance [FA-02]', async () => {
  const [ines, olaf, jun] = [await quickCustomer(1000), await quickCustomer(10_000), await quickCustomer()];
  await pay(ines, jun, 999.99);
  await pay(olaf, jun, 4999.99);
  await untilChecked();
  expect(await rulesOf(ines)).toEqual([]);
  expect(await rulesOf(olaf)).toEqual([]);
});

test('a payment of most of the balance to an account at another bank alerts; a second such payment on the same day does not alert again [FA-02]', async () => {
  const ines = await quickCustomer(10_000);
  const send = (accountNumber: string, amount: number) =>
    bank.call(transferApi.sendExternal, {
      token: ines.token,
      body: { amount, description: '', bankName: 'First Harbor', accountName: 'Ines', accountNumber },
    });
  await send('12345678', 6000);
  await send('87654321', 3000);
  const alert = await alertOf(ines, 'large-first-payment');
  expect(alert.amount).toBe(6000);
  await untilChecked();
  expect(await rulesOf(ines)).toEqual(['large-first-payment']);
});

test('an eleventh payment within ten minutes alerts, and ten do not [FA-03]', async () => {
  const [busy, calm, jun] = [await quickCustomer(100), await quickCustomer(100), await quickCustomer()];
  for (let n = 0; n < 10; n++) await Promise.all([pay(busy, jun, 1), pay(calm, jun, 1)]);
  await untilChecked();
  expect(await rulesOf(busy)).toEqual([]);
  await pay(busy, jun, 1);
  expect(await alertOf(busy, 'many-payments')).toMatchObject({ payments: 11, receivers: 0 });
  // More payments on the same day do not alert again.
  await pay(busy, jun, 1);
  await untilChecked();
  expect(await rulesOf(busy)).toEqual(['many-payments']);
  expect(await rulesOf(calm)).toEqual([]);
  expect((await notificationsOf(busy)).filter(({ kind }) => kind === 'alert-many-payments')).toHaveLength(1);
});

test('five new receivers within an hour alert; four new receivers and a known one do not [FA-03]', async () => {
  const [busy, calm] = [await quickCustomer(100), await quickCustomer()];
  const payees: SeededCustomer[] = [];
  for (let n = 0; n < 5; n++) payees.push(await quickCustomer());
  const past = openPast(bank.bank.parts.database, busy.customerId);
  const at = new Date(Date.now() - 25 * 3_600_000).toISOString();
  await past.credit(calm, { at, cents: 100_00n });
  await past.send(calm, payees[4]!, { at, cents: 1_00n });
  for (const payee of payees) await Promise.all([pay(busy, payee, 1), pay(calm, payee, 1)]);
  expect(await alertOf(busy, 'many-payments')).toMatchObject({ payments: 5, receivers: 5 });
  await untilChecked();
  expect(await rulesOf(calm)).toEqual([]);
});

test('payments that a thief schedules for the same day count toward the alert about many payments; those scheduled earlier do not [FA-03]', async () => {
  const [thiefs, payer, jun] = [await quickCustomer(100), await quickCustomer(100), await quickCustomer()];
  const today = new Date().toLocaleDateString('en-CA', { timeZone: 'America/New_York' });
  const body = {
    kind: 'internal',
    receiverAccountNumber: jun.accountNumber,
    amount: 1,
    description: '',
    startDate: today,
    frequency: 'once',
  } as const;
  for (const { token } of [payer, thiefs])
    for (let n = 0; n < 11; n++)
      expect((await bank.call(scheduledApi.addScheduled, { token, body })).status).toBe(201);
  await bank.test.database.ownerPool.query(
    `UPDATE scheduled_transfers SET created_at = created_at - interval '25 hours' WHERE account_id = $1`,
    [payer.accountId],
  );
  const tomorrow = new Date(Date.now() + 86_400_000);
  while (await runScheduledTransfers(bank.bank.parts, tomorrow));
  expect(await alertOf(thiefs, 'many-payments')).toMatchObject({ payments: 11, receivers: 0 });
  await pay(payer, jun, 1);
  await untilChecked();
  expect(await rulesOf(payer)).toEqual([]);
});

test('a login from a new network alerts customer and staff, and another login from the usual network does not [FA-01]', async () => {
  const nora = await bank.customer();
  await bank.login(nora.email);
  expect(await rulesOf(nora)).toEqual([]);
  const fromElsewhere: TestBank['call'] = (endpoint, asked = {}) =>
    bank.call(endpoint, { ...asked, headers: { 'x-forwarded-for': '203.0.113.9' } });
  const token = await bank.login(nora.email, fromElsewhere);
  expect(await alertOf(nora, 'new-login')).toMatchObject({
    network: '203.0.113.9',
    device: 'Unknown device',
  });
  const kinds = (await notificationsOf({ token })).map(({ kind }) => kind);
  expect(kinds.filter(kind => kind === 'alert-new-login')).toHaveLength(1);
  const mail = await eventually(() =>
    mailsTo(nora.email).find(({ subject }) => subject === 'New login to your account'),
  );
  expect(mail.text).toContain('/freeze-account#');
});

const { logins } = alertRules['guessed-logins'];
const guess = (email: string, address: string) =>
  bank.call(authApi.initiateLogin, {
    body: { email, password: '999999' },
    headers: { 'x-forwarded-for': address },
  });
/** Stores guesses at logins that do not exist, as the login call does, but without hashing passwords. */
const guessUnknown = (network: string, count: number) =>
  bank.test.database.ownerPool.query(
    `INSERT INTO login_guesses (network, address_key) SELECT $1, sha256(n::text::bytea) FROM generate_series(1, $2::int) n`,
    [network, count],
  );

test('wrong passwords for twenty logins from one network within an hour alert staff and the customer whose login is guessed, once; wrong passwords for nineteen, or over a longer time, or while the clock was ahead, do not [FA-04, ST-55]', async () => {
  const [nora, ben] = [await bank.customer(), await bank.customer()];
  await guessUnknown('198.51.100.7', logins - 1);
  await guessUnknown('198.51.100.8', logins - 2);
  for (const [network, at] of [
    ['198.51.100.9', '-61 minutes'],
    ['198.51.100.10', '3 days'],
  ] as const) {
    await guessUnknown(network, logins);
    await bank.test.database.ownerPool.query(
      'UPDATE login_guesses SET at = now() + $2::interval WHERE network = $1',
      [network, at],
    );
    await guess(ben.email, network);
  }
  expect((await guess(nora.email, '198.51.100.7')).status).toBe(401);
  await guess(ben.email, '198.51.100.8');
  // A second guess at the same login does not count.
  await guess(ben.email, '198.51.100.8');
  const alert = await alertOf(nora, 'guessed-logins');
  expect(alert).toMatchObject({ network: '198.51.100.7', logins, notified: 1 });
  expect(alert.customer).toBeUndefined();
  expect((await notificationsOf(nora))[0]).toMatchObject({ kind: 'alert-guessed-logins', isRead: false });
  await eventually(() =>
    mailsTo(nora.email).find(({ subject }) => subject === 'Someone tried wrong passwords on your login'),
  );
  // Further guesses update the alert.
  await guess(ben.email, '198.51.100.7');
  await eventually(async () =>
    (await listAlerts(ben._id)).alerts.find(({ logins: counted }) => counted === logins + 1),
  );
  const { alerts } = await listAlerts(undefined, { limit: 100 });
  expect(alerts.filter(({ rule }) => rule === 'guessed-logins').map(({ network }) => network)).toEqual([
    '198.51.100.7',
  ]);
  expect((await notificationsOf(nora)).filter(({ kind }) => kind === 'alert-guessed-logins')).toHaveLength(1);
});

test('an IPv6 /48 counts as one network, however many /64s of it guess a login each [FA-04]', async () => {
  const gus = await bank.customer();
  await guess(gus.email, '2001:db8:480:1::1');
  await guessUnknown('2001:db8:480::/48', logins - 2);
  await guess('stranger@mail.example', '2001:db8:480:2::1');
  expect(await alertOf(gus, 'guessed-logins')).toMatchObject({ network: '2001:db8:480::/48', logins });
});

test('when thirty networks guess logins, twenty get an alert each and the others share one; once staff close it, further networks share a new one; every customer is notified [FA-04]', async () => {
  const customers = [await bank.customer(), await bank.customer()];
  const { ownerPool } = bank.test.database;
  const networks = Array.from({ length: 30 }, (_, n) => `2001:db8:${n}::/48`);
  const guessFrom = async (from: string[], customer?: TestCustomer) => {
    await ownerPool.query(
      `INSERT INTO login_guesses (network, address_key, person_id)
       SELECT network, sha256(n::text::bytea), $3::uuid FROM unnest($1::text[]) network, generate_series(1, $2::int) n
           ON CONFLICT (network, address_key) DO UPDATE SET person_id = excluded.person_id`,
      [from, logins, customer?._id],
    );
    await ownerPool.query(
      "SELECT enqueue_job('alert-guesses', json_build_object('network', network)) FROM unnest($1::text[]) network",
      [from],
    );
    await eventually(async () => {
      const { rowCount } = await ownerPool.query(
        "SELECT FROM graphile_worker.jobs WHERE task_identifier = 'alert-guesses'",
      );
      return rowCount === 0 || undefined;
    });
  };
  await guessFrom(networks);
  const own = (await listAlerts(undefined, { limit: 100 })).alerts.find(({ network = '' }) =>
    networks.includes(network),
  )!.network!;
  await guessFrom([own], customers[0]);
  await guessFrom(['2001:db8:99::/48'], customers[1]);
  const guessAlerts = async () =>
    (await listAlerts(undefined, { limit: 100 })).alerts.filter(({ rule }) => rule === 'guessed-logins');
  const before = await guessAlerts();
  expect(before).toHaveLength(21);
  const shared = before.find(({ network }) => network === 'other networks')!;
  await bank.call(alertsApi.closeAlert, {
    token: await bank.adminToken(),
    params: { id: shared._id },
    body: { note: 'One household' },
  });
  await guessFrom(['2001:db8:100::/48', '2001:db8:101::/48']);
  const after = await guessAlerts();
  expect(after).toHaveLength(22);
  expect(after[0]).toMatchObject({ network: 'other networks (2)', status: 'open' });
  for (const customer of customers)
    expect((await notificationsOf(customer))[0]).toMatchObject({ kind: 'alert-guessed-logins' });
});

test('staff take an alert and close it with a note, once; both are audited [FA-05]', async () => {
  const [ines, jun] = [await quickCustomer(2000), await quickCustomer()];
  await pay(ines, jun, 2000);
  const { _id: id } = await alertOf(ines, 'large-first-payment');
  const login = { email: 'support@bank.example', password: 'a quiet river stone' };
  await createAdmin(bank.bank.parts, { ...login, name: 'Sam Support', role: 'support' });
  const { token } = (await bank.call(adminApi.adminLogin, { body: login })).body.data;
  const { open } = await listAlerts();
  const params = { id };
  const taken = await bank.call(alertsApi.assignAlert, { token, params });
  expect(taken.body.data).toMatchObject({ status: 'assigned', assignedTo: { name: 'Sam Support' } });
  expect((await listAlerts()).open).toBe(open - 1);
  const body = { note: 'Called Ines: she bought a car.' };
  // This administrator's screen still shows the alert as open.
  const older = { token: await bank.adminToken(), params };
  for (const late of [
    await bank.call(alertsApi.assignAlert, older),
    await bank.call(alertsApi.closeAlert, { ...older, body }),
  ])
    expect(late.body).toMatchObject({ code: 'CONFLICT', data: { owner: { name: 'Sam Support' } } });
  const closed = await bank.call(alertsApi.closeAlert, { token, params, body });
  expect(closed.body.data).toMatchObject({ status: 'closed', closedBy: { name: 'Sam Support' }, ...body });
  for (const again of [
    await bank.call(alertsApi.closeAlert, { token, params, body }),
    await bank.call(alertsApi.assignAlert, { token, params }),
  ])
    expect(again.status).toBe(409);
  const { alerts } = await listAlerts(undefined, { status: 'closed' });
  expect(alerts[0]!._id).toBe(id);
  expect(new Set(alerts.map(({ status }) => status))).toEqual(new Set(['closed']));
  const { rows } = await bank.test.database.ownerPool.query<{ action: string; reason: string | null }>(
    `SELECT action, data->>'reason' AS reason FROM audit_log WHERE data->>'alert' = $1 ORDER BY id`,
    [id],
  );
  expect(rows).toEqual([
    { action: 'alert.raised', reason: null },
    { action: 'alert.assigned', reason: null },
    { action: 'alert.closed', reason: body.note },
  ]);
});

test('reading alerts is audited: the queue as a list, and a customer’s alerts as a view of the customer [FA-05]', async () => {
  const [ines, jun] = [await quickCustomer(2000), await quickCustomer()];
  await pay(ines, jun, 2000);
  await alertOf(ines, 'large-first-payment');
  await listAlerts(undefined, { status: 'open' });
  const { rows } = await bank.test.database.ownerPool.query<{ action: string }>(
    `SELECT action FROM audit_log
      WHERE (action = 'customer.viewed' AND subject = $1) OR (action = 'alerts.listed' AND data->>'asked' = 'status open')
      ORDER BY id`,
    [ines._id],
  );
  expect(rows.map(({ action }) => action)).toEqual(['customer.viewed', 'alerts.listed']);
});

test('a payment whose check failed is checked again, and a payment that is checked twice alerts once [FA-07]', async () => {
  const owner = (text: string) => bank.test.database.ownerPool.query(text);
  const [ines, jun] = [await quickCustomer(2000), await quickCustomer()];
  await untilChecked();
  await owner(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'no'; END$$;
    CREATE TRIGGER fail BEFORE INSERT ON alerts FOR EACH ROW EXECUTE FUNCTION fail()`);
  await pay(ines, jun, 2000);
  await expect(
    eventually(async () => {
      while (await checkPayments(bank.bank.parts));
    }),
  ).rejects.toThrow('no');
  expect(await rulesOf(ines)).toEqual([]);
  await owner('DROP FUNCTION fail CASCADE');
  await alertOf(ines, 'large-first-payment');
  await owner('UPDATE alert_progress SET position = 0');
  await Promise.all([1, 2, 3].map(() => checkPayments(bank.bank.parts)));
  await untilChecked();
  expect(await rulesOf(ines)).toEqual(['large-first-payment']);
  const kinds = (await notificationsOf(ines)).map(({ kind }) => kind);
  expect(kinds.filter(kind => kind === 'alert-large-first-payment')).toHaveLength(1);
});

test('docs/security.md contains the sentence that describes each alert rule [FA-06]', () => {
  const text = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
  for (const { sentence } of Object.values(alertRules)) expect(text).toContain(sentence);
});
