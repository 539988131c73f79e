/** The top bar: a logout on a page with a form, and the menu of an applicant. */
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../tests/memoryRouter.tsx';
import { wren } from '../../../tests/sessions.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { TopBar } from './TopBar.tsx';

test('the menu of an applicant leaves out Scheduled and Goals until the account is approved [D-15]', () => {
  const store = (isApproved: boolean) => {
    localStorage.setItem('user', JSON.stringify({ ...wren, isApproved }));
    act(() => void dispatchEvent(new StorageEvent('storage', { key: 'user' })));
  };
  const router = createMemoryRouter([{ path: '/', element: <TopBar slim /> }]);
  render(<RouterProvider router={router} />);
  store(false);
  expect(screen.getByRole('link', { name: 'Dashboard', hidden: true })).toBeDefined();
  const plans = () => screen.queryAllByRole('link', { name: /Scheduled|Goals/, hidden: true });
  expect(plans()).toHaveLength(0);
  store(true);
  expect(plans()).toHaveLength(2);
});

test('a customer who logs out with an unsent message is not asked before leaving it [R-32, H-21]', async () => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ success: true, message: '' })));
  localStorage.setItem('user', JSON.stringify(wren));
  const contactPage = (
    <>
      <TopBar slim={false} />
      <LeaveGuard when />
    </>
  );
  const router = createMemoryRouter([
    { path: '/', element: contactPage },
    { path: '/login', element: <p>Welcome back</p> },
  ]);
  render(<RouterProvider router={router} />);
  await userEvent.click(screen.getByRole('button', { name: 'Logout', hidden: true }));
  expect(await screen.findByText('Welcome back', {}, waitOptions)).toBeDefined();
});
