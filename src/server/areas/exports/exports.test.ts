/** Exports over HTTP, on a complete bank: every format is read back and compared with the books. */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitsApi } from '#contract/limits.ts';
import { recordsApi } from '#contract/records.ts';
import { exportFormats, transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { readPdf } from '../../../../tests/readPdf.ts';
import { creditCustomer, type SeededCustomer, type SeedOptions } from '../../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../../tests/server.ts';
import type { ExportLine } from '../../ledger/exportLines.ts';
import { camt053 } from './camt053.ts';
import { cell } from './csv.ts';

/** The package has no types. */
const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
  JSDOM: new () => { window: { DOMParser: typeof DOMParser } };
};

type Format = (typeof exportFormats)[number];

let bank: TestBank;
let nora: SeededCustomer;
/** Texts that break files whose writer does not escape them. */
const ben = { firstName: 'Zoë <b>&', lastName: '"Ünal", 李' };
const holderElsewhere = '=HYPERLINK("x") & שלום 🍜';

beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off' });
  nora = await aCustomer({ firstName: 'Nora', lastName: 'Quist' });
  const other = await aCustomer(ben);
  await credit(nora, 1_000_00n, 'start');
  await credit(other, 50_00n, 'start');
  await send(nora, other, 25.5, '+1 for lunch; "two", <three> & 🍜');
  await send(other, nora, 0.01, '@cmd');
  await sendOut(nora, 100, "settles;=cmd|' /C calc'!A0", true);
  await sendOut(nora, 30.3, 'comes back', false);
  await sendOut(nora, 7, 'on its way');
});
afterAll(() => bank.close());

const aCustomer = (wanted?: SeedOptions) => bank.seeded(wanted);

const credit = (to: SeededCustomer, amountCents: bigint, description: string) =>
  creditCustomer(bank.bank.parts.ledger, to, amountCents, description);

async function send({ token }: SeededCustomer, to: SeededCustomer, amount: number, description: string) {
  const body = { receiverAccountNumber: to.accountNumber, amount, description };
  expect((await bank.call(transferApi.sendInternal, { token, body })).status).toBe(201);
}

/** Sends a payment to another bank. `isSettled`: whether the rail settles or returns it; if undefined, it stays pending. */
async function sendOut({ token }: SeededCustomer, amount: number, description: string, isSettled?: boolean) {
  const to = {
    bankName: 'Crédit & Co',
    accountName: holderElsewhere,
    accountNumber: 'DE89370400440532013000',
  };
  const sent = await bank.call(transferApi.sendExternal, { token, body: { ...to, amount, description } });
  if (isSettled === undefined) return;
  await bank.test.database.ownerPool.query('SELECT decide_external_transfer($1, $2, $3)', [
    sent.body.data._id,
    isSettled,
    'No such account <&>',
  ]);
}

async function exported(format: string, query: Record<string, string> = {}, who = nora) {
  const path = transactionsApi.exportTransactions.path;
  const answer = await fetch(`${bank.url}${path}?${new URLSearchParams({ format, ...query })}`, {
    headers: { authorization: `Bearer ${who.token}` },
  });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}
const textOf = async (format: Format, query = {}, who = nora) =>
  (await exported(format, query, who)).bytes.toString();

/** Reads CSV as RFC 4180 says. */
function readCsv(text: string): Record<string, string>[] {
  const rows = [
    ...text.slice(1).matchAll(/(?:^|\r\n)((?:(?:"(?:[^"]|"")*"|[^,"\r\n]*)(?:,|(?=\r\n)))+)(?=\r\n)/g),
  ].map(([, row]) =>
    [...row!.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,"]*)/g)].map(([, cell]) =>
      cell!.startsWith('"') ? cell!.slice(1, -1).replaceAll('""', '"') : cell!,
    ),
  );
  const [heads, ...others] = rows;
  return others.map(cells => Object.fromEntries(cells.map((cell, at) => [heads![at]!, cell])));
}

/** Parses XML; throws if it is not well-formed. */
function readXml(text: string): Document {
  return new new JSDOM().window.DOMParser().parseFromString(text, 'application/xml');
}
const texts = (parent: Document | Element, name: string) =>
  [...parent.getElementsByTagName(name)].map(element => element.textContent);

/** The amounts of an export in cents, in file order. */
async function amounts(format: Format, query = {}, who = nora): Promise<number[]> {
  const text = await textOf(format, query, who);
  const toCents = (amount: string | null | undefined) => Math.round(Number(amount) * 100);
  if (format === 'csv') return readCsv(text).map(row => toCents(row.Amount));
  if (format === 'qif') return [...text.matchAll(/^T(.*)$/gm)].slice(1).map(([, amount]) => toCents(amount));
  if (format === 'ofx') return texts(readXml(text), 'TRNAMT').map(toCents);
  return [...readXml(text).getElementsByTagName('Ntry')].map(entry => {
    const sign = texts(entry, 'CdtDbtInd')[0] === 'DBIT' ? -1 : 1;
    return sign * toCents(texts(entry, 'Amt')[0]);
  });
}

const booked = [100_000, -2550, 1, -10_000, -3030, 3030, -700];

test('the closing balance includes a return whose database transaction began before a credit but ended after it [RX-02]', async () => {
  const zoe = await aCustomer();
  await credit(zoe, 100_00n, 'start');
  await sendOut(zoe, 10, 'comes back');
  await credit(zoe, 5_00n, 'first');
  await bank.test.database.ownerPool.query(
    `SELECT decide_external_transfer_at(
              (SELECT max(created_at) - interval '1 ms' FROM transactions WHERE receiver_account = $1), id, false, 'x')
       FROM transactions WHERE sender_account = $1`,
    [zoe.accountId],
  );
  for (const query of [{}, { startDate: '2026-01-01' }, { endDate: '2099-12-31' }])
    expect(texts(readXml(await textOf('ofx', query, zoe)), 'BALAMT')[0]).toBe('105.00');
});

describe.each(exportFormats)('an export as %s', format => {
  test('holds every movement to the cent, oldest first, including the return of a payment [RX-01, RX-02]', async () => {
    expect(await amounts(format)).toEqual(booked);
    const { token } = nora;
    const { balance } = (await bank.call(transactionsApi.balance, { token })).body.data;
    expect(booked.reduce((sum, cents) => sum + cents)).toBe(Math.round(balance * 100));
  });

  test('has a clear file name and is not cached [RX-03]', async () => {
    const { answer } = await exported(format, { startDate: '2026-01-01', endDate: '2026-11-22' });
    expect(answer.status).toBe(200);
    const extension = format === 'camt053' ? 'xml' : format;
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="larkspur-2026-01-01-to-2026-11-22.${extension}"`,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('identifies each movement by an id that the next export repeats, QIF by the payment’s reference [RX-04]', async () => {
    const idsOf = async () => {
      const text = await textOf(format);
      if (format === 'csv') return readCsv(text).map(row => row['Transaction ID']);
      if (format === 'ofx') return texts(readXml(text), 'FITID');
      if (format === 'camt053') return texts(readXml(text), 'NtryRef');
      return [...text.matchAll(/^N(LB-.*)$/gm)].map(([, reference]) => reference);
    };
    const ids = await idsOf();
    expect(ids).toHaveLength(booked.length);
    // QIF has no ids: a payment and its return share the reference.
    expect(new Set(ids).size).toBe(format === 'qif' ? booked.length - 1 : booked.length);
    expect(await idsOf()).toEqual(ids);
  });

  test('of an account without transactions is a valid, empty file [RX-05]', async () => {
    expect(await amounts(format, {}, await aCustomer())).toEqual([]);
  });

  test('with filters says in its file name that movements are left out [RX-06]', async () => {
    const { answer } = await exported(format, { type: 'transfer', endDate: '2026-11-22' });
    expect(answer.headers.get('content-disposition')).toContain('-to-2026-11-22-filtered.');
  });

  test('follows the filters of the list [RX-06]', async () => {
    expect(await amounts(format, { type: 'transfer' })).toEqual([-2550, 1]);
    expect(await amounts(format, { status: 'failed' })).toEqual([-3030, 3030]);
    expect(await amounts(format, { search: 'comes back' })).toEqual([-3030, 3030]);
    expect(await amounts(format, { endDate: '2020-01-01' })).toEqual([]);
  });
});

test('every format keeps names with quotes, markup, right-to-left letters and emoji [RX-07]', async () => {
  const name = `${ben.firstName} ${ben.lastName}`;
  const rows = readCsv(await textOf('csv'));
  expect(rows[1]!.Name).toBe(name);
  expect(texts(readXml(await textOf('ofx')), 'NAME')).toContain(name);
  expect(texts(readXml(await textOf('camt053')), 'Nm')).toEqual(
    expect.arrayContaining([name, holderElsewhere]),
  );
  expect(await textOf('qif')).toContain(`\nP${name}\n`);
});

test.each(exportFormats)('a canceled payment reads "Canceled" in an export as %s [RX-01]', async format => {
  const mona = await aCustomer();
  await credit(mona, 100_00n, 'start');
  await sendOut(mona, 30, 'rent');
  const { token } = mona;
  const { transactions } = (await bank.call(transactionsApi.listTransactions, { token, query: {} })).body
    .data;
  const id = transactions[0]!._id;
  expect((await bank.call(limitsApi.cancelTransaction, { token, params: { id } })).status).toBe(200);
  const text = await textOf(format, {}, mona);
  expect(text).toContain('Canceled');
  expect(text).not.toMatch(/Cancelled|returned/i);
});

test('a canceled payment reads "Canceled" in a statement, as in the exports [RX-15]', async () => {
  const mona = await aCustomer();
  await credit(mona, 100_00n, 'start');
  await sendOut(mona, 30, 'rent');
  const { token } = mona;
  const sent = (await bank.call(transactionsApi.listTransactions, { token })).body.data.transactions;
  await bank.call(limitsApi.cancelTransaction, { token, params: { id: sent[0]!._id } });
  const months = (await bank.call(recordsApi.statements, { token })).body.data;
  const file = await fetch(bank.url + recordsApi.statement.path.replace('{month}', months[0]!._id), {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = readPdf(Buffer.from(await file.arrayBuffer())).texts.join('\n');
  expect(text).toContain('Canceled');
  expect(text).not.toContain('Returned');
  expect(text).not.toContain('Cancelled');
});

test('no cell of the CSV file runs in a spreadsheet, and Excel reads the file as UTF-8 [RX-08]', async () => {
  const { bytes } = await exported('csv');
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const cells = readCsv(bytes.toString()).flatMap(({ Amount: _amount, Balance: _balance, ...row }) =>
    Object.values(row),
  );
  expect(cells.filter(cell => /^\s*[=+\-@]/.test(cell))).toEqual([]);
  expect(cells).toEqual(
    expect.arrayContaining([
      `'${holderElsewhere}`,
      `'+1 for lunch; "two", <three> & 🍜`,
      "'@cmd",
      "settles;'=cmd|' /C calc'!A0",
    ]),
  );
});

test('no text with quotes runs in a spreadsheet that separates cells by semicolons, bars or tabs [RX-08]', () => {
  for (const separator of [';', '|', '\t'])
    for (const before of ['"', ' "', '"" "', "'", '\u00a0"\u3000']) {
      const text = `x${separator}${before}=1+1${separator}y`;
      const cells = cell(text).split(separator);
      expect(cells, text).toHaveLength(3);
      expect(cells[1], text).not.toMatch(/^["\s]*[=+\-@]/);
    }
});

test('the opening balance plus all movements is the closing balance, for the whole account and between two days [RX-09]', async () => {
  const today = (await textOf('camt053')).match(/<Cd>CLBD.*?<Dt><Dt>([\d-]+)/)![1]!;
  for (const [query, opening] of [
    [{}, 0],
    [{ startDate: today, endDate: today }, 0],
    [{ startDate: '2027-01-01' }, booked.reduce((sum, cents) => sum + cents)],
  ] as const) {
    const document = readXml(await textOf('camt053', query));
    const [opened, closed] = [...document.getElementsByTagName('Bal')].map(balance =>
      Math.round(Number(texts(balance, 'Amt')[0]) * 100),
    );
    const moved = (await amounts('camt053', query)).reduce((sum, cents) => sum + cents, 0);
    expect([opened, closed]).toEqual([opening, opening + moved]);
  }
  expect(texts(readXml(await textOf('ofx')), 'BALAMT')).toEqual(['867.51']);
});

test('a balance has the date of the last day of the export, but never a future date [RX-09]', async () => {
  const today = (await textOf('camt053')).match(/<Cd>CLBD.*?<Dt><Dt>([\d-]+)/)![1]!;
  const dayFromToday = (by: number) =>
    new Date(Date.parse(today) + by * 86_400_000).toISOString().slice(0, 10);
  const yesterday = dayFromToday(-1);
  const past = readXml(await textOf('ofx', { endDate: yesterday, startDate: yesterday }));
  expect(texts(past, 'BALAMT')).toEqual(['0.00']);
  expect(texts(past, 'DTASOF')).toEqual([`${yesterday.replaceAll('-', '')}235959`]);
  const ahead = await textOf('camt053', { endDate: dayFromToday(9) });
  expect(ahead.match(/<Cd>CLBD.*?<Dt><Dt>([\d-]+)/)![1]).toBe(today);
});

test('a filtered camt.053 file has no opening and closing balance, because its entries do not add up to them [RX-09]', async () => {
  const document = readXml(await textOf('camt053', { type: 'transfer' }));
  expect([...document.getElementsByTagName('Tp')].map(type => type.textContent)).toEqual(['ITBD']);
  expect(texts(document, 'AddtlStmtInf')).toHaveLength(1);
  const [whole, part] = [await textOf('camt053'), await textOf('camt053', { type: 'transfer' })];
  expect(texts(readXml(part), 'MsgId')).not.toEqual(texts(readXml(whole), 'MsgId'));
});

/** The children that exports write into these elements, in the order of the message definition. */
const order: Record<string, string[]> = {
  Document: ['BkToCstmrStmt'],
  BkToCstmrStmt: ['GrpHdr', 'Stmt'],
  GrpHdr: ['MsgId', 'CreDtTm'],
  Stmt: ['Id', 'CreDtTm', 'FrToDt', 'Acct', 'Bal', 'Ntry'],
  Acct: ['Id', 'Ccy', 'Ownr', 'Svcr'],
  Bal: ['Tp', 'Amt', 'CdtDbtInd', 'Dt'],
  Ntry: [
    'NtryRef',
    'Amt',
    'CdtDbtInd',
    'RvslInd',
    'Sts',
    'BookgDt',
    'ValDt',
    'AcctSvcrRef',
    'BkTxCd',
    'NtryDtls',
  ],
  TxDtls: ['Refs', 'Amt', 'CdtDbtInd', 'RltdPties', 'RltdAgts', 'RmtInf', 'RtrInf'],
  RltdPties: ['Dbtr', 'DbtrAcct', 'Cdtr', 'CdtrAcct'],
};

/** What the message definition requires in each element, which elements may repeat, and the codes of its code lists. */
const required: Record<string, string[]> = {
  BkToCstmrStmt: ['GrpHdr', 'Stmt'],
  GrpHdr: ['MsgId', 'CreDtTm'],
  Stmt: ['Id', 'Acct', 'Bal'],
  FrToDt: ['FrDtTm', 'ToDtTm'],
  Acct: ['Id'],
  Bal: ['Tp', 'Amt', 'CdtDbtInd', 'Dt'],
  Ntry: ['Amt', 'CdtDbtInd', 'Sts', 'BkTxCd'],
  Domn: ['Cd', 'Fmly'],
  Fmly: ['Cd', 'SubFmlyCd'],
  Amt: [],
};
const repeatable = ['Stmt', 'Bal', 'Ntry', 'NtryDtls', 'TxDtls', 'Ustrd', 'AddtlInf'];
const codeLists: Record<string, string[]> = {
  CdtDbtInd: ['CRDT', 'DBIT'],
  RvslInd: ['true', 'false'],
  Cd: ['OPBD', 'CLBD', 'ITBD', 'BOOK', 'PMNT', 'ICDT', 'RCDT', 'USABA'],
  SubFmlyCd: ['BOOK', 'DMCT', 'RRTN'],
};

test('the camt.053 file keeps the order, the lengths and the codes of the message definition [RX-10]', async () => {
  const document = readXml(await textOf('camt053'));
  expect(document.documentElement.namespaceURI).toBe('urn:iso:std:iso:20022:tech:xsd:camt.053.001.08');
  for (const [name, children] of Object.entries(order)) {
    const found = [...document.getElementsByTagName(name)];
    expect(found.length, name).toBeGreaterThan(0);
    for (const element of found) {
      const names = [...element.children].map(child => child.tagName);
      expect(names.filter(child => !children.includes(child))).toEqual([]);
      expect(names).toEqual([...names].sort((a, b) => children.indexOf(a) - children.indexOf(b)));
    }
  }
  for (const [name, children] of Object.entries(required)) {
    for (const element of document.getElementsByTagName(name)) {
      const names = [...element.children].map(child => child.tagName);
      for (const child of children) expect(names, name).toContain(child);
      const repeated = names.filter(
        (child, at) => names.indexOf(child) !== at && !repeatable.includes(child),
      );
      expect(repeated, name).toEqual([]);
    }
  }
  for (const [name, codes] of Object.entries(codeLists))
    for (const text of texts(document, name)) expect(codes, name).toContain(text);
  for (const element of document.getElementsByTagName('Amt')) {
    expect(element.getAttribute('Ccy')).toBe('USD');
    // Never negative: the sign is in CdtDbtInd.
    expect(element.textContent).toMatch(/^\d{1,13}\.\d\d$/);
  }
  const balances = [...document.getElementsByTagName('Bal')].map(balance => texts(balance, 'Cd')[0]);
  expect(balances).toEqual(['OPBD', 'CLBD']);
  for (const name of ['MsgId', 'Id', 'NtryRef', 'AcctSvcrRef', 'MmbId'])
    for (const text of texts(document, name)) expect(text!.length, name).toBeLessThanOrEqual(35);
  const families = [...document.getElementsByTagName('Fmly')].map(family => family.textContent);
  expect(families).toEqual([
    'RCDTBOOK',
    'ICDTBOOK',
    'RCDTBOOK',
    'ICDTDMCT',
    'ICDTDMCT',
    'ICDTRRTN',
    'ICDTDMCT',
  ]);
});

test('a transaction of the evening has the day of New York in a camt.053 file, as in the other formats [RX-09]', () => {
  const transaction = { _id: 'x', type: 'admin-credit', reference: 'LB-1', description: 'Late' };
  const at = new Date('2026-11-02T02:30:00Z');
  const line = camt053.line({
    id: '1',
    at,
    cents: 100n,
    isReturn: false,
    transaction,
  } as unknown as ExportLine);
  expect(line).toContain('<BookgDt><Dt>2026-11-01</Dt></BookgDt><ValDt><Dt>2026-11-01</Dt></ValDt>');
});

test('an export is recorded in the audit log with its format and days [RX-11]', async () => {
  await exported('qif', { startDate: '2026-02-01', endDate: '2026-02-28' });
  const found = await bank.test.database.ownerPool.query(
    `SELECT action, subject, data FROM audit_log WHERE action = 'transactions.exported' ORDER BY id DESC LIMIT 1`,
  );
  expect(found.rows).toEqual([
    {
      action: 'transactions.exported',
      subject: nora.customerId,
      data: { reason: 'qif 2026-02-01 2026-02-28' },
    },
  ]);
});

test.each([
  ['an unknown format', { format: 'xls' }, 'Please choose csv, ofx, qif or camt053'],
  [
    'a range that ends before it starts',
    { format: 'csv', startDate: '2026-02-02', endDate: '2026-02-01' },
    'The start date must not be after the end date',
  ],
  [
    'a day that does not exist',
    { format: 'csv', startDate: '2026-02-30' },
    'Start date must be a date like 2026-11-21',
  ],
])('%s is refused with a message [RX-12]', async (_, { format, ...query }, message) => {
  const { answer, bytes } = await exported(format, query as Record<string, string>);
  expect(answer.status).toBe(400);
  expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'VALIDATION', message });
});
