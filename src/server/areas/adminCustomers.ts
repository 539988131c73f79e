/**
 * Handlers of the customer pages in the admin area. Every act and every view of a record is audited in the transaction that
 * performs it. Lists are audited after they are read, exports before they begin.
 */
import type { adminCustomersApi } from '#contract/adminCustomers.ts';
import { calendarDay, clockTime } from '#contract/bankTime.ts';
import type { DecodedTransaction } from '#contract/entities.ts';
import { Refusal } from '#contract/errors.ts';
import { fullName } from '#contract/fullName.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { centsToText } from '../base/fileText.ts';
import type { Tx } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { Handlers, Request } from '../http/serve.ts';
import { isResendable, isSecurityMail } from '../jobs/mails/templates.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { readAllTransactions } from '../ledger/bankExport.ts';
import { readAmount, readTransaction } from '../ledger/history.ts';
import { readReversible, reversalKey, reverseTransaction } from '../ledger/reversals.ts';
import type { Parts } from '../parts.ts';
import { voidCodes } from '../people/codes.ts';
import { listDirectory, readDirectory, readRecord } from '../people/customerDirectory.ts';
import {
  insertNote,
  listChanges,
  listNotes,
  listSentMails,
  readSessionsOf,
  refuseIfUnseenRequest,
  requestDocument,
} from '../people/customerPage.ts';
import { isEmailTaken, isProvenByReset, lockCustomer, refuseProvenByReset } from '../people/customers.ts';
import { lockCredentials } from '../people/lockout.ts';
import { keepReplacedIdentity } from '../people/retention.ts';
import { revokeSession, revokeSessions } from '../people/sessions.ts';
import { readCustomerHistory, readWholeAuditLog } from './auditLog.ts';
import { closeCustomer, HasMoney } from './closing.ts';
import { writeCsv } from './csvFiles.ts';
import { changeCustomerWithin } from './customerDetails.ts';
import { auditExport, auditList } from './listAudit.ts';
import { lockActor, recordAdminAct } from './recordAct.ts';
import { type ApprovalParts, askIfNeeded } from './secondApproval.ts';
import { recordView } from './views.ts';

type Acting = Pick<Request<typeof adminCustomersApi.customers>, 'admin' | 'address'>;

export function adminCustomersHandlers(
  parts: ApprovalParts & Pick<Parts, 'clock'>,
): Handlers<typeof adminCustomersApi> {
  const { database, clock } = parts;
  const today = () => calendarDay(clock.now());

  /** Reads data about a customer and audits a view of the customer. Refuses `NOT_FOUND` if there is no such customer. */
  async function view<T>(
    { params: { id }, admin, address }: Acting & { params: { id: string } },
    read: (tx: Tx) => Promise<T>,
  ): Promise<{ data: T }> {
    const data = await database.inTransaction(async tx => {
      const found = await read(tx);
      if (found === undefined || !(await readRecord(tx, id)))
        throw new Refusal('NOT_FOUND', { message: adminMessages.customerGone });
      await recordView(tx, { admin, address }, id);
      return found;
    });
    return { data };
  }

  return {
    async customers(request) {
      const data = await listDirectory(database.reader, request.query);
      await auditList(parts, request, 'customers.listed', data.customers);
      return { data };
    },

    async customerRecord(request) {
      const { data } = await view(request, tx => readRecord(tx, request.params.id));
      return { data: data! };
    },

    async reverse({ params: { id: transactionId }, body: { reason }, admin, idempotencyKey, address }) {
      const { adminId } = admin;
      const order = { transactionId, adminId, reason, idempotencyKey, address };
      const key = idempotencyKey === undefined ? undefined : reversalKey(order);
      const amountCents = await readAmount(database.reader, transactionId);
      const about = { kind: 'reversal', amountCents, key } as const;
      const approval = await askIfNeeded(parts, { admin, address }, about, async () => {
        const { customerId } = await readReversible(database.reader, transactionId);
        return { kind: 'reversal', transactionId, customerId, amountCents, reason };
      });
      if (approval) return { approval };
      const done = await database.inTransaction(async tx => {
        await lockActor(tx, admin);
        return await reverseTransaction(tx, order);
      });
      if ('refusal' in done) throw done.refusal;
      return { data: (await readTransaction(database.reader, undefined, done.id))! };
    },

    async changeCustomer({ params: { id: customerId }, body, admin, address }) {
      const { reason, note } = body;
      const former = await readRecord(database.reader, customerId);
      // Leaves out an email that stays the same. Otherwise, this call could undo a change that was just approved.
      const email = body.email === former?.email ? undefined : body.email;
      if (email !== undefined && former) {
        const approval = await askIfNeeded(parts, { admin, address }, { kind: 'email' }, async () => {
          const { firstName, middleName, lastName } = body;
          if ([firstName, middleName, lastName, note].some(value => value !== undefined))
            throw new Refusal('CONFLICT', { message: staffMessages.emailAlone });
          if (await isEmailTaken(database.reader, email))
            throw new Refusal('CONFLICT', { message: staffMessages.emailOfOther });
          await refuseProvenByReset(database.reader, customerId, staffMessages.emailAfterReset);
          return { kind: 'email', customerId, email, reason };
        });
        if (approval) return { approval };
      }
      const isSame = await database.inTransaction(
        async tx =>
          !(await changeCustomerWithin(tx, parts, { admin, address }, { ...body, customerId, email })),
      );
      const data = (await readRecord(database.reader, customerId))!;
      return isSame ? { data, message: staffMessages.detailsSame } : { data };
    },

    customerChanges: request => view(request, tx => listChanges(tx, request.params.id)),

    async rejectApplication({ params: { id: customerId }, body: { reason }, admin, address }) {
      const closer = { adminId: admin.adminId, session: admin, reason, mostCents: 0n, rejects: true };
      await closeCustomer(parts, { customerId, closer, address }).catch(error => {
        if (!(error instanceof HasMoney)) throw error;
        throw new Refusal('CONFLICT', { message: staffMessages.applicantHasMoney });
      });
    },

    async requestId({ params: { id }, body: { reason, isIdRequested }, admin, address }) {
      await database.inTransaction(async tx => {
        const { accountId, isVerified } = await lockCustomer(tx, id, adminMessages.customerGone);
        // The verified document may be of the person who registered, and the account in use by someone else.
        if (isVerified && !(await isProvenByReset(tx, id)))
          throw new Refusal('CONFLICT', { message: staffMessages.verifiedAlready });
        await refuseIfUnseenRequest(tx, id, isIdRequested);
        if (isVerified) await keepReplacedIdentity(tx, parts, id);
        await requestDocument(tx, id, reason);
        await notify(tx, accountId, 'id-requested');
        await enqueueJob(tx, 'mail', { template: 'id-requested', personId: id });
        await recordAdminAct(tx, { admin, address }, 'customer.id-requested', id, { reason });
      });
    },

    notes: request => view(request, tx => listNotes(tx, request.params.id)),

    async addNote({ params: { id: customerId }, body: { text }, admin, address }) {
      const data = await database.inTransaction(async tx => {
        await lockCustomer(tx, customerId, adminMessages.customerGone);
        await recordAdminAct(tx, { admin, address }, 'note.added', customerId);
        return await insertNote(tx, { customerId, author: admin.adminId, text });
      });
      return { data };
    },

    customerSessions: request => view(request, tx => readSessionsOf(tx, request.params.id)),

    async endCustomerSessions({ params: { id }, body, admin, address }) {
      const { sessionId: session, reason } = body ?? {};
      await database.inTransaction(async tx => {
        // A login that is about to open a session finishes first, so that its session ends, too.
        await lockCredentials(tx, id, undefined);
        await lockCustomer(tx, id, adminMessages.customerGone);
        if (session !== undefined && !(await revokeSession(tx, id, session)))
          throw new Refusal('CONFLICT', { message: staffMessages.sessionGone });
        // Ends a login in progress, too.
        const voided = session === undefined ? await voidCodes(tx, id) : 0;
        const { count, devices } =
          session === undefined ? await revokeSessions(tx, id) : { count: 1, devices: 0 };
        if (count + voided + devices === 0) return;
        if (count + devices > 0)
          await enqueueJob(tx, 'mail', {
            template: count > 0 ? 'sessions-ended' : 'push-removed',
            personId: id,
          });
        await recordAdminAct(tx, { admin, address }, 'customer.sessions-ended', id, {
          count,
          session,
          reason,
        });
      });
      return { message: session === undefined ? staffMessages.sessionsEnded : staffMessages.sessionEnded };
    },

    customerMails: request =>
      view(request, async tx =>
        (await listSentMails(tx, request.params.id)).map(({ id, at, template, subject }) => ({
          _id: id,
          at,
          subject,
          isSecurity: isSecurityMail(template),
          canResend: isResendable(template),
        })),
      ),

    async resendMail({ params: { id: personId }, body: { mailId }, admin, address }) {
      await database.inTransaction(async tx => {
        await lockCustomer(tx, personId, adminMessages.customerGone);
        const [mail] = await listSentMails(tx, personId, mailId);
        if (!mail) throw new Refusal('NOT_FOUND');
        const { template } = mail;
        if (!isResendable(template))
          throw new Refusal('CONFLICT', { message: staffMessages.mailNotResendable });
        await enqueueJob(tx, 'mail', { template, personId });
        await recordAdminAct(tx, { admin, address }, 'mail.resent', personId, { mail: mailId });
      });
    },

    customerHistory: request =>
      view(request, tx => readCustomerHistory(tx, { person: request.params.id, ...request.query })),

    async exportCustomers(request) {
      await auditExport(parts, request, 'customers.exported');
      const rows = readDirectory(database.reader, request.query);
      const columns =
        'Joined,First name,Last name,Email,Phone,Account number,Balance,State,ID document,Last login,Customer ID';
      const file = writeCsv(`customers-${today()}`, columns.split(','), rows, customer => [
        calendarDay(customer.joinedAt),
        customer.firstName,
        customer.lastName,
        customer.email,
        customer.phoneNumber,
        customer.accountNumber,
        centsToText(customer.balance),
        customer.state,
        customer.document,
        customer.lastLoginAt ? calendarDay(customer.lastLoginAt) : '',
        customer._id,
      ]);
      return { file };
    },

    async exportAllTransactions(request) {
      await auditExport(parts, request, 'transactions.exported');
      const rows = readAllTransactions(database.reader, request.query);
      const columns =
        'Date,Time,Type,Status,From,To,Bank,Account number,Amount,Description,Reference,Reverses,Transaction ID';
      const nameOf = (party?: { firstName: string; lastName: string }) => (party ? fullName(party) : '');
      // In a deposit, the account at another bank is the payer. In other transactions, it is the receiver.
      const partiesOf = ({ type, sender, receiver, externalBankDetails }: DecodedTransaction) => {
        const elsewhere = externalBankDetails?.accountName;
        return type === 'deposit'
          ? [elsewhere ?? '', nameOf(receiver)]
          : [nameOf(sender), elsewhere ?? nameOf(receiver)];
      };
      const file = writeCsv(`transactions-${today()}`, columns.split(','), rows, transaction => [
        calendarDay(transaction.timestamp),
        clockTime(transaction.timestamp),
        transaction.type,
        transaction.isHeld ? 'held' : transaction.status,
        ...partiesOf(transaction),
        transaction.externalBankDetails?.bankName ?? '',
        transaction.externalBankDetails?.accountNumber ?? '',
        centsToText(transaction.amount),
        transaction.description,
        transaction.reference,
        transaction.reverses ?? '',
        transaction._id,
      ]);
      return { file };
    },

    async exportAudit(request) {
      await auditExport(parts, request, 'audit.exported');
      const rows = readWholeAuditLog(database.reader, request.query);
      const columns = 'Record,Time,Actor,Actor ID,Act,Subject,Subject ID,Address,Details,Sealed';
      const file = writeCsv(`audit-${today()}`, columns.split(','), rows, entry => [
        entry._id,
        entry.at.toISOString(),
        entry.actorName,
        entry.actorId,
        entry.action,
        entry.subjectName,
        entry.subject,
        entry.address,
        entry.details,
        entry.isSealed ? 'yes' : 'no',
      ]);
      return { file };
    },
  };
}
