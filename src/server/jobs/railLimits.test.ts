/** Lines of incoming files that are too large for the books, or that the database refuses. These tests change balances. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { transfer } from '#contract/constants.ts';
import { railApi } from '#contract/rail.ts';
import { deposit, head, sendToOtherBank } from '../../../tests/railLines.ts';
import type { SeededCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { writePayments, writeReturns } from '../outside/rail/iso20022.ts';
import { maxFileCents, type PaymentLine } from '../outside/rail/rail.ts';
import { submitPayment } from './payments.ts';
import { applyLines, receiveFile } from './railIncoming.ts';
import { makeFiles } from './railOutgoing.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ RAIL_DAY_SECONDS: '0.05', JOBS: 'off' });
});
afterAll(() => bank.close());

const parts = () => bank.bank.parts;
const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await bank.test.database.ownerPool.query<Row>(text, values)).rows;
const balanceOf = async (id: bigint) =>
  (await rows<{ balance: bigint }>('SELECT balance FROM ledger_accounts WHERE id = $1', [id]))[0]!.balance;
/** Sets the balance of an account until the test ends. */
async function withBalance(id: bigint, cents: bigint) {
  const before = await balanceOf(id);
  const set = (balance: bigint) =>
    rows('UPDATE ledger_accounts SET balance = $1 WHERE id = $2', [balance, id]);
  await set(cents);
  onTestFinished(async () => {
    await set(before);
  });
}
const [treasury, clearing] = [1n, 2n];
const largest = 2n ** 46n * 100n;

const payroll = ({ accountNumber }: SeededCustomer, amountCents: bigint, senderName = 'Payroll') =>
  deposit(accountNumber, { amountCents, senderName });
/** Stores a file of deposits. Its lines are applied later. */
async function arrives(...lines: PaymentLine[]) {
  const { name, content } = writePayments(head(), lines);
  expect(await receiveFile(parts(), name, Buffer.from(content))).toEqual({ status: 'read' });
  return name;
}
const outcomesOf = async (file: string) =>
  (
    await rows<{ outcome: string }>(
      `SELECT coalesce(e.reason, i.outcome) AS outcome FROM rail_incoming i JOIN rail_files f ON f.id = i.file_id
         LEFT JOIN rail_exceptions e ON e.incoming_id = i.id WHERE f.name = $1 ORDER BY i.line`,
      [file],
    )
  ).map(({ outcome }) => outcome);

test('a deposit of more than a customer can send goes back with the reason, and Ana gets the deposits behind it [RF-37]', async () => {
  const ana = await bank.seeded({});
  const most = BigInt(transfer.maxAmountDollars) * 100n;
  const file = await arrives(
    ...[most + 1n, maxFileCents - 10n * most, most, 2_500n].map(cents => payroll(ana, cents)),
  );
  const others = [await arrives(payroll(ana, maxFileCents)), await arrives(payroll(ana, maxFileCents))];
  await applyLines(parts());
  expect(await outcomesOf(file)).toEqual(['sent-back', 'sent-back', 'applied', 'applied']);
  for (const other of others) expect(await outcomesOf(other)).toEqual(['sent-back']);
  expect(await balanceOf(ana.accountId)).toBe(most + 2_500n);
  expect(
    await rows('SELECT DISTINCT return_reason AS reason FROM deposits WHERE return_reason IS NOT NULL'),
  ).toEqual([{ reason: 'The amount is too large' }]);
  // The sum of returns can be larger than a file or a column can hold.
  await rows('UPDATE rail_outgoing SET due_at = now()');
  await makeFiles(parts());
  const made = await rows<{ lines: number; cents: bigint; content: string }>(
    "SELECT lines, cents, content FROM rail_files WHERE direction = 'out'",
  );
  expect(made.reduce((sum, { lines }) => sum + lines, 0)).toBe(4);
  for (const { cents, content } of made) {
    expect(cents).toBeLessThanOrEqual(maxFileCents);
    expect(content).toContain('<Cd>AM02</Cd>');
  }
});

test('of 110 deposits, Ana gets those that the treasury can pay, and the others go back [RF-37]', async () => {
  const ana = await bank.seeded({});
  await withBalance(treasury, -(largest - 10_000n));
  const file = await arrives(...Array.from({ length: 110 }, () => payroll(ana, 3_000n)));
  const other = await arrives(payroll(ana, 1_000n));
  await applyLines(parts());
  expect(await outcomesOf(file)).toEqual([...Array(3).fill('applied'), ...Array(107).fill('sent-back')]);
  expect(await outcomesOf(other)).toEqual(['applied']);
  expect(await balanceOf(ana.accountId)).toBe(10_000n);
  expect(await balanceOf(treasury)).toBe(-largest);
});

test('a return that would make Ben’s balance too large waits for staff with its payment, and Ana’s return arrives [RF-38]', async () => {
  const [ben, ana] = [await bank.seeded({ cents: 1_000n }), await bank.seeded({ cents: 1_000n })];
  const sends = async (from: SeededCustomer) => {
    const _id = await sendToOtherBank(parts().ledger, from);
    await submitPayment({ ...parts(), rail: { ...parts().rail, cutOff: at => at } }, { transactionId: _id });
    return _id;
  };
  const ids = [await sends(ben), await sends(ana)];
  await makeFiles(parts());
  await withBalance(ben.accountId, largest - 999n);
  const held = await balanceOf(clearing);
  const { name, content } = writeReturns(
    head(),
    ids.map(id => ({
      original: { endToEndId: id.replaceAll('-', '') },
      amountCents: 1_000n,
      accountNumber: '',
      code: 'AC04',
      trace: '',
    })),
  );
  await receiveFile(parts(), name, Buffer.from(content));
  await applyLines(parts());
  expect(await outcomesOf(name)).toEqual(['failed', 'applied']);
  expect(await balanceOf(ana.accountId)).toBe(1_000n);
  expect(await balanceOf(clearing)).toBe(held - 1_000n);
  expect(
    await rows(
      'SELECT status FROM external_transfers WHERE transaction_id = ANY ($1) ORDER BY transaction_id',
      [ids],
    ),
  ).toEqual([{ status: 'pending' }, { status: 'failed' }]);
  const token = await bank.adminToken();
  const { exceptions } = (await bank.call(railApi.railExceptions, { token })).body.data;
  expect(exceptions.find(({ file }) => file === name)).toMatchObject({
    reason: 'failed',
    transaction: { _id: ids[0] },
  });
});

test('110 lines that the database refuses wait for staff, and Ana gets the deposits behind them [RF-38]', async () => {
  const ana = await bank.seeded({});
  await rows("ALTER TABLE deposits ADD CONSTRAINT poison CHECK (sender_name <> 'Poison')");
  onTestFinished(async () => {
    await rows('ALTER TABLE deposits DROP CONSTRAINT poison');
  });
  const file = await arrives(
    ...Array.from({ length: 110 }, () => payroll(ana, 100n, 'Poison')),
    payroll(ana, 200n),
  );
  const other = await arrives(payroll(ana, 300n));
  await Promise.all([applyLines(parts()), applyLines(parts())]);
  expect(await outcomesOf(file)).toEqual([...Array(110).fill('failed'), 'applied']);
  expect(await outcomesOf(other)).toEqual(['applied']);
  expect(await balanceOf(ana.accountId)).toBe(500n);
  // Each line became one exception, with the name that staff need.
  const token = await bank.adminToken();
  const { exceptions } = (await bank.call(railApi.railExceptions, { token, query: { limit: '100' } })).body
    .data;
  expect(exceptions.find(each => each.file === file)).toMatchObject({
    reason: 'failed',
    partyName: 'Poison',
    amount: 1,
  });
});
