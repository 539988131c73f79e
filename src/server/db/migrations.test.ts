/** Migrations of a bank in operation: what they lock and for how long, how they resume, and which servers still work. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { createClone, testSecrets } from '../../../tests/database.ts';
import { holdLocks } from '../../../tests/holdLocks.ts';
import { openTestBank } from '../../../tests/server.ts';
import { runCommand } from '../../../tests/serverProcess.ts';
import { eventually, lockWaits } from '../../../tests/waiting.ts';
import { type Database, openDatabase } from './database.ts';
import { prepareDatabase } from './migrate.ts';
import {
  describeStatement,
  findUnsafeStatements,
  readProcedures,
  splitStatements,
} from './migrationStatements.ts';
import { isMigrated, listMigrations, type Migration, refuseNewerDatabase } from './migrations.ts';

let folder: string;
let place: Awaited<ReturnType<typeof createClone>>;
const clients: pg.Client[] = [];
const databases: Database[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'larkspur-migrations-'));
  place = await createClone('template_bank');
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.end()));
  await Promise.all(databases.splice(0).map(database => database.close()));
  await place.drop();
  rmSync(folder, { recursive: true });
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(place.connection);
  clients.push(client);
  await client.connect();
  return client;
}

/** The migrations of this version, and one more with this text. */
function withMigration(text: string, name = '9001_next'): Migration[] {
  writeFileSync(join(folder, `${name}.sql`), text);
  return [...listMigrations(), ...listMigrations(folder)];
}

function migrate(
  migrations: Migration[],
  options: Parameters<typeof prepareDatabase>[2] = {},
  { connection } = place,
) {
  const database = openDatabase(connection);
  databases.push(database);
  return prepareDatabase(database.ownerPool, testSecrets.databaseKey, { migrations, ...options });
}

test('the statements of every migration are split where they end', () => {
  for (const { name, text } of listMigrations())
    for (const statement of splitStatements(text))
      expect(statement.text, name).toMatch(
        /^(CREATE|ALTER|GRANT|REVOKE|INSERT|DO|CALL|COMMENT|UPDATE|DROP|SELECT) /,
      );
  expect(splitStatements("-- a; b\nSELECT 'x;''y', $$;$$; /* ; */\n\nSELECT 2")).toEqual([
    { text: "SELECT 'x;''y', $$;$$", line: 2 },
    { text: 'SELECT 2', line: 4 },
  ]);
});

/** Statements on tables that exist. PostgreSQL itself says which lock each of them takes. */
const inTransactions = [
  'ALTER TABLE big ADD COLUMN c int',
  'ALTER TABLE big ADD COLUMN c int NOT NULL DEFAULT 0',
  'ALTER TABLE big ADD COLUMN c uuid REFERENCES other (id), ADD COLUMN d text',
  'ALTER TABLE big ADD CONSTRAINT positive CHECK (n > 0) NOT VALID',
  'ALTER TABLE big ADD CONSTRAINT fk FOREIGN KEY (o) REFERENCES other (id) NOT VALID',
  'ALTER TABLE big ALTER COLUMN n SET DEFAULT 7',
  'ALTER TABLE big ALTER COLUMN n SET STATISTICS 500',
  'ALTER TABLE big SET (fillfactor = 80)',
  'ALTER TABLE big ENABLE ALWAYS TRIGGER stamp',
  'CREATE TRIGGER next BEFORE INSERT ON big FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
  'DROP TRIGGER stamp ON big',
  'CREATE TABLE small (id int PRIMARY KEY, o uuid REFERENCES other (id))',
  "INSERT INTO other (id) VALUES ('00000000-0000-7000-8000-000000000000')",
  'GRANT SELECT ON big TO larkspur_app',
  'CREATE FUNCTION one() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
  'ALTER FUNCTION enqueue_job SET plan_cache_mode = force_custom_plan',
];
const refusedOnes = [
  'CREATE INDEX slow ON big (n)',
  'ALTER TABLE big ADD COLUMN c uuid DEFAULT gen_random_uuid()',
  'ALTER TABLE big ADD COLUMN c int GENERATED ALWAYS AS (n + 1) STORED',
  'ALTER TABLE big ADD COLUMN c int CHECK (c > 0)',
  'ALTER TABLE big ADD COLUMN c bigserial',
  'ALTER TABLE big ADD CONSTRAINT positive CHECK (n > 0)',
  'ALTER TABLE big ADD CONSTRAINT fk FOREIGN KEY (o) REFERENCES other (id)',
  'ALTER TABLE big ALTER COLUMN n TYPE bigint',
  'ALTER TABLE big ALTER COLUMN n SET NOT NULL',
  'UPDATE big SET n = 1',
  'INSERT INTO big (n) SELECT 1',
];
/** Statements that are refused unless the migration names the oldest server that still works. */
const contractions = [
  'ALTER TABLE big DROP COLUMN n',
  'ALTER TABLE big RENAME COLUMN n TO m',
  'DROP TABLE big',
];
/** These statements are refused too, but their locks are not compared with PostgreSQL's. */
const refusedUnseen = [
  'DROP INDEX slow',
  'DROP FUNCTION one()',
  'DO $$ BEGIN END $$',
  'LOCK TABLE big',
  'VACUUM big',
];

/** Lock modes, strongest first. */
const modes = ['ACCESS EXCLUSIVE', 'SHARE ROW EXCLUSIVE', 'SHARE', 'SHARE UPDATE EXCLUSIVE', 'ROW EXCLUSIVE'];

test('the plan names the lock that PostgreSQL takes, and unsafe statements are refused [VS-03]', async () => {
  const client = await connect();
  await client.query(`
    CREATE TABLE other (id uuid PRIMARY KEY);
    CREATE TABLE big (n int, o uuid);
    CREATE TRIGGER stamp BEFORE UPDATE ON big FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`);
  const { rows: ids } = await client.query<{ big: number; other: number }>(
    "SELECT 'big'::regclass::oid AS big, 'other'::regclass::oid AS other",
  );
  for (const statement of [...inTransactions, ...refusedOnes, ...contractions]) {
    await client.query('BEGIN');
    await client.query(statement);
    // Finds the table by its id, because a dropped table has no name anymore.
    const { rows } = await client.query<{ table: string; mode: string }>(
      `SELECT CASE relation WHEN $1 THEN 'big' ELSE 'other' END AS table,
              upper(regexp_replace(replace(mode, 'Lock', ''), '([a-z])([A-Z])', '\\1 \\2', 'g')) AS mode
         FROM pg_locks WHERE pid = pg_backend_pid() AND relation IN ($1, $2)
          AND mode NOT IN ('AccessShareLock', 'RowShareLock')`,
      [ids[0]!.big, ids[0]!.other],
    );
    await client.query('ROLLBACK');
    const strongest = (locks: { table: string; mode: string }[], table: string) =>
      modes.find(mode => locks.some(lock => lock.table === table && lock.mode === mode));
    const { locks } = describeStatement(statement);
    for (const table of ['big', 'other'])
      expect([statement, table, strongest(locks, table)]).toEqual([statement, table, strongest(rows, table)]);
  }
  for (const statement of inTransactions) expect(findUnsafeStatements(statement), statement).toEqual([]);
  for (const statement of [...refusedOnes, ...contractions, ...refusedUnseen])
    expect(findUnsafeStatements(statement), statement).toHaveLength(1);
  // A table that the same migration creates is empty, so this index blocks nothing.
  expect(findUnsafeStatements('CREATE TABLE new (n int);\nCREATE INDEX new_n ON new (n);')).toEqual([]);
  const outside = '-- Outside a transaction\nCREATE INDEX CONCURRENTLY fast ON big (n);\n';
  expect(findUnsafeStatements(outside)).toEqual([]);
  expect(findUnsafeStatements(`${outside}ALTER TABLE big VALIDATE CONSTRAINT fk;`)).toEqual([]);
  expect(findUnsafeStatements(`${outside}${inTransactions[0]}`)).toHaveLength(1);
  expect(findUnsafeStatements('CREATE INDEX CONCURRENTLY fast ON big (n)')).toHaveLength(1);
  expect(findUnsafeStatements(`-- Works with servers from 0031\n${contractions[0]}`)).toEqual([]);
});

test('the plan for a CALL says what its procedure changes, or that it is not known [VS-03]', async () => {
  const procedures = readProcedures([
    {
      text: `CREATE PROCEDURE tidy() LANGUAGE plpgsql AS $$ BEGIN -- UPDATE comments
        PERFORM FROM locked FOR UPDATE; PERFORM FROM locked FOR NO KEY UPDATE;
        INSERT INTO added VALUES (1) ON CONFLICT DO UPDATE SET n = 2;
        UPDATE changed SET n = 1; DELETE FROM ONLY deleted; END $$`,
    },
  ]);
  const { locks, isUnknown } = describeStatement('CALL tidy()', procedures);
  expect([locks.map(({ table, mode }) => `${table} ${mode}`), isUnknown]).toEqual([
    ['added ROW EXCLUSIVE', 'changed ROW EXCLUSIVE', 'deleted ROW EXCLUSIVE'],
    false,
  ]);
  expect(describeStatement('CALL other()', procedures).isUnknown).toBe(true);
  const older = await createClone('template1');
  onTestFinished(older.drop);
  await migrate(
    listMigrations().filter(({ name }) => name < '0027'),
    {},
    older,
  );
  const plan = await runCommand(older.connection, {}, 'migrate', '--plan');
  expect(plan, plan.errors).toMatchObject({ code: 0 });
  const [, part] = plan.output.split('0041_far_schedules\n');
  expect(part!.split('\n').slice(0, 3)).toEqual([
    '  line 3: CALL end_far_schedules()',
    expect.stringMatching(/^ {4}ROW EXCLUSIVE on scheduled_transfers \(0\.\d MB\); in batches, /),
    '  Estimate: at least 1 s at 50 MB/s, while others read and write.',
  ]);
});

test('a migration waits for a busy table in short attempts, other queries run between them, and a report names the process in the way [VS-02]', async () => {
  const [holder, payer] = [await connect(), await connect()];
  await holder.query('BEGIN');
  await holder.query('SELECT count(*) FROM transactions');
  const { rows } = await holder.query('SELECT pg_backend_pid() AS pid');
  const reports: string[] = [];
  const migrating = migrate(withMigration('ALTER TABLE transactions ADD COLUMN hint text;'), {
    onWaiting: sentence => reports.push(sentence),
  });
  await eventually(async () => {
    const waiting = await payer.query(
      "SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'",
    );
    return waiting.rowCount! > 0 || undefined;
  });
  // This query queues behind the migration, which soon gives up. If it did not, the query would wait until `holder` commits.
  await payer.query('SELECT count(*) FROM transactions');
  const report = await eventually(() => reports[0]);
  expect(report).toContain(`Migration 9001_next waits for a lock of PostgreSQL process ${rows[0].pid} (`);
  await holder.query('COMMIT');
  await migrating;
  await payer.query('SELECT hint FROM transactions');
});

test('a migration that works too long under a lock is stopped and rolled back [VS-02]', async () => {
  const client = await connect();
  const slow = withMigration('ALTER TABLE transactions ADD COLUMN hint text;\nSELECT pg_sleep(30);');
  const failed = await migrate(slow, { maxAttempts: 2 }).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(failed).toContain('Migration 9001_next was stopped 2 times after 200 ms');
  await expect(client.query('SELECT hint FROM transactions')).rejects.toThrow('does not exist');
});

test('an index is built once by three servers that start together, and is rebuilt after an interrupted build [VS-04]', async () => {
  const client = await connect();
  const text = `-- Outside a transaction
CREATE UNIQUE INDEX CONCURRENTLY contact_once ON contact_messages (email);
DROP INDEX CONCURRENTLY IF EXISTS not_there;
`;
  // Leaves an invalid index, as an interrupted build does.
  await client.query('CREATE TABLE interrupted (n int); INSERT INTO interrupted VALUES (1), (1)');
  const interrupted = withMigration(
    '-- Outside a transaction\nCREATE UNIQUE INDEX CONCURRENTLY interrupted_n ON interrupted (n);',
    '9000_index',
  );
  await expect(migrate(interrupted)).rejects.toThrow('could not create unique index');
  await client.query('DELETE FROM interrupted');
  const migrations = withMigration(text);
  await Promise.all([migrate(migrations), migrate(migrations), migrate(migrations)]);
  const { rows } = await client.query(
    "SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index WHERE indexrelid IN ('interrupted_n'::regclass, 'contact_once'::regclass) ORDER BY 1",
  );
  expect(rows).toEqual([
    { name: 'contact_once', valid: true },
    { name: 'interrupted_n', valid: true },
  ]);
});

/** Statements that wait for a lock on a row, or for an open transaction that has such a lock. */
const interruptible = [
  'CALL empty_far();',
  'CREATE INDEX CONCURRENTLY far_n ON far (n); CREATE INDEX CONCURRENTLY far_id ON far (id);',
];
test.each(interruptible)(
  'after a migration is killed, the next one waits until PostgreSQL has ended its statement: %s [VS-04]',
  async text => {
    const [holder, watcher] = [await connect(), await connect()];
    await holder.query(`
    CREATE TABLE far (id int, n int);
    INSERT INTO far SELECT g, 9 FROM generate_series(1, 1500) g;
    CREATE PROCEDURE empty_far() LANGUAGE plpgsql AS $$ BEGIN
      LOOP
        UPDATE far SET n = NULL WHERE id IN (SELECT id FROM far WHERE n > 1 LIMIT 1000) AND n > 1;
        EXIT WHEN NOT FOUND;
        COMMIT;
      END LOOP;
    END $$`);
    await holder.query('BEGIN');
    await holder.query('UPDATE far SET n = n WHERE id = 1');
    const migrations = withMigration(`-- Outside a transaction\n${text}`);
    const killed = openDatabase(place.connection);
    databases.push(killed);
    const sockets: Socket[] = [];
    killed.ownerPool.on('connect', client => {
      sockets.push((client as unknown as { connection: { stream: Socket } }).connection.stream);
    });
    const failed = prepareDatabase(killed.ownerPool, testSecrets.databaseKey, { migrations }).catch(
      () => 'failed',
    );
    const pid = await eventually(async () => {
      const { rows } = await watcher.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                                          AND query ~ '^(CALL|CREATE)'`,
      );
      return rows[0]?.pid;
    });
    // PostgreSQL does not notice while it works that its client is gone.
    for (const socket of sockets) socket.destroy();
    expect(await failed).toBe('failed');
    const reports: string[] = [];
    const migrating = migrate(migrations, { onWaiting: sentence => reports.push(sentence) });
    migrating.catch(() => {});
    expect(await eventually(() => reports[0])).toMatch(
      new RegExp(`^Another process is migrating .* PostgreSQL process ${pid}\\)`),
    );
    await holder.query('COMMIT');
    await migrating;
    const { rows } = await holder.query(
      `SELECT (SELECT count(*)::int FROM far WHERE n > 1) AS left,
            (SELECT count(*)::int FROM pg_index WHERE indrelid = 'far'::regclass AND indisvalid) AS indexes`,
    );
    expect(rows).toEqual([text.startsWith('CALL') ? { left: 0, indexes: 0 } : { left: 1500, indexes: 2 }]);
  },
);

test('a customer sends money while a migration builds an index on the transactions [VS-04]', async () => {
  const bank = await openTestBank({ JOBS: 'off' });
  onTestFinished(() => bank.close());
  const [nora, ben] = [await bank.seeded({ cents: 10_000n }), await bank.seeded()];
  const { ownerPool } = bank.test.database;
  // The build waits for this open transaction, so it is in progress during the transfer.
  const earlier = await holdLocks(ownerPool, 'LOCK TABLE transactions IN ROW EXCLUSIVE MODE');
  const text = '-- Outside a transaction\nCREATE INDEX CONCURRENTLY built_meanwhile ON transactions (id);';
  const migrating = migrate(withMigration(text), undefined, bank.test);
  const isBuilding = async () => (await lockWaits(ownerPool, '^CREATE INDEX')) === 1 || undefined;
  await eventually(isBuilding);
  const body = { receiverAccountNumber: ben.accountNumber, amount: 40, description: '' };
  const sent = await bank
    .call(transferApi.sendInternal, { token: nora.token, body, signal: AbortSignal.timeout(20_000) })
    .then(({ status }) => status, String);
  const wasBuilding = await isBuilding();
  await earlier.query('COMMIT');
  await migrating;
  expect({ sent, wasBuilding }).toEqual({ sent: 201, wasBuilding: true });
  const { rows } = await ownerPool.query(
    "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'built_meanwhile'::regclass",
  );
  expect(rows).toEqual([{ valid: true }]);
  expect((await bank.call(transactionsApi.balance, nora)).body.data.balance).toBe(60);
});

test('an older server works on a newer database, until a migration removes what it needs [VS-01]', async () => {
  const client = await connect();
  const own = listMigrations();
  await migrate(withMigration('ALTER TABLE contact_messages ADD COLUMN hint text;'));
  // This server, which does not know 9001, starts and is ready.
  await migrate(own);
  expect(await isMigrated(client)).toBe(true);
  await migrate(
    withMigration(
      '-- Works with servers from 9001\nALTER TABLE contact_messages DROP COLUMN hint;',
      '9002_later',
    ),
  );
  expect(await isMigrated(client)).toBe(false);
  const older = own.at(-1)!.name.slice(0, 4);
  await expect(migrate(own)).rejects.toThrow(
    `This server is too old for its database: the database has version 9002 and works with servers from 9001 on, and this server has ${older}. Start a newer version of the server.`,
  );
  await expect(refuseNewerDatabase(client, withMigration('', '9001_next'))).resolves.toBeUndefined();
});
