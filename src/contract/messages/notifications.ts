/** Sentences of the notification list. */
import { bank } from '../constants.ts';

export const list = 'Notifications';
export const read = 'Marked as read';
export const live = 'Notifications as they happen';
export const moneyReceived = '{amount} from {name}';
export const moneySent = '{amount} to {name}';
export const credited = '{amount} was credited to your account';
export const approved = `Your account is approved. Welcome to ${bank.name}.`;
export const externalSettled = '{amount} to {name} has arrived';
export const externalReturned = '{amount} to {name} came back. It is in your balance again.';
export const idVerified = 'Your ID was checked. Thank you.';
export const unfrozen = 'Your account is open again.';
export const passwordChanged =
  'Your password was changed. If this was not you, please write to the Help Desk.';
export const readAll = 'Mark all as read';
export const manyArrived = '{n} payments arrived';
export const contactChanged =
  'Your contact details were changed. If this was not you, please write to the Help Desk.';
export const idReceived = 'Your ID arrived. We will check it soon.';
export const none = 'Nothing new. Money in and out will be announced here.';
