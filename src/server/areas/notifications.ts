/** Handlers of the notifications area. */
import { type RawBuilder, sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import type { notificationsApi } from '#contract/notifications.ts';
import type { Reader } from '../db/database.ts';
import type { Live } from '../http/live.ts';
import type { Handlers } from '../http/serve.ts';
import type { Parts } from '../parts.ts';
import { readNotificationTexts } from '../people/notificationTexts.ts';
import { hiddenNotifications, readPreferences } from '../people/preferences.ts';

const maxListed = 50;

export function notificationsHandlers(
  { database }: Pick<Parts, 'database'>,
  live: Live,
): Handlers<typeof notificationsApi> {
  return {
    async listNotifications({ customer }) {
      const rows = await readNotificationTexts(
        database.reader,
        await listed(database.reader, customer.accountId),
      );
      const notifications = rows.map(row => ({
        _id: row.id,
        kind: row.kind,
        text: row.text,
        transactionId: row.transactionId,
        timestamp: row.at,
        isRead: row.isRead,
      }));
      // Counts only listed notifications. A customer cannot open older ones, so counting them would keep the badge forever.
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
      // Marks only notifications that can be listed. There may be any number of older ones, which are never shown.
      await database.inTransaction(async tx =>
        sql`UPDATE notifications SET read_at = now()
             WHERE account_id = ${accountId} AND read_at IS NULL
               AND id IN (SELECT id FROM (${await listed(tx, accountId)}) n)`.execute(tx),
      );
      return undefined;
    },

    live: async ({ customer }) => ({ events: live.open(customer) }),
  };
}

/** If a customer has turned some kinds off, only this many of the newest notifications are searched for the other kinds. */
const maxSearched = 1_000;

/** SQL: the newest notifications of the kinds that the customer wants to see, read by the primary key. */
async function listed(reader: Reader, accountId: bigint): Promise<RawBuilder<unknown>> {
  const hidden = hiddenNotifications(await readPreferences(reader, accountId));
  const newest = sql`SELECT * FROM notifications WHERE account_id = ${accountId} ORDER BY id DESC`;
  return hidden.length === 0
    ? sql`${newest} LIMIT ${maxListed}`
    : sql`SELECT * FROM (${newest} LIMIT ${maxSearched}) newest WHERE kind <> ALL (${hidden}::text[])
           ORDER BY id DESC LIMIT ${maxListed}`;
}
