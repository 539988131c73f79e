/** Resets of a customer's second factors by staff, for a customer who lost all of them. A reset takes effect after a wait. */
import { sql } from 'kysely';
import { factorReset } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import * as factorsMessages from '#contract/messages/factors.ts';
import { newId } from '../base/uuid.ts';
import type { Tx } from '../db/database.ts';
import { lockCustomer } from './customers.ts';
import { isMailboxDoubtful, prolongWait } from './factorTrust.ts';
import { lockCredentials } from './lockout.ts';
import { listMethods, removeAllFactors } from './secondFactors.ts';
import { revokeSessions } from './sessions.ts';

/** The time in this many hours, in whole milliseconds like the job's time. The job must not run before the reset is due. */
const inWholeMilliseconds = (hours: number) =>
  sql<Date>`date_trunc('milliseconds', now()) + make_interval(hours => ${hours})`;

/**
 * Requests a reset. Refuses `CONFLICT` if one is waiting, if the customer has nothing to reset, or if the mailbox is doubtful
 * (`factorTrust.ts`).
 */
export async function requestReset(
  tx: Tx,
  { customerId, adminId }: { customerId: string; adminId: string },
): Promise<{ resetId: string; effectiveAt: Date; accountId: bigint }> {
  // Locks in the same order as every change of credentials (no deadlocks).
  await lockCredentials(tx, customerId, undefined);
  const { accountId } = await lockCustomer(tx, customerId);
  if ((await listMethods(tx, customerId)).length === 0)
    throw new Refusal('CONFLICT', { message: factorsMessages.noFactors });
  const doubtful = await sql<{ isDoubtful: boolean }>`
    SELECT ${isMailboxDoubtful(customerId)} AS "isDoubtful"`.execute(tx);
  if (doubtful.rows[0]!.isDoubtful) throw new Refusal('CONFLICT', { message: factorsMessages.resetTooEarly });
  const resetId = newId();
  const made = await sql<{ effectiveAt: Date }>`
    INSERT INTO factor_resets (person_id, id, requested_by, effective_at)
    VALUES (${customerId}, ${resetId}, ${adminId}, ${inWholeMilliseconds(factorReset.waitHours)})
        ON CONFLICT DO NOTHING
    RETURNING effective_at AS "effectiveAt"`.execute(tx);
  const effectiveAt = made.rows[0]?.effectiveAt;
  if (!effectiveAt) throw new Refusal('CONFLICT', { message: factorsMessages.resetExists });
  await prolongWait(tx, customerId, { removedAt: effectiveAt });
  return { resetId, effectiveAt, accountId };
}

/**
 * Postpones the waiting reset of this person, or of everyone, to 48 hours from now: a mailbox is doubtful for 24 hours, and
 * then the usual wait follows (`factorTrust.ts`). Also prolongs the wait of the person's new factors. Returns the postponed
 * resets. The job that was enqueued for the former time finds that the reset is not due. For a single person, the caller has
 * locked the login. For everyone, this function locks the logins.
 */
export async function postponeResets(
  tx: Tx,
  of: { personId: string } | 'everyone',
): Promise<{ personId: string; accountId: bigint; resetId: string; effectiveAt: Date }[]> {
  const people = of === 'everyone' ? await lockResetLogins(tx) : [of.personId];
  const postponed = await sql<{ personId: string; accountId: bigint; resetId: string; effectiveAt: Date }>`
    UPDATE factor_resets SET effective_at = ${inWholeMilliseconds(factorReset.postponedHours)}
     WHERE person_id = ANY (${people}::uuid[])
    RETURNING person_id AS "personId", id AS "resetId", effective_at AS "effectiveAt",
              (SELECT account_id FROM customers WHERE id = person_id) AS "accountId"`.execute(tx);
  for (const { personId, effectiveAt } of postponed.rows)
    await prolongWait(tx, personId, { removedAt: effectiveAt });
  return postponed.rows;
}

/**
 * Locks the login of everyone whose reset waits. Then a factor that is being added is stored either before its person's wait
 * is prolonged, so that it waits longer too, or after this transaction.
 */
async function lockResetLogins(tx: Tx): Promise<string[]> {
  const locked = await sql<{ personId: string }>`
    SELECT c.person_id AS "personId" FROM credentials c JOIN factor_resets r ON r.person_id = c.person_id
     ORDER BY c.person_id FOR UPDATE OF c`.execute(tx);
  return locked.rows.map(({ personId }) => personId);
}

/** Cancels a waiting reset of this person. Returns false if there is none. */
export async function cancelReset(tx: Tx, personId: string): Promise<boolean> {
  const canceled = await sql`DELETE FROM factor_resets WHERE person_id = ${personId}`.execute(tx);
  return canceled.numAffectedRows === 1n;
}

/**
 * Cancels a waiting reset if the factor that this transaction's login used was already trusted when the reset was requested. A
 * thief who added a factor later must not be able to cancel the owner's reset.
 */
export async function cancelResetByLogin(
  tx: Tx,
  personId: string,
  method: 'passkey' | 'totp' | 'recovery',
): Promise<boolean> {
  const used =
    method === 'passkey'
      ? sql`passkeys WHERE person_id = ${personId} AND last_used_at = now()`
      : sql`authenticator_apps WHERE person_id = ${personId}`;
  const canceled = await sql`
    DELETE FROM factor_resets WHERE person_id = ${personId}
       AND requested_at >= ANY (SELECT trusted_at FROM ${used})`.execute(tx);
  return canceled.numAffectedRows === 1n;
}

/** The resets that are due. Their table is small, because it has only waiting resets. */
export async function findDueResets(tx: Tx): Promise<{ personId: string; resetId: string }[]> {
  const due = await sql<{ personId: string; resetId: string }>`
    SELECT person_id AS "personId", id AS "resetId" FROM factor_resets WHERE effective_at <= now()`.execute(
    tx,
  );
  return due.rows;
}

/** If the reset is due, removes all factors of its person and ends all sessions. Returns false if it is canceled or not due. */
export async function applyReset(
  tx: Tx,
  { personId, resetId }: { personId: string; resetId: string },
): Promise<boolean> {
  // Locks the credentials first, as a login does: a login with a second factor either canceled the reset or sees it done.
  await lockCredentials(tx, personId, undefined);
  const due = await sql`
    DELETE FROM factor_resets WHERE id = ${resetId} AND person_id = ${personId} AND effective_at <= now()`.execute(
    tx,
  );
  if (due.numAffectedRows === 0n) return false;
  await removeAllFactors(tx, personId);
  // A thief who logged in with a removed factor could add a new factor in that session.
  await revokeSessions(tx, personId);
  return true;
}
