/**
 * The ledger as the rest of the bank sees it: ask for a movement, get the transaction or the books' refusal. Callers
 * never see groups, locks or outcome codes.
 */
import { hash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import type { TransactionBehindTheEdge, TransactionType } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { newId } from '../base/uuid.ts';
import type { Database, Tx } from '../db/database.ts';
import { openGroupReader } from './postedReader.ts';
import { openPoster, type PostOutcome, type PostRequest } from './poster.ts';
import { type Refusals, toRefusal } from './refusals.ts';

/** What every movement is asked with. `idempotencyKey` is the caller's own; `address` is where the request came from. */
type Asked = {
  amountCents: bigint;
  description: string;
  idempotencyKey?: string | undefined;
  address: string;
};

/** `sessionId`: a session of the customer that must still stand; null where it is nobody's who is logged in. */
type AskedByCustomer = Asked & { customerId: string; sessionId: string | null };
export type InternalTransfer = AskedByCustomer & { receiverAccountNumber: string };
export type ExternalTransfer = AskedByCustomer & {
  bank: { bankName: string; accountName: string; accountNumber: string };
};
/** `sessionId` as a customer's. */
export type Credit = Asked & { adminId: string; sessionId: string | null; accountNumber: string };

export type Ledger = {
  /**
   * Moves money from a customer's account to another's, at once. Refuses with `NOT_AUTHORIZED` where the session has ended,
   * `IDEMPOTENCY_MISMATCH`, `NOT_AUTHORIZED` where the account is closed, `ACCOUNT_PENDING`, `ACCOUNT_FROZEN`,
   * `SAME_ACCOUNT`, `NOT_FOUND`, `INSUFFICIENT_BALANCE`, in this order; `BUSY` where the database is away.
   */
  transfer(asked: InternalTransfer): Promise<TransactionBehindTheEdge>;
  /**
   * Takes money for an account at another bank out of the balance and into clearing, and has the payment rail told.
   * Refuses as `transfer` does, where it applies.
   */
  sendExternal(asked: ExternalTransfer): Promise<TransactionBehindTheEdge>;
  /** Notes by when a pending external transfer is to be expected; people are told the day. */
  expectExternal(tx: Tx, transactionId: string, expectedAt: Date): Promise<void>;
  /**
   * Ends a pending external transfer: settled, the money has left; returned, for a reason, it goes back to the sender or,
   * where that account is closed, to the unclaimed balances. Once, whoever asks: false where it was ended before.
   */
  endExternal(
    transactionId: string,
    end: { isSettled: true } | { isSettled: false; reason: string },
  ): Promise<boolean>;
  /** Credits a customer from the treasury. Refuses as `transfer` does, where it applies. */
  credit(asked: Credit): Promise<TransactionBehindTheEdge>;
  /** Postings that wait for the database, for the metrics. */
  waiting: () => number;
  close: () => Promise<void>;
};

const refusals: Refusals = {
  10: { code: 'NOT_AUTHORIZED' },
  2: { code: 'IDEMPOTENCY_MISMATCH' },
  11: { code: 'NOT_AUTHORIZED' },
  12: { code: 'ACCOUNT_PENDING' },
  13: { code: 'ACCOUNT_FROZEN' },
  21: { code: 'SAME_ACCOUNT' },
  22: { code: 'NOT_FOUND', message: transferMessages.accountNotFound },
  23: { code: 'INSUFFICIENT_BALANCE' },
  24: { code: 'VALIDATION', message: transferMessages.invalidAmount },
};
/** As an administrator is told, whose own account it is not. */
const creditRefusals: Refusals = {
  ...refusals,
  12: { code: 'ACCOUNT_PENDING', message: adminMessages.creditPending },
};

/** 128 bits of SHA-256 over unambiguous text, as the database's 16-byte type. */
function fingerprint(...parts: string[]): string {
  const hex = hash('sha256', JSON.stringify(parts));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A reference a person can read out: sixty random bits of the id in Crockford's base 32, as `LB-XXXX-XXXX-XXXX`. */
export function referenceOf(id: string): string {
  let bits = BigInt(`0x${id.replaceAll('-', '').slice(-15)}`);
  let text = '';
  for (let i = 0; i < 12; i++) {
    text = alphabet[Number(bits & 31n)]! + text;
    bits >>= 5n;
  }
  return `LB-${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`;
}

/** Turns what was asked into a posting request with its key and fingerprint. */
export function toPostRequest(
  type: TransactionType,
  asked: Asked,
  who: { actor: string; session: string | null; receiver: string | null },
  bank: PostRequest['bank'] = null,
): PostRequest {
  const id = newId();
  const { amountCents, description, idempotencyKey, address } = asked;
  return {
    ...who,
    id,
    type,
    amountCents,
    description,
    reference: referenceOf(id),
    keyHash: idempotencyKey === undefined ? randomUUID() : fingerprint(who.actor, idempotencyKey),
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
  };
}

const statusWhenPosted = (type: TransactionType) => (type === 'external-transfer' ? 'pending' : 'completed');

/** What was just posted, as it would be read back. */
function describe(
  request: PostRequest,
  { postedAt, sender, receiver }: PostOutcome,
): TransactionBehindTheEdge {
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

/** Opens the ledger on a migrated database. `connection` is for the poster's own connections. */
export function openLedger(database: Database, connection: pg.ClientConfig): Ledger {
  const poster = openPoster(connection);
  const read = openGroupReader(database.quickPool);

  const post = async (request: PostRequest): Promise<TransactionBehindTheEdge> => {
    const posted = await poster.post(request);
    if (posted.outcome === 0) return describe(request, posted);
    if (posted.outcome !== 1) {
      throw toRefusal(request.type === 'admin-credit' ? creditRefusals : refusals, posted.outcome);
    }
    // Posted before: the first result is read again, with names as they are now. What became of it since is another answer.
    return { ...(await read(posted.id)), status: statusWhenPosted(request.type) };
  };

  return {
    transfer: asked =>
      post(
        toPostRequest('transfer', asked, {
          actor: asked.customerId,
          session: asked.sessionId,
          receiver: asked.receiverAccountNumber,
        }),
      ),
    sendExternal: asked =>
      post(
        toPostRequest(
          'external-transfer',
          asked,
          { actor: asked.customerId, session: asked.sessionId, receiver: null },
          asked.bank,
        ),
      ),
    async expectExternal(tx, transactionId, expectedAt) {
      await sql`
        UPDATE external_transfers SET expected_by = bank_day(${expectedAt}::timestamptz)
         WHERE transaction_id = ${transactionId} AND status = 'pending'`.execute(tx);
    },
    endExternal: (transactionId, end) =>
      database.inTransaction(async tx => {
        const reason = end.isSettled ? null : end.reason;
        const decided = await sql<{ is_first: boolean }>`
          SELECT decide_external_transfer(${transactionId}, ${end.isSettled}, ${reason}) AS is_first`.execute(
          tx,
        );
        return decided.rows[0]!.is_first;
      }),
    credit: asked =>
      post(
        toPostRequest('admin-credit', asked, {
          actor: asked.adminId,
          session: asked.sessionId,
          receiver: asked.accountNumber,
        }),
      ),
    waiting: poster.waiting,
    close: poster.close,
  };
}
