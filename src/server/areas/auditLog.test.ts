/** The audit log over HTTP: what administrators see of it, and that no page scans the whole table. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { adminApi } from '#contract/admin.ts';
import { areas } from '#contract/api.ts';
import { authApi } from '#contract/auth.ts';
import { calendarDay } from '#contract/bankTime.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { AuditEntry } from '#contract/entities.ts';
import { auditActions } from '#contract/messages/admin.ts';
import { settingsApi } from '#contract/settings.ts';
import { transferApi } from '#contract/transfer.ts';
import { recordAudit, recordAuditOnce } from '#server/db/audit.ts';
import { createAdmin } from '#server/people/admins.ts';
import { daysLater } from '../../../tests/bankDays.ts';
import { customerPassword } from '../../../tests/call.ts';
import { listSeqScans } from '../../../tests/queryPlans.ts';
import { eventually, openTestBank, type TestBank } from '../../../tests/server.ts';
import { describeDetails } from './auditDetails.ts';
import { type AuditFilter, readAuditLog } from './auditLog.ts';

let bank: TestBank;
let token: string;
let adminId: string;
beforeAll(async () => {
  bank = await openTestBank();
  token = await bank.adminToken();
  const found = await bank.test.database.pool.query<{ id: string }>('SELECT id FROM admins');
  adminId = found.rows[0]!.id;
});
afterAll(() => bank.close());

const page = async (query: Record<string, string | number> = {}) =>
  (await bank.call(adminApi.auditLog, { token, query })).body.data;
const records = async (query: Record<string, string | number> = {}) => (await page(query)).records;
const only = (entries: AuditEntry[], field: 'action' | 'actorKind' | 'actorName' | 'subjectName') =>
  entries.map(entry => entry[field]);
/** Today in the bank's time zone, plus this number of days. */
const day = (fromToday = 0) => daysLater(calendarDay(new Date()), fromToday);

test('the log lists every action on a customer with actor, action, time and address, newest first [M-33, M-35, A-45]', async () => {
  const since = new Date();
  const anna = await bank.customer({ firstName: 'Anna', dollars: 5 });
  await bank.call(adminApi.freeze, { token, params: { id: anna._id }, body: { isFrozen: true } });
  await bank.call(adminApi.user, { token, params: { id: anna._id } });
  const entries = await records({ person: anna._id });
  expect(only(entries, 'action')).toEqual([
    'customer.viewed',
    'customer.frozen',
    'customer.credited',
    'login.completed',
    'customer.approved',
    'customer.registered',
  ]);
  for (const { at, address, subject, subjectName, actorKind, actorName } of entries) {
    expect(new Date(at).getTime()).toBeGreaterThanOrEqual(since.getTime() - 5);
    expect(address).toMatch(/127\.0\.0\.1|::1/);
    expect({ subject, subjectName }).toEqual({ subject: anna._id, subjectName: 'Anna Quist' });
    expect([actorKind, actorName]).toEqual(
      actorKind === 'admin' ? ['admin', 'Ada Admin'] : ['customer', 'Anna Quist'],
    );
  }
  expect(entries[2]!.details).toMatch(/^\$5\.00, LB-\w{4}-\w{4}-\w{4}$/);
  // The filter `person` with an administrator's id finds the records of that administrator's acts.
  expect(only(await records({ person: adminId, action: 'customer.viewed' }), 'subjectName')).toContain(
    'Anna Quist',
  );
});

test('every security event is logged: login, failure, lock, password, freeze, deletion [M-34]', async () => {
  const [anna, ben] = [await bank.customer({ firstName: 'Anna' }), await bank.customer({ firstName: 'Ben' })];
  const guess = ({ email }: { email: string }) =>
    bank.call(authApi.initiateLogin, { body: { email, password: '11223344' } });
  const change = (currentPassword: string) =>
    bank.call(settingsApi.changePassword, {
      token: anna.token,
      body: { currentPassword, newPassword: '57921480' },
    });
  await guess(anna);
  await change('11223344');
  await change(customerPassword);
  for (const isFrozen of [true, false])
    await bank.call(adminApi.freeze, { token, params: { id: anna._id }, body: { isFrozen } });
  await bank.call(authApi.logout, { token: anna.token });
  await bank.call(adminApi.deleteUser, { token, params: { id: anna._id } });
  for (let tries = 0; tries < 5; tries++) await guess(ben);
  expect(only(await records({ person: anna._id }), 'action')).toEqual([
    'customer.deleted',
    'logout',
    'customer.unfrozen',
    'customer.frozen',
    'password.changed',
    'password.wrong',
    'login.failed',
    'login.completed',
    'customer.approved',
    'customer.registered',
  ]);
  expect(only(await records({ person: ben._id }), 'action').slice(0, 5)).toEqual([
    'login.locked',
    ...Array.from({ length: 4 }, () => 'login.failed'),
  ]);
});

test('reloads of a customer’s page within five minutes are logged as one view, and a later reload as another', async () => {
  const anna = await bank.customer();
  const view = () => bank.call(adminApi.user, { token, params: { id: anna._id } });
  const countViews = async () => (await records({ person: anna._id, action: 'customer.viewed' })).length;
  for (let i = 0; i < 3; i++) await view();
  expect(await countViews()).toBe(1);
  const ben = await bank.customer();
  await bank.test.database.ownerPool.query(
    `INSERT INTO audit_log (at, actor_kind, actor_id, action, subject)
     VALUES (now() - interval '6 minutes', 'admin', $1, 'customer.viewed', $2)`,
    [adminId, ben._id],
  );
  await bank.call(adminApi.user, { token, params: { id: ben._id } });
  expect(await records({ person: ben._id, action: 'customer.viewed' })).toHaveLength(2);
});

test('a view and a list are logged although the clock was three days ahead when the administrator last opened them [ST-55]', async () => {
  const anna = await bank.customer();
  const { database } = bank.test;
  await database.ownerPool.query(
    `INSERT INTO audit_log (at, actor_kind, actor_id, action, subject, data)
     SELECT now() + interval '3 days', 'admin', $1, action, $2, '{"queryHash":"ahead"}'
       FROM unnest('{customer.viewed,alerts.listed}'::text[]) AS a(action)`,
    [adminId, anna._id],
  );
  await bank.call(adminApi.user, { token, params: { id: anna._id } });
  const listed = {
    actor: { kind: 'admin', id: adminId },
    data: { queryHash: 'ahead' },
    subject: anna._id,
  } as const;
  for (let i = 0; i < 2; i++)
    await database.inTransaction(tx =>
      recordAuditOnce(tx, { ...listed, action: 'alerts.listed' }, 3_600_000),
    );
  for (const action of ['customer.viewed', 'alerts.listed'])
    expect(await records({ person: anna._id, action })).toHaveLength(2);
});

test('the record of a batch of postings shows their count and the first three, and is found by any of its transactions', async () => {
  const anna = await bank.customer({ dollars: 50 });
  const ben = await bank.customer();
  const sent = await Promise.all(
    [1, 2, 3, 4, 5].map(amount =>
      bank.call(transferApi.sendInternal, {
        token: anna.token,
        body: { receiverAccountNumber: ben.accountNumber, amount },
      }),
    ),
  );
  for (const { body } of sent) {
    const [group] = await records({ person: body.data._id });
    expect(group).toMatchObject({ action: 'transactions.posted', actorKind: 'system', actorName: 'System' });
    expect(group!.details).toMatch(/^(1 transaction|\d transactions): LB-/);
  }
  const [first] = await records({ action: 'transactions.posted', limit: 1 });
  const many = Array.from({ length: 5 }, (_, i) => `${sent[i]!.body.data._id} x 1 2 ${(i + 1) * 100} ::1`);
  await bank.test.database.ownerPool.query(
    `INSERT INTO audit_log (actor_kind, action, data) VALUES ('system', 'transactions.posted', $1)`,
    [{ posted: many }],
  );
  const [five] = await records({ action: 'transactions.posted', limit: 1 });
  expect(five!._id).not.toBe(first!._id);
  const references = sent.map(({ body }) => body.data.reference);
  expect(five!.details).toBe(
    `5 transactions: ${references[0]} $1.00, ${references[1]} $2.00, ${references[2]} $3.00 and 2 more`,
  );
});

test('pages continue after the last record, without gaps or repeats', async () => {
  // The first read of the log adds a record; repeated ones do not.
  await records({ limit: 100 });
  const all = await records({ limit: 100 });
  const seen: string[] = [];
  for (let before: string | undefined; ; ) {
    const { records: some, hasMore } = await page({ limit: 7, ...(before && { before }) });
    seen.push(...some.map(entry => entry._id));
    before = seen.at(-1);
    if (!hasMore) break;
    expect(some).toHaveLength(7);
  }
  expect(seen.length).toBeGreaterThan(14);
  expect(seen.slice(0, all.length)).toEqual(all.map(entry => entry._id));
  expect(new Set(seen).size).toBe(seen.length);
});

test("filters for actor, action, person and the bank's dates combine", async () => {
  await bank.call(adminApi.adminLogin, { body: { email: 'unknown@bank.example', password: 'wrong' } });
  const anna = await bank.customer({ firstName: 'Filtered' });
  expect(new Set(only(await records({ actorKind: 'admin' }), 'actorKind'))).toEqual(new Set(['admin']));
  expect(new Set(only(await records({ action: 'customer.approved' }), 'action'))).toEqual(
    new Set(['customer.approved']),
  );
  const both = await records({ actorKind: 'admin', person: anna._id });
  expect(only(both, 'action')).toEqual(['customer.approved']);
  const [failed] = await records({ action: 'login.failed', actorKind: 'admin' });
  expect(failed).toMatchObject({
    actorName: 'Unknown',
    subject: '',
    details: 'no active account with this email',
  });
  const today = await records({ person: anna._id, startDate: day(), endDate: day() });
  expect(today.length).toBeGreaterThan(0);
  expect(await records({ person: anna._id, startDate: day(1) })).toEqual([]);
  expect(await records({ person: anna._id, endDate: day(-1) })).toEqual([]);
  expect(await records({ action: 'no.such.act' })).toEqual([]);
});

test('a record made at 23:59 in New York belongs to that day, whatever the date is in UTC', async () => {
  const { ownerPool } = bank.test.database;
  await ownerPool.query(
    `INSERT INTO audit_log (at, actor_kind, action)
     VALUES ('2026-03-01T04:59:59.999Z', 'system', 'admin.created'), ('2026-03-01T05:00:00Z', 'system', 'admin.created')`,
  );
  const on = async (date: string) =>
    (await records({ startDate: date, endDate: date })).map(entry => entry.at);
  expect(await on('2026-02-28')).toEqual(['2026-03-01T04:59:59.999Z']);
  expect(await on('2026-03-01')).toEqual(['2026-03-01T05:00:00.000Z']);
});

test('the name of an erased customer does not appear', async () => {
  const anna = await bank.customer({ firstName: 'Vanishing' });
  await bank.call(adminApi.deleteUser, { token, params: { id: anna._id } });
  const entries = await records({ person: anna._id });
  expect(entries[0]).toMatchObject({ action: 'customer.deleted', actorName: 'Ada Admin' });
  const closed = `Closed account ${formatAccountNumber(anna.accountNumber)}`;
  expect(new Set(only(entries, 'subjectName'))).toEqual(new Set([closed]));
  expect(JSON.stringify(await records({ limit: 100 }))).not.toContain('Vanishing');
});

test('records about two deleted customers can be told apart by account number, moved balance and reference [A-53]', async () => {
  const [rich, poor] = [await bank.customer({ dollars: 90.2 }), await bank.customer()];
  for (const { _id } of [rich, poor]) await bank.call(adminApi.deleteUser, { token, params: { id: _id } });
  const deletion = async ({ _id }: typeof rich) =>
    (await records({ person: _id, action: 'customer.deleted' }))[0]!;
  expect((await deletion(rich)).details).toMatch(/^\$90\.20, LB-\w{4}-\w{4}-\w{4}$/);
  // The record of the credit, on the same page, keeps its own amount and reference.
  const all = await records({ person: rich._id });
  expect(new Set(all.map(({ details }) => /LB-[\w-]+/.exec(details)?.[0]).filter(Boolean)).size).toBe(2);
  expect((await deletion(rich)).subjectName).toBe(
    `Closed account ${formatAccountNumber(rich.accountNumber)}`,
  );
  expect(await deletion(poor)).toMatchObject({
    details: '',
    subjectName: `Closed account ${formatAccountNumber(poor.accountNumber)}`,
  });
});

test('a list or search is logged once an hour, with the number of rows and the query, whose names are masked [A-54]', async () => {
  const anna = await bank.customer({ firstName: 'Quirina' });
  const asked = (action: string) =>
    records({ action, limit: 100 }).then(found =>
      found.map(({ details, subject }) => ({ details, subject })),
    );
  for (let i = 0; i < 3; i++) await bank.call(adminApi.users, { token, query: { search: 'quirina' } });
  await bank.call(adminApi.users, {
    token,
    query: { search: anna.accountNumber, page: 2, withApproval: 'true' },
  });
  const lists = await asked('customers.listed');
  expect(lists.slice(0, 2)).toEqual([
    { details: `page 2, search for ${anna.accountNumber}, 0 rows`, subject: '' },
    { details: 'search for q••••••, 1 row', subject: anna._id },
  ]);
  await bank.call(adminApi.approvalQueue, { token, query: { sort: 'name' } });
  expect((await asked('approvals.listed'))[0]!.details).toMatch(/^order: “Last name, A–Z”, \d+ rows?$/);
  await bank.call(adminApi.verificationQueue, { token });
  expect((await asked('verifications.listed'))[0]!.details).toMatch(/^\d+ rows?$/);
  await bank.call(adminApi.adminTransactions, {
    token,
    query: { status: 'failed', search: 'LB-9X4K-7QRT-2BCD' },
  });
  expect((await asked('transactions.listed'))[0]!.details).toBe(
    'only “Failed”, search for LB-9X4K-7QRT-2BCD, 0 rows',
  );
  await records({ action: 'login.locked' });
  expect((await asked('audit.listed')).map(({ details }) => details)).toContainEqual(
    expect.stringMatching(/^only “Login locked”, \d+ rows?$/),
  );
  await records({ person: anna._id, actorKind: 'admin', endDate: '2026-11-09' });
  expect((await asked('audit.listed'))[0]!.details).toMatch(
    /^only “Administrator”, about Quirina Quist, to Nov 9, 2026, \d+ rows?$/,
  );
  // Looking up the holder of an account is a view of the customer.
  await bank.call(adminApi.accountHolder, { token, params: { accountNumber: anna.accountNumber } });
  expect(only(await records({ person: anna._id }), 'action')).toContain('customer.viewed');
});

test('the audit log describes no filter of a list by the name of its API parameter [A-54]', () => {
  const names = Object.values(areas)
    .flatMap(area => Object.values<Endpoint>(area))
    .filter(({ access, method }) => access === 'admin' && method === 'GET')
    .flatMap(({ query }) => Object.keys((query as { shape?: object } | undefined)?.shape ?? {}));
  expect(names).toContain('document');
  // `limit` and `withApproval` are not recorded, `customer` is recorded as a view of the customer, and `page` is called "page".
  const others = ['limit', 'withApproval', 'customer', 'page'];
  for (const name of new Set(names.filter(name => !others.includes(name))))
    expect(describeDetails({ asked: `page 2, ${name} 2026-11-09` })).not.toContain(`${name} 2026-11-09`);
});

test('the audit log names the filters of a list as the list’s own screen does [A-54]', () => {
  const described = [
    [
      'customers.listed',
      'state pending, document review',
      'only “Pending approval”, ID document: “Under review”',
    ],
    ['customers.exported', 'sort balance, direction down', 'order: balance, descending'],
    ['verifications.listed', 'sort oldest', 'order: “Longest wait first”'],
    ['transactions.exported', 'type external-transfer', 'only “External Transfer”'],
    ['screening.listed', 'state no-match', 'only “Not a match”'],
    ['requests.listed', 'status pending', 'only “Waiting”'],
    ['alerts.listed', 'status assigned', 'only “Assigned”'],
    ['messages.listed', 'list mine', 'only “Mine”'],
    ['unclaimed.listed', 'list waiting', 'only “Not paid out”'],
    ['rail.listed', 'list open', 'only “Open exceptions”'],
    ['audit.listed', 'actorKind system, action constructor', 'only “System”, only constructor'],
  ] as const;
  for (const [action, asked, text] of described)
    expect(describeDetails({ asked }, undefined, action)).toBe(text);
});

test('searches for two names are two records, even if both look the same when masked [A-54]', async () => {
  const { ownerPool } = bank.test.database;
  const searches = async () => {
    const found = await records({ action: 'customers.listed', limit: 100 });
    return found.filter(({ details }) => details.startsWith('search for z••••••, '));
  };
  for (const search of ['zenobia', 'zachary', 'zenobia'])
    await bank.call(adminApi.users, { token, query: { search } });
  expect(await searches()).toHaveLength(2);
  const { rows } = await ownerPool.query("SELECT FROM audit_log WHERE data::text ~* 'zenobia|zachary'");
  expect(rows).toEqual([]);
});

test('the log is searched by customer, administrator, reference, reason and address [SX-11]', async () => {
  const zita = await bank.customer({ firstName: 'Zita', dollars: 7 });
  const reason = 'Reported by the merchant in Queens';
  const body = { isFrozen: true, reason };
  await bank.call(adminApi.freeze, { token, params: { id: zita._id }, body });
  const actionsOf = async (search: string, more = {}) =>
    only((await page({ search, limit: 100, ...more })).records, 'action');
  const all = await actionsOf('zita');
  expect(all).toEqual(
    expect.arrayContaining(['customer.frozen', 'customer.credited', 'customer.registered']),
  );
  expect(await actionsOf(zita.email)).toEqual(all);
  expect(await actionsOf('zita', { action: 'customer.frozen' })).toEqual(['customer.frozen']);
  expect(await actionsOf('zita', { actorKind: 'customer' })).not.toContain('customer.frozen');
  expect(await actionsOf('merchant in queens')).toEqual(['customer.frozen']);
  expect(await actionsOf('Ada Admin', { action: 'customer.frozen' })).toContain('customer.frozen');
  const credited = (await records({ search: 'zita', action: 'customer.credited' }))[0]!;
  const reference = /LB-[\w-]+/.exec(credited.details)![0];
  const { transactions } = (
    await bank.call(adminApi.adminTransactions, { token, query: { search: reference } })
  ).body.data;
  await bank.call(adminApi.adminTransaction, { token, params: { id: transactions[0]!._id } });
  expect(await actionsOf(reference.toLowerCase())).toEqual(
    expect.arrayContaining(['transaction.viewed', 'customer.credited', 'transactions.posted']),
  );
  const schedule = '01890000-0000-7000-8000-00000000ada1';
  await bank.bank.parts.database.inTransaction(tx =>
    recordAudit(tx, { actor: { kind: 'customer' }, action: 'scheduled.added', data: { schedule } }),
  );
  await bank.test.database.ownerPool.query(
    `INSERT INTO scheduled_runs (schedule_id, date, account_id, result, amount, transaction_id, notification_id)
     VALUES ($1, '2026-11-09', 1, 'sent', 700, $2, $1)`,
    [schedule, transactions[0]!._id],
  );
  expect(await actionsOf(reference)).toContain('scheduled.added');
  expect(await actionsOf(credited.address, { action: 'customer.registered' })).toContain(
    'customer.registered',
  );
  expect(await actionsOf('nothing like it')).toEqual([]);
  const gone = await bank.customer();
  await bank.call(adminApi.deleteUser, { token, params: { id: gone._id } });
  expect(await actionsOf(formatAccountNumber(gone.accountNumber))).toContain('customer.deleted');
  // The page after the newest record has all the others.
  const [newest, ...older] = await records({ search: 'zita', limit: 100 });
  expect(await records({ search: 'zita', limit: 100, before: newest!._id })).toEqual(older);
});

test('records are shown as sealed once they are in the hash chain [M-36]', async () => {
  await createAdmin(bank.bank.parts, {
    email: 'seal@bank.example',
    name: 'Seal',
    password: 'a quiet river stone',
  });
  const [made] = await records({ action: 'admin.created', limit: 1, startDate: day() });
  expect(made!.subjectName).toBe('Seal');
  await eventually(async () => {
    const again = await records({ action: 'admin.created', limit: 1, startDate: day() });
    return again[0]!.isSealed ? true : undefined;
  });
});

test('the log contains no passwords, codes, tokens or email addresses', async () => {
  const anna = await bank.customer();
  await bank.call(authApi.forgotPassword, { body: { email: anna.email } });
  const code = await bank.mailedCode(anna.email, 1);
  const text = JSON.stringify(await records({ limit: 100 }));
  for (const secret of [code, anna.token, token, '80412975', anna.email]) expect(text).not.toContain(secret);
});

test('the list of actions is complete: every recorded action is in it', async () => {
  const { actions } = await page();
  expect(actions).toEqual(Object.keys(auditActions));
  const found = await bank.test.database.pool.query<{ action: string }>(
    'SELECT DISTINCT action FROM audit_log',
  );
  for (const { action } of found.rows) expect(actions).toContain(action);
});

test('every page of a long log is read through an index, whatever the filter', async () => {
  const { ownerPool, pool } = bank.test.database;
  await ownerPool.query(
    `INSERT INTO audit_log (actor_kind, action, data)
     SELECT 'system', 'transactions.posted', '{"posted": []}' FROM generate_series(1, 20000)`,
  );
  await ownerPool.query('ANALYZE audit_log');
  await bank.customer({ dollars: 3 });
  const { rows } = await pool.query<{ id: string; reference: string }>(
    'SELECT id, reference FROM transactions LIMIT 1',
  );
  const credit = rows[0]!;
  const person = '01890000-0000-7000-8000-000000000000';
  const filters: Partial<AuditFilter>[] = [
    {},
    { before: '15000' },
    { actorKind: 'customer' },
    { action: 'admin.created' },
    { actorKind: 'admin', action: 'login.failed' },
    { person },
    { person, action: 'login.failed', actorKind: 'admin' },
    { startDate: '2026-03-01', endDate: '2026-03-02' },
    { search: 'Ada' },
    { search: 'merchant' },
    { search: '127.0.0.1', actorKind: 'customer' },
    { search: credit.reference },
    { person: credit.id },
  ];
  for (const filter of filters) {
    const whole = await listSeqScans(pool, reader => readAuditLog(reader, { limit: 50, ...filter }));
    expect(whole, JSON.stringify(filter)).not.toContain('audit_log');
  }
});
