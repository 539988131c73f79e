/** Closing accounts over HTTP, by customers and administrators: the money, the person, the races. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import { bank as bankDetails } from '#contract/constants.ts';
import { contactApi } from '#contract/contact.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { settingsApi } from '#contract/settings.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { purgeTraces } from '#server/people/expiry.ts';
import { customerPassword, summarize } from '../../../tests/call.ts';
import { holdLocks } from '../../../tests/holdLocks.ts';
import { eventually, openTestBank, type TestBank, type TestCustomer } from '../../../tests/server.ts';
import { submitPayment } from '../jobs/payments.ts';
import { closeCustomer } from './closing.ts';

let bank: TestBank;
let token: string;
beforeAll(async () => {
  bank = await openTestBank();
  token = await bank.adminToken();
});
afterAll(async () => {
  const { sealKey } = bank.bank.parts.secrets;
  expect((await verifyBooks(reader(), { sealKey })).faults).toEqual([]);
  await bank.close();
});

const reader = () => bank.test.database.reader;
const closeOwn = (own: string, password = customerPassword) =>
  bank.call(settingsApi.deleteAccount, { token: own, body: { password } });
const closeAsAdmin = ({ _id }: { _id: string }) =>
  bank.call(adminApi.deleteUser, { token, params: { id: _id } });
const send = (from: TestCustomer, to: { accountNumber: string }, amount: number) =>
  bank.call(transferApi.sendInternal, {
    token: from.token,
    body: { receiverAccountNumber: to.accountNumber, amount, description: '' },
  });
const sendOutside = (from: TestCustomer, amount: number) =>
  bank.call(transferApi.sendExternal, {
    token: from.token,
    body: {
      bankName: 'Citibank',
      accountName: 'Ines Caldeira',
      accountNumber: '12345678',
      amount,
      description: '',
    },
  });
const decide = (id: string, isSettled: boolean) =>
  bank.test.database.ownerPool.query('SELECT decide_external_transfer($1, $2, $3)', [
    id,
    isSettled,
    isSettled ? null : 'x',
  ]);
const profile = (own: string) => bank.call(authApi.profile, { token: own });
const unclaimed = async () =>
  (await sql<{ b: bigint }>`SELECT balance AS b FROM ledger_accounts WHERE id = 3`.execute(reader())).rows[0]!
    .b;

/**
 * Every row of every table, and of PostgreSQL's statistics, that contains this text, ignoring case, as `table: row`. Byte
 * columns are searched for the text in UTF-8. Reads with the owner's privileges.
 */
async function traces(text: string): Promise<string[]> {
  const owner = bank.test.database.ownerPool;
  const tables = await owner.query<{ name: string }>(`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
     UNION ALL SELECT 'pg_stats'`);
  const hex = Buffer.from(text).toString('hex');
  const found = await Promise.all(
    tables.rows.map(({ name }) =>
      owner.query<{ row: string }>(
        `SELECT t::text AS row FROM ${name} t
          WHERE strpos(lower(t::text), lower($1)) > 0 OR strpos(t::text, $2) > 0`,
        [text, hex],
      ),
    ),
  );
  return found.flatMap(({ rows }, i) => rows.map(({ row }) => `${tables.rows[i]!.name}: ${row}`));
}

/**
 * Delays every new job, as if the mail server were down. Returns a function that releases them and waits until all are done.
 */
async function holdJobs(): Promise<() => Promise<void>> {
  const owner = bank.test.database.ownerPool;
  await owner.query(`
    CREATE FUNCTION hold_job() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.run_at := now() + interval '1 hour'; RETURN NEW; END $$;
    CREATE TRIGGER hold_job BEFORE INSERT ON graphile_worker._private_jobs
      FOR EACH ROW EXECUTE FUNCTION hold_job()`);
  return async () => {
    await owner.query(`
      DROP FUNCTION hold_job CASCADE;
      UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL`);
    await eventually(async () => {
      const left = await owner.query('SELECT FROM graphile_worker._private_jobs');
      return left.rowCount === 0 ? true : undefined;
    });
  };
}

test('a customer closes an empty account with the password, and every session ends immediately [C-61, OK-08, AC-13, ST-23, V-21]', async () => {
  const nora = await bank.customer();
  const phone = await bank.login(nora.email);
  expect((await closeOwn(nora.token)).body).toEqual({
    success: true,
    message: 'Account deleted successfully',
  });
  for (const own of [nora.token, phone])
    expect(summarize(await profile(own))).toMatchObject({ status: 401, code: 'NOT_AUTHORIZED' });
  const body = { email: nora.email, password: customerPassword };
  expect(summarize(await bank.call(authApi.initiateLogin, { body }))).toMatchObject({
    status: 401,
    code: 'BAD_CREDENTIALS',
  });
  expect((await bank.call(adminApi.user, { token, params: { id: nora._id } })).status).toBe(404);
  const mail = await eventually(() =>
    bank.bank.parts.inbox!.list(nora.email).find(one => one.subject === 'Your account is closed'),
  );
  expect(mail.text).toContain('Nora');
});

test('the password must be correct, and a wrong one counts toward the lock [C-84, AC-13]', async () => {
  const nora = await bank.customer();
  for (let i = 0; i < 5; i++) {
    expect(summarize(await closeOwn(nora.token, '00000000'))).toEqual({
      status: 400,
      code: 'BAD_PASSWORD',
      message: 'Password is incorrect',
    });
  }
  expect((await closeOwn(nora.token)).body.code).toBe('BAD_PASSWORD');
  expect((await bank.call(settingsApi.deleteAccount, { token: nora.token })).status).toBe(400);
  expect((await profile(nora.token)).status).toBe(200);
});

test('a customer who presses the button several times closes the account once, and no press is recorded as a wrong password [AC-13]', async () => {
  const nora = await bank.customer();
  const answers = await Promise.all(Array.from({ length: 6 }, () => closeOwn(nora.token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const wrong = await sql`
    SELECT FROM audit_log WHERE action = 'password.wrong' AND subject = ${nora._id}`.execute(reader());
  expect(wrong.rows).toEqual([]);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
});

test('if the password changes while the customer closes the account, the former password is refused', async () => {
  const nora = await bank.customer();
  const closer = {
    owner: { passwordHash: Buffer.from('the previous hash') },
    sessionId: crypto.randomUUID(),
  };
  await expect(
    closeCustomer(bank.bank.parts, { customerId: nora._id, closer, address: '::1' }),
  ).rejects.toMatchObject({ code: 'BAD_PASSWORD', message: 'Password is incorrect' });
  expect((await profile(nora.token)).status).toBe(200);
});

test('an account with a balance or a pending payment cannot be closed by its owner [C-34, C-87, AC-14, AC-15, S-10, S-11]', async () => {
  const nora = await bank.customer({ dollars: 25 });
  expect(summarize(await closeOwn(nora.token))).toEqual({
    status: 409,
    code: 'CONFLICT',
    message: 'Balance must be zero before you delete your account',
  });
  const { _id } = (await sendOutside(nora, 25)).body.data;
  expect(summarize(await closeOwn(nora.token))).toEqual({
    status: 409,
    code: 'CONFLICT',
    message: 'Pending transactions must be completed before you delete your account',
  });
  await decide(_id, true);
  expect((await closeOwn(nora.token)).status).toBe(200);
});

test('a frozen customer cannot close the account, but an administrator can [AC-11, AC-16]', async () => {
  const nora = await bank.customer();
  await bank.call(adminApi.freeze, { token, params: { id: nora._id }, body: { isFrozen: true } });
  expect(summarize(await closeOwn(nora.token))).toMatchObject({ status: 403, code: 'ACCOUNT_FROZEN' });
  expect((await closeAsAdmin(nora)).body).toEqual({
    success: true,
    message: 'User has been successfully deleted',
  });
});

test('an administrator closes an account with a balance: the balance becomes unclaimed, and the statistics stay the same [C-74, OK-11, AC-16, AC-17, A-42]', async () => {
  const nora = await bank.customer({ dollars: 80 });
  const before = await unclaimed();
  const stats = async () => (await bank.call(adminApi.adminStats, { token })).body.data;
  const was = await stats();
  const users = async () => (await bank.call(adminApi.users, { token })).body.data.totalUsers;
  const usersBefore = await users();
  expect((await closeAsAdmin(nora)).status).toBe(200);
  expect(await unclaimed()).toBe(before + 8_000n);
  // The sweep is not a customer's transaction, so the statistics leave it out.
  expect(await stats()).toEqual(was);
  expect(await users()).toBe(usersBefore - 1);
  const [swept] = (await bank.call(adminApi.adminTransactions, { token })).body.data.transactions;
  expect(swept).toMatchObject({
    type: 'transfer',
    status: 'completed',
    amount: 80,
    sender: { _id: nora._id, firstName: 'Closed account', lastName: '' },
    description: 'Remaining balance of a closed account',
  });
  expect(swept).not.toHaveProperty('receiver');
  expect(summarize(await closeAsAdmin(nora))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const records = await sql<{ action: string }>`
    SELECT action FROM audit_log WHERE action IN ('balance.swept', 'customer.deleted') AND subject IN (${nora._id}, ${swept!._id})
     ORDER BY id`.execute(reader());
  expect(records.rows.map(row => row.action)).toEqual(['balance.swept', 'customer.deleted']);
});

test('an administrator can close an account with a pending payment; if it is returned, the money becomes unclaimed [AC-16, AC-24]', async () => {
  const nora = await bank.customer({ dollars: 40 });
  const { _id } = (await sendOutside(nora, 40)).body.data;
  const before = await unclaimed();
  expect((await closeAsAdmin(nora)).status).toBe(200);
  expect(await unclaimed()).toBe(before);
  await decide(_id, false);
  expect(await unclaimed()).toBe(before + 4_000n);
});

test('if an administrator closes a frozen account, a payment that the freeze holds does not leave the bank [BR-42, AC-16]', async () => {
  const nora = await bank.customer({ dollars: 40 });
  const { _id } = (await sendOutside(nora, 40)).body.data;
  const before = await unclaimed();
  await bank.call(adminApi.freeze, { token, params: { id: nora._id }, body: { isFrozen: true } });
  expect((await closeAsAdmin(nora)).status).toBe(200);
  await submitPayment(bank.bank.parts, { transactionId: _id });
  expect(await unclaimed()).toBe(before + 4_000n);
  const { data } = (await bank.call(adminApi.adminTransaction, { token, params: { id: _id } })).body;
  expect(data).toMatchObject({ status: 'failed', externalBankDetails: { accountName: 'Name erased' } });
});

test('no table or file contains an erased person, and lists show "Closed account" [AC-18, AC-19, AC-25]', async () => {
  const person = {
    firstName: 'Perpetua',
    middleName: 'Zinnia',
    lastName: 'Quillfeather',
    address: '77 Vanishing Point',
    region: 'Oblivia',
    zipCode: 'ZX99Q',
    phoneNumber: '7775550133',
    email: 'perpetua@quillfeather.example',
  };
  const form = bank.form(person);
  form.append('idCard', form.get('avatar') as File, 'perpetuas-passport.webp');
  const ben = await bank.customer({ dollars: 10 });
  const filesBefore = bank.pictures();
  const _id = (await bank.call(authApi.register, { body: form })).body.data._id;
  await bank.call(adminApi.approve, { token, params: { id: _id } });
  const own = await bank.login(person.email);
  const { accountNumber } = (await profile(own)).body.data;
  await send(ben, { accountNumber }, 3);
  const releaseJobs = await holdJobs();
  await bank.call(contactApi.sendMessage, {
    body: { name: 'Perpetua', email: person.email, subject: 'Hello', message: 'It is me' },
  });
  expect(bank.pictures()).toHaveLength(filesBefore.length + 2);
  for (const text of Object.values(person)) expect(await traces(text), text).not.toEqual([]);
  expect((await closeAsAdmin({ _id })).status).toBe(200);
  const texts = [...Object.values(person), 'It is me', 'passport'];
  for (const text of texts) expect(await traces(text), text).toEqual([]);
  await releaseJobs();
  await eventually(() =>
    bank.bank.parts.inbox!.list(person.email).find(one => one.subject === 'Your account is closed'),
  );
  expect(bank.bank.parts.inbox!.list(bankDetails.supportEmail)).toEqual([]);
  expect(bank.pictures().sort()).toEqual(filesBefore.sort());
  for (const table of ['credentials', 'codes', 'sessions'])
    expect(
      (await sql`SELECT FROM ${sql.table(table)} WHERE person_id = ${_id}`.execute(reader())).rows,
      table,
    ).toEqual([]);
  const [bens] = (await bank.call(transactionsApi.listTransactions, { token: ben.token })).body.data
    .transactions;
  expect(bens!.receiver).toEqual({ _id, firstName: 'Closed account', lastName: '' });
  const to = { params: { accountNumber }, token: ben.token };
  expect((await bank.call(transferApi.verifyAccount, to)).status).toBe(404);
  expect(summarize(await send(ben, { accountNumber }, 1))).toMatchObject({
    status: 404,
    message: 'Account not found',
  });
});

test('the names of external receivers are erased with the sender, once no pending payment needs them', async () => {
  const [nora, ben] = [await bank.customer({ dollars: 40 }), await bank.customer({ dollars: 40 })];
  const sendTo = (from: TestCustomer, accountName: string) => {
    const body = {
      bankName: 'Citibank',
      accountName,
      accountNumber: '87654321',
      amount: 10,
      description: '',
    };
    return bank.call(transferApi.sendExternal, { token: from.token, body });
  };
  const settled = (await sendTo(nora, 'Nora Weatherby')).body.data._id;
  const pending = (await sendTo(nora, 'Nora Weatherby')).body.data._id;
  const bens = (await sendTo(ben, 'Ben Oddfellow')).body.data._id;
  await decide(settled, true);
  expect(await traces('Weatherby')).toHaveLength(2);
  expect((await closeAsAdmin(nora)).status).toBe(200);
  const tracesLeft = (count: number) =>
    eventually(async () => ((await traces('Weatherby')).length === count ? true : undefined));
  await tracesLeft(1);
  const owner = bank.test.database.ownerPool;
  await owner.query('ANALYZE external_transfers');
  await eventually(async () => {
    const open = await owner.query(
      'SELECT FROM customers WHERE deleted_at IS NOT NULL AND erased_at IS NULL',
    );
    return open.rowCount === 0 ? true : undefined;
  });
  await decide(pending, false);
  expect((await traces('Weatherby')).join()).toMatch(/^pg_stats/);
  await owner.query(
    "UPDATE customers SET erased_at = now() - interval '8 days' WHERE deleted_at IS NOT NULL",
  );
  await purgeTraces(bank.test.database);
  expect(await traces('Weatherby')).toEqual([]);
  await decide(bens, true);
  expect(await traces('Oddfellow')).toHaveLength(1);
  const listed = await bank.call(adminApi.adminTransactions, { token, query: { limit: 100 } });
  const shown = listed.body.data.transactions.filter(({ _id }) => _id === settled || _id === pending);
  expect(shown.map(({ externalBankDetails }) => externalBankDetails)).toEqual(
    Array(2).fill({ bankName: 'Citibank', accountName: 'Name erased', accountNumber: '87654321' }),
  );
});

test("PostgreSQL's statistics about an erased person are purged by the next clean-up that finds the tables unlocked", async () => {
  const person = { firstName: 'Ottoline', lastName: 'Brackwater', email: 'ottoline@brackwater.example' };
  const form = bank.form(person);
  const _id = (await bank.call(authApi.register, { body: form })).body.data._id;
  const owner = bank.test.database.ownerPool;
  await owner.query('ANALYZE');
  expect((await traces('Brackwater')).join()).toContain('pg_stats');
  expect((await closeAsAdmin({ _id })).status).toBe(200);
  const sampled = async () => (await traces('Brackwater')).filter(row => row.startsWith('pg_stats'));
  expect(await sampled()).not.toEqual([]);
  const lockHolder = await holdLocks(owner, 'LOCK TABLE customers IN SHARE UPDATE EXCLUSIVE MODE');
  await purgeTraces(bank.test.database);
  await lockHolder.query('ROLLBACK');
  expect(await sampled()).not.toEqual([]);
  await purgeTraces(bank.test.database, AbortSignal.abort());
  expect(await sampled()).not.toEqual([]);
  // In the week after an erasure, the hourly clean-up repeats the purge.
  await purgeTraces(bank.test.database);
  expect(await sampled()).toEqual([]);
});

test('the email of a closed account can register again, with another account number [AC-20, AC-04]', async () => {
  const nora = await bank.customer();
  await closeOwn(nora.token);
  const again = await bank.call(authApi.register, { body: bank.form({ email: nora.email }) });
  expect(again.status).toBe(201);
  const { _id } = again.body.data;
  expect(_id).not.toBe(nora._id);
  const { accountNumber } = (await bank.call(adminApi.user, { token, params: { id: _id } })).body.data;
  expect(accountNumber).not.toBe(nora.accountNumber);
});

test('money sent while its receiver closes the account arrives before the closing or is refused [ST-23]', async () => {
  const ben = await bank.customer({ dollars: 100 });
  for (let round = 0; round < 4; round++) {
    const nora = await bank.customer();
    const byOwner = round % 2 === 0;
    const [sent, closed] = await Promise.all([
      send(ben, nora, 1),
      byOwner ? closeOwn(nora.token) : closeAsAdmin(nora),
    ]);
    const outcomes = [sent.status, closed.status];
    expect(
      [
        [201, byOwner ? 409 : 200],
        [404, 200],
      ],
      String(outcomes),
    ).toContainEqual(outcomes);
  }
});

test('only one of many concurrent closings succeeds, and the others get not found', async () => {
  const nora = await bank.customer({ dollars: 7 });
  const before = await unclaimed();
  const answers = await Promise.all(Array.from({ length: 5 }, () => closeAsAdmin(nora)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 404, 404, 404, 404]);
  expect(await unclaimed()).toBe(before + 700n);

  const own = await bank.customer();
  const both = await Promise.all([closeOwn(own.token), closeOwn(own.token), closeAsAdmin(own)]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status } of both) expect([200, 401, 404]).toContain(status);
});

test('a freeze, a login and a password change that race with closing leave a consistent state', async () => {
  for (let round = 0; round < 3; round++) {
    const nora = await bank.customer();
    const codes = bank.bank.parts.inbox!.list(nora.email).filter(mail => /\b\d{6}\b/.test(mail.text)).length;
    await bank.call(authApi.initiateLogin, { body: { email: nora.email, password: customerPassword } });
    const otp = await bank.mailedCode(nora.email, codes);
    const [closed, frozen, login, changed] = await Promise.all([
      closeAsAdmin(nora),
      bank.call(adminApi.freeze, { token, params: { id: nora._id }, body: { isFrozen: true } }),
      bank.call(authApi.verifyCode, { body: { email: nora.email, otp } }),
      bank.call(settingsApi.changePassword, {
        token: nora.token,
        body: { currentPassword: customerPassword, newPassword: '57921480' },
      }),
    ]);
    expect(closed.status).toBe(200);
    expect([200, 404]).toContain(frozen.status);
    expect([200, 401]).toContain(login.status);
    expect([200, 400, 401]).toContain(changed.status);
    const own = login.status === 200 ? login.body.data.token : nora.token;
    expect((await profile(own)).status).toBe(401);
    const left = await sql`
      SELECT FROM sessions WHERE person_id = ${nora._id} UNION ALL
      SELECT FROM credentials WHERE person_id = ${nora._id}`.execute(reader());
    expect(left.rows).toEqual([]);
  }
});

test("a picture uploaded while its owner's account is closed is not left on disk", async () => {
  const filesBefore = bank.pictures();
  for (let round = 0; round < 3; round++) {
    const nora = await bank.customer();
    const upload = (endpoint: Endpoint) => {
      const form = new FormData();
      form.append('avatar', bank.form().get('avatar') as File, 'me.webp');
      return bank.call(endpoint, { token: nora.token, body: form });
    };
    const uploads = await Promise.all([
      upload(settingsApi.uploadAvatar),
      upload(settingsApi.uploadIdCard),
      closeAsAdmin(nora),
    ]);
    for (const { status } of uploads) expect([200, 401, 404]).toContain(status);
  }
  expect(bank.pictures().sort()).toEqual(filesBefore.sort());
});

test("only an administrator can close another person's account, and an administrator cannot be deleted like a customer [C-74, RO-08]", async () => {
  const nora = await bank.customer();
  const ben = await bank.customer();
  const request = { params: { id: ben._id } };
  expect((await bank.call(adminApi.deleteUser, { ...request, token: nora.token })).status).toBe(403);
  const admins = await sql<{ _id: string }>`SELECT id AS "_id" FROM admins`.execute(reader());
  for (const admin of admins.rows) expect((await closeAsAdmin(admin)).status).toBe(404);
  expect((await bank.call(adminApi.adminStats, { token })).status).toBe(200);
  expect((await profile(ben.token)).status).toBe(200);
});
