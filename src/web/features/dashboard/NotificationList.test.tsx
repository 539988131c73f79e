/** How the list of notifications groups and marks its rows. */
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Notification } from '#contract/notifications.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { NotificationList } from './NotificationList.tsx';

const notification = (
  text: string,
  timestamp: string,
  isRead = true,
  kind: Notification['kind'] = 'id-received',
): Notification => ({
  _id: text,
  kind,
  text,
  transactionId: null,
  timestamp,
  isRead,
});

test.each([
  ['2026-11-02T04:30:00Z', '2026-10-31T18:00:00Z'],
  ['2027-03-15T04:30:00Z', '2027-03-14T18:00:00Z'],
])('at %s, at the end of a 25-hour day or after a 23-hour day, %s was yesterday [N-09]', (now, timestamp) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
  const list = (
    <NotificationList
      notifications={[notification('news', timestamp)]}
      failed={false}
      onRetry={() => undefined}
      onRead={() => undefined}
      onFollow={() => undefined}
    />
  );
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element: list }])} />);
  expect(screen.getByRole('heading').textContent).toBe('Yesterday');
});

test('notifications are grouped by New York day, only unread ones can be marked as read, and one that needs an action is a link [N-06, N-09, N-10]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T15:00:00Z') });
  const marked: string[] = [];
  const list = (
    <NotificationList
      notifications={[
        notification('this morning', '2026-11-22T14:00:00Z', false),
        // November 21 in New York, but already November 22 in UTC.
        notification('last night', '2026-11-22T02:00:00Z', true, 'scheduled-missed'),
        notification('on Friday', '2026-11-20T18:00:00Z'),
        notification('last year', '2025-11-20T18:00:00Z'),
      ]}
      failed={false}
      onRetry={() => undefined}
      onRead={id => marked.push(id)}
      onFollow={() => undefined}
    />
  );
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element: list }])} />);
  const days = screen.getAllByRole('heading').map(heading => heading.textContent);
  expect(days).toEqual(['Today', 'Yesterday', 'Nov 20', 'Nov 20, 2025']);
  const ofYesterday = within(screen.getByRole('region', { name: 'Yesterday' }));
  expect(ofYesterday.getByRole('link', { name: 'last night' }).getAttribute('href')).toBe(
    '/dashboard/scheduled',
  );
  expect(screen.getAllByRole('link')).toHaveLength(1);
  expect(ofYesterday.getByText('9:00 PM')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Mark as read: this morning' }));
  expect(marked).toEqual(['this morning']);
  expect(screen.getAllByRole('button')).toHaveLength(1);
});
