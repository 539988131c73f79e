/** `npm run migrate`: applies pending migrations before the servers of a new version start, or shows what they would do. */
import type pg from 'pg';
import { prepareDatabase } from '../db/migrate.ts';
import {
  describeStatement,
  isOutsideTransaction,
  readProcedures,
  splitStatements,
} from '../db/migrationStatements.ts';
import { listMigrations, listPending, type Migration, refuseNewerDatabase } from '../db/migrations.ts';
import { readSecrets } from '../secrets.ts';
import { readCommandLine } from './commandLine.ts';
import { runCommand, withDatabase } from './open.ts';

const { values } = readCommandLine(
  `Usage:
  npm run migrate              applies pending migrations to DATA_DIR or DATABASE_URL, as a start of the server does
  npm run migrate -- --plan    shows them, the locks that each statement takes, and an estimate; changes nothing
`,
  { options: { plan: { type: 'boolean', default: false } } },
);

const print = (text: string) => process.stdout.write(`${text}\n`);

/** A low estimate of the disk's speed, for a network disk that is shared with other work. */
const bytesPerSecond = 50e6;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

async function printPlan(pool: pg.Pool, pending: Migration[]): Promise<void> {
  /** A table's size with indexes; undefined if the table does not exist yet. */
  const sizeOf = async (table: string): Promise<number | undefined> => {
    const { rows } = await pool.query<{ bytes: string | null }>(
      'SELECT pg_total_relation_size(to_regclass($1))::text AS bytes',
      [table],
    );
    return rows[0]!.bytes === null ? undefined : Number(rows[0]!.bytes);
  };
  const procedures = readProcedures(listMigrations());
  for (const { name, text } of pending) {
    const isOutside = isOutsideTransaction(text);
    let [locks, seconds] = [0, 0];
    let [isUnknown, isInBatches] = [false, false];
    print(name);
    for (const statement of splitStatements(text)) {
      const effect = describeStatement(statement.text, procedures);
      const isCall = /^CALL /i.test(statement.text);
      isInBatches ||= isCall;
      const parts: string[] = [];
      let isLarge = false;
      for (const { table, mode } of effect.locks) {
        const bytes = await sizeOf(table);
        if (bytes === undefined) continue;
        locks++;
        parts.push(`${mode} on ${table} (${megabytes(bytes)})`);
        if (!effect.readsTable) continue;
        isLarge = true;
        seconds += bytes / bytesPerSecond;
      }
      // Skips a statement that locks no table, or only tables that pending migrations create.
      const isUnclear = effect.isUnknown || effect.instead !== undefined;
      if (parts.length === 0 && (effect.locks.length > 0 || !isUnclear)) continue;
      isUnknown ||= parts.length === 0;
      const speed = isCall
        ? 'in batches, each of which keeps its rows locked until it ends; may read the table for each batch'
        : isLarge
          ? 'its time grows with the table'
          : 'at once';
      const what = parts.length > 0 ? [...parts, speed] : ['locks and time not known'];
      print(`  line ${statement.line}: ${statement.text.split('\n')[0]!.trim()}`);
      print(`    ${what.join('; ')}`);
    }
    if (locks === 0 && !isUnknown) print('  Locks no table that exists.');
    const estimate = `${isInBatches ? 'at least ' : ''}${Math.ceil(seconds)} s at ${bytesPerSecond / 1e6} MB/s, while others read and write.`;
    print(
      isOutside
        ? `  Estimate: ${isUnknown ? 'not known.' : estimate}`
        : '  Estimate: 0.2 s at most, retried if other transactions hold its tables.',
    );
  }
  print(
    pending.length === 0
      ? 'Nothing to migrate.'
      : `${pending.length} pending. Apply them with npm run migrate.`,
  );
}

await runCommand(() =>
  withDatabase(async ({ config, database }) => {
    await refuseNewerDatabase(database.ownerPool);
    const pending = await listPending(database.ownerPool);
    if (values.plan) {
      await printPlan(database.ownerPool, pending);
      return 0;
    }
    await prepareDatabase(database.ownerPool, readSecrets(config).databaseKey, {
      onWaiting: print,
      onApplied: name => print(`Applied ${name}.`),
    });
    if (pending.length === 0) print('Nothing to migrate.');
    return 0;
  }),
);
