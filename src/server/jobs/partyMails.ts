/**
 * Reads transfers as mails to their parties: sender and receiver of each transfer, if they are still customers. Each mail has
 * the current names and how its customer wants to be mailed.
 */
import { type RawBuilder, sql } from 'kysely';
import { stepUp } from '#contract/constants.ts';
import type { TransactionType } from '#contract/entities.ts';
import type { MailPreference } from '#contract/preferences.ts';
import type { Reader } from '../db/database.ts';
import { greetingName } from '../people/customers.ts';
import type { TransferMail } from './mails/transferMails.ts';

/** The mail about a transfer to one of its parties. */
export type PartyMail = {
  rowId: bigint;
  /** The position of the mail in its row: each transaction has two mails, for sender and receiver. */
  index: number;
  transactionId: string;
  /** 1: the transfer was posted. 2: an external transfer was settled or returned. */
  step: 1 | 2;
  /** 0: to the sender. 1: to the receiver. */
  side: 0 | 1;
  /** The Message-ID, which is the same for every attempt. */
  messageId: string;
  to: string;
  customerId: string;
  accountId: bigint;
  facts: TransferMail;
  /** A large payment out: its mail has a link that freezes the account and is always sent at once. */
  isLarge: boolean;
  preference: MailPreference;
  /**
   * The place of a received payment among those of this sender in the same clock hour, from 1; 0 for other mails. All other
   * banks count as one sender, because they choose the names of their senders.
   */
  position: number;
  /** How many transfers of the account were posted since this one, including it; 0 for mails of step 2. */
  since: number;
  /** Whether mails to this account are being collected for a summary. */
  isCollecting: boolean;
};

type Row = {
  row_id: bigint;
  step: 1 | 2;
  ord: bigint;
  id: string;
  type: TransactionType;
  amount: bigint;
  created_at: Date;
  reference: string;
  description: string;
  sender_account: bigint | null;
  sender_since: bigint | null;
  sender_id: string | null;
  sender_email: string | null;
  sender_name: string | null;
  sender_full: string | null;
  sender_mail: MailPreference | null;
  sender_collects: boolean;
  receiver_account: bigint | null;
  receiver_since: bigint | null;
  receiver_id: string | null;
  receiver_email: string | null;
  receiver_name: string | null;
  receiver_full: string | null;
  receiver_mail: MailPreference | null;
  receiver_collects: boolean;
  depositor: string | null;
  bank_name: string | null;
  account_name: string | null;
  is_settled: boolean;
  decided_at: Date | null;
  return_reason: string | null;
  /**
   * The number of earlier payments from this sender (deposits: from all other banks) to this receiver in the same clock hour.
   */
  earlier: bigint;
};

/**
 * How many of the receiver's preceding payments are searched, so that a receiver with very many payments an hour stays fast.
 */
const maxEarlierPayments = 100;
/** From this amount on, the sender's mail has a link that freezes the account. */
const largeCents = BigInt(stepUp.fromDollars) * 100n;

/** SQL: whether mails to an account are being collected for a summary. */
const collects = (account: RawBuilder<unknown>) => sql`
  EXISTS (SELECT FROM summary_mails w WHERE w.account_id = ${account} AND NOT w.is_daily AND w.mail_id IS NULL)`;

/** Reads the mails of these transfers. `transfers`: a query for the columns row_id, step, ord and id. */
export async function readPartyMails(reader: Reader, transfers: RawBuilder<unknown>): Promise<PartyMail[]> {
  const found = await sql<Row>`
    SELECT m.row_id, m.step, m.ord, t.id, t.type, t.amount, t.created_at, t.reference, t.description,
           t.sender_account, t.receiver_account, sa.entry_count - t.sender_seq + 1 AS sender_since,
           ra.entry_count - t.receiver_seq + 1 AS receiver_since, sp.mail AS sender_mail, rp.mail AS receiver_mail,
           ${collects(sql`t.sender_account`)} AS sender_collects, ${collects(sql`t.receiver_account`)} AS receiver_collects,
           s.id AS sender_id, s.email AS sender_email, ${greetingName(sql`s`)} AS sender_name,
           concat_ws(' ', nullif(s.first_name, ''), nullif(s.last_name, '')) AS sender_full,
           r.id AS receiver_id, r.email AS receiver_email, ${greetingName(sql`r`)} AS receiver_name,
           concat_ws(' ', nullif(r.first_name, ''), nullif(r.last_name, '')) AS receiver_full,
           d.sender_name AS depositor, x.bank_name, x.account_name, x.status = 'completed' AS is_settled, x.decided_at, x.return_reason,
           (SELECT count(*)
              FROM (SELECT p.sender_account, p.type, p.created_at FROM transactions p
                     WHERE p.receiver_account = t.receiver_account AND p.receiver_seq < t.receiver_seq
                     ORDER BY p.receiver_seq DESC LIMIT ${maxEarlierPayments}) p
             WHERE (p.sender_account = t.sender_account OR t.type = 'deposit' AND p.type = 'deposit')
               AND p.created_at >= date_trunc('hour', t.created_at)
           ) AS earlier
      FROM (${transfers}) m
      JOIN transactions t ON t.id = m.id
      LEFT JOIN customers s ON s.account_id = t.sender_account AND s.deleted_at IS NULL
      LEFT JOIN customers r ON r.account_id = t.receiver_account AND r.deleted_at IS NULL
      LEFT JOIN ledger_accounts sa ON sa.id = t.sender_account
      LEFT JOIN ledger_accounts ra ON ra.id = t.receiver_account
      LEFT JOIN notification_preferences sp ON sp.account_id = t.sender_account
            AND sp.kind = CASE m.step WHEN 2 THEN 'otherBanks' ELSE 'moneyOut' END
      LEFT JOIN notification_preferences rp ON rp.account_id = t.receiver_account AND rp.kind = 'moneyIn'
      LEFT JOIN external_transfers x ON x.transaction_id = t.id AND t.type = 'external-transfer'
      LEFT JOIN deposits d ON d.transaction_id = t.id AND t.type = 'deposit'
     ORDER BY m.row_id, m.ord`.execute(reader);
  return found.rows.flatMap(toPartyMails);
}

function toPartyMails(row: Row): PartyMail[] {
  const { step } = row;
  const common = { rowId: row.row_id, transactionId: row.id, step };
  const sender = {
    to: row.sender_email,
    customerId: row.sender_id,
    accountId: row.sender_account,
    since: row.sender_since,
    preference: row.sender_mail,
    isCollecting: row.sender_collects,
    name: row.sender_name,
    otherName: row.account_name ?? row.receiver_full,
  };
  const receiver = {
    to: row.receiver_email,
    customerId: row.receiver_id,
    accountId: row.receiver_account,
    since: row.receiver_since,
    preference: row.receiver_mail,
    isCollecting: row.receiver_collects,
    name: row.receiver_name,
    otherName: row.depositor ?? row.sender_full,
  };
  const mail = (side: 0 | 1, kind: TransferMail['kind'], idEnd: string): PartyMail[] => {
    const { to, customerId, accountId, since, preference, isCollecting, name, otherName } = side
      ? receiver
      : sender;
    if (!to || customerId === null || accountId === null) return [];
    return [
      {
        ...common,
        index: Number(row.ord) * 2 + side,
        side,
        messageId: `money-${row.id}-${idEnd}`,
        to,
        customerId,
        accountId,
        facts: { ...describe(row), kind, name: name ?? '', otherName: otherName ?? '' },
        isLarge: kind === 'money-sent' && row.amount >= largeCents,
        preference: preference ?? 'each',
        position: kind === 'money-received' ? Number(row.earlier) + 1 : 0,
        since: step === 1 ? Number(since) : 0,
        isCollecting,
      },
    ];
  };
  if (step === 2)
    return row.is_settled ? mail(0, 'external-settled', 'settled') : mail(0, 'external-returned', 'returned');
  if (row.type === 'reversal') return [...mail(0, 'reversed-out', 'out'), ...mail(1, 'reversed-in', 'in')];
  return [
    ...mail(0, 'money-sent', 'out'),
    ...mail(1, row.type === 'admin-credit' ? 'credited' : 'money-received', 'in'),
  ];
}

function describe(row: Row) {
  const { step } = row;
  return {
    amountCents: row.amount,
    description: row.description,
    transactionId: row.id,
    reference: row.reference,
    ...(row.type === 'deposit' && { isDeposit: true }),
    at: step === 2 && row.decided_at ? row.decided_at : row.created_at,
    ...(row.bank_name !== null && { bankName: row.bank_name }),
    ...(step === 2 && row.return_reason !== null && { reason: row.return_reason }),
  };
}
