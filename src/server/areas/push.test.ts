/** The push area over HTTP, on a complete bank, with a push service that decrypts what it gets. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { limitsApi } from '#contract/limits.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { pushApi } from '#contract/push.ts';
import { settingsApi } from '#contract/settings.ts';
import { transferApi } from '#contract/transfer.ts';
import { openBank } from '#server/bank.ts';
import { openPushSender } from '#server/outside/pushSender.ts';
import { type AppSecrets, deriveSecrets } from '#server/secrets.ts';
import { customerPassword } from '../../../tests/call.ts';
import { holdLocks } from '../../../tests/holdLocks.ts';
import { openPushService, type PushService } from '../../../tests/pushService.ts';
import { openTestBank, type TestBank, type TestCustomer } from '../../../tests/server.ts';
import { eventually } from '../../../tests/waiting.ts';

let bank: TestBank;
let service: PushService;
/** A push service that accepts requests and never answers. */
const silent = createServer();
/** A push service that answers late. */
const slow = createServer();
let [silentOrigin, slowOrigin] = ['', ''];
let anna: TestCustomer;
let ben: TestCustomer;
beforeAll(async () => {
  service = await openPushService();
  [silentOrigin, slowOrigin] = (await Promise.all(
    [silent, slow].map(async server => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  )) as [string, string];
  bank = await openTestBank({ PUSH_SERVICES: `${service.origin},${silentOrigin},${slowOrigin}` });
  anna = await bank.customer({ dollars: 100, firstName: 'Anna' });
  ben = await bank.customer({ dollars: 100, firstName: 'Ben' });
});
afterAll(async () => {
  await bank.close();
  await service.close();
  for (const server of [silent, slow]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(async () => {
  await bank.test.database.ownerPool.query('DELETE FROM push_devices');
  service.received.length = 0;
  service.answers.length = 0;
});

const everything = { money: true, security: true, showsAmounts: true };
const add = ({ token }: TestCustomer, body: object) => bank.call(pushApi.addPushDevice, { token, body });
const devicesOf = async ({ token }: TestCustomer) =>
  (await bank.call(pushApi.listPushDevices, { token })).body.data!.devices;
const mailsTo = ({ email }: TestCustomer, subject: string) =>
  bank.bank.parts.inbox!.list(email).filter(mail => mail.subject === subject);
const send = (from: TestCustomer, to: TestCustomer) =>
  bank.call(transferApi.sendInternal, {
    token: from.token,
    body: { receiverAccountNumber: to.accountNumber, amount: 1, description: '' },
  });
/** Waits until this many messages have arrived and nothing more is waiting. */
const receive = (count: number) =>
  eventually(async () => {
    const { rows } = await bank.test.database.ownerPool.query('SELECT FROM pushes');
    return service.received.length >= count && rows.length === 0 ? service.received : undefined;
  });

test('a phone on which push was turned on shows money in and out, with amounts only if chosen; the customer is notified of the new device [PU-01, PU-02, PU-12]', async () => {
  const quiet = service.subscribe();
  const open = service.subscribe();
  expect(await add(anna, { ...quiet, ...everything, showsAmounts: false })).toMatchObject({
    status: 201,
    body: { data: { endpoint: quiet.endpoint, money: true, security: true, showsAmounts: false } },
  });
  await add(ben, { ...open, ...everything });
  await add(ben, { ...open, ...everything });
  const { notifications } = (await bank.call(notificationsApi.listNotifications, { token: ben.token })).body
    .data;
  expect(notifications.filter(({ kind }) => kind === 'push-added')).toHaveLength(1);
  expect(await eventually(() => mailsTo(ben, 'Push notifications turned on')[0])).toBeDefined();
  await send(ben, anna);
  const messages = await receive(2);
  const toAnna = messages.find(({ endpoint }) => endpoint === quiet.endpoint);
  const toBen = messages.find(({ endpoint }) => endpoint === open.endpoint);
  expect(toAnna).toMatchObject({
    endpoint: quiet.endpoint,
    message: {
      title: 'Larkspur Bank',
      body: 'Money arrived in your account.',
      path: '/dashboard/transactions',
    },
    headers: { 'content-encoding': 'aes128gcm', authorization: expect.stringMatching(/^vapid t=/) },
  });
  expect(toBen!.message.body).toMatch(/^\$1\.00 to Anna /);
});

test('a device gets only the kinds that were chosen on it [PU-03]', async () => {
  const target = service.subscribe();
  await add(anna, { ...target, ...everything, money: false });
  await send(ben, anna);
  await bank.call(limitsApi.setLimits, { token: anna.token, body: { stepUpFrom: 100, dailyOut: null } });
  const [only, ...more] = await receive(1);
  expect(only!.message.body).toMatch(/^Your limits were changed/);
  expect(more).toEqual([]);
});

test('changing the password turns push off on every device, and so does ending the other sessions; the mail says so [PU-11, PU-17]', async () => {
  const carl = await bank.customer({ firstName: 'Carl' });
  await add(carl, { ...service.subscribe(), ...everything });
  for (const _ of [1, 2])
    expect((await bank.call(settingsApi.endOtherSessions, { token: carl.token })).status).toBe(200);
  expect(await devicesOf(carl)).toEqual([]);
  // A thief at the only session could otherwise turn push off without a trace.
  const found = await bank.test.database.ownerPool.query(
    `SELECT FROM audit_log WHERE subject = $1 AND action = 'sessions.ended'`,
    [carl._id],
  );
  expect(found.rowCount).toBe(1);
  await bank.mailsSent();
  const off = bank.bank.parts
    .inbox!.list(carl.email)
    .filter(mail => mail.subject === 'Push notifications turned off');
  expect(off).toHaveLength(1);
  await add(carl, { ...service.subscribe(), ...everything });
  const body = { currentPassword: customerPassword, newPassword: '97531864' };
  expect((await bank.call(settingsApi.changePassword, { token: carl.token, body })).status).toBe(200);
  expect(await devicesOf(carl)).toEqual([]);
  const changed = await eventually(() => mailsTo(carl, 'Your password was changed')[0]);
  expect(changed.text).toContain('push notifications were turned off on all devices');
});

test('ending a session turns push off on the devices that were added or given new keys since that session began, even if another customer had them before; the customer is mailed [PU-11, PU-17]', async () => {
  const carl = await bank.customer({ firstName: 'Carl' });
  const [own, thiefs, phone] = [service.subscribe(), service.subscribe(), service.subscribe()];
  await add(carl, { ...own, ...everything });
  await add(carl, { ...phone, ...everything });
  await add(ben, { ...thiefs, ...everything });
  const steal = async () => {
    const thief = { ...carl, token: await bank.login(carl.email) };
    await add(thief, { ...thiefs, ...everything });
    // The thief gives the customer's phone other keys, so that it would show nothing.
    await add(thief, { ...service.subscribe(phone.endpoint), ...everything });
    const { sessions } = (await bank.call(settingsApi.listSessions, { token: thief.token })).body.data;
    return sessions.find(({ isCurrent }) => isCurrent)!._id;
  };
  await bank.call(settingsApi.endSession, { token: carl.token, params: { id: await steal() } });
  expect(await devicesOf(carl)).toMatchObject([{ endpoint: own.endpoint }]);
  const asked = { token: await bank.adminToken(), params: { id: carl._id } };
  await bank.call(adminCustomersApi.endCustomerSessions, { ...asked, body: { sessionId: await steal() } });
  expect(await devicesOf(carl)).toMatchObject([{ endpoint: own.endpoint }]);
  await bank.call(adminCustomersApi.endCustomerSessions, { ...asked, body: {} });
  const again = { ...carl, token: await bank.login(carl.email) };
  expect(await devicesOf(again)).toEqual([]);
  await add(again, { ...own, ...everything });
  // No session is left to end, but push is still on.
  await bank.test.database.ownerPool.query('UPDATE sessions SET ended_at = now() WHERE person_id = $1', [
    carl._id,
  ]);
  await bank.call(adminCustomersApi.endCustomerSessions, { ...asked, body: {} });
  await bank.mailsSent();
  expect(mailsTo(carl, 'Push notifications turned off')).toHaveLength(2);
});

test('adding a browser again changes its choices; a browser that another customer adds then belongs to that customer [PU-04]', async () => {
  const target = service.subscribe();
  await add(ben, { ...target, ...everything });
  await add(ben, { ...target, ...everything, security: false });
  expect(await devicesOf(ben)).toMatchObject([{ endpoint: target.endpoint, money: true, security: false }]);
  const carl = await bank.customer({ firstName: 'Carl' });
  await add(carl, { ...target, ...everything });
  expect(await devicesOf(ben)).toEqual([]);
  expect(await devicesOf(carl)).toMatchObject([{ endpoint: target.endpoint }]);
});

test('a browser counts once, however its endpoint is spelled [PU-04]', async () => {
  const target = service.subscribe();
  const { origin, host, pathname } = new URL(target.endpoint);
  for (const endpoint of [
    target.endpoint,
    `${target.endpoint}#x`,
    `HTTP://${host}${pathname}`,
    `${origin}/x/..${pathname}`,
    origin + pathname.replace(/\w/g, letter => `%${letter.charCodeAt(0).toString(16)}`),
  ])
    expect((await add(ben, { ...target, endpoint, ...everything })).status, endpoint).toBe(201);
  // If it were accepted, `%%366` would be stored as `%66`, which is another spelling of `f`.
  const twice =
    origin +
    pathname.replace(/\w$/, letter => `%%${letter.charCodeAt(0).toString(16).replace(/^(.)/, '3$1')}`);
  expect((await add(ben, { ...target, endpoint: twice, ...everything })).status).toBe(400);
  expect(await devicesOf(ben)).toMatchObject([{ endpoint: target.endpoint }]);
});

test('when another account takes over a browser, its former customer is notified and mailed, and both accounts are audited [PU-13]', async () => {
  const target = service.subscribe();
  const [carl, dora] = [
    await bank.customer({ firstName: 'Carl' }),
    await bank.customer({ firstName: 'Dora' }),
  ];
  await add(carl, { ...target, ...everything });
  await add(dora, { ...target, ...everything });
  await add(dora, { ...target, ...everything, money: false });
  const { notifications } = (await bank.call(notificationsApi.listNotifications, { token: carl.token })).body
    .data;
  expect(notifications.filter(({ kind }) => kind === 'push-taken-over')).toHaveLength(1);
  const mails = await eventually(() => {
    const found = bank.bank.parts
      .inbox!.list(carl.email)
      .filter(({ subject }) => /no longer shows/.test(subject));
    return found.length > 0 ? found : undefined;
  });
  expect(mails[0]!.text).not.toContain('Dora');
  const { rows } = await bank.test.database.ownerPool.query(
    "SELECT action, subject, data->>'device' AS device FROM audit_log WHERE action LIKE 'push.%' AND subject = ANY ($1) ORDER BY id",
    [[carl._id, dora._id]],
  );
  const { device } = rows[0];
  expect(rows).toEqual([
    { action: 'push.added', subject: carl._id, device },
    { action: 'push.added', subject: dora._id, device },
    { action: 'push.taken-over', subject: carl._id, device },
    { action: 'push.changed', subject: dora._id, device },
  ]);
});

test('a thief who mutes the phone of a customer, or sends its messages elsewhere, leaves an audit record, a notification and a mail [PU-17]', async () => {
  const carl = await bank.customer({ firstName: 'Carl' });
  const target = service.subscribe();
  const traces = async () => {
    const { rows } = await bank.test.database.ownerPool.query<{ records: number; announced: number }>(
      `SELECT (SELECT count(*)::int FROM audit_log WHERE subject = $1::text AND action IN ('push.changed', 'push.removed')) AS records,
              (SELECT count(*)::int FROM notifications n JOIN customers c USING (account_id)
                WHERE c.id = $1::uuid AND n.kind IN ('preferences-changed', 'push-removed')) AS announced`,
      [carl._id],
    );
    return rows[0];
  };
  await add(carl, { ...target, ...everything });
  // This request changes nothing.
  await add(carl, { ...target, ...everything });
  expect(await traces()).toEqual({ records: 0, announced: 0 });
  await add(carl, { ...target, ...everything, security: false });
  expect(await traces()).toEqual({ records: 1, announced: 1 });
  await add(carl, { ...target, ...everything, security: false, money: false });
  expect(await traces()).toEqual({ records: 2, announced: 2 });
  // To show more again, or to hide amounts, is audited but not announced.
  await add(carl, { ...target, ...everything });
  await add(carl, { ...target, ...everything, showsAmounts: false });
  expect(await traces()).toEqual({ records: 4, announced: 2 });
  const renewed = service.subscribe(target.endpoint);
  await add(carl, { ...renewed, ...everything, showsAmounts: false });
  expect(await traces()).toEqual({ records: 5, announced: 3 });
  const [device] = await devicesOf(carl);
  await bank.call(pushApi.removePushDevice, { token: carl.token, params: { id: device!._id } });
  expect(await traces()).toEqual({ records: 6, announced: 4 });
  const subject = 'Your notification settings were changed';
  const mails = await eventually(() =>
    mailsTo(carl, subject).length === 3 ? mailsTo(carl, subject) : undefined,
  );
  // The mails of both subjects have the link that freezes the account.
  expect(mails[0]!.text).toContain('/freeze');
  const removed = await eventually(() => mailsTo(carl, 'Push notifications turned off')[0]);
  expect(removed.text).toContain('/freeze');
});

test('a device whose subscription has ended is deleted, and a message is sent again if the push service fails [PU-05]', async () => {
  const failing = service.subscribe();
  await add(ben, { ...failing, ...everything });
  service.answers.push(503);
  await send(ben, anna);
  await receive(1);
  // The metrics show operators that a push service fails.
  const metrics = await (await fetch(`${bank.url}/metrics`)).text();
  expect(metrics).toMatch(/^larkspur_push_attempts_total{result="failed"} [1-9]/m);
  service.answers.push(410);
  await send(ben, anna);
  await eventually(async () => ((await devicesOf(ben)).length === 0 ? true : undefined));
  expect(service.received).toHaveLength(1);
});

test('the bank contacts only the push services in its settings, and refuses broken keys [PU-06]', async () => {
  const target = service.subscribe();
  for (const endpoint of [
    'http://127.0.0.1:1/',
    'https://fcm.googleapis.com.attacker.example/x',
    `${service.origin}@attacker.example/`,
    'file:///etc/passwd',
    'nothing',
  ])
    expect(await add(ben, { ...target, endpoint, ...everything }), endpoint).toMatchObject({ status: 400 });
  expect(await add(ben, { ...target, p256dh: 'AAAA', ...everything })).toMatchObject({ status: 400 });
  expect(await devicesOf(ben)).toEqual([]);
});

test('a customer can remove their own devices but not another customer’s, and has at most ten, even if more are added at once [PU-07]', async () => {
  const added = await Promise.all(
    Array.from({ length: 12 }, () => add(ben, { ...service.subscribe(), ...everything })),
  );
  expect(added.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(added.filter(({ status }) => status === 409)).toHaveLength(2);
  const [first] = await devicesOf(ben);
  const remove = ({ token }: TestCustomer) =>
    bank.call(pushApi.removePushDevice, { token, params: { id: first!._id } });
  const carl = await bank.customer({ firstName: 'Carl' });
  expect((await remove(carl)).status).toBe(404);
  expect((await remove(ben)).status).toBe(200);
  expect(await devicesOf(ben)).toHaveLength(9);
});

test('a browser that subscribed before a rotation of the secret is reached with the former key [KY-07]', async () => {
  const [next, former] = [
    'the next secret that is long enough',
    'the former secret that is long enough',
  ] as const;
  // A service of its own, because the bank may still be sending messages of earlier tests to the other one.
  const own = await openPushService();
  onTestFinished(() => own.close());
  const senderOf = (...secrets: AppSecrets) =>
    openPushSender([own.origin], deriveSecrets(...secrets).pushKey);
  const target = own.subscribe();
  const message = { title: 'Larkspur Bank', body: 'Money arrived in your account.', tag: '1', path: '/' };
  // The push service refuses the new key, because the browser subscribed with the former one.
  own.answers.push(403);
  expect(await senderOf(next, former).send(target, message)).toBe('sent');
  expect(own.received[0]!.headers.authorization).toContain(`k=${senderOf(former).publicKey}`);
  own.answers.push(403, 403);
  expect(await senderOf(next, former).send(target, message)).toBe('gone');
});

test('a device that is being removed neither delays a transfer nor makes it fail [PU-10]', async () => {
  await add(ben, { ...service.subscribe(), ...everything });
  const removing = await holdLocks(bank.test.database.ownerPool, 'DELETE FROM push_devices');
  const sent = send(anna, ben);
  expect((await sent).status).toBe(201);
  await removing.query('COMMIT');
});

test('a notification that the customer reads is not pushed again', async () => {
  const [sender, device] = [service.subscribe(), service.subscribe()];
  await add(anna, { ...sender, ...everything });
  await add(ben, { ...device, ...everything });
  expect((await send(anna, ben)).status).toBe(201);
  await receive(2);
  const before = service.received.length;
  await bank.call(notificationsApi.readNotifications, { token: ben.token });
  expect((await send(anna, ben)).status).toBe(201);
  expect(await receive(before + 2)).toHaveLength(before + 2);
});

/** Stores notifications, which are pushed. */
const notify = (
  { _id }: Pick<TestCustomer, '_id'>,
  count: number,
  ownerPool = bank.test.database.ownerPool,
) =>
  ownerPool.query(
    `INSERT INTO notifications (account_id, id, kind)
     SELECT account_id, new_id(), 'own-frozen' FROM customers, generate_series(1, $2) WHERE id = $1`,
    [_id, count],
  );

test('many messages for a slow push service do not delay a customer’s message for another service [PU-16]', async () => {
  let asked = 0;
  const answers = new Set<NodeJS.Timeout>();
  slow.on('request', (_, response) => {
    asked++;
    // Faster than the timeout, so that the service does not count as silent.
    answers.add(setTimeout(() => response.writeHead(201).end(), 8_000));
  });
  onTestFinished(() => {
    for (const timer of answers) clearTimeout(timer);
  });
  for (let n = 0; n < 10; n++) {
    const { endpoint, ...keys } = service.subscribe();
    await add(anna, { ...keys, endpoint: endpoint.replace(service.origin, slowOrigin), ...everything });
  }
  await add(ben, { ...service.subscribe(), ...everything });
  await notify(anna, 20);
  await notify(ben, 1);
  await eventually(() => (service.received.length > 0 ? true : undefined));
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(150);
});

test('a message that a slow push service gets while the bank stops is not sent again after the restart [PU-18]', async () => {
  let asked = 0;
  const slower = createServer((_, response) => {
    asked++;
    setTimeout(() => response.writeHead(201).end(), 1_200);
  });
  await once(slower.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void slower.close());
  const origin = `http://127.0.0.1:${(slower.address() as AddressInfo).port}`;
  const idle = await openTestBank({ PUSH_SERVICES: origin, JOBS: 'off' });
  onTestFinished(() => idle.close());
  const { token, customerId } = await idle.seeded();
  const { endpoint, ...keys } = service.subscribe();
  const body = { ...keys, endpoint: endpoint.replace(service.origin, origin), ...everything };
  expect((await idle.call(pushApi.addPushDevice, { token, body })).status).toBe(201);
  const { ownerPool } = idle.test.database;
  await ownerPool.query('DELETE FROM pushes');
  await notify({ _id: customerId }, 1, ownerPool);
  const { config, publicUrl, log } = idle.bank.parts;
  const working = await openBank({ ...config, jobs: true }, idle.test.connection, publicUrl, log);
  await eventually(() => asked > 0 || undefined);
  await working.stop();
  expect((await ownerPool.query('SELECT FROM pushes')).rowCount).toBe(0);
});

test('a push service that does not answer gets fewer than 64 messages, and messages for other services still arrive [PU-16]', async () => {
  let asked = 0;
  silent.on('request', () => asked++);
  for (let n = 0; n < 10; n++) {
    const { endpoint, ...keys } = service.subscribe();
    await add(anna, { ...keys, endpoint: endpoint.replace(service.origin, silentOrigin), ...everything });
  }
  await add(ben, { ...service.subscribe(), ...everything });
  await notify(anna, 20);
  await notify(ben, 1);
  await eventually(() => (service.received.length > 0 ? true : undefined));
  // The bank claims up to 32 messages at a time, and stops once 32 are not answered.
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(64);
});

test('many messages for one device do not delay other devices, because a device gets only the newest of its messages [PU-15]', async () => {
  const [busy, other] = [service.subscribe(), service.subscribe()];
  await add(anna, { ...busy, ...everything });
  await add(ben, { ...other, ...everything });
  await notify(anna, 300);
  await notify(ben, 1);
  await receive(2);
  expect(service.received.filter(({ endpoint }) => endpoint === other.endpoint)).toHaveLength(1);
  expect(service.received.length).toBeLessThan(100);
});
