/** Sentences of the notification list. */
import { bank } from '../constants.ts';
import { accountFrozen } from './errors.ts';

export const list = 'Notifications';
export const read = 'Marked as read';
export const live = 'Notifications as they happen';
export const readAll = 'Mark all as read';
export const manyArrived = '{n} payments arrived';
export const none = 'Nothing new. Money in and out will be announced here.';

/** Each kind of notification and what it says. The first five are written by the posting functions, inside the database. */
export const kinds = {
  'money-received': '{amount} from {name}',
  'money-sent': '{amount} to {name}',
  credited: '{amount} was credited to your account',
  'external-settled': '{amount} to {name} has arrived',
  'external-returned': '{amount} to {name} came back. It is in your balance again.',
  approved: `Your account is approved. Welcome to ${bank.name}.`,
  'id-verified': 'Your ID was checked. Thank you.',
  frozen: accountFrozen,
  unfrozen: 'Your account is open again.',
  'password-changed': 'Your password was changed. If this was not you, please write to the Help Desk.',
  'contact-changed': 'Your contact details were changed. If this was not you, please write to the Help Desk.',
  'id-received': 'Your ID arrived. We will check it soon.',
} as const;
