/** The rail's files: what the bank sends, what it receives, and what it does with lines that match or do not match. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { bank as names } from '#contract/constants.ts';
import { railApi } from '#contract/rail.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { closeForGood } from '../../../tests/closeForGood.ts';
import { endExternal } from '../../../tests/endExternal.ts';
import { holdLocks } from '../../../tests/holdLocks.ts';
import { counterparty, deposit, head, sendToOtherBank } from '../../../tests/railLines.ts';
import type { SeededCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { eventually, lockWaits } from '../../../tests/waiting.ts';
import { parseBankDirectory } from '../base/routingNumbers.ts';
import { newId } from '../base/uuid.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { systemClock } from '../outside/clock.ts';
import { openBankRail } from '../outside/rail/bankRail.ts';
import { keyOf as keyOfLine, readRailFile, writers } from '../outside/rail/formats.ts';
import { writeNotice } from '../outside/rail/iso20022.ts';
import { traceOf } from '../outside/rail/nacha.ts';
import type { PaymentRail } from '../outside/rail/rail.ts';
import { decidePayment, submitPayment } from './payments.ts';
import { cleanUpRail } from './railCleanUp.ts';
import { compareFile } from './railCompare.ts';
import { filesUnread, readRailFiles, readRailFolder } from './railFolder.ts';
import { applyLines, receiveFile } from './railIncoming.ts';
import { makeFiles, sendMade, sendRailFiles } from './railOutgoing.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ RAIL_DAY_SECONDS: '0.05', JOBS: 'off', RAIL_FORMAT: 'nacha' });
});
afterAll(async () => {
  const { faults } = await verifyBooks(bank.test.database.reader, { compareFile });
  await bank.close();
  // These tests submit payments without the queue, so pending payments have no job.
  expect(faults.filter(fault => !fault.includes('has a job'))).toEqual([]);
});

const parts = () => bank.bank.parts;
const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await bank.test.database.ownerPool.query<Row>(text, values)).rows;
const folder = (name: string) => join(parts().config.dataDir, 'rail', name);

const aCustomer = (dollars = 0n) => bank.seeded({ cents: dollars * 100n });
const detailOf = async ({ token }: SeededCustomer, id: string) =>
  (await bank.call(transactionsApi.transaction, { token, params: { id } })).body.data;
const balanceOf = async ({ token }: SeededCustomer) =>
  (await bank.call(transactionsApi.balance, { token })).body.data.balance;

/** Sends a payment to another bank and submits it; it then waits for a file. Returns the transaction's id. */
async function submitted(
  from: SeededCustomer,
  amountCents?: bigint,
  accountNumber?: string,
  { bankName, rail = parts().rail }: { bankName?: string; rail?: PaymentRail } = {},
): Promise<string> {
  const id = await sendToOtherBank(parts().ledger, from, { amountCents, accountNumber, bankName });
  await submitPayment({ ...parts(), rail: { ...rail, cutOff: at => at } }, { transactionId: id });
  return id;
}
const keyOf = async (id: string) =>
  (await rows<{ key: string }>('SELECT key FROM rail_outgoing WHERE transaction_id = $1', [id]))[0]!.key;

/** Reads a file and applies it. */
async function receive({ name, content }: { name: string; content: string }) {
  const receipt = await receiveFile(parts(), name, Buffer.from(content));
  await applyLines(parts());
  return receipt;
}
const settled = (key: string, amountCents: bigint) => ({ amountCents, transactionId: 'LB', trace: key });
const returned = (trace: string, amountCents: bigint, code = 'R02', accountNumber = '40218836117') => ({
  original: { trace },
  amountCents,
  accountNumber,
  code,
  trace: traceOf(counterparty, 1),
});
/** The exceptions of a file, by line. */
const exceptionsOf = async (name: string) =>
  (
    await rows<{ reason: string }>(
      `SELECT e.reason FROM rail_exceptions e JOIN rail_incoming i ON i.id = e.incoming_id JOIN rail_files f ON f.id = i.file_id
        WHERE f.name = $1 ORDER BY i.line`,
      [name],
    )
  ).map(({ reason }) => reason);
/** The payments that the exceptions of a file name, by line. */
const paymentsOf = async (name: string) =>
  (
    await rows<{ id: string | null }>(
      `SELECT i.transaction_id AS id FROM rail_incoming i JOIN rail_files f ON f.id = i.file_id
        WHERE f.name = $1 AND i.outcome = 'exception' ORDER BY i.line`,
      [name],
    )
  ).map(({ id }) => id);

test('four processes put each payment of a cut-off into exactly one file; a file that was not sent is sent later, unless it was changed in the meantime [RF-08, RF-09, RF-31]', async () => {
  const anna = await aCustomer(1_000n);
  const ids = await Promise.all(Array.from({ length: 12 }, () => submitted(anna)));
  const foreign = await submitted(anna, 500n, 'GB82WEST12345698765432');
  // The processes make the files but do not send them.
  await Promise.all(Array.from({ length: 4 }, () => makeFiles(parts())));
  const filed = await rows<{ name: string; format: string; content: string; state: string; lines: number[] }>(
    `SELECT f.name, f.format, f.content, f.state, array_agg(o.line ORDER BY o.line) AS lines
       FROM rail_outgoing o JOIN rail_files f ON f.id = o.file_id WHERE o.transaction_id = ANY ($1) GROUP BY f.id ORDER BY f.format`,
    [[...ids, foreign]],
  );
  expect(filed).toMatchObject([
    { format: 'nacha', state: 'made', lines: Array.from({ length: 12 }, (_, n) => n + 1) },
    { format: 'pacs.008', state: 'made', lines: [1] },
  ]);
  const [file] = filed as [(typeof filed)[number]];
  // A file whose content was changed after it was made is not sent.
  const change = (content: string) =>
    rows('UPDATE rail_files SET content = $1 WHERE name = $2', [content, file.name]);
  await change(file.content.replace('40218836117', '40218836118'));
  await sendMade(parts());
  const path = join(folder('out'), file.name);
  expect(existsSync(path)).toBe(false);
  await expect(decidePayment(parts(), { transactionId: ids[0]! })).rejects.toThrow(/was changed$/);
  await change(file.content);
  await Promise.all([sendMade(parts()), sendMade(parts())]);
  expect(readFileSync(path, 'latin1')).toBe(file.content);
  await makeFiles(parts());
  expect(readdirSync(folder('out')).sort()).toEqual(filed.map(({ name }) => name).sort());

  // If the file is missing when its answer is asked for, it is written again, byte for byte.
  rmSync(path);
  await decidePayment(parts(), { transactionId: ids[0]! });
  const again = [path, join(folder('archive'), file.name)]
    .filter(each => existsSync(each))
    .map(each => readFileSync(each, 'latin1'));
  expect(again).toEqual([file.content]);
  // The names in the file are deleted when its last payment has ended.
  for (const id of ids) await endExternal(parts(), id, { isSettled: true });
  await cleanUpRail(parts());
  const kept = await rows('SELECT state, content FROM rail_files WHERE name = $1', [file.name]);
  expect(kept).toEqual([{ state: 'ended', content: null }]);
});

test('the file of a cut-off waits for payments that are still being submitted [RF-08]', async () => {
  const anna = await aCustomer(100n);
  await submitted(anna);
  const waiting = () => rows('SELECT FROM rail_outgoing WHERE file_id IS NULL');
  // The payment's own job is still in the queue and due, so the file waits.
  await sendRailFiles(parts());
  expect(await waiting()).toHaveLength(1);
  await rows("DELETE FROM graphile_worker._private_jobs WHERE key LIKE 'submit-payment:%'");
  await sendRailFiles(parts());
  expect(await waiting()).toHaveLength(0);
});

test('a notice settles one payment, and a return brings back the money of another with the reason; a second reading changes nothing [RF-10, RF-11]', async () => {
  const anna = await aCustomer(100n);
  const [paid, back] = [await submitted(anna, 1_000n), await submitted(anna, 2_000n)];
  await makeFiles(parts());
  const notice = writeNotice(head(), [settled(await keyOf(paid), 1_000n)]);
  const returns = writers.nacha.writeReturns(head(), [returned(await keyOf(back), 2_000n)]);
  for (const file of [notice, returns]) expect(await receive(file)).toEqual({ status: 'read' });
  expect((await detailOf(anna, paid)).status).toBe('completed');
  expect(await detailOf(anna, back)).toMatchObject({
    status: 'failed',
    returnReason: 'The account is closed (R02)',
  });
  expect(await balanceOf(anna)).toBe(90);
  for (const file of [notice, returns]) expect(await receive(file)).toEqual({ status: 'duplicate' });
  expect(await receive({ ...notice, content: notice.content.replace('>10.00<', '>10.0<') })).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining('was read before, with other content'),
  });
  expect([await exceptionsOf(notice.name), await exceptionsOf(returns.name)]).toEqual([[], []]);
  expect(await balanceOf(anna)).toBe(90);
});

test('while files take turns, a return still comes after the notice of the same payment, and the notice of a credit after its deposit [RF-45]', async () => {
  const anna = await aCustomer(100n);
  const paid = await submitted(anna, 1_000n);
  await makeFiles(parts());
  const others = Array.from({ length: 60 }, (_, index) => settled(`unknown ${index}`, 100n));
  const own = deposit(anna.accountNumber);
  const ordered = [
    writeNotice(head(), [...others, settled(await keyOf(paid), 1_000n)]),
    writers.nacha.writeReturns(head(), [returned(await keyOf(paid), 1_000n)]),
    writers.iso20022.writePayments(head(), [...others.map(() => deposit('123456789012')), own]),
    writeNotice(head(), [{ amountCents: 2_500n, endToEndId: own.reference, transactionId: 'LB' }]),
  ] as const;
  const [notice, returns, , credit] = ordered;
  credit.content = credit.content.replaceAll('DBIT', 'CRDT').replaceAll('TtlDbtNtries', 'TtlCdtNtries');
  for (const { name, content } of ordered)
    expect(await receiveFile(parts(), name, Buffer.from(content))).toEqual({ status: 'read' });
  await applyLines(parts());
  expect(await exceptionsOf(notice.name)).toEqual(others.map(() => 'unknown'));
  expect(await exceptionsOf(returns.name)).toEqual(['settled']);
  expect(await exceptionsOf(credit.name)).toEqual([]);
  expect(await balanceOf(anna)).toBe(115);
});

test('ten processes that read one file at the same time apply it once [RF-11]', async () => {
  const anna = await aCustomer(100n);
  const ids = await Promise.all(Array.from({ length: 6 }, () => submitted(anna)));
  await makeFiles(parts());
  const keys = await Promise.all(ids.map(keyOf));
  const file = writers.nacha.writeReturns(
    head(),
    keys.map(key => returned(key, 1_000n)),
  );
  await mkdir(folder('in'), { recursive: true });
  writeFileSync(join(folder('in'), file.name), file.content);
  await Promise.all(Array.from({ length: 10 }, () => readRailFolder(parts())));
  await readRailFolder(parts());
  expect(await balanceOf(anna)).toBe(100);
  expect(await exceptionsOf(file.name)).toEqual([]);
  expect(readdirSync(folder('in'))).toEqual([]);
  expect(await rows('SELECT state, lines FROM rail_files WHERE name = $1', [file.name])).toEqual([
    { state: 'applied', lines: 6 },
  ]);
});

test('a line that does not agree with what was sent changes no balance and waits for staff [RF-12]', async () => {
  const anna = await aCustomer(100n);
  const [pending, done, gone] = [await submitted(anna), await submitted(anna), await submitted(anna)];
  await makeFiles(parts());
  const [key, doneKey, goneKey] = [await keyOf(pending), await keyOf(done), await keyOf(gone)];
  await endExternal(parts(), done, { isSettled: true });
  await endExternal(parts(), gone, { isSettled: false, reason: 'x' });
  const returns = writers.nacha.writeReturns(head(), [
    returned('800000009999999', 1_000n),
    returned(key, 999n),
    returned(key, 1_000n, 'R02', '40218836118'),
    returned(doneKey, 1_000n),
    returned(goneKey, 1_000n),
  ]);
  await receive(returns);
  expect(await exceptionsOf(returns.name)).toEqual(['unknown', 'amount', 'account', 'settled', 'returned']);
  const notice = writeNotice(head(), [settled(doneKey, 1_000n), settled(key, 1_001n), settled(key, 1_000n)]);
  const euros = { ...notice, content: notice.content.replace(/"USD">10\.01/g, '"EUR">10.01') };
  await receive(euros);
  expect(await exceptionsOf(notice.name)).toEqual(['settled', 'currency']);
  expect(await paymentsOf(notice.name)).toEqual([done, pending]);
  expect((await detailOf(anna, pending)).status).toBe('completed');
  const credit = writeNotice(head(), [settled('unknown', 5n)]);
  await receive({
    ...credit,
    content: credit.content.replaceAll('DBIT', 'CRDT').replaceAll('TtlDbt', 'TtlCdt'),
  });
  expect(await exceptionsOf(credit.name)).toEqual(['unannounced']);
  expect(await balanceOf(anna)).toBe(80);
});

test('a notification of change goes to the staff, with the payment and the corrected number [RF-12]', async () => {
  const anna = await aCustomer(100n);
  const id = await submitted(anna);
  await makeFiles(parts());
  const change = writers.nacha.writeReturns(head(), [returned(await keyOf(id), 0n, 'C01')]);
  const content = change.content.replace(
    /^799C01(.{15}) {6}(.{8}).{44}/m,
    `798C01$1      $2${'40218836999'.padEnd(44)}`,
  );
  await receive({ ...change, content });
  const token = await bank.adminToken();
  const { exceptions } = (await bank.call(railApi.railExceptions, { token, query: { limit: '100' } })).body
    .data;
  expect(exceptions.find(({ file }) => file === change.name)).toMatchObject({
    reason: 'change',
    code: 'C01',
    text: '40218836999',
    transaction: { _id: id },
  });
  expect((await detailOf(anna, id)).status).toBe('pending');
});

test.each(['iso20022', 'nacha'] as const)(
  'a deposit in a file of %s is booked once; a deposit to a closed or unknown account goes back with the next file [RF-13, RF-25]',
  async format => {
    const [anna, left] = [await aCustomer(), await aCustomer()];
    await closeForGood(parts().database, left.accountId);
    const first = deposit(anna.accountNumber);
    const file = writers[format].writePayments(head(), [
      first,
      deposit(left.accountNumber, { amountCents: 300n }),
      deposit('123456789015', { amountCents: 350n }),
      deposit('123456789012', { amountCents: 50n }),
    ]);
    await receive(file);
    expect(await balanceOf(anna)).toBe(25);
    expect(await exceptionsOf(file.name)).toEqual([]);
    const { transactions } = (await bank.call(transactionsApi.listTransactions, { token: anna.token })).body
      .data;
    expect(transactions[0]).toMatchObject({
      type: 'deposit',
      amount: 25,
      externalBankDetails: { accountName: format === 'nacha' ? 'LARKSPUR BANK' : 'Canal Street Payroll' },
    });
    // The same payment in another file, once unchanged and once with another amount.
    const again = writers[format].writePayments(head(), [first, { ...first, amountCents: 2_600n }]);
    await receive(again);
    expect(await exceptionsOf(again.name)).toEqual(['duplicate', 'mismatch']);
    expect(await paymentsOf(again.name)).toEqual([transactions[0]!._id, transactions[0]!._id]);
    expect(await balanceOf(anna)).toBe(25);

    // Returns leave at the next cut-off. If a cut-off comes between two returns, they are in two files.
    const sent = await eventually(async () => {
      await makeFiles(parts());
      const made = await rows<{ content: string; lines: number; cents: bigint }>(
        `SELECT string_agg(content, '') AS content, sum(lines)::int AS lines, sum(cents)::bigint AS cents FROM rail_files
          WHERE id IN (SELECT o.file_id FROM rail_outgoing o JOIN rail_incoming i ON i.id = o.answer_to
                        WHERE i.file_id = (SELECT id FROM rail_files WHERE name = $1))`,
        [file.name],
      );
      return made[0]?.lines === 3 ? made[0] : undefined;
    });
    expect(sent).toMatchObject({ lines: 3, cents: 700n });
    for (const code of format === 'nacha'
      ? ['799R02', '799R03', '799R04']
      : ['<Cd>AC04</Cd>', '<Cd>AC01</Cd>'])
      expect(sent.content).toContain(code);
    // A notice of the booked deposit confirms it.
    if (format === 'iso20022') {
      const notice = writeNotice(head(), [{ ...settled('', 2_500n), transactionId: first.reference }]);
      const content = notice.content.replaceAll('DBIT', 'CRDT').replaceAll('TtlDbt', 'TtlCdt');
      await receive({ ...notice, content });
      expect(await exceptionsOf(notice.name)).toEqual([]);
    }
    // Senders' names and texts are kept only in the queue of exceptions.
    expect(
      await rows(
        `SELECT DISTINCT i.party_name, i.text FROM rail_incoming i JOIN rail_files f ON f.id = i.file_id
          WHERE f.name = $1`,
        [file.name],
      ),
    ).toEqual([{ party_name: '', text: '' }]);
  },
);

const [east, west] = ['800000035', '800000022'];
const withDirectory = () => ({
  ...parts(),
  rail: openBankRail(
    systemClock,
    parts().config,
    parseBankDirectory(`${east},Harbor East\n${west},Harbor West\n${west},West`, names.routingNumber),
  ),
});

test('with a directory, a payment goes to the bank that it names, and comes back if the directory has no such bank [RF-22]', async () => {
  const anna = await aCustomer(100n);
  const { rail } = withDirectory();
  const send = (bankName: string) => submitted(anna, 1_000n, '40218836117', { bankName, rail });
  const ids = [await send('harbor  EAST'), await send('West'), await send(west)];
  const lost = await send('Harbor North');
  await makeFiles(withDirectory());
  const routes = await rows<{ counterparty: string; content: string; lines: number }>(
    `SELECT DISTINCT f.counterparty, f.content, f.lines FROM rail_files f JOIN rail_outgoing o ON o.file_id = f.id
      WHERE o.transaction_id = ANY ($1) ORDER BY 1`,
    [ids],
  );
  expect(routes).toMatchObject([
    { counterparty: west, lines: 2 },
    { counterparty: east, lines: 1 },
  ]);
  for (const { counterparty: to, content } of routes)
    expect((await readRailFile(Buffer.from(content), to)).from).toBe(names.routingNumber);
  expect(await detailOf(anna, lost)).toMatchObject({
    status: 'failed',
    returnReason: 'The other bank wasn’t found (RC01)',
  });
  expect(await balanceOf(anna)).toBe(70);
  // A payment that was sent still ends with its bank's answer after the directory loses that bank.
  const gone = { ...withDirectory(), rail: { ...rail, cutOff: (at: Date) => at, routeTo: () => undefined } };
  await submitPayment(gone, { transactionId: ids[0]! });
  expect((await detailOf(anna, ids[0]!)).status).toBe('pending');

  // Only the bank that received the payment can answer it.
  const notice = async (from: string) =>
    writeNotice({ ...head(), from }, [settled(await keyOf(ids[0]!), 1_000n)]);
  const foreign = await notice(west);
  for (const file of [foreign, await notice(east)]) {
    await receiveFile(withDirectory(), file.name, Buffer.from(file.content));
    await applyLines(withDirectory());
  }
  expect(await exceptionsOf(foreign.name)).toEqual(['unknown']);
  expect((await detailOf(anna, ids[0]!)).status).toBe('completed');
});

test('a payment to a bank that left the directory locks no account while it waits to be returned, so that others can pay [RF-22]', async () => {
  const anna = await aCustomer(100n);
  const id = await sendToOtherBank(parts().ledger, anna);
  const gone = { ...parts(), rail: { ...parts().rail, cutOff: () => new Date(0), routeTo: () => undefined } };
  const { ownerPool } = bank.test.database;
  const other = await holdLocks(ownerPool, 'SELECT FROM ledger_accounts WHERE id = clearing_id() FOR UPDATE');
  const returned = submitPayment(gone, { transactionId: id });
  await eventually(async () => (await lockWaits(ownerPool)) > 0 || undefined);
  await rows('SELECT FROM ledger_accounts WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [anna.accountId]);
  await other.query('ROLLBACK');
  await returned;
  expect((await detailOf(anna, id)).status).toBe('failed');
});

test.each(['iso20022', 'nacha'] as const)(
  'with a directory, each deposit in a file of %s is answered once, with a notice or its return; a file that arrives again gets the same answers, and a file from a bank outside the directory is refused [RF-23, RF-30]',
  async format => {
    const anna = await aCustomer();
    const answering = withDirectory();
    const due = { ...answering, rail: { ...answering.rail, cutOff: () => new Date(0) } };
    const paid = [deposit(anna.accountNumber), deposit('123456789012', { amountCents: 400n })];
    const file = writers[format].writePayments({ ...head(), from: east }, paid);
    for (let again = 0; again < 2; again++) {
      await receiveFile(due, file.name, Buffer.from(file.content));
      await applyLines(due);
    }
    await makeFiles(due);
    const answers = await rows<{ name: string; content: string }>(
      `SELECT f.name, f.content FROM rail_files f JOIN rail_outgoing o ON o.file_id = f.id
         JOIN rail_incoming i ON i.id = o.answer_to JOIN rail_files received ON received.id = i.file_id
        WHERE received.name = $1 AND f.counterparty = $2 ORDER BY i.line`,
      [file.name, east],
    );
    const read = await Promise.all(
      answers.map(async ({ content }) => await readRailFile(Buffer.from(content), east)),
    );
    const keys = paid.map(payment => keyOfLine(format, payment));
    expect(read.map(({ from, lines }) => [from, lines])).toMatchObject([
      [
        names.routingNumber,
        [{ kind: 'settled', amountCents: 2_500n, keys: expect.arrayContaining([keys[0]]) }],
      ],
      [
        names.routingNumber,
        [{ kind: 'returned', amountCents: 400n, keys: expect.arrayContaining([keys[1]]) }],
      ],
    ]);
    // The answers are lost, and the other bank sends its file again.
    await sendMade(due);
    for (const { name } of answers) rmSync(join(folder('out'), name));
    await cleanUpRail(due);
    await receiveFile(due, file.name, Buffer.from(file.content));
    await sendMade(due);
    for (const { name, content } of answers)
      expect(readFileSync(join(folder('out'), name), 'utf8')).toBe(content);
    // A file that cannot be moved away is read again and again. Its answers are repeated only after it has been moved.
    const stuck = { ...due, rail: { ...due.rail, fileAway: () => Promise.reject(new Error('read-only')) } };
    await mkdir(folder('in'), { recursive: true });
    writeFileSync(join(folder('in'), file.name), file.content);
    const states = () =>
      rows('SELECT DISTINCT state FROM rail_files WHERE name = ANY ($1)', [answers.map(({ name }) => name)]);
    await expect(readRailFiles(stuck, [file.name])).rejects.toThrow('read-only');
    expect(await states()).toEqual([{ state: 'sent' }]);
    await readRailFiles(due, [file.name]);
    expect(await states()).toEqual([{ state: 'made' }]);
    const unlisted = writers[format].writePayments(head(), paid);
    expect(await receiveFile(due, unlisted.name, Buffer.from(unlisted.content))).toEqual({
      status: 'refused',
      reason: `The file is from ${counterparty}, which is not in the directory.`,
    });
  },
);

test('refused files with the same content are one entry that lists their names [RF-06]', async () => {
  for (const name of ['monday.ach', 'tuesday.ach', 'monday.ach', 'day.ach', 'May 1, 2.ach', 'May 1, 2.ach'])
    expect(await receiveFile(parts(), name, Buffer.from('not a file\n'))).toMatchObject({
      status: 'refused',
    });
  const sha = createHash('sha256').update('not a file\n').digest();
  expect(await rows('SELECT name FROM rail_files WHERE sha256 = $1', [sha])).toEqual([
    { name: 'monday.ach, tuesday.ach, day.ach, May 1, 2.ach' },
  ]);
});

test('a truncated file is refused and moved away, the reason is stored, and none of it is applied [RF-06]', async () => {
  const anna = await aCustomer(100n);
  const ids = [await submitted(anna), await submitted(anna)];
  await makeFiles(parts());
  const keys = await Promise.all(ids.map(keyOf));
  const file = writeNotice(
    head(),
    keys.map(key => settled(key, 1_000n)),
  );
  const torn = file.content.slice(0, -60);
  await mkdir(folder('in'), { recursive: true });
  writeFileSync(join(folder('in'), 'torn.xml'), torn);
  writeFileSync(join(folder('in'), '.hidden'), 'x');
  await readRailFolder(parts());
  for (const id of ids) expect((await detailOf(anna, id)).status).toBe('pending');
  expect(readdirSync(folder('in'))).toEqual(['.hidden']);
  expect(readdirSync(folder('refused'))).toEqual(['torn.xml']);
  const sha = createHash('sha256').update(torn).digest();
  expect(await rows('SELECT state, reason FROM rail_files WHERE sha256 = $1', [sha])).toEqual([
    { state: 'refused', reason: expect.stringContaining('not well-formed') },
  ]);
  // A file that may still be written is left alone.
  writeFileSync(join(folder('in'), file.name), file.content);
  await readRailFolder(parts(), { settledMs: 60_000 });
  expect(readdirSync(folder('in'))).toContain(file.name);
  // A file that cannot be read does not keep the others waiting.
  writeFileSync(join(folder('in'), 'a-file-of-root.xml'), 'x');
  const { rail } = parts();
  const readIncoming: typeof rail.readIncoming = async name => {
    if (name.startsWith('a-file')) throw new Error('EACCES');
    return await rail.readIncoming(name);
  };
  await expect(readRailFolder({ ...parts(), rail: { ...rail, readIncoming } })).rejects.toThrow('EACCES');
  rmSync(join(folder('in'), 'a-file-of-root.xml'));
  for (const id of ids) expect((await detailOf(anna, id)).status).toBe('completed');
});

test('a description whose length limit falls in the middle of an emoji does not stop its file [RF-18]', async () => {
  const anna = await aCustomer();
  const { name, content } = writers.iso20022.writePayments(head(), [deposit(anna.accountNumber)]);
  const cut = content.replace('<Ustrd>May</Ustrd>', `<Ustrd>${'a'.repeat(139)}😀</Ustrd>`);
  expect(await receive({ name, content: cut })).toEqual({ status: 'read' });
  expect(await balanceOf(anna)).toBe(25);
});

test('a file that cannot be opened and a line that fails do not stop the others, and the error is reported [RF-19]', async () => {
  const anna = await aCustomer(100n);
  const [failing, other] = [await submitted(anna), await submitted(anna)];
  await makeFiles(parts());
  const file = writeNotice(head(), [
    settled(await keyOf(failing), 1_000n),
    settled(await keyOf(other), 1_000n),
  ]);
  await mkdir(folder('in'), { recursive: true });
  const loop = join(folder('in'), 'a-loop.xml');
  symlinkSync('a-loop.xml', loop);
  writeFileSync(join(folder('in'), file.name), file.content);
  const { ledger } = parts();
  const failingLedger: Pick<typeof ledger, 'endExternal'> = {
    endExternal(tx, id, end) {
      if (id === failing) throw new Error('This line fails.');
      return ledger.endExternal(tx, id, end);
    },
  };
  await expect(readRailFolder({ ...parts(), ledger: failingLedger })).rejects.toThrow('This line fails.');
  expect((await detailOf(anna, failing)).status).toBe('pending');
  expect((await detailOf(anna, other)).status).toBe('completed');
  await expect(readRailFolder(parts(), { settledMs: 1 })).rejects.toThrow('ELOOP');
  expect((await detailOf(anna, failing)).status).toBe('completed');
  rmSync(loop);
});

// File systems of macOS refuse such a name.
test.skipIf(process.platform !== 'linux')(
  'a file whose name is not UTF-8 is reported and counts as unread; the other files are still read [RF-19]',
  async () => {
    const anna = await aCustomer();
    const { name, content } = writers.iso20022.writePayments(head(), [deposit(anna.accountNumber)]);
    await mkdir(folder('in'), { recursive: true });
    const latin1 = Buffer.concat([
      Buffer.from(join(folder('in'), 'a-')),
      Buffer.from('\xfcber.xml', 'latin1'),
    ]);
    writeFileSync(latin1, content.replace('<Ustrd>May', '<Ustrd>June'));
    writeFileSync(join(folder('in'), name), content);
    for (const settledMs of [0, 1]) {
      const reading = readRailFolder(parts(), { settledMs });
      await expect(reading).rejects.toThrow('“a-\uFFFDber.xml” is not UTF-8');
      expect((await filesUnread.get()).values).toMatchObject([{ value: 1 }]);
    }
    expect(await balanceOf(anna)).toBe(25);
    rmSync(latin1);
  },
);

test('a folder or a pipe among the files is reported; the other files are still read, and old files are deleted [RF-19]', async () => {
  const anna = await aCustomer();
  const { name, content } = writers.iso20022.writePayments(head(), [deposit(anna.accountNumber)]);
  await mkdir(join(folder('in'), 'a-folder'), { recursive: true });
  execFileSync('mkfifo', [join(folder('in'), 'b-pipe')]);
  writeFileSync(join(folder('in'), name), content);
  await expect(readRailFolder(parts())).rejects.toThrow('a-folder is a folder or a pipe, not a file');
  expect(await balanceOf(anna)).toBe(25);
  rmSync(join(folder('in'), 'a-folder'), { recursive: true });
  await expect(readRailFolder(parts())).rejects.toThrow('b-pipe is a folder or a pipe, not a file');
  rmSync(join(folder('in'), 'b-pipe'));

  await mkdir(join(folder('archive'), 'a-folder'), { recursive: true });
  const longAgo = new Date(Date.now() - 31 * 86_400_000);
  for (const old of ['a-folder', name]) utimesSync(join(folder('archive'), old), longAgo, longAgo);
  await expect(cleanUpRail(parts())).rejects.toThrow('a-folder');
  expect(existsSync(join(folder('archive'), name))).toBe(false);
  rmSync(join(folder('archive'), 'a-folder'), { recursive: true });
});

test('a new file with the name of a file that is being read is read too [RF-20]', async () => {
  const anna = await aCustomer();
  const [first, second] = [1_000n, 2_000n].map(
    amountCents =>
      writers.iso20022.writePayments(head(), [deposit(anna.accountNumber, { amountCents })]).content,
  ) as [string, string];
  await mkdir(folder('in'), { recursive: true });
  const path = join(folder('in'), 'payments.xml');
  writeFileSync(path, first);
  const { rail } = parts();
  const readIncoming = async (name: string) => {
    const content = await rail.readIncoming(name);
    writeFileSync(path, second);
    return content;
  };
  await readRailFolder({ ...parts(), rail: { ...rail, readIncoming } });
  expect(await balanceOf(anna)).toBe(10);
  await readRailFolder(parts());
  expect(await balanceOf(anna)).toBe(30);
  expect(existsSync(path)).toBe(false);
});

test('asking the rail about a payment reads only the answer, not a file that is still being copied [RF-28]', async () => {
  const anna = await aCustomer(100n);
  const [sent, ben] = [await submitted(anna), await aCustomer()];
  const whole = writers.iso20022.writePayments(head(), [deposit(ben.accountNumber, { amountCents: 700n })]);
  await mkdir(folder('in'), { recursive: true });
  const path = join(folder('in'), whole.name);
  writeFileSync(path, whole.content.slice(0, 300));
  const isCompleted = async () => {
    await decidePayment(parts(), { transactionId: sent });
    return (await detailOf(anna, sent)).status === 'completed' || undefined;
  };
  await eventually(isCompleted);
  expect(existsSync(path)).toBe(true);
  // The copy keeps the file's time, which is from a machine whose clock is an hour ahead.
  writeFileSync(path, whole.content);
  const inAnHour = new Date(Date.now() + 3_600_000);
  utimesSync(path, inAnHour, inAnHour);
  await readRailFolder(parts(), { settledMs: 2_000 });
  expect(await balanceOf(ben)).toBe(7);
});

test('a restore skips trace numbers, so that no payment repeats one used after the restored time [RF-21]', async () => {
  const owner = await bank.test.database.ownerPool.connect();
  const next = async () =>
    (await owner.query<{ n: bigint }>("SELECT nextval('rail_traces') AS n")).rows[0]!.n;
  const last = await next();
  await owner.query('BEGIN');
  await owner.query('SELECT hold_bank()');
  await owner.query('ROLLBACK');
  owner.release();
  expect(
    Number((await rows<{ n: bigint }>("SELECT nextval('rail_traces') AS n"))[0]!.n - last),
  ).toBeGreaterThan(500_000);
});

test('staff see the files and the exceptions; an exception is assigned and resolved once, and both acts are audited [RF-14]', async () => {
  const notice = writeNotice(head(), [settled('no such payment', 4_200n)]);
  await receive(notice);
  const token = await bank.adminToken();
  const list = async (query = {}) =>
    (await bank.call(railApi.railExceptions, { token, query: { limit: '100', ...query } })).body.data;
  const found = (await list()).exceptions.find(({ file }) => file === notice.name)!;
  expect(found).toMatchObject({ reason: 'unknown', amount: 42, line: 1, kind: 'settled', currency: 'USD' });
  const { files } = (await bank.call(railApi.railFiles, { token, query: { direction: 'in' } })).body.data;
  expect(files[0]).toMatchObject({
    name: notice.name,
    format: 'camt.054',
    state: 'applied',
    exceptions: 1,
    total: 42,
  });
  const one = { token, params: { id: found._id } };
  const taken = await bank.call(railApi.assignRailException, one);
  expect(taken.body.data.assignedTo!.name).toBe('Ada Admin');
  const body = { note: 'The other bank sent it by mistake' };
  const { open } = await list();
  const resolved = await bank.call(railApi.resolveRailException, { ...one, body });
  expect(resolved.body.data).toMatchObject({ partyName: '', text: '' });
  expect(resolved.body.data).toMatchObject({ note: body.note, resolvedBy: 'Ada Admin' });
  const again = await bank.call(railApi.resolveRailException, { ...one, body });
  expect(again).toMatchObject({
    status: 409,
    body: { message: `Ada Admin already resolved this exception: “${body.note}”` },
  });
  expect((await bank.call(railApi.assignRailException, one)).status).toBe(409);
  expect((await list()).open).toBe(open - 1);
  expect((await list({ list: 'resolved' })).exceptions[0]!._id).toBe(found._id);
  expect(
    await rows("SELECT action FROM audit_log WHERE subject = $1 AND action <> 'rail.listed' ORDER BY id", [
      found._id,
    ]),
  ).toEqual([{ action: 'rail.assigned' }, { action: 'rail.resolved' }]);
});

test('a file of several currencies has no total, and a file of euros has a total in euros [RF-43]', async () => {
  const anna = await aCustomer();
  const file = writers.iso20022.writePayments(head(), [
    deposit(anna.accountNumber),
    deposit(anna.accountNumber),
  ]);
  const euros = writers.iso20022.writePayments(head(), [deposit(anna.accountNumber)]);
  await receive({ ...file, content: file.content.replace('Ccy="USD">25.00', 'Ccy="EUR">25.00') });
  await receive({ ...euros, content: euros.content.replaceAll('Ccy="USD"', 'Ccy="EUR"') });
  const token = await bank.adminToken();
  const { files } = (await bank.call(railApi.railFiles, { token, query: { direction: 'in' } })).body.data;
  const [second, first] = [euros, file].map(({ name }) => files.find(row => row.name === name)!);
  expect(first).toMatchObject({ lines: 2, exceptions: 1 });
  expect(first!.currency).toBeNull();
  expect(second).toMatchObject({ currency: 'EUR', total: 25 });
});

test('an auditor reads the amount of an exception in the currency of its line [RF-43]', async () => {
  const anna = await aCustomer();
  const file = writers.iso20022.writePayments(head(), [deposit(anna.accountNumber)]);
  await receive({ ...file, content: file.content.replaceAll('Ccy="USD"', 'Ccy="EUR"') });
  const token = await bank.adminToken();
  const { exceptions } = (await bank.call(railApi.railExceptions, { token, query: { limit: '100' } })).body
    .data;
  const one = { token, params: { id: exceptions.find(row => row.file === file.name)!._id } };
  await bank.call(railApi.assignRailException, one);
  await bank.call(railApi.resolveRailException, { ...one, body: { note: 'Recalled' } });
  const { records } = (await bank.call(adminApi.auditLog, { token })).body.data;
  const details = records.filter(row => row.subject === one.params.id).map(row => row.details);
  expect(details).toEqual(['25.00 EUR, Recalled', '25.00 EUR']);
});

test('staff see which deposits of a file were sent back, to whom, from which bank and why, and the view is audited [RF-44]', async () => {
  const [anna, left] = [await aCustomer(), await aCustomer()];
  await closeForGood(parts().database, left.accountId);
  const file = writers.iso20022.writePayments(head(), [
    deposit(anna.accountNumber),
    deposit(left.accountNumber, { amountCents: 300n }),
    deposit(anna.accountNumber, { amountCents: 100_000_000_001n }),
    deposit('123456789012', { amountCents: 50n }),
  ]);
  await receive(file);
  const token = await bank.adminToken();
  const { files } = (await bank.call(railApi.railFiles, { token, query: { direction: 'in' } })).body.data;
  const row = files.find(({ name }) => name === file.name)!;
  expect(row).toMatchObject({ lines: 4, sentBack: 3, exceptions: 0, currency: 'USD' });
  const list = async (query = {}, id = row._id) =>
    (await bank.call(railApi.sentBackDeposits, { token, params: { id }, query })).body.data;
  const { deposits, totalDeposits } = await list();
  expect(totalDeposits).toBe(3);
  expect(deposits).toMatchObject([
    { line: 2, accountNumber: left.accountNumber, amount: 3, reason: 'The account is closed' },
    {
      line: 3,
      accountNumber: anna.accountNumber,
      amount: 1_000_000_000.01,
      reason: 'The amount is too large',
      customerId: anna.customerId,
    },
    { line: 4, accountNumber: '123456789012', amount: 0.5, reason: 'No account has this number' },
  ]);
  for (const { bankName } of deposits) expect(bankName).not.toBe('');
  const unknown = { token, params: { id: newId() } };
  expect((await bank.call(railApi.sentBackDeposits, unknown)).status).toBe(404);
  expect(deposits[2]).not.toHaveProperty('customerId');
  expect(await list({ page: '2', limit: '2' })).toMatchObject({ deposits: [{ line: 4 }], totalPages: 2 });
  const log = async (action: string) =>
    (await bank.call(adminApi.auditLog, { token, query: { action } })).body.data.records.map(
      ({ details }) => details,
    );
  expect(await log('rail.sent-back-listed')).toEqual([
    `page 2, file ${row._id.slice(-8)}, 1 row`,
    `file ${row._id.slice(-8)}, 3 rows`,
  ]);
  expect(await log('deposit.returned')).toContain(
    '$0.50, No account has this number, account 1234 5678 9012',
  );
});
