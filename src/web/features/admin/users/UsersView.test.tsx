/** The list of users: freezes, a customer whom a colleague deleted, and an empty list. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import * as adminMessages from '#contract/messages/admin.ts';
import {
  at,
  button,
  customer,
  dialog,
  enter,
  id,
  jun,
  page,
  person,
} from '../../../../../tests/adminDesk.tsx';

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

describe('a freeze', () => {
  const frozen = { ...jun, profileImage: '', createdAt: at, isFrozenByCustomer: true };
  const users = { 'GET users': { ...page, users: [frozen], totalUsers: 1 } };

  test('by the customer is shown beside the switch, and again before the switch lifts it [SD-14]', async () => {
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
    expect(sent.map(({ body }) => body)).toEqual([
      { isFrozen: false, isFrozenByStaff: false, isFrozenByCustomer: true },
    ]);
    expect(screen.queryByText('By the customer')).toBeNull();
  });

  test('by the customer alone can be completed by staff in the list, so that the customer cannot lift it [SD-14]', async () => {
    const { sent } = await enter('operator', '?view=users', {
      ...users,
      [`PUT freeze/${id(1)}`]: { userId: id(1), isFrozen: true },
    });
    await person.click(await button('Freeze account of Jun Takeda by staff, too'));
    const asked = await dialog('Freeze the account of Jun Takeda?');
    expect(asked.textContent).toContain('The customer froze this account and can unfreeze it.');
    await person.type(within(asked).getByRole('textbox', { name: /^Reason/ }), 'Listed');
    await person.click(within(asked).getByRole('button', { name: 'Freeze account' }));
    await dialog('Success');
    expect(sent.map(({ body }) => body)).toEqual([{ isFrozen: true, reason: 'Listed' }]);
    expect(screen.getByText('By the customer and by staff')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /by staff, too$/, hidden: true })).toBeNull();
  });

  test('that a colleague adds while staff are about to lift the customer’s own is not lifted with it [SD-14, A-67]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    let listed: object = frozen;
    const { sent } = await enter('operator', '?view=users', {
      'GET users': () => ({ ...page, users: [listed], totalUsers: 1 }),
    });
    await person.click(await screen.findByRole('switch', { name: /^Freeze account of Jun Takeda/ }));
    const asked = await dialog('Unfreeze the account of Jun Takeda?');
    listed = { ...frozen, isFrozenByStaff: true, frozenReason: 'Court order' };
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await within(asked).findByText(/^The freeze of this account has changed/)).toBeTruthy();
    expect(within(asked).queryByRole('button', { name: 'Unfreeze account' })).toBeNull();
    await person.click(within(asked).getByRole('button', { name: 'Close' }));
    await person.click(await screen.findByRole('switch', { name: /^Freeze account of Jun Takeda/ }));
    const again = (await dialog('Unfreeze the account of Jun Takeda?')).textContent;
    expect(again).toContain('Court order');
    expect(again).toContain('The customer and staff froze this account. Unfreezing ends both freezes.');
    expect(sent).toEqual([]);
  });

  test('by a colleague with a reason is read again after a press that came too late, and asks before the next press lifts it [SD-14, A-67]', async () => {
    const byOtto = { ...frozen, isFrozenByCustomer: false, frozenReason: 'Theft' };
    let listed: object = { ...byOtto, isFrozen: false, frozenReason: undefined };
    const { sent } = await enter('operator', '?view=users', {
      'GET users': () => ({ ...page, users: [listed], totalUsers: 1 }),
      [`PUT freeze/${id(1)}`]: () => {
        listed = byOtto;
        const data = { userId: id(1), isFrozen: true };
        return Response.json({ success: true, message: adminMessages.frozenBefore, data });
      },
    });
    await person.click(await screen.findByRole('switch', { checked: false }));
    const told = await dialog('Error');
    expect(told.textContent).toContain(adminMessages.frozenBefore);
    await person.click(within(told).getByRole('button', { name: 'Close' }));
    await person.click(await screen.findByRole('switch', { checked: true }));
    const asked = await dialog('Unfreeze the account of Jun Takeda?');
    expect(asked.textContent).toContain('Theft');
    expect(sent).toHaveLength(1);
  });

  test('by the customer is shown to roles without the switch, in the details, and in a filtered list [SD-14]', async () => {
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

  test('by the customer is shown together with one by staff, in the list and in the details [SD-14]', async () => {
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

  test('by staff with a reason is not lifted by the switch at once: a dialog asks and shows the reason [SD-14]', async () => {
    const { sent } = await enter('operator', '?view=users', {
      [`PUT freeze/${id(1)}`]: { userId: id(1), isFrozen: false },
    });
    await person.click(await screen.findByRole('switch', { name: /^Freeze account of Jun Takeda/ }));
    const asked = await dialog('Unfreeze the account of Jun Takeda?');
    expect(asked.textContent).toContain('Reason for the freeze: “Three payments to a reported account.”');
    expect(sent).toEqual([]);
    await person.click(within(asked).getByRole('button', { name: 'Unfreeze account' }));
    await dialog('Success');
    expect(sent.map(({ body }) => body)).toEqual([
      { isFrozen: false, isFrozenByStaff: true, isFrozenByCustomer: false },
    ]);
  });

  test('by the customer is shown again before an administrator lifts it [SD-14]', async () => {
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
  ['operator', true],
  ['viewer', false],
] as const)(
  'an applicant in a filtered list waits, for the role %s too, and a frozen one is frozen [A-32]',
  async (role, isSwitch) => {
    const applicant = { ...jun, state: 'pending', isFrozen: false, frozenReason: undefined };
    const frozen = { ...jun, _id: id(2), firstName: 'Ada', state: 'pending' };
    const active = { ...applicant, _id: id(3), firstName: 'Bo', state: 'active' };
    await enter(role, '?view=users&document=review', {
      'GET customers': { ...page, customers: [applicant, frozen, active], totalCustomers: 3 },
    });
    const rowOf = async (name: string) =>
      (await screen.findByRole('row', { name: new RegExp(name) })).textContent;
    expect(await rowOf('Jun Takeda')).toContain('Waiting');
    expect(await rowOf('Jun Takeda')).not.toContain('Active');
    expect(await rowOf('Ada Takeda')).toContain('Frozen');
    expect(await rowOf('Bo Takeda')).toContain('Active');
    expect(screen.queryAllByRole('switch')).toHaveLength(isSwitch ? 3 : 0);
  },
);

test('the list of users of a new bank says who will appear there', async () => {
  await enter('viewer', '?view=users', {
    'GET users': { ...page, users: [], totalUsers: 0 },
  });
  expect(await screen.findByText('Customers appear here after they register.')).toBeTruthy();
});
