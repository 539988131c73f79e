// @vitest-environment jsdom
/** What arrives is noticed while somebody looks, and what this page did itself is not asked about twice. */
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Transaction } from '#contract/entities.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { transactionsClient } from '#web/features/transactions/transactionsCalls.ts';
import { transferDone, transferStarted } from '#web/features/transfer/transferSlice.ts';
import { useNotifications } from './useNotifications.ts';

const claims = btoa(JSON.stringify({ exp: 4_102_444_800 }));
const customer = {
  _id: 'me',
  firstName: 'Amara',
  lastName: 'Lindqvist',
  email: 'amara@example.com',
  avatar: { url: '' },
  accountNumber: '482109375527',
  isApproved: true,
  token: `x.${claims}.x`,
};
const notification = (kind: string, transactionId: string) => ({
  _id: `n-${transactionId}`,
  kind,
  text: '$5.00',
  transactionId,
  timestamp: '2026-11-20T12:00:00.000Z',
  isRead: false,
});
const sentHere = { _id: 't1', type: 'transfer', amount: 5 } as Transaction;

let store: ReturnType<typeof makeStore>;
let notifications: object[];
let asked: string[];
const count = (path: string) => asked.filter(one => one.includes(path)).length;
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
    const data = path.includes('notifications')
      ? { notifications, unread: notifications.length }
      : { balance: 10 };
    return new Response(JSON.stringify({ success: true, message: '', data }));
  });
  store = makeStore();
  store.dispatch(customerLoggedIn(customer));
  void store.dispatch(transactionsClient.endpoints.balance.initiate());
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;
  renderHook(useNotifications, { wrapper });
  await pass(100);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('money that arrives makes the balance be asked again', async () => {
  notifications = [notification('money-received', 't9')];
  await pass(10_500);
  expect(count('balance')).toBe(2);
});

test('money that was sent elsewhere makes the balance be asked again', async () => {
  notifications = [notification('money-sent', 't9')];
  await pass(10_500);
  expect(count('balance')).toBe(2);
});

test('the notification of the transfer just sent here does not', async () => {
  store.dispatch(transferStarted());
  store.dispatch(transferDone({ transaction: sentHere, message: '' }));
  notifications = [notification('money-sent', sentHere._id)];
  await pass(10_500);
  expect(count('notifications')).toBe(2);
  expect(count('balance')).toBe(1);
});

test('a hidden page asks for nothing, and asks at once when it is looked at again', async () => {
  look('hidden');
  await pass(60_000);
  expect(count('notifications')).toBe(1);
  look('visible');
  await pass(100);
  expect(count('notifications')).toBe(2);
});
