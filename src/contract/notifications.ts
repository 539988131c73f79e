/** Calls for in-app notifications and live updates. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, moment } from './fields.ts';
import * as notificationsMessages from './messages/notifications.ts';

/** The kinds. Their texts are in `messages/notifications.ts`; browsers get the finished texts from the server. */
const kinds = [
  'money-received',
  'money-sent',
  'credited',
  'reversed-out',
  'reversed-in',
  'external-settled',
  'external-returned',
  'approved',
  'id-verified',
  'frozen',
  'own-frozen',
  'limits-changed',
  'unfrozen',
  'password-changed',
  'contact-changed',
  'identity-changed',
  'payee-added',
  'push-added',
  'scheduled-added',
  'schedule-changed',
  'schedule-resumed',
  'scheduled-failed',
  'scheduled-missed',
  'goal-left-out',
  'id-requested',
  'alert-new-login',
  'alert-large-first-payment',
  'alert-many-payments',
  'alert-guessed-logins',
  'statement-ready',
  'preferences-changed',
  'id-received',
  'push-taken-over',
  'push-removed',
  'factor-reset-requested',
] as const;
export type NotificationKind = (typeof kinds)[number];

export const Notification = z.object({
  _id: z.string(),
  kind: z.enum(kinds),
  text: z.string(),
  transactionId: z.nullable(z.string()),
  timestamp: moment,
  isRead: z.boolean(),
});
export type Notification = z.input<typeof Notification>;

export const notificationsApi = {
  listNotifications: endpoint({
    method: 'GET',
    path: '/api/v1/user/notifications',
    access: 'customer',
    whilePending: true,
    data: z.object({ notifications: z.array(Notification), unread: z.number() }),
    message: notificationsMessages.list,
    summary: 'The newest fifty notifications and how many are unread',
  }),
  readNotification: endpoint({
    method: 'PUT',
    path: '/api/v1/user/notifications/{id}/read',
    access: 'customer',
    whilePending: true,
    params: z.strictObject({ id }),
    message: notificationsMessages.read,
    refusals: ['NOT_FOUND'],
    summary: 'Mark one notification as read',
  }),
  readNotifications: endpoint({
    method: 'PUT',
    path: '/api/v1/user/notifications/read',
    access: 'customer',
    whilePending: true,
    /** The newest notification that the customer saw. Those that arrived since stay unread. */
    body: z.optional(z.strictObject({ newest: z.optional(id) })),
    message: notificationsMessages.read,
    summary: 'Mark every notification as read; with `newest`, only those up to that one',
  }),
  live: endpoint({
    method: 'GET',
    path: '/api/v1/user/notifications/live',
    access: 'customer',
    whilePending: true,
    answer: 'events',
    message: 'Notifications as they happen',
    summary: 'Server-sent events: reports right away that something changed, and ends with the session',
  }),
};
