/**
 * The staff's alert queue, and the wrong passwords that the rule `guessed-logins` counts. `jobs/alerts.ts` raises alerts
 * and notifies customers.
 */

import { type RawBuilder, sql } from 'kysely';
import { type AlertRule, alertRules } from '#contract/alertRules.ts';
import type { AlertState, DecodedAlert } from '#contract/alerts.ts';
import { Refusal } from '#contract/errors.ts';
import * as alertsMessages from '#contract/messages/alerts.ts';
import { networkGroup } from '../base/addressGroup.ts';
import type { Key } from '../base/keys.ts';
import { type Page, pageOf, rowsBefore } from '../base/paging.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import { isRecent } from '../db/storedTimes.ts';
import { toAddressKey } from './addressKey.ts';
import { type Browser, unknownDevices } from './knownDevices.ts';

/** What an alert is about, with the figures of its rule. */
export type NewAlert = {
  rule: Exclude<AlertRule, 'guessed-logins'>;
  customerId: string;
  network?: string;
  device?: string;
  transactionId?: string;
  amount?: bigint;
  balance?: bigint;
  payments?: number;
  receivers?: number;
};

/** An alert that was stored, with the account of its customer. */
export type StoredAlert = NewAlert & { id: string; accountId: bigint };

/** Stores alerts, except those whose rule already alerted about the same customer today, or whose customer was deleted. */
export async function insertAlerts(tx: Tx, alerts: readonly NewAlert[]): Promise<StoredAlert[]> {
  const given = new Map(alerts.map(alert => [newId(), alert]));
  const rows = [...given].map(([id, alert]) => ({ id, ...alert }));
  const stored = await sql<{ id: string; accountId: bigint }>`
    INSERT INTO alerts (id, rule, customer_id, network, device, transaction_id, amount, balance, payments, receivers)
    SELECT n.id, rule, "customerId", network, device, "transactionId", amount, balance, payments, receivers
      FROM jsonb_to_recordset(${JSON.stringify(rows, toText)}::jsonb)
           AS n(id uuid, rule text, "customerId" uuid, network text, device text, "transactionId" uuid, amount bigint,
                balance bigint, payments integer, receivers integer)
      JOIN customers c ON c.id = "customerId" AND c.deleted_at IS NULL
     ORDER BY c.id, n.id FOR SHARE OF c
        ON CONFLICT DO NOTHING
    RETURNING id, (SELECT account_id FROM customers c WHERE c.id = customer_id) AS "accountId"`.execute(tx);
  return stored.rows.map(row => ({ ...given.get(row.id)!, ...row }));
}

const toText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/**
 * Records a wrong password, even for an email without a login. Wrong passwords from a known device of the login's owner are not
 * recorded. Returns the network if it tried enough logins within an hour for an alert. Unknown and known logins need the same
 * two queries, so that the time does not reveal which logins exist.
 */
export async function recordGuess(
  tx: Tx,
  codeKey: Key,
  { email, address, browser }: { email: string; address: string; browser: Browser },
): Promise<string | undefined> {
  const { logins, minutes } = alertRules['guessed-logins'];
  const network = networkGroup(address);
  await sql`
    WITH person AS (SELECT id FROM customers WHERE email = ${email} AND deleted_at IS NULL)
    INSERT INTO login_guesses (network, address_key, person_id)
    SELECT ${network}, ${toAddressKey(codeKey, 'customer-login', email)}, (SELECT id FROM person)
     WHERE NOT EXISTS (
       SELECT FROM person JOIN login_devices d ON d.person_id = person.id
        WHERE d.browser = ${browser ?? unknownDevices} AND d.browser <> ${unknownDevices} AND d.expires_at > now())
        ON CONFLICT (network, address_key) DO UPDATE SET at = now(), person_id = excluded.person_id`.execute(
    tx,
  );
  const counted = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM (
      SELECT FROM login_guesses WHERE network = ${network} AND ${isRecent(sql`at`, minutes * 60)}
       LIMIT ${logins}) g`.execute(tx);
  return counted.rows[0]!.n >= logins ? network : undefined;
}

/** A customer at whose login a wrong password was entered. */
export type GuessedCustomer = { customerId: string; accountId: bigint };

/**
 * At most this many networks get an alert of their own in a day. More alerts would hide the alerts about payments, so further
 * networks share one. After staff have closed the shared alert, the next guess opens another. Otherwise an attacker with many
 * networks could wait until it is closed, and go on unnoticed for the rest of the day.
 */
const maxNetworksPerDay = 20;
const otherNetworks = 'other networks';

/**
 * Stores or updates today's alert about a network that guesses logins, or the alert that further networks share. Returns the
 * alert's id, whether it is new, and the customers to notify: those whose login the network tried and who were not notified of
 * guesses today.
 */
export async function upsertGuessAlert(
  tx: Tx,
  network: string,
): Promise<{ id: string; isNew: boolean; customers: GuessedCustomer[] }> {
  const { minutes } = alertRules['guessed-logins'];
  const isCounted = sql`network = ${network} AND ${isRecent(sql`at`, minutes * 60)}`;
  await sql`SELECT pg_advisory_xact_lock(hashtext('guessed-logins'))`.execute(tx);
  const isShared = sql`starts_with(network, ${otherNetworks})`;
  const today = await sql<{ hasOwn: boolean | null; closed: number }>`
    SELECT count(*) FILTER (WHERE network <> ${network} AND NOT ${isShared}) < ${maxNetworksPerDay}
           OR bool_or(network = ${network}) AS "hasOwn",
           count(*) FILTER (WHERE ${isShared} AND status = 'closed')::int AS closed
      FROM alerts WHERE rule = 'guessed-logins' AND day = bank_day(now())`.execute(tx);
  const { hasOwn, closed } = today.rows[0]!;
  const shown = hasOwn ? network : closed === 0 ? otherNetworks : `${otherNetworks} (${closed + 1})`;
  const stored = await sql<{ id: string; isNew: boolean }>`
    INSERT INTO alerts AS alert (id, rule, network, logins)
    SELECT ${newId()}, 'guessed-logins', ${shown}, count(*) FROM login_guesses WHERE ${isCounted}
        ON CONFLICT (rule, day, coalesce(customer_id::text, network))
        DO UPDATE SET logins = greatest(alert.logins, excluded.logins)
    RETURNING id, xmax = 0 AS "isNew"`.execute(tx);
  const { id, isNew } = stored.rows[0]!;
  const guessed = await sql<GuessedCustomer>`
    WITH added AS (
      INSERT INTO guessed_customers (customer_id, alert_id)
      SELECT c.id, ${id} FROM login_guesses g JOIN customers c ON c.id = g.person_id AND c.deleted_at IS NULL
       WHERE ${isCounted} ORDER BY c.id
          ON CONFLICT DO NOTHING
      RETURNING customer_id
    )
    SELECT c.id AS "customerId", c.account_id AS "accountId" FROM added JOIN customers c ON c.id = added.customer_id`.execute(
    tx,
  );
  return { id, isNew, customers: guessed.rows };
}

type Row = {
  id: string;
  rule: AlertRule;
  status: AlertState;
  at: Date;
  customer_id: string | null;
  customer: string;
  account_number: string | null;
  network: string | null;
  device: string | null;
  transaction_id: string | null;
  amount: bigint | null;
  balance: bigint | null;
  payments: number | null;
  receivers: number | null;
  logins: number | null;
  notified: number;
  assigned_to: string | null;
  owner: string | null;
  closed_by: string | null;
  closer: string | null;
  closed_at: Date | null;
  note: string | null;
};

async function select(reader: Reader, rest: RawBuilder<unknown>): Promise<DecodedAlert[]> {
  const found = await sql<Row>`
    SELECT q.id, q.rule, q.status, q.at, q.customer_id, concat_ws(' ', c.first_name, c.last_name) AS customer,
           l.number AS account_number, q.network, q.device, q.transaction_id, q.amount, q.balance, q.payments, q.receivers,
           q.logins, (SELECT count(*)::int FROM guessed_customers g WHERE g.alert_id = q.id) AS notified,
           q.assigned_to, owner.name AS owner, q.closed_by, closer.name AS closer, q.closed_at, q.note
      FROM alerts q
      LEFT JOIN customers c ON c.id = q.customer_id
      LEFT JOIN ledger_accounts l ON l.id = c.account_id
      LEFT JOIN admins owner ON owner.id = q.assigned_to
      LEFT JOIN admins closer ON closer.id = q.closed_by
     ${rest}`.execute(reader);
  return found.rows.map(toAlert);
}

function toAlert(row: Row): DecodedAlert {
  const figures = {
    network: row.network,
    device: row.device,
    transactionId: row.transaction_id,
    amount: row.amount,
    balance: row.balance,
    payments: row.payments,
    receivers: row.receivers,
    logins: row.logins,
    notified: row.logins === null ? null : row.notified,
    closedAt: row.closed_at,
    note: row.note,
  };
  return {
    _id: row.id,
    rule: row.rule,
    status: row.status,
    at: row.at,
    ...(row.customer_id !== null && {
      customer: { _id: row.customer_id, name: row.customer, accountNumber: row.account_number! },
    }),
    ...(row.assigned_to !== null && { assignedTo: { _id: row.assigned_to, name: row.owner! } }),
    ...(row.closed_by !== null && { closedBy: { _id: row.closed_by, name: row.closer! } }),
    ...Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== null)),
  };
}

/** A page of the alerts, newest first, and how many are open. `customer`: only those about this customer. */
export async function listAlerts(
  reader: Reader,
  { status, customer, ...page }: Page & { status?: AlertState | undefined; customer?: string | undefined },
) {
  const isAsked = sql`
    ${status ? sql`q.status = ${status}` : sql`true`} AND
    ${customer ? sql`q.id IN (SELECT id FROM alerts WHERE customer_id = ${customer} UNION SELECT alert_id FROM guessed_customers WHERE customer_id = ${customer})` : sql`true`}`;
  const counted = await sql<{ total: number; open: number }>`
    SELECT (SELECT count(*)::int FROM alerts q WHERE ${isAsked}) AS total,
           (SELECT count(*)::int FROM alerts WHERE status = 'open') AS open`.execute(reader);
  const { total, open } = counted.rows[0]!;
  const alerts = await select(
    reader,
    sql`WHERE ${isAsked} ORDER BY q.id DESC LIMIT ${page.limit} OFFSET ${rowsBefore(page)}`,
  );
  return { alerts, ...pageOf(page, total), totalAlerts: total, open };
}

/**
 * Locks an alert. Refuses `NOT_FOUND` if there is none, and `CONFLICT` if it is closed. `owner`: the administrator to whom
 * it is assigned.
 */
export async function lockOpenAlert(
  tx: Tx,
  id: string,
): Promise<{ rule: AlertRule; customerId: string | null; owner: string | null }> {
  const locked = await sql<Awaited<ReturnType<typeof lockOpenAlert>> & { status: AlertState }>`
    SELECT status, rule, customer_id AS "customerId", assigned_to AS owner FROM alerts WHERE id = ${id} FOR UPDATE`.execute(
    tx,
  );
  const [row] = locked.rows;
  if (!row) throw new Refusal('NOT_FOUND', { message: alertsMessages.gone });
  if (row.status === 'closed') throw new Refusal('CONFLICT', { message: alertsMessages.closedBefore });
  return row;
}

/** Assigns a locked alert to an administrator, or closes it if there is a note. Returns the changed alert. */
export async function updateAlert(
  tx: Tx,
  id: string,
  { adminId, note }: { adminId: string; note: string | undefined },
): Promise<DecodedAlert> {
  const set =
    note === undefined
      ? sql`status = 'assigned', assigned_to = ${adminId}`
      : sql`status = 'closed', closed_by = ${adminId}, closed_at = now(), note = ${note}`;
  await sql`UPDATE alerts SET ${set} WHERE id = ${id}`.execute(tx);
  return (await select(tx, sql`WHERE q.id = ${id}`))[0]!;
}
