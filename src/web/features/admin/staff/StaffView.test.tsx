/** The staff: roles, invitations, disabling and sessions, and their own account. */
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import * as staffMessages from '#contract/messages/staff.ts';
import {
  at,
  button,
  credit,
  dialog,
  enter,
  id,
  page,
  person,
  sidebar,
  tove,
} from '../../../../../tests/adminDesk.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { waitOptions } from '../../../../../tests/waiting.ts';
import { words } from '../words.ts';

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

  test('see that a request to change that limit waits, with a link to it [SD-04]', async () => {
    await enter('owner', '?view=staff', {
      'GET requests': { ...page, requests: [{ ...credit, kind: 'limit' }], totalRequests: 1, waiting: 1 },
    });
    expect(await screen.findByText(/^A request to change this amount is waiting\./)).toBeTruthy();
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'View request' });
    expect(link.search).toBe(`?view=requests&request=${credit._id}`);
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
