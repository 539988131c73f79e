/** `npm run rail`, and the deposits from other banks that it delivers, while the bank runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { newId } from '#server/base/uuid.ts';
import { deliverDeposit } from '#server/jobs/railDeposits.ts';
import { setFrozen } from '#server/ledger/accounts.ts';
import { eraseAccountNames } from '#server/ledger/closing.ts';
import { sealRecords } from '#server/ledger/sealing.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { writeNotice } from '#server/outside/rail/iso20022.ts';
import { closeForGood } from '../../../tests/closeForGood.ts';
import { lockRailFile } from '../../../tests/railLines.ts';
import type { SeededCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { runCommand } from '../../../tests/serverProcess.ts';
import { eventually } from '../../../tests/waiting.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank();
});
afterAll(() => bank.close());

const parts = () => bank.bank.parts;
const aCustomer = (wanted = {}) => bank.seeded(wanted);

const rail = (...words: string[]) => runCommand(bank.test.connection, {}, 'rail', ...words);

let count = 0;
/** Delivers $25.00 in this process. */
const deliver = (accountNumber: string, more = {}) =>
  deliverDeposit(parts(), {
    ref: `test-${++count}`,
    accountNumber,
    amountCents: 2_500n,
    senderName: 'Canal Street Payroll',
    bankName: 'First Harbor Bank',
    ...more,
  });
const listOf = async ({ token }: SeededCustomer, query = {}) =>
  (await bank.call(transactionsApi.listTransactions, { token, query })).body.data;
const booked = {
  status: 'booked',
  id: expect.any(String),
  reference: expect.stringMatching(/^LB-/),
  wasKnown: false,
};

test('the command delivers a payment, and a repeated reference is booked only once [DP-01, DP-02]', async () => {
  const anna = await aCustomer();
  const words = [
    'receive',
    anna.accountNumber,
    '4,115.50',
    '--from',
    'Foundry Row',
    '--bank',
    'TD Bank',
    '--ref',
    'PAY-1',
  ];
  const first = await rail(...words);
  expect(first).toMatchObject({ code: 0, errors: '' });
  expect(first.output).toMatch(/^\$4,115\.50 from Foundry Row is booked: LB-\S+ \(rail reference PAY-1\)\n$/);
  const second = await rail(...words);
  expect(second.output).toBe(first.output.replace('is booked', 'was booked before'));
  const { transactions, stats } = await listOf(anna);
  expect(transactions).toEqual([
    {
      _id: expect.any(String),
      reference: /LB-\S+/.exec(first.output)![0],
      type: 'deposit',
      status: 'completed',
      amount: 4115.5,
      timestamp: expect.any(String),
      receiver: { _id: anna.customerId, firstName: anna.firstName, lastName: anna.lastName },
      externalBankDetails: { bankName: 'TD Bank', accountName: 'Foundry Row', accountNumber: '' },
      description: '',
    },
  ]);
  expect(stats).toEqual({ totalSent: 0, totalReceived: 4115.5, totalTransactions: 1 });
  const other = await rail('receive', anna.accountNumber, '1', '--from', 'Foundry Row', '--ref', 'PAY-1');
  expect(other).toMatchObject({
    code: 1,
    errors: 'The rail reference PAY-1 belongs to another payment. Nothing was booked.\n',
  });
});

test('wrong usage is explained and books nothing [DP-01]', async () => {
  const anna = await aCustomer();
  expect(await rail('receive', anna.accountNumber, '1.234', '--from', 'X')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('1.234 is not an amount like 1250.00.'),
  });
  expect(await rail('receive', anna.accountNumber, '5')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Name the sender with --from.'),
  });
  expect((await listOf(anna)).totalTransactions).toBe(0);
});

test('the command reads a file once, says why another is refused, lists files and exceptions, and shows control characters as codes [RF-16, RF-26]', async () => {
  const head = {
    id: newId(),
    madeAt: new Date(),
    settlesOn: '2026-11-24',
    from: '800000019',
    to: '800000006',
  };
  const { name, content } = writeNotice(head, [{ amountCents: 4_200n, transactionId: 'LB-0' }]);
  const [path, torn] = [
    join(parts().config.dataDir, name),
    join(parts().config.dataDir, 'torn\u001b[2J.xml'),
  ];
  writeFileSync(path, content);
  writeFileSync(torn, content.slice(0, -20));
  // As another process does that is storing the file.
  const other = await lockRailFile(bank.test.database.ownerPool, parts().rail.routeOf(head.from), content);
  expect(await rail('read', path)).toMatchObject({
    code: 1,
    errors: 'Another process is reading this file.\n',
  });
  await other.query('ROLLBACK');
  const first = await rail('read', path);
  expect(first).toMatchObject({
    code: 0,
    errors: '',
    output: `${name} is read. Lines: 1. Exceptions: 1. Sent back: 0.\n`,
  });
  expect((await rail('read', path)).output).toContain('was read before, nothing has changed');
  expect(await rail('read', torn)).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^torn\\u\{1b\}\[2J\.xml is refused: .*None of it was applied\.\n$/),
  });
  const status = await rail('status');
  expect(status.output).toMatch(/Files in, applied: 2\nFiles in, refused: 1\nOpen exceptions: 1\n$/);
  const list = await rail('list');
  expect(list.output).toContain('torn\\u{1b}[2J.xml');
  expect(list.output).toContain(`Exception: ${name}, line 1, $42.00: No payment has this ID\n`);
});

test('a command that cannot book a line prints why [RF-42]', async () => {
  const { ownerPool } = bank.test.database;
  const anna = await aCustomer();
  await ownerPool.query('ALTER TABLE deposits ADD CONSTRAINT poison CHECK (amount <> 666) NOT VALID');
  const answer = await rail('receive', anna.accountNumber, '6.66', '--from', 'Foundry Row').finally(() =>
    ownerPool.query('ALTER TABLE deposits DROP CONSTRAINT poison'),
  );
  expect(answer.code).toBe(1);
  expect(answer.errors).toMatch(/^a line of a rail file failed: .*"poison"\n/);
  expect(answer.errors).toContain('The line could not be booked');
  await ownerPool.query(
    "UPDATE rail_exceptions SET resolved_at = now(), note = 'test' WHERE reason = 'failed'",
  );
});

test('a payment to an unknown, closed or unapproved account is sent back with the reason [DP-03]', async () => {
  const sentBack = (reason: string) => ({ status: 'sent back', reason, wasKnown: false });
  expect(await deliver('123456789012')).toEqual(sentBack('No account has this number'));
  const pending = await aCustomer({ approved: false });
  expect(await deliver(pending.accountNumber)).toEqual(sentBack('The account is not open yet'));
  const { accountId, accountNumber } = await aCustomer();
  await closeForGood(parts().database, accountId);
  expect(await deliver(accountNumber, { ref: 'closed' })).toEqual(sentBack('The account is closed'));
  expect(await deliver(accountNumber, { ref: 'closed' })).toMatchObject({
    status: 'sent back',
    wasKnown: true,
  });
  const printed = await rail(
    'receive',
    accountNumber,
    '25',
    '--from',
    'Canal Street Payroll',
    '--ref',
    'closed',
  );
  expect(printed).toMatchObject({
    code: 1,
    errors: '$25.00 from Canal Street Payroll was sent back: The account is closed (rail reference closed)\n',
  });
  const recorded = await bank.test.database.ownerPool.query(
    `SELECT d.return_reason, d.sender_name, d.transaction_id, o.code
       FROM deposits d JOIN rail_incoming i USING (ref) JOIN rail_outgoing o ON o.answer_to = i.id
      WHERE d.account_number = $1`,
    [accountNumber],
  );
  expect(recorded.rows).toEqual([
    { return_reason: 'The account is closed', sender_name: '', transaction_id: null, code: 'AC04' },
  ]);
});

test('a delivery whose line becomes an exception ends at once with a sentence [DP-08]', async () => {
  const { accountNumber } = await aCustomer();
  await expect(deliver(accountNumber, { amountCents: 0n })).rejects.toThrow(
    'The payment was not booked and waits in the back office under Payment rail: The bank does not process this kind of entry.',
  );
});

test('twenty deliveries of one payment at the same moment book it once [DP-02]', async () => {
  const anna = await aCustomer();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => deliver(anna.accountNumber, { ref: 'PAY-20' })),
  );
  expect(outcomes.filter(outcome => outcome.status === 'booked' && !outcome.wasKnown)).toHaveLength(1);
  expect((await listOf(anna)).stats.totalReceived).toBe(25);
});

test('the customer is notified and mailed, and a frozen customer still receives [DP-04]', async () => {
  const nora = await bank.customer();
  const { accountId } = (
    await bank.test.database.ownerPool.query<{ accountId: bigint }>(
      'SELECT account_id AS "accountId" FROM customers WHERE id = $1',
      [nora._id],
    )
  ).rows[0]!;
  await parts().database.inTransaction(tx => setFrozen(tx, accountId, true));
  expect(await deliver(nora.accountNumber)).toEqual(booked);
  const { notifications } = (await bank.call(notificationsApi.listNotifications, { token: nora.token })).body
    .data;
  expect(notifications.find(({ kind }) => kind === 'money-received')).toMatchObject({
    text: '$25.00 from Canal Street Payroll',
    isRead: false,
  });
  const mail = await eventually(() =>
    parts()
      .inbox!.list(nora.email)
      .find(({ subject }) => subject.includes('Money Received')),
  );
  expect(mail.text).toContain('Canal Street Payroll');
});

test('lists, search, exports and the administrator’s list show deposits [DP-05]', async () => {
  const anna = await aCustomer();
  await deliver(anna.accountNumber);
  await deliver(anna.accountNumber, { senderName: 'Meadow Tax Office', amountCents: 100n });
  expect((await listOf(anna, { type: 'deposit' })).totalTransactions).toBe(2);
  expect((await listOf(anna, { type: 'transfer' })).totalTransactions).toBe(0);
  expect((await listOf(anna, { search: 'tax off' })).transactions).toMatchObject([{ amount: 1 }]);
  const csv = await fetch(`${bank.url}/api/v1/user/transactions/export?format=csv&type=deposit`, {
    headers: { authorization: `Bearer ${anna.token}` },
  });
  expect(await csv.text()).toContain(
    'deposit,completed,Canal Street Payroll,First Harbor Bank,,,25.00,25.00',
  );
  const token = await bank.adminToken();
  const ofBank = async (query: Record<string, string>) =>
    (await bank.call(adminApi.adminTransactions, { token, query })).body.data;
  expect((await ofBank({ type: 'deposit', search: 'Meadow Tax' })).transactions).toMatchObject([
    { type: 'deposit', amount: 1 },
  ]);
  const one = await bank.call(transactionsApi.transaction, {
    token: anna.token,
    params: { id: (await listOf(anna)).transactions[0]!._id },
  });
  expect(one.body.data).toMatchObject({ balanceAfter: 26, timeline: [{ step: 'posted' }] });
  expect(one.body.data.timeline).toHaveLength(1);
});

test('erasing a closed customer erases who paid them, and the books are proven before and after [DP-06]', async () => {
  const anna = await aCustomer();
  await deliver(anna.accountNumber);
  const { database, secrets } = parts();
  const { sealKey } = secrets;
  const sealEverything = () =>
    eventually(async () => {
      await sealRecords(database, sealKey);
      return (await verifyBooks(database.reader, { sealKey })).checked.unsealed === 0 || undefined;
    });
  await sealEverything();
  expect((await verifyBooks(database.reader, { sealKey })).faults).toEqual([]);
  const { accountId } = anna;
  await closeForGood(database, accountId);
  expect(await eraseAccountNames(database, accountId, async () => {})).toBe(1);
  const left = await bank.test.database.ownerPool.query(
    'SELECT sender_name, name_salt FROM deposits WHERE account_number = $1',
    [anna.accountNumber],
  );
  expect(left.rows).toEqual([{ sender_name: '', name_salt: null }]);
  await sealEverything();
  expect((await verifyBooks(database.reader, { sealKey })).faults).toEqual([]);
});

test('the running server cannot book a deposit that is not in a file [DP-07]', async () => {
  const { accountNumber } = await aCustomer();
  await expect(
    parts().database.pool.query(
      "SELECT book_deposit_at(now(), gen_random_uuid(), 'LB-1', 'x', $1, 100, 'Mallory', '')",
      [accountNumber],
    ),
  ).rejects.toThrow('permission denied');
});
