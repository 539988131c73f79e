/** `npm run ledger -- verify`: proves the books and the audit chain; exits 1 and names the row where a proof fails. */
import { sealAudit, verifyAudit } from '../db/audit.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { openForCommand } from './open.ts';

if (process.argv[2] !== 'verify' || process.argv.length > 3) {
  process.stderr.write('Usage: npm run ledger -- verify\n');
  process.exit(2);
}

const { database, close } = await openForCommand();
try {
  const books = await verifyBooks(database.reader);
  while ((await database.inTransaction(sealAudit)) > 0);
  const audit = await verifyAudit(database.reader);
  const faults = [...books.faults];
  if (audit.broken)
    faults.push(
      `Not true that the audit chain is unbroken: record ${audit.broken.auditId} ${audit.broken.why}`,
    );
  const { accounts, transactions, entries } = books.looked;
  process.stdout.write(
    `Looked at ${accounts} accounts, ${transactions} transactions, ${entries} journal entries, ${audit.position} audit records.\n`,
  );
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.stdout.write(faults.length === 0 ? 'The books are true.\n' : `${faults.length} proofs failed.\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await close();
}
