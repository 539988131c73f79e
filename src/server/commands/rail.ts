/** `npm run rail --`: lets the sandbox rail deliver a payment from another bank, whether or not a server is running. */
import * as z from 'zod/mini';
import { maxLength, transfer } from '#contract/constants.ts';
import { requiredLine } from '#contract/fields.ts';
import { formatCents, typedToCents } from '#contract/money.ts';
import { isMigrated } from '../db/migrations.ts';
import { bookDeposit } from '../ledger/deposits.ts';
import { makeIncomingPayment } from '../outside/rail.ts';
import { readCommandLine, refuseCommandLine } from './commandLine.ts';
import { openForCommand, runCommand } from './open.ts';

const usage = `Usage:
  npm run rail -- receive <accountNumber> <amount> --from "<name>" [--bank "<bank>"] [--ref <id>]

Delivers a payment from another bank to an account of DATA_DIR or DATABASE_URL. The same --ref books once. A payment
to an account that cannot receive it is sent back, with exit code 1.
`;

const printedRef = /^[\x21-\x7e]{1,64}$/;
const maxCents = BigInt(transfer.maxAmountDollars) * 100n;

/** The text, or the usage with what is wrong with it. */
function read(schema: z.ZodMiniType<string>, text: string): string {
  const result = z.safeParse(schema, text);
  return result.success ? result.data : refuseCommandLine(usage, result.error.issues[0]!.message);
}

await runCommand(async () => {
  const options = { from: { type: 'string' }, bank: { type: 'string' }, ref: { type: 'string' } } as const;
  const { values, positionals } = readCommandLine(usage, { options, allowPositionals: true });
  const [verb, number, dollars, ...rest] = positionals;
  if (verb !== 'receive' || number === undefined || dollars === undefined || rest.length > 0)
    refuseCommandLine(usage);
  const amountCents = typedToCents(dollars);
  if (amountCents === undefined || amountCents <= 0n || amountCents > maxCents)
    refuseCommandLine(usage, `${dollars} is not an amount like 1250.00.`);
  if (values.ref !== undefined && !printedRef.test(values.ref))
    refuseCommandLine(usage, 'A reference has 1 to 64 printable characters without spaces.');
  const payment = makeIncomingPayment({
    ref: values.ref,
    accountNumber: number.replace(/[\s-]/g, ''),
    amountCents,
    senderName: read(requiredLine(maxLength.accountName, 'Name the sender with --from.'), values.from ?? ''),
    bankName:
      values.bank === undefined ? '' : read(requiredLine(maxLength.bankName, 'Name the bank.'), values.bank),
  });
  const { database, close } = await openForCommand();
  try {
    if (!(await isMigrated(database.pool)))
      throw new Error('This database contains no bank of this version. Start the server on it first.');
    const outcome = await bookDeposit(database.ownerPool, payment);
    const what = `${formatCents(amountCents)} from ${payment.senderName}`;
    if (outcome.status === 'booked') {
      const done = outcome.wasKnown ? 'was booked before' : 'is booked';
      process.stdout.write(`${what} ${done}: ${outcome.reference} (rail reference ${payment.ref})\n`);
      return 0;
    }
    process.stderr.write(
      outcome.status === 'mismatch'
        ? `The rail reference ${payment.ref} belongs to another payment. Nothing was booked.\n`
        : `${what} ${outcome.wasKnown ? 'was' : 'is'} sent back: ${outcome.reason} (rail reference ${payment.ref})\n`,
    );
    return 1;
  } finally {
    await close();
  }
});
