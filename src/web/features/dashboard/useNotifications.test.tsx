// @vitest-environment jsdom
/** What arrives is noticed at once while somebody looks, and what this page did itself is not asked about twice. */
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Transaction } from '#contract/entities.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
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
let asked: string[];
let sayNews: (newest: string) => void;
/** Something happens that the bank then says. */
async function happen(...happened: { _id: string }[]) {
  notifications = [...happened, ...notifications];
  sayNews(happened[0]!._id);
  await pass(100);
}
const count = (path: string) => asked.filter(one => one.endsWith(path)).length;
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

function look(visibility: 'visible' | 'hidden') {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

beforeEach(async () => {
  vi.useFakeTimers();
  notifications = [];
  asked = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    if (path.endsWith('/live')) {
      const body = new ReadableStream({
        start(source) {
          sayNews = newest =>
            source.enqueue(new TextEncoder().encode(`event: news\ndata: {"newest":"${newest}"}\n\n`));
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
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const said: string[] = [];
const stopListening = listenForToasts(({ title }) => said.push(title));
afterEach(() => {
  said.length = 0;
});
afterAll(stopListening);

test('money that arrives is counted and said, and makes the balance be asked again [N-02, N-05, N-07]', async () => {
  expect(shown.current.unread).toBe(0);
  await happen(notification('money-received', 't9'));
  expect(shown.current.unread).toBe(1);
  expect(said).toEqual(['$5.00']);
  expect(count('/balance')).toBe(2);
});

test('money that was sent elsewhere makes the balance be asked again, and is not said', async () => {
  await happen(notification('money-sent', 't9'));
  expect(count('/balance')).toBe(2);
  expect(said).toEqual([]);
});

test('the notification of the transfer just sent here does not', async () => {
  store.dispatch(transferStarted());
  store.dispatch(transferDone({ transaction: sentHere, message: '' }));
  await happen(notification('money-sent', sentHere._id));
  expect(count('/notifications')).toBe(2);
  expect(count('/balance')).toBe(1);
});

test('many payments that arrived meanwhile are said in one sentence', async () => {
  await happen(...['a', 'b', 'c', 'd'].map(id => notification('money-received', id)));
  expect(said).toEqual(['4 payments arrived']);
});

test('a line whose first word says nothing new asks for nothing', async () => {
  await happen(notification('money-received', 't9'));
  expect(count('/notifications')).toBe(2);
  look('hidden');
  await pass(60_000);
  look('visible');
  await pass(100);
  const before = count('/notifications');
  sayNews('n-t9');
  await pass(100);
  expect(count('/notifications')).toBe(before);
});

test('all are marked as read in one press, which shows at once [N-06]', async () => {
  await happen(notification('money-received', 't8'), notification('money-received', 't9'));
  act(() => void shown.current.readAll());
  expect(shown.current.unread).toBe(0);
  await pass(100);
  expect(count('/notifications/read')).toBe(1);
});

test('a hidden page asks for nothing, and asks at once when it is looked at again', async () => {
  look('hidden');
  await pass(600_000);
  expect(count('/notifications')).toBe(1);
  expect(count('/live')).toBe(1);
  look('visible');
  await pass(100);
  expect(count('/notifications')).toBe(2);
  expect(count('/live')).toBe(2);
});
