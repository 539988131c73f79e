/**
 * The server's login owns nothing, whatever rights the database's owner has. An error about a missing right names the statement
 * that grants it.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { testAppSecret } from '../../../tests/cluster.ts';
import { cloneDatabase, testSecrets } from '../../../tests/database.ts';
import { openTestBank } from '../../../tests/server.ts';
import { eventually } from '../../../tests/waiting.ts';
import { SettingsError } from '../config.ts';
import { deriveSecrets } from '../secrets.ts';
import { type Database, isLost, openDatabase } from './database.ts';
import { openServerDatabase, prepareDatabase } from './migrate.ts';
import { isOutsideTransaction } from './migrationStatements.ts';
import { applyMigrations, listMigrations } from './migrations.ts';

const id = randomBytes(4).toString('hex');
const database = `walled_${id}`;
const login = `larkspur_server_${database}`;
const owner = { ...inject('connection'), user: `owner_${id}`, password: 'owner', database };

/** Runs statements as the superuser of the cluster, in one of its databases. */
async function asSuperuser(statements: string, at = inject('connection').database): Promise<void> {
  const client = new pg.Client({ ...inject('connection'), database: at });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

/** Lets the owner set up the login of the server. */
const allowRoles = () =>
  asSuperuser(`ALTER ROLE ${owner.user} CREATEROLE; GRANT larkspur_app TO ${owner.user} WITH ADMIN OPTION`);

const opened: Database[] = [];
async function open(connection: pg.PoolConfig = owner, secrets = testSecrets): Promise<Database> {
  const bank = await openServerDatabase(connection, secrets);
  opened.push(bank);
  return bank;
}

/** The message of the error when the database cannot be opened; empty if it opens. */
const refusal = () =>
  open().then(
    () => '',
    (error: unknown) => {
      expect(error).toBeInstanceOf(SettingsError);
      return (error as Error).message;
    },
  );
const show = async (bank: Database, name: string) =>
  Object.values((await bank.pool.query(`SHOW ${name}`)).rows[0] as object)[0] as string;

beforeEach(async () => {
  await asSuperuser(`CREATE ROLE ${owner.user} LOGIN PASSWORD '${owner.password}'`);
  await asSuperuser(`CREATE DATABASE ${database} OWNER ${owner.user}`);
});
afterEach(async () => {
  for (const bank of opened.splice(0)) await bank.close();
  await asSuperuser(`DROP DATABASE ${database} WITH (FORCE)`);
  await asSuperuser(`DROP ROLE IF EXISTS ${login}; DROP OWNED BY ${owner.user}; DROP ROLE ${owner.user}`);
});

test('an owner with CREATEROLE starts a bank, whose login cannot become the owner, run a program or change evidence [RC-60]', async () => {
  await allowRoles();
  const { pool } = await open();
  expect((await pool.query('SELECT session_user, current_user')).rows[0]).toEqual({
    session_user: login,
    current_user: login,
  });
  for (const statement of [
    `SET ROLE ${owner.user}`,
    `SET SESSION AUTHORIZATION ${owner.user}`,
    "RESET ROLE; COPY (SELECT 1) TO PROGRAM 'true'",
    'ALTER TABLE journal_entries DISABLE TRIGGER ALL',
    'DELETE FROM journal_entries',
    'UPDATE ledger_accounts SET balance = 1',
    'CREATE TABLE mine (n int)',
    `ALTER ROLE ${login} SUPERUSER`,
    `GRANT ${owner.user} TO ${login}`,
    'GRANT SELECT ON credentials TO PUBLIC',
  ]) {
    if (statement.startsWith('GRANT SELECT')) {
      // PostgreSQL only warns about a grant of rights that the grantor may not pass on.
      await pool.query(statement).catch(() => {});
      const { rows } = await pool.query(
        "SELECT has_table_privilege('public', 'credentials', 'SELECT') AS may",
      );
      expect(rows[0].may).toBe(false);
      continue;
    }
    await expect(pool.query(statement), statement).rejects.toMatchObject({ code: '42501' });
  }
});

test('every connection of a running bank uses the login, including those of the queue and of the poster [RC-60]', async () => {
  const bank = await openTestBank();
  try {
    const { database: name } = bank.test.connection;
    await bank.customer({ dollars: 5 });
    // The start has closed the owner's connections. This asks through the bank's own pool: asking as the owner would add one.
    const users = await eventually(async () => {
      const { rows } = await bank.bank.parts.database.pool.query<{ name: string; login: string }>(
        `SELECT DISTINCT application_name AS name, usename AS login FROM pg_stat_activity
          WHERE datname = $1 AND backend_type = 'client backend' ORDER BY 1`,
        [name],
      );
      return ['heartbeat', 'poster', 'queue', 'quick', 'pool'].every(part =>
        rows.some(row => row.name === `larkspur ${part}`),
      )
        ? rows
        : undefined;
    });
    expect(new Set(users.map(row => row.login))).toEqual(new Set([`larkspur_server_${name}`]));
  } finally {
    await bank.close();
  }
});

test('PostgreSQL compiles no statement of a bank, even if its just-in-time compilation is turned on for the database', async () => {
  await allowRoles();
  await asSuperuser(`ALTER DATABASE ${database} SET jit = on`);
  const bank = await open();
  expect(await show(bank, 'jit')).toBe('off');
});

test('an owner without CREATEROLE gets one sentence with the statements for an administrator, and after they ran, the bank opens [RC-61]', async () => {
  const sentence = await refusal();
  const statements = /have an administrator of PostgreSQL run: (.+;)$/.exec(sentence)?.[1];
  expect(sentence).toMatch(`The user ${owner.user} of DATABASE_URL may not set up the login`);
  expect(statements).not.toContain(Buffer.from(testSecrets.databaseKey[0].bytes).toString('base64url'));
  await asSuperuser(statements!);
  const bank = await open();
  expect(await show(bank, 'statement_timeout')).toBe('5s');
});

test('a missing extension is named in one sentence with the statement that creates it [RC-61]', async () => {
  await allowRoles();
  // Acts like a provider that lets only administrators create extensions.
  await asSuperuser(
    `CREATE FUNCTION reserve() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE insufficient_privilege USING MESSAGE = 'permission denied to create extension "pg_trgm"'; END $$;
     CREATE EVENT TRIGGER reserve ON ddl_command_start WHEN TAG IN ('CREATE EXTENSION') EXECUTE FUNCTION reserve()`,
    database,
  );
  const sentence = await refusal();
  expect(sentence).toBe(
    `The user ${owner.user} of DATABASE_URL may not create the extension pg_trgm; have an administrator of PostgreSQL run in the database ${database}: CREATE EXTENSION pg_trgm;`,
  );
  await asSuperuser('ALTER EVENT TRIGGER reserve DISABLE; CREATE EXTENSION pg_trgm', database);
  expect(await refusal()).toBe('');
});

test('the login and the owner of a bank can connect to it, but not to another bank of the same cluster [RC-70]', async () => {
  await allowRoles();
  const neighbor = await cloneDatabase();
  try {
    const bank = await open();
    expect((await bank.pool.query('SELECT count(*) FROM credentials')).rows).toEqual([{ count: 0n }]);
    const reach = async (from: pg.PoolConfig, to: string | undefined) => {
      const client = new pg.Client({ ...from, database: to });
      try {
        await client.connect();
        return 'connected';
      } catch (error) {
        return (error as { code?: string }).code;
      } finally {
        await client.end().catch(() => {});
      }
    };
    const { host, port, user, password } = bank.pool.options;
    const server = { host, port, user, password };
    expect(user).toBe(login);
    expect(await reach(server, database)).toBe('connected');
    expect(await reach(server, neighbor.connection.database)).toBe('42501');
    expect(await reach(owner, database)).toBe('connected');
    expect(await reach(owner, neighbor.connection.database)).toBe('42501');
  } finally {
    await neighbor.drop();
  }
});

test('a login that lost the right to connect gets the right back at the next start of the bank', async () => {
  await open({ ...inject('connection'), database });
  await asSuperuser(`REVOKE CONNECT ON DATABASE ${database} FROM ${login}`);
  const bank = await open({ ...inject('connection'), database });
  expect((await bank.pool.query('SELECT session_user AS login')).rows).toEqual([{ login }]);
});

test('in a database upgraded from PostgreSQL 14, the login of the server may not create objects [RC-61, RC-70]', async () => {
  await allowRoles();
  await asSuperuser(
    'ALTER SCHEMA public OWNER TO CURRENT_USER; GRANT CREATE ON SCHEMA public TO PUBLIC',
    database,
  );
  const sentence = await refusal();
  expect(sentence).toMatch(
    /; have an administrator of PostgreSQL run: .+; ALTER SCHEMA public OWNER TO pg_database_owner; REVOKE CREATE ON SCHEMA public FROM PUBLIC;$/,
  );
  await asSuperuser(/run: (.+;)$/.exec(sentence)![1]!, database);
  const bank = await open();
  await expect(bank.pool.query('CREATE TABLE mine (n int)')).rejects.toMatchObject({ code: '42501' });
  await asSuperuser('GRANT CREATE ON SCHEMA public TO PUBLIC', database);
  const again = await open();
  await expect(again.pool.query('CREATE TABLE mine (n int)')).rejects.toMatchObject({ code: '42501' });
});

test('a user of DATABASE_URL who may not create tables gets the statement that makes them the owner of the database [RC-61]', async () => {
  await asSuperuser(
    `ALTER ROLE ${owner.user} CREATEROLE; GRANT larkspur_app TO ${owner.user} WITH ADMIN OPTION; ALTER DATABASE ${database} OWNER TO larkspur`,
  );
  expect(await refusal()).toMatch(
    new RegExp(
      `^The user .+ have an administrator of PostgreSQL run: ALTER DATABASE ${database} OWNER TO ${owner.user};$`,
    ),
  );
});

test('an owner of the database who lacks a right on one of its tables gets the error of PostgreSQL, and no statement that does not help [RC-61]', async () => {
  await allowRoles();
  await open();
  await asSuperuser(
    'ALTER TABLE app_secrets OWNER TO CURRENT_USER; REVOKE ALL ON app_secrets FROM larkspur_app',
    database,
  );
  expect(await refusal()).toBe(
    `The user ${owner.user} of DATABASE_URL lacks a right (permission denied for table app_secrets); have an administrator of PostgreSQL grant it.`,
  );
});

test('an owner who is no superuser finishes an upgrade that was interrupted after any of its migrations [VS-04]', async () => {
  await allowRoles();
  const bank = openDatabase(owner);
  const { ownerPool } = bank;
  let applied: string | undefined;
  const onApplied = (name: string) => {
    applied = name;
    throw new Error('interrupted');
  };
  const migrateOne = async () => {
    const client = await ownerPool.connect();
    await expect(applyMigrations(client, ownerPool, { onApplied })).rejects.toThrow('interrupted');
    client.release(true);
    return applied;
  };
  const [first, ...others] = listMigrations();
  const start = prepareDatabase(ownerPool, testSecrets.databaseKey, { onApplied });
  await expect(start).rejects.toThrow('interrupted');
  expect(applied).toBe(first!.name);
  for (const { name, text } of others) {
    expect(await migrateOne()).toBe(name);
    if (!isOutsideTransaction(text)) continue;
    // Such a migration can also be interrupted between its last statement and its record.
    await ownerPool.query('DELETE FROM migration_checksums WHERE name = $1', [name]);
    expect(await migrateOne()).toBe(name);
  }
  await bank.close();
  expect(await refusal()).toBe('');
});

test('a new APP_SECRET gives the login a new password, and the former one no longer works', async () => {
  await open({ ...inject('connection'), database });
  const other = deriveSecrets('another secret of 32 characters or more', testAppSecret);
  await open({ ...inject('connection'), database }, other);
  const former = opened[0]!.connect('former');
  await expect(former).rejects.toMatchObject({ code: '28P01' });
  expect((await opened[1]!.pool.query('SELECT session_user AS login')).rows).toEqual([{ login }]);
});

test('a login that was made a member of another role is refused', async () => {
  await open({ ...inject('connection'), database });
  await asSuperuser(`GRANT ${owner.user} TO ${login}`);
  await expect(open({ ...inject('connection'), database })).rejects.toThrow(
    `The login ${login} of the bank's server must be an ordinary role`,
  );
});

test('an operator whose login of the server owns something reads what it is and what to do [RC-61]', async () => {
  await allowRoles();
  await open();
  const give = `SELECT lo_create(70001); ALTER LARGE OBJECT 70001 OWNER TO ${login}`;
  await asSuperuser(give, database);
  await asSuperuser(give);
  expect(await refusal()).toBe(
    `The login ${login} of the bank's server must be an ordinary role that owns nothing and is a member of larkspur_app alone. It owns large object 70001, an object in the database ${inject('connection').database}. Delete what it owns, or give it to another role.`,
  );
  await asSuperuser('SELECT lo_unlink(70001)', database);
  await asSuperuser('SELECT lo_unlink(70001)');
  expect(await refusal()).toBe('');
});

test('a temporary table in an open session of the login does not stop the next start of the server [RC-60]', async () => {
  await allowRoles();
  const { pool } = await open();
  const session = await pool.connect();
  await session.query('CREATE TEMPORARY TABLE scratch (id serial PRIMARY KEY)');
  const message = await refusal();
  session.release(true);
  expect(message).toBe('');
});

test('the login of a bank whose owner is a superuser, as in the embedded database, cannot make large objects [RC-60]', async () => {
  const { pool } = await open({ ...inject('connection'), database });
  for (const call of ['lo_create(0)', 'lo_creat(0)', "lo_from_bytea(0, '')"])
    await expect(pool.query(`SELECT ${call}`), call).rejects.toMatchObject({ code: '42501' });
});

test('a connection without the settings that the bank needs is refused and treated as lost', async () => {
  const { database: bank, connection, drop } = await cloneDatabase();
  const role = `larkspur_server_${connection.database}`;
  await asSuperuser(`ALTER ROLE ${role} SET synchronous_commit = off; ALTER ROLE ${role} RESET lock_timeout`);
  const error: unknown = await bank.connect('unsafe').catch(found => found);
  expect(String(error)).toContain('synchronous_commit is off instead of on');
  expect(String(error)).toContain('lock_timeout is 0 instead of 2s');
  expect(isLost(error)).toBe(true);
  await drop();
});
