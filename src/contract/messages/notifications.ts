/** Sentences of the notification list. */
import { bank, factorReset } from '../constants.ts';
import type { NotificationKind } from '../notifications.ts';
import { accountFrozen } from './errors.ts';
import { stopRemoval } from './factors.ts';

export const list = 'Notifications';
export const read = 'Marked as read';
export const readAll = 'Mark all as read';
export const manyArrived = '{n} payments arrived';
export const none = 'No notifications yet. We’ll list what happens on your account here.';

/** A notification of a payee that no longer exists. */
export const formerPayee =
  'You saved a payee that was removed later. If this wasn’t you, contact the Help Desk.';

/** A notification of a scheduled transfer that no longer exists. */
export const formerSchedule = 'You scheduled a transfer that was deleted later.';

/** Each kind of notification and what it says. The first seven are about transactions: the database writes or derives them. */
export const kinds: Record<NotificationKind, string> = {
  'money-received': '{amount} from {name}',
  'money-sent': '{amount} to {name}',
  credited: '{amount} was credited to your account',
  'reversed-out': 'We reversed a payment of {amount} that you had received.',
  'reversed-in': 'We reversed your payment of {amount}. The money was returned to your account.',
  'external-settled': '{amount} to {name} has arrived',
  'external-returned': 'Your {amount} to {name} is back in your account.',
  approved: `Your account is approved. Welcome to ${bank.name}.`,
  'id-verified': 'Your ID document is verified. Thank you.',
  frozen: accountFrozen,
  'own-frozen': 'You froze your account. It stays frozen until you unfreeze it.',
  'limits-changed': 'Your limits were changed. If this wasn’t you, contact the Help Desk.',
  unfrozen: 'Your account is no longer frozen.',
  'password-changed': 'Your password was changed. If this wasn’t you, contact the Help Desk.',
  'contact-changed': 'Your contact details were changed. If this wasn’t you, contact the Help Desk.',
  'identity-changed':
    'Your date of birth or city was added or changed. If this wasn’t you, contact the Help Desk.',
  'payee-added': 'You saved {name} as a payee. If this wasn’t you, contact the Help Desk.',
  'push-added':
    'Push notifications were turned on for a new device. If this wasn’t you, contact the Help Desk.',
  'scheduled-added': 'You scheduled a transfer to {name}. If this wasn’t you, contact the Help Desk.',
  'schedule-changed':
    'You changed the amount or dates of a scheduled transfer. If this wasn’t you, contact the Help Desk.',
  'schedule-resumed': 'You resumed a scheduled transfer. If this wasn’t you, contact the Help Desk.',
  'scheduled-failed': 'Your scheduled {amount} to {name} wasn’t sent.',
  'scheduled-missed':
    'We couldn’t send your scheduled {amount} to {name} on time. Choose whether to send it now.',
  'goal-left-out':
    'Your balance was too small to add money to a savings goal. We’ll try again on its next date.',
  'id-requested': 'We need an ID document that we can verify. Please upload one.',
  'alert-new-login':
    'New login from a device or network we don’t recognize. If this wasn’t you, freeze your account.',
  'alert-large-first-payment':
    'A large payment went to a new receiver. If this wasn’t you, freeze your account.',
  'alert-many-payments':
    'Many payments left your account in a short time. If this wasn’t you, freeze your account.',
  'alert-guessed-logins':
    'Someone tried wrong passwords on many logins, including yours. If yours is easy to guess, set a new one.',
  'statement-ready': 'Your statement for {month} is ready.',
  'preferences-changed':
    'Your notification settings were changed. If this wasn’t you, contact the Help Desk.',
  'push-removed':
    'Push notifications were turned off on one or more devices. If this wasn’t you, contact the Help Desk.',
  'factor-reset-requested': `We received a request to remove your authenticator app and passkeys. We remove them at least ${factorReset.waitHours} hours later. ${stopRemoval} If this wasn’t you, contact the Help Desk.`,
  'id-received': 'We received your ID document and will review it soon.',
  'push-taken-over':
    'A browser that showed your push notifications now shows those of another account instead. If you don’t share a browser, contact the Help Desk.',
};
