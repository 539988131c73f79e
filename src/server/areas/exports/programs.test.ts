/**
 * Reads exports with third-party programs and compares the result with the books. A test is skipped, with a message, if its
 * program is not installed. The Debian packages are libxml2-utils, ofx, hledger, ledger and gnucash.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { calendarDay } from '#contract/bankTime.ts';
import { bank as bankConstants } from '#contract/constants.ts';
import { type exportFormats, transactionsApi } from '#contract/transactions.ts';
import { openPast } from '../../../../tests/pastTransactions.ts';
import { type SeededCustomer, seedCustomer } from '../../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../../tests/server.ts';

let bank: TestBank;
let nora: SeededCustomer;
let folder: string;
/** What the books say: day in New York, cents, name and id. */
let booked: { day: string; cents: number; name: string; id: string }[];

/** Names and texts that break programs that do not unescape them. */
const ben = { firstName: 'Zoë <b>&', lastName: '"Ünal"' };
const elsewhere = { accountName: '=HYPERLINK("x") & שלום 🍜', bankName: 'Crédit & Co' };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'larkspur-programs-'));
  bank = await openTestBank({ JOBS: 'off' });
  const { database, tokens } = bank.bank.parts;
  nora = await seedCustomer(database, tokens, { firstName: 'Nora', lastName: 'Quist' });
  const other = await seedCustomer(database, tokens, ben);
  const past = openPast(database, nora.customerId);
  // Times near midnight in New York, in winter and in summer. In UTC, the first and the third are on the next day.
  await past.credit(nora, { at: '2026-01-31T23:30:00-05:00', cents: 1_000_000_01n, description: 'start' });
  await past.send(nora, other, {
    at: '2026-02-01T00:30:00-05:00',
    cents: 2_550n,
    description: '+1 "two"; <3> & 🍜',
  });
  await past.send(other, nora, { at: '2026-07-04T23:59:59-04:00', cents: 1n, description: '@cmd' });
  const settled = await past.sendOut(
    nora,
    { at: '2026-07-06T12:00:00Z', cents: 10_000n, description: "=cmd|' /C calc'!A0" },
    elsewhere,
  );
  const returned = await past.sendOut(nora, { at: '2026-07-07T12:00:00Z', cents: 3_030n }, elsewhere);
  await past.sendOut(nora, { at: '2026-07-08T12:00:00Z', cents: 700n }, elsewhere);
  await past.decide(settled, '2026-07-09T12:00:00Z', true);
  await past.decide(returned, '2026-07-09T13:00:00Z', false);
  const rows = await database.ownerPool.query<{ id: string; at: Date; cents: bigint; step: number }>(
    `SELECT transaction_id AS id, posted_at AS at, amount AS cents, step FROM postings WHERE account_id = $1
      ORDER BY posted_at`,
    [nora.accountId],
  );
  const names = ['Larkspur Bank', `${ben.firstName} ${ben.lastName}`, `${ben.firstName} ${ben.lastName}`];
  booked = rows.rows.map(({ id, at, cents, step }, n) => ({
    day: calendarDay(at),
    cents: Number(cents),
    name: names[n] ?? elsewhere.accountName,
    id: step === 1 ? id : `${id}-return`,
  }));
});
afterAll(async () => {
  await bank.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Exports all transactions into a file and returns its path. */
async function exported(format: (typeof exportFormats)[number]): Promise<string> {
  const answer = await fetch(`${bank.url}${transactionsApi.exportTransactions.path}?format=${format}`, {
    headers: { authorization: `Bearer ${nora.token}` },
  });
  const path = join(folder, `export.${format === 'camt053' ? 'xml' : format}`);
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
  return path;
}

/** Skips the test unless this machine has the program. */
function needs(program: string, context: TestContext): void {
  if (spawnSync(program, ['--version']).error) context.skip(`This machine does not have ${program}.`);
}
const run = (program: string, args: string[], input?: string, env = {}) =>
  execFileSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, TZ: bankConstants.timeZone, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(input !== undefined && { input }),
  });
const toCents = (text: string) => Math.round(Number(text) * 100);
const dayAndCents = (rows: typeof booked) => rows.map(({ day, cents }) => [day, cents]);

test('xmllint reads the OFX and the camt.053 file as XML without an error [RX-29]', async context => {
  needs('xmllint', context);
  for (const format of ['ofx', 'camt053'] as const)
    expect(run('xmllint', ['--noout', await exported(format)])).toBe('');
  const camt = await exported('camt053');
  const read = (path: string) =>
    run('xmllint', [
      '--xpath',
      path.replace(/(?<=[/(])(\w+)(?=[/)[])/g, '*[local-name()="$1"]'),
      camt,
    ]).trim();
  expect(Number(read('count(//Ntry)'))).toBe(booked.length);
});

test('libofx reads every movement of the OFX file with its day, sign, amount, name and id, and a second export is the same [RX-29]', async context => {
  needs('ofxdump', context);
  const read = async () => {
    const out = run('ofxdump', [await exported('ofx')]);
    const field = (text: string, label: string) => new RegExp(`${label}: *(.*)`).exec(text)![1]!;
    return out
      .split(/ofx_proc_transaction\(\):/)
      .slice(1)
      .map(text => ({
        // ofxdump prints dates in the time zone of the process, which is New York.
        day: new Date(`${field(text, 'Date posted').replace(/ E[SD]T$/, '')} UTC`).toISOString().slice(0, 10),
        cents: toCents(field(text, 'Total money amount')),
        name: field(text, 'Name of payee or transaction description'),
        id: field(text, "Financial institution's ID for this transaction"),
      }));
  };
  expect(await read()).toEqual(booked);
  expect(await read()).toEqual(booked);
});

/** Reads a QIF file with GnuCash's own importer and prints a line of JSON for each movement. */
const qifImport = `
(setlocale LC_ALL "C.UTF-8")
(use-modules (gnucash engine) (gnucash app-utils) (gnucash qif-import))
(define file (make-qif-file))
(qif-file:read-file file (cadr (command-line)) (make-ticker-map) #f)
(qif-file:parse-fields file #f)
(for-each
  (lambda (row)
    (define date (qif-xtn:date row))
    (format #t "[~s, ~s, ~s, ~a, ~s]\n" (caddr date) (cadr date) (car date)
      (* 100 (qif-split:amount (car (qif-xtn:splits row)))) (qif-xtn:payee row)))
  (qif-file:xtns file))`;

test('GnuCash imports every movement of the QIF file with its day, amount and name [RX-29]', async context => {
  needs('gnucash-cli', context);
  const script = join(folder, 'import.scm');
  writeFileSync(script, qifImport);
  const paths = run('gnucash-cli', ['--paths'], '', { HOME: folder });
  const libraries = dirname(/GNC_LIB: (.*)/.exec(paths)![1]!);
  const out = run('guile', ['--no-auto-compile', '-s', script, await exported('qif')], '', {
    LD_LIBRARY_PATH: libraries,
  });
  const rows = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as [number, number, number, number, string]);
  expect(rows.map(([year, month, day, cents, name]) => ({ day: [year, month, day], cents, name }))).toEqual(
    booked.map(({ day, cents, name }) => ({ day: day.split('-').map(Number), cents, name })),
  );
});

/** Rules that tell hledger what our columns mean. */
const rules = `skip 1
fields date,clock,kind,state,description,bank,number,note,amount,after,reference,id
currency $
account1 assets:larkspur
account2 equity:elsewhere
`;

async function toJournal(): Promise<string> {
  const rulesFile = join(folder, 'csv.rules');
  writeFileSync(rulesFile, rules);
  return run('hledger', ['-f', await exported('csv'), '--rules-file', rulesFile, 'print']);
}

test('hledger reads every movement of the CSV file with its day and amount, and formulas as text [RX-29]', async context => {
  needs('hledger', context);
  const journal = await toJournal();
  const entries = journal.split(/\n(?=\d{4}-)/);
  const found = entries.map(entry => [
    entry.slice(0, 10),
    toCents(/assets:larkspur\s+\$?(-?)\$?([\d.,]+)/.exec(entry)!.slice(1).join('').replaceAll(',', '')),
  ]);
  expect(found).toEqual(dayAndCents(booked));
  expect(journal).toContain(`'${elsewhere.accountName}`);
  expect(journal).toContain(`${ben.firstName} ${ben.lastName}`);
});

test('ledger reads what hledger made of the CSV file, and computes the same balance as the bank [RX-29]', async context => {
  needs('hledger', context);
  needs('ledger', context);
  const out = run(
    'ledger',
    ['-f', '-', 'balance', 'assets:larkspur', '--flat', '--format', '%(quantity(scrub(display_total)))\n'],
    await toJournal(),
  );
  const { balance } = (await bank.call(transactionsApi.balance, { token: nora.token })).body.data;
  expect(toCents(out.trim())).toBe(toCents(String(balance)));
  expect(booked.reduce((sum, { cents }) => sum + cents, 0)).toBe(toCents(String(balance)));
});
