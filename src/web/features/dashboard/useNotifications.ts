/**
 * The customer's notifications, kept fresh while somebody looks. When one arrives that was not there before, the balance
 * and the lists are asked again, and money that came in is said in passing.
 */
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import type { Notification } from '#contract/entities.ts';
import { api } from '#web/base/api.ts';
import { type RootState, useAppDispatch } from '#web/base/store.ts';
import { selectTransfer } from '#web/features/transfer/transferSlice.ts';
import { showToast } from '#web/ui/showToast.ts';
import { useListNotificationsQuery, useReadNotificationMutation } from './notificationsCalls.ts';

const everyMs = 10_000;
const moneyIn: readonly string[] = ['money-received', 'credited'];
const nobody: ReadonlySet<string> = new Set();

export function useNotifications() {
  const { data, isError, refetch } = useListNotificationsQuery(undefined, {
    pollingInterval: everyMs,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
  });
  const [sendRead] = useReadNotificationMutation();
  // Marked here and perhaps not yet on the server: a press shows at once.
  const [marked, setMarked] = useState(nobody);
  useArrivals(data?.notifications);

  const read = async (id: string) => {
    setMarked(before => new Set(before).add(id));
    const { error } = await sendRead({ params: { id } });
    if (error) setMarked(before => new Set([...before].filter(other => other !== id)));
  };
  const early = data?.notifications.filter(({ _id, isRead }) => !isRead && marked.has(_id)).length ?? 0;
  return {
    notifications: data?.notifications.map(one => ({ ...one, isRead: one.isRead || marked.has(one._id) })),
    unread: (data?.unread ?? 0) - early,
    failed: isError && !data,
    refetch,
    read,
  };
}

function useArrivals(notifications: Notification[] | undefined): void {
  const dispatch = useAppDispatch();
  const store = useStore<RootState>();
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (!notifications) return;
    const before = known.current;
    known.current = new Set(notifications.map(({ _id }) => _id));
    const arrived = before ? notifications.filter(({ _id }) => !before.has(_id)) : [];
    if (arrived.length === 0) return;
    // What this page has just sent, it has also just asked about.
    const ownTransfer = selectTransfer(store.getState()).transaction?._id;
    const news = arrived.filter(({ transactionId }) => !transactionId || transactionId !== ownTransfer);
    if (news.length > 0) dispatch(api.util.invalidateTags(['Money', 'Transactions', 'Profile']));
    for (const { kind, text, _id } of arrived) {
      if (moneyIn.includes(kind)) showToast({ title: text, tone: 'success', icon: 'in', id: _id });
    }
  }, [notifications, dispatch, store]);
}
