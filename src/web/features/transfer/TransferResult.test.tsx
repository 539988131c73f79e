// @vitest-environment jsdom
/** What the dialog says of a transfer that did not end well: 'Nothing was sent.' only where that is certain. */
import { cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { messages } from '#contract/messages.ts';
import { makeStore } from '#web/base/store.ts';
import { TransferResult } from './TransferResult.tsx';
import { transferRefused, transferStarted } from './transferSlice.ts';
import { words } from './words.ts';

const { transfer } = messages;

async function dialogFor(message: string, unconfirmed: boolean): Promise<string> {
  const store = makeStore();
  store.dispatch(transferStarted());
  store.dispatch(transferRefused({ message, unconfirmed }));
  const router = createMemoryRouter([
    { path: '/', element: <TransferResult accountNumber="730511842298" /> },
  ]);
  render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  );
  return (await screen.findByRole('dialog')).textContent ?? '';
}

afterEach(cleanup);

test('a refusal of the books says that nothing was sent', async () => {
  expect(await dialogFor(transfer.insufficientBalance, false)).toContain(transfer.nothingSent);
});

test('a fault does not say so, and sends the customer to the transactions first', async () => {
  const text = await dialogFor(transfer.fallback, true);
  expect(text).not.toContain(transfer.nothingSent);
  expect(text).toContain(words.lookFirst);
});

test('a transfer that could not be confirmed is not called failed', async () => {
  const text = await dialogFor(transfer.unconfirmed, true);
  expect(text).toContain(transfer.unconfirmed);
  expect(text).not.toContain(transfer.nothingSent);
  expect(text).not.toContain(transfer.failedTitle);
});
