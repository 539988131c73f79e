/** Leaving a changed form asks first, inside the app and on a reload; an unchanged form lets the customer go. */
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Link } from '#web/router/Link.tsx';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../tests/memoryRouter.tsx';
import { LeaveGuard, type LeaveGuardProps } from './LeaveGuard.tsx';

function open(when: boolean, asks?: LeaveGuardProps['asks']) {
  const form = (
    <>
      <Link to="/other">Other screen</Link>
      <Link to="/?page=2">Same screen</Link>
      <LeaveGuard when={when} asks={asks} />
    </>
  );
  const router = createMemoryRouter([
    { path: '/', element: form },
    { path: '/other', element: <p>Another screen</p> },
  ]);
  render(<RouterProvider router={router} />);
  return router;
}
const follow = (name: string) => userEvent.click(screen.getByRole('link', { name, hidden: true }));
const asksBeforeReload = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('a customer who leaves a changed form is asked, and can stay or go', async () => {
  const router = open(true);
  expect(asksBeforeReload()).toBe(true);
  await follow('Same screen');
  expect(router.state.location.search).toBe('?page=2');
  await follow('Other screen');
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
  expect(router.state.location.pathname).toBe('/');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await follow('Other screen');
  await userEvent.click(await screen.findByRole('button', { name: 'Leave without saving' }));
  expect(await screen.findByText('Another screen')).toBeDefined();
  expect(asksBeforeReload()).toBe(false);
});

test('a customer who leaves a transfer is asked, without reading that it wasn’t sent [T-34]', async () => {
  open(true, 'form');
  await follow('Other screen');
  const asks = await screen.findByRole('dialog', { name: 'Leave this form?' });
  // A transfer without a known result may have been sent.
  expect(asks.textContent).not.toContain('sen');
  await userEvent.click(screen.getByRole('button', { name: 'Leave this form' }));
  expect(await screen.findByText('Another screen')).toBeDefined();
});

test('a customer who changed nothing leaves without a question', async () => {
  open(false);
  expect(asksBeforeReload()).toBe(false);
  await follow('Other screen');
  expect(await screen.findByText('Another screen')).toBeDefined();
});
