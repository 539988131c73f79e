/** `npm run admin`, `ledger` and `restore`, with and without APP_SECRET, as processes of their own while the bank runs. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { adminFactorsApi } from '#contract/factors.ts';
import { screeningApi } from '#contract/screening.ts';
import { appCode } from '../../../tests/authenticator.ts';
import { createClone, testSecrets } from '../../../tests/database.ts';
import { adminLogin, eventually, openTestBank, type TestBank } from '../../../tests/server.ts';
import { runCommand, type Settings } from '../../../tests/serverProcess.ts';
import { readBankState } from '../db/bankState.ts';
import { openDatabase } from '../db/database.ts';
import { prepareDatabase } from '../db/migrate.ts';
import { listMigrations } from '../db/migrations.ts';
import { createAdmin } from '../people/admins.ts';

const secret = 'a secret that server and command share';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ APP_SECRET: secret });
});
afterAll(() => bank.close());

const runWith = (settings: Settings, command: string, ...words: string[]) =>
  runCommand(bank.test.connection, settings, command, ...words);
const runAs = (command: string, ...words: string[]) => runWith({ APP_SECRET: secret }, command, ...words);
const run = (...words: string[]) => runAs('admin', ...words);

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'larkspur-admin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The password of the server's login, as PostgreSQL stores it. */
async function storedPassword(): Promise<unknown> {
  const role = `larkspur_server_${bank.test.connection.database}`;
  const { rows } = await bank.test.database.ownerPool.query(
    'SELECT rolpassword FROM pg_authid WHERE rolname = $1',
    [role],
  );
  return rows[0];
}

/** Creates an operator without the command, and returns the login. */
async function anOperator(name: string): Promise<{ email: string; password: string }> {
  const login = { email: `${name}@bank.example`, password: 'a quiet river stone' };
  await createAdmin(bank.bank.parts, { ...login, name });
  return login;
}

/** Stores a waiting request of an administrator. Returns a function that reads its state. */
async function aRequestOf(email: string): Promise<() => Promise<string>> {
  const { ownerPool } = bank.test.database;
  const { rows } = await ownerPool.query<{ id: string }>(
    `INSERT INTO approval_requests (id, kind, asked_by, address, expires_at, from_cents)
     SELECT new_id(), 'limit', id, '::1', now() + interval '1 day', 1 FROM admins WHERE email = $1 RETURNING id`,
    [email],
  );
  return async () =>
    (await ownerPool.query('SELECT status FROM approval_requests WHERE id = $1', [rows[0]!.id])).rows[0]
      .status;
}

const isAdmin = async (email: string) =>
  (await bank.test.database.ownerPool.query('SELECT FROM admins WHERE email = $1', [email])).rowCount === 1;

const printedPassword = (output: string) => /^ {2}([A-Za-z2-9]{24})$/m.exec(output)?.[1] ?? '';
const login = (email: string, password: string) =>
  bank.call(adminApi.adminLogin, { body: { email, password } });
const stats = async (token: string) => (await bank.call(adminApi.adminStats, { token })).status;

const mailed = (email: string, wanted: string) =>
  eventually(() => bank.bank.parts.inbox!.list(email).find(({ subject }) => subject === wanted));

async function adminRecords(): Promise<{ action: string; actorKind: string; subjectName: string }[]> {
  const token = await bank.adminToken();
  const { body } = await bank.call(adminApi.auditLog, { token, query: { actorKind: 'system' } });
  return body.data.records
    .filter(({ action }) => /^(admin|factors)\./.test(action))
    .map(({ action, actorKind, subjectName }) => ({ action, actorKind, subjectName }));
}

describe('npm run admin', () => {
  test('creates an administrator who can log in with the printed password [RC-29, RC-45]', async () => {
    const { code, output } = await run('create', 'Ida@bank.example');
    expect(code).toBe(0);
    expect(output.match(/[A-Za-z2-9]{24}/g)).toEqual([printedPassword(output)]);
    expect((await login('ida@bank.example', printedPassword(output))).status).toBe(200);
    expect((await adminRecords())[0]).toEqual({
      action: 'admin.created',
      actorKind: 'system',
      subjectName: 'ida',
    });
    expect(await run('create', 'ida@bank.example')).toMatchObject({ code: 1, output: '' });
  });

  test('gives the role that is asked for, by default operator; the bank’s first administrator is an owner [ST-72]', async () => {
    const role = async (email: string, password: string) => (await login(email, password)).body.data.role;
    const viewer = await run('create', 'vic@bank.example', '--role', 'viewer');
    expect(await role('vic@bank.example', printedPassword(viewer.output))).toBe('viewer');
    const operator = await run('create', 'otto@bank.example');
    expect(operator.output).toContain('with the role operator');
    expect(await role(adminLogin.email, adminLogin.password)).toBe('owner');
  });

  test('resets a password: the old one stops working, every session ends, the administrator is mailed, and what they asked for fails [ST-74, ST-86]', async () => {
    const { email, password: oldPassword } = await anOperator('olga');
    const { token } = (await login(email, oldPassword)).body.data;
    expect(await stats(token)).toBe(200);
    const stateOfRequest = await aRequestOf(email);
    const reset = await run('reset-password', email);
    expect(reset.code).toBe(0);
    await mailed(email, 'Your back office password was set');
    expect(await stateOfRequest()).toBe('failed');
    expect(await stats(token)).toBe(401);
    expect((await login(email, oldPassword)).status).toBe(401);
    expect((await login(email, printedPassword(reset.output))).status).toBe(200);
    expect((await adminRecords())[0]).toMatchObject({ action: 'admin.password-reset', subjectName: 'olga' });
    expect((await run('reset-password', 'unknown@bank.example')).code).toBe(1);
  });

  test('removes the second factors of an administrator who lost them, fails the administrator’s waiting requests, and mails the administrator [SF-14, ST-86]', async () => {
    const { email, password } = await anOperator('fay');
    const { token } = (await login(email, password)).body.data;
    const { secret } = (await bank.call(adminFactorsApi.adminStartApp, { token })).body.data;
    await bank.call(adminFactorsApi.adminConfirmApp, { token, body: { code: appCode(secret) } });
    expect((await login(email, password)).body).toMatchObject({ code: 'SECOND_FACTOR' });
    const stateOfRequest = await aRequestOf(email);
    expect((await run('reset-factors', email)).code).toBe(0);
    expect(await stateOfRequest()).toBe('failed');
    expect(await stats(token)).toBe(401);
    expect((await login(email, password)).status).toBe(200);
    expect((await adminRecords())[0]).toMatchObject({ action: 'factors.reset', subjectName: 'fay' });
    const mail = await mailed(email, 'Your authenticator app and passkeys were removed');
    expect(mail.text).toContain('with your password alone');
    expect((await run('reset-factors', 'unknown@bank.example')).code).toBe(1);
  });

  test('imports a sanctions list, and every customer is screened; a broken file changes nothing [SX-02, SX-06]', async () => {
    const { _id: id } = await bank.customer({ firstName: 'Edda' });
    const token = await bank.adminToken();
    const file = join(temporaryFolder(), 'list.csv');
    const head = 'id,name,aliases,date_of_birth,program';
    const importing = async (rows: string) => {
      writeFileSync(file, `${head}\n${rows}`);
      return await run('import-sanctions', file);
    };
    expect((await importing('E-1,"QUIST, Edda",Eddie Q; E. Quist,1970-05,Test')).output).toContain(
      'now has 1 entry. 1 customer will be screened while a server runs.',
    );
    const hits = () => bank.call(screeningApi.screening, { token });
    const [hit] = await eventually(async () => {
      const { data } = (await hits()).body;
      return data.hits.length > 0 ? data.hits : undefined;
    });
    expect(hit).toMatchObject({ customer: { _id: id }, listed: { id: 'E-1', dateOfBirth: '1970-05' } });
    for (const [rows, problem] of [
      ['E-1,Someone,,soon,Test', 'Line 2: the date of birth'],
      ['E-1,Someone,,1970-13-40,Test', 'Line 2: the date of birth'],
      ['E-1,Someone,,1970-00,Test', 'Line 2: the date of birth'],
      ['E-1,One,,,\nE-1,Two,,,', 'Line 3: the id E-1 is there twice'],
      ['', 'has no entry'],
    ] as const)
      expect(await importing(rows)).toMatchObject({
        code: 1,
        errors: expect.stringMatching(`${problem}.*\\. Nothing was changed\\.`),
      });
    expect((await hits()).body.data.list).toMatchObject({ entries: 1 });
    expect((await run('import-sanctions', '--none')).code).toBe(0);
    await eventually(async () => ((await hits()).body.data.open === 0 ? true : undefined));
  });

  test('disables an administrator immediately: the session ends, later logins are refused, the administrator is mailed, and the list still shows them [ST-74]', async () => {
    const { email, password } = await anOperator('uma');
    const { token } = (await login(email, password)).body.data;
    expect((await run('disable', email)).code).toBe(0);
    expect(await stats(token)).toBe(401);
    expect((await login(email, password)).status).toBe(401);
    expect((await adminRecords())[0]).toMatchObject({ action: 'admin.disabled', subjectName: 'uma' });
    await mailed(email, 'Your access to the back office ended');
    expect((await run('disable', email)).errors).toContain('is already disabled');
    expect((await run('reset-password', email)).code).toBe(1);
    await bank.test.database.ownerPool.query(
      "UPDATE admins SET created_at = '2026-11-27 03:00Z' WHERE email = $1",
      [email],
    );
    const { output: all } = await run('list');
    // In New York it was still the day before.
    expect(all).toMatch(/^uma@bank\.example\tuma\toperator\tcreated 2026-11-26\tdisabled [\d-]{10}$/m);
    expect(all).toMatch(/^admin@bank\.example\tAda Admin\towner\tcreated [\d-]{10}\tenabled$/m);
  });

  test('disables the last owner only with --last, which also ends the session of that owner', async () => {
    const { ownerPool } = bank.test.database;
    await ownerPool.query(
      `UPDATE admins SET disabled_at = now() WHERE email <> 'admin@bank.example' AND role = 'owner' AND disabled_at IS NULL`,
    );
    const token = await bank.adminToken();
    const refused = await run('disable', 'admin@bank.example');
    expect(refused.code).toBe(1);
    expect(refused.errors).toContain('is the last owner');
    expect(await stats(token)).toBe(200);
    expect((await run('disable', 'admin@bank.example', '--last')).code).toBe(0);
    expect(await stats(token)).toBe(401);
  });

  test('without APP_SECRET, refuses to use the database of DATABASE_URL and changes nothing [RC-71]', async () => {
    const before = await storedPassword();
    const dataDir = temporaryFolder();
    expect(await runWith({ DATA_DIR: dataDir }, 'admin', 'create', 'nora@bank.example')).toEqual({
      code: 1,
      output: '',
      errors: 'APP_SECRET is missing: with DATABASE_URL, give the secret of the bank.\n',
    });
    expect(await storedPassword()).toEqual(before);
    expect(readdirSync(dataDir)).toEqual([]);
    expect(await isAdmin('nora@bank.example')).toBe(false);
    expect(await isAdmin(adminLogin.email)).toBe(true);
  });

  test('with another APP_SECRET, refuses to run and leaves the password of the server login unchanged [RC-73]', async () => {
    const before = await storedPassword();
    const { code, output, errors } = await runWith(
      { APP_SECRET: 'the secret of some other bank, mistyped' },
      'admin',
      'create',
      'nora@bank.example',
    );
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(
      /^APP_SECRET is not the secret of this bank: the bank still needs .* Nothing was changed\.\n$/,
    );
    expect(await storedPassword()).toEqual(before);
    expect(await isAdmin('nora@bank.example')).toBe(false);
  });

  test.each([
    [],
    ['create'],
    ['create', 'x'],
    ['destroy', 'admin@bank.example'],
    ['list', 'x'],
    ['create', 'eva@bank.example', '--last'],
    ['disable', 'eva@bank.example', '--role', 'viewer'],
    ['disable', 'admin@bank.example', '--force'],
  ])('prints its usage for invalid arguments: %o', async (...words) => {
    const { code, errors, output } = await run(...words);
    expect(code).toBe(2);
    expect(output).toBe('');
    expect(errors).toMatch(/^(Usage:|Please enter a valid email address|Unknown option '--force')/);
  });

  test('says that an unknown role is not a role, and lists the roles', async () => {
    const { code, errors } = await run('create', 'eva@bank.example', '--role', 'king');
    expect(code).toBe(2);
    expect(errors).toMatch(
      /^'king' is not a role\. Roles: viewer, support, operator, auditor, owner\.\n\nUsage:/,
    );
  });

  test('names a sanctions file that cannot be read', async () => {
    const { code, errors } = await run('import-sanctions', 'missing.csv');
    expect([code, errors]).toEqual([
      1,
      'The file missing.csv cannot be read (ENOENT). Nothing was changed.\n',
    ]);
  });

  test.each([
    ['import-sanctions', '--none'],
    ['list'],
    ['disable', 'admin@bank.example'],
    ['reset-password', 'admin@bank.example'],
  ])('%s refuses a database without a bank and creates none there [RC-29]', async (...words) => {
    const { connection, drop } = await createClone('template1');
    onTestFinished(drop);
    const { code, output, errors } = await runCommand(connection, { APP_SECRET: secret }, 'admin', ...words);
    expect([code, output, errors]).toEqual([
      1,
      '',
      'This database contains no bank of this version. Start the server on it first.\n',
    ]);
    const database = openDatabase(connection);
    onTestFinished(() => database.close());
    const tables = await database.ownerPool.query("SELECT FROM pg_tables WHERE schemaname = 'public'");
    expect(tables.rowCount).toBe(0);
  });
});

test('npm run ledger -- verify without APP_SECRET says what it did not prove, fails, and changes nothing [RC-72]', async () => {
  const before = await storedPassword();
  const dataDir = temporaryFolder();
  const { code, output, errors } = await runWith({ DATA_DIR: dataDir }, 'ledger', 'verify');
  expect({ code, errors }).toEqual({
    code: 1,
    errors:
      'The tables agree with each other, but the books are not proven: without APP_SECRET, no seal was checked. Give the secret of the bank.\n',
  });
  expect(output).not.toContain('The books are true.');
  expect(await storedPassword()).toEqual(before);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('npm run ledger -- verify with APP_SECRET proves the books', async () => {
  const { code, output } = await runAs('ledger', 'verify');
  expect(output).toContain('The books are true.');
  expect(code).toBe(0);
});

test.each(['--hold', '--release'])(
  'npm run restore -- %s says that a database contains no bank',
  async act => {
    const empty = { ...bank.test.connection, database: 'postgres' };
    expect(await runCommand(empty, {}, 'restore', act)).toEqual({
      code: 1,
      output: '',
      errors: 'This database contains no bank. Nothing was changed.\n',
    });
  },
);

test('a held bank of an older version can be verified and released only after a server of this version has started on it, and the commands say so [RC-47]', async () => {
  const { connection, drop } = await createClone('template1');
  onTestFinished(drop);
  const database = openDatabase(connection);
  const migrations = listMigrations().filter(({ name }) => name < '0027');
  await prepareDatabase(database.ownerPool, testSecrets.databaseKey, { migrations });
  const held = await runCommand(connection, {}, 'restore', '--hold');
  expect(held, held.errors).toMatchObject({ code: 0 });
  expect(held.output).toMatch(
    /^Start the server, check the books with .* -- verify, and release the bank with/m,
  );
  expect((await runCommand(connection, {}, 'ledger', 'verify')).errors).toMatch(
    /Start the server on it first\.\n$/,
  );
  expect(await runCommand(connection, {}, 'restore', '--release')).toEqual({
    code: 1,
    output: '',
    errors:
      'This bank is of an older version. Start the server on it first, and release it then. Nothing was changed.\n',
  });
  expect((await readBankState(database.reader)).heldSince).not.toBeNull();
  await database.close();
});

test('npm run restore -- --hold refuses while a server is running, because the bank could still send [RC-47]', async () => {
  const { code, output, errors } = await runAs('restore', '--hold');
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toMatch(
    /^A server is connected to this bank \(PostgreSQL processes \d[\d, ]*\)\. Stop it first\. .* Nothing was changed\.\n$/,
  );
  expect((await readBankState(bank.test.database.reader)).heldSince).toBeNull();
});

test('releasing a restored bank postpones a pending removal of a customer’s second factors by two days and mails the customer [RC-47, SF-11]', async () => {
  const { _id, email } = await bank.customer();
  const { ownerPool } = bank.test.database;
  await ownerPool.query(
    `INSERT INTO factor_resets (person_id, id, requested_by, effective_at)
     SELECT $1, new_id(), (SELECT id FROM admins LIMIT 1), now() - interval '1 minute'`,
    [_id],
  );
  await ownerPool.query('SELECT hold_bank()');
  expect((await runAs('restore', '--release')).output).toContain('The bank is released.');
  const { rows } = await ownerPool.query(
    `SELECT round(extract(epoch FROM r.effective_at - now()) / 3600)::int AS hours,
            (SELECT count(*)::int FROM graphile_worker.jobs
              WHERE task_identifier = 'reset-factors' AND run_at = r.effective_at) AS jobs,
            (SELECT count(*)::int FROM audit_log WHERE action = 'factors.reset-postponed' AND subject = $1) AS records
       FROM factor_resets r WHERE person_id = $1::uuid`,
    [_id],
  );
  expect(rows).toEqual([{ hours: 48, jobs: 1, records: 1 }]);
  await eventually(() =>
    bank.bank.parts
      .inbox!.list(email)
      .find(({ subject }) => subject === 'We will remove your authenticator app and passkeys later'),
  );
});
