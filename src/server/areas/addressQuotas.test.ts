/** Quotas per IP address in the running server: every declared quota is enforced, and each call that needs one declares it. */
import { createECDH, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { areas } from '#contract/api.ts';
import { authApi } from '#contract/auth.ts';
import { addressQuotas } from '#contract/constants.ts';
import { contactApi } from '#contract/contact.ts';
import type { Api, Endpoint } from '#contract/endpoint.ts';
import { Refusal } from '#contract/errors.ts';
import { adminFactorsApi, factorsApi } from '#contract/factors.ts';
import { goalsApi } from '#contract/goals.ts';
import { limitsApi } from '#contract/limits.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { payeesApi } from '#contract/payees.ts';
import { preferencesApi } from '#contract/preferences.ts';
import { pushApi } from '#contract/push.ts';
import { recordsApi } from '#contract/records.ts';
import { retainedApi } from '#contract/retained.ts';
import { scheduledApi } from '#contract/scheduled.ts';
import { settingsApi } from '#contract/settings.ts';
import { staffApi } from '#contract/staff.ts';
import { stepUpApi } from '#contract/stepUp.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { registerCustomer } from '#server/areas/registration.ts';
import { openRateLimit } from '#server/base/rateLimit.ts';
import { newId } from '#server/base/uuid.ts';
import { policyReportsPath } from '#server/http/policyReports.ts';
import { exportData } from '#server/jobs/exportData.ts';
import { createAdmin } from '#server/people/admins.ts';
import { makeFreezeToken } from '#server/people/freezeLink.ts';
import { makeRemovalToken } from '#server/people/removalToken.ts';
import { makeLinkToken } from '#server/people/staffLinks.ts';
import { appCode, createPasskey } from '../../../tests/authenticator.ts';
import { type CallOptions, customerPassword, registrationForm } from '../../../tests/call.ts';
import { sendRaw } from '../../../tests/rawRequest.ts';
import { adminLogin, eventually, openTestBank, type TestBank } from '../../../tests/server.ts';
import { stepUpCode, stepUpProof } from '../../../tests/stepUp.ts';

type Calls = (typeof areas)[keyof typeof areas];
/** The names of all calls that a visitor or a customer can make. */
type OpenCall<A extends Api = Calls> = A extends Api
  ? { [K in keyof A]: A[K]['access'] extends 'admin' ? never : K }[keyof A]
  : never;

const calls = Object.values(areas).flatMap(api => Object.entries(api) as [string, Endpoint][]);

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' });
  // The queue knows its tasks only after its runner has started.
  const task = await eventually(async () => {
    const { rows } = await bank.test.database.ownerPool.query<{ id: number }>(
      `SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'mail'`,
    );
    return rows[0];
  });
  // Counts every enqueued mail, even if it is sent and removed from the queue a moment later.
  await bank.test.database.ownerPool.query(`
    CREATE TABLE ordered (id bigint GENERATED ALWAYS AS IDENTITY);
    CREATE FUNCTION note_order() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      'BEGIN INSERT INTO public.ordered DEFAULT VALUES; RETURN NULL; END';
    CREATE TRIGGER note_order AFTER INSERT ON graphile_worker._private_jobs
      FOR EACH ROW WHEN (NEW.task_id = ${task.id}) EXECUTE FUNCTION note_order();
    CREATE TRIGGER note_order AFTER INSERT ON transfer_mails FOR EACH ROW EXECUTE FUNCTION note_order();`);
});
afterAll(() => bank.close());

async function countEnqueuedMails(): Promise<number> {
  const { rows } = await bank.test.database.ownerPool.query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM ordered',
  );
  return rows[0]!.n;
}

test.each(Object.entries(addressQuotas).filter(([name]) => name !== 'all'))(
  'the quota %s applies across all calls that declare it, even with percent-encoded paths',
  async (name, { times }) => {
    const declaring = calls.flatMap(([, { addressQuota, method, path }]) =>
      addressQuota === name ? [{ method, path: path as string }] : [],
    );
    if (name === 'reports') declaring.push({ method: 'POST', path: policyReportsPath });
    expect(declaring.length).toBeGreaterThan(0);
    const spelled = declaring.flatMap(({ method, path }) => [
      { method, url: path },
      { method, url: path.replace('/api', '/%61pi') },
      { method, url: `${path.slice(0, -1)}%${path.charCodeAt(path.length - 1).toString(16)}?x=/about` },
    ]);
    const ask = async ({ method, url }: (typeof spelled)[number], address = `198.51.100.${name.length}`) =>
      (await fetch(`${bank.url}${url}`, { method, headers: { 'x-forwarded-for': address } })).status;
    for (let n = 0; n < times; n++) expect(await ask(spelled[n % spelled.length]!)).not.toBe(429);
    for (const request of spelled) expect(await ask(request), request.url).toBe(429);
    expect(await ask(spelled[0]!, '203.0.113.9')).not.toBe(429);
  },
);

test.each(['cross-site', 'same-site'])(
  'a page of another site or port (%s) cannot call the API from a visitor’s browser or use up the visitor’s quota [C-97]',
  async site => {
    const from = { 'x-forwarded-for': `192.0.2.${site.length}` };
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const sent = { ...from, 'sec-fetch-site': site, ...headers };
      return (await fetch(`${bank.url}${path}`, { method: 'POST', headers: sent })).status;
    };
    for (let n = 0; n <= addressQuotas.contact.times; n++) expect(await ask('/%61pi/v1/contact')).toBe(403);
    expect(await ask('/api/v1/auth/register')).toBe(403);
    expect(await ask('/api/v1/contact', { 'sec-fetch-site': 'same-origin' })).toBe(400);
    const report = { 'content-type': 'application/csp-report' };
    expect(await ask(policyReportsPath, report)).toBe(403);
    expect(await ask(policyReportsPath, { ...report, 'sec-fetch-site': 'same-origin' })).toBe(204);
    const socket = ['Host: bank', 'Upgrade: websocket', 'Connection: Upgrade, close'];
    expect((await sendRaw(bank.url, ['GET /api/docs HTTP/1.1', ...socket])).status).toBe(403);
    // Navigations from another site: a link, the same link opened through the service worker, two frames, and a form.
    for (const [asked, target, status] of [
      ['GET /api/docs', 'document', 200],
      ['GET /api/docs', 'empty', 200],
      ['GET /api/docs', 'iframe', 403],
      ['GET /healthz', 'iframe', 200],
      ['POST /api/v1/contact', 'document', 403],
    ] as const) {
      const lines = [
        'Host: bank',
        `Sec-Fetch-Site: ${site}`,
        'Sec-Fetch-Mode: navigate',
        `Sec-Fetch-Dest: ${target}`,
        'Connection: close',
      ];
      const answer = await sendRaw(bank.url, [`${asked} HTTP/1.1`, ...lines]);
      expect(answer.status, `${asked} ${target}`).toBe(status);
    }
  },
);

test('a network that has stored too many bytes of pictures cannot register more people, but other networks can; the pictures of a registration that is refused as busy count too [RC-92]', async () => {
  const pictureBytes = openRateLimit({ times: 1, seconds: 60 });
  const { parts } = bank.bank;
  const register = async (address: string, more: Partial<typeof parts> = {}) => {
    const fields = registrationForm();
    const avatar = { bytes: Buffer.from(await (fields.get('avatar') as File).arrayBuffer()), filename: '' };
    const form = Object.fromEntries(fields) as never;
    return registerCustomer(
      { ...parts, ...more },
      { form, avatar, idCard: undefined, address, pictureBytes },
    );
  };
  const tooMany = { code: 'TOO_MANY' };
  await register('2001:db8::1');
  await expect(register('2001:db8:0:ff::2')).rejects.toMatchObject(tooMany);
  await register('192.0.2.9');
  const inTransaction = () => Promise.reject(new Refusal('BUSY', { waitTime: 2 }));
  const database = { ...parts.database, inTransaction };
  await expect(register('192.0.2.10', { database })).rejects.toMatchObject({ code: 'BUSY' });
  await expect(register('192.0.2.10')).rejects.toMatchObject(tooMany);
});

test('a call that needs no login declares an address quota', () => {
  const open = calls.filter(([, { access }]) => access === 'none');
  expect(open.length).toBeGreaterThan(0);
  expect(open.filter(([, { addressQuota }]) => !addressQuota).map(([name]) => name)).toEqual([]);
});

test('a call that checks a password or a code declares an address quota', () => {
  const checking = calls.filter(([, { body }]) =>
    Object.keys((body as { shape?: object } | undefined)?.shape ?? {}).some(field =>
      /password|passcode|otp|code$/i.test(field.replace('zipCode', '')),
    ),
  );
  expect(checking.map(([name]) => name)).toEqual(
    expect.arrayContaining(['initiateLogin', 'verifyCode', 'resetPassword', 'adminLogin', 'deleteAccount']),
  );
  expect(checking.filter(([, { addressQuota }]) => !addressQuota).map(([name]) => name)).toEqual([]);
});

/** A subscription at a real push service. Nothing is sent to it, because the tests cause no notification for this device. */
const pushDevice = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/sample',
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
  money: true,
  security: true,
  showsAmounts: false,
};

type Act = () => Promise<{ status: number }>;

/** For each call, a function that prepares the data and returns a request that succeeds. */
function samples(): { [Name in OpenCall]: () => Act | Promise<Act> } {
  const { call, form } = bank;
  const { database } = bank.bank.parts;
  const owner = (text: string) => bank.test.database.ownerPool.query(text);
  /** Lets a code of an authenticator app be used again. */
  const forgetSteps = () => owner('UPDATE authenticator_apps SET last_step = 0');
  /** Makes a customer with a session. A `loggedIn` customer also has a password. */
  const member = (dollars = 0) => bank.seeded({ cents: BigInt(dollars) * 100n });
  const loggedIn = () => bank.customer();
  const as = async (endpoint: Endpoint, asked: CallOptions = {}): Promise<Act> => {
    const { token } = await member();
    return () => call(endpoint, { token, ...asked });
  };
  const picture = () => {
    const body = new FormData();
    body.append('avatar', form().get('avatar') as Blob, 'me.webp');
    return { body };
  };
  const administrator = async () => {
    const wanted = { email: `${newId()}@bank.example`, name: 'Ada', password: 'a quiet river stone' };
    await createAdmin(bank.bank.parts, wanted);
    return wanted;
  };
  /** Fetches a picture or stream up to its first byte. */
  const open = (path: string, token: string) => async () => {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await fetch(`${bank.url}${path}`, { headers, signal: leaving.signal });
    leaving.abort();
    return { status };
  };
  const send = { amount: 1, description: '' };
  const otherBank = { bankName: 'First Harbor', accountName: 'Ines Caldeira', accountNumber: '12345678' };
  const savedPayee = async () => {
    const { token } = await member();
    const { body } = await call(payeesApi.addPayee, { token, body: { kind: 'external', ...otherBank } });
    return { token, id: body.data._id };
  };
  /** Makes a transfer that needs a step-up. Returns the sender and the id of the challenge. */
  const challenged = async () => {
    const [sender, receiver] = [await bank.customer({ dollars: 30_000 }), await member()];
    const body = { ...send, amount: 30_000, receiverAccountNumber: receiver.accountNumber };
    const asked = await call(transferApi.sendInternal, { token: sender.token, body });
    return { ...sender, id: asked.body.challenge!._id };
  };
  const rent = {
    kind: 'external',
    ...otherBank,
    amount: 1,
    startDate: '2099-01-31',
    frequency: 'monthly',
  };
  const savedSchedule = async () => {
    const { token, accountId } = await member();
    const { body } = await call(scheduledApi.addScheduled, { token, body: rent });
    return { token, accountId, id: body.data._id };
  };
  const trip = { name: 'Trip', picture: 'trip', target: 500 };
  const savedGoal = async () => {
    const { token } = await member(5);
    const { body } = await call(goalsApi.addGoal, { token, body: trip });
    return { token, id: body.data._id };
  };
  /** A customer with an authenticator app, and the app's secret. */
  const appOwner = async () => {
    const { token, email } = await loggedIn();
    const { secret } = (await call(factorsApi.startApp, { token })).body.data;
    await call(factorsApi.confirmApp, { token, body: { code: appCode(secret) } });
    await forgetSteps();
    return { token, email, secret };
  };
  const { publicUrl: origin } = bank.bank.parts;
  const createdPasskey = async (token: string) => {
    const { data } = (await call(factorsApi.passkeyOptions, { token })).body;
    const passkey = createPasskey(data, { origin });
    return { passkey, body: { credential: passkey.created, name: 'Phone' } };
  };
  const passkeyOwner = async () => {
    const { token, email } = await loggedIn();
    const { passkey, body } = await createdPasskey(token);
    const { _id } = (await call(factorsApi.addPasskey, { token, body })).body.data;
    return { token, email, passkey, id: _id };
  };
  return {
    async sendStepUpCode() {
      const { token, id } = await challenged();
      return () => call(stepUpApi.sendStepUpCode, { token, params: { id } });
    },
    async stepUpPasskeyOptions() {
      const { token, id } = await challenged();
      return () => call(stepUpApi.stepUpPasskeyOptions, { token, params: { id } });
    },
    async verifyStepUp() {
      const customer = await challenged();
      const code = await stepUpCode(bank, customer, customer.id);
      const body = { method: 'email', code };
      return () => call(stepUpApi.verifyStepUp, { token: customer.token, params: { id: customer.id }, body });
    },
    limits: () => as(limitsApi.limits),
    dailyLimit: () => as(limitsApi.dailyLimit),
    retention: () => as(retainedApi.retention),
    setLimits: () => as(limitsApi.setLimits, { body: { stepUpFrom: 500, dailyOut: null } }),
    preferences: () => as(preferencesApi.preferences),
    async setPreferences() {
      const { token } = await member();
      const body = (await call(preferencesApi.preferences, { token })).body.data;
      return () => call(preferencesApi.setPreferences, { token, body });
    },
    freezeState: () => as(limitsApi.freezeState),
    freezeOwn: () => as(limitsApi.freezeOwn),
    async unfreezeOwn() {
      const { token, email } = await loggedIn();
      await call(limitsApi.freezeOwn, { token });
      const asked = await call(limitsApi.unfreezeOwn, { token });
      const proof = await stepUpProof(bank, { token, email }, asked.body.challenge!._id);
      return () => call(limitsApi.unfreezeOwn, { token, headers: { 'step-up': proof } });
    },
    async cancelTransaction() {
      const { token } = await member(5);
      const sent = await call(transferApi.sendExternal, { token, body: { ...send, ...otherBank } });
      return () => call(limitsApi.cancelTransaction, { token, params: { id: sent.body.data._id } });
    },
    async freezeByLink() {
      const { _id: customerId, email } = await loggedIn();
      const token = makeFreezeToken({ customerId, email }, bank.bank.parts.secrets.codeKey);
      return () => call(limitsApi.freezeByLink, { body: { token } });
    },
    app: () => as(factorsApi.app),
    startApp: async () => {
      const { token } = await loggedIn();
      return () => call(factorsApi.startApp, { token });
    },
    async confirmApp() {
      const { token } = await loggedIn();
      const { secret } = (await call(factorsApi.startApp, { token })).body.data;
      return () => call(factorsApi.confirmApp, { token, body: { code: appCode(secret) } });
    },
    async removeApp() {
      const { token, secret, email } = await appOwner();
      const body = { password: customerPassword, code: appCode(secret) };
      const asked = await call(factorsApi.removeApp, { token, body });
      const proof = await stepUpProof(bank, { token, email }, asked.body.challenge!._id);
      return () => call(factorsApi.removeApp, { token, body, headers: { 'step-up': proof } });
    },
    async renewRecoveryCodes() {
      const { token, secret } = await appOwner();
      return () => call(factorsApi.renewRecoveryCodes, { token, body: { code: appCode(secret) } });
    },
    passkeys: () => as(factorsApi.passkeys),
    async passkeyOptions() {
      const { token } = await loggedIn();
      return () => call(factorsApi.passkeyOptions, { token });
    },
    async addPasskey() {
      const { token } = await loggedIn();
      const { body } = await createdPasskey(token);
      return () => call(factorsApi.addPasskey, { token, body });
    },
    async removePasskey() {
      const { token, email, id } = await passkeyOwner();
      const asked = await call(factorsApi.removePasskey, { token, params: { id } });
      const proof = await stepUpProof(bank, { token, email }, asked.body.challenge!._id);
      const headers = { 'step-up': proof };
      return () => call(factorsApi.removePasskey, { token, params: { id }, headers });
    },
    passkeyLoginOptions: () => () => call(authApi.passkeyLoginOptions, {}),
    async passkeyLogin() {
      const { passkey } = await passkeyOwner();
      const { data } = (await call(authApi.passkeyLoginOptions, {})).body;
      await owner(`UPDATE sessions SET device = 'another device'`);
      return () => call(authApi.passkeyLogin, { body: { credential: passkey.use(data, { origin }) } });
    },
    async adminLoginSecond() {
      const { email, password } = await administrator();
      const token = (await call(adminApi.adminLogin, { body: { email, password } })).body.data.token;
      const { secret } = (await call(adminFactorsApi.adminStartApp, { token })).body.data;
      await call(adminFactorsApi.adminConfirmApp, { token, body: { code: appCode(secret) } });
      await forgetSteps();
      const refused = await call(adminApi.adminLogin, { body: { email, password } });
      const { ticket } = refused.body as unknown as { ticket: string };
      return () => call(adminApi.adminLoginSecond, { body: { ticket, code: appCode(secret) } });
    },
    adminPasskeyLoginOptions: () => () => call(adminApi.adminPasskeyLoginOptions, {}),
    async adminPasskeyLogin() {
      const { email, password } = await administrator();
      const token = (await call(adminApi.adminLogin, { body: { email, password } })).body.data.token;
      const options = (await call(adminFactorsApi.adminPasskeyOptions, { token })).body.data;
      const passkey = createPasskey(options, { origin });
      const body = { credential: passkey.created, name: 'Key' };
      await call(adminFactorsApi.adminAddPasskey, { token, body });
      const { data } = (await call(adminApi.adminPasskeyLoginOptions, {})).body;
      return () => call(adminApi.adminPasskeyLogin, { body: { credential: passkey.use(data, { origin }) } });
    },
    register: () => () => call(authApi.register, { body: form() }),
    async removeRegistration() {
      const { _id } = (await call(authApi.register, { body: form() })).body.data;
      const token = makeRemovalToken(_id, bank.bank.parts.secrets.codeKey);
      return () => call(authApi.removeRegistration, { body: { token } });
    },
    async initiateLogin() {
      const { email } = await loggedIn();
      return () => call(authApi.initiateLogin, { body: { email, password: customerPassword } });
    },
    async verifyCode() {
      const { email } = await loggedIn();
      await call(authApi.initiateLogin, { body: { email, password: customerPassword } });
      const otp = await bank.mailedCode(email, 1);
      // Makes the next login come from a new device.
      await owner(`UPDATE sessions SET device = 'another device'`);
      return () => call(authApi.verifyCode, { body: { email, otp } });
    },
    async resendCode() {
      const { email } = await loggedIn();
      await call(authApi.initiateLogin, { body: { email, password: customerPassword } });
      await owner(`UPDATE address_attempts SET codes_requested_at = '{}'`);
      return () => call(authApi.resendCode, { body: { email } });
    },
    profile: () => as(authApi.profile),
    logout: () => as(authApi.logout),
    reportActivity: () => as(authApi.reportActivity),
    async forgotPassword() {
      const { email } = await loggedIn();
      return () => call(authApi.forgotPassword, { body: { email } });
    },
    async resetPassword() {
      const { email } = await loggedIn();
      await call(authApi.forgotPassword, { body: { email } });
      const otp = await bank.mailedCode(email, 1);
      return () => call(authApi.resetPassword, { body: { email, otp, newPassword: '57921480' } });
    },
    async changePassword() {
      const { token } = await loggedIn();
      const body = { currentPassword: customerPassword, newPassword: '57921480' };
      return () => call(settingsApi.changePassword, { token, body });
    },
    adminLogin: () => () => call(adminApi.adminLogin, { body: adminLogin }),
    async setAdminPassword() {
      const token = await bank.adminToken();
      const email = `invited-${newId()}@bank.example`;
      const member = { email, name: 'Iva', role: 'viewer' };
      const invited = await call(staffApi.inviteMember, { token, body: member });
      const [id] = 'email' in invited.body.data ? [invited.body.data._id] : [];
      const { rows } = await owner(`SELECT id FROM admin_links WHERE admin_id = '${id}'`);
      const link = makeLinkToken(rows[0].id, bank.bank.parts.secrets.codeKey);
      const body = { token: link, password: 'a quiet river stone' };
      return () => call(staffApi.setAdminPassword, { body });
    },
    updateContact: () =>
      as(settingsApi.updateContact, {
        body: { phoneNumber: '2125550199', address: '5 Meadow Row', region: 'Vermont', zipCode: '05401' },
      }),
    identity: () => as(settingsApi.identity),
    updateIdentity: () =>
      as(settingsApi.updateIdentity, { body: { dateOfBirth: '1990-04-12', city: 'Burlington' } }),
    async deleteAccount() {
      const { token } = await loggedIn();
      return () => call(settingsApi.deleteAccount, { token, body: { password: customerPassword } });
    },
    async ownIdCard() {
      const { token } = await member();
      await call(settingsApi.uploadIdCard, { token, ...picture() });
      return open(settingsApi.ownIdCard.path, token);
    },
    uploadAvatar: () => as(settingsApi.uploadAvatar, picture()),
    uploadIdCard: () => as(settingsApi.uploadIdCard, picture()),
    listSessions: () => as(settingsApi.listSessions),
    async endSession() {
      const { token, sessionId } = await member();
      return () => call(settingsApi.endSession, { token, params: { id: sessionId } });
    },
    endOtherSessions: () => as(settingsApi.endOtherSessions),
    listTransactions: () => as(transactionsApi.listTransactions),
    async transaction() {
      const { token } = await member(5);
      const { transactions } = (await call(transactionsApi.listTransactions, { token })).body.data;
      return () => call(transactionsApi.transaction, { token, params: { id: transactions[0]!._id } });
    },
    balance: () => as(transactionsApi.balance),
    exportTransactions: async () =>
      open(`${transactionsApi.exportTransactions.path}?format=csv`, (await member()).token),
    statements: () => as(recordsApi.statements),
    async statement() {
      const { token } = await member();
      const [statement] = (await call(recordsApi.statements, { token })).body.data;
      return open(recordsApi.statement.path.replace('{month}', statement!._id), token);
    },
    async receipt() {
      const { token } = await member(5);
      const { transactions } = (await call(transactionsApi.listTransactions, { token })).body.data;
      return open(recordsApi.receipt.path.replace('{id}', transactions[0]!._id), token);
    },
    exportJobs: () => as(recordsApi.exportJobs),
    requestExport: () => as(recordsApi.requestExport),
    async exportFile() {
      const { token } = await member();
      const { _id } = (await call(recordsApi.requestExport, { token })).body.data;
      await eventually(async () => {
        await exportData(bank.bank.parts, { exportId: _id });
        return (await call(recordsApi.exportJobs, { token })).body.data[0]!.isReady || undefined;
      });
      return open(recordsApi.exportFile.path.replace('{id}', _id), token);
    },
    everything: async () => open(recordsApi.everything.path, (await member()).token),
    outlook: () => as(transactionsApi.outlook),
    months: () => as(transactionsApi.months),
    monthTotals: () => as(transactionsApi.monthTotals),
    async sendInternal() {
      const [{ token }, receiver] = [await member(5), await member()];
      const body = { ...send, receiverAccountNumber: receiver.accountNumber };
      return () => call(transferApi.sendInternal, { token, body });
    },
    async sendExternal() {
      const { token } = await member(5);
      return () => call(transferApi.sendExternal, { token, body: { ...send, ...otherBank } });
    },
    async verifyAccount() {
      const { accountNumber } = await member();
      return await as(transferApi.verifyAccount, { params: { accountNumber } });
    },
    listPayees: () => as(payeesApi.listPayees),
    addPayee: () => as(payeesApi.addPayee, { body: { kind: 'external', ...otherBank } }),
    async renamePayee() {
      const { token, id } = await savedPayee();
      return () => call(payeesApi.renamePayee, { token, params: { id }, body: { nickname: 'Rent' } });
    },
    async removePayee() {
      const { token, id } = await savedPayee();
      return () => call(payeesApi.removePayee, { token, params: { id } });
    },
    listPushDevices: () => as(pushApi.listPushDevices),
    addPushDevice: () => as(pushApi.addPushDevice, { body: pushDevice }),
    async removePushDevice() {
      const { token } = await member();
      const { body } = await call(pushApi.addPushDevice, { token, body: pushDevice });
      return () => call(pushApi.removePushDevice, { token, params: { id: body.data!._id } });
    },
    listScheduled: () => as(scheduledApi.listScheduled),
    addScheduled: () => as(scheduledApi.addScheduled, { body: rent }),
    async changeScheduled() {
      const { token, id } = await savedSchedule();
      return () => call(scheduledApi.changeScheduled, { token, params: { id }, body: { amount: 2 } });
    },
    async skipScheduled() {
      const { token, id } = await savedSchedule();
      return () => call(scheduledApi.skipScheduled, { token, params: { id } });
    },
    async removeScheduled() {
      const { token, id } = await savedSchedule();
      return () => call(scheduledApi.removeScheduled, { token, params: { id } });
    },
    async decideMissed() {
      const { token, id, accountId } = await savedSchedule();
      const date = '2026-01-05';
      await database.ownerPool.query(
        `INSERT INTO scheduled_runs (schedule_id, date, account_id, result, amount, notification_id)
         VALUES ($1, $2, $3, 'missed', 100, $1)`,
        [id, date, accountId],
      );
      return () => call(scheduledApi.decideMissed, { token, params: { id }, body: { date, isSent: false } });
    },
    listGoals: () => as(goalsApi.listGoals),
    addGoal: () => as(goalsApi.addGoal, { body: trip }),
    async changeGoal() {
      const { token, id } = await savedGoal();
      return () => call(goalsApi.changeGoal, { token, params: { id }, body: { target: 2 } });
    },
    async moveGoal() {
      const { token, id } = await savedGoal();
      return () => call(goalsApi.moveGoal, { token, params: { id }, body: { amount: 1, direction: 'in' } });
    },
    async goalMovements() {
      const { token, id } = await savedGoal();
      return () => call(goalsApi.goalMovements, { token, params: { id } });
    },
    async removeGoal() {
      const { token, id } = await savedGoal();
      return () => call(goalsApi.removeGoal, { token, params: { id } });
    },
    listNotifications: () => as(notificationsApi.listNotifications),
    async readNotification() {
      const { token } = await member(5);
      const { notifications } = (await call(notificationsApi.listNotifications, { token })).body.data;
      return () => call(notificationsApi.readNotification, { token, params: { id: notifications[0]!._id } });
    },
    readNotifications: () => as(notificationsApi.readNotifications),
    live: async () => open(notificationsApi.live.path, (await member()).token),
    sendMessage: () => () =>
      call(contactApi.sendMessage, {
        body: { name: 'Nora Quist', email: 'nora@quist.example', subject: 'A question', message: 'How?' },
      }),
  };
}

/**
 * Transfer mails are limited by the sender's balance and, per receiver, by `mailedPayments`. Each cancellation needs a payment,
 * and its mail goes to the customer who canceled.
 */
const limitedByMoney: readonly string[] = [
  'sendInternal',
  'sendExternal',
  'cancelTransaction',
] satisfies OpenCall[];

test('a call of a visitor or a customer that sends a mail declares a quota, except a transfer or its cancellation', async () => {
  const sending: string[] = [];
  for (const [name, prepare] of Object.entries(samples())) {
    const act = await prepare();
    const before = await countEnqueuedMails();
    expect(Math.floor((await act()).status / 100), `${name} succeeds`).toBe(2);
    if ((await countEnqueuedMails()) > before) sending.push(name);
  }
  expect(sending).toEqual(
    expect.arrayContaining([
      'register',
      'verifyCode',
      'forgotPassword',
      'updateContact',
      'addPayee',
      'addScheduled',
      'sendMessage',
      'sendInternal',
    ]),
  );
  const byName = new Map(calls);
  const isLimited = (name: string) => {
    const { addressQuota, quota, access } = byName.get(name)!;
    return addressQuota ?? (access === 'customer' ? quota : undefined);
  };
  expect(sending.filter(name => !isLimited(name) && !limitedByMoney.includes(name))).toEqual([]);
});

test('all networks of one IPv6 /48 together can send as many messages as ten addresses', async () => {
  const send = async (address: string) => {
    const headers = { 'x-forwarded-for': address };
    return (await fetch(bank.url + contactApi.sendMessage.path, { method: 'POST', headers })).status;
  };
  for (let n = 0; n < addressQuotas.contact.times * 10; n++)
    expect(await send(`2001:db8:4848:${n}::1`)).not.toBe(429);
  expect(await send('2001:db8:4848:ffff::1')).toBe(429);
  expect(await send('2001:db8:4849:ffff::1')).not.toBe(429);
});

test('a request counts against its quota, and is refused beyond it, before its body is read', async () => {
  const { hostname, port } = new URL(bank.url);
  const { path } = contactApi.sendMessage;
  /** Sends only the headers of a request and returns the status line. */
  const sendHeaders = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.once('error', reject).once('data', data => {
        resolve(data.toString().slice(0, 12));
        socket.destroy();
      });
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.200\r\nContent-Type: image/png\r\nContent-Length: 9000\r\n\r\n`,
      );
    });
  for (let n = 0; n < addressQuotas.contact.times; n++) expect(await sendHeaders()).toBe('HTTP/1.1 415');
  expect(await sendHeaders()).toBe('HTTP/1.1 429');
});

test('a visitor who registers from very many networks of one IPv6 /48 does not make the bank refuse others', async () => {
  const side = { width: 4000, height: 4000 };
  const slow = await sharp({ create: { ...side, channels: 3, background: '#5a57d1' } })
    .png()
    .toBuffer();
  const register = async (address: string, picture?: Buffer<ArrayBuffer>) => {
    const body = registrationForm();
    if (picture) body.set('avatar', new Blob([picture], { type: 'image/png' }), 'me.png');
    const headers = { 'x-forwarded-for': address };
    return (await bank.call(authApi.register, { body, headers })).status;
  };
  const answers = Array.from({ length: 60 }, (_, n) => register(`2001:db8:48:${n}::1`, slow));
  // From the first refusal on, the queue for decoding pictures is full.
  await Promise.race(answers.map(async answer => (await answer) === 503 || new Promise(() => {})));
  expect(await register('203.0.113.9')).toBe(201);
  await Promise.all(answers);
});
