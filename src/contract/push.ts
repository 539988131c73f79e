/** Calls of the push area: notifications that a browser shows although the app is closed (RFC 8030, RFC 8291, RFC 8292). */
import * as z from 'zod/mini';
import { maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { id, line, moment } from './fields.ts';
import * as pushMessages from './messages/push.ts';
import type { NotificationKind } from './notifications.ts';

/** The kinds that are pushed, and the choice that turns each on or off. */
export const pushKinds: Partial<Record<NotificationKind, 'money' | 'security'>> = {
  'money-received': 'money',
  'money-sent': 'money',
  credited: 'money',
  'reversed-out': 'money',
  'reversed-in': 'money',
  'external-settled': 'money',
  'external-returned': 'money',
  'scheduled-failed': 'money',
  'scheduled-missed': 'money',
  frozen: 'security',
  'own-frozen': 'security',
  unfrozen: 'security',
  'limits-changed': 'security',
  'password-changed': 'security',
  'contact-changed': 'security',
  'identity-changed': 'security',
  'payee-added': 'security',
  'scheduled-added': 'security',
  'schedule-changed': 'security',
  'schedule-resumed': 'security',
  'alert-new-login': 'security',
  'alert-large-first-payment': 'security',
  'alert-many-payments': 'security',
  'alert-guessed-logins': 'security',
  'preferences-changed': 'security',
  'push-taken-over': 'security',
  'push-removed': 'security',
  'factor-reset-requested': 'security',
};

/** What the service worker receives. */
export type PushMessage = { title: string; body: string; tag: string; path: string };

const choices = {
  /** Money in and out. */
  money: z.boolean(),
  /** Alerts, freezes, and changes that a thief would make. */
  security: z.boolean(),
  /** Whether the texts contain amounts and names, even on a locked screen. */
  showsAmounts: z.boolean(),
};

const PushDevice = z.object({
  _id: z.string(),
  /** The URL at the browser's push service, by which a browser finds its own entry in the list. */
  endpoint: z.string(),
  /** For example "Firefox on Linux". */
  device: z.string(),
  ...choices,
  createdAt: moment,
});
export type PushDevice = z.input<typeof PushDevice>;
export type DecodedPushDevice = z.output<typeof PushDevice>;

const base64url = /^[A-Za-z0-9_-]+={0,2}$/;
const key = line(maxLength.pushKey, pushMessages.brokenKeys).check(
  z.regex(base64url, pushMessages.brokenKeys),
);

const path = '/api/v1/user/push';

export const pushApi = {
  listPushDevices: endpoint({
    method: 'GET',
    path,
    access: 'customer',
    data: z.object({
      /** The bank's public key for subscribing (VAPID), base64url; null if this bank pushes nothing. */
      publicKey: z.nullable(z.string()),
      devices: z.array(PushDevice),
    }),
    message: pushMessages.devices,
    summary: 'The browsers that get push notifications, and the key for subscribing another one',
  }),
  addPushDevice: endpoint({
    method: 'POST',
    path,
    access: 'customer',
    quota: 'changes',
    body: z.strictObject({
      endpoint: line(maxLength.pushEndpoint, pushMessages.otherService),
      p256dh: key,
      auth: key,
      ...choices,
    }),
    status: 201,
    data: PushDevice,
    message: pushMessages.added,
    refusals: ['CONFLICT'],
    summary: 'Send push notifications to a browser, or change what a listed browser gets',
  }),
  removePushDevice: endpoint({
    method: 'DELETE',
    path: '/api/v1/user/push/{id}',
    access: 'customer',
    quota: 'changes',
    params: z.strictObject({ id }),
    message: 'The device gets no more push notifications',
    refusals: ['NOT_FOUND'],
    summary: 'Send no more push notifications to a browser',
  }),
};
