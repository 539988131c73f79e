/** The pages of mailed links that freeze an account or remove a registration. */
import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as limitsMessages from '#contract/messages/limits.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { loggedOut } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { MemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { FreezeAccountScreen } from './FreezeAccountScreen.tsx';
import { NotMeScreen } from './NotMeScreen.tsx';

const token = 'a'.repeat(64);

/** Opens the link and presses the button. Returns what the bank was sent. */
async function press(status: number, answer: object, store = makeStore()): Promise<unknown[]> {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    sent.push([path, JSON.parse(body as string)]);
    return new Response(JSON.stringify(answer), { status });
  });
  const link = { pathname: '/freeze-account', hash: `#${token}` };
  renderWith(
    store,
    <MemoryRouter initialEntries={[link]}>
      <FreezeAccountScreen />
    </MemoryRouter>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Freeze my account' }));
  return sent;
}

test('a customer who presses the button reads that the account is frozen, and can set a new password [BR-50]', async () => {
  const message = 'Your account is frozen, and you are logged out everywhere.';
  expect(await press(200, { success: true, message })).toEqual([['/api/v1/auth/freeze', { token }]]);
  expect(await screen.findByRole('heading', { name: 'Your account is frozen' })).toBeTruthy();
  expect(screen.getByText(message)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Set a new password' })).toBeTruthy();
});

test('a customer who froze the account reads what can unfreeze it at once: only an app or a passkey that could confirm before [BR-50]', async () => {
  await press(200, { success: true, message: 'Frozen' });
  const next = (await screen.findByText(/^Later, unfreeze your account/)).textContent;
  expect(next).toContain('a passkey that could already confirm transfers before the freeze.');
  expect(next).toContain('by email 24 hours after you set the new password');
  // A call is one press away.
  expect(screen.getByRole('link', { name: '(212) 555-0142' }).getAttribute('href')).toBe('tel:+12125550142');
});

test('a customer who is logged in in another tab still reads that the account is frozen after that tab logged out [BR-50]', async () => {
  const store = makeStore();
  await press(200, { success: true, message: 'Frozen' }, store);
  await screen.findByRole('heading', { name: 'Your account is frozen' });
  // This is what the other tab's logout does in this tab.
  act(() => void store.dispatch(loggedOut('ended')));
  expect(screen.getByRole('heading', { name: 'Your account is frozen' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Freeze my account' })).toBeNull();
});

test('a customer whose link has expired reads that nothing was changed, and cannot press the button again [BR-50]', async () => {
  await press(404, { success: false, code: 'NOT_FOUND', message: limitsMessages.linkInvalid });
  const refusal = await screen.findByText(/^This link is incomplete or has expired/);
  expect(refusal.closest('[role=alert]')!.textContent).toContain('Nothing was changed');
  expect(screen.getByRole('link', { name: '(212) 555-0142' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Freeze my account' })).toBeNull();
  expect(screen.queryByText(/^Freeze your account\?|^We stop all money/)).toBeNull();
  expect(screen.getByRole('link', { name: 'Ask the Help Desk' }).getAttribute('href')).toBe('/contact');
});

test.each([
  [limitsMessages.linkUsed, true],
  [limitsMessages.linkUsedUnfrozen, false],
])(
  'a customer who presses the link again can set a new password if the page advises it: %s [BR-50]',
  async (message, isAdvised) => {
    await press(404, { success: false, code: 'NOT_FOUND', message });
    expect(await screen.findByRole('link', { name: 'Ask the Help Desk' })).toBeTruthy();
    const password = screen.queryByRole('link', { name: 'Set a new password' });
    expect(password?.getAttribute('href')).toBe(isAdvised ? '/forgot-password' : undefined);
  },
);

test.each([
  ['Freeze my account', FreezeAccountScreen, 'Gone', 'Your earlier press may have frozen your account'],
  ['Freeze my account', FreezeAccountScreen, limitsMessages.linkUsed, 'Your account is frozen'],
  ['Remove the registration', NotMeScreen, 'Gone', 'Your earlier press may have removed the registration'],
])(
  'if a press got no answer, the page says after the next press what is known, not that nothing was done: %s [BR-50, G-20]',
  async (name, Screen, message, said) => {
    const answers = [
      () => Promise.reject(new TypeError('Failed to fetch')),
      async () => Response.json({ success: false, code: 'NOT_FOUND', message }, { status: 404 }),
    ];
    vi.stubGlobal('fetch', () => answers.shift()!());
    renderWith(
      makeStore(),
      <MemoryRouter initialEntries={[`/#${token}`]}>
        <Screen />
      </MemoryRouter>,
    );
    await userEvent.click(screen.getByRole('button', { name }));
    expect(await screen.findByText(/^We don’t know yet whether/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name }));
    expect(await screen.findByText(said)).toBeTruthy();
  },
);

test('a customer who logged in themselves reads on the freeze page, until they press, that they need not do anything [BR-50]', async () => {
  const pressed = press(404, { success: false, code: 'NOT_FOUND', message: limitsMessages.linkUsed });
  expect(screen.getByText(/^Was it you\? Then you don’t need to do anything\./)).toBeTruthy();
  await pressed;
  // The account is frozen: the customer logs in to unfreeze it.
  expect(await screen.findByText(/your account is still frozen/)).toBeTruthy();
  expect(screen.queryByText(/^Was it you/)).toBeNull();
  expect(screen.getByRole('link', { name: 'Login' })).toBeTruthy();
});

test('a person whose link no longer removes the registration is no longer asked whether to remove it, and reads where to turn [G-20]', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json(
      { success: false, code: 'NOT_FOUND', message: registerMessages.removalExpired },
      { status: 404 },
    ),
  );
  renderWith(
    makeStore(),
    <MemoryRouter initialEntries={[`/#${token}`]}>
      <NotMeScreen />
    </MemoryRouter>,
  );
  expect(screen.getByRole('heading', { name: 'Remove this registration?' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Remove the registration' }));
  expect(await screen.findByText(/contact the Help Desk\.$/)).toBeTruthy();
  expect(screen.queryByText(/^Remove this registration\?|^If you didn’t register at/)).toBeNull();
  expect(screen.getByRole('heading', { level: 1 })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Ask the Help Desk' }).getAttribute('href')).toBe('/contact');
});
