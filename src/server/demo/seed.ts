/**
 * Seeds a new bank: its first administrator and, in a demo, the demo people with a year of transactions, posted through the
 * real ledger. The demo data is one transaction, so an interrupted start leaves no rows, only stored pictures and keys.
 */
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import * as railMessages from '#contract/messages/rail.ts';
import { newId } from '../base/uuid.ts';
import { readBankState } from '../db/bankState.ts';
import type { Reader, Tx } from '../db/database.ts';
import { approveAccount, openAccount, setFrozen } from '../ledger/accounts.ts';
import { openGoalAccount } from '../ledger/goals.ts';
import { referenceOf, toPostRequest } from '../ledger/ledger.ts';
import { postParameters } from '../ledger/postStatement.ts';
import { answeredAt } from '../outside/rail/baseRail.ts';
import type { Parts } from '../parts.ts';
import { createAdmin, hasAdmins } from '../people/admins.ts';
import { changeIdentity, insertCustomer, markEmailProven, markVerified } from '../people/customers.ts';
import { hashPassword } from '../people/passwords.ts';
import { amarasGoals, amarasPayees, amarasSchedules, type DemoEvent, planHistory } from './history.ts';
import { type DemoCustomer, demoAdmin, demoCustomers, demoPassword } from './people.ts';

type Member = { customerId: string; accountId: bigint; accountNumber: string };
/** The people of the history: customers by key, the administrator who gives credits, and the accounts of goals by name. */
type People = { members: Map<string, Member>; adminId: string; goals: Map<string, bigint> };
type SeedParts = Pick<Parts, 'config' | 'database' | 'secrets' | 'files' | 'clock'>;

/** Seeds what is missing. */
export async function seed(parts: SeedParts): Promise<void> {
  const { config, database } = parts;
  if (!(await hasAdmins(database.reader))) {
    const email = config.adminEmail ?? demoAdmin.email;
    const password = config.adminPassword ?? demoAdmin.password;
    const name = config.adminEmail === undefined ? demoAdmin.name : 'Administrator';
    await createAdmin(parts, { email, name, password });
  }
  if (config.demo) await seedDemo(parts);
}

async function seedDemo(parts: SeedParts): Promise<void> {
  const { owner } = parts.database;
  if (await hasCustomers(owner)) return;
  await quarantineLeftPictures(parts);
  const pictures = await storePictures(parts);
  await owner.transaction().execute(async handle => {
    const tx = handle as unknown as Tx;
    // If two servers start on one empty database, the second waits here and then finds everything done.
    await sql`SELECT pg_advisory_xact_lock(hashtext('larkspur demo'))`.execute(tx);
    if (await hasCustomers(tx)) return;
    const now = parts.clock.now();
    const members = new Map<string, Member>();
    const admin = await sql<{ id: string }>`SELECT id FROM admins ORDER BY created_at LIMIT 1`.execute(tx);
    const adminId = admin.rows[0]!.id;
    for (const customer of demoCustomers)
      members.set(customer.key, await addMember(parts, tx, customer, pictures.get(customer.key)!));
    await addPayees(tx, members);
    const goals = await addGoals(tx, members);
    for (const run of stepsInOrder(planHistory(now), { members, adminId, goals }, now)) await run(tx);
    await addSchedules(tx, members);
    await finishMembers(tx, members);
  });
}

async function hasCustomers(reader: Reader): Promise<boolean> {
  return (await sql`SELECT FROM customers LIMIT 1`.execute(reader)).rows.length > 0;
}

/**
 * Quarantines the pictures that an interrupted start left. The hourly clean-up would not: it stops when it finds too many
 * pictures without a customer, because something else may be wrong.
 */
async function quarantineLeftPictures({ database, files }: SeedParts): Promise<void> {
  const { bankId } = await readBankState(database.owner);
  if (!(await files.belongsTo(bankId))) return;
  for await (const name of files.listBefore(new Date())) await files.quarantine(name);
}

/** A demo customer's id and stored pictures. */
type Pictured = { customerId: string; avatarFile: string; idCardFile?: string };

/** Stores each person's portrait and ID in the file store. Returns what was stored, by the person's key. */
async function storePictures({ files }: SeedParts): Promise<Map<string, Pictured>> {
  const stored = new Map<string, Pictured>();
  const read = (file: string) => readFile(new URL(`portraits/${file}`, import.meta.url));
  const specimen = await read('specimen-id.webp');
  for (const { key, hasIdCard } of demoCustomers) {
    const customerId = newId();
    stored.set(key, {
      customerId,
      avatarFile: await files.put(await read(`${key}.webp`), 'avatar', customerId),
      ...(hasIdCard && { idCardFile: await files.put(specimen, 'id-card', customerId) }),
    });
  }
  return stored;
}

async function addMember(
  parts: SeedParts,
  tx: Tx,
  customer: DemoCustomer,
  { customerId, avatarFile, idCardFile }: Pictured,
): Promise<Member> {
  const { accountId, accountNumber } = await openAccount(tx);
  await insertCustomer(tx, {
    id: customerId,
    accountId,
    passwordHash: await hashPassword(parts.secrets, 'customer', customerId, demoPassword),
    avatarFile,
    idCardFile,
    firstName: customer.firstName,
    middleName: customer.middleName ?? '',
    lastName: customer.lastName,
    gender: customer.gender,
    address: customer.address,
    region: customer.region,
    zipCode: customer.zipCode,
    email: customer.email,
    phoneNumber: customer.phoneNumber,
  });
  await changeIdentity(tx, customerId, customer);
  if (customer.state !== 'pending') await approveAccount(tx, accountId);
  await markEmailProven(tx, customerId);
  if (customer.isVerified) await markVerified(tx, customerId, { isViewed: true, withDateOfBirth: true });
  return { customerId, accountId, accountNumber };
}

/** Saves Amara's payees before her history is posted, so that posting stores when each was last paid. */
async function addPayees(tx: Tx, members: Map<string, Member>): Promise<void> {
  for (const { to, bank: other, nickname = '' } of amarasPayees) {
    const number = other?.accountNumber ?? members.get(to!)!.accountNumber;
    await sql`
      INSERT INTO payees (id, account_id, bank_name, account_name, account_number, nickname)
      VALUES (${newId()}, ${members.get('amara')!.accountId}, ${other?.bankName ?? ''}, ${other?.accountName ?? ''},
              ${number}, ${nickname})`.execute(tx);
  }
}

/** Schedules Amara's monthly payments, from their next date on. */
async function addSchedules(tx: Tx, members: Map<string, Member>): Promise<void> {
  const { customerId, accountId } = members.get('amara')!;
  for (const { day, to, bank: other, cents, description } of amarasSchedules) {
    const number = other?.accountNumber ?? members.get(to!)!.accountNumber;
    const id = newId();
    await sql`
      INSERT INTO scheduled_transfers (id, customer_id, account_id, bank_name, account_name, account_number, amount,
                                       description, start_date, frequency, next_date, request_hash)
      SELECT ${id}, ${customerId}, ${accountId}, ${other?.bankName ?? ''}, ${other?.accountName ?? ''}, ${number},
             ${cents}, ${description}, next.day, 'monthly', next.day, ${id}
        FROM (SELECT min(d)::date AS day
                FROM generate_series(bank_day(now()) + 1, bank_day(now()) + 31, interval '1 day') d
               WHERE extract(day FROM d) = ${day}) next`.execute(tx);
  }
}

/** Adds Amara's savings goals. Returns their accounts by name. */
async function addGoals(tx: Tx, members: Map<string, Member>): Promise<Map<string, bigint>> {
  const { accountId } = members.get('amara')!;
  const accounts = new Map<string, bigint>();
  for (const goal of amarasGoals) {
    const { name, picture, target, since } = goal;
    const [friday, monthsAhead] = 'friday' in goal ? [goal.friday, goal.monthsAhead] : [null, null];
    const goalAccount = await openGoalAccount(tx, accountId);
    accounts.set(name, goalAccount);
    const id = newId();
    await sql`
      INSERT INTO goals (id, account_id, ledger_account, name, picture, target, target_date, rule_amount, rule_frequency,
                         rule_start, rule_date, created_at, request_hash)
      SELECT ${id}, ${accountId}, ${goalAccount}, ${name}, ${picture}, ${target},
             (bank_day(now()) + make_interval(months => ${monthsAhead}::int))::date, ${friday}::bigint,
             CASE WHEN ${friday}::bigint IS NOT NULL THEN 'weekly' END, next.friday, next.friday,
             now() - make_interval(months => ${since + 1}), ${id}
        FROM (SELECT min(d)::date AS friday FROM generate_series(bank_day(now()) + 1, bank_day(now()) + 7, interval '1 day') d
               WHERE extract(isodow FROM d) = 5 AND ${friday}::bigint IS NOT NULL) next`.execute(tx);
  }
  return accounts;
}

/**
 * The plan as steps in chronological order: postings, and the outcomes that other banks have reported by `now`. The
 * payments that are not answered by then are left to the payment rail, like any payment.
 */
function stepsInOrder(plan: DemoEvent[], people: People, now: Date): ((tx: Tx) => Promise<unknown>)[] {
  const steps = plan.flatMap(event => {
    // Ids sort by time, so each is generated when its step runs.
    let id: string;
    const posted = {
      at: event.at,
      run: async (tx: Tx) => {
        id = await post(tx, event, people);
      },
    };
    if (!event.decided) return [posted];
    const { afterDays, isSettled } = event.decided;
    const at = answeredAt(event.at, afterDays);
    if (at > now) return [posted];
    const reason = isSettled ? null : railMessages.unknownAccount;
    const decide = (tx: Tx) =>
      sql`SELECT decide_external_transfer_at(${at}, ${id}, ${isSettled}, ${reason})`.execute(tx);
    return [posted, { at, run: decide }];
  });
  return steps.sort((one, other) => one.at.getTime() - other.at.getTime()).map(({ run }) => run);
}

/** Posts one event at its own time. Returns the transaction's id. A refusal is an error in the plan. */
async function post(tx: Tx, event: DemoEvent, { members, adminId, goals }: People): Promise<string> {
  if (event.type === 'goal') {
    const id = newId();
    const { accountId, customerId } = members.get('amara')!;
    const cents = event.from ? event.cents : -event.cents;
    const moved = await sql<{ outcome: number }>`
      SELECT outcome FROM move_goal_at(${event.at}, ${id}, ${accountId}, ${goals.get(event.goal!)!}, ${cents}, 'customer',
                                       ${customerId}, ${id}, ${id}, false, '')`.execute(tx);
    if (moved.rows[0]!.outcome !== 0) throw new Error(`The demo history was refused: ${event.goal}`);
    return id;
  }
  if (event.type === 'deposit') {
    const id = newId();
    const { accountNumber } = members.get(event.to!)!;
    await sql`SELECT book_deposit_at(${event.at}, ${id}, ${referenceOf(id)}, ${`demo-${id}`}, ${accountNumber},
                                     ${event.cents}, ${event.bank!.accountName}, ${event.bank!.bankName})`.execute(
      tx,
    );
    return id;
  }
  const from = event.from === undefined ? undefined : members.get(event.from)!;
  const request = toPostRequest(
    event.type,
    { amountCents: event.cents, description: event.description, address: '' },
    {
      actor: from?.customerId ?? adminId,
      session: null,
      receiver: event.to === undefined ? null : members.get(event.to)!.accountNumber,
    },
    event.bank,
  );
  const values = postParameters(0, [request]).map(value => sql`${value}`);
  const posted = await sql<{ outcomes: number[] }>`
    SELECT outcomes FROM post_group_at(${event.at}, ${sql.join(values)})`.execute(tx);
  if (posted.rows[0]!.outcomes[0] !== 0)
    throw new Error(`The demo history was refused: ${event.from} ${event.at.toISOString()}`);
  return request.id;
}

/** Final details: frozen accounts, registration dates, and old notifications marked as read. */
async function finishMembers(tx: Tx, members: Map<string, Member>): Promise<void> {
  for (const { key, state } of demoCustomers) {
    const member = members.get(key)!;
    if (state === 'frozen') await setFrozen(tx, member.accountId, true);
    if (state !== 'pending') {
      await sql`
        UPDATE customers SET created_at = coalesce(
          (SELECT min(created_at) - interval '1 day' FROM transactions
            WHERE sender_account = ${member.accountId} OR receiver_account = ${member.accountId}), created_at)
         WHERE id = ${member.customerId}`.execute(tx);
    }
  }
  await sql`
    INSERT INTO notifications (account_id, id, kind, transaction_id, created_at, read_at)
    SELECT account_id, id, kind, transaction_id, created_at, created_at
      FROM (TABLE notifications UNION ALL
            SELECT account_id, id, kind, transaction_id, created_at, read_at FROM posted_notifications) n
     WHERE read_at IS NULL AND created_at < now() - interval '6 days'
        ON CONFLICT (account_id, id) DO UPDATE SET read_at = excluded.read_at`.execute(tx);
}
