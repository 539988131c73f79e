/** `npm run rail --`: payments and files from other banks, and the state of the rail. */
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { maxLength, transfer } from '#contract/constants.ts';
import { requiredLine } from '#contract/fields.ts';
import * as railMessages from '#contract/messages/rail.ts';
import { centsToDollars, formatAmount, formatCents, typedToCents } from '#contract/money.ts';
import { reasonOf } from '../db/database.ts';
import { deliverDeposit } from '../jobs/railDeposits.ts';
import { applyLines, type IncomingParts, receiveFile } from '../jobs/railIncoming.ts';
import { openLedger } from '../ledger/ledger.ts';
import { listRailExceptions, listRailFiles } from '../ledger/railLists.ts';
import { openRail } from '../outside/rail/openRail.ts';
import { readCommandLine, refuseCommandLine } from './commandLine.ts';
import { refuseWithoutBank, runCommand, withDatabase } from './open.ts';

const usage = `Usage:
  npm run rail -- receive <accountNumber> <amount> --from "<name>" [--bank "<bank>"] [--ref <id>]
  npm run rail -- read <file>
  npm run rail -- status
  npm run rail -- list

All work on the DATA_DIR or DATABASE_URL of the bank, whether or not a server is running.

receive  Delivers a file with a payment from another bank to an account. The same --ref books once. A payment to an
         account that cannot receive it is sent back, with exit code 1.
read     Reads a file from another bank, once. A file that is refused changes nothing, with exit code 1.
status   Counts the payments and answers that wait for a file, the files in each state, and the open exceptions.
list     Lists the newest files and the open exceptions.
`;

const printedRef = /^[\x21-\x7e]{1,64}$/;
const maxCents = BigInt(transfer.maxAmountDollars) * 100n;

/** Returns the text if it is valid. Otherwise prints what is wrong with it and the usage, and exits. */
function check(schema: z.ZodMiniType<string>, text: string): string {
  const result = z.safeParse(schema, text);
  return result.success ? result.data : refuseCommandLine(usage, result.error.issues[0]!.message);
}

/** Prints why a line could not be booked: a command has no log. */
const log = {
  error: ({ err }: { err: Error }, message: string) => print(`${message}: ${reasonOf(err)}`, process.stderr),
  warn() {},
  info() {},
} as unknown as NonNullable<IncomingParts['log']>;

const withBank = (work: (bank: IncomingParts) => Promise<number>) =>
  withDatabase(async ({ config, database }) => {
    await refuseWithoutBank(database);
    const ledger = openLedger(database);
    return await work({ database, ledger, rail: openRail(config), log }).finally(() => ledger.close());
  });

/**
 * Prints a text with its control characters escaped: a terminal obeys them, and other banks choose the names of their files.
 */
const print = (text: string, to: NodeJS.WritableStream = process.stdout) =>
  to.write(
    `${text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, one => `\\u{${one.codePointAt(0)!.toString(16)}}`)}\n`,
  );

async function receive(
  number: string,
  dollars: string,
  values: { from?: string | undefined; bank?: string | undefined; ref?: string | undefined },
): Promise<number> {
  const amountCents = typedToCents(dollars);
  if (amountCents === undefined || amountCents <= 0n || amountCents > maxCents)
    refuseCommandLine(usage, `${dollars} is not an amount like 1250.00.`);
  if (values.ref !== undefined && !printedRef.test(values.ref))
    refuseCommandLine(usage, 'A reference has 1 to 64 printable characters without spaces.');
  const payment = {
    ref: values.ref ?? `SR-${randomUUID()}`,
    accountNumber: number.replace(/[\s-]/g, ''),
    amountCents,
    senderName: check(requiredLine(maxLength.accountName, 'Name the sender with --from.'), values.from ?? ''),
    bankName:
      values.bank === undefined ? '' : check(requiredLine(maxLength.bankName, 'Name the bank.'), values.bank),
  };
  return await withBank(async bank => {
    const outcome = await deliverDeposit(bank, payment);
    const what = `${formatCents(amountCents)} from ${payment.senderName}`;
    if (outcome.status === 'booked') {
      const done = outcome.wasKnown ? 'was booked before' : 'is booked';
      print(`${what} ${done}: ${outcome.reference} (rail reference ${payment.ref})`);
      return 0;
    }
    print(
      outcome.status === 'mismatch'
        ? `The rail reference ${payment.ref} belongs to another payment. Nothing was booked.`
        : `${what} ${outcome.wasKnown ? 'was' : 'is'} sent back: ${outcome.reason} (rail reference ${payment.ref})`,
      process.stderr,
    );
    return 1;
  });
}

async function readFileOf(path: string): Promise<number> {
  const bytes = await readFile(path);
  return await withBank(async bank => {
    const name = basename(path);
    const receipt = await receiveFile(bank, name, bytes);
    if (receipt.status === 'refused') {
      print(`${name} is refused: ${receipt.reason} None of it was applied.`, process.stderr);
      return 1;
    }
    if (receipt.status === 'busy') {
      print('Another process is reading this file.', process.stderr);
      return 1;
    }
    await applyLines(bank);
    const sha = createHash('sha256').update(bytes).digest();
    const found = await bank.database.ownerPool.query<{ lines: number; exceptions: number; back: number }>(
      `SELECT f.lines, count(*) FILTER (WHERE i.outcome = 'exception')::int AS exceptions,
              count(*) FILTER (WHERE i.outcome = 'sent-back')::int AS back
         FROM rail_files f LEFT JOIN rail_incoming i ON i.file_id = f.id
        WHERE f.direction = 'in' AND f.sha256 = $1 GROUP BY f.id`,
      [sha],
    );
    const { lines = 0, exceptions = 0, back = 0 } = found.rows[0] ?? {};
    const done = receipt.status === 'duplicate' ? 'was read before, nothing has changed' : 'is read';
    print(`${name} ${done}. Lines: ${lines}. Exceptions: ${exceptions}. Sent back: ${back}.`);
    return 0;
  });
}

const newest = { page: 1, limit: 20 } as const;

async function status(): Promise<number> {
  return await withBank(async ({ database: { reader } }) => {
    const [{ waiting }, { open }] = [
      await listRailFiles(reader, newest),
      await listRailExceptions(reader, { ...newest, list: 'open' }),
    ];
    print(`Payments and answers that wait for a file: ${waiting}`);
    const states = await sql<{ direction: string; state: string; n: number }>`
      SELECT direction, state, count(*)::int AS n FROM rail_files GROUP BY 1, 2 ORDER BY 1 DESC, 2`.execute(
      reader,
    );
    for (const { direction, state, n } of states.rows) print(`Files ${direction}, ${state}: ${n}`);
    print(`Open exceptions: ${open}`);
    return 0;
  });
}

const amountText = (cents: bigint, currency: string) => formatAmount(centsToDollars(cents), currency);

async function list(): Promise<number> {
  return await withBank(async ({ database: { reader } }) => {
    const { files } = await listRailFiles(reader, newest);
    for (const { at, direction, name, state, lines, total, currency, sentBack, reason } of files) {
      const sum = currency ? `total: ${amountText(total, currency)}` : 'several currencies';
      const back = sentBack > 0 ? `, sent back: ${sentBack}` : '';
      print(
        `${at.toISOString()}  ${direction.padEnd(3)}  ${state.padEnd(7)}  ${name}  lines: ${lines}, ${sum}${back}${reason ? `: ${reason}` : ''}`,
      );
    }
    const { exceptions } = await listRailExceptions(reader, { ...newest, list: 'open' });
    for (const { file, line, reason, amount, currency } of exceptions)
      print(
        `Exception: ${file}, line ${line}, ${amountText(amount, currency)}: ${railMessages.exceptionReasons[reason]}`,
      );
    return 0;
  });
}

await runCommand(async () => {
  const options = { from: { type: 'string' }, bank: { type: 'string' }, ref: { type: 'string' } } as const;
  const { values, positionals } = readCommandLine(usage, { options, allowPositionals: true });
  const [verb, first, second, ...rest] = positionals;
  const isAlone = second === undefined && Object.keys(values).length === 0;
  if (verb === 'receive' && first !== undefined && second !== undefined && rest.length === 0)
    return await receive(first, second, values);
  if (verb === 'read' && first !== undefined && isAlone) return await readFileOf(first);
  if (verb === 'status' && first === undefined && isAlone) return await status();
  if (verb === 'list' && first === undefined && isAlone) return await list();
  return refuseCommandLine(usage);
});
