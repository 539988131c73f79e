/**
 * Handlers of the area notifications. Sentences are made here, from names as they are now, so that a person who left is
 * named nowhere.
 */
import { sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as notificationsMessages from '#contract/messages/notifications.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { formatCents } from '#contract/money.ts';
import type { NotificationKind, notificationsApi } from '#contract/notifications.ts';
import type { Reader } from '../db/database.ts';
import type { Live } from '../http/live.ts';
import type { Handlers } from '../http/serve.ts';
import type { Parts } from '../parts.ts';

const newest = 50;

type Row = {
  id: string;
  kind: NotificationKind;
  transaction_id: string | null;
  created_at: Date;
  is_read: boolean;
  amount: bigint | null;
  /** Of the other side; empty where that person left. */
  name: string | null;
};

export function notificationsHandlers(
  { database }: Pick<Parts, 'database'>,
  live: Live,
): Handlers<typeof notificationsApi> {
  return {
    async listNotifications({ customer }) {
      const rows = await readNewest(database.reader, customer.accountId);
      const notifications = rows.map(row => ({
        _id: row.id,
        kind: row.kind,
        text: sentenceOf(row),
        transactionId: row.transaction_id,
        timestamp: row.created_at,
        isRead: row.is_read,
      }));
      // Of those that are listed: an older one could never be opened, and the bell never come to rest.
      const unread = notifications.filter(notification => !notification.isRead).length;
      return { data: { notifications, unread } };
    },

    async readNotification({ customer, params }) {
      await database.inTransaction(async tx => {
        const marked = await sql`
          UPDATE notifications SET read_at = coalesce(read_at, now())
           WHERE account_id = ${customer.accountId} AND id = ${params.id}`.execute(tx);
        if (marked.numAffectedRows === 0n) throw new Refusal('NOT_FOUND');
      });
      return undefined;
    },

    async readNotifications({ customer }) {
      const { accountId } = customer;
      // All that can be listed: of older ones there may be any number, and nobody sees them.
      await database.inTransaction(tx =>
        sql`UPDATE notifications SET read_at = now()
             WHERE account_id = ${accountId} AND read_at IS NULL
               AND id IN (SELECT id FROM notifications WHERE account_id = ${accountId}
                           ORDER BY id DESC LIMIT ${newest})`.execute(tx),
      );
      return undefined;
    },

    live: async ({ customer }) => ({ events: live.open(customer) }),
  };
}

async function readNewest(reader: Reader, accountId: bigint): Promise<Row[]> {
  const found = await sql<Row>`
    SELECT n.id, n.kind, n.transaction_id, n.created_at, n.read_at IS NOT NULL AS is_read, t.amount,
           coalesce(x.account_name, concat_ws(' ', nullif(c.first_name, ''), nullif(c.last_name, ''))) AS name
      FROM (SELECT * FROM notifications WHERE account_id = ${accountId} ORDER BY id DESC LIMIT ${newest}) n
      LEFT JOIN transactions t ON t.id = n.transaction_id
      LEFT JOIN external_transfers x ON x.transaction_id = t.id AND t.type = 'external-transfer'
      LEFT JOIN customers c
        ON c.account_id = CASE WHEN t.sender_account = n.account_id THEN t.receiver_account ELSE t.sender_account END
     ORDER BY n.id DESC`.execute(reader);
  return found.rows;
}

function sentenceOf({ kind, amount, name }: Row): string {
  return fill(notificationsMessages.kinds[kind], {
    amount: formatCents(amount ?? 0n),
    name: name || transactionsMessages.closedAccount,
  });
}
