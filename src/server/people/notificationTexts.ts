/**
 * The texts of notifications. They are built when they are read, from current names, so the name of an erased person does not
 * appear. A notification has no column for an amount. The text about a newly scheduled transfer has none, because the customer
 * can change it later. The text about a failed or missed date has the amount of that date.
 */
import { type RawBuilder, sql } from 'kysely';
import { calendarDay, nameOfMonth } from '#contract/bankTime.ts';
import { plusDays } from '#contract/federalHolidays.ts';
import { fill } from '#contract/messages/fill.ts';
import * as notificationsMessages from '#contract/messages/notifications.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { formatCents } from '#contract/money.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import type { Reader } from '../db/database.ts';

export type NotificationText = {
  accountId: bigint;
  id: string;
  kind: NotificationKind;
  text: string;
  transactionId: string | null;
  at: Date;
  isRead: boolean;
};

type Row = {
  account_id: bigint;
  id: string;
  kind: NotificationKind;
  transaction_id: string | null;
  created_at: Date;
  is_read: boolean;
  amount: bigint | null;
  /** The other party's name; empty if that person was erased. */
  name: string | null;
  /** The payee's current name; null if the notification is about no payee, or if the payee was removed. */
  payee_name: string | null;
  /** The receiver of the scheduled transfer; null if the notification is about none, or if the transfer was erased. */
  scheduled_name: string | null;
};

/**
 * Reads notifications with their texts, newest first. Sorts by time, because ids of one millisecond may have another order.
 * @param chosen selects rows with the columns of `notifications`, stored or derived
 */
export async function readNotificationTexts(
  reader: Reader,
  chosen: RawBuilder<unknown>,
): Promise<NotificationText[]> {
  const found = await sql<Row>`
    SELECT n.account_id, n.id, n.kind, n.transaction_id, n.created_at, n.read_at IS NOT NULL AS is_read,
           coalesce(t.amount, r.amount) AS amount,
           CASE WHEN s.bank_name <> '' THEN s.account_name ELSE (${holderOf('s')}) END AS scheduled_name,
           coalesce(x.account_name, d.sender_name, concat_ws(' ', nullif(c.first_name, ''), nullif(c.last_name, ''))) AS name,
           CASE WHEN p.bank_name <> '' THEN p.account_name
                ELSE (${holderOf('p')}) END AS payee_name
      FROM (${chosen}) n
      LEFT JOIN payees p ON n.kind = 'payee-added' AND p.id = n.id AND p.account_id = n.account_id
      LEFT JOIN scheduled_runs r
        ON n.kind IN ('scheduled-failed', 'scheduled-missed') AND r.account_id = n.account_id AND r.notification_id = n.id
      LEFT JOIN scheduled_transfers s
        ON s.id = CASE WHEN n.kind = 'scheduled-added' THEN n.id ELSE r.schedule_id END AND s.account_id = n.account_id
      LEFT JOIN transactions t ON t.id = n.transaction_id
      LEFT JOIN external_transfers x ON x.transaction_id = t.id AND t.type = 'external-transfer'
      LEFT JOIN deposits d ON d.transaction_id = t.id AND t.type = 'deposit'
      LEFT JOIN customers c
        ON c.account_id = CASE WHEN t.sender_account = n.account_id THEN t.receiver_account ELSE t.sender_account END
     ORDER BY n.created_at DESC, n.id DESC`.execute(reader);
  return found.rows.map(row => ({
    accountId: row.account_id,
    id: row.id,
    kind: row.kind,
    text: textOf(row),
    transactionId: row.transaction_id,
    at: row.created_at,
    isRead: row.is_read,
  }));
}

/** SQL: the name of the holder of the account number in the row with this alias. */
const holderOf = (alias: 'p' | 's') => sql`
  SELECT concat_ws(' ', h.first_name, h.last_name) FROM ledger_accounts a JOIN customers h ON h.account_id = a.id
   WHERE a.number = ${sql.ref(alias)}.account_number`;

function textOf(row: Row): string {
  const { kind, amount, name, payee_name: payeeName, scheduled_name: scheduledName, created_at: at } = row;
  if (kind.startsWith('scheduled-') && scheduledName === null) return notificationsMessages.formerSchedule;
  if (kind === 'payee-added' && payeeName === null) return notificationsMessages.formerPayee;
  return fill(notificationsMessages.kinds[kind], {
    amount: formatCents(amount ?? 0n),
    name: payeeName || scheduledName || name || transactionsMessages.closedAccount,
    // The month's name, because 'last month' would be another month if the text is read later.
    month: nameOfMonth(plusDays(`${calendarDay(at).slice(0, 7)}-01`, -1).slice(0, 7), 'full'),
  });
}
