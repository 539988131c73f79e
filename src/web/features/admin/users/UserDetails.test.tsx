// @vitest-environment jsdom
/** The details of a customer with few data. */
import { cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import type { User } from '#contract/entities.ts';
import { makeStore } from '#web/base/store.ts';
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

afterEach(cleanup);

test('a customer without phone, address and ID is shown as such, with initials instead of a picture [A-38, A-39, A-40]', () => {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <UserDetails user={user} onClose={() => {}} />
      </MemoryRouter>
    </Provider>,
  );
  const details = screen.getByRole('dialog', { name: 'User Details' });
  expect(screen.getAllByText('Not provided')).toHaveLength(2);
  expect(screen.getByText('No ID uploaded')).toBeTruthy();
  for (const text of ['JT', 'Jun Takeda', 'Pending', 'Nov 20, 2026'])
    expect(details.textContent).toContain(text);
});
