/**
 * Changes that an attacker can make with the rights of the database's owner, with one exception without APP_SECRET: verify
 * reports each, and names the row where it can. Each forgery is made, verified and rolled back in one transaction.
 */
import { createSecretKey } from 'node:crypto';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeForGood } from '../../../tests/closeForGood.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { aCustomer, testSecrets } from '../../../tests/person.ts';
import { eventually } from '../../../tests/waiting.ts';
import { newId } from '../base/uuid.ts';
import { type AuditHead, recordAudit } from '../db/audit.ts';
import type { Reader } from '../db/database.ts';
import { openDocuments } from '../documents/documents.ts';
import { makeStatements } from '../jobs/makeStatements.ts';
import { approveAccount } from './accounts.ts';
import { hashRecord } from './evidence.ts';
import { moveGoal, openGoalAccount } from './goals.ts';
import { type Ledger, openLedger, referenceOf } from './ledger.ts';
import { reverseTransaction } from './reversals.ts';
import { storeSealedBalances } from './sealedBalances.ts';
import { sealRecords } from './sealing.ts';
import { payUnclaimed } from './unclaimed.ts';
import { proveBooks, verifyBooks } from './verify.ts';

const { sealKey } = testSecrets;
const adminId = newId();

let bank: TestDatabase;
let ledger: Ledger;
/** The ids in this history by name, for the statements below. */
const known: Record<string, string> = {};
let head: AuditHead;

type Person = Awaited<ReturnType<typeof person>>;

async function person(cents: bigint) {
  const created = await aCustomer(bank.database);
  await bank.database.inTransaction(async tx => {
    await approveAccount(tx, created.accountId);
    const { id } = created;
    await recordAudit(tx, {
      actor: { kind: 'customer', id },
      action: 'customer.registered',
      subject: id,
    });
  });
  const credited = await ledger.credit({
    adminId,
    sessionId: null,
    accountNumber: created.accountNumber,
    amountCents: cents,
    description: 'start',
    address: '::1',
  });
  return { ...created, credit: credited._id };
}

const send = async (from: Person, to: Person, amountCents: bigint, description: string) =>
  (
    await ledger.transfer({
      customerId: from.id,
      sessionId: null,
      receiverAccountNumber: to.accountNumber,
      amountCents,
      description,
      address: '::1',
    })
  )._id;

const sendOut = async (from: Person, amountCents: bigint) =>
  (
    await ledger.sendExternal({
      customerId: from.id,
      sessionId: null,
      amountCents,
      description: 'Roof',
      address: '::1',
      bank: { bankName: 'First Harbor Bank', accountName: 'Ines Caldeira', accountNumber: '12345678' },
    })
  )._id;

const assign = (sourceId: string, { accountNumber }: Person) =>
  bank.database.inTransaction(async tx => {
    const order = { sourceId, payee: { accountNumber }, adminId, reason: 'Will', address: '::1' };
    const paid = await payUnclaimed(tx, order);
    return 'id' in paid ? paid.id : '';
  });

const sealEverything = () =>
  eventually(async () => {
    const { hasMore } = await sealRecords(bank.database, sealKey);
    const { checked } = await verifyBooks(bank.database.reader, { sealKey });
    return (!hasMore && checked.unsealed === 0) || undefined;
  });

/** Makes the statements of this month, as if the month were over. */
async function makeAllStatements(): Promise<void> {
  const documents = openDocuments('800000006');
  const inFortyDays = new Date(Date.now() + 40 * 86_400_000);
  await makeStatements({ ...bank, documents, log: pino({ level: 'silent' }) }, undefined, inFortyDays);
  await documents.close();
  const made = await bank.database.pool.query<{ month: string }>(
    'SELECT min(month) AS month FROM statements',
  );
  known.month = made.rows[0]!.month;
}

beforeAll(async () => {
  bank = await cloneDatabase();
  ledger = openLedger(bank.database);
  const [anna, ben, carl] = [await person(100_000n), await person(50_000n), await person(7_000n)];
  Object.assign(known, { anna: anna.accountId, ben: ben.accountId, carl: carl.accountId });
  Object.assign(known, { annaId: anna.id, benId: ben.id, credit: ben.credit });
  known.lunch = await send(anna, ben, 1_250n, 'Lunch');
  known.rent = await send(anna, ben, 40_000n, 'Rent');
  known.pending = await sendOut(anna, 3_000n);
  known.settled = await sendOut(anna, 2_000n);
  known.returned = await sendOut(ben, 1_000n);
  known.erased = await sendOut(carl, 500n);
  known.gift = await send(anna, ben, 600n, 'Gift');
  known.reversal = await bank.database.inTransaction(async tx => {
    const order = { transactionId: known.gift!, adminId, reason: 'Sent twice', address: '::1' };
    const reversed = await reverseTransaction(tx, order);
    return 'id' in reversed ? reversed.id : '';
  });
  const dora = await person(900n);
  known.canceled = await sendOut(dora, 900n);
  await bank.database.inTransaction(tx =>
    ledger.cancelExternal(tx, known.canceled!, { kind: 'customer', id: dora.id, address: '::1' }),
  );
  await bank.database.inTransaction(async tx => {
    await ledger.endExternal(tx, known.settled!, { isSettled: true });
    await ledger.endExternal(tx, known.returned!, { isSettled: false, reason: 'Account unknown' });
    await ledger.endExternal(tx, known.erased!, { isSettled: true });
  });
  await closeForGood(bank.database, carl.accountId);
  const [eve, finn, gail] = [await person(800n), await person(700n), await person(600n)];
  for (const { accountId } of [eve, finn, gail]) await closeForGood(bank.database, accountId);
  const sweeps = await bank.database.pool.query<{ id: string; account: string }>(
    `SELECT transaction_id AS id, debit_account AS account FROM journal_entries WHERE kind = 'sweep'`,
  );
  const sweepOf = ({ accountId }: Person) =>
    sweeps.rows.find(({ account }) => String(account) === String(accountId))!.id;
  Object.assign(known, { swept: sweepOf(carl), eveSweep: sweepOf(eve), finnSweep: sweepOf(finn) });
  known.finn = String(finn.accountId);
  known.payout = await bank.database.inTransaction(async tx => {
    const iban = { bankName: 'First Harbor Bank', accountName: 'Ines Caldeira', accountNumber: '12345678' };
    const order = {
      sourceId: known.eveSweep!,
      payee: { bank: iban },
      adminId,
      reason: 'Letter',
      address: '::1',
    };
    const paid = await payUnclaimed(tx, order);
    return 'id' in paid ? paid.id : '';
  });
  // A balance that was credited to the wrong customer, came back, and was credited to the right one.
  known.wrong = await assign(sweepOf(gail), anna);
  const back = await bank.database.inTransaction(async tx => {
    const order = { transactionId: known.wrong!, adminId, reason: 'Wrong heir', address: '::1' };
    const reversed = await reverseTransaction(tx, order);
    return 'id' in reversed ? reversed.id : '';
  });
  known.right = await assign(back, ben);
  const zoe = await aCustomer(bank.database);
  Object.assign(known, { zoe: zoe.accountId, zoeId: zoe.id });
  const depositId = newId();
  await bank.database.ownerPool.query(
    "SELECT book_deposit_at(now(), $1, $2, 'PAY-1', $3, 900, 'Canal Street Payroll', 'TD Bank')",
    [depositId, referenceOf(depositId), anna.accountNumber],
  );
  const deposits = await bank.database.ownerPool.query<{ id: string }>(
    'SELECT transaction_id AS id FROM deposits',
  );
  known.deposit = deposits.rows[0]!.id;
  const { accountId, id: actor } = anna;
  await bank.database.inTransaction(async tx => {
    const goalAccount = await openGoalAccount(tx, accountId);
    known.goal = String(goalAccount);
    const move = { accountId, goalAccount, cause: 'customer', actor, address: '::1' } as const;
    await moveGoal(tx, { ...move, cents: 700n });
    const taken = await moveGoal(tx, { ...move, cents: -200n });
    known.taken = 'id' in taken ? taken.id : '';
  });
  // A payment that is returned after money moved to a goal and before the next transaction.
  const [gwen, hal] = [await person(900n), await person(100n)];
  const paid = await sendOut(gwen, 100n);
  await bank.database.inTransaction(async tx => {
    const { id, accountId: saver } = gwen;
    const goalAccount = await openGoalAccount(tx, saver);
    const move = {
      accountId: saver,
      goalAccount,
      cents: 300n,
      cause: 'customer',
      actor: id,
      address: '::1',
    } as const;
    await moveGoal(tx, move);
  });
  await bank.database.inTransaction(tx =>
    ledger.endExternal(tx, paid, { isSettled: false, reason: 'Account unknown' }),
  );
  await send(gwen, hal, 5n, 'Tea');
  await sealEverything();
  const { sealed } = await verifyBooks(bank.database.reader, { sealKey });
  await storeSealedBalances(bank.database, sealKey, sealed);
  known.late = await send(ben, anna, 75n, 'Coffee');
  await makeAllStatements();
  await sealEverything();
  ({ head } = await verifyBooks(bank.database.reader, { sealKey }));
  const records = await bank.database.pool.query<{ id: bigint; posted: string }>(
    `SELECT id, data->'posted'->>0 AS posted FROM audit_log WHERE action = 'transactions.posted'`,
  );
  for (const name of ['lunch', 'rent', 'late'])
    known[`${name}Record`] = String(records.rows.find(row => row.posted.startsWith(known[name]!))!.id);
});

afterAll(async () => {
  await ledger.close();
  await bank.drop();
});

const tables = [
  'transactions',
  'journal_entries',
  'refused_requests',
  'audit_log',
  'audit_seals',
  'sealed_days',
  'reversals',
  'statements',
  'goal_movements',
  'unclaimed_payouts',
];

/** Runs `forge` with the owner's rights and no insert-only triggers. Returns what verify finds in the same transaction. */
async function faultsAfter(
  forge: (tx: Reader) => Promise<unknown>,
  options: Parameters<typeof verifyBooks>[1] = {},
): Promise<string[]> {
  const tx = await bank.database.owner.startTransaction().setIsolationLevel('repeatable read').execute();
  try {
    for (const table of tables) await sql.raw(`ALTER TABLE ${table} DISABLE TRIGGER insert_only`).execute(tx);
    await sql`ALTER TABLE rail_outgoing DISABLE TRIGGER USER`.execute(tx);
    await sql`ALTER TABLE external_transfers DISABLE TRIGGER submitted_once`.execute(tx);
    await forge(tx);
    return (await proveBooks(tx, { sealKey, noted: [head], ...options })).faults;
  } finally {
    await tx.rollback().execute();
  }
}

/** Replaces names such as :lunch with the ids of this history. */
const withIds = (text: string) => text.replace(/:(\w+)/g, (all, name: string) => known[name] ?? all);
const run = (statements: string) => async (tx: Reader) => {
  for (const statement of withIds(statements).split(';')) await sql.raw(statement).execute(tx);
};

test('before anything is forged, neither a full proof nor one since the sealed balances finds a fault [M-23, M-42]', async () => {
  expect(await faultsAfter(async () => {})).toEqual([]);
  expect(await faultsAfter(async () => {}, { sinceLast: true })).toEqual([]);
});

/** What is forged, the statements that forge it, and a part of each sentence that verify must print. */
const forgeries: [what: string, statements: string, ...named: string[]][] = [
  [
    'a credit without an audit record',
    `INSERT INTO transactions SELECT '01ffffff-0000-7000-8000-000000000001', 'admin-credit', 900, NULL, NULL, id, entry_count + 1, now(),
            '${adminId}', gen_random_uuid(), gen_random_uuid(), 'LB-0000-0000-0000', 'gift' FROM ledger_accounts WHERE id = :anna;
     INSERT INTO journal_entries SELECT '01ffffff-0000-7000-8000-000000000001', 1, 'post', 1, :anna, 900, t.balance - 900, a.balance + 900, now()
       FROM ledger_accounts t, ledger_accounts a WHERE t.id = 1 AND a.id = :anna;
     UPDATE ledger_accounts SET balance = balance - 900 WHERE id = 1;
     UPDATE ledger_accounts SET balance = balance + 900, entry_count = entry_count + 1, received = received + 900 WHERE id = :anna;
     UPDATE transaction_totals SET count = count + 1, cents = cents + 900
      WHERE (day, type, status, shard) = (SELECT day, type, status, shard FROM transaction_totals WHERE type = 'admin-credit' LIMIT 1)`,
    'transaction 01ffffff-0000-7000-8000-000000000001',
    'entry 01ffffff-0000-7000-8000-000000000001 step 1',
    'account :anna has a balance of',
  ],
  [
    "a sender's running balance",
    `UPDATE journal_entries SET debit_balance = debit_balance + 5 WHERE transaction_id = ':lunch'`,
    'transaction :lunch, step 1',
    'entry :lunch step 1 leaves account :anna',
  ],
  [
    "a receiver's running balance",
    `UPDATE journal_entries SET credit_balance = credit_balance - 5 WHERE transaction_id = ':rent'`,
    'entry :rent step 1 leaves account :ben',
  ],
  [
    'the order of two transactions of an account',
    `UPDATE transactions SET sender_seq = 1000 WHERE id = ':lunch';
     UPDATE transactions SET sender_seq = 2 WHERE id = ':rent';
     UPDATE transactions SET sender_seq = 3 WHERE id = ':lunch'`,
    'transaction :lunch is number 3 of account :anna, not 2',
    'transaction :rent is number 2 of account :anna, not 3',
  ],
  [
    'the date of a transaction',
    `UPDATE transactions SET created_at = created_at - interval '3 seconds' WHERE id = ':lunch'`,
    'transaction :lunch, record :lunchRecord',
    'transaction :lunch, step 1',
  ],
  [
    'the date of an entry',
    `UPDATE journal_entries SET posted_at = posted_at - interval '3 seconds' WHERE transaction_id = ':lunch'`,
    'transaction :lunch, step 1',
  ],
  [
    'a description',
    `UPDATE transactions SET description = 'Loan' WHERE id = ':lunch'`,
    'transaction :lunch, step 1',
  ],
  [
    'a reference',
    `UPDATE transactions SET reference = 'LB-0' WHERE id = ':lunch'`,
    'transaction :lunch, step 1',
  ],
  [
    'the sender of a transaction',
    `UPDATE transactions SET actor = ':benId' WHERE id = ':lunch'`,
    'transaction :lunch, record :lunchRecord',
  ],
  [
    'the idempotency key of a transaction',
    `UPDATE transactions SET key_hash = gen_random_uuid() WHERE id = ':lunch'`,
    'transaction :lunch, step 1',
  ],
  [
    'the transaction that a reversal reverses',
    `UPDATE reversals SET original_id = ':lunch' WHERE transaction_id = ':reversal'`,
    'every reversal is the opposite of one credit or transfer, and is recorded as one: transaction :reversal',
    'transaction :reversal, step 1',
  ],
  [
    'a reversal that reverses nothing',
    `DELETE FROM reversals WHERE transaction_id = ':reversal'`,
    'every reversal is the opposite of one credit or transfer, and is recorded as one: transaction :reversal',
  ],
  [
    'a transfer that is marked as reversed',
    `INSERT INTO reversals (transaction_id, original_id) VALUES (':rent', ':lunch')`,
    'every reversal is a transaction of type reversal, and no transaction is reversed twice: reversal :rent',
  ],
  [
    'a reversal turned into a transfer',
    `UPDATE transactions SET type = 'transfer' WHERE id = ':reversal'`,
    'transaction :reversal, step 1',
  ],
  [
    'a line of a rail file that settled a different amount',
    `INSERT INTO rail_files (id, direction, name, format, counterparty, sha256, lines, cents, state)
     VALUES ('01ffffff-0000-7000-8000-000000000002', 'in', 'x', 'camt.054', '', '', 1, 2001, 'applied');
     INSERT INTO rail_incoming (file_id, line, kind, amount, currency, keys, account_number, party_name, bank_name, code, text, ref,
                                original, outcome, transaction_id)
     VALUES ('01ffffff-0000-7000-8000-000000000002', 1, 'settled', 2001, 'USD', '{}', '', '', '', '', '', '', '{}', 'applied', ':settled')`,
    'every applied line of the rail’s files agrees with the entry that it caused: line ',
  ],
  [
    'a payment in a rail file that is not marked as submitted, so that it can be canceled although the other bank pays it',
    `INSERT INTO rail_outgoing (transaction_id, counterparty) VALUES (':pending', '800000019')`,
    'what leaves in the rail’s files is a submitted payment or the true answer to a deposit: payment :pending',
  ],
  [
    'the return of a deposit that was booked',
    `INSERT INTO rail_files (id, direction, name, format, counterparty, sha256, lines, cents, state)
     VALUES ('01ffffff-0000-7000-8000-000000000002', 'in', 'x', 'pacs.008', '800000019', '', 1, 900, 'applied');
     INSERT INTO rail_incoming (file_id, line, kind, amount, currency, keys, account_number, party_name, bank_name, code, text, ref,
                                original, outcome)
     VALUES ('01ffffff-0000-7000-8000-000000000002', 1, 'deposit', 900, 'USD', '{}', '', '', '', '', '', (SELECT ref FROM deposits LIMIT 1), '{}', 'sent-back');
     INSERT INTO rail_outgoing (answer_to, code, counterparty) SELECT max(id), 'AC01', '800000019' FROM rail_incoming`,
    'what leaves in the rail’s files is a submitted payment or the true answer to a deposit: answer to line',
  ],
  [
    'the account to which a file for another bank sends money',
    `INSERT INTO rail_files (id, direction, name, format, counterparty, sha256, lines, cents, state, content)
     VALUES ('01ffffff-0000-7000-8000-000000000003', 'out', 'x', 'nacha', '800000019', sha256('to Ines'), 1, 2000, 'made', 'to Ivan');
     INSERT INTO rail_outgoing (transaction_id, counterparty, file_id, line)
     VALUES (':settled', '800000019', '01ffffff-0000-7000-8000-000000000003', 1)`,
    'every file for another bank still has its content, and the count and sum of its lines: file 01ffffff-0000-7000-8000-000000000003',
  ],
  [
    'a file for another bank with a payment that no customer made',
    `INSERT INTO rail_files (id, direction, name, format, counterparty, sha256, lines, cents, state, content)
     VALUES ('01ffffff-0000-7000-8000-000000000003', 'out', 'x', 'nacha', '800000019', sha256('to Ivan'), 1, 2000, 'made', 'to Ivan')`,
    'every file for another bank still has its content, and the count and sum of its lines: file 01ffffff-0000-7000-8000-000000000003',
  ],
  [
    'a file for another bank that counts as ended and would still be sent',
    `INSERT INTO rail_files (id, direction, name, format, counterparty, sha256, lines, cents, state, content)
     VALUES ('01ffffff-0000-7000-8000-000000000003', 'out', 'x', 'nacha', '800000019', sha256('to Ines'), 1, 2000, 'ended', 'to Ines');
     INSERT INTO rail_outgoing (transaction_id, counterparty, file_id, line)
     VALUES (':settled', '800000019', '01ffffff-0000-7000-8000-000000000003', 1)`,
    'every file for another bank still has its content, and the count and sum of its lines: file 01ffffff-0000-7000-8000-000000000003',
  ],
  [
    'the amount of a reversal',
    `UPDATE transactions SET amount = 500 WHERE id = ':reversal';
     UPDATE journal_entries SET amount = 500 WHERE transaction_id = ':reversal'`,
    'transaction :reversal, step 1',
  ],
  [
    'the unclaimed balance that a payout pays out',
    `UPDATE unclaimed_payouts SET source_id = ':finnSweep' WHERE transaction_id = ':payout'`,
    'every payout of unclaimed money pays out one unclaimed balance, in full: transaction :payout',
    'transaction :payout, step 1',
    'the unclaimed account holds exactly the balances that are not paid out',
  ],
  [
    'a deleted link from a payout to its unclaimed balance, to pay the balance out again',
    `DELETE FROM unclaimed_payouts WHERE transaction_id = ':payout'`,
    'every payout of unclaimed money pays out one unclaimed balance, in full: transaction :payout',
  ],
  [
    'an unclaimed balance that is falsely marked as paid out',
    `INSERT INTO unclaimed_payouts (transaction_id, source_id) VALUES (':lunch', ':finnSweep')`,
    'every unclaimed balance is paid out at most once, by a transaction of the books: payout :lunch',
  ],
  ...['wrong', 'right'].map((name): [string, string, string] => [
    `the closed account of a payout, so that staff see another owner when the money comes back: ${name}`,
    `UPDATE unclaimed_payouts SET account_id = :finn WHERE transaction_id = ':${name}'`,
    `every payout of unclaimed money names the closed account that it came from: payout :${name}`,
  ]),
  [
    'a payout with a customer as its sender',
    `UPDATE transactions SET sender_account = :anna, sender_seq = 900 WHERE id = ':payout'`,
    'every transaction has its posting entry, with its own amount and parties: transaction :payout',
  ],
  [
    'the bank of a payee',
    `UPDATE external_transfers SET bank_name = 'Other Bank' WHERE transaction_id = ':settled'`,
    'transaction :settled, step 1',
  ],
  [
    'the account of a payee',
    `UPDATE external_transfers SET account_number = '87654321' WHERE transaction_id = ':pending'`,
    'transaction :pending, step 1',
  ],
  [
    'the name of a payee',
    `UPDATE external_transfers SET account_name = 'Mallory' WHERE transaction_id = ':pending'`,
    'every payment names the account that it was sealed with: transaction :pending',
  ],
  [
    'the name of a payee, cleared as if the sender had been erased',
    `UPDATE external_transfers SET account_name = '' WHERE transaction_id = ':settled'`,
    'every payment names the account that it was sealed with: transaction :settled',
  ],
  [
    'a new name in place of one that was erased',
    `UPDATE external_transfers SET account_name = 'Mallory', name_salt = gen_random_uuid() WHERE transaction_id = ':erased'`,
    'every payment names the account that it was sealed with: transaction :erased',
  ],
  [
    'the sender of a deposit',
    `UPDATE deposits SET sender_name = 'Mallory' WHERE transaction_id = ':deposit'`,
    'every payment names the account that it was sealed with: transaction :deposit',
  ],
  [
    'the bank of a deposit',
    `UPDATE deposits SET bank_name = 'Other Bank' WHERE transaction_id = ':deposit'`,
    'transaction :deposit, step 1',
  ],
  [
    'the account number of a deposit',
    `UPDATE deposits SET account_number = (SELECT number FROM ledger_accounts WHERE id = :ben) WHERE transaction_id = ':deposit'`,
    'every deposit has a transaction, an entry from clearing and its details, and they agree: deposit :deposit',
  ],
  [
    'the rail’s reference of a deposit',
    `UPDATE deposits SET ref = 'PAY-2' WHERE transaction_id = ':deposit'`,
    'transaction :deposit, step 1',
  ],
  [
    'the person who took money out of a savings goal',
    `UPDATE goal_movements SET actor = ':benId' WHERE id = ':taken'`,
    'every movement of a savings goal is as its audit record says: goal movement :taken',
  ],
  [
    'the account that got money from a savings goal',
    `UPDATE goal_movements SET account = :ben WHERE id = ':taken';
     UPDATE journal_entries SET credit_account = :ben WHERE transaction_id = ':taken';
     UPDATE ledger_accounts SET balance = balance - 200 WHERE id = :anna;
     UPDATE ledger_accounts SET balance = balance + 200 WHERE id = :ben`,
    'every savings goal belongs to one customer, and its money moves only to and from that account: goal movement :taken',
    'transaction :taken, step 1',
    'account :ben has a balance of',
  ],
  [
    'the owner of a savings goal',
    'UPDATE ledger_accounts SET owner = :ben WHERE id = :goal',
    'every savings goal belongs to one customer, and its money moves only to and from that account: goal movement :taken',
  ],
  [
    'a customer’s account turned into a savings goal of another customer',
    `ALTER TABLE ledger_accounts DROP CONSTRAINT only_customers_have_numbers;
     UPDATE ledger_accounts SET kind = 'goal', owner = :ben WHERE id = :anna`,
    'every customer’s account is a customer account: account :anna',
  ],
  [
    'a movement of a savings goal without a record',
    `INSERT INTO goal_movements SELECT '01ffffff-0000-7000-8000-000000000001', account, goal_account, -100, after_seq, cause, now(),
            actor, gen_random_uuid(), request_hash FROM goal_movements WHERE id = ':taken'`,
    'goal movement 01ffffff-0000-7000-8000-000000000001',
  ],
  [
    'a deposit that never arrived at the bank',
    `DELETE FROM journal_entries WHERE transaction_id = ':deposit' AND step = 2`,
    'reports the arrival of deposit :deposit',
  ],
  [
    'the arrival of a deposit turned into another movement',
    `UPDATE journal_entries SET kind = 'settle', debit_account = 3 WHERE transaction_id = ':deposit' AND step = 2`,
    'every deposit arrived as its audit record says: deposit :deposit',
  ],
  [
    'a deposit without its details',
    `DELETE FROM deposits WHERE transaction_id = ':deposit'`,
    'every deposit has a transaction, an entry from clearing and its details, and they agree: deposit :deposit',
  ],
  [
    'the reason why a payment was returned',
    `UPDATE external_transfers SET return_reason = 'Fraud' WHERE transaction_id = ':returned'`,
    'external transfer :returned, record',
    'transaction :returned, step 2',
  ],
  [
    'a pending payment marked as completed',
    `UPDATE external_transfers SET status = 'completed', decided_at = now() WHERE transaction_id = ':pending'`,
    'external transfer :pending is completed',
  ],
  [
    'a canceled payment marked as submitted to the rail',
    `UPDATE external_transfers SET submitted_at = now() WHERE transaction_id = ':canceled'`,
    'canceled payment was taken back before it was submitted: external transfer :canceled',
  ],
  [
    'a canceled payment marked as still pending',
    `UPDATE external_transfers SET status = 'pending', decided_at = NULL, return_reason = NULL WHERE transaction_id = ':canceled'`,
    'external transfer :canceled',
  ],
  [
    'a returned payment marked as settled',
    `UPDATE external_transfers SET status = 'completed', return_reason = NULL WHERE transaction_id = ':returned'`,
    'external transfer :returned is completed',
  ],
  [
    'the deleted job of a pending payment',
    `DELETE FROM graphile_worker._private_jobs WHERE key = 'submit-payment::pending'`,
    'every pending external transfer has a job: external transfer :pending',
  ],
  [
    'the amount of a transfer, with both balances',
    `UPDATE transactions SET amount = 1251 WHERE id = ':lunch';
     UPDATE journal_entries SET amount = 1251, debit_balance = debit_balance - 1, credit_balance = credit_balance + 1 WHERE transaction_id = ':lunch';
     UPDATE ledger_accounts SET balance = balance - 1, sent = sent + 1 WHERE id = :anna;
     UPDATE ledger_accounts SET balance = balance + 1, received = received + 1 WHERE id = :ben;
     UPDATE audit_log SET data = replace(data::text, ' 1250 ', ' 1251 ')::jsonb WHERE id = :lunchRecord`,
    'record :lunchRecord: the record or its seal was changed',
    'transaction :lunch, step 1',
  ],
  [
    'the receiver of a transfer',
    `UPDATE transactions SET receiver_account = :carl, receiver_seq = 99 WHERE id = ':lunch';
     UPDATE journal_entries SET credit_account = :carl WHERE transaction_id = ':lunch'`,
    'transaction :lunch',
  ],
  [
    'a transfer that is deleted with its entry and record',
    `DELETE FROM transactions WHERE id = ':lunch';
     DELETE FROM journal_entries WHERE transaction_id = ':lunch';
     DELETE FROM audit_log WHERE id = :lunchRecord`,
    'record :lunchRecord: the record is gone',
  ],
  [
    'a deleted transaction',
    `DELETE FROM transactions WHERE id = ':lunch'`,
    'record :lunchRecord reports transaction :lunch',
  ],
  [
    'a deleted entry',
    `DELETE FROM journal_entries WHERE transaction_id = ':lunch'`,
    'every transaction has its posting entry, with its own amount and parties: transaction :lunch',
  ],
  [
    'a payment whose end was deleted',
    `DELETE FROM journal_entries WHERE transaction_id = ':settled' AND step = 2`,
    'the end of external transfer :settled',
  ],
  [
    'deleted details of a payment',
    `DELETE FROM external_transfers WHERE transaction_id = ':settled'`,
    'every external transfer has its details, and no other transaction has: transaction :settled',
  ],
  [
    'an audit record deleted with its seal',
    `DELETE FROM audit_log WHERE id = :lunchRecord; DELETE FROM audit_seals WHERE audit_id = :lunchRecord`,
    'entry :lunch step 1',
    'is missing',
  ],
  [
    'the address in an audit record',
    `UPDATE audit_log SET data = replace(data::text, '::1', '::2')::jsonb WHERE id = :rentRecord`,
    'record :rentRecord: the record or its seal was changed',
  ],
  [
    'an audit record that is inserted among the old ones',
    `INSERT INTO audit_log (id, actor_kind, action, subject) OVERRIDING SYSTEM VALUE VALUES (-1, 'system', 'customer.approved', ':annaId')`,
    'record -1: it has no seal, although later records have one',
  ],
  [
    'an audit record that is inserted with the position and the hash of a genuine seal',
    `ALTER TABLE audit_seals DROP CONSTRAINT audit_seals_pkey;
     INSERT INTO audit_log (id, actor_kind, action, subject) OVERRIDING SYSTEM VALUE
       VALUES ((SELECT max(id) + 1 FROM audit_log), 'system', 'customer.approved', ':annaId');
     INSERT INTO audit_seals SELECT position, audit_id + 1, hash, '' FROM audit_seals ORDER BY position DESC LIMIT 1`,
    'its seal is out of order',
  ],
  [
    'money moved from one account to another',
    `UPDATE ledger_accounts SET balance = balance - 7 WHERE id = :ben; UPDATE ledger_accounts SET balance = balance + 7 WHERE id = :anna`,
    'account :ben has a balance of',
    'account :anna has a balance of',
  ],
  [
    'a counter of an account',
    `UPDATE ledger_accounts SET sent = sent + 1 WHERE id = :anna`,
    'account :anna counts',
  ],
  [
    'a closed account marked as open',
    `UPDATE ledger_accounts SET is_closed = false WHERE id = :carl`,
    'account :carl',
  ],
  [
    'an open account marked as closed, so that its customer can no longer log in',
    'UPDATE ledger_accounts SET is_closed = true WHERE id = :zoe',
    'the account of every erased customer is closed, and that of every other customer is open: customer :zoeId',
  ],
  [
    'an account that belongs to someone else',
    `ALTER TABLE customers DROP CONSTRAINT customers_account_id_key;
     UPDATE customers SET account_id = :ben WHERE id = ':annaId'`,
    'every customer has the account that they registered with: customer :annaId',
    'every customer account with entries has a customer, and every customer’s account is a customer account: account :anna',
  ],
  [
    'the number of an account',
    `UPDATE ledger_accounts SET number = '999999999999' WHERE id = :anna`,
    'every customer has the account that they registered with: customer :annaId',
  ],
  [
    'a daily total',
    `UPDATE transaction_totals SET cents = cents + 1 WHERE type = 'transfer'`,
    'the daily totals match the transactions',
  ],
  [
    'a sealed balance',
    `UPDATE sealed_balances SET balance = balance + 1 WHERE account_id = :anna`,
    'the sealed balance of account :anna',
  ],
  [
    'a figure of a statement',
    `UPDATE statements SET money_in = money_in + 5, money_out = money_out + 5 WHERE account_id = :anna AND month = ':month'`,
    'the movements of the books: statement of account :anna for :month: its money in, its money out',
  ],
  [
    'the balance of a statement and the one that the next month opens with',
    `UPDATE statements SET money_in = money_in + 5, closing = closing + 5 WHERE account_id = :anna AND month = ':month';
     UPDATE statements SET opening = opening + 5, closing = closing + 5 WHERE account_id = :anna AND month > ':month'`,
    'as its audit record says: statement of account :anna for :month: its closing balance or a hash',
    'the movements of the books: statement of account :anna for :month: its closing balance, its money in',
  ],
  [
    'the hash of the movements of a statement',
    `UPDATE statements SET content_hash = sha256('other') WHERE account_id = :ben AND month = ':month'`,
    'as its audit record says: statement of account :ben for :month: its closing balance or a hash',
    'the movements of the books: statement of account :ben for :month: its movements',
  ],
  [
    'the hash of the PDF of a statement',
    `UPDATE statements SET file_hash = sha256('other') WHERE account_id = :ben AND month = ':month'`,
    'as its audit record says: statement of account :ben for :month: its closing balance or a hash',
  ],
  [
    'a deleted statement',
    `DELETE FROM statements WHERE account_id = :ben AND month = ':month'`,
    'statement of account :ben for :month: it is gone',
  ],
  [
    'a statement that was never made',
    `INSERT INTO statements SELECT account_id, '2000-01', 0, 0, 0, 0, 0, sha256(''), file_hash FROM statements WHERE account_id = :ben LIMIT 1`,
    'statement of account :ben for 2000-01: no record reports it',
  ],
  [
    'a table replaced by a view',
    'ALTER TABLE refused_requests RENAME TO hidden; CREATE VIEW refused_requests AS SELECT * FROM hidden WHERE false',
    'public.refused_requests',
  ],
  [
    'rail files and savings goals replaced by views',
    'ALTER TABLE rail_files RENAME TO a; CREATE VIEW rail_files AS TABLE a; ALTER TABLE goals RENAME TO b; CREATE VIEW goals AS TABLE b',
    'public.rail_files',
    'public.goals',
  ],
];

for (const [what, statements, ...named] of forgeries) {
  test(`verify reports a forgery: ${what} [M-27, M-37, M-42, M-47, GO-11, RF-17, DP-06, SD-24]`, async () => {
    const faults = await faultsAfter(run(statements));
    for (const part of named) expect(faults).toContainEqual(expect.stringContaining(withIds(part)));
  });
}

test('a chain that was sealed again with another key or with other contents is found [M-37]', async () => {
  /** Deletes a record and replaces every seal with one computed with `key`. */
  const sealAnew = (key: Uint8Array) => async (tx: Reader) => {
    await run(
      `DELETE FROM audit_log WHERE id = :lunchRecord; DELETE FROM audit_seals WHERE audit_id = :lunchRecord`,
    )(tx);
    const found = await sql<{ audit_id: bigint; evidence: Buffer; at: string; [column: string]: unknown }>`
      SELECT s.audit_id, s.evidence, l.id, l.at::text, actor_kind, actor_id, action, subject, address, data::text
        FROM audit_seals s JOIN audit_log l ON l.id = s.audit_id ORDER BY s.position`.execute(tx);
    let hash: Buffer = Buffer.alloc(32);
    await sql`DELETE FROM audit_seals`.execute(tx);
    for (const [index, row] of found.rows.entries()) {
      hash = hashRecord(createSecretKey(key), hash, row.evidence, row as never);
      await sql`INSERT INTO audit_seals VALUES (${index + 1}, ${row.audit_id}, ${hash}, ${row.evidence})`.execute(
        tx,
      );
    }
  };
  const guessed = Buffer.alloc(32, 7);
  const faults = await faultsAfter(sealAnew(guessed));
  expect(faults).toContainEqual(expect.stringContaining('record 1: the record or its seal was changed'));
  // Seals made with the server's own key are genuine. The heads stored elsewhere still reveal the change, and so does the
  // missing record.
  const sealedByServer = await faultsAfter(sealAnew(sealKey[0].bytes));
  expect(sealedByServer).toContainEqual(expect.stringContaining('had been sealed'));
  expect(sealedByServer).toContainEqual(expect.stringContaining(`entry ${known.lunch} step 1`));
});

test('a proof that starts at the sealed balances finds later changes, and forged sealed balances [M-39]', async () => {
  const since = { sinceLast: true };
  const late = run(`UPDATE transactions SET description = 'x' WHERE id = ':late'`);
  expect(await faultsAfter(late, since)).toEqual([
    expect.stringContaining(`transaction ${known.late}, step 1`),
  ]);
  const moved = run(`UPDATE ledger_accounts SET balance = balance + 7 WHERE id = :anna`);
  expect(await faultsAfter(moved, since)).toContainEqual(
    expect.stringContaining(`account ${known.anna} has a balance of`),
  );
  const owner = run(`UPDATE unclaimed_payouts SET account_id = :finn WHERE transaction_id = ':right'`);
  expect(await faultsAfter(owner, since)).toEqual([expect.stringContaining(`payout ${known.right}`)]);
  const statement = run(`DELETE FROM statements WHERE account_id = :anna AND month = ':month'`);
  expect(await faultsAfter(statement, since)).toEqual([
    expect.stringContaining(`statement of account ${known.anna} for ${known.month}: it is gone`),
  ]);
  const forged = run(`UPDATE sealed_balances SET balance = balance + 7 WHERE account_id = :anna;
    UPDATE ledger_accounts SET balance = balance + 7 WHERE id = :anna`);
  expect(await faultsAfter(forged, since)).toContainEqual(
    expect.stringContaining('the sealed balances are those that were proven'),
  );
});

test('a replaced function in the database does not change what verify reports [M-37]', async () => {
  const faults = await faultsAfter(
    run(`UPDATE transactions SET description = 'x' WHERE id = ':lunch';
    CREATE FUNCTION public.left(text, integer) RETURNS text LANGUAGE sql AS 'SELECT NULL::text'`),
  );
  expect(faults).toEqual([expect.stringContaining(`transaction ${known.lunch}, step 1`)]);
});
