/** The columns and joins with which transactions are read, and the mapping of a row to the contract's transaction. */
import { type RawBuilder, sql } from 'kysely';
import type { DecodedTransaction, TransactionStatus, TransactionType } from '#contract/entities.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';

/** A row of `selectTransactions`. */
export type TransactionRow = {
  id: string;
  reference: string;
  type: TransactionType;
  status: TransactionStatus;
  amount: bigint;
  created_at: Date;
  description: string;
  sender_id: string | null;
  sender_first: string | null;
  sender_last: string | null;
  receiver_id: string | null;
  receiver_first: string | null;
  receiver_last: string | null;
  bank_name: string | null;
  account_name: string | null;
  account_number: string | null;
  /** A day as `YYYY-MM-DD`. */
  expected_by: string | null;
  return_reason: string | null;
  /** A pending payment of a frozen account that is not at the rail yet. */
  is_held: boolean;
  /** For a reversal: the transaction that it reverses. */
  reverses: string | null;
  reversed_by: string | null;
  scheduled_id: string | null;
  scheduled_account: bigint | null;
};

/** The select list; the query continues with `FROM <source> t` and `transactionJoins`. */
export const transactionColumns = `
  SELECT t.id, t.reference, t.type,
         CASE WHEN t.type = 'external-transfer' THEN x.status ELSE 'completed' END AS status,
         t.amount, t.created_at, t.description,
         s.id AS sender_id, s.first_name AS sender_first, s.last_name AS sender_last,
         r.id AS receiver_id, r.first_name AS receiver_first, r.last_name AS receiver_last,
         coalesce(x.bank_name, d.bank_name) AS bank_name,
         CASE WHEN s.deleted_at IS NULL THEN coalesce(x.account_name, d.sender_name) END AS account_name, x.account_number,
         to_char(x.expected_by, 'YYYY-MM-DD') AS expected_by, x.return_reason,
         CASE WHEN x.status = 'pending' AND x.submitted_at IS NULL
              THEN EXISTS (SELECT FROM ledger_accounts f WHERE f.id = t.sender_account AND f.is_frozen AND NOT f.is_closed)
              ELSE false END AS is_held,
         u.schedule_id AS scheduled_id, u.account_id AS scheduled_account,
         rv.original_id AS reverses, rb.transaction_id AS reversed_by`;
/** The joins that `transactionColumns` needs. */
export const transactionJoins = `
    LEFT JOIN external_transfers x ON x.transaction_id = t.id AND t.type = 'external-transfer'
    LEFT JOIN reversals rv ON rv.transaction_id = t.id AND t.type = 'reversal'
    LEFT JOIN reversals rb ON rb.original_id = t.id AND t.type IN ('transfer', 'admin-credit')
    LEFT JOIN deposits d ON d.transaction_id = t.id AND t.type = 'deposit'
    LEFT JOIN scheduled_runs u ON u.transaction_id = t.id
    LEFT JOIN customers s ON s.account_id = t.sender_account
    LEFT JOIN customers r ON r.account_id = t.receiver_account`;
/** SQL that reads the transactions of `source`, which gets the alias `t`. */
export const selectTransactions = (source: RawBuilder<unknown>) =>
  sql<TransactionRow>`${sql.raw(transactionColumns)} FROM ${source} t ${sql.raw(transactionJoins)}`;

function party(id: string | null, first: string | null, last: string | null) {
  if (id === null) return undefined;
  if (!first) return { _id: id, firstName: transactionsMessages.closedAccount, lastName: '' };
  return { _id: id, firstName: first, lastName: last ?? '' };
}

/** The scheduled transfer that made a transaction. Only its sender and administrators (`accountId` undefined) see it. */
export function scheduledBy(
  { scheduled_id: id, scheduled_account: account }: TransactionRow,
  accountId: bigint | undefined,
): { scheduledTransferId?: string } {
  const isShown = id !== null && (accountId === undefined || accountId === account);
  return isShown ? { scheduledTransferId: id } : {};
}

export function toTransaction(row: TransactionRow): DecodedTransaction {
  const sender = party(row.sender_id, row.sender_first, row.sender_last);
  const receiver = party(row.receiver_id, row.receiver_first, row.receiver_last);
  return {
    _id: row.id,
    reference: row.reference,
    type: row.type,
    status: row.status,
    amount: row.amount,
    timestamp: row.created_at,
    description: row.description,
    ...(sender && { sender }),
    ...(receiver && { receiver }),
    ...(row.bank_name !== null && {
      externalBankDetails: {
        bankName: row.bank_name,
        // The name is null or empty if it was erased together with the customer.
        accountName: row.account_name || transactionsMessages.erasedName,
        accountNumber: row.account_number ?? '',
      },
    }),
    ...(row.reverses !== null && { reverses: row.reverses }),
    ...(row.reversed_by !== null && { reversedBy: row.reversed_by }),
    ...(row.return_reason !== null && { returnReason: row.return_reason }),
    ...(row.is_held && { isHeld: true }),
  };
}
