/** `npm run restore --`: restores the embedded bank to a point in time, and holds or releases a bank after a restore. */
import { sql } from 'kysely';
import { postponeRemovals } from '../areas/factorProtection.ts';
import { restore } from '../backup/restore.ts';
import { readConfig, SettingsError } from '../config.ts';
import type { Database, Tx } from '../db/database.ts';
import { isMigrated } from '../db/migrations.ts';
import { summarizeReferences } from '../ledger/searchTexts.ts';
import { readCommandLine, refuseCommandLine } from './commandLine.ts';
import { runCommand, withDatabase } from './open.ts';

const usage = `Usage:
  npm run restore -- --to <time>      restores DATA_DIR from BACKUP_DIR, for example --to 2026-11-22T20:30:00Z
  npm run restore -- --to newest      restores the newest state in BACKUP_DIR
  npm run restore -- --hold           holds a bank whose PostgreSQL was restored by other means
  npm run restore -- --release        releases a held bank; the mails that waited are not sent again
  npm run restore -- --release --send-waiting-mail   sends them, for example because no mail server had been running

Stop the server before you restore or hold. A held bank sends no mail and no payment and deletes nothing.
`;

const print = (text: string) => process.stdout.write(`${text}\n`);

async function restoreTo(text: string): Promise<number> {
  const { backupDir, dataDir, filesUrl } = readConfig(process.env);
  const until = text === 'newest' ? undefined : new Date(text);
  if (until && Number.isNaN(until.getTime()))
    refuseCommandLine(usage, `'${text}' is not a time such as 2026-11-22T20:30:00Z.`);
  if (backupDir === undefined) throw new SettingsError('BACKUP_DIR is missing: the folder with the backups.');
  const {
    until: reached,
    waiting,
    missing,
    erased,
    aside,
  } = await restore(
    { dataDir, backupDir, hasOwnFiles: filesUrl === undefined },
    until,
    error => print(`A file of the backup is not used: ${error.message}`),
    print,
  );
  print(`Restored ${dataDir} to ${reached}.`);
  if (aside !== undefined) print(`What was there before is in ${aside}.`);
  if (missing.length > 0) {
    const pictures = missing.length === 1 ? '1 picture is' : `${missing.length} pictures are`;
    print(`${pictures} missing from the backup or can’t be read:\n  ${missing.join('\n  ')}`);
  }
  if (erased.length > 0)
    print(
      `The backup has no keys of these customers. They were erased after that time, or their keys were never copied. Once the bank is released, delete again only those who were erased:\n  ${erased.join('\n  ')}`,
    );
  printHeld(waiting);
  return 0;
}

function printHeld(waiting: number): void {
  print('The bank is held: it sends no mail and no payment, and deletes nothing. All sessions have ended.');
  print(`Mails waiting at that time: ${waiting} (most were probably sent later).`);
  print(
    'Start the server, check the books with npm run ledger -- verify, and release the bank with npm run restore -- --release.',
  );
}

/** Unlike `refuseWithoutBank`, accepts a bank of an older version: it may have just been restored from a dump. */
async function refuseWithoutAnyBank({ ownerPool }: Database): Promise<void> {
  const { rows } = await ownerPool.query<{ exists: boolean }>(
    "SELECT to_regclass('bank_state') IS NOT NULL AS exists",
  );
  if (!rows[0]!.exists) throw new Error('This database contains no bank. Nothing was changed.');
}

/** Throws if a server is running. It may be sending, so the claim that a held bank sends nothing would be wrong. */
async function refuseWhileServed({ ownerPool }: Database): Promise<void> {
  // Servers work as a login of their own, and commands as the owner.
  const { rows } = await ownerPool.query<{ pids: string | null }>(
    `SELECT string_agg(pid::text, ', ' ORDER BY pid) AS pids FROM pg_stat_activity
      WHERE datname = current_database() AND usename <> current_user AND application_name LIKE 'larkspur %'`,
  );
  if (rows[0]!.pids !== null)
    throw new Error(
      `A server is connected to this bank (PostgreSQL processes ${rows[0]!.pids}). Stop it first. The connections of a server that died end by themselves within a quarter of a minute. Nothing was changed.`,
    );
}

const hold = () =>
  withDatabase(async ({ database }) => {
    await refuseWithoutAnyBank(database);
    await refuseWhileServed(database);
    const held = await database.ownerPool.query<{ waiting: number }>('SELECT hold_bank() AS waiting');
    // A database restored from a dump has no statistics for the planner.
    await database.ownerPool.query('ANALYZE');
    await summarizeReferences(database);
    printHeld(held.rows[0]!.waiting);
    return 0;
  });

const release = (isSending: boolean) =>
  withDatabase(async ({ database }) => {
    await refuseWithoutAnyBank(database);
    if (!(await isMigrated(database.ownerPool)))
      throw new Error(
        'This bank is of an older version. Start the server on it first, and release it then. Nothing was changed.',
      );
    // The owner's connection has no time limit: hundreds of thousands of mails may wait.
    const mails = await database.owner.transaction().execute(async handle => {
      const tx = handle as unknown as Tx;
      const released = await sql<{
        mails: number | null;
      }>`SELECT release_bank(${isSending}) AS mails`.execute(tx);
      const { mails } = released.rows[0]!;
      if (mails === null) throw new Error('The bank is not held. Nothing was changed.');
      // Customers may have stopped a pending removal of their factors after the time to which the bank was restored.
      await postponeRemovals(tx, 'everyone', { actor: { kind: 'system' } });
      return mails;
    });
    print(
      `The bank is released. Entries of waiting mail that are ${isSending ? 'sent now' : 'not sent'}: ${mails}.`,
    );
    return 0;
  });

await runCommand(async () => {
  const options = {
    to: { type: 'string' },
    hold: { type: 'boolean', default: false },
    release: { type: 'boolean', default: false },
    'send-waiting-mail': { type: 'boolean', default: false },
  } as const;
  const { values } = readCommandLine(usage, { options });
  const acts = [values.to !== undefined, values.hold, values.release].filter(Boolean).length;
  if (acts !== 1 || (values['send-waiting-mail'] && !values.release)) refuseCommandLine(usage);
  if (values.to !== undefined) return await restoreTo(values.to);
  return values.hold ? await hold() : await release(values['send-waiting-mail']);
});
