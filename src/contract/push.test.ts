/** Texts of push notifications. */
import { expect, test } from 'vitest';
import * as notificationsMessages from './messages/notifications.ts';
import * as pushMessages from './messages/push.ts';
import type { NotificationKind } from './notifications.ts';
import { pushKinds } from './push.ts';

test('each kind of push notification has a text for locked screens that contains no amount and no name', () => {
  const kinds = Object.keys(pushKinds) as NotificationKind[];
  expect(kinds.some(kind => notificationsMessages.kinds[kind].includes('{'))).toBe(true);
  expect(kinds.filter(kind => /[{$\d]/.test(pushMessages.quietTextOf(kind)))).toEqual([]);
});
