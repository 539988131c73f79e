/** Handlers of the area admin. Every act leaves a record of who did it, in the transaction that does it. */
import { sql } from 'kysely';
import type { adminApi } from '#contract/admin.ts';
import { Refusal } from '#contract/errors.ts';
import { fill, messages } from '#contract/messages.ts';
import { formatCents } from '#contract/money.ts';
import { recordAudit } from '../db/audit.ts';
import type { Reader } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { Handlers, Request } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { approveAccount, setFrozen } from '../ledger/accounts.ts';
import { listAllTransactions, totals } from '../ledger/history.ts';
import type { Parts } from '../parts.ts';
import { readAdmin } from '../people/admins.ts';
import { listPendingApprovals, listUnverified, listUsers, readUser } from '../people/customerLists.ts';
import { holdCustomer, markVerified, readIdCardFile } from '../people/customers.ts';
import { completeLogin, logOut } from '../people/logins.ts';
import { attemptPassword } from '../people/passwordAttempt.ts';
import { closeCustomer } from './closing.ts';
import { mailNewLogin } from './newLogin.ts';

type AdminParts = Pick<Parts, 'database' | 'secrets' | 'tokens' | 'ledger' | 'files'>;

export function adminHandlers(parts: AdminParts): Handlers<typeof adminApi> {
  const { database, tokens, ledger } = parts;

  /** Serves both paths of the credit. The ledger writes its record. */
  async function credit({
    body,
    admin,
    idempotencyKey,
    address,
  }: Request<typeof adminApi.credit | typeof adminApi.creditOnUserPath>) {
    const data = await ledger.credit({
      adminId: admin.adminId,
      accountNumber: body.userAccountNumber,
      amountCents: body.amount,
      description: body.description,
      idempotencyKey,
      address,
    });
    const message = fill(messages.admin.credited, {
      amount: formatCents(body.amount),
      accountNumber: body.userAccountNumber,
    });
    return { data, message };
  }

  return {
    async adminLogin({ body: { email, password }, address, userAgent }) {
      const attempt = { kind: 'admin', who: { email }, password, address } as const;
      const found = await attemptPassword(parts, attempt, (tx, personId) =>
        enqueueJob(tx, 'mail', { template: 'login-locked', personId }),
      );
      const admin = found && (await readAdmin(database.reader, found.personId));
      if (!found || !admin) throw new Refusal('BAD_CREDENTIALS');
      const arrival = { personId: found.personId, kind: 'admin', address, userAgent } as const;
      const opened = await database.inTransaction(async tx => {
        const admitted = await completeLogin(tx, arrival);
        await mailNewLogin(tx, admitted, address);
        return admitted;
      });
      return { data: { ...admin, token: await tokens.issue({ kind: 'admin', ...opened }) } };
    },

    async adminLogout({ admin: { adminId, sessionId }, address }) {
      const leaving = { personId: adminId, kind: 'admin', sessionId, address } as const;
      await database.inTransaction(tx => logOut(tx, leaving));
      return {};
    },

    async pendingApprovals() {
      return { data: await listPendingApprovals(database.reader) };
    },

    async approve({ params: { id }, admin, address }) {
      await database.inTransaction(async tx => {
        const { accountId } = await holdCustomer(tx, id);
        // A second press of the button changes nothing and tells nobody again.
        if (!(await approveAccount(tx, accountId))) return;
        await notify(tx, accountId, 'approved');
        await enqueueJob(tx, 'mail', { template: 'approved', personId: id });
        await recordAudit(tx, {
          actor: { kind: 'admin', id: admin.adminId },
          action: 'customer.approved',
          subject: id,
          address,
        });
      });
      return {};
    },

    async adminTransactions({ query }) {
      return { data: await listAllTransactions(database.reader, query) };
    },

    async adminStats() {
      return { data: await totals(database.reader) };
    },

    adminTransaction: 'notBuilt',
    figures: 'notBuilt',
    accountHolder: 'notBuilt',
    auditLog: 'notBuilt',

    credit,
    creditOnUserPath: credit,

    async unverifiedIds() {
      return { data: await listUnverified(database.reader) };
    },

    async verifyId({ params: { id }, admin, address }) {
      await database.inTransaction(async tx => {
        const { accountId, isVerified, idCardFile } = await holdCustomer(tx, id);
        if (isVerified) return;
        if (idCardFile === null) throw new Refusal('CONFLICT', { message: messages.admin.noId });
        const viewed = await findViewedIdCard(tx, admin.adminId, id);
        if (viewed !== undefined && viewed !== idCardFile)
          throw new Refusal('CONFLICT', { message: messages.admin.idReplaced });
        await markVerified(tx, id);
        await notify(tx, accountId, 'id-verified');
        await enqueueJob(tx, 'mail', { template: 'id-verified', personId: id });
        await recordAudit(tx, {
          actor: { kind: 'admin', id: admin.adminId },
          action: 'customer.id-verified',
          subject: id,
          address,
          data: { file: idCardFile },
        });
      });
      return { data: { userId: id } };
    },

    async users({ query }) {
      return { data: await listUsers(database.reader, query) };
    },

    async user({ params: { id } }) {
      const data = await readUser(database.reader, id);
      if (!data) throw new Refusal('NOT_FOUND');
      return { data };
    },

    async userIdCard({ params: { id }, admin, address }) {
      const file = await database.inTransaction(async tx => {
        const name = await readIdCardFile(tx, id);
        if (name === undefined) throw new Refusal('NOT_FOUND');
        await recordAudit(tx, {
          actor: { kind: 'admin', id: admin.adminId },
          action: 'customer.id-viewed',
          subject: id,
          address,
          data: { file: name },
        });
        return name;
      });
      const picture = await parts.files.read(file);
      if (!picture) throw new Refusal('NOT_FOUND');
      return { picture };
    },

    async deleteUser({ params: { id }, admin: { adminId }, address }) {
      await closeCustomer(parts, { customerId: id, closer: { adminId }, address });
      return {};
    },

    async freeze({ params: { id }, body: { isFrozen }, admin, address }) {
      await database.inTransaction(async tx => {
        const { accountId } = await holdCustomer(tx, id);
        if (!(await setFrozen(tx, accountId, isFrozen))) return;
        await notify(tx, accountId, isFrozen ? 'frozen' : 'unfrozen');
        await enqueueJob(tx, 'mail', { template: isFrozen ? 'frozen' : 'unfrozen', personId: id });
        await recordAudit(tx, {
          actor: { kind: 'admin', id: admin.adminId },
          action: isFrozen ? 'customer.frozen' : 'customer.unfrozen',
          subject: id,
          address,
        });
      });
      const message = isFrozen ? messages.admin.frozen : messages.admin.unfrozen;
      return { data: { userId: id, isFrozen }, message };
    },
  };
}

/** The stored name of the ID document of this customer that this administrator looked at last; undefined where none. */
async function findViewedIdCard(
  reader: Reader,
  adminId: string,
  customerId: string,
): Promise<string | undefined> {
  const found = await sql<{ file: string }>`
    SELECT data->>'file' AS file FROM audit_log
     WHERE subject = ${customerId} AND actor_id = ${adminId} AND action = 'customer.id-viewed'
     ORDER BY id DESC LIMIT 1`.execute(reader);
  return found.rows[0]?.file;
}
