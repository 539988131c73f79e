/**
 * How much work it takes to check payments for alerts: the checks must not slow down payments, and a flood of payments must not
 * stop the checks.
 */
import { expect, onTestFinished, test } from 'vitest';
import { countRowsRead } from '../../../tests/queryPlans.ts';
import type { SeededCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank } from '../../../tests/server.ts';
import type { Database, Tx } from '../db/database.ts';
import { sealRecords } from '../ledger/sealing.ts';
import { checkPayments } from './alerts.ts';

/** A bank without jobs, and functions that send payments, seal all audit records, schedule payments and run them. */
async function openBank() {
  const bank = await openTestBank({ JOBS: 'off' });
  onTestFinished(() => bank.close());
  const { database, ledger, secrets } = bank.bank.parts;
  const send = ({ customerId, sessionId }: SeededCustomer, to: SeededCustomer, dollars: number) =>
    ledger.transfer({
      customerId,
      sessionId,
      receiverAccountNumber: to.accountNumber,
      amountCents: BigInt(dollars * 100),
      description: '',
      address: '203.0.113.7',
    });
  const seal = async () => {
    while ((await sealRecords(database, secrets.sealKey)).hasMore);
  };
  /** Inserts scheduled payments of one cent that were created two days ago and are due today. */
  const schedule = async ({ customerId, accountId }: SeededCustomer, to: SeededCustomer, count: number) => {
    const { rows } = await database.ownerPool.query<{ id: string; date: string }>(
      `INSERT INTO scheduled_transfers (id, customer_id, account_id, account_number, amount, description, start_date, frequency,
                                        next_date, request_hash, created_at)
       SELECT new_id(), $1, $2, $3, 1, '', bank_day(now()), 'once', bank_day(now()), new_id(), now() - interval '2 days'
         FROM generate_series(1, $4) RETURNING id, start_date::text AS date`,
      [customerId, accountId, to.accountNumber, count],
    );
    return rows;
  };
  type Scheduled = { id: string; date: string };
  /** Makes one scheduled payment. Returns a function that records its run. */
  const run = async (from: SeededCustomer, to: SeededCustomer, { id, date }: Scheduled) => {
    const terms = { customerId: from.customerId, amountCents: 1n, description: '', bank: null };
    const order = { ...terms, scheduleId: id, date, receiverAccountNumber: to.accountNumber };
    const { _id } = await ledger.runScheduled(order);
    return () =>
      database.ownerPool.query(
        `INSERT INTO scheduled_runs (schedule_id, date, account_id, result, amount, transaction_id, notification_id)
         VALUES ($1, $2, $3, 'sent', 1, $4, new_id())`,
        [id, date, from.accountId, _id],
      );
  };
  return { bank, database, send, seal, schedule, run };
}

/** Checks all sealed payments. Returns how many rows the checks read. */
const countChecking = (database: Database) =>
  countRowsRead(database.pool, async reader => {
    const inTransaction: Database['inTransaction'] = work => work(reader as Tx);
    while (await checkPayments({ database: { ...database, inTransaction } }));
  });

test('checking a payment of a customer who pays rarely does not read their older payments [FA-07]', async () => {
  const { bank, database, send, seal } = await openBank();
  const [ana, ben] = [await bank.seeded({ cents: 10_00n }), await bank.seeded()];
  await Promise.all(Array.from({ length: 60 }, () => send(ana, ben, 0.01)));
  await database.ownerPool.query(
    `ALTER TABLE transactions DISABLE TRIGGER insert_only;
     UPDATE transactions SET created_at = created_at - interval '2 hours';
     ALTER TABLE transactions ENABLE ALWAYS TRIGGER insert_only;
     ANALYZE transactions`,
  );
  await seal();
  while (await checkPayments({ database }));

  await send(ana, ben, 0.01);
  await seal();
  expect(await countChecking(database)).toBeLessThan(60);
});

test('checking a scheduled payment does not read the many other transfers that its customer scheduled [FA-07]', async () => {
  const { bank, database, send, seal, schedule, run } = await openBank();
  const ben = await bank.seeded();
  /**
   * How many rows the checks read for twelve scheduled payments, and then for a payment by hand. `others`: how many other
   * scheduled transfers the customer has.
   */
  const countFor = async (others: number) => {
    const ana = await bank.seeded({ cents: 10_00n });
    await schedule(ana, ben, others);
    const due = await schedule(ana, ben, 12);
    await database.ownerPool.query('ANALYZE');
    await seal();
    while (await checkPayments({ database }));
    for (const each of due) await (await run(ana, ben, each))();
    await seal();
    const scheduled = await countChecking(database);
    await send(ana, ben, 0.01);
    await seal();
    return { scheduled, byHand: await countChecking(database) };
  };
  const few = await countFor(0);
  const many = await countFor(3_000);
  // The margin of 1,000 rows allows for other tables, which have grown a little.
  expect(many.scheduled).toBeLessThan(few.scheduled + 1_000);
  expect(many.byHand).toBeLessThan(few.byHand + 1_000);
  expect((await database.ownerPool.query('SELECT FROM alerts')).rowCount).toBe(0);
});

test('payments that were scheduled earlier raise no alert when they are checked before their runs are recorded [FA-03]', async () => {
  const { bank, database, send, seal, schedule, run } = await openBank();
  const [ana, ben] = [await bank.seeded({ cents: 10_00n }), await bank.seeded()];
  const records: (() => Promise<unknown>)[] = [];
  for (const each of await schedule(ana, ben, 12)) records.push(await run(ana, ben, each));
  await send(ana, ben, 0.01);
  await seal();
  const unchecked = async () => {
    while (await checkPayments({ database }));
    expect((await database.ownerPool.query('SELECT FROM alerts')).rowCount).toBe(0);
    const { rows } = await database.ownerPool.query<{ n: number }>(
      'SELECT (SELECT max(position) FROM audit_seals) - position AS n FROM alert_progress',
    );
    return Number(rows[0]!.n);
  };
  expect(await unchecked()).toBeGreaterThan(0);
  for (const record of records) await record();
  expect(await unchecked()).toBe(0);
});

test('a flood of payments is checked in batches, and takes little work once it has raised an alert [FA-07]', async () => {
  const { bank, database, send, seal } = await openBank();
  const [ana, ben] = [await bank.seeded({ cents: 2_000_00n }), await bank.seeded()];
  const checked = async () => {
    const { rows } = await database.ownerPool.query<{ n: number }>(
      `SELECT coalesce(sum(jsonb_array_length(a.data->'posted')), 0)::integer AS n
         FROM alert_progress p JOIN audit_seals s ON s.position <= p.position JOIN audit_log a ON a.id = s.audit_id
        WHERE a.action = 'transactions.posted'`,
    );
    return rows[0]!.n;
  };
  const alerts = async () =>
    (await database.ownerPool.query("SELECT FROM alerts WHERE rule LIKE 'large%'")).rowCount;

  const count = 700;
  // Sent 100 at a time: if all were sent at once, a busy machine would refuse the last ones as too late.
  for (let sent = 0; sent < count; sent += 100)
    await Promise.all(Array.from({ length: 100 }, () => send(ana, ben, 0.01)));
  await seal();
  for (let before = 0; await checkPayments({ database }); ) {
    const now = await checked();
    // The ledger posts at most 256 payments together, so one seal reports no more.
    expect(now - before).toBeLessThan(200 + 256);
    before = now;
  }
  expect(await checked()).toBeGreaterThanOrEqual(count);

  await send(ana, ben, 1500);
  await seal();
  await checkPayments({ database });
  expect(await alerts()).toBe(1);
  for (let n = 0; n < 5; n++) {
    await send(ben, ana, 1100);
    await send(ana, ben, 1100);
  }
  await seal();
  // Without ANALYZE, the plans and the number of rows read depend on whether autovacuum has run.
  await database.ownerPool.query('ANALYZE');
  expect(await countChecking(database)).toBeLessThan(count);
  // Most of Ben's balance goes out too, so the second alert is his.
  expect(await alerts()).toBe(2);
});

test('alerting thirty customers who send nearly all their money takes as many SQL statements as alerting one [FA-07]', async () => {
  const { bank, database, send, seal } = await openBank();
  const receiver = await bank.seeded();
  const countStatements = async (count: number) => {
    const customers: SeededCustomer[] = [];
    for (let n = 0; n < count; n++) customers.push(await bank.seeded({ cents: 2_000_00n }));
    await seal();
    while (await checkPayments({ database }));
    for (const customer of customers) await send(customer, receiver, 1_900);
    await seal();
    let statements = 0;
    const inTransaction: Database['inTransaction'] = work =>
      database.inTransaction(tx =>
        work(
          tx.withPlugin({
            transformQuery({ node }) {
              statements++;
              return node;
            },
            transformResult: async ({ result }) => result,
          }) as Tx,
        ),
      );
    await checkPayments({ database: { ...database, inTransaction } });
    return statements;
  };
  const one = await countStatements(1);
  expect(one).toBeGreaterThan(4);
  expect(await countStatements(30)).toBe(one);
  const { rows } = await database.ownerPool.query(
    `SELECT (SELECT count(*)::int FROM alerts) AS alerts,
            (SELECT count(*)::int FROM notifications WHERE kind LIKE 'alert-%') AS notifications,
            (SELECT count(*)::int FROM audit_log WHERE action = 'alert.raised') AS records,
            (SELECT count(DISTINCT payload->>'personId')::int FROM graphile_worker._private_jobs
              WHERE payload->>'template' = 'alert-large-first-payment') AS mails`,
  );
  expect(rows[0]).toEqual({ alerts: 31, notifications: 31, records: 31, mails: 31 });
});
