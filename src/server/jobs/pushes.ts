/**
 * Sends push notifications. The database writes a row for each notification and browser (`db/migrations/0024_push.sql`); a row
 * is claimed with a lease and deleted when the push service has the message. After a crash a message may be sent twice: its tag
 * makes the browser show it once.
 */
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { Counter } from 'prom-client';
import { bank } from '#contract/constants.ts';
import * as pushMessages from '#contract/messages/push.ts';
import { type PushMessage, pushKinds } from '#contract/push.ts';
import { withDeadline } from '../base/deadline.ts';
import type { Database } from '../db/database.ts';
import type { PushSender } from '../outside/pushSender.ts';
import { type NotificationText, readNotificationTexts } from '../people/notificationTexts.ts';

export type PushParts = { database: Database; pushSender: PushSender; log: FastifyBaseLogger };

/** For `GET /metrics`. */
export const pushMetrics = {
  attempts: new Counter({
    name: 'larkspur_push_attempts_total',
    help: 'messages for push services, by result: sent, gone (the browser no longer wants them), or failed',
    labelNames: ['result'],
    registers: [],
  }),
};
for (const result of ['sent', 'gone', 'failed']) pushMetrics.attempts.inc({ result }, 0);

const maxClaimed = 32;
const leaseSeconds = 60;
/** After this time, the next messages are sent although a service has not answered yet. */
const patienceMs = 1_000;
/**
 * When many pushes are due, only this many of the newest are kept for each browser, so that a busy browser does not delay the
 * others.
 */
const maxWaiting = 20;
/** With pauses that double, the last attempt is about 2.3 hours after the first. */
const maxTries = 13;

type Push = {
  deviceId: string;
  notificationId: string;
  tries: number;
  accountId: bigint;
  endpoint: string;
  p256dh: string;
  auth: string;
  money: boolean;
  security: boolean;
  showsAmounts: boolean;
};

/**
 * Sends the next due pushes, and does not wait long for slow services. Returns false if no message can be sent now. `open`:
 * gets a promise for messages that are not answered yet, until their answers are recorded. It never rejects.
 */
export async function sendNextPushes(
  { database, pushSender, log }: PushParts,
  open: Set<Promise<void>>,
): Promise<boolean> {
  // Skips the messages for busy services; they stay due. This condition makes the query read all due messages, so it is added
  // only while a service is busy.
  const busy = pushSender.listBusy().map(origin => `${origin}/`);
  const isFree =
    busy.length > 0
      ? sql`AND EXISTS (SELECT FROM push_devices o WHERE o.id = w.device_id AND NOT o.endpoint ^@ ANY (${busy}::text[]))`
      : sql``;
  const claimed = await database.inTransaction(tx =>
    sql<Push>`
      UPDATE pushes p SET due_at = now() + make_interval(secs => ${leaseSeconds}), tries = p.tries + 1
        FROM push_devices d
       WHERE d.id = p.device_id
         AND (p.device_id, p.notification_id) IN (
               SELECT w.device_id, w.notification_id FROM pushes w WHERE w.due_at <= now() ${isFree}
                ORDER BY w.due_at LIMIT ${maxClaimed} FOR UPDATE SKIP LOCKED)
      RETURNING p.device_id AS "deviceId", p.notification_id AS "notificationId", p.tries, d.account_id AS "accountId",
                d.endpoint, d.p256dh, d.auth, d.money, d.security, d.shows_amounts AS "showsAmounts"`.execute(
      tx,
    ),
  );
  const pushes = claimed.rows;
  if (pushes.length === 0) return false;
  if (pushes.length === maxClaimed)
    await dropOldest(database, [...new Set(pushes.map(push => push.deviceId))]);
  const texts = await readNotificationTexts(
    database.reader,
    sql`WITH chosen AS (
          SELECT * FROM unnest(${pushes.map(push => push.accountId)}::bigint[], ${pushes.map(push => push.notificationId)}::uuid[])
                        AS u(account_id, id)),
        stored AS (SELECT n.* FROM chosen JOIN notifications n USING (account_id, id))
        SELECT * FROM stored
         UNION ALL
        SELECT p.account_id, p.id, p.kind, p.transaction_id, p.created_at, p.read_at
          FROM chosen c, LATERAL (
                 SELECT * FROM posted_notifications WHERE account_id = c.account_id AND id = c.id OFFSET 0) p
         WHERE NOT EXISTS (SELECT FROM stored s WHERE s.account_id = p.account_id AND s.id = p.id)`,
  );
  // Sender and receiver of a transfer have notifications with the same id.
  const keyOf = (accountId: bigint, id: string) => `${accountId} ${id}`;
  const textOf = new Map(texts.map(text => [keyOf(text.accountId, text.id), text]));

  let outcomes: Outcomes = { done: [], later: [], gone: [] };
  const send = async (push: Push): Promise<void> => {
    const message = compose(push, textOf.get(keyOf(push.accountId, push.notificationId)));
    try {
      if (message) {
        const result = await pushSender.send(push, message);
        pushMetrics.attempts.inc({ result });
        if (result === 'gone') outcomes.gone.push(push.deviceId);
      }
      outcomes.done.push(push);
    } catch (error) {
      pushMetrics.attempts.inc({ result: 'failed' });
      (push.tries < maxTries ? outcomes.later : outcomes.done).push(push);
      log.debug({ reason: (error as Error).message, tries: push.tries }, 'a push was not delivered');
    }
  };
  const sending = Promise.all(pushes.map(send));
  await withDeadline(sending, patienceMs, () => []);
  const first = outcomes;
  outcomes = { done: [], later: [], gone: [] };
  await record(database, first);
  const isComplete = first.done.length + first.later.length === pushes.length;
  // If recording fails or the process ends, the messages are sent again when the lease has expired.
  if (!isComplete) {
    const recorded = sending
      .then(() => record(database, outcomes))
      .catch((error: Error) => log.debug({ reason: error.message }, 'sent pushes were not recorded'))
      .finally(() => open.delete(recorded));
    open.add(recorded);
  }
  return true;
}

/** `gone`: the ids of devices. */
type Outcomes = { done: Push[]; later: Push[]; gone: string[] };

async function record(database: Database, { done, later, gone }: Outcomes): Promise<void> {
  await database.inTransaction(async tx => {
    await sql`DELETE FROM push_devices WHERE id = ANY (${gone}::uuid[])`.execute(tx);
    await sql`
      DELETE FROM pushes p USING unnest(${done.map(push => push.deviceId)}::uuid[],
                                        ${done.map(push => push.notificationId)}::uuid[]) AS d(device, notification)
       WHERE p.device_id = d.device AND p.notification_id = d.notification`.execute(tx);
    await sql`
      UPDATE pushes p SET due_at = now() + make_interval(secs => 2 ^ p.tries)
        FROM unnest(${later.map(push => push.deviceId)}::uuid[],
                    ${later.map(push => push.notificationId)}::uuid[]) AS d(device, notification)
       WHERE p.device_id = d.device AND p.notification_id = d.notification`.execute(tx);
  });
}

/** Deletes all but the newest `maxWaiting` pushes of each of these browsers. */
async function dropOldest(database: Database, deviceIds: string[]): Promise<void> {
  await database.inTransaction(tx =>
    sql`
      DELETE FROM pushes WHERE (device_id, notification_id) IN (
        SELECT p.device_id, p.notification_id
          FROM unnest(${deviceIds}::uuid[]) AS d(id), LATERAL (
                 SELECT notification_id AS oldest FROM pushes WHERE device_id = d.id
                  ORDER BY notification_id DESC OFFSET ${maxWaiting - 1} LIMIT 1) kept, pushes p
         WHERE p.device_id = d.id AND p.notification_id < kept.oldest FOR UPDATE OF p SKIP LOCKED)`.execute(
      tx,
    ),
  );
}

/** The message for a browser; undefined if the notification is gone or the customer did not ask for its kind. */
function compose(push: Push, notification: NotificationText | undefined): PushMessage | undefined {
  const kind = notification && pushKinds[notification.kind];
  if (!notification || !kind || !push[kind]) return undefined;
  const { id, text, kind: name, transactionId } = notification;
  return {
    title: bank.name,
    body: push.showsAmounts ? text : pushMessages.quietTextOf(name),
    tag: id,
    path: transactionId === null ? '/dashboard' : '/dashboard/transactions',
  };
}
