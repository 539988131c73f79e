/** Handlers of the staff area. The transaction of each change audits the change and mails the administrator it concerns. */
import { staff } from '#contract/constants.ts';
import { invalidField, Refusal } from '#contract/errors.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { fill } from '#contract/messages/fill.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { operators, type Role } from '#contract/roles.ts';
import type { staffApi } from '#contract/staff.ts';
import type { AuditAction, AuditData } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import type { Handlers, Request } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { failRequestsOf } from '../jobs/requestMails.ts';
import type { Parts } from '../parts.ts';
import { encryptAddressee } from '../people/addressee.ts';
import {
  checkRoleChange,
  type DecodedMember,
  type LockedMember,
  listStaff,
  lockMember,
  readAdmin,
  readMember,
  setMemberDisabled,
  storeAdminPassword,
} from '../people/admins.ts';
import { voidCodes } from '../people/codes.ts';
import { removeOtherDevices } from '../people/knownDevices.ts';
import { attemptPassword, replacePassword, samePassword } from '../people/passwordAttempt.ts';
import { bySession, hashPassword, unmatchableHash } from '../people/passwords.ts';
import { endSessions, lockSession } from '../people/sessions.ts';
import { findLinkOwner, issueLink, redeemLink, voidLink } from '../people/staffLinks.ts';
import { mailLoginLocked } from './openLogin.ts';
import { lockActor, recordAdminAct } from './recordAct.ts';
import { askIfNeeded } from './secondApproval.ts';
import { changeRoleWithin, inviteMemberWithin } from './staffChanges.ts';

type Acting = Pick<Request<typeof staffApi.listStaff>, 'admin' | 'address'>;

export function staffHandlers(
  parts: Pick<Parts, 'database' | 'secrets' | 'config' | 'log'>,
): Handlers<typeof staffApi> {
  const { database, secrets } = parts;

  /**
   * Locks an administrator, runs `work` and returns the changed administrator. `work` returns the action to audit, if any.
   * Because `work` can end the caller's own session, the session is checked first.
   */
  async function change(
    { params: { id }, admin, address }: Acting & { params: { id: string } },
    work: (
      tx: Tx,
      member: LockedMember,
      acting: Parameters<typeof recordAdminAct>[1],
    ) => Promise<{ action: AuditAction; data?: AuditData } | undefined>,
  ): Promise<{ data: DecodedMember; isChanged: boolean }> {
    return await database.inTransaction(async tx => {
      const member = await lockMember(tx, id);
      await lockActor(tx, admin);
      const acting = { admin: { adminId: admin.adminId }, address };
      const done = await work(tx, member, acting);
      if (done) await recordAdminAct(tx, acting, done.action, id, done.data);
      return { data: await readMember(tx, id), isChanged: done !== undefined };
    });
  }

  return {
    async adminProfile({ admin }) {
      const data = await readAdmin(database.reader, admin.adminId);
      if (!data) throw new Refusal('NOT_AUTHORIZED');
      return { data };
    },

    async changeAdminPassword({ body: { currentPassword, newPassword }, admin, address, browser }) {
      const { adminId, sessionId } = admin;
      const recognized = await attemptPassword(
        parts,
        { kind: 'admin', who: { personId: adminId, sessionId }, password: currentPassword, address, browser },
        mailLoginLocked,
      );
      if (!recognized) throw new Refusal('BAD_PASSWORD');
      if (newPassword === currentPassword) throw samePassword();
      checkIsNotEmail('newPassword', newPassword, await readAdmin(database.reader, adminId));
      const hashing = bySession('admin', address);
      const passwordHash = await hashPassword(secrets, 'admin', adminId, newPassword, hashing);
      await database.inTransaction(async tx => {
        // If the password was changed in the meantime, the typed password is wrong.
        if (!(await replacePassword(tx, adminId, passwordHash, recognized.passwordHash)))
          throw new Refusal('BAD_PASSWORD');
        if (!(await lockSession(tx, adminId, sessionId))) throw new Refusal('NOT_AUTHORIZED');
        await voidCodes(tx, adminId);
        await removeOtherDevices(tx, adminId, browser);
        await endSessions(tx, adminId, { sessionId });
        await voidLink(tx, adminId);
        await enqueueJob(tx, 'mail', { template: 'staff-password-set', personId: adminId });
        await recordAdminAct(tx, { admin: { adminId }, address }, 'password.changed', adminId);
      });
    },

    async setAdminPassword({ body: { token, password }, address }) {
      const invalid = new Refusal('NOT_FOUND', { message: staffMessages.linkInvalid });
      const owner = await findLinkOwner(database.reader, token, secrets.codeKey);
      if (!owner) throw invalid;
      const { adminId, linkId } = owner;
      const passwordHash = await hashPassword(secrets, 'admin', adminId, password);
      await database.inTransaction(async tx => {
        const member = await lockMember(tx, adminId);
        checkIsNotEmail('password', password, member);
        if (member.isDisabled || !(await redeemLink(tx, linkId))) throw invalid;
        await storeAdminPassword(tx, adminId, passwordHash);
        await failRequestsOf(tx, adminId);
        await enqueueJob(tx, 'mail', { template: 'staff-password-set', personId: adminId });
        await recordAdminAct(tx, { admin: { adminId }, address }, 'admin.password-set', adminId);
      });
    },

    async listStaff() {
      return { data: await listStaff(database.reader) };
    },

    async inviteMember({ body, admin, address }) {
      const isApprover = (operators as readonly Role[]).includes(body.role);
      // Without approval, an owner could invite a login of their own as second approver and approve everything with it.
      const approval = isApprover
        ? await askIfNeeded(parts, { admin, address }, { kind: 'invitation' }, async () => {
            if ((await listStaff(database.reader)).some(({ email }) => email === body.email))
              throw new Refusal('CONFLICT', { message: staffMessages.emailTaken });
            return { kind: 'invitation', ...body };
          })
        : undefined;
      if (approval) return { approval };
      const data = await database.inTransaction(async tx => {
        const id = await inviteMemberWithin(tx, { admin, address }, body);
        return readMember(tx, id);
      });
      const { email } = body;
      return { data, message: fill(staffMessages.invited, { email, hours: staff.linkHours }) };
    },

    async changeRole({ params: { id: memberId }, body: { role }, admin, address }) {
      const member = await readMember(database.reader, memberId);
      if (member.role === role) return { data: member };
      const formerRole = member.role;
      const approval = await askIfNeeded(parts, { admin, address }, { kind: 'role' }, async () => {
        await database.inTransaction(async tx => checkRoleChange(await lockMember(tx, memberId), role));
        return { kind: 'role', memberId, role, formerRole };
      });
      if (approval) return { approval };
      const data = await database.inTransaction(async tx => {
        await lockMember(tx, memberId);
        await lockActor(tx, admin);
        await changeRoleWithin(tx, { admin: { adminId: admin.adminId }, address }, { memberId, role });
        return readMember(tx, memberId);
      });
      return { data };
    },

    async disableMember(request) {
      const { data, isChanged } = await change(request, async (tx, member) => {
        const { id, email: to, name, isDisabled, isLastOwner } = member;
        if (isDisabled) return undefined;
        if (isLastOwner) throw new Refusal('CONFLICT', { message: staffMessages.lastOwner });
        await setMemberDisabled(tx, id, true);
        const encryptedAddressee = encryptAddressee({ to, name }, secrets.codeKey);
        await enqueueJob(tx, 'mail', { template: 'staff-disabled', encryptedAddressee });
        const { reason } = request.body ?? {};
        return { action: 'admin.disabled', ...(reason !== undefined && { data: { reason } }) };
      });
      return { data, message: isChanged ? staffMessages.disabled : staffMessages.disabledBefore };
    },

    async enableMember(request) {
      const { data, isChanged } = await change(request, async (tx, { id, isDisabled }, acting) => {
        if (!isDisabled) return undefined;
        await setMemberDisabled(tx, id, false);
        // The reason may have been a thief who knows the password. The second factors stay: otherwise an owner who reads the
        // administrator's mail could become the second person of four eyes alone.
        await replacePassword(tx, id, unmatchableHash(secrets, 'admin', id));
        await failRequestsOf(tx, id);
        await enqueueJob(tx, 'mail', { template: 'staff-enabled', personId: id });
        await mailLink(tx, id);
        await recordAdminAct(tx, acting, 'admin.link-sent', id);
        return { action: 'admin.enabled' };
      });
      return { data, message: isChanged ? staffMessages.enabled : staffMessages.enabledBefore };
    },

    async resetMember(request) {
      const { data } = await change(request, async (tx, { id, isDisabled }) => {
        if (isDisabled) throw new Refusal('CONFLICT', { message: staffMessages.memberDisabled });
        await mailLink(tx, id);
        return { action: 'admin.link-sent' };
      });
      return { data };
    },

    async endMemberSessions(request) {
      const { data } = await change(request, async (tx, { id }) => {
        const voided = await voidCodes(tx, id);
        const count = await endSessions(tx, id);
        const failed = await failRequestsOf(tx, id);
        if (count + voided + failed === 0) return undefined;
        if (count > 0) await enqueueJob(tx, 'mail', { template: 'staff-sessions-ended', personId: id });
        const { reason } = request.body ?? {};
        return { action: 'admin.sessions-ended', data: { count, reason } };
      });
      return { data };
    },
  };
}

/** Mails an administrator a link to set the first password or a new one. */
async function mailLink(tx: Tx, id: string): Promise<void> {
  const { state } = await readMember(tx, id);
  const template = state === 'invited' ? 'staff-invited' : 'staff-reset';
  await enqueueJob(tx, 'mail', { template, personId: id, linkId: await issueLink(tx, id) });
}

/** Refuses an administrator's own email as the password. */
function checkIsNotEmail(field: string, password: string, admin: { email: string } | undefined): void {
  if (password.toLowerCase() === admin?.email.toLowerCase())
    throw invalidField(field, adminMessages.passwordCommon);
}
