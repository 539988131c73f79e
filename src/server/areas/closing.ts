/**
 * Closes an account: one transaction for the money, the person and the audit record, whatever the size of the account. The
 * pictures are removed afterward. Jobs erase the rest and end the waiting requests that became impossible, in batches.
 */
import { Refusal } from '#contract/errors.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { recordAudit } from '../db/audit.ts';
import { readBankState } from '../db/bankState.ts';
import type { Tx } from '../db/database.ts';
import type { AdminSession } from '../http/session.ts';
import { enqueueAfterClosing, enqueueJob } from '../jobs/queue.ts';
import { isApproved } from '../ledger/accounts.ts';
import { closeAccount, lockBalance } from '../ledger/closing.ts';
import type { Parts } from '../parts.ts';
import { type Addressee, encryptAddressee } from '../people/addressee.ts';
import { listEmailChanges } from '../people/customerPage.ts';
import { lockCustomer } from '../people/customers.ts';
import { erasePerson } from '../people/erasing.ts';
import { lockGoals } from '../people/goals.ts';
import { lockCredentials } from '../people/lockout.ts';
import { retainIdentity } from '../people/retention.ts';
import { lockSession } from '../people/sessions.ts';
import { lockActor } from './recordAct.ts';
import { type Erased, removeErased } from './storedPictures.ts';

/** Who closes the account: the owner, with the session and the password hash that was compared, or an administrator. */
export type Closer =
  | { owner: { passwordHash: Buffer }; sessionId: string }
  | {
      adminId: string;
      /** The administrator's session; absent if the closing was requested, and a second person approved it. */
      session?: AdminSession;
      /** For the audit log, and for the mail about a rejection. */
      reason?: string | undefined;
      /** If the account has more money than this, closing throws `HasMoney`. Undefined: no limit. */
      mostCents: bigint | undefined;
      /** Rejects an application instead of closing an approved account. */
      rejects?: boolean;
    };

/** The account to close has money, or has more money than was approved. */
export class HasMoney extends Error {
  readonly cents: bigint;

  constructor(cents: bigint) {
    super('The account has money.');
    this.cents = cents;
  }
}

type Closing = { customerId: string; closer: Closer; address: string };

/**
 * Closes a customer's account and erases the person. Refuses what the ledger's `closeAccount` refuses. Also refuses `NOT_FOUND`
 * if there is no such customer, and `CONFLICT` while the bank is held or if the account to reject is approved. For the owner,
 * also refuses `BAD_PASSWORD` if the password was changed in the meantime, and `NOT_AUTHORIZED` if the session has ended;
 * for an administrator with a session, what `lockActor` refuses. Throws `HasMoney` if the account has more than `mostCents`.
 */
export async function closeCustomer(
  parts: Pick<Parts, 'database' | 'secrets' | 'files' | 'keys' | 'config'>,
  closing: Closing,
): Promise<void> {
  const erased = await parts.database.inTransaction(tx => closeCustomerWithin(tx, parts, closing));
  await removeErased(parts, erased);
}

/**
 * Does `closeCustomer` in the caller's transaction. After the commit, the caller must pass the result to `removeErased`.
 * `sweep`: the id of the transaction that moved a remaining balance to the unclaimed balances.
 */
export async function closeCustomerWithin(
  tx: Tx,
  parts: Pick<Parts, 'secrets' | 'files' | 'keys' | 'config'>,
  { customerId, closer, address }: Closing,
): Promise<Erased & { sweep: string | undefined }> {
  const isOwner = 'owner' in closer;
  const actor = isOwner ? customerId : closer.adminId;
  if ((await readBankState(tx)).heldSince !== null)
    throw new Refusal('CONFLICT', { message: adminMessages.bankHeld });
  // Lock the credentials first, as logins and resets do. A login or reset in progress either completes first or finds no
  // person.
  const held = await lockCredentials(tx, customerId, undefined);
  if (isOwner && !held) throw new Refusal('NOT_AUTHORIZED');
  const gone = isOwner ? undefined : adminMessages.customerGone;
  const { accountId, avatarFile, idCardFile } = await lockCustomer(tx, customerId, gone);
  await lockGoals(tx, accountId);
  const rejects = !isOwner && closer.rejects === true;
  const { retentionYears } = parts.config;
  const wasApproved = (rejects || retentionYears > 0) && (await isApproved(tx, accountId));
  if (rejects && wasApproved) throw new Refusal('CONFLICT', { message: staffMessages.approvedAlready });
  if (isOwner && !held!.passwordHash.equals(closer.owner.passwordHash))
    throw new Refusal('BAD_PASSWORD', { message: settingsMessages.wrongPassword });
  if (isOwner && !(await lockSession(tx, customerId, closer.sessionId))) throw new Refusal('NOT_AUTHORIZED');
  if (!isOwner && closer.session) await lockActor(tx, closer.session);
  // An applicant who was never approved did not become a customer, so nothing has to be retained.
  const years = wasApproved ? retentionYears : 0;
  // Retain the data before `closeAccount` locks the account for unclaimed money. If the file store is slow, every other closing
  // would wait for that lock.
  const keyId = years > 0 ? await retainIdentity(tx, parts, { customerId, years }) : undefined;
  let sweep: string | undefined;
  try {
    if (!isOwner && closer.mostCents !== undefined) {
      const cents = await lockBalance(tx, accountId);
      if (cents > closer.mostCents) throw new HasMoney(cents);
    }
    sweep = await closeAccount(tx, { accountId, by: isOwner ? 'owner' : 'admin', actor, address });
  } catch (error) {
    if (keyId !== undefined) await parts.keys.erase(keyId).catch(() => {});
    throw error;
  }
  const emailChanges = rejects ? [] : await listEmailChanges(tx, customerId);
  const addressee = await erasePerson(tx, { customerId, accountId });
  const encrypted = (to: Addressee) => ({ encryptedAddressee: encryptAddressee(to, parts.secrets.codeKey) });
  if (rejects)
    await enqueueJob(tx, 'mail', {
      template: 'application-rejected',
      ...encrypted(addressee),
      reason: closer.reason ?? '',
    });
  else {
    const mail = { template: 'account-closed', ...(years > 0 && { retentionYears: years }) } as const;
    await enqueueJob(tx, 'mail', { ...mail, ...encrypted(addressee) });
    for (const { former } of emailChanges)
      await enqueueJob(tx, 'mail', { ...mail, ...encrypted({ to: former, name: '' }), isCopy: true });
  }
  await enqueueAfterClosing(tx);
  await recordAudit(tx, {
    actor: { kind: isOwner ? 'customer' : 'admin', id: actor },
    action: rejects ? 'customer.rejected' : 'customer.deleted',
    subject: customerId,
    address,
    ...(!isOwner && { data: { reason: closer.reason, transaction: sweep } }),
  });
  return { personId: customerId, files: [avatarFile, idCardFile].filter(file => file !== null), sweep };
}
