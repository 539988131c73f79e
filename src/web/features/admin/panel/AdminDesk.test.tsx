/**
 * The back office as its roles see it, with stubbed answers from the bank: views, buttons, requests for a second approval, acts
 * with reasons, and the keys of the lists.
 */
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { describe, expect, test, vi } from 'vitest';
import type { Alert } from '#contract/alerts.ts';
import type { Approval } from '#contract/fourEyes.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as contactMessages from '#contract/messages/contact.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as limitsMessages from '#contract/messages/limits.ts';
import * as screeningMessages from '#contract/messages/screening.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import * as unclaimedMessages from '#contract/messages/unclaimed.ts';
import type { Role } from '#contract/roles.ts';
import { adminLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { useLocation } from '#web/router/hooks.ts';
import { MemoryRouter } from '../../../../../tests/memoryRouter.tsx';
import { stubResizeObserver } from '../../../../../tests/resizeObserver.ts';
import { ida } from '../../../../../tests/sessions.ts';
import { aTransaction } from '../../../../../tests/transactions.ts';
import { waitOptions } from '../../../../../tests/waiting.ts';
import { words } from '../words.ts';
import { AdminDesk } from './AdminDesk.tsx';

const id = (n: number) => `01a1ffd2-0000-7000-8000-00000000000${n}`;
const at = '2026-11-20T18:05:00.000Z';
const page = { currentPage: 1, totalPages: 1 };

const jun = {
  _id: id(1),
  firstName: 'Jun',
  middleName: '',
  lastName: 'Takeda',
  email: 'jun.takeda@inkstone.example',
  phoneNumber: '2125550147',
  accountNumber: '482109375527',
  balance: 250_000,
  state: 'frozen',
  document: 'review',
  avatar: { url: '' },
  joinedAt: at,
  lastLoginAt: at,
  gender: 'male',
  address: '18 Meadow Row',
  city: 'Albany',
  region: 'New York',
  zipCode: '12207',
  dateOfBirth: '1990-05-02',
  isEmailProven: true,
  isApproved: true,
  isVerified: false,
  isFrozen: true,
  frozenAt: at,
  frozenBy: 'Tove Asklund',
  frozenReason: 'Three payments to a reported account.',
  idCard: null,
  waitingRequests: 1,
  factors: { hasApp: false, passkeys: 0 },
};
const credit: Approval = {
  _id: id(2),
  kind: 'credit',
  status: 'pending',
  askedBy: { _id: 'other', name: 'Tove Asklund' },
  askedAt: at,
  expiresAt: '2026-11-27T18:05:00.000Z',
  reason: 'Refund of the disputed payments.',
  amount: 150_000,
  customer: { _id: jun._id, name: 'Jun Takeda', accountNumber: jun.accountNumber },
};
const own: Approval = { ...credit, _id: id(3), askedBy: { _id: ida._id, name: ida.name } };
const transfer = aTransaction({
  _id: id(4),
  status: 'completed',
  type: 'transfer',
  amount: 75,
  sender: { _id: 'n', firstName: 'Noor', lastName: 'Haddad' },
  receiver: { _id: jun._id, firstName: 'Jun', lastName: 'Takeda' },
});
/** A credit that paid an unclaimed balance out to a customer. */
const assigned = {
  ...transfer,
  type: 'admin-credit',
  sender: undefined,
  bankAccount: 'unclaimed',
  timeline: [{ step: 'posted', at }],
};
const tove = {
  _id: id(5),
  email: 'tove@larkspur.example',
  name: 'Tove Asklund',
  role: 'support',
  state: 'active',
  createdAt: at,
  sessions: 1,
};

const largePayment: Alert = {
  _id: id(5),
  rule: 'large-first-payment',
  status: 'open',
  at,
  customer: { _id: jun._id, name: 'Jun Takeda', accountNumber: jun.accountNumber },
  transactionId: id(4),
  amount: 2000,
  balance: 3500.5,
};
const guesses: Alert = {
  _id: id(0),
  rule: 'guessed-logins',
  status: 'assigned',
  at,
  network: '198.51.100.7',
  logins: 34,
  notified: 1,
  assignedTo: { _id: 'other', name: 'Tove Asklund' },
};

/** The bank's answers by method and path. */
const answers: Record<string, unknown> = {
  'GET requests': { ...page, requests: [credit, own], totalRequests: 2, waiting: 2, forYou: 1 },
  [`GET requests/${id(2)}`]: credit,
  [`GET requests/${id(3)}`]: own,
  'GET messages': { ...page, messages: [], totalMessages: 0, forYou: 0 },
  'GET alerts': { ...page, alerts: [largePayment, guesses], totalAlerts: 2, open: 2 },
  [`POST alerts/${id(5)}/assign`]: { ...largePayment, status: 'assigned' },
  [`POST alerts/${id(5)}/close`]: { ...largePayment, status: 'closed' },
  'GET totp': { isEnabled: false, recoveryCodesLeft: 0, mustEnroll: false },
  'GET passkeys': [],
  'GET four-eyes': { from: 100_000, approvers: 2, isOn: true },
  'GET accounts/482109375527': {
    accountName: 'Jun Takeda',
    accountNumber: jun.accountNumber,
    isApproved: true,
    isFrozen: true,
    balance: 250_000,
  },
  'GET users': { ...page, users: [{ ...jun, profileImage: '', createdAt: at }], totalUsers: 1 },
  [`GET users/${id(1)}`]: { ...jun, profileImage: '', createdAt: at },
  [`GET users/${id(1)}/application`]: { ...jun, registeredAt: at },
  'GET customers': { ...page, customers: [jun], totalCustomers: 1 },
  [`GET customers/${id(1)}`]: jun,
  [`GET users/${id(1)}/notes`]: [{ _id: id(6), at, authorName: 'Tove Asklund', text: 'Called at noon.' }],
  [`GET users/${id(1)}/sessions`]: {
    sessions: [
      { _id: id(7), device: 'Chrome on Windows', address: '203.0.113.24', startedAt: at, lastSeenAt: at },
    ],
    devices: [],
  },
  [`GET users/${id(1)}/changes`]: [],
  [`GET users/${id(1)}/mails`]: [
    { _id: id(8), at, subject: 'You received $75.00', isSecurity: false, canResend: true },
    { _id: id(9), at, subject: 'Your login code', isSecurity: true, canResend: false },
  ],
  [`GET users/${id(1)}/history`]: {
    records: [
      {
        _id: '9',
        at,
        actorKind: 'admin',
        actorId: 'other',
        actorName: 'Tove Asklund',
        action: 'customer.frozen',
        subject: id(1),
        subjectName: 'Jun Takeda',
        address: '127.0.0.1',
        details: '',
        isSealed: true,
        reason: 'Three payments to a reported account.',
      },
    ],
    hasMore: false,
  },
  [`GET transactions/${id(4)}`]: { ...transfer, timeline: [{ step: 'posted', at }] },
  'GET transactions': { ...page, transactions: [transfer], totalTransactions: 1 },
  'GET staff': [{ ...tove, _id: ida._id, name: ida.name, email: ida.email, role: 'owner' }, tove],
};

type Refusal = { status: number; code: string; message: string };
type Sent = { call: string; body: unknown; key: string | null };

const profile = (role: Role) => ({ _id: ida._id, email: ida.email, name: ida.name, role });

const person = userEvent.setup();

/** Opens the panel at a view, for an administrator with a role. `other` adds or replaces answers, also by URL. */
async function enter(role: Role, search: string, other: Record<string, unknown> = {}) {
  const sent: Sent[] = [];
  const requested: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body, headers }: RequestInit = {}) => {
    const call = `${method} ${url.replace('/api/v1/admin/', '').replace(/\?.*/, '')}`;
    requested.push(url);
    if (method !== 'GET')
      sent.push({
        call,
        body: JSON.parse((body as string | undefined) ?? 'null'),
        key: new Headers(headers).get('idempotency-key'),
      });
    const known = other[call] ?? answers[call];
    const answer = await (typeof known === 'function' ? known(url) : known);
    if (answer instanceof Error) throw answer;
    if (answer instanceof Response) return answer;
    const refusal = answer as Partial<Refusal> | undefined;
    if (refusal?.code)
      return new Response(JSON.stringify({ success: false, ...refusal }), { status: refusal.status! });
    const data = answer ?? (call === 'GET profile' ? profile(role) : {});
    return new Response(JSON.stringify({ success: true, message: 'Done', data }));
  });
  stubResizeObserver();
  const store = makeStore();
  store.dispatch(adminLoggedIn(ida));
  const address = { search: '' };
  function Address() {
    address.search = useLocation().search;
    return null;
  }
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[`/admin/dashboard${search}`]}>
        <main>
          <AdminDesk adminName={ida.name} />
          <Address />
        </main>
      </MemoryRouter>
    </Provider>,
  );
  await screen.findAllByText(staffMessages.roleNames[role]);
  return { sent, requested, address };
}

// jsdom does not implement `scrollIntoView`.
Element.prototype.scrollIntoView = () => {};

// `hidden` also finds the sidebar while an open dialog hides it from assistive technology.
const sidebar = () => screen.getByRole('navigation', { name: 'Administration', hidden: true });
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const dialog = (name: string | RegExp) => screen.findByRole('dialog', { name });
const customer = `?view=customer&customer=${id(1)}`;

// First in this file: once a test has opened the list, it opens at once in all later ones.
test('the list of commands opens at once even the first time, so that no letter typed after Ctrl+K is lost [SD-19]', async () => {
  await enter('operator', '?view=users');
  // In `act`, React mounts a loaded component without delay. The first `act` loads the list, the second one mounts it.
  for (let i = 0; i < 2; i++) await act(() => import('./CommandList.tsx'));
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(screen.getByRole('dialog', { name: 'Go to' })).toBeTruthy();
});

describe('alerts', () => {
  test('the list shows the figures and owners of alerts and links to customers and payments, and a viewer’s sidebar counts none of them [FA-08]', async () => {
    await enter('viewer', '?view=alerts');
    expect(await screen.findByText('$2,000.00 of $3,500.50')).toBeTruthy();
    // A viewer cannot close alerts, so none wait for a viewer.
    expect(sidebar().textContent).not.toContain('Alerts2');
    expect(
      screen.getByText('Wrong passwords for 34 logins, from 198.51.100.7. We notified 1 customer.'),
    ).toBeTruthy();
    expect(screen.getByText('Tove Asklund')).toBeTruthy();
    const link = (name: string) => screen.getByRole<HTMLAnchorElement>('link', { name }).search;
    expect(link('Jun Takeda')).toBe(`?view=customer&customer=${jun._id}`);
    expect(link('View transaction')).toBe(`?view=transactions&transaction=${id(4)}`);
    expect(screen.queryByRole('button', { name: /^Close/ })).toBeNull();
  });

  test('support takes an alert, and closes it with a note that must not be empty [FA-08]', async () => {
    const { sent } = await enter('support', '?view=alerts');
    const what = 'Most of the balance to a new receiver, Jun Takeda';
    await person.click(await button(`Assign to me: ${what}`));
    expect(sidebar().textContent).toContain('Alerts2 waiting');
    await person.click(await button(`Close: ${what}`));
    const asked = await dialog('Close this alert?');
    expect(within(asked).getByText(what)).toBeTruthy();
    const close = within(asked).getByRole('button', { name: 'Close alert' });
    await person.click(close);
    await person.type(within(asked).getByRole('textbox'), 'He bought a car.');
    await person.click(close);
    await waitFor(
      () =>
        expect(sent.map(({ call, body }) => [call, body])).toEqual([
          [`POST alerts/${id(5)}/assign`, null],
          [`POST alerts/${id(5)}/close`, { note: 'He bought a car.' }],
        ]),
      waitOptions,
    );
  });

  test('the URL of a page that no longer exists leads to the last page [FA-08]', async () => {
    const alerts = { ...page, alerts: [], totalAlerts: 40, open: 40, currentPage: 3, totalPages: 2 };
    const { address } = await enter('viewer', '?view=alerts&page=3', { 'GET alerts': alerts });
    await waitFor(() => expect(address.search).toBe('?view=alerts&page=2'), waitOptions);
  });

  test('after an alert is assigned, the focus moves to the next alert, or to the title if none is left [FA-08]', async () => {
    const other: Record<string, unknown> = {
      [`POST alerts/${id(0)}/assign`]: guesses,
    };
    await enter('support', '?view=alerts', other);
    const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id;
    const taken = await button(/^Assign to me: Most of the balance/);
    const next = { ...page, totalAlerts: 1, open: 1 };
    other['GET alerts'] = { ...next, alerts: [guesses] };
    await person.click(taken);
    await waitFor(
      () => expect(focused()).toMatch(/^Take over from Tove Asklund: Many wrong passwords/),
      waitOptions,
    );
    other['GET alerts'] = { ...next, alerts: [], totalAlerts: 0, open: 0 };
    await person.keyboard('{Enter}');
    await waitFor(() => expect(focused()).toBe('admin-view-title'), waitOptions);
    expect(await screen.findByText(/Alerts that were already taken are under Assigned\.$/)).toBeTruthy();
  });

  test('if a colleague closed the alert first, the focus moves to the next alert after the refusal [FA-08]', async () => {
    const other: Record<string, unknown> = {
      [`POST alerts/${id(5)}/assign`]: { status: 409, code: 'CONFLICT', message: 'Already closed.' },
    };
    await enter('support', '?view=alerts', other);
    const take = await button(/^Assign to me: Most of the balance/);
    other['GET alerts'] = { ...page, totalAlerts: 1, open: 1, alerts: [guesses] };
    await person.click(take);
    const notice = await screen.findByText('Already closed.');
    await waitFor(() => expect(take.isConnected).toBe(false), waitOptions);
    await person.click(within(notice.closest<HTMLElement>('[role*=dialog]')!).getByRole('button'));
    const name = () => document.activeElement?.getAttribute('aria-label');
    await waitFor(
      () => expect(name()).toMatch(/^Take over from Tove Asklund: Many wrong passwords/),
      waitOptions,
    );
  });

  test('if the answer to a press is lost, its result is unknown, and the focus stays in the row [FA-08, A-66]', async () => {
    const other: Record<string, unknown> = {
      [`POST alerts/${id(5)}/assign`]: new TypeError('Failed to fetch'),
      [`POST alerts/${id(5)}/close`]: new TypeError('Failed to fetch'),
    };
    await enter('support', '?view=alerts', other);
    const take = await button(/^Assign to me: Most of the balance/);
    const mine = { ...largePayment, status: 'assigned', assignedTo: { _id: ida._id, name: ida.name } };
    other['GET alerts'] = { ...page, alerts: [guesses, mine], totalAlerts: 2, open: 2 };
    await person.click(take);
    const notice = await dialog('Result unknown');
    expect(notice.textContent).not.toContain('wasn’t changed');
    await waitFor(() => expect(take.isConnected).toBe(false), waitOptions);
    await person.keyboard('{Escape}');
    const close = await button(/^Close: Most of the balance/);
    await waitFor(() => expect(document.activeElement).toBe(close), waitOptions);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
    expect(document.activeElement).toBe(close);

    await person.click(close);
    const asked = await dialog('Close this alert?');
    await person.type(within(asked).getByRole('textbox'), 'A car.');
    const confirm = within(asked).getByRole('button', { name: 'Close alert' });
    await person.click(confirm);
    const unknown = await within(asked).findByText(/^We don’t know yet whether this was done/);
    expect(unknown.closest('.Banner')!.className).toContain('Banner--warning');
    other[`POST alerts/${id(5)}/close`] = { status: 409, code: 'CONFLICT', message: 'Already closed.' };
    await person.click(confirm);
    expect(await within(asked).findByText('Already closed.')).toBeTruthy();
    expect(confirm.isConnected).toBe(false);
    expect(asked.textContent).not.toContain('It leaves the queue');
    expect(document.activeElement).toBe(within(asked).getByRole('button', { name: 'Close' }));
  });

  test('if a colleague took the alert first, a dialog names the colleague and offers to take it over [FA-08]', async () => {
    const owner = { _id: 'other', name: 'Tove Asklund' };
    const taking = `POST alerts/${id(5)}/assign`;
    const other: Record<string, unknown> = {
      [taking]: { status: 409, code: 'CONFLICT', message: 'Tove Asklund has this now.', data: { owner } },
    };
    const { sent } = await enter('support', '?view=alerts', other);
    const take = await button(/^Assign to me: Most of the balance/);
    other['GET alerts'] = { ...page, totalAlerts: 1, open: 1, alerts: [guesses] };
    await person.click(take);
    const asked = await dialog('Already assigned');
    expect(within(asked).getByText('Tove Asklund has this now. You can take it over.')).toBeTruthy();
    await waitFor(() => expect(take.isConnected).toBe(false), waitOptions);
    delete other[taking];
    await person.click(within(asked).getByRole('button', { name: 'Take over from Tove Asklund' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
    expect(sent.map(({ call, body }) => [call, body])).toEqual([
      [taking, null],
      [taking, { takenFrom: 'other' }],
    ]);
    await button('Take over from Tove Asklund: Many wrong passwords from one network');
  });

  test('if a colleague took the alert while the note was written, the dialog names the colleague and the next press closes the alert [FA-08]', async () => {
    const owner = { _id: 'other', name: 'Tove Asklund' };
    const closing = `POST alerts/${id(5)}/close`;
    const message = 'Tove Asklund has this now. To act anyway, press again.';
    const other: Record<string, unknown> = {
      [closing]: { status: 409, code: 'CONFLICT', message, data: { owner } },
    };
    const { sent } = await enter('support', '?view=alerts', other);
    await person.click(await button(/^Close: Most of the balance/));
    const asked = await dialog('Close this alert?');
    await person.type(within(asked).getByRole('textbox'), 'He bought a car.');
    const close = within(asked).getByRole('button', { name: 'Close alert' });
    await person.click(close);
    expect(await within(asked).findByText(message)).toBeTruthy();
    delete other[closing];
    await person.click(close);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
    const note = 'He bought a car.';
    expect(sent.map(({ body }) => body)).toEqual([{ note }, { note, takenFrom: 'other' }]);
  });

  test('a closed alert shows when and by whom it was closed [FA-08]', async () => {
    const closedBy = { _id: 'other', name: 'Tove Asklund' };
    const closed = { ...guesses, status: 'closed', closedAt: '2026-11-21T14:30:00.000Z', closedBy };
    const alerts = { ...page, alerts: [closed], totalAlerts: 1, open: 0 };
    await enter('viewer', '?view=alerts&state=closed', { 'GET alerts': alerts });
    const row = (await screen.findByText('Tove Asklund')).closest('tr')!;
    expect(row.textContent).toContain('Nov 21, 2026 9:30 AM');
  });

  test('the page of a customer lists the alerts about the customer [FA-08]', async () => {
    const { requested } = await enter('viewer', `${customer}&tab=alerts`);
    expect(await screen.findByText('$2,000.00 of $3,500.50')).toBeTruthy();
    expect(requested.some(url => url.includes(`/alerts?customer=${jun._id}`))).toBe(true);
  });
});

describe('what an administrator sees', () => {
  test.each([
    [
      'viewer',
      [
        'Dashboard',
        'Approvals',
        'ID Verifications',
        'Requests',
        'Messages',
        'Alerts',
        'Transactions',
        'Unclaimed balances',
        'Payment rail',
        'Day end',
        'Users',
        'Your account',
      ],
    ],
    [
      'auditor',
      [
        'Dashboard',
        'Approvals',
        'ID Verifications',
        'Requests',
        'Messages',
        'Alerts',
        'Transactions',
        'Unclaimed balances',
        'Payment rail',
        'Day end',
        'Users',
        'Audit log',
        'Staff',
        'Your account',
      ],
    ],
    [
      'operator',
      [
        'Dashboard',
        'Approvals',
        'ID Verifications',
        'Requests',
        'Messages',
        'Alerts',
        'Credit User',
        'Transactions',
        'Unclaimed balances',
        'Payment rail',
        'Day end',
        'Users',
        'Your account',
      ],
    ],
    [
      'owner',
      [
        'Dashboard',
        'Approvals',
        'ID Verifications',
        'Requests',
        'Messages',
        'Alerts',
        'Credit User',
        'Transactions',
        'Unclaimed balances',
        'Payment rail',
        'Day end',
        'Users',
        'Audit log',
        'Staff',
        'Your account',
      ],
    ],
  ] as const)('the sidebar of a role has the views that its calls allow: %s [SD-09]', async (role, views) => {
    await enter(role, '?view=account');
    const links = within(sidebar()).getAllByRole('link');
    expect(links.map(link => link.textContent?.replace(/\d.*/, ''))).toEqual(views);
  });

  test('a viewer sees a customer without buttons that change anything [SD-09]', async () => {
    await enter('viewer', `${customer}&tab=notes`);
    expect(await screen.findByText('Called at noon.')).toBeTruthy();
    for (const name of ['Unfreeze account', 'Delete User', 'Save note'])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });

  test('support can end a session, but not unfreeze an account [SD-09]', async () => {
    await enter('support', `${customer}&tab=sessions`);
    expect(await button('End session on Chrome on Windows')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Unfreeze account' })).toBeNull();
  });

  test('a viewer who opens the URL of the staff view reads that the role can’t open it [SD-09]', async () => {
    await enter('viewer', '?view=staff');
    expect(await screen.findByText('Your role can’t open this page')).toBeTruthy();
  });

  test('an auditor sees the staff without any button that acts [SD-09]', async () => {
    await enter('auditor', '?view=staff');
    expect(await screen.findByText('Tove Asklund')).toBeTruthy();
    expect(await screen.findByText('Second person')).toBeTruthy();
    for (const name of [/^Invite/, /^Manage/, /^Change/])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });

  test('opening the URL of a view that the role can’t open makes no call that the bank would refuse [SD-09]', async () => {
    for (const view of ['audit', 'staff']) {
      const { requested } = await enter('support', `?view=${view}`);
      expect(await screen.findByText('Your role can’t open this page')).toBeTruthy();
      expect(requested.filter(url => /\/admin\/(audit|staff)/.test(url))).toEqual([]);
      cleanup();
    }
    const { requested } = await enter('owner', '?view=staff');
    expect(await screen.findByText('Tove Asklund')).toBeTruthy();
    expect(requested).toContain('/api/v1/admin/staff');
  });

  test('an administrator who must set up a second factor sees only that, and then the recovery codes [SF-12]', async () => {
    const noApp = { isEnabled: false, recoveryCodesLeft: 0, mustEnroll: true };
    const other: Record<string, unknown> = {
      'GET totp': noApp,
      'POST totp': { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Larkspur?secret=JBSWY3DPEHPK3PXP' },
      'PUT totp': { recoveryCodes: ['ABCD-EFGH-JKLM'] },
    };
    const { address, requested } = await enter('operator', '?view=users', other);
    expect(await screen.findByText('Set up an authenticator app or a passkey to continue')).toBeTruthy();
    await waitFor(() => expect(address.search).toBe('?view=account'), waitOptions);
    expect(screen.queryByLabelText('Current password')).toBeNull();
    await person.click(await button('Set up app'));
    await person.type(await screen.findByLabelText('Six-digit code'), '123456');
    other['GET totp'] = { isEnabled: true, enabledAt: at, recoveryCodesLeft: 10, mustEnroll: false };
    const asked = () => requested.filter(url => url.endsWith('/totp')).length;
    const before = asked();
    // The bank refused these until now, so their counts are missing in the sidebar.
    const lists = ['messages', 'alerts', 'rail/exceptions', 'screening'];
    const askedFor = () => lists.map(list => requested.filter(url => url.includes(`/admin/${list}`)).length);
    const refused = askedFor();
    await person.click(await button('Turn on'));
    // Two calls: the change, and the refetch of the state after it.
    await waitFor(() => expect(asked()).toBe(before + 2), waitOptions);
    expect(await screen.findByText('ABCD-EFGH-JKLM')).toBeTruthy();
    expect(await screen.findByLabelText('Current password')).toBeTruthy();
    expect(screen.getByText('ABCD-EFGH-JKLM')).toBeTruthy();
    // Assert without waiting, because the next poll would fetch the lists anyway.
    expect(askedFor()).toEqual(refused.map(times => times + 1));
  });

  /** Lets half a minute pass at once, after which the role is fetched again. */
  const pollRole = () => vi.advanceTimersByTimeAsync(30_000);

  test('an operator who lost the role finds out at the next action, and the buttons of that role disappear [SD-09, ST-71]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const other: Record<string, unknown> = {
      [`PUT freeze/${id(1)}`]: { status: 403, code: 'FORBIDDEN', message: errorMessages.forbidden },
    };
    await enter('operator', customer, other);
    await person.click(await button('Unfreeze account'));
    const asked = await dialog('Unfreeze the account of Jun Takeda?');
    await person.click(within(asked).getByRole('button', { name: 'Unfreeze account' }));
    expect(await screen.findByText(/^Your role doesn’t allow this. Nothing was changed./)).toBeTruthy();
    await person.keyboard('{Escape}');
    expect(await button('Unfreeze account')).toBeTruthy();
    other['GET profile'] = profile('support');
    await pollRole();
    await waitFor(
      () => expect(screen.queryByRole('button', { name: 'Unfreeze account' })).toBeNull(),
      waitOptions,
    );
    expect(screen.getAllByText(staffMessages.roleNames.support)).not.toEqual([]);
  });

  test('an auditor who lost the role reads in the open audit log that the new role can’t open it [SD-09, ST-71]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const other: Record<string, unknown> = { 'GET audit': { records: [], actions: [], hasMore: false } };
    await enter('auditor', '?view=audit', other);
    expect(await screen.findByRole('heading', { name: 'Audit log' })).toBeTruthy();
    other['GET profile'] = profile('support');
    await pollRole();
    expect(await screen.findByText('Your role can’t open this page')).toBeTruthy();
    expect(within(sidebar()).queryByRole('link', { name: 'Audit log' })).toBeNull();
  });
});

describe('a request for a second approval', () => {
  test('shows who asks, why, and what changes, and is counted for an operator who may decide it [SD-02]', async () => {
    await enter('operator', `?view=requests&request=${id(2)}`);
    const sheet = await dialog('Credit Jun Takeda');
    for (const text of [
      'Tove Asklund',
      'Refund of the disputed payments.',
      'Expires',
      'Amount$150,000.00',
      'Jun Takeda4821 0937 5527',
    ])
      expect(sheet.textContent).toContain(text);
    await waitFor(
      () => expect(sheet.textContent).toContain('Balance of Jun TakedaBefore $250,000.00After $400,000.00'),
      waitOptions,
    );
    expect(sidebar().textContent).toContain('Requests1 waiting');
  });

  test('is opened with the button in its row, too [SD-02]', async () => {
    const { address } = await enter('operator', '?view=requests', {
      'GET requests': {
        ...page,
        requests: [credit, { ...credit, _id: id(3), status: 'declined' }],
        totalRequests: 2,
        waiting: 1,
        forYou: 1,
      },
    });
    expect(await button('View: Credit Jun Takeda')).toBeTruthy();
    await person.click(await button('Review: Credit Jun Takeda'));
    expect(await dialog('Credit Jun Takeda')).toBeTruthy();
    expect(address.search).toContain(`request=${id(2)}`);
  });

  test('to reverse a transaction shows by how much the receiver’s balance changes, not the balance afterward [SD-02]', async () => {
    const reversal: Approval = { ...credit, kind: 'reversal', amount: 75, transactionId: transfer._id };
    await enter('operator', `?view=requests&request=${id(2)}`, { [`GET requests/${id(2)}`]: reversal });
    const sheet = await dialog('Reverse a transaction');
    await waitFor(
      () => expect(sheet.textContent).toContain('Balance of Jun TakedaChanges by−$75.00'),
      waitOptions,
    );
  });

  test('to reverse a credit from the unclaimed balances says that the money goes back there [SD-24]', async () => {
    const reversal: Approval = { ...credit, kind: 'reversal', amount: 75, transactionId: transfer._id };
    await enter('operator', `?view=requests&request=${id(2)}`, {
      [`GET requests/${id(2)}`]: reversal,
      [`GET transactions/${id(4)}`]: assigned,
    });
    const sheet = await dialog('Reverse a transaction');
    const change = 'Unclaimed balancesChanges by+$75.00';
    await waitFor(() => expect(sheet.textContent).toContain(change), waitOptions);
    expect(sheet.textContent).not.toContain('treasury');
  });

  test('to reverse a transaction warns that its sender is on the sanctions list, and cannot be approved until that is checked [SX-14]', async () => {
    const reversal: Approval = { ...credit, kind: 'reversal', amount: 75, transactionId: transfer._id };
    const { accountNumber: senderAccountNumber } = jun;
    const read = Promise.withResolvers<void>();
    const holder = { ...(answers['GET accounts/482109375527'] as object), screening: 'match' };
    const other: Record<string, unknown> = {
      [`GET requests/${id(2)}`]: reversal,
      [`GET transactions/${id(4)}`]: { ...transfer, senderAccountNumber, timeline: [{ step: 'posted', at }] },
      'GET accounts/482109375527': read.promise.then(() => holder),
    };
    const { sent } = await enter('operator', `?view=requests&request=${id(2)}`, other);
    const sheet = await dialog('Reverse a transaction');
    await person.click(await within(sheet).findByRole('button', { name: 'Checking the sanctions list...' }));
    read.resolve();
    expect(await within(sheet).findByText('Confirmed match on the sanctions list')).toBeTruthy();
    expect(within(sheet).getByRole('button', { name: 'Approve' })).toBeTruthy();
    expect(sent).toEqual([]);
  });

  test.each([
    ['the transaction', `GET transactions/${id(4)}`],
    ['its sender', 'GET accounts/482109375527'],
  ])(
    'to reverse a transaction cannot be approved while %s cannot be read, but afterward it can [SX-14]',
    async (_, failing) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
      const { accountNumber: senderAccountNumber } = jun;
      const busy = { status: 503, code: 'BUSY', message: errorMessages.fault };
      const other: Record<string, unknown> = {
        [`GET requests/${id(2)}`]: { ...credit, kind: 'reversal', amount: 75, transactionId: transfer._id },
        [`GET transactions/${id(4)}`]: {
          ...transfer,
          senderAccountNumber,
          timeline: [{ step: 'posted', at }],
        },
      };
      const answer = other[failing];
      other[failing] = busy;
      const { requested } = await enter('operator', `?view=requests&request=${id(2)}`, other);
      const sheet = await dialog('Reverse a transaction');
      const address = failing.replace('GET ', '/');
      const asked = () => requested.filter(url => url.endsWith(address)).length;
      const poll = async () => {
        const before = asked();
        await vi.advanceTimersByTimeAsync(30_000);
        await waitFor(() => expect(asked()).toBeGreaterThan(before), waitOptions);
      };
      await waitFor(() => expect(asked()).toBeGreaterThan(0), waitOptions);
      await poll();
      expect(within(sheet).getByRole('button', { name: 'Checking the sanctions list...' })).toBeTruthy();
      if (answer) other[failing] = answer;
      else delete other[failing];
      await poll();
      expect(await within(sheet).findByRole('button', { name: 'Approve' })).toBeTruthy();
    },
  );

  test('to reverse a transaction can be approved if the customer who gets the money back no longer exists [SX-14]', async () => {
    const { accountNumber: senderAccountNumber } = jun;
    await enter('operator', `?view=requests&request=${id(2)}`, {
      [`GET requests/${id(2)}`]: { ...credit, kind: 'reversal', amount: 75, transactionId: transfer._id },
      [`GET transactions/${id(4)}`]: { ...transfer, senderAccountNumber, timeline: [{ step: 'posted', at }] },
      'GET accounts/482109375527': { status: 404, code: 'NOT_FOUND', message: '' },
    });
    expect(await button('Approve')).toBeTruthy();
  });

  test.for([
    ['credit', 'Decide the match first.'],
    ['deletion', 'It is erased with the customer.'],
  ])(
    'for a %s of a customer with an undecided match links to the match, and asks before it is approved [SX-14]',
    async ([kind, warning]) => {
      const holder = { ...(answers['GET accounts/482109375527'] as object), screening: 'open' };
      const { sent } = await enter('operator', `?view=requests&request=${id(2)}`, {
        'GET accounts/482109375527': holder,
        [`GET requests/${id(2)}`]: { ...credit, kind },
        [`POST requests/${id(2)}/approve`]: { ...credit, status: 'done' },
      });
      const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Review match' });
      expect(link.search).toBe(customer);
      await person.click(await button('Approve'));
      const asks = within(await dialog('Approve while the match is undecided?'));
      expect(asks.getByText(warning!, { exact: false })).toBeTruthy();
      expect(sent).toEqual([]);
      await person.click(asks.getByRole('button', { name: 'Cancel' }));
      await person.click(await button('Approve'));
      await person.click(await button('Approve anyway'));
      expect(await screen.findByText('Done', { selector: '.Banner *' })).toBeTruthy();
      expect(sent.map(({ call }) => call)).toEqual([`POST requests/${id(2)}/approve`]);
    },
  );

  test('for a credit that was requested twice says so, with a link to the other request [ST-81]', async () => {
    await enter('operator', `?view=requests&request=${id(2)}`, {
      [`GET requests/${id(2)}`]: { ...credit, sameRequestId: id(7) },
    });
    expect(await screen.findByText(staffMessages.sameCredit)).toBeTruthy();
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'View the other request' });
    expect(link.search).toContain(`request=${id(7)}`);
  });

  test('for a credit that was made this week says when, with a link to the transaction [ST-81]', async () => {
    const timestamp = '2026-11-28T14:42:00.000Z';
    await enter('operator', `?view=requests&request=${id(2)}`, {
      [`GET requests/${id(2)}`]: {
        ...credit,
        sameCredit: { _id: id(4), reference: 'LB-4', amount: 1, description: '', timestamp },
      },
    });
    expect(
      await screen.findByText(/^The same credit was made on Nov 28.* at 9:42\sAM \(LB-4\)\. With this one, /),
    ).toBeTruthy();
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'View transaction' });
    expect(link.search).toContain(id(4));
  });

  test('is counted below the list as "1 request", in the singular [SD-02]', async () => {
    await enter('viewer', '?view=requests', {
      'GET requests': { ...page, requests: [credit], totalRequests: 1, waiting: 1, forYou: 0 },
    });
    expect(await screen.findByText('Page 1 of 1 (1 request)')).toBeTruthy();
  });

  test('is approved with one press [SD-02]', async () => {
    const { sent } = await enter('operator', `?view=requests&request=${id(2)}`, {
      [`POST requests/${id(2)}/approve`]: { ...credit, status: 'done' },
    });
    await person.click(await button('Approve'));
    await waitFor(
      () => expect(sent.map(({ call }) => call)).toEqual([`POST requests/${id(2)}/approve`]),
      waitOptions,
    );
    expect(await screen.findByText('Done', { selector: '.Banner *' })).toBeTruthy();
  });

  test('names a deleted customer by the account number, and does not fetch the account again [SD-02]', async () => {
    const deletion: Approval = { ...credit, kind: 'deletion' };
    const erased: Approval = {
      ...deletion,
      status: 'done',
      customer: { ...credit.customer!, name: '' },
    };
    const other: Record<string, unknown> = { [`GET requests/${id(2)}`]: deletion };
    Object.defineProperty(other, `POST requests/${id(2)}/approve`, {
      get: () => {
        other[`GET requests/${id(2)}`] = erased;
        return erased;
      },
    });
    const { requested } = await enter('operator', `?view=requests&request=${id(2)}`, other);
    const asked = () => requested.filter(url => url.endsWith(`/customers/${id(1)}`)).length;
    await waitFor(() => expect(asked()).toBe(1), waitOptions);
    await person.click(await button('Approve'));
    const sheet = await dialog('Delete account 4821 0937 5527');
    expect(sheet.textContent).toContain('Deleted customer, account 4821 0937 5527');
    expect(within(sheet).queryByRole('link')).toBeNull();
    expect(asked()).toBe(1);
  });

  test('is declined with a reason and not without one [SD-02]', async () => {
    const { sent } = await enter('operator', `?view=requests&request=${id(2)}`, {
      [`POST requests/${id(2)}/decline`]: { ...credit, status: 'declined' },
    });
    await person.click(await button('Decline'));
    const asked = await dialog('Decline this request?');
    await person.click(within(asked).getByRole('button', { name: 'Decline' }));
    expect(within(asked).getByText('Enter a reason')).toBeTruthy();
    expect(sent).toEqual([]);
    await person.type(
      within(asked).getByRole('textbox', { name: /^Reason/ }),
      'The payments were not disputed.',
    );
    await person.click(within(asked).getByRole('button', { name: 'Decline' }));
    await waitFor(
      () => expect(sent.map(({ body }) => body)).toEqual([{ reason: 'The payments were not disputed.' }]),
      waitOptions,
    );
  });

  test('to invite an owner shows the email that gets the link [SD-02, SD-04]', async () => {
    const member = { name: 'Ilan Brooks', email: 'ilan@larkspur.example' };
    const { _id, status, askedBy, askedAt, expiresAt } = credit;
    const invitation = {
      _id,
      status,
      askedBy,
      askedAt,
      expiresAt,
      kind: 'invitation',
      member,
      role: 'owner',
    };
    await enter('operator', `?view=requests&request=${id(2)}`, { [`GET requests/${id(2)}`]: invitation });
    const sheet = await dialog('Invite Ilan Brooks as Owner');
    expect(await within(sheet).findByText(member.email)).toBeTruthy();
  });

  test.each<[string, Partial<Approval>, string]>([
    ['a role', { kind: 'role', formerRole: 'viewer', role: 'operator' }, 'Role beforeViewerRoleOperator'],
    ['an email', { kind: 'email', email: 'jun@new.example' }, 'New emailjun@new.example'],
    ['an amount', { kind: 'limit', from: 2500 }, 'Second person from$2,500.00'],
    ['no amount', { kind: 'limit', from: null }, 'Second person fromNever'],
    ['the role of an invitation', { kind: 'invitation', role: 'operator' }, 'RoleOperator'],
  ])('still says after the decision what was asked for: %s [SD-02]', async (_, part, text) => {
    const rest = { ...credit, amount: undefined, customer: undefined };
    const member = { _id: id(7), name: 'Vic Nolan', email: 'vic@larkspur.example' };
    const declined = { ...rest, status: 'declined', member, ...part };
    await enter('operator', `?view=requests&request=${id(2)}`, { [`GET requests/${id(2)}`]: declined });
    const sheet = await screen.findByRole('dialog');
    await waitFor(() => expect(sheet.textContent).toContain(text), waitOptions);
    if (part.kind === 'role') expect(sheet.textContent).toContain('Change the role of Vic Nolan to Operator');
    // The state of today is not what was asked.
    expect(sheet.textContent).not.toContain('Before and after');
  });

  test('to change the amount that needs a second person shows the new amount in the list [SD-02]', async () => {
    const rest = { ...credit, amount: undefined, customer: undefined };
    await enter('viewer', '?view=requests', {
      'GET requests': {
        ...page,
        requests: [{ ...rest, kind: 'limit', from: 2500 }],
        totalRequests: 1,
        waiting: 1,
        forYou: 0,
      },
    });
    expect(await screen.findByText('$2,500.00')).toBeTruthy();
  });

  test('that will fail, because the asker is gone or the customer has more money now, says so before the approval [SD-02, ST-86, ST-87]', async () => {
    const opened = `?view=requests&request=${id(2)}`;
    const deletion = { ...credit, kind: 'deletion', amount: 200_000 };
    await enter('operator', opened, { [`GET requests/${id(2)}`]: deletion });
    expect(await screen.findByText(/^The customer had \$200,000.00 when this was asked/)).toBeTruthy();
    expect(screen.getByText('Balance when asked')).toBeTruthy();
    cleanup();
    await enter('operator', opened, { [`GET requests/${id(2)}`]: { ...credit, isAskerGone: true } });
    expect(
      await screen.findByText('Tove Asklund can no longer ask for this. Decline the request.'),
    ).toBeTruthy();
  });

  test('to pay out a balance names the closed account [SD-25]', async () => {
    const payout = { ...credit, kind: 'unclaimed', transactionId: id(4), closedAccount: '662109375520' };
    await enter('viewer', `?view=requests&request=${id(2)}`, { [`GET requests/${id(2)}`]: payout });
    expect(await screen.findByText('6621 0937 5520')).toBeTruthy();
  });

  test('that a colleague decides loses its buttons in the open dialog [SD-02]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const other: Record<string, unknown> = {};
    await enter('operator', `?view=requests&request=${id(2)}`, other);
    expect(await button('Approve')).toBeTruthy();
    other[`GET requests/${id(2)}`] = { ...credit, status: 'declined' };
    await vi.advanceTimersByTimeAsync(30_000);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull(), waitOptions);
  });

  test('that a colleague declines makes the transaction reversible again in its open dialog [SD-02]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const story = { ...transfer, timeline: [{ step: 'posted', at }] };
    const other: Record<string, unknown> = {
      [`GET transactions/${id(4)}`]: { ...story, reversalRequestId: id(2) },
    };
    await enter('operator', `?view=transactions&transaction=${id(4)}`, other);
    expect(await screen.findByText('Waiting for a second person')).toBeTruthy();
    other[`GET transactions/${id(4)}`] = story;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await button('Reverse')).toBeTruthy();
  });

  test('that a colleague approved first shows that approval after the decline is refused [SD-02, A-67]', async () => {
    const other: Record<string, unknown> = {
      [`POST requests/${id(2)}/decline`]: {
        status: 409,
        code: 'CONFLICT',
        message: 'This request was already decided.',
      },
    };
    await enter('operator', `?view=requests&request=${id(2)}`, other);
    await person.click(await button('Decline'));
    const asked = await dialog('Decline this request?');
    await person.type(within(asked).getByRole('textbox', { name: /^Reason/ }), 'No papers');
    other[`GET requests/${id(2)}`] = {
      ...credit,
      status: 'done',
      decidedBy: { _id: id(5), name: 'Ivo Marsh' },
      decidedAt: at,
    };
    await person.click(within(asked).getByRole('button', { name: 'Decline' }));
    expect(await within(asked).findByText('Ivo Marsh already approved this request.')).toBeTruthy();
    expect(asked.textContent).not.toContain('Nothing is changed');
    expect(within(asked).queryByRole('button', { name: 'Decline' })).toBeNull();
    await person.click(within(asked).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText('Decided by')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
    const sheet = await dialog('Credit Jun Takeda');
    await waitFor(() => expect(sheet.contains(document.activeElement)).toBe(true), waitOptions);
  });

  test('whose approval fails loses its buttons at once, before it is read again [SD-02, A-67]', async () => {
    const message = 'This request failed: the balance is too small.';
    const other: Record<string, unknown> = {
      [`POST requests/${id(2)}/approve`]: { status: 409, code: 'CONFLICT', message },
    };
    await enter('operator', `?view=requests&request=${id(2)}`, other);
    const approve = await button('Approve');
    const reading = Promise.withResolvers<Approval>();
    other[`GET requests/${id(2)}`] = reading.promise;
    await person.click(approve);
    expect(await screen.findByText(message)).toBeTruthy();
    expect(approve.isConnected).toBe(false);
    reading.resolve({ ...credit, status: 'failed' });
    await waitFor(
      () => expect(document.body.textContent).toContain(staffMessages.requestStates.failed),
      waitOptions,
    );
    expect(screen.getByText(message)).toBeTruthy();
  });

  test('that a colleague declined first keeps the focus in its dialog after the approval is refused, and says so [SD-02, A-67]', async () => {
    const other: Record<string, unknown> = {
      [`POST requests/${id(2)}/approve`]: { status: 409, code: 'CONFLICT', message: 'Already decided.' },
    };
    await enter('operator', `?view=requests&request=${id(2)}`, other);
    const approve = await button('Approve');
    other[`GET requests/${id(2)}`] = { ...credit, status: 'declined' };
    await person.click(approve);
    await waitFor(() => expect(approve.isConnected).toBe(false), waitOptions);
    const sheet = await dialog('Credit Jun Takeda');
    expect(document.activeElement).toBe(sheet);
    expect(await within(sheet).findByText('Declined')).toBeTruthy();
    expect(within(sheet).getByText('Already decided.')).toBeTruthy();
  });

  test.each([
    ['match', 'Confirmed match on the sanctions list'],
    ['open', 'Possible match on the sanctions list'],
  ])(
    'warns if money goes to a customer whose screening says "%s", but does not refuse the approval [SX-14]',
    async (screening, warning) => {
      const holder = answers['GET accounts/482109375527'] as object;
      const other: Record<string, unknown> = { 'GET accounts/482109375527': { ...holder, screening } };
      const payout: Approval = { ...credit, kind: 'unclaimed', transactionId: id(4) };
      for (const request of [credit, payout]) {
        await enter('operator', `?view=requests&request=${id(2)}`, {
          ...other,
          [`GET requests/${id(2)}`]: request,
        });
        expect(await screen.findByText(warning)).toBeTruthy();
        expect(await button('Approve')).toBeTruthy();
        cleanup();
      }
      await enter('operator', `?view=requests&request=${id(2)}`, {
        ...other,
        [`GET requests/${id(2)}`]: { ...credit, status: 'done' },
      });
      expect(await screen.findAllByText('Done')).not.toEqual([]);
      expect(screen.queryByText(warning)).toBeNull();
    },
  );

  test('is announced before a credit whose amount is large enough to need one [SD-03]', async () => {
    await enter('operator', '?view=credit');
    const note = /after a second person approves the credit/;
    await person.type(await screen.findByLabelText(/^Amount/), '99999');
    expect(screen.queryByText(note)).toBeNull();
    await person.clear(screen.getByLabelText(/^Amount/));
    await person.type(screen.getByLabelText(/^Amount/), '100000');
    expect(await screen.findByText(note)).toBeTruthy();
  });

  test('that expired says when, and that nothing was changed [SD-02]', async () => {
    await enter('operator', `?view=requests&request=${id(2)}`, {
      [`GET requests/${id(2)}`]: { ...credit, status: 'expired' },
    });
    const sheet = await dialog('Credit Jun Takeda');
    expect(
      await within(sheet).findByText(/^It was not decided in time, so nothing was changed/),
    ).toBeTruthy();
    expect(within(sheet).getByText('Expired on').parentElement!.textContent).toContain('Nov 27, 2026');
    expect(within(sheet).queryByRole('button', { name: 'Approve' })).toBeNull();
  });

  test('can be withdrawn, but not approved, by the person who made it [SD-02]', async () => {
    await enter('operator', `?view=requests&request=${id(3)}`);
    expect(await button('Withdraw')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
    expect(screen.getByText(/^You made this request/)).toBeTruthy();
  });

  test('is reported to an administrator whose act needs a second person [SD-03]', async () => {
    const { sent } = await enter('operator', customer, {
      [`DELETE users/${id(1)}`]: { approval: credit },
      [`GET customers/${id(1)}`]: { ...jun, inGoals: 500 },
    });
    await person.click(await button('Delete User'));
    const asked = await dialog('Delete User');
    expect(asked.textContent).toContain('$500.00 of the balance is in savings goals.');
    expect(await within(asked).findByText(/^This waits until a second operator/)).toBeTruthy();
    await person.click(within(asked).getByRole('button', { name: 'Delete User' }));
    expect(within(asked).getByText('Enter a reason')).toBeTruthy();
    await person.type(within(asked).getByRole('textbox', { name: /^Reason/ }), 'Asked in writing');
    await person.click(within(asked).getByRole('button', { name: 'Delete User' }));
    expect(sent.map(({ body }) => body)).toEqual([{ reason: 'Asked in writing' }]);
    const waiting = await dialog('Waiting for a second person');
    expect(waiting.textContent).toContain('Nothing has changed yet.');
    expect(within(waiting).getByRole('link', { name: 'View request' }).getAttribute('href')).toContain(
      `request=${id(2)}`,
    );
  });
});

test('a customer whom a colleague deleted in the meantime disappears from the filtered list at once', async () => {
  // Disable the 30-second polling, which would refetch the list anyway.
  const { setTimeout: start } = globalThis;
  vi.stubGlobal('setTimeout', (work: () => void, ms = 0) => (ms < 30_000 ? start(work, ms) : 0));
  const other: Record<string, unknown> = {
    [`DELETE users/${id(1)}`]: { status: 404, code: 'NOT_FOUND', message: 'This customer no longer exists.' },
  };
  await enter('operator', '?view=users&state=frozen', other);
  await person.click(await button('Delete Jun Takeda'));
  const asked = await dialog('Delete User');
  await person.type(within(asked).getByRole('textbox', { name: /^Reason/ }), 'Asked in writing');
  other['GET customers'] = { ...page, customers: [], totalCustomers: 0 };
  await person.click(within(asked).getByRole('button', { name: 'Delete User' }));
  await waitFor(() => expect(screen.queryByText(jun.email)).toBeNull());
});

test('after the notice that a credit waits for a second person, the focus is in the empty form [SD-03]', async () => {
  await enter('operator', '?view=credit', { 'POST transactions/admin-credit': { approval: credit } });
  const account = await screen.findByLabelText(/^Account Number/);
  await person.type(account, jun.accountNumber);
  await person.type(screen.getByLabelText(/^Amount/), '150000');
  await person.type(screen.getByLabelText(/^Description/), 'Sale of the house');
  await person.click(await button('Credit User'));
  const waiting = await dialog('Waiting for a second person');
  await person.click(within(waiting).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  await waitFor(() => expect(document.activeElement).toBe(account), waitOptions);
});

test('a credit that waits for a second person is reported once [SD-03]', async () => {
  await enter('operator', '?view=credit', { 'POST transactions/admin-credit': { approval: credit } });
  await person.type(await screen.findByLabelText(/^Account Number/), jun.accountNumber);
  await person.type(screen.getByLabelText(/^Amount/), '150000');
  await person.type(screen.getByLabelText(/^Description/), 'Sale of the house');
  await person.click(await button('Credit User'));
  const waiting = await dialog('Waiting for a second person');
  await person.click(within(waiting).getByRole('link', { name: 'View request' }));
  await person.click(within(await dialog('Credit Jun Takeda')).getByRole('button', { name: 'Close' }));
  await person.click(within(sidebar()).getByRole('link', { name: 'Credit User', hidden: true }));
  await screen.findByLabelText(/^Account Number/);
  expect(screen.queryByRole('dialog')).toBeNull();
});

describe('the page about a customer', () => {
  test('reports a rejection made on the page, whose customer is then gone', async () => {
    const other: Record<string, unknown> = {
      [`GET customers/${id(1)}`]: { ...jun, isApproved: false, state: 'pending' },
      [`GET users/${id(1)}/application`]: { ...jun, isApproved: false, registeredAt: at },
    };
    await enter('operator', customer, other);
    await person.click(await button('Review application'));
    await person.click(
      await within(await dialog('Application: Jun Takeda')).findByRole('button', { name: 'Reject' }),
    );
    const asked = await dialog('Reject the application of Jun Takeda?');
    await person.type(within(asked).getByRole('textbox', { name: /^Reason/ }), 'Not you');
    other[`GET customers/${id(1)}`] = {
      status: 404,
      code: 'NOT_FOUND',
      message: 'This customer no longer exists.',
    };
    await person.click(within(asked).getByRole('button', { name: 'Reject application' }));
    expect(await screen.findByText('This customer was deleted')).toBeTruthy();
    expect((await dialog('Success')).textContent).toContain('Done');
  });

  test('shows the date of birth only in the profile, and records that it was viewed [A-59]', async () => {
    const call = `users/${id(1)}/application`;
    const other = { [`GET ${call}`]: { ...jun, registeredAt: at, dateOfBirth: '1991-05-02' } };
    const { requested } = await enter('viewer', `${customer}&tab=notes`, other);
    expect(await screen.findByText('Called at noon.')).toBeTruthy();
    expect(requested.filter(url => url.endsWith(call))).toEqual([]);
    await person.click(screen.getByRole('tab', { name: 'Profile' }));
    // Not the date in the answer of `customerRecord`.
    expect(await screen.findByText(/May 2, 1991/)).toBeTruthy();
    expect(requested.filter(url => url.endsWith(call))).toHaveLength(1);
  });

  test('does not replace the date of birth while an administrator compares it in the open review [A-59]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const waiting = { ...jun, isApproved: false, state: 'pending' };
    const call = `users/${id(1)}/application`;
    const other: Record<string, unknown> = {
      [`GET customers/${id(1)}`]: waiting,
      [`GET ${call}`]: { ...waiting, registeredAt: at },
    };
    const { requested } = await enter('operator', customer, other);
    await person.click(await button('Review application'));
    const review = await dialog('Application: Jun Takeda');
    expect(await within(review).findByText(/May 2, 1990/)).toBeTruthy();
    const asked = (path: string) => requested.filter(url => url.endsWith(path)).length;
    const before = { application: asked(call), record: asked(`customers/${id(1)}`) };
    other[`GET ${call}`] = { ...waiting, registeredAt: at, dateOfBirth: '1992-05-02' };
    await vi.advanceTimersByTimeAsync(30_000);
    await waitFor(() => expect(asked(`customers/${id(1)}`)).toBeGreaterThan(before.record), waitOptions);
    expect(asked(call)).toBe(before.application);
    await person.click(within(review).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText(/May 2, 1992/)).toBeTruthy();
  });

  test('shows states, balance, identity, why the account is frozen, and waiting requests [SD-01]', async () => {
    await enter('operator', customer);
    expect(await screen.findByRole('heading', { name: 'Jun Takeda' })).toBeTruthy();
    for (const text of [
      'Approved',
      'ID document: Under review',
      '$250,000.00',
      '18 Meadow Row, Albany, New York 12207',
      'Frozen by Tove Asklund on Nov 20, 2026, 1:05 PM',
      'Three payments to a reported account.',
      '1 request about this customer is waiting.',
    ])
      expect(screen.getByText(text)).toBeTruthy();
  });

  test('says when the customer froze the account [SD-01, SD-14]', async () => {
    const { frozenBy: _, frozenReason: __, ...frozen } = jun;
    await enter('viewer', customer, {
      [`GET customers/${id(1)}`]: { ...frozen, isFrozenByCustomer: true },
    });
    expect(await screen.findByText('Frozen by the customer on Nov 20, 2026, 1:05 PM')).toBeTruthy();
  });

  test('is opened from the details of a user [SD-01]', async () => {
    const { address } = await enter('operator', '?view=users');
    await person.click(await button('View Jun Takeda'));
    await person.click(await screen.findByRole('link', { name: 'Open full page' }));
    await waitFor(() => expect(address.search).toBe(customer), waitOptions);
  });

  test('sends the reason for an act to the bank [SD-08]', async () => {
    const { sent } = await enter('operator', customer, {
      [`PUT freeze/${id(1)}`]: { userId: id(1), isFrozen: false },
    });
    await person.click(await button('Unfreeze account'));
    const asked = await dialog('Unfreeze the account of Jun Takeda?');
    await person.type(
      within(asked).getByRole('textbox', { name: /^Reason/ }),
      'Identity confirmed by phone.',
    );
    await person.click(within(asked).getByRole('button', { name: 'Unfreeze account' }));
    await waitFor(
      () =>
        expect(sent.map(({ body }) => body)).toEqual([
          { isFrozen: false, reason: 'Identity confirmed by phone.' },
        ]),
      waitOptions,
    );
  });

  test('takes notes [SD-08]', async () => {
    const { sent } = await enter('support', `${customer}&tab=notes`);
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'New note' });
    await person.type(field, 'Sends a new ID next week.');
    await person.click(await button('Save note'));
    await waitFor(() => expect(field.value).toBe(''), waitOptions);
    expect(sent).toMatchObject([
      { call: `POST users/${id(1)}/notes`, body: { text: 'Sends a new ID next week.' } },
    ]);
  });

  test('ends one session [SD-08]', async () => {
    const { sent } = await enter('support', `${customer}&tab=sessions`);
    await person.click(await button('End session on Chrome on Windows'));
    const asked = await dialog('End this session?');
    await person.click(within(asked).getByRole('button', { name: 'End session' }));
    await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ sessionId: id(7) }]), waitOptions);
  });

  test('sends an email again, but no security email [SD-08]', async () => {
    const { sent } = await enter('support', `${customer}&tab=mails`);
    await person.click(await button('Send again: You received $75.00'));
    await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ mailId: id(8) }]), waitOptions);
    expect(screen.queryByRole('button', { name: /login code/ })).toBeNull();
  });

  test('lists acts with who did them and why [SD-08]', async () => {
    await enter('viewer', `${customer}&tab=history`);
    const act = await screen.findByRole('row', { name: /Account frozen/ });
    expect(act.textContent).toContain('Tove Asklund');
    expect(act.textContent).toContain('Three payments to a reported account.');
  });

  test('says after a lost answer that the account is unfrozen now, without a button that repeats it [A-66, A-67]', async () => {
    const other: Record<string, unknown> = { [`PUT freeze/${id(1)}`]: new TypeError('Failed to fetch') };
    await enter('operator', customer, other);
    await person.click(await button('Unfreeze account'));
    const asked = await dialog('Unfreeze the account of Jun Takeda?');
    other[`GET customers/${id(1)}`] = { ...jun, isFrozen: false };
    await person.click(within(asked).getByRole('button', { name: 'Unfreeze account' }));
    expect(await within(asked).findByText(adminMessages.unfrozenBefore)).toBeTruthy();
    expect(within(asked).queryByRole('button', { name: 'Unfreeze account' })).toBeNull();
  });

  test('adds an act to the history when it is done on the page [SD-08]', async () => {
    const history = `GET users/${id(1)}/history`;
    const other: Record<string, unknown> = { [`PUT freeze/${id(1)}`]: { userId: id(1), isFrozen: false } };
    await enter('operator', `${customer}&tab=history`, other);
    await screen.findByRole('row', { name: /Account frozen/ });
    await person.click(await button('Unfreeze account'));
    const asked = await dialog('Unfreeze the account of Jun Takeda?');
    const { records, hasMore } = answers[history] as { records: object[]; hasMore: boolean };
    other[history] = {
      records: [{ ...records[0], _id: '10', action: 'customer.unfrozen' }, ...records],
      hasMore,
    };
    other[`GET customers/${id(1)}`] = { ...(answers[`GET customers/${id(1)}`] as object), isFrozen: false };
    await person.click(within(asked).getByRole('button', { name: 'Unfreeze account' }));
    expect(
      await screen.findByRole('row', { name: /Account unfrozen/, hidden: true }, waitOptions),
    ).toBeTruthy();
  });
});

test('once the removal of second factors is canceled, staff no longer read that they will be removed [A-68]', async () => {
  const withApp = { ...jun, factors: { hasApp: true, passkeys: 0 } };
  const asked = { ...withApp, factorReset: { effectiveAt: at, requestedBy: 'Ida Berg' } };
  const other: Record<string, unknown> = { [`GET customers/${id(1)}`]: withApp };
  await enter('operator', customer, other);
  await person.click(await button('Remove second factors'));
  const form = await dialog(/^Remove the second factors/);
  await person.type(within(form).getByRole('textbox'), 'Lost phone.');
  other[`GET customers/${id(1)}`] = asked;
  await person.click(within(form).getByRole('button', { name: 'Remove second factors' }));
  expect(await button('Cancel the removal')).toBeTruthy();
  expect(screen.getByText('Done')).toBeTruthy();
  // A freeze cancels the removal.
  other[`GET customers/${id(1)}`] = withApp;
  act(() => {
    window.dispatchEvent(new Event('visibilitychange'));
  });
  await waitFor(() => expect(screen.queryByText('Done')).toBeNull(), waitOptions);
});

test('after a lost answer about a removal of second factors, staff read the state that the page shows, not that the result is unknown [A-66, A-67, A-68]', async () => {
  const withApp = { ...jun, factors: { hasApp: true, passkeys: 0 } };
  const asked = { ...withApp, factorReset: { effectiveAt: at, requestedBy: 'Ida Berg' } };
  const lost = new TypeError('Failed to fetch');
  const other: Record<string, unknown> = {
    [`GET customers/${id(1)}`]: withApp,
    [`POST users/${id(1)}/reset-factors`]: lost,
    [`DELETE users/${id(1)}/reset-factors`]: lost,
  };
  const { sent } = await enter('operator', customer, other);
  await person.click(await button('Remove second factors'));
  const form = await dialog(/^Remove the second factors/);
  await person.type(within(form).getByRole('textbox'), 'Lost phone.');
  other[`GET customers/${id(1)}`] = asked;
  await person.click(within(form).getByRole('button', { name: 'Remove second factors' }));
  expect(await within(form).findByText(/^The second factors will be removed on/)).toBeTruthy();
  expect(within(form).queryByRole('button', { name: 'Remove second factors' })).toBeNull();
  await person.click(within(form).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  const cancel = await button('Cancel the removal');
  other[`GET customers/${id(1)}`] = withApp;
  await person.click(cancel);
  await waitFor(() => expect(cancel.isConnected).toBe(false), waitOptions);
  expect(screen.queryByText(words.actUnknown)).toBeNull();
  expect(document.activeElement?.textContent).toBe('Second factors');
  expect(sent).toHaveLength(2);
});

test('staff who press Esc in a form or a question with a typed reason are asked before it is discarded [G-16]', async () => {
  await enter('operator', customer);
  const leave = async (name: string | RegExp, field: RegExp) => {
    await person.type(within(await dialog(name)).getByLabelText(field), 'Saw the passport');
    await person.keyboard('{Escape}');
    const asks = await dialog('Leave without saving?');
    await person.click(within(asks).getByRole('button', { name: 'Stay' }));
    expect(within(await dialog(name)).getByLabelText<HTMLTextAreaElement>(field).value).toContain('Saw');
    await person.keyboard('{Escape}');
    await person.click(await button('Leave without saving'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  };
  await person.click(await button('Change name or email'));
  await leave('Change name or email', /^Proof/);
  await person.click(await button('Unfreeze account'));
  await leave(/Unfreeze/, /^Reason/);
});

test('an operator whose own request is waiting reads so, with a link to it, when the act is repeated [SD-03]', async () => {
  const message = staffMessages.ownSameRequest;
  const call = `PUT users/${id(1)}/details`;
  const refusal = { status: 409, code: 'CONFLICT', message, data: { requestId: id(3) } };
  await enter('operator', customer, { [call]: refusal });
  await person.click(await button('Change name or email'));
  const form = await dialog('Change name or email');
  await person.type(within(form).getByLabelText('Email'), 'x');
  await person.type(within(form).getByLabelText(/^Proof/), 'Saw the passport');
  await person.click(within(form).getByRole('button', { name: 'Save changes' }));
  const notice = await dialog('Waiting for a second person');
  expect(notice.textContent).toContain(message);
  const link = within(notice).getByRole<HTMLAnchorElement>('link', { name: 'View request' });
  expect(link.search).toContain(id(3));
});

describe('a freeze by the customer', () => {
  const frozen = { ...jun, profileImage: '', createdAt: at, isFrozenByCustomer: true };
  const users = { 'GET users': { ...page, users: [frozen], totalUsers: 1 } };

  test('is shown beside the switch, and again before the switch lifts it [SD-14]', async () => {
    const { sent } = await enter('operator', '?view=users', {
      ...users,
      [`PUT freeze/${id(1)}`]: { userId: id(1), isFrozen: false },
    });
    expect(await screen.findByText('By the customer')).toBeTruthy();
    await person.click(await screen.findByRole('switch', { name: /^Freeze account of Jun Takeda/ }));
    const asked = await dialog('Unfreeze the account of Jun Takeda?');
    expect(asked.textContent).toContain('The customer froze this account. Unfreezing ends');
    expect(sent).toEqual([]);
    await person.click(within(asked).getByRole('button', { name: 'Unfreeze account' }));
    await dialog('Success');
    expect(sent.map(({ body }) => body)).toEqual([{ isFrozen: false }]);
    expect(screen.queryByText('By the customer')).toBeNull();
  });

  test('is shown to roles without the switch, in the details, and in a filtered list [SD-14]', async () => {
    await enter('viewer', '?view=users', { ...users, [`GET users/${id(1)}`]: frozen });
    await person.click(await button('View Jun Takeda'));
    expect((await dialog('User Details')).textContent).toContain('Frozen by the customer');
    expect(screen.getByText('By the customer')).toBeTruthy();
    cleanup();
    const unapproved = { ...jun, state: 'pending', isFrozenByCustomer: true };
    await enter('operator', '?view=users&state=pending', {
      'GET customers': { ...page, customers: [unapproved], totalCustomers: 1 },
    });
    expect(await screen.findByText('By the customer')).toBeTruthy();
    expect(await screen.findByRole('switch', { checked: true })).toBeTruthy();
  });

  test('is shown together with a freeze by staff, in the list and in the details [SD-14]', async () => {
    const both = { ...frozen, isFrozenByStaff: true };
    await enter('operator', '?view=users', {
      'GET users': { ...page, users: [both], totalUsers: 1 },
      [`GET users/${id(1)}`]: both,
    });
    expect(await screen.findByText('By the customer and by staff')).toBeTruthy();
    await person.click(await button('View Jun Takeda'));
    const details = await dialog('User Details');
    expect(details.textContent).toContain('Frozen by the customer and by staff');
  });

  test('is shown again before an administrator lifts it [SD-14]', async () => {
    await enter('operator', customer, {
      [`GET customers/${id(1)}`]: { ...jun, isFrozenByCustomer: true },
    });
    expect(await screen.findByText('Frozen by the customer')).toBeTruthy();
    await person.click(await button('Unfreeze account'));
    const asked = await dialog('Unfreeze the account of Jun Takeda?');
    expect(asked.textContent).toContain('The customer froze this account. Unfreezing ends');
  });
});

test.each([
  [
    'transactions&type=transfer&search=rent&startDate=2026-11-03',
    'Type: Transfer',
    'Search: rent',
    'From Nov 3, 2026',
  ],
  ['users&state=frozen&document=review', 'State: Frozen', 'ID document: Under review'],
  ['audit&actorKind=admin&endDate=2026-11-03', 'Kind of actor: Administrator', 'To Nov 3, 2026'],
  ['requests&state=declined', 'Show: Declined'],
  ['messages&list=closed', 'Show: Closed'],
  ['unclaimed&list=paid', 'Show: Paid out'],
])('the printed list ?view=%s names its filters [X-21]', async (view, ...texts) => {
  await enter('owner', `?view=${view}`, { 'GET unclaimed': { ...page, balances: [], unclaimed: 0 } });
  for (const text of texts) expect(await screen.findByText(text)).toBeTruthy();
});

describe('a transaction', () => {
  const opened = `?view=transactions&transaction=${id(4)}`;
  const reverse = `POST transactions/${id(4)}/reverse`;

  async function press(reason: string) {
    const asked = await dialog('Reverse this transaction?');
    const field = within(asked).getByRole('textbox', { name: /^Reason/ });
    await person.clear(field);
    await person.type(field, reason);
    await person.click(within(asked).getByRole('button', { name: 'Reverse' }));
    return asked;
  }

  test('that credited an unclaimed balance says before it is reversed that the money goes back to the unclaimed balances [SD-24]', async () => {
    await enter('operator', opened, { [`GET transactions/${id(4)}`]: assigned });
    const sheet = await dialog('Transaction');
    expect(await within(sheet).findByText('Unclaimed balances')).toBeTruthy();
    await person.click(await button('Reverse'));
    const asked = await dialog('Reverse this transaction?');
    expect(asked.textContent).toContain('$75.00 goes back from Jun Takeda to Unclaimed balances');
  });

  test('whose reversal would pay a customer on the sanctions list says so before it is reversed [SX-14]', async () => {
    const { accountNumber: senderAccountNumber } = jun;
    const holder = answers['GET accounts/482109375527'] as object;
    await enter('operator', opened, {
      [`GET transactions/${id(4)}`]: { ...transfer, senderAccountNumber, timeline: [{ step: 'posted', at }] },
      'GET accounts/482109375527': { ...holder, screening: 'match' },
    });
    await person.click(await button('Reverse'));
    const asked = await dialog('Reverse this transaction?');
    expect(await within(asked).findByText('Confirmed match on the sanctions list')).toBeTruthy();
  });

  test('is reversed with a reason; a retry after a lost answer has the same key [SD-06]', async () => {
    const other: Record<string, unknown> = { [reverse]: new TypeError('Failed to fetch') };
    const { sent } = await enter('operator', opened, other);
    await person.click(await button('Reverse'));
    const asked = await press('Wrong account.');
    expect(await within(asked).findByText(/^We don’t know yet whether/)).toBeTruthy();
    other[reverse] = { ...transfer, _id: id(5), type: 'reversal' };
    await person.click(within(asked).getByRole('button', { name: 'Reverse' }));
    expect(await dialog('Success')).toBeTruthy();
    expect(sent.map(({ body }) => body)).toEqual([
      { reason: 'Wrong account.' },
      { reason: 'Wrong account.' },
    ]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(sent[0]?.key).toMatch(/^.{8,128}$/);
  });

  const held = {
    ...transfer,
    type: 'external-transfer',
    status: 'pending',
    receiver: undefined,
    externalBankDetails: { bankName: 'Citibank', accountName: 'N. Haddad', accountNumber: '7760918264' },
    timeline: [{ step: 'posted', at }],
    expectedBy: '2026-11-27',
  };
  const giveBack = `POST transactions/${id(4)}/return`;

  test('that is held by a freeze says so, and an operator returns it, even after a first refusal [SD-13]', async () => {
    const other: Record<string, unknown> = { [`GET transactions/${id(4)}`]: { ...held, isHeld: true } };
    other[giveBack] = { status: 409, code: 'CONFLICT', message: 'This payment isn’t being held.' };
    const { sent } = await enter('operator', opened, other);
    expect(await screen.findByText('This payment is held')).toBeTruthy();
    expect(within(await dialog('Transaction')).getByText('Held', { selector: '.Status' })).toBeTruthy();
    expect(screen.queryByText(/^Expected by/)).toBeNull();
    await person.click(await button('Return payment'));
    const asked = await dialog('Return this payment?');
    expect(asked.textContent).toContain('$75.00 goes back to Noor Haddad.');
    await person.click(within(asked).getByRole('button', { name: 'Return payment' }));
    expect(await within(asked).findByText('This payment isn’t being held.')).toBeTruthy();
    other[giveBack] = undefined;
    other[`GET transactions/${id(4)}`] = { ...held, status: 'failed' };
    await person.click(within(asked).getByRole('button', { name: 'Return payment' }));
    expect(await dialog('Success')).toBeTruthy();
    expect(sent.map(({ call }) => call)).toEqual([giveBack, giveBack]);
    await waitFor(() => expect(screen.queryByText('This payment is held')).toBeNull(), waitOptions);
  });

  test('that a colleague has just returned says so in the open dialog, without the button [A-67]', async () => {
    const other: Record<string, unknown> = { [`GET transactions/${id(4)}`]: { ...held, isHeld: true } };
    other[giveBack] = { status: 409, code: 'CONFLICT', message: limitsMessages.notHeld };
    await enter('operator', opened, other);
    await person.click(await button('Return payment'));
    const asked = await dialog('Return this payment?');
    other[`GET transactions/${id(4)}`] = { ...held, status: 'failed' };
    await person.click(within(asked).getByRole('button', { name: 'Return payment' }));
    expect(await within(asked).findByText(/^This payment was already returned or canceled/)).toBeTruthy();
    expect(asked.textContent).not.toContain('goes back to');
    expect(within(asked).queryByRole('button', { name: 'Return payment' })).toBeNull();
  });

  test('that is not held by a freeze, or that support opens, has no button that returns it [SD-13]', async () => {
    await enter('operator', opened, { [`GET transactions/${id(4)}`]: held });
    expect(await screen.findByText(/^Expected by/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Return payment' })).toBeNull();
    cleanup();
    await enter('support', opened, { [`GET transactions/${id(4)}`]: { ...held, isHeld: true } });
    expect(await screen.findByText('This payment is held')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Return payment' })).toBeNull();
  });

  test('of a large amount says before it is reversed that a second person must approve [SD-03]', async () => {
    await enter('operator', opened, {
      [`GET transactions/${id(4)}`]: { ...transfer, amount: 150_000, timeline: [{ step: 'posted', at }] },
    });
    await person.click(await button('Reverse'));
    const asked = await dialog('Reverse this transaction?');
    expect(await within(asked).findByText(/^This waits until a second operator/)).toBeTruthy();
  });

  test('that the bank refuses to reverse says that no money moved, and the next press has a new key [SD-06]', async () => {
    const refusal = { status: 400, code: 'INSUFFICIENT_BALANCE', message: staffMessages.reversalBalance };
    const { sent } = await enter('operator', opened, { [reverse]: refusal });
    await person.click(await button('Reverse'));
    const asked = await press('Wrong account.');
    expect(await within(asked).findByText(`${staffMessages.reversalBalance} No money moved.`)).toBeTruthy();
    await press('Wrong amount.');
    await waitFor(() => expect(new Set(sent.map(({ key }) => key)).size).toBe(2), waitOptions);
  });

  test('that a colleague has just reversed says so, does not claim that no money moved, and loses its button [A-67]', async () => {
    const other: Record<string, unknown> = {
      [reverse]: { status: 409, code: 'CONFLICT', message: staffMessages.reversedBefore },
    };
    await enter('operator', opened, other);
    await person.click(await button('Reverse'));
    other[`GET transactions/${id(4)}`] = {
      ...transfer,
      timeline: [{ step: 'posted', at }],
      reversedBy: id(5),
    };
    const asked = await press('Wrong account.');
    expect(await within(asked).findByText(staffMessages.reversedBefore)).toBeTruthy();
    expect(asked.textContent).not.toContain('No money moved');
    await waitFor(
      () => expect(within(asked).queryByRole('button', { name: 'Reverse' })).toBeNull(),
      waitOptions,
    );
    expect(within(asked).getByRole('button', { name: 'Close' })).toBeTruthy();
  });

  test.each(['operator', 'viewer'] as const)(
    'whose reversal waits for a second person links the role %s to the request, and cannot be reversed again [SD-06]',
    async role => {
      await enter(role, opened, {
        [`GET transactions/${id(4)}`]: {
          ...transfer,
          timeline: [{ step: 'posted', at }],
          reversalRequestId: id(6),
        },
      });
      const link = await screen.findByRole('link', { name: 'Waiting for a second person' });
      expect(link.getAttribute('href')).toBe(`/admin/dashboard?view=requests&request=${id(6)}`);
      expect(screen.queryByRole('button', { name: 'Reverse' })).toBeNull();
    },
  );

  test('that was reversed links to its reversal and cannot be reversed again [SD-06]', async () => {
    await enter('operator', opened, {
      [`GET transactions/${id(4)}`]: { ...transfer, timeline: [{ step: 'posted', at }], reversedBy: id(5) },
    });
    const link = await screen.findByRole('link', { name: 'View transaction' });
    expect(link.getAttribute('href')).toContain(id(5));
    expect(screen.queryByRole('button', { name: 'Reverse' })).toBeNull();
  });
});

const letter = {
  _id: id(6),
  at,
  name: 'Wilma Krol',
  email: 'wilma@mail.example',
  subject: 'A card',
  state: 'open',
};

test('support answers a message and closes it; a viewer only reads it [SD-32]', async () => {
  const other = {
    'GET messages': { ...page, messages: [{ ...letter, answers: 0 }], totalMessages: 1, forYou: 1 },
    [`GET messages/${id(6)}`]: { ...letter, message: 'Do you have one?', answers: [] },
  };
  const { sent } = await enter('support', `?view=messages&message=${id(6)}`, other);
  expect(sidebar().textContent).toContain('Messages1 waiting');
  const sheet = await dialog('A card');
  await person.click(await within(sheet).findByRole('button', { name: 'Send and close' }));
  expect(await within(sheet).findByText('Enter an answer')).toBeTruthy();
  await person.type(within(sheet).getByRole('textbox', { name: /^Answer/ }), 'Not yet.');
  await person.click(within(sheet).getByRole('button', { name: 'Send and close' }));
  await waitFor(
    () =>
      expect(sent).toEqual([
        {
          call: `POST messages/${id(6)}/answer`,
          body: { text: 'Not yet.', isDone: true, answersSeen: 0 },
          key: null,
        },
      ]),
    waitOptions,
  );
  cleanup();
  await enter('viewer', `?view=messages&message=${id(6)}`, other);
  expect(await screen.findByText('Do you have one?')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send and close' })).toBeNull();
});

test('when a colleague has answered first, the refusal of a second answer is in view, also once the colleague’s answer is shown [SD-32]', async () => {
  const shown: string[] = [];
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    shown.push(`${this.textContent} ${screen.queryByText('Tomorrow.')?.textContent}`);
  });
  const message = { ...letter, message: 'Do you have one?', answers: [] as object[] };
  const other: Record<string, unknown> = {
    'GET messages': { ...page, messages: [{ ...letter, answers: 0 }], totalMessages: 1, forYou: 1 },
    [`GET messages/${id(6)}`]: message,
    [`POST messages/${id(6)}/answer`]: {
      status: 409,
      code: 'CONFLICT',
      message: contactMessages.answeredBefore,
    },
  };
  await enter('support', `?view=messages&message=${id(6)}`, other);
  const sheet = await dialog('A card');
  await person.type(await within(sheet).findByRole('textbox', { name: /^Answer/ }), 'Not yet.');
  other[`GET messages/${id(6)}`] = {
    ...message,
    answers: [{ _id: id(7), text: 'Tomorrow.', at, authorName: 'Tove Asklund' }],
  };
  await person.click(within(sheet).getByRole('button', { name: 'Send and close' }));
  expect(await within(sheet).findByText('Tomorrow.')).toBeTruthy();
  await waitFor(() => expect(shown.at(-1)).toBe(`${contactMessages.answeredBefore} Tomorrow.`), waitOptions);
  scrolled.mockRestore();
});

test('the link to the customer asks before it discards a typed answer [SD-32]', async () => {
  const { address } = await enter('support', `?view=messages&message=${id(6)}`, {
    'GET messages': { ...page, messages: [{ ...letter, answers: 0 }], totalMessages: 1, forYou: 1 },
    [`GET messages/${id(6)}`]: {
      ...letter,
      message: 'Do you have one?',
      answers: [],
      customer: { _id: id(1), name: 'Jun Takeda' },
      isLoggedIn: true,
    },
  });
  const sheet = await dialog('A card');
  const field = await within(sheet).findByRole<HTMLTextAreaElement>('textbox', { name: /^Answer/ });
  await person.type(field, 'Not yet.');
  await person.click(within(sheet).getByRole('link', { name: 'Jun Takeda' }));
  await person.click(within(await dialog('Leave without saving?')).getByRole('button', { name: 'Stay' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Leave/ })).toBeNull(), waitOptions);
  expect(field.value).toBe('Not yet.');
  await person.click(within(sheet).getByRole('link', { name: 'Jun Takeda' }));
  await person.click(await button('Leave without saving'));
  await waitFor(() => expect(address.search).toBe(customer), waitOptions);
});

test('the sidebar asks before it discards a credit that was started [G-16]', async () => {
  const { address } = await enter('operator', '?view=credit');
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Amount/ });
  await person.type(field, '125');
  await person.click(within(sidebar()).getByRole('link', { name: 'Users' }));
  await person.click(within(await dialog('Leave without saving?')).getByRole('button', { name: 'Stay' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Leave/ })).toBeNull(), waitOptions);
  expect(field.value).toBe('125.00');
  await person.click(within(sidebar()).getByRole('link', { name: 'Users' }));
  await person.click(await button('Leave without saving'));
  await waitFor(() => expect(address.search).toBe('?view=users'), waitOptions);
});

test('the browser asks before it closes any view while the result of a credit is unknown [A-65]', async () => {
  const asksToStay = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const other: Record<string, unknown> = {
    'POST transactions/admin-credit': new TypeError('Failed to fetch'),
  };
  await enter('operator', '?view=credit', other);
  expect(asksToStay()).toBe(false);
  await person.type(await screen.findByRole('textbox', { name: /^Account Number/ }), jun.accountNumber);
  await person.type(screen.getByRole('textbox', { name: /^Amount/ }), '125');
  await person.type(screen.getByRole('textbox', { name: /^Description/ }), 'Gift');
  await person.click(await button('Credit User'));
  await person.click(within(await dialog('Result unknown')).getByRole('button', { name: 'Close' }));
  await person.click(within(sidebar()).getByRole('link', { name: 'Users' }));
  await screen.findByRole('heading', { name: 'Users' });
  expect(asksToStay()).toBe(true);
  other['POST transactions/admin-credit'] = transfer;
  await person.click(within(sidebar()).getByRole('link', { name: 'Credit User' }));
  await person.click(await button('Credit User'));
  await dialog('Success!');
  expect(asksToStay()).toBe(false);
});

test('another part of the customer’s page asks before it discards a note that was started [G-16]', async () => {
  const { address } = await enter('support', `${customer}&tab=notes`);
  await person.type(await screen.findByRole('textbox', { name: /^New note/ }), 'Called.');
  await person.click(screen.getByRole('tab', { name: 'Emails' }));
  await person.click(await button('Leave without saving'));
  await waitFor(() => expect(address.search).toBe(`${customer}&tab=mails`), waitOptions);
});

test('when a colleague closes a message first, the focus stays in its dialog, and nothing asks about the typed answer [SD-32]', async () => {
  const call = `GET messages/${id(6)}`;
  const other: Record<string, unknown> = {
    'GET messages': { ...page, messages: [], totalMessages: 0, forYou: 0 },
    [call]: { ...letter, message: 'Do you have one?', answers: [] },
    [`POST messages/${id(6)}/answer`]: { status: 409, code: 'CONFLICT', message: 'Already closed.' },
  };
  const { address } = await enter('support', `?view=messages&message=${id(6)}`, other);
  const sheet = await dialog('A card');
  await person.type(await within(sheet).findByRole('textbox', { name: /^Answer/ }), 'Not yet.');
  other[call] = { ...letter, message: 'Do you have one?', answers: [], state: 'closed' };
  await person.click(within(sheet).getByRole('button', { name: 'Send and close' }));
  await waitFor(() => expect(within(sheet).queryByRole('textbox')).toBeNull(), waitOptions);
  expect(document.activeElement).toBe(sheet);
  await person.click(within(sheet).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(address.search).toBe('?view=messages'), waitOptions);
});

test('staff no longer read that the result of an answer is unknown once the message is shown as closed [A-68]', async () => {
  const call = `GET messages/${id(6)}`;
  const shown = { ...letter, message: 'Do you have one?', answers: [] };
  const other: Record<string, unknown> = {
    'GET messages': { ...page, messages: [], totalMessages: 0, forYou: 0 },
    [call]: shown,
    [`POST messages/${id(6)}/close`]: new TypeError('Failed to fetch'),
  };
  await enter('support', `?view=messages&message=${id(6)}`, other);
  const sheet = await dialog('A card');
  const close = await within(sheet).findByRole('button', { name: 'Close without an answer' });
  const reading = Promise.withResolvers<object>();
  other[call] = reading.promise;
  await person.click(close);
  const unknown = await within(sheet).findByText(/^We don’t know yet/);
  reading.resolve({ ...shown, state: 'closed' });
  await waitFor(() => expect(close.isConnected).toBe(false), waitOptions);
  expect(unknown.isConnected).toBe(false);
});

/** Sends the answer 'Not yet.' to a message and loses the reply. Resolving `reading` answers the next read of the message. */
async function sendUnheardAnswer() {
  const call = `GET messages/${id(6)}`;
  const shown = { ...letter, message: 'Do you have one?', answers: [] };
  const other: Record<string, unknown> = {
    'GET messages': { ...page, messages: [], totalMessages: 0, forYou: 0 },
    [call]: shown,
    [`POST messages/${id(6)}/answer`]: new TypeError('Failed to fetch'),
  };
  await enter('support', `?view=messages&message=${id(6)}`, other);
  const sheet = await dialog('A card');
  const field = await within(sheet).findByRole<HTMLTextAreaElement>('textbox', { name: /^Answer/ });
  await person.type(field, 'Not yet.');
  const reading = Promise.withResolvers<object>();
  other[call] = reading.promise;
  await person.click(within(sheet).getByRole('button', { name: 'Send answer' }));
  await within(sheet).findByText(/^We don’t know yet/);
  return { sheet, field, shown, reading };
}

test('if an answer to a message was sent but the reply was lost, staff read that it was sent, and the field is empty [A-68]', async () => {
  const { sheet, field, shown, reading } = await sendUnheardAnswer();
  reading.resolve({ ...shown, answers: [{ _id: id(8), at, authorName: 'Ida', text: 'Not yet.' }] });
  expect(await within(sheet).findByText('Answer sent')).toBeTruthy();
  expect(field.value).toBe('');
});

test.for([
  ['answered', 'Another answer was sent first. Read it before you send yours.'],
  ['closed', 'This message is closed. Open it again before you answer.'],
] as const)(
  'if a colleague %s a message first and the refusal of a second answer was lost, staff read why it was refused [A-66]',
  async ([act, refusal]) => {
    const { sheet, field, shown, reading } = await sendUnheardAnswer();
    const others = [{ _id: id(8), at, authorName: 'Tove', text: 'Yes, since May.' }];
    reading.resolve({ ...shown, ...(act === 'closed' ? { state: 'closed' } : { answers: others }) });
    expect(await within(sheet).findByText(refusal)).toBeTruthy();
    // A closed message has no field. The text comes back when it is opened again.
    if (act === 'answered') expect(field.value).toBe('Not yet.');
  },
);

test('if a colleague took a message first, its dialog says so and offers to take it over [SD-32]', async () => {
  const read = `GET messages/${id(6)}`;
  const take = `POST messages/${id(6)}/assign`;
  const message = 'Tove Asklund has this now. You can take it over.';
  const owner = { _id: 'other', name: 'Tove Asklund' };
  const shown = { ...letter, message: 'Do you have one?', answers: [] };
  const other: Record<string, unknown> = {
    'GET messages': { ...page, messages: [], totalMessages: 0, forYou: 0 },
    [read]: { ...shown, state: 'open' },
    [take]: { status: 409, code: 'CONFLICT', message, data: { owner } },
  };
  const { sent } = await enter('support', `?view=messages&message=${id(6)}`, other);
  const sheet = await dialog('A card');
  const assign = await within(sheet).findByRole('button', { name: 'Assign to me' });
  other[read] = { ...shown, state: 'assigned', owner };
  await person.click(assign);
  expect(await within(sheet).findByText(message)).toBeTruthy();
  delete other[take];
  await person.click(await within(sheet).findByRole('button', { name: 'Take over from Tove Asklund' }));
  await waitFor(
    () => expect(sent.map(({ body }) => body)).toEqual([null, { takenFrom: 'other' }]),
    waitOptions,
  );
});

const unclaimed = { _id: id(4), reference: 'LB-1', amount: 40, at, origin: 'closing' };
const unclaimedPage = { ...page, balances: [unclaimed], totalBalances: 1, unclaimed: 40 };
const payOutCall = `POST unclaimed/${id(4)}/pay-out`;

/** Opens the form that pays out `unclaimed`. */
async function openPayout(more: Record<string, unknown> = {}) {
  const other: Record<string, unknown> = { 'GET unclaimed': unclaimedPage, ...more };
  const entered = await enter('operator', '?view=unclaimed', other);
  await person.click(await button('Pay out $40.00, LB-1'));
  const form = await dialog('Pay out $40.00');
  const pay = () => person.click(within(form).getByRole('button', { name: 'Pay out' }));
  return { ...entered, other, form, pay };
}

async function fillPayout(form: HTMLElement) {
  await person.type(within(form).getByLabelText(/^Bank name/), 'First Harbor');
  await person.type(within(form).getByLabelText(/^Name of the account holder/), 'Ines Caldeira');
  await person.type(within(form).getByLabelText(/^Account number/), '1234 5678');
  await person.type(within(form).getByLabelText(/^Reason/), 'Letter of Nov 20');
}

test('a payout whose answer was lost is sent again with the same key [SD-23]', async () => {
  const { sent, other, form, pay } = await openPayout({ [payOutCall]: new TypeError('connection lost') });
  await pay();
  expect(await within(form).findByText('Enter a reason')).toBeTruthy();
  expect(sent).toEqual([]);
  await fillPayout(form);
  await pay();
  expect(await within(form).findByText(/^We don’t know yet whether this balance was paid out/)).toBeTruthy();
  other[payOutCall] = transfer;
  await pay();
  expect(await dialog('Success')).toBeTruthy();
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect(sent.at(-1)!.body).toEqual({
    bankName: 'First Harbor',
    accountName: 'Ines Caldeira',
    accountNumber: '12345678',
    reason: 'Letter of Nov 20',
  });
});

test('a payout of a balance that a colleague has just paid out says so, and does not claim that no money moved [A-67]', async () => {
  const message = 'This balance was already paid out.';
  const { form, pay } = await openPayout({ [payOutCall]: { status: 409, code: 'CONFLICT', message } });
  await fillPayout(form);
  await pay();
  expect(await within(form).findByText(message)).toBeTruthy();
  expect(form.textContent).not.toContain('No money moved');
  expect(within(form).queryByRole('button', { name: 'Pay out' })).toBeNull();
  expect(document.activeElement).toBe(within(form).getByRole('button', { name: 'Close' }));
});

describe('an operator whose payout got no answer', () => {
  const none = { ...page, balances: [], totalBalances: 0, unclaimed: 0 };

  /** Presses "Pay out" in the completed form, without an answer. */
  async function loseAnswer() {
    const opened = await openPayout({ [payOutCall]: new TypeError('connection lost') });
    await fillPayout(opened.form);
    return opened;
  }

  const expectOver = async (form: HTMLElement, text: string) => {
    expect(await within(form).findByText(text)).toBeTruthy();
    expect(within(form).queryByText(/^We don’t know yet/)).toBeNull();
    expect(within(form).queryByRole('button', { name: 'Pay out' })).toBeNull();
    expect(document.activeElement).toBe(within(form).getByRole('button', { name: 'Close' }));
  };

  test.each([unclaimedMessages.paidBefore, staffMessages.sameRequest])(
    'reads why the bank refuses the repeated press, without a button that repeats it again: %s [A-67]',
    async message => {
      const { other, form, pay } = await loseAnswer();
      await pay();
      expect(await within(form).findByText(/^We don’t know yet/)).toBeTruthy();
      other[payOutCall] = { status: 409, code: 'CONFLICT', message };
      await pay();
      await expectOver(form, message);
    },
  );

  test('reads that the balance was paid out as soon as the list of paid balances has it [A-67]', async () => {
    const { other, form, pay } = await loseAnswer();
    other['GET unclaimed'] = (url: string) => (url.includes('list=paid') ? unclaimedPage : none);
    await pay();
    await expectOver(form, unclaimedMessages.paidBefore);
  });

  test('can still repeat it if the balance only moved to another page of the list [A-67]', async () => {
    const { other, form, pay } = await loseAnswer();
    other['GET unclaimed'] = none;
    await pay();
    expect(await within(form).findByText(/^We don’t know yet/)).toBeTruthy();
    expect(within(form).getByRole('button', { name: 'Pay out' })).toBeTruthy();
  });

  test('reads that a request is waiting as soon as the list shows it [A-67]', async () => {
    const { other, form, pay } = await loseAnswer();
    other['GET unclaimed'] = { ...unclaimedPage, balances: [{ ...unclaimed, requestId: id(2) }] };
    await pay();
    await expectOver(form, 'Waiting for a second person');
  });
});

test('a payout without a bank name says to enter the name, not to choose a bank [SD-23]', async () => {
  const { form, pay } = await openPayout();
  // The first field gets the focus, not the link to the transaction before it.
  await waitFor(
    () => expect(document.activeElement).toBe(within(form).getByRole('radio', { name: 'Another bank' })),
    waitOptions,
  );
  await pay();
  expect(await within(form).findByText('Please enter the bank’s name')).toBeTruthy();
  expect(within(form).queryByText('Please choose a bank')).toBeNull();
});

test('the list of users of a new bank says who will appear there', async () => {
  await enter('viewer', '?view=users', {
    'GET users': { ...page, users: [], totalUsers: 0 },
  });
  expect(await screen.findByText('Customers appear here after they register.')).toBeTruthy();
});

test('a payout that was reversed is not listed as completed, and links to its reversal [SD-24]', async () => {
  const paid = {
    transactionId: id(4),
    at,
    by: 'Tove Asklund',
    status: 'completed',
    accountNumber: jun.accountNumber,
    reversedBy: id(5),
  };
  await enter('viewer', '?view=unclaimed&list=paid', {
    'GET unclaimed': { ...unclaimedPage, balances: [{ ...unclaimed, paid }] },
  });
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Reversed' });
  expect(link.search).toContain(`transaction=${id(5)}`);
  expect(screen.queryByText('Completed')).toBeNull();
});

test('before a balance is paid to a customer on the sanctions list, the form says so [SX-14]', async () => {
  const holder = answers['GET accounts/482109375527'] as object;
  const { form } = await openPayout({ 'GET accounts/482109375527': { ...holder, screening: 'match' } });
  await person.click(within(form).getByRole('radio', { name: 'A customer' }));
  await person.type(within(form).getByLabelText(/Account Number/i), jun.accountNumber);
  expect(await within(form).findByText('Confirmed match on the sanctions list')).toBeTruthy();
});

test('an operator who presses Esc in a payout that was started is asked before it is discarded [G-16]', async () => {
  const { form } = await openPayout();
  const reason = within(form).getByLabelText<HTMLTextAreaElement>(/^Reason/);
  await person.type(reason, 'The heir asked.');
  await person.keyboard('{Escape}');
  await person.click(within(await dialog('Leave without saving?')).getByRole('button', { name: 'Stay' }));
  expect(reason.value).toBe('The heir asked.');
  await person.keyboard('{Escape}');
  const asked = await dialog('Leave without saving?');
  await person.click(within(asked).getByRole('button', { name: 'Leave without saving' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
});

test('the link to the transaction asks before it discards a payout that was started [G-16]', async () => {
  const { address, form } = await openPayout();
  const reason = within(form).getByLabelText<HTMLTextAreaElement>(/^Reason/);
  await person.type(reason, 'The heir asked.');
  const link = within(form).getByRole('link', { name: 'LB-1' });
  await person.click(link);
  await person.click(within(await dialog('Leave without saving?')).getByRole('button', { name: 'Stay' }));
  expect(reason.value).toBe('The heir asked.');
  await person.click(link);
  const asked = await dialog('Leave without saving?');
  await person.click(within(asked).getByRole('button', { name: 'Leave without saving' }));
  await waitFor(() => expect(address.search).toContain(`transaction=${id(4)}`), waitOptions);
  await waitFor(
    () => expect(screen.queryByRole('dialog', { name: 'Pay out $40.00' })).toBeNull(),
    waitOptions,
  );
});

test('the list of unclaimed balances says when it is empty [SD-23]', async () => {
  await enter('viewer', '?view=unclaimed', {
    'GET unclaimed': { ...page, balances: [], totalBalances: 0, unclaimed: 0 },
  });
  expect(await screen.findByText('No money from closed accounts is waiting to be paid out.')).toBeTruthy();
});

describe('the audit log', () => {
  const deletion = {
    _id: '12',
    at,
    actorKind: 'admin',
    actorId: 'other',
    actorName: 'Tove Asklund',
    action: 'customer.deleted',
    subject: id(1),
    subjectName: 'Closed account 4821 0937 5527',
    address: '127.0.0.1',
    details: '',
    isSealed: true,
    retainedUntil: '2031-11-20T18:05:00.000Z',
  };
  const { retainedUntil: _, ...another } = { ...deletion, _id: '11', subject: id(2) };
  const other: Record<string, unknown> = {
    'GET audit': { records: [deletion, another], actions: ['customer.deleted'], hasMore: false },
    [`POST retained/${id(1)}/open`]: {
      firstName: 'Nora',
      middleName: '',
      lastName: 'Quist',
      gender: 'female',
      dateOfBirth: '1990-05-02',
      address: '4 Meadow Row',
      city: 'Albany',
      region: 'New York',
      zipCode: '12207',
      email: 'nora@mail.example',
      phoneNumber: '2125550147',
      isVerified: false,
      closedAt: at,
      eraseAfter: deletion.retainedUntil,
    },
  };
  const named = 'Open retained data: Closed account 4821 0937 5527';

  test('has a shorter hint in its search field on a phone [SX-11]', async () => {
    const search = async (width: number) => {
      const measured = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width);
      await enter('auditor', '?view=audit', other);
      const { placeholder } = await screen.findByRole<HTMLInputElement>('searchbox');
      measured.mockRestore();
      cleanup();
      return placeholder;
    };
    expect((await search(328)).length).toBeLessThan(33);
    expect(await search(900)).toContain('reason, or IP address');
  });

  test('tells an auditor that the email of a removed registration belongs to someone else [KY-41]', async () => {
    const records = [{ ...deletion, action: 'registration.removed' }];
    await enter('auditor', '?view=audit', {
      ...other,
      'GET audit': { records, actions: [], hasMore: false },
    });
    await person.click(await button(named));
    const question = await dialog('Open retained data?');
    await person.type(within(question).getByRole('textbox', { name: 'Reason' }), 'Court order of Nov 20');
    await person.click(within(question).getByRole('button', { name: 'Open retained data' }));
    const sheet = await dialog('Retained data');
    expect(sheet.textContent).toContain('So the email belongs to someone else.');
  });

  test('lets an auditor open the retained data of a former customer, with a reason [KY-41]', async () => {
    const { sent } = await enter('auditor', '?view=audit', other);
    const opener = await button(named);
    await person.click(opener);
    const question = await dialog('Open retained data?');
    expect(question.textContent).toContain('until Nov 20, 2031');
    const open = within(question).getByRole('button', { name: 'Open retained data' });
    await person.click(open);
    expect(await within(question).findByText('Enter a reason')).toBeTruthy();
    expect(sent).toEqual([]);
    await person.type(within(question).getByRole('textbox', { name: 'Reason' }), 'Court order of Nov 20');
    await person.click(open);
    const sheet = await dialog('Retained data');
    for (const text of [
      'Closed account 4821 0937 5527',
      'Nora Quist',
      'nora@mail.example',
      'May 2, 1990',
      '4 Meadow Row, Albany, New York 12207',
      'The account was closed on Nov 20, 2026. We keep this data until Nov 20, 2031, and then erase it.',
    ])
      expect(within(sheet).getByText(text)).toBeTruthy();
    expect(sent).toMatchObject([
      { call: `POST retained/${id(1)}/open`, body: { reason: 'Court order of Nov 20' } },
    ]);
    await waitFor(() => expect(sheet.contains(document.activeElement)).toBe(true), waitOptions);
    await person.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(opener), waitOptions);
    // The data is not kept: opening it again asks for a reason again.
    await person.click(opener);
    expect(await dialog('Open retained data?')).toBeTruthy();
    expect(screen.queryByText('Nora Quist')).toBeNull();
  });

  test('says why retained data was not opened [KY-41]', async () => {
    const call = `POST retained/${id(1)}/open`;
    const message = 'The bank keeps no identification data about this customer';
    await enter('auditor', '?view=audit', {
      ...other,
      [call]: { status: 404, code: 'NOT_FOUND', message },
    });
    await person.click(await button(named));
    const question = await dialog('Open retained data?');
    await person.type(within(question).getByRole('textbox', { name: 'Reason' }), 'Court order of Nov 20');
    await person.click(within(question).getByRole('button', { name: 'Open retained data' }));
    expect(await within(question).findByText(message)).toBeTruthy();
  });

  test('offers no retained data to an owner, or for a customer without any [KY-41]', async () => {
    await enter('auditor', '?view=audit', other);
    expect(await screen.findAllByRole('button', { name: /^Open retained data/ })).toHaveLength(1);
    cleanup();
    await enter('owner', '?view=audit', other);
    expect(await screen.findAllByText('Closed account 4821 0937 5527')).toHaveLength(2);
    expect(screen.queryByRole('button', { name: /^Open retained data/ })).toBeNull();
  });
});

test('an operator takes an exception of the rail and resolves it with a note; a viewer only reads [RF-15]', async () => {
  const odd = {
    _id: id(9),
    reason: 'amount',
    at,
    file: 'camt054.xml',
    line: 2,
    kind: 'settled',
    amount: 10.01,
    currency: 'USD',
    keys: ['800000000000001'],
    accountNumber: '40218836117',
    partyName: '',
    code: '',
    text: '',
    transaction: { _id: id(4), reference: 'LB-0000-0000-0004' },
  };
  const refused = {
    _id: id(8),
    name: 'torn.xml',
    direction: 'in',
    format: '',
    state: 'refused',
    at,
    lines: 0,
    total: 0,
    currency: 'USD',
    exceptions: 0,
    sentBack: 0,
    reason: 'The XML is not well-formed.',
  };
  const other: Record<string, unknown> = {
    'GET rail/exceptions': { ...page, exceptions: [odd], totalExceptions: 1, open: 1 },
    'GET rail/files': { ...page, files: [refused], totalFiles: 1, waiting: 3 },
    [`POST rail/exceptions/${id(9)}/assign`]: odd,
    [`POST rail/exceptions/${id(9)}/resolve`]: odd,
  };
  const { sent } = await enter('operator', '?view=rail', other);
  expect(sidebar().textContent).toContain('Payment rail1 waiting');
  await person.click(
    await button('Assign to me: The amount is not that of the payment, camt054.xml, line 2'),
  );
  await person.click(await button('Resolve: The amount is not that of the payment, camt054.xml, line 2'));
  const asked = await dialog('Resolve this exception?');
  await person.type(within(asked).getByRole('textbox'), 'Called the other bank');
  await person.click(within(asked).getByRole('button', { name: 'Resolve exception' }));
  const call = `POST rail/exceptions/${id(9)}`;
  await waitFor(
    () =>
      expect(sent).toMatchObject([
        { call: `${call}/assign` },
        { call: `${call}/resolve`, body: { note: 'Called the other bank' } },
      ]),
    waitOptions,
  );
  cleanup();
  await enter('viewer', '?view=rail&list=in', other);
  const torn = (await screen.findByText('The XML is not well-formed.')).closest('tr')!;
  // The bank stores neither format nor lines nor total of a refused file.
  expect(within(torn).getAllByText('–')).toHaveLength(3);
  expect(screen.getByText('3 payments and returns wait for the next file.')).toBeTruthy();
  cleanup();
  await enter('viewer', '?view=rail', other);
  expect(await screen.findByText('camt054.xml, line 2')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Resolve/ })).toBeNull();
});

test('an operator retries a line that was not booked, even one that a colleague took, and reads why it failed [RF-40]', async () => {
  const failed = {
    _id: id(9),
    reason: 'failed',
    at,
    file: 'pacs008.xml',
    line: 1,
    kind: 'deposit',
    amount: 10,
    currency: 'USD',
    keys: [],
    accountNumber: '4000000001',
    partyName: 'Payroll',
    code: '',
    text: '',
  };
  const amount = { ...failed, _id: id(8), reason: 'amount', line: 2 };
  const retry = `POST rail/exceptions/${id(9)}/retry`;
  const other: Record<string, unknown> = {
    'GET rail/exceptions': { ...page, exceptions: [failed, amount], totalExceptions: 2, open: 2 },
    [retry]: {
      status: 409,
      code: 'CONFLICT',
      message: 'Ben has this now.',
      data: { owner: { _id: id(5), name: 'Ben' } },
    },
  };
  const { sent } = await enter('operator', '?view=rail', other);
  await person.click(await button(/^Try again: .*pacs008\.xml/));
  const refused = await dialog('Already assigned');
  const trying = Promise.withResolvers<object>();
  other[retry] = () => trying.promise;
  for (let i = 0; i < 2; i++) await person.click(within(refused).getByRole('button', { name: 'Try again' }));
  trying.resolve({
    status: 409,
    code: 'CONFLICT',
    message: 'Nothing was booked: Another deposit has this ID.',
  });
  expect(await screen.findByText('Nothing was booked: Another deposit has this ID.')).toBeTruthy();
  expect(sent).toMatchObject([{ call: retry }, { call: retry, body: { takenFrom: id(5) } }]);
  expect(screen.getAllByRole('button', { name: /^Try again/, hidden: true })).toHaveLength(1);
});

/** A deposit in a received file, which waits in the queue of the rail. */
const railException = {
  _id: id(9),
  reason: 'failed',
  at,
  file: 'harbor-1.xml',
  line: 6,
  kind: 'deposit',
  amount: 25,
  currency: 'EUR',
  keys: [],
  accountNumber: jun.accountNumber,
  customerId: jun._id,
  partyName: '',
  code: '',
  text: '',
};
const railFile = {
  _id: id(8),
  name: 'harbor-1.xml',
  direction: 'in',
  format: 'pacs.008',
  state: 'applied',
  at,
  lines: 8,
  total: 25,
  currency: 'EUR',
  exceptions: 1,
  sentBack: 0,
};

test('a received file shows its total in its currency, and none if its lines are in several [RF-43]', async () => {
  const mixed = { ...railFile, _id: id(7), name: 'mixed.xml', currency: null };
  const { currency: _, ...former } = { ...railFile, _id: id(6), name: 'dollars.xml', total: 30 };
  await enter('viewer', '?view=rail&list=in', {
    'GET rail/files': { ...page, files: [railFile, mixed, former], totalFiles: 3, waiting: 0 },
  });
  expect(await screen.findByText('25.00 EUR')).toBeTruthy();
  expect(screen.getByText('Several currencies')).toBeTruthy();
  expect(screen.queryByText('$25.00')).toBeNull();
  // A server of version 1.0.0 sends no currency.
  expect(screen.getByText('$30.00')).toBeTruthy();
});

test('support sees which deposits of a file were sent back, with account, sending bank and reason [RF-44]', async () => {
  const back = {
    _id: 'iso:1',
    line: 3,
    at,
    amount: 3,
    accountNumber: jun.accountNumber,
    bankName: 'Harbor Bank',
    reason: 'The account is not open yet',
    customerId: jun._id,
  };
  await enter('support', '?view=rail&list=in', {
    'GET rail/files': { ...page, files: [{ ...railFile, sentBack: 4 }], totalFiles: 1, waiting: 0 },
    [`GET rail/files/${id(8)}/sent-back`]: { ...page, deposits: [back], totalDeposits: 1 },
  });
  await person.click(await button('View 4 sent back: harbor-1.xml'));
  const sheet = within(await dialog('Deposits sent back'));
  expect(await sheet.findByText('The account is not open yet')).toBeTruthy();
  for (const text of ['harbor-1.xml', 'Harbor Bank', 'Line 3', '$3.00'])
    expect(sheet.getByText(text)).toBeTruthy();
  const link = sheet.getByRole<HTMLAnchorElement>('link', { name: jun.accountNumber });
  expect(link.search).toBe(customer);
});

test('staff read that a line that could not be booked was not sent back, and open the customer of its account [RF-38]', async () => {
  await enter('operator', '?view=rail', {
    'GET rail/exceptions': { ...page, exceptions: [railException], totalExceptions: 1, open: 1 },
  });
  const said =
    /^It isn’t booked, it isn’t tried again by itself, and it wasn’t sent back\. .* an operator can try it again\. Don’t credit it by hand/;
  expect(await screen.findByText(said)).toBeTruthy();
  expect(screen.getByText('25.00 EUR')).toBeTruthy();
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: jun.accountNumber });
  expect(link.search).toBe(customer);
  await person.click(await button(/^Resolve: /));
  const asked = within(await dialog('Resolve this exception?'));
  expect(asked.getByText(said)).toBeTruthy();
  expect(asked.getByText(/After that, it can’t be tried again\.$/)).toBeTruthy();
  cleanup();
  // The bank ended it itself, so no one is named.
  const resolved = {
    ...railException,
    assignedTo: { _id: id(5), name: 'Ben' },
    resolvedAt: at,
    note: 'Booked when it was tried again',
  };
  await enter('viewer', '?view=rail&list=resolved', {
    'GET rail/exceptions': { ...page, exceptions: [resolved], totalExceptions: 1, open: 0 },
  });
  expect(await screen.findByText('Booked when it was tried again')).toBeTruthy();
  expect(screen.queryByText(/isn’t booked/)).toBeNull();
  expect(screen.getByText('System')).toBeTruthy();
  expect(screen.queryByText('Ben')).toBeNull();
});

test.each([
  ['currency', 'The currency is not US dollars'],
  ['mismatch', 'Another deposit has this ID'],
])(
  'staff read that a deposit with the exception "%s" was neither booked nor sent back, and that they must not credit it [RF-12]',
  async (reason, said) => {
    const notice = { ...railException, _id: id(8), reason, kind: 'settled' };
    const transaction = { _id: id(4), reference: 'LB-0000-0000-0004' };
    await enter('operator', '?view=rail', {
      'GET rail/exceptions': {
        ...page,
        exceptions: [{ ...railException, reason, ...(reason === 'mismatch' && { transaction }) }, notice],
        totalExceptions: 2,
        open: 2,
      },
    });
    const note =
      'This deposit wasn’t booked and wasn’t sent back. Don’t credit it by hand. Ask the other bank to recall it.';
    expect(await screen.findByText(note)).toBeTruthy();
    expect(screen.getAllByText(said)).toHaveLength(2);
    const link = screen.queryByRole('link', { name: transaction.reference });
    expect(link?.parentElement?.textContent).toBe(
      reason === 'mismatch' ? `The other deposit: ${transaction.reference}` : undefined,
    );
    await person.click((await screen.findAllByRole('button', { name: /^Resolve: / }))[0]!);
    expect(within(await dialog('Resolve this exception?')).getByText(note)).toBeTruthy();
  },
);

test('once an exception whose resolution got no answer has left the list, the earlier message is gone, and the dialog keeps its name but no button [RF-14]', async () => {
  const other: Record<string, unknown> = {
    'GET rail/exceptions': { ...page, exceptions: [railException], totalExceptions: 1, open: 1 },
    [`POST rail/exceptions/${id(9)}/assign`]: railException,
    [`POST rail/exceptions/${id(9)}/resolve`]: new TypeError('Failed to fetch'),
  };
  await enter('operator', '?view=rail', other);
  await person.click(await button(/^Assign to me: /));
  expect(await screen.findByText('Done')).toBeTruthy();
  await person.click(await button(/^Resolve: /));
  const asked = within(await dialog('Resolve this exception?'));
  await person.type(asked.getByRole('textbox'), 'Called the other bank');
  other['GET rail/exceptions'] = { ...page, exceptions: [], totalExceptions: 0, open: 0 };
  await person.click(asked.getByRole('button', { name: 'Resolve exception' }));
  expect(
    await asked.findByText(
      'It left this list, so it may be resolved or closed already. Look in the other list before you try again.',
    ),
  ).toBeTruthy();
  expect(asked.queryByRole('button', { name: 'Resolve exception' })).toBeNull();
  expect(asked.getByText(new RegExp(railException.file))).toBeTruthy();
  expect(asked.queryByText(/^It leaves the queue/)).toBeNull();
  expect(screen.queryByText('Done')).toBeNull();
});

test('the day end shows balances and held payments, and a started proof shows its progress [SD-26, SD-27]', async () => {
  const proof = {
    _id: id(8),
    startedAt: at,
    isWhole: true,
    state: 'running',
    records: 50,
    allRecords: 200,
    transactions: 90,
    faults: [],
  };
  const none = { count: 0, amount: 0 };
  const dayEnd = {
    at,
    accounts: 2,
    balances: { customers: 90, treasury: -100, clearing: 10, unclaimed: 0 },
    onTheWay: { pending: { count: 1, amount: 10 }, held: { count: 1, amount: 10 }, overdue: none },
    days: [],
  };
  const other: Record<string, unknown> = {
    'GET day-end': dayEnd,
    [`GET proofs/${id(8)}`]: proof,
    'POST proofs': proof,
  };
  await enter('operator', '?view=day-end', other);
  const balances = await screen.findByRole('region', { name: 'Balances now' });
  expect(balances.textContent).toContain('Total$0.00');
  expect(screen.getByRole('region', { name: 'Payments to other banks' }).textContent).toContain(
    'Of these, held by a freeze (1 payment)$10.00',
  );
  other['GET day-end'] = { ...dayEnd, proof };
  await person.click(await button('Prove the books'));
  expect(await screen.findByText('25%', { selector: '.Progress-percent' })).toBeTruthy();
  expect(screen.queryByText('The total is not $0.00')).toBeNull();
  cleanup();
  other['GET day-end'] = { ...dayEnd, balances: { ...dayEnd.balances, clearing: 9.99 } };
  await enter('operator', '?view=day-end', other);
  expect(await screen.findByText('The total is not $0.00')).toBeTruthy();
});

test('a name is changed with a proof, and the form says that the document must be verified again [SD-28, SD-29]', async () => {
  const call = `PUT users/${id(1)}/details`;
  const verified = { ...jun, isVerified: true, document: 'verified' };
  const { sent } = await enter('operator', customer, {
    [`GET customers/${id(1)}`]: verified,
    [`GET users/${id(1)}/changes`]: [],
    [call]: verified,
  });
  await person.click(await button('Change name or email'));
  const form = await dialog('Change name or email');
  expect(form.textContent).toContain('After a name change, the ID document must be verified again.');
  await person.type(within(form).getByLabelText('Last name'), 'ni');
  await person.type(within(form).getByLabelText(/^Proof/), 'Saw the passport');
  await person.click(within(form).getByRole('button', { name: 'Save changes' }));
  await waitFor(
    () => expect(sent).toMatchObject([{ call, body: { lastName: 'Takedani', reason: 'Saw the passport' } }]),
    waitOptions,
  );
});

describe('the staff', () => {
  test('get another role from an owner, who cannot manage their own account [SD-04]', async () => {
    const { sent } = await enter('owner', '?view=staff', {
      [`PUT staff/${id(5)}/role`]: { ...tove, role: 'operator' },
    });
    await person.click(await button('Manage Tove Asklund'));
    expect(screen.queryByRole('button', { name: `Manage ${ida.name}` })).toBeNull();
    const sheet = await dialog('Tove Asklund');
    await person.selectOptions(within(sheet).getByRole('combobox', { name: 'Role' }), 'operator');
    await person.click(within(sheet).getByRole('button', { name: 'Change role' }));
    await waitFor(() => expect(sent).toMatchObject([{ body: { role: 'operator' } }]), waitOptions);
    expect(await within(sheet).findByText('Done')).toBeTruthy();
  });

  test('no longer read that a new role waits once it is decided [A-68]', async () => {
    const other: Record<string, unknown> = { [`PUT staff/${tove._id}/role`]: { approval: credit } };
    await enter('owner', '?view=staff', other);
    await person.click(await button('Manage Tove Asklund'));
    const sheet = await dialog('Tove Asklund');
    await person.selectOptions(within(sheet).getByLabelText(/^Role/), 'operator');
    await person.click(within(sheet).getByRole('button', { name: 'Change role' }));
    expect(await within(sheet).findByText(/Nothing has changed yet/)).toBeTruthy();
    other['GET staff'] = [{ ...tove, role: 'operator' }];
    other[`GET requests/${id(2)}`] = { ...credit, status: 'done' };
    // The page gets the focus back, and reads its data again.
    act(() => {
      window.dispatchEvent(new Event('visibilitychange'));
    });
    await waitFor(() => expect(within(sheet).queryByText(/Nothing has changed yet/)).toBeNull(), waitOptions);
  });

  test('show the role that a member has, not one that was chosen and refused or given up [A-68]', async () => {
    const message = 'The last owner keeps the role.';
    await enter('owner', '?view=staff', {
      [`PUT staff/${tove._id}/role`]: { status: 409, code: 'CONFLICT', message },
    });
    await person.click(await button('Manage Tove Asklund'));
    const sheet = () => screen.getByRole('dialog', { name: 'Tove Asklund' });
    const role = () => within(sheet()).getByLabelText<HTMLSelectElement>(/^Role/);
    expect(sheet().textContent).toContain('RoleSupport');
    await person.selectOptions(role(), 'owner');
    await person.click(within(sheet()).getByRole('button', { name: 'Change role' }));
    expect(await within(sheet()).findByText(message)).toBeTruthy();
    expect(role().value).toBe('support');
    await person.selectOptions(role(), 'owner');
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
    await person.click(await button('Manage Tove Asklund'));
    expect(role().value).toBe('support');
  });

  test('no longer read an act’s outcome once it is outdated, and Enter right after the act does not undo it [A-68]', async () => {
    const other: Record<string, unknown> = {
      [`POST staff/${tove._id}/disable`]: { ...tove, state: 'disabled' },
    };
    await enter('owner', '?view=staff', other);
    const refresh = () => act(() => void window.dispatchEvent(new Event('visibilitychange')));
    await person.click(await button('Manage Tove Asklund'));
    const sheet = await dialog('Tove Asklund');
    await person.click(within(sheet).getByRole('button', { name: 'Disable' }));
    other['GET staff'] = [ida, { ...tove, state: 'disabled', sessions: 0 }];
    await person.click(within(await dialog(/^Disable/)).getByRole('button', { name: 'Disable' }));
    expect(await within(sheet).findByRole('button', { name: 'Enable' })).toBeTruthy();
    expect(within(sheet).getByText('Done')).toBeTruthy();
    await waitFor(
      () => expect(document.activeElement).toBe(within(sheet).getByRole('button', { name: 'Close' })),
      waitOptions,
    );
    other['GET staff'] = [ida, tove];
    refresh();
    await waitFor(() => expect(within(sheet).queryByText('Done')).toBeNull(), waitOptions);
    expect(within(sheet).getByRole('button', { name: 'Disable' })).toBeTruthy();

    const message = staffMessages.sameRequest;
    other[`PUT staff/${tove._id}/role`] = { status: 409, code: 'CONFLICT', message };
    const asked = { ...credit, kind: 'role', member: { _id: tove._id, name: tove.name } };
    other['GET requests'] = { ...page, requests: [asked], totalRequests: 1, waiting: 1, forYou: 1 };
    await person.selectOptions(within(sheet).getByLabelText(/^Role/), 'operator');
    await person.click(within(sheet).getByRole('button', { name: 'Change role' }));
    expect(await within(sheet).findByText(message)).toBeTruthy();
    await waitFor(() => expect(sidebar().textContent).toContain('Requests1'), waitOptions);
    expect(within(sheet).getByText(message)).toBeTruthy();
    other['GET requests'] = { ...page, requests: [], totalRequests: 0, waiting: 0, forYou: 0 };
    refresh();
    await waitFor(() => expect(within(sheet).queryByText(message)).toBeNull(), waitOptions);
  });

  test('read after a lost answer that the act took effect, without a button that repeats it [A-66, A-67]', async () => {
    const lost = new TypeError('Failed to fetch');
    const other: Record<string, unknown> = { [`POST staff/${tove._id}/disable`]: lost, 'POST staff': lost };
    await enter('owner', '?view=staff', other);
    await person.click(await button('Manage Tove Asklund'));
    await person.click(await button('Disable'));
    const asked = await dialog('Disable Tove Asklund?');
    other['GET staff'] = [ida, { ...tove, state: 'disabled', sessions: 0 }];
    await person.click(within(asked).getByRole('button', { name: 'Disable' }));
    expect(await within(asked).findByText('This administrator is disabled now.')).toBeTruthy();
    expect(within(asked).queryByRole('button', { name: 'Disable' })).toBeNull();
    await person.keyboard('{Escape}{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);

    await person.click(await button('Invite'));
    const form = await dialog('Invite an administrator');
    await person.type(within(form).getByRole('textbox', { name: 'Name' }), 'Ilan Brooks');
    await person.type(within(form).getByRole('textbox', { name: 'Email' }), 'Ilan@larkspur.example');
    const ilan = {
      ...tove,
      _id: id(8),
      name: 'Ilan Brooks',
      email: 'ilan@larkspur.example',
      state: 'invited',
    };
    other['GET staff'] = [ida, tove, ilan];
    await person.click(within(form).getByRole('button', { name: 'Send invitation' }));
    expect(
      await within(form).findByText('An administrator with this email is in the list now.'),
    ).toBeTruthy();
    expect(within(form).queryByRole('button', { name: 'Send invitation' })).toBeNull();
  });

  test('no longer read that the result of a password link is unknown once the link is shown [A-68]', async () => {
    const other: Record<string, unknown> = {
      [`POST staff/${tove._id}/reset`]: new TypeError('Failed to fetch'),
    };
    await enter('owner', '?view=staff', other);
    await person.click(await button('Manage Tove Asklund'));
    const sheet = await dialog('Tove Asklund');
    await person.click(within(sheet).getByRole('button', { name: /password link/ }));
    expect(await within(sheet).findByText(words.actUnknown)).toBeTruthy();
    other['GET staff'] = [ida, { ...tove, linkExpiresAt: at }];
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    expect(await within(sheet).findByText('Link works until')).toBeTruthy();
    expect(within(sheet).queryByText(words.actUnknown)).toBeNull();
  });

  test('read that their own request for a role is waiting, with a link to it, when they repeat it [SD-03]', async () => {
    const message = staffMessages.ownSameRequest;
    await enter('owner', '?view=staff', {
      [`PUT staff/${tove._id}/role`]: {
        status: 409,
        code: 'CONFLICT',
        message,
        data: { requestId: id(3) },
      },
    });
    await person.click(await button('Manage Tove Asklund'));
    const sheet = await dialog('Tove Asklund');
    await person.selectOptions(within(sheet).getByLabelText(/^Role/), 'operator');
    await person.click(within(sheet).getByRole('button', { name: 'Change role' }));
    expect(await within(sheet).findByText(message)).toBeTruthy();
    const link = await within(sheet).findByRole<HTMLAnchorElement>('link', { name: 'View request' });
    expect(link.search).toContain(id(3));
  });

  test('read that their own request for an invitation is waiting, with a link to it, when they repeat it [SD-03]', async () => {
    const refusal = { status: 409, code: 'CONFLICT', message: staffMessages.ownSameRequest };
    await enter('owner', '?view=staff', { 'POST staff': { ...refusal, data: { requestId: id(3) } } });
    await person.click(await button('Invite'));
    const form = within(await dialog('Invite an administrator'));
    await person.type(form.getByRole('textbox', { name: 'Name' }), 'Ilan Brooks');
    await person.type(form.getByRole('textbox', { name: 'Email' }), 'ilan@larkspur.example');
    await person.click(form.getByRole('button', { name: 'Send invitation' }));
    const notice = within(await dialog('Waiting for a second person'));
    const link = notice.getByRole<HTMLAnchorElement>('link', { name: 'View request' });
    expect(link.search).toContain(id(3));
  });

  test('keep the role that they chose when the answer is lost, so the same press asks again [A-66]', async () => {
    const call = `PUT staff/${tove._id}/role`;
    const other: Record<string, unknown> = { [call]: new TypeError('Failed to fetch') };
    const { sent } = await enter('owner', '?view=staff', other);
    await person.click(await button('Manage Tove Asklund'));
    const sheet = within(await dialog('Tove Asklund'));
    await person.selectOptions(sheet.getByLabelText(/^Role/), 'operator');
    const change = sheet.getByRole('button', { name: 'Change role' });
    await person.click(change);
    expect(
      await sheet.findByText(
        'We don’t know yet whether this was requested. Check in Requests before you try again.',
      ),
    ).toBeTruthy();
    expect(sheet.getByLabelText<HTMLSelectElement>(/^Role/).value).toBe('operator');
    delete other[call];
    await person.click(change);
    await waitFor(() => expect(sent.map(({ call }) => call)).toEqual([call, call]), waitOptions);
    expect(sheet.queryByText('Choose another role first.')).toBeNull();
  });

  test('see the limit for a second person, with thousands separators, in the form that changes it [SD-04]', async () => {
    await enter('owner', '?view=staff');
    await person.click(await button('Change amount'));
    const field = await screen.findByLabelText<HTMLInputElement>(/^Second person from/);
    expect(field.value).toBe('100,000.00');
  });

  test('get a new member by an invitation with name, email and role [SD-04]', async () => {
    const { sent } = await enter('owner', '?view=staff');
    await person.click(await button('Invite'));
    const asked = await dialog('Invite an administrator');
    await person.click(within(asked).getByRole('button', { name: 'Send invitation' }));
    expect(within(asked).getByText('Enter a name')).toBeTruthy();
    // The focus goes to the first wrong field in the form's order, not in the call's order.
    const name = within(asked).getByRole('textbox', { name: 'Name' });
    expect(document.activeElement).toBe(name);
    await person.type(name, 'Ilan Brooks');
    expect(within(asked).queryByText('Enter a name')).toBeNull();
    await person.type(within(asked).getByRole('textbox', { name: 'Email' }), 'ilan@larkspur.example');
    await person.selectOptions(within(asked).getByRole('combobox'), 'auditor');
    await person.click(within(asked).getByRole('button', { name: 'Send invitation' }));
    await waitFor(
      () =>
        expect(sent).toMatchObject([
          {
            call: 'POST staff',
            body: { name: 'Ilan Brooks', email: 'ilan@larkspur.example', role: 'auditor' },
          },
        ]),
      waitOptions,
    );
  });

  test('read that disabling ends an administrator’s sessions, or the link of an invitation [SD-04]', async () => {
    for (const [state, text] of [
      ['active', /^Every session ends/],
      ['invited', /^The invitation link stops working\./],
    ] as const) {
      await enter('owner', '?view=staff', { 'GET staff': [ida, { ...tove, state }] });
      await person.click(await button('Manage Tove Asklund'));
      await person.click(await button('Disable'));
      expect(await screen.findByText(text)).toBeTruthy();
      cleanup();
    }
  });

  test('are asked before an administrator is logged out everywhere, and can say why [SD-04]', async () => {
    const { sent } = await enter('owner', '?view=staff', { 'GET staff': [ida, { ...tove, sessions: 2 }] });
    await person.click(await button('Manage Tove Asklund'));
    await person.click(await button('End sessions'));
    const question = await dialog('End the sessions of Tove Asklund?');
    expect(sent).toEqual([]);
    await person.type(within(question).getByRole('textbox'), 'Lost laptop');
    await person.click(within(question).getByRole('button', { name: 'End sessions' }));
    await waitFor(
      () =>
        expect(sent).toMatchObject([
          { call: `POST staff/${tove._id}/end-sessions`, body: { reason: 'Lost laptop' } },
        ]),
      waitOptions,
    );
  });

  test('with a passkey do not read that their password alone is enough to log in [SD-05]', async () => {
    const passkeys = [{ _id: id(8), name: 'Desk key', createdAt: at }];
    await enter('support', '?view=account', { 'GET passkeys': passkeys });
    expect(await screen.findByText(/^Not set up. You log in with a passkey/)).toBeTruthy();
    expect(screen.queryByText(/password alone/)).toBeNull();
  });

  test('who confirm a change with empty fields read so in that dialog, and nothing is sent [SD-05]', async () => {
    const { sent } = await enter('support', '?view=account', {
      'GET totp': { isEnabled: true, recoveryCodesLeft: 10, mustEnroll: false },
      'GET passkeys': [{ _id: id(8), name: 'Desk key', createdAt: at }],
    });
    await person.click(await button('Remove Desk key'));
    await person.click(await button('Remove'));
    const asked = await dialog('Confirm that it’s you');
    await person.type(within(asked).getByLabelText('Password'), 'meadow-larks');
    await person.click(within(asked).getByRole('button', { name: 'Continue' }));
    expect(within(asked).getByText('Please fill in all fields')).toBeTruthy();
    expect(sent).toEqual([]);
  });

  test('change their own password, and read their role [SD-05]', async () => {
    const { sent } = await enter('support', '?view=account');
    expect(await screen.findByText(/^Can see customers and transactions, write notes/)).toBeTruthy();
    for (const name of ['Name and role', 'Password', 'Authenticator app', 'Passkeys'])
      expect(screen.getByRole('heading', { level: 2, name })).toBeTruthy();
    await person.type(await screen.findByLabelText('Current password'), 'meadow-larks');
    await person.type(screen.getByLabelText('New password'), 'a long sentence');
    await person.type(screen.getByLabelText('New password again'), 'another sentence');
    await person.click(await button('Change password'));
    expect(screen.getByText('The passwords don’t match')).toBeTruthy();
    await person.clear(screen.getByLabelText('New password again'));
    await person.type(screen.getByLabelText('New password again'), 'a long sentence');
    await person.click(await button('Change password'));
    await waitFor(
      () =>
        expect(sent).toMatchObject([
          {
            call: 'PUT password',
            body: { currentPassword: 'meadow-larks', newPassword: 'a long sentence' },
          },
        ]),
      waitOptions,
    );
  });
});

describe('the approvals', () => {
  const waiting = (n: number, firstName: string, isViewed: boolean) => ({
    _id: id(n),
    firstName,
    lastName: 'Field',
    email: `${firstName}@mail.example`,
    accountNumber: jun.accountNumber,
    avatar: { url: '' },
    idCard: isViewed ? { url: '/id' } : null,
    waitingSince: at,
    ...(isViewed && { isViewed }),
  });
  const queue = {
    ...page,
    customers: [waiting(5, 'Ada', true), waiting(6, 'Bo', false), waiting(7, 'Cy', true)],
    totalCustomers: 3,
    ready: 3,
  };

  test('approve the selected viewed applications with one press, each with its own result [SD-17]', async () => {
    const { sent } = await enter('operator', '?view=approvals', {
      'GET approvals': queue,
      [`PUT approve/${id(7)}`]: { status: 409, code: 'CONFLICT', message: 'Decide the match first.' },
    });
    expect(await screen.findByRole('checkbox', { name: 'Select Ada Field' })).toBeTruthy();
    expect(screen.queryByRole('checkbox', { name: 'Select Bo Field' })).toBeNull();
    await person.click(screen.getByRole('checkbox', { name: 'Select the 2 applications that you viewed' }));
    await person.click(await button('Approve 2 selected'));
    expect(await screen.findByText('1 account was approved, 1 was not approved')).toBeTruthy();
    const approved = screen.getByRole<HTMLAnchorElement>('link', { name: 'Ada Field' });
    expect(approved.parentElement!.textContent).toBe('Ada Field: Done');
    expect(approved.search).toBe(`?view=customer&customer=${id(5)}`);
    expect(screen.getByText('Cy Field: Decide the match first.')).toBeTruthy();
    expect(sent.map(({ call }) => call)).toEqual([`PUT approve/${id(5)}`, `PUT approve/${id(7)}`]);
    expect(sent[0]!.body).toEqual({ isIdRequested: false });
  });

  test('say what was approved before and what is unknown after lost answers, and the list is read again [A-66]', async () => {
    const other: Record<string, unknown> = {
      'GET approvals': queue,
      [`PUT approve/${id(5)}`]: new Response(
        JSON.stringify({ success: true, message: adminMessages.approvedBefore, data: null }),
      ),
      [`PUT approve/${id(7)}`]: new TypeError('Failed to fetch'),
    };
    const { requested } = await enter('operator', '?view=approvals', other);
    await person.click(
      await screen.findByRole('checkbox', { name: 'Select the 2 applications that you viewed' }),
    );
    const reads = () => requested.filter(url => url.endsWith('/approvals')).length;
    const before = reads();
    other['GET approvals'] = new TypeError('Failed to fetch');
    await person.click(await button('Approve 2 selected'));
    expect(
      await screen.findByText('0 accounts were approved, 1 was already approved, the result of 1 is unknown'),
    ).toBeTruthy();
    const unknown = screen.getByRole('link', { name: 'Cy Field' }).parentElement!;
    await waitFor(() => expect(reads()).toBeGreaterThan(before), waitOptions);
    await act(async () => {});
    expect(unknown.textContent).toContain('If you can’t see here that it was, try again.');
    other['GET approvals'] = queue;
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    await waitFor(
      () => expect(unknown.textContent).toContain('Still in the list. You can approve it again'),
      waitOptions,
    );
    expect(unknown.textContent).not.toContain('Check before you try again');
    other['GET approvals'] = { ...queue, customers: queue.customers.slice(0, 2), totalCustomers: 2 };
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(unknown.textContent).toContain('No longer waiting.'), waitOptions);
    expect(unknown.textContent).not.toContain('We don’t know');
  });

  test('never say that an approval was not made if its answer was lost [A-66]', async () => {
    const other: Record<string, unknown> = {
      'GET approvals': queue,
      [`PUT approve/${id(5)}`]: new TypeError('Failed to fetch'),
    };
    await enter('operator', '?view=approvals', other);
    const approve = await button('Approve Ada Field');
    other['GET approvals'] = { ...queue, customers: queue.customers.slice(1) };
    await person.click(approve);
    const unknown = await dialog('Result unknown');
    expect(unknown.textContent).toContain('We don’t know yet whether Ada Field was approved.');
    expect(unknown.textContent).toContain('If the list still shows Ada Field, try again.');
    expect(document.body.textContent).not.toContain('was not approved');
    await waitFor(() => expect(approve.isConnected).toBe(false), waitOptions);
    await person.keyboard('{Escape}');
    await waitFor(
      () => expect(document.activeElement?.getAttribute('aria-label')).toBe('Review Bo Field'),
      waitOptions,
    );
  });

  test('say that an application is gone, not who rejected it, after the answer to a rejection was lost [A-66, A-67]', async () => {
    const gone = { status: 404, code: 'NOT_FOUND', message: 'This customer no longer exists.' };
    const reject = `POST users/${id(5)}/reject`;
    const other: Record<string, unknown> = {
      'GET approvals': queue,
      [`GET users/${id(5)}/application`]: { ...jun, _id: id(5), isApproved: false, registeredAt: at },
      [`GET users/${id(5)}/screening`]: [],
      [reject]: new TypeError('Failed to fetch'),
    };
    const { sent } = await enter('operator', '?view=approvals', other);
    await person.click(await button('Review Ada Field'));
    await person.click(await button('Reject'));
    const asked = await dialog('Reject the application of Ada Field?');
    await person.type(within(asked).getByRole('textbox', { name: /^Reason/ }), 'Not you');
    other[`GET users/${id(5)}/application`] = gone;
    await person.click(within(asked).getByRole('button', { name: 'Reject application' }));
    expect(
      await within(asked).findByText(/^This application was already rejected, or the account was deleted\./),
    ).toBeTruthy();
    expect(sent.map(({ call }) => call)).toEqual([reject]);
    expect(within(asked).queryByRole('button', { name: 'Reject application' })).toBeNull();
    expect(asked.textContent).not.toContain('This can’t be undone');
    expect(asked.textContent).not.toContain('We couldn’t confirm your identity.');
    expect(document.activeElement).toBe(within(asked).getByRole('button', { name: 'Close' }));
  });

  test('say that an application is gone if it is approved with others after a colleague rejected it [SD-17, A-67]', async () => {
    await enter('operator', '?view=approvals', {
      'GET approvals': queue,
      [`PUT approve/${id(7)}`]: { status: 404, code: 'NOT_FOUND', message: 'Not found' },
    });
    await person.click(
      await screen.findByRole('checkbox', { name: 'Select the 2 applications that you viewed' }),
    );
    await person.click(await button('Approve 2 selected'));
    expect(
      await screen.findByText(
        /^Cy Field: This application was already rejected, or the account was deleted\./,
      ),
    ).toBeTruthy();
  });

  test('report a refused approval in a dialog, so that no row moves under the pointer [A-47]', async () => {
    await enter('operator', '?view=approvals', {
      'GET approvals': queue,
      [`PUT approve/${id(5)}`]: { status: 409, code: 'CONFLICT', message: 'Decide the match first.' },
    });
    const approve = await button('Approve Ada Field');
    await person.click(approve);
    const refusal = await dialog('Ada Field was not approved');
    expect(refusal.textContent).toContain('Decide the match first.');
    await person.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(approve), waitOptions);
  });

  test('mark applications with a sanctions match, which can be neither approved nor selected [SX-09, SD-17]', async () => {
    await enter('operator', '?view=approvals', {
      'GET approvals': {
        ...queue,
        customers: [
          waiting(5, 'Ada', true),
          { ...waiting(6, 'Bo', true), screening: 'open' },
          { ...waiting(7, 'Cy', true), screening: 'match' },
        ],
      },
    });
    const match = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Possible sanctions match' });
    expect(match.search).toBe(`?view=customer&customer=${id(6)}`);
    expect(screen.getByRole('row', { name: /Cy Field/ }).textContent).toContain('Confirmed sanctions match');
    const approval = (name: string) =>
      screen.getByRole<HTMLButtonElement>('button', { name: `Approve ${name} Field` });
    expect(['Ada', 'Bo', 'Cy'].map(name => approval(name).disabled)).toEqual([false, true, true]);
    // As text in the row: a phone shows no tooltip.
    expect(screen.getByRole('row', { name: /Bo Field/ }).textContent).toContain('Decide the match first');
    expect(screen.getByRole('row', { name: /Cy Field/ }).textContent).toContain('Reject the application');
    expect(approval('Bo').title).toBe('Decide the match first');
    expect(screen.getByRole('checkbox', { name: 'Select the 1 application that you viewed' })).toBeTruthy();
    expect(screen.queryByRole('checkbox', { name: 'Select Bo Field' })).toBeNull();
  });

  test('say how late an application is and that its ID is missing, and viewers cannot select any [SD-16, SD-17]', async () => {
    vi.setSystemTime(new Date('2026-11-23T06:05:00Z'));
    await enter('viewer', '?view=approvals', { 'GET approvals': queue });
    expect((await screen.findAllByText('Late by 12 hours'))[0]).toBeTruthy();
    const without = screen.getByRole('row', { name: /No ID Uploaded/ });
    expect(without.textContent).toContain('Bo Field');
    expect(screen.queryByRole('checkbox')).toBeNull();
    vi.useRealTimers();
  });
});

describe('the screening', () => {
  const hit = {
    _id: id(8),
    customer: {
      _id: id(1),
      firstName: 'Jun',
      lastName: 'Takeda',
      fullName: 'Jun Takeda',
      accountNumber: '482109375527',
      dateOfBirth: '1990-05-02',
      isApproved: true,
    },
    listed: { id: 'SDN-1', name: 'TAKEDA, Jun', dateOfBirth: '1990', program: 'Test' },
    score: 100,
    state: 'open',
    foundAt: at,
  };
  const list = { importedAt: at, entries: 3, screened: 12, finishedAt: at };
  const screening = {
    'GET screening': { ...page, hits: [hit], totalHits: 1, open: 1, list },
    [`GET users/${id(1)}/screening`]: [hit],
  };

  test('says how many more entries resemble the name, on the page of the customer and at the match [SX-13]', async () => {
    const many = { ...hit, customer: { ...hit.customer, moreMatches: 57 } };
    await enter('operator', customer, { ...screening, [`GET users/${id(1)}/screening`]: [many] });
    const more =
      /^57 more entries resemble this name. They appear after this customer’s matches are decided.$/;
    expect(await screen.findByText(more)).toBeTruthy();
    await person.click(await button('Review the match of TAKEDA, Jun'));
    expect(within(await dialog('Match with the sanctions list')).getByText(more)).toBeTruthy();
  });

  test('says that a name mixes Latin and Cyrillic letters, on the page of the customer, at the match and in the review [SX-15]', async () => {
    const name = { firstName: 'Vіktоr', lastName: 'Pеtrоv' };
    const mixed = { ...jun, ...name, isApproved: false, isFrozen: false };
    const said = 'This name mixes letters of different alphabets: Latin and Cyrillic.';
    const answers = {
      ...screening,
      [`GET customers/${id(1)}`]: mixed,
      [`GET users/${id(1)}/screening`]: [
        { ...hit, customer: { ...hit.customer, ...name, fullName: 'Vіktоr Pеtrоv' } },
      ],
      [`GET users/${id(1)}/application`]: { ...mixed, registeredAt: at },
    };
    await enter('operator', customer, answers);
    expect(await screen.findByText(said)).toBeTruthy();
    await person.click(await button('Review the match of TAKEDA, Jun'));
    const match = within(await dialog('Match with the sanctions list'));
    expect(await match.findByText(said)).toBeTruthy();
    expect(
      match.getByText(
        'Some letters look the same in Latin and Cyrillic. We compared them as the same letter.',
      ),
    ).toBeTruthy();
    await person.click(match.getByRole('button', { name: 'Close' }));
    await person.click(await button(/^Review application/));
    expect(await within(await dialog(/^Application/)).findByText(said)).toBeTruthy();
  });

  test('says in the details of a user that a match is confirmed [SX-09]', async () => {
    await enter('operator', '?view=users', {
      ...screening,
      [`GET users/${id(1)}/screening`]: [{ ...hit, state: 'match' }],
    });
    await person.click(await button('View Jun Takeda'));
    const details = within(await dialog('User Details'));
    expect(await details.findByText('Confirmed match on the sanctions list')).toBeTruthy();
    await person.click(details.getByRole('button', { name: 'Review the match of TAKEDA, Jun' }));
    expect(await dialog('Match with the sanctions list')).toBeTruthy();
  });

  const earlier = { state: 'match', decidedAt: at, decidedBy: 'Olga Lindt', reason: 'Same passport' };
  const ofJun = (...hits: object[]) => ({ ...screening, [`GET users/${id(1)}/screening`]: hits });

  test('asks for a new decision about a confirmed match that the list no longer has, and never for the rejection [SX-06, SX-09]', async () => {
    const pending = { ...jun, isApproved: false, state: 'pending' };
    await enter('operator', customer, {
      ...ofJun({ ...hit, isGone: true, earlier }),
      [`GET customers/${id(1)}`]: pending,
      [`GET users/${id(1)}/application`]: { ...pending, registeredAt: at },
    });
    await person.click(await button('Review application'));
    const shown = await dialog('Application: Jun Takeda');
    const review = await within(shown).findByRole('button', { name: 'Review the match of TAKEDA, Jun' });
    expect(shown.textContent).toContain(
      'A match was confirmed, but the list or the name has changed since then.',
    );
    expect(shown.textContent).toContain('TAKEDA, Jun (100%): To be decided. Earlier decision: True match');
    expect(shown.textContent).not.toContain('Reject it');
    await person.click(review);
    const match = await dialog('Match with the sanctions list');
    expect(match.textContent).toContain(
      'The entry is no longer on the list, or the customer’s name no longer resembles it.',
    );
    expect(match.textContent).toContain('Decide this match again.');
    expect(match.textContent).toContain('True match\u00a0· Olga Lindt\u00a0· ');
    expect(match.textContent).toContain('\u00a0· Same passport');
    await person.click(within(match).getByRole('button', { name: 'Not a match' }));
    const question = await dialog('Is Jun Takeda no longer a match?');
    expect(
      within(question).getByRole('button', { name: 'The name is no longer found on the list.' }),
    ).toBeTruthy();
  });

  test('says what was decided about an entry before, and leaves outdated matches to the list of all matches [SX-06, SX-09]', async () => {
    const decided = { state: 'no-match', decidedAt: at, decidedBy: 'Olga Lindt', reason: 'Other birthday' };
    await enter(
      'operator',
      customer,
      ofJun({ ...hit, ...decided, earlier }, { ...hit, _id: id(9), state: 'outdated', earlier }),
    );
    const row = 'TAKEDA, Jun (100%): Not a match. Earlier decision: True match';
    expect(await screen.findAllByText(row)).toHaveLength(1);
    expect(screen.getAllByRole('button', { name: 'Review the match of TAKEDA, Jun' })).toHaveLength(1);
  });

  test.each([
    ['open', 'Customers whose name resembles an entry of the sanctions list appear here.'],
    ['match', 'Matches that staff have confirmed appear here.'],
  ])('says what will appear in an empty list "%s" [SX-09]', async (state, said) => {
    const none = { ...page, hits: [], totalHits: 0, open: 0, list };
    await enter('operator', `?view=screening&state=${state}`, { 'GET screening': none });
    expect(await screen.findByText(said)).toBeTruthy();
  });

  test.each([
    ['never imported', undefined],
    ['removed', { ...list, entries: 0 }],
  ])(
    'says in an empty list that no customer is screened if the sanctions list was %s [SX-09]',
    async (_, known) => {
      const none = { ...page, hits: [], totalHits: 0, open: 0, ...(known && { list: known }) };
      await enter('operator', '?view=screening', { 'GET screening': none });
      expect(await screen.findByText(/^No customer is screened until a list is imported/)).toBeTruthy();
      expect(screen.queryByText('No matches to decide')).toBeNull();
    },
  );

  test('says of an outdated match why there is nothing to decide [SX-09]', async () => {
    const outdated = { ...hit, state: 'outdated' };
    await enter('operator', '?view=screening&state=outdated', {
      'GET screening': { ...page, hits: [outdated], totalHits: 1, open: 0, list },
      [`GET users/${id(1)}/screening`]: [outdated],
    });
    await person.click(await button('Review the match of Jun Takeda'));
    const match = await dialog('Match with the sanctions list');
    expect(within(match).getByText(screeningMessages.outdated)).toBeTruthy();
    // A check mark would say that it was examined.
    expect(screen.queryByText('Outdated', { selector: '.Status' })).toBeNull();
  });

  test.each([true, false])(
    'suggests an ID document as the reason only if there is one: %s [SX-09]',
    async hasIdDocument => {
      await enter('operator', customer, ofJun({ ...hit, customer: { ...hit.customer, hasIdDocument } }));
      await person.click(await button('Review the match of TAKEDA, Jun'));
      await person.click(await button('True match'));
      const question = within(await dialog('Is Jun Takeda the listed person?'));
      const suggested = question.queryByRole('button', { name: 'The ID document confirms it.' });
      expect(suggested !== null).toBe(hasIdDocument);
    },
  );

  test.each([
    [true, /Then freeze the account, if it isn’t frozen yet\.$/],
    [false, /Then reject the application\.$/],
  ])(
    'says what to do after a match is confirmed, for approved customers (%s) and applicants [SX-09]',
    async (isApproved, said) => {
      await enter('operator', customer, ofJun({ ...hit, customer: { ...hit.customer, isApproved } }));
      await person.click(await button('Review the match of TAKEDA, Jun'));
      await person.click(await button('True match'));
      const question = within(await dialog('Is Jun Takeda the listed person?'));
      expect(question.getByText(/^This saves your decision/).textContent).toMatch(said);
    },
  );

  test('says the main name of a matching alias, and warns of look-alike letters only if the names have several alphabets [SX-09, SX-15]', async () => {
    const listed = { ...hit.listed, name: 'Jun Takeda', mainName: 'VOS, Anneke' };
    await enter('operator', customer, ofJun({ ...hit, listed }));
    expect(await screen.findByText('Jun Takeda (alias of VOS, Anneke) (100%): To be decided')).toBeTruthy();
    await person.click(await button('Review the match of Jun Takeda'));
    const match = await dialog('Match with the sanctions list');
    expect(within(match).getByText('Jun Takeda (alias of VOS, Anneke)')).toBeTruthy();
    expect(match.textContent).not.toContain('Some letters look the same');
  });

  test.each([
    ['by staff', {}, false],
    ['only by the customer', { isFrozenByCustomer: true }, true],
    ['by staff and the customer', { isFrozenByCustomer: true, isFrozenByStaff: true }, false],
  ])(
    'of a customer whose account is frozen %s asks for a freeze only if staff have not frozen it [SX-09]',
    async (_, by, isAsked) => {
      await enter('operator', customer, {
        ...ofJun({ ...hit, state: 'match', decidedAt: at }),
        [`GET customers/${id(1)}`]: { ...jun, isFrozen: true, ...by },
      });
      await screen.findByText('Confirmed match on the sanctions list');
      expect(screen.queryByText(/^Freeze the account if/) !== null).toBe(isAsked);
    },
  );

  test('shows a match in the queue and on the page of the customer, and asks for a reason to decide it [SX-09]', async () => {
    const { sent } = await enter('operator', '?view=screening', screening);
    await waitFor(() => expect(sidebar().textContent).toContain('Screening1 waiting'), waitOptions);
    expect(await screen.findByText(/with 3 entries. We have screened 12 customers.$/)).toBeTruthy();
    expect(screen.getByText('Page 1 of 1 (1 match)')).toBeTruthy();
    expect(screen.getByRole('row', { name: /Jun Takeda/ }).textContent).toContain('482109375527');
    await person.click(await button('Review the match of Jun Takeda'));
    await person.click(await button('Not a match'));
    const question = await dialog('Is Jun Takeda someone else?');
    await person.type(within(question).getByRole('textbox', { name: 'Reason' }), 'Other birthday');
    await person.click(within(question).getByRole('button', { name: 'Not a match' }));
    await waitFor(
      () =>
        expect(sent).toMatchObject([
          { call: `POST screening/${id(8)}/decide`, body: { isMatch: false, reason: 'Other birthday' } },
        ]),
      waitOptions,
    );
    // The confirmation links to the customer.
    const onward = await screen.findByRole('link', { name: 'Jun Takeda' }, waitOptions);
    expect(onward.getAttribute('href')).toContain(id(1));
    cleanup();
    await enter('viewer', customer, screening);
    await person.click(await button('Review the match of TAKEDA, Jun'));
    const shown = await dialog('Match with the sanctions list');
    const close = within(shown).getByRole('button', { name: 'Close' });
    await waitFor(() => expect(document.activeElement).toBe(close), waitOptions);
    expect(within(shown).getByRole('row', { name: /Date of birth/ }).textContent).toContain('May 2, 1990');
    expect(shown.textContent).toContain('482109375527');
    expect(within(shown).queryByRole('button', { name: 'True match' })).toBeNull();
  });

  test('shows in the open dialog what a colleague has just decided; closing it moves the focus to the view’s title [SX-09, A-67]', async () => {
    const current: Record<string, unknown> = { ...screening };
    await enter('operator', '?view=screening', current);
    const opener = await button('Review the match of Jun Takeda');
    await person.click(opener);
    await person.click(await button('True match'));
    const question = await dialog('Is Jun Takeda the listed person?');
    await person.type(within(question).getByRole('textbox', { name: 'Reason' }), 'Same face');
    const decided = {
      ...hit,
      state: 'no-match',
      decidedAt: at,
      decidedBy: 'Otto Berg',
      reason: 'Other birthday',
    };
    Object.assign(current, {
      [`POST screening/${id(8)}/decide`]: {
        status: 409,
        code: 'CONFLICT',
        message: screeningMessages.decidedBefore,
      },
      'GET screening': { ...page, hits: [], totalHits: 0, open: 0, list },
      [`GET users/${id(1)}/screening`]: [decided],
    });
    await person.click(within(question).getByRole('button', { name: 'True match' }));
    await within(question).findByText('Otto Berg already decided this match: Not a match.');
    expect(within(question).queryByRole('button', { name: 'True match' })).toBeNull();
    await person.keyboard('{Escape}');
    const shown = await dialog('Match with the sanctions list');
    await waitFor(() => expect(shown.textContent).toContain('Otto Berg'), waitOptions);
    expect(shown.textContent).not.toContain('To be decided');
    expect(within(shown).queryByRole('button', { name: 'True match' })).toBeNull();
    await waitFor(() => expect(opener.isConnected).toBe(false), waitOptions);
    await person.keyboard('{Escape}');
    const title = screen.getByRole('heading', { level: 1, hidden: true });
    await waitFor(() => expect(document.activeElement).toBe(title), waitOptions);
  });

  test('shows a listed date of birth that has no day as month and year [SX-09]', async () => {
    const dated = { ...hit, listed: { ...hit.listed, dateOfBirth: '1961-04' } };
    await enter('operator', '?view=screening', {
      'GET screening': { ...page, hits: [dated], totalHits: 1, open: 1, list },
      [`GET users/${id(1)}/screening`]: [dated],
    });
    await person.click(await button('Review the match of Jun Takeda'));
    expect(await screen.findByText('April 1961')).toBeTruthy();
  });

  test('marks a true match with a different icon than a failed payment [SX-09]', async () => {
    await enter('operator', '?view=screening&state=all', {
      'GET screening': { ...page, hits: [{ ...hit, state: 'match' }], totalHits: 1, open: 0, list },
      'GET transactions': {
        ...page,
        transactions: [{ ...transfer, status: 'failed' }],
        totalTransactions: 1,
      },
    });
    const iconBy = async (text: string) =>
      (await screen.findByText(text, { selector: '.Status' })).querySelector('path')!.getAttribute('d');
    const match = await iconBy('True match');
    await person.click(within(sidebar()).getByRole('link', { name: 'Transactions' }));
    expect(match).not.toBe(await iconBy('Failed'));
  });

  test.each([
    [
      'the same date of birth as a reason only if the list has the full date',
      'True match',
      'Is Jun Takeda the listed person?',
      'The date of birth is the same.',
      '1990-05-02',
    ],
    [
      'a different date of birth as a reason only if the listed date is known and differs',
      'Not a match',
      'Is Jun Takeda someone else?',
      'The date of birth is different.',
      '1961',
    ],
  ])('suggests %s [SX-09]', async (_, decision, question, suggestion, suggestedFor) => {
    for (const dateOfBirth of ['', '1990', suggestedFor]) {
      const dated = { ...hit, listed: { ...hit.listed, dateOfBirth } };
      await enter('operator', '?view=screening', {
        'GET screening': { ...page, hits: [dated], totalHits: 1, open: 1, list },
        [`GET users/${id(1)}/screening`]: [dated],
      });
      await person.click(await button('Review the match of Jun Takeda'));
      await person.click(await button(decision));
      const shown = within(await dialog(question)).queryAllByRole('button', { name: suggestion });
      expect(shown).toHaveLength(dateOfBirth === suggestedFor ? 1 : 0);
      cleanup();
    }
  });

  test('offers no approval of an applicant with an undecided match, and only the rejection after a true match [SX-09]', async () => {
    const review = async (state: string) => {
      await enter('operator', customer, {
        ...screening,
        [`GET customers/${id(1)}`]: { ...jun, isApproved: false, state: 'pending' },
        [`GET users/${id(1)}/application`]: { ...jun, isApproved: false, registeredAt: at },
        [`GET users/${id(1)}/screening`]: [{ ...hit, state }],
      });
      await person.click(await button('Review application'));
      const shown = await dialog('Application: Jun Takeda');
      await within(shown).findByRole('button', { name: 'Review the match of TAKEDA, Jun' });
      return within(shown);
    };
    const approve = { name: 'Approve Jun Takeda' };
    const undecided = await review('open');
    expect(undecided.getByRole<HTMLButtonElement>('button', approve).disabled).toBe(true);
    cleanup();
    const cleared = await review('no-match');
    expect(cleared.getByRole<HTMLButtonElement>('button', approve).disabled).toBe(false);
    cleanup();
    const confirmed = await review('match');
    expect(confirmed.queryByRole('button', approve)).toBeNull();
    expect(confirmed.getByRole('button', { name: 'Reject' }).className).toContain('Button--danger');
  });

  test('is not offered without a sanctions list [SX-03]', async () => {
    const { requested } = await enter('owner', customer, {
      'GET screening': { ...page, hits: [], totalHits: 0, open: 0 },
    });
    await button('Unfreeze account');
    expect(within(sidebar()).queryByRole('link', { name: /Screening/ })).toBeNull();
    expect(requested.filter(url => url.includes('/users/'))).not.toContainEqual(
      expect.stringContaining('screening'),
    );
  });
});

describe('the list of commands', () => {
  test('opens with Ctrl+K, is narrowed by typing, and Enter opens a view or a customer [SD-19]', async () => {
    const { address } = await enter('operator', '?view=users');
    await person.keyboard('{Control>}k{/Control}');
    const list = await dialog('Go to');
    const field = within(list).getByRole('combobox');
    await waitFor(() => expect(document.activeElement).toBe(field), waitOptions);
    const options = () =>
      within(list)
        .getAllByRole('option')
        .map(({ textContent }) => textContent);
    expect(options()).toEqual(expect.arrayContaining(['Transactions', 'Credit a customer', 'Logout']));
    expect(options()).not.toContain('Staff');
    await person.type(field, 'transa{Enter}');
    await waitFor(() => expect(address.search).toBe('?view=transactions'), waitOptions);
    await person.keyboard('{Control>}k{/Control}');
    await person.type(within(await dialog('Go to')).getByRole('combobox'), 'Jun');
    await screen.findByRole('option', { name: /Jun Takeda/ });
    await person.keyboard('{Enter}');
    await waitFor(() => expect(address.search).toBe(customer), waitOptions);
    await person.keyboard('{Meta>}k{/Meta}');
    await dialog('Go to');
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  });

  test('does not find a view by the number of those who wait in it [SD-19]', async () => {
    await enter('operator', '?view=users');
    await waitFor(() => expect(sidebar().textContent).toContain('Requests1'), waitOptions);
    await person.keyboard('{Control>}k{/Control}');
    const list = await dialog('Go to');
    await person.type(within(list).getByRole('combobox'), '1');
    expect(within(list).getAllByRole('option')).toHaveLength(1);
  });

  test.each([
    ['sanction', ['View sanctions matches'], 'viewer'],
    ['prove', ['Prove the books'], 'auditor'],
    ['export', ['Export users', 'Export transactions', 'Export the audit log'], 'auditor'],
    ['export', [], 'viewer'],
  ] as const)('finds %s as %j for the role %s [SD-19]', async (text, expected, role) => {
    await enter(role, '?view=users', {
      'GET screening': {
        ...page,
        hits: [],
        totalHits: 0,
        open: 0,
        list: { importedAt: at, entries: 3, screened: 12, finishedAt: at },
      },
    });
    await waitFor(() => expect(sidebar().textContent).toContain('Screening'), waitOptions);
    await person.keyboard('{Control>}k{/Control}');
    const list = await dialog('Go to');
    await person.type(within(list).getByRole('combobox'), text);
    const options = within(list).getAllByRole('option');
    // The last option searches the transactions.
    expect(options.slice(0, -1).map(({ textContent }) => textContent)).toEqual(expected);
  });
});

describe('the lists', () => {
  test('are shown although the saved filters in the browser are damaged [SD-20]', async () => {
    for (const stored of [
      'null',
      '5',
      JSON.stringify({ [ida._id]: [null, { name: {} }] }),
      JSON.stringify({ [ida._id]: 'x' }),
    ]) {
      localStorage.setItem('adminFilters', stored);
      await enter('operator', '?view=transactions&type=transfer');
      expect(await button('Save these filters')).toBeDefined();
      cleanup();
    }
    localStorage.clear();
  });

  test('keep filters under a name, without the search text [SD-20]', async () => {
    const { address } = await enter('operator', '?view=transactions&type=transfer&search=jun');
    await person.click(await button('Save these filters'));
    await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Transfers{Enter}');
    const saved = await screen.findByRole('link', { name: 'Transfers' });
    await waitFor(() => expect(document.activeElement).toBe(saved), waitOptions);
    expect(localStorage.getItem('adminFilters')).not.toContain('jun');
    await person.click(saved);
    await waitFor(() => expect(address.search).toBe('?view=transactions&type=transfer'), waitOptions);
    await person.click(await button('Remove the saved filter Transfers'));
    expect(screen.queryByRole('link', { name: 'Transfers' })).toBeNull();
    expect(document.activeElement).toBe(await button('Save these filters'));
    await person.click(await button('Save these filters'));
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
    expect(document.activeElement).toBe(await button('Save these filters'));
    localStorage.clear();
  });

  test('keep up to twenty saved filters each [SD-20]', async () => {
    const saved = Array.from({ length: 20 }, (_, n) => ({
      name: `Users ${n}`,
      search: `view=users&state=${n}`,
    }));
    localStorage.setItem('adminFilters', JSON.stringify({ [ida._id]: saved }));
    await enter('operator', '?view=users&state=frozen');
    await screen.findByRole('link', { name: 'Users 19' });
    expect(screen.queryByRole('button', { name: 'Save these filters' })).toBeNull();
    cleanup();
    await enter('operator', '?view=transactions&type=transfer');
    await button('Save these filters');
    localStorage.clear();
  });

  test('a name that an administrator uses in two lists opens the filters of each, and removing one keeps the other [SD-20]', async () => {
    for (const search of ['?view=transactions&type=transfer', '?view=users&state=frozen']) {
      await enter('operator', search);
      await person.click(await button('Save these filters'));
      await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Mine{Enter}');
      await screen.findByRole('link', { name: 'Mine' });
      cleanup();
    }
    const { address } = await enter('operator', '?view=users&state=frozen');
    const find = async () => {
      await person.keyboard('{Control>}k{/Control}');
      await person.type(within(await dialog('Go to')).getByRole('combobox'), 'mine');
      return screen.getAllByRole('option', { name: /^Mine/ }).map(({ textContent }) => textContent);
    };
    expect(await find()).toEqual(['MineTransactions', 'MineUsers']);
    await person.keyboard('{Escape}');
    await person.click(await button('Remove the saved filter Mine'));
    expect(screen.queryByRole('link', { name: 'Mine' })).toBeNull();
    expect(await find()).toEqual(['MineTransactions']);
    await person.keyboard('{Enter}');
    await waitFor(() => expect(address.search).toBe('?view=transactions&type=transfer'), waitOptions);
    localStorage.clear();
  });

  test('/ moves to the search, the arrow keys move between rows, and Enter opens one [SD-10]', async () => {
    const second = {
      ...jun,
      _id: id(9),
      firstName: 'Noor',
      lastName: 'Haddad',
      profileImage: '',
      createdAt: at,
    };
    await enter('operator', '?view=users', {
      'GET users': {
        ...page,
        users: [{ ...jun, profileImage: '', createdAt: at }, second],
        totalUsers: 2,
      },
    });
    await button('View Jun Takeda');
    await person.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
    await person.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(await button('View Jun Takeda'));
    await person.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(await button('View Noor Haddad'));
    await person.keyboard('{ArrowUp}{ArrowUp}');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    screen.getByRole('switch', { name: /Noor Haddad/ }).focus();
    await person.keyboard('{ArrowUp}');
    expect(document.activeElement).toBe(screen.getByRole('switch', { name: /Jun Takeda/ }));
    (await button('View Jun Takeda')).focus();
    await person.keyboard('{Enter}');
    const details = await dialog('User Details');
    await waitFor(
      () => expect(document.activeElement).toBe(within(details).getByRole('button', { name: 'Close' })),
      waitOptions,
    );
  });

  test('of transactions keep the opened transaction open when a debounced search or a new filter takes effect [SD-10]', async () => {
    for (const search of ['?view=transactions', `${customer}&tab=transactions`]) {
      const { address } = await enter('operator', search);
      const link = await screen.findByRole('link', { name: transfer.reference });
      // The search is debounced. The list of one customer has no search, so a filter is changed there instead.
      if (search === '?view=transactions') await person.type(screen.getByRole('searchbox'), 'noor');
      await person.click(link);
      const sheet = await dialog('Transaction');
      if (search !== '?view=transactions')
        fireEvent.change(screen.getByLabelText('Type', { exact: true }), { target: { value: 'transfer' } });
      const changed = search === '?view=transactions' ? 'search=noor' : 'type=transfer';
      await waitFor(() => expect(address.search).toContain(changed), waitOptions);
      expect(address.search).toContain(`transaction=${transfer._id}`);
      expect(sheet.isConnected).toBe(true);
      await person.keyboard('{Escape}');
      await waitFor(() => expect(address.search).not.toContain('transaction='), waitOptions);
      expect(address.search).toContain(changed);
      cleanup();
    }
  });

  test('of users keep the state and the order in the URL [SD-11]', async () => {
    const { address } = await enter('operator', '?view=users&state=frozen');
    expect(await screen.findByText('Jun Takeda')).toBeTruthy();
    await person.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'balance-down');
    await waitFor(
      () => expect(address.search).toBe('?view=users&state=frozen&sort=balance-down'),
      waitOptions,
    );
  });

  test('are saved as CSV with the current filters, by the roles that may export [SD-11]', async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    URL.createObjectURL = () => 'blob:export';
    const { requested } = await enter('auditor', '?view=users&state=frozen&document=review&sort=balance-up', {
      'GET customers/export': new Response('csv', {
        headers: { 'content-disposition': 'attachment; filename="customers.csv"' },
      }),
    });
    await person.click(await button('Export CSV'));
    await waitFor(() => expect(saved).toEqual(['customers.csv']), waitOptions);
    expect(requested).toContain(
      '/api/v1/admin/customers/export?state=frozen&document=review&sort=balance&direction=up',
    );
    vi.restoreAllMocks();
    cleanup();
    await enter('support', '?view=users');
    await button('View Jun Takeda');
    expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull();
  });

  test('of the audit log are saved with every filter, but not while there is a search text [SD-11]', async () => {
    const { requested } = await enter('auditor', '?view=audit&actorKind=admin');
    await person.click(await button('Export CSV'));
    await waitFor(
      () => expect(requested).toContain('/api/v1/admin/audit/export?actorKind=admin'),
      waitOptions,
    );
    await person.type(screen.getByRole('searchbox'), 'margit');
    expect(await screen.findByText('Clear the search to export this list.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull();
  });
});
