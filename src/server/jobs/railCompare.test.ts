/** Which files for other banks are sent, read without a database: those of earlier versions, and none that was changed. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bank } from '#contract/constants.ts';
import { counterparty } from '../../../tests/railLines.ts';
import type { FiledLine, StoredContent } from '../ledger/railProof.ts';
import { compareFile } from './railCompare.ts';

type Stored = Omit<StoredContent, 'counterparty'> & {
  writtenBy: string;
  lines: (Partial<FiledLine> & { amountCents: number })[];
};
/** Files as release 1.0.0 wrote them, and notices as they were written until the comparison was added. */
const files = JSON.parse(
  readFileSync(new URL('../../../tests/railFiles.json', import.meta.url), 'utf8'),
) as Stored[];

const other = '800000048';
const none = {
  key: null,
  code: null,
  id: null,
  reference: null,
  accountNumber: null,
  bankName: null,
  original: null,
  keys: null,
  answeredFormat: null,
  answeredBank: null,
};
const compare = async ({ lines, ...file }: Stored, content = file.content) =>
  await compareFile(
    { ...file, counterparty, content },
    lines.map((line, index) => ({
      ...none,
      counterparty,
      line: index + 1,
      ...line,
      amountCents: BigInt(line.amountCents),
    })),
    bank.routingNumber,
  );

test.each(files.map(file => [`${file.name} of ${file.writtenBy}`, file] as const))(
  'after an upgrade, %s is still sent [RF-31]',
  async (_, file) => {
    expect(await compare(file)).toBeUndefined();
  },
);

const member = (number: string) =>
  `<FinInstnId><ClrSysMmbId><ClrSysId><Cd>USABA</Cd></ClrSysId><MmbId>${number}</MmbId></ClrSysMmbId></FinInstnId>`;
const before = (tag: string, more: string) => (content: string) => content.replace(tag, `${more}${tag}`);
const agent = /(<InstgAgt>.*?<MmbId>)\d+/;
const forgeries: [kind: string, what: string, edit: (content: string) => string][] = [
  [
    'pacs008',
    'the number of another bank for the receiver',
    content => content.replace(/<CdtrAgt>.*?<\/CdtrAgt>/, `<CdtrAgt>${member(other)}</CdtrAgt>`),
  ],
  ['pacs008', 'a bank in between', before('<CdtrAgt>', `<IntrmyAgt1>${member(other)}</IntrmyAgt1>`)],
  ['pacs008', 'another name for the account', before('</CdtrAcct>', '<Prxy><Id>+12125550000</Id></Prxy>')],
  [
    'pacs008',
    'an instruction to the other bank',
    before('<RmtInf>', '<InstrForCdtrAgt><InstrInf>Pay 66600066</InstrInf></InstrForCdtrAgt>'),
  ],
  ['pacs008', 'another bank as its sender', content => content.replace(agent, `$1${other}`)],
  [
    'pacs008',
    'another bank as the sender of its payments too',
    content => content.replaceAll(bank.routingNumber, other),
  ],
  [
    'pacs008',
    'an element of another namespace',
    content => content.replace('<Cdtr>', '<Cdtr xmlns="urn:x">'),
  ],
  ['pacs008', 'an attribute', content => content.replace('<IBAN>', '<IBAN proxy="66600066">')],
  ['pacs008', 'a comment in an account', content => content.replace('40218836117', '402188<!-- -->36117')],
  ['pacs008', 'an account beside its element', before('</CdtrAgt>', other)],
  ['pacs008', 'another declared encoding', content => content.replace('"UTF-8"', '"UTF-7"')],
  ['pacs008', 'no declaration', content => content.replace(/^.*?\n/, '')],
  ['pacs008', 'a style sheet', content => content.replace(/^.*?\n/, '<?xml-stylesheet href="x.xsl"?>\n')],
  ['pacs008', 'another way of settling', content => content.replace('>CLRG<', '>COVE<')],
  ['pacs004', 'another bank as its sender', content => content.replace(agent, `$1${other}`)],
  [
    'pacs004',
    'another account',
    before('</TxInf>', '<OrgnlTxRef><CdtrAcct><Id><IBAN>X1</IBAN></Id></CdtrAcct></OrgnlTxRef>'),
  ],
  ['camt054', 'another bank as its sender', content => content.replace(bank.routingNumber, other)],
  ['camt054', 'the related account', before('</TxDtls>', '<RltdAgts><X>1</X></RltdAgts>')],
  [
    'nacha-payments',
    'another sender in its batches',
    content => content.replace(/^([58].*)80000000(\d{7})$/gm, '$180000004$2'),
  ],
  ['nacha-payments', 'a credit to savings', content => content.replace('\n622', '\n632')],
  ['nacha-payments', 'another class of batch', content => content.replace('CCDTRANSFER', 'CTXTRANSFER')],
  ['nacha-payments', 'batches of debits and credits', content => content.replace('\n5220', '\n5200')],
  ['nacha-payments', 'another kind of addendum', content => content.replace('\n705', '\n710')],
  ['nacha-payments', 'another bank as its sender', content => content.replaceAll(bank.routingNumber, other)],
  [
    'nacha-returns',
    'a return to another bank',
    content =>
      content
        .replace('\n621800000019', '\n621800000022')
        .replace('\n82200000020080000001', '\n82200000020080000002')
        .replace('0160000003', '0160000004'),
  ],
  ['nacha-returns', 'a return to savings', content => content.replace('\n621', '\n631')],
  [
    'nacha-returns',
    'another bank in its reason',
    content => content.replace(/(\n799.{24})80000000/, '$180000004'),
  ],
];

test.each(forgeries)('a %s file with %s is not sent [RF-31]', async (kind, _, edit) => {
  const file = files.find(({ name }) => name.startsWith(kind))!;
  const forged = edit(file.content);
  expect(forged).not.toBe(file.content);
  expect(await compare({ ...file, messageId: edit(file.messageId) }, forged)).toEqual(expect.any(String));
});
