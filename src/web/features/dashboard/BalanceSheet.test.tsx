/** What the balance sheet offers to customers with money, without money, and with a frozen account. */
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { BalanceSheet } from './BalanceSheet.tsx';

function show(balance: number, isFrozen = false): void {
  const sheet = (
    <BalanceSheet
      balance={balance}
      isFrozen={isFrozen}
      failed={false}
      onRetry={() => undefined}
      accountNumber="482109375527"
      holder="Jun Takeda"
      hidden={false}
      onHide={() => undefined}
    />
  );
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element: sheet }])} />);
}

test('a customer without money or with a frozen account can share the account details; other customers can send money instead [O-08]', async () => {
  const person = userEvent.setup();
  show(0);
  expect(screen.queryByRole('link', { name: 'Transfer money' })).toBeNull();
  await person.click(screen.getByRole('button', { name: 'Share account details' }));
  expect(await navigator.clipboard.readText()).toBe(
    'Larkspur Bank\nAccount holder: Jun Takeda\nRouting number: 800000006\nAccount number: 482109375527',
  );
  cleanup();
  show(12.5);
  expect(screen.getByRole('link', { name: 'Transfer money' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Share account details' })).toBeNull();
  cleanup();
  show(12.5, true);
  expect(screen.queryByRole('link', { name: 'Transfer money' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Share account details' })).toBeDefined();
});
