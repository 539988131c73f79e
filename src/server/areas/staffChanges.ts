/** Changes of the staff that may need a second person. Each is audited and mailed in the transaction that makes it. */
import type { Role } from '#contract/roles.ts';
import type { Tx } from '../db/database.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { insertMember, setRole } from '../people/admins.ts';
import { issueLink } from '../people/staffLinks.ts';
import { recordAdminAct } from './recordAct.ts';

type Acting = Parameters<typeof recordAdminAct>[1];

/** Changes an administrator's role. Refuses `NOT_FOUND`, and `CONFLICT` for the last owner and for a disabled administrator. */
export async function changeRoleWithin(
  tx: Tx,
  acting: Acting,
  { memberId, role }: { memberId: string; role: Role },
): Promise<void> {
  const formerRole = await setRole(tx, memberId, role);
  if (formerRole === role) return;
  await enqueueJob(tx, 'mail', { template: 'staff-role', personId: memberId, role });
  await recordAdminAct(tx, acting, 'admin.role-changed', memberId, { role, formerRole });
}

/** Stores an administrator without a password and mails the link to set one. Refuses `CONFLICT` if the email is taken. */
export async function inviteMemberWithin(
  tx: Tx,
  acting: Acting,
  { email, name, role }: { email: string; name: string; role: Role },
): Promise<string> {
  const personId = await insertMember(tx, { email, name, role });
  const linkId = await issueLink(tx, personId);
  await enqueueJob(tx, 'mail', { template: 'staff-invited', personId, linkId });
  await recordAdminAct(tx, acting, 'admin.invited', personId, { role });
  return personId;
}
