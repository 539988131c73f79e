/** Changes a customer's name or email for an administrator who has seen proof. A new email ends every session. */
import { Refusal } from '#contract/errors.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import type { Tx } from '../db/database.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { Parts } from '../parts.ts';
import { encryptAddressee } from '../people/addressee.ts';
import { voidCodes } from '../people/codes.ts';
import { linkMessages } from '../people/contactMessages.ts';
import { readRecord } from '../people/customerDirectory.ts';
import { insertChanges, insertNote, wasProvenBefore } from '../people/customerPage.ts';
import { changeDetails, lockCustomer, refuseProvenByReset } from '../people/customers.ts';
import { lockCredentials } from '../people/lockout.ts';
import { keepReplacedIdentity } from '../people/retention.ts';
import { screenCustomer } from '../people/screening.ts';
import { revokeSessions } from '../people/sessions.ts';
import { protectFactors } from './factorProtection.ts';
import { recordAdminAct } from './recordAct.ts';

const names = ['firstName', 'middleName', 'lastName'] as const;

type Change = Parameters<typeof changeDetails>[2] & {
  customerId: string;
  reason: string;
  note?: string | undefined;
};

/**
 * Returns whether anything changed. Refuses `NOT_FOUND` if the customer is gone, and `CONFLICT` if another customer has the
 * email, or as `refuseProvenByReset` does.
 */
export async function changeCustomerWithin(
  tx: Tx,
  parts: Pick<Parts, 'config' | 'secrets' | 'files' | 'keys'>,
  { admin, address }: Parameters<typeof recordAdminAct>[1],
  { customerId: id, reason, note, ...wanted }: Change,
): Promise<boolean> {
  const { adminId: author } = admin;
  // Lock the credentials first, as a login does: a login in progress either completes first or is ended here.
  await lockCredentials(tx, id, undefined);
  await lockCustomer(tx, id, adminMessages.customerGone);
  // If the former email was not proven, it may belong to someone else. It then gets no name, no link and no copies of mails.
  const former = (await readRecord(tx, id))!;
  // A stranger would keep what they have added, such as passkeys, payees and scheduled transfers, and the customer would get
  // the stranger's pictures and data.
  if (wanted.email !== undefined && wanted.email !== former.email)
    await refuseProvenByReset(tx, id, staffMessages.emailAfterReset);
  const wasProven = former.isEmailProven || (await wasProvenBefore(tx, id, former.email));
  if (names.some(name => wanted[name] !== undefined && wanted[name] !== former[name]))
    await keepReplacedIdentity(tx, parts, id);
  const changed = await changeDetails(tx, id, wanted).catch((error: { constraint?: string }) => {
    if (error.constraint !== 'customers_email') throw error;
    throw new Refusal('CONFLICT', { message: staffMessages.emailOfOther });
  });
  if (changed.length === 0) return false;
  await insertChanges(tx, changed, { customerId: id, author, reason, wasProven });
  if (note !== undefined) {
    await recordAdminAct(tx, { admin, address }, 'note.added', id);
    await insertNote(tx, { customerId: id, author, text: note });
  }
  const fields = changed.map(({ field }) => field).filter(field => field !== 'email');
  if (fields.length > 0) {
    await recordAdminAct(tx, { admin, address }, 'customer.renamed', id, { fields, reason });
    await enqueueJob(tx, 'mail', { template: 'name-changed', personId: id });
    await screenCustomer(tx, id);
  }
  const formerEmail = changed.find(({ field }) => field === 'email')?.former;
  if (formerEmail === undefined) return true;
  if (wasProven) await linkMessages(tx, id, formerEmail);
  await revokeSessions(tx, id);
  await voidCodes(tx, id);
  await protectFactors(tx, id, 'mailbox-doubtful', { actor: { kind: 'admin', id: author }, address });
  await recordAdminAct(tx, { admin, address }, 'customer.email-changed', id, { reason });
  await enqueueJob(tx, 'mail', { template: 'email-changed', personId: id });
  const name = wasProven ? former.firstName : '';
  const encryptedAddressee = encryptAddressee({ to: formerEmail, name }, parts.secrets.codeKey);
  await enqueueJob(tx, 'mail', { template: 'email-replaced', personId: id, encryptedAddressee });
  return true;
}
