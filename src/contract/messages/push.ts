/** Sentences of push notifications. */
import type { NotificationKind } from '../notifications.ts';
import { kinds } from './notifications.ts';

export const devices = 'Devices that get push notifications';
export const added = 'This device gets push notifications now';
export const off = 'This bank sends no push notifications';
export const otherService = 'This browser’s push service is not supported';
export const brokenKeys = 'The browser’s push keys are not valid';
export const tooMany = 'You can turn on notifications on up to {max} devices. Turn them off on one first.';

/** What a locked screen shows for the kinds whose own text contains an amount or a name, or is long. */
const quietTexts: Partial<Record<NotificationKind, string>> = {
  'money-received': 'Money arrived in your account.',
  'money-sent': 'Money was sent from your account.',
  credited: 'Money was credited to your account.',
  'reversed-out': 'We reversed a payment that you had received.',
  'reversed-in': 'We reversed one of your payments. The money was returned to your account.',
  'external-settled': 'Your transfer to another bank has arrived.',
  'external-returned': 'Money that you sent to another bank is back in your account.',
  'payee-added': 'You saved a payee. If this wasn’t you, contact the Help Desk.',
  'scheduled-added': 'You scheduled a transfer. If this wasn’t you, contact the Help Desk.',
  'scheduled-failed': 'A scheduled transfer wasn’t sent.',
  'scheduled-missed': 'We couldn’t send a scheduled transfer on time.',
  'factor-reset-requested':
    'We received a request to remove your authenticator app and passkeys. If this wasn’t you, contact the Help Desk.',
};

/** The text for a locked screen. It contains no amount and no name, and nothing is filled into it. */
export const quietTextOf = (kind: NotificationKind): string => quietTexts[kind] ?? kinds[kind];
