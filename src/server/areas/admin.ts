/**
 * Handlers of the admin area. Each change is audited in the transaction that makes it. Views are audited too, unless they show
 * only totals.
 */
import type { adminApi } from '#contract/admin.ts';
import { Refusal } from '#contract/errors.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { fill } from '#contract/messages/fill.ts';
import * as screeningMessages from '#contract/messages/screening.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { formatCents } from '#contract/money.ts';
import { refuseInConstantTime } from '../base/constantTime.ts';
import { type AuditAction, findLastRecord } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { Handlers, Request } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { approveAccount, isApproved, readFreezes, setFrozen } from '../ledger/accounts.ts';
import { listAllTransactions } from '../ledger/bankList.ts';
import { readTransaction } from '../ledger/history.ts';
import { creditKey } from '../ledger/ledger.ts';
import { listRecentCredits } from '../ledger/recentCredits.ts';
import { readStatistics, readTotals } from '../ledger/statistics.ts';
import type { Parts } from '../parts.ts';
import { readAdmin } from '../people/admins.ts';
import { needsSecond } from '../people/approvals.ts';
import { issueTicket } from '../people/codes.ts';
import { listUsers, readApplication, readHolder, readUser } from '../people/customerLists.ts';
import { refuseIfUnseenRequest } from '../people/customerPage.ts';
import { listApprovals, listIdRequested, listVerifications } from '../people/customerQueues.ts';
import { lockCustomer, markVerified, readIdCardFile, refuseProvenByReset } from '../people/customers.ts';
import { prolongWait } from '../people/factorTrust.ts';
import { lockCredentials } from '../people/lockout.ts';
import { logOut } from '../people/logins.ts';
import { startPasskeyCheck, startPasskeyLogin } from '../people/passkeys.ts';
import { attemptPassword } from '../people/passwordAttempt.ts';
import { listScreeningStates, readConfirmed, reopenCleared, screenCustomer } from '../people/screening.ts';
import { listMethods } from '../people/secondFactors.ts';
import { finishAdminLogin, secondStepOf } from './adminSecondStep.ts';
import { readAuditLog } from './auditLog.ts';
import { closeCustomer, HasMoney } from './closing.ts';
import { protectFactors } from './factorProtection.ts';
import { auditList } from './listAudit.ts';
import { mailLoginLocked, openLogin } from './openLogin.ts';
import { logInWithPasskey } from './passkeyLogin.ts';
import { recordAdminAct } from './recordAct.ts';
import { refuseIfUnseenCredit } from './sameCredits.ts';
import { askIfNeeded } from './secondApproval.ts';
import { hasChangedSince, identityChanges, listViewed, recordView } from './views.ts';

/** `pendingApprovals` and `unverifiedIds` have no pages, as the specification says. They return at most this many customers. */
const maxUnpaged = 500;

type AdminParts = Pick<
  Parts,
  'publicUrl' | 'database' | 'secrets' | 'tokens' | 'ledger' | 'files' | 'keys' | 'clock' | 'config' | 'log'
>;

export function adminHandlers(parts: AdminParts): Handlers<typeof adminApi> {
  const { database, tokens, ledger } = parts;
  const { codeKey } = parts.secrets;

  /** Handles `credit` and `creditOnUserPath`. The ledger audits the credit. */
  async function credit({
    body,
    admin,
    idempotencyKey,
    address,
  }: Request<typeof adminApi.credit | typeof adminApi.creditOnUserPath>) {
    const order = {
      adminId: admin.adminId,
      sessionId: admin.sessionId,
      accountNumber: body.userAccountNumber,
      amountCents: body.amount,
      description: body.description,
      idempotencyKey,
      address,
    };
    const { amountCents, description } = order;
    const about = { kind: 'credit', amountCents, key: creditKey(order) } as const;
    const approval = await askIfNeeded(parts, { admin, address }, about, async () => {
      const holder = await readHolder(database.reader, order.accountNumber);
      if (!holder) throw new Refusal('NOT_FOUND', { message: transferMessages.accountNotFound });
      if (!holder.isApproved) throw new Refusal('ACCOUNT_PENDING', { message: adminMessages.creditPending });
      return { kind: 'credit', customerId: holder.customerId, amountCents, description };
    });
    if (approval) return { approval };
    const { accountNumber } = order;
    const { sameCreditId: shown } = body;
    const check = (tx: Tx, made: string) =>
      refuseIfUnseenCredit(tx, accountNumber, { amount: amountCents, description, made }, shown);
    const data = await ledger.credit(order, shown === undefined ? undefined : check);
    const message = fill(adminMessages.credited, {
      amount: formatCents(body.amount),
      accountNumber: body.userAccountNumber,
    });
    return { data, message };
  }

  return {
    async adminLogin({ body: { email, password }, address, userAgent, browser }) {
      const attempt = { kind: 'admin', who: { email }, password, address, browser } as const;
      const found = await attemptPassword(parts, attempt, mailLoginLocked);
      if (!found) throw new Refusal('BAD_CREDENTIALS');
      const { personId } = found;
      const loginRequest = { personId, kind: 'admin', address, userAgent, browser, method: 'none' } as const;
      const next = await database.inTransaction(async tx => {
        // Comparing a password takes long. Refuse if the administrator was disabled or the password changed in the meantime.
        const held = await lockCredentials(tx, personId, browser);
        const active = await readAdmin(tx, personId);
        if (!active || !held?.passwordHash.equals(found.passwordHash)) throw new Refusal('BAD_CREDENTIALS');
        const methods = await listMethods(tx, personId);
        if (methods.length === 0)
          return { active, opened: await openLogin(tx, loginRequest), more: undefined };
        const ticket = await issueTicket(tx, codeKey, { personId, browser });
        const passkey =
          methods.includes('passkey') && (await startPasskeyCheck(tx, parts, secondStepOf(personId)));
        return { more: { ticket, methods, ...(passkey && { passkey }) } };
      });
      if (next.more) throw new Refusal('SECOND_FACTOR', { data: next.more });
      return {
        data: { ...next.active, token: await tokens.issue({ kind: 'admin', browser, ...next.opened }) },
      };
    },

    adminLoginSecond: request => refuseInConstantTime(() => finishAdminLogin(parts, request)),

    adminPasskeyLoginOptions: async () => ({ data: startPasskeyLogin(parts, 'admin') }),

    adminPasskeyLogin: request =>
      refuseInConstantTime(async () => {
        const { personId, token } = await logInWithPasskey(parts, 'admin', request);
        const admin = await readAdmin(database.reader, personId);
        if (!admin) throw new Refusal('BAD_CODE');
        return { data: { ...admin, token } };
      }),

    async adminLogout({ admin: { adminId, sessionId }, address }) {
      const session = { personId: adminId, kind: 'admin', sessionId, address } as const;
      await database.inTransaction(tx => logOut(tx, session));
      return {};
    },

    // The session check has recorded the activity.
    adminReportActivity: async () => ({}),

    async pendingApprovals(request) {
      const { customers } = await listApprovals(database.reader, { page: 1, limit: maxUnpaged });
      await auditList(parts, request, 'approvals.listed', customers);
      return { data: customers };
    },

    async approvalQueue(request) {
      const data = await listApprovals(database.reader, request.query);
      await auditList(parts, request, 'approvals.listed', data.customers);
      const ids = data.customers.map(({ _id }) => _id);
      const viewed = await listViewed(database.reader, request.admin.adminId, ids);
      const requested = await listIdRequested(database.reader, ids);
      const screened = await listScreeningStates(database.reader, ids);
      const customers = data.customers.map(row => {
        const screening = screened.get(row._id);
        return {
          ...row,
          ...(viewed.has(row._id) && { isViewed: true }),
          ...(requested.has(row._id) && { isIdRequested: true }),
          ...(screening && { screening }),
        };
      });
      return { data: { ...data, customers } };
    },

    async application({ params: { id }, admin, address }) {
      const data = await database.inTransaction(async tx => {
        // Because of the lock, a change of the application is either shown here or recorded after this view.
        await lockCustomer(tx, id, adminMessages.customerGone);
        const found = await readApplication(tx, id);
        await recordView(tx, { admin, address }, id, 'application.viewed');
        return found!;
      });
      return { data };
    },

    async approve({ params: { id }, body, admin, address }) {
      const done = await database.inTransaction(async tx => {
        const { accountId } = await lockCustomer(tx, id, adminMessages.customerGone);
        // A repeated approval changes nothing and sends no second notification.
        if (await isApproved(tx, accountId)) return 'before';
        await refuseIfUnseenRequest(tx, id, body?.isIdRequested);
        if (body?.isProvenByReset === false) await refuseProvenByReset(tx, id, adminMessages.resetSince);
        await screenCustomer(tx, id);
        const state = (await listScreeningStates(tx, [id])).get(id);
        // Refuse after the commit, so that a match that the screening has just found is stored.
        if (state) return state;
        await approveAccount(tx, accountId);
        await notify(tx, accountId, 'approved');
        await enqueueJob(tx, 'mail', { template: 'approved', personId: id });
        await recordAdminAct(tx, { admin, address }, 'customer.approved', id);
        return 'approved';
      });
      if (done === 'open') throw new Refusal('CONFLICT', { message: screeningMessages.undecided });
      if (done === 'match') throw new Refusal('CONFLICT', { message: screeningMessages.confirmed });
      return { message: done === 'approved' ? adminMessages.approved : adminMessages.approvedBefore };
    },

    async adminTransactions(request) {
      const data = await listAllTransactions(database.reader, request.query);
      await auditList(parts, request, 'transactions.listed', data.transactions);
      return { data };
    },

    async adminStats() {
      return { data: await readTotals(database.reader) };
    },

    async adminTransaction({ params: { id }, admin, address }) {
      const data = await readTransaction(database.reader, undefined, id);
      if (!data) throw new Refusal('NOT_FOUND');
      await database.inTransaction(tx => recordView(tx, { admin, address }, id, 'transaction.viewed'));
      return { data };
    },

    async figures() {
      return { data: await readStatistics(database.reader, parts.clock.now()) };
    },

    async accountHolder({ params: { accountNumber }, admin, address }) {
      const data = await readHolder(database.reader, accountNumber);
      if (!data) throw new Refusal('NOT_FOUND', { message: transferMessages.accountNotFound });
      const { customerId } = data;
      const screening = (await listScreeningStates(database.reader, [customerId])).get(customerId);
      await database.inTransaction(tx => recordView(tx, { admin, address }, customerId));
      const recentCredits = await listRecentCredits(database.reader, accountNumber);
      return { data: { ...data, recentCredits, ...(screening && { screening }) } };
    },

    async auditLog(request) {
      const data = await readAuditLog(database.reader, request.query);
      await auditList(parts, request, 'audit.listed', data.records);
      return { data };
    },

    credit,
    creditOnUserPath: credit,

    async unverifiedIds(request) {
      const { customers } = await listVerifications(database.reader, { page: 1, limit: maxUnpaged });
      await auditList(parts, request, 'verifications.listed', customers);
      return { data: customers };
    },

    async verificationQueue(request) {
      const data = await listVerifications(database.reader, request.query);
      await auditList(parts, request, 'verifications.listed', data.customers);
      return { data };
    },

    async verifyId({ params: { id }, body, admin, address }) {
      const isFirst = await database.inTransaction(async tx => {
        const held = await lockCustomer(tx, id, adminMessages.customerGone);
        const { accountId, isVerified, idCardFile } = held;
        if (isVerified) return false;
        if (idCardFile === null) throw new Refusal('CONFLICT', { message: adminMessages.noId });
        await refuseIfUnseenRequest(tx, id, body?.isIdRequested);
        const view = { actorId: admin.adminId, action: 'customer.id-viewed', subject: id } as const;
        const viewed = await findLastRecord(tx, view);
        if (viewed && viewed.data?.file !== idCardFile)
          throw new Refusal('CONFLICT', { message: adminMessages.idReplaced });
        if (await changedSinceViewed(tx, admin.adminId, id))
          throw new Refusal('CONFLICT', { message: adminMessages.identityChanged });
        // Only a view of the application counts. A `customer.viewed` can be a view of `user`, which has no date of birth.
        const application = { ...view, action: 'application.viewed' } as const;
        const isViewed = viewed !== undefined;
        const withDateOfBirth = isViewed && (await findLastRecord(tx, application)) !== undefined;
        await markVerified(tx, id, { isViewed, withDateOfBirth });
        if (withDateOfBirth) await reopenCleared(tx, id);
        await notify(tx, accountId, 'id-verified');
        await enqueueJob(tx, 'mail', { template: 'id-verified', personId: id });
        await recordAdminAct(tx, { admin, address }, 'customer.id-verified', id, {
          file: idCardFile,
          opened: isViewed,
        });
        return true;
      });
      const message = isFirst ? adminMessages.verified : adminMessages.verifiedBefore;
      return { data: { userId: id }, message };
    },

    async users(request) {
      const data = await listUsers(database.reader, request.query);
      await auditList(parts, request, 'customers.listed', data.users);
      return { data };
    },

    async user({ params: { id }, admin, address }) {
      const data = await database.inTransaction(async tx => {
        const user = await readUser(tx, id);
        if (!user) throw new Refusal('NOT_FOUND', { message: adminMessages.customerGone });
        await recordView(tx, { admin, address }, id);
        return user;
      });
      return { data };
    },

    async userIdCard({ params: { id }, admin, address }) {
      const file = await readIdCardFile(database.reader, id);
      const picture = file && (await parts.files.read(file));
      if (!picture) throw new Refusal('NOT_FOUND');
      await database.inTransaction(tx =>
        recordAdminAct(tx, { admin, address }, 'customer.id-viewed', id, { file }),
      );
      return { picture };
    },

    async deleteUser({ params: { id: customerId }, body, admin, address }) {
      const reason = body?.reason;
      const { adminId } = admin;
      const mostCents = (await needsSecond(database.reader, null, { kind: 'deletion' })) ? 0n : undefined;
      try {
        await closeCustomer(parts, {
          customerId,
          closer: { adminId, session: admin, reason, mostCents },
          address,
        });
        return undefined;
      } catch (error) {
        if (!(error instanceof HasMoney)) throw error;
        const order = { kind: 'deletion', customerId, amountCents: error.cents, reason } as const;
        const approval = await askIfNeeded(parts, { admin, address }, order, async () => order);
        // Since the check above, the bank no longer has two people who can approve. A retry closes the account at once.
        if (!approval) throw new Refusal('BUSY', { waitTime: 1 });
        return { approval };
      }
    },

    async freeze({ params: { id }, body: { isFrozen, reason, ...shown }, admin, address }) {
      const isFirst = await database.inTransaction(async tx => {
        // Lock the credentials before everything else, as every change of credentials and factors does.
        await lockCredentials(tx, id, undefined);
        const { accountId } = await lockCustomer(tx, id, adminMessages.customerGone);
        if (!isFrozen) {
          const { byBank, byYou } = await readFreezes(tx, accountId);
          if ((byBank && shown.isFrozenByStaff === false) || (byYou && shown.isFrozenByCustomer === false))
            throw new Refusal('CONFLICT', { message: adminMessages.freezeChanged });
        }
        if (!(await setFrozen(tx, accountId, isFrozen))) return false;
        const confirmed = isFrozen || reason !== undefined ? undefined : await readConfirmed(tx, id);
        if (confirmed) throw new Refusal('CONFLICT', { message: adminMessages.unfreezeConfirmed[confirmed] });
        const by = { actor: { kind: 'admin', id: admin.adminId }, address } as const;
        if (isFrozen) await protectFactors(tx, id, 'frozen', by);
        else await prolongWait(tx, id, 'unfrozen');
        await notify(tx, accountId, isFrozen ? 'frozen' : 'unfrozen');
        await enqueueJob(tx, 'mail', { template: isFrozen ? 'frozen' : 'unfrozen', personId: id });
        const action = isFrozen ? 'customer.frozen' : 'customer.unfrozen';
        await recordAdminAct(
          tx,
          { admin, address },
          action,
          id,
          reason === undefined ? undefined : { reason },
        );
        return true;
      });
      return { data: { userId: id, isFrozen }, message: freezeMessage(isFrozen, isFirst) };
    },
  };
}

function freezeMessage(isFrozen: boolean, isFirst: boolean): string {
  if (isFrozen) return isFirst ? adminMessages.frozen : adminMessages.frozenBefore;
  return isFirst ? adminMessages.unfrozen : adminMessages.unfrozenBefore;
}

/**
 * Whether the customer's date of birth, city or name changed after this administrator last viewed them. The application shows
 * all three: if the administrator ever opened it, only views of it count. Otherwise, views of the customer's page and of the ID
 * document count.
 */
async function changedSinceViewed(tx: Tx, adminId: string, customerId: string): Promise<boolean> {
  const last = async (action: AuditAction) =>
    (await findLastRecord(tx, { actorId: adminId, action, subject: customerId }))?.id ?? 0n;
  const application = await last('application.viewed');
  const ids = application ? [application] : [await last('customer.viewed'), await last('customer.id-viewed')];
  const viewed = ids.reduce((a, b) => (a > b ? a : b));
  return viewed > 0n && (await hasChangedSince(tx, customerId, viewed, identityChanges));
}
