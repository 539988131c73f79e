/** The newest notifications, unread ones marked and with the button that marks them as read. */
import type { Notification } from '#contract/entities.ts';
import { messages } from '#contract/messages.ts';
import { dayAndTime } from '#web/ui/bankTime.ts';
import { Icon, type IconName } from '#web/ui/Icon.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { words } from './words.ts';
import './NotificationList.css';

export type NotificationListProps = {
  /** Nothing while they are not known yet. */
  notifications: readonly Notification[] | undefined;
  failed: boolean;
  onRetry: () => unknown;
  onRead: (id: string) => void;
};

const icons: Record<string, IconName> = {
  'money-received': 'in',
  'money-sent': 'out',
  credited: 'credit',
  approved: 'check',
};

export function NotificationList({ notifications, failed, onRetry, onRead }: NotificationListProps) {
  if (failed) return <LoadFailed className="m-4 mt-0" title={words.notificationsFailed} onRetry={onRetry} />;
  if (!notifications)
    return <Skeleton className="px-5 pb-3" kind="rows" count={3} label={words.notifications} />;
  if (notifications.length === 0)
    return <p className="NotificationList-none">{messages.notifications.none}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <ul className="NotificationList" tabIndex={0} aria-label={words.notifications}>
      {notifications.map(({ _id, kind, text, timestamp, isRead }) => (
        <li key={_id} className={isRead ? undefined : 'NotificationList-unread'}>
          <Icon name={icons[kind] ?? 'bell'} size={18} />
          <div>
            <p>
              {!isRead && <span className="sr-only">{words.unread}: </span>}
              {text}
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
