/**
 * Closes a customer with a long history: personal data is hidden at once, erased from the history later, and every waiting
 * request ends.
 */
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { busyAccount, seedLongHistory } from '../../../tests/longHistory.ts';
import { aCustomer, anAdministrator, testKeys, testSecrets } from '../../../tests/person.ts';
import { finishErasures } from '../jobs/finishErasures.ts';
import { endRequestsAboutClosed } from '../jobs/requestMails.ts';
import { openAccount } from '../ledger/accounts.ts';
import { listAllTransactions } from '../ledger/bankList.ts';
import { updateCheckpoints } from '../ledger/pageCheckpoints.ts';
import { updateSearchTexts } from '../ledger/searchTexts.ts';
import { listApprovers } from '../people/approvals.ts';
import { closeCustomer } from './closing.ts';

const count = 9_000;

let bank: TestDatabase;
beforeAll(async () => {
  bank = await cloneDatabase();
  await seedLongHistory(bank, count, 30);
  while (await updateCheckpoints(bank.database));
  while (await updateSearchTexts(bank.database));
});
afterAll(() => bank.drop());

const readCount = async (text: string, values: unknown[] = []) =>
  (await bank.database.ownerPool.query<{ n: bigint }>(text, values)).rows[0]!.n;
const countNames = (condition: string) =>
  readCount(
    `SELECT count(*) AS n FROM transactions t JOIN external_transfers x ON x.transaction_id = t.id
      WHERE t.sender_account = $1 AND x.account_name <> '' AND x.status ${condition}`,
    [busyAccount],
  );
const countNotifications = () =>
  readCount('SELECT count(*) AS n FROM notifications WHERE account_id = $1', [busyAccount]);
const countTexts = (text: string) =>
  readCount('SELECT count(*) AS n FROM search_texts WHERE strpos(texts, $1) > 0', [text]);

test('a customer with a long history is closed at once, hidden at once, and erased in batches [AC-26]', async () => {
  const { database } = bank;
  const customer = await aCustomer(database);
  await database.ownerPool.query('UPDATE customers SET account_id = $1 WHERE id = $2', [
    busyAccount,
    customer.id,
  ]);
  await database.ownerPool.query(
    `INSERT INTO notifications (account_id, id, kind) SELECT $1, gen_random_uuid(), 'money-sent' FROM generate_series(1, 5000)`,
    [busyAccount],
  );
  await database.ownerPool.query(
    `UPDATE external_transfers SET account_name = CASE WHEN status = 'pending' THEN 'Iris Later' ELSE 'Iris Field' END
      WHERE transaction_id IN (SELECT id FROM transactions WHERE sender_account = $1)`,
    [busyAccount],
  );
  const [settled, pending] = [await countNames("<> 'pending'"), await countNames("= 'pending'")];
  expect(settled).toBeGreaterThan(300n);
  expect(await countTexts('iris field')).toBeGreaterThan(10n);

  const admin = await anAdministrator(database);
  const removed: string[] = [];
  const files = { remove: async (name: string) => void removed.push(name) };
  const parts = {
    database,
    secrets: testSecrets,
    files,
    keys: testKeys,
    config: { retentionYears: 0 },
    log: pino({ level: 'silent' }),
  };
  // Closing must not write the rows of the history, however many there are.
  await closeCustomer(parts as unknown as Parameters<typeof closeCustomer>[0], {
    customerId: customer.id,
    closer: { mostCents: undefined, adminId: admin.id },
    address: '::1',
  });
  expect(await countNames("<> 'pending'")).toBe(settled);
  expect(await countNotifications()).toBe(5_000n);

  const list = (search: string) =>
    listAllTransactions(database.reader, {
      page: 1,
      limit: 100,
      type: 'external-transfer',
      ...(search && { search }),
    });
  const own = (await list('')).transactions.filter(({ sender }) => sender?._id === customer.id);
  expect(own.length).toBeGreaterThan(10);
  for (const { externalBankDetails } of own) expect(externalBankDetails!.accountName).toBe('Name erased');
  expect((await list('Iris Field')).transactions).toEqual([]);
  expect((await list('Lunch number')).transactions).toHaveLength(100);

  await finishErasures({ database, files, keys: testKeys });
  expect(await countNotifications()).toBe(0n);
  expect(await countNames("<> 'pending'")).toBe(0n);
  expect(await countTexts('iris field')).toBe(0n);
  // Pending payments still need their names. Each name is erased when its payment ends.
  expect(await countNames("= 'pending'")).toBe(pending);
  expect(removed).toContain(`avatar-${customer.id}.webp`);
  const left = await database.ownerPool.query(
    'SELECT avatar_file, erased_at IS NOT NULL AS is_erased FROM customers WHERE id = $1',
    [customer.id],
  );
  expect(left.rows).toEqual([{ avatar_file: null, is_erased: true }]);
});

test('one erasure that fails does not keep a hundred others from finishing [AC-26]', async () => {
  const { database } = bank;
  const person = await aCustomer(database);
  await database.inTransaction(async tx => {
    for (let i = 0; i < 101; i++) {
      const { accountId } = await openAccount(tx);
      await sql`
        INSERT INTO customers SELECT (jsonb_populate_record(c, jsonb_build_object(
          'id', gen_random_uuid(), 'account_id', ${accountId}::bigint, 'email', '', 'deleted_at', now()))).*
          FROM customers c WHERE id = ${person.id}`.execute(tx);
    }
  });
  let calls = 0;
  const remove = async () => {
    calls++;
    if (calls === 1) throw new Error('the disk failed');
  };
  await expect(finishErasures({ database, files: { remove }, keys: testKeys })).rejects.toThrow(
    'the disk failed',
  );
  expect(
    await readCount('SELECT count(*) AS n FROM customers WHERE deleted_at IS NOT NULL AND erased_at IS NULL'),
  ).toBe(1n);
});

test('the 300 waiting requests about a closed customer end, each with one record and one mail to each approver [ST-83]', async () => {
  const { database } = bank;
  const [closed, open] = [await aCustomer(database), await aCustomer(database)];
  const { id: askedBy } = await anAdministrator(database);
  await anAdministrator(database);
  await database.ownerPool.query('UPDATE customers SET deleted_at = now() WHERE id = $1', [closed.id]);
  await database.ownerPool.query(
    `INSERT INTO approval_requests (id, kind, asked_by, expires_at, address, customer_id, amount, description)
     SELECT new_id(), 'credit', $1, now() + interval '1 day', '::1', c, 500000, 'Prize'
       FROM unnest($2::uuid[]) c, generate_series(1, 300)`,
    [askedBy, [closed.id, open.id]],
  );
  expect(await endRequestsAboutClosed(database)).toBe(300);
  const countRequests = (id: string, status: string) =>
    readCount('SELECT count(*) AS n FROM approval_requests WHERE customer_id = $1 AND status = $2', [
      id,
      status,
    ]);
  expect(await countRequests(closed.id, 'failed')).toBe(300n);
  expect(await countRequests(open.id, 'pending')).toBe(300n);
  expect(
    await readCount(
      `SELECT count(DISTINCT data->>'request') AS n FROM audit_log WHERE action = 'request.failed' AND subject = $1`,
      [closed.id],
    ),
  ).toBe(300n);
  const mails = await database.ownerPool.query<{ n: number; each: number }>(
    `SELECT count(*)::int AS n, count(DISTINCT (payload->>'requestId', payload->>'personId'))::int AS each
       FROM graphile_worker._private_jobs WHERE payload->>'template' = 'request-ended'`,
  );
  const n = 300 * (await listApprovers(database.reader)).length;
  expect(mails.rows).toEqual([{ n, each: n }]);
});
