/** A visible page shows live updates immediately, and does not refetch the balance after its own transfer. */

import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Transaction } from '#contract/entities.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { settingsClient } from '#web/features/settings/settingsCalls.ts';
import { transactionsClient } from '#web/features/transactions/transactionsCalls.ts';
import { transferDone, transferStarted } from '#web/features/transfer/transferSlice.ts';
import { listenForToasts } from '#web/ui/showToast.ts';
import { wren } from '../../../../tests/sessions.ts';
import { useNotifications } from './useNotifications.ts';

const notification = (kind: NotificationKind, transactionId: string) => ({
  _id: `n-${transactionId}`,
  kind,
  text: '$5.00',
  transactionId,
  timestamp: '2026-11-20T12:00:00.000Z',
  isRead: false,
});
const sentHere = { _id: 't1', type: 'transfer', amount: 5 } as Transaction;

let store: ReturnType<typeof makeStore>;
let shown: { current: ReturnType<typeof useNotifications> };
let notifications: { _id: string }[];
let requested: string[];
let sendLiveUpdate: (newest: string) => void;
/** Adds notifications and sends the live update. */
async function deliver(...arrived: { _id: string }[]) {
  notifications = [...arrived, ...notifications];
  sendLiveUpdate(arrived[0]!._id);
  await pass(100);
}
const count = (path: string) => requested.filter(one => one.endsWith(path)).length;
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

function setVisibility(visibility: 'visible' | 'hidden') {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

beforeEach(async () => {
  vi.useFakeTimers();
  notifications = [];
  requested = [];
  vi.stubGlobal('fetch', async (path: string) => {
    requested.push(path);
    if (path.endsWith('/live')) {
      const body = new ReadableStream({
        start(source) {
          sendLiveUpdate = newest =>
            source.enqueue(new TextEncoder().encode(`event: changed\ndata: {"newest":"${newest}"}\n\n`));
        },
      });
      return new Response(body);
    }
    const data = path.includes('notifications')
      ? { notifications, unread: notifications.length }
      : { balance: 10 };
    return new Response(JSON.stringify({ success: true, message: '', data }));
  });
  store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  void store.dispatch(transactionsClient.endpoints.balance.initiate());
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;
  shown = renderHook(useNotifications, { wrapper }).result;
  await pass(100);
});
const announced: string[] = [];
const stopListening = listenForToasts(({ title }) => announced.push(title));
afterEach(() => {
  announced.length = 0;
});
afterAll(stopListening);

test('money that arrives is counted and announced, and the balance is refetched [N-02, N-05, N-07]', async () => {
  expect(shown.current.unread).toBe(0);
  await deliver(notification('money-received', 't9'));
  expect(shown.current.unread).toBe(1);
  expect(announced).toEqual(['$5.00']);
  expect(count('/balance')).toBe(2);
});

test('a login on another device refetches the list of sessions that the customer is looking at [FA-01]', async () => {
  void store.dispatch(settingsClient.endpoints.listSessions.initiate());
  await deliver(notification('alert-new-login', 't9'));
  expect(count('/sessions')).toBe(2);
});

test('money that was sent from another page or device refetches the balance, without an announcement', async () => {
  await deliver(notification('money-sent', 't9'));
  expect(count('/balance')).toBe(2);
  expect(announced).toEqual([]);
});

test('the notification of a transfer just sent here does not refetch the balance', async () => {
  store.dispatch(
    transferStarted({
      key: 'one',
      sending: {
        kind: 'internal',
        body: { receiverAccountNumber: '730511842298', amount: 5, description: '' },
      },
    }),
  );
  store.dispatch(transferDone({ transaction: sentHere, message: '' }));
  await deliver(notification('money-sent', sentHere._id));
  expect(count('/notifications')).toBe(2);
  expect(count('/balance')).toBe(1);
});

test('money that arrives without a notification, because the customer turned that kind off, refetches the balance', async () => {
  await deliver(notification('approved', 't1'));
  const before = count('/balance');
  sendLiveUpdate('n-hidden');
  await pass(100);
  expect(count('/balance')).toBe(before + 1);
  expect(announced).toEqual([]);
});

test('many payments that arrived together are announced in one sentence', async () => {
  await deliver(...['a', 'b', 'c', 'd'].map(id => notification('money-received', id)));
  expect(announced).toEqual(['4 payments arrived']);
});

test('earlier payments are not announced when a customer turns their notifications on again in the settings', async () => {
  await deliver(notification('money-sent', 't1'));
  notifications = [notification('money-received', 't0'), ...notifications];
  await deliver(notification('money-received', 't3'), notification('preferences-changed', 't2'));
  expect(announced).toEqual(['$5.00']);
  expect(shown.current.notifications).toHaveLength(4);
});

test('if the first event of a connection names the newest known notification, the list is not fetched again', async () => {
  await deliver(notification('money-received', 't9'));
  expect(count('/notifications')).toBe(2);
  setVisibility('hidden');
  await pass(60_000);
  setVisibility('visible');
  await pass(100);
  const before = count('/notifications');
  sendLiveUpdate('n-t9');
  await pass(100);
  expect(count('/notifications')).toBe(before);
});

test('all notifications are marked as read with one press, which shows immediately [N-06]', async () => {
  await deliver(notification('money-received', 't8'), notification('money-received', 't9'));
  act(() => void shown.current.readAll());
  expect(shown.current.unread).toBe(0);
  await pass(100);
  expect(count('/notifications/read')).toBe(1);
});

test('a customer who marks notifications as read while offline sees a network error [N-06]', async () => {
  await deliver(notification('approved', 't8'));
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  act(() => void shown.current.readAll());
  await pass(120_000);
  expect(shown.current.unread).toBe(1);
  expect(announced).toEqual([errorMessages.network]);
});

test('if the answer to “Mark all as read” is lost and all are read, the customer sees no error [N-06]', async () => {
  await deliver(notification('approved', 't8'));
  const answered = fetch;
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    if (!path.endsWith('/notifications/read')) return await answered(path, init);
    notifications = notifications.map(one => ({ ...one, isRead: true }));
    throw new TypeError('Failed to fetch');
  });
  act(() => void shown.current.readAll());
  await pass(120_000);
  expect(shown.current.unread).toBe(0);
  expect(announced).toEqual([]);
});

test('a hidden page fetches nothing, and fetches immediately when it is visible again', async () => {
  setVisibility('hidden');
  await pass(600_000);
  expect(count('/notifications')).toBe(1);
  expect(count('/live')).toBe(1);
  setVisibility('visible');
  await pass(100);
  expect(count('/notifications')).toBe(2);
  expect(count('/live')).toBe(2);
});
