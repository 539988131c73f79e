/** The browsers on which customers get push notifications. */
import { sql } from 'kysely';
import { push } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as pushMessages from '#contract/messages/push.ts';
import type { DecodedPushDevice } from '#contract/push.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';

export type NewPushDevice = Omit<DecodedPushDevice, '_id' | 'createdAt'> & { p256dh: string; auth: string };

/**
 * Saves a browser for a customer, or changes its choices. A browser of another customer moves to this customer. Refuses
 * `CONFLICT` if the customer has the maximum. Returns the id, what the save did for this customer, and the browser's former
 * customer. A change is `muted` if `money` or `security` was turned off, or the keys changed.
 */
export async function savePushDevice(
  tx: Tx,
  accountId: bigint,
  given: NewPushDevice,
): Promise<{
  id: string;
  outcome: 'added' | 'changed' | 'muted' | 'same';
  former: { customerId: string; accountId: bigint } | undefined;
}> {
  const { endpoint, p256dh, auth, device, money, security, showsAmounts } = given;
  // The lock serializes concurrent calls of one customer, so that they cannot exceed the maximum together.
  await sql`SELECT FROM customers WHERE account_id = ${accountId} FOR NO KEY UPDATE`.execute(tx);
  // A separate statement, because the statement that takes the lock does not see what was saved while it waited.
  const found = await sql<NewPushDevice>`
    SELECT endpoint, p256dh, auth, device, money, security, shows_amounts AS "showsAmounts"
      FROM push_devices WHERE account_id = ${accountId}`.execute(tx);
  const was = found.rows.find(row => row.endpoint === endpoint);
  if (!was && found.rows.length >= push.maxDevices)
    throw new Refusal('CONFLICT', { message: fill(pushMessages.tooMany, { max: push.maxDevices }) });
  // Deletes the former customer's row, because `created_at` must say when the new customer added the browser or its keys.
  const other = await sql<{ id: string; customerId: string; accountId: bigint }>`
    DELETE FROM push_devices d USING customers c
     WHERE d.endpoint = ${endpoint} AND d.account_id <> ${accountId} AND c.account_id = d.account_id
    RETURNING d.id, c.id AS "customerId", d.account_id AS "accountId"`.execute(tx);
  const saved = await sql<{ id: string }>`
    INSERT INTO push_devices (id, account_id, endpoint, p256dh, auth, device, money, security, shows_amounts)
    VALUES (${other.rows[0]?.id ?? newId()}, ${accountId}, ${endpoint}, ${p256dh}, ${auth}, ${device}, ${money}, ${security}, ${showsAmounts})
        ON CONFLICT (endpoint) DO UPDATE
       SET account_id = excluded.account_id, p256dh = excluded.p256dh, auth = excluded.auth, device = excluded.device,
           money = excluded.money, security = excluded.security, shows_amounts = excluded.shows_amounts,
           created_at = CASE WHEN (push_devices.p256dh, push_devices.auth) = (excluded.p256dh, excluded.auth)
                             THEN push_devices.created_at ELSE now() END
    RETURNING id`.execute(tx);
  return { id: saved.rows[0]!.id, outcome: outcomeOf(was, given), former: other.rows[0] };
}

function outcomeOf(was: NewPushDevice | undefined, now: NewPushDevice) {
  if (!was) return 'added';
  const isMuted =
    (was.money && !now.money) ||
    (was.security && !now.security) ||
    was.p256dh !== now.p256dh ||
    was.auth !== now.auth;
  if (isMuted) return 'muted';
  const isSame =
    was.device === now.device &&
    was.money === now.money &&
    was.security === now.security &&
    was.showsAmounts === now.showsAmounts;
  return isSame ? 'same' : 'changed';
}

/** Deletes a browser. Refuses `NOT_FOUND` if this customer has no such browser. */
export async function deletePushDevice(tx: Tx, accountId: bigint, id: string): Promise<void> {
  const removed = await sql`
    DELETE FROM push_devices WHERE account_id = ${accountId} AND id = ${id}`.execute(tx);
  if (removed.numAffectedRows === 0n) throw new Refusal('NOT_FOUND');
}

/** Deletes all browsers of a customer. The owner can turn push on again, and a thief's browser gets no more messages. */
export async function deletePushDevices(tx: Tx, customerId: string): Promise<number> {
  const deleted = await sql`
    DELETE FROM push_devices
     WHERE account_id = (SELECT account_id FROM customers WHERE id = ${customerId})`.execute(tx);
  return Number(deleted.numAffectedRows);
}

/** Deletes the browsers that a customer added, or gave new keys, since this session began: the session may be a thief's. */
export async function deletePushDevicesSince(tx: Tx, customerId: string, sessionId: string): Promise<number> {
  const deleted = await sql`
    DELETE FROM push_devices d USING customers c, sessions s
     WHERE c.id = ${customerId} AND s.id = ${sessionId} AND d.account_id = c.account_id
       AND d.created_at >= s.created_at`.execute(tx);
  return Number(deleted.numAffectedRows);
}

/** A customer's browsers, the newest first. */
export async function readPushDevices(reader: Reader, accountId: bigint): Promise<DecodedPushDevice[]> {
  const found = await sql<DecodedPushDevice>`
    SELECT id AS _id, endpoint, device, money, security, shows_amounts AS "showsAmounts", created_at AS "createdAt"
      FROM push_devices WHERE account_id = ${accountId} ORDER BY id DESC`.execute(reader);
  return found.rows;
}
