/**
 * Four eyes: stores an act that needs a second person as a request, and does it when another operator or owner approves it. One
 * transaction checks the act again, does it and decides the request. So a request is carried out once or not at all, even after
 * retries, races and crashes.
 */
import { Refusal } from '#contract/errors.ts';
import type { DecodedApproval, RequestState } from '#contract/fourEyes.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { fill } from '#contract/messages/fill.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import type { AuditData } from '../db/audit.ts';
import type { Reader, Tx } from '../db/database.ts';
import type { AdminSession } from '../http/session.ts';
import { expireNextRequests, mailEndedRequest, mailWaitingRequest } from '../jobs/requestMails.ts';
import { isKeyKnown, reverseTransaction } from '../ledger/reversals.ts';
import { lockUnpaid, type Payee, payUnclaimed } from '../ledger/unclaimed.ts';
import type { Parts } from '../parts.ts';
import {
  areStillAllowed,
  findOwnRequest,
  findRequestOfKey,
  insertRequest,
  isRequested,
  type LockedRequest,
  lockRequest,
  needsSecond,
  type Order,
  type Requestable,
  type RequestKey,
  readRequest,
  setFourEyesFrom,
  type Weight,
} from '../people/approvals.ts';
import { readUser } from '../people/customerLists.ts';
import { lockCustomer } from '../people/customers.ts';
import { decideRequest } from '../people/requestEnds.ts';
import { lockSession } from '../people/sessions.ts';
import { closeCustomerWithin, HasMoney } from './closing.ts';
import { changeCustomerWithin } from './customerDetails.ts';
import { lockActor, recordAdminAct } from './recordAct.ts';
import { refuseIfUnseenCredit, withSameCredit } from './sameCredits.ts';
import { changeRoleWithin, inviteMemberWithin } from './staffChanges.ts';
import { type Erased, removeErased } from './storedPictures.ts';

export type ApprovalParts = Pick<
  Parts,
  'database' | 'secrets' | 'files' | 'keys' | 'ledger' | 'config' | 'log'
>;
type Acting = { admin: AdminSession; address: string };

/**
 * Returns the request if the act needs a second person, or if there is a request with this key. Returns undefined if the caller
 * may act at once. `order` is called only for a new request, and must refuse what the act itself would refuse. Refuses
 * `CONFLICT` if the same act is already requested. If this administrator requested it, the data of the refusal has `requestId`.
 */
export async function askIfNeeded(
  { database, config, log }: Pick<Parts, 'database' | 'config' | 'log'>,
  { admin, address }: Acting,
  about: Weight & { key?: RequestKey | undefined; transactionId?: string },
  order: () => Promise<Order>,
): Promise<DecodedApproval | undefined> {
  const { key, transactionId } = about;
  const { reader } = database;
  const earlier = key && (await findRequestOfKey(reader, key));
  if (earlier) return earlier;
  const isNeeded = await needsSecond(reader, config.fourEyesFromCents, about);
  // Even if this act needs no second person, a request for the same money may wait: payouts to other banks always need one.
  const isTaken =
    !isNeeded && transactionId !== undefined && (await isRequested(reader, about.kind, transactionId));
  if (!isNeeded && !isTaken) return undefined;
  // If the act was already posted with this key, the caller gets the first answer again, from the ledger.
  if (key && (await isKeyKnown(reader, key.keyHash))) return undefined;
  if (isTaken) throw await sameRequest(reader, about, admin.adminId);
  const wanted = await order();
  const asked = await database.inTransaction(async tx => {
    // A request that is stored while the account is being closed would wait until it expires.
    if ('customerId' in wanted && wanted.customerId !== null)
      await lockCustomer(tx, wanted.customerId, adminMessages.customerGone);
    if (wanted.kind === 'unclaimed') {
      // A concurrent payout of this balance either ends first, or waits for this lock and then finds the request.
      await lockActor(tx, admin);
      await lockUnpaid(tx, wanted.transactionId);
    }
    const insert = () => insertRequest(tx, wanted, { askedBy: admin.adminId, address, key });
    let id = await insert();
    if (id === undefined) {
      // A concurrent call with the same key was first.
      const same = key && (await findRequestOfKey(tx, key));
      if (same) return same;
      // The same act is requested already. That request may have expired and be waiting for the hourly clean-up.
      if ((await expireNextRequests(tx)) > 0) id = await insert();
      if (id === undefined) throw await sameRequest(tx, wanted, admin.adminId);
    }
    const request = (await readRequest(tx, id))!;
    const subject = request.customer?._id ?? request.member?._id ?? request.transactionId ?? id;
    const data = { request: id, ...detailsOf(wanted), reason: request.reason };
    await recordAdminAct(tx, { admin, address }, 'request.made', subject, data);
    await mailWaitingRequest(tx, id, [admin.adminId, request.member?._id]);
    return request;
  });
  // The request is stored. It must not look refused because the warning cannot be read.
  return await withSameCredit(reader, asked).catch((error: unknown) => {
    log.warn({ err: error, request: asked._id }, 'the same credit could not be looked for');
    return asked;
  });
}

/** Refuses `CONFLICT` if a request about this unclaimed balance waits. Call it after the balance was locked. */
export async function refuseIfRequested(tx: Tx, transactionId: string, adminId: string): Promise<void> {
  const wanted = { kind: 'unclaimed', transactionId } as const;
  if (await isRequested(tx, wanted.kind, transactionId)) throw await sameRequest(tx, wanted, adminId);
}

/** The refusal of an act that is already requested. It names the request if this administrator made it. */
async function sameRequest(reader: Reader, wanted: Requestable, adminId: string): Promise<Refusal> {
  const requestId = await findOwnRequest(reader, wanted, adminId);
  if (requestId === undefined) return new Refusal('CONFLICT', { message: staffMessages.sameRequest });
  return new Refusal('CONFLICT', { message: staffMessages.ownSameRequest, data: { requestId } });
}

/** An approved request could not be carried out. Nothing was changed. */
class NotPossible extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message, { cause: refusal });
    this.refusal = refusal;
  }
}

/**
 * Approves a request and carries it out. Refuses `FORBIDDEN` for the administrator's own request, for one about the
 * administrator's role, and for one that the administrator's role may not approve. Refuses `CONFLICT` if the request was
 * decided, has expired, or can no longer be carried out. Then it has failed, but not if it is refused because of `sameCreditId`
 * (`refuseIfUnseenCredit`).
 */
export async function approveRequest(
  parts: ApprovalParts,
  { admin, address }: Acting,
  requestId: string,
  sameCreditId?: string | null,
): Promise<DecodedApproval> {
  const { database } = parts;
  const decidedBy = admin.adminId;
  try {
    const { request, erased } = await database.inTransaction(async tx => {
      const locked = await lockForDecision(tx, { admin, requestId });
      const done = await carryOut(tx, parts, locked).catch(error => {
        throw error instanceof Refusal && error.code !== 'BUSY' ? new NotPossible(error) : error;
      });
      await decideRequest(tx, requestId, { status: 'done', decidedBy, resultId: done.resultId });
      await recordDecision(tx, { admin, address }, locked, 'request.approved');
      await mailEndedRequest(tx, requestId, { askedBy: locked.askedBy, decidedBy });
      const request = (await readRequest(tx, requestId))!;
      const { kind, customer, amount, description, resultId: made } = request;
      if (kind === 'credit')
        await refuseIfUnseenCredit(tx, customer!.accountNumber, { amount, description, made }, sameCreditId);
      return { request, erased: done.erased };
    });
    if (erased) await removeErased(parts, erased);
    return request;
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error;
    const outcome = error.message;
    await database.inTransaction(async tx => {
      const { askedBy, ...locked } = await lockRequest(tx, requestId);
      await decideRequest(tx, requestId, { status: 'failed', decidedBy, outcome });
      await recordDecision(tx, { admin, address }, { askedBy, ...locked }, 'request.failed', outcome);
      await mailEndedRequest(tx, requestId, { askedBy, decidedBy });
    });
    throw new Refusal('CONFLICT', { message: fill(staffMessages.requestFailed, { reason: outcome }) });
  }
}

/** Declines a request, or withdraws the administrator's own. */
export async function endRequest(
  { database }: Pick<Parts, 'database'>,
  { admin, address }: Acting,
  requestId: string,
  how: { status: 'declined'; reason: string } | { status: 'withdrawn' },
): Promise<DecodedApproval> {
  return await database.inTransaction(async tx => {
    const locked = await lockRequest(tx, requestId);
    const isOwn = locked.askedBy === admin.adminId;
    if (how.status === 'declined') refuseOwnRole(admin, locked);
    if (how.status === 'declined' && isOwn)
      throw new Refusal('FORBIDDEN', { message: staffMessages.ownRequest });
    if (how.status === 'withdrawn' && !isOwn)
      throw new Refusal('FORBIDDEN', { message: staffMessages.notYourRequest });
    const reason = how.status === 'declined' ? how.reason : undefined;
    const decidedBy = admin.adminId;
    await decideRequest(tx, requestId, { status: how.status, decidedBy, outcome: reason });
    await recordDecision(tx, { admin, address }, locked, `request.${how.status}`, reason);
    await mailEndedRequest(tx, requestId, { askedBy: locked.askedBy, decidedBy });
    return (await readRequest(tx, requestId))!;
  });
}

/** Locks a request. Checks that its maker may still make it, and that this administrator may approve it. */
async function lockForDecision(
  tx: Tx,
  { admin, requestId }: { admin: AdminSession; requestId: string },
): Promise<LockedRequest> {
  const locked = await lockRequest(tx, requestId);
  const { askedBy, order } = locked;
  refuseOwnRole(admin, locked);
  if (askedBy === admin.adminId) throw new Refusal('FORBIDDEN', { message: staffMessages.ownRequest });
  const allowed = await areStillAllowed(tx, order.kind, { askedBy, decidedBy: admin.adminId });
  if (!allowed.decider) throw new Refusal('FORBIDDEN');
  if (!(await lockSession(tx, admin.adminId, admin.sessionId))) throw new Refusal('NOT_AUTHORIZED');
  if (!allowed.asker) throw new NotPossible(new Refusal('CONFLICT', { message: staffMessages.askerGone }));
  return locked;
}

/**
 * Administrators must not decide about their own role, even if an owner asked. Once promoted, they could approve the other
 * requests.
 */
function refuseOwnRole({ adminId }: AdminSession, { order }: LockedRequest): void {
  if (order.kind === 'role' && order.memberId === adminId)
    throw new Refusal('FORBIDDEN', { message: staffMessages.aboutYou });
}

type Done = { resultId?: string | undefined; erased?: Erased };

/** Does what a request asks for, on behalf of the administrator who asked. */
async function carryOut(
  tx: Tx,
  parts: ApprovalParts,
  { id, askedBy, address, keyHash, order }: LockedRequest,
): Promise<Done> {
  // The same call may have been posted without a request, right before there was a second operator.
  if (keyHash !== null && (await isKeyKnown(tx, keyHash)))
    throw new Refusal('CONFLICT', { message: staffMessages.requestDecided });
  const acting = { adminId: askedBy, address };
  switch (order.kind) {
    case 'credit': {
      const customer = await readUser(tx, order.customerId);
      if (!customer) throw new Refusal('NOT_FOUND', { message: adminMessages.customerGone });
      const { amountCents, description } = order;
      const { accountNumber } = customer;
      const idempotencyKey = `request ${id}`;
      const credit = { ...acting, sessionId: null, accountNumber, amountCents, description, idempotencyKey };
      return { resultId: await parts.ledger.creditWithin(tx, credit) };
    }
    case 'reversal': {
      const { transactionId, reason } = order;
      const reversed = await reverseTransaction(tx, {
        ...acting,
        transactionId,
        reason,
        idempotencyKey: `request ${id}`,
      });
      if ('refusal' in reversed) throw reversed.refusal;
      return { resultId: reversed.id };
    }
    case 'unclaimed': {
      const { transactionId: sourceId, reason } = order;
      const paid = await payUnclaimed(tx, {
        ...acting,
        sourceId,
        payee: await readPayee(tx, order),
        reason,
        idempotencyKey: `request ${id}`,
      });
      if ('refusal' in paid) throw paid.refusal;
      return { resultId: paid.id };
    }
    case 'deletion': {
      const closer = { adminId: askedBy, reason: order.reason, mostCents: order.amountCents };
      const closing = { customerId: order.customerId, closer, address };
      const erased = await closeCustomerWithin(tx, parts, closing).catch(error => {
        if (!(error instanceof HasMoney)) throw error;
        throw new Refusal('CONFLICT', { message: staffMessages.moreMoneyNow });
      });
      return { resultId: erased.sweep, erased };
    }
    case 'email':
      await changeCustomerWithin(tx, parts, { admin: acting, address }, order);
      return {};
    case 'role':
      await changeRoleWithin(tx, { admin: acting, address }, order);
      return {};
    case 'invitation':
      await inviteMemberWithin(tx, { admin: acting, address }, order);
      return {};
    case 'limit':
      await changeFourEyesFrom(tx, acting, order.fromCents);
      return {};
  }
}

/** The account to which a request pays an unclaimed balance. Refuses `NOT_FOUND` if that customer is gone. */
async function readPayee(tx: Tx, order: Order & { kind: 'unclaimed' }): Promise<Payee> {
  if ('bankName' in order) {
    const { bankName, accountName, accountNumber } = order;
    return { bank: { bankName, accountName, accountNumber } };
  }
  const customer = await readUser(tx, order.customerId);
  if (!customer) throw new Refusal('NOT_FOUND', { message: adminMessages.customerGone });
  return { accountNumber: customer.accountNumber };
}

/** Changes the smallest amount that needs a second person. */
export async function changeFourEyesFrom(
  tx: Tx,
  acting: { adminId: string; address: string },
  fromCents: bigint | null,
): Promise<void> {
  await setFourEyesFrom(tx, fromCents);
  const data = fromCents === null ? undefined : { cents: Number(fromCents) };
  await recordAdminAct(tx, { admin: acting, address: acting.address }, 'four-eyes.changed', undefined, data);
}

type DecisionAction =
  | 'request.approved'
  | 'request.failed'
  | `request.${RequestState & ('declined' | 'withdrawn')}`;

async function recordDecision(
  tx: Tx,
  acting: Acting,
  { id, order }: LockedRequest,
  action: DecisionAction,
  reason?: string,
): Promise<void> {
  const { customerId, memberId, transactionId } = order as { [K in string]?: string };
  const subject = customerId ?? memberId ?? transactionId ?? id;
  await recordAdminAct(tx, acting, action, subject, { request: id, ...detailsOf(order), reason });
}

/**
 * What a request asks for, for the audit log: the amount or the role. A new email is not included, because it can be erased.
 */
function detailsOf(order: Order): Pick<AuditData, 'cents' | 'role' | 'formerRole'> {
  const cents =
    order.kind === 'limit' ? order.fromCents : 'amountCents' in order ? order.amountCents : undefined;
  return {
    ...(cents != null && { cents: Number(cents) }),
    ...('role' in order && { role: order.role }),
    ...('formerRole' in order && { formerRole: order.formerRole }),
  };
}
