/** Payees: the accounts that a customer saved to pay again. */
import { sql } from 'kysely';
import { payees } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as payeesMessages from '#contract/messages/payees.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import type { DecodedPayee } from '#contract/payees.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import { lockOwner, type Owner } from './keyedInserts.ts';

/** How many of a customer's newest payments are searched for the last payment to a payee. */
const searchedPayments = 1000;

/** An account to save. Bank and holder are empty for an account at this bank. */
type NewPayee = { bankName: string; accountName: string; accountNumber: string; nickname: string };

/**
 * Saves an account and returns the id of the payee. Refuses `SAME_ACCOUNT` for the customer's own account, and `CONFLICT` if
 * the account is saved already or the list is full.
 */
export async function insertPayee(
  tx: Tx,
  owner: Owner,
  { bankName, accountName, accountNumber, nickname }: NewPayee,
): Promise<string> {
  const { accountId } = owner;
  const own = await lockOwner(tx, owner);
  if (bankName === '' && own.number === accountNumber) throw new Refusal('SAME_ACCOUNT');
  // A separate statement after the lock, so that it counts what concurrent calls saved.
  const saved = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM payees WHERE account_id = ${accountId}`.execute(tx);
  if (saved.rows[0]!.n >= payees.max)
    throw new Refusal('CONFLICT', { message: fill(payeesMessages.tooMany, payees) });
  const payeeId = newId();
  const added = await sql`
    INSERT INTO payees (id, account_id, bank_name, account_name, account_number, nickname, last_paid_at)
    VALUES (${payeeId}, ${accountId}, ${bankName}, ${accountName}, ${accountNumber}, ${nickname},
            ${lastPaid(accountId, bankName, accountNumber)})
    ON CONFLICT DO NOTHING`.execute(tx);
  if (added.numAffectedRows === 0n) throw new Refusal('CONFLICT', { message: payeesMessages.savedAlready });
  return payeeId;
}

/** Changes the nickname. Returns false if the payee already has it, or if this customer has no such payee. */
export async function changeNickname(
  tx: Tx,
  accountId: bigint,
  payeeId: string,
  nickname: string,
): Promise<boolean> {
  const changed = await sql`
    UPDATE payees SET nickname = ${nickname}
     WHERE account_id = ${accountId} AND id = ${payeeId} AND nickname <> ${nickname}`.execute(tx);
  return changed.numAffectedRows === 1n;
}

/** Deletes a payee. Refuses `NOT_FOUND` if this customer has no such payee. */
export async function deletePayee(tx: Tx, accountId: bigint, payeeId: string): Promise<void> {
  const removed = await sql`
    DELETE FROM payees WHERE account_id = ${accountId} AND id = ${payeeId}`.execute(tx);
  if (removed.numAffectedRows === 0n) throw new Refusal('NOT_FOUND');
}

/** The customer's payees, the last paid first; or only the one with this id. */
export async function readPayees(
  reader: Reader,
  accountId: bigint,
  payeeId?: string,
): Promise<DecodedPayee[]> {
  type Row = {
    id: string;
    bank_name: string;
    name: string | null;
    account_number: string;
    nickname: string;
  } & {
    created_at: Date;
    last_paid_at: Date | null;
  };
  const found = await sql<Row>`
    SELECT p.id, p.bank_name, p.account_number, p.nickname, p.created_at, p.last_paid_at,
           CASE WHEN p.bank_name <> '' THEN p.account_name ELSE concat_ws(' ', c.first_name, c.last_name) END AS name
      FROM payees p
      LEFT JOIN ledger_accounts a ON p.bank_name = '' AND a.number = p.account_number
      LEFT JOIN customers c ON c.account_id = a.id AND c.deleted_at IS NULL
     WHERE p.account_id = ${accountId} AND (${payeeId ?? null}::uuid IS NULL OR p.id = ${payeeId ?? null})
     ORDER BY p.last_paid_at DESC NULLS LAST, p.id DESC`.execute(reader);
  return found.rows.map(row => ({
    _id: row.id,
    kind: row.bank_name === '' ? ('internal' as const) : ('external' as const),
    name: row.name || transactionsMessages.closedAccount,
    accountNumber: row.account_number,
    ...(row.bank_name !== '' && { bankName: row.bank_name }),
    ...(row.nickname !== '' && { nickname: row.nickname }),
    createdAt: row.created_at,
    ...(row.last_paid_at && { lastPaidAt: row.last_paid_at }),
  }));
}

/** One payee. Refuses `NOT_FOUND` if this customer has no such payee. */
export async function readPayee(reader: Reader, accountId: bigint, payeeId: string): Promise<DecodedPayee> {
  const [payee] = await readPayees(reader, accountId, payeeId);
  if (!payee) throw new Refusal('NOT_FOUND');
  return payee;
}

/** When this account was last paid, as a subquery over the customer's newest payments. */
function lastPaid(accountId: bigint, bankName: string, accountNumber: string) {
  const newest = (type: string) => sql`
    SELECT id, receiver_account, created_at FROM transactions
     WHERE sender_account = ${accountId} AND ${sql.raw(type)} ORDER BY sender_seq DESC LIMIT ${searchedPayments}`;
  return bankName === ''
    ? sql`(SELECT max(t.created_at) FROM (${newest('true')}) t
            WHERE t.receiver_account = (SELECT id FROM ledger_accounts WHERE number = ${accountNumber}))`
    : sql`(SELECT max(t.created_at) FROM (${newest("type = 'external-transfer'")}) t
             JOIN external_transfers e ON e.transaction_id = t.id
            WHERE e.bank_name = ${bankName} AND e.account_number = ${accountNumber})`;
}
