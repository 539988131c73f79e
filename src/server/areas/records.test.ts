/** Statements, receipts and the copy of a customer's data over HTTP, read back and compared with the books. */
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { dataCopies, personQuotas } from '#contract/constants.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { preferencesApi } from '#contract/preferences.ts';
import { recordsApi } from '#contract/records.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { systemClock } from '#server/outside/clock.ts';
import { openPast, type PastTransactions } from '../../../tests/pastTransactions.ts';
import { readPdf } from '../../../tests/readPdf.ts';
import { readZip } from '../../../tests/readZip.ts';
import type { SeededCustomer, SeedOptions } from '../../../tests/seedCustomers.ts';
import { eventually, openTestBank, type TestBank } from '../../../tests/server.ts';
import { newId } from '../base/uuid.ts';
import { writeEverything } from '../jobs/everything.ts';
import { exportData, removeOldExports } from '../jobs/exportData.ts';
import { mailTemplates } from '../jobs/mails/templates.ts';
import { makeStatements } from '../jobs/makeStatements.ts';
import { deliverDeposit } from '../jobs/railDeposits.ts';
import { markEmailProven } from '../people/customers.ts';
import { personalData } from '../people/personalData.ts';

let bank: TestBank;
let past: PastTransactions;
let nora: SeededCustomer;
let zoe: SeededCustomer;

const today = new Date('2026-11-22T15:00:00Z');
beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off' });
  nora = await aCustomer({ firstName: 'Nora', lastName: 'Quist' });
  zoe = await aCustomer({ firstName: 'Zoë', lastName: 'Łukasiewicz-李 & שלום 🍜' });
  past = openPast(bank.bank.parts.database, nora.customerId);
  vi.spyOn(systemClock, 'now').mockReturnValue(today);
  // 11:30 PM on August 31 in New York is September in UTC.
  await past.credit(nora, { at: '2026-09-01T03:30:00Z', cents: 500_000n, description: 'Start' });
  await past.send(nora, zoe, { at: '2026-09-01T04:00:00Z', cents: 2_550n, description: '=1+1 <lunch> ' });
  const returned = await past.sendOut(nora, { at: '2026-09-29T16:00:00Z', cents: 10_000n });
  const pending = await past.sendOut(nora, { at: '2026-09-30T16:00:00Z', cents: 3_030n });
  await past.decide(returned, '2026-10-02T16:00:00Z', false);
  await past.decide(pending, '2026-10-05T16:00:00Z', true);
  await past.send(zoe, nora, { at: '2026-11-20T16:00:00Z', cents: 1n });
});
afterEach(() => {
  vi.spyOn(systemClock, 'now').mockReturnValue(today);
});
afterAll(() => bank.close());

const aCustomer = (wanted?: SeedOptions) => bank.seeded(wanted);

async function download(path: string, { token } = nora) {
  const answer = await fetch(`${bank.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}
const statementOf = async (month: string, who = nora) =>
  await download(recordsApi.statement.path.replace('{month}', month), who);
const list = async ({ token } = nora) => (await bank.call(recordsApi.statements, { token })).body.data;
const dollars = (text: string) => Number(text.replace(/[$,+]/g, '').replace('−', '-'));
const makeAll = (signal?: AbortSignal) => makeStatements(bank.bank.parts, signal, systemClock.now());
const sealed = async () =>
  (await bank.test.database.ownerPool.query('SELECT * FROM statements ORDER BY account_id, month')).rows;

test('every month since the first is listed, newest first, and opens with the closing balance of the month before [RX-14]', async () => {
  const months = await list();
  expect(months).toEqual([
    {
      _id: '2026-11',
      from: '2026-11-01',
      to: '2026-11-22',
      openingBalance: 4944.2,
      closingBalance: 4944.21,
      moneyIn: 0.01,
      moneyOut: 0,
      count: 1,
    },
    {
      _id: '2026-10',
      from: '2026-10-01',
      to: '2026-10-31',
      openingBalance: 4844.2,
      closingBalance: 4944.2,
      moneyIn: 100,
      moneyOut: 0,
      count: 1,
    },
    {
      _id: '2026-09',
      from: '2026-09-01',
      to: '2026-09-30',
      openingBalance: 5000,
      closingBalance: 4844.2,
      moneyIn: 0,
      moneyOut: 155.8,
      count: 3,
    },
    {
      _id: '2026-08',
      from: '2026-08-31',
      to: '2026-08-31',
      openingBalance: 0,
      closingBalance: 5000,
      moneyIn: 5000,
      moneyOut: 0,
      count: 1,
    },
  ]);
  const { balance } = (await bank.call(transactionsApi.balance, { token: nora.token })).body.data;
  expect(months[0]!.closingBalance).toBe(balance);
});

test('a statement has every movement with its reference and the balance after it, from the opening to the closing balance [RX-15]', async () => {
  const { answer, bytes } = await statementOf('2026-09');
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('content-disposition')).toBe(
    'attachment; filename="larkspur-statement-2026-09.pdf"',
  );
  const { rows, texts } = readPdf(bytes);
  const movements = rows.filter(row => row.length === 5).slice(1);
  expect(movements.map(([day, , , amount, balance]) => [day, amount, balance])).toEqual([
    ['Sep 1', '−$25.50', '$4,974.50'],
    ['Sep 29', '−$100.00', '$4,874.50'],
    ['Sep 30', '−$30.30', '$4,844.20'],
  ]);
  for (const [, , reference] of movements) expect(reference).toMatch(/^LB-/);
  expect(rows.find(row => row[0]!.startsWith('Opening'))).toEqual([
    'Opening balance on Sep 1, 2026',
    '$5,000.00',
  ]);
  const closing = rows.filter(row => row[0]!.startsWith('Closing')).map(row => row[1]);
  expect(closing).toEqual(['$4,844.20', '$4,844.20']);
  expect(texts).toEqual(expect.arrayContaining(['September 2026', 'Nora Quist']));
});

test('payments that were pending at the end of the month are listed separately, even if they ended later [RX-16]', async () => {
  const pendingIn = async (month: string) => {
    const { rows, texts } = readPdf((await statementOf(month)).bytes);
    if (month === '2026-09')
      expect(texts.join(' ')).toContain('As of Sep 30, 2026, these payments had already left your balance');
    return rows
      .filter(row => row.length === 4)
      .slice(1)
      .map(row => row[3]);
  };
  // In October, the first payment was returned and the second was confirmed.
  expect(await pendingIn('2026-09')).toEqual(['−$100.00', '−$30.30']);
  expect(await pendingIn('2026-10')).toEqual([]);
});

test('the statement of the current month says that it covers the month so far [RX-17]', async () => {
  const { answer, bytes } = await statementOf('2026-11');
  expect(answer.headers.get('content-disposition')).toContain('larkspur-statement-2026-11-so-far.pdf');
  const { texts } = readPdf(bytes);
  expect(texts).toContain('Account statement  ·  Nov 1–22, 2026 (so far)');
  expect(texts).toContain('As of Nov 22, 2026, 10:00 AM, New York time');
});

test('a statement is tagged for screen readers: language, title, headings and table headers [RX-18]', async () => {
  const { catalog, metadata, root, drawn, pages } = readPdf((await statementOf('2026-09')).bytes);
  expect(catalog).toContain('/Lang (en-US)');
  expect(catalog).toMatch(/MarkInfo \d+ 0 R/);
  expect(catalog).toMatch(/ViewerPreferences \d+ 0 R/);
  expect(metadata).toContain('<pdfuaid:part>1</pdfuaid:part>');
  expect(metadata).toContain('Larkspur Bank, Account statement, September 2026');
  const roles = root.children.map(({ role }) => role);
  expect(roles[0]).toBe('Figure');
  expect(root.children[0]!.attributes).toContain('/Alt (Larkspur Bank)');
  expect(roles.filter(role => role === 'H1')).toHaveLength(1);
  expect(roles.filter(role => role === 'Table')).toHaveLength(3);
  const heads = root.children.filter(({ role }) => role === 'Table')[1]!.children[0]!.children[0]!.children;
  expect(heads.map(({ role }) => role)).toEqual(['TH', 'TH', 'TH', 'TH', 'TH']);
  for (const { attributes } of heads) expect(attributes).toContain('/Scope /Column');
  expect(pages).toBe(1);
  expect(drawn.slice(0, 3)).toEqual(['Page 1 of ', expect.stringContaining('help@larkspur.example'), '1']);
});

test('a name with accents is printed; a letter that the font lacks is printed as a box and read correctly by screen readers [RX-19]', async () => {
  const { rows, root, texts } = readPdf((await statementOf('2026-09')).bytes);
  type Node = typeof root;
  expect(rows.find(row => row[3] === '−$25.50')![1]).toBe(
    'Zoë Łukasiewicz-□ & □□□□ □ Money Sent · =1+1 <lunch>',
  );
  const find = (node: Node): Node | undefined =>
    node.attributes.includes('/ActualText') ? node : node.children.map(find).find(Boolean);
  const read = /\/ActualText \(([\s\S]*?)\)\n/.exec(find(root)!.attributes)![1]!;
  expect(Buffer.from(read.replace(/\\(.)/gs, '$1'), 'latin1').swap16().toString('utf16le')).toContain(
    '李 & שלום 🍜',
  );
  expect(texts).toContain(
    '□ replaces a character that we can’t print. If you copy the text, you get the original.',
  );
});

test('a statement that is made twice is the same, byte for byte [RX-20]', async () => {
  const [first, second] = [(await statementOf('2026-09')).bytes, (await statementOf('2026-09')).bytes];
  expect(first.equals(second)).toBe(true);
});

test('a month before the account was opened, in the future or malformed is refused with a message [RX-21]', async () => {
  for (const [month, status, message] of [
    ['2026-07', 404, 'Your account did not exist in July 2026. Your first statement is for August 2026.'],
    ['2026-12', 404, 'There is no statement for December 2026 yet'],
    ['2026-13', 400, 'Choose a month like 2026-11'],
    ['November', 400, 'Choose a month like 2026-11'],
  ] as const) {
    const { answer, bytes } = await statementOf(month);
    expect(answer.status).toBe(status);
    expect(JSON.parse(bytes.toString())).toMatchObject({ success: false, message });
  }
});

test('statements of closed months are made once, with their hashes in the audit log, and stay the same [RX-22]', async () => {
  const before = await list();
  const file = (await statementOf('2026-09')).bytes;
  await makeAll();
  const rows = (await sealed()).filter(row => row.account_id === nora.accountId);
  expect(rows.map(row => [row.month, row.closing])).toEqual([
    ['2026-08', 500_000n],
    ['2026-09', 484_420n],
    ['2026-10', 494_420n],
  ]);
  expect(rows[1].file_hash).toEqual(createHash('sha256').update(file).digest());
  const records = () =>
    bank.test.database.ownerPool.query<{ data: { statements: string[] } }>(
      `SELECT data FROM audit_log WHERE action = 'statements.made' ORDER BY id`,
    );
  const lines = (await records()).rows.flatMap(({ data }) => data.statements);
  expect(lines).toContain(
    `${nora.accountId} 2026-09 484420 ${rows[1].content_hash.toString('hex')} ${rows[1].file_hash.toString('hex')}`,
  );
  // A second run makes no statement again.
  const count = (await sealed()).length;
  await makeAll();
  expect([
    (await sealed()).length,
    (await records()).rows.flatMap(({ data }) => data.statements).length,
  ]).toEqual([count, lines.length]);
  expect(await list()).toEqual(before);
  expect((await statementOf('2026-09')).bytes.equals(file)).toBe(true);
});

test('statements that a stopped run did not make are made by the next run [RX-22]', async () => {
  vi.spyOn(systemClock, 'now').mockReturnValue(new Date('2026-12-02T15:00:00Z'));
  const stop = new AbortController();
  stop.abort();
  await expect(makeAll(stop.signal)).rejects.toThrow();
  expect((await sealed()).filter(row => row.month === '2026-11')).toEqual([]);
  await makeAll();
  expect((await sealed()).filter(row => row.account_id === nora.accountId).at(-1)).toMatchObject({
    month: '2026-11',
    closing: 494_421n,
  });
});

test('a customer who turned on notifications about statements is notified of last month’s statement once, and others are not [NP-09]', async () => {
  const [wanting, other] = [await aCustomer(), await aCustomer()];
  for (const customer of [wanting, other])
    await past.credit(customer, { at: '2026-09-05T16:00:00Z', cents: 100_00n });
  const { token, accountId } = wanting;
  const chosen = (await bank.call(preferencesApi.preferences, { token })).body.data;
  const body = { ...chosen, statements: { bell: true, mail: 'each' } };
  expect((await bank.call(preferencesApi.setPreferences, { token, body })).status).toBe(200);
  await makeAll();
  await makeAll();
  const { ownerPool } = bank.test.database;
  const notified = await ownerPool.query<{ account_id: bigint }>(
    `SELECT account_id FROM notifications WHERE kind = 'statement-ready'`,
  );
  expect(notified.rows).toEqual([{ account_id: accountId }]);
  // The text names the month, because the customer may read it in a later month.
  await ownerPool.query(
    `UPDATE notifications SET created_at = '2027-01-01T06:00:00Z' WHERE account_id = $1`,
    [accountId],
  );
  const { notifications } = (await bank.call(notificationsApi.listNotifications, { token })).body.data;
  expect(notifications.find(({ kind }) => kind === 'statement-ready')?.text).toBe(
    'Your statement for December 2026 is ready.',
  );
  const mailed = await ownerPool.query<{ order: { personId: string } }>(
    `SELECT payload AS order FROM graphile_worker._private_jobs WHERE payload->>'template' = 'statement-ready'`,
  );
  expect(mailed.rows).toMatchObject([{ order: { personId: wanting.customerId } }]);
  const { database, secrets } = bank.bank.parts;
  const context = { reader: database.reader, publicUrl: bank.url, codeKey: secrets.codeKey };
  const mail = await mailTemplates['statement-ready'].render(mailed.rows[0]!.order, context);
  expect(mail?.text).toContain('Month: October 2026\n');
});

test('a sealed statement whose movements were changed in the books is not served [RX-23]', async () => {
  const mara = await aCustomer();
  await past.credit(mara, { at: '2026-10-05T16:00:00Z', cents: 100_00n });
  await makeAll();
  expect((await statementOf('2026-10', mara)).answer.status).toBe(200);
  const { ownerPool } = bank.test.database;
  await ownerPool.query('ALTER TABLE transactions DISABLE TRIGGER insert_only');
  await ownerPool.query(
    `UPDATE transactions SET created_at = created_at + interval '1 hour' WHERE receiver_account = $1`,
    [mara.accountId],
  );
  await ownerPool.query('ALTER TABLE transactions ENABLE ALWAYS TRIGGER insert_only');
  await expect(statementOf('2026-10', mara)).rejects.toThrow();
});

test('a long month has numbered pages, each with column headings [RX-15]', async () => {
  const [payer, payee] = [await aCustomer(), await aCustomer()];
  await past.credit(payer, { at: '2026-10-01T05:00:00Z', cents: 100_000n });
  for (let n = 0; n < 60; n++)
    await past.send(payer, payee, {
      at: `2026-10-02T05:${10 + (n % 50)}:00Z`,
      cents: 7n,
      description: `Number ${n}`,
    });
  const { pages, drawn, rows } = readPdf((await statementOf('2026-10', payer)).bytes);
  expect(pages).toBeGreaterThan(2);
  expect(drawn.filter(text => text === 'Balance')).toHaveLength(pages);
  for (let n = 1; n <= pages; n++) expect(drawn).toContain(`Page ${n} of `);
  expect(rows.filter(row => row.length === 5)).toHaveLength(62);
  const amounts = rows
    .filter(row => row.length === 5)
    .slice(1)
    .map(row => dollars(row[3]!));
  expect(Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 100)).toBe(100_000 - 420);
});

test('a receipt shows the payment but no balance, address, email or full account number of the other party [RX-24]', async () => {
  const { transactions } = (await bank.call(transactionsApi.listTransactions, { token: nora.token })).body
    .data;
  const sent = transactions.find(({ description }) => description.startsWith('=1+1'))!;
  const { answer, bytes } = await download(recordsApi.receipt.path.replace('{id}', sent._id));
  expect(answer.headers.get('content-disposition')).toContain(
    `larkspur-receipt-${sent.reference.toLowerCase()}.pdf`,
  );
  const { rows, texts, drawn, catalog } = readPdf(bytes);
  expect(catalog).toContain('/Lang (en-US)');
  expect(rows).toEqual([
    ['Status', 'Completed'],
    ['Date and time', 'Sep 1, 2026, 12:00 AM'],
    ['From', 'Nora Quist'],
    ['From account', nora.accountNumber.replace(/(\d{4})(?=\d)/g, '$1 ')],
    ['To', 'Zoë Łukasiewicz-□ & □□□□ □'],
    ['To account', `ending in ${zoe.accountNumber.slice(-4)}`],
    ['Description', '=1+1 <lunch>'],
    ['Reference', sent.reference],
  ]);
  expect(texts).toContain('$25.50');
  const all = drawn.join(' ');
  for (const secret of ['4,974.50', '4 Meadow Row', 'crowd.example', zoe.accountNumber])
    expect(all).not.toContain(secret);
});

test('the receipt of a returned payment says that it was not made [RX-24]', async () => {
  const query = { status: 'failed' };
  const { transactions } = (await bank.call(transactionsApi.listTransactions, { token: nora.token, query }))
    .body.data;
  const { rows, texts } = readPdf(
    (await download(recordsApi.receipt.path.replace('{id}', transactions[0]!._id))).bytes,
  );
  expect(Object.fromEntries(rows as [string, string][])).toMatchObject({
    Status: 'Returned',
    Bank: 'First Harbor',
    'To account': 'ending in 5678',
    Reason: 'No such account <&>',
  });
  expect(texts).toContain('This payment was not made. The money went back to the account it came from.');
});

test('the receipt of a payment to another bank says when it arrived [RX-24]', async () => {
  const query = { type: 'external-transfer', status: 'completed' };
  const { transactions } = (await bank.call(transactionsApi.listTransactions, { token: nora.token, query }))
    .body.data;
  const { rows } = readPdf(
    (await download(recordsApi.receipt.path.replace('{id}', transactions[0]!._id))).bytes,
  );
  expect(rows).toContainEqual(['Arrived', 'Oct 5, 2026, 12:00 PM']);
});

/** Delivers a deposit to a new customer. Returns the rows of its receipt and of its statement. */
async function documentsOfDeposit(bankName: string, ref: string) {
  const omar = await aCustomer();
  vi.spyOn(systemClock, 'now').mockReturnValue(new Date());
  const paid = { bankName, senderName: 'Ines Caldeira', amountCents: 7_500n };
  await deliverDeposit(bank.bank.parts, { ...paid, ref, accountNumber: omar.accountNumber });
  const { transactions } = (await bank.call(transactionsApi.listTransactions, { token: omar.token })).body
    .data;
  const path = recordsApi.receipt.path.replace('{id}', transactions[0]!._id);
  const [month] = await list(omar);
  return {
    receipt: readPdf((await download(path, omar)).bytes).rows,
    statement: readPdf((await statementOf(month!._id, omar)).bytes).rows,
  };
}

test('the statement and the receipt of a deposit name its payer [RX-15, RX-24]', async () => {
  const { receipt, statement } = await documentsOfDeposit('First Harbor', 'D-1');
  expect(Object.fromEntries(receipt)).toMatchObject({
    From: 'Ines Caldeira',
    'From bank': 'First Harbor',
    To: expect.stringContaining('Nell'),
  });
  expect(statement.find(row => row[3] === '+$75.00')![1]).toBe('Ines Caldeira Money Received · First Harbor');
});

test('the statement and the receipt of a deposit leave out a bank that was not named [RX-15, RX-24]', async () => {
  const { receipt, statement } = await documentsOfDeposit('', 'D-2');
  expect(receipt.flat()).not.toContain('From bank');
  expect(statement.find(row => row[3] === '+$75.00')![1]).toBe('Ines Caldeira Money Received');
});

test("another customer's receipt is not found [RX-24]", async () => {
  const { transactions } = (await bank.call(transactionsApi.listTransactions, { token: nora.token })).body
    .data;
  const path = recordsApi.receipt.path.replace('{id}', transactions.at(-1)!._id);
  expect((await download(path, await aCustomer())).answer.status).toBe(404);
});

test('the download of a statement is recorded in the audit log [RX-25]', async () => {
  await statementOf('2026-10');
  const found = await bank.test.database.ownerPool.query(
    `SELECT subject, data FROM audit_log WHERE action = 'statement.downloaded' ORDER BY id DESC LIMIT 1`,
  );
  expect(found.rows).toEqual([{ subject: nora.customerId, data: { reason: '2026-10' } }]);
});

test('if the client that downloads a copy disconnects, work on the current document ends [RX-26]', async () => {
  const { parts } = bank.bank;
  let opened: Readable | undefined;
  const statement = () => {
    // An endless statement, so that the client disconnects before its end.
    opened = Readable.from(endless(), { objectMode: false });
    return opened;
  };
  const output = await writeEverything({ ...parts, documents: { ...parts.documents, statement } }, nora);
  output.on('data', () => {
    if (opened) output.destroy();
  });
  await eventually(() => (output.destroyed && opened?.destroyed) || undefined);
});

async function* endless() {
  for (;;) {
    await setImmediate();
    yield randomBytes(16_384);
  }
}

test('the README of the copy of all data names every JSON file in it, and no file has a secret [RX-26]', async () => {
  await bank.test.database.inTransaction(tx => markEmailProven(tx, nora.customerId));
  await bank.test.database.ownerPool.query(
    `WITH author AS (INSERT INTO admins (id, email, name, role) VALUES ($1, 'ada@bank.example', 'Ada', 'support') RETURNING id),
          message AS (INSERT INTO contact_messages (id, name, email, subject, message, address)
                      SELECT $2, 'Nora', email, 'Card', 'Where is it?', '::1' FROM customers WHERE id = $3 RETURNING id)
     INSERT INTO contact_answers (id, message_id, author, text)
     SELECT $4, message.id, author.id, 'In the mail.' FROM author, message`,
    [newId(), newId(), nora.customerId, newId()],
  );
  const { answer, bytes } = await download(recordsApi.everything.path);
  expect(answer.headers.get('content-type')).toBe('application/zip');
  expect(answer.headers.get('content-disposition')).toContain('larkspur-my-data-2026-11-22.zip');
  const files = readZip(bytes);
  const readme = files.get('README.txt')!.toString();
  for (const name of files.keys()) if (name.endsWith('.json')) expect(readme, name).toContain(`${name}: `);
  const read = (name: string) => JSON.parse(files.get(name)!.toString());
  expect(read('profile.json')).toMatchObject([
    { id: nora.customerId, first_name: 'Nora', last_name: 'Quist' },
  ]);
  expect(read('transactions.json').map(({ amount }: { amount: number }) => amount)).toEqual([
    5000, -25.5, -100, -30.3, 100, 0.01,
  ]);
  expect(read('account.json')).toMatchObject([{ balance: read('transactions.json').at(-1).balanceAfter }]);
  expect(readme).not.toContain('cents');
  // The notification of her own transfer is derived, not stored, although it is listed as read.
  const kinds = read('notifications.json').map(({ kind }: { kind: string }) => kind);
  expect(kinds).not.toContain('money-sent');
  expect(readme).toContain(
    'notifications.json: your notifications. transactions.json has the transfers; a transfer’s notification is here only if you marked it as read',
  );
  expect(read('sessions.json')).toHaveLength(1);
  expect(read('message-answers.json')).toMatchObject([
    { message_id: read('messages.json')[0].id, text: 'In the mail.' },
  ]);
  expect(read('activity.json').length).toBeGreaterThan(0);
  expect([...files.keys()].filter(name => name.startsWith('statements/'))).toEqual(
    expect.arrayContaining(['statements/2026-09.pdf', 'statements/2026-11.pdf']),
  );
  expect(files.get('statements/2026-09.pdf')!.equals((await statementOf('2026-09')).bytes)).toBe(true);
  const all = Buffer.concat([...files].map(([, data]) => data)).toString('latin1');
  for (const secret of [nora.sessionId, 'password_hash', 'code_hash', zoe.customerId])
    expect(all).not.toContain(secret);
});

test('the copy of all data has what staff wrote in notes and as the proof of a change, but not what they wrote about an alert [RX-26]', async () => {
  const iris = await aCustomer({ firstName: 'Iris' });
  await bank.test.database.ownerPool.query(
    `WITH author AS (INSERT INTO admins (id, email, name, role) VALUES ($1, 'eve@bank.example', 'Eve', 'operator') RETURNING id),
          note AS (INSERT INTO customer_notes (id, customer_id, author, text) SELECT $1, $2, id, 'Calls often.' FROM author),
          renamed AS (INSERT INTO customer_changes (id, customer_id, author, field, former, value, reason, was_proven)
                      SELECT $1, $2, id, 'lastName', 'A', 'B', 'Saw the passport.', false FROM author),
          seen AS (INSERT INTO audit_log (actor_kind, actor_id, action, subject, address, data)
                   SELECT 'admin', id, 'alert.closed', $2, '::1', '{"reason": "Looks like a mule."}' FROM author)
     INSERT INTO alerts (id, rule, customer_id, day, status, closed_by, closed_at, note)
     SELECT $1, 'many-payments', $2, '2026-11-25', 'closed', id, now(), 'Looks like a mule.' FROM author`,
    [newId(), iris.customerId],
  );
  const files = readZip((await download(recordsApi.everything.path, iris)).bytes);
  expect(files.get('notes.json')!.toString()).toContain('Calls often.');
  expect(files.get('changes.json')!.toString()).toContain('Saw the passport.');
  expect(files.get('activity.json')!.toString()).toContain('alert.closed');
  // A day has no time zone.
  expect(files.get('alerts.json')!.toString()).toContain('"day":"2026-11-25"');
  for (const [name, data] of files) expect(data.toString('latin1'), name).not.toContain('mule');
});

test('a new email that waits for a second person is in the copy of all data only once it is approved [RX-26]', async () => {
  const iris = await aCustomer({ firstName: 'Iris' });
  const { ownerPool } = bank.test.database;
  const email = 'iris.new@mail.example';
  const ask = async () => {
    const id = newId();
    await ownerPool.query(
      `WITH author AS (INSERT INTO admins (id, email, name, role) VALUES ($1, $4, 'Mia', 'operator')
                       RETURNING id),
            request AS (INSERT INTO approval_requests (id, kind, asked_by, expires_at, address, reason, customer_id)
                        SELECT $1, 'email', id, now() + interval '7 days', '::1', 'A thief reads the mailbox.', $2
                          FROM author RETURNING id)
       INSERT INTO email_requests (request_id, customer_id, email) SELECT id, $2, $3 FROM request`,
      [id, iris.customerId, email, `${id}@bank.example`],
    );
    return (status: string) =>
      ownerPool.query('UPDATE approval_requests SET status = $2, decided_at = now() WHERE id = $1', [
        id,
        status,
      ]);
  };
  const copy = async () => readZip((await download(recordsApi.everything.path, iris)).bytes);
  const withdraw = await ask();
  for (const [name, data] of await copy()) expect(data.toString('latin1'), name).not.toContain(email);
  await withdraw('withdrawn');
  const approve = await ask();
  const waiting = await copy();
  for (const [name, data] of waiting) expect(data.toString('latin1'), name).not.toContain(email);
  expect(waiting.get('README.txt')!.toString()).toContain(
    'email-requests.json: requests of our staff to change your email that a second person has approved',
  );
  await approve('done');
  expect(JSON.parse((await copy()).get('email-requests.json')!.toString())).toEqual([{ email }]);
});

test('money that arrives while a copy of all data is written is neither in its balance nor in its transactions [RX-26]', async () => {
  const iris = await aCustomer({ firstName: 'Iris' });
  await past.credit(iris, { at: '2026-09-01T16:00:00Z', cents: 100n });
  const output = await writeEverything(bank.bank.parts, iris);
  await past.credit(iris, { at: '2026-09-02T16:00:00Z', cents: 200n });
  const files = readZip(Buffer.concat(await output.toArray()));
  const read = (name: string) => JSON.parse(files.get(name)!.toString());
  expect(read('account.json')).toMatchObject([{ balance: 1 }]);
  expect(read('transactions.json')).toMatchObject([{ balanceAfter: 1 }]);
});

const split = (columns = '') => columns.split(' ').filter(Boolean);

test('each column of every personal table is in the copy or is left out for a reason, and only amounts are divided by 100 [RX-27]', async () => {
  const { ownerPool } = bank.test.database;
  for (const [table, groups] of Object.entries(personalData)) {
    const {
      deletedWhere = groups.deletedInBatches,
      erased,
      erasedElsewhere,
      copied,
      leftOut,
      foundBy,
      cents,
      days,
    } = groups;
    if (!(deletedWhere || erased || erasedElsewhere || foundBy) || typeof leftOut === 'string') continue;
    const { fields } = await ownerPool.query(`SELECT * FROM ${table} LIMIT 0`);
    const ofType = (id: number) =>
      fields.filter(({ dataTypeID }) => dataTypeID === id).map(({ name }) => name);
    const [bigint, date] = [20, 1082];
    expect(ofType(bigint), `${table} has whole cents`).toEqual(expect.arrayContaining(split(cents)));
    const copiedDays = ofType(date).filter(name => split(copied).includes(name));
    expect(split(days).sort(), `the days of ${table}`).toEqual(copiedDays.sort());
    const said = copied?.split(' ').concat(Object.keys({ ...leftOut })) ?? Object.keys({ ...leftOut });
    expect(new Set(said).size, `${table} lists no column twice`).toBe(said.length);
    expect([...new Set([...said, ...Object.keys({ ...deletedWhere })])].sort(), table).toEqual(
      fields.map(({ name }) => name).sort(),
    );
  }
});

const copiesOfNora = async () => (await bank.call(recordsApi.exportJobs, { token: nora.token })).body.data;
const requestCopy = async ({ token } = nora) =>
  (await bank.call(recordsApi.requestExport, { token })).body.data._id;
const savedCopy = (id: string, who = nora) => download(recordsApi.exportFile.path.replace('{id}', id), who);
const make = (exportId: string, signal?: AbortSignal) => exportData(bank.bank.parts, { exportId }, signal);
const copyFiles = () => readdirSync(join(bank.bank.parts.config.dataDir, 'exports'));

test('a job makes a copy of all data, encrypted on disk, and makes it again after it was interrupted [RX-31]', async () => {
  const id = await requestCopy();
  expect(await requestCopy()).toBe(id);
  expect(await copiesOfNora()).toMatchObject([{ _id: id, isReady: false, progress: 0 }]);
  expect((await savedCopy(id)).answer.status).toBe(404);
  // An earlier attempt got further. The percentage that the customer has seen does not go back.
  await bank.test.database.ownerPool.query('UPDATE export_jobs SET progress = 60 WHERE id = $1', [id]);
  const stop = new AbortController();
  const { documents } = bank.bank.parts;
  vi.spyOn(documents, 'statement').mockImplementationOnce(() => {
    stop.abort(new Error('stopped'));
    return Readable.from([Buffer.alloc(100_000)]);
  });
  await expect(make(id, stop.signal)).rejects.toThrow('stopped');
  expect(copyFiles()).toEqual([]);
  const [half] = await copiesOfNora();
  expect(half).toMatchObject({ isReady: false });
  // On a slow machine, this attempt may have got further until it was stopped.
  expect(half!.progress).toBeGreaterThanOrEqual(60);
  await make(id);
  const [ready] = await copiesOfNora();
  expect(ready).toMatchObject({ isReady: true, progress: 100 });
  const days = (Date.parse(ready!.expiresAt!) - Date.parse(ready!.readyAt!)) / 86_400_000;
  expect(days).toBe(dataCopies.days);
  const { answer, bytes } = await savedCopy(id);
  expect(answer.headers.get('content-disposition')).toMatch(/larkspur-my-data-[\d-]+\.zip/);
  expect(bytes.length).toBe(ready!.size);
  const files = readZip(bytes);
  expect(files.get('statements/2026-09.pdf')!.equals((await statementOf('2026-09')).bytes)).toBe(true);
  expect(files.get('profile.json')!.toString()).toContain('Quist');
  const [name] = copyFiles();
  const stored = readFileSync(join(bank.bank.parts.config.dataDir, 'exports', name!));
  expect([bytes.includes('README.txt'), stored.includes('README.txt')]).toEqual([true, false]);
  const mails = await bank.test.database.ownerPool.query(
    `SELECT FROM graphile_worker._private_jobs WHERE payload->>'template' = 'data-copy-ready'`,
  );
  expect(mails.rowCount).toBe(1);
  const audited = await bank.test.database.ownerPool.query<{ action: string }>(
    `SELECT action FROM audit_log WHERE actor_id = $1 AND action LIKE 'data.%' ORDER BY id DESC LIMIT 2`,
    [nora.customerId],
  );
  expect(audited.rows.map(({ action }) => action)).toEqual(['data.exported', 'data.requested']);
});

test("another customer's copy is not found, and the download of a tampered file is aborted [RX-31]", async () => {
  const { _id } = (await copiesOfNora())[0]!;
  expect((await savedCopy(_id, zoe)).answer.status).toBe(404);
  const path = join(bank.bank.parts.config.dataDir, 'exports', copyFiles()[0]!);
  const changed = readFileSync(path);
  changed[changed.length - 20]! ^= 1;
  writeFileSync(path, changed);
  await expect(savedCopy(_id)).rejects.toThrow();
});

test('a copy is deleted after seven days and with its customer, even while it is being made [RX-32]', async () => {
  await bank.test.database.ownerPool.query('UPDATE export_jobs SET expires_at = now()');
  const [{ _id } = { _id: '' }] = (
    await bank.test.database.ownerPool.query<{ _id: string }>('SELECT id AS _id FROM export_jobs')
  ).rows;
  expect([await copiesOfNora(), (await savedCopy(_id)).answer.status]).toEqual([[], 404]);
  expect(await removeOldExports(bank.bank.parts)).toBe(1);
  expect(copyFiles()).toEqual([]);

  const pia = await aCustomer();
  await make(await requestCopy(pia));
  expect(copyFiles()).toHaveLength(1);
  const late = await requestCopy(pia);
  const { documents } = bank.bank.parts;
  const makeStatement: typeof documents.statement = documents.statement.bind(documents);
  vi.spyOn(documents, 'statement').mockImplementationOnce(asked =>
    Readable.from(
      (async function* () {
        const token = await bank.adminToken();
        await bank.call(adminApi.deleteUser, { token, params: { id: pia.customerId } });
        yield* makeStatement(asked);
      })(),
    ),
  );
  await make(late);
  expect(copyFiles()).toEqual([]);
});

test('a copy of all data leaves out a statement that cannot be made, says which and why, and has everything else [RX-36]', async () => {
  const mara = await aCustomer();
  for (const month of ['07', '08', '09', '10'])
    await past.credit(mara, { at: `2026-${month}-05T16:00:00Z`, cents: 100_00n });
  await makeAll();
  const { ownerPool } = bank.test.database;
  await ownerPool.query('ALTER TABLE transactions DISABLE TRIGGER insert_only');
  await ownerPool.query(
    `UPDATE transactions SET created_at = created_at + interval '1 hour'
      WHERE receiver_account = $1 AND created_at > '2026-10-01'`,
    [mara.accountId],
  );
  await ownerPool.query('ALTER TABLE transactions ENABLE ALWAYS TRIGGER insert_only');
  const { documents } = bank.bank.parts;
  let made = 0;
  const statement: typeof documents.statement = asked => {
    if (asked.month === '2026-07') made++;
    if (asked.month !== '2026-08') return documents.statement(asked);
    const error = new Error('Worker terminated due to reaching memory limit');
    const failing = new Readable({ read() {} });
    failing.destroy(Object.assign(error, { code: 'ERR_WORKER_OUT_OF_MEMORY' }));
    return failing;
  };
  const error = vi.fn();
  const parts = { ...bank.bank.parts, documents: { ...documents, statement }, log: { error } };
  const id = await requestCopy(mara);
  await exportData(parts, { exportId: id });
  const files = readZip((await savedCopy(id, mara)).bytes);
  expect([...files.keys()].filter(name => name.startsWith('statements/'))).toEqual([
    'statements/2026-07.pdf',
    'statements/2026-09.pdf',
    'statements/2026-11.pdf',
  ]);
  // However many statements cannot be made, the copy begins again only once.
  expect(made).toBe(2);
  const readme = files.get('README.txt')!.toString();
  expect(readme).toContain(
    'statements/2026-08.pdf: not in this copy, because it could not be made as one file. transactions.json has the transactions.',
  );
  expect(readme).toContain(
    'statements/2026-10.pdf: not in this copy, because its figures do not agree with our records; please contact us. ',
  );
  expect(JSON.parse(files.get('transactions.json')!.toString())).toHaveLength(4);
  expect(error.mock.calls.map(([data]) => data)).toMatchObject([{ month: '2026-08' }, { month: '2026-10' }]);

  const saved = readZip((await download(recordsApi.everything.path, mara)).bytes);
  expect([...saved.keys()].filter(name => name.startsWith('statements/'))).toEqual([
    'statements/2026-07.pdf',
    'statements/2026-08.pdf',
    'statements/2026-09.pdf',
    'statements/2026-11.pdf',
  ]);
  expect(saved.get('README.txt')!.toString()).toContain('statements/2026-10.pdf: not in this copy, because ');
});

test('a streamed copy of all data leaves out a month that is too long for one statement, says so, and has everything else [RX-36]', async () => {
  const mara = await aCustomer();
  for (const day of ['05', '06']) await past.credit(mara, { at: `2026-10-${day}T16:00:00Z`, cents: 100_00n });
  const { parts } = bank.bank;
  const short = { ...parts, documents: { ...parts.documents, maxLines: 1 } };
  const copy = await writeEverything(short, mara, { onUnsound: vi.fn() });
  const files = readZip(await buffer(copy));
  expect([...files.keys()].filter(name => name.startsWith('statements/'))).toEqual([
    'statements/2026-11.pdf',
  ]);
  expect(files.get('README.txt')!.toString()).toContain(
    'statements/2026-10.pdf: not in this copy, because it could not be made as one file. transactions.json has the transactions.',
  );
});

test('a copy of all data that fails before anything reads it ends no process, and its reader gets the error [RX-36]', async () => {
  const mara = await aCustomer();
  const unheard = vi.fn();
  process.once('uncaughtException', unheard);
  const copy = await writeEverything(bank.bank.parts, mara);
  copy.destroy(new Error('the database is away'));
  await setImmediate();
  process.off('uncaughtException', unheard);
  expect(unheard).not.toHaveBeenCalled();
  await expect(buffer(copy)).rejects.toThrow('the database is away');
});

test('the last attempt at a copy of all data leaves out each statement that fails for any reason, and says so [RX-36]', async () => {
  const mara = await aCustomer();
  const statement = () => {
    throw new Error('no paper');
  };
  const documents = { ...bank.bank.parts.documents, statement };
  const parts = { ...bank.bank.parts, documents, log: { error: vi.fn() } };
  const exportId = await requestCopy(mara);
  await expect(exportData(parts, { exportId }, undefined, 9)).rejects.toThrow('could not be made');
  await exportData(parts, { exportId }, undefined, 10);
  const files = readZip((await savedCopy(exportId, mara)).bytes);
  expect([...files.keys()].filter(name => name.startsWith('statements/'))).toEqual([]);
  expect(files.get('README.txt')!.toString()).toContain(
    'statements/2026-11.pdf: not in this copy, because of an error in our system; please contact us. ',
  );
});

test('after ten failed attempts at a copy of all data, the customer gets a mail and can ask for another copy [RX-36]', async () => {
  const mara = await aCustomer();
  const write: typeof bank.bank.parts.exportFiles.write = async (_, content) => {
    for await (const _ of content);
    throw new Error('no space');
  };
  const exportFiles = { ...bank.bank.parts.exportFiles, write };
  const parts = { ...bank.bank.parts, exportFiles, log: { error: vi.fn() } };
  const attempt = async (exportId: string, n: number) =>
    exportData(parts, { exportId }, undefined, n).then(
      () => 'ended',
      () => 'failed',
    );
  const copies = async () => (await bank.call(recordsApi.exportJobs, { token: mara.token })).body.data;
  const first = await requestCopy(mara);
  expect(await attempt(first, 9)).toBe('failed');
  expect(await copies()).toHaveLength(1);
  expect(await attempt(first, 10)).toBe('ended');
  expect(await copies()).toEqual([]);
  // The process died in each of the earlier attempts.
  const second = await requestCopy(mara);
  expect(second).not.toBe(first);
  expect(await attempt(second, 11)).toBe('ended');
  expect(await copies()).toEqual([]);
  const mails = await bank.test.database.ownerPool.query(
    `SELECT FROM graphile_worker._private_jobs
      WHERE payload->>'template' = 'data-copy-failed' AND payload->>'personId' = $1`,
    [mara.customerId],
  );
  expect(mails.rowCount).toBe(2);
});

test('at most five copies are stored for a customer [RX-32]', async () => {
  const pia = await aCustomer();
  for (let n = 0; n < dataCopies.stored; n++)
    await bank.test.database.ownerPool.query(
      `INSERT INTO export_jobs (id, customer_id, salt, ready_at, size) VALUES ($1, $2, $3, now(), 1)`,
      [newId(), pia.customerId, randomBytes(16)],
    );
  const refused = await bank.call(recordsApi.requestExport, { token: pia.token });
  expect([refused.status, refused.body.message]).toEqual([
    429,
    'We already have 5 copies of your data. Save one of them, or wait until the oldest is deleted.',
  ]);
});

test('each download of a stored copy of all data is announced by a mail [RX-28]', async () => {
  const pia = await aCustomer();
  const id = await requestCopy(pia);
  await make(id);
  const saved = () =>
    bank.test.database.ownerPool.query(
      `SELECT FROM graphile_worker._private_jobs WHERE payload->>'template' = 'data-saved' AND payload->>'personId' = $1`,
      [pia.customerId],
    );
  expect((await saved()).rowCount).toBe(0);
  expect((await savedCopy(newId(), pia)).answer.status).toBe(404);
  for (const times of [1, 2]) {
    expect((await savedCopy(id, pia)).answer.status).toBe(200);
    expect((await saved()).rowCount).toBe(times);
  }
});

test('a customer can download only a few copies of all data a day [RX-28]', async () => {
  const pia = await aCustomer();
  for (let n = 0; n < personQuotas.dataCopies.times; n++)
    expect((await download(recordsApi.everything.path, pia)).answer.status).toBe(200);
  expect((await download(recordsApi.everything.path, pia)).answer.status).toBe(429);
  const mails = await bank.test.database.ownerPool.query(
    `SELECT FROM graphile_worker._private_jobs WHERE payload->>'template' = 'data-saved' AND payload->>'personId' = $1`,
    [pia.customerId],
  );
  expect(mails.rowCount).toBe(personQuotas.dataCopies.times);
});
