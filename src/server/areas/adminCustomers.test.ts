/** The page of a customer in the back office: applications, documents, notes, sessions, mails, history, lists and files. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { authApi } from '#contract/auth.ts';
import { goalsApi } from '#contract/goals.ts';
import { limitsApi } from '#contract/limits.ts';
import { settingsApi } from '#contract/settings.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { deliverDeposit } from '#server/jobs/railDeposits.ts';
import { customerPassword } from '../../../tests/call.ts';
import { expectRefusal } from '../../../tests/expectRefused.ts';
import { eventually, openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
let token: string;
beforeAll(async () => {
  bank = await openTestBank();
  token = await bank.adminToken();
});
afterAll(() => bank.close());

const mails = (email: string, subject: string) =>
  bank.bank.parts.inbox!.list(email).filter(mail => mail.subject === subject);
const mailed = (email: string, subject: string, count = 1) =>
  eventually(() => (mails(email, subject).length >= count ? mails(email, subject)[0] : undefined));
const history = async (id: string) =>
  (await bank.call(adminCustomersApi.customerHistory, { token, params: { id } })).body.data.records;
const one = async (id: string) =>
  (await bank.call(adminCustomersApi.customerRecord, { token, params: { id } })).body.data;
const picture = () => {
  const form = new FormData();
  form.append('avatar', bank.form().get('avatar') as Blob, 'id.webp');
  return form;
};

test('a rejected applicant gets the reason by mail, the data is erased, and the email can register again [ST-95]', async () => {
  const { _id: id, email, token: own } = await bank.customer({ approved: false });
  const reject = () =>
    bank.call(adminCustomersApi.rejectApplication, {
      token,
      params: { id },
      body: { reason: 'Not a resident' },
    });
  expect((await reject()).status).toBe(200);
  const mail = await mailed(email, 'We can’t open your account');
  expect(mail.text).toContain('Not a resident');
  expect((await bank.call(authApi.profile, { token: own })).status).toBe(401);
  expectRefusal(await reject(), 'NOT_FOUND');
  expect(bank.pictures()).toHaveLength(0);
  const again = await bank.call(authApi.register, { body: bank.form({ email }) });
  expect(again.status).toBe(201);
});

test('ending all sessions of a customer also ends a login in progress [ST-98]', async () => {
  const { _id: id, email } = await bank.customer();
  await bank.call(authApi.initiateLogin, { body: { email, password: customerPassword } });
  const otp = await bank.mailedCode(email, 1);
  const end = () =>
    bank.call(adminCustomersApi.endCustomerSessions, { token, params: { id }, body: { reason: 'Lost' } });
  await end();
  expect((await bank.call(authApi.verifyCode, { body: { email, otp } })).status).toBe(401);
  // Also if there is only a login in progress, the act is recorded.
  await bank.call(authApi.initiateLogin, { body: { email, password: customerPassword } });
  await bank.mailedCode(email, 2);
  await end();
  await end();
  const { ownerPool } = bank.test.database;
  const acts = `SELECT data FROM audit_log WHERE subject = $1 AND action = 'customer.sessions-ended' ORDER BY id`;
  expect((await ownerPool.query(acts, [id])).rows.map(({ data }) => data.count)).toEqual([1, 0]);
});

test('an approved customer cannot be rejected [ST-95]', async () => {
  const { _id: id } = await bank.customer();
  const body = { reason: 'Too late' };
  expectRefusal(
    await bank.call(adminCustomersApi.rejectApplication, { token, params: { id }, body }),
    'CONFLICT',
  );
  expect((await one(id)).state).toBe('active');
});

test('the approval queue marks an application as viewed until the application changes, and says that a new ID was requested [SD-17]', async () => {
  const { _id: id, token: own } = await bank.customer({ approved: false });
  const inQueue = async () => {
    const query = { limit: 100, sort: 'newest' };
    const { customers } = (await bank.call(adminApi.approvalQueue, { token, query })).body.data;
    const { isViewed, isIdRequested } = customers.find(({ _id }) => _id === id)!;
    return { isViewed, isIdRequested };
  };
  const view = () => bank.call(adminApi.application, { token, params: { id } });
  expect(await inQueue()).toEqual({});
  await view();
  expect(await inQueue()).toEqual({ isViewed: true });
  const body = { reason: 'The picture is blurred' };
  await bank.call(adminCustomersApi.requestId, { token, params: { id }, body });
  expect(await inQueue()).toMatchObject({ isIdRequested: true });
  const inDetails = async () =>
    (await bank.call(adminApi.user, { token, params: { id } })).body.data.isIdRequested;
  expect(await inDetails()).toBe(true);
  await bank.call(settingsApi.uploadIdCard, { token: own, body: picture() });
  expect(await inQueue()).toEqual({});
  expect(await inDetails()).toBeUndefined();
  await view();
  expect(await inQueue()).toEqual({ isViewed: true });
});

test('customers are found by phone number and street, in the customer list and in the approval queue [SD-18]', async () => {
  const form = { phoneNumber: '9175550186', address: '77 Larch Hollow' };
  const { body } = await bank.call(authApi.register, { body: bank.form(form) });
  const id = body.data._id;
  for (const search of ['(917) 555-0186', '5550186', 'larch hollow', '77 Larch']) {
    const found = await bank.call(adminCustomersApi.customers, { token, query: { search } });
    expect(
      found.body.data.customers.map(({ _id }) => _id),
      search,
    ).toEqual([id]);
    const waiting = await bank.call(adminApi.approvalQueue, { token, query: { search } });
    expect(
      waiting.body.data.customers.map(({ _id }) => _id),
      search,
    ).toEqual([id]);
  }
});

test('a customer who is asked for a better ID leaves the verification queue until the customer uploads one [ST-96]', async () => {
  const { _id: id, email, token: own } = await bank.customer();
  const upload = () => bank.call(settingsApi.uploadIdCard, { token: own, body: picture() });
  const isQueued = async () =>
    (await bank.call(adminApi.verificationQueue, { token })).body.data.customers.some(
      ({ _id }) => _id === id,
    );
  const application = async () =>
    (await bank.call(adminApi.application, { token, params: { id } })).body.data;
  const ownRequest = async () => (await bank.call(settingsApi.identity, { token: own })).body.data.idRequest;
  const isAsked = async () =>
    (await bank.call(authApi.profile, { token: own })).body.data.isIdRequested ?? false;
  await upload();
  expect(await isQueued()).toBe(true);
  expect(await isAsked()).toBe(false);
  const body = { reason: 'The picture is blurred' };
  await bank.call(adminCustomersApi.requestId, { token, params: { id }, body });
  expect(await isQueued()).toBe(false);
  expect(await one(id)).toMatchObject({ document: 'requested', idRequest: body });
  expect(await ownRequest()).toBe('The picture is blurred');
  expect(await application()).toMatchObject({ isIdRequested: true, idRequest: body.reason });
  expect(await isAsked()).toBe(true);
  const { text } = await mailed(email, 'We need a better ID document');
  expect(text).toContain('The picture is blurred');
  expect(text).toMatch(/\/dashboard\/settings#id-document$/m);
  const unseen = { reason: 'It has expired', isIdRequested: false };
  expectRefusal(
    await bank.call(adminCustomersApi.requestId, { token, params: { id }, body: unseen }),
    'CONFLICT',
  );
  expect(await ownRequest()).toBe('The picture is blurred');
  await upload();
  expect(await ownRequest()).toBeNull();
  expect(await application()).not.toHaveProperty('isIdRequested');
  expect(await application()).not.toHaveProperty('idRequest');
  expect(await isAsked()).toBe(false);
  expect(await isQueued()).toBe(true);
  expect(await one(id)).toMatchObject({ document: 'review' });
  await bank.call(adminApi.verifyId, { token, params: { id } });
  expectRefusal(await bank.call(adminCustomersApi.requestId, { token, params: { id }, body }), 'CONFLICT');
});

test('a customer without an ID document is asked for one, not for a better one, and leaves the queue until it is uploaded [ST-96]', async () => {
  const { _id: id, email, token: own } = await bank.customer();
  const body = { reason: 'We need it to verify your identity' };
  await bank.call(adminCustomersApi.requestId, { token, params: { id }, body });
  expect((await mailed(email, 'We need your ID document')).text).toMatch(
    /^Please upload a picture of your ID document\.$[\s\S]*^Reason: We need it to verify your identity$/m,
  );
  const isQueued = async () =>
    (await bank.call(adminApi.verificationQueue, { token, query: { search: email } })).body.data
      .totalCustomers === 1;
  expect(await isQueued()).toBe(false);
  await bank.call(settingsApi.uploadIdCard, { token: own, body: picture() });
  expect(await isQueued()).toBe(true);
});

test('a verification is refused if the review did not show a colleague’s request for a new ID; without `isIdRequested` it is made [ST-96]', async () => {
  const { _id: id, token: own } = await bank.customer();
  await bank.call(settingsApi.uploadIdCard, { token: own, body: picture() });
  const params = { id };
  const verify = (body?: { isIdRequested: boolean }) => bank.call(adminApi.verifyId, { token, params, body });
  const reason = 'The picture is blurred';
  await bank.call(adminCustomersApi.requestId, { token, params, body: { reason } });
  const stale = await verify({ isIdRequested: false });
  expectRefusal(stale, 'CONFLICT');
  expect(stale.body.message).toMatch(/^A colleague has asked this customer for an ID document\./);
  expect(await one(id)).toMatchObject({ document: 'requested' });
  expect((await verify()).status).toBe(200);
});

test('an approval is refused if the list did not show a colleague’s request for a new ID; without `isIdRequested` it is made [ST-96]', async () => {
  const { body: registered } = await bank.call(authApi.register, { body: bank.form({}) });
  const params = { id: registered.data._id };
  const reason = 'The picture is blurred';
  await bank.call(adminCustomersApi.requestId, { token, params, body: { reason } });
  const stale = await bank.call(adminApi.approve, { token, params, body: { isIdRequested: false } });
  expectRefusal(stale, 'CONFLICT');
  expect(stale.body.message).toMatch(/^A colleague has asked this customer for an ID document\./);
  expect((await bank.call(adminApi.approve, { token, params })).status).toBe(200);
});

test('an approval is refused if the password was reset after the review was opened; without `isProvenByReset` it is made [G-24]', async () => {
  const { body: registered } = await bank.call(authApi.register, { body: bank.form({}) });
  const { _id: id, email } = registered.data;
  const approve = (body?: { isProvenByReset: boolean }) =>
    bank.call(adminApi.approve, { token, params: { id }, body });
  await bank.call(authApi.forgotPassword, { body: { email } });
  const otp = await bank.mailedCode(email, 0);
  await bank.call(authApi.resetPassword, { body: { email, otp, newPassword: '57921480' } });
  const stale = await approve({ isProvenByReset: false });
  expectRefusal(stale, 'CONFLICT');
  expect(stale.body.message).toMatch(/^This customer’s password was reset before the first login/);
  expect(await one(id)).toMatchObject({ isApproved: false });
  expect((await approve()).status).toBe(200);
  expect(await one(id)).toMatchObject({ isApproved: true });
});

test('an approval is made if the review showed that there was no reset, and there was none [G-24]', async () => {
  const { body: registered } = await bank.call(authApi.register, { body: bank.form({}) });
  const params = { id: registered.data._id };
  const body = { isIdRequested: false, isProvenByReset: false };
  expect((await bank.call(adminApi.approve, { token, params, body })).status).toBe(200);
});

test('the history of a customer says who did what and why, without views [ST-97]', async () => {
  const { _id: id } = await bank.customer();
  const freeze = (isFrozen: boolean, reason?: string) =>
    bank.call(adminApi.freeze, { token, params: { id }, body: { isFrozen, ...(reason && { reason }) } });
  await freeze(true, 'Card was stolen');
  expect(await one(id)).toMatchObject({
    state: 'frozen',
    frozenAt: expect.any(String),
    frozenBy: 'Ada Admin',
    frozenReason: 'Card was stolen',
  });
  await freeze(false);
  expect(await one(id)).not.toHaveProperty('frozenAt');
  const records = await history(id);
  expect(records.slice(0, 2)).toMatchObject([
    { action: 'customer.unfrozen', actorName: 'Ada Admin' },
    { action: 'customer.frozen', actorName: 'Ada Admin', reason: 'Card was stolen', details: '' },
  ]);
  expect(records.map(({ action }) => action)).not.toContain('customer.viewed');
});

test('the page about a customer shows a freeze by the customer with its time, and a freeze by the bank with the administrator [SD-01]', async () => {
  const { _id: id, token: own } = await bank.customer();
  await bank.call(limitsApi.freezeOwn, { token: own });
  const frozen = await one(id);
  expect(frozen).toMatchObject({ isFrozenByCustomer: true, frozenAt: expect.any(String) });
  expect(frozen).not.toHaveProperty('frozenBy');
  await bank.call(adminApi.freeze, { token, params: { id }, body: { isFrozen: true } });
  expect(await one(id)).toMatchObject({
    isFrozenByCustomer: true,
    isFrozenByStaff: true,
    frozenBy: 'Ada Admin',
  });
});

test('the page about a customer shows the money in savings goals and the customer’s own daily limit [ST-97]', async () => {
  const nora = await bank.customer({ dollars: 100 });
  expect(await one(nora._id)).not.toHaveProperty('inGoals');
  expect(await one(nora._id)).not.toHaveProperty('dailyOut');
  const { token: own } = nora;
  for (const amount of [30, 12]) {
    const goal = { name: `Goal of ${amount}`, picture: 'trip', target: 500 };
    const { body } = await bank.call(goalsApi.addGoal, { token: own, body: goal });
    const move = { direction: 'in', amount };
    await bank.call(goalsApi.moveGoal, { token: own, params: { id: body.data._id }, body: move });
  }
  await bank.call(limitsApi.setLimits, { token: own, body: { stepUpFrom: null, dailyOut: 250 } });
  expect(await one(nora._id)).toMatchObject({ balance: 58, inGoals: 42, dailyOut: 250 });
});

test('notes name their author, are audited, also when saved with a new name, and are erased with the customer [ST-98]', async () => {
  const { _id: id } = await bank.customer();
  const renamed = { lastName: 'Newname', reason: 'Marriage', note: 'Saw the certificate.' };
  await bank.call(adminCustomersApi.changeCustomer, { token, params: { id }, body: renamed });
  const text = 'Called about the card.\nWill send an ID.';
  const { status, body } = await bank.call(adminCustomersApi.addNote, {
    token,
    params: { id },
    body: { text },
  });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ text, authorName: 'Ada Admin' });
  const notes = await bank.call(adminCustomersApi.notes, { token, params: { id } });
  expect(notes.body.data).toMatchObject([{ text }, { text: renamed.note, authorName: 'Ada Admin' }]);
  const records = await bank.test.database.ownerPool.query(
    "SELECT FROM audit_log WHERE subject = $1 AND action = 'note.added'",
    [id],
  );
  expect(records.rowCount).toBe(2);
  await bank.call(adminApi.deleteUser, { token, params: { id } });
  const left = await bank.test.database.ownerPool.query('SELECT FROM customer_notes WHERE customer_id = $1', [
    id,
  ]);
  expect(left.rowCount).toBe(0);
});

test("support ends one of a customer's sessions or all of them [ST-98]", async () => {
  const { _id: id, email, token: first } = await bank.customer();
  const second = await bank.login(email);
  const listed = async () =>
    (await bank.call(adminCustomersApi.customerSessions, { token, params: { id } })).body.data;
  const { sessions, devices } = await listed();
  expect(sessions).toHaveLength(2);
  expect(devices).toHaveLength(1);
  const end = (body: object) =>
    bank.call(adminCustomersApi.endCustomerSessions, { token, params: { id }, body });
  const oldest = sessions.map(({ _id }) => _id).sort()[0];
  expect((await end({ sessionId: oldest })).status).toBe(200);
  expectRefusal(await end({ sessionId: oldest }), 'CONFLICT');
  expect((await bank.call(authApi.profile, { token: first })).status).toBe(401);
  expect((await bank.call(authApi.profile, { token: second })).status).toBe(200);
  expect((await end({})).status).toBe(200);
  expect((await bank.call(authApi.profile, { token: second })).status).toBe(401);
  expect((await listed()).sessions).toEqual([]);
});

test('the mails to a customer are listed without text; the mail about the approval can be sent again, a login code cannot [ST-99]', async () => {
  const { _id: id, email } = await bank.customer();
  const list = async () =>
    (await bank.call(adminCustomersApi.customerMails, { token, params: { id } })).body.data;
  const approved = await eventually(async () =>
    (await list()).find(({ subject }) => subject === 'Your account is approved'),
  );
  const code = (await list()).find(({ subject }) => subject === 'Your login code')!;
  expect(code).toMatchObject({ isSecurity: true, canResend: false });
  expect(JSON.stringify(await list())).not.toMatch(/\b\d{6}\b/);
  const resend = (mailId: string) =>
    bank.call(adminCustomersApi.resendMail, { token, params: { id }, body: { mailId } });
  expectRefusal(await resend(code._id), 'CONFLICT');
  expect((await resend(approved._id)).status).toBe(200);
  await mailed(email, 'Your account is approved', 2);
  const other = await bank.customer();
  const foreign = await bank.call(adminCustomersApi.resendMail, {
    token,
    params: { id: other._id },
    body: { mailId: approved._id },
  });
  expectRefusal(foreign, 'NOT_FOUND');
});

test('customers are filtered, sorted and found by phone number and street [ST-68]', async () => {
  const rich = await bank.customer({ dollars: 900, firstName: 'Rika' });
  const waiting = await bank.customer({ approved: false, firstName: 'Wanda' });
  const body = { phoneNumber: '9175550123', address: '77 Heron Quay', region: 'Vermont', zipCode: '05401' };
  await bank.call(settingsApi.updateContact, { token: rich.token, body });
  const list = async (query: Record<string, string | number>) => {
    const { data } = (await bank.call(adminCustomersApi.customers, { token, query })).body;
    return data.customers;
  };
  for (const search of [
    '(917) 555-0123',
    '5550123',
    'heron quay',
    'Rika heron',
    'Heron, Rika',
    rich.accountNumber,
  ])
    expect(
      (await list({ search })).map(({ _id }) => _id),
      search,
    ).toEqual([rich._id]);
  expect((await list({ state: 'pending', limit: 100 })).map(({ _id }) => _id)).toContain(waiting._id);
  expect((await list({ state: 'active', limit: 100 })).map(({ _id }) => _id)).not.toContain(waiting._id);
  expect((await list({ sort: 'balance' }))[0]).toMatchObject({
    _id: rich._id,
    balance: 900,
    state: 'active',
  });
  const balances = (await list({ sort: 'balance', direction: 'up', limit: 100 })).map(found => found.balance);
  expect(balances).toEqual([...balances].sort((a, b) => a - b));
  const names = (await list({ sort: 'name', limit: 100 })).map(
    found => `${found.lastName} ${found.firstName}`,
  );
  expect(names).toEqual([...names].sort());
  await bank.login(rich.email);
  expect((await list({ sort: 'last-login' }))[0]).toMatchObject({
    _id: rich._id,
    lastLoginAt: expect.any(String),
  });
  const logins = (await list({ sort: 'last-login', direction: 'up', limit: 100 })).map(
    found => found.lastLoginAt ?? '',
  );
  expect(logins).toEqual([...logins].sort());
  expect((await list({ sort: 'balance', state: 'pending', limit: 100 })).map(({ _id }) => _id)).toContain(
    waiting._id,
  );
  const pages = [
    await list({ sort: 'balance', limit: 1, page: 1 }),
    await list({ sort: 'balance', limit: 1, page: 2 }),
  ];
  expect(pages.flat().map(({ _id }) => _id)).toEqual(
    (await list({ sort: 'balance', limit: 2 })).map(({ _id }) => _id),
  );
  expect(await list({ startDate: '2099-01-01' })).toEqual([]);
});

test('a deposit is exported with its payer as sender and the customer as receiver, and coded as a payment from another bank [ST-69, RX-10]', async () => {
  const omar = await bank.customer({ firstName: 'Omar' });
  const paid = { amountCents: 81_50n, senderName: 'Hollow Pine Payroll', bankName: 'First Test Bank' };
  await deliverDeposit(bank.bank.parts, { ...paid, ref: 'export-1', accountNumber: omar.accountNumber });
  const save = async (path: string, as: string) =>
    (await fetch(`${bank.url}${path}`, { headers: { authorization: `Bearer ${as}` } })).text();
  const all = await save(`${adminCustomersApi.exportAllTransactions.path}?type=deposit`, token);
  expect(all).toContain(',deposit,completed,Hollow Pine Payroll,Omar Quist,First Test Bank,');
  const own = await save(`${transactionsApi.exportTransactions.path}?format=camt053`, omar.token);
  expect(own).toContain('<Fmly><Cd>RCDT</Cd><SubFmlyCd>DMCT</SubFmlyCd></Fmly>');
});

test('customers, transactions and the audit log are exported as CSV whose cells run no formula, and the exports are audited [ST-69]', async () => {
  const nora = await bank.customer({ firstName: '=SUM(1)' });
  const body = { userAccountNumber: nora.accountNumber, amount: 12.5, description: '=HYPERLINK("x")' };
  await bank.call(adminApi.credit, { token, body });
  const params = { id: nora._id };
  await bank.call(adminApi.freeze, { token, params, body: { isFrozen: true, reason: 'Lost\n=SUM(2)' } });
  const save = async (path: string) => {
    const answer = await fetch(`${bank.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="larkspur-[\w-]+\.csv"$/,
    );
    return (await answer.text()).split('\r\n');
  };
  const customers = await save(adminCustomersApi.exportCustomers.path);
  expect(customers.find(line => line.includes(nora.accountNumber))).toContain(`"'=SUM(1)"`);
  const transactions = await save(`${adminCustomersApi.exportAllTransactions.path}?type=admin-credit`);
  expect(transactions.at(-2)).toContain(`12.50,"'=HYPERLINK(""x"")"`);
  const { transactions: own } = (await bank.call(transactionsApi.listTransactions, { token: nora.token }))
    .body.data;
  expect(transactions.at(-2)).toContain(own[0]!._id);
  const audit = await save(adminCustomersApi.exportAudit.path);
  expect(audit.some(line => line.includes('customers.exported'))).toBe(true);
  expect(audit.some(line => line.includes("Lost\n'=SUM(2)"))).toBe(true);
  const ofSystem = await save(`${adminCustomersApi.exportAudit.path}?actorKind=system`);
  expect(ofSystem.some(line => line.includes('transactions.posted'))).toBe(true);
  expect(ofSystem.some(line => line.includes('customers.exported'))).toBe(false);
  const log = await bank.call(adminApi.auditLog, { token });
  expect(log.body.data.records.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['customers.exported', 'transactions.exported', 'audit.exported']),
  );
});
