/** Compares the list of personal data with the database's columns, and the effect of erasing with the list. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appCode } from '../../../tests/authenticator.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { aCustomer, anAdministrator, testKeys, testSecrets } from '../../../tests/person.ts';
import { newId } from '../base/uuid.ts';
import type { Reader } from '../db/database.ts';
import type { MailOrder } from '../jobs/mails/templates.ts';
import type { PaymentOrder } from '../jobs/payments.ts';
import type { FileKind } from '../outside/files.ts';
import { insertRequest } from './approvals.ts';
import { issueCode } from './codes.ts';
import { insertChanges, recordSentMail, requestDocument } from './customerPage.ts';
import { erasePerson } from './erasing.ts';
import { tracedTables } from './expiry.ts';
import { requestReset } from './factorResets.ts';
import { recordFailedAttempt } from './failedAttempts.ts';
import { makeFreezeToken, useFreezeToken } from './freezeLink.ts';
import { fileErasure, jsonErasure } from './jsonErasure.ts';
import { clearCounts } from './knownDevices.ts';
import { type CustomerKey, personalData } from './personalData.ts';
import { savePushDevice } from './pushDevices.ts';
import { confirmApp, startApp } from './secondFactors.ts';
import { openSession } from './sessions.ts';

let bank: TestDatabase;
beforeAll(async () => {
  bank = await cloneDatabase();
});
afterAll(() => bank.drop());

const place = 'src/server/people/deletedTables.ts or keptTables.ts';

const split = (columns = '') => columns.split(' ').filter(Boolean);

/** The columns in the list as `table.column`; `table.*` for a whole table. Keeps duplicates of tables whose rows stay. */
const listed = Object.entries(personalData).flatMap(([table, groups]) => {
  const { deletedWhere = groups.deletedInBatches, copied, leftOut } = groups;
  const columns = deletedWhere
    ? typeof leftOut === 'string'
      ? ['*']
      : new Set([...Object.keys(deletedWhere), ...split(copied), ...Object.keys({ ...leftOut })])
    : [
        ...Object.keys({ ...groups.erased }),
        ...Object.keys({ ...groups.erasedElsewhere }),
        ...Object.keys({ ...groups.kept }),
        ...split(groups.notPersonal),
      ];
  return [...columns].map(column => `${table}.${column}`);
});

/** Every column of every table and materialized view, as `table.column`. */
async function readColumns(reader: Reader): Promise<string[]> {
  const found = await sql<{ name: string }>`
    SELECT CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || c.relname || '.' || a.attname AS name
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
       AND n.nspname NOT LIKE 'pg\_%'`.execute(reader);
  return found.rows.map(row => row.name);
}

/** A sentence for each column that is only in the list or only in the database. */
async function findDifferences(reader: Reader): Promise<string[]> {
  const columns = await readColumns(reader);
  const isWhole = (column: string) => listed.includes(column.replace(/[^.]+$/, '*'));
  const unlisted = columns.filter(column => !listed.includes(column) && !isWhole(column));
  const gone = listed.filter(column => !column.endsWith('*') && !columns.includes(column));
  return [
    ...unlisted.map(
      column =>
        `${column} has no entry in ${place}. Say there what happens to it when a customer is erased: deleted, erased, kept and why, or not personal.`,
    ),
    ...gone.map(column => `${column} has an entry in ${place}, but the database has no such column.`),
  ];
}

test('the list says for every column of every table what happens to it when a customer is erased', async () => {
  expect(await findDifferences(bank.database.reader)).toEqual([]);
  expect(
    listed.filter((column, at) => listed.indexOf(column) !== at),
    'listed twice',
  ).toEqual([]);
});

test('a table or column without an entry is reported, and so is an entry without a column', async () => {
  const { ownerPool, reader } = bank.database;
  await ownerPool.query(`
    ALTER TABLE customers ADD COLUMN nickname text;
    CREATE TABLE pets (owner_id uuid);
    ALTER TABLE graphile_worker._private_jobs ADD COLUMN note text`);
  const sentence = (column: string) =>
    `${column} has no entry in ${place}. Say there what happens to it when a customer is erased: deleted, erased, kept and why, or not personal.`;
  expect((await findDifferences(reader)).sort()).toEqual(
    ['customers.nickname', 'graphile_worker._private_jobs.note', 'pets.owner_id'].map(sentence),
  );
  await ownerPool.query(`
    ALTER TABLE customers DROP COLUMN nickname;
    DROP TABLE pets;
    ALTER TABLE graphile_worker._private_jobs DROP COLUMN note;
    ALTER TABLE job_runs RENAME COLUMN name TO title`);
  expect(await findDifferences(reader)).toEqual([
    sentence('job_runs.title'),
    `job_runs.name has an entry in ${place}, but the database has no such column.`,
  ]);
  await ownerPool.query('ALTER TABLE job_runs RENAME COLUMN title TO name');
});

test('every column that can hold any JSON has a list of its fields', async () => {
  const found = await bank.database.ownerPool.query<{ name: string }>(`
    SELECT CASE table_schema WHEN 'public' THEN '' ELSE table_schema || '.' END || table_name || '.' || column_name AS name
      FROM information_schema.columns
     WHERE data_type IN ('json', 'jsonb') AND table_schema IN ('public', 'graphile_worker')
       AND (table_schema, table_name) IN (SELECT schemaname, tablename FROM pg_tables)`);
  // The library's column for job flags; the bank sets none.
  const names = found.rows
    .map(row => row.name)
    .filter(name => name !== 'graphile_worker._private_jobs.flags');
  expect(names.sort()).toEqual(Object.keys(jsonErasure).sort());
});

type FieldsOf<T> = T extends unknown ? keyof T : never;

test('the compiler checks that the lists name every field of a mail or payment job and every kind of file', () => {
  const jobFields: Record<FieldsOf<MailOrder | PaymentOrder>, unknown> = jsonErasure[
    'graphile_worker._private_jobs.payload'
  ];
  const fileKinds: Record<FileKind, string> = fileErasure;
  expect(Object.keys(jobFields)).toContain('personId');
  expect(Object.keys(fileKinds)).toEqual(['avatar', 'id-card']);
});

test('erasing a customer deletes and overwrites at once what the list says, and leaves another customer’s data alone', async () => {
  const { database } = bank;
  const [leaving, staying] = [await aCustomer(database), await aCustomer(database)];
  await database.ownerPool.query('UPDATE customers SET email_proven_at = now() WHERE id = $1', [leaving.id]);
  const administrator = await anAdministrator(database);
  const { codeKey } = testSecrets;
  for (const { id, accountId, email } of [leaving, staying])
    await database.inTransaction(async tx => {
      await openSession(tx, { personId: id, kind: 'customer', address: '::1', device: 'Firefox on Linux' });
      await clearCounts(tx, id, randomBytes(32));
      const failed = { kind: 'customer', personId: id, action: 'login.failed', reason: 'locked' } as const;
      await recordFailedAttempt(tx, { ...failed, address: '::1' });
      await sql`
        INSERT INTO contact_messages (id, name, email, subject, message, address, customer_id)
        VALUES (${newId()}, 'Iris', ${email}, 'Hello', 'It is me', '::1', NULL),
               (${newId()}, 'Iris', 'former@mail.example', 'Hello', 'It is me', '::1', ${id})`.execute(tx);
      const { secret } = await startApp(tx, testKeys, { personId: id, email });
      await confirmApp(tx, testKeys, { personId: id, sessionId: newId(), code: appCode(secret) });
      await sql`DELETE FROM recovery_codes WHERE code_hash NOT IN (SELECT DISTINCT ON (person_id) code_hash FROM recovery_codes)`.execute(
        tx,
      );
      await issueCode(tx, codeKey, { personId: id, purpose: 'login', browser: undefined });
      await sql`
        INSERT INTO passkeys (id, person_id, credential_id, public_key, counter, transports, name)
        VALUES (${newId()}, ${id}, ${randomBytes(32)}, '', 0, '{}', 'Phone')`.execute(tx);
      await sql`
        INSERT INTO export_jobs (id, customer_id, salt)
        VALUES (${newId()}, ${id}, ${randomBytes(16)})`.execute(tx);
      await sql`
        INSERT INTO customer_notes (id, customer_id, author, text)
        VALUES (${newId()}, ${id}, ${administrator.id}, 'Called')`.execute(tx);
      await insertChanges(tx, [{ field: 'lastName', former: 'Quist', value: 'Lindqvist' }], {
        customerId: id,
        author: administrator.id,
        reason: 'Married',
        wasProven: false,
      });
      await insertRequest(
        tx,
        { kind: 'email', customerId: id, email: `new.${email}`, reason: 'Saw the passport' },
        { askedBy: administrator.id, address: '::1', key: undefined },
      );
      await requestDocument(tx, id, 'Blurred');
      await sql`
        INSERT INTO screening_hits (id, customer_id, entry_id, match_hash, listed_name, date_of_birth, program, score)
        VALUES (${newId()}, ${id}, 'E-1', ${newId()}, 'Iris Field', '', 'Test', 95)`.execute(tx);
      await sql`INSERT INTO screening_more_matches VALUES (${id}, 3)`.execute(tx);
      await sql`INSERT INTO replaced_identities (customer_id, sealed) VALUES (${id}, '')`.execute(tx);
      await recordSentMail(tx, { personId: id, template: 'approved', subject: 'Your account is approved' });
      await requestReset(tx, { customerId: id, adminId: newId() });
      await sql`
        INSERT INTO step_ups (id, customer_id, session_id, act, receiver, act_hash, expires_at)
        VALUES (${newId()}, ${id}, ${newId()}, 'unfreeze', '', ${newId()}, now())`.execute(tx);
      await useFreezeToken(tx, makeFreezeToken({ customerId: id, email }, codeKey), codeKey);
      await sql`
        INSERT INTO payees (id, account_id, bank_name, account_name, account_number, nickname)
        VALUES (${newId()}, ${accountId}, 'First Harbor Bank', 'Meadow Rentals', '12345678', 'Rent')`.execute(
        tx,
      );
      await sql`INSERT INTO alerts (id, rule, customer_id) VALUES (${newId()}, 'new-login', ${id})`.execute(
        tx,
      );
      await sql`INSERT INTO guessed_customers (customer_id, alert_id) VALUES (${id}, ${newId()})`.execute(tx);
      await sql`
        INSERT INTO login_guesses (network, address_key, person_id) VALUES ('::1', ${randomBytes(32)}, ${id})`.execute(
        tx,
      );
      await sql`
        INSERT INTO notification_preferences VALUES (${accountId}, 'moneyIn', true, 'daily')`.execute(tx);
      await sql`
        INSERT INTO summary_mails (transaction_id, step, side, account_id, is_daily, due_at)
        VALUES (${newId()}, 1, 0, ${accountId}, true, now())`.execute(tx);
      const endpoint = `https://push.example/${id}`;
      await savePushDevice(tx, accountId, {
        endpoint,
        p256dh: 'key',
        auth: 'secret',
        device: 'Firefox on Linux',
        money: true,
        security: true,
        showsAmounts: false,
      });
      await sql`
        WITH schedule AS (
          INSERT INTO scheduled_transfers (id, customer_id, account_id, account_number, amount, description, start_date,
                                           frequency, request_hash)
          VALUES (${newId()}, ${id}, ${accountId}, '482109375527', 100, 'Rent', '2026-12-01', 'monthly', ${newId()})
          RETURNING *)
        INSERT INTO scheduled_runs (schedule_id, date, account_id, result, amount, notification_id)
        SELECT id, start_date, account_id, 'skipped', amount, id FROM schedule`.execute(tx);
      await sql`
        INSERT INTO goals (id, account_id, ledger_account, name, picture, target, request_hash)
        VALUES (${newId()}, ${accountId}, ${-accountId}, 'Trip to Maine', 'trip', 50000, ${newId()})`.execute(
        tx,
      );
    });
  const { id: customerId, accountId } = leaving;
  const addressee = await database.inTransaction(tx => erasePerson(tx, { customerId, accountId }));
  expect(addressee).toEqual({ to: leaving.email, name: 'Iris' });

  const rowOf = async (id: string) =>
    (await sql<Record<string, unknown>>`SELECT * FROM customers WHERE id = ${id}`.execute(database.reader))
      .rows[0]!;
  const { erased } = personalData.customers!;
  expect(await rowOf(customerId)).toMatchObject(erased!);
  expect((await rowOf(customerId)).deleted_at).toBeInstanceOf(Date);
  expect(await rowOf(staying.id)).toMatchObject({ email: staying.email, deleted_at: null });

  const keysOf = (person: typeof leaving): Record<CustomerKey, unknown> => ({
    customerId: person.id,
    accountId: person.accountId,
    email: person.email,
  });
  const rules = Object.entries(personalData).flatMap(([table, { deletedWhere = {} }]) =>
    Object.entries(deletedWhere).map(([column, key]) => ({ table, column, key })),
  );
  expect(rules.map(({ table }) => table)).toEqual([
    'credentials',
    'login_devices',
    'codes',
    'authenticator_apps',
    'recovery_codes',
    'passkeys',
    'factor_resets',
    'sessions',
    'payees',
    'push_devices',
    'step_ups',
    'used_freeze_links',
    'export_jobs',
    'scheduled_transfers',
    'scheduled_runs',
    'goals',
    'contact_messages',
    'contact_messages',
    'failed_attempts',
    'customer_notes',
    'last_logins',
    'customer_changes',
    'alerts',
    'guessed_customers',
    'login_guesses',
    'notification_preferences',
    'summary_mails',
    'id_requests',
    'sent_mails',
    'screening_hits',
    'screening_more_matches',
    'replaced_identities',
    'email_requests',
  ]);
  for (const { table, column, key } of rules) {
    const count = async (person: typeof leaving) =>
      (
        await sql`SELECT FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${keysOf(person)[key]}`.execute(
          database.reader,
        )
      ).rows.length;
    expect(await count(leaving), table).toBe(0);
    expect(await count(staying), table).toBe(1);
  }
});

test('the purge of planner statistics and dead rows covers every table with erased data, except those that are deleted only in batches', () => {
  expect([...tracedTables].sort()).toEqual([
    'alerts',
    'authenticator_apps',
    'codes',
    'contact_answers',
    'contact_messages',
    'credentials',
    'customer_changes',
    'customer_notes',
    'customers',
    'deposits',
    'email_requests',
    'export_jobs',
    'external_transfers',
    'factor_resets',
    'failed_attempts',
    'goals',
    'guessed_customers',
    'id_requests',
    'last_logins',
    'login_devices',
    'login_guesses',
    'notification_preferences',
    'passkeys',
    'payees',
    'push_devices',
    'rail_files',
    'rail_incoming',
    'recovery_codes',
    'replaced_identities',
    'retained_identities',
    'scheduled_runs',
    'scheduled_transfers',
    'screening_hits',
    'screening_more_matches',
    'search_texts',
    'sent_mails',
    'sessions',
    'step_ups',
    'summary_mails',
    'used_freeze_links',
  ]);
});
