/** What an applicant reads after the bank asked for a better ID document, and after unfreezing failed. */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { DashboardShell } from './DashboardShell.tsx';

/** Opens the overview of an applicant with this profile and identity. */
function openAsApplicant(profile: object, identity: object = {}) {
  const answers: Record<string, unknown> = {
    profile: { ...wren, isApproved: false, isFrozen: false, idCard: { url: '/id' }, ...profile },
    freeze: { byYou: true, byBank: false },
    identity: {
      dateOfBirth: '1990-04-12',
      city: 'Hudson',
      isDateOfBirthVerified: false,
      idRequest: null,
      ...identity,
    },
  };
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/unfreeze')) {
      const refusal = { success: false, code: 'BUSY', message: 'Please try again later.' };
      return new Response(JSON.stringify(refusal), { status: 409 });
    }
    const data = answers[url.split('/').at(-1)!];
    if (data === undefined) return await new Promise<Response>(() => {});
    return new Response(JSON.stringify({ success: true, message: '', data }));
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn({ ...wren, isApproved: false }));
  const router = createMemoryRouter(
    [{ path: '/dashboard', Component: DashboardShell, children: [{ index: true, Component: () => null }] }],
    { initialEntries: ['/dashboard'] },
  );
  renderWith(store, <RouterProvider router={router} />);
}

test('an applicant who is asked for a better ID document reads why, and that there is something to do [SD-07]', async () => {
  openAsApplicant({}, { idRequest: 'The picture is blurred.' });
  expect(await screen.findByText('ID document: new one needed', {}, waitOptions)).toBeTruthy();
  expect(screen.getByText(/Please upload a new one\. Reason: The picture is blurred\.$/)).toBeTruthy();
  expect(screen.queryByText(/You don’t need to do anything/)).toBeNull();
});

test('an applicant whose unfreezing failed reads it once, where the button is [BR-31]', async () => {
  openAsApplicant({ isFrozen: true });
  await screen.findByText('ID document: under review', {}, waitOptions);
  const press = await screen.findByRole('button', { name: 'Unfreeze' }, waitOptions);
  await userEvent.click(press);
  expect(await screen.findAllByText('Please try again later.', {}, waitOptions)).toHaveLength(1);
});
