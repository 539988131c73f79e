/** The payees area over HTTP, on a complete bank. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notificationsApi } from '#contract/notifications.ts';
import { payeesApi } from '#contract/payees.ts';
import { transferApi } from '#contract/transfer.ts';
import { setFrozen } from '#server/ledger/accounts.ts';
import type { CallOptions } from '../../../tests/call.ts';
import type { SeededCustomer, SeedOptions } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off' });
});
afterAll(() => bank.close());

const parts = () => bank.bank.parts;

/** A customer, with $100 if approved. */
const aCustomer = (wanted: SeedOptions = {}) =>
  bank.seeded({ ...wanted, cents: wanted.approved === false ? 0n : 10_000n });

const landlord = {
  kind: 'external',
  bankName: 'First Harbor Bank',
  accountName: 'Meadow Rentals',
  accountNumber: '12345678',
};
const savesAs = ({ token }: SeededCustomer, body: unknown) => bank.call(payeesApi.addPayee, { token, body });
const saves = (owner: SeededCustomer, { accountNumber }: { accountNumber: string }, more: object = {}) =>
  savesAs(owner, { kind: 'internal', accountNumber, ...more });
const listOf = async ({ token }: SeededCustomer) =>
  (await bank.call(payeesApi.listPayees, { token })).body.data;
const sends = ({ token }: SeededCustomer, to: SeededCustomer) =>
  bank.call(transferApi.sendInternal, {
    token,
    body: { receiverAccountNumber: to.accountNumber, amount: 1, description: '' },
  });
const sendsOut = ({ token }: SeededCustomer, accountNumber = landlord.accountNumber) => {
  const { bankName, accountName } = landlord;
  const body = { bankName, accountName, accountNumber, amount: 1, description: '' };
  return bank.call(transferApi.sendExternal, { token, body });
};

test('a customer saves an account at this bank and one at another bank, and finds both [PY-01, PY-02]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ firstName: 'Ben', lastName: 'Ó Briain' })];
  const inside = await saves(anna, ben, { nickname: '  Benno ' });
  expect(inside.status).toBe(201);
  expect(inside.body.data).toEqual({
    _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    kind: 'internal',
    name: 'Ben Ó Briain',
    accountNumber: ben.accountNumber,
    nickname: 'Benno',
    createdAt: expect.stringMatching(/Z$/),
  });
  const outside = await savesAs(anna, { ...landlord, accountNumber: 'de89370400440532013000' });
  expect(outside.body.data).toEqual({
    _id: expect.any(String),
    kind: 'external',
    name: 'Meadow Rentals',
    bankName: 'First Harbor Bank',
    accountNumber: 'DE89370400440532013000',
    createdAt: expect.any(String),
  });
  expect(await listOf(anna)).toEqual([outside.body.data, inside.body.data]);
  expect(await listOf(ben)).toEqual([]);
});

test('a payment shows on its payee immediately, and the payee paid last is listed first [PY-03]', async () => {
  const [anna, ben, cleo] = [await aCustomer(), await aCustomer(), await aCustomer()];
  await saves(anna, ben);
  await savesAs(anna, landlord);
  await saves(anna, cleo);
  expect((await listOf(anna)).map(({ lastPaidAt }) => lastPaidAt)).toEqual(Array(3).fill(undefined));
  const inside = (await sends(anna, ben)).body.data;
  const outside = (await sendsOut(anna)).body.data;
  expect((await listOf(anna)).map(payee => [payee.accountNumber, payee.lastPaidAt])).toEqual([
    [landlord.accountNumber, outside.timestamp],
    [ben.accountNumber, inside.timestamp],
    [cleo.accountNumber, undefined],
  ]);
});

test('a refused payment, or one to another account, is not shown on the payee [PY-03]', async () => {
  const [anna, ben, cleo] = [await aCustomer(), await aCustomer(), await aCustomer()];
  await saves(anna, ben);
  await savesAs(anna, landlord);
  await sends(anna, cleo);
  await sendsOut(anna, '87654321');
  await sends(ben, cleo);
  const tooMuch = { receiverAccountNumber: ben.accountNumber, amount: 5000, description: '' };
  const { token } = anna;
  expect((await bank.call(transferApi.sendInternal, { token, body: tooMuch })).status).toBe(422);
  expect((await listOf(anna)).map(({ lastPaidAt }) => lastPaidAt)).toEqual([undefined, undefined]);
});

test('an account that is saved after it was paid shows that payment [PY-03]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer()];
  const inside = (await sends(anna, ben)).body.data;
  const outside = (await sendsOut(anna)).body.data;
  expect((await saves(anna, ben)).body.data.lastPaidAt).toBe(inside.timestamp);
  expect((await savesAs(anna, landlord)).body.data.lastPaidAt).toBe(outside.timestamp);
});

test('an account can be saved only once, even by two requests at the same moment [PY-04]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer()];
  const both = await Promise.all([saves(anna, ben), saves(anna, ben)]);
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]));
  expect((await saves(anna, ben)).body).toMatchObject({
    code: 'CONFLICT',
    message: 'You saved this account already',
  });
  expect((await savesAs(anna, landlord)).status).toBe(201);
  expect((await savesAs(anna, { ...landlord, accountName: 'Another name' })).status).toBe(409);
  expect((await savesAs(anna, { ...landlord, bankName: 'Another bank' })).status).toBe(201);
});

test('a customer can save 200 payees and no more, even by concurrent requests [PY-05]', async () => {
  const anna = await aCustomer();
  await parts().database.ownerPool.query(
    `INSERT INTO payees (id, account_id, bank_name, account_name, account_number, nickname)
     SELECT gen_random_uuid(), $1, 'First Harbor Bank', 'Tenant', 'A' || n, '' FROM generate_series(1, 199) n`,
    [anna.accountId],
  );
  const both = await Promise.all([
    savesAs(anna, landlord),
    savesAs(anna, { ...landlord, accountNumber: '8765' }),
  ]);
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]));
  expect(both.find(({ status }) => status === 409)!.body.message).toBe(
    'You can save up to 200 payees. Remove one to save another.',
  );
  expect(await listOf(anna)).toHaveLength(200);
});

test('unknown, pending and own accounts cannot be saved [PY-06]', async () => {
  const [anna, pending] = [await aCustomer(), await aCustomer({ approved: false })];
  for (const accountNumber of ['482109375527', '482109375528', pending.accountNumber]) {
    const { status, body } = await saves(anna, { accountNumber });
    expect([status, body.message]).toEqual([404, 'Account not found']);
  }
  expect((await saves(anna, anna)).body).toMatchObject({ code: 'SAME_ACCOUNT' });
  expect(await listOf(anna)).toEqual([]);
});

test.each([
  [
    'an account number of this bank that is not 12 digits',
    { kind: 'internal', accountNumber: '1234' },
    'accountNumber',
  ],
  ['no bank name', { ...landlord, bankName: undefined }, 'bankName'],
  ['no name of the account holder', { ...landlord, accountName: ' ' }, 'accountName'],
  ['a wrong IBAN', { ...landlord, accountNumber: 'DE88370400440532013000' }, 'accountNumber'],
  ['a nickname of 41 characters', { ...landlord, nickname: 'n'.repeat(41) }, 'nickname'],
  ['an unknown kind', { ...landlord, kind: 'friend' }, 'kind'],
])('a payee with %s is refused, and the error names the field [PY-07]', async (_, body, field) => {
  const anna = await aCustomer();
  const answer = await savesAs(anna, body);
  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION']);
  expect(answer.body.errors!.map(error => error.field)).toEqual([field]);
  expect(await listOf(anna)).toEqual([]);
});

test('a nickname can be changed and removed, and a payee can be removed [PY-08]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer()];
  const { _id } = (await saves(anna, ben)).body.data;
  const { token } = anna;
  const rename = (nickname: string) =>
    bank.call(payeesApi.renamePayee, { token, params: { id: _id }, body: { nickname } });
  expect((await rename('Flatmate')).body.data).toMatchObject({ _id, nickname: 'Flatmate' });
  expect((await rename('')).body.data).not.toHaveProperty('nickname');
  expect((await bank.call(payeesApi.removePayee, { token, params: { id: _id } })).status).toBe(200);
  expect(await listOf(anna)).toEqual([]);
  expect((await bank.call(payeesApi.removePayee, { token, params: { id: _id } })).status).toBe(404);
});

test('a new payee is mailed, and the notifications name it until it is removed; every change is audited without names [PY-11]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ firstName: 'Ben', lastName: 'Ó Briain' })];
  const { token, customerId } = anna;
  const mails = async () => {
    const { rows } = await parts().database.ownerPool.query<{ payload: object }>(
      'SELECT payload FROM graphile_worker._private_jobs',
    );
    return rows.filter(({ payload }) => JSON.stringify(payload).includes(customerId));
  };
  const notices = async () =>
    (await bank.call(notificationsApi.listNotifications, { token })).body.data.notifications
      .filter(({ kind }) => kind === 'payee-added')
      .map(({ text }) => text);
  const { _id: id } = (await saves(anna, ben, { nickname: 'Benno' })).body.data;
  const { _id: outside } = (await savesAs(anna, landlord)).body.data;
  await saves(anna, ben);
  expect((await mails()).map(({ payload }) => payload)).toEqual(
    [id, outside].map(payeeOrScheduleId => ({
      template: 'payee-added',
      personId: customerId,
      payeeOrScheduleId,
    })),
  );
  const saved = (name: string) => `You saved ${name} as a payee. If this wasn’t you, contact the Help Desk.`;
  expect(await notices()).toEqual([saved('Meadow Rentals'), saved('Ben Ó Briain')]);

  for (const nickname of ['Flatmate', 'Flatmate'])
    await bank.call(payeesApi.renamePayee, { token, params: { id }, body: { nickname } });
  await bank.call(payeesApi.removePayee, { token, params: { id } });
  expect(await notices()).toEqual([
    saved('Meadow Rentals'),
    'You saved a payee that was removed later. If this wasn’t you, contact the Help Desk.',
  ]);
  const { rows } = await parts().database.ownerPool.query(
    "SELECT action, subject, data FROM audit_log WHERE actor_id = $1 AND action LIKE 'payee.%' ORDER BY id",
    [customerId],
  );
  expect(rows).toEqual(
    [
      ['payee.added', id],
      ['payee.added', expect.any(String)],
      ['payee.renamed', id],
      ['payee.removed', id],
    ].map(([action, payee]) => ({ action, subject: customerId, data: { payee } })),
  );
  expect(await mails()).toHaveLength(2);
});

test("a customer cannot change another customer's payees, and a frozen customer cannot change their own [PY-09]", async () => {
  const [anna, ben, eve] = [await aCustomer(), await aCustomer(), await aCustomer()];
  const before = (await saves(anna, ben)).body.data;
  const change = ({ token }: SeededCustomer) => {
    const asked: CallOptions = { token, params: { id: before._id } };
    return Promise.all([
      bank.call(payeesApi.renamePayee, { ...asked, body: { nickname: 'mine' } }),
      bank.call(payeesApi.removePayee, asked),
    ]);
  };
  expect((await change(eve)).map(({ status }) => status)).toEqual([404, 404]);
  await parts().database.inTransaction(tx => setFrozen(tx, anna.accountId, true));
  expect((await change(anna)).map(({ body }) => body.code)).toEqual(['ACCOUNT_FROZEN', 'ACCOUNT_FROZEN']);
  expect((await savesAs(anna, landlord)).body.code).toBe('ACCOUNT_FROZEN');
  expect(await listOf(anna)).toEqual([before]);
});
