/**
 * The customer's notifications, kept fresh. When one arrives that was not there before, the balance and the lists are asked
 * again, and money that came in is said in passing.
 */
import { useEffect, useRef } from 'react';
import type { Notification } from '#contract/entities.ts';
import { api } from '#web/base/api.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { showToast } from '#web/ui/showToast.ts';
import { notificationsClient, useListNotificationsQuery, useReadNotificationMutation } from './notificationsCalls.ts';

const everyMs = 10_000;
const moneyIn: readonly string[] = ['money-received', 'credited'];

export function useNotifications() {
  const { data, isError, refetch } = useListNotificationsQuery(undefined, { pollingInterval: everyMs });
  const [sendRead] = useReadNotificationMutation();
  const dispatch = useAppDispatch();
  useArrivals(data?.notifications);

  /** Marks one as read at once; should the bank refuse, the next answer puts it back. */
  const read = (id: string) => {
    const { updateQueryData } = notificationsClient.util;
    dispatch(
      updateQueryData('listNotifications', undefined, list => {
        const found = list.notifications.find(notification => notification._id === id);
        if (!found || found.isRead) return;
        found.isRead = true;
        list.unread -= 1;
      }),
    );
    void sendRead({ params: { id } });
  };
  return {
    notifications: data?.notifications,
    unread: data?.unread ?? 0,
    failed: isError && !data,
    refetch,
    read,
  };
}

function useArrivals(notifications: Notification[] | undefined): void {
  const dispatch = useAppDispatch();
  const known = useRef<Set<string>>(undefined);
  useEffect(() => {
    if (!notifications) return;
    const arrived = notifications.filter(({ _id }) => known.current && !known.current.has(_id));
    known.current = new Set(notifications.map(({ _id }) => _id));
    if (arrived.length === 0) return;
    dispatch(api.util.invalidateTags(['Money', 'Transactions', 'Profile']));
    for (const { kind, text, _id } of arrived) {
      if (moneyIn.includes(kind)) showToast({ title: text, tone: 'success', icon: 'in', id: _id });
    }
  }, [notifications, dispatch]);
}
