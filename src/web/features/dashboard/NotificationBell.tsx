/** The bell: the number of unread notifications, and the list of the newest. Both update live. */
import { Popover } from '@base-ui/react/popover';
import { useRef, useState } from 'react';
import { fill } from '#contract/messages/fill.ts';
import * as notificationsMessages from '#contract/messages/notifications.ts';
import { Button } from '#web/ui/Button.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { NotificationList } from './NotificationList.tsx';
import { useNotifications } from './useNotifications.ts';
import { words } from './words.ts';
import './NotificationBell.css';

export function NotificationBell() {
  const { notifications, unread, failed, refetch, read, readAll } = useNotifications();
  const [open, setOpen] = useState(false);
  const popup = useRef<HTMLDivElement>(null);
  const label = unread > 0 ? fill(words.notificationsUnread, { n: unread }) : words.notifications;
  // The pressed button disappears, so move the focus to the popup.
  const keepFocus = () => popup.current?.focus();
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger render={<IconButton icon="bell" label={label} count={unread} />} />
      <Popover.Portal>
        <Popover.Positioner
          className="NotificationBell-place"
          align="end"
          sideOffset={6}
          collisionPadding={12}
        >
          <Popover.Popup ref={popup} className="NotificationBell">
            <div className="NotificationBell-top">
              <Popover.Title className="NotificationBell-title">{words.notifications}</Popover.Title>
              {unread > 0 && (
                <Button
                  kind="text"
                  size="s"
                  onClick={() => {
                    void readAll();
                    keepFocus();
                  }}
                >
                  {notificationsMessages.readAll}
                </Button>
              )}
            </div>
            <NotificationList
              notifications={notifications}
              failed={failed}
              onRetry={refetch}
              onRead={id => {
                void read(id);
                keepFocus();
              }}
              onFollow={id => {
                if (id) void read(id);
                setOpen(false);
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
