/**
 * The customer's notifications, updated live. When a new one arrives or the account changes without one, the balance and the
 * lists are refetched, except after a transfer that this page sent. Incoming money is announced in a toast.
 */
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import * as errorMessages from '#contract/messages/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as notificationsMessages from '#contract/messages/notifications.ts';
import type { Notification } from '#contract/notifications.ts';
import { api } from '#web/base/api.ts';
import { errorMessage } from '#web/base/callError.ts';
import { followLiveUpdates } from '#web/base/liveUpdates.ts';
import { selectToken } from '#web/base/session.ts';
import { type RootState, useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { readSince } from '#web/base/useActs.ts';
import { selectTransfer } from '#web/features/transfer/transferSlice.ts';
import { showToast } from '#web/ui/showToast.ts';
import {
  useListNotificationsQuery,
  useReadNotificationMutation,
  useReadNotificationsMutation,
} from './notificationsCalls.ts';

const moneyIn: readonly string[] = ['money-received', 'credited'];
/** More incoming payments than this are announced in one sentence. */
const maxSeparateToasts = 3;
const none: ReadonlySet<string> = new Set();

export function useNotifications() {
  const { data, isError, refetch } = useListNotificationsQuery(undefined, { refetchOnFocus: true });
  const [sendRead] = useReadNotificationMutation();
  const [sendReadAll] = useReadNotificationsMutation();
  // Ids marked as read here before the server has confirmed it, so that a click shows immediately.
  const [marked, setMarked] = useState(none);
  useLiveUpdates(data?.notifications, refetch);
  useArrivals(data?.notifications);

  const mark = async (ids: string[], send: () => Promise<{ error?: unknown }>) => {
    setMarked(before => new Set([...before, ...ids]));
    const { error } = await send();
    if (!error) return;
    // After a lost answer, they may be read.
    const now = await readSince(Date.now(), refetch);
    setMarked(before => new Set([...before].filter(id => !ids.includes(id))));
    if (now?.notifications.every(({ _id, isRead }) => isRead || !ids.includes(_id))) return;
    showToast({ title: errorMessage(error, errorMessages.fault), tone: 'error', id: 'not-read' });
  };
  const notifications = data?.notifications.map(one => ({
    ...one,
    isRead: one.isRead || marked.has(one._id),
  }));
  const unread = notifications?.filter(one => !one.isRead).map(({ _id }) => _id) ?? [];
  const newest = unread.toSorted().at(-1);
  return {
    notifications,
    unread: unread.length,
    failed: isError && !data,
    refetch,
    read: (id: string) => mark([id], () => sendRead({ params: { id } })),
    readAll: () => mark(unread, () => sendReadAll({ body: newest === undefined ? undefined : { newest } })),
  };
}

/**
 * On a live update, refetches the list. If it contains nothing new, the account may have changed without a notification, so the
 * account is refetched too (`useArrivals` does so for new notifications). The first update of a connection does not refetch a
 * list that is up to date.
 */
function useLiveUpdates(notifications: Notification[] | undefined, ask: Refetch): void {
  const dispatch = useAppDispatch();
  const store = useStore<RootState>();
  const token = useAppSelector(state => selectToken(state));
  const now = useRef({ notifications, ask });
  useEffect(() => {
    now.current = { notifications, ask };
  });
  useEffect(() => {
    if (token === undefined) return;
    let wasConnected = false;
    return followLiveUpdates(token, async ({ newest, isFirst }) => {
      const { notifications: known, ask } = now.current;
      const isReconnected = isFirst && wasConnected;
      wasConnected ||= isFirst;
      if (isFirst && known && (known[0]?._id ?? null) === newest) {
        // While the stream was closed, the account may have changed without a notification.
        if (isReconnected) dispatch(refetchAccount());
        return;
      }
      const { data } = await ask();
      if (!known || !data) return;
      // Money can also move without a listed notification: the customer turned its kind off, or moved money to a savings goal.
      const listed = new Set(known.map(({ _id }) => _id));
      const hasArrivals = data.notifications.some(({ _id }) => !listed.has(_id));
      if (!hasArrivals && (newest === undefined || newest !== ownTransferOf(store)))
        dispatch(refetchAccount());
    });
  }, [token, dispatch, store]);
}

type Refetch = () => PromiseLike<{ data?: { notifications: Notification[] } | undefined }>;

const refetchAccount = () =>
  api.util.invalidateTags(['Money', 'Transactions', 'Profile', 'Sessions', 'Factors']);

/** The id of the transfer that this page sent last. The page has already refetched the account after that transfer. */
const ownTransferOf = (store: { getState: () => RootState }) =>
  selectTransfer(store.getState()).transaction?._id;

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
    const ownTransfer = ownTransferOf(store);
    const newToThisPage = arrived.filter(
      ({ transactionId }) => !transactionId || transactionId !== ownTransfer,
    );
    if (newToThisPage.length > 0) dispatch(refetchAccount());
    announceMoney(sinceChoice(arrived).filter(({ kind }) => moneyIn.includes(kind)));
  }, [notifications, dispatch, store]);
}

/**
 * Drops the notifications that are older than a change of the notification settings, because they are not new: turning a kind
 * on lists its old notifications, and turning one off makes room on the list for older ones.
 */
function sinceChoice(arrived: Notification[]): Notification[] {
  const choice = arrived.findIndex(({ kind }) => kind === 'preferences-changed');
  return choice === -1 ? arrived : arrived.slice(0, choice);
}

function announceMoney(arrived: Notification[]): void {
  if (arrived.length > maxSeparateToasts) {
    const title = fill(notificationsMessages.manyArrived, { n: arrived.length });
    showToast({ title, tone: 'success', icon: 'in' });
    return;
  }
  for (const { text, _id } of arrived) showToast({ title: text, tone: 'success', icon: 'in', id: _id });
}
