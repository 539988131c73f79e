/**
 * Nacha files, the format of the American ACH network: lines of 94 columns, in blocks of ten. `toText` writes the records and
 * `parse` reads them; the rest of this file defines what the bank puts into them. Amounts are credits: the bank neither sends
 * nor accepts debits.
 */
import { hash } from 'node:crypto';
import { bank, maxLength } from '#contract/constants.ts';
import { checkDigit } from '../../base/routingNumbers.ts';
import {
  type FileHead,
  type IncomingFile,
  type IncomingLine,
  type PaymentLine,
  RailFileError,
  type ReturnLine,
  type WrittenFile,
} from './rail.ts';
import { nameText, plainText, readableText } from './railText.ts';

type Entry = {
  code: string;
  /** The receiving bank's routing number. */
  routing: string;
  accountNumber: string;
  cents: bigint;
  id: string;
  name: string;
  /** Each addenda record, without the record type in its first column. */
  addenda: string[];
  trace: string;
};
type Batch = {
  companyName: string;
  companyId: string;
  /** The standard entry class: `PPD` pays persons, `CCD` pays companies, `COR` is a notification of change. */
  sec: string;
  description: string;
  effectiveDate: string;
  /** The first eight digits of the sending bank's routing number. */
  origin: string;
  entries: Entry[];
};
type Header = {
  to: string;
  from: string;
  /** YYMMDDHHMM */
  madeAt: string;
  modifier: string;
  toName: string;
  fromName: string;
  reference: string;
};

const columns = 94;
const blocking = 10;
const maxHash = 10n ** 10n;
/** The largest amount of an entry and of a whole file, and the longest account number. */
export const nachaLimits = {
  entryCents: 10n ** 10n - 1n,
  fileCents: 10n ** 12n - 1n,
  accountNumber: 17,
} as const;

/** The transaction codes that the bank writes: a credit to a checking account, and the return of such a credit. */
const codes = { credit: '22', returnedCredit: '21' } as const;
const isCredit = (code: string) => /^[2345][1-4]$/.test(code);
const creditsOnly = '220';
/** Batches of domestic credits. The entries of an international batch (IAT) have other columns. */
const creditBatches = new Set(['PPD', 'CCD', 'CTX', 'CIE', 'WEB']);
const isDebitCode = (code: string) => /^[2345][5-9]$/.test(code);

/** Letters, left-aligned. */
const letters = (text: string, width: number) => plainText(text, width).toUpperCase().padEnd(width);
/** Digits, right-aligned. */
function digits(value: bigint | number | string, width: number): string {
  const text = String(value).padStart(width, '0');
  if (text.length > width) throw new RailFileError(`${text} has more than ${width} digits.`);
  return text;
}

const hashOf = (entries: readonly Entry[]) =>
  entries.reduce((total, { routing }) => total + BigInt(routing.slice(0, 8)), 0n);
const countOf = (entries: readonly Entry[]) =>
  entries.reduce((total, { addenda }) => total + 1 + addenda.length, 0);
const centsOf = (entries: readonly Entry[], isWanted: (code: string) => boolean) =>
  entries.reduce((total, { code, cents }) => total + (isWanted(code) ? cents : 0n), 0n);

/** Hash, debits and credits, as batch and file controls have them. */
const totals = (entries: readonly Entry[]) =>
  digits(hashOf(entries) % maxHash, 10) +
  digits(centsOf(entries, isDebitCode), 12) +
  digits(centsOf(entries, isCredit), 12);

function toText(header: Header, batches: readonly Batch[]): string {
  const lines = [
    `101 ${header.to} ${header.from}${header.madeAt}${header.modifier}094101${letters(header.toName, 23)}${letters(header.fromName, 23)}${header.reference.padEnd(8)}`,
  ];
  for (const [index, batch] of batches.entries()) {
    const number = digits(index + 1, 7);
    const companyId = batch.companyId.padEnd(10);
    lines.push(
      `5${creditsOnly}${letters(nameText(batch.companyName, 16), 16)}${''.padEnd(20)}${companyId}${batch.sec}${letters(batch.description, 10)}${''.padEnd(6)}${batch.effectiveDate}   1${batch.origin}${number}`,
    );
    for (const entry of batch.entries) {
      const { code, routing, accountNumber, cents, id, name, addenda, trace } = entry;
      const hasAddenda = addenda.length > 0 ? '1' : '0';
      lines.push(
        `6${code}${routing}${accountNumber.padEnd(17)}${digits(cents, 10)}${letters(id, 15)}${letters(nameText(name, 22), 22)}  ${hasAddenda}${trace}`,
        ...addenda.map(addendum => `7${addendum}`),
      );
    }
    lines.push(
      `8${creditsOnly}${digits(countOf(batch.entries), 6)}${totals(batch.entries)}${companyId}${''.padEnd(25)}${batch.origin}${number}`,
    );
  }
  const entries = batches.flatMap(batch => batch.entries);
  const blocks = Math.ceil((lines.length + 1) / blocking);
  lines.push(
    `9${digits(batches.length, 6)}${digits(blocks, 6)}${digits(countOf(entries), 8)}${totals(entries)}${''.padEnd(39)}`,
  );
  while (lines.length < blocks * blocking) lines.push('9'.repeat(columns));
  const wrong = lines.find(line => line.length !== columns);
  if (wrong !== undefined) throw new Error(`a record has ${wrong.length} columns: ${wrong}`);
  return `${lines.join('\n')}\n`;
}

const fail = (line: number, why: string): never => {
  throw new RailFileError(`Line ${line}: ${why}`);
};

/** The records of a file. Throws `RailFileError` unless every count, hash and total is right. */
function parse(content: string): { header: Header; batches: Batch[] } {
  const lines = content.replace(/\r?\n$/, '').split(/\r?\n/);
  for (const [index, line] of lines.entries())
    if (line.length !== columns) fail(index + 1, `it has ${line.length} columns instead of ${columns}.`);
    else if (/[^\x20-\x7e\xa0-\xff]/.test(line)) fail(index + 1, 'it has control characters.');
  const last = lines.findLastIndex(line => !/^9+$/.test(line));
  if (!lines[last]?.startsWith('9')) fail(last + 1, 'the file has no control record at its end.');
  if (lines.length % blocking !== 0)
    throw new RailFileError(`The file has ${lines.length} lines, which is not a multiple of ${blocking}.`);

  const head = lines[0]!;
  if (!/^101.{20}\d{10}[A-Z0-9]09410\d/.test(head)) fail(1, 'it is not the file header of an ACH file.');
  const header: Header = {
    to: head.slice(3, 13).trim(),
    from: head.slice(13, 23).trim(),
    madeAt: head.slice(23, 33),
    modifier: head.slice(33, 34),
    toName: head.slice(40, 63).trim(),
    fromName: head.slice(63, 86).trim(),
    reference: head.slice(86).trim(),
  };
  const batches: Batch[] = [];
  let batch: (Batch & { number: string }) | undefined;
  for (let at = 1; at < last; at++) {
    const [line, number] = [lines[at]!, at + 1];
    const kind = line[0];
    if (kind === '5' && !batch) {
      // The id of the company must be ASCII, and the sending bank's routing number must be digits: a return repeats both.
      if (!/^5\d{3}.{36}[\x20-\x7e]{13}.{26}\d{15}$/.test(line)) fail(number, 'it is not a batch header.');
      batch = {
        companyName: line.slice(4, 20).trim(),
        companyId: line.slice(40, 50).trim(),
        sec: line.slice(50, 53),
        description: line.slice(53, 63).trim(),
        effectiveDate: line.slice(69, 75).trim(),
        origin: line.slice(79, 87),
        number: line.slice(87),
        entries: [],
      };
    } else if (kind === '6' && batch) {
      if (!/^6\d{11}[\x20-\x7e]{17}\d{10}.{39}[01]\d{15}$/.test(line))
        fail(number, 'it is not a valid entry.');
      batch.entries.push({
        code: line.slice(1, 3),
        routing: line.slice(3, 12),
        accountNumber: line.slice(12, 29).trim(),
        cents: BigInt(line.slice(29, 39)),
        id: line.slice(39, 54).trim(),
        name: line.slice(54, 76).trim(),
        addenda: [],
        trace: line.slice(79),
      });
      if ((line[78] === '1') !== lines[at + 1]!.startsWith('7'))
        fail(number, 'its addenda indicator does not agree with the next line.');
    } else if (kind === '7' && batch?.entries.length) {
      batch.entries.at(-1)!.addenda.push(line.slice(1));
    } else if (kind === '8' && batch) {
      const { entries } = batch;
      if (line.slice(4, 10) !== digits(countOf(entries), 6)) fail(number, 'the count of the batch is wrong.');
      checkControl(line.slice(10, 44), entries, number);
      if (line.slice(79, 87) !== batch.origin || line.slice(87) !== batch.number)
        fail(number, 'it closes another batch.');
      batches.push(batch);
      batch = undefined;
    } else {
      fail(number, 'this record does not belong here.');
    }
  }
  const entries = batches.flatMap(each => each.entries);
  const control = lines[last]!;
  if (batch || control.slice(1, 7) !== digits(batches.length, 6))
    fail(last + 1, 'the count of batches is wrong.');
  if (control.slice(7, 13) !== digits(lines.length / blocking, 6))
    fail(last + 1, 'the count of blocks is wrong.');
  if (control.slice(13, 21) !== digits(countOf(entries), 8)) fail(last + 1, 'the count of entries is wrong.');
  checkControl(control.slice(21, 55), entries, last + 1);
  return { header, batches };
}

function checkControl(text: string, entries: readonly Entry[], line: number): void {
  const expected = totals(entries);
  if (text.slice(0, 10) !== expected.slice(0, 10)) fail(line, 'the entry hash is wrong.');
  if (text.slice(10) !== expected.slice(10)) fail(line, 'the totals are wrong.');
}

const yymmdd = (day: string) => day.replaceAll('-', '').slice(2);

function headerOf({ id, madeAt, from, to, fromName = '' }: FileHead): Header {
  const digest = hash('sha256', id);
  return {
    to,
    from,
    madeAt: yymmdd(madeAt.toISOString().slice(0, 10)) + madeAt.toISOString().slice(11, 16).replace(':', ''),
    modifier: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'[Number.parseInt(digest.slice(0, 6), 16) % 36]!,
    toName: '',
    fromName,
    reference: digest.slice(-8).toUpperCase(),
  };
}

/**
 * Under Nacha's rules, origin, destination, time and modifier identify a file. Our files also have a reference of eight
 * characters.
 */
const messageIdOf = ({ from, to, madeAt, modifier, reference }: Header) =>
  [from, to, madeAt + modifier, reference].join('-');

function toFile(head: FileHead, kind: string, batches: readonly Batch[]): WrittenFile {
  const header = headerOf(head);
  const name = `nacha-${kind}-${head.settlesOn}-${header.reference.toLowerCase()}.ach`;
  return { name, messageId: messageIdOf(header), content: toText(header, batches) };
}

/** A trace number: the bank that made the entry, and the entry's number. */
export const traceOf = (routing: string, number: bigint | number) =>
  routing.slice(0, 8) + digits(BigInt(number) % 10n ** 7n, 7);

/** The reference of a transaction as an entry has it, without hyphens. */
const entryReference = (reference: string) => reference.replaceAll('-', '');

const companyId = (routing: string) => `9${routing}`;
/** The legal form at the end of a company's name. */
const companyForm =
  /\b(inc|llc|llp|ltd|corp|corporation|company|co|gmbh|plc|limited|foundation|trust)\b\.?$/i;

/** Groups in the order in which the keys first occur. */
const groupBy = <T>(list: readonly T[], keyOf: (one: T) => string): [string, T[]][] => [
  ...Map.groupBy(list, keyOf),
];

export function writePayments(head: FileHead, payments: readonly PaymentLine[]): WrittenFile {
  const batches = groupBy(payments, payment => (companyForm.test(payment.accountName) ? 'CCD' : 'PPD')).map(
    ([sec, paid]): Batch => ({
      companyName: bank.name,
      companyId: companyId(head.from),
      sec,
      description: 'TRANSFER',
      effectiveDate: yymmdd(head.settlesOn),
      origin: head.from.slice(0, 8),
      entries: paid.map(payment => {
        const note = `FROM ${nameText(payment.senderName, 80)} ${payment.description}`;
        return {
          code: codes.credit,
          routing: head.to,
          accountNumber: payment.accountNumber,
          cents: payment.amountCents,
          id: entryReference(payment.reference),
          name: payment.accountName,
          addenda: [`05${letters(note, 80)}0001${payment.trace.slice(-7)}`],
          trace: payment.trace,
        };
      }),
    }),
  );
  return toFile(head, 'payments', batches);
}

/** Writes returns of entries, each with the reason in its addenda record. */
export function writeReturns(head: FileHead, returns: readonly ReturnLine[]): WrittenFile {
  const batches = groupBy(returns, ({ original }) =>
    JSON.stringify([original.companyName, original.companyId, original.sec]),
  ).map(([, group]): Batch => {
    const { companyName = '', companyId: id = '', sec = 'PPD' } = group[0]!.original;
    return {
      companyName,
      companyId: id,
      sec,
      description: 'RETURN',
      effectiveDate: yymmdd(head.settlesOn),
      origin: head.from.slice(0, 8),
      entries: group.map(({ original, amountCents, accountNumber, code, trace }) => ({
        code: codes.returnedCredit,
        routing: original.routing ?? head.to,
        accountNumber,
        cents: amountCents,
        id: original.id ?? '',
        name: original.name ?? '',
        addenda: [
          `99${code}${(original.trace ?? '').padStart(15, '0')}${''.padEnd(6)}${head.from.slice(0, 8)}${''.padEnd(44)}${trace}`,
        ],
        trace,
      })),
    };
  });
  return toFile(head, 'returns', batches);
}

/**
 * Reads the entries of a file that is addressed to the routing number `own`. `isStrict`: refuses a file that this bank does not
 * write, and adds to each line the number of the bank to which it goes.
 */
export function readNacha(content: string, own: string, isStrict = false): IncomingFile {
  const { header, batches } = parse(content);
  if (header.to !== own) throw new RailFileError(`The file is addressed to ${header.to}.`);
  if (isStrict) checkWritten(content, header, batches);
  const lines = batches.flatMap(batch =>
    batch.entries.map(entry => ({
      ...toLine(batch, entry, own, header),
      ...(isStrict && { routing: entry.routing }),
    })),
  );
  if (lines.length === 0) throw new RailFileError('The file has no entry.');
  return { format: 'nacha', messageId: messageIdOf(header), from: header.from, lines };
}

/** Refuses what this bank does not write: debits, other accounts than checking accounts, other addenda, another sender. */
function checkWritten(content: string, { from }: Header, batches: readonly Batch[]): void {
  const origin = from.slice(0, 8);
  const isOwn = ({ code, addenda, trace }: Entry, { sec }: Batch) =>
    addenda.length === 1 &&
    (code === codes.returnedCredit
      ? new RegExp(`^99R\\d{17} {6}${origin} {44}${trace}$`).test(addenda[0]!)
      : code === codes.credit && /^(PPD|CCD)$/.test(sec) && addenda[0]!.startsWith('05'));
  if (
    /^[58](?!220)/m.test(content) ||
    batches.some(batch => batch.origin !== origin || !batch.entries.every(entry => isOwn(entry, batch)))
  )
    throw new RailFileError('The file has what the bank does not write.');
}

function toLine(batch: Batch, entry: Entry, own: string, header: Header): IncomingLine {
  const { code, routing, accountNumber, cents: amountCents, trace, id, name } = entry;
  // A dishonored or contested return repeats the addenda of the returns before it.
  const [addendum, ...others] = entry.addenda.filter(each => /^9[89]/.test(each));
  const line = {
    amountCents,
    currency: bank.currency,
    keys: [trace],
    accountNumber,
    partyName: readableText(batch.companyName, maxLength.accountName),
    bankName: readableText(header.fromName, maxLength.bankName),
    code: '',
    text: readableText(batch.description, columns),
    ref: '',
    original: {},
  };
  if (addendum !== undefined) {
    const isChange = addendum.startsWith('98');
    return {
      ...line,
      // R61 and higher dispute a return.
      kind: isChange
        ? 'change'
        : isCredit(code) && others.length === 0 && /^..R[0-5]/.test(addendum)
          ? 'returned'
          : 'other',
      keys: [addendum.slice(5, 20)],
      partyName: '',
      code: readableText(addendum.slice(2, 5), columns),
      text: readableText(isChange ? addendum.slice(34, 63) : addendum.slice(34, 78), columns),
    };
  }
  const { companyName, companyId: company, sec, effectiveDate, origin } = batch;
  const isDeposit = creditBatches.has(sec) && /^[23]2$/.test(code) && routing === own && amountCents > 0n;
  return {
    ...line,
    kind: isDeposit ? 'deposit' : 'other',
    // A trace number repeats after some time, and another bank can guess it. Sending bank and date make the reference unique.
    ref: `ach:${header.from}:${trace}:${effectiveDate}`,
    original: { companyName, companyId: company, sec, trace, id, name, routing: origin + checkDigit(origin) },
  };
}
