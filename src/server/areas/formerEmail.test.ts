/** What the former email of a customer still gets after staff changed it: much if the customer had proven it, else nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { authApi } from '#contract/auth.ts';
import { contactApi } from '#contract/contact.ts';
import { contactQueueApi } from '#contract/contactQueue.ts';
import { factorsApi } from '#contract/factors.ts';
import { limitsApi } from '#contract/limits.ts';
import { recordsApi } from '#contract/records.ts';
import { settingsApi } from '#contract/settings.ts';
import { appCode } from '../../../tests/authenticator.ts';
import { customerPassword } from '../../../tests/call.ts';
import { readZip } from '../../../tests/readZip.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
let staff: string;
beforeAll(async () => {
  bank = await openTestBank();
  staff = await bank.adminToken();
});
afterAll(() => bank.close());

let count = 0;
const aMailbox = (whose: string) => `${whose}${++count}@mail.example`;

/** Registers and approves a customer who never logs in with this email. */
async function registers(email: string): Promise<string> {
  const { _id: id } = (await bank.call(authApi.register, { body: bank.form({ email }) })).body.data;
  await bank.call(adminApi.approve, { token: staff, params: { id } });
  return id;
}
async function staffChange(id: string, email: string) {
  const body = { email, reason: 'Called' };
  const changed = await bank.call(adminCustomersApi.changeCustomer, { token: staff, params: { id }, body });
  expect(changed.status).toBe(200);
}
/** Staff freeze and unfreeze the account: the mail about the unfreeze has a link that freezes the account. */
async function staffUnfreeze(id: string) {
  for (const isFrozen of [true, false]) {
    const changed = await bank.call(adminApi.freeze, { token: staff, params: { id }, body: { isFrozen } });
    expect(changed.status).toBe(200);
  }
  await bank.mailsSent();
}
const subjects = (email: string) => bank.bank.parts.inbox!.list(email).map(({ subject }) => subject);
/** The freeze link in the newest mail with this subject, once no mail is waiting. */
async function linkIn(email: string, subject: string): Promise<string> {
  await bank.mailsSent();
  const mail = bank.bank.parts.inbox!.list(email).find(each => each.subject === subject);
  return /freeze-account#([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? 'none';
}
const press = async (token: string) => (await bank.call(limitsApi.freezeByLink, { body: { token } })).status;
const unfrozen = 'Your account is active again';
const replaced = 'The email of your account was changed';
const removed = 'This address was removed from an account';

async function writesToHelpDesk(email: string) {
  const body = { name: 'Wanda', email, subject: 'My divorce', message: 'This is between us' };
  expect((await bank.call(contactApi.sendMessage, { body })).status).toBe(201);
}
async function messagesFrom(email: string) {
  const { pool } = bank.test.database;
  return (await pool.query('SELECT FROM contact_messages WHERE email = $1', [email])).rowCount;
}
/** The files of a customer's copy of all data. */
async function copyOf(token: string) {
  const answer = await fetch(`${bank.url}${recordsApi.everything.path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const files = readZip(Buffer.from(await answer.arrayBuffer()));
  return (name: string) => JSON.parse(files.get(name)!.toString());
}
/** The subjects of the Help Desk messages in a customer's copy of all data. */
async function exportedMessages(token: string): Promise<string[]> {
  return (await copyOf(token))('messages.json').map(({ subject }: { subject: string }) => subject);
}

test('a stranger whose email was mistyped at a registration gets no more security mails after staff correct it, and links mailed to the stranger no longer freeze the account [SD-36, BR-50]', async () => {
  const [stranger, own] = [aMailbox('stranger'), aMailbox('honora')];
  const id = await registers(stranger);
  await staffUnfreeze(id);
  const mailedBefore = await linkIn(stranger, unfrozen);
  const before = subjects(stranger).length;
  await staffChange(id, own);
  const token = await bank.login(own);
  await bank.call(limitsApi.freezeOwn, { token });
  await staffUnfreeze(id);
  await linkIn(own, unfrozen);
  expect(subjects(stranger)).toHaveLength(before + 1);
  const [last] = bank.bank.parts.inbox!.list(stranger);
  expect(last!.subject).toBe(removed);
  expect(last!.text).not.toMatch(/Nora|freeze|#/);
  expect(await press(mailedBefore)).toBe(404);
  const state = await bank.call(limitsApi.freezeState, { token });
  expect(state.body.data).toEqual({ byYou: false, byBank: false });
});

test('if staff mistype the new email and then correct it, the stranger gets nothing more, and all links mailed to the proven email still freeze the account [SD-36, BR-50]', async () => {
  const nora = await bank.customer();
  await staffUnfreeze(nora._id);
  const links = [await linkIn(nora.email, unfrozen)];
  const [stranger, own] = [aMailbox('stranger'), aMailbox('nora')];
  await staffChange(nora._id, stranger);
  links.push(await linkIn(nora.email, replaced));
  await staffUnfreeze(nora._id);
  const ofStranger = await linkIn(stranger, unfrozen);
  links.push(await linkIn(nora.email, unfrozen));
  await staffChange(nora._id, own);
  await staffUnfreeze(nora._id);
  expect(subjects(stranger)[0]).toBe(removed);
  links.push(await linkIn(nora.email, unfrozen), await linkIn(own, unfrozen));
  expect(await press(ofStranger)).toBe(404);
  expect(links).not.toContain('none');
  expect(new Set(links).size).toBe(5);
  for (const link of links) expect(await press(link)).toBe(200);
});

test('a customer reads at the former email how long security mails come there, why each copy comes, and no link that fails there [SD-36]', async () => {
  const nora = await bank.customer();
  const own = aMailbox('nora');
  await staffChange(nora._id, own);
  const phone = { 'user-agent': 'Mozilla/5.0 (Android 16; Mobile; rv:141.0) Gecko/141.0 Firefox/141.0' };
  const token = await bank.login(own, (endpoint, asked) => bank.call(endpoint, { ...asked, headers: phone }));
  await bank.call(limitsApi.freezeOwn, { token });
  await bank.mailsSent();
  const textOf = (email: string, subject: string) =>
    bank.bank.parts.inbox!.list(email).find(mail => mail.subject === subject)!.text;
  expect(textOf(nora.email, replaced)).toContain('For 7 days, security emails still come here, too.');
  const why =
    'You get this because your account had this email until recently. To set a new password, you need the new email.';
  for (const subject of ['You froze your account', 'New login to your account']) {
    expect(textOf(nora.email, subject)).toContain(`${subject}\n\n${why}\n\n`);
    expect(textOf(nora.email, subject)).not.toMatch(/\/forgot-password|set a new password right away/);
    expect(textOf(own, subject)).toContain('/forgot-password');
    expect(textOf(own, subject)).not.toContain(why);
  }
});

test('a customer whose account is closed soon after staff changed the email reads so at the former email, too [SD-36]', async () => {
  const { _id: id, email } = await bank.customer();
  const own = aMailbox('thief');
  await staffChange(id, own);
  const body = { password: customerPassword };
  const token = await bank.login(own);
  expect((await bank.call(settingsApi.deleteAccount, { token, body })).status).toBe(200);
  await bank.mailsSent();
  const [mail] = bank.bank.parts.inbox!.list(email);
  expect(mail!.subject).toBe('Your account is closed');
  expect(mail!.text).toContain('You get this because your account had this email until recently.');
  expect(mail!.text).not.toMatch(/Nora|new password/);
  expect(subjects(own)[0]).toBe('Your account is closed');
  expect(bank.bank.parts.inbox!.list(own)[0]!.text).not.toContain('until recently');
});

test('a thief who had the email changed cannot end the copies to the owner by registering with the former email; they end once a new customer has proven it [SD-36]', async () => {
  const nora = await bank.customer();
  await staffChange(nora._id, aMailbox('thief'));
  await registers(nora.email);
  await staffUnfreeze(nora._id);
  expect(await press(await linkIn(nora.email, unfrozen))).toBe(200);
  await bank.login(nora.email);
  const before = subjects(nora.email).length;
  await staffUnfreeze(nora._id);
  expect(subjects(nora.email)).toHaveLength(before);
});

test('a proven email that staff set again, and replace again before the customer logs in, counts as proven: it gets the link, and one copy of each mail [SD-36, BR-50]', async () => {
  const nora = await bank.customer();
  for (const email of [aMailbox('typo'), nora.email, aMailbox('thief')]) await staffChange(nora._id, email);
  const link = await linkIn(nora.email, replaced);
  expect(subjects(nora.email)[0]).toBe(replaced);
  expect(bank.bank.parts.inbox!.list(nora.email)[0]!.text).toContain('Nora');
  await staffUnfreeze(nora._id);
  expect(subjects(nora.email).filter(subject => subject === unfrozen)).toHaveLength(1);
  expect(await press(link)).toBe(200);
});

test('a customer whose former email is the current one again gets each security mail once [SD-36]', async () => {
  const nora = await bank.customer();
  await staffChange(nora._id, aMailbox('nora'));
  await staffChange(nora._id, nora.email);
  await staffUnfreeze(nora._id);
  expect(subjects(nora.email).filter(subject => subject === unfrozen)).toHaveLength(1);
});

test('a customer who registered with a stranger’s email does not get the stranger’s messages to the Help Desk in the copy of all data, and closing the account keeps them [RX-26, SD-36]', async () => {
  const [stranger, own] = [aMailbox('wanda'), aMailbox('art')];
  await writesToHelpDesk(stranger);
  const id = await registers(stranger);
  await staffChange(id, own);
  await writesToHelpDesk(own);
  const token = await bank.login(own);
  expect(await exportedMessages(token)).toEqual(['My divorce']);
  const body = { password: customerPassword };
  expect((await bank.call(settingsApi.deleteAccount, { token, body })).status).toBe(200);
  expect(await messagesFrom(stranger)).toBe(1);
  expect(await messagesFrom(own)).toBe(0);
  await bank.mailsSent();
  expect(subjects(stranger)).not.toContain('Your account is closed');
});

test('rejecting an application that named a stranger’s email keeps the stranger’s messages to the Help Desk [SD-36]', async () => {
  const stranger = aMailbox('wanda');
  await writesToHelpDesk(stranger);
  const { _id: id } = (await bank.call(authApi.register, { body: bank.form({ email: stranger }) })).body.data;
  await staffChange(id, aMailbox('art'));
  const body = { reason: 'No proof' };
  const rejected = await bank.call(adminCustomersApi.rejectApplication, {
    token: staff,
    params: { id },
    body,
  });
  expect(rejected.status).toBe(200);
  expect(await messagesFrom(stranger)).toBe(1);
});

test('a customer who had staff enter a stranger’s email and logs in with an authenticator app does not get the stranger’s messages in the copy of all data [RX-26]', async () => {
  const stranger = aMailbox('wanda');
  await writesToHelpDesk(stranger);
  const { _id: id, token } = await bank.customer();
  const { secret } = (await bank.call(factorsApi.startApp, { token })).body.data;
  await bank.call(factorsApi.confirmApp, { token, body: { code: appCode(secret, -1) } });
  await staffChange(id, stranger);
  await bank.call(authApi.initiateLogin, { body: { email: stranger, password: customerPassword } });
  const body = { email: stranger, otp: appCode(secret) };
  const { data } = (await bank.call(authApi.verifyCode, { body })).body;
  expect(await exportedMessages(data.token)).toEqual([]);
});

test('a customer who writes to the Help Desk with someone else’s email gets the message, but not the answer to that person, in the copy of all data [RX-26]', async () => {
  const victim = await bank.customer();
  const { token, email: own } = await bank.customer();
  for (const email of [victim.email, own]) {
    const body = { name: 'Vera', email, subject: email, message: 'Where is it?' };
    expect((await bank.call(contactApi.sendMessage, { token, body })).status).toBe(201);
  }
  const query = { list: 'waiting', limit: 100 } as const;
  const { messages } = (await bank.call(contactQueueApi.messages, { token: staff, query })).body.data;
  for (const { _id: id, email } of messages)
    await bank.call(contactQueueApi.answerMessage, {
      token: staff,
      params: { id },
      body: { text: `For ${email}`, isDone: true },
    });
  const read = await copyOf(token);
  expect(read('messages.json')).toHaveLength(2);
  expect(read('message-answers.json')).toMatchObject([{ text: `For ${own}` }]);
});
