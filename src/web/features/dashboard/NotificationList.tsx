/**
 * The newest notifications, grouped by the bank's calendar day. A notification can link to its transaction, or to the screen
 * where the customer can act on it. Unread notifications can be marked as read.
 */

import { calendarDay, shortDay, timeOfDay } from '#contract/bankTime.ts';
import { plusDays } from '#contract/federalHolidays.ts';
import * as notificationsMessages from '#contract/messages/notifications.ts';
import type { Notification, NotificationKind } from '#contract/notifications.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { Link } from '#web/router/Link.tsx';
import { Icon, type IconName } from '#web/ui/Icon.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { words } from './words.ts';
import './NotificationList.css';

export type NotificationListProps = {
  /** Undefined until they are loaded. */
  notifications: readonly Notification[] | undefined;
  failed: boolean;
  onRetry: () => unknown;
  onRead: (id: string) => void;
  /** Called when a notification's link is opened; `unreadId` is the notification's id if it was unread. */
  onFollow: (unreadId: string | undefined) => void;
};

const icons: Record<NotificationKind, IconName> = {
  'money-received': 'in',
  'money-sent': 'out',
  credited: 'credit',
  'external-settled': 'bank',
  'external-returned': 'back',
  'id-requested': 'idcard',
  'reversed-out': 'out',
  'reversed-in': 'back',
  approved: 'check',
  'id-verified': 'idcard',
  frozen: 'freeze',
  unfrozen: 'check',
  'own-frozen': 'freeze',
  'limits-changed': 'edit',
  'password-changed': 'lock',
  'contact-changed': 'edit',
  'identity-changed': 'edit',
  'payee-added': 'users',
  'push-added': 'bell',
  'scheduled-added': 'calendar',
  'schedule-changed': 'calendar',
  'schedule-resumed': 'calendar',
  'scheduled-failed': 'alert',
  'scheduled-missed': 'alert',
  'alert-new-login': 'alert',
  'alert-large-first-payment': 'alert',
  'alert-many-payments': 'alert',
  'alert-guessed-logins': 'alert',
  'preferences-changed': 'edit',
  'statement-ready': 'list',
  'goal-left-out': 'alert',
  'id-received': 'idcard',
  'push-taken-over': 'alert',
  'push-removed': 'bell',
  'factor-reset-requested': 'alert',
};

const scheduled = '/dashboard/scheduled';
const profile = '/dashboard/settings';
const security = '/dashboard/settings?tab=security';
const notifications = '/dashboard/settings?tab=notifications';

/** Where the customer can act on a notification that has no transaction. */
const screens: Partial<Record<NotificationKind, string>> = {
  'id-requested': `${profile}#id-document`,
  'contact-changed': profile,
  'identity-changed': profile,
  'own-frozen': security,
  'limits-changed': security,
  'password-changed': security,
  'alert-new-login': security,
  'alert-large-first-payment': security,
  'alert-many-payments': security,
  'alert-guessed-logins': security,
  'push-added': notifications,
  'push-taken-over': notifications,
  'push-removed': notifications,
  'factor-reset-requested': security,
  'preferences-changed': notifications,
  'payee-added': '/dashboard/transfer?payees',
  'scheduled-added': scheduled,
  'schedule-changed': scheduled,
  'schedule-resumed': scheduled,
  'scheduled-failed': scheduled,
  'scheduled-missed': scheduled,
  'goal-left-out': '/dashboard/goals',
  'statement-ready': '/dashboard/transactions?statements',
};

export function NotificationList(props: NotificationListProps) {
  const { notifications, failed, onRetry, onRead, onFollow } = props;
  if (failed)
    return (
      <LoadFailed className="NotificationList-failed" title={words.notificationsFailed} onRetry={onRetry} />
    );
  if (!notifications)
    return <Skeleton className="NotificationList-wait" kind="rows" count={3} label={words.notifications} />;
  if (notifications.length === 0)
    return <p className="NotificationList-none">{notificationsMessages.none}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <section className="NotificationList" tabIndex={0} aria-label={words.notifications}>
      {groupByDay(notifications).map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h3>{day}</h3>
          <ul>
            {ofDay.map(notification => (
              <NotificationRow
                key={notification._id}
                notification={notification}
                onRead={onRead}
                onFollow={onFollow}
              />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

type RowProps = Pick<NotificationListProps, 'onRead' | 'onFollow'> & { notification: Notification };

function NotificationRow({ notification, onRead, onFollow }: RowProps) {
  const { _id, kind, text, transactionId, timestamp, isRead } = notification;
  const to = transactionId ? `/dashboard/transactions/${transactionId}` : screens[kind];
  return (
    <li className={isRead ? undefined : 'NotificationList-unread'}>
      <Icon name={icons[kind]} size={18} />
      <div>
        <p>
          {!isRead && <span className="sr-only">{words.unread}: </span>}
          {to ? (
            <Link
              className="NotificationList-link"
              to={to}
              onClick={() => onFollow(isRead ? undefined : _id)}
            >
              {text}
            </Link>
          ) : (
            text
          )}
        </p>
        <time dateTime={timestamp}>{timeOfDay(timestamp)}</time>
      </div>
      {!isRead && (
        <button
          type="button"
          aria-label={`${words.markRead}: ${text}`}
          title={words.markRead}
          onClick={() => onRead(_id)}
        />
      )}
    </li>
  );
}

/** Groups notifications, which are sorted newest first, under 'Today', 'Yesterday' or the day. */
function groupByDay(notifications: readonly Notification[]): [day: string, ofDay: Notification[]][] {
  const today = calendarDay(new Date());
  const yesterday = plusDays(today, -1);
  const groups = new Map<string, Notification[]>();
  for (const notification of notifications) {
    const day = calendarDay(new Date(notification.timestamp));
    const name =
      day === today ? words.today : day === yesterday ? words.yesterday : shortDay(notification.timestamp);
    groups.set(name, [...(groups.get(name) ?? []), notification]);
  }
  return [...groups];
}
