/** Registrations whose email was never proven: removed by the mailbox's owner, or after 30 days. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { authApi } from '#contract/auth.ts';
import { contactApi } from '#contract/contact.ts';
import { contactQueueApi } from '#contract/contactQueue.ts';
import { type Approval, fourEyesApi } from '#contract/fourEyes.ts';
import * as recordsMessages from '#contract/messages/records.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { recordsApi } from '#contract/records.ts';
import { settingsApi } from '#contract/settings.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { createAdmin } from '#server/people/admins.ts';
import { customerPassword } from '../../../tests/call.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { eventually } from '../../../tests/waiting.ts';
import { cleanUp } from './cleanUp.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank();
});
afterAll(() => bank.close());

const reader = () => bank.test.database.reader;
const expired =
  'This link no longer works. It is older than 30 days, someone has logged in to this account, or the registration no longer exists. If you copied the link, check that it is complete. If you didn’t register, contact the Help Desk.';

async function register(fields: Record<string, string> = {}): Promise<{ id: string; email: string }> {
  const { status, body } = await bank.call(authApi.register, { body: bank.form(fields) });
  expect(status).toBe(201);
  return { id: body.data._id, email: body.data.email };
}

/** The token in the link of the welcome mail. */
const mailedToken = (email: string) =>
  eventually(() => {
    const mail = bank.bank.parts.inbox!.list(email).find(one => one.subject === 'Welcome to Larkspur Bank');
    return mail && /\/not-me#([\w-]{64})/.exec(mail.text)?.[1];
  });

const remove = (token: string) => bank.call(authApi.removeRegistration, { body: { token } });

const isErased = async (id: string) =>
  (await sql`SELECT FROM customers WHERE id = ${id} AND deleted_at IS NOT NULL`.execute(reader())).rows
    .length === 1;

const age = (id: string, days: number) =>
  sql`UPDATE customers SET created_at = now() - make_interval(days => ${days}) WHERE id = ${id}`.execute(
    reader(),
  );

async function auditOf(id: string): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    SELECT action FROM audit_log WHERE subject = ${id} ORDER BY id`.execute(reader());
  return rows.map(row => row.action);
}

test("the owner of a mailbox removes another person's registration with the mailed link, once, and can then register [G-20]", async () => {
  const { id, email } = await register();
  const token = await mailedToken(email);
  const pictures = bank.pictures().length;
  expect((await bank.call(authApi.register, { body: bank.form({ email }) })).status).toBe(409);
  expect((await remove(token)).body).toEqual({
    success: true,
    message:
      'The registration was removed. We erased everything in it except what the law requires us to keep.',
  });
  expect(await isErased(id)).toBe(true);
  expect(bank.pictures()).toHaveLength(pictures - 1);
  expect(await auditOf(id)).toEqual(['customer.registered', 'registration.removed']);
  const again = await remove(token);
  expect({ status: again.status, message: again.body.message }).toEqual({ status: 404, message: expired });
  await register({ email });
  expect((await verifyBooks(reader())).faults).toEqual([]);
});

test('removing a registration keeps the messages that the owner of its email wrote to the bank [G-20]', async () => {
  const { email } = await register();
  const body = { name: 'Ada', email, subject: 'Cards', message: 'Do you have any?' };
  expect((await bank.call(contactApi.sendMessage, { body })).status).toBe(201);
  await remove(await mailedToken(email));
  const { rows } = await sql`SELECT FROM contact_messages WHERE visitor_email = ${email}`.execute(reader());
  expect(rows).toHaveLength(1);
});

test('a link works neither after a login, nor after 30 days, nor with a changed token [G-20]', async () => {
  const [used, old, other] = [await register(), await register(), await register()];
  const [usedToken, oldToken, token] = [
    await mailedToken(used.email),
    await mailedToken(old.email),
    await mailedToken(other.email),
  ];
  await bank.login(used.email);
  await age(old.id, 31);
  const forged = `${usedToken.slice(0, 20)}${token.slice(20)}`;
  for (const wrong of [usedToken, oldToken, forged, 'a'.repeat(64)])
    expect((await remove(wrong)).body).toMatchObject({ code: 'NOT_FOUND', message: expired });
  expect((await remove('no token')).status).toBe(400);
  for (const { id } of [used, old, other]) expect(await isErased(id)).toBe(false);
});

test('after staff corrected a mistyped email, the owner of the wrong mailbox can no longer remove the registration [G-20]', async () => {
  const { id, email } = await register();
  const token = await mailedToken(email);
  const changed = await bank.call(adminCustomersApi.changeCustomer, {
    params: { id },
    token: await bank.adminToken(),
    body: { email: 'corrected@typo.example', reason: 'Typed wrong, passport seen' },
  });
  expect(changed.status).toBe(200);
  expect((await remove(token)).body).toMatchObject({ code: 'NOT_FOUND', message: expired });
  expect(await isErased(id)).toBe(false);
});

test('a registration that received money is not removed by a link', async () => {
  const { id, email } = await register();
  const token = await bank.adminToken();
  await bank.call(adminApi.approve, { params: { id }, token });
  const found = await sql<{ number: string }>`
    SELECT number FROM ledger_accounts a JOIN customers c ON c.account_id = a.id WHERE c.id = ${id}`.execute(
    reader(),
  );
  const body = { userAccountNumber: found.rows[0]!.number, amount: 5, description: 'start' };
  expect((await bank.call(adminApi.credit, { body, token })).status).toBe(201);
  const refused = await remove(await mailedToken(email));
  expect(refused.status).toBe(409);
  expect(refused.body.message).toContain('There is money in this account');
  expect(await isErased(id)).toBe(false);
});

test('a registration that is neither approved nor used for 30 days is removed, and the person gets a mail [G-21]', async () => {
  const [idle, young, used, approved] = [
    await register(),
    await register(),
    await register(),
    await register(),
  ];
  await bank.login(used.email);
  await bank.call(adminApi.approve, { params: { id: approved.id }, token: await bank.adminToken() });
  for (const { id } of [idle, used, approved]) await age(id, 31);
  await age(young.id, 29);
  await cleanUp(bank.bank.parts);
  const gone = await Promise.all([idle, young, used, approved].map(({ id }) => isErased(id)));
  expect(gone).toEqual([true, false, false, false]);
  expect(await auditOf(idle.id)).toEqual(['customer.registered', 'registration.expired']);
  await eventually(() =>
    bank.bank.parts.inbox!.list(idle.email).find(mail => mail.subject === 'Your registration has expired'),
  );
});

/** A first name that makes a greeting look like a sentence of the bank. */
const bait = { firstName: 'customer, you were charged' };
const mailsTo = (email: string) => bank.bank.parts.inbox!.list(email);
/** Waits until mails with all of these subjects were sent. */
const mailed = (email: string, ...subjects: string[]) =>
  eventually(() => {
    const found = new Set(mailsTo(email).map(({ subject }) => subject));
    return subjects.every(subject => found.has(subject)) || undefined;
  });
/** The subjects of the mails that have that name. */
const greeted = (email: string) =>
  mailsTo(email).flatMap(({ subject, text, html }) => (/charged/.test(text + html) ? [subject] : []));

test('mails greet with the typed name only after a login has proven the email, because anyone can register any email [G-23]', async () => {
  const { id, email } = await register(bait);
  const token = await bank.adminToken();
  await bank.call(authApi.initiateLogin, { body: { email, password: customerPassword } });
  const otp = await bank.mailedCode(email);
  await bank.call(authApi.forgotPassword, { body: { email } });
  await bank.call(adminApi.approve, { params: { id }, token });
  const { accountNumber } = (await bank.call(adminApi.user, { params: { id }, token })).body.data;
  const body = { userAccountNumber: accountNumber, amount: 5, description: 'start' };
  expect((await bank.call(adminApi.credit, { body, token })).status).toBe(201);
  const code = ['Your login code', 'Your code for a new password'];
  await mailed(
    email,
    'Welcome to Larkspur Bank',
    ...code,
    'Your account is approved',
    transactionsMessages.titleAdminCredit,
  );
  expect(greeted(email)).toEqual([]);

  expect((await bank.call(authApi.verifyCode, { body: { email, otp } })).status).toBe(200);
  await bank.call(adminApi.freeze, { params: { id }, token, body: { isFrozen: true, reason: 'Lost' } });
  await bank.call(adminApi.credit, { body, token });
  await eventually(() => greeted(email).length === 2 || undefined);
  expect(greeted(email).toSorted()).toEqual([
    transactionsMessages.titleAdminCredit,
    'Your account is frozen',
  ]);
});

test('no mail about the end of a registration, and none to an email that staff replaced, greets with a name before the email was proven; copies to a former email have no greeting [G-23]', async () => {
  const [idle, rejected, mistyped] = [await register(bait), await register(bait), await register(bait)];
  const token = await bank.adminToken();
  await age(idle.id, 31);
  await cleanUp(bank.bank.parts);
  const params = { id: rejected.id };
  await bank.call(adminCustomersApi.rejectApplication, { params, token, body: { reason: 'Not you' } });
  const corrected = `new.${mistyped.email}`;
  const body = { email: corrected, reason: 'Typed wrong, passport seen' };
  await bank.call(adminCustomersApi.changeCustomer, { params: { id: mistyped.id }, token, body });
  await mailed(idle.email, 'Your registration has expired');
  await mailed(rejected.email, 'We can’t open your account');
  await mailed(mistyped.email, 'This address was removed from an account');
  await mailed(corrected, 'This is now the email of your account');
  for (const { email } of [idle, rejected, mistyped, { email: corrected }])
    expect(greeted(email)).toEqual([]);

  await bank.login(corrected);
  const again = { email: `again.${corrected}`, reason: 'A new mailbox' };
  await bank.call(adminCustomersApi.changeCustomer, { params: { id: mistyped.id }, token, body: again });
  await bank.login(again.email);
  await bank.call(adminCustomersApi.endCustomerSessions, { params: { id: mistyped.id }, token });
  await mailed(corrected, 'Your sessions were ended');
  expect(greeted(corrected)).toEqual(['The email of your account was changed']);
  expect(greeted(mistyped.email)).toEqual([]);
});

test('staff cannot give a new email to an account whose password a stranger has reset; after a rejection, the person who registered registers again [G-24, SD-36]', async () => {
  const [pending, approved] = [await registerWithDocument(), await registerWithDocument()];
  const token = await bank.adminToken();
  await bank.call(adminApi.approve, { token, params: { id: approved.id } });
  for (const { id, email } of [pending, approved]) {
    const stranger = await logInAfterReset(email);
    const body = { email: `right.${email}`, reason: 'Called' };
    const refused = await bank.call(adminCustomersApi.changeCustomer, { token, params: { id }, body });
    expect(refused.body).toMatchObject({ code: 'CONFLICT', message: staffMessages.emailAfterReset });
    expect((await bank.call(authApi.profile, { token: stranger.token })).body.data.email).toBe(email);
  }
  const body = { name: 'Sal', email: pending.email, subject: 'Cards', message: 'Do you have any?' };
  await bank.call(contactApi.sendMessage, { body });
  const rejection = { params: { id: pending.id }, token, body: { reason: 'Mistyped email' } };
  expect((await bank.call(adminCustomersApi.rejectApplication, rejection)).status).toBe(200);
  await register({ email: `right.${pending.email}` });
  // The stranger's own message, which has nothing to do with the registration.
  const kept = await sql`SELECT FROM contact_messages WHERE visitor_email = ${pending.email}`.execute(
    reader(),
  );
  expect(kept.rows).toHaveLength(1);
});

test('a customer whose mistyped email staff corrected before anyone used it can start with a reset of the password [G-24]', async () => {
  const { id, email } = await registerWithDocument();
  const admin = { token: await bank.adminToken(), params: { id } };
  const body = { email: `own.${email}`, reason: 'Called' };
  expect((await bank.call(adminCustomersApi.changeCustomer, { ...admin, body })).status).toBe(200);
  const owner = await logInAfterReset(body.email);
  expect(await documentStatus(owner.token)).toBe(200);
  expect((await bank.call(adminApi.application, admin)).body.data.isProvenByReset).toBeUndefined();
  const mail = mailsTo(body.email).find(({ subject }) => subject === 'Your password was changed')!;
  expect(mail.text).not.toContain('/not-me');
});

test('after a reset before the first login, a verified ID document that was uploaded since makes the person the one who registered [G-24]', async () => {
  const { id, email } = await registerWithDocument();
  const admin = { token: await bank.adminToken(), params: { id } };
  const { token } = await logInAfterReset(email);
  const view = () =>
    fetch(bank.url + adminApi.userIdCard.path.replace('{id}', id), {
      headers: { authorization: `Bearer ${admin.token}` },
    });
  const verify = async () => {
    expect((await bank.call(adminApi.verifyId, admin)).status).toBe(200);
    return (await bank.call(adminApi.application, admin)).body.data.isProvenByReset;
  };
  await view();
  expect(await verify()).toBe(true);
  const asking = { ...admin, body: { reason: 'Who are you?' } };
  expect((await bank.call(adminCustomersApi.requestId, asking)).status).toBe(200);
  const profile = async () => (await bank.call(authApi.profile, { token })).body.data;
  expect(await profile()).toMatchObject({ isVerified: false, isIdRequested: true });
  await upload(token, settingsApi.uploadIdCard);
  await view();
  expect(await verify()).toBeUndefined();
  expect((await bank.call(adminCustomersApi.requestId, asking)).status).toBe(409);
  expect((await profile()).avatar.url).not.toBe('');
  const body = { email: `new.${email}`, reason: 'Called' };
  expect((await bank.call(adminCustomersApi.changeCustomer, { ...admin, body })).status).toBe(200);
});

test('removing an approved registration with the mailed link ends a request about it [G-20, ST-83]', async () => {
  const { id, email } = await register();
  const token = await bank.adminToken();
  const second = { email: 'second@bank.example', name: 'second', password: 'a quiet river stone' };
  await createAdmin(bank.bank.parts, second);
  await bank.call(adminApi.approve, { params: { id }, token });
  const body = { email: 'wanted@field.example', reason: 'A letter' };
  const asked = await bank.call(adminCustomersApi.changeCustomer, { params: { id }, token, body });
  expect(asked.status).toBe(202);
  const { approval } = asked.body.data as unknown as { approval: Approval };
  expect((await remove(await mailedToken(email))).status).toBe(200);
  const request = { params: { id: approval._id }, token };
  await eventually(
    async () => (await bank.call(fourEyesApi.request, request)).body.data.status === 'failed' || undefined,
  );
});

/** Resets the password with the code that the bank mails, and logs in with it. Returns the login's data. */
async function logInAfterReset(email: string, logins = 0) {
  const newPassword = `5792148${logins}`;
  await bank.call(authApi.forgotPassword, { body: { email } });
  const otp = await bank.mailedCode(email, logins);
  const reset = await bank.call(authApi.resetPassword, { body: { email, otp, newPassword } });
  expect(reset.status).toBe(200);
  await bank.call(authApi.initiateLogin, { body: { email, password: newPassword } });
  const code = await bank.mailedCode(email, logins + 1);
  return (await bank.call(authApi.verifyCode, { body: { email, otp: code } })).body.data;
}

async function registerWithDocument() {
  const form = bank.form();
  form.append('idCard', form.get('avatar') as File, 'id.webp');
  const { _id: id, email } = (await bank.call(authApi.register, { body: form })).body.data;
  return { id, email };
}

function upload(token: string, call: typeof settingsApi.uploadIdCard | typeof settingsApi.uploadAvatar) {
  const body = new FormData();
  body.append('avatar', bank.form().get('avatar') as File, 'picture.webp');
  return bank.call(call, { token, body });
}

/** The status of the call with which customers view their own ID document. */
const documentStatus = async (token: string) =>
  (await fetch(bank.url + settingsApi.ownIdCard.path, { headers: { authorization: `Bearer ${token}` } }))
    .status;

test('a stranger who resets the password of a registration with their email neither sees its pictures nor passes for the person who registered [A-48, G-24]', async () => {
  const [{ id, email }, usual] = [await registerWithDocument(), await registerWithDocument()];
  const token = await bank.adminToken();
  const application = async (of: string) =>
    (await bank.call(adminApi.application, { token, params: { id: of } })).body.data;
  const listed = async (list?: 'confirmed') => {
    const query = { search: email, ...(list && { list }) };
    return (await bank.call(adminApi.approvalQueue, { token, query })).body.data.customers;
  };
  await application(id);
  expect((await listed())[0]!.isViewed).toBe(true);

  const stranger = await logInAfterReset(email);
  expect(stranger).toMatchObject({ avatar: { url: '' }, idCard: null });
  expect(await documentStatus(stranger.token)).toBe(404);
  expect(await listed()).toMatchObject([{ _id: id, isProvenByReset: true }]);
  expect((await listed())[0]!.isViewed).toBeUndefined();
  expect(await listed('confirmed')).toEqual([]);
  expect(await application(id)).toMatchObject({ isEmailProven: true, isProvenByReset: true });

  await bank.login(usual.email);
  const owner = await logInAfterReset(usual.email, 1);
  expect(await documentStatus(owner.token)).toBe(200);
  expect((await application(usual.id)).isProvenByReset).toBeUndefined();

  // The approval may have been a mistake.
  await bank.call(adminApi.approve, { token, params: { id } });
  expect(await documentStatus(stranger.token)).toBe(404);
  // A copy would have what staff and the person who registered wrote.
  const copy = await fetch(bank.url + recordsApi.everything.path, {
    headers: { authorization: `Bearer ${stranger.token}` },
  });
  const asked = await bank.call(recordsApi.requestExport, { token: stranger.token });
  for (const body of [await copy.json(), asked.body])
    expect(body).toMatchObject({ code: 'CONFLICT', message: recordsMessages.copyAfterReset });
});

test('until the approval, a stranger who reset the password can neither change the contact details, which staff use to check, nor write to the Help Desk as the confirmed owner of the email [G-24]', async () => {
  const { id, email } = await registerWithDocument();
  const stranger = await logInAfterReset(email);
  const admin = { token: await bank.adminToken() };
  const application = async () =>
    (await bank.call(adminApi.application, { ...admin, params: { id } })).body.data;
  const before = await application();
  const body = { phoneNumber: '2129990000', address: '1 Stranger Way', region: 'NY', zipCode: '10001' };
  const change = async () =>
    (await bank.call(settingsApi.updateContact, { token: stranger.token, body })).body;
  expect(await change()).toMatchObject({ code: 'CONFLICT', message: settingsMessages.contactLocked });
  expect(await application()).toEqual(before);
  expect(await auditOf(id)).not.toContain('contact.changed');

  const message = { name: 'Nora', email, subject: 'Please call me', message: 'At this number' };
  await bank.call(contactApi.sendMessage, { token: stranger.token, body: message });
  const isOwn = async () => {
    const query = { list: 'waiting', limit: 100 } as const;
    const { messages } = (await bank.call(contactQueueApi.messages, { ...admin, query })).body.data;
    return messages.find(one => one.email === email)!.isOwnEmail;
  };
  expect(await isOwn()).toBe(false);
  await bank.call(adminApi.approve, { ...admin, params: { id } });
  expect(await isOwn()).toBe(true);
  expect(await change()).toMatchObject({ success: true });
});

test('an applicant who reset the password before the first login sees the pictures that were uploaded since [G-24]', async () => {
  const { email } = await registerWithDocument();
  const { token } = await logInAfterReset(email);
  const profile = async () => (await bank.call(authApi.profile, { token })).body.data;
  expect((await upload(token, settingsApi.uploadIdCard)).status).toBe(200);
  expect(await documentStatus(token)).toBe(200);
  expect(await profile()).toMatchObject({ idCard: { url: '/api/v1/user/id-card' }, avatar: { url: '' } });
  expect((await upload(token, settingsApi.uploadAvatar)).status).toBe(200);
  expect((await profile()).avatar.url).not.toBe('');
});

test('the mail about the reset of a password that was never used removes the registration until it is approved [G-20]', async () => {
  const [registered, approved, used] = [await register(), await register(), await register()];
  await bank.login(used.email);
  await logInAfterReset(used.email, 1);
  const mailedLink = async (email: string) => {
    const mail = await eventually(() =>
      mailsTo(email).find(({ subject }) => subject === 'Your password was changed'),
    );
    return /\/not-me#([\w-]{64})/.exec(mail.text)?.[1];
  };
  expect(await mailedLink(used.email)).toBeUndefined();
  await logInAfterReset(approved.email);
  const late = (await mailedLink(approved.email))!;
  await bank.call(adminApi.approve, { params: { id: approved.id }, token: await bank.adminToken() });
  expect((await remove(late)).body).toMatchObject({ code: 'NOT_FOUND', message: expired });
  await logInAfterReset(registered.email);
  expect((await remove((await mailedLink(registered.email))!)).status).toBe(200);
  expect(await isErased(registered.id)).toBe(true);
});
