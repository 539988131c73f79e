/** Handlers of the notifications area. */
import { type RawBuilder, sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import type { notificationsApi } from '#contract/notifications.ts';
import type { Reader, Tx } from '../db/database.ts';
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
      const { accountId } = customer;
      const stored = sql`SELECT * FROM notifications WHERE account_id = ${accountId} AND id = ${params.id}`;
      const posted = sql`SELECT * FROM posted_notifications WHERE account_id = ${accountId} AND id = ${params.id}`;
      await database.inTransaction(async tx => {
        if (!(await markRead(tx, accountId, stored)) && !(await markRead(tx, accountId, posted)))
          throw new Refusal('NOT_FOUND');
      });
      return undefined;
    },

    async readNotifications({ customer, body }) {
      const { accountId } = customer;
      const newest = body?.newest;
      const isSeen = newest === undefined ? sql`true` : sql`id <= ${newest}`;
      // Marks only notifications that can be listed. There may be any number of older ones, which are never shown.
      await database.inTransaction(async tx =>
        markRead(
          tx,
          accountId,
          sql`SELECT * FROM (${await listed(tx, accountId)}) n WHERE read_at IS NULL AND ${isSeen}`,
        ),
      );
      return undefined;
    },

    live: async ({ customer, address }) => ({ events: live.open(customer, address) }),
  };
}

/** If a customer has turned some kinds off, only this many of the newest notifications are searched for the other kinds. */
const maxSearched = 1_000;

/** SQL: the newest notifications of the kinds that the customer wants to see. */
async function listed(reader: Reader, accountId: bigint): Promise<RawBuilder<unknown>> {
  const hidden = hiddenNotifications(await readPreferences(reader, accountId));
  const limit = hidden.length === 0 ? maxListed : maxSearched;
  return sql`SELECT * FROM newest_notifications(${accountId}, ${limit}::integer)
              WHERE kind <> ALL (${hidden}::text[]) ORDER BY id DESC LIMIT ${maxListed}`;
}

/**
 * Marks these notifications as read. Stores those that are derived from a transaction, because only a stored row can be marked.
 * Returns whether there were any.
 * @param chosen selects rows of `notifications` or `posted_notifications`
 */
async function markRead(tx: Tx, accountId: bigint, chosen: RawBuilder<unknown>): Promise<boolean> {
  // The lock keeps the customer from being erased until the rows are stored, so that the erasure finds them.
  const marked = await sql`
    WITH customer AS MATERIALIZED (
      SELECT FROM customers WHERE account_id = ${accountId} AND deleted_at IS NULL FOR SHARE)
    INSERT INTO notifications (account_id, id, kind, transaction_id, created_at, read_at)
    SELECT n.account_id, n.id, n.kind, n.transaction_id, n.created_at, now() FROM customer, (${chosen}) n
        ON CONFLICT (account_id, id) DO UPDATE SET read_at = coalesce(notifications.read_at, excluded.read_at)`.execute(
    tx,
  );
  return marked.numAffectedRows !== 0n;
}
