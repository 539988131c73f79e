/** The form in which a customer chooses how to be notified. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Preferences } from '#contract/preferences.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { NotificationsTab } from './NotificationsTab.tsx';

const everything = { bell: true, mail: 'each' } as const;
const preferences: Preferences = {
  moneyIn: everything,
  moneyOut: everything,
  otherBanks: everything,
  scheduled: everything,
  statements: { bell: false, mail: 'off' },
};

const phone = { _id: 'p1', endpoint: 'https://push.example/1', device: 'Chrome on Android' };

async function open(isFrozen = false, devices: (typeof phone)[] = []) {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    if (url.endsWith('/push'))
      return Response.json({ success: true, message: '', data: { publicKey: null, devices } });
    if (method === 'DELETE') {
      devices.pop();
      return Response.json({ success: true, message: '' });
    }
    if (method === 'PUT') sent.push(JSON.parse(body as string));
    const data = method === 'PUT' ? JSON.parse(body as string) : preferences;
    return new Response(JSON.stringify({ success: true, message: 'Saved', data }));
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn({ ...wren, isFrozen }));
  const onEdited = vi.fn();
  renderWith(store, <NotificationsTab onEdited={onEdited} />);
  await screen.findByLabelText('Email: Money in');
  return { sent, onEdited };
}

const mailOf = (kind: string) => screen.getByLabelText<HTMLSelectElement>(`Email: ${kind}`);

test('a customer reads from which amount on transfers are always mailed, beside the choice and in the note [NP-08]', async () => {
  await open();
  expect(screen.getByText(/We always email you about transfers of \$25,000\.00 or more\.$/)).toBeTruthy();
  expect(screen.getByText(/We also tell you when you send \$25,000\.00 or more,/)).toBeTruthy();
});

test('a customer chooses bell and mail for each kind and saves all at once; a note says that security notifications are always on [NP-08]', async () => {
  const { sent, onEdited } = await open();
  expect(screen.getByText(/^We always tell you about your security/)).toBeTruthy();
  expect([...mailOf('Scheduled transfers').options].map(({ value }) => value)).toEqual(['each', 'off']);
  expect(onEdited).not.toHaveBeenCalledWith('preferences', true);
  await userEvent.selectOptions(mailOf('Money in'), 'One summary a day');
  await userEvent.click(screen.getByRole('switch', { name: 'Money out: In the app' }));
  expect(onEdited).toHaveBeenLastCalledWith('preferences', true);
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() =>
    expect(sent).toEqual([
      {
        ...preferences,
        moneyIn: { bell: true, mail: 'daily' },
        moneyOut: { bell: false, mail: 'each' },
      },
    ]),
  );
});

test('a frozen customer reads the notification settings and cannot change them [NP-08]', async () => {
  await open(true);
  expect(mailOf('Money in').disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Save Changes' })).toBeNull();
});

test('after push notifications are turned off on a device, whose row is gone, the focus is on the section’s title [S-21]', async () => {
  await open(false, [phone]);
  await userEvent.click(await screen.findByRole('button', { name: 'Turn off on Chrome on Android' }));
  await waitFor(() => expect(screen.queryByText('Chrome on Android')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Push notifications' }));
});
