/**
 * The ledger's interface for the rest of the server: request a movement of money, get the transaction or a refusal. Callers
 * never see posting groups, locks or outcome codes.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { DecodedTransaction, TransactionType } from '#contract/entities.ts';
import { invalidField, Refusal } from '#contract/errors.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as limitsMessages from '#contract/messages/limits.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { limitConcurrencyByKey } from '../base/concurrency.ts';
import { tracePosting } from '../base/tracePoints.ts';
import { fingerprint, newId } from '../base/uuid.ts';
import type { Database, Reader, Tx } from '../db/database.ts';
import { openPostedReader } from './postedReader.ts';
import { openPoster } from './poster.ts';
import { type PostOutcome, type PostRequest, postWithin } from './postStatement.ts';
import { type Refusals, toRefusal } from './refusals.ts';

/** What every request to move money has. `idempotencyKey`: the caller's own. `address`: the IP address of the request. */
type PostingOrder = {
  amountCents: bigint;
  description: string;
  idempotencyKey?: string | undefined;
  address: string;
};

/**
 * `sessionId`: a session of the customer that must still be live; null if the request comes from the server itself. Such a
 * request needs no step-up.
 */
type CustomerOrder = PostingOrder & {
  customerId: string;
  sessionId: string | null;
  /** The hash of the proof of a step-up (`people/stepUp.ts`). */
  proofHash?: string | undefined;
};
export type InternalTransfer = CustomerOrder & { receiverAccountNumber: string };
export type ExternalTransfer = CustomerOrder & {
  bank: { bankName: string; accountName: string; accountNumber: string };
};
export type ScheduledRun = {
  scheduleId: string;
  date: string;
  customerId: string;
  amountCents: bigint;
  description: string;
} & ({ receiverAccountNumber: string; bank: null } | { bank: ExternalTransfer['bank'] });
/** `sessionId`: a session of the administrator, as in `CustomerOrder`. */
export type Credit = PostingOrder & { adminId: string; sessionId: string | null; accountNumber: string };

export type Ledger = {
  /**
   * Moves money from one customer's account to another at once. Refusals, in the order they are checked: `NOT_AUTHORIZED` (the
   * session has ended), `IDEMPOTENCY_MISMATCH`, `NOT_AUTHORIZED` (the account is closed), `ACCOUNT_PENDING`, `ACCOUNT_FROZEN`,
   * `SAME_ACCOUNT`, `NOT_FOUND` (the receiver is unknown, not approved or closed), `INSUFFICIENT_BALANCE`, `VALIDATION` (a
   * balance would be out of range), `LIMIT_EXCEEDED` (the sender's daily limit), `STEP_UP_REQUIRED`; `BUSY` if the database is
   * unavailable, too many postings wait, or an account stays locked.
   */
  transfer(order: InternalTransfer): Promise<DecodedTransaction>;
  /**
   * Moves money from the customer's balance into clearing, and enqueues its payment to an account at another bank. Refusals as
   * for `transfer`. If the rail does not reach the bank, refuses `VALIDATION` once all checks before the step-up have passed.
   */
  sendExternal(order: ExternalTransfer & { isUnreachable?: boolean }): Promise<DecodedTransaction>;
  /**
   * Marks a pending external transfer as submitted to the rail, unless `dueAt` is in the future or the sender's account is
   * frozen. A submitted transfer cannot be canceled. Returns `isHeld` if the transfer is not submitted. If the account was
   * closed while it was frozen, ends the transfer instead and returns `isEnded`; the money becomes unclaimed. `mayEnd`: whether
   * the caller may call `endExternal` in the same transaction.
   */
  submitExternal(
    tx: Tx,
    transactionId: string,
    { dueAt, mayEnd }: { dueAt: Date; mayEnd: boolean },
  ): Promise<{ submittedAt: Date } | { isHeld: true; now: Date } | { isEnded: true }>;
  /**
   * Sends a scheduled transfer for one of its dates, to a customer or to another bank. Sends only once for each date, even if
   * the amount differs when the call is repeated. A refusal is not stored, so the call can be retried for the date. Refusals as
   * for `transfer`.
   */
  runScheduled(order: ScheduledRun): Promise<{ _id: string; amount: bigint }>;
  /** Stores the day on which each of these pending external transfers is expected to arrive; customers see that day. */
  expectExternal(tx: Tx, expected: { transactionId: string; expectedAt: Date }[]): Promise<void>;
  /**
   * Ends a pending external transfer. Settled: the money has left the bank. Returned: it goes back to the sender, or to the
   * unclaimed balances if it came from there or the sender's account is closed. Happens once; returns false if the transfer had
   * already ended.
   */
  endExternal(
    tx: Tx,
    transactionId: string,
    end: { isSettled: true } | { isSettled: false; reason: string },
  ): Promise<boolean>;
  /**
   * Cancels a pending external transfer that is not submitted to the rail yet. Returns false if it is too late, or if an
   * administrator cancels it while the sender's account is not frozen. Refuses `CONFLICT` if the sender's balance would be too
   * large to be exact.
   */
  cancelExternal(
    tx: Tx,
    transactionId: string,
    by:
      | { kind: 'customer' | 'admin'; id: string; address: string }
      | { kind: 'system'; id: null; address: null },
  ): Promise<boolean>;
  /**
   * Credits a customer from the treasury. Refusals as for `transfer`; `ACCOUNT_PENDING` if the customer is not approved;
   * `FORBIDDEN` if the administrator may no longer make credits. `check` gets the id of a new credit before the commit, while
   * the accounts are locked, and throws a refusal if the credit must not be made.
   */
  credit(order: Credit, check?: (tx: Tx, id: string) => Promise<void>): Promise<DecodedTransaction>;
  /** `credit` as part of the caller's database transaction. Returns the id of the credit. */
  creditWithin(tx: Tx, order: Credit): Promise<string>;
  /** Number of queued postings, for the metrics. */
  waiting: () => number;
  close: () => Promise<void>;
};

const refusals: Refusals = {
  10: { code: 'NOT_AUTHORIZED' },
  2: { code: 'IDEMPOTENCY_MISMATCH' },
  11: { code: 'NOT_AUTHORIZED' },
  12: { code: 'ACCOUNT_PENDING' },
  13: { code: 'ACCOUNT_FROZEN' },
  14: { code: 'STEP_UP_REQUIRED' },
  15: { code: 'FORBIDDEN' },
  21: { code: 'SAME_ACCOUNT' },
  22: { code: 'NOT_FOUND', message: transferMessages.accountNotFound },
  23: { code: 'INSUFFICIENT_BALANCE' },
  24: { code: 'VALIDATION', message: transferMessages.invalidAmount },
  25: { code: 'LIMIT_EXCEEDED' },
};
/** The refusals of a credit. Their text for a pending account differs, because the account is not the administrator's own. */
const creditRefusals: Refusals = {
  ...refusals,
  12: { code: 'ACCOUNT_PENDING', message: adminMessages.creditPending },
};

/** The key hash of the transaction for one date of a scheduled transfer. No idempotency key of a caller has the same hash. */
const scheduledKey = (scheduleId: string, date: string) =>
  fingerprint('scheduled transfer', scheduleId, date);

/** The transaction for one date of a scheduled transfer, even if the process died before it recorded the transaction. */
export async function findScheduledRun(
  reader: Reader,
  scheduleId: string,
  date: string,
): Promise<{ id: string; amount: bigint } | undefined> {
  const found = await sql<{ id: string; amount: bigint }>`
    SELECT id, amount FROM transactions WHERE key_hash = ${scheduledKey(scheduleId, date)}`.execute(reader);
  return found.rows[0];
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A reference that a person can read out: sixty bits of the id, most of them random, in Crockford's base 32, with dashes. */
export function referenceOf(id: string): string {
  // Twenty bits, which are five hexadecimal digits, make four characters.
  const group = (hex: string) => {
    const bits = Number.parseInt(hex, 16);
    return (
      alphabet[bits >> 15]! +
      alphabet[(bits >> 10) & 31]! +
      alphabet[(bits >> 5) & 31]! +
      alphabet[bits & 31]!
    );
  };
  const digits = id.slice(-16);
  return `LB-${group(digits.slice(0, 3) + digits.slice(4, 6))}-${group(digits.slice(6, 11))}-${group(digits.slice(11))}`;
}

/** How the ledger stores a caller's idempotency key. Without a key, every request is a new one. */
export const keyHashOf = (actor: string, idempotencyKey: string | undefined): string =>
  idempotencyKey === undefined ? randomUUID() : fingerprint(actor, idempotencyKey);

/** Makes a posting request with id, reference, key hash and request hash. */
export function toPostRequest(
  type: TransactionType,
  order: PostingOrder & { proofHash?: string | undefined },
  who: { actor: string; session: string | null; receiver: string | null },
  bank: PostRequest['bank'] = null,
): PostRequest {
  const id = newId();
  const { amountCents, description, idempotencyKey, address, proofHash = null } = order;
  return {
    ...who,
    id,
    type,
    amountCents,
    description,
    reference: referenceOf(id),
    keyHash: keyHashOf(who.actor, idempotencyKey),
    requestHash: fingerprint(
      type,
      String(who.receiver),
      String(amountCents),
      description,
      JSON.stringify(bank),
    ),
    isKeyed: idempotencyKey !== undefined,
    address,
    bank,
    proofHash,
  };
}

/** How the ledger stores the key and the content of a credit; undefined without a key. */
export function creditKey(order: Credit): { keyHash: string; requestHash: string } | undefined {
  if (order.idempotencyKey === undefined) return undefined;
  return toPostRequest('admin-credit', order, {
    actor: order.adminId,
    session: null,
    receiver: order.accountNumber,
  });
}

const statusWhenPosted = (type: TransactionType) => (type === 'external-transfer' ? 'pending' : 'completed');

/** The transaction that was just posted, equal to what reading it back would return. */
function describe(request: PostRequest, { postedAt, sender, receiver }: PostOutcome): DecodedTransaction {
  return {
    _id: request.id,
    reference: request.reference,
    type: request.type,
    status: statusWhenPosted(request.type),
    amount: request.amountCents,
    timestamp: postedAt,
    description: request.description,
    ...(sender && { sender }),
    ...(receiver && { receiver }),
    ...(request.bank && { externalBankDetails: request.bank }),
  };
}

const toCreditRequest = (order: Credit) => {
  const { adminId: actor, sessionId: session, accountNumber: receiver } = order;
  return toPostRequest('admin-credit', order, { actor, session, receiver });
};

/** Opens the ledger on a migrated database. From `stepUpFromCents` on, a customer's transfer needs the proof of a step-up. */
export function openLedger(database: Database, stepUpFromCents?: bigint): Ledger {
  const poster = openPoster(database, stepUpFromCents);
  const read = openPostedReader(database.quickPool);

  const post = async (request: PostRequest): Promise<DecodedTransaction> => {
    const posted = await tracePosting(request.id, () => poster.post(request));
    if (posted.outcome === 0) return describe(request, posted);
    if (posted.outcome !== 1) {
      throw toRefusal(request.type === 'admin-credit' ? creditRefusals : refusals, posted.outcome);
    }
    // A repeated key: return the first result with current names, and without what happened later (an end, a reversal).
    const { returnReason: _reason, reversedBy: _reversal, isHeld: _held, ...first } = await read(posted.id);
    return { ...first, status: statusWhenPosted(request.type) };
  };

  /** A payment to an unreachable bank uses a connection and locks clearing, so each customer can request only one at a time. */
  const oneForEach = limitConcurrencyByKey({ maxRunning: 1, maxWaiting: 32, waitTime: 1 });

  /** Refuses a payment to a bank that the rail does not reach, unless its key was used before. Other refusals come first. */
  const refuseUnlessPosted = (request: PostRequest): Promise<void> =>
    database.inTransaction(async tx => {
      const { outcome } = await postWithin(tx, request);
      if (outcome === 1) return;
      // Rolls back what was just posted.
      throw [0, 14].includes(outcome)
        ? invalidField('bankName', transferMessages.unreachableBank)
        : toRefusal(refusals, outcome);
    });

  return {
    transfer: order =>
      post(
        toPostRequest('transfer', order, {
          actor: order.customerId,
          session: order.sessionId,
          receiver: order.receiverAccountNumber,
        }),
      ),
    async sendExternal({ isUnreachable = false, ...order }) {
      const who = { actor: order.customerId, session: order.sessionId, receiver: null };
      const request = toPostRequest('external-transfer', order, who, order.bank);
      if (isUnreachable) await oneForEach(request.actor, () => refuseUnlessPosted(request));
      return await post(request);
    },
    async submitExternal(tx, transactionId, { dueAt, mayEnd }) {
      // The accounts of a return, in the order in which every posting locks them. If `endExternal` locked clearing after the
      // account, payments that end here would make each other fail, and other customers' payments would wait for clearing.
      if (mayEnd)
        await sql`
          SELECT FROM ledger_accounts
           WHERE id IN (clearing_id(), unclaimed_id(), (SELECT sender_account FROM transactions WHERE id = ${transactionId}))
             AND now() >= ${dueAt} ORDER BY id FOR NO KEY UPDATE`.execute(tx);
      // Locks the account first, as posting does: a freeze then happens either before this check or after the submission.
      const found = await sql<{ is_due: boolean; now: Date }>`
        SELECT NOT a.is_frozen AND now() >= ${dueAt} AS is_due, now()
          FROM transactions t JOIN ledger_accounts a ON a.id = coalesce(t.sender_account, unclaimed_id())
         WHERE t.id = ${transactionId} AND NOT (a.is_closed AND a.is_frozen) FOR SHARE OF a`.execute(tx);
      const [open] = found.rows;
      if (!open) await this.cancelExternal(tx, transactionId, { kind: 'system', id: null, address: null });
      const submitted = await sql<{ submittedAt: Date }>`
        UPDATE external_transfers SET submitted_at = coalesce(submitted_at, now())
         WHERE transaction_id = ${transactionId} AND status = 'pending' AND (submitted_at IS NOT NULL OR ${open?.is_due ?? false})
        RETURNING submitted_at AS "submittedAt"`.execute(tx);
      return submitted.rows[0] ?? (open ? { isHeld: true, now: open.now } : { isEnded: true });
    },
    runScheduled(order) {
      const { scheduleId, date, bank, ...posting } = order;
      const receiver = 'receiverAccountNumber' in order ? order.receiverAccountNumber : null;
      const type = bank ? 'external-transfer' : 'transfer';
      const who = { actor: order.customerId, session: null, receiver };
      const key = scheduledKey(scheduleId, date);
      const request = toPostRequest(type, { ...posting, address: '' }, who, bank);
      return post({ ...request, keyHash: key, requestHash: key });
    },
    async expectExternal(tx, expected) {
      await sql`
        UPDATE external_transfers x SET expected_by = bank_day(e.at)
          FROM unnest(${expected.map(each => each.transactionId)}::uuid[], ${expected.map(each => each.expectedAt)}::timestamptz[])
               AS e(id, at)
         WHERE x.transaction_id = e.id AND x.status = 'pending'`.execute(tx);
    },
    async endExternal(tx, transactionId, end) {
      const reason = end.isSettled ? null : end.reason;
      const decided = await sql<{ is_first: boolean }>`
        SELECT decide_external_transfer(${transactionId}, ${end.isSettled}, ${reason}) AS is_first`.execute(
        tx,
      );
      return decided.rows[0]!.is_first;
    },
    async cancelExternal(tx, transactionId, { kind, id, address }) {
      const reason =
        kind === 'customer' ? transactionsMessages.canceledReason : transactionsMessages.returnedReason;
      const canceled = await sql<{ is_first: boolean }>`
        SELECT cancel_external_transfer(${transactionId}, ${kind}, ${id}, ${reason}, ${address}) AS is_first`
        .execute(tx)
        .catch((error: { constraint?: string }) => {
          if (error.constraint !== 'balance_is_exact') throw error;
          throw new Refusal('CONFLICT', { message: limitsMessages.balanceTooLarge });
        });
      return canceled.rows[0]!.is_first;
    },
    async credit(order, check) {
      const request = toCreditRequest(order);
      if (check) {
        // First waits for the account alone: the posting also locks the treasury, which every other credit needs.
        await database.inTransaction(tx =>
          sql`SELECT FROM ledger_accounts WHERE number = ${order.accountNumber} FOR NO KEY UPDATE`.execute(
            tx,
          ),
        );
        const outcome = await database.inTransaction(async tx => {
          await sql`SET LOCAL lock_timeout = '500ms'`.execute(tx);
          const posted = await postWithin(tx, request);
          if (posted.outcome === 0) await check(tx, posted.id);
          return posted.outcome;
        });
        if (outcome > 1) throw toRefusal(creditRefusals, outcome);
      }
      // After a check, the credit is already posted. Its key gets the answer, even if the session has ended since.
      return await post(check ? { ...request, session: null } : request);
    },
    async creditWithin(tx, order) {
      const { outcome, id } = await postWithin(tx, toCreditRequest(order));
      if (outcome > 1) throw toRefusal(creditRefusals, outcome);
      return id;
    },
    waiting: poster.waiting,
    close: poster.close,
  };
}
