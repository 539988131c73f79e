/** Lines that the database refused: staff try them again, or the payment arrives in another file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { railApi } from '#contract/rail.ts';
import { closeForGood } from '../../../tests/closeForGood.ts';
import { deposit, head, sendToOtherBank } from '../../../tests/railLines.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { newId } from '../base/uuid.ts';
import { referenceOf } from '../ledger/ledger.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { keyOf, readRailFile, writers } from '../outside/rail/formats.ts';
import { traceOf } from '../outside/rail/nacha.ts';
import type { PaymentLine } from '../outside/rail/rail.ts';
import { submitPayment } from './payments.ts';
import { applyLines, receiveFile } from './railIncoming.ts';
import { makeFiles } from './railOutgoing.ts';

const [east, west] = ['800000022', '800000035'];
const folder = mkdtempSync(join(tmpdir(), 'larkspur-banks-'));
let bank: TestBank;
let token: string;
beforeAll(async () => {
  writeFileSync(join(folder, 'banks.csv'), `${east},Harbor East\n${west},Harbor West\n`);
  bank = await openTestBank({
    RAIL_DAY_SECONDS: '0.05',
    JOBS: 'off',
    RAIL_DIRECTORY: join(folder, 'banks.csv'),
  });
  token = await bank.adminToken();
});
afterAll(async () => {
  const { faults } = await verifyBooks(bank.test.database.reader);
  await bank.close();
  rmSync(folder, { recursive: true });
  expect(faults.filter(fault => !fault.includes('has a job'))).toEqual([]);
});

const parts = () => bank.bank.parts;
const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await bank.test.database.ownerPool.query<Row>(text, values)).rows;
const balanceOf = async (id: bigint) =>
  Number(
    (await rows<{ balance: bigint }>('SELECT balance FROM ledger_accounts WHERE id = $1', [id]))[0]!.balance,
  );

let count = 0;
const fromEast = (accountNumber: string, amountCents = 666n) =>
  deposit(accountNumber, { amountCents, trace: traceOf(east, ++count) });
/** Reads a new file of another bank and applies it. */
async function arrives(payment: PaymentLine, format: keyof typeof writers = 'iso20022', from = east) {
  const file = writers[format].writePayments(head(from), [payment]);
  await receiveFile(parts(), file.name, Buffer.from(file.content));
  await applyLines(parts());
  return file;
}
/** Makes the database refuse deposits of $6.66 until the returned function is called. */
async function refusingDeposits() {
  await rows('ALTER TABLE deposits ADD CONSTRAINT poison CHECK (amount <> 666) NOT VALID');
  const repair = () => rows('ALTER TABLE deposits DROP CONSTRAINT IF EXISTS poison');
  onTestFinished(async () => {
    await repair();
  });
  return repair;
}
const listed = async (file: string, list = 'open') =>
  (
    await bank.call(railApi.railExceptions, { token, query: { limit: '100', list } })
  ).body.data.exceptions.find(each => each.file === file);
const retry = (id: string, more = {}) =>
  bank.call(railApi.retryRailException, { token, params: { id }, ...more });
/** The exception of a deposit that could not be booked. */
async function failedDeposit(payment: PaymentLine, format: keyof typeof writers = 'iso20022') {
  const repair = await refusingDeposits();
  const file = await arrives(payment, format);
  const found = (await listed(file.name))!;
  expect(found.reason).toBe('failed');
  return { file, id: found._id, repair };
}
const auditOf = async (id: string) =>
  (
    await rows<{ act: string }>(
      "SELECT actor_kind || ' ' || action AS act FROM audit_log WHERE subject = $1 AND action <> 'rail.listed' ORDER BY id",
      [id],
    )
  ).map(({ act }) => act);

test.each(['iso20022', 'nacha'] as const)(
  'an operator books a deposit of %s that the database refused once the cause is gone, once, and the other bank gets its notice [RF-40]',
  async format => {
    const ana = await bank.seeded({});
    const payment = fromEast(ana.accountNumber);
    const { file, id, repair } = await failedDeposit(payment, format);
    const refused = await retry(id);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain('(poison). Nothing was booked.');
    expect((await listed(file.name))!.partyName).not.toBe('');
    await repair();
    // The other bank sends the same file again while its payment has no answer. That alone books nothing.
    const again = await receiveFile(parts(), file.name, Buffer.from(file.content));
    expect(again).toEqual({ status: 'duplicate' });
    await applyLines(parts());
    expect(await balanceOf(ana.accountId)).toBe(0);

    const answers = await Promise.all([retry(id), retry(id), retry(id)]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 200)!.body).toMatchObject({
      message: 'Booked when it was tried again',
      data: { resolvedBy: 'Ada Admin', partyName: '', text: '', transaction: { _id: expect.any(String) } },
    });
    expect(await balanceOf(ana.accountId)).toBe(666);
    expect(await auditOf(id)).toEqual(['admin rail.retried']);

    await rows('UPDATE rail_outgoing SET due_at = now() WHERE file_id IS NULL');
    await makeFiles(parts());
    const [notice] = await rows<{ content: string }>(
      `SELECT f.content FROM rail_files f JOIN rail_outgoing o ON o.file_id = f.id JOIN rail_incoming i ON i.id = o.answer_to
         JOIN rail_exceptions e ON e.incoming_id = i.id WHERE e.id = $1`,
      [id],
    );
    expect((await readRailFile(Buffer.from(notice!.content), east)).lines).toContainEqual(
      expect.objectContaining({
        kind: 'settled',
        amountCents: 666n,
        keys: expect.arrayContaining([keyOf(format, payment)]),
      }),
    );
  },
);

test('a deposit to an account that was closed meanwhile goes back when it is tried again [RF-40]', async () => {
  const ana = await bank.seeded({});
  const { file, id, repair } = await failedDeposit(fromEast(ana.accountNumber));
  await repair();
  await closeForGood(parts().database, ana.accountId);
  expect((await retry(id)).body.message).toBe('Sent back when it was tried again');
  expect(await listed(file.name)).toBeUndefined();
  expect(
    await rows(
      'SELECT o.code FROM rail_outgoing o JOIN rail_exceptions e ON e.incoming_id = o.answer_to WHERE e.id = $1',
      [id],
    ),
  ).toEqual([{ code: 'AC04' }]);
});

test('when a deposit that could not be booked arrives in another file, its exception ends and names the payment [RF-41, RF-40]', async () => {
  const ana = await bank.seeded({});
  const payment = fromEast(ana.accountNumber);
  const { file, id, repair } = await failedDeposit(payment);
  await repair();
  await arrives(payment);
  expect(await balanceOf(ana.accountId)).toBe(666);
  const ended = (await listed(file.name, 'resolved'))!;
  const reference = referenceOf(ended.transaction!._id);
  expect(ended).toMatchObject({
    _id: id,
    partyName: '',
    transaction: { reference },
    note: `Booked in the meantime: ${reference}`,
  });
  expect(ended.resolvedBy).toBeUndefined();
  expect(await auditOf(id)).toEqual(['system rail.resolved']);
  expect((await retry(id)).body.message).toBe(
    `This exception was already resolved: “Booked in the meantime: ${reference}”`,
  );
  // As if a server of version 1.0.0 had booked it.
  await rows('UPDATE rail_exceptions SET resolved_at = NULL, note = NULL WHERE id = $1', [id]);
  expect((await retry(id)).body).toMatchObject({
    message: `Booked in the meantime: ${reference}`,
    data: { resolvedBy: 'Ada Admin', transaction: { reference } },
  });
  expect(await balanceOf(ana.accountId)).toBe(666);
});

test('a deposit that is booked from another file while staff try it again is booked once [RF-40, RF-41]', async () => {
  const ana = await bank.seeded({});
  const payment = fromEast(ana.accountNumber);
  const { file, id, repair } = await failedDeposit(payment);
  await repair();
  const [{ status }] = await Promise.all([retry(id), arrives(payment), retry(id)]);
  expect([200, 409]).toContain(status);
  expect(await balanceOf(ana.accountId)).toBe(666);
  expect(await listed(file.name)).toBeUndefined();
});

test('another deposit with the same reference does not end the exception, and says so when staff try again [RF-41, RF-40]', async () => {
  const ana = await bank.seeded({});
  const payment = fromEast(ana.accountNumber);
  const { file, id, repair } = await failedDeposit(payment);
  await arrives({ ...payment, amountCents: 500n });
  await repair();
  const refused = await retry(id);
  expect(refused.status).toBe(409);
  expect(refused.body.message).toBe('Nothing was booked: Another deposit has this ID.');
  expect(await listed(file.name)).toMatchObject({ _id: id, partyName: 'Canal Street Payroll', text: 'May' });
  expect(await balanceOf(ana.accountId)).toBe(500);
});

test('another bank’s deposit with the same ID does not end the exception, and staff read which bank sent which [RF-41, RF-12]', async () => {
  const ana = await bank.seeded({});
  const payment = fromEast(ana.accountNumber);
  const failed = await failedDeposit(payment);
  await failed.repair();
  const early = await arrives(payment, 'iso20022', west);
  expect((await retry(failed.id)).body.message).toBe(
    'Nothing was booked: This deposit was already received.',
  );
  const senders = { line: east, earlier: west };
  expect(await listed(failed.file.name)).toMatchObject({ _id: failed.id, senders });
  const twice = await arrives(payment);
  expect(await listed(twice.name)).toMatchObject({ reason: 'duplicate', senders });
  const other = await arrives({ ...payment, amountCents: 500n });
  expect(await listed(other.name)).toMatchObject({ reason: 'mismatch', senders });
  // A deposit that the same bank repeats is the same deposit.
  const repeated = await arrives(payment, 'iso20022', west);
  expect(repeated.name).not.toBe(early.name);
  expect(await listed(repeated.name)).toMatchObject({ reason: 'duplicate' });
  expect(await listed(repeated.name)).not.toHaveProperty('senders');
  expect(await balanceOf(ana.accountId)).toBe(666);
});

test('a return that made Ben’s balance too large arrives when staff try it again after he paid [RF-40]', async () => {
  const ben = await bank.seeded({ cents: 1_000n });
  const _id = await sendToOtherBank(parts().ledger, ben, { bankName: 'Harbor East' });
  await submitPayment({ ...parts(), rail: { ...parts().rail, cutOff: at => at } }, { transactionId: _id });
  await makeFiles(parts());
  const setBalance = (cents: bigint) =>
    rows('UPDATE ledger_accounts SET balance = $1 WHERE id = $2', [cents, ben.accountId]);
  await setBalance(2n ** 46n * 100n - 999n);
  const { name, content } = writers.iso20022.writeReturns(head(east), [
    {
      original: { endToEndId: _id.replaceAll('-', '') },
      amountCents: 1_000n,
      accountNumber: '',
      code: 'AC04',
      trace: '',
    },
  ]);
  await receiveFile(parts(), name, Buffer.from(content));
  await applyLines(parts());
  const { _id: id, reason } = (await listed(name))!;
  expect(reason).toBe('failed');
  expect((await retry(id)).status).toBe(409);
  await setBalance(0n);
  expect((await retry(id)).body.data.transaction!._id).toBe(_id);
  expect(await balanceOf(ben.accountId)).toBe(1_000);
});

test('an operator tries a colleague’s exception again only after reading who has it; an exception of another kind cannot be tried again [RF-40]', async () => {
  const ana = await bank.seeded({});
  const { file, id, repair } = await failedDeposit(fromEast(ana.accountNumber));
  await repair();
  const colleague = newId();
  await rows(
    "INSERT INTO admins (id, email, name, role) VALUES ($1, $1::uuid || '@example.com', 'Ben Berg', 'operator')",
    [colleague],
  );
  await rows('UPDATE rail_exceptions SET assigned_to = $1 WHERE id = $2', [colleague, id]);
  expect(await retry(id)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Ben Berg'), data: { owner: { _id: colleague } } },
  });
  expect((await retry(id, { body: { takenFrom: colleague } })).status).toBe(200);
  expect(await listed(file.name)).toBeUndefined();
  const payment = fromEast(ana.accountNumber, 100n);
  await arrives(payment);
  const twice = await arrives(payment);
  const refused = await retry((await listed(twice.name))!._id);
  expect(refused.status).toBe(409);
  expect(refused.body.message).toBe('Only a line that could not be booked can be tried again.');
});
