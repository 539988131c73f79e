/** Running embedded banks in a temporary folder, for tests of their backups. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp, startArchiving } from '#server/backup/backUp.ts';
import type { Archived } from '#server/backup/folder.ts';
import { restore } from '#server/backup/restore.ts';
import { openServerDatabase } from '#server/db/migrate.ts';
import { startEmbedded } from '#server/embedded/embedded.ts';
import { testSecrets } from './database.ts';
import { eventually } from './waiting.ts';

/** Makes a temporary `folder` for the data directories of the banks, and in it `backups`, the backup folder of most banks. */
export function openEmbeddedBanks() {
  const folder = mkdtempSync(join(tmpdir(), 'larkspur-banks-'));
  const backups = join(folder, 'backups');
  const open = new Set<{ stop(): Promise<void> }>();

  const archived = (backupDir = backups) =>
    JSON.parse(readFileSync(join(backupDir, 'wal', 'archived.json'), 'utf8')) as Archived;

  /** Starts an embedded bank with a table `marks`, whose rows show to which time the bank was restored. */
  async function run(name: string, backupDir = backups, settings: Record<string, string> = {}) {
    const dataDir = join(folder, name);
    mkdirSync(backupDir, { recursive: true });
    const embedded = await startEmbedded({ dataDir, settings });
    open.add(embedded);
    const database = await openServerDatabase(embedded.connection, testSecrets);
    const { ownerPool } = database;
    await ownerPool.query('CREATE TABLE IF NOT EXISTS marks (name text)');
    const bank = {
      addCustomer: (picture: string) =>
        ownerPool.query(
          `WITH account AS (INSERT INTO ledger_accounts (number) VALUES ('200000000001') RETURNING id)
           INSERT INTO customers (id, account_id, first_name, middle_name, last_name, gender, address, region, zip_code, email,
                                  phone_number, avatar_file)
           SELECT gen_random_uuid(), id, '', '', '', '', '', '', '', 'a@example.com', '', $1 FROM account`,
          [picture],
        ),
      mark: (text: string) => ownerPool.query('INSERT INTO marks VALUES ($1)', [text]),
      marks: async () =>
        (await ownerPool.query<{ name: string }>('SELECT name FROM marks ORDER BY 1')).rows.map(
          row => row.name,
        ),
      id: async () =>
        (await ownerPool.query<{ id: string }>('SELECT bank_id AS id FROM bank_state')).rows[0]!.id,
      release: () => ownerPool.query('SELECT release_bank(false)'),
      backUp: () => backUp(embedded, { dataDir, backupDir }),
      /** Starts archiving the log. `warnings` collects the warnings and errors of the archiving. */
      async archive(onForeign?: () => void): Promise<{ stop: () => Promise<void>; warnings: string[] }> {
        const warnings: string[] = [];
        const note = (details: object, text: string) =>
          void warnings.push(`${text} ${JSON.stringify(details)}`);
        const archiving = await startArchiving(
          embedded,
          { dataDir, backupDir },
          { warn: note, error: note },
          onForeign,
        );
        return { stop: () => archiving.stop(), warnings };
      },
      /** Copies everything that is in the log now; returns the time until which the log is copied. */
      async copy(): Promise<string> {
        const { rows } = await ownerPool.query<{ at: Date }>('SELECT clock_timestamp() AS at');
        const copying = await bank.archive();
        await eventually(() => {
          if (copying.warnings.length > 0) throw new Error(copying.warnings.join());
          const isCopied =
            existsSync(join(backupDir, 'wal')) && archived(backupDir).until > rows[0]!.at.toISOString();
          return isCopied || undefined;
        });
        await copying.stop();
        return archived(backupDir).until;
      },
      async stop() {
        await database.close();
        await embedded.stop();
        open.delete(embedded);
      },
    };
    return bank;
  }

  /** Restores a bank to the time `until`, or to the newest possible time, and returns its marks. */
  async function marksAt(until: string | undefined, name: string, backupDir = backups): Promise<string[]> {
    await restore(
      { dataDir: join(folder, name), backupDir },
      until === undefined ? undefined : new Date(until),
    );
    const bank = await run(name, backupDir);
    const marks = await bank.marks();
    await bank.stop();
    rmSync(join(folder, name), { recursive: true });
    return marks;
  }

  return {
    folder,
    backups,
    archived,
    run,
    marksAt,
    close: async () => {
      for (const bank of open) await bank.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
