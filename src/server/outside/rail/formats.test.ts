/** The rail's files: what is written is read again, and a file with a wrong count, sum or byte is refused as a whole. */
import { describe, expect, test } from 'vitest';
import { bank } from '#contract/constants.ts';
import * as railMessages from '#contract/messages/rail.ts';
import { formatOf, maxFileBytes, readRailFile, writers } from './formats.ts';
import { writeNotice } from './iso20022.ts';
import { traceOf } from './nacha.ts';
import type { FileHead, IncomingLine, PaymentLine } from './rail.ts';
import { readXml } from './xmlTree.ts';

const other = '800000019';
const head: FileHead = {
  id: '019aa0b2-4c11-7e22-9f33-0123456789ab',
  madeAt: new Date('2026-11-23T22:00:00Z'),
  settlesOn: '2026-11-24',
  from: bank.routingNumber,
  fromName: bank.name,
  to: other,
};
const answers: FileHead = { ...head, from: other, fromName: 'First Harbor Bank', to: bank.routingNumber };

function payment(n: number, more: Partial<PaymentLine> = {}): PaymentLine {
  return {
    id: `019aa0b2-4c11-7e22-9f33-00000000000${n}`,
    sentAt: new Date('2026-11-23T15:00:00Z'),
    amountCents: 12_345n * BigInt(n),
    bankName: 'First Harbor Bank',
    accountName: 'Ines Caldeira',
    accountNumber: `4021883611${n}`,
    reference: `LB-0000-0000-000${n}`,
    senderName: 'Nora Kim',
    senderNumber: '100000000009',
    description: 'Rent',
    trace: traceOf(bank.routingNumber, n),
    ...more,
  };
}
const payments = [payment(1), payment(2, { accountName: 'Foundry Row LLC' }), payment(3)];
const iso = writers.iso20022.writePayments(head, payments).content;
const ach = writers.nacha.writePayments(head, payments).content;
const read = (content: string, own = other) => readRailFile(Buffer.from(content, 'latin1'), own);
const readUtf8 = (content: string, own = other) => readRailFile(Buffer.from(content), own);
const reasonOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'read',
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  );

/** A notice to the bank `other`, about the account `number`. */
const noticeFor = (number: string) =>
  writeNotice({ ...answers, to: number }, [{ amountCents: 5n, transactionId: 'LB-1' }]).content;

/** The element of the first payment in the pacs.008. */
const firstPayment = /<CdtTrfTxInf>.*?<\/CdtTrfTxInf>/s.exec(iso)![0];

test('a pacs.008 has its elements in the order of the definition [RF-02]', () => {
  expect(iso.slice(0, iso.indexOf('<CdtTrfTxInf>'))).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pacs.008.001.08"><FIToFICstmrCdtTrf>\n' +
      '<GrpHdr><MsgId>019aa0b24c117e229f330123456789ab</MsgId><CreDtTm>2026-11-23T22:00:00.000Z</CreDtTm>' +
      '<NbOfTxs>3</NbOfTxs><CtrlSum>740.70</CtrlSum><TtlIntrBkSttlmAmt Ccy="USD">740.70</TtlIntrBkSttlmAmt>' +
      '<IntrBkSttlmDt>2026-11-24</IntrBkSttlmDt><SttlmInf><SttlmMtd>CLRG</SttlmMtd><ClrSys><Cd>ACH</Cd></ClrSys></SttlmInf>' +
      '<InstgAgt><FinInstnId><ClrSysMmbId><ClrSysId><Cd>USABA</Cd></ClrSysId><MmbId>800000006</MmbId></ClrSysMmbId></FinInstnId></InstgAgt>' +
      '<InstdAgt><FinInstnId><ClrSysMmbId><ClrSysId><Cd>USABA</Cd></ClrSysId><MmbId>800000019</MmbId></ClrSysMmbId></FinInstnId></InstdAgt></GrpHdr>\n',
  );
  expect(firstPayment.replace(/<UETR>.*<\/UETR>/, '<UETR/>')).toBe(
    '<CdtTrfTxInf><PmtId><InstrId>LB-0000-0000-0001</InstrId><EndToEndId>019aa0b24c117e229f33000000000001</EndToEndId>' +
      '<TxId>LB-0000-0000-0001</TxId><UETR/></PmtId><IntrBkSttlmAmt Ccy="USD">123.45</IntrBkSttlmAmt>' +
      '<AccptncDtTm>2026-11-23T15:00:00.000Z</AccptncDtTm><ChrgBr>SLEV</ChrgBr><Dbtr><Nm>Nora Kim</Nm></Dbtr>' +
      '<DbtrAcct><Id><Othr><Id>100000000009</Id></Othr></Id></DbtrAcct>' +
      '<DbtrAgt><FinInstnId><ClrSysMmbId><ClrSysId><Cd>USABA</Cd></ClrSysId><MmbId>800000006</MmbId></ClrSysMmbId><Nm>Larkspur Bank</Nm></FinInstnId></DbtrAgt>' +
      '<CdtrAgt><FinInstnId><Nm>First Harbor Bank</Nm></FinInstnId></CdtrAgt><Cdtr><Nm>Ines Caldeira</Nm></Cdtr>' +
      '<CdtrAcct><Id><Othr><Id>40218836111</Id></Othr></Id></CdtrAcct><RmtInf><Ustrd>Rent</Ustrd></RmtInf></CdtTrfTxInf>',
  );
  // A UETR is a UUIDv4.
  expect(firstPayment).toMatch(
    /<UETR>[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}<\/UETR>/,
  );
});

test('a Nacha file has 94 columns, blocks of ten and correct controls, with a batch for companies [RF-03]', () => {
  const lines = ach.trimEnd().split('\n');
  expect(lines.map(line => line.length)).toEqual(Array.from({ length: 20 }, () => 94));
  expect(lines.slice(0, 12)).toEqual([
    expect.stringMatching(
      /^101 800000019 8000000062611232200[A-Z0-9]094101 {23}LARKSPUR BANK {10}[0-9A-F]{8}$/,
    ),
    '5220LARKSPUR BANK                       9800000006PPDTRANSFER        261124   1800000000000001',
    '62280000001940218836111      0000012345LB000000000001 INES CALDEIRA           1800000000000001',
    `705${'FROM NORA KIM RENT'.padEnd(80)}00010000001`,
    '62280000001940218836113      0000037035LB000000000003 INES CALDEIRA           1800000000000003',
    `705${'FROM NORA KIM RENT'.padEnd(80)}00010000003`,
    '822000000401600000020000000000000000000493809800000006                         800000000000001',
    '5220LARKSPUR BANK                       9800000006CCDTRANSFER        261124   1800000000000002',
    '62280000001940218836112      0000024690LB000000000002 FOUNDRY ROW LLC         1800000000000002',
    `705${'FROM NORA KIM RENT'.padEnd(80)}00010000002`,
    '822000000200800000010000000000000000000246909800000006                         800000000000002',
    `9000002000002000000060240000003000000000000000000074070${' '.repeat(39)}`,
  ]);
  expect(new Set(lines.slice(12))).toEqual(new Set(['9'.repeat(94)]));
});

test('payments and returns are read as they were written, in both formats, and so are notices [RF-02, RF-03]', async () => {
  const sent = await read(iso);
  expect(sent).toMatchObject({
    format: 'pacs.008',
    from: bank.routingNumber,
    messageId: '019aa0b24c117e229f330123456789ab',
  });
  expect(sent.lines.map(({ accountNumber, amountCents }) => [accountNumber, amountCents])).toEqual(
    payments.map(({ accountNumber, amountCents }) => [accountNumber, amountCents]),
  );
  const entries = (await read(ach)).lines;
  for (const [format, lines, code] of [
    ['iso20022', sent.lines, 'AC04'],
    ['nacha', entries, 'R02'],
  ] as const) {
    const returns = lines.map(({ original, amountCents, accountNumber }, index) => ({
      original,
      amountCents,
      accountNumber,
      code,
      trace: traceOf(other, index + 1),
    }));
    const back = await read(writers[format].writeReturns(answers, returns).content, bank.routingNumber);
    expect(back.from).toBe(other);
    expect(back.lines.map(({ kind }) => kind)).toEqual(['returned', 'returned', 'returned']);
    expect(back.lines[0]).toMatchObject({
      code,
      amountCents: 12_345n,
      keys: expect.arrayContaining([lines[0]!.keys.at(-1)]),
    });
  }
  const notice = writeNotice(answers, [
    { amountCents: 12_345n, endToEndId: 'a', transactionId: 'LB-1' },
    { amountCents: 5n, transactionId: 'LB-2', trace: '800000000000001' },
  ]);
  const noticed = await read(notice.content, bank.routingNumber);
  expect(noticed.from).toBe(other);
  expect(noticed.lines).toMatchObject([
    { kind: 'settled', amountCents: 12_345n, keys: ['a', 'LB-1'] },
    { kind: 'settled', amountCents: 5n, keys: ['LB-2', '800000000000001'] },
  ]);
});

test('a notice about an account number of this bank is read, and so is one without an account [RF-02]', async () => {
  const read = async (content: string) => (await readUtf8(content)).lines.map(({ kind }) => kind);
  // 800000022 would also be a valid routing number.
  for (const number of ['4021883611', '800000018', '800000022', '000000000', 'GB82WEST12345698765432']) {
    const notice = noticeFor(number).replace(/<SchmeNm>.*?<.SchmeNm>/, '');
    expect(await read(notice)).toEqual(['settled']);
  }
  expect(await read(noticeFor('1').replace(/<Acct><Id>.*?<.Id><Ccy>/, '<Acct><Ccy>'))).toEqual(['settled']);
});

test('payments of two banks are two deposits, even if one bank chose the trace number of the other [RF-32]', async () => {
  const files = ['800000019', '800000022'].map(from =>
    writers.nacha.writePayments({ ...answers, from }, [payment(1)]),
  );
  const refs = await Promise.all(
    files.map(async ({ content }) => (await read(content, bank.routingNumber)).lines[0]?.ref),
  );
  expect(new Set(refs).size).toBe(2);
});

test('a payment that uses another bank’s ids cannot take the place of that bank’s payment [RF-32]', async () => {
  const refOf = async (uetr: string, from: string = bank.routingNumber) => {
    const sent = writers.iso20022.writePayments({ ...head, from }, [payment(1)]).content;
    const owned = sent
      .replace(/<UETR>.*<\/UETR>/, uetr && `<UETR>${uetr}</UETR>`)
      .replace(/(<DbtrAgt>.*<MmbId>)\d+/, `$1${bank.routingNumber}`);
    return (await read(owned)).lines[0]!.ref;
  };
  const ref = await refOf('');
  expect(ref).toBe(`iso:${bank.routingNumber}:LB-0000-0000-0001`);
  expect(await refOf('', '800000022')).not.toBe(ref);
  expect(await refOf(ref.slice('iso:'.length), '800000022')).not.toBe(ref);
});

test('an entry of an international batch is not a deposit, and a contested return does not return the payment again [RF-12]', async () => {
  const kindsOf = async (content: string) => (await read(content)).lines.map(({ kind }) => kind);
  expect(await kindsOf(ach)).toEqual(['deposit', 'deposit', 'deposit']);
  expect(await kindsOf(ach.replace('PPDTRANSFER', 'IATTRANSFER'))).toEqual(['other', 'other', 'deposit']);
  const [{ original }] = (await read(ach)).lines as [IncomingLine];
  const line = { original, amountCents: 12_345n, accountNumber: '1', code: 'R03', trace: traceOf(other, 1) };
  const returns = writers.nacha.writeReturns(head, [line]).content;
  expect(await kindsOf(returns)).toEqual(['returned']);
  const addendum = /^799.*$/m.exec(returns)![0];
  const contested = returns
    .replace(addendum, `${addendum}\n${addendum.replace('R03', 'R71')}`)
    .replace(/^8220000002/m, '8220000003')
    .replace(/^9(.{12})00000002/m, '9$100000003')
    .replace(`\n${'9'.repeat(94)}\n`, '\n');
  expect(await kindsOf(contested)).toEqual(['other']);
});

test('a reversed debit does not settle the payment, however the file spells that it is a reversal [RF-12]', async () => {
  const spellings = {
    true: 'other',
    '1': 'other',
    '\n 1 ': 'other',
    TRUE: 'other',
    false: 'settled',
    ' 0': 'settled',
  };
  for (const [spelling, kind] of Object.entries(spellings)) {
    const notice = noticeFor(other).replace('<Sts>', `<RvslInd>${spelling}</RvslInd><Sts>`);
    expect(
      (await read(notice)).lines.map(line => line.kind),
      spelling,
    ).toEqual([kind]);
  }
});

test('names in other alphabets are written in characters that every bank can read [RF-04]', async () => {
  const odd = [payment(1, { accountName: 'Zoë Müller & <Søn> "王"', description: '\u0007’–' })];
  const written = writers.iso20022.writePayments(head, odd).content;
  expect(written).toContain('<Cdtr><Nm>Zoe Muller + .Son. ...</Nm></Cdtr>');
  expect(writers.nacha.writePayments(head, odd).content).toContain('ZOE MULLER + .SON. ...');
  expect((await read(written)).lines).toHaveLength(1);
});

test('what another bank writes is one line that every field accepts: no line breaks, no hidden characters, no half emoji [RF-18]', async () => {
  const odd = iso
    .replace('<Nm>Nora Kim</Nm>', '<Nm>Nora\n\u202eKim</Nm>')
    .replace('<Ustrd>Rent</Ustrd>', `<Ustrd>${'a'.repeat(139)}😀</Ustrd>`);
  const [line] = (await readUtf8(odd)).lines;
  expect(line).toMatchObject({ partyName: 'Nora Kim', text: 'a'.repeat(139) });
});

test('a text with very many combining marks does not block the bank [RF-18]', async () => {
  const marks = 'a\u0301'.concat('\u0316\u0301'.repeat(100_000));
  const { user: before } = process.cpuUsage();
  const [line] = (await readUtf8(iso.replace('<Ustrd>Rent</Ustrd>', `<Ustrd>${marks}</Ustrd>`))).lines;
  expect(line!.text).toMatch(/^á.{0,139}$/u);
  expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
});

test('a payment that the Nacha format cannot represent is sent as ISO 20022 [RF-05]', () => {
  const domestic = { accountNumber: '40218836117', amountCents: 100n };
  expect(formatOf('iso20022', domestic)).toBe('iso20022');
  expect(formatOf('nacha', domestic)).toBe('nacha');
  for (const more of [
    { accountNumber: 'GB82WEST12345698765432' },
    { accountNumber: 'A'.repeat(18) },
    { amountCents: 10n ** 10n },
  ])
    expect(formatOf('nacha', { ...domestic, ...more })).toBe('iso20022');
});

describe('a file is refused as a whole [RF-06]', () => {
  const swap = (from: string | RegExp, to: string, content = iso) => {
    expect(content, 'the sample must contain what is replaced').toMatch(from);
    return content.replace(from, to);
  };
  const lines = ach.split('\n');
  const withLine = (index: number, change: (line: string) => string) =>
    lines.map((line, at) => (at === index ? change(line) : line)).join('\n');

  const largest =
    '62280000001940218836111      9999999999LB000000000001 INES CALDEIRA           0800000000000001';
  const tooLargeSum = [
    ...lines.slice(0, 2),
    ...Array.from({ length: 101 }, () => largest),
    lines[6]!.replace('8220000004', '8220000101'),
    lines[11],
    ...Array.from({ length: 5 }, () => '9'.repeat(94)),
  ].join('\n');

  test.each([
    ['truncated', iso.slice(0, 900), 'not well-formed'],
    ['cut within its first tag', iso.slice(0, iso.indexOf('<Document') + 5), 'not well-formed: .*[^.]\\.$'],
    ['without its last payment', iso.replace(firstPayment, ''), 'announces 3 transactions and has 2'],
    ['with a wrong count', swap('<NbOfTxs>3', '<NbOfTxs>4'), 'announces 4 transactions and has 3'],
    ['with a wrong control sum', swap('<CtrlSum>740.70', '<CtrlSum>740.71'), 'a sum of 740.71'],
    ['with another total', swap('Ccy="USD">740.70', 'Ccy="USD">740.71'), 'a sum of 740.71'],
    ['with a fraction of a cent', swap('>123.45<', '>123.451<'), '123.451 is not an amount'],
    ['with a negative amount', swap('>123.45<', '>-123.45<'), '-123.45 is not an amount'],
    ['with a document type', swap('<Document', '<!DOCTYPE a [<!ENTITY b "c">]><Document'), 'document type'],
    ['with an unknown entity', swap('Nora Kim', '&nora;'), 'not well-formed'],
    ['without a message id', swap(/<MsgId>.*<\/MsgId>/, ''), 'no id'],
    ['for another bank', swap('800000019', '800000022'), 'addressed to 800000022'],
    ['with a notice for another bank', noticeFor('800000022'), 'addressed to 800000022'],
    [
      'with the name of a built-in property as its message',
      iso.replace('pacs.008.001.08"', 'constructor"'),
      'does not read files of the kind “constructor”',
    ],
    [
      'with an id too long for an index',
      swap(/<UETR>.*?</, `<UETR>${'9f'.repeat(5_000)}<`),
      'not an id of at most 36',
    ],
    ['with a line break in an id', swap(/<EndToEndId>/, '<EndToEndId>a\nb'), 'not an id of at most 35'],
    [
      'with a second message',
      iso.replace(/<FIToFICstmrCdtTrf>[\s\S]*<\/FIToFICstmrCdtTrf>/, message => message + message),
      'more than one message',
    ],
    ['of another version', swap('001.08"', '001.02"'), 'does not read files of the kind “pacs.008.001.02”'],
    ['too deep', `${'<a>'.repeat(50)}${'</a>'.repeat(50)}`, 'levels deep'],
    [
      'with a long id',
      swap(/<UETR>.*?<\/UETR>/, `<UETR>${'ab'.repeat(2_000)}</UETR>`),
      'is not an id of at most 36 characters',
    ],
    ['of too many elements', `<a>${'<b/>'.repeat(600_000)}</a>`, 'more than 500000 elements'],
    ['that is empty', '', 'The file is empty'],
  ])('XML %s', async (_, content, reason) => {
    expect(await reasonOf(readUtf8(content))).toMatch(new RegExp(`^RailFileError: .*${reason}`));
  });

  test.each([
    ['truncated', lines.slice(0, 7).join('\n'), 'no control record'],
    ['truncated within a line', ach.slice(0, 400), 'columns instead of 94'],
    ['without a block', lines.slice(0, 19).join('\n'), 'not a multiple of 10'],
    [
      'with a missing entry',
      [...lines.slice(0, 4), ...lines.slice(6, 20), '9'.repeat(94), '9'.repeat(94)].join('\n'),
      'count of the batch',
    ],
    [
      'with a changed amount',
      withLine(2, line => line.replace('0000012345', '0000012346')),
      'totals are wrong',
    ],
    ['with a changed bank', withLine(2, line => line.replace('80000001', '80000002')), 'entry hash is wrong'],
    [
      'with a wrong batch count',
      withLine(6, line => line.replace('8220000004', '8220000005')),
      'count of the batch',
    ],
    ['with a wrong file total', withLine(11, line => line.replace('74070', '74071')), 'totals are wrong'],
    [
      'with a wrong block count',
      withLine(11, line => line.replace('9000002000002', '9000002000003')),
      'count of blocks',
    ],
    [
      'without its addenda record',
      withLine(2, line => line.replace(/1(80000000\d+)$/, '0$1')),
      'addenda indicator',
    ],
    ['with an odd batch header', withLine(1, line => line.replace('180000000', '1ABCDEFGH')), 'batch header'],
    [
      'with an account number in other characters',
      withLine(2, line => line.replace('40218836111', '4021883611é')),
      'not a valid entry',
    ],
    ['with a sum that no control record can hold', tooLargeSum, 'more than 12 digits'],
    [
      'with a sender that is not a bank',
      withLine(1, line => line.replace(/80000000(\d{7})$/, '8000000X$1')),
      'not a batch header',
    ],
    [
      'with a company id that no return can repeat',
      withLine(1, line => line.replace('9800000006', '98000000é6')),
      'not a batch header',
    ],
    [
      'with a control character',
      withLine(3, line => line.replace('NORA', 'N\u0000RA')),
      'control characters',
    ],
    [
      'for another bank',
      withLine(0, line => line.replace('800000019', '800000022')),
      'addressed to 800000022',
    ],
  ])('Nacha %s', async (_, content, reason) => {
    expect(await reasonOf(read(content))).toMatch(new RegExp(`^RailFileError: .*${reason}`));
  });

  test('that has more elements and attributes than a message', async () => {
    const reason = 'RailFileError: The XML has more than 4 elements and attributes.';
    for (const content of ['<a><b/><c/><d/><e/></a>', '<a b="" c="" d="" e=""/>'])
      expect(await reasonOf(readXml(content, 4))).toBe(reason);
  });

  test('that has more than 100 attributes on an element, which would be checked without a pause', async () => {
    const withAttributes = (n: number) => `<a ${Array.from({ length: n }, (_, i) => `a${i}=""`).join(' ')}/>`;
    expect(await readXml(withAttributes(100))).toMatchObject({ name: 'a' });
    expect(await reasonOf(readXml(withAttributes(101)))).toBe(
      'RailFileError: The XML has an element with more than 100 attributes.',
    );
  });

  test('that is larger than 10 MB, or not UTF-8', async () => {
    expect(await reasonOf(readRailFile(Buffer.alloc(maxFileBytes + 1), other))).toContain(
      'larger than 10 MB',
    );
    expect(await reasonOf(readRailFile(Buffer.from([0x3c, 0xff]), other))).toContain('not UTF-8');
  });
});

test('a return code is shown in words, with the code [RF-07]', () => {
  expect(railMessages.returnReason('R02')).toBe('The account is closed (R02)');
  expect(railMessages.returnReason('AC04')).toBe('The account is closed (AC04)');
  expect(railMessages.returnReason('R03')).toBe('The other bank doesn’t know this account');
  expect(railMessages.returnReason('ZZ99')).toBe('The other bank returned the payment (ZZ99)');
  expect(railMessages.returnReason('constructor')).toBe('The other bank returned the payment (constructor)');
});

test('a name of which no letter is left is written as Unknown, so that no bank refuses the payments of others [RF-04]', async () => {
  const accent = '\u0301';
  const nameless = payment(1, { senderName: accent, accountName: accent, bankName: accent });
  const message = writers.iso20022.writePayments(head, [nameless]).content;
  expect(message).toContain('<Dbtr><Nm>Unknown</Nm></Dbtr>');
  expect(message).toContain('<Cdtr><Nm>Unknown</Nm></Cdtr>');
  expect(message).toContain('<CdtrAgt><FinInstnId><Nm>Unknown</Nm></FinInstnId></CdtrAgt>');
  const entries = writers.nacha.writePayments(head, [nameless]).content.split('\n');
  expect(entries.find(line => line.startsWith('6'))!.slice(54, 76)).toBe('UNKNOWN'.padEnd(22));
  expect(
    entries
      .find(line => line.startsWith('7'))!
      .slice(3, 20)
      .trim(),
  ).toBe('FROM UNKNOWN RENT');
  const original = { companyName: accent, companyId: '1', sec: 'PPD', trace: '1', name: accent };
  const returns = writers.nacha.writeReturns(head, [
    { original, amountCents: 1n, accountNumber: '1', code: 'R03', trace: payment(1).trace },
  ]);
  const records = returns.content.split('\n');
  expect(records.find(line => line.startsWith('5'))!.slice(4, 20)).toBe('UNKNOWN'.padEnd(16));
  expect(records.find(line => line.startsWith('6'))!.slice(54, 76)).toBe('UNKNOWN'.padEnd(22));
});
