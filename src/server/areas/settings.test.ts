/** The settings area over HTTP: what customers change about their accounts, on a complete bank. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { authApi } from '#contract/auth.ts';
import { calendarDay } from '#contract/bankTime.ts';
import { terms } from '#contract/constants.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { settingsApi } from '#contract/settings.ts';
import { uploadBytes } from '#server/http/uploads.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { daysLater } from '../../../tests/bankDays.ts';
import { customerPassword, summarize } from '../../../tests/call.ts';
import { eventually, openTestBank, type TestBank, type TestCustomer } from '../../../tests/server.ts';
import { waitOptions } from '../../../tests/waiting.ts';

let bank: TestBank;
let token: string;
beforeAll(async () => {
  bank = await openTestBank();
  token = await bank.adminToken();
});
afterAll(async () => {
  expect((await verifyBooks(bank.test.database.reader)).faults).toEqual([]);
  await bank.close();
});

const reader = () => bank.test.database.reader;
async function recordsOf(subject: string): Promise<string[]> {
  const found = await sql<{ action: string }>`
    SELECT action FROM audit_log WHERE subject = ${subject} AND actor_kind = 'customer' ORDER BY id`.execute(
    reader(),
  );
  return found.rows.map(row => row.action);
}

const mailed = (email: string, subject: string) =>
  eventually(() => bank.bank.parts.inbox!.list(email).find(mail => mail.subject === subject));

const profileOf = async (own: string) => (await bank.call(authApi.profile, { token: own })).body.data;
const noticesOf = async (own: string) =>
  (await bank.call(notificationsApi.listNotifications, { token: own })).body.data.notifications.map(
    one => one.text,
  );

/** A form with one picture under `avatar`. */
function pictureForm(): FormData {
  const form = new FormData();
  form.append('avatar', bank.form().get('avatar') as File, 'me.webp');
  return form;
}

const changePassword = (own: string, currentPassword: string, newPassword: string) =>
  bank.call(settingsApi.changePassword, { token: own, body: { currentPassword, newPassword } });

const contact = { phoneNumber: '2125550188', address: '9 Clover Street', region: 'Maine', zipCode: '04101' };

/** Opens a customer's ID document as the administrator. */
const viewIdCard = (id: string) =>
  fetch(`${bank.url}/api/v1/admin/users/${id}/id-card`, { headers: { authorization: `Bearer ${token}` } });

/** A customer who is pending or frozen. */
async function inState(state: 'pending' | 'frozen'): Promise<TestCustomer> {
  const customer = await bank.customer({ approved: state !== 'pending' });
  if (state === 'frozen')
    await bank.call(adminApi.freeze, { token, params: { id: customer._id }, body: { isFrozen: true } });
  return customer;
}

test('a customer changes the password: the old one stops working, the new one works, and the customer is notified [S-07, C-59, OK-06, V-18, N-04]', async () => {
  const nora = await bank.customer();
  const done = await changePassword(nora.token, customerPassword, '57921480');
  expect(done.body).toEqual({ success: true, message: 'Password updated successfully' });
  const log = (password: string) =>
    bank.call(authApi.initiateLogin, { body: { email: nora.email, password } });
  expect((await log(customerPassword)).status).toBe(401);
  expect((await log('57921480')).status).toBe(200);
  await mailed(nora.email, 'Your password was changed');
  expect(await noticesOf(nora.token)).toContain(
    'Your password was changed. If this wasn’t you, contact the Help Desk.',
  );
  expect(await recordsOf(nora._id)).toContain('password.changed');
});

test('changing the password ends every session except the current one [ST-21, ST-40]', async () => {
  const nora = await bank.customer();
  const [second, third] = [await bank.login(nora.email), await bank.login(nora.email)];
  expect((await changePassword(second, customerPassword, '57921480')).status).toBe(200);
  const statuses = await Promise.all(
    [nora.token, second, third].map(async own => (await bank.call(authApi.profile, { token: own })).status),
  );
  expect(statuses).toEqual([401, 200, 401]);
});

test('a code mailed before a password change no longer works', async () => {
  const nora = await bank.customer();
  const codes = bank.bank.parts.inbox!.list(nora.email).filter(mail => /\b\d{6}\b/.test(mail.text)).length;
  await bank.call(authApi.initiateLogin, { body: { email: nora.email, password: customerPassword } });
  const otp = await bank.mailedCode(nora.email, codes);
  await changePassword(nora.token, customerPassword, '57921480');
  const tried = await bank.call(authApi.verifyCode, { body: { email: nora.email, otp } });
  expect(summarize(tried)).toMatchObject({ status: 401, code: 'BAD_CODE' });
});

test('a wrong current password changes nothing, keeps the session and counts toward the lock [C-83, ST-32, ST-34]', async () => {
  const nora = await bank.customer();
  for (let i = 0; i < 5; i++) {
    expect(summarize(await changePassword(nora.token, '00000000', '57921480'))).toEqual({
      status: 400,
      code: 'BAD_PASSWORD',
      message: 'Current password is incorrect',
    });
  }
  // The login is locked now. Even the correct password gets the same answer, here and at login.
  expect((await changePassword(nora.token, customerPassword, '57921480')).body.code).toBe('BAD_PASSWORD');
  const body = { email: nora.email, password: customerPassword };
  expect((await bank.call(authApi.initiateLogin, { body })).status).toBe(401);
  expect((await bank.call(authApi.profile, { token: nora.token })).status).toBe(200);
  await mailed(nora.email, 'Your login is locked');
  expect(await recordsOf(nora._id)).toEqual(expect.arrayContaining(['password.wrong', 'login.locked']));
});

test('a new password must follow the rule for registrations, which accepts easy passwords [V-05, V-18, V-29]', async () => {
  const nora = await bank.customer();
  for (const newPassword of ['12345', 'abcdef', '12345a', '', '1'.repeat(65), '١٢٣٤٥٦']) {
    expect(summarize(await changePassword(nora.token, customerPassword, newPassword))).toEqual({
      status: 400,
      code: 'VALIDATION',
      message: 'Password must be at least 6 digits long and contain only numbers',
    });
  }
  expect((await changePassword(nora.token, customerPassword, '111111')).status).toBe(200);
});

test('a new password that equals the current one is refused, but only after the current one was entered correctly [S-18]', async () => {
  const nora = await bank.customer();
  expect(summarize(await changePassword(nora.token, customerPassword, customerPassword))).toEqual({
    status: 400,
    code: 'VALIDATION',
    message: 'Please choose a password that differs from your current one',
  });
  expect((await changePassword(nora.token, '57921480', '57921480')).body.code).toBe('BAD_PASSWORD');
  expect(await recordsOf(nora._id)).not.toContain('password.changed');
});

test('exactly one of many concurrent password changes succeeds, and the others do not lock the login', async () => {
  const nora = await bank.customer();
  // Eight wrong passwords would lock the login. The current password was correct when each request was sent.
  const wanted = Array.from({ length: 8 }, (_, i) => `5792148${i}`);
  const answers = await Promise.all(
    wanted.map(newPassword => changePassword(nora.token, customerPassword, newPassword)),
  );
  const won = wanted.filter((_, i) => answers[i]!.status === 200);
  expect(won).toHaveLength(1);
  for (const { status, body } of answers) {
    if (status !== 200) expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_PASSWORD' });
  }
  const body = { email: nora.email, password: won[0]! };
  expect((await bank.call(authApi.initiateLogin, { body })).status).toBe(200);
  expect(await recordsOf(nora._id)).not.toContain('password.wrong');
});

test('a double click whose second request arrives late is not recorded as a wrong password', async () => {
  const nora = await bank.customer();
  const clicks = Array.from({ length: 8 }, (_, i) =>
    changePassword(nora.token, customerPassword, `5792148${i}`),
  );
  // One change is committed. The others still wait for their passwords to be hashed.
  await Promise.any(clicks.map(async click => expect((await click).status).toBe(200)));
  const late = await changePassword(nora.token, customerPassword, '57921489');
  expect(summarize(late)).toMatchObject({ status: 400, code: 'BAD_PASSWORD' });
  await Promise.all(clicks);
  expect(await recordsOf(nora._id)).not.toContain('password.wrong');
  // After all requests are answered, the old password is wrong.
  await changePassword(nora.token, customerPassword, '57921489');
  expect(await recordsOf(nora._id)).toContain('password.wrong');
});

test('a pending or frozen customer can change the password [AC-07, AC-09]', async () => {
  for (const state of ['pending', 'frozen'] as const) {
    const { token: own } = await inState(state);
    expect((await changePassword(own, customerPassword, '57921480')).status).toBe(200);
  }
});

test('a customer changes contact details, and neither the mail nor the notification repeats them [S-05, C-60, OK-07]', async () => {
  const nora = await bank.customer();
  const sent = { ...contact, address: '  9 Clover Street ' };
  const done = await bank.call(settingsApi.updateContact, { token: nora.token, body: sent });
  expect(done.body).toEqual({ success: true, message: 'Contact information updated successfully' });
  expect(await profileOf(nora.token)).toMatchObject(contact);
  const mail = await mailed(nora.email, 'Your contact details were changed');
  for (const detail of Object.values(contact)) expect(mail.text).not.toContain(detail);
  expect(await noticesOf(nora.token)).toContain(
    'Your contact details were changed. If this wasn’t you, contact the Help Desk.',
  );
  // Saving the same details again is not a change.
  await bank.call(settingsApi.updateContact, { token: nora.token, body: contact });
  expect((await recordsOf(nora._id)).filter(action => action === 'contact.changed')).toHaveLength(1);
});

test('contact details that are incomplete or invalid change nothing [V-04, S-05]', async () => {
  const nora = await bank.customer();
  const before = await profileOf(nora.token);
  const wrong: [Partial<typeof contact>, string][] = [
    [{ phoneNumber: '212555018' }, 'Please enter a valid 10-digit phone number'],
    [{ address: '  ' }, 'Please fill in all fields'],
    [{ region: '' }, 'Please fill in all fields'],
    [{ zipCode: '' }, 'Please fill in all fields'],
    [{ zipCode: 'hello' }, 'Please enter a valid ZIP code'],
    [{ address: 'x'.repeat(201) }, 'Please use at most 200 characters'],
    [{ address: '9 Clover\u202eStreet' }, 'Please use plain text'],
  ];
  for (const [change, message] of wrong) {
    const answer = await bank.call(settingsApi.updateContact, {
      token: nora.token,
      body: { ...contact, ...change },
    });
    expect(summarize(answer)).toEqual({ status: 400, code: 'VALIDATION', message });
  }
  expect(await profileOf(nora.token)).toEqual(before);
});

test('concurrent changes of contact details leave one complete version', async () => {
  const nora = await bank.customer();
  const other = { phoneNumber: '2125550199', address: '1 Sorrel Way', region: 'Ohio', zipCode: '43004' };
  await Promise.all(
    [contact, other, contact, other].map(body =>
      bank.call(settingsApi.updateContact, { token: nora.token, body }),
    ),
  );
  const { phoneNumber, address, region, zipCode } = await profileOf(nora.token);
  expect([contact, other]).toContainEqual({ phoneNumber, address, region, zipCode });
});

const updateIdentity = (own: string, body: { dateOfBirth: string; city: string }) =>
  bank.call(settingsApi.updateIdentity, { token: own, body });
const none = { dateOfBirth: null, city: null };
const identityOf = async (own: string) => (await bank.call(settingsApi.identity, { token: own })).body.data;

test('a customer gives date of birth and city after registering, and the specification’s profile does not change [S-15]', async () => {
  const nora = await bank.customer({ approved: false });
  expect(await identityOf(nora.token)).toEqual({ ...none, isDateOfBirthVerified: false, idRequest: null });
  const before = await profileOf(nora.token);
  const done = await updateIdentity(nora.token, { dateOfBirth: '1990-04-12', city: '  Hudson ' });
  expect(done.body).toEqual({ success: true, message: 'Personal details updated successfully' });
  expect(await identityOf(nora.token)).toMatchObject({ dateOfBirth: '1990-04-12', city: 'Hudson' });
  expect(await profileOf(nora.token)).toEqual(before);
  // Saving the same again is not a change.
  await updateIdentity(nora.token, { dateOfBirth: '1990-04-12', city: 'Hudson' });
  expect((await recordsOf(nora._id)).filter(action => action === 'identity.changed')).toHaveLength(1);
});

test('a date of birth is a real day, at least 18 years ago by the bank’s calendar [S-16]', async () => {
  const nora = await bank.customer();
  const today = calendarDay(new Date());
  const yearsAgo = (years: number, day: string) =>
    `${Number(day.slice(0, 4)) - years}${day.slice(4)}`.replace('-02-29', '-03-01');
  const tomorrow = daysLater(today, 1);
  const invalid = 'Please enter a valid date of birth';
  const tooYoung = 'You must be 18 or older to have an account';
  const wrong: [string, string, string][] = [
    ['1990-02-30', 'Hudson', invalid],
    ['04/12/1990', 'Hudson', invalid],
    ['1899-12-31', 'Hudson', invalid],
    [tomorrow, 'Hudson', invalid],
    [today, 'Hudson', tooYoung],
    [yearsAgo(18, tomorrow), 'Hudson', tooYoung],
    ['1990-04-12', '  ', 'Please enter your city'],
    ['1990-04-12', 'x'.repeat(81), 'Please use at most 80 characters'],
  ];
  for (const [dateOfBirth, city, message] of wrong) {
    const answer = await updateIdentity(nora.token, { dateOfBirth, city });
    expect(summarize(answer), dateOfBirth).toEqual({ status: 400, code: 'VALIDATION', message });
    expect(answer.body.errors, dateOfBirth).toHaveLength(1);
  }
  expect(await identityOf(nora.token)).toMatchObject(none);
  const yesterday = calendarDay(new Date(Date.now() - 86_400_000));
  const body = { dateOfBirth: yearsAgo(18, yesterday), city: 'Hudson' };
  expect((await updateIdentity(nora.token, body)).status).toBe(200);
});

test('a date of birth that was verified with the ID document cannot change; the city can [S-17]', async () => {
  const nora = await bank.customer();
  await bank.call(settingsApi.uploadIdCard, { token: nora.token, body: pictureForm() });
  await updateIdentity(nora.token, { dateOfBirth: '1990-04-12', city: 'Hudson' });
  await bank.call(adminApi.application, { token, params: { id: nora._id } });
  await viewIdCard(nora._id);
  expect((await bank.call(adminApi.verifyId, { token, params: { id: nora._id } })).status).toBe(200);
  expect(summarize(await updateIdentity(nora.token, { dateOfBirth: '1991-04-12', city: 'Beacon' }))).toEqual({
    status: 409,
    code: 'CONFLICT',
    message:
      'Your ID is verified, so your date of birth can’t be changed here. To correct it, contact the Help Desk.',
  });
  expect((await updateIdentity(nora.token, { dateOfBirth: '1990-04-12', city: 'Beacon' })).status).toBe(200);
  expect(await identityOf(nora.token)).toEqual({
    dateOfBirth: '1990-04-12',
    city: 'Beacon',
    isDateOfBirthVerified: true,
    idRequest: null,
  });
});

test('a date of birth that the administrator did not see with the ID document is not verified, and can change [S-17]', async () => {
  for (const see of [
    viewIdCard,
    (id: string) => bank.call(adminApi.application, { token, params: { id } }),
    (id: string) => bank.call(adminApi.user, { token, params: { id } }),
  ]) {
    const nora = await bank.customer();
    await bank.call(settingsApi.uploadIdCard, { token: nora.token, body: pictureForm() });
    await updateIdentity(nora.token, { dateOfBirth: '1990-04-12', city: 'Hudson' });
    await see(nora._id);
    expect((await bank.call(adminApi.verifyId, { token, params: { id: nora._id } })).status).toBe(200);
    expect(await identityOf(nora.token)).toMatchObject({ isDateOfBirthVerified: false });
    const corrected = { dateOfBirth: '1991-04-12', city: 'Hudson' };
    expect((await updateIdentity(nora.token, corrected)).status).toBe(200);
  }
});

test('a date of birth that is given after the ID was verified is not verified, and can change [S-17]', async () => {
  const nora = await bank.customer();
  await bank.call(settingsApi.uploadIdCard, { token: nora.token, body: pictureForm() });
  expect((await bank.call(adminApi.verifyId, { token, params: { id: nora._id } })).status).toBe(200);
  for (const dateOfBirth of ['1990-04-12', '1991-04-12']) {
    expect((await updateIdentity(nora.token, { dateOfBirth, city: 'Hudson' })).status).toBe(200);
    expect(await identityOf(nora.token)).toEqual({
      dateOfBirth,
      city: 'Hudson',
      isDateOfBirthVerified: false,
      idRequest: null,
    });
  }
});

test('an ID is not verified if the customer changed the date of birth after the administrator’s last view [A-59]', async () => {
  const nora = await bank.customer();
  await bank.call(settingsApi.uploadIdCard, { token: nora.token, body: pictureForm() });
  await updateIdentity(nora.token, { dateOfBirth: '1990-04-12', city: 'Hudson' });
  const request = { token, params: { id: nora._id } };
  const viewId = () => viewIdCard(nora._id);
  const refused = {
    status: 409,
    code: 'CONFLICT',
    message:
      'This customer changed their date of birth or city after you viewed them. Please view them again.',
  };
  await viewId();
  await updateIdentity(nora.token, { dateOfBirth: '1991-04-12', city: 'Hudson' });
  expect(summarize(await bank.call(adminApi.verifyId, request))).toEqual(refused);
  await bank.call(adminApi.application, request);
  await updateIdentity(nora.token, { dateOfBirth: '1992-04-12', city: 'Beacon' });
  // Neither the picture nor the answer of `user` shows the date of birth. Nor do some screens that read `customerRecord`.
  await viewId();
  await bank.call(adminApi.user, request);
  await bank.call(adminCustomersApi.customerRecord, request);
  expect(summarize(await bank.call(adminApi.verifyId, request))).toEqual(refused);
  expect((await profileOf(nora.token)).isVerified).toBe(false);
  // A second view within five minutes is usually not recorded. This one is, because the application has changed.
  await bank.call(adminApi.application, request);
  expect((await bank.call(adminApi.verifyId, request)).status).toBe(200);
  expect(await identityOf(nora.token)).toMatchObject({ isDateOfBirthVerified: true });

  const query = { person: nora._id, action: 'identity.changed' };
  const { records } = (await bank.call(adminApi.auditLog, { token, query })).body.data;
  expect(records.map(({ details }) => details)).toEqual([
    'date of birth, city',
    'date of birth',
    'date of birth, city',
  ]);
});

test('a registration stores which terms were accepted and when [G-13]', async () => {
  const began = Date.now();
  const nora = await bank.customer({ approved: false });
  const stored = await sql<{ version: string; at: Date }>`
    SELECT terms_version AS version, terms_accepted_at AS at FROM customers WHERE id = ${nora._id}`.execute(
    reader(),
  );
  expect(stored.rows[0]!.version).toBe(terms.version);
  const at = stored.rows[0]!.at.getTime();
  expect(at >= began && at <= Date.now()).toBe(true);
});

test('a pending customer can change details and pictures; a frozen one cannot [AC-07, AC-11]', async () => {
  const waiting = await inState('pending');
  const frozen = await inState('frozen');
  const tries: [Endpoint, unknown][] = [
    [settingsApi.updateContact, contact],
    [settingsApi.updateIdentity, { dateOfBirth: '1990-04-12', city: 'Hudson' }],
    [settingsApi.uploadAvatar, pictureForm()],
    [settingsApi.uploadIdCard, pictureForm()],
  ];
  for (const [endpoint, body] of tries) {
    expect((await bank.call(endpoint, { token: waiting.token, body })).status).toBe(200);
    expect(summarize(await bank.call(endpoint, { token: frozen.token, body }))).toEqual({
      status: 403,
      code: 'ACCOUNT_FROZEN',
      message: 'Your account is frozen. Please contact customer service.',
    });
  }
});

test('a new profile image is shown immediately and the previous file is deleted [S-03, C-62, OK-09]', async () => {
  const nora = await bank.customer();
  const former = (await profileOf(nora.token)).avatar.url;
  const done = await bank.call(settingsApi.uploadAvatar, { token: nora.token, body: pictureForm() });
  expect(done.body).toEqual({
    success: true,
    message: 'Image uploaded successfully',
    data: { avatar: { url: expect.stringMatching(/^\/files\/avatars\/avatar-[0-9a-f]{32}\.webp$/) } },
  });
  const { url } = done.body.data.avatar;
  expect((await profileOf(nora.token)).avatar.url).toBe(url);
  expect((await fetch(bank.url + url)).headers.get('content-type')).toBe('image/webp');
  expect((await fetch(bank.url + former)).status).toBe(404);
  expect(bank.pictures()).not.toContain(former.split('/').at(-1));
  expect(await recordsOf(nora._id)).toContain('avatar.changed');
});

test('a file that is not a picture does not replace one [V-08, V-19, C-37]', async () => {
  const nora = await bank.customer();
  const before = await profileOf(nora.token);
  const files = bank.pictures().length;
  for (const endpoint of [settingsApi.uploadAvatar, settingsApi.uploadIdCard]) {
    const form = new FormData();
    form.append('avatar', new Blob(['<svg onload="x()"/>'], { type: 'image/png' }), 'me.png');
    const answer = await bank.call(endpoint, { token: nora.token, body: form });
    expect(summarize(answer)).toMatchObject({ status: 415, code: 'UNSUPPORTED_TYPE' });
    const missing = await bank.call(endpoint, { token: nora.token, body: new FormData() });
    expect(missing.status).toBe(400);
  }
  expect(await profileOf(nora.token)).toEqual(before);
  expect(bank.pictures()).toHaveLength(files);
});

test('an uploaded form, and one whose picture is refused, take no memory afterward', async () => {
  const { token: own } = await bank.customer();
  const unreadable = new FormData();
  unreadable.append('avatar', new Blob(['no picture']), 'me.png');
  const before = uploadBytes();
  for (const body of [pictureForm(), unreadable])
    await bank.call(settingsApi.uploadAvatar, { token: own, body });
  await vi.waitFor(() => expect([before, uploadBytes()]).toEqual([0, 0]), waitOptions);
});

test('many concurrent uploads leave one picture and only its file', async () => {
  const nora = await bank.customer();
  const others = bank.pictures().length - 1;
  const answers = await Promise.all(
    Array.from({ length: 6 }, async () =>
      bank.call(settingsApi.uploadAvatar, { token: nora.token, body: pictureForm() }),
    ),
  );
  for (const { status } of answers) expect(status).toBe(200);
  const { url } = (await profileOf(nora.token)).avatar;
  expect((await fetch(bank.url + url)).status).toBe(200);
  expect(bank.pictures()).toHaveLength(others + 1);
});

test('an ID document is uploaded, viewed and verified; a new one must be verified again [S-04, C-63, C-71]', async () => {
  const nora = await bank.customer();
  const upload = async () => bank.call(settingsApi.uploadIdCard, { token: nora.token, body: pictureForm() });
  const request = { token, params: { id: nora._id } };
  const viewId = () =>
    fetch(`${bank.url}/api/v1/admin/users/${nora._id}/id-card`, {
      headers: { authorization: `Bearer ${token}` },
    });
  expect((await upload()).body).toEqual({
    success: true,
    message: 'Image uploaded successfully',
    data: { idCard: { url: '/api/v1/user/id-card' } },
  });
  await mailed(nora.email, 'We received your ID document');
  expect((await viewId()).status).toBe(200);
  // The document is replaced between viewing and verifying, so the verification must not cover it.
  await upload();
  expect(summarize(await bank.call(adminApi.verifyId, request))).toEqual({
    status: 409,
    code: 'CONFLICT',
    message: 'This customer uploaded a new ID after you viewed the last one. Please view the new one.',
  });
  expect((await profileOf(nora.token)).isVerified).toBe(false);
  expect((await viewId()).status).toBe(200);
  expect((await bank.call(adminApi.verifyId, request)).status).toBe(200);
  expect((await profileOf(nora.token)).isVerified).toBe(true);
  await upload();
  expect((await profileOf(nora.token)).isVerified).toBe(false);
  expect((await bank.call(adminApi.unverifiedIds, { token })).body.data.map(one => one._id)).toContain(
    nora._id,
  );
  expect(bank.pictures().filter(name => name.startsWith('id-card'))).toContain(
    (
      await sql<{ f: string }>`SELECT id_card_file AS f FROM customers WHERE id = ${nora._id}`.execute(
        reader(),
      )
    ).rows[0]!.f,
  );
});

test('a customer sees the devices that are logged in, and which of them is the current one', async () => {
  const nora = await bank.customer();
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const codes = bank.bank.parts.inbox!.list(nora.email).filter(mail => /\b\d{6}\b/.test(mail.text)).length;
  await bank.call(authApi.initiateLogin, { body: { email: nora.email, password: customerPassword } });
  const otp = await bank.mailedCode(nora.email, codes);
  const began = Date.now();
  const opened = await bank.call(authApi.verifyCode, {
    body: { email: nora.email, otp },
    headers: { 'user-agent': firefox },
  });
  const own = opened.body.data.token;
  const { sessions } = (await bank.call(settingsApi.listSessions, { token: own })).body.data;
  expect(sessions).toHaveLength(2);
  expect(sessions[0]).toEqual({
    _id: expect.any(String),
    device: 'Firefox on Linux',
    address: '127.0.0.1',
    startedAt: expect.any(String),
    lastSeenAt: expect.any(String),
    isCurrent: true,
  });
  expect(sessions[1]).toMatchObject({ device: 'Unknown device', isCurrent: false });
  expect(Date.parse(sessions[0]!.lastSeenAt)).toBeGreaterThanOrEqual(began);
});

test("a customer can end any of their own sessions, including this one, but not another customer's", async () => {
  const nora = await bank.customer();
  const ben = await bank.customer();
  const phone = await bank.login(nora.email);
  const list = async (own: string) =>
    (await bank.call(settingsApi.listSessions, { token: own })).body.data.sessions;
  const end = (own: string, id: string) => bank.call(settingsApi.endSession, { token: own, params: { id } });
  const [current, former] = await list(phone);
  const [bens] = await list(ben.token);
  expect(summarize(await end(phone, bens!._id))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect((await list(ben.token)).length).toBe(1);
  expect((await end(phone, former!._id)).body).toEqual({ success: true, message: 'Session ended' });
  expect((await bank.call(authApi.profile, { token: nora.token })).status).toBe(401);
  expect(summarize(await end(phone, former!._id))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect((await end(phone, current!._id)).status).toBe(200);
  expect((await bank.call(authApi.profile, { token: phone })).status).toBe(401);
  expect((await recordsOf(nora._id)).slice(-2)).toEqual(['session.ended', 'logout']);
});

test('the list of sessions starts with this device, even if others logged in later [S-22]', async () => {
  const nora = await bank.customer();
  await bank.login(nora.email);
  const { sessions } = (await bank.call(settingsApi.listSessions, { token: nora.token })).body.data;
  expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
});

test('a thief at an open session cannot keep the owner from logging in by ending all other sessions [S-23]', async () => {
  const nora = await bank.customer();
  const login = { email: nora.email, password: customerPassword };
  await bank.call(authApi.initiateLogin, { body: login });
  const otp = await bank.mailedCode(nora.email, 1);
  expect((await bank.call(settingsApi.endOtherSessions, { token: nora.token })).status).toBe(200);
  const answer = await bank.call(authApi.verifyCode, { body: { email: nora.email, otp } });
  expect(answer.status).toBe(200);
});

test('a customer ends all other sessions', async () => {
  const nora = await bank.customer();
  const phone = await bank.login(nora.email);
  const ben = await bank.customer();
  const done = await bank.call(settingsApi.endOtherSessions, { token: phone });
  expect(done.body).toEqual({ success: true, message: 'All other sessions ended' });
  expect((await bank.call(authApi.profile, { token: nora.token })).status).toBe(401);
  expect((await bank.call(authApi.profile, { token: phone })).status).toBe(200);
  expect((await bank.call(authApi.profile, { token: ben.token })).status).toBe(200);
});
