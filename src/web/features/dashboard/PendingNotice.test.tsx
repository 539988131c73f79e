/** What an applicant reads after the bank asked for a better ID document, and after unfreezing failed. */
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { api } from '#web/base/api.ts';
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
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    if (url.endsWith('/identity') && method !== 'GET') {
      Object.assign(answers.identity as object, JSON.parse(body as string));
      return Response.json({ success: true, message: 'Personal details updated successfully' });
    }
    if (url.endsWith('/unfreeze')) {
      const refusal = { success: false, code: 'BUSY', message: 'Please try again later.' };
      return new Response(JSON.stringify(refusal), { status: 409 });
    }
    const data = answers[url.split('/').at(-1)!];
    // An answer, because a refetch of the profile waits for calls that have none.
    if (data === undefined) return new Response('{}', { status: 404 });
    return new Response(JSON.stringify({ success: true, message: '', data }));
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn({ ...wren, isApproved: false }));
  const router = createMemoryRouter(
    [
      {
        path: '/dashboard',
        Component: DashboardShell,
        children: [{ index: true, Component: () => <p>Your balance</p> }],
      },
    ],
    { initialEntries: ['/dashboard'] },
  );
  renderWith(store, <RouterProvider router={router} />);
  return { store, answers };
}

test('an applicant who is asked for a better ID document reads why, and that there is something to do [SD-07]', async () => {
  openAsApplicant({}, { idRequest: 'The picture is blurred.' });
  expect(await screen.findByText('ID document: new one needed', {}, waitOptions)).toBeTruthy();
  expect(screen.getByText(/Please upload a new one\. Reason: The picture is blurred\.$/)).toBeTruthy();
  expect(screen.queryByText(/You don’t need to do anything/)).toBeNull();
  // What to do comes before 'under review'.
  const [asked, waiting] = [
    screen.getByText('Please upload a new ID document'),
    screen.getByRole('heading', { level: 1 }),
  ];
  expect(asked.compareDocumentPosition(waiting)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('an applicant without an ID document who is asked for one reads why, and nothing about a new one [SD-07]', async () => {
  openAsApplicant({ idCard: null }, { idRequest: 'We need it to verify your identity.' });
  expect(
    await screen.findByText(/Reason: We need it to verify your identity\.$/, {}, waitOptions),
  ).toBeTruthy();
  expect(screen.getByText('Please upload your ID document')).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/new one|new ID|couldn’t verify/);
});

test('an applicant who is approved while typing keeps what was typed until it is saved or given up [D-03]', async () => {
  const { store, answers } = openAsApplicant({});
  const city = await screen.findByLabelText<HTMLInputElement>('City', {}, waitOptions);
  await waitFor(() => expect(city.value).toBe('Hudson'), waitOptions);
  await userEvent.type(city, ' Falls');
  answers.profile = { ...(answers.profile as object), isApproved: true };
  act(() => void store.dispatch(api.util.invalidateTags(['Profile'])));
  expect(await screen.findByText('Your account is approved', {}, waitOptions)).toBeTruthy();
  expect(city.isConnected && city.value).toBe('Hudson Falls');
  await userEvent.click(screen.getByRole('button', { name: 'Go to my account' }));
  expect(await screen.findByText('Your balance', {}, waitOptions)).toBeTruthy();
});

test.each([
  'reads that it was saved before going to the account [D-03]',
  'reads so also after a lost answer [D-03, ER-18]',
])('an applicant who saves after being approved while typing %s', async title => {
  const { store, answers } = openAsApplicant({});
  const { fetch } = globalThis;
  if (title.includes('lost'))
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const answer = await fetch(url, init);
      if (url.endsWith('/identity') && init.method !== 'GET') throw new TypeError('Failed to fetch');
      return answer;
    });
  const city = await screen.findByLabelText<HTMLInputElement>('City', {}, waitOptions);
  await waitFor(() => expect(city.value).toBe('Hudson'), waitOptions);
  await userEvent.type(city, ' Falls');
  answers.profile = { ...(answers.profile as object), isApproved: true };
  act(() => void store.dispatch(api.util.invalidateTags(['Profile'])));
  await screen.findByText('Your account is approved', {}, waitOptions);
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  await screen.findByText('Personal details updated successfully', {}, waitOptions);
  await waitFor(() => expect(screen.queryByText(/^Save your details/)).toBeNull(), waitOptions);
  await userEvent.click(screen.getByRole('button', { name: 'Go to my account' }));
  expect(await screen.findByText('Your balance', {}, waitOptions)).toBeTruthy();
});

test('an applicant who is approved before uploading a chosen picture keeps it, and reads what is left to do [D-03, G-16]', async () => {
  const { store, answers } = openAsApplicant({ idCard: null });
  await userEvent.upload(
    await screen.findByLabelText('Picture of your ID document', {}, waitOptions),
    new File(['.'], 'passport.png', { type: 'image/png' }),
  );
  expect(screen.getByRole('heading', { name: 'While you wait' })).toBeTruthy();
  // A reload would lose the picture, so the browser asks first.
  const reload = new Event('beforeunload', { cancelable: true });
  dispatchEvent(reload);
  expect(reload.defaultPrevented).toBe(true);
  answers.profile = { ...(answers.profile as object), isApproved: true };
  act(() => void store.dispatch(api.util.invalidateTags(['Profile'])));
  expect(await screen.findByText('Your account is approved', {}, waitOptions)).toBeTruthy();
  expect(screen.getByText('Upload your picture, or go to your account without uploading it.')).toBeTruthy();
  expect(screen.getByText('passport.png')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Upload' })).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Your details' })).toBeTruthy();
  expect(screen.queryByText('While you wait')).toBeNull();
  await userEvent.type(screen.getByLabelText('City'), ' Falls');
  expect(screen.getByText(/^Save your details and upload your picture, or go/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Go to my account' }));
  expect(await screen.findByText('Your balance', {}, waitOptions)).toBeTruthy();
});

test.each([
  ['saved', { idCard: null }, { idCard: { url: '/id' } }, 'Image uploaded successfully'],
  ['not saved', { idCard: null }, {}, /^We didn’t get an answer, and nothing has changed so far/],
  ['saved', { isIdRequested: true }, { isIdRequested: false }, 'Image uploaded successfully'],
  ['perhaps saved', {}, {}, /^We didn’t get an answer, so .* Select “View my ID” to check\.$/],
] as const)(
  'after a lost answer, an applicant reads that the picture was %s [S-04]',
  async (became, before, after, text) => {
    const { answers } = openAsApplicant(before);
    vi.stubGlobal(
      'XMLHttpRequest',
      class extends XMLHttpRequest {
        override send() {
          Object.assign(answers.profile as object, after);
          this.dispatchEvent(new ProgressEvent('error'));
        }
      },
    );
    const file = new File(['.'], 'passport.png', { type: 'image/png' });
    await userEvent.upload(
      await screen.findByLabelText(/^(Picture of your ID|Upload a new one)/, {}, waitOptions),
      file,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Upload' }));
    const kind = became === 'saved' ? 'success' : 'warning';
    const said = await screen.findByText(text, {}, waitOptions);
    expect(said.closest('.Banner')!.className).toContain(`Banner--${kind}`);
    await waitFor(
      () => expect(screen.queryByText('passport.png') === null).toBe(became === 'saved'),
      waitOptions,
    );
  },
);

test('an applicant who chooses another picture no longer reads that the last one was refused [S-04]', async () => {
  openAsApplicant({ idCard: null });
  const refusal = { success: false, code: 'VALIDATION', message: 'We can’t read this picture.' };
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends XMLHttpRequest {
      override status = 400;
      override responseText = JSON.stringify(refusal);
      override send() {
        this.dispatchEvent(new ProgressEvent('load'));
      }
    },
  );
  const choose = async (name: string) =>
    userEvent.upload(
      await screen.findByLabelText(/^Picture of your ID/, {}, waitOptions),
      new File(['.'], name, { type: 'image/png' }),
    );
  await choose('damaged.png');
  await userEvent.click(screen.getByRole('button', { name: 'Upload' }));
  await screen.findByText(refusal.message, {}, waitOptions);
  await screen.findByRole('button', { name: 'Upload' }, waitOptions);
  await choose('passport.png');
  expect(screen.getByText('passport.png')).toBeTruthy();
  expect(screen.queryByText(refusal.message)).toBeNull();
});

test('an applicant whose unfreezing failed reads it once, where the button is [BR-31]', async () => {
  openAsApplicant({ isFrozen: true });
  await screen.findByText('ID document: under review', {}, waitOptions);
  const press = await screen.findByRole('button', { name: 'Unfreeze' }, waitOptions);
  await userEvent.click(press);
  expect(await screen.findAllByText('Please try again later.', {}, waitOptions)).toHaveLength(1);
});
