/** Settings while the bank's data changes: saved by the customer, or verified by the bank. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as errorMessages from '#contract/messages/errors.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { Link } from '#web/router/Link.tsx';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { SettingsScreen } from './SettingsScreen.tsx';

const everything = { bell: true, mail: 'each' } as const;
const stored: Record<string, Record<string, unknown>> = {
  profile: {
    ...wren,
    phoneNumber: '2125550188',
    address: '3 Fern Row',
    region: 'NY',
    zipCode: '12534',
    idCard: null,
    isVerified: false,
    isFrozen: false,
  },
  identity: { dateOfBirth: '1990-04-12', city: 'Hudson', isDateOfBirthVerified: false, idRequest: null },
  limits: { dailyOut: 500, stepUpFrom: null, bankStepUpFrom: 25_000 },
  preferences: {
    moneyIn: everything,
    moneyOut: everything,
    otherBanks: everything,
    scheduled: everything,
    statements: { bell: false, mail: 'off' },
  },
};

/** Opens the settings of a logged-in customer beside a link to the overview. */
function openSettings(search: string) {
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  const router = createMemoryRouter(
    [
      {
        path: '/dashboard/settings',
        element: (
          <>
            <Link to="/dashboard">Overview</Link>
            <SettingsScreen />
          </>
        ),
      },
      { path: '/dashboard', element: <p>the overview</p> },
    ],
    { initialEntries: [`/dashboard/settings${search}`] },
  );
  renderWith(store, <RouterProvider router={router} />);
}

const retype = (label: string, text: string) => async () => {
  const field = await screen.findByLabelText(label, {}, waitOptions);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};

const forms: [string, string, string, () => Promise<void>][] = [
  ['contact details', '', '.ContactDetails', retype('Address', '12 Quarry Road')],
  ['date of birth and city', '', '.IdentityForm', retype('City', 'Kingston')],
  ['limits', '?tab=security', '.LimitsForm', retype('Daily limit', '400')],
  [
    'preferences',
    '?tab=notifications',
    '.PreferencesForm',
    async () => {
      await userEvent.click(await screen.findByRole('switch', { name: /^Money out/ }, waitOptions));
    },
  ],
];

test.each(forms)(
  'a customer who has saved %s leaves without a question, even before the bank answers with the new values [S-19]',
  async (_, search, form, edit) => {
    let isSaved = false;
    vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
      const data = stored[url.split('/').at(-1)!];
      if (method === 'PUT') isSaved = true;
      else if (isSaved || !data) return await new Promise<never>(() => {});
      return Response.json({ success: true, message: 'Saved', ...(method !== 'PUT' && { data }) });
    });
    openSettings(search);
    await edit();
    const edited = within(document.querySelector<HTMLElement>(form)!);
    await userEvent.click(edited.getByRole('button', { name: 'Save Changes' }));
    await screen.findByText('Saved', {}, waitOptions);
    await userEvent.click(screen.getByRole('link', { name: 'Overview' }));
    expect(await screen.findByText('the overview', {}, waitOptions)).toBeTruthy();
  },
);

test('when the bank has verified the date of birth, a customer whose change is refused sees the verified date [S-19]', async () => {
  const identity = { ...stored.identity };
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    const name = url.split('/').at(-1)!;
    const data = name === 'identity' ? identity : stored[name];
    if (method === 'GET' && data) return Response.json({ success: true, message: '', data });
    if (method === 'PUT') identity.isDateOfBirthVerified = true;
    return Response.json({ success: false, code: 'CONFLICT', message: 'It was verified.' }, { status: 409 });
  });
  openSettings('');
  const field = await screen.findByLabelText<HTMLInputElement>('Date of birth', {}, waitOptions);
  fireEvent.change(field, { target: { value: '1991-05-13' } });
  await userEvent.click(within(field.closest('form')!).getByRole('button', { name: 'Save Changes' }));
  await screen.findByText('It was verified.', {}, waitOptions);
  await waitFor(() => expect([field.value, field.disabled]).toEqual(['1990-04-12', true]), waitOptions);
});

test('a customer who is asked for a better ID document reads the request and its reason, not that the ID is under review [ST-96]', async () => {
  const answers: typeof stored = {
    profile: { ...stored.profile, idCard: { url: '/id.webp' } },
    identity: { ...stored.identity, idRequest: 'The picture is blurred' },
  };
  vi.stubGlobal('fetch', async (url: string) => {
    const data = answers[url.split('/').at(-1)!];
    return data ? Response.json({ success: true, message: '', data }) : await new Promise<never>(() => {});
  });
  openSettings('');
  expect(await screen.findByText(/The picture is blurred/, {}, waitOptions)).toBeTruthy();
  expect(screen.getByText('ID document: new one needed')).toBeTruthy();
});

test('a customer reads when staff will remove the second factors, how to stop that and whom to call; a recovery code used elsewhere is no longer counted [SF-11, SF-06]', async () => {
  const totp = {
    isEnabled: true,
    enabledAt: '2026-11-01T15:00:00Z',
    recoveryCodesLeft: 10,
    mustEnroll: false,
  };
  const answers: typeof stored = {
    ...stored,
    totp: { ...totp, removalAt: '2099-11-24T17:00:00Z' },
  };
  vi.stubGlobal('fetch', async (url: string) => {
    const data = answers[url.split('/').at(-1)!];
    return data ? Response.json({ success: true, message: '', data }) : await new Promise<never>(() => {});
  });
  openSettings('?tab=security');
  const title = await screen.findByText(
    /^We will remove your authenticator app and passkeys on Nov 24, 2099, 12:00 PM/,
  );
  const banner = title.closest('.Banner')!;
  expect(banner.textContent).toContain('To stop it, log in with a passkey, or with your authenticator app');
  expect(banner.querySelector('a')!.getAttribute('href')).toBe('tel:+12125550142');
  expect(screen.getByText(/^10 of 10 recovery codes left\. If you didn’t save them, press/)).toBeTruthy();
  answers.totp = { ...totp, recoveryCodesLeft: 9 };
  fireEvent.focus(window);
  expect(
    await screen.findByText(/^9 of 10 recovery codes left\. To get new ones, press/, {}, waitOptions),
  ).toBeTruthy();
  expect(screen.queryByText(/^We will remove/)).toBeNull();
});

test('a customer who follows the link to the upload of the ID document is at that section, not at the top [SD-07]', async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    const data = stored[new URL(url, 'http://bank').pathname.split('/').at(-1) ?? ''] ?? [];
    return Response.json({ success: true, message: '', data });
  });
  const scrolled = vi.fn();
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled(this.id);
  });
  openSettings('#id-document');
  const section = await screen.findByRole('heading', { name: 'ID document' }, waitOptions);
  await waitFor(() => expect(document.activeElement).toBe(section), waitOptions);
  expect(section.id).toBe('id-document');
  expect(scrolled).toHaveBeenCalledWith('id-document');
});

/** Changes a form and saves it. The answer is lost; the bank has saved the change if `arrives`. */
async function saveUnheard([, search, form, edit]: (typeof forms)[number], arrives: boolean) {
  const now = { ...stored };
  const apply = (name: string, body: unknown) => {
    now[name] = { ...now[name], ...(body as object) };
  };
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    const name = url.split('/').at(-1)!;
    if (method === 'PUT') {
      if (arrives) apply(name === 'update-contact' ? 'profile' : name, JSON.parse(body as string));
      throw new TypeError('Failed to fetch');
    }
    if (!now[name]) return await new Promise<never>(() => {});
    return Response.json({ success: true, message: '', data: now[name] });
  });
  openSettings(search);
  await edit();
  const edited = within(document.querySelector<HTMLElement>(form)!);
  await userEvent.click(edited.getByRole('button', { name: 'Save Changes' }));
  return edited;
}

test.each(forms)(
  'when %s were saved but the answer was lost, the customer reads that they are saved, and no error [ER-18]',
  async (...form) => {
    const edited = await saveUnheard(form, true);
    await screen.findByText(/(updated|saved)( successfully)?\.?$/i, {}, waitOptions);
    expect(screen.queryByText(/Network error|We didn’t get an answer/)).toBeNull();
    edited.getByRole('button', { name: 'Save Changes' });
    await userEvent.click(screen.getByRole('link', { name: 'Overview' }));
    await screen.findByText('the overview', {}, waitOptions);
  },
);

test.each(forms)(
  'when %s did not reach the bank and no answer came, the customer reads that nothing has changed so far [ER-18]',
  async (...form) => {
    await saveUnheard(form, false);
    await screen.findByText(errorMessages.actUndone, {}, waitOptions);
    expect(screen.queryByText(/Network error/)).toBeNull();
  },
);

test('a customer whose contact details cannot be changed now reads why, and what was typed stays [G-24]', async () => {
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    const message = settingsMessages.contactLocked;
    if (method === 'PUT')
      return Response.json({ success: false, code: 'CONFLICT', message }, { status: 409 });
    const data = stored[url.split('/').at(-1)!];
    return data ? Response.json({ success: true, message: '', data }) : await new Promise<never>(() => {});
  });
  openSettings('');
  const address = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Address' }, waitOptions);
  await userEvent.type(address, ' 2');
  const form = within(document.querySelector<HTMLElement>('.ContactDetails')!);
  await userEvent.click(form.getByRole('button', { name: 'Save Changes' }));
  await screen.findByText(settingsMessages.contactLocked, {}, waitOptions);
  expect(address.value).toBe('3 Fern Row 2');
});
