/** The details of a customer, even of one who gave little data or was deleted in the meantime. */
import { cleanup, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { User } from '#contract/entities.ts';
import { adminLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { UserDetails } from './UserDetails.tsx';

const user: User = {
  _id: 'u1',
  firstName: 'Jun',
  lastName: 'Takeda',
  email: 'jun.takeda@inkstone.example',
  accountNumber: '482109375527',
  balance: 0,
  isVerified: false,
  isFrozen: false,
  profileImage: '',
  avatar: { url: '' },
  phoneNumber: '',
  address: '',
  idCard: null,
  createdAt: '2026-11-20T18:05:00.000Z',
};

const owner = { ...ida, role: 'owner' } as const;

test('the details of a customer without phone, address, ID and picture say what is missing, and show initials [A-38, A-39, A-40]', () => {
  renderWith(makeStore(), <UserDetails id={user._id} listed={user} onClose={() => {}} />);
  const details = screen.getByRole('dialog', { name: 'User Details' });
  expect(screen.getAllByText('Not provided')).toHaveLength(2);
  expect(screen.getByText('No ID uploaded')).toBeTruthy();
  for (const text of ['JT', 'Jun Takeda', 'ID document: Not uploaded', 'Nov 20, 2026'])
    expect(details.textContent).toContain(text);
});

test('the details of a customer who was asked for a new ID document say so [A-39]', () => {
  renderWith(
    makeStore(),
    <UserDetails id={user._id} listed={{ ...user, isIdRequested: true }} onClose={() => {}} />,
  );
  expect(screen.getByText('ID document: Requested')).toBeTruthy();
});

test('the details of an applicant say that the approval is pending [A-39]', () => {
  renderWith(
    makeStore(),
    <UserDetails id={user._id} listed={{ ...user, isApproved: false }} onClose={() => {}} />,
  );
  expect(screen.getByText('Pending Approval')).toBeTruthy();
  cleanup();
  renderWith(
    makeStore(),
    <UserDetails id={user._id} listed={{ ...user, isApproved: true }} onClose={() => {}} />,
  );
  expect(screen.queryByText('Pending Approval')).toBeNull();
});

test('the phone number is grouped, the address is complete, and the date of birth is shown, because it counts as viewed [A-59]', async () => {
  const known = { ...user, phoneNumber: '2125550147', address: '18 Meadow Row' };
  const application = {
    ...known,
    middleName: '',
    gender: 'male',
    isEmailProven: true,
    city: 'Albany',
    region: 'New York',
    zipCode: '12207',
    dateOfBirth: '1990-05-02',
    isApproved: true,
    registeredAt: user.createdAt,
  };
  vi.stubGlobal('fetch', async (address: string) => {
    const data = address.endsWith('/application') ? application : known;
    return new Response(JSON.stringify({ success: true, message: '', data }));
  });
  const store = makeStore();
  store.dispatch(adminLoggedIn(owner));
  renderWith(store, <UserDetails id={user._id} listed={known} onClose={() => {}} />);
  expect(await screen.findByText('18 Meadow Row, Albany, New York 12207')).toBeTruthy();
  expect(screen.getByText('(212) 555-0147')).toBeTruthy();
  expect(screen.getByText('May 2, 1990')).toBeTruthy();
});

test('the details of a customer who was deleted in the meantime say so and show nothing else [A-51]', async () => {
  const gone = { success: false, code: 'NOT_FOUND', message: '' };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(gone), { status: 404 }));
  const store = makeStore();
  store.dispatch(adminLoggedIn(owner));
  renderWith(
    store,
    <UserDetails id={user._id} listed={{ ...user, phoneNumber: '2125550147' }} onClose={() => {}} />,
  );
  const details = screen.getByRole('dialog', { name: 'User Details' });
  expect(details.textContent).toContain('Jun Takeda');
  expect(await screen.findByText('This customer was deleted')).toBeTruthy();
  for (const text of ['Jun', 'Takeda', user.email, user.accountNumber.slice(0, 4), '555-0147'])
    expect(details.textContent).not.toContain(text);
  expect(details.innerHTML).not.toContain(user.accountNumber);
});
