/** The newest notifications. One about money links to its transaction; an unread one can be marked as read. */
import { Link } from 'react-router';
import { dayAndTime } from '#contract/bankTime.ts';
import * as notificationsMessages from '#contract/messages/notifications.ts';
import type { Notification, NotificationKind } from '#contract/notifications.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
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
  /** Called when a notification's transaction is opened; `unreadId` is the notification's id if it was unread. */
  onFollow: (unreadId: string | undefined) => void;
};

const icons: Record<NotificationKind, IconName> = {
  'money-received': 'in',
  'money-sent': 'out',
  credited: 'credit',
  'external-settled': 'bank',
  'external-returned': 'back',
  approved: 'check',
  'id-verified': 'idcard',
  frozen: 'freeze',
  unfrozen: 'check',
  'password-changed': 'lock',
  'contact-changed': 'edit',
  'id-received': 'idcard',
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
    <ul className="NotificationList" tabIndex={0} aria-label={words.notifications}>
      {notifications.map(({ _id, kind, text, transactionId, timestamp, isRead }) => (
        <li key={_id} className={isRead ? undefined : 'NotificationList-unread'}>
          <Icon name={icons[kind]} size={18} />
          <div>
            <p>
              {!isRead && <span className="sr-only">{words.unread}: </span>}
              {transactionId ? (
                <Link
                  className="NotificationList-link"
                  to={`/dashboard/transactions/${transactionId}`}
                  onClick={() => onFollow(isRead ? undefined : _id)}
                >
                  {text}
                </Link>
              ) : (
                text
              )}
            </p>
            <time dateTime={timestamp}>{dayAndTime(timestamp)}</time>
          </div>
          {!isRead && (
            <button
              type="button"
              aria-label={`${words.markRead}: ${text}`}
              title={words.markRead}
              onClick={() => onRead(_id)}
            >
              <Icon name="check" size={16} />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
