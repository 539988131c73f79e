/** The page with the numbers that another bank needs. */
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { listenForToasts } from '#web/ui/showToast.ts';
import { renderLoggedIn } from '../../../../tests/renderWith.tsx';
import { AddMoneyScreen } from './AddMoneyScreen.tsx';

test('a customer who copies the routing number or the account number reads which one was copied [DP-01]', async () => {
  renderLoggedIn(<AddMoneyScreen />);
  const titles: string[] = [];
  const stopListening = listenForToasts(({ title }) => titles.push(title));
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Copy routing number' }));
  await person.click(screen.getByRole('button', { name: 'Copy account number' }));
  stopListening();
  expect(titles).toEqual(['Routing number copied', 'Account number copied']);
});
