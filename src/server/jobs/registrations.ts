/**
 * Removes registrations whose email neither a login nor a password reset has proven: when the mailbox's owner clicks 'This
 * wasn't me' (also after a reset, until the approval), or after 30 days without approval.
 */
import { sql } from 'kysely';
import { registration } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { nilId } from '../base/uuid.ts';
import { type AuditAction, recordAudit } from '../db/audit.ts';
import { readBankState } from '../db/bankState.ts';
import type { Tx } from '../db/database.ts';
import { isApproved } from '../ledger/accounts.ts';
import { closeAccount } from '../ledger/closing.ts';
import type { Parts } from '../parts.ts';
import { encryptAddressee } from '../people/addressee.ts';
import { awaitsApprovalAfterReset, lockCustomer } from '../people/customers.ts';
import { erasePerson } from '../people/erasing.ts';
import { lockCredentials } from '../people/lockout.ts';
import { retainIdentity } from '../people/retention.ts';
import { enqueueAfterClosing, enqueueJob } from './queue.ts';

type RegistrationParts = Pick<Parts, 'database' | 'secrets' | 'log'> & {
  files: Pick<Parts['files'], 'remove'>;
  keys: Pick<Parts['keys'], 'erase'>;
};

const provenIn = sql`make_interval(days => ${registration.provenInDays})`;

/**
 * Removes a registration at the request of the mailbox's owner. Refuses `NOT_FOUND` if there is no such registration, if its
 * email was proven (but not if a password reset proved it and the account is not approved), if staff changed the email, or if
 * it is older than 30 days. Refuses `ACCOUNT_FROZEN` if the account is frozen, and `CONFLICT` if it has money or the bank is
 * held.
 */
export async function removeRegistration(
  parts: Pick<Parts, 'config' | 'database' | 'secrets' | 'log' | 'files' | 'keys'>,
  { customerId, address }: { customerId: string | undefined; address: string },
): Promise<void> {
  const gone = registerMessages.removalExpired;
  if (customerId === undefined) throw new Refusal('NOT_FOUND', { message: gone });
  const years = parts.config.retentionYears;
  const retain = async (tx: Tx, accountId: bigint) =>
    years > 0 && (await isApproved(tx, accountId))
      ? retainIdentity(tx, parts, { customerId, years })
      : undefined;
  await erase(parts, { customerId, address, action: 'registration.removed', retain }, async tx => {
    // If staff have changed the email, the link was mailed to the former one.
    const found = await sql`
      SELECT FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
       WHERE c.id = ${customerId} AND c.created_at > now() - ${provenIn}
         AND (c.email_proven_at IS NULL OR ${awaitsApprovalAfterReset})
         AND NOT EXISTS (SELECT FROM customer_changes x WHERE x.customer_id = c.id AND x.field = 'email')`.execute(
      tx,
    );
    return found.rows.length === 1;
  });
}

/** Removes registrations that were neither proven nor approved within 30 days, unless they are frozen. Returns how many. */
export async function removeExpiredRegistrations(
  parts: RegistrationParts,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let after = nilId; !signal?.aborted; ) {
    const { rows } = await sql<{ id: string }>`
      SELECT c.id FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
       WHERE c.email_proven_at IS NULL AND c.deleted_at IS NULL AND c.created_at <= now() - ${provenIn}
         AND NOT a.is_approved AND NOT a.is_frozen AND c.id > ${after}
       ORDER BY c.id LIMIT 1`.execute(parts.database.reader);
    const customerId = rows[0]?.id;
    if (customerId === undefined) break;
    after = customerId;
    // A registration that was approved or used in the meantime stays.
    await erase(parts, { customerId, action: 'registration.expired' }, async tx => {
      const found = await sql`
        SELECT FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
         WHERE c.id = ${customerId} AND c.email_proven_at IS NULL AND NOT a.is_approved
           FOR NO KEY UPDATE OF a`.execute(tx);
      return found.rows.length === 1;
    }).then(
      () => removed++,
      error => parts.log.warn({ err: error }, 'an expired registration stays until the next clean-up'),
    );
  }
  return removed;
}

/** Closes the account and erases the person if `mayErase`, checked under the locks, returns true. */
async function erase(
  { database, secrets, files, keys }: RegistrationParts,
  removal: {
    customerId: string;
    address?: string;
    action: Extract<AuditAction, 'registration.removed' | 'registration.expired'>;
    /** Stores what the bank must keep of an approved customer. Returns the id of its key. */
    retain?: (tx: Tx, accountId: bigint) => Promise<string | undefined>;
  },
  mayErase: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  const { customerId, address, action, retain } = removal;
  const pictures = await database.inTransaction(async tx => {
    if ((await readBankState(tx)).heldSince !== null)
      throw new Refusal('CONFLICT', { message: registerMessages.removalHeld });
    // Takes the locks in the order of a login, which proves the email. A concurrent login either completes first or finds no
    // person.
    await lockCredentials(tx, customerId, undefined);
    const { accountId, avatarFile, idCardFile } = await lockCustomer(
      tx,
      customerId,
      registerMessages.removalExpired,
    );
    if (!(await mayErase(tx))) throw new Refusal('NOT_FOUND', { message: registerMessages.removalExpired });
    const keyId = await retain?.(tx, accountId);
    await closeAccount(tx, { accountId, by: 'owner', actor: customerId, address: address ?? '' }).catch(
      async error => {
        if (keyId !== undefined) await keys.erase(keyId).catch(() => {});
        const holdsMoney = error instanceof Refusal && error.code === 'CONFLICT';
        throw holdsMoney ? new Refusal('CONFLICT', { message: registerMessages.removalRefused }) : error;
      },
    );
    const addressee = await erasePerson(tx, { customerId, accountId });
    if (action === 'registration.expired') {
      const encryptedAddressee = encryptAddressee(addressee, secrets.codeKey);
      await enqueueJob(tx, 'mail', { template: 'registration-expired', encryptedAddressee });
    }
    await enqueueAfterClosing(tx);
    await recordAudit(tx, {
      actor: { kind: 'system' },
      action,
      subject: customerId,
      ...(address !== undefined && { address }),
    });
    return [avatarFile, idCardFile].filter(file => file !== null);
  });
  // What cannot be deleted now is deleted by `finish-erasures`. The key goes first: without it, every copy is unreadable.
  await keys.erase(customerId).catch(() => {});
  await Promise.allSettled(pictures.map(name => files.remove(name)));
}
