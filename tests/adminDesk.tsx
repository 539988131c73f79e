/** Opens the back office for tests, with stubbed answers from the bank, at a view and for an administrator with a role. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { vi } from 'vitest';
import type { Alert } from '#contract/alerts.ts';
import type { Approval } from '#contract/fourEyes.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import type { Role } from '#contract/roles.ts';
import { adminLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { AdminDesk } from '#web/features/admin/panel/AdminDesk.tsx';
import { useLocation } from '#web/router/hooks.ts';
import { MemoryRouter } from './memoryRouter.tsx';
import { ida } from './sessions.ts';
import { aTransaction } from './transactions.ts';

export const id = (n: number) => `01a1ffd2-0000-7000-8000-00000000000${n}`;
export const at = '2026-11-20T18:05:00.000Z';
/** What every answer with the only page of a list has. */
export const page = { currentPage: 1, totalPages: 1 };
/** The URL of the page about `jun`. */
export const customer = `?view=customer&customer=${id(1)}`;

/** A frozen customer whose ID document is under review. */
export const jun = {
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

/** A request by a colleague, which waits for a second person. */
export const credit: Approval = {
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

/** A request by the administrator who opens the back office. */
const own: Approval = { ...credit, _id: id(3), askedBy: { _id: ida._id, name: ida.name } };

export const transfer = aTransaction({
  _id: id(4),
  status: 'completed',
  type: 'transfer',
  amount: 75,
  sender: { _id: 'n', firstName: 'Noor', lastName: 'Haddad' },
  receiver: { _id: jun._id, firstName: 'Jun', lastName: 'Takeda' },
});

/** A credit that paid an unclaimed balance out to a customer. */
export const assigned = {
  ...transfer,
  type: 'admin-credit',
  sender: undefined,
  bankAccount: 'unclaimed',
  timeline: [{ step: 'posted', at }],
};

/** A colleague in the list of the staff. */
export const tove = {
  _id: id(5),
  email: 'tove@larkspur.example',
  name: 'Tove Asklund',
  role: 'support',
  state: 'active',
  createdAt: at,
  sessions: 1,
};

/** An open alert that is not assigned. */
export const largePayment: Alert = {
  _id: id(5),
  rule: 'large-first-payment',
  status: 'open',
  at,
  customer: { _id: jun._id, name: 'Jun Takeda', accountNumber: jun.accountNumber },
  transactionId: id(4),
  amount: 2000,
  balance: 3500.5,
};

/** An alert that a colleague took. */
export const guesses: Alert = {
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
export const answers: Record<string, unknown> = {
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

export const profile = (role: Role) => ({ _id: ida._id, email: ida.email, name: ida.name, role });

export const person = userEvent.setup();

/**
 * Opens the panel at a view, for an administrator with a role. `other` adds or replaces answers, even after this call; a
 * function gets the URL.
 */
export async function enter(role: Role, search: string, other: Record<string, unknown> = {}) {
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

// `hidden` also finds the sidebar while an open dialog hides it from assistive technology.
export const sidebar = () => screen.getByRole('navigation', { name: 'Administration', hidden: true });
export const button = (name: string | RegExp) => screen.findByRole('button', { name });
export const dialog = (name: string | RegExp) => screen.findByRole('dialog', { name });
