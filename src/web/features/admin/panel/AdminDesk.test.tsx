/** The back office as its roles see it: the views and buttons of each role, and what changes when a role is lost. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import * as errorMessages from '#contract/messages/errors.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import {
  at,
  button,
  customer,
  dialog,
  enter,
  id,
  person,
  profile,
  sidebar,
} from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';

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
    // A real bank refuses these until a factor is set up, so they must be read again now.
    const lists = ['messages', 'alerts', 'rail/exceptions', 'screening'];
    const askedFor = () => lists.map(list => requested.filter(url => url.includes(`/admin/${list}`)).length);
    const earlier = askedFor();
    await person.click(await button('Turn on'));
    // Two calls: the change, and the refetch of the state after it.
    await waitFor(() => expect(asked()).toBe(before + 2), waitOptions);
    expect(await screen.findByText('ABCD-EFGH-JKLM')).toBeTruthy();
    expect(await screen.findByLabelText('Current password')).toBeTruthy();
    expect(screen.getByText('ABCD-EFGH-JKLM')).toBeTruthy();
    // Assert without waiting, because the next poll would fetch the lists anyway.
    expect(askedFor()).toEqual(earlier.map(times => times + 1));
  });

  /** Lets half a minute pass at once, after which the role is fetched again. */
  const pollRole = () => vi.advanceTimersByTimeAsync(30_000);

  test('an operator who lost the role is refused at the next action, and the next poll removes the buttons of that role [SD-09, ST-71]', async () => {
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
