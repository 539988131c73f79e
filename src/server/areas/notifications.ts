/** Handlers of the notifications area. */
import { sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import type { notificationsApi } from '#contract/notifications.ts';
import type { Live } from '../http/live.ts';
import type { Handlers } from '../http/serve.ts';
import type { Parts } from '../parts.ts';
import { readNotificationTexts } from '../people/notificationTexts.ts';

const maxListed = 50;

export function notificationsHandlers(
  { database }: Pick<Parts, 'database'>,
  live: Live,
): Handlers<typeof notificationsApi> {
  return {
    async listNotifications({ customer }) {
      const rows = await readNotificationTexts(
        database.reader,
        sql`SELECT * FROM notifications WHERE account_id = ${customer.accountId} ORDER BY id DESC LIMIT ${maxListed}`,
      );
      const notifications = rows.map(row => ({
        _id: row.id,
        kind: row.kind,
        text: row.text,
        transactionId: row.transactionId,
        timestamp: row.at,
        isRead: row.isRead,
      }));
      // Count only the listed ones: a customer could never open an older one, so the badge would never clear.
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
      // Only those that can be listed: there may be any number of older ones, which are never shown.
      await database.inTransaction(tx =>
        sql`UPDATE notifications SET read_at = now()
             WHERE account_id = ${accountId} AND read_at IS NULL
               AND id IN (SELECT id FROM notifications WHERE account_id = ${accountId}
                           ORDER BY id DESC LIMIT ${maxListed})`.execute(tx),
      );
      return undefined;
    },

    live: async ({ customer }) => ({ events: live.open(customer) }),
  };
}
