/** Canceling a payment: what the customer reads afterward, and that the button disappears when it is too late. */
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TransactionDetail } from '#contract/entities.ts';
import { api } from '#web/base/api.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { aTransaction } from '../../../../tests/transactions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { TransactionScreen } from './TransactionScreen.tsx';

const id = '01890000-0000-7000-8000-000000000000';
const sent = '2026-11-20T12:00:00.000Z';
const hour = 3_600_000;
const back = 'The payment was canceled. The money is back in your account.';
const tooLate = 'This payment has already been sent to the other bank. It can’t be canceled.';

/** What the bank says about the payment; tests change it. */
let payment: TransactionDetail;
const pending = (msLeft: number): TransactionDetail => ({
  ...aTransaction({ _id: id, type: 'external-transfer', status: 'pending', timestamp: sent }),
  timeline: [{ step: 'posted', at: sent }],
  externalBankDetails: { bankName: 'Barclays', accountName: 'Hollis Vane', accountNumber: '73120841111' },
  ...(msLeft > 0 && { cancelUntil: new Date(Date.now() + msLeft).toISOString() }),
});

/**
 * Opens the payment. `press` answers the cancellation; status 0 loses the answer. While `canRead` returns false, reads fail.
 */
function open(press: () => { status: number; message: string }, canRead = () => true) {
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.endsWith('/cancel') && !canRead()) throw new TypeError('Failed to fetch');
    if (!url.endsWith('/cancel'))
      return new Response(JSON.stringify({ success: true, message: '', data: payment }));
    const { status, message } = press();
    if (status === 0) throw new TypeError('Failed to fetch');
    const answer =
      status === 200 ? { success: true, message } : { success: false, message, code: 'CONFLICT' };
    return new Response(JSON.stringify(answer), { status });
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  const path = `/dashboard/transactions/${id}`;
  const routes = [{ path: '/dashboard/transactions/:id', Component: TransactionScreen }];
  render(
    <Provider store={store}>
      <RouterProvider router={createMemoryRouter(routes, { initialEntries: [path] })} />
    </Provider>,
  );
  return { store };
}

const offer = () => screen.queryByRole('button', { name: 'Cancel payment' });
async function cancel() {
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel payment' }, waitOptions));
  const question = await screen.findByRole('dialog', { name: 'Cancel this payment?' }, waitOptions);
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel payment' }));
  return question;
}

beforeEach(() => {
  payment = pending(hour);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Cancels; the answer is lost, and the payment can't be read. `readLater` reads the payment after all. */
async function cancelUnread() {
  let canRead = true;
  const { store } = open(
    () => {
      canRead = false;
      return { status: 0, message: '' };
    },
    () => canRead,
  );
  const question = await cancel();
  await within(question).findByText(/^We didn’t get an answer, so we don’t know/, {}, waitOptions);
  const readLater = () => {
    canRead = true;
    act(() => void store.dispatch(api.util.invalidateTags(['Transactions'])));
  };
  return { question, readLater };
}

test('after canceling, the customer reads that the money is back [BR-40]', async () => {
  open(() => {
    payment = { ...pending(0), status: 'failed' };
    return { status: 200, message: back };
  });
  await cancel();
  expect((await screen.findByText(back, {}, waitOptions)).closest('[role=status]')).not.toBeNull();
  await waitFor(() => expect(offer()).toBeNull(), waitOptions);
});

test('after canceling, the focus is on the message about it, not behind the sheet [BR-40]', async () => {
  open(() => {
    payment = { ...pending(0), status: 'failed' };
    return { status: 200, message: back };
  });
  const question = await cancel();
  await waitFor(() => expect(question.isConnected).toBe(false), waitOptions);
  await waitFor(() => expect(document.activeElement?.textContent).toBe(back), waitOptions);
});

test('after the answer to a cancellation was lost, the question closes, and the customer reads that the money is back [ER-18]', async () => {
  open(() => {
    payment = { ...pending(0), status: 'failed', returnReason: 'Cancelled' };
    return { status: 0, message: '' };
  });
  const question = await cancel();
  await waitFor(() => expect(question.isConnected).toBe(false), waitOptions);
  await waitFor(() => expect(document.activeElement?.textContent).toBe(back), waitOptions);
});

test('if the payment was sent while the answer was lost, the customer reads that it can no longer be canceled [ER-18]', async () => {
  open(() => {
    payment = pending(0);
    return { status: 0, message: '' };
  });
  const question = await cancel();
  await within(question).findByText('This payment can no longer be canceled.', {}, waitOptions);
  expect(screen.queryByText(back)).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(within(question).getAllByRole('button')).toHaveLength(1);
  await userEvent.click(within(question).getByRole('button', { name: 'Close' }));
  await waitFor(
    () => expect(document.activeElement?.closest('.TransactionScreen')).not.toBeNull(),
    waitOptions,
  );
});

test('if a later read shows that the payment was sent after all, the question says that it can no longer be canceled [ER-18]', async () => {
  const { question, readLater } = await cancelUnread();
  payment = pending(0);
  readLater();
  await within(question).findByText('This payment can no longer be canceled.', {}, waitOptions);
  expect(question.matches('[data-closed]')).toBe(false);
});

test('if a cancellation did not arrive, the customer reads that nothing has changed, and the button "Keep payment" returns the focus [ER-18]', async () => {
  open(() => ({ status: 0, message: '' }));
  const question = await cancel();
  await within(question).findByText(/^We didn’t get an answer, and nothing has changed/, {}, waitOptions);
  await userEvent.click(within(question).getByRole('button', { name: 'Keep payment' }));
  await waitFor(() => expect(document.activeElement).toBe(offer()), waitOptions);
});

test('if the payment can’t be read after a lost answer, the question closes once a later read shows that it was canceled [ER-18]', async () => {
  const { question, readLater } = await cancelUnread();
  payment = { ...pending(0), status: 'failed', returnReason: 'Cancelled' };
  readLater();
  await waitFor(() => expect(question.isConnected).toBe(false), waitOptions);
  await waitFor(() => expect(document.activeElement?.textContent).toBe(back), waitOptions);
});

test('a refusal says why, and then the cancel button is gone [BR-40]', async () => {
  open(() => {
    payment = pending(0);
    return { status: 409, message: tooLate };
  });
  const question = await cancel();
  await within(question).findByText(tooLate, {}, waitOptions);
  expect(question.textContent).not.toContain('goes back to your account');
  expect(within(question).queryByRole('button', { name: 'Cancel payment' })).toBeNull();
  await userEvent.click(within(question).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(offer()).toBeNull(), waitOptions);
  await waitFor(
    () => expect(document.activeElement?.closest('.TransactionScreen')).not.toBeNull(),
    waitOptions,
  );
  expect(screen.queryByText(/You can cancel this payment until/)).toBeNull();
});

test('the cancel button disappears when the cut-off has passed [BR-43]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  payment = pending(hour);
  open(() => ({ status: 200, message: back }));
  await screen.findByRole('button', { name: 'Cancel payment' }, waitOptions);
  payment = pending(0);
  await vi.advanceTimersByTimeAsync(hour + 10_000);
  await waitFor(() => expect(offer()).toBeNull(), waitOptions);
});

test('if the cut-off passes while the question is open, it says that the payment can’t be canceled, and offers only Close [BR-43]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  payment = pending(hour);
  open(() => ({ status: 200, message: back }));
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel payment' }, waitOptions));
  const question = await screen.findByRole('dialog', {}, waitOptions);
  payment = pending(0);
  await vi.advanceTimersByTimeAsync(hour + 10_000);
  await within(question).findByText('This payment can no longer be canceled.', {}, waitOptions);
  expect(within(question).getAllByRole('button')).toHaveLength(1);
  expect(document.activeElement?.textContent).toBe('Close');
});

test('while a freeze holds the payment, no cut-off is shown, because it would be a later one each day [BR-42]', async () => {
  payment = { ...pending(hour), isHeld: true };
  open(() => ({ status: 200, message: back }));
  await screen.findByText('You can cancel this payment until we send it.', {}, waitOptions);
  expect(screen.queryByText(/cancel this payment until .*[AP]M/)).toBeNull();
  expect(offer()).toBeTruthy();
});
