/** Work and sessions with times that lie days in the future, because the database's clock was ahead when it stored them. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { countMostRowsRead } from '../../../tests/queryPlans.ts';
import { newId } from '../base/uuid.ts';
import type { PaymentRail } from '../outside/rail/rail.ts';
import { enqueueJob } from './queue.ts';
import { correctedTimes, correctStoredTimes } from './storedAhead.ts';

let bank: TestDatabase;
beforeEach(async () => {
  bank = await cloneDatabase();
});
afterEach(() => bank.drop());

/** Its business day ends in two hours. */
const rail = { cutOff: (at: Date) => new Date(at.getTime() + 2 * 3_600_000) } as PaymentRail;
const owner = <Row extends object>(text: string, values: unknown[] = []) =>
  bank.database.ownerPool.query<Row>(text, values);
const correct = (warn = vi.fn(), pool = bank.database.pool) =>
  correctStoredTimes({ database: { ...bank.database, pool }, log: { warn } as never, rail }, new Date());

/** Adds a mail; returns its key. `set`: its job's columns. */
async function addMail(set: string): Promise<string> {
  const key = newId();
  await bank.database.inTransaction(tx =>
    enqueueJob(tx, 'mail', { template: 'goodbye', to: 'iris@mail.example', firstName: 'Iris' } as never, {
      key,
    }),
  );
  await owner(`UPDATE graphile_worker._private_jobs SET ${set} WHERE key = $1`, [key]);
  return key;
}
const isDue = async (key: string) =>
  (await owner('SELECT FROM graphile_worker._private_jobs WHERE key = $1 AND run_at <= now()', [key]))
    .rowCount === 1;

test('mails that failed or were enqueued while the clock was days ahead are sent within the hour, and others keep their time [RC-97]', async () => {
  const [failed, fresh, retrying, held] = [
    await addMail("attempts = 3, run_at = now() + interval '3 days'"),
    await addMail("run_at = now() + interval '3 days', created_at = now() + interval '3 days'"),
    await addMail("attempts = 10, run_at = now() + interval '6 hours'"),
    await addMail("attempts = 3, run_at = 'infinity'"),
  ];
  const removal = newId();
  await bank.database.inTransaction(tx =>
    enqueueJob(
      tx,
      'reset-factors',
      { personId: newId(), resetId: newId() },
      { key: removal, runAt: new Date(Date.now() + 72 * 3_600_000) },
    ),
  );
  const warn = vi.fn();
  await correct(warn);
  const due = [];
  for (const key of [failed, fresh, retrying, held, removal]) due.push(await isDue(key));
  expect(due).toEqual([true, true, false, false, false]);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    { table: 'graphile_worker._private_jobs', rows: 2 },
    correctedTimes,
  );
});

test('a customer’s transfer mails, summaries and push notifications do not wait for the day that the clock had shown [RC-97]', async () => {
  await owner(`
    INSERT INTO transfer_mails (transaction_ids, step, tries, due_at)
    SELECT ARRAY[new_id()], 1, tries, now() + wait::interval
      FROM (VALUES (0, '3 days'), (2, '3 days'), (12, '69 minutes'), (0, 'infinity')) AS m(tries, wait);
    INSERT INTO summary_mails (transaction_id, step, side, account_id, is_daily, due_at)
    SELECT new_id(), 1, 1, 1, true, now() + wait::interval FROM unnest('{4 days,25 hours,infinity}'::text[]) AS m(wait);
    INSERT INTO push_devices (id, account_id, endpoint, p256dh, auth, device, money, security, shows_amounts)
    VALUES ('01990000-0000-7000-8000-000000000000', 1, 'https://push.example/1', '', '', 'Firefox', true, true, true);
    INSERT INTO pushes (device_id, notification_id, tries, due_at)
    SELECT '01990000-0000-7000-8000-000000000000', new_id(), 1, now() + wait::interval
      FROM unnest('{3 days,2 hours}'::text[]) AS p(wait)`);
  const waiting = async () =>
    (
      await owner(`SELECT (SELECT count(*)::int FROM transfer_mails WHERE due_at <= now()) AS mails,
                          (SELECT count(*)::int FROM summary_mails WHERE due_at <= now()) AS summaries,
                          (SELECT count(*)::int FROM pushes WHERE due_at <= now()) AS pushes`)
    ).rows[0];
  expect(await waiting()).toEqual({ mails: 0, summaries: 0, pushes: 0 });
  await correct();
  expect(await waiting()).toEqual({ mails: 2, summaries: 1, pushes: 1 });
});

test('a customer’s copy of all data and a bank’s answer to a deposit do not wait for the day that the clock had shown [RC-97]', async () => {
  const [late, retrying] = [newId(), newId()];
  for (const [id, wait] of [
    [late, '3 days'],
    [retrying, '6 hours'],
  ]) {
    await owner(`INSERT INTO export_jobs (id, customer_id, salt) VALUES ($1, new_id(), '0123456789abcdef')`, [
      id,
    ]);
    await owner('SELECT enqueue_export($1)', [id]);
    await owner(
      `UPDATE graphile_worker._private_jobs SET attempts = 2, run_at = now() + $2::interval WHERE key = 'export-data:' || $1::uuid`,
      [id, wait],
    );
  }
  // The lines have no payments.
  await owner('ALTER TABLE rail_outgoing DISABLE TRIGGER check_filing');
  await owner(`INSERT INTO rail_outgoing (transaction_id, counterparty, due_at)
               SELECT new_id(), '011000138', now() + wait::interval FROM unnest('{2 hours,3 days}'::text[]) AS w(wait)`);
  await owner('ALTER TABLE rail_outgoing ENABLE TRIGGER check_filing');
  await correct();
  expect(await isDue(`export-data:${late}`)).toBe(true);
  expect(await isDue(`export-data:${retrying}`)).toBe(false);
  const { rowCount } = await owner('SELECT FROM rail_outgoing WHERE due_at <= now()');
  expect(rowCount).toBe(1);
});

test('a session that was opened while the clock was days ahead ends, and does not come back on that day [RC-97]', async () => {
  const [jumped, live] = [newId(), newId()];
  for (const [id, wait] of [
    [jumped, '3 days'],
    [live, '0 days'],
  ])
    await owner(
      `INSERT INTO sessions (id, person_id, kind, created_at, last_seen_at, expires_at, address, device, network)
       SELECT $1, new_id(), 'admin', at, at, at + interval '1 hour', '::1', 'Firefox', '' FROM (SELECT now() + $2::interval AS at) t`,
      [id, wait],
    );
  const sessions = (from: string) =>
    owner<{ id: string }>(`SELECT id FROM ${from}`).then(({ rows }) => rows.map(({ id }) => id));
  expect(await sessions('live_sessions')).toEqual([live]);
  await correct();
  expect(await sessions('sessions WHERE ended_at IS NULL')).toEqual([live]);
  // The next run does not read it again.
  expect(await sessions("sessions WHERE expires_at > now() + interval '2 hours'")).toEqual([]);
});

test('of thousands of jobs that wait for a later day, none is read, and thousands of late mails are corrected [RC-97]', async () => {
  await owner(`
    SELECT enqueue_payment_jobs('submit-payment', array_agg(new_id()), array_agg(now() + interval '3 days'))
      FROM generate_series(1, 5000);
    ANALYZE graphile_worker._private_jobs`);
  await owner(`
    SELECT enqueue_mails(array_agg('{"template":"goodbye"}'::json)) FROM generate_series(1, 2500);
    UPDATE graphile_worker._private_jobs SET attempts = 1, run_at = now() + interval '3 days' WHERE priority = 0`);
  const read = await countMostRowsRead(bank.database.pool, pool => correct(vi.fn(), pool));
  // A batch reads a thousand mails in the index and again to change them.
  expect(read).toBeLessThan(2_500);
  const { rowCount } = await owner(
    'SELECT FROM graphile_worker._private_jobs WHERE priority = 0 AND run_at > now()',
  );
  expect(rowCount).toBe(0);
});
