/** The bell: how many notifications are unread, and the list of them. Asked again every few seconds, so that it is live. */
import { Popover } from '@base-ui/react/popover';
import { fill } from '#contract/messages.ts';
import { IconButton } from '#web/ui/IconButton.tsx';
import { NotificationList } from './NotificationList.tsx';
import { useNotifications } from './useNotifications.ts';
import { words } from './words.ts';
import './NotificationBell.css';

export function NotificationBell() {
  const { notifications, unread, failed, refetch, read } = useNotifications();
  const label = unread > 0 ? fill(words.notificationsUnread, { n: unread }) : words.notifications;
  return (
    <Popover.Root>
      <Popover.Trigger render={<IconButton icon="bell" label={label} count={unread} />} />
      <Popover.Portal>
        <Popover.Positioner
          className="NotificationBell-place"
          align="end"
          sideOffset={6}
          collisionPadding={12}
        >
          <Popover.Popup className="NotificationBell">
            <Popover.Title className="NotificationBell-title">{words.notifications}</Popover.Title>
            <NotificationList notifications={notifications} failed={failed} onRetry={refetch} onRead={read} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
