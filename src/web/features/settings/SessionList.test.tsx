/** The list of the customer's sessions, and ending them. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { SessionList } from './SessionList.tsx';
import { SettingsNotice } from './SettingsNotice.tsx';
import { SettingsSection } from './SettingsSection.tsx';

const at = '2026-11-20T14:00:00.000Z';
const sessionOn = (device: string, isCurrent = false) => ({
  _id: device,
  device,
  address: '203.0.113.7',
  startedAt: at,
  lastSeenAt: at,
  isCurrent,
});

test.each([
  ['End session on Firefox on Linux', 'End session', 2],
  ['End all other sessions', 'End all other sessions', 1],
])(
  'after “%s”, whose button is gone, the focus is on the section’s title; after canceling, on the button [S-21]',
  async (opener, confirm, left) => {
    let sessions = [
      sessionOn('Chrome on macOS', true),
      sessionOn('Firefox on Linux'),
      sessionOn('Safari on iOS'),
    ];
    vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
      if (method === 'DELETE')
        sessions = sessions.filter(
          ({ isCurrent, device }) =>
            isCurrent || (!url.endsWith('/sessions') && !url.endsWith(encodeURIComponent(device))),
        );
      return Response.json({
        success: true,
        message: '',
        ...(method !== 'DELETE' && { data: { sessions } }),
      });
    });
    const store = makeStore();
    store.dispatch(customerLoggedIn(wren));
    renderWith(
      store,
      <SettingsSection title="Sessions" note="">
        <SessionList />
      </SettingsSection>,
    );
    const button = await screen.findByRole('button', { name: opener }, waitOptions);
    for (const answer of ['Cancel', confirm]) {
      await userEvent.click(button);
      const dialog = within(await screen.findByRole('dialog'));
      await userEvent.click(dialog.getByRole('button', { name: answer }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
      if (answer === 'Cancel') await waitFor(() => expect(document.activeElement).toBe(button), waitOptions);
    }
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(left), waitOptions);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading')), waitOptions);
  },
);

test('after the answer to ending a session was lost, the session is gone without an error, and the focus is on the section’s title [ER-18]', async () => {
  let sessions = [sessionOn('Chrome on macOS', true), sessionOn('Firefox on Linux')];
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    if (method === 'DELETE') {
      sessions = sessions.slice(0, 1);
      throw new TypeError('Failed to fetch');
    }
    return Response.json({ success: true, message: '', data: { sessions } });
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  renderWith(
    store,
    <SettingsSection title="Sessions" note="">
      <SettingsNotice />
      <SessionList />
    </SettingsSection>,
  );
  await userEvent.click(
    await screen.findByRole('button', { name: 'End session on Firefox on Linux' }, waitOptions),
  );
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'End session' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading')), waitOptions);
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  expect(screen.queryByText(/Network error|We didn’t get an answer/)).toBeNull();
});
