/**
 * `npm run ledger -- verify`: verifies the ledger and the audit chain without changing anything. If a check fails, it names
 * the row and exits with 1. With `--noted <position>:<hash>`, an earlier head of the chain, it also detects a chain that was
 * truncated or rebuilt.
 */
import { type AuditHead, countUnsealed, verifyAudit } from '../db/audit.ts';
import type { Database } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { readCommandLine, refuseCommandLine } from './commandLine.ts';
import { openForCommand, runCommand } from './open.ts';

const usage = `Usage: npm run ledger -- verify [--noted <position>:<hash>]

Proves the books and the audit chain of DATA_DIR or DATABASE_URL, and changes nothing.
  --noted   a head of the audit chain that was written down before: the chain must still contain it
`;

function readNoted(text: string | undefined): AuditHead | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+):([0-9a-f]{64})$/.exec(text);
  if (!match) refuseCommandLine(usage, '--noted takes a head as verify prints it.');
  return { position: BigInt(match[1]!), hash: match[2]! };
}

async function verify(database: Database, noted: AuditHead | undefined): Promise<number> {
  const exists = await database.ownerPool.query<{ found: boolean }>(
    "SELECT to_regclass('migration_checksums') IS NOT NULL AS found",
  );
  if (!exists.rows[0]!.found || !(await isMigrated(database.pool))) {
    throw new Error('This database contains no bank of this version. Start the server on it first.');
  }
  const books = await verifyBooks(database.reader);
  const audit = await verifyAudit(database.reader, noted);
  const faults = [...books.faults];
  if (audit.broken) {
    faults.push(
      `Not true that the audit chain is unbroken: record ${audit.broken.auditId}: ${audit.broken.why}`,
    );
  }
  const { accounts, transactions, entries } = books.checked;
  const unsealed = await countUnsealed(database.reader);
  process.stdout.write(
    `Looked at ${accounts} accounts, ${transactions} transactions, ${entries} journal entries, ${audit.position} audit records (${unsealed} not sealed yet).\n`,
  );
  process.stdout.write(`Head of the audit chain: ${audit.position}:${audit.hash}\n`);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.stdout.write(faults.length === 0 ? 'The books are true.\n' : `${faults.length} proofs failed.\n`);
  return faults.length === 0 ? 0 : 1;
}

await runCommand(async () => {
  const options = { noted: { type: 'string' } } as const;
  const { values, positionals } = readCommandLine(usage, { options, allowPositionals: true });
  if (positionals.join() !== 'verify') refuseCommandLine(usage);
  const noted = readNoted(values.noted);
  const { database, close } = await openForCommand({ needsSecret: false });
  try {
    return await verify(database, noted);
  } finally {
    await close();
  }
});
