/**
 * `npm run ledger -- verify`: verifies the ledger and the audit chain without changing anything. Exits with 1 if a check fails,
 * and names the row. Also exits with 1 without the secret, because the seals cannot be checked. The chain must contain every
 * head that the servers stored in DATA_DIR or the store of FILES_URL, and the head given with `--noted`.
 */
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { parseHead, readStoredHeads } from '../jobs/auditHeads.ts';
import { compareFile } from '../jobs/railCompare.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { openLog } from '../log.ts';
import { openStore } from '../outside/objectStore.ts';
import { deriveSecrets, findSecrets } from '../secrets.ts';
import { readCommandLine, refuseCommandLine } from './commandLine.ts';
import { refuseWithoutBank, runCommand, withDatabase } from './open.ts';

const usage = `Usage: npm run ledger -- verify [--since last] [--noted <position>:<hash>]

Proves the books and the audit chain of DATA_DIR or DATABASE_URL, and changes nothing. Needs the bank's APP_SECRET:
without it, no seal is checked and the exit code is 1. Progress goes to standard error.
  --since last   starts from the balances that the server proved and sealed last
  --noted        a head of the audit chain that was written down before: the chain must still contain it
`;

const progressMs = 2_000;
/** Printed without a secret. The tables alone prove little: an attacker who can write to the database can make them agree. */
const unproven =
  'The tables agree with each other, but the books are not proven: without APP_SECRET, no seal was checked. Give the secret of the bank.\n';

async function verify(
  { config, database }: { config: Config; database: Database },
  { noted, sinceLast }: { noted: string | undefined; sinceLast: boolean },
): Promise<number> {
  await refuseWithoutBank(database);
  const secrets = findSecrets(config);
  const stored = await readStoredHeads({ config, store: openStore(config, openLog()) });
  const notedHead = noted === undefined ? [] : [parseHead(noted)!];
  const startedAt = performance.now();
  let reportedAt = startedAt;
  const verdict = await verifyBooks(database.owner, {
    sealKey: secrets && deriveSecrets(...secrets).sealKey,
    noted: [...stored, ...notedHead],
    sinceLast,
    compareFile,
    onProgress({ records, transactions }) {
      const now = performance.now();
      if (now - reportedAt < progressMs) return;
      reportedAt = now;
      const perSecond = Math.round((transactions * 1000) / (now - startedAt));
      process.stderr.write(
        `${transactions} transactions in ${records} audit records, ${perSecond} a second …\n`,
      );
    },
  });
  const { checked, head, faults, overdue, unsealedSince, unsealedAhead, since } = verdict;
  const { accounts, transactions, entries, records, unsealed } = checked;
  if (since) process.stdout.write(`Started from the balances sealed at record ${since.auditId}.\n`);
  else if (sinceLast)
    process.stdout.write('No balances are sealed yet, so the proof started from the first record.\n');
  process.stdout.write(
    `Checked ${accounts} accounts, ${transactions} transactions, ${entries} journal entries, ${records} audit records (${unsealed} not sealed yet).\n`,
  );
  process.stdout.write(`Head of the audit chain: ${head.position}:${head.hash}\n`);
  process.stdout.write(`Heads stored before: ${stored.length}\n`);
  if (unsealedSince)
    process.stderr.write(
      `The oldest record without a seal is from ${unsealedSince.toISOString()}. Until it is sealed, a change to it leaves no trace: see LarkspurAuditUnsealed in the runbook.\n`,
    );
  if (unsealedAhead)
    process.stderr.write(
      `A record without a seal is dated ${unsealedAhead.toISOString()}, in the future. Either the database’s clock was ahead, or someone changed the date: see LarkspurAuditUnsealed in the runbook.\n`,
    );
  for (const payment of overdue) process.stderr.write(`${payment}\n`);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.stdout.write(`${faults.length} proofs failed.\n`);
  else if (!secrets) process.stderr.write(unproven);
  else process.stdout.write('The books are true.\n');
  return faults.length === 0 && secrets ? 0 : 1;
}

await runCommand(async () => {
  const options = { noted: { type: 'string' }, since: { type: 'string' } } as const;
  const { values, positionals } = readCommandLine(usage, { options, allowPositionals: true });
  const { noted, since } = values;
  if (positionals.join() !== 'verify') refuseCommandLine(usage);
  if (noted !== undefined && !parseHead(noted))
    refuseCommandLine(usage, '--noted takes a head as verify prints it.');
  if (since !== undefined && since !== 'last') refuseCommandLine(usage, '--since takes only `last`.');
  return await withDatabase(opened => verify(opened, { noted, sinceLast: since === 'last' }));
});
